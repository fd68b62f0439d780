// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remarkdoc.c - what is said of a remark or report after it was found: answered, done.
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

bool remark_of_nak(const struct review *r, const struct review_remark *m, bool open)
{
	for (size_t i = 0; i < r->n_tags; i++) {
		const struct review_tag *t = &r->tags[i];

		if (t->kind == TAG_NAK && *m->message_id &&
		    !strcmp(t->message_id, m->message_id) &&
		    (!open || (!t->retracted && t->decision != DECIDED_DROP)))
			return true;
	}
	return false;
}

int review_say(struct store *t, const char *id, const struct remark_word *w,
	       struct err *err)
{
	char *remark = xasprintf("review/remarks/%s.json", id);
	char *report _cleanup_free_ = xasprintf("review/reports/%s.json", id);
	char *path _cleanup_free_ = remark;
	struct json *j _cleanup_json_ = NULL;
	int rc = store_get_json(t, path, &j, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		free(path);
		path = report;
		report = NULL;
		rc = store_get_json(t, path, &j, err);
	}
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
