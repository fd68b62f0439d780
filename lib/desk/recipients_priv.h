/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recipients_priv.h - what the files about recipients share.
 */
#ifndef SERIES_RECIPIENTS_PRIV_H
#define SERIES_RECIPIENTS_PRIV_H

#include "series/alias.h"
#include "series/recipients.h"
#include "series/reviewdoc.h"

enum side { SIDE_TO, SIDE_CC, SIDE_BCC };

#define BY_HAND "added by hand"

/*
 * One address with a reason. To wins over Cc and Cc over Bcc: who is on such a list
 * already gets the reason there and is not added.
 */
void recipients_add(struct recipients *r, enum side side, const struct addr *a,
		    const char *why);
/* The reasons of an address on a side, or NULL. */
struct strvec *recipients_why(struct recipients *r, enum side side, const char *email);
/* Take an address off a side; false when it is not there. */
bool recipients_remove(struct recipients *r, enum side side, const char *email);

/* The series' own lists as the state has them (recipients_own.c). */
struct own {
	struct recipients r;
	struct strvec dropped;
};

void own_release(struct own *o);
#define _cleanup_own_ __attribute__((cleanup(own_release)))
int own_read(const struct series *s, struct own *ret, struct err *err);
/* Read, change and write them in one state commit; none when nothing changed. */
int own_update(struct series *s, int (*change)(struct own *o, void *arg, struct err *err),
	       void *arg, const char *message, struct err *err);
bool own_is_dropped(const struct own *o, const char *email);

/* sendemail.aliasesFile in full (recipients_conf.c). */
int conf_aliases(const struct config *c, struct aliases *ret, struct err *err);

/* Whom git send-email would leave out. */
struct suppress {
	bool self, author, cc, bodycc, sob, misc_by, cccmd;
	char *me; /* address that self is about */
};
int conf_suppress(const struct config *c, struct suppress *ret, struct err *err);
void suppress_release(struct suppress *s);
#define _cleanup_suppress_ __attribute__((cleanup(suppress_release)))

/* The patches of the draft as files of git format-patch in a directory of their own. */
struct patch_files {
	char *dir;
	struct strvec paths;
};

int patch_files_make(const struct series *s, struct patch_files *ret, struct err *err);
/* Removes them. */
void patch_files_release(struct patch_files *p);
#define _cleanup_patch_files_ __attribute__((cleanup(patch_files_release)))

/*
 * Run a command of the user's own configuration by the shell, as git does: with the file
 * as its last argument, or (on_stdin) as its standard input. *ret_out gets what it
 * prints.
 */
int user_cmd_run(const struct series *s, const char *key, const char *cmd,
		 const char *file, bool on_stdin, struct buf *ret_out, struct err *err);

/* Who the base's get_maintainer.pl names for the patches (maintainers.c). */
int maintainers_find(const struct series *s, const struct patch_files *p,
		     struct recipients *found, struct strvec *notes, struct err *err);
/* People named in the commits of the draft (recipients_trailers.c). */
int trailers_find(const struct series *s, const struct suppress *q,
		  struct recipients *found, struct strvec *notes, struct err *err);
/* Authors of remarks, and of tags that they sent themselves (recipients_review.c), as Cc
 * with "commented on v1". */
void commenters_find(const struct review *r, struct recipients *found);

#endif
