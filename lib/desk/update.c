// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * update.c - see update.h.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "update_priv.h"

void updated_release(struct updated *u)
{
	strvec_release(&u->news);
	strvec_release(&u->old);
	strvec_release(&u->failed);
}

/* "update: tags +2, remarks +3" */
static char *message_of(const struct updated *u)
{
	const struct {
		const char *word;
		size_t n;
	} parts[] = { { "tags", u->tags },
		      { "remarks", u->remarks },
		      { "reports", u->reports } };
	struct buf b = BUF_INIT;

	buf_puts(&b, "update:");
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].n)
			buf_printf(&b, "%s %s +%zu", b.len > strlen("update:") ? "," : "",
				   parts[i].word, parts[i].n);
	if (u->changed)
		buf_printf(&b, "%s %zu changed", b.len > strlen("update:") ? "," : "",
			   u->changed);
	return buf_take(&b);
}

/* What is known is read under the lock, so that nothing is written twice. */
static int keep(struct series *s, const struct thread *t, const struct posted *p,
		struct updated *to, struct err *err)
{
	struct store *store _cleanup_store_ = NULL;
	struct review known _cleanup_review_ = { .n_tags = 0 };
	struct update u = { s, t, p, &known, NULL, to };
	char *message _cleanup_free_ = NULL;
	int rc = store_begin(s->repo, s->name, false, &store, err);

	if (rc)
		return rc;
	u.store = store;
	memcpy(s->state, store_at(store), OID_HEX);
	rc = review_load(s, &known, err);
	if (rc)
		return rc;
	update_tags(&u);
	update_remarks(&u);
	update_reports(&u);
	if (!to->tags && !to->remarks && !to->reports && !to->changed)
		return 0;
	message = message_of(to);
	rc = store_commit(store, message, err);
	if (!rc)
		memcpy(s->state, store_at(store), OID_HEX);
	return rc;
}

int series_update(struct series *s, const struct config *c, const struct update_opts *o,
		  struct updated *ret, struct err *err)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct updated u _cleanup_updated_ = { .mails = 0 };
	size_t from; /* those that opts.from gave stand in front */
	int rc;

	if (!s->n_versions)
		return err_set(err, E_NOTFOUND,
			       "series %s: nothing was posted yet, so there is no review "
			       "to fetch; series send posts it",
			       s->name);
	rc = update_mails(s, c, o, &t, &u, err);
	if (rc)
		return rc;
	ours_place(s, &t, &p);
	from = u.found;
	u.found = 0;
	for (size_t i = 0; i < t.n; i++) {
		u.mails += p.place[i].version != NO_MAIL;
		u.found += i < from && p.place[i].version != NO_MAIL;
	}
	rc = keep(s, &t, &p, &u, err);
	if (rc)
		return rc;
	*ret = u;
	u = (struct updated){ .mails = 0 };
	return 0;
}
