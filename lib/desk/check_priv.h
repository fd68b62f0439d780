/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_priv.h - what the checks have to work with, one function each (check_NAME.c).
 *
 * A check looks and says what it found with check_add(); it need not know whether it is
 * switched off. It returns an error only when it could not look.
 */
#ifndef SERIES_CHECK_PRIV_H
#define SERIES_CHECK_PRIV_H

#include "series/check.h"
#include "series/mem.h"
#include "series/status.h"
#include "series/trailer.h"

struct check_ctx {
	struct series *s;
	const struct config *c;
	struct post *p;
	bool again; /* a version is posted once more */
	bool read;  /* others posted it: no series, base nor head, commits are mails */
	char base[OID_HEX], head[OID_HEX]; /* "" when there is nothing to send */
	struct commit *commits; /* base..head, as the mails have them; at least one */
	size_t n;
	struct status *status; /* check_status() */
	struct checks *all;
};

/*
 * What can be said of mails that others posted, commits made from them; p has the sender,
 * and patches with patch-ids in its outbox's version. As check_posting().
 */
int check_read(struct post *p, struct commit *commits, size_t n, const struct config *c,
	       const struct strvec *only, struct checks *ret, struct err *err);
/* Say what was found; where and remedy may be NULL. */
void check_add(struct check_ctx *x, const char *id, const char *where, const char *remedy,
	       const char *message, ...) __attribute__((format(printf, 5, 6)));
/* Is it looked for at all? */
bool check_wanted(const struct check_ctx *x, const char *id);
/* "patch 2/3 'SUBJECT'" in fresh memory. */
char *check_where(const struct check_ctx *x, size_t i);
/* remedy_rebase() for commit i. */
char *check_rebase(const struct check_ctx *x, size_t i, const char *command);
/* Where the series stands, made once. */
int check_status(struct check_ctx *x, const struct status **ret, struct err *err);
/* A commit for git rebase --autosquash, which goes away. */
bool check_is_fixup(const struct commit *c);

int check_am(struct check_ctx *x, struct err *err);
int check_base(struct check_ctx *x, struct err *err);
int check_body(struct check_ctx *x, struct err *err);
int check_build(struct check_ctx *x, struct err *err);
int check_changelog(struct check_ctx *x, struct err *err);
int check_checkpatch(struct check_ctx *x, struct err *err);
int check_codeveloped(struct check_ctx *x, struct err *err);
int check_control(struct check_ctx *x, struct err *err);
int check_days(struct check_ctx *x, struct err *err);
int check_duplicate(struct check_ctx *x, struct err *err);
int check_fixes(struct check_ctx *x, struct err *err);
int check_leftover(struct check_ctx *x, struct err *err);
int check_outbox(struct check_ctx *x, struct err *err);
int check_prefix(struct check_ctx *x, struct err *err);
int check_queue(struct check_ctx *x, struct err *err);
int check_recipients(struct check_ctx *x, struct err *err);
int check_remarks(struct check_ctx *x, struct err *err);
int check_reported(struct check_ctx *x, struct err *err);
int check_signoff(struct check_ctx *x, struct err *err);
int check_subject(struct check_ctx *x, struct err *err);
int check_tags(struct check_ctx *x, struct err *err);
int check_trailers(struct check_ctx *x, struct err *err);
int check_whitespace(struct check_ctx *x, struct err *err);
int check_width(struct check_ctx *x, struct err *err);

#endif
