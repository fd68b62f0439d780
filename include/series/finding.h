/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding.h - something a person should look at before going on.
 *
 * Errors stop "send", warnings make it ask. The list owns all strings; id is a short name
 * in lower case that settings and scripts can rely on ("cover-missing").
 */
#ifndef SERIES_FINDING_H
#define SERIES_FINDING_H

#include <stddef.h>
#include "series/json.h"

enum severity { SEVERITY_WARNING, SEVERITY_ERROR };
const char *severity_name(enum severity s); /* "warning", "error" */

struct finding {
	char *id;
	enum severity severity;
	char *where;		/* "cover.txt:12", "patch 2/3"; "" for the whole */
	char *message, *remedy; /* remedy "" when there is none */
};

struct findings {
	struct finding *v;
	size_t n, cap;
};

#define FINDINGS_INIT { NULL, 0, 0 }

/* Append one; message is a format. remedy and where may be NULL. */
void findings_add(struct findings *f, const char *id, enum severity s, const char *where,
		  const char *remedy, const char *message, ...)
	__attribute__((format(printf, 6, 7)));
/*
 * A remedy that can be pasted into a shell, in fresh memory: rebase onto that base, and a
 * comment that says which patch (from 1) is to get which command of git rebase -i; more,
 * "" or what is done to it then, ends the comment.
 */
char *remedy_rebase(const char *base, const char *command, size_t patch,
		    const char *more);
struct series;
/* Where another branch than that of s is checked out, a rebase begins with git switch. */
void findings_on_branch(struct findings *f, const struct series *s);
/* How many have that severity. */
size_t findings_count(const struct findings *f, enum severity s);
/*
 * Text for people: "error: WHERE: MESSAGE", the remedy indented below; one remedy for
 * several findings in a row stands below the last. Not sanitised.
 */
void findings_show(const struct findings *f, struct buf *out);
/* Array of {id, severity, where, message, remedy}. */
struct json *findings_json(const struct findings *f);
void findings_release(struct findings *f);
#define _cleanup_findings_ __attribute__((cleanup(findings_release)))

#endif
