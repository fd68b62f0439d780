/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recipients.h - who gets the mails and why, and the lists that a series keeps.
 *
 * The lists stand in series.json: to[], cc[], why[] ("EMAIL: REASON", a line for each
 * reason to be on them that --auto found) and dropped[] (those that a person does not want,
 * wherever they come from). All are lists of strings, so that two machines' are united.
 */
#ifndef SERIES_RECIPIENTS_H
#define SERIES_RECIPIENTS_H

#include "series/addr.h"
#include "series/series.h"

/* Reasons, one list for each address of a list. */
struct reasons {
	struct strvec *v;
	size_t n, cap;
};

/* Who gets it, and why: why_to.v[i] says where to.v[i] came from. */
struct recipients {
	struct addrs to, cc;
	struct addrs bcc; /* of the envelope alone */
	struct reasons why_to, why_cc, why_bcc;
};

void recipients_release(struct recipients *r);
#define _cleanup_recipients_ __attribute__((cleanup(recipients_release)))
/*
 * The series' own, then --to and --cc (may be NULL), then sendemail.to/cc/bcc (of the
 * identity, as git has it), format.to/cc, b4.send-series-to/cc, the base tree's
 * .b4-config, and what sendemail.toCmd and ccCmd print for each patch. Short names of
 * sendemail.aliasesFile stand for their addresses. Each address once, To before Cc before
 * Bcc; those that were dropped only when --to or --cc names them. E_USAGE names a bad
 * address and where it stands.
 */
int recipients_collect(const struct series *s, const struct config *c,
		       const struct strvec *to, const struct strvec *cc,
		       struct recipients *ret, struct err *err);
/*
 * Who got a version, then --to and --cc as above, and sendemail.bcc: for a mail in the
 * thread of that version.
 */
int recipients_of(const struct series *s, const struct config *c, const struct version *v,
		  const struct strvec *to, const struct strvec *cc, struct recipients *ret,
		  struct err *err);
/* Is there anybody? Runs no command: with toCmd or ccCmd, or a bad setting, there may be.
 */
bool recipients_any(const struct series *s, const struct config *c);

/* Changes to the series' own lists by hand; NULL lists are empty. */
struct recipients_change {
	const struct strvec *add_to, *add_cc; /* mailbox lists, short names allowed */
	const struct strvec *drop;
};
/*
 * Make them in one state commit. A dropped one stays dropped until it is added again;
 * *ret_notes gets a line for each that says where it came from. E_NOTFOUND names one that
 * is no recipient.
 */
int recipients_edit(struct series *s, const struct config *c,
		    const struct recipients_change *what, struct strvec *ret_notes,
		    struct err *err);
/* Addresses that a person dropped. */
int recipients_dropped(const struct series *s, struct strvec *ret, struct err *err);

/* What recipients_auto() did. */
struct recipients_news {
	struct addrs added;
	struct addrs gone;    /* found earlier and not any more: still on the lists */
	struct addrs dropped; /* found, and left out because they were dropped */
	struct strvec notes;  /* what could not be looked at, a line each */
};

void recipients_news_release(struct recipients_news *n);
/*
 * Ask the base's own scripts/get_maintainer.pl, the trailers of the commits and what came
 * back for the versions, and put who is found on the series' lists with the reasons:
 * people to To, lists, those of trailers and commenters to Cc. Nobody is taken off. b4.send-auto-to-cmd and send-auto-cc-cmd of the
 * git configuration stand in for the script; sendemail.suppressCc and its like hold.
 */
int recipients_auto(struct series *s, const struct config *c, struct recipients_news *ret,
		    struct err *err);

#endif
