/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox.h - mails on their way: once, or unsure and said so, never silently twice.
 *
 * <common dir>/series/outbox/ID/ holds manifest.json (version, recipients, order,
 * Message-IDs, sha256 of each mail), owner (the name of the series, should the manifest
 * be damaged), the mails and a journal. It appears whole, by a
 * rename, before the first byte goes out. The journal has records of a fixed size, each
 * with its own checksum, on space that was allocated beforehand: a full disk cannot lose
 * the word that a mail was accepted. Records per mail:
 *	try	a try begins
 *	end	the last bytes are about to be handed over
 *	ok	accepted, with the server's reply
 *	okid	the same of a server that gave the mail another Message-ID: "<ID> REPLY"
 *	fail	not accepted, with the reply or the reason
 *	skip	the user decided not to send it
 *	redo	the user decided that an unsure one is sent again
 * "try" without "end" is safe to send again; "end" without "ok" or "fail" is unsure.
 */
#ifndef SERIES_OUTBOX_H
#define SERIES_OUTBOX_H

#include <stdbool.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/series.h"
#include "series/sha256.h"

enum outbox_state { OUTBOX_TODO, OUTBOX_UNSURE, OUTBOX_OK, OUTBOX_SKIPPED };

struct outbox_mail {
	char *message_id, *subject, *file; /* "0000.eml" */
	char *new_id;		/* the Message-ID that the server gave it, NULL: ours */
	char sha256[SHA256_HEX];
	enum outbox_state state;
	bool trying;		/* its last record is a try */
	bool left;		/* it may have left this machine, whatever was decided since */
	char *reply;		/* of the last ok or fail, NULL before */
	struct buf data;	/* only between outbox_add() and outbox_write() */
};

struct journal;

struct outbox {
	char *id, *dir, *series;
	char *sender;		/* envelope address */
	struct strvec bcc;	/* more envelope addresses, which the state does not keep */
	struct strvec to, cc;	/* who gets it, when not the version's recipients */
	bool rehearsal;		/* for the sender's own eyes: the state never hears of it */
	bool restart;		/* the RFCs so far are set aside, and v1 begins again */
	bool fixup;		/* its version's last fixup goes out, not its last posting */
	struct strvec thanks;	/* ids of what was applied (taken.h), which its mail thanks for */
	struct strvec reply;	/* ids of the remarks that its one mail answers; none: a posting */
	bool loose;		/* replies to others' series: no state hears of them */
	struct version version; /* as it will be stored; its last posting is this one */
	struct outbox_mail *mails;
	size_t n_mails, cap_mails;
	struct journal *journal;
};

/* In memory; the caller fills sender and version. */
struct outbox *outbox_new(const char *series);
/* The name under which rehearsals of a series lie, which no series can have. Caller frees. */
char *outbox_rehearsal_name(const char *series);
/* The same for a reply, which waits for no posting and holds none up. */
char *outbox_reply_name(const char *series);
/* And for replies to what others posted, which are of no series at all. Static. */
const char *outbox_loose_name(void);
/* The same for thanks, which are of no series. */
#define OUTBOX_THANKS ":thanks"
/* The posting that is on its way. Borrowed. */
struct posting *outbox_posting(const struct outbox *o);
/* "v2", or "the fix for patch 3 of v2": what is on its way, in fresh memory. */
char *outbox_what(const struct outbox *o);
/* The command that goes on with it: "series send", "series remarks". */
const char *outbox_command(const struct outbox *o);
/* Display strings of those the envelope names. */
const struct strvec *outbox_to(const struct outbox *o);
const struct strvec *outbox_cc(const struct outbox *o);
void outbox_add(struct outbox *o, const char *message_id, const char *subject,
		struct str data);
/*
 * Write it all below common_dir, fsynced, and publish it by a rename. What an earlier
 * process left unpublished is removed.
 */
int outbox_write(struct outbox *o, const char *common_dir, struct err *err);
/*
 * The outbox of a series with what its journal says; E_NOTFOUND when nothing is on its
 * way, E_CORRUPT when a mail or the journal is not what was written. A damaged outbox of
 * another series is not looked at.
 */
int outbox_find(const char *common_dir, const char *series, struct outbox **ret,
		struct err *err);
/* Lock that whoever sends a series holds: path in fresh memory. */
char *outbox_lock_path(const char *common_dir, const char *series);
/* Mail k (from 0) as it was prepared, appended to *ret, its checksum compared. */
int outbox_read(const struct outbox *o, size_t k, struct buf *ret, struct err *err);
/*
 * The same as it is on the list: where the server gave mails other Message-IDs, its
 * Message-ID, In-Reply-To and References have those. It is what goes out, too: the fields
 * name the mails before it.
 */
int outbox_read_sent(const struct outbox *o, size_t k, struct buf *ret, struct err *err);
/* The server's id in place of the prepared one; id itself when there is none. Borrowed. */
const char *outbox_real_id(const struct outbox *o, const char *id);
/*
 * o->version with the ids that the mails have on the list; the posting at hand keeps the
 * prepared one in prepared_id when they differ. Release it.
 */
void outbox_real_version(const struct outbox *o, struct version *ret);
/*
 * Record that mail k was accepted under the id that the server gave it (without <>); it has
 * at most OUTBOX_ID_MAX bytes. Else like outbox_record() with REC_OK.
 */
int outbox_record_id(struct outbox *o, size_t k, const char *id, const char *reply,
		     struct err *err);
/* Longest id of outbox_record_id(), in bytes. */
#define OUTBOX_ID_MAX 200

enum outbox_record { REC_TRY, REC_END, REC_OK, REC_FAIL, REC_SKIP, REC_REDO, REC_OKID };
/*
 * Write a record, fsynced before this returns, and follow it in mails[k].state. Only
 * REC_TRY may need new space; text is cut to what a record holds.
 */
int outbox_record(struct outbox *o, enum outbox_record what, size_t k, const char *text,
		  struct err *err);
/*
 * Has no mail left this machine, nor may one have? Only then is the number of the version
 * free again: a mail that was unsure once burns it, though it is to be sent again.
 */
bool outbox_untouched(const struct outbox *o);
/* How many mails are in that state. */
size_t outbox_count(const struct outbox *o, enum outbox_state state);
/* Remove the directory; what was accepted must be stored elsewhere by then. */
int outbox_remove(struct outbox *o, struct err *err);
void outbox_free(struct outbox *o);
void outbox_freep(struct outbox **o);
#define _cleanup_outbox_ __attribute__((cleanup(outbox_freep)))

#endif
