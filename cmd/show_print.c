// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show_print.c - a thread of mails on the terminal and as JSON. See show_print.h.
 */
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/time.h"
#include "series/utf8.h"
#include "show_print.h"

#define GREEN  "32"
#define RED    "31"
#define YELLOW "33"
#define CYAN   "36"
#define BOLD   "1"

/* What is shown of a mail's fields, as text. */
struct shown {
	char *name, *email;
	struct buf subject;
};

static void shown_release(struct shown *s)
{
	free(s->name);
	free(s->email);
	buf_release(&s->subject);
}

#define _cleanup_shown_ __attribute__((cleanup(shown_release)))

static void shown_init(struct shown *s, const struct thread_mail *m)
{
	static const char *const names[] = { "From", "Subject" };
	struct buf from _cleanup_buf_ = BUF_INIT;
	struct str v[ARRAY_SIZE(names)];

	field_get_all(m->mail.head, names, ARRAY_SIZE(names), v);
	field_text(v[0], &from);
	mailinfo_author(buf_str(&from), &s->name, &s->email);
	s->subject = (struct buf)BUF_INIT;
	field_text(v[1], &s->subject);
	if (!s->subject.len)
		buf_puts(&s->subject, "(no subject)");
}

/* The subject without "Re:", to see whether a reply has its parent's. */
static struct str bare(struct str s)
{
	while (str_istarts(s, "re:"))
		s = str_trim(str_n(s.p + 3, s.len - 3));
	return s;
}

static bool same_subject(const struct thread *t, const struct thread_mail *m,
			 const struct shown *s)
{
	struct shown parent _cleanup_shown_ = { 0 };

	if (&t->v[m->parent] == m)
		return false;
	shown_init(&parent, &t->v[m->parent]);
	return str_eq(bare(buf_str(&parent.subject)), bare(buf_str(&s->subject)));
}

static int digits(size_t n)
{
	return n > 9999 ? 5 : n > 999 ? 4 : n > 99 ? 3 : n > 9 ? 2 : 1;
}

/* Foreign text that stays on its line: an encoded word may hold line ends. */
static void put_on_line(struct out *o, struct str s, const char *color)
{
	struct buf line _cleanup_buf_ = BUF_INIT;

	sanitize_line(str_trim(s), &line);
	if (color)
		out_color(o, color, "%s", buf_cstr(&line));
	else
		out_puts(o, buf_cstr(&line));
}

/* " 3  2026-11-30      ` [PATCH 1/3] mm: a  A U Thor" */
static void tree_row(struct out *o, const struct thread *t, size_t i, int width)
{
	const struct thread_mail *m = &t->v[t->order[i]];
	struct shown s _cleanup_shown_ = { 0 };
	struct buf date _cleanup_buf_ = BUF_INIT;

	shown_init(&s, m);
	if (m->dated)
		time_iso(m->date, &date);
	out_printf(o, "%*zu  %10.10s  ", width, i + 1, m->dated ? buf_cstr(&date) : "");
	/* Deeper than that no terminal shows. */
	out_printf(o, "%*s%s", 2 * MIN(m->depth, 20), "", m->depth ? "` " : "");
	if (!same_subject(t, m, &s)) {
		put_on_line(o, buf_str(&s.subject), NULL);
		out_puts(o, "  ");
	}
	put_on_line(o, str_c(s.name), CYAN);
	out_puts(o, "\n");
}

void show_tree(struct out *o, const struct thread *t)
{
	for (size_t i = 0; i < t->n; i++)
		tree_row(o, t, i, digits(t->n));
}

static void put_field(struct out *o, const struct thread_mail *m, const char *name)
{
	struct str value = field_get(m->mail.head, name);
	struct buf text _cleanup_buf_ = BUF_INIT, line _cleanup_buf_ = BUF_INIT;
	struct buf wrapped _cleanup_buf_ = BUF_INIT;

	if (!value.p)
		return;
	field_text(value, &text);
	sanitize_line(str_trim(buf_str(&text)), &line);
	/* Long lists of people go on below, as in the mail; no field begins with a blank.
	 */
	utf8_wrap(buf_str(&line), strlen(name) + 2, o->width, &wrapped);
	out_printf(o, "%s: ", name);
	if (strcmp(name, "Subject"))
		out_puts(o, buf_cstr(&wrapped));
	else
		out_color(o, BOLD, "%s", buf_cstr(&wrapped));
	out_puts(o, "\n");
}

static const char *patch_color(struct str line)
{
	if (str_starts(line, "@@ "))
		return CYAN;
	if (str_starts(line, "diff ") || str_starts(line, "--- ") ||
	    str_starts(line, "+++ "))
		return BOLD;
	if (str_starts(line, "+"))
		return GREEN;
	return str_starts(line, "-") && !str_starts(line, "-- ") ? RED : NULL;
}

struct text {
	struct out *o;
	bool patch;
};

static void put_text_line(void *arg, struct str line)
{
	struct text *t = arg;
	const char *color;

	t->patch = t->patch || mailinfo_patch_begins(line);
	color = t->patch ? patch_color(line) : str_starts(line, ">") ? CYAN : NULL;
	/* printf() would end at a NUL. */
	if (color && !memchr(line.p, '\0', line.len))
		out_color(t->o, color, STR_FMT, STR_ARG(line));
	else
		out_foreign(t->o, line);
	out_puts(t->o, "\n");
	out_drain(t->o);
}

static void put_part(struct out *o, const struct mail *m, const struct mail_part *p)
{
	struct text text = { .o = o };
	struct mail_lines lines = { put_text_line, &text, BUF_INIT };

	if (part_is_text(p)) {
		part_text(m, p, mail_sink_lines, &lines);
		mail_lines_end(&lines);
	} else if (!str_starts(str_c(p->type), "multipart/")) {
		out_puts(o, "[");
		put_on_line(o, str_c(p->type), NULL);
		if (p->filename) {
			out_puts(o, " ");
			put_on_line(o, str_c(p->filename), NULL);
		}
		out_printf(o, ", %zu bytes]\n", p->body.len);
	}
}

static void put_mail(struct out *o, const struct thread *t, size_t i)
{
	const struct thread_mail *m = &t->v[t->order[i]];
	struct mail_parts parts _cleanup_mail_parts_;

	if (t->n > 1) {
		out_color(o, YELLOW, "mail %zu of %zu", i + 1, t->n);
		out_puts(o, "\n");
	}
	put_field(o, m, "From");
	put_field(o, m, "Date");
	put_field(o, m, "To");
	put_field(o, m, "Cc");
	put_field(o, m, "Message-ID");
	put_field(o, m, "Subject");
	out_puts(o, "\n");
	mail_parts(&m->mail, &parts);
	for (size_t k = 0; k < parts.n; k++)
		put_part(o, &m->mail, &parts.v[k]);
}

void show_thread(struct out *o, const struct thread *t)
{
	if (t->n > 1) {
		show_tree(o, t);
		out_puts(o, "\n");
	}
	for (size_t i = 0; i < t->n && !o->failed.code; i++) {
		if (i)
			out_puts(o, "\n");
		put_mail(o, t, i);
	}
}

static void put_raw(const struct thread *t, mail_sink *put, void *arg)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct mail *m = &t->v[t->order[i]].mail;

		if (t->n == 1)
			mail_raw(m, put, arg);
		else
			mail_mboxrd(m, put, arg);
	}
}

static void put_piece(void *arg, struct str piece)
{
	struct out *o = arg;

	buf_addstr(&o->text, piece);
	out_drain(o);
}

/* For a terminal: whole, for a character may stand in two pieces. */
static void show_raw_foreign(struct out *o, const struct thread *t)
{
	struct buf raw _cleanup_buf_ = BUF_INIT;

	put_raw(t, mail_sink_buf, &raw);
	out_foreign(o, buf_str(&raw));
}

void show_raw(struct out *o, const struct thread *t)
{
	if (o->tty)
		show_raw_foreign(o, t);
	else
		put_raw(t, put_piece, o);
}

/* ---- JSON ---- */

static void json_field(struct json *j, const char *key, const struct thread_mail *m,
		       const char *name)
{
	struct str value = field_get(m->mail.head, name);
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (!value.p) {
		json_set(j, key, NULL);
		return;
	}
	field_text(value, &text);
	json_set_strn(j, key, buf_str(&text));
}

static struct json *notes_json(unsigned flags)
{
	static const char *const words[] = { "charset-unknown", "charset-lies",
					     "encoding-broken", "flowed" };
	struct json *arr = json_arr();

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (flags & 1u << i)
			json_push_str(arr, words[i]);
	return arr;
}

static struct json *attachments_json(const struct mail *m)
{
	struct mail_parts parts _cleanup_mail_parts_;
	struct json *arr = json_arr();

	mail_parts(m, &parts);
	for (size_t k = 0; k < parts.n; k++) {
		const struct mail_part *p = &parts.v[k];
		struct json *o;

		if (part_is_text(p) || str_starts(str_c(p->type), "multipart/"))
			continue;
		o = json_obj();
		json_set_str(o, "type", p->type);
		json_set_str(o, "filename", p->filename);
		json_set_int(o, "bytes", (int64_t)p->body.len);
		json_push(arr, o);
	}
	return arr;
}

static struct json *mail_json(const struct thread *t, const struct thread_mail *m)
{
	struct shown s _cleanup_shown_ = { 0 };
	struct buf date _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT;
	struct json *j = json_obj(), *from = json_obj();
	const struct thread_mail *parent = &t->v[m->parent];

	shown_init(&s, m);
	if (m->dated)
		time_iso(m->date, &date);
	json_set_str(from, "name", s.name);
	json_set_str(from, "email", s.email);
	json_set(j, "from", from);
	json_field(j, "to", m, "To");
	json_field(j, "cc", m, "Cc");
	json_field(j, "subject", m, "Subject");
	json_set_str(j, "date", m->dated ? buf_cstr(&date) : NULL);
	json_set_str(j, "message_id", m->id);
	json_set_strvec(j, "replies_to", &m->parents);
	json_set_str(j, "parent", parent == m ? NULL : parent->id);
	json_set_int(j, "depth", m->depth);
	json_set(j, "notes", notes_json(mail_text(&m->mail, &text)));
	json_set_strn(j, "text", buf_str(&text));
	json_set(j, "attachments", attachments_json(&m->mail));
	return j;
}

struct json *show_json(const struct thread *t)
{
	struct json *j = json_obj(), *mails = json_arr();

	json_set_int(j, "schema", 1);
	for (size_t i = 0; i < t->n; i++)
		json_push(mails, mail_json(t, &t->v[t->order[i]]));
	json_set(j, "mails", mails);
	return j;
}
