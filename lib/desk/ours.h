/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ours.h - the mails of a series of ours among those of threads.
 */
#ifndef DESK_OURS_H
#define DESK_OURS_H

#include "series/posted.h"
#include "series/series.h"

/*
 * Add those of the mails that were sent and are not in the thread, from the state:
 * replies then find what they speak of, whatever the archive lost. thread_link() is
 * called.
 */
int ours_add(struct series *s, struct thread *t, struct err *err);
/*
 * Our versions as a struct posted, placed by the Message-IDs that their documents have:
 * version i is s->versions[i], with the mails of resends and fixes, too. Whatever else
 * was posted in these threads is PLACE_OTHER. Free with posted_release().
 */
void ours_place(const struct series *s, const struct thread *t, struct posted *ret);
/* Every Message-ID under which something of the series was posted. */
void ours_ids(const struct series *s, struct strvec *ret);

#endif
