// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * addr.c - read and write mailbox lists (RFC 5322 section 3.4).
 */
#include <ctype.h>
#include <strings.h>
#include "series/addr.h"
#include "series/mem.h"
#include "series/sanitize.h"

#define EMAIL_MAX    320
#define NAME_MAX_LEN 500

void addrs_release(struct addrs *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free(a->v[i].name);
		free(a->v[i].email);
	}
	free(a->v);
	*a = (struct addrs)ADDRS_INIT;
}

void addrs_add(struct addrs *a, const char *name, const char *email)
{
	vec_grow(a->v, a->n, a->cap);
	a->v[a->n].name = xstrdup(name ? name : "");
	a->v[a->n].email = xstrdup(email);
	a->n++;
}

bool email_same(const char *a, const char *b)
{
	const char *at = strrchr(a, '@'), *bt = strrchr(b, '@');

	if (!at || !bt)
		return !strcmp(a, b);
	return at - a == bt - b && !memcmp(a, b, at - a) && !strcasecmp(at, bt);
}

const struct addr *addrs_find(const struct addrs *a, const char *email)
{
	for (size_t i = 0; i < a->n; i++)
		if (email_same(a->v[i].email, email))
			return &a->v[i];
	return NULL;
}

bool addrs_remove(struct addrs *a, const char *email)
{
	const struct addr *hit = addrs_find(a, email);
	size_t i = hit ? (size_t)(hit - a->v) : 0;

	if (!hit)
		return false;
	free(a->v[i].name);
	free(a->v[i].email);
	memmove(&a->v[i], &a->v[i + 1], (a->n - i - 1) * sizeof(*a->v));
	a->n--;
	return true;
}

/* atext of RFC 5322 and, for names, what RFC 6532 adds. */
static bool is_atext(unsigned char c)
{
	return c >= 0x80 || isalnum(c) || (c && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

/* A quoted string as a whole: nothing in it may end the envelope's <> or a line. */
static bool quoted_ok(struct str s)
{
	if (s.len < 3 || s.p[s.len - 1] != '"')
		return false;
	for (size_t i = 1; i + 1 < s.len; i++) {
		unsigned char c = s.p[i];

		if (c < 0x20 || c >= 0x7f || c == '<' || c == '>' || c == '"')
			return false;
		if (c == '\\' && (++i + 1 >= s.len || (unsigned char)s.p[i] < 0x20 ||
				  strchr("<>\x7f", s.p[i])))
			return false;
	}
	return true;
}

static bool local_ok(struct str s)
{
	if (!s.len)
		return false;
	if (s.p[0] == '"')
		return quoted_ok(s);
	for (size_t i = 0; i < s.len; i++)
		if ((!is_atext(s.p[i]) && s.p[i] != '.') || (unsigned char)s.p[i] >= 0x80)
			return false;
	return true;
}

static bool domain_ok(struct str s)
{
	if (s.len > 2 && s.p[0] == '[' && s.p[s.len - 1] == ']')
		return strspn(s.p + 1, "0123456789abcdefABCDEF.:IPv") >= s.len - 2;
	if (!s.len || s.p[0] == '.' || s.p[s.len - 1] == '.')
		return false;
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = s.p[i];

		if (c >= 0x80 || (!isalnum(c) && c != '-' && c != '.'))
			return false;
		if (c == '.' && s.p[i + 1] == '.')
			return false;
	}
	return true;
}

static bool email_ok(const char *email)
{
	const char *at = strrchr(email, '@');

	if (!at || strlen(email) > EMAIL_MAX)
		return false;
	return local_ok(str_n(email, at - email)) && domain_ok(str_c(at + 1));
}

/* One mailbox of the list while it is being read. */
struct piece {
	struct buf name; /* display name without quotes */
	struct buf raw;	 /* all but comments: the address when there is no <> */
	struct buf comment;
	struct buf email; /* between < and > */
	bool angle, quoted, bad;
	bool group; /* between "NAME:" and ";" */
};

static void piece_release(struct piece *p)
{
	buf_release(&p->name);
	buf_release(&p->raw);
	buf_release(&p->comment);
	buf_release(&p->email);
}

/* Quoted string at *s ('"' is read): into name without quotes, into raw with them. */
static const char *read_quoted(const char *s, struct piece *p)
{
	p->quoted = true;
	buf_putc(&p->raw, '"');
	for (; *s && *s != '"'; s++) {
		if (*s == '\\' && s[1]) {
			buf_putc(&p->raw, *s);
			s++;
		}
		buf_putc(&p->raw, *s);
		buf_putc(&p->name, *s);
	}
	buf_putc(&p->raw, '"');
	p->bad |= !*s;
	return *s ? s + 1 : s;
}

/* Comment at *s ('(' is read), nested ones kept as text. */
static const char *read_comment(const char *s, struct piece *p)
{
	int depth = 1;

	buf_reset(&p->comment);
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '(')
			depth++;
		else if (*s == ')' && !--depth)
			return s + 1;
		buf_putc(&p->comment, *s);
	}
	p->bad = true;
	return s;
}

static const char *read_angle(const char *s, struct piece *p)
{
	p->bad |= p->angle;
	p->angle = true;
	for (; *s && *s != '>'; s++)
		buf_putc(&p->email, *s);
	p->bad |= !*s;
	return *s ? s + 1 : s;
}

/* "NAME:" was read: what follows are the members of a group, whose name is nobody. */
static bool starts_group(struct piece *p)
{
	if (p->group || p->angle || !str_trim(buf_str(&p->raw)).len ||
	    str_chr(buf_str(&p->raw), '@') >= 0)
		return false;
	buf_reset(&p->name);
	buf_reset(&p->raw);
	buf_reset(&p->comment);
	p->quoted = false;
	p->group = true;
	return true;
}

/* Read up to the next comma or end of a group; returns what follows it. */
static const char *read_piece(const char *s, struct piece *p)
{
	while (*s && *s != ',' && !(*s == ';' && p->group)) {
		if (*s == ':' && starts_group(p)) {
			s++;
		} else if (*s == '"') {
			s = read_quoted(s + 1, p);
		} else if (*s == '(') {
			s = read_comment(s + 1, p);
		} else if (*s == '<') {
			s = read_angle(s + 1, p);
		} else {
			char c = isspace((unsigned char)*s) ? ' ' : *s;

			p->bad |= p->angle && c != ' ';
			/* Blanks and folds count as one. */
			if (c != ' ' ||
			    (p->name.len && p->name.p[p->name.len - 1] != ' '))
				buf_putc(&p->name, c);
			buf_putc(&p->raw, c);
			s++;
		}
	}
	p->bad |= p->group && !*s;
	p->group &= *s != ';';
	return *s ? s + 1 : s;
}

static bool name_ok(struct str s)
{
	if (s.len > NAME_MAX_LEN)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
			return false;
	return true;
}

bool addr_ok(const struct addr *a)
{
	return name_ok(str_c(a->name)) && email_ok(a->email);
}

static int bad_address(struct str text, struct err *err)
{
	char *raw _cleanup_free_ = str_dup(str_trim(text));
	char *shown _cleanup_free_ = sanitize_line_dup(raw);

	return err_set(
		err, E_USAGE,
		"'%s' is no mail address; write name@example.org or "
		"\"Name\" <name@example.org> (a name with a comma needs the quotes)",
		shown);
}

/* RFC 6531: only servers with SMTPUTF8 take such an address, and those of lists do not.
 */
static int beyond_ascii(const char *email, struct err *err)
{
	const char *at = strrchr(email, '@');
	char *shown _cleanup_free_ = sanitize_line_dup(email);
	struct str local = str_n(email, at - email);

	if (local_ok(local))
		return err_set(err, E_USAGE,
			       "'%s' has a domain with letters beyond ASCII; write its "
			       "xn-- form, which 'idn2 %s' prints",
			       shown, strrchr(shown, '@') + 1);
	return err_set(err, E_USAGE,
		       "'%s' has letters beyond ASCII in front of the @, which mail "
		       "servers of lists do not take; use another address of theirs",
		       shown);
}

static bool has_8bit(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s >= 0x80)
			return true;
	return false;
}

/* text is the piece as it was written. */
static int finish_piece(struct piece *p, struct str text, struct addrs *out,
			struct err *err)
{
	char *email _cleanup_free_ =
		str_dup(str_trim(buf_str(p->angle ? &p->email : &p->raw)));
	struct str name =
		str_trim(buf_str(p->angle && p->name.len ? &p->name : &p->comment));
	struct buf utf8 _cleanup_buf_ = BUF_INIT;

	if (!p->bad && strchr(email, '@') && has_8bit(email) && !strpbrk(email, " <>\""))
		return beyond_ascii(email, err);
	if (p->bad || !email_ok(email))
		return bad_address(text, err);
	if (p->quoted)
		buf_addstr(&utf8, name);
	else
		rfc2047_decode(name, &utf8);
	if (!name_ok(buf_str(&utf8)))
		return bad_address(text, err);
	addrs_add(out, buf_cstr(&utf8), email);
	return 0;
}

/* A piece that was read: an alias, else a mailbox, else nothing at all. */
static int take_piece(struct piece *p, struct str text, const struct addr_alias *alias,
		      struct addrs *out, struct err *err)
{
	struct str raw = str_trim(buf_str(&p->raw));
	int rc;

	if (!raw.len && !p->angle && !p->comment.len && !p->bad)
		return 0;
	if (alias && raw.len && !p->angle && !p->bad) {
		char *word _cleanup_free_ = str_dup(raw);

		rc = alias->expand(word, alias->arg, out, err);
		if (rc != E_NOTFOUND)
			return rc;
		err_release(err);
	}
	return finish_piece(p, text, out, err);
}

int addrs_parse_alias(struct addrs *a, const char *list, const struct addr_alias *alias,
		      struct err *err)
{
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;
	const char *s = list;
	bool group = false;

	while (*s) {
		struct piece p = { .group = group };
		const char *start = s;
		struct str text;
		int rc;

		s = read_piece(s, &p);
		text = str_n(start, s - start);
		if (text.len &&
		    (text.p[text.len - 1] == ',' || (*s && group && !p.group)))
			text.len--;
		group = p.group;
		rc = take_piece(&p, text, alias, &got, err);
		piece_release(&p);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < got.n; i++)
		addrs_add(a, got.v[i].name, got.v[i].email);
	return 0;
}

int addrs_parse(struct addrs *a, const char *list, struct err *err)
{
	return addrs_parse_alias(a, list, NULL, err);
}

/* The name in front of <>, which people write without the quotes that a comma needs. */
static void trailer_name(struct str s, struct buf *out)
{
	if (s.len < 2 || s.p[0] != '"' || s.p[s.len - 1] != '"') {
		rfc2047_decode(s, out);
		return;
	}
	for (size_t i = 1; i + 1 < s.len; i++) {
		if (s.p[i] == '\\' && i + 2 < s.len)
			i++;
		buf_putc(out, s.p[i]);
	}
}

bool addr_trailer(struct str value, struct addrs *out, struct str *ret_rest)
{
	struct buf name _cleanup_buf_ = BUF_INIT;
	char *email _cleanup_free_ = NULL;
	ptrdiff_t lt, gt;
	size_t end = 0;

	value = str_trim(value);
	lt = str_chr(value, '<');
	gt = lt < 0 ? -1 : str_chr(str_n(value.p + lt, value.len - lt), '>');
	if (gt > 0) {
		trailer_name(str_trim(str_n(value.p, lt)), &name);
		email = str_dup(str_trim(str_n(value.p + lt + 1, gt - 1)));
		end = lt + gt + 1;
	} else {
		while (end < value.len && !strchr(" \t#,\"", value.p[end]))
			end++;
		email = str_dup(str_n(value.p, end));
	}
	if (!email_ok(email) || !name_ok(buf_str(&name)))
		return false;
	addrs_add(out, buf_cstr(&name), email);
	if (ret_rest)
		*ret_rest = str_trim(str_n(value.p + end, value.len - end));
	return true;
}

/* Name as atoms and blanks, else as a quoted string. */
static void put_name(const char *name, struct buf *out)
{
	bool plain = true;

	for (const char *s = name; *s; s++)
		plain &= is_atext(*s) || *s == ' ';
	if (plain) {
		buf_puts(out, name);
		return;
	}
	buf_putc(out, '"');
	for (const char *s = name; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *s);
	}
	buf_putc(out, '"');
}

void addr_show(const struct addr *a, struct buf *out)
{
	if (!a->name[0]) {
		buf_puts(out, a->email);
		return;
	}
	put_name(a->name, out);
	buf_printf(out, " <%s>", a->email);
}

char *addr_show_dup(const struct addr *a)
{
	struct buf b = BUF_INIT;

	addr_show(a, &b);
	return buf_take(&b);
}

static bool needs_encoding(const char *s)
{
	if (strstr(s, "=?"))
		return true;
	for (; *s; s++)
		if ((unsigned char)*s >= 0x80)
			return true;
	return false;
}

void addr_encode(const struct addr *a, struct buf *out)
{
	if (!needs_encoding(a->name)) {
		addr_show(a, out);
		return;
	}
	rfc2047_encode(str_c(a->name), 1, out);
	buf_printf(out, " <%s>", a->email);
}

/* Column behind the last line of text that starts at col. */
static size_t end_column(struct str s, size_t col)
{
	const char *nl = memrchr(s.p, '\n', s.len);

	return nl ? (size_t)(s.p + s.len - nl - 1) : col + s.len;
}

static size_t first_line(struct str s)
{
	const char *nl = memchr(s.p, '\n', s.len);

	return nl ? (size_t)(nl - s.p) : s.len;
}

void header_addrs(const char *field, const struct addrs *a, struct buf *out)
{
	size_t col;

	if (!a->n)
		return;
	buf_printf(out, "%s: ", field);
	col = strlen(field) + 2;
	for (size_t i = 0; i < a->n; i++) {
		struct buf one _cleanup_buf_ = BUF_INIT;

		addr_encode(&a->v[i], &one);
		if (i) {
			buf_putc(out, ',');
			if (col + 2 + first_line(buf_str(&one)) + 1 > 78) {
				buf_puts(out, "\n ");
				col = 1;
			} else {
				buf_putc(out, ' ');
				col += 2;
			}
		}
		buf_addstr(out, buf_str(&one));
		col = end_column(buf_str(&one), col);
	}
	buf_putc(out, '\n');
}
