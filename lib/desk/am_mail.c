// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_mail.c - the mails that git am gets. See am_priv.h.
 */
#include "am_priv.h"
#include "mailtree.h"
#include "series/changes.h"
#include "series/compose.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "tagtext.h"

void am_message(const struct am *a, size_t mail, struct buf *out)
{
	struct mailinfo i _cleanup_mailinfo_;

	mailinfo_read(&a->thread->v[mail].mail, &i);
	message_read_back(str_c(i.subject), buf_str(&i.message), out);
}

/* Trailers of ours, unless the message has that very line. */
static void add_own(const struct am *a, const char *id, struct str message,
		    struct strvec *lines)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (!message_id_ok(id) || (!a->opts->link && !a->opts->msgid))
		return;
	if (a->opts->link) {
		buf_puts(&b, "Link: ");
		changes_link(a->config, id, &b);
	} else {
		buf_printf(&b, "Message-ID: <%s>", id);
	}
	if (str_find(message, buf_cstr(&b)) < 0)
		strvec_push(lines, buf_cstr(&b));
}

static void add_trailers(const struct am *a, const struct am_patch *p, struct str message,
			 struct buf *out)
{
	struct strvec lines _cleanup_strvec_ = STRVEC_INIT;
	const char *own = config_get(a->config, "user.email");
	struct tag_style style = { .order = trailer_order(a->config) };

	for (size_t i = 0; i < a->n_tags; i++)
		if (a->tag[i].take && a->tag[i].patch == p->n)
			strvec_take(&lines, tag_line(a->tag[i].tag));
	add_own(a, a->thread->v[p->mail].id, message, &lines);
	if (own)
		strvec_push(&style.own, own);
	tagtext_add(message, &lines, &style, out);
	strvec_release(&style.own);
}

/* The message below its title, and the patch. */
static void make_body(const struct mailinfo *i, struct str message, bool strip_cr,
		      struct buf *out)
{
	struct str title;

	str_line(&message, &title);
	if (message.len && message.p[0] == '\n')
		message = str_n(message.p + 1, message.len - 1);
	if (message_header_like(message))
		buf_printf(out, "From: %s <%s>\n\n", *i->name ? i->name : i->email,
			   i->email);
	buf_addstr(out, message);
	if (out->len && out->p[out->len - 1] != '\n')
		buf_putc(out, '\n');
	if (strip_cr)
		mailtree_strip_cr(buf_str(&i->patch), out);
	else
		buf_addstr(out, buf_str(&i->patch));
	if (!str_ends(buf_str(&i->patch), "\n"))
		buf_putc(out, '\n');
}

int am_compose(const struct am *a, const struct am_patch *p, struct buf *out,
	       struct err *err)
{
	const struct thread_mail *m = &a->thread->v[p->mail];
	struct mailinfo i _cleanup_mailinfo_;
	struct buf message _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT,
			   body _cleanup_buf_ = BUF_INIT;
	struct addrs none _cleanup_addrs_ = ADDRS_INIT;
	struct addr from;
	struct mail_spec spec = { .from = &from,
				  .to = &none,
				  .cc = &none,
				  .tag = "",
				  .date = m->date,
				  .message_id = m->id ? m->id : "" };

	mailinfo_read(&m->mail, &i);
	if (!i.patch.len)
		return err_set(err, E_FAIL, "patch %zu: there is no patch in the mail",
			       p->n);
	message_read_back(str_c(i.subject), buf_str(&i.message), &message);
	add_trailers(a, p, buf_str(&message), &text);
	make_body(&i, buf_str(&text), p->strip_cr, &body);
	from = (struct addr){ *i.name ? i.name : i.email, i.email };
	spec.title = str_c(i.subject);
	if (field_date(str_c(i.date), &spec.date, NULL))
		spec.date_text = str_c(i.date);
	spec.body = buf_str(&body);
	return mail_compose(&spec, out, err);
}
