/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compose.h - mails we write: headers, transfer encoding, patches as format-patch made them.
 *
 * A mail is kept with LF line ends; whoever puts it on a wire makes CRLF of them. The body
 * goes out as 8bit, or as quoted-printable when a byte of it would not survive the way:
 * CR, NUL, lines beyond 998 bytes (RFC 5322 section 2.1.1), lines that begin with "From "
 * or ">From ", which mbox files quote and their readers unquote.
 */
#ifndef SERIES_COMPOSE_H
#define SERIES_COMPOSE_H

#include <stdbool.h>
#include <stdint.h>
#include "series/addr.h"

struct mail_spec {
	const struct addr *from;
	const struct addrs *to, *cc;
	const char *tag;	/* "[PATCH mm v2 0/3]" */
	struct str title;	/* UTF-8, on one line */
	int64_t date;		/* seconds since 1970 */
	struct str date_text;	/* a Date: as it stands, instead; empty if not */
	const char *message_id;	/* all ids without <> */
	const char *in_reply_to; /* NULL: starts a thread */
	const struct strvec *references; /* oldest first, may be NULL */
	struct str body;
};

/* The whole mail appended to *out. E_FAIL when the body holds no line end at its end. */
int mail_compose(const struct mail_spec *m, struct buf *out, struct err *err);
/* True when the body needs quoted-printable (see above). */
bool body_needs_qp(struct str body);
/* body as quoted-printable (RFC 2045 section 6.7), LF line ends. */
void qp_encode(struct str body, struct buf *out);

/* A mail of git format-patch, taken apart. Views into the text. */
struct patch_mail {
	struct str message;	/* in-body From: and the message, up to the "---" */
	struct str notes;	/* what git put below "---": git notes, may be empty */
	struct str rest;	/* diffstat, diff, signature */
	struct str date;	/* of the author, as in the header */
};

/* E_CORRUPT when text is no mail of git format-patch. */
int patch_mail_parse(struct str text, struct patch_mail *ret, struct err *err);

/*
 * Would git am (mailinfo.c of git 2.39: patchbreak, cleanup_subject, in-body headers) lose
 * a part of this commit message? NULL if not, else what it would do and to which line, in
 * fresh memory.
 */
char *message_cut(const char *message);
/* The text of a commit message below its title, without blank lines around it. Borrowed. */
struct str message_body(const char *message);
/*
 * Does git mailinfo take the first line of this text for a header, unless an in-body From:
 * stands above it?
 */
bool message_header_like(struct str body);
/* As message_cut(), for text that stands between "---" and the diffstat: lines that start a diff. */
char *notes_cut(struct str notes);
/* The message that git am commits, from what git mailinfo read. Appended to *out. */
void message_read_back(struct str subject, struct str body, struct buf *out);
/* Where a commit message and the one read back part ("line 3, 'text'"); NULL if nowhere. */
char *message_change(const char *message, struct str back);
/*
 * After the fact: are words of the commit message missing in what git mailinfo made of the
 * mail (subject line, blank line, body)? White space apart, as git am cleans it up.
 */
bool message_same(const char *message, struct str subject, struct str body);

/*
 * Can it stand between <> in a header? Printable ASCII without blanks and <>, an @ inside,
 * at most 900 bytes (RFC 5322 section 3.6.4, looser). id without its <>; NULL is none.
 */
bool message_id_ok(const char *id);
/* Message-ID "YYYYMMDDhhmmss.RANDOM-series-vN-K@DOMAIN" in fresh memory, without <>. */
char *message_id(int64_t date, const char *random, int version, size_t k,
		 const char *sender);

#endif
