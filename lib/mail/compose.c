// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compose.c - one mail: header lines, then the body in the encoding it needs.
 */
#include "series/compose.h"
#include "series/mem.h"
#include "series/time.h"

#define LINE_MAX_BYTES 998 /* RFC 5322 section 2.1.1, without CRLF */
#define MESSAGE_ID_MAX 900 /* with "References: " within a line */
#define QP_WIDTH       76  /* RFC 2045 section 6.7 (5) */

/* A line that mbox files, and those who read them, change: "From ", ">From ", ... */
static bool mbox_from(struct str line)
{
	while (str_skip(&line, ">"))
		;
	return str_starts(line, "From ");
}

bool body_needs_qp(struct str body)
{
	struct str line, rest = body;

	if (memchr(body.p, '\r', body.len) || memchr(body.p, '\0', body.len))
		return true;
	while (str_line(&rest, &line))
		if (line.len > LINE_MAX_BYTES || mbox_from(line))
			return true;
	return false;
}

/* Byte i of a line: does it have to be written as =XX? */
static bool qp_special(struct str line, size_t i)
{
	unsigned char c = line.p[i];

	if (c == '=' || c < 0x20 || c >= 0x7f)
		return c != '\t' || i + 1 == line.len;
	if (c == ' ')
		return i + 1 == line.len;
	return i == 0 && mbox_from(line);
}

static void qp_line(struct str line, struct buf *out)
{
	size_t col = 0;

	for (size_t i = 0; i < line.len; i++) {
		bool special = qp_special(line, i);
		size_t cost = special ? 3 : 1;

		if (col + cost > QP_WIDTH - 1) {
			buf_puts(out, "=\n");
			col = 0;
		}
		if (special)
			buf_printf(out, "=%02X", (unsigned char)line.p[i]);
		else
			buf_putc(out, line.p[i]);
		col += cost;
	}
	buf_putc(out, '\n');
}

void qp_encode(struct str body, struct buf *out)
{
	struct str line;

	while (str_line(&body, &line))
		qp_line(line, out);
}

static void put_ids(const struct mail_spec *m, struct buf *out)
{
	buf_printf(out, "Message-ID: <%s>\n", m->message_id);
	if (!m->in_reply_to)
		return;
	buf_printf(out, "In-Reply-To: <%s>\n", m->in_reply_to);
	buf_puts(out, "References:");
	for (size_t i = 0; m->references && i < m->references->n; i++)
		buf_printf(out, "%s<%s>", i ? "\n " : " ", m->references->v[i]);
	if (!m->references || !m->references->n)
		buf_printf(out, " <%s>", m->in_reply_to);
	buf_putc(out, '\n');
}

int mail_compose(const struct mail_spec *m, struct buf *out, struct err *err)
{
	struct addrs from = { (struct addr *)m->from, 1, 1 };
	bool qp = body_needs_qp(m->body);

	if (!m->body.len || m->body.p[m->body.len - 1] != '\n')
		return err_set(err, E_FAIL, "mail %s: text does not end with a line end",
			       m->message_id);
	header_addrs("From", &from, out);
	header_addrs("To", m->to, out);
	header_addrs("Cc", m->cc, out);
	header_text("Subject", m->tag, m->title, out);
	buf_puts(out, "Date: ");
	if (m->date_text.len)
		buf_addstr(out, m->date_text);
	else
		time_rfc5322(m->date, out);
	buf_putc(out, '\n');
	put_ids(m, out);
	buf_printf(out,
		   "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
		   "Content-Transfer-Encoding: %s\n\n",
		   qp ? "quoted-printable" : "8bit");
	if (qp)
		qp_encode(m->body, out);
	else
		buf_addstr(out, m->body);
	if (out->full)
		return err_set(err, E_FAIL, "mail %s is too large", m->message_id);
	return 0;
}

bool message_id_ok(const char *id)
{
	const char *at = id ? strchr(id, '@') : NULL;

	if (!at || at == id || !at[1] || strlen(id) > MESSAGE_ID_MAX)
		return false;
	for (const char *s = id; *s; s++)
		if (*s <= ' ' || *s >= 0x7f || *s == '<' || *s == '>')
			return false;
	return true;
}

char *message_id(int64_t date, const char *random, int version, size_t k,
		 const char *sender)
{
	struct buf b = BUF_INIT;
	const char *at = strrchr(sender, '@');

	time_compact(date, &b);
	buf_printf(&b, ".%s-series-v%d-%zu@%s", random, version, k,
		   at ? at + 1 : "localhost");
	return buf_take(&b);
}
