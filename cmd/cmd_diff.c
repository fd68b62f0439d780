// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series diff: two versions side by side, patch by patch.
 */
#include <string.h>

#include "diff_mails.h"
#include "series/compare.h"
#include "series/mem.h"

struct diff_opts {
	bool summary, offline;
	int creation;
};

#define GREEN  "32"
#define RED    "31"
#define YELLOW "33"
#define CYAN   "36"

static const char marks[] = "=!<>";
static const char *const mark_colors[] = { NULL, YELLOW, RED, GREEN };

/* "v1 -> the branch: 3 unchanged, 1 changed, 1 moved" */
static void put_head(struct out *o, const struct comparison *c)
{
	const char *sep = ": ";

	out_foreign(o, str_c(c->from.name));
	out_puts(o, " -> ");
	out_foreign(o, str_c(c->to.name));
	for (size_t i = 0; i < 4; i++)
		if (c->counts[i]) {
			out_printf(o, "%s%zu %s", sep, c->counts[i], range_mark_name(i));
			sep = ", ";
		}
	if (c->moved)
		out_printf(o, "%s%zu moved", sep, c->moved);
	out_puts(o, c->n ? "\n" : ": no patches in either\n");
}

static void put_number(struct buf *b, size_t n, int width)
{
	if (n)
		buf_printf(b, "%*zu", width, n);
	else
		buf_printf(b, "%*s", width, "-");
}

/* "changed, moved, retitled"; "message" when only the words changed. */
static void what_changed(const struct compared *p, struct buf *b)
{
	if (p->pair->mark == RANGE_CHANGED && !p->code_changed)
		buf_puts(b, "same code");
	else
		buf_puts(b, range_mark_name(p->pair->mark));
	if (p->pair->moved)
		buf_puts(b, ", moved");
}

/* " 2 ! 3  changed, moved     mm: title (was: mm: other title)" */
static void put_row(struct out *o, const struct compared *p, int width, int word_width)
{
	struct buf head _cleanup_buf_ = BUF_INIT, what _cleanup_buf_ = BUF_INIT;

	put_number(&head, p->pair->from, width);
	buf_printf(&head, " %c ", marks[p->pair->mark]);
	put_number(&head, p->pair->to, width);
	what_changed(p, &what);
	buf_printf(&head, "  %-*s  ", word_width, buf_cstr(&what));
	if (mark_colors[p->pair->mark])
		out_color(o, mark_colors[p->pair->mark], "%s", buf_cstr(&head));
	else
		out_puts(o, buf_cstr(&head));
	out_foreign(o, str_c(p->to_subject ? p->to_subject : p->from_subject));
	if (p->retitled) {
		out_puts(o, " (was: ");
		out_foreign(o, str_c(p->from_subject));
		out_puts(o, ")");
	}
	out_puts(o, "\n");
}

/*
 * A line of a diff of two patches: the first sign is what changed between the versions,
 * the second what the patch itself does.
 */
static const char *line_color(struct str line)
{
	if (line.len < 5)
		return NULL;
	if (!strncmp(line.p + 4, "@@", 2))
		return CYAN;
	return line.p[4] == '+' ? GREEN : line.p[4] == '-' ? RED : NULL;
}

static void put_body(struct out *o, struct str body)
{
	struct str line;

	while (str_line(&body, &line)) {
		const char *color = line_color(line);

		if (color)
			out_color(o, color, STR_FMT, STR_ARG(line));
		else
			out_foreign(o, line);
		out_puts(o, "\n");
	}
}

static int digits(size_t n)
{
	return n > 999 ? 4 : n > 99 ? 3 : n > 9 ? 2 : 1;
}

static void print(struct out *o, const struct comparison *c, const struct strvec *notes,
		  bool summary)
{
	int width = digits(c->n), words = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct buf what _cleanup_buf_ = BUF_INIT;

		what_changed(&c->v[i], &what);
		words = MAX(words, (int)what.len);
	}
	put_head(o, c);
	for (size_t i = 0; i < notes->n; i++) {
		out_foreign(o, str_c(notes->v[i]));
		out_puts(o, "\n");
	}
	for (size_t i = 0; i < c->n; i++) {
		put_row(o, &c->v[i], width, words);
		if (!summary)
			put_body(o, c->v[i].pair->body);
	}
}

static bool any_mails(const struct strvec *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (diff_is_mails(args->v[i]))
			return true;
	return false;
}

static int compare(struct ctx *c, const struct diff_opts *q, const struct strvec *args,
		   struct comparison *ret, struct strvec *notes, struct err *err)
{
	struct side from _cleanup_(side_release) = { 0 },
			 to _cleanup_(side_release) = { 0 };
	int rc;

	if (any_mails(args))
		return diff_mails(c, args, q->offline, q->creation, ret, notes, err);
	rc = sides_choose(c->series, c->config, args, &from, &to, err);
	return rc ? rc : compare_make(c->repo, &from, &to, q->creation, ret, err);
}

static int run_diff(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct diff_opts *q = opts;
	struct comparison cmp _cleanup_comparison_ = { 0 };
	struct strvec notes _cleanup_strvec_ = STRVEC_INIT;
	int rc = compare(c, q, args, &cmp, &notes, err);

	if (rc)
		return rc;
	if (c->json) {
		c->out.json = comparison_json(&cmp, !q->summary);
		json_set_strvec(c->out.json, "notes", &notes);
	} else {
		print(&c->out, &cmp, &notes, q->summary);
	}
	return 0;
}

/* Two versions that were posted need no series, and no repository. */
static unsigned needs(const void *opts, const struct strvec *args)
{
	(void)opts;
	if (!any_mails(args))
		return 0;
	if (args->n == 2 && diff_is_mails(args->v[0]) && diff_is_mails(args->v[1]))
		return CMD_MAYBE_REPO;
	return CMD_MAYBE_REPO | CMD_DOCS | CMD_MAYBE_SERIES;
}

static const struct opt options[] = {
	{ .name = "summary",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct diff_opts, summary),
	  .help = "one line a patch, without what changed in it" },
	{ .name = "creation-factor",
	  .kind = OPT_INT,
	  .offset = offsetof(struct diff_opts, creation),
	  .arg = "PERCENT",
	  .lo = 1,
	  .hi = 100,
	  .help = "how different two patches may be and still be one (git range-diff)" },
	{ .name = "offline",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct diff_opts, offline),
	  .help = "of a MESSAGE-ID: ask no server, take what was fetched before" },
	OPT_END
};

const struct cmd cmd_diff = {
	.name = "diff",
	.group = "prepare",
	.summary = "compare two versions, or the last one and the branch",
	.synopsis = "[A [B]]",
	.about =
		"Shows which patch of A became which of B, by git range-diff, and what "
		"changed in each. A and B are versions (v3; rfc1 for one that was an RFC "
		"before v1), \"branch\" for the branch as it is, a range of commits X..Y, "
		"or what anybody posted: a Message-ID, a link, a file of mails. Without B the branch is meant; without both the last version that "
		"was posted is compared with the branch. A..B is the same as A B when "
		"both are versions or \"branch\".\n\n"
		"A row has the number of the patch in A and in B, \"=\" (unchanged), "
		"\"!\" (changed), \"<\" (dropped) or \">\" (new), and \"same code\" "
		"where only the message or the context differs. A patch that git "
		"range-diff does not pair, under its old title, counts as changed. Below "
		"a changed patch stands the difference of the two patches: the first "
		"sign of a line says what changed between the versions, the second what "
		"the patch does.\n\n"
		"Of a Message-ID or link that version is meant that the mail is of, of a "
		"file (an mbox, a Maildir, \"-\") the newest. A file alone: its last two "
		"versions, of the first series in it that has two; other versions that "
		"stand in one file are named by their Message-IDs, with --offline as they "
		"were fetched, or put into files of their own. A Message-ID alone: it and the branch, where that is a series, "
		"else the version before it and it. Posted versions are compared by what "
		"is in the mails, in a repository that is made and removed: the commits "
		"they were made from need not be here, two of them need no repository at "
		"all. What a mail lacks (a patch that is not there, a diff that is cut "
		"short, a binary file) is told below the first line.",
	.examples = "series diff\n\twhat changed since the last version\n"
		    "series diff --summary v1 v3\n\tone line a patch\n"
		    "series diff --summary thread.mbox\n\tthe last two versions in a file of "
		    "mails\n"
		    "series diff 20261130120000.1-series-v2-0@example.org\n\tthe branch and "
		    "what was posted then, by whomever\n"
		    "series diff v1.mbox v3.mbox\n\ttwo versions, each in its file\n",
	.opts = options,
	.opts_size = sizeof(struct diff_opts),
	.flags = CMD_REPO | CMD_DOCS | CMD_JSON,
	.needs = needs,
	.max_args = 2,
	.complete = "version-or-file",
	.run = run_diff,
};
