// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * thank.c - see thank.h. The text is that of b4 ty (b4 0.12).
 */
#include <stdlib.h>
#include "reply_priv.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/thank.h"
#include "series/time.h"

#define QUOTED_LINES 6

static const char *setting(const struct config *c, const char *ours, const char *b4)
{
	const char *v = config_get(c, ours);

	if (!v)
		v = config_get(c, b4);
	return v && *v ? v : NULL;
}

/* The first lines of a letter, of a patch those of its message. */
static void put_quote(const char *text, struct buf *out)
{
	struct str rest = str_c(text), line;
	size_t n = 0;

	while (str_line(&rest, &line)) {
		line = str_trim_end(line);
		if (mailinfo_patch_begins(line) || str_eqc(line, "--"))
			return;
		if (!n && !line.len)
			continue;
		if (n++ == QUOTED_LINES) {
			buf_puts(out, "> [...]\n");
			return;
		}
		buf_printf(out, line.len ? "> " STR_FMT "\n" : ">" STR_FMT "\n",
			   STR_ARG(line));
	}
}

/* Where people find a commit: "%s" of the mask is the whole name, "%.12s" its begin. */
static void put_commit(const char *mask, const char *commit, struct buf *out)
{
	const char *at = mask ? strstr(mask, "%s") : NULL;
	const char *cut = mask ? strstr(mask, "%.12s") : NULL;

	if (at)
		buf_printf(out, "%.*s%s%s", (int)(at - mask), mask, commit, at + 2);
	else if (cut)
		buf_printf(out, "%.*s%.12s%s", (int)(cut - mask), mask, commit, cut + 5);
	else
		buf_puts(out, commit);
}

void thank_text(const struct config *c, const struct taken *t, const char *branch,
		struct buf *out)
{
	const char *tree = setting(c, "series.thanks.tree", "b4.thanks-treename");
	const char *mask = setting(c, "series.thanks.url", "b4.thanks-commit-url-mask");
	struct reply_to a = { .name = t->name, .email = t->email, .date = t->sent };

	if (!tree)
		tree = branch ? branch : t->branch;
	reply_intro(&a, out);
	put_quote(t->text, out);
	buf_printf(out, "\nApplied%s%s, thanks!\n\n", tree ? " to " : "",
		   tree ? tree : "");
	for (size_t i = 0; i < t->n; i++) {
		const struct taken_patch *p = &t->patch[i];

		buf_printf(out, "[%zu/%zu] %s\n      ", p->n, t->total, p->title);
		if (*p->now) {
			buf_puts(out, "commit: ");
			put_commit(mask, p->now, out);
		} else {
			buf_puts(out, "(not applied)");
		}
		buf_putc(out, '\n');
	}
}

/* A posting of one mail, for the outbox alone. */
static void fill_version(struct prep *q, const struct taken *t)
{
	struct version *v = &q->p->outbox->version;
	struct posting *p = xcalloc(1, sizeof(*p));

	v->n = 1;
	memcpy(v->base, t->base, OID_HEX);
	memcpy(v->head, t->base, OID_HEX);
	v->postings = p;
	v->n_postings = 1;
	p->state = xstrdup("sending");
	p->prefix = xstrdup("");
	p->date = q->now;
	p->message_id = message_id(q->now, q->random, 1, 1, q->p->from.email);
}

static int prepare(struct prep *q, const struct taken *t, struct str text,
		   struct err *err)
{
	struct reply_to a = { .name = t->name,
			      .email = t->email,
			      .subject = t->subject,
			      .message_id = t->message_id,
			      .to = &t->to,
			      .cc = &t->cc,
			      .references = &t->references };
	int rc;

	reply_begin(q, OUTBOX_THANKS);
	strvec_push(&q->p->outbox->thanks, t->id);
	rc = prep_sender(q, err);
	if (!rc)
		rc = prep_envelope(q, err);
	if (!rc)
		rc = reply_recipients(q, &a, err);
	if (rc)
		return rc;
	fill_version(q, t);
	return reply_mail(q, &a, text, err);
}

int thank_prepare(struct series *s, const struct config *c, const struct taken *t,
		  struct str text, struct post **ret, struct err *err)
{
	struct post_opts none = { .to = NULL };
	struct post *p _cleanup_post_ = xcalloc(1, sizeof(*p));
	struct prep q = { .s = s, .c = c, .o = &none, .p = p };
	int rc = prepare(&q, t, text, err);

	free(q.random);
	if (rc)
		return rc;
	*ret = p;
	p = NULL;
	return 0;
}

int thank_record(struct repo *r, const struct outbox *o, struct err *err)
{
	bool sent = o->mails[0].state == OUTBOX_OK || o->mails[0].state == OUTBOX_SKIPPED;
	struct takens all _cleanup_takens_ = { NULL, 0, 0 };
	int rc = sent ? takens_read(r, &all, err) : 0;

	for (size_t i = 0; i < all.n && !rc; i++)
		if (strvec_has(&o->thanks, all.v[i].id)) {
			all.v[i].thanked = time_now();
			rc = taken_write(r, &all.v[i], err);
		}
	return rc;
}
