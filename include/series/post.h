/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * post.h - a posting: who gets it, what it says, and getting it there.
 *
 * post_prepare() makes the mails from the draft, or of a version that is posted again, and
 * finds what speaks against sending them; it writes nothing. post_start() puts them into the outbox and claims the version;
 * post_deliver() hands them to the server and can be called again until nothing is left.
 */
#ifndef SERIES_POST_H
#define SERIES_POST_H

#include <stdbool.h>
#include "series/addr.h"
#include "series/finding.h"
#include "series/lock.h"
#include "series/outbox.h"
#include "series/recipients.h"

struct fix;

struct post_opts {
	const struct strvec *to, *cc;
	bool rfc;
	const struct strvec *prefixes; /* instead of the series' own; NULL: those */
	int version;		/* 0: the draft's number */
	const char *resend;	/* post this version ("v2") again; "": the last; NULL: the draft */
	bool reflect;		/* only to the sender; To: and Cc: as they will be */
	const struct strvec *preview; /* only to these, in To: as well; NULL or none: no */
	bool no_signature;
	const char *in_reply_to; /* Message-ID, with or without <>; NULL */
	bool allow_emulated;
	struct fix *fix;	/* post this instead of the draft (fixup.h); NULL */
	const char *message;	/* what the fix's mail says */
	bool keep_dates;	/* the patches' Date: is their author's, as format-patch has it */
};

struct post {
	struct addr from;	/* who sends */
	char *prefix;		/* "PATCH mm v2" */
	char *base_name;	/* "mm-unstable" or NULL */
	struct recipients to;
	struct findings findings;
	struct outbox *outbox;	/* in memory: mails, version document, sender */
};

/*
 * Make the mails; of the draft when series_find_patches() was called, which a resend does
 * not need. With reflect or preview the outbox is a rehearsal: it goes the same way, but
 * the state never hears of it. Errors are those of git and of settings; what is wrong with the series
 * itself goes to findings (no recipients, no cover, messages that git am would cut,
 * stale or emulated tables). With findings of severity error there may be no mails.
 */
int post_prepare(struct series *s, const struct config *c, const struct post_opts *o,
		 struct post **ret, struct err *err);
void post_free(struct post *p);
void post_freep(struct post **p);
#define _cleanup_post_ __attribute__((cleanup(post_freep)))

/* A value of sendemail.IDENTITY.KEY, else sendemail.KEY; NULL. */
const char *sendemail_get(const struct config *c, const char *key);
/* All values of the identity's key if it has any, else of the plain one; *ret_key says which. */
void sendemail_get_all(const struct config *c, const char *key, struct strvec *ret,
		       char **ret_key);

/* Only one process at a time sends a series; E_LOCKED names the other. */
int post_lock(const struct series *s, struct lock *l, struct err *err);
/*
 * Outbox written, version claimed: state commit "sending vN" and refs/series/NAME/vN. The
 * settings of the server are looked at before anything is written.
 */
int post_start(struct series *s, const struct config *c, struct outbox *o, struct err *err);

struct delivery {
	size_t sent;		/* accepted in this run */
	struct strvec refused;	/* copies the server did not take: "a@x: 550 ..." */
};

void delivery_release(struct delivery *d);

struct delivery_opts {
	const char *unsure;	/* "skip", "resend"; NULL: stop at mails that may have arrived */
	/*
	 * Addresses that get no copy, though the mails name them: the envelope alone
	 * changes. May be NULL. One that is no recipient is E_USAGE.
	 */
	const struct strvec *skip_rcpt;
};

/*
 * Send what is not accepted yet, in order, and end the posting when nothing is left: state
 * "sent", the mails stored in the state, the outbox removed. E_UNSURE names the mails that may have arrived and what to do; E_FAIL the mail and
 * the server's words, E_INTR. After every error the same call goes on; if nothing had left
 * this machine the posting is undone first and the version is free again.
 */
int post_deliver(struct series *s, const struct config *c, struct outbox *o,
		 const struct delivery_opts *how, struct delivery *ret, struct err *err);
/* Remove the rehearsal that a killed process left behind; none is no error. */
int post_drop_rehearsal(const struct series *s, struct err *err);
/* Leave the rest unsent: the version stays "partial", the outbox goes. An untouched one is undone. */
int post_give_up(struct series *s, struct outbox *o, struct err *err);

#endif
