// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_resolve.c - series am --resolve, --continue, --abort: see am_do.h.
 */
#include "am_do.h"
#include "series/mem.h"
#include "series/sanitize.h"

static void print_end(struct ctx *c, const struct am_resolved *s)
{
	if (s->commits != s->patches)
		out_printf(&c->out,
			   "note: there are %zu commits of %zu patches; git log "
			   "%.12s..%.12s has them\n",
			   s->commits, s->patches, s->base, s->head);
	out_printf(&c->out, "applied %zu patch%s: %.12s..%.12s\n", s->commits,
		   s->commits == 1 ? "" : "es", s->base, s->head);
}

int am_go_on(struct ctx *c, const struct am_cmd *q, struct err *err)
{
	struct am_resolved s _cleanup_am_resolved_ = { .path = NULL };
	int rc = q->abort ? am_resolve_abort(c->repo, &s, err)
			  : am_resolve_end(c->repo, &s, err);

	if (rc)
		return rc;
	if (!q->abort) {
		print_end(c, &s);
		return 0;
	}
	out_foreign(&c->out, str_c(s.path));
	out_puts(&c->out, " is gone; the branch is as it was\n");
	return 0;
}

/* git am's own message, and where its work tree is. */
static int say_where(const char *path, struct err *err)
{
	char *said _cleanup_free_ = xstrdup(err_msg(err));
	char *word _cleanup_free_ = shell_word(path);

	return err_set(
		err, err->code,
		"%s\nThat is in a work tree apart: cd %s. When git am is at its end "
		"there, series am --continue here takes the commits over; series am "
		"--abort forgets them",
		said, word);
}

int am_resolve(struct ctx *c, struct am *a, const struct am_cmd *q, struct err *err)
{
	struct am_result r _cleanup_am_result_ = { .commit = NULL };
	struct repo *there _cleanup_repo_ = NULL, *here = a->repo;
	char *path _cleanup_free_ = NULL;
	int rc = am_resolve_begin(a, &path, &there, err);

	if (rc)
		return rc;
	a->repo = there;
	rc = am_apply(a, q->signoff, &r, err);
	a->repo = here;
	if (!rc || r.stopped)
		am_note_taken(a, &r);
	if (r.stopped)
		return say_where(path, err);
	if (!rc)
		return am_go_on(c, q, err);
	am_resolve_abort(c->repo, &(struct am_resolved){ .path = NULL }, NULL);
	return rc;
}
