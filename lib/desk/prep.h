/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prep.h - what post.c and its parts work with while they make the mails of a posting.
 */
#ifndef SERIES_PREP_H
#define SERIES_PREP_H

#include "letter.h"
#include "series/fixup.h"
#include "series/post.h"

struct prep {
	struct series *s;
	const struct config *c;
	const struct post_opts *o;
	struct post *p;
	struct patchset patches;
	struct cover cover;
	struct changes changes;
	struct patchnotes notes;
	bool has_cover;		     /* the user wrote one */
	bool deep;		     /* each mail replies to the one before it */
	const struct version *again; /* a resend: of this version; else NULL */
	char *in_reply_to, *cover_id;
	char *random;
	int64_t now;
};

/* Who sends, to p->from; and the envelope's address. */
int prep_sender(struct prep *q, struct err *err);
int prep_envelope(struct prep *q, struct err *err);
/* --in-reply-to without its brackets, to in_reply_to; nothing when it is not given. */
int prep_reply_id(struct prep *q, struct err *err);
/* To and Cc as the mails show them, to the lists of a document; Bcc to the outbox. */
void prep_show_recipients(struct prep *q, struct strvec *to, struct strvec *cc);
/* Settings of git's that do not hold here: a warning each. */
void prep_settings(struct prep *q);
/* Who looks at the mails beforehand, to p->to; nothing when nobody is named. */
int prep_preview(struct prep *q, struct err *err);
/* What to do about a fault in a fix, whose commit is in no branch. */
#define FIX_REMEDY "correct it in the branch: the patch, or its fixup! commit"
/* The mail of a fix: the whole of post_prepare(). */
int fixup_prepare(struct prep *q, struct err *err);

/* Number of the draft to *ret: the one asked for, if it may be. Sets outbox->restart. */
int choose_version(struct prep *q, int *ret, struct err *err);
/* E_USAGE when this cannot stand in a subject, as it is and between brackets. */
int prep_check_prefix(const char *prefix, struct err *err);
/* What stands in the brackets, without k/n; E_USAGE when it cannot stand there. */
int make_prefix(struct prep *q, int version, struct err *err);

/* The version to post again, to q->again. */
int resend_choose(struct prep *q, struct err *err);
/* "RESEND PATCH mm v2". */
char *resend_prefix(const struct version *v);
/* Who got the version and would not get it again: a warning each. */
void resend_check_recipients(struct prep *q);
/* Fixes were posted for it, which the version has not: a warning. */
void resend_check_fixes(struct prep *q);
/* Title and text of the cover letter as they went out, to q->cover. */
int resend_cover(struct prep *q, struct err *err);
/*
 * Body of patch i as it went out: the message of the commit, and from "---" on what the
 * stored mail says; made anew where no mail was stored.
 */
int resend_patch(const struct prep *q, const struct letter *l, size_t i, struct buf *out,
		 struct err *err);

#endif
