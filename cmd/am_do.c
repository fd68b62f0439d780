// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_do.c - see am_do.h.
 */
#include "am_do.h"
#include "am_print.h"
#include "ask.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/taken.h"

/* Tags that something speaks against: only a person can say yes. */
static int ask_tags(struct am *a, struct err *err)
{
	for (size_t i = 0; i < a->n_tags; i++) {
		struct buf line _cleanup_buf_ = BUF_INIT;

		if (!am_tag_asks(a, &a->tag[i]) || !ask_possible())
			continue;
		am_tag_line(a, &a->tag[i], &line);
		buf_putc(&line, '\n');
		a->tag[i].take = ask_yes(&line, "Take this tag?");
		if (intr_pending())
			return err_set(err, E_INTR, "interrupted");
	}
	return 0;
}

static int look_for_nak(const struct am *a, const struct am_cmd *q, struct err *err)
{
	const struct am_tag *nak = am_nak(a);
	struct buf line _cleanup_buf_ = BUF_INIT;

	if (!nak || q->nak_ok)
		return 0;
	am_tag_line(a, nak, &line);
	return err_set(err, E_FAIL,
		       "%s <%s>; nothing was applied. --nak-ok applies it nevertheless",
		       buf_cstr(&line),
		       a->thread->v[nak->tag->mail].id ? a->thread->v[nak->tag->mail].id
						       : "");
}

/* Where it is to be applied: "main (0123456789ab)", what people call HEAD or base. */
static int head_name(struct ctx *c, const char *base, char head[OID_HEX], char **ret,
		     struct err *err)
{
	char *branch _cleanup_free_ = xstrdup_null(base);
	int rc = repo_resolve(c->repo, base ? base : "HEAD", head, err);

	if (rc)
		return rc;
	if (!branch && repo_branch(c->repo, &branch, NULL))
		branch = xstrdup("HEAD");
	*ret = xasprintf("%s (%.12s)", branch, head);
	return 0;
}

/* "v6.12-rc3 (0123456789ab)", or the commit alone. */
static char *base_name(const struct am_base *b)
{
	return *b->name ? xasprintf("%s (%.12s)", b->name, b->commit)
			: xasprintf("%.12s", b->commit);
}

static size_t count_findings(const struct am *a, const struct am_trial *t,
			     const struct attestations *s)
{
	size_t n = (t->fails < a->n_patches) + a->notes.n;

	for (size_t i = 0; i < s->n; i++)
		n += s->v[i].bad;

	for (size_t i = 0; i < a->n_patches; i++)
		n += a->patch[i].there;
	for (size_t i = 0; i < a->n_tags; i++)
		n += !a->tag[i].take && !a->opts->no_tags;
	return n;
}

/* Where it applies instead. */
static int check_base(struct ctx *c, struct am *a, const struct am_trial *t,
		      struct err *err)
{
	struct am_base b _cleanup_am_base_ = { .name = NULL };
	char *name _cleanup_free_ = NULL;
	int rc = am_find_base(a, &b, err);

	if (rc && rc != E_NOTFOUND)
		return rc;
	if (c->json) {
		struct json *j = json_obj();

		json_set_str(j, "commit", rc ? NULL : b.commit);
		json_set_str(j, "name", rc ? NULL : b.name);
		json_set_str(j, "base_commit_missing", b.said);
		json_set(c->out.json, "base", j);
	} else if (rc) {
		out_foreign(&c->out, str_c(err_msg(err)));
		out_puts(&c->out, "\n");
	} else {
		name = base_name(&b);
		out_puts(&c->out, "applies on ");
		out_foreign(&c->out, str_c(name));
		out_puts(&c->out, t->missing.n ? "; --here and --resolve make these "
						 "objects of it, and merge\n"
					       : "\n");
	}
	err_release(err);
	return 0;
}

/* Of the patches, and of their cover. */
static int read_signatures(const struct am *a, struct attestations *ret, struct err *err)
{
	size_t *mails _cleanup_free_ = xcalloc(a->n_patches + 1, sizeof(*mails));
	size_t n = 0;

	if (a->posted->v[a->version].cover != NO_MAIL)
		mails[n++] = a->posted->v[a->version].cover;
	for (size_t i = 0; i < a->n_patches; i++)
		mails[n++] = a->patch[i].mail;
	return attest_read(a->thread, mails, n, ret, err);
}

static int check(struct ctx *c, struct am *a, const char *on, const char *where,
		 struct err *err)
{
	struct am_trial t _cleanup_am_trial_ = { 0 };
	struct attestations s _cleanup_attestations_ = { 0 };
	size_t n;
	int rc = am_try(a, on, &t, err);

	if (!rc)
		rc = read_signatures(a, &s, err);
	if (rc)
		return rc;
	if (c->json) {
		c->out.json = am_json(a);
		json_set(c->out.json, "signatures", am_signatures_json(&s));
		json_set(c->out.json, "applies", am_trial_json(a, &t, where));
	} else {
		am_print(&c->out, a);
		am_print_signatures(&c->out, &s);
		am_print_trial(&c->out, a, &t, where);
	}
	if (t.fails < a->n_patches)
		rc = check_base(c, a, &t, err);
	if (rc)
		return rc;
	n = count_findings(a, &t, &s);
	return n ? err_set(err, E_FINDINGS, "am: %zu finding%s", n, n == 1 ? "" : "s")
		 : 0;
}

/* It does not apply here. Where it does instead, nothing is begun here. */
static int look_elsewhere(struct am *a, const struct am_cmd *q, struct am_trial *t,
			  const char *where, struct err *err)
{
	struct am_base b _cleanup_am_base_ = { .name = NULL };
	const struct am_patch *p = &a->patch[t->fails];
	char *name _cleanup_free_ = NULL;
	int rc = am_find_base(a, &b, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	if (rc)
		return rc;
	/* Insisted on: what is made there lets git merge here. */
	if (q->here || q->resolve)
		return am_make_objects(a, b.commit, t, err);
	name = base_name(&b);
	return err_set(
		err, E_FAIL,
		"patch %zu/%zu \"%s\" does not apply on %s: %s. All apply on %s: -b "
		"BRANCH makes a branch there, --here begins here nevertheless",
		p->n, a->posted->v[a->version].total, p->title, where, t->why, name);
}

/* The base of a new branch: what was asked for, or where the patches apply. */
static int branch_base(struct ctx *c, struct am *a, const struct am_cmd *q,
		       char ret[OID_HEX], struct err *err)
{
	struct am_trial t _cleanup_am_trial_ = { 0 };
	struct am_base b _cleanup_am_base_ = { .name = NULL };
	int rc;

	if (!q->base) {
		rc = am_find_base(a, &b, err);
		if (rc)
			return rc;
		memcpy(ret, b.commit, OID_HEX);
		return am_try(a, ret, &t, err);
	}
	rc = repo_resolve(c->repo, q->base, ret, err);
	if (!rc)
		rc = am_try(a, ret, &t, err);
	if (rc || t.fails == a->n_patches)
		return rc;
	return err_set(err, E_FAIL, "patch %zu/%zu \"%s\" does not apply on %s: %s",
		       a->patch[t.fails].n, a->posted->v[a->version].total,
		       a->patch[t.fails].title, q->base, t.why);
}

static int print_result(struct ctx *c, const struct am_result *r, const char *where,
			struct err *err)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_commits; i++)
		n += r->commit[i] != NULL;
	if (!n)
		return err_set(
			err, E_FAIL,
			"nothing was applied: all that the patches change is in %s "
			"already",
			where);
	out_printf(&c->out, "applied %zu patch%s: %.12s..%.12s\n", n, n == 1 ? "" : "es",
		   r->base, r->head);
	return 0;
}

void am_note_taken(const struct am *a, const struct am_result *r)
{
	struct err why _cleanup_err_ = ERR_INIT;

	if (taken_record(a, r, &why))
		progress_note("%s", err_msg(&why));
}

static int apply(struct ctx *c, struct am *a, const struct am_cmd *q, const char *on,
		 const char *where, struct err *err)
{
	struct am_trial t _cleanup_am_trial_ = { .fails = a->n_patches };
	struct am_result r _cleanup_am_result_ = { .commit = NULL };
	char base[OID_HEX];
	int rc = q->resolve ? 0 : am_ready(a, err);

	if (!rc)
		rc = q->branch ? branch_base(c, a, q, base, err) : am_try(a, on, &t, err);
	if (!rc && t.fails < a->n_patches && !q->branch)
		rc = look_elsewhere(a, q, &t, where, err);
	if (!rc && q->branch)
		rc = am_switch(a, q->branch, base, err);
	if (rc)
		return rc;
	am_print(&c->out, a);
	if (t.fails < a->n_patches && !q->branch)
		am_print_trial(&c->out, a, &t, where);
	if (q->resolve && t.fails < a->n_patches)
		return am_resolve(c, a, q, err);
	if (q->resolve)
		rc = am_ready(a, err);
	if (!rc)
		rc = am_apply(a, q->signoff, &r, err);
	/* Also of what git am stopped at: the commits come later. */
	if (!rc || r.stopped)
		am_note_taken(a, &r);
	return rc ? rc : print_result(c, &r, where, err);
}

/* Tags and NAKs are decided before anything else. */
int am_do(struct ctx *c, struct am *a, const struct am_cmd *q, struct err *err)
{
	char *where _cleanup_free_ = NULL;
	char head[OID_HEX];
	int rc = head_name(c, q->check ? q->base : NULL, head, &where, err);

	if (rc)
		return rc;
	if (q->check)
		return check(c, a, head, where, err);
	rc = look_for_nak(a, q, err);
	if (!rc)
		rc = ask_tags(a, err);
	return rc ? rc : apply(c, a, q, head, where, err);
}
