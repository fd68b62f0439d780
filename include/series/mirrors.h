/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mirrors.h - local copies of mailing lists, and their indexes, by name.
 *
 * A mirror is $XDG_DATA_HOME/series/mirrors/NAME/: config.json (where it comes from) and
 * git/N.git, as public-inbox has them; see mirror.h. Its index is listindex_path(NAME).
 * git fetches, one at a time (E_LOCKED: another process is at it).
 */
#ifndef SERIES_MIRRORS_H
#define SERIES_MIRRORS_H

#include <stdint.h>
#include "series/err.h"
#include "series/listindex.h"
#include "series/strvec.h"

struct mirror_conf {
	char *name, *dir;
	char *source;  /* a URL, or a whole path: of a mirror, an epoch, a git bundle */
	char *form;    /* below source: "%d", "git/%d.git"; "": source is the one epoch */
	int64_t since; /* older mails are left out; 0: none are */
};

void mirror_conf_release(struct mirror_conf *m);
#define _cleanup_mirror_conf_ __attribute__((cleanup(mirror_conf_release)))
/* Names of all mirrors, sorted. */
int mirrors_names(struct strvec *ret, struct err *err);
/* E_NOTFOUND names those that there are. */
int mirrors_load(const char *name, struct mirror_conf *ret, struct err *err);

/* What an update brought. */
struct mirrored {
	size_t epochs;
	struct listindex_updated index;
	char *anew;	      /* why the index was made anew, or NULL */
	size_t mails, series; /* in the index now */
};

void mirrored_release(struct mirrored *m);
#define _cleanup_mirrored_ __attribute__((cleanup(mirrored_release)))
/*
 * Make a mirror, fetch and index it. since: a date as git knows them ("2 months ago"), or
 * NULL. E_USAGE: name or date is none; E_EXISTS. What fails before anything was fetched
 * leaves nothing behind; what is interrupted later goes on with mirrors_update().
 */
int mirrors_add(const char *name, const char *source, const char *since,
		struct mirrored *ret, struct err *err);
/* Fetch what is new, new epochs too, and bring the index up to it. */
int mirrors_update(const char *name, struct mirrored *ret, struct err *err);
/* Remove mirror and index. */
int mirrors_drop(const char *name, struct err *err);

/*
 * Add the mails of the series that a mail is of, its versions in other threads too, from the
 * first mirror that has it; then thread_link(). *ret_name says which. E_NOTFOUND: none has.
 */
int mirrors_thread(const char *id, struct thread *ret, char **ret_name, struct err *err);

struct mirror_state {
	size_t epochs, mails, series;
	int64_t bytes;	 /* on disk, index included */
	int64_t updated; /* when the index was last brought up; 0: never */
};

int mirrors_look(const struct mirror_conf *m, struct mirror_state *ret, struct err *err);

#endif
