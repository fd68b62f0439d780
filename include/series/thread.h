/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread.h - mails and what they reply to.
 *
 * A thread outlives the source its mails came from: it holds the file that they are
 * views into, or copies of them. The parent of a mail is the first id of its In-Reply-To
 * that is here, else the nearest of its References that is (clients write those in any
 * order and cut them short).
 */
#ifndef SERIES_THREAD_H
#define SERIES_THREAD_H

#include "series/mailsrc.h"

struct thread_mail {
	struct mail mail;
	char *copy;	       /* what mail points into; NULL: into a source */
	char *id;	       /* Message-ID without <>; NULL if it has none */
	struct strvec parents; /* ids that may be the parent, most likely first */
	int64_t date;	       /* seconds since 1970; 0 when unreadable */
	int zone;	       /* minutes east */
	bool dated;
	size_t parent; /* index in the thread; its own when it begins one */
	int depth;
	struct buf text; /* of thread_text(), once it was asked for */
	bool has_text;
};

struct thread {
	struct thread_mail *v;
	size_t n, cap;
	size_t *order; /* n indices: each mail, then all replies to it, by date */
	struct mailsrc **sources;
	size_t n_sources, cap_sources;
};

/* Add a copy of a mail. */
void thread_add(struct thread *t, const struct mail *m);
/*
 * Add all mails of a source, copies only of a Maildir's; it may be closed then. What came
 * before an error is in the thread.
 */
int thread_read(struct thread *t, struct mailsrc *s, struct err *err);
/*
 * All mails are there: find parents, depths and the order. Of mails with one Message-ID
 * and the same text below their fields the first stays (lists deliver twice). May be
 * called again.
 */
void thread_link(struct thread *t);
/* Index of the mail with this id (the first one of two), or t->n. */
size_t thread_find(const struct thread *t, const char *id);
/*
 * The text of a mail (mail_text()). Several look at it, so the thread keeps it, unless it
 * or the thread is long: then it is made in *own. Valid as long as both.
 */
struct str thread_text(const struct thread *t, size_t index, struct buf *own);
/* Forget all mails but this one. */
void thread_keep(struct thread *t, size_t index);
void thread_release(struct thread *t);
#define _cleanup_thread_ __attribute__((cleanup(thread_release)))

#endif
