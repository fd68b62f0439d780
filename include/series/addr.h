/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addr.h - people in mail headers: mailbox lists (RFC 5322 section 3.4), names in other
 * scripts (RFC 2047), folding.
 *
 * Names are kept as UTF-8 without quotes or encoding, "" when there is none. An address
 * list owns its strings. Groups ("friends: a, b;") are refused: a patch goes to people.
 */
#ifndef SERIES_ADDR_H
#define SERIES_ADDR_H

#include <stdbool.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/strvec.h"

struct addr {
	char *name, *email;
};

struct addrs {
	struct addr *v;
	size_t n, cap;
};

#define ADDRS_INIT { NULL, 0, 0 }

void addrs_release(struct addrs *a);
#define _cleanup_addrs_ __attribute__((cleanup(addrs_release)))
/* Append a copy of one. */
void addrs_add(struct addrs *a, const char *name, const char *email);
/*
 * Append the mailboxes of a list ("A <a@x>, \"B, C\" <b@x>, d@x (D)"). E_USAGE names the
 * piece that is no address; nothing is appended then.
 */
int addrs_parse(struct addrs *a, const char *list, struct err *err);
/* Is it one that a header and an envelope can hold: no line ends, an address with '@'? */
bool addr_ok(const struct addr *a);
/* The entry with this address (case folded), or NULL. */
const struct addr *addrs_find(const struct addrs *a, const char *email);
/* As people write it, in UTF-8: "\"B, C\" <b@x>", or the bare address. */
void addr_show(const struct addr *a, struct buf *out);
/* The same in fresh memory. */
char *addr_show_dup(const struct addr *a);
/* As a header has it: RFC 2047 where the name needs it. */
void addr_encode(const struct addr *a, struct buf *out);

/* "To: a, b,\n b2\n": folded at 78 columns; nothing for an empty list. */
void header_addrs(const char *field, const struct addrs *a, struct buf *out);
/*
 * "Subject: RAW text\n" folded: raw ("[PATCH 0/3]", ASCII, may be "") stays as it is, text
 * is UTF-8 and encoded as git does (charset UTF-8, "q") when it is not plain ASCII.
 */
void header_text(const char *field, const char *raw, struct str text, struct buf *out);
/* Encoded words ("=?UTF-8?q?=C3=A4?=", B or Q, charsets by iconv) in s as UTF-8. */
void rfc2047_decode(struct str s, struct buf *out);
/*
 * s as encoded words of at most 75 characters with LF and blank between; col is the column
 * where the first one starts. Splits only between characters.
 */
void rfc2047_encode(struct str s, size_t col, struct buf *out);

#endif
