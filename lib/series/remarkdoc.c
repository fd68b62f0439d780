// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remarkdoc.c - what is said of a remark after it was found: answered, done.
 */
#include "series/mem.h"
#include "series/reviewdoc.h"
#include "series/store.h"

void remark_state(const struct review_remark *r, struct buf *out)
{
	if (r->done_in)
		buf_printf(out, "done in v%d", r->done_in);
	else
		buf_puts(out, r->answer || r->answered ? "answered" : "open");
}

int review_find_remark(const struct review *r, const char *id,
		       const struct review_remark **ret, struct err *err)
{
	const struct review_remark *found = NULL;

	for (size_t i = 0; *id && i < r->n_remarks; i++) {
		if (!str_starts(str_c(r->remarks[i].id), id))
			continue;
		if (found)
			return err_set(err, E_USAGE,
				       "the ids of several remarks begin with '%s'; give "
				       "more digits",
				       id);
		found = &r->remarks[i];
	}
	if (!found)
		return err_set(err, E_NOTFOUND,
			       "no remark has the id '%s'; series remarks --all lists "
			       "them",
			       id);
	*ret = found;
	return 0;
}

int review_say(struct store *t, const char *id, const struct remark_word *w,
	       struct err *err)
{
	char *path _cleanup_free_ = xasprintf("review/remarks/%s.json", id);
	struct json *j _cleanup_json_ = NULL;
	int rc = store_get_json(t, path, &j, err);

	if (rc)
		return rc;
	if (w->forget) {
		json_set_bool(j, "answered", false);
		json_set_int(j, "done_in", 0);
	}
	if (w->answer)
		json_set_str(j, "answer", w->answer);
	if (w->answered)
		json_set_bool(j, "answered", true);
	if (w->done_in)
		json_set_int(j, "done_in", w->done_in);
	store_put_json(t, path, j);
	return 0;
}
