// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * resend.c - a version posted once more: the commits that were pinned, and the words that
 * went out, taken from the mails in the state. What the branch, cover.txt, the tables and
 * git's settings say today does not matter.
 */
#include "prep.h"
#include "series/mail.h"
#include "series/mem.h"
#include "series/store.h"

int resend_choose(struct prep *q, struct err *err)
{
	const char *name = q->o->resend, *state;
	const struct version *v =
		*name ? series_version_named(q->s, name) : series_last(q->s);

	if (!v && *name)
		return err_set(
			err, E_NOTFOUND,
			"--resend=%s: no such version was posted; series log shows "
			"them",
			name);
	if (!v)
		return err_set(err, E_NOTFOUND,
			       "--resend: nothing was posted yet; series send posts the "
			       "draft");
	state = version_state(v);
	if (!state || !strcmp(state, "sending"))
		return err_set(
			err, E_CONFLICT,
			"v%d is still being posted, by another clone it seems; wait "
			"for its end, then fetch the state",
			v->n);
	if (q->o->rfc || q->o->prefixes || q->o->version)
		return err_set(
			err, E_USAGE,
			"--resend: the version is posted as it was; --rfc, --prefix "
			"and --version do not go with it");
	q->again = v;
	return 0;
}

char *resend_prefix(const struct version *v)
{
	const char *was = v->n_postings ? v->postings[0].prefix : NULL;

	if (was)
		return xasprintf("%s%s", prefix_has(was, "RESEND") ? "" : "RESEND ", was);
	return v->n > 1 ? xasprintf("RESEND PATCH v%d", v->n) : xstrdup("RESEND PATCH");
}

static void check_list(struct prep *q, const struct strvec *shown)
{
	for (size_t i = 0; i < shown->n; i++) {
		struct addrs a _cleanup_addrs_ = ADDRS_INIT;

		if (addrs_parse(&a, shown->v[i], NULL))
			continue;
		for (size_t k = 0; k < a.n; k++)
			if (!addrs_find(&q->p->to.to, a.v[k].email) &&
			    !addrs_find(&q->p->to.cc, a.v[k].email))
				findings_add(&q->p->findings, "recipient-lost",
					     SEVERITY_WARNING, "",
					     "add it back with --to or --cc, or leave it",
					     "%s got v%d, and would not get it again",
					     a.v[k].email, q->again->n);
	}
}

void resend_check_recipients(struct prep *q)
{
	if (q->o->preview && q->o->preview->n)
		return;
	check_list(q, &q->again->to);
	check_list(q, &q->again->cc);
}

void resend_check_fixes(struct prep *q)
{
	const struct version *v = q->again;

	if (v->n_fixups)
		findings_add(
			&q->p->findings, "resend-fixes", SEVERITY_WARNING, "",
			"fold them in and post the draft, or leave it",
			"v%d goes out as it was, without the %zu fix%s posted for it",
			v->n, v->n_fixups, v->n_fixups == 1 ? "" : "es");
}

/* Mail number k of the version, from the first posting that stored it. */
static int read_mail(const struct prep *q, size_t k, struct buf *ret, struct err *err)
{
	int rc = E_NOTFOUND;

	for (size_t p = 0; p < q->again->n_postings && rc == E_NOTFOUND; p++) {
		char *dir _cleanup_free_ = version_mails(q->again, p);
		char *path _cleanup_free_ = xasprintf("%s/%04zu.eml", dir, k);

		err_release(err);
		rc = store_read(q->s->repo, q->s->name, path, ret, err);
	}
	return rc;
}

/* One of our own mails, taken apart: its subject as text, and the bytes of its body. */
static void open_mail(struct str text, struct buf *subject, struct buf *body)
{
	struct mail_parts parts _cleanup_mail_parts_;
	struct mail m;

	mail_scan(text, FROM_PLAIN, &m);
	field_text(field_get(m.head, "Subject"), subject);
	mail_parts(&m, &parts);
	part_bytes(&m, &parts.v[0], mail_sink_buf, body);
}

int resend_cover(struct prep *q, struct err *err)
{
	struct buf mail _cleanup_buf_ = BUF_INIT, subject _cleanup_buf_ = BUF_INIT;
	ptrdiff_t end;
	int rc;

	if (q->patches.n == 1)
		return 0;
	rc = read_mail(q, 0, &mail, err);
	if (rc == E_NOTFOUND)
		return err_set(
			err, rc,
			"the mails of v%d are not in the state of %s, so its cover "
			"letter cannot be sent again",
			q->again->n, q->s->name);
	if (rc)
		return rc;
	open_mail(buf_str(&mail), &subject, &q->cover.body);
	end = str_find(buf_str(&subject), "] ");
	q->cover.title = xstrdup(buf_cstr(&subject) + (end < 0 ? 0 : end + 2));
	q->has_cover = true;
	return 0;
}

/* The line "From: NAME <...>" and the blank one behind it say who sent that mail. */
static struct str without_from(struct str text)
{
	struct str rest = text, line;

	if (str_starts(text, "From: ") && str_line(&rest, &line) &&
	    str_line(&rest, &line) && !line.len)
		return rest;
	return text;
}

int resend_patch(const struct prep *q, const struct letter *l, size_t i, struct buf *out,
		 struct err *err)
{
	struct buf mail _cleanup_buf_ = BUF_INIT, subject _cleanup_buf_ = BUF_INIT;
	struct buf body _cleanup_buf_ = BUF_INIT, fresh _cleanup_buf_ = BUF_INIT;
	bool single = q->patches.n == 1;
	struct str stored, message;
	int rc = read_mail(q, single ? 0 : i + 1, &mail, err);

	if (rc && (rc != E_NOTFOUND || single))
		return rc;
	err_release(err);
	letter_message(l, i, &fresh);
	message = without_from(buf_str(&fresh));
	open_mail(buf_str(&mail), &subject, &body);
	stored = without_from(buf_str(&body));
	if (!rc && stored.len > message.len &&
	    !memcmp(stored.p, message.p, message.len) &&
	    str_starts(str_n(stored.p + message.len, stored.len - message.len),
		       "---\n")) {
		buf_addstr(out, buf_str(&fresh));
		buf_add(out, stored.p + message.len, stored.len - message.len);
		return 0;
	}
	if (single)
		return err_set(err, E_CORRUPT,
			       "the mail of v%d in the state is not that of its commit "
			       "%.12s",
			       q->again->n, q->again->head);
	return letter_patch(l, i, out, err);
}
