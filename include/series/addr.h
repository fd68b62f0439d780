/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addr.h - people in mail headers: mailbox lists (RFC 5322 section 3.4), names in other
 * scripts (RFC 2047), folding.
 *
 * Names are kept as UTF-8 without quotes or encoding, "" when there is none. An address
 * list owns its strings. A group ("friends: a, b;") stands for its members, so that
 * "undisclosed-recipients:;" is nobody. Addresses are ASCII: no server of a list offers
 * SMTPUTF8, and a domain in other letters has its xn-- form.
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

#define ADDRS_INIT                                                                       \
	{                                                                                \
		NULL, 0, 0                                                               \
	}

void addrs_release(struct addrs *a);
#define _cleanup_addrs_ __attribute__((cleanup(addrs_release)))
/* Append a copy of one. */
void addrs_add(struct addrs *a, const char *name, const char *email);
/*
 * Append the mailboxes of a list ("A <a@x>, \"B, C\" <b@x>, d@x (D)"). E_USAGE names the
 * piece that is no address; nothing is appended then.
 */
int addrs_parse(struct addrs *a, const char *list, struct err *err);
/* What knows short names: expand() appends who word stands for; E_NOTFOUND: it is none.
 */
struct addr_alias {
	int (*expand)(const char *word, void *arg, struct addrs *out, struct err *err);
	void *arg;
};
/* The same with short names, anywhere in the list. alias may be NULL. */
int addrs_parse_alias(struct addrs *a, const char *list, const struct addr_alias *alias,
		      struct err *err);
/*
 * The person of a trailer, as git send-email reads it: one "Name <a@x>" or "a@x", and
 * whatever comes behind ("# 5.10+", "[mm]", "(maintainer:MM)") goes to *ret_rest (may be
 * NULL). The name may hold commas without quotes. False: no address.
 */
bool addr_trailer(struct str value, struct addrs *out, struct str *ret_rest);
/* Is it one that a header and an envelope can hold: no line ends, an address with '@'? */
bool addr_ok(const struct addr *a);
/* The same mailbox? Upper and lower case are one in the domain (RFC 5321 section 2.4). */
bool email_same(const char *a, const char *b);
/* The entry with this address, or NULL. */
const struct addr *addrs_find(const struct addrs *a, const char *email);
/* Take it out; false when it is not there. */
bool addrs_remove(struct addrs *a, const char *email);
/* As people write it, in UTF-8: "\"B, C\" <b@x>", or the bare address. */
void addr_show(const struct addr *a, struct buf *out);
/* The same in fresh memory. */
char *addr_show_dup(const struct addr *a);
/* As a header has it: RFC 2047 where the name needs it. */
void addr_encode(const struct addr *a, struct buf *out);

/* "To: a, b,\n b2\n": folded at 78 columns; nothing for an empty list. */
void header_addrs(const char *field, const struct addrs *a, struct buf *out);
/*
 * "Subject: RAW text\n" folded: raw ("[PATCH 0/3]", ASCII, may be "") stays as it is,
 * text is UTF-8 and encoded as git does (charset UTF-8, "q") when it is not plain ASCII.
 */
void header_text(const char *field, const char *raw, struct str text, struct buf *out);
/* Encoded words ("=?UTF-8?q?=C3=A4?=", B or Q, charsets by iconv) in s as UTF-8. */
void rfc2047_decode(struct str s, struct buf *out);
/*
 * s as encoded words of at most 75 characters with LF and blank between; col is the
 * column where the first one starts. Splits only between characters.
 */
void rfc2047_encode(struct str s, size_t col, struct buf *out);

#endif
