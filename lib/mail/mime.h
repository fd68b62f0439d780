/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mime.h - what the files of lib/mail share about MIME fields (RFC 2045, 2231).
 */
#ifndef SERIES_MAIL_MIME_H
#define SERIES_MAIL_MIME_H

#include "series/mail.h"

/* Bytes of s that are fields; then those of an empty line at the start of s (0, 1, 2). */
size_t head_length(struct str s);
size_t empty_line_length(struct str s);

/*
 * Parameter of a Content-Type or Content-Disposition as UTF-8 in fresh memory, NULL if
 * there is none: quoted or not, in pieces and encoded (name*0*=), or with encoded words,
 * which are against the rules and common.
 */
char *mime_param(struct str value, const char *name);
/* "text/plain" of a Content-Type in lower case, in fresh memory; "" when it has no "/".
 */
char *mime_type(struct str value);
enum mail_encoding mime_encoding(struct str value);

/* Append the bytes of base64 text, as part_bytes() reads it. */
void base64_decode(struct str s, struct buf *out);

/*
 * Bytes in a charset on their way to UTF-8, in pieces that may end within a character.
 * Keeps what charset_text() promises: where the rest of the text decides, charset_probe()
 * must have seen all pieces before the first charset_put().
 */
enum charset_mode {
	CHARSET_UTF8,	/* single bytes that are none are Windows-1252 */
	CHARSET_CP1252, /* also what is called ASCII or Latin-1 */
	CHARSET_ICONV,
};

struct charset {
	enum charset_mode mode;
	unsigned flags;	   /* TEXT_, when all is put */
	bool said_nothing; /* none was declared: UTF-8 is no surprise */
	bool said_ascii;
	void *cd; /* iconv_t, for CHARSET_ICONV */
	/* The start of a character that is not whole yet; the probe has another for
	 * iconv. */
	struct buf kept, kept_name;
	bool beyond_ascii, not_utf8, not_name; /* what the probe saw */
};

void charset_init(struct charset *c, const char *declared);
bool charset_wants_probe(const struct charset *c);
void charset_probe(struct charset *c, struct str piece);
/* All pieces were probed: decide. */
void charset_probed(struct charset *c);
void charset_put(struct charset *c, struct str piece, struct buf *out);
/* The end of the text: what is kept goes out. */
void charset_end(struct charset *c, struct buf *out);
void charset_release(struct charset *c);

#endif
