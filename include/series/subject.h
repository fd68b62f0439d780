/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * subject.h - what the subject of a mail says: "Re: [RFC PATCH mm v2 03/12] TITLE".
 *
 * There is no format: git-format-patch(1) writes one shape of it, people and lists write
 * some thousand others ("[PATCH v6,19/24]", "[PATCH1/8]", "[list] [PATCH [RFC] v1 x/n]",
 * "v5.1", a bracket that never ends). All groups in brackets in front of the title are
 * read; words that say nothing of these are kept.
 */
#ifndef SERIES_SUBJECT_H
#define SERIES_SUBJECT_H

#include "series/buf.h"
#include "series/str.h"
#include "series/strvec.h"

struct subject {
	bool reply;	     /* "Re:", "Fwd:", "AW:" in front */
	bool patch;	     /* PATCH, or a version, or RFC or RESEND with k/n */
	bool rfc, resend;    /* and that */
	bool versioned;	     /* a version is named */
	int version;	     /* 1 when none is named */
	int minor;	     /* of "v5.1", or 1 of "v5a"; 0: none */
	bool lettered;	     /* "v5a" */
	bool counted;	     /* "k/n" */
	int n, total;	     /* k and n */
	struct strvec words; /* what else stands in the brackets: "mm", "net-next" */
	char *title;	     /* behind the brackets, on one line; "" when there is none */
};

/* text: a subject that is decoded, on one line (field_text()). Never fails. */
void subject_read(struct str text, struct subject *ret);
void subject_release(struct subject *s);
/* "v2", "v5.1", "RFC v1", "v1 RESEND": how people name it. Appended to *out. */
void subject_label(const struct subject *s, struct buf *out);
/* Are these titles of one patch or cover, white space and letter case apart? */
bool title_same(const char *a, const char *b);

#endif
