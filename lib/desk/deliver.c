// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * deliver.c - a posting on its way: claim the version, hand mails over, end it.
 *
 * The state says "sending" before the first byte, "partial" when a run ends early, "sent"
 * at the end. In between the outbox's journal is the truth.
 */
#include "series/intr.h"
#include "series/mem.h"
#include "series/post.h"
#include "series/progress.h"
#include "series/store.h"

void delivery_release(struct delivery *d)
{
	strvec_release(&d->refused);
}

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

/*
 * One state commit that gives the posting this state; with "sending" only the first time,
 * for it claims the version. With "sent" and at a give-up the mails are stored.
 */
static int set_state(struct series *s, struct outbox *o, const char *state,
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

/* Nothing has left this machine: the version is free again. */
static int undo(struct series *s, struct outbox *o, struct err *err)
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

int post_start(struct series *s, const struct config *c, struct outbox *o,
	       struct err *err)
{
	struct smtp *smtp _cleanup_smtp_ = NULL;
	struct smtp_conf conf;
	int rc = transport_conf(c, &conf, err);

	if (!rc)
		rc = smtp_open(&conf, &smtp, err);
	if (rc)
		return rc;
	free(o->version.transport);
	o->version.transport = xstrdup(smtp_name(smtp));
	rc = outbox_write(o, repo_common_dir(s->repo), err);
	if (rc)
		return rc;
	rc = set_state(s, o, "sending", false, err);
	if (rc == E_CONFLICT)
		outbox_remove(o, NULL);
	return rc;
}

/* Everything is accepted or skipped: the state says so, then the outbox goes. */
static int finish(struct series *s, struct outbox *o, const char *state, struct err *err)
{
	int rc = set_state(s, o, state, true, err);

	return rc ? rc : outbox_remove(o, err);
}

int post_give_up(struct series *s, struct outbox *o, struct err *err)
{
	if (outbox_untouched(o))
		return undo(s, o, err);
	return finish(s, o, "partial", err);
}

/* Envelope addresses of display strings. */
static int envelope(const struct strvec *shown, struct strvec *out, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < shown->n && !rc; i++) {
		struct addrs a _cleanup_addrs_ = ADDRS_INIT;

		rc = addrs_parse(&a, shown->v[i], err);
		for (size_t k = 0; k < a.n && !rc; k++)
			strvec_push(out, a.v[k].email);
	}
	return rc;
}

struct run {
	struct outbox *o;
	struct smtp *smtp;
	struct strvec to, cc;
	struct delivery *d;
	size_t k; /* the mail at hand */
};

static int about_to_end(void *arg, struct err *err)
{
	struct run *r = arg;

	return outbox_record(r->o, REC_END, r->k, "", err);
}

/* "3/4 (ID)": which mail, for messages. */
static void name_mail(const struct outbox *o, size_t k, struct buf *out)
{
	buf_printf(out, "mail %zu/%zu '%s' <%s>", k + 1, o->n_mails, o->mails[k].subject,
		   o->mails[k].message_id);
}

static int say_unsure(const struct outbox *o, struct err *err)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	size_t n = outbox_count(o, OUTBOX_UNSURE);

	for (size_t i = 0; i < o->n_mails; i++) {
		if (o->mails[i].state != OUTBOX_UNSURE)
			continue;
		buf_puts(&b, "\n  ");
		name_mail(o, i, &b);
	}
	return err_set(err, E_UNSURE,
		       "%zu of %zu mails of v%d may or may not have arrived: the "
		       "connection was lost after the text and before the server's "
		       "reply:%s\nLook for %s on the list. If it is there: series send "
		       "--unsure=skip. If it is not (mind moderation and delays): series "
		       "send --unsure=resend sends the same mail again.",
		       n, o->n_mails, o->version.n, buf_cstr(&b), n == 1 ? "it" : "them");
}

static int try_mail(struct run *r, struct str data, struct smtp_reply *reply,
		    struct err *err)
{
	struct smtp_mail m = { .from = r->o->sender,
			       .must = &r->to,
			       .may = &r->cc,
			       .data = data,
			       .before_end = about_to_end,
			       .arg = r };
	int rc = outbox_record(r->o, REC_TRY, r->k, "", err);

	return rc ? rc : smtp_send(r->smtp, &m, reply, err);
}

static int send_one(struct run *r, struct err *err)
{
	struct smtp_reply reply _cleanup_smtp_reply_ = { 0 };
	struct buf data _cleanup_buf_ = BUF_INIT, name _cleanup_buf_ = BUF_INIT;
	int rc = outbox_read(r->o, r->k, &data, err);

	if (!rc)
		rc = try_mail(r, buf_str(&data), &reply, err);
	/* Servers close a connection that had enough mails: once more on a new one. */
	if (!rc && reply.outcome == SMTP_LATER && reply.fresh_may_help) {
		smtp_reply_release(&reply);
		rc = try_mail(r, buf_str(&data), &reply, err);
	}
	name_mail(r->o, r->k, &name);
	if (rc)
		return err_context(err, "%s", buf_cstr(&name));
	if (reply.outcome == SMTP_UNSURE)
		return E_UNSURE;
	rc = outbox_record(r->o, reply.outcome == SMTP_OK ? REC_OK : REC_FAIL, r->k,
			   reply.text, err);
	if (rc)
		return rc;
	if (reply.outcome != SMTP_OK)
		return err_set(err, E_FAIL, "%s: %s: %s", buf_cstr(&name),
			       reply.outcome == SMTP_REFUSED ? "refused" : "not accepted",
			       reply.text);
	r->d->sent++;
	for (size_t i = 0; i < reply.refused.n; i++)
		if (!strvec_has(&r->d->refused, reply.refused.v[i]))
			strvec_push(&r->d->refused, reply.refused.v[i]);
	return 0;
}

/* What the user said about mails that may have arrived. */
static int decide_unsure(struct outbox *o, const char *unsure, struct err *err)
{
	int rc = 0;

	if (!outbox_count(o, OUTBOX_UNSURE))
		return 0;
	if (!unsure)
		return say_unsure(o, err);
	for (size_t i = 0; i < o->n_mails && !rc; i++) {
		if (o->mails[i].state != OUTBOX_UNSURE)
			continue;
		if (!strcmp(unsure, "skip"))
			rc = outbox_record(o, REC_SKIP, i, "said to have arrived", err);
		else
			rc = outbox_record(o, REC_REDO, i, "to be sent again", err);
	}
	return rc;
}

static int send_all(struct run *r, struct err *err)
{
	struct progress p = { 0 };
	int rc = 0;

	progress_start(&p, "sending", (int64_t)r->o->n_mails);
	for (r->k = 0; r->k < r->o->n_mails && !rc; r->k++) {
		if (r->o->mails[r->k].state != OUTBOX_TODO)
			continue;
		rc = intr_check(err);
		if (!rc) {
			progress_update(&p, (int64_t)r->k, r->o->mails[r->k].subject);
			rc = send_one(r, err);
		}
	}
	progress_end(&p);
	return rc;
}

/* A run that ended early: what is the version now, and what can be done? */
static int stopped(struct series *s, struct outbox *o, int rc, struct err *err)
{
	struct err e2 _cleanup_err_ = ERR_INIT;

	if (rc == E_UNSURE) {
		set_state(s, o, "partial", false, &e2);
		return say_unsure(o, err);
	}
	if (outbox_untouched(o)) {
		if (!undo(s, o, &e2))
			return err_context(err, "nothing was sent");
		return err_context(err, "nothing was sent (and %s)", err_msg(&e2));
	}
	set_state(s, o, "partial", false, &e2);
	return err_context(err,
			   "%zu of %zu mails were accepted; 'series send' goes on with "
			   "the rest ('--give-up' leaves it)",
			   outbox_count(o, OUTBOX_OK), o->n_mails);
}

static int send_rest(struct outbox *o, const struct config *c, struct delivery *d,
		     struct err *err)
{
	struct smtp *smtp _cleanup_smtp_ = NULL;
	struct run r = { .o = o, .d = d };
	struct smtp_conf conf;
	int rc;

	if (!outbox_count(o, OUTBOX_TODO))
		return 0;
	rc = transport_conf(c, &conf, err);
	if (!rc)
		rc = smtp_open(&conf, &smtp, err);
	if (!rc)
		rc = envelope(&o->version.to, &r.to, err);
	if (!rc)
		rc = envelope(&o->version.cc, &r.cc, err);
	r.smtp = smtp;
	if (!rc)
		rc = send_all(&r, err);
	strvec_release(&r.to);
	strvec_release(&r.cc);
	return rc;
}

int post_deliver(struct series *s, const struct config *c, struct outbox *o,
		 const char *unsure, struct delivery *ret, struct err *err)
{
	int rc = decide_unsure(o, unsure, err);

	if (!rc)
		rc = set_state(s, o, "sending", false, err);
	if (rc)
		return rc;
	rc = send_rest(o, c, ret, err);
	if (rc)
		return stopped(s, o, rc, err);
	rc = finish(s, o, "sent", err);
	return rc ? err_context(err, "every mail was accepted, but this could not be "
				     "recorded; run 'series send' once more")
		  : 0;
}
