// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mailout.c - replies and tags from the screen: as on the command line, with the terminal
 * as it was meanwhile.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../triage_reply.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "outside.h"
#include "prompt.h"

/* What was said, and time to read it. */
static void say_on(struct ui *u, int rc, const struct err *err)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	char c = 0;

	if (rc) {
		sanitize(str_c(err_msg(err)), &b);
		fprintf(stderr, "series: %s\n", buf_cstr(&b));
	}
	out_flush(&u->c->out, "", NULL);
	fputs("Enter goes back to the list ", stdout);
	fflush(stdout);
	while (c != '\n' && read(STDIN_FILENO, &c, 1) == 1)
		;
	/* A ^C has ended the mail, not the view. */
	intr_forget();
}

static void reply(struct ui *u, const char *id)
{
	struct triage_reply_opts o = { .yes = false };
	struct err err _cleanup_err_ = ERR_INIT;
	int rc;

	term_leave();
	rc = triage_reply(u->c, u->v->t, id, &o, &err);
	say_on(u, rc, &err);
	term_return();
	if (rc)
		ui_fail(u, &err);
	else
		ui_say(u, "sent");
}

static const char *ask_type(void)
{
	switch (prompt_key("R: Reviewed-by  A: Acked-by  T: Tested-by ", "rRaAtT")) {
	case 'r':
	case 'R':
		return "Reviewed-by";
	case 'a':
	case 'A':
		return "Acked-by";
	case 't':
	case 'T':
		return "Tested-by";
	default:
		return NULL;
	}
}

/* "1,3-5" of the newest version; "all": the cover, without one each patch. */
static int patch_ids(const struct listed *l, const char *text, struct strvec *ids,
		     struct err *err)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;

	if (!strcmp(text, "all")) {
		if (l->mail_ids.n == 1 || !strvec_has(&l->mail_ids, l->message_id))
			strvec_push(ids, l->message_id);
		else
			for (size_t i = 0; i < l->mail_ids.n; i++)
				if (*l->mail_ids.v[i])
					strvec_push(ids, l->mail_ids.v[i]);
		return 0;
	}
	strvec_split(&words, str_c(text), ',');
	for (size_t i = 0; i < words.n; i++) {
		struct str rest = str_c(words.v[i]), from;
		int64_t a, b;

		str_cut(&rest, '-', &from);
		if (!str_to_i64(from, 1, (int64_t)l->mail_ids.n, &a) ||
		    !(rest.p ? str_to_i64(rest, a, (int64_t)l->mail_ids.n, &b)
			     : (b = a, true)))
			return err_set(err, E_USAGE,
				       "'%s': expected patches of 1 to %zu, as 1,3-5, or "
				       "all",
				       words.v[i], l->mail_ids.n);
		for (; a <= b; a++)
			if (*l->mail_ids.v[a - 1])
				strvec_push(ids, l->mail_ids.v[a - 1]);
	}
	return ids->n ? 0 : err_set(err, E_USAGE, "no patch was named");
}

/* The patch at hand, where the view has one. */
static void put_default(struct ui *u, const struct listed *l, struct buf *out)
{
	struct view *v = ui_top(u);
	const char *id = v->ops->mail ? v->ops->mail(u, v) : NULL;

	for (size_t i = 0; id && v->ops->in != IN_LIST && i < l->mail_ids.n; i++)
		if (l->total > 1 && !strcmp(l->mail_ids.v[i], id))
			buf_printf(out, "%zu", i + 1);
	if (!out->len)
		buf_puts(out, "all");
}

static void give_tag(struct ui *u, const size_t *rows, size_t n)
{
	const struct listed *first = u->v->t->row[rows[0]].l;
	struct triage_reply_opts o = { .yes = false };
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf dflt _cleanup_buf_ = BUF_INIT;
	const char *type = ask_type();
	char *text _cleanup_free_ = NULL;
	int rc = 0;

	if (!type)
		return;
	put_default(u, first, &dflt);
	text = n > 1 ? xstrdup("all")
		     : prompt_ask("for patches (1,3-5, all): ", buf_cstr(&dflt), NULL,
				  NULL);
	if (!text)
		return;
	term_leave();
	for (size_t i = 0; i < n && !rc; i++) {
		struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

		rc = patch_ids(u->v->t->row[rows[i]].l, text, &ids, &err);
		if (!rc)
			rc = triage_give_tag(u->c, u->v->t, &ids, type, &o, &err);
	}
	say_on(u, rc, &err);
	term_return();
	if (rc)
		ui_fail(u, &err);
	else
		ui_say(u, "%s sent", type);
}

bool mailout_do(struct ui *u, enum action a, const size_t *rows, size_t n)
{
	struct view *v = ui_top(u);
	const char *id = v->ops->mail ? v->ops->mail(u, v) : NULL;

	if (a == ACT_GIVE_TAG)
		give_tag(u, rows, n);
	else if (a == ACT_REPLY)
		reply(u, id && *id ? id : u->v->t->row[rows[0]].l->message_id);
	else
		return false;
	return true;
}
