// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mailinfo.c - the commit in a mail, by the rules of mailinfo.c in git 2.39.
 *
 * All text parts are one text: in-body fields first, then the message, and from the first
 * line that looks like one on the patch, to the very end.
 */
#include "mime.h"
#include "series/addr.h"
#include "series/mailinfo.h"
#include "series/mem.h"

enum { FROM, SUBJECT, DATE, N_FIELDS };
static const char *const names[N_FIELDS] = { "From", "Subject", "Date" };

struct reader {
	struct mailinfo *ret;
	struct buf body_field[N_FIELDS]; /* in-body fields, decoded */
	bool has_field[N_FIELDS];
	struct buf open_field; /* an in-body field that may go on */
	bool in_fields, in_patch;
	struct charset charset;
	struct buf soft; /* flowed text that goes on */
};

static void squeeze(struct str s, struct buf *out)
{
	bool gap = false;

	for (size_t i = 0; i < s.len; i++) {
		if (!str_space(s.p[i])) {
			if (gap)
				buf_putc(out, ' ');
			buf_putc(out, s.p[i]);
		}
		gap = str_space(s.p[i]);
	}
}

size_t mailinfo_title_cut(struct str s)
{
	if (str_istarts(s, "re:") && s.len > 3)
		return 3;
	if (str_starts(s, " ") || str_starts(s, "\t") || str_starts(s, ":"))
		return 1;
	return str_starts(s, "[") ? (size_t)(str_chr(s, ']') + 1) : 0;
}

void mailinfo_subject(struct str s, struct buf *out)
{
	size_t cut;

	while ((cut = mailinfo_title_cut(s)))
		s = str_n(s.p + cut, s.len - cut);
	squeeze(str_trim(s), out);
}

bool mailinfo_patch_begins(struct str line)
{
	if (str_starts(line, "diff -") || str_starts(line, "Index: "))
		return true;
	if (line.len < 3 || !str_starts(line, "---"))
		return false;
	/* A file's name, or nothing but blanks. */
	if (line.len > 4 && line.p[3] == ' ' && !str_space(line.p[4]))
		return true;
	for (size_t i = 3; i < line.len; i++)
		if (!str_space(line.p[i]))
			return false;
	return true;
}

/* Quoted strings lose quotes and backslashes, comments only backslashes. */
static void unquote(struct str s, struct buf *out)
{
	bool quoted = false;
	size_t depth = 0;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];

		if (c == '\\' && (quoted || depth) && i + 1 < s.len) {
			buf_putc(out, s.p[++i]);
			continue;
		}
		if (c == '"' && !depth) {
			quoted = !quoted;
			continue;
		}
		if (!quoted && c == '(')
			depth++;
		else if (!quoted && c == ')' && depth)
			depth--;
		buf_putc(out, c);
	}
}

/* The name, or the address for want of one that can be a name. */
static void set_author(struct str name, struct str email, char **ret_name, char **ret_email)
{
	bool sane = name.len && name.len <= 60 && str_chr(name, '@') < 0 &&
		    str_chr(name, '<') < 0 && str_chr(name, '>') < 0;

	*ret_email = str_dup(email);
	*ret_name = str_dup(sane ? name : email);
}

/* "John Doe <johndoe>": no address, but what stands for one. */
static void bogus_author(struct str from, char **ret_name, char **ret_email)
{
	ptrdiff_t bra = str_chr(from, '<'), ket = -1;
	struct str rest = STR_NULL;

	if (bra >= 0) {
		rest = str_n(from.p + bra + 1, from.len - (size_t)bra - 1);
		ket = str_chr(rest, '>');
	}
	if (ket >= 0)
		set_author(str_trim(str_n(from.p, (size_t)bra)), str_n(rest.p, (size_t)ket),
			   ret_name, ret_email);
	else
		set_author(STR_LIT(""), STR_LIT(""), ret_name, ret_email);
}

void mailinfo_author(struct str from, char **ret_name, char **ret_email)
{
	struct buf f _cleanup_buf_ = BUF_INIT, joined _cleanup_buf_ = BUF_INIT;
	struct buf name _cleanup_buf_ = BUF_INIT;
	struct str s, n;
	size_t at, start, end;

	unquote(from, &f);
	s = buf_str(&f);
	if (str_chr(s, '@') < 0) {
		bogus_author(from, ret_name, ret_email);
		return;
	}
	at = (size_t)str_chr(s, '@');
	for (start = at; start && !str_space(s.p[start - 1]) && s.p[start - 1] != '<';)
		start--;
	for (end = at; end < s.len && !strchr(" \n\t\r\v\f>", s.p[end]);)
		end++;
	buf_add(&joined, s.p, start && s.p[start - 1] == '<' ? start - 1 : start);
	buf_putc(&joined, ' ');
	if (end < s.len)
		buf_add(&joined, s.p + end + 1, s.len - end - 1);
	squeeze(buf_str(&joined), &name);
	n = str_trim(buf_str(&name));
	if (n.len > 1 && n.p[0] == '(' && n.p[n.len - 1] == ')')
		n = str_n(n.p + 1, n.len - 2);
	set_author(n, str_n(s.p + start, end - start), ret_name, ret_email);
}

/* ---- the text ---- */

static void close_field(struct reader *r)
{
	struct str s = buf_str(&r->open_field);
	ptrdiff_t colon;

	if (!s.len)
		return;
	colon = str_chr(s, ':');
	for (int i = 0; i < N_FIELDS; i++) {
		if (r->has_field[i] || !str_ieqc(str_n(s.p, (size_t)colon), names[i]))
			continue;
		field_text(str_n(s.p + colon + 1, s.len - (size_t)colon - 1),
			   &r->body_field[i]);
		r->has_field[i] = true;
		break;
	}
	buf_reset(&r->open_field);
}

/* "From 0123...ef Mon Sep 17 00:00:00 2001": the first line of git format-patch. */
static bool format_patch_line(struct str line)
{
	static const char hex[] = "0123456789abcdef";
	size_t n = 0;

	if (!str_skip(&line, "From "))
		return false;
	while (n < line.len && line.p[n] && strchr(hex, line.p[n]))
		n++;
	return n == 40 &&
	       str_eqc(str_n(line.p + n, line.len - n), " Mon Sep 17 00:00:00 2001");
}

/* Does the line, without its line end, belong to the fields at the start of the text? */
static bool take_field(struct reader *r, struct str line)
{
	if (r->open_field.len && line.len && (line.p[0] == ' ' || line.p[0] == '\t')) {
		buf_addstr(&r->open_field, line);
		return true;
	}
	close_field(r);
	if (str_starts(line, ">From") && line.len > 5 && str_space(line.p[5]))
		return format_patch_line(str_n(line.p + 1, line.len - 1));
	if (str_starts(line, "[PATCH]") && (line.len == 7 || str_space(line.p[7]))) {
		buf_reset(&r->body_field[SUBJECT]);
		buf_addstr(&r->body_field[SUBJECT], line);
		return r->has_field[SUBJECT] = true;
	}
	for (int i = 0; i < N_FIELDS; i++) {
		size_t n = strlen(names[i]);

		if (r->has_field[i] || !str_istarts(line, names[i]) || line.len <= n ||
		    line.p[n] != ':')
			continue;
		buf_addstr(&r->open_field, line);
		return true;
	}
	return false;
}

/* A line with its line end, if it has one; bytes as they are in the part. */
static void put_line(struct reader *r, struct str raw)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str line = raw;

	if (r->in_patch) {
		buf_addstr(&r->ret->patch, raw);
		return;
	}
	if (str_ends(line, "\n"))
		line.len--;
	charset_put(&r->charset, raw, &text);
	charset_end(&r->charset, &text);
	if (r->in_fields) {
		struct str shown = buf_str(&text);

		if (str_ends(shown, "\n"))
			shown.len--;
		if (!line.len) {
			r->in_fields = !r->open_field.len;
			close_field(r);
			return;
		}
		r->in_fields = take_field(r, shown);
		if (r->in_fields)
			return;
	}
	if (mailinfo_patch_begins(line)) {
		r->in_patch = true;
		buf_addstr(&r->ret->patch, raw);
		return;
	}
	buf_addstr(&r->ret->message, buf_str(&text));
}

/* format=flowed, as git has it: quoting is none of a patch's business. */
static void put_flowed(struct reader *r, const struct mail_part *p, struct str raw)
{
	struct str line = raw;

	if (str_ends(line, "\n"))
		line.len--;
	if (str_ends(line, "\r"))
		line.len--;
	if (str_eqc(line, "-- ")) {
		if (r->soft.len)
			put_line(r, buf_str(&r->soft));
		buf_reset(&r->soft);
		put_line(r, raw);
		return;
	}
	if (str_starts(line, " ")) {
		line = str_n(line.p + 1, line.len - 1);
		raw = str_n(raw.p + 1, raw.len - 1);
	}
	if (str_ends(line, " ")) {
		buf_add(&r->soft, line.p, line.len - p->delsp);
		r->ret->flags |= TEXT_FLOWED;
		return;
	}
	buf_addstr(&r->soft, raw);
	put_line(r, buf_str(&r->soft));
	buf_reset(&r->soft);
}

static void put_text(struct reader *r, const struct mail_part *p, struct str text)
{
	while (text.len) {
		const char *nl = memchr(text.p, '\n', text.len);
		size_t n = nl ? (size_t)(nl - text.p) + 1 : text.len;

		if (p->flowed)
			put_flowed(r, p, str_n(text.p, n));
		else
			put_line(r, str_n(text.p, n));
		text = str_n(text.p + n, text.len - n);
	}
	if (r->soft.len)
		put_line(r, buf_str(&r->soft));
	buf_reset(&r->soft);
}

/* Line ends of the wire are none of the text: git mailsplit takes their CR away. */
static void put_without_cr(struct str s, struct buf *out)
{
	while (s.len) {
		const char *cr = memmem(s.p, s.len, "\r\n", 2);
		size_t n = cr ? (size_t)(cr - s.p) : s.len;

		buf_add(out, s.p, n);
		n += cr ? 1 : 0;
		s = str_n(s.p + n, s.len - n);
	}
}

static void put_part(struct reader *r, const struct mail *m, const struct mail_part *p)
{
	struct buf bytes _cleanup_buf_ = BUF_INIT, lf _cleanup_buf_ = BUF_INIT;
	const char *end = m->body.p + m->body.len;
	struct mail_part here = *p;

	if (str_ends(m->head, "\r\n") && p->encoding != ENC_BASE64) {
		put_without_cr(p->body, &lf);
		here.body = buf_str(&lf);
	}
	r->ret->flags |= part_bytes(m, &here, mail_sink_buf, &bytes);
	/* The line end before a boundary is the boundary's; a patch needs one. */
	if (p->depth && p->encoding != ENC_BASE64 && p->body.p + p->body.len < end)
		buf_putc(&bytes, '\n');
	charset_init(&r->charset, p->charset);
	if (charset_wants_probe(&r->charset)) {
		charset_probe(&r->charset, buf_str(&bytes));
		charset_probed(&r->charset);
	}
	put_text(r, p, buf_str(&bytes));
	r->ret->flags |= r->charset.flags;
	charset_release(&r->charset);
}

/* Multiparts that have their end between the leaf i and what follows: git puts an empty
 * line each. */
static void put_ends(struct reader *r, const struct mail_parts *ps, size_t i)
{
	int next = i + 1 < ps->n ? ps->v[i + 1].depth : 0;
	size_t at = ps->v[i].parent;

	for (int depth = ps->v[i].depth; depth > next; depth--) {
		if (!ps->v[at].unfinished)
			put_line(r, STR_LIT("\n"));
		at = ps->v[at].parent;
	}
}

static void read_text(struct reader *r, const struct mail *m)
{
	struct mail_parts ps _cleanup_mail_parts_;

	mail_parts(m, &ps);
	for (size_t i = 0; i < ps.n; i++) {
		if (part_is_text(&ps.v[i]))
			put_part(r, m, &ps.v[i]);
		if (i + 1 == ps.n || ps.v[i + 1].parent != i)
			put_ends(r, &ps, i);
	}
	close_field(r);
}

/* The mail's own fields; of several with one name git takes the last. */
static void read_fields(const struct mail *m, struct buf *field)
{
	struct str head = m->head;
	struct mail_field f;

	while (field_next(&head, &f))
		for (int i = 0; i < N_FIELDS; i++)
			if (str_ieqc(f.name, names[i])) {
				buf_reset(&field[i]);
				field_text(f.value, &field[i]);
			}
}

void mailinfo_read(const struct mail *m, struct mailinfo *ret)
{
	struct buf field[N_FIELDS] = { BUF_INIT, BUF_INIT, BUF_INIT };
	struct buf one = BUF_INIT;
	struct reader r = { .ret = ret, .in_fields = true };

	*ret = (struct mailinfo){ 0 };
	read_fields(m, field);
	read_text(&r, m);
	/* Of a mail without patch the text is no commit's, so its fields are not the
	 * mail's. */
	for (int i = 0; i < N_FIELDS; i++)
		if (ret->patch.len && r.has_field[i]) {
			buf_reset(&field[i]);
			buf_addstr(&field[i], buf_str(&r.body_field[i]));
		}
	squeeze(buf_str(&field[FROM]), &one);
	mailinfo_author(buf_str(&one), &ret->name, &ret->email);
	buf_reset(&one);
	mailinfo_subject(buf_str(&field[SUBJECT]), &one);
	ret->subject = buf_take(&one);
	squeeze(buf_str(&field[DATE]), &one);
	ret->date = buf_take(&one);
	for (int i = 0; i < N_FIELDS; i++) {
		buf_release(&field[i]);
		buf_release(&r.body_field[i]);
	}
	buf_release(&r.open_field);
	buf_release(&r.soft);
}

void mailinfo_release(struct mailinfo *i)
{
	free(i->name);
	free(i->email);
	free(i->subject);
	free(i->date);
	buf_release(&i->message);
	buf_release(&i->patch);
	*i = (struct mailinfo){ 0 };
}
