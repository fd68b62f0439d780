// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * deliver.c - a posting on its way: hand the mails over. What the state says of it
 * meanwhile is in claim.c; the outbox's journal is the truth.
 */
#include <stdlib.h>
#include <strings.h>
#include "claim.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/post.h"
#include "series/progress.h"
#include "series/transport.h"

void delivery_release(struct delivery *d)
{
	strvec_release(&d->refused);
}

int post_start(struct series *s, const struct config *c, struct outbox *o,
	       struct err *err)
{
	struct transport *way _cleanup_transport_ = NULL;
	int rc = transport_open(s->repo, c, &way, err);

	if (rc)
		return rc;
	free(o->version.transport);
	o->version.transport = xstrdup(transport_name(way));
	rc = outbox_write(o, repo_common_dir(s->repo), err);
	if (rc)
		return rc;
	rc = claim_set_state(s, o, "sending", false, err);
	if (rc == E_CONFLICT && !outbox_remove(o, NULL))
		err_set(err, rc,
			"series %s was posted by somebody else meanwhile; nothing was "
			"sent. Run series send again: it makes the mails anew",
			o->series);
	return rc;
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

/* Take the addresses that are to be left out from both lists. */
static int leave_out(const struct strvec *skip, struct strvec *to, struct strvec *cc,
		     struct err *err)
{
	struct strvec *both[] = { to, cc };

	for (size_t k = 0; skip && k < skip->n; k++) {
		bool found = false;

		for (size_t j = 0; j < ARRAY_SIZE(both); j++)
			for (size_t i = both[j]->n; i-- > 0;)
				if (!strcasecmp(both[j]->v[i], skip->v[k])) {
					strvec_remove(both[j], i);
					found = true;
				}
		if (!found)
			return err_set(err, E_USAGE,
				       "--skip-rcpt: %s is no recipient of these mails",
				       skip->v[k]);
	}
	if (!to->n && !cc->n)
		return err_set(err, E_USAGE,
			       "--skip-rcpt leaves nobody to send the mails to");
	return 0;
}

/* The envelope of all mails: To, Cc and Bcc, less those to be left out. */
static int recipients(const struct outbox *o, const struct delivery_opts *how,
		      struct strvec *to, struct strvec *cc, struct err *err)
{
	struct strvec skip _cleanup_strvec_ = STRVEC_INIT;
	int rc = envelope(outbox_to(o), to, err);

	if (!rc)
		rc = envelope(outbox_cc(o), cc, err);
	if (!rc)
		strvec_extend(cc, &o->bcc);
	if (!rc && how->skip_rcpt) {
		rc = envelope(how->skip_rcpt, &skip, err);
		if (rc)
			return err_context(err, "--skip-rcpt");
	}
	return rc ? rc : leave_out(&skip, to, cc, err);
}

struct run {
	struct outbox *o;
	struct transport *way;
	struct strvec to, cc;
	struct delivery *d;
	size_t k;  /* the mail at hand */
	char *why; /* what was said of a mail that may have arrived */
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

static int say_unsure(const struct outbox *o, const char *why, struct err *err)
{
	char *what _cleanup_free_ = outbox_what(o);
	struct buf b _cleanup_buf_ = BUF_INIT;
	size_t n = outbox_count(o, OUTBOX_UNSURE);

	for (size_t i = 0; i < o->n_mails; i++) {
		if (o->mails[i].state != OUTBOX_UNSURE)
			continue;
		buf_puts(&b, "\n  ");
		name_mail(o, i, &b);
	}
	return err_set(
		err, E_UNSURE,
		"%zu of %zu mails of %s may or may not have arrived: the text was "
		"handed "
		"over, and nothing said that it was accepted%s%s%s:%s\nLook for %s on "
		"the "
		"list. If it is there: %s --unsure=skip. If it is not (mind "
		"moderation and delays): %s --unsure=resend sends the same mail "
		"again.",
		n, o->n_mails, what, why ? " (" : "", why ? why : "", why ? ")" : "",
		buf_cstr(&b), n == 1 ? "it" : "them", outbox_command(o),
		outbox_command(o));
}

static int try_mail(struct run *r, bool again, struct str data, struct smtp_reply *reply,
		    struct err *err)
{
	struct smtp_mail m = { .from = r->o->sender,
			       .must = &r->to,
			       .may = &r->cc,
			       .data = data,
			       .before_end = about_to_end,
			       .arg = r };
	int rc = outbox_record(r->o, REC_TRY, r->k, "", err);

	if (rc)
		return rc;
	return again ? transport_again(r->way, &m, reply, err)
		     : transport_send(r->way, &m, reply, err);
}

/* A mail that did not go: the server's words, and what to do about them. */
static int say_refused(const struct run *r, const struct smtp_reply *reply,
		       const char *mail, struct err *err)
{
	const char *remedy = reply->remedy;

	if (!remedy && reply->must_refused)
		remedy = "series send --skip-rcpt ADDRESS goes on without that recipient";
	if (reply->stage < SMTP_AT_MAIL)
		err_set(err, E_FAIL, "%s: %s", transport_name(r->way), reply->text);
	else
		err_set(err, E_FAIL, "%s: %s: %s", mail,
			reply->outcome == SMTP_REFUSED ? "refused" : "not accepted",
			reply->text);
	if (remedy && err) {
		char *said _cleanup_free_ = xstrdup(err_msg(err));

		err_set(err, E_FAIL, "%s; %s", said, remedy);
	}
	return E_FAIL;
}

/* It was accepted: under its Message-ID, or under the one that the server gave it. */
static int record_ok(struct run *r, const struct smtp_reply *reply, struct err *err)
{
	char *id _cleanup_free_ = transport_new_id(r->way, reply);

	if (id && strlen(id) <= OUTBOX_ID_MAX && strcmp(id, r->o->mails[r->k].message_id))
		return outbox_record_id(r->o, r->k, id, reply->text, err);
	return outbox_record(r->o, REC_OK, r->k, reply->text, err);
}

static int send_one(struct run *r, struct err *err)
{
	struct smtp_reply reply _cleanup_smtp_reply_ = { 0 };
	struct buf data _cleanup_buf_ = BUF_INIT, name _cleanup_buf_ = BUF_INIT;
	int rc = outbox_read_sent(r->o, r->k, &data, err);

	if (!rc)
		rc = try_mail(r, false, buf_str(&data), &reply, err);
	/* Servers close a connection that had enough mails: once more on a new one. */
	if (!rc && reply.outcome == SMTP_LATER && reply.fresh_may_help) {
		smtp_reply_release(&reply);
		rc = try_mail(r, true, buf_str(&data), &reply, err);
	}
	name_mail(r->o, r->k, &name);
	if (rc)
		return err_context(err, "%s", buf_cstr(&name));
	if (reply.outcome == SMTP_UNSURE) {
		r->why = xstrdup(reply.text);
		return err_set(err, E_UNSURE, "%s", reply.text);
	}
	rc = reply.outcome == SMTP_OK
		     ? record_ok(r, &reply, err)
		     : outbox_record(r->o, REC_FAIL, r->k, reply.text, err);
	if (rc)
		return rc;
	if (reply.outcome != SMTP_OK)
		return say_refused(r, &reply, buf_cstr(&name), err);
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
		return say_unsure(o, NULL, err);
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

/* What the version is now, and what can be done. */
static int say_stopped(struct series *s, struct outbox *o, int rc, const char *why,
		       struct err *err)
{
	struct err e2 _cleanup_err_ = ERR_INIT;

	if (o->rehearsal) {
		outbox_remove(o, &e2);
		return rc == E_UNSURE ? err_set(err, E_FAIL,
						"the connection was lost before the "
						"server's last reply")
				      : rc;
	}
	if (rc == E_UNSURE) {
		claim_set_state(s, o, "partial", false, &e2);
		return say_unsure(o, why, err);
	}
	if (outbox_untouched(o)) {
		if (!claim_undo(s, o, &e2))
			return err_context(err, "nothing was sent");
		return err_context(err, "nothing was sent (and %s)", err_msg(&e2));
	}
	claim_set_state(s, o, "partial", false, &e2);
	return err_context(err,
			   "%zu of %zu mails were accepted; '%s --resume' goes on with "
			   "the rest ('--give-up' leaves it)",
			   outbox_count(o, OUTBOX_OK), o->n_mails, outbox_command(o));
}

/* A run that ended early. The Ctrl-C that ended it must not end what records it. */
static int stopped(struct series *s, struct outbox *o, int rc, const char *why,
		   struct err *err)
{
	intr_hold();
	rc = say_stopped(s, o, rc, why, err);
	intr_unhold();
	return rc;
}

static int send_rest(struct run *r, struct series *s, const struct config *c,
		     const struct delivery_opts *how, struct err *err)
{
	int rc;

	if (!outbox_count(r->o, OUTBOX_TODO))
		return 0;
	rc = transport_open(s->repo, c, &r->way, err);
	if (!rc)
		rc = recipients(r->o, how, &r->to, &r->cc, err);
	if (!rc)
		rc = transport_login(r->way, err);
	return rc ? rc : send_all(r, err);
}

static void run_release(struct run *r)
{
	transport_free(r->way);
	strvec_release(&r->to);
	strvec_release(&r->cc);
	free(r->why);
}

int post_deliver(struct series *s, const struct config *c, struct outbox *o,
		 const struct delivery_opts *how, struct delivery *ret, struct err *err)
{
	struct run r _cleanup_(run_release) = { .o = o, .d = ret };
	int rc = decide_unsure(o, how->unsure, err);

	if (!rc)
		rc = claim_set_state(s, o, "sending", false, err);
	if (rc)
		return rc;
	rc = send_rest(&r, s, c, how, err);
	if (rc)
		return stopped(s, o, rc, r.why, err);
	intr_hold();
	rc = claim_finish(s, o, "sent", err);
	intr_unhold();
	return rc ? err_context(err, "every mail was accepted, but this could not be "
				     "recorded; run '%s --resume'",
			   outbox_command(o))
		  : 0;
}
