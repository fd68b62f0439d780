/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mail.h - mails that we read: views into the bytes they came in.
 *
 * Nothing is copied until text is asked for: a struct mail points into what a source
 * mapped (mailsrc.h) and lives as long as that. Nothing here fails: any bytes are a mail,
 * what is broken is read as far as it goes, and what had to be guessed is told in flags.
 * Whether lines that begin with "From " are quoted is told by the source, never guessed.
 *
 * Formats: RFC 5322 (fields), RFC 2045-2047 and 2231 (MIME), RFC 3676 (flowed text), RFC
 * 4155 and mbox(5) (quoting). Where real mail and the RFCs part, git mailinfo and
 * Python's email package were asked.
 */
#ifndef SERIES_MAIL_H
#define SERIES_MAIL_H

#include <stdbool.h>
#include <stdint.h>
#include "series/buf.h"
#include "series/strvec.h"

enum from_quoting {
	FROM_PLAIN,  /* lines stand as they were sent: Maildir, git, single files */
	FROM_MBOXO,  /* ">From " was "From " (or was not: nobody can tell) */
	FROM_MBOXRD, /* any number of ">" before "From " has one more than was sent */
};

struct mail {
	struct str raw;	 /* from the first field on; without the mbox's From_ line */
	struct str head; /* the fields, each with its line end */
	struct str body; /* what stands below the empty line, still quoted and encoded */
	enum from_quoting quoting;
};

/*
 * Take a mail apart. White space and a From_ line at the start are passed over, as git
 * does. The fields end at the first line that cannot be one: an empty one, which belongs
 * to nobody, or another, which then is the first of the body.
 */
void mail_scan(struct str raw, enum from_quoting quoting, struct mail *ret);

/* ---- fields: a name, and a value as it stands, folded, without its line end ---- */

struct mail_field {
	struct str name, value;
};

/* Cut the next field off *rest, a mail's or a part's head; false at the end. */
bool field_next(struct str *rest, struct mail_field *ret);
/* Value of the first field of that name, whatever its case; p is NULL if there is none.
 */
struct str field_get(struct str head, const char *name);
/* The first of each of n names in one pass. */
void field_get_all(struct str head, const char *const *names, size_t n, struct str *ret);
/*
 * Append a value as text for people: on one line, encoded words decoded (RFC 2047),
 * blanks at the ends gone, always UTF-8. Words side by side are one text, also when one
 * character is cut in two; for bytes that are not what their charset says see
 * charset_text().
 */
void field_text(struct str value, struct buf *out);
/*
 * Append the ids of In-Reply-To, References or Message-ID to *out, without <> and without
 * white space in them; comments and quoted strings are passed over. If there is no <> at
 * all, a single word with an @ counts.
 */
void field_ids(struct str value, struct strvec *out);
/*
 * Seconds since 1970 of a Date, and its zone in minutes east (may be NULL): RFC 5322
 * section 3.3 and 4.3, with or without the day's name, two-digit years, and what broken
 * clients write ("+00.00", "2024-1-5 9:00"). False: nothing that can be read as a date.
 */
bool field_date(struct str value, int64_t *ret, int *ret_zone);

/* ---- parts ---- */

enum mail_encoding { ENC_PLAIN, ENC_QP, ENC_BASE64 };

struct mail_part {
	struct str head; /* own fields; of a mail that is one part, the mail's */
	struct str body; /* encoded; without the line end before its boundary */
	char *type;	 /* "text/plain", in lower case */
	char *charset;	 /* as declared, NULL if not */
	char *filename;	 /* UTF-8; NULL if none */
	enum mail_encoding encoding;
	bool flowed, delsp; /* RFC 3676 */
	bool attachment;    /* Content-Disposition says so */
	bool unfinished;    /* a multipart without its last boundary */
	int depth;	    /* 0: the mail itself */
	size_t parent;	    /* index of the multipart it is in; its own at depth 0 */
};

struct mail_parts {
	struct mail_part *v;
	size_t n, cap;
	bool too_many; /* more than PARTS_MAX, or nested deeper than PARTS_DEPTH: read as
			  text */
};

#define PARTS_MAX   1000
#define PARTS_DEPTH 32

/*
 * All parts in the order they stand: the mail itself, and below each multipart what is in
 * it. Mails in a message/rfc822 part are not opened. One pass, whatever the nesting.
 */
void mail_parts(const struct mail *m, struct mail_parts *ret);
void mail_parts_release(struct mail_parts *p);
#define _cleanup_mail_parts_ __attribute__((cleanup(mail_parts_release)))
/* A leaf that people read as text: text/plain, text/x-patch and the like; not text/html.
 */
bool part_is_text(const struct mail_part *p);

/* What was noticed while text was made. */
enum {
	TEXT_CHARSET_UNKNOWN = 1, /* no such charset */
	TEXT_CHARSET_LIES = 2,	  /* the bytes are not what the charset says */
	TEXT_ENCODING_BROKEN = 4, /* base64 or quoted-printable with garbage in it */
	TEXT_FLOWED = 8,	  /* lines were joined: a patch in it may be damaged */
};

/* Where decoded bytes go, piece by piece. */
typedef void mail_sink(void *arg, struct str piece);

/*
 * The bytes of a leaf: quoting of the mbox and transfer encoding taken off, nothing else.
 * What git am applies. Works in pieces of some 64 KiB. Returns TEXT_ flags.
 */
unsigned part_bytes(const struct mail *m, const struct mail_part *p, mail_sink *put,
		    void *arg);
/*
 * The text of a leaf for people: LF line ends, flowed lines joined, UTF-8 (what is no
 * UTF-8 in the end became U+FFFD). Returns TEXT_ flags.
 */
unsigned part_text(const struct mail *m, const struct mail_part *p, mail_sink *put,
		   void *arg);
/* The text parts of a mail one after the other, each with a line end at its end. */
unsigned mail_text(const struct mail *m, struct buf *out);
/* The mail as it was sent, quoting of the mbox taken off. */
void mail_raw(const struct mail *m, mail_sink *put, void *arg);
/* The mail as an mboxrd has it: From_ line, lines quoted, an empty line behind. */
void mail_mboxrd(const struct mail *m, mail_sink *put, void *arg);
/* A sink that appends to the struct buf arg. */
void mail_sink_buf(void *arg, struct str piece);
/*
 * A sink that hands on whole lines without their LF; arg is a struct mail_lines, which
 * holds no more than a line. mail_lines_end() hands on a last one that has no LF.
 */
struct mail_lines {
	mail_sink *put;
	void *arg;
	struct buf begun;
};
void mail_sink_lines(void *arg, struct str piece);
void mail_lines_end(struct mail_lines *l);

/* ---- charsets ---- */

/*
 * Append bytes said to be in charset (NULL: not said) as UTF-8. The charset is believed
 * when it exists and fits; Latin-1 and ASCII are not when the bytes are UTF-8 beyond
 * ASCII. Else the bytes are UTF-8 if that fits, else Latin-1, and never lost. Returns
 * TEXT_ flags.
 */
unsigned charset_text(const char *charset, struct str bytes, struct buf *out);

#endif
