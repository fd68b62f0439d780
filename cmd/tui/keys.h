/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.h - the one table of keys: what each does where, and its line of help. The user
 * can give an action other keys: git config series.key.ACTION KEY.
 */
#ifndef CMD_TUI_KEYS_H
#define CMD_TUI_KEYS_H

#include <stdint.h>
#include "series/buf.h"
#include "series/git.h"

enum action {
	ACT_NONE,
	/* everywhere */
	ACT_QUIT,
	ACT_HELP,
	ACT_DOWN,
	ACT_UP,
	ACT_PAGE_DOWN,
	ACT_PAGE_UP,
	ACT_FIRST,
	ACT_LAST,
	ACT_SEARCH,
	ACT_NEXT,
	ACT_PREVIOUS,
	ACT_REDRAW,
	/* the list */
	ACT_OPEN,
	ACT_LIMIT,
	ACT_SORT,
	ACT_TAG,
	ACT_TAG_PATTERN,
	ACT_UNTAG_ALL,
	ACT_NEXT_GROUP,
	ACT_SNOOZE,
	ACT_NOTE,
	ACT_FLAG,
	ACT_ASSIGN,
	ACT_REFRESH,
	/* a series */
	ACT_THREAD,
	ACT_DIFF,
	ACT_VERSION,
	ACT_SIDE_DOWN,
	ACT_SIDE_UP,
	/* mails */
	ACT_FOLD,
	ACT_NEXT_MAIL,
	ACT_PREVIOUS_MAIL,
	/* what is done with a series */
	ACT_REPLY,
	ACT_GIVE_TAG,
	ACT_APPLY,
	ACT_CHECK,
	ACT_TRY,
	ACT_BUILD,
	ACT_BENCH,
	ACT_PAGER,
	ACT_MUTT,
	ACT_BROWSER,
	ACT_COPY,
	N_ACTIONS
};

enum { IN_LIST = 1, IN_SERIES = 2, IN_PAGER = 4, IN_ALL = 7 };

/* The user's own keys; E_USAGE names an action or key that does not exist. */
int keys_load(const struct config *c, struct err *err);
/* What a key does in a place. */
enum action key_action(int32_t key, unsigned in);
/* "q, ^C" of an action, appended. */
void keys_of(enum action a, struct buf *out);
/* The help of a place, a line a key. */
void keys_help(unsigned in, struct buf *out);

#endif
