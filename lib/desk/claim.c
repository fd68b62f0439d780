// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * claim.c - what the state says of a posting: the version is claimed before the first
 * byte, "partial" when a run ends early, "sent" at the end, or free again when nothing
 * left.
 */
#include "claim.h"
#include "series/mem.h"
#include "series/store.h"

static struct posting *last_posting(struct outbox *o)
{
	return &o->version.postings[o->version.n_postings - 1];
}

/* Has the state this very posting already? Its state's name to *ret_state, else "". */
static int stored_state(struct store *t, const struct outbox *o, const char *path,
			struct buf *ret_state, struct err *err)
{
	struct json *doc _cleanup_json_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct version v = { 0 };
	const char *id = o->version.postings[o->version.n_postings - 1].message_id;
	int rc = store_get(t, path, &text, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	if (!rc)
		rc = json_parse_schema(buf_str(&text), path, 1, &doc, err);
	if (!rc)
		rc = version_parse(doc, path, &v, err);
	if (rc)
		return rc;
	if (v.n_postings && v.postings[v.n_postings - 1].message_id &&
	    !strcmp(v.postings[v.n_postings - 1].message_id, id))
		buf_puts(ret_state, v.postings[v.n_postings - 1].state);
	else
		rc = err_set(
			err, E_CONFLICT,
			"v%d of %s was posted by somebody else meanwhile; nothing was "
			"sent. Remove %s and send the draft as a new version",
			o->version.n, o->series, o->dir ? o->dir : "the outbox");
	version_release(&v);
	return rc;
}

static int store_mails(struct store *t, struct outbox *o, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < o->n_mails && !rc; i++) {
		char *path _cleanup_free_ =
			xasprintf("sent/v%d/%s", o->version.n, o->mails[i].file);
		struct buf data _cleanup_buf_ = BUF_INIT;

		if (o->mails[i].state == OUTBOX_TODO && !o->mails[i].left)
			continue;
		rc = outbox_read(o, i, &data, err);
		if (!rc)
			store_put(t, path, data.p, data.len);
	}
	return rc;
}

int claim_set_state(struct series *s, struct outbox *o, const char *state,
		    bool with_mails, struct err *err)
{
	char *path _cleanup_free_ = xasprintf("versions/%d.json", o->version.n);
	char *ref _cleanup_free_ =
		xasprintf("refs/series/%s/v%d", o->series, o->version.n);
	char *msg _cleanup_free_ =
		xasprintf("%s v%d", strcmp(state, "sent") ? state : "send", o->version.n);
	bool claim = !strcmp(state, "sending");
	struct store *t _cleanup_store_ = NULL;
	struct json *doc _cleanup_json_ = NULL;
	struct buf old _cleanup_buf_ = BUF_INIT;
	struct posting *p = last_posting(o);
	int rc = store_begin(s->repo, s->name, false, &t, err);

	if (!rc)
		rc = stored_state(t, o, path, &old, err);
	if (rc)
		return rc;
	if (claim ? old.len > 0 : !with_mails && !strcmp(buf_cstr(&old), state))
		return 0;
	if (!strcmp(buf_cstr(&old), "sent")) /* and killed before the outbox went */
		return 0;
	free(p->state);
	p->state = xstrdup(state);
	doc = version_json(&o->version);
	store_put_json(t, path, doc);
	if (!old.len)
		store_ref(t, ref, o->version.head, "");
	if (with_mails)
		rc = store_mails(t, o, err);
	return rc ? rc : store_commit(t, msg, err);
}

int claim_undo(struct series *s, struct outbox *o, struct err *err)
{
	char *path _cleanup_free_ = xasprintf("versions/%d.json", o->version.n);
	char *ref _cleanup_free_ =
		xasprintf("refs/series/%s/v%d", o->series, o->version.n);
	char *msg _cleanup_free_ = xasprintf("v%d was not sent", o->version.n);
	struct store *t _cleanup_store_ = NULL;
	struct buf old _cleanup_buf_ = BUF_INIT;
	int rc = store_begin(s->repo, s->name, false, &t, err);

	if (!rc)
		rc = stored_state(t, o, path, &old, err);
	if (!rc && old.len) {
		store_del(t, path);
		store_ref(t, ref, NULL, o->version.head);
		rc = store_commit(t, msg, err);
	}
	return rc ? rc : outbox_remove(o, err);
}

int post_lock(const struct series *s, struct lock *l, struct err *err)
{
	char *path _cleanup_free_ = outbox_lock_path(repo_common_dir(s->repo), s->name);
	int rc = lock_take(l, path, "send", 0, err);

	return rc ? err_context(err, "series %s is being sent by another process",
				s->name)
		  : 0;
}
int claim_finish(struct series *s, struct outbox *o, const char *state, struct err *err)
{
	int rc = claim_set_state(s, o, state, true, err);

	return rc ? rc : outbox_remove(o, err);
}

int post_give_up(struct series *s, struct outbox *o, struct err *err)
{
	if (outbox_untouched(o))
		return claim_undo(s, o, err);
	return claim_finish(s, o, "partial", err);
}
