/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reviewdoc.h - what came back for a series of ours: tags and remarks, as documents of
 * its state, and whether a tag holds for the patches of the draft.
 *
 * Documents review/tags/HASH.json, review/remarks/HASH.json and review/reports/HASH.json,
 * HASH the first 16 digits of the sha256 of what makes it this one: Message-ID, type or
 * line, version, patch. A decision of the user is stored with it, and asked for once.
 */
#ifndef SERIES_REVIEWDOC_H
#define SERIES_REVIEWDOC_H

#include "series/series.h"
#include "series/tag.h"

#define REVIEW_ID 17 /* 16 digits and NUL */

enum decision { DECIDED_NOT, DECIDED_KEEP, DECIDED_DROP };

/* What the user decided about a tag for the cover, for one of its patches. */
struct tag_decision {
	size_t patch; /* of the version that the tag was given to, from 1 */
	enum decision decision;
	char *reason; /* or NULL */
};

/* What becomes of a tag when it is applied to the draft. */
enum tag_state {
	TAG_HOLDS,	 /* it is put into the commit */
	TAG_CHANGED,	 /* the code has changed since it was given */
	TAG_CONDITIONAL, /* it has a condition, or is for a part only */
	TAG_DOUBTFUL,	 /* the person is not who sent it; or type TAG_OFFERED */
	TAG_NAKED,	 /* a NAK that nobody acknowledged */
	TAG_RETRACTED,
	TAG_DROPPED, /* by a decision, or its patch is gone */
	TAG_ONLY_SHOWN,
};
/*
 * A row of a list for other programs: {id, message_id, date (ISO 8601), version, label};
 * what is the row's own is added to it.
 */
struct json *review_row_json(const char *id, const char *message_id, int64_t date,
			     int version, const char *label);
const char *tag_state_name(enum tag_state s); /* "holds", "changed", ... */

/* One tag for one patch of a version; a tag for the cover has one for the whole (0). */
struct review_tag {
	char id[REVIEW_ID];
	char *type, *line; /* line: "Reviewed-by: A B <a@example.org>", note below it */
	char *name, *email, *message_id;
	int64_t date;
	int version;  /* number of ours it was given to */
	char *label;  /* of that version: "v2", "rfc1" */
	size_t patch; /* of that version, 0: cover */
	enum tag_kind kind;
	char *condition, *scope; /* in words, or NULL */
	bool doubtful, retracted, misspelt;
	enum decision decision; /* for all patches that have none of their own */
	char *reason;		/* of the decision, or NULL */
	struct tag_decision *each;
	size_t n_each, cap_each;
};

struct review_remark {
	char id[REVIEW_ID];
	char *name, *email, *message_id, *subject;
	int64_t date;
	int version;
	char *label;
	size_t patch;
	size_t line; /* in the mail */
	char *quoted, *text, *file, *code;
	int64_t file_line; /* of the new file in that version, 0: none */
	bool question;
	char *answer;  /* Message-ID of the author's answer, or NULL */
	int done_in;   /* version in which it is done, 0: not */
	bool answered; /* the user said so, without a mail here */
	/* Of the mail, for a reply to it: mailbox lists, ids without <>, oldest first. */
	struct strvec to, cc, references;
};

/* A report of a program about a version of ours. */
struct review_report {
	char id[REVIEW_ID];
	char *robot, *summary, *message_id;
	int64_t date;
	int version;
	char *label;
	size_t patch;
	int done_in;   /* version in which the user says it is done, 0: not */
	bool answered; /* the user said that nothing is left to do */
};

struct review {
	struct review_tag *tags;
	size_t n_tags, cap_tags;
	struct review_remark *remarks;
	size_t n_remarks, cap_remarks;
	struct review_report *reports;
	size_t n_reports, cap_reports;
};

/*
 * The first 16 digits of the sha256 of these parts (a NULL among them counts as ""),
 * closed by REVIEW_ID_END. The writers below fill an id that is empty by it: a tag's is
 * of message_id, type, line, label, patch; a remark's of message_id, line, label, patch;
 * a report's of message_id, label, patch.
 */
#define REVIEW_ID_END ((const char *)-1)
void review_id(char ret[REVIEW_ID], ...);
void review_tag_id(struct review_tag *t);
void review_remark_id(struct review_remark *r);
void review_report_id(struct review_report *r);

/*
 * Digits of ids that are shown of tags, remarks and reports: 8, or as many as tell all of
 * them apart.
 */
int review_digits(const struct review *r);

/* All documents of the series' state. E_CORRUPT names the one that cannot be read. */
int review_load(const struct series *s, struct review *ret, struct err *err);
/* The same without those that cannot be read: bad takes the message about each. */
int review_load_good(const struct series *s, struct review *ret, struct strvec *bad,
		     struct err *err);
/* All of them, but the tags alone. */
int review_load_tags(const struct series *s, struct review *ret, struct err *err);
void review_release(struct review *r);
#define _cleanup_review_ __attribute__((cleanup(review_release)))
void review_tag_release(struct review_tag *t);
/* What holds for a patch of the tag's version (0: for all); the reason borrowed or NULL.
 */
enum decision tag_decision(const struct review_tag *t, size_t patch,
			   const char **ret_reason);
/* Decide for a patch of its version; 0: for all, and what was said of single ones goes.
 */
void tag_decide(struct review_tag *t, size_t patch, enum decision d, const char *reason);
void tag_copy_decisions(const struct review_tag *from, struct review_tag *to);
void review_remark_release(struct review_remark *r);
void review_report_release(struct review_report *r);

/* Tags by what they say; of patches or of people, as whoever counts has it. */
struct tag_counts {
	size_t reviewed, acked, tested;
	size_t doubtful; /* for the user to decide */
	size_t naks;
};
/* The count of tags of this type; NULL: of none of those three. */
size_t *tag_counts_of(struct tag_counts *c, const char *type);
/* "R2 A1 T1 ?1 N1", nothing for what is 0. Appended to *out. */
void tag_counts_show(const struct tag_counts *c, struct buf *out);
/*
 * People by type, over all versions and patches. What was dropped or taken back does not
 * count; a condition, a scope, another sender is doubtful until the user decides. Nothing
 * is compared with the draft, as tags_judge() does, so that this costs next to nothing.
 */
void review_count_tags(const struct review *r, struct tag_counts *ret);

/* Put a document, new or in place of the one with its id, into a transaction. */
struct store;
void review_put_tag(struct store *s, const struct review_tag *t);
void review_put_remark(struct store *s, const struct review_remark *r);
void review_put_report(struct store *s, const struct review_report *r);

/* Open: nobody answered it and it is not done. */
bool remark_is_open(const struct review_remark *r);
/*
 * Is the remark of a mail with a NAK? open: with one that nobody took back or acknowledged,
 * and which stands for all that its mail says.
 */
bool remark_of_nak(const struct review *r, const struct review_remark *m, bool open);
/* "open", "answered", "done in v3". Appended to *out. */
void remark_state(const struct review_remark *r, struct buf *out);
/*
 * A robot says the same again of the next version: of the same robot, with the same words
 * but for the numbers of lines. What was said of one goes for those of its version and
 * before, "done in v3" for all before v3.
 */
bool report_same(const struct review_report *a, const struct review_report *b);
/* Both reports are those of r itself, not copies. */
bool report_is_open(const struct review *r, const struct review_report *p);
void report_state(const struct review *r, const struct review_report *p, struct buf *out);
/* A later one says the same, and stands for it. */
bool report_repeated(const struct review *r, const struct review_report *p);
/* Open ones, each that came again counted once. */
size_t reports_open(const struct review *r);

/*
 * The remark or the report whose id begins like this, the other is NULL. E_NOTFOUND;
 * E_USAGE when several do. Borrowed.
 */
int review_find(const struct review *r, const char *id,
		const struct review_remark **ret_remark,
		const struct review_report **ret_report, struct err *err);

/* What is said of a remark or a report from now on. */
struct remark_word {
	bool forget;	    /* first: what a person said of it so far */
	const char *answer; /* Message-ID of a reply of the user's; NULL: as it was */
	bool answered;	    /* said to be, without a mail here */
	int done_in;	    /* version, 0: as it was */
};
/* The document as the transaction sees it, changed. E_NOTFOUND: there is none. */
int review_say(struct store *t, const char *id, const struct remark_word *w,
	       struct err *err);

#endif
