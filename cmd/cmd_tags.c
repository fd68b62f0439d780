// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series tags: what reviewers gave, whether it still holds, and into the commits with it.
 */
#include <stdlib.h>

#include "ask.h"
#include "series/mem.h"
#include "tags_ask.h"
#include "tags_print.h"

struct tags_opts {
	bool apply, undo;
	struct tag_wishes wishes;
};

static int judge(struct ctx *c, struct review *r, struct judged *j, struct err *err)
{
	int rc;

	judged_release(j);
	review_release(r);
	rc = review_load(c->series, r, err);
	return rc ? rc : tags_judge(c->series, c->config, r, j, err);
}

static int apply(struct ctx *c, struct review *r, struct judged *j,
		 struct tags_applied *done, struct err *err)
{
	size_t n = c->series->n_patches;
	struct tag_lines *lines;
	bool decided = false;
	int rc = ask_possible() ? tags_ask(c, j, &decided, err) : 0;

	if (!rc && decided)
		rc = judge(c, r, j, err);
	if (rc)
		return rc;
	lines = xcalloc(n + 1, sizeof(*lines));
	for (size_t i = 0; i < j->n; i++) {
		const struct judged_tag *e = &j->v[i];

		if (judged_is_ready(e))
			strvec_push(&lines[e->patch - 1].add, e->tag->line);
		else if (judged_is_stale(e))
			strvec_push(&lines[e->patch - 1].remove, e->tag->line);
	}
	rc = tags_apply(c->series, c->config, lines, done, err);
	for (size_t i = 0; i < n; i++) {
		strvec_release(&lines[i].add);
		strvec_release(&lines[i].remove);
	}
	free(lines);
	return rc;
}

static struct json *tags_json(const struct series *s, const struct judged *j,
			      const struct tags_applied *done)
{
	struct json *o = json_obj(), *arr = json_arr();

	json_set_int(o, "schema", 1);
	json_set_str(o, "name", s->name);
	for (size_t i = 0; i < s->n_patches; i++) {
		struct json *p = json_obj();

		json_set_int(p, "n", s->patches[i].n);
		json_set_str(p, "commit", s->patches[i].commit);
		json_set_str(p, "subject", s->patches[i].subject);
		json_set(p, "tags", judged_json(j, i + 1));
		json_push(arr, p);
	}
	json_set(o, "patches", arr);
	json_set(o, "others", judged_json(j, 0));
	if (done) {
		json_set_int(o, "added", (int64_t)done->added);
		json_set_int(o, "removed", (int64_t)done->removed);
		json_set_int(o, "signatures_lost", (int64_t)done->signed_lost);
		json_set_str(o, "old_head", done->old_head);
		json_set_str(o, "head", done->head);
	}
	return o;
}

static int undo(struct ctx *c, struct err *err)
{
	struct tags_applied done = { .added = 0 };
	int rc = tags_undo(c->series, &done, err);

	if (rc)
		return rc;
	if (c->json) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set_str(c->out.json, "old_head", done.old_head);
		json_set_str(c->out.json, "head", done.head);
	} else {
		out_printf(&c->out, "branch %s is at %.12s again (it was at %.12s)\n",
			   c->series->branch, done.head, done.old_head);
	}
	return 0;
}

static int run_tags(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct tags_opts *o = opts;
	struct review r _cleanup_review_ = { .n_tags = 0 };
	struct judged j _cleanup_judged_ = { NULL };
	struct tags_applied done = { .added = 0 };
	bool wishes = o->wishes.keep.n || o->wishes.drop.n;
	int rc;

	if (o->undo && (o->apply || wishes))
		return err_set(err, E_USAGE, "--undo stands alone");
	if (o->wishes.reason && !wishes)
		return err_set(err, E_USAGE, "--reason belongs to --keep or --drop");
	if (o->undo)
		return undo(c, err);
	rc = wishes ? tags_decide(c->series, c->config, &o->wishes, err) : 0;
	if (!rc)
		rc = judge(c, &r, &j, err);
	if (!rc && o->apply)
		rc = apply(c, &r, &j, &done, err);
	if (rc)
		return rc;
	if (c->json)
		c->out.json = tags_json(c->series, &j, o->apply ? &done : NULL);
	else if (o->apply)
		tags_print_applied(c, &r, &j, &done);
	else
		tags_print(c, &r, &j);
	return 0;
}

static const struct opt options[] = {
	{ .name = "apply",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct tags_opts, apply),
	  .help = "write the tags that hold into the commits' messages",
	  .also = "write amend update trailers" },
	{ .name = "keep",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct tags_opts, wishes.keep),
	  .arg = "ID",
	  .complete = "tag",
	  .help = "this tag holds, whatever changed; ID:N: for patch N alone",
	  .also = "accept take" },
	{ .name = "drop",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct tags_opts, wishes.drop),
	  .arg = "ID",
	  .complete = "tag",
	  .help = "this tag does not hold; of a NAK, with --reason: it is acknowledged; "
		  "ID:N: "
		  "for patch N",
	  .also = "reject remove acknowledge ignore" },
	{ .name = "reason",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct tags_opts, wishes.reason),
	  .arg = "TEXT",
	  .help = "why, kept with the decision",
	  .also = "because message" },
	{ .name = "undo",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct tags_opts, undo),
	  .help = "take the tags of the last --apply out again",
	  .also = "revert restore" },
	OPT_END,
};

const struct cmd cmd_tags = {
	.name = "tags",
	.group = "follow",
	.summary = "what reviewers gave, whether it holds, and into the commits with it",
	.synopsis = "",
	.about =
		"Lists the tags that \"series update\" found in replies to any posted "
		"version, by patch of the branch, with what has become of each. "
		"\"holds\": "
		"the patch is what it was, or only its context, comments or message "
		"changed. "
		"\"changed\": its code changed since; of a Tested-by: any code of the "
		"series. "
		"\"conditional\": there is a condition in the mail, or it is for a part. "
		"\"doubtful\": the mail is of somebody else than the person, or it is a "
		"Reported-by or Suggested-by. \"nak\": somebody is against it. A tag for "
		"the cover letter counts for every patch that was in that version, and a "
		"person once per patch.\n\n"
		"--apply puts those that hold into the commits, in front of the sender's "
		"Signed-off-by, in the order they came (series.tags.trailer-order or "
		"b4.trailer-order: patterns with commas between, as b4 has them). What "
		"is "
		"there already is not doubled. Only messages change: trees and authors "
		"stay, "
		"the work tree and the index are not touched. It asks about those that "
		"changed, with the difference, and remembers the answer; without a "
		"terminal "
		"they are left out and listed (series.tags.changed is ask, keep or "
		"drop). What was dropped or taken back and is in a commit goes out of "
		"it. "
		"While a rebase, merge, am, cherry-pick or revert goes on it refuses. "
		"--undo "
		"brings back the branch as it was before, as long as it has not moved "
		"since.\n\n"
		"A decision is about patches: --drop ID is for all that the tag was "
		"given "
		"to, --keep ID for those for which it does not hold by itself, ID:N for "
		"patch N of the branch alone. An answer to a question is for the patch "
		"that was asked about; a Tested-by is asked about once for all.\n\n"
		"In --json \"state\" is one of holds, changed, conditional (a decision "
		"makes it hold) and refused (a NAK, taken back, dropped, or never taken "
		"from a reply); \"detail\" is the word of the list.",
	.examples = "series update && series tags\n"
		    "\tWhat came, and whether it holds\n"
		    "series tags --apply\n"
		    "\tPut what holds into the commits\n"
		    "series tags --keep 1f56097a --reason 'only a rename'\n"
		    "\tThis one holds all the same\n"
		    "series tags --drop 1f56097a:3\n"
		    "\tA tag for the cover that is none of patch 3\n",
	.opts = options,
	.opts_size = sizeof(struct tags_opts),
	.flags = CMD_SERIES | CMD_JSON,
	.run = run_tags,
};
