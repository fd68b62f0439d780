// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judged.c - judged tags: what is to be done about each, its name, and as JSON.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/tagjudge.h"

void judged_release(struct judged *j)
{
	for (size_t i = 0; i < j->n; i++)
		free(j->v[i].why);
	free(j->v);
	*j = (struct judged){ NULL };
}

bool tag_is_for_commits(const struct review_tag *t)
{
	return t->kind == TAG_COLLECTED || t->kind == TAG_OFFERED;
}

bool judged_is_ready(const struct judged_tag *e)
{
	return e->state == TAG_HOLDS && e->patch && !e->applied;
}

bool judged_is_open(const struct judged_tag *e)
{
	return e->state == TAG_CHANGED ||
	       (!e->applied && (e->state == TAG_CONDITIONAL || e->state == TAG_DOUBTFUL));
}

bool judged_is_stale(const struct judged_tag *e)
{
	return e->applied && (e->state == TAG_RETRACTED || e->state == TAG_DROPPED) &&
	       tag_is_for_commits(e->tag);
}

size_t judged_count(const struct judged *j, bool (*is)(const struct judged_tag *e))
{
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		n += is(&j->v[i]);
	return n;
}

char *judged_name(const struct judged_tag *e, int digits)
{
	char *id = xasprintf("%.*s", digits, e->tag->id), *ret;

	if (e->tag->patch || !e->patch)
		return id;
	ret = xasprintf("%s:%zu", id, e->patch);
	free(id);
	return ret;
}

/* The four that scripts need: may it be put in, and if not, can a decision change that?
 */
static const char *broad_state(enum tag_state s)
{
	static const char *const words[] = {
		[TAG_HOLDS] = "holds",
		[TAG_CHANGED] = "changed",
		[TAG_CONDITIONAL] = "conditional",
		[TAG_DOUBTFUL] = "conditional",
		[TAG_NAKED] = "refused",
		[TAG_RETRACTED] = "refused",
		[TAG_DROPPED] = "refused",
		[TAG_ONLY_SHOWN] = "refused",
	};

	return words[s];
}

char *judged_nak_remedy(const struct judged_tag *e, int digits)
{
	char *name _cleanup_free_ = judged_name(e, digits);

	return xasprintf("answer it, then say how it was settled: series tags "
			 "--drop %s --reason TEXT",
			 name);
}

struct json *judged_json(const struct judged *j, size_t patch)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < j->n; i++) {
		const struct judged_tag *e = &j->v[i];
		const struct review_tag *t = e->tag;
		struct json *o;

		if (e->patch != patch)
			continue;
		o = review_row_json(t->id, t->message_id, t->date, t->version, t->label);
		json_set_str(o, "type", t->type);
		json_set_str(o, "line", t->line);
		json_set_str(o, "name", t->name);
		json_set_str(o, "email", t->email);
		json_set_bool(o, "cover", !t->patch);
		json_set_str(o, "state", broad_state(e->state));
		json_set_str(o, "detail", tag_state_name(e->state));
		json_set_str(o, "why", e->why);
		json_set_bool(o, "applied", e->applied);
		json_set_int(o, "lines", (int64_t)e->lines);
		json_push(arr, o);
	}
	return arr;
}
