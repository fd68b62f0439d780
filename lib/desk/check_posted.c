// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_posted.c - the checks of a series that others posted: commits made from its
 * mails.
 */
#include <stdlib.h>
#include "check_priv.h"
#include "series/mailinfo.h"
#include "series/posted.h"

/*
 * A list wrote its own address into From ("'Name' via list"): the one that stands beside
 * the name in a sign-off, else what there is.
 */
static void unhide(const char *message, const char *name, char **email)
{
	struct str rest = str_c(message), line, value;

	while (str_line(&rest, &line)) {
		struct addrs a _cleanup_addrs_ = ADDRS_INIT;

		if (!trailer_is(line, "Signed-off-by", &value) ||
		    !addr_trailer(value, &a, NULL) || !a.n || strcmp(a.v[0].name, name))
			continue;
		free(*email);
		*email = xstrdup(a.v[0].email);
		return;
	}
}

/* What git am would make of a mail. */
static void commit_from(const struct mail *m, const char *title,
			const struct addr *sender, struct commit *ret)
{
	struct mailinfo i _cleanup_mailinfo_;
	struct str text;

	mailinfo_read(m, &i);
	text = str_trim(buf_str(&i.message));
	ret->subject = xstrdup(*i.subject ? i.subject : title);
	ret->message = xasprintf("%s\n\n" STR_FMT "%s", ret->subject, STR_ARG(text),
				 text.len ? "\n" : "");
	ret->author_name = xstrdup(i.name);
	ret->author_email = xstrdup(i.email);
	if (!strstr(i.name, " via "))
		return;
	free(ret->author_name);
	ret->author_name = xstrdup(sender->name);
	unhide(ret->message, ret->author_name, &ret->author_email);
}

/* Its patches that are here; numbers are those of the version where none is missing. */
static size_t read_patches(const struct thread *t, const struct posted_version *v,
			   const struct addr *sender, struct version *to,
			   struct commit *commits)
{
	size_t n = 0;

	to->patches = xcalloc(v->total + 1, sizeof(*to->patches));
	for (size_t k = 0; k < v->total; k++) {
		const struct posted_patch *p = &v->patch[k];

		if (p->mail >= t->n)
			continue;
		commit_from(&t->v[p->mail].mail, p->title, sender, &commits[n]);
		to->patches[n].n = (int)k + 1;
		to->patches[n].subject = xstrdup(commits[n].subject);
		memcpy(to->patches[n].patch_id, p->patch_id, PATCH_ID_HEX);
		n++;
	}
	return to->n_patches = n;
}

int check_posted(const struct thread *t, const struct posted *p, size_t version,
		 const struct config *c, const struct strvec *only,
		 struct findings *found, struct checks *ret, struct err *err)
{
	const struct posted_version *v = &p->v[version];
	struct post *post _cleanup_post_ = xcalloc(1, sizeof(*post));
	struct commit *commits = xcalloc(v->total + 1, sizeof(*commits));
	size_t n;
	int rc;

	post->from.name = xstrdup(v->name);
	post->from.email = xstrdup(v->email);
	post->outbox = outbox_new("");
	n = read_patches(t, v, &post->from, &post->outbox->version, commits);
	if (v->missing)
		findings_add(&post->findings, "patch-missing", SEVERITY_WARNING, NULL,
			     NULL, "%zu of its %zu patches are not here", v->missing,
			     v->total);
	rc = check_read(post, commits, n, c, only, ret, err);
	for (size_t i = 0; !rc && i < post->findings.n; i++) {
		const struct finding *f = &post->findings.v[i];

		findings_add(found, f->id, f->severity, f->where, NULL, "%s", f->message);
	}
	commits_free(commits, n);
	return rc;
}
