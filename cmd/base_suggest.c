// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * base_suggest.c - what series base --suggest found, as text and as JSON.
 */
#include "series/mem.h"
#include "base_suggest.h"

static void print_trial(struct out *o, const struct series *s, const struct base_trial *t)
{
	if (!t->files.n) {
		out_printf(o, "all %zu apply", s->n_patches);
		if (t->empty)
			out_printf(o, ", %zu of them change%s nothing there", t->empty,
				   t->empty == 1 ? "s" : "");
		return;
	}
	out_printf(o, "%zu of %zu apply; patch %zu conflicts in ", t->applied,
		   s->n_patches, t->applied + 1);
	for (size_t i = 0; i < t->files.n && i < 3; i++) {
		out_puts(o, i ? ", " : "");
		out_foreign(o, str_c(t->files.v[i]));
	}
	if (t->files.n > 3)
		out_printf(o, " and %zu more", t->files.n - 3);
}

static void print_command(struct out *o, char *command_take)
{
	out_puts(o, "    ");
	out_foreign(o, str_c(command_take));
	out_puts(o, "\n");
	free(command_take);
}

/*
 * In place of what is queued. The patches get other names there, so that the branch still
 * parts from the candidate in that commit: the ref gives this base, and is kept.
 */
static char *whole_version(const struct series *s, const struct base_candidate *c)
{
	bool stays = !strcmp(c->before, s->base);

	return suggest_base_move(s, c->before, stays ? c->before : c->ref);
}

/* The version before is in the branch: what can be done about that. */
static void print_queued(struct out *o, const struct series *s,
			 const struct base_suggestions *b, const struct base_candidate *c)
{
	out_printf(o, "  has %zu of the %zu patches of %s:\n", c->n_queued,
		   b->n_looked_for, b->version ? b->version : "this draft");
	for (size_t i = 0; i < c->n_queued; i++) {
		const struct base_queued *q = &c->queued[i];

		out_printf(o, "    %d %.12s ", q->patch, q->commit);
		out_foreign(o, str_c(q->subject));
		out_puts(o, q->same ? "\n" : " (its diff is another)\n");
	}
	if (*c->before) {
		out_printf(o, "  before the first of them, on %.12s: ", c->before);
		print_trial(o, s, &c->on_before);
		out_puts(o, "\n");
		if (!c->on_before.files.n && strcmp(c->before, s->base)) {
			out_puts(o, "  for a whole new version in their place:\n");
			print_command(o, whole_version(s, c));
		}
	}
	out_puts(o, "  for a fix on top of them:\n");
	print_command(o, suggest_base_fix(s, c));
	if (b->version)
		out_puts(o,
			 "  for one that is to be folded into patch K, on this branch:\n"
			 "    git commit --fixup=COMMIT && series send "
			 "--fixup=K\n");
}

void base_suggest_print(struct ctx *ctx, const struct base_suggestions *b)
{
	const struct series *s = ctx->series;
	struct out *o = &ctx->out;
	bool moved = false;

	for (size_t i = 0; i < b->n; i++) {
		const struct base_candidate *c = &b->v[i];

		out_foreign(o, str_c(c->ref));
		out_printf(o, " %.12s: ", c->tip);
		print_trial(o, s, &c->on_tip);
		out_puts(o, strcmp(c->tip, s->base) ? "\n" : "; the base now\n");
		if (c->n_queued)
			print_queued(o, s, b, c);
		else if (!c->on_tip.files.n && !moved && strcmp(c->tip, s->base))
			print_command(o, suggest_base_move(s, c->tip, c->ref));
		moved |= !c->on_tip.files.n;
		if (c->cut)
			out_printf(o, "  only its last %d commits were looked at\n",
				   SUGGEST_LOOK);
	}
	for (size_t i = 0; i < b->missing.n; i++) {
		out_puts(o, "series.baseCandidate: no branch ");
		out_foreign(o, str_c(b->missing.v[i]));
		out_puts(o, " here; fetch it, or take it out: git config --edit\n");
	}
}

static struct json *trial_json(const struct base_trial *t)
{
	struct json *j = json_obj();

	json_set_int(j, "applied", (int64_t)t->applied);
	json_set_int(j, "empty", (int64_t)t->empty);
	json_set_bool(j, "clean", !t->files.n);
	json_set_strvec(j, "conflicts", &t->files);
	return j;
}

static struct json *candidate_json(const struct series *s, const struct base_candidate *c)
{
	char *move _cleanup_free_ = suggest_base_move(s, c->tip, c->ref);
	char *whole _cleanup_free_ = whole_version(s, c);
	char *fix _cleanup_free_ = suggest_base_fix(s, c);
	struct json *j = json_obj(), *queued = json_arr();

	for (size_t i = 0; i < c->n_queued; i++) {
		struct json *q = json_obj();

		json_set_int(q, "patch", c->queued[i].patch);
		json_set_str(q, "commit", c->queued[i].commit);
		json_set_str(q, "subject", c->queued[i].subject);
		json_set_bool(q, "same", c->queued[i].same);
		json_push(queued, q);
	}
	json_set_str(j, "ref", c->ref);
	json_set_str(j, "commit", c->tip);
	json_set(j, "tip", trial_json(&c->on_tip));
	json_set_str(j, "move", c->on_tip.files.n || c->n_queued ? NULL : move);
	json_set(j, "queued", queued);
	json_set_bool(j, "cut", c->cut);
	json_set_str(j, "before", *c->before ? c->before : NULL);
	json_set(j, "on_before", *c->before ? trial_json(&c->on_before) : NULL);
	json_set_str(j, "whole", !*c->before || c->on_before.files.n ? NULL : whole);
	json_set_str(j, "fix", c->n_queued ? fix : NULL);
	return j;
}

struct json *base_suggest_json(const struct series *s, const struct base_suggestions *b)
{
	struct json *j = json_obj(), *list = json_arr();

	for (size_t i = 0; i < b->n; i++)
		json_push(list, candidate_json(s, &b->v[i]));
	json_set_int(j, "schema", 1);
	json_set_str(j, "name", s->name);
	json_set_str(j, "commit", s->base);
	json_set_int(j, "patches", (int64_t)s->n_patches);
	json_set_str(j, "version", b->version);
	json_set(j, "candidates", list);
	json_set_strvec(j, "missing", &b->missing);
	return j;
}
