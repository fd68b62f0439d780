// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * decode.c - the bytes of a part: quoting of the mbox and transfer encoding taken off.
 *
 * Works in pieces, so that a mail of any size needs little memory. Like git mailinfo it
 * keeps blanks at line ends of quoted-printable and passes over garbage in base64, but
 * base64 goes on over line ends wherever they stand (RFC 2045 section 6.8).
 */
#include <ctype.h>
#include "mime.h"
#include "series/mem.h"

#define PIECE 65536

struct decoder {
	enum mail_encoding encoding;
	mail_sink *put;
	void *arg;
	struct buf out;
	unsigned flags;
	struct buf held;    /* quoted-printable: "=", "=A", "=\r" at the end of a piece */
	unsigned acc, bits; /* base64 */
	bool padded, plain; /* base64: its end was seen; what follows is no base64 */
};

static void flush(struct decoder *d)
{
	if (d->out.len)
		d->put(d->arg, buf_str(&d->out));
	buf_reset(&d->out);
}

/* Values of base64 digits plus one; 0 for all else. */
static const unsigned char base64[256] = {
	['A'] = 1,  ['B'] = 2,	['C'] = 3,  ['D'] = 4,	['E'] = 5,  ['F'] = 6,
	['G'] = 7,  ['H'] = 8,	['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12,
	['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16, ['Q'] = 17, ['R'] = 18,
	['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
	['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30,
	['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36,
	['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42,
	['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
	['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54,
	['2'] = 55, ['3'] = 56, ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60,
	['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
};

/*
 * Bytes of s used: an "=" with what belongs to it, whose byte is put. 0: more is needed
 * to tell. An "=" that begins nothing stays, as with git.
 */
static size_t qp_escape(struct decoder *d, struct str s, bool last)
{
	char a = s.len > 1 ? s.p[1] : 0, b = s.len > 2 ? s.p[2] : 0;

	if (s.len > 1 && a == '\n')
		return 2;
	if (s.len > 2 && a == '\r' && b == '\n')
		return 3;
	if (hex_digit(a) >= 0 && hex_digit(b) >= 0) {
		buf_putc(&d->out, (char)(hex_digit(a) << 4 | hex_digit(b)));
		return 3;
	}
	if (!last && (s.len == 1 || (s.len == 2 && (a == '\r' || hex_digit(a) >= 0))))
		return 0;
	if (s.len == 1)
		return 1;
	d->flags |= TEXT_ENCODING_BROKEN;
	buf_putc(&d->out, '=');
	return 1;
}

static void put_qp(struct decoder *d, struct str s, bool last)
{
	struct buf joined _cleanup_buf_ = BUF_INIT;

	if (d->held.len) {
		buf_addstr(&joined, buf_str(&d->held));
		buf_addstr(&joined, s);
		buf_reset(&d->held);
		s = buf_str(&joined);
	}
	while (s.len) {
		const char *eq = memchr(s.p, '=', s.len);
		size_t n = eq ? (size_t)(eq - s.p) : s.len;

		buf_add(&d->out, s.p, n);
		s = str_n(s.p + n, s.len - n);
		if (!s.len)
			break;
		n = qp_escape(d, s, last);
		if (!n) {
			buf_addstr(&d->held, s);
			break;
		}
		s = str_n(s.p + n, s.len - n);
	}
}

/*
 * A byte that is no digit; where to go on. A list's footer below base64 is text: once
 * padding was seen, another byte begins it.
 */
static size_t base64_other(struct decoder *d, struct str s, size_t i)
{
	unsigned char c = s.p[i];

	if (c == '=') {
		d->padded = true;
		d->bits = 0;
	} else if (!isspace(c) && c) {
		d->flags |= TEXT_ENCODING_BROKEN;
		d->plain = d->padded;
	}
	return d->plain ? i : i + 1;
}

static void put_base64(struct decoder *d, struct str s)
{
	size_t i = 0;

	while (i < s.len && !d->plain) {
		unsigned acc = d->acc, bits = d->bits, v;
		char *to = buf_reserve(&d->out, s.len - i);
		size_t n = 0;

		if (!to)
			return;
		for (; i < s.len && (v = base64[(unsigned char)s.p[i]]); i++) {
			acc = acc << 6 | (v - 1);
			bits += 6;
			if (bits < 8)
				continue;
			bits -= 8;
			to[n++] = (char)(acc >> bits & 0xff);
		}
		to[n] = '\0';
		d->out.len += n;
		d->acc = acc;
		d->bits = bits;
		if (i < s.len)
			i = base64_other(d, s, i);
	}
	if (d->plain && i < s.len)
		buf_add(&d->out, s.p + i, s.len - i);
}

void base64_decode(struct str s, struct buf *out)
{
	struct decoder d = { .out = BUF_INIT };

	put_base64(&d, s);
	buf_addstr(out, buf_str(&d.out));
	buf_release(&d.out);
}

static void put_piece(struct decoder *d, struct str s)
{
	switch (d->encoding) {
	case ENC_PLAIN:
		d->put(d->arg, s);
		break;
	case ENC_QP:
		put_qp(d, s, false);
		break;
	case ENC_BASE64:
		put_base64(d, s);
		break;
	}
	flush(d);
}

static void put_all(struct decoder *d, struct str s)
{
	while (s.len) {
		size_t n = MIN(s.len, (size_t)PIECE);

		put_piece(d, str_n(s.p, n));
		s = str_n(s.p + n, s.len - n);
	}
}

/* Offset of the ">" to take off, at or behind `from`; s.len if there is none. */
static size_t quoted_from(struct str s, size_t from, enum from_quoting quoting)
{
	const size_t first = from;

	while (from < s.len) {
		const char *at = memchr(s.p + from, '>', s.len - from);
		size_t i;

		if (!at)
			break;
		if (!str_starts(str_n(at, s.len - (size_t)(at - s.p)), ">From ")) {
			from = (size_t)(at - s.p) + 1;
			continue;
		}
		for (i = (size_t)(at - s.p); i > first && s.p[i - 1] == '>';)
			i--;
		if ((!i || s.p[i - 1] == '\n') &&
		    (quoting == FROM_MBOXRD || s.p + i == at))
			return i;
		from = (size_t)(at - s.p) + 6;
	}
	return s.len;
}

unsigned part_bytes(const struct mail *m, const struct mail_part *p, mail_sink *put,
		    void *arg)
{
	struct decoder d = { .encoding = p->encoding, .put = put, .arg = arg };
	struct str s = p->body;
	size_t from = 0;

	while (m->quoting != FROM_PLAIN && from < s.len) {
		size_t at = quoted_from(s, from, m->quoting);

		put_all(&d, str_n(s.p + from, at - from));
		if (at == s.len) {
			from = at;
			break;
		}
		/* Past the mark, and past what follows on its line: none is taken twice.
		 */
		from = at + 1;
		at = from;
		while (at < s.len && s.p[at] == '>')
			at++;
		put_all(&d, str_n(s.p + from, at - from));
		from = at;
	}
	put_all(&d, str_n(s.p + from, s.len - from));
	if (d.held.len) {
		put_qp(&d, STR_LIT(""), true);
		flush(&d);
	}
	buf_release(&d.out);
	buf_release(&d.held);
	return d.flags;
}

void mail_raw(const struct mail *m, mail_sink *put, void *arg)
{
	struct mail_part whole = { .body = m->raw };

	part_bytes(m, &whole, put, arg);
}
