// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charset.c - bytes in any charset, or in none, as UTF-8.
 *
 * A declared charset stands for the larger one that clients write under its name, as
 * encoding.spec.whatwg.org has it: Latin-1 for Windows-1252, GB2312 for GB18030. Real
 * mail says "y", "8" or "unknown-8bit", and much UTF-8 is labelled us-ascii or Latin-1.
 */
#include <errno.h>
#include <iconv.h>
#include "mime.h"
#include "series/mem.h"
#include "series/utf8.h"

#define ASCII "ASCII" /* beyond it all is UTF-8, where it can be */

static const struct {
	const char *said;
	enum charset_mode mode;
	const char *name; /* for iconv; or ASCII */
} aliases[] = {
	{ "utf-8", CHARSET_UTF8, NULL },
	{ "utf8", CHARSET_UTF8, NULL },
	{ "us-ascii", CHARSET_UTF8, ASCII },
	{ "ascii", CHARSET_UTF8, ASCII },
	{ "ansi_x3.4-1968", CHARSET_UTF8, ASCII },
	{ "iso-8859-1", CHARSET_CP1252, NULL },
	{ "iso8859-1", CHARSET_CP1252, NULL },
	{ "latin1", CHARSET_CP1252, NULL },
	{ "windows-1252", CHARSET_CP1252, NULL },
	{ "cp1252", CHARSET_CP1252, NULL },
	{ "gb2312", CHARSET_ICONV, "GB18030" },
	{ "gbk", CHARSET_ICONV, "GB18030" },
	{ "euc-kr", CHARSET_ICONV, "CP949" },
	{ "ks_c_5601-1987", CHARSET_ICONV, "CP949" },
	{ "shift_jis", CHARSET_ICONV, "CP932" },
	{ "big5", CHARSET_ICONV, "CP950" },
	{ "tis-620", CHARSET_ICONV, "WINDOWS-874" },
	{ "iso-8859-9", CHARSET_ICONV, "WINDOWS-1254" },
};

/* Windows-1252 from 0x80 on; 0 where it has no character. */
static const uint16_t cp1252[32] = {
	0x20ac, 0,	0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
	0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,	0x017d, 0,
	0,	0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
	0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,	0x017e, 0x0178,
};

static bool open_iconv(struct charset *c, const char *name)
{
	iconv_t cd;

	/* A slash would begin options of glibc's. */
	if (!name[0] || strchr(name, '/'))
		return false;
	cd = iconv_open("UTF-8", name);
	if (cd == (iconv_t)-1)
		return false;
	c->cd = cd;
	c->mode = CHARSET_ICONV;
	return true;
}

void charset_init(struct charset *c, const char *declared)
{
	*c = (struct charset){ .mode = CHARSET_UTF8, .said_nothing = !declared };
	if (!declared)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (!str_ieqc(str_c(declared), aliases[i].said))
			continue;
		c->mode = aliases[i].mode;
		c->said_ascii = c->mode == CHARSET_UTF8 && aliases[i].name;
		if (c->mode != CHARSET_ICONV || open_iconv(c, aliases[i].name))
			return;
	}
	if (!open_iconv(c, declared)) {
		c->mode = CHARSET_UTF8;
		c->flags = TEXT_CHARSET_UNKNOWN;
	}
}

bool charset_wants_probe(const struct charset *c)
{
	return c->mode != CHARSET_UTF8;
}

/* Length of what s begins with and is ASCII. */
static size_t ascii_length(struct str s)
{
	size_t i = 0;
	uint64_t eight;

	for (; i + 8 <= s.len; i += 8) {
		memcpy(&eight, s.p + i, 8);
		if (eight & 0x8080808080808080u)
			break;
	}
	while (i < s.len && !((unsigned char)s.p[i] & 0x80))
		i++;
	return i;
}

/* Could s, three bytes at most, be the start of a UTF-8 character? */
static bool utf8_begun(struct str s)
{
	unsigned char c = s.p[0];
	size_t whole = c >= 0xf0 && c <= 0xf4	? 4
		       : c >= 0xe0 && c <= 0xef ? 3
		       : c >= 0xc2 && c <= 0xdf ? 2
						: 0;

	if (s.len >= whole)
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (((unsigned char)s.p[i] & 0xc0) != 0x80)
			return false;
	return true;
}

static void put_cp1252(unsigned char c, struct buf *out)
{
	uint16_t cp = c >= 0x80 && c < 0xa0 ? cp1252[c - 0x80] : 0;

	utf8_put(cp ? cp : c, out);
}

static void put_bytes_cp1252(struct str s, struct buf *out)
{
	while (s.len) {
		size_t n = ascii_length(s);

		buf_add(out, s.p, n);
		for (; n < s.len && ((unsigned char)s.p[n] & 0x80); n++)
			put_cp1252((unsigned char)s.p[n], out);
		s = str_n(s.p + n, s.len - n);
	}
}

/* UTF-8 with Windows-1252 in between; out may be NULL. True when all was UTF-8. */
static bool put_utf8(struct str s, bool last, struct buf *keep, struct buf *out)
{
	bool good = true;

	while (s.len) {
		size_t n = ascii_length(s);
		struct str was = str_n(s.p + n, s.len - n);
		uint32_t cp;

		if (out)
			buf_add(out, s.p, n);
		s = was;
		if (!s.len)
			break;
		if (!last && s.len < 4 && utf8_begun(s)) {
			buf_addstr(keep, s);
			break;
		}
		utf8_next(&s, &cp);
		was.len -= s.len;
		if (cp == UTF8_INVALID)
			good = false;
		if (!out)
			continue;
		if (cp != UTF8_INVALID)
			buf_addstr(out, was);
		else
			put_bytes_cp1252(was, out);
	}
	return good;
}

/* What iconv() says is UTF-8: glibc's goes beyond Unicode's end. Whole characters. */
static bool put_converted(struct str s, struct buf *out)
{
	bool good = utf8_valid(s);

	if (out && good)
		buf_addstr(out, s);
	else if (out)
		utf8_lossy(s, out);
	return good;
}

/* By iconv; a byte that fits nowhere is Windows-1252. out may be NULL. True: all fitted.
 */
static bool put_iconv(struct charset *c, struct str s, bool last, struct buf *keep,
		      struct buf *out)
{
	bool good = true;
	char room[4096], *in = (char *)s.p;
	size_t left = s.len;

	while (left) {
		char *to = room;
		size_t space = sizeof(room);
		size_t rc = iconv(c->cd, &in, &left, &to, &space);
		int why = errno;

		if (!put_converted(str_n(room, (size_t)(to - room)), out))
			good = false;
		if (rc != (size_t)-1 || why == E2BIG)
			continue;
		if (why == EINVAL && !last && left <= 64) {
			buf_add(keep, in, left);
			break;
		}
		good = false;
		if (out)
			put_bytes_cp1252(str_n(in, 1), out);
		in++;
		left--;
	}
	if (last && out) {
		char *to = room;
		size_t space = sizeof(room);

		/* Some keep a letter back for the accent behind it. */
		iconv(c->cd, NULL, NULL, &to, &space);
		buf_add(out, room, (size_t)(to - room));
	}
	return good;
}

/* The piece with what was kept of the one before, in *joined if need be. */
static struct str with_kept(struct buf *kept, struct str piece, struct buf *joined)
{
	if (!kept->len)
		return piece;
	buf_addstr(joined, buf_str(kept));
	buf_addstr(joined, piece);
	buf_reset(kept);
	return buf_str(joined);
}

void charset_probe(struct charset *c, struct str piece)
{
	struct buf utf8 _cleanup_buf_ = BUF_INIT, name _cleanup_buf_ = BUF_INIT;

	if (ascii_length(piece) < piece.len)
		c->beyond_ascii = true;
	if (!c->not_utf8 &&
	    !put_utf8(with_kept(&c->kept, piece, &utf8), false, &c->kept, NULL))
		c->not_utf8 = true;
	if (c->mode == CHARSET_ICONV &&
	    !put_iconv(c, with_kept(&c->kept_name, piece, &name), false, &c->kept_name,
		       NULL))
		c->not_name = true;
}

void charset_probed(struct charset *c)
{
	bool utf8 = c->beyond_ascii && !c->not_utf8 && !c->kept.len;

	if (c->kept_name.len)
		c->not_name = true;
	buf_reset(&c->kept);
	buf_reset(&c->kept_name);
	if (c->cd)
		iconv(c->cd, NULL, NULL, NULL, NULL);
	if (utf8 && (c->mode == CHARSET_CP1252 || c->not_name)) {
		c->mode = CHARSET_UTF8;
		c->flags |= TEXT_CHARSET_LIES;
	}
}

static void put(struct charset *c, struct str piece, bool last, struct buf *out)
{
	struct buf joined _cleanup_buf_ = BUF_INIT;
	bool good = true;

	piece = with_kept(&c->kept, piece, &joined);
	switch (c->mode) {
	case CHARSET_UTF8:
		good = put_utf8(piece, last, &c->kept, out);
		break;
	case CHARSET_CP1252:
		put_bytes_cp1252(piece, out);
		break;
	case CHARSET_ICONV:
		good = put_iconv(c, piece, last, &c->kept, out);
		break;
	}
	if (c->said_ascii && ascii_length(piece) < piece.len)
		good = false;
	if (!good && !c->said_nothing)
		c->flags |= TEXT_CHARSET_LIES;
}

void charset_put(struct charset *c, struct str piece, struct buf *out)
{
	put(c, piece, false, out);
}

void charset_end(struct charset *c, struct buf *out)
{
	put(c, STR_LIT(""), true, out);
}

void charset_release(struct charset *c)
{
	if (c->cd)
		iconv_close(c->cd);
	c->cd = NULL;
	c->mode = CHARSET_UTF8; /* which needs nothing, should more text come */
	buf_release(&c->kept);
	buf_release(&c->kept_name);
}

unsigned charset_text(const char *charset, struct str bytes, struct buf *out)
{
	struct charset c;
	unsigned flags;

	charset_init(&c, charset);
	if (charset_wants_probe(&c)) {
		charset_probe(&c, bytes);
		charset_probed(&c);
	}
	charset_put(&c, bytes, out);
	charset_end(&c, out);
	flags = c.flags;
	charset_release(&c);
	return flags;
}
