// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * claim.c - what the state says of a posting: the version is claimed before the first
 * byte, "partial" when a run ends early, "sent" at the end, or free again when nothing
 * left.
 */
#include "claim.h"
#include "series/mem.h"
#include "series/reply.h"
#include "series/store.h"
#include "series/thank.h"

/* Before a server changed it, which may be unknown on one side. */
static const char *prepared(const struct posting *p)
{
	return p->prepared_id ? p->prepared_id : p->message_id;
}

static bool same_id(const struct posting *a, const struct posting *b)
{
	return a->message_id && b->message_id && !strcmp(prepared(a), prepared(b));
}

static int read_version(struct store *t, const char *path, struct version *ret,
			struct err *err)
{
	struct json *doc _cleanup_json_ = NULL;
	int rc = store_get_json(t, path, &doc, err);

	return rc ? rc : version_parse(doc, path, ret, err);
}

/* Does it claim the version's number: is it neither a resend nor a fixup? */
static bool is_first(const struct outbox *o)
{
	return !o->fixup && o->version.n_postings == 1;
}

/* The fixup at hand, when the stored ones are those that ours knows. */
static bool fixup_comes_next(const struct outbox *o, const struct version *v)
{
	size_t n = o->version.n_fixups - 1;

	if (v->n_fixups != n || !v->n_postings ||
	    !same_id(&v->postings[0], &o->version.postings[0]))
		return false;
	return !n ||
	       same_id(&v->fixups[n - 1].posting, &o->version.fixups[n - 1].posting);
}

/* Do the stored postings *v leave room for the last of ours, and for nothing else? */
static bool comes_next(const struct outbox *o, const struct version *v)
{
	size_t n = o->version.n_postings;

	if (o->fixup)
		return fixup_comes_next(o, v);
	if (n == 1)
		return o->restart && version_is_rfc(v);
	return v->n_postings == n - 1 &&
	       same_id(&v->postings[n - 2], &o->version.postings[n - 2]);
}

/* Another machine's posting stands where ours was to go: what is lost, what to do. */
static int say_taken(const struct outbox *o, struct err *err)
{
	const char *dir = o->dir ? o->dir : "the outbox";
	const char *what = o->fixup ? "a fix for" : "";
	const char *then = o->fixup ? "run series send --fixup again"
				    : "send the draft as a new version";

	if (outbox_untouched(o))
		return err_set(err, E_CONFLICT,
			       "%s%sv%d of %s was posted by somebody else meanwhile; "
			       "nothing was sent. Remove %s and %s",
			       what, *what ? " " : "", o->version.n, o->series, dir,
			       then);
	return err_set(
		err, E_CONFLICT,
		"%s%sv%d of %s was posted by somebody else meanwhile, and %zu of its %zu "
		"mails went out from here. They are in %s and nowhere else: keep a copy, "
		"then remove it and %s",
		what, *what ? " " : "", o->version.n, o->series,
		o->n_mails - outbox_count(o, OUTBOX_TODO), o->n_mails, dir, then);
}

/* Where the stored version *v has the fixup at hand: another machine's may be behind it.
 */
static ptrdiff_t stored_fixup(const struct outbox *o, const struct version *v)
{
	const struct posting *p = &o->version.fixups[o->version.n_fixups - 1].posting;

	for (size_t i = 0; i < v->n_fixups; i++)
		if (same_id(&v->fixups[i].posting, p))
			return (ptrdiff_t)i;
	return -1;
}

/* What the stored version *v has where the posting at hand stands, or NULL. */
static const struct posting *stored_posting(const struct outbox *o,
					    const struct version *v)
{
	ptrdiff_t i = o->fixup ? stored_fixup(o, v) : (ptrdiff_t)v->n_postings - 1;

	if (i < 0)
		return NULL;
	return o->fixup ? &v->fixups[i].posting : &v->postings[i];
}

/* Has the state this very posting already? Its state's name to *ret_state, else "". */
static int stored_state(struct store *t, struct outbox *o, const char *path,
			struct buf *ret_state, struct err *err)
{
	struct version v = { 0 };
	int rc = read_version(t, path, &v, err);
	const struct posting *p;

	if (rc == E_NOTFOUND && is_first(o)) {
		err_release(err);
		return 0;
	}
	if (rc)
		return rc;
	p = stored_posting(o, &v);
	if (p && same_id(p, outbox_posting(o)))
		buf_puts(ret_state, p->state);
	else if (!comes_next(o, &v))
		rc = say_taken(o, err);
	version_release(&v);
	return rc;
}

static int store_mails(struct store *t, struct outbox *o, struct err *err)
{
	const struct version *v = &o->version;
	char *dir _cleanup_free_ = o->fixup ? version_fixup_mails(v, v->n_fixups - 1)
					    : version_mails(v, v->n_postings - 1);
	int rc = 0;

	for (size_t i = 0; i < o->n_mails && !rc; i++) {
		char *path _cleanup_free_ = xasprintf("%s/%s", dir, o->mails[i].file);
		struct buf data _cleanup_buf_ = BUF_INIT;

		if (o->mails[i].state == OUTBOX_TODO && !o->mails[i].left)
			continue;
		rc = outbox_read_sent(o, i, &data, err);
		if (!rc)
			store_put(t, path, data.p, data.len);
	}
	return rc;
}

/* The ref of a posted head, and what it points at; NULL for a resend, which has none. */
static char *head_ref(const struct outbox *o, const char **ret_commit)
{
	const struct version *v = &o->version;
	char *label _cleanup_free_ = NULL;

	if (!o->fixup && !is_first(o))
		return NULL;
	label = o->fixup ? version_fixup_label(v, v->n_fixups - 1) : version_label(v);
	*ret_commit = o->fixup ? v->fixups[v->n_fixups - 1].commit : v->head;
	return xasprintf("refs/series/%s/%s", o->series, label);
}

/* The fixup at hand, as *v has it, into the stored version. */
static void put_fixup(const struct outbox *o, struct version *v, struct version *stored)
{
	struct fixup *ours = &v->fixups[v->n_fixups - 1], was;
	ptrdiff_t i = stored_fixup(o, stored);
	struct fixup *f = i < 0 ? version_add_fixup(stored) : &stored->fixups[i];

	was = *f;
	*f = *ours;
	*ours = was;
}

/*
 * The document of the version; a resend and a fixup leave it as it was, but for their own
 * posting.
 */
static int make_document(struct store *t, const struct outbox *o, const char *path,
			 struct json **ret, struct err *err)
{
	struct version stored = { 0 }, v = { 0 };
	struct posting *p;
	int rc;

	if (is_first(o)) {
		outbox_real_version(o, &v);
		*ret = version_json(&v);
		version_release(&v);
		return 0;
	}
	rc = read_version(t, path, &stored, err);
	if (rc)
		return rc;
	outbox_real_version(o, &v);
	p = o->fixup ? &v.fixups[v.n_fixups - 1].posting : &v.postings[v.n_postings - 1];
	free(p->transport);
	p->transport = v.transport;
	v.transport = xstrdup_null(stored.transport);
	if (o->fixup)
		put_fixup(o, &v, &stored);
	*ret = version_json(o->fixup ? &stored : &v);
	version_release(&stored);
	version_release(&v);
	return 0;
}

/* "v2", "v2 again", "v2.fix1": for the messages of the chain. */
static char *claimed(const struct outbox *o)
{
	const struct version *v = &o->version;
	char *label _cleanup_free_ = NULL;

	if (o->fixup)
		return version_fixup_label(v, v->n_fixups - 1);
	label = version_label(v);
	return xasprintf("%s%s", label, outbox_posting(o)->resend ? " again" : "");
}

int claim_set_state(struct series *s, struct outbox *o, const char *state,
		    bool with_mails, struct err *err)
{
	char *path _cleanup_free_ = version_path(&o->version);
	const char *head = NULL;
	char *ref _cleanup_free_ = head_ref(o, &head);
	char *what _cleanup_free_ = claimed(o);
	char *msg _cleanup_free_ =
		xasprintf("%s %s", strcmp(state, "sent") ? state : "send", what);
	bool claim = !strcmp(state, "sending");
	struct store *t _cleanup_store_ = NULL;
	struct json *doc _cleanup_json_ = NULL;
	struct buf old _cleanup_buf_ = BUF_INIT;
	struct posting *p = outbox_posting(o);
	int rc;

	if (o->rehearsal || o->loose)
		return 0;
	if (o->reply.n)
		return with_mails ? reply_record(s, o, err) : 0;
	if (o->thanks.n)
		return with_mails ? thank_record(s->repo, o, err) : 0;
	rc = store_begin(s->repo, s->name, false, &t, err);
	if (!rc)
		rc = stored_state(t, o, path, &old, err);
	if (!rc && !old.len && o->restart)
		rc = set_aside(t, s, err);
	if (!rc && !old.len && is_first(o))
		rc = claim_changelog(t, s, o, err);
	if (rc)
		return rc;
	if (claim ? old.len > 0 : !with_mails && !strcmp(buf_cstr(&old), state))
		return 0;
	if (!strcmp(buf_cstr(&old), "sent")) /* and killed before the outbox went */
		return 0;
	free(p->state);
	p->state = xstrdup(state);
	rc = make_document(t, o, path, &doc, err);
	if (rc)
		return rc;
	store_put_json(t, path, doc);
	if (!old.len && ref)
		store_ref(t, ref, head, o->restart ? NULL : "");
	if (with_mails)
		rc = store_mails(t, o, err);
	return rc ? rc : store_commit(t, msg, err);
}

/* The document without the posting at hand. */
static int forget_posting(struct store *t, const struct outbox *o, const char *path,
			  struct err *err)
{
	struct json *doc _cleanup_json_ = NULL;
	struct version v = { 0 };
	ptrdiff_t i;
	int rc = read_version(t, path, &v, err);

	if (rc)
		return rc;
	i = o->fixup ? stored_fixup(o, &v) : 0;
	if (!o->fixup) {
		posting_release(&v.postings[--v.n_postings]);
	} else if (i >= 0) {
		fixup_release(&v.fixups[i]);
		memmove(&v.fixups[i], &v.fixups[i + 1],
			(--v.n_fixups - (size_t)i) * sizeof(*v.fixups));
	}
	doc = version_json(&v);
	store_put_json(t, path, doc);
	version_release(&v);
	return 0;
}

int claim_undo(struct series *s, struct outbox *o, struct err *err)
{
	char *path _cleanup_free_ = version_path(&o->version);
	const char *head = NULL;
	char *ref _cleanup_free_ = head_ref(o, &head);
	char *what _cleanup_free_ = claimed(o);
	char *msg _cleanup_free_ = xasprintf("not sent: %s", what);
	struct store *t _cleanup_store_ = NULL;
	struct buf old _cleanup_buf_ = BUF_INIT;
	int rc;

	if (o->rehearsal || o->loose || o->reply.n || o->thanks.n)
		return outbox_remove(o, err);
	rc = store_begin(s->repo, s->name, false, &t, err);
	if (!rc)
		rc = stored_state(t, o, path, &old, err);
	if (!rc && old.len && !is_first(o))
		rc = forget_posting(t, o, path, err);
	else if (!rc && old.len)
		store_del(t, path);
	if (!rc && old.len && ref)
		store_ref(t, ref, NULL, head);
	if (!rc && old.len && is_first(o))
		rc = free_changelog(t, s, o, err);
	if (!rc && old.len)
		rc = store_commit(t, msg, err);
	return rc ? rc : outbox_remove(o, err);
}

int post_lock(const struct series *s, struct lock *l, struct err *err)
{
	char *path _cleanup_free_ = outbox_lock_path(repo_common_dir(s->repo), s->name);
	int rc = lock_take(l, path, "send", 0, err);

	if (rc == E_LOCKED)
		return err_context(err, "series %s is being sent by another process",
				   s->name);
	return rc ? err_context(err, "series %s", s->name) : 0;
}

int claim_finish(struct series *s, struct outbox *o, const char *state, struct err *err)
{
	int rc = claim_set_state(s, o, state, true, err);

	return rc ? rc : outbox_remove(o, err);
}

int post_drop_rehearsal(const struct series *s, struct err *err)
{
	char *name _cleanup_free_ = outbox_rehearsal_name(s->name);
	struct outbox *o _cleanup_outbox_ = NULL;
	int rc = outbox_find(repo_common_dir(s->repo), name, &o, err);

	if (!rc)
		return outbox_remove(o, err);
	if (rc == E_NOTFOUND)
		err_release(err);
	return rc == E_NOTFOUND ? 0 : rc;
}

int post_give_up(struct series *s, struct outbox *o, struct err *err)
{
	if (outbox_untouched(o))
		return claim_undo(s, o, err);
	return claim_finish(s, o, "partial", err);
}
