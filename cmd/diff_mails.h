/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff_mails.h - series diff of what was posted, read from mails.
 */
#ifndef CMD_DIFF_MAILS_H
#define CMD_DIFF_MAILS_H

#include "series/compare.h"
#include "source.h"

/* Does a word mean mails? A file, "-", a Message-ID or a link; not "v3" or "A..B". */
bool diff_is_mails(const char *word);
/*
 * At most two words, one of which at least means mails. Of a file its newest version, of
 * a Message-ID the version that it is of. A file alone: its last two versions, or the one
 * and the branch; a Message-ID alone: it and the branch where that is a series, else the
 * version before and it. What cannot be compared is told in *notes.
 */
int diff_mails(struct ctx *c, const struct strvec *args, bool offline, int creation,
	       struct comparison *ret, struct strvec *notes, struct err *err);

#endif
