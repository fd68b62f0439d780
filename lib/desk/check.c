// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check.c - the table of checks, and running those that are wanted.
 */
#include <stdarg.h>
#include "check_priv.h"
#include "prep.h"

struct check_def {
	const char *id;
	enum severity severity;
	unsigned flags;
	int (*run)(struct check_ctx *x,
		   struct err *err); /* NULL: post_prepare() finds it */
	const char *about;
};

enum {
	FIXED = 1, /* without this nothing can be sent: no setting changes it */
	MAILS = 2, /* about the mails, so it is run for a version posted again as well */
	ONE = 4,   /* for the patch of a fix as well */
	FIX = 8,   /* for that alone */
	READ = 16, /* for what others posted: mails are enough */
};

#define E SEVERITY_ERROR
#define W SEVERITY_WARNING

/* Rows of one function stand together. The manual page is made from them. */
static const struct check_def defs[] = {
	{ "signed-off-author", E, ONE | READ, check_signoff,
	  "the author's Signed-off-by is missing" },
	{ "signed-off-sender", E, ONE | READ, check_signoff,
	  "the last Signed-off-by is not the sender's" },
	{ "author-address", W, ONE | READ, check_signoff,
	  "the author signs off with another address" },
	{ "fixes-form", W, ONE, check_fixes, "Fixes: is not 12 digits (\"subject\")" },
	{ "fixes-unknown", W, ONE, check_fixes,
	  "Fixes: names no commit of this repository" },
	{ "fixes-ancestor", W, ONE, check_fixes,
	  "Fixes: names a commit the base does not have" },
	{ "fixes-subject", W, ONE, check_fixes,
	  "Fixes: has another subject than the commit" },
	{ "reported-by", W, ONE | READ, check_reported,
	  "Reported-by: is not followed by Closes: or Link:" },
	{ "co-developed-by", E, ONE | READ, check_codeveloped,
	  "Co-developed-by: is not followed by that Signed-off-by:" },
	{ "trailers-split", W, ONE | READ, check_trailers,
	  "trailers stand above the last paragraph, where git sees none" },
	{ "subject-long", W, READ, check_subject, "a subject has more than 75 columns" },
	{ "subject-prefix", W, READ, check_subject, "a subject names no subsystem" },
	{ "subject-dot", W, READ, check_subject, "a subject ends with a full stop" },
	{ "message-body", W, READ, check_body, "a message does not say why" },
	{ "control-bytes", W, ONE | READ, check_control,
	  "a control character in a message or an author's name" },
	{ "fixup-left", E, READ, check_leftover,
	  "a fixup!, squash! or amend! commit is left" },
	{ "duplicate-patch", W, READ, check_duplicate, "two patches are one" },
	{ "checkpatch", W, ONE, check_checkpatch,
	  "what the base's scripts/checkpatch.pl says" },
	{ "conflict-marker", E, ONE, check_whitespace, "a conflict marker is left" },
	{ "whitespace", W, ONE, check_whitespace,
	  "white space errors, where there is no checkpatch" },
	{ "base-unreachable", W, 0, check_base,
	  "no published branch or tag has the base" },
	{ "build-fails", E, 0, check_build, "a patch does not build" },
	{ "build-warns", W, 0, check_build, "a patch builds with new warnings" },
	{ "build-missing", W, 0, check_build, "a patch was not built" },
	{ "build-unreadable", W, 0, check_build, "a stored build cannot be read" },
	{ "cover-width", W, 0, check_width,
	  "a line of the cover letter has over 78 columns" },
	{ "changelog-missing", W, 0, check_changelog,
	  "a later version has no changelog" },
	{ "changelog-denied", W, 0, check_changelog,
	  "the changelog tells of a patch that is as it was" },
	{ "recipient-missing", W, ONE, check_recipients,
	  "an author or a person of a trailer gets no copy" },
	{ "recipients-shrunk", W, 0, check_recipients,
	  "who got the last version would not get this one" },
	{ "commenter-missing", W, 0, check_recipients,
	  "who commented on an earlier version would not get this one" },
	{ "tag-stale", W, 0, check_tags,
	  "a commit has a tag that no longer holds" },
	{ "tag-missing", W, 0, check_tags, "a tag that holds is not in its commit" },
	{ "nak-open", W, 0, check_tags, "a NAK is not acknowledged" },
	{ "remarks-open", W, 0, check_remarks,
	  "a remark of a reviewer is neither answered nor done" },
	{ "prefix-changed", W, 0, check_prefix,
	  "the subjects' prefix is another than last time" },
	{ "too-soon", W, 0, check_days,
	  "the last version is younger than series.check.days" },
	{ "mail-unsure", E, FIXED, check_outbox, "mails of a posting may have arrived" },
	{ "mail-partial", E, FIXED, check_outbox, "a posting is unfinished" },
	{ "outbox-corrupt", E, FIXED, check_outbox, "an outbox cannot be read" },
	{ "am-proof", E, MAILS | ONE, check_am,
	  "git am of the mails on the base does not give the branch's trees" },
	{ "fixup-queue", E, FIX, check_queue,
	  "a fix does not apply on a branch that has the patch" },
	{ "fixup-unqueued", W, FIX, check_queue,
	  "no branch here has the patch that a fix is for" },
	{ "no-recipients", E, FIXED, NULL, "there is nobody to send to" },
	{ "recipient-lost", W, 0, NULL, "who got the version would not get it again" },
	{ "resend-fixes", W, 0, NULL, "the version that is posted again had fixes" },
	{ "branch-gone", E, FIXED, NULL, "the branch is gone" },
	{ "no-commits", E, FIXED, NULL, "there are no patches" },
	{ "sent-already", E, 0, NULL, "these very commits went out last" },
	{ "cover-missing", E, FIXED, NULL, "there is no cover letter" },
	{ "cover-template", E, FIXED, NULL, "the cover letter is still the template" },
	{ "cover-title", E, FIXED, NULL, "the cover letter has no title" },
	{ "cover-conflict", E, 0, NULL, "two machines wrote a cover letter" },
	{ "cover-directive", E, 0, NULL, "a directive of the cover letter is wrong" },
	{ "changes-patch", E, 0, NULL, "a heading of the changelog fits no patch" },
	{ "notes-patch", E, 0, NULL, "the note of a patch that is gone" },
	{ "notes-cut", E, 0, NULL, "git am would cut a patch at a note" },
	{ "bench-missing", E, 0, NULL, "a table has no results" },
	{ "bench-stale", W, 0, NULL, "a table is not of this draft" },
	{ "bench-other-base", W, 0, NULL, "a table is of another base" },
	{ "bench-emulated", E, 0, NULL, "a table is of an emulated machine" },
	{ "message-cut", E, 0, NULL, "git am would cut a message" },
	{ "message-empty", E, 0, NULL, "a commit has no message" },
	{ "message-lost", E, 0, NULL, "git am would not give a message back" },
	{ "message-blanks", E, 0, NULL, "git am would change white space of a message" },
	{ "message-nul", E, 0, NULL, "a NUL in a message" },
	{ "message-encoding", E, 0, NULL, "a message is in no known encoding" },
	{ "message-scissors", W, 0, NULL, "git am --scissors would cut a message" },
	{ "author-lost", E, 0, NULL, "git am would change an author" },
	{ "patch-empty", E, 0, NULL, "a patch changes nothing" },
	{ "patch-unreadable", E, 0, NULL, "git cannot read a diff that it made" },
	{ "patch-lost", E, 0, NULL, "git mailinfo reads another patch" },
	{ "patch-not-utf8", W, 0, NULL, "a patch is not UTF-8" },
	{ "patch-missing", W, 0, NULL, "a posted series has not all its patches" },
	{ "fixup-fold", W, 0, NULL, "a fix does not apply on its patch itself" },
	{ "fixup-others", W, 0, NULL, "a fix leaves out other changes of the branch" },
	{ "setting-ignored", W, 0, NULL, "a setting of git send-email does not hold" },
};

#undef E
#undef W

static const char *outcome_name(enum check_outcome o)
{
	static const char *const names[] = { "passed", "found", "off", "skipped" };

	return names[o];
}

void checks_release(struct checks *c)
{
	free(c->v);
	*c = (struct checks){ 0 };
}

static ptrdiff_t find_def(const char *id)
{
	for (size_t i = 0; i < ARRAY_SIZE(defs); i++)
		if (!strcmp(defs[i].id, id))
			return (ptrdiff_t)i;
	return -1;
}

struct json *checks_json(const struct checks *c)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < c->n; i++) {
		struct json *o = json_obj();

		json_set_str(o, "id", c->v[i].id);
		json_set_str(o, "severity", severity_name(c->v[i].severity));
		json_set_bool(o, "fixed", c->v[i].fixed);
		json_set_str(o, "about", c->v[i].about);
		json_set_str(o, "state", outcome_name(c->v[i].outcome));
		json_push(arr, o);
	}
	return arr;
}

bool check_wanted(const struct check_ctx *x, const char *id)
{
	ptrdiff_t k = find_def(id);

	return k < 0 || x->all->v[k].outcome != CHECK_OFF;
}

void check_add(struct check_ctx *x, const char *id, const char *where, const char *remedy,
	       const char *message, ...)
{
	ptrdiff_t k = find_def(id);
	char *text _cleanup_free_ = NULL;
	va_list ap;

	if (!check_wanted(x, id))
		return;
	va_start(ap, message);
	text = xvasprintf(message, ap);
	va_end(ap);
	/* Those for commits of the branch: a fix is none of them, nor are others' mails. */
	if (x->read)
		remedy = NULL;
	else if (x->p->outbox && x->p->outbox->fixup && remedy && strstr(remedy, "rebase "))
		remedy = FIX_REMEDY;
	findings_add(&x->p->findings, id, x->all->v[k].severity, where, remedy, "%s",
		     text);
	x->all->v[k].outcome = CHECK_FOUND;
}

char *check_where(const struct check_ctx *x, size_t i)
{
	if (x->read)
		return xasprintf("patch %d '%s'", x->p->outbox->version.patches[i].n,
				 x->commits[i].subject);
	return xasprintf("patch %zu/%zu '%s'", i + 1, x->n, x->commits[i].subject);
}

char *check_rebase(const struct check_ctx *x, size_t i, const char *command)
{
	return remedy_rebase(x->base, command, i + 1, "");
}

int check_status(struct check_ctx *x, const struct status **ret, struct err *err)
{
	int rc = x->status ? 0 : status_make(x->s, x->c, &x->status, err);

	if (!rc)
		*ret = x->status;
	return rc;
}

/* series.check.ID of one row. */
static int take_setting(const struct check_def *d, const struct config *c,
			struct check_result *r, struct err *err)
{
	char *key _cleanup_free_ = xasprintf("series.check.%s", d->id);
	const char *v = config_get(c, key);

	if (!v)
		return 0;
	if (d->flags & FIXED)
		return err_set(err, E_USAGE,
			       "%s: nothing can be sent while that is so; git config "
			       "--unset %s",
			       key, key);
	if (!strcmp(v, "off"))
		r->outcome = CHECK_OFF;
	else if (!strcmp(v, "warn"))
		r->severity = SEVERITY_WARNING;
	else if (!strcmp(v, "error"))
		r->severity = SEVERITY_ERROR;
	else
		return err_set(err, E_USAGE, "%s: expected off, warn or error, not '%s'",
			       key, v);
	return 0;
}

static int take_settings(const struct config *c, const struct strvec *only,
			 struct checks *ret, struct err *err)
{
	for (size_t i = 0; only && i < only->n; i++)
		if (find_def(only->v[i]) < 0)
			return err_set(err, E_USAGE,
				       "there is no check '%s'; series check --list has "
				       "them all",
				       only->v[i]);
	ret->n = ARRAY_SIZE(defs);
	ret->v = xcalloc(ret->n, sizeof(*ret->v));
	for (size_t i = 0; i < ret->n; i++) {
		struct check_result *r = &ret->v[i];
		int rc;

		*r = (struct check_result){ .id = defs[i].id,
					    .about = defs[i].about,
					    .severity = defs[i].severity,
					    .fixed = defs[i].flags & FIXED };
		rc = take_setting(&defs[i], c, r, err);
		if (rc)
			return rc;
		if (only && only->n)
			r->outcome =
				strvec_has(only, defs[i].id) ? CHECK_PASSED : CHECK_OFF;
	}
	return 0;
}

int check_list(const struct config *c, const struct strvec *only, struct checks *ret,
	       struct err *err)
{
	struct checks all _cleanup_checks_ = { 0 };
	int rc = take_settings(c, only, &all, err);

	if (rc)
		return rc;
	*ret = all;
	all = (struct checks){ 0 };
	return 0;
}

/* What post_prepare() found gets the severity of the settings, or goes. */
static void judge_findings(struct post *p, struct checks *all)
{
	struct findings kept = FINDINGS_INIT, *f = &p->findings;

	for (size_t i = 0; i < f->n; i++) {
		const struct finding *e = &f->v[i];
		ptrdiff_t k = find_def(e->id);

		if (k >= 0 && all->v[k].outcome == CHECK_OFF)
			continue;
		if (k >= 0)
			all->v[k].outcome = CHECK_FOUND;
		findings_add(&kept, e->id,
			     k >= 0 && all->v[k].severity != defs[k].severity
				     ? all->v[k].severity
				     : e->severity,
			     e->where, e->remedy, "%s", e->message);
	}
	findings_release(f);
	*f = kept;
}

/* Is one of the rows of this function wanted? */
static bool run_wanted(const struct check_ctx *x, size_t i)
{
	for (size_t k = i; k < ARRAY_SIZE(defs) && defs[k].run == defs[i].run; k++)
		if (x->all->v[k].outcome != CHECK_OFF)
			return true;
	return false;
}

static bool is_for(const struct check_ctx *x, unsigned flags)
{
	if (x->read)
		return flags & READ;
	if (x->p->outbox && x->p->outbox->fixup)
		return flags & (ONE | FIX);
	return x->again ? flags & MAILS : !(flags & FIX);
}

static int run_all(struct check_ctx *x, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < ARRAY_SIZE(defs) && !rc; i++) {
		bool first = !i || defs[i].run != defs[i - 1].run;

		if (!defs[i].run)
			continue;
		if (!x->n || !is_for(x, defs[i].flags)) {
			if (x->all->v[i].outcome == CHECK_PASSED)
				x->all->v[i].outcome = CHECK_SKIPPED;
		} else if (first && run_wanted(x, i)) {
			rc = defs[i].run(x, err);
			if (rc)
				err_context(err, "check %s", defs[i].id);
		}
	}
	return rc;
}

/* The commits that go out: those of the version, or the one of a fix. */
static int read_commits(struct check_ctx *x, struct err *err)
{
	const struct outbox *o = x->p->outbox;
	const struct version *v = o ? &o->version : NULL;
	int rc;

	if (!v || !v->n_patches)
		return 0;
	memcpy(x->base, v->base, OID_HEX);
	memcpy(x->head, v->head, OID_HEX);
	if (o->fixup) {
		struct commit c;

		memcpy(x->head, v->fixups[v->n_fixups - 1].commit, OID_HEX);
		rc = repo_commit(x->s->repo, x->head, &c, err);
		if (rc)
			return rc;
		memcpy(x->base, c.parent, OID_HEX);
		commit_release(&c);
	}
	return repo_range(x->s->repo, x->base, x->head, SERIES_MAX_PATCHES, &x->commits,
			  &x->n, err);
}

int check_posting(struct series *s, const struct config *c, struct post *p, bool again,
		  const struct strvec *only, struct checks *ret, struct err *err)
{
	struct checks all _cleanup_checks_ = { 0 };
	struct check_ctx x = { .s = s, .c = c, .p = p, .again = again, .all = &all };
	int rc = take_settings(c, only, &all, err);

	if (!rc)
		rc = read_commits(&x, err);
	if (!rc) {
		judge_findings(p, &all);
		rc = run_all(&x, err);
		findings_on_branch(&p->findings, s);
	}
	commits_free(x.commits, x.n);
	status_free(x.status);
	if (rc)
		return rc;
	*ret = all;
	all = (struct checks){ 0 };
	return 0;
}

int check_read(struct post *p, struct commit *commits, size_t n, const struct config *c,
	       const struct strvec *only, struct checks *ret, struct err *err)
{
	struct checks all _cleanup_checks_ = { 0 };
	struct check_ctx x = {
		.c = c, .p = p, .read = true, .commits = commits, .n = n, .all = &all
	};
	int rc = take_settings(c, only, &all, err);

	if (!rc) {
		judge_findings(p, &all);
		rc = run_all(&x, err);
	}
	for (size_t i = 0; i < all.n && !rc; i++)
		if (!defs[i].run && all.v[i].outcome == CHECK_PASSED)
			all.v[i].outcome = CHECK_SKIPPED;
	if (rc)
		return rc;
	*ret = all;
	all = (struct checks){ 0 };
	return 0;
}
