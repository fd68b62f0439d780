// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scan.c - where the fields of a mail end, and the fields: views, one pass, no copies.
 */
#include <ctype.h>
#include "mime.h"
#include "series/addr.h"
#include "series/mem.h"

/* The line at the start of s with its line end. */
static struct str whole_line(struct str s)
{
	const char *nl = s.len ? memchr(s.p, '\n', s.len) : NULL;

	return str_n(s.p, nl ? (size_t)(nl - s.p) + 1 : s.len);
}

static struct str behind(struct str s, size_t n)
{
	return str_n(s.p + n, s.len - n);
}

/*
 * Can this line begin a field? A name of printable characters (RFC 5322 section 3.6.8)
 * and a colon; the From_ line of an mbox, quoted or not, counts too, as with git and
 * Python.
 */
static bool begins_field(struct str line)
{
	if (str_starts(line, "From ") || str_starts(line, ">From "))
		return true;
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = line.p[i];

		if (c == ':')
			return true;
		if (c <= ' ' || c >= 0x7f)
			return false;
	}
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

size_t head_length(struct str s)
{
	size_t at = 0;

	while (at < s.len) {
		struct str line = whole_line(behind(s, at));

		if (!begins_field(line) && !(at && is_blank(line.p[0])))
			break;
		at += line.len;
	}
	return at;
}

size_t empty_line_length(struct str s)
{
	if (str_starts(s, "\n"))
		return 1;
	return str_starts(s, "\r\n") ? 2 : 0;
}

void mail_scan(struct str raw, enum from_quoting quoting, struct mail *ret)
{
	size_t head;

	while (raw.len && isspace((unsigned char)raw.p[0]))
		raw = behind(raw, 1);
	if (str_starts(raw, "From ") || str_starts(raw, ">From "))
		raw = behind(raw, whole_line(raw).len);
	head = head_length(raw);
	ret->raw = raw;
	ret->head = str_n(raw.p, head);
	ret->body = behind(raw, head);
	ret->body = behind(ret->body, empty_line_length(ret->body));
	ret->quoting = quoting;
}

/* Without blanks in front and line ends behind. */
static struct str trim_value(struct str s)
{
	while (s.len && is_blank(s.p[0]))
		s = behind(s, 1);
	while (s.len && (s.p[s.len - 1] == '\n' || s.p[s.len - 1] == '\r'))
		s.len--;
	return s;
}

bool field_next(struct str *rest, struct mail_field *ret)
{
	while (rest->len) {
		struct str field = whole_line(*rest);
		ptrdiff_t colon;

		for (;;) {
			struct str more = behind(*rest, field.len);

			if (!more.len || !is_blank(more.p[0]))
				break;
			field.len += whole_line(more).len;
		}
		*rest = behind(*rest, field.len);
		if (str_starts(field, "From ") || str_starts(field, ">From ") ||
		    (colon = str_chr(field, ':')) < 0)
			continue;
		ret->name = str_n(field.p, (size_t)colon);
		ret->value = trim_value(behind(field, (size_t)colon + 1));
		return true;
	}
	return false;
}

void field_get_all(struct str head, const char *const *names, size_t n, struct str *ret)
{
	struct mail_field f;

	for (size_t i = 0; i < n; i++)
		ret[i] = STR_NULL;
	while (field_next(&head, &f))
		for (size_t i = 0; i < n; i++)
			/* Most are told apart by one letter. */
			if (f.name.len && (f.name.p[0] | 0x20) == (names[i][0] | 0x20) &&
			    !ret[i].p && str_ieqc(f.name, names[i]))
				ret[i] = f.value;
}

struct str field_get(struct str head, const char *name)
{
	struct str value;

	field_get_all(head, &name, 1, &value);
	return value;
}

/* On one line: each fold with the blanks around it is one blank. */
static void unfold(struct str value, struct buf *out)
{
	struct str line;

	while (str_line(&value, &line)) {
		line = str_trim(line);
		if (line.len && out->len)
			buf_putc(out, ' ');
		buf_addstr(out, line);
	}
}

void field_text(struct str value, struct buf *out)
{
	struct buf one _cleanup_buf_ = BUF_INIT;

	if (value.p && memchr(value.p, '\n', value.len)) {
		unfold(value, &one);
		value = buf_str(&one);
	}
	rfc2047_decode(str_trim(value), out);
}
