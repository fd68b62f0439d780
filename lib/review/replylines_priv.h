/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replylines_priv.h - the parts of lines_read().
 */
#ifndef SERIES_REVIEW_REPLYLINES_PRIV_H
#define SERIES_REVIEW_REPLYLINES_PRIV_H

#include "replylines.h"

/* Nothing but a sign that something was left out? s: trimmed. */
bool line_is_cut(struct str s);
/* "On DATE, NAME wrote:" in up to four lines; those that a mail client put in. */
void lines_mark_intros(struct lines *l);

#endif
