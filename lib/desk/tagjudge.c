// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagjudge.c - see tagjudge.h.
 */
#include <stdlib.h>
#include <strings.h>
#include "follow.h"
#include "series/addr.h"
#include "series/mem.h"
#include "series/tagjudge.h"
#include "tagjudge_priv.h"
#include "tagtext.h"

enum when_changed { CHANGED_ASK, CHANGED_KEEP, CHANGED_DROP };

/* One version that tags were given to. */
struct given {
	const struct version *v;
	size_t *now; /* of each patch, from [1]: the patch of the draft, or 0 */
	bool tested; /* there is a Tested-by to it */
	size_t code; /* lines of code that changed in all patches, with those that came
			and went; only when tested */
	bool code_known;
	char *code_where; /* "patches 2, 5", "a new patch" */
};

struct judge {
	const struct series *s;
	const struct review *r;
	struct follow follow;
	enum when_changed when_changed;
	struct given *given;
	size_t n_given, cap_given;
	struct follow_pair *pairs;
	size_t n_pairs, cap_pairs;
	const struct review_tag **retractions;
	size_t n_retractions, cap_retractions;
	char **messages; /* of the draft's patches, as they are asked for */
	struct judged *to;
};

static void judge_release(struct judge *j)
{
	for (size_t i = 0; i < j->n_given; i++) {
		free(j->given[i].now);
		free(j->given[i].code_where);
	}
	free(j->given);
	free(j->pairs);
	free(j->retractions);
	for (size_t i = 0; j->messages && i < j->s->n_patches; i++)
		free(j->messages[i]);
	free(j->messages);
	follow_release(&j->follow);
}

static bool is_tested(const struct review_tag *t)
{
	return !strcasecmp(t->type, "Tested-by");
}

/* --- which patches are to be compared --- */

static void add_pair(struct judge *j, const struct patch *from, const struct patch *to)
{
	vec_grow(j->pairs, j->n_pairs, j->cap_pairs);
	j->pairs[j->n_pairs++] = (struct follow_pair){ from, to };
}

static struct given *find_given(const struct judge *j, const struct version *v)
{
	for (size_t i = 0; i < j->n_given; i++)
		if (j->given[i].v == v)
			return &j->given[i];
	return NULL;
}

static bool is_from(const struct given *g, size_t now)
{
	for (size_t k = 1; k <= g->v->n_patches; k++)
		if (g->now[k] == now)
			return true;
	return false;
}

static struct follow_pair pair_of(const struct judge *j, const struct given *g, size_t k)
{
	size_t now = g->now[k];

	return (struct follow_pair){ &g->v->patches[k - 1],
				     now ? &j->s->patches[now - 1] : NULL };
}

static int add_given(struct judge *j, const struct version *v, struct given **ret,
		     struct err *err)
{
	struct given *g;
	int rc = 0;

	vec_grow(j->given, j->n_given, j->cap_given);
	g = &j->given[j->n_given++];
	*g = (struct given){ .v = v, .now = xcalloc(v->n_patches + 1, sizeof(*g->now)) };
	for (size_t k = 1; k <= v->n_patches && !rc; k++)
		rc = follow_patch(&j->follow, v, k, &g->now[k], err);
	*ret = g;
	return rc;
}

static int gather(struct judge *j, struct err *err)
{
	for (size_t i = 0; i < j->r->n_tags; i++) {
		const struct review_tag *t = &j->r->tags[i];
		const struct version *v = series_version_named(j->s, t->label);
		struct given *g = v ? find_given(j, v) : NULL;
		int rc = v && !g ? add_given(j, v, &g, err) : 0;

		if (rc)
			return rc;
		if (t->kind == TAG_RETRACTION && v) {
			vec_grow(j->retractions, j->n_retractions, j->cap_retractions);
			j->retractions[j->n_retractions++] = t;
		}
		if (g && is_tested(t))
			g->tested = true;
	}
	for (size_t i = 0; i < j->n_given; i++) {
		const struct given *g = &j->given[i];

		for (size_t k = 1; k <= g->v->n_patches; k++) {
			struct follow_pair p = pair_of(j, g, k);

			if (p.to || g->tested)
				add_pair(j, p.from, p.to);
		}
		for (size_t d = 1; g->tested && d <= j->s->n_patches; d++)
			if (!is_from(g, d))
				add_pair(j, NULL, &j->s->patches[d - 1]);
	}
	return follow_compare(&j->follow, j->pairs, j->n_pairs, err);
}

/* What of the whole series is otherwise than it was when it was tested. */
static void sum_up(struct judge *j, struct given *g)
{
	struct buf where _cleanup_buf_ = BUF_INIT;
	size_t lines, code, n = 0;

	g->code_known = true;
	for (size_t k = 1; k <= g->v->n_patches; k++) {
		struct follow_pair p = pair_of(j, g, k);

		if (!follow_lines(&j->follow, &p, &lines, &code))
			g->code_known = false;
		else if (code && p.to)
			buf_printf(&where, "%s%zu", n++ ? ", " : "", g->now[k]);
		else if (code)
			buf_printf(&where, "%sone dropped", n++ ? ", " : "");
		else
			continue;
		g->code += code;
	}
	for (size_t d = 1; d <= j->s->n_patches; d++) {
		struct follow_pair p = { NULL, &j->s->patches[d - 1] };

		if (is_from(g, d) || !follow_lines(&j->follow, &p, &lines, &code) ||
		    !code)
			continue;
		buf_printf(&where, "%s%zu", n++ ? ", " : "", d);
		g->code += code;
	}
	g->code_where = xasprintf("patch%s %s", n == 1 ? "" : "es", buf_cstr(&where));
}

/* --- one tag for one patch --- */

static const char *message_of(struct judge *j, size_t patch)
{
	struct commit c;

	if (!j->messages[patch - 1]) {
		bool there = !repo_commit(j->s->repo, j->s->patches[patch - 1].commit, &c,
					  NULL);

		j->messages[patch - 1] = xstrdup(there ? c.message : "");
		if (there)
			commit_release(&c);
	}
	return j->messages[patch - 1];
}

/* Did the person take it back later, in whatever thread? */
static bool taken_back(const struct judge *j, const struct review_tag *t, size_t patch)
{
	for (size_t i = 0; i < j->n_retractions; i++) {
		const struct review_tag *r = j->retractions[i];
		const struct given *g;

		if (r->date < t->date || !email_same(r->email, t->email) ||
		    (*r->type && strcasecmp(r->type, t->type) != 0))
			continue;
		g = find_given(j, series_version_named(j->s, r->label));
		if (!r->patch ||
		    (g && r->patch <= g->v->n_patches && g->now[r->patch] == patch))
			return true;
	}
	return false;
}

/* It is told with the tags that it takes back, if there are any. */
static bool takes_back(const struct judge *j, const struct review_tag *r)
{
	for (size_t i = 0; i < j->r->n_tags; i++) {
		const struct review_tag *t = &j->r->tags[i];

		if (t->kind != TAG_RETRACTION && t->kind != TAG_SHOWN &&
		    t->date <= r->date && email_same(r->email, t->email) &&
		    (!*r->type || !strcasecmp(r->type, t->type)))
			return true;
	}
	return false;
}

static enum tag_state changed(const struct judge *j, char *why_take, char **ret_why)
{
	*ret_why = why_take;
	if (j->when_changed == CHANGED_KEEP)
		return TAG_HOLDS;
	return j->when_changed == CHANGED_DROP ? TAG_DROPPED : TAG_CHANGED;
}

/* Nothing of the mail speaks against it: does the code? */
static enum tag_state judge_code(const struct judge *j, const struct given *g, size_t k,
				 struct judged_tag *e)
{
	struct follow_pair p = pair_of(j, g, k);
	size_t code;
	bool known = follow_lines(&j->follow, &p, &e->lines, &code);

	if (is_tested(e->tag)) {
		if (!g->code_known)
			return changed(j,
				       xasprintf("%s is not here to compare with",
						 e->tag->label),
				       &e->why);
		if (g->code)
			return changed(j,
				       xasprintf("code of %s changed since %s (%zu "
						 "line%s)",
						 g->code_where, e->tag->label, g->code,
						 g->code == 1 ? "" : "s"),
				       &e->why);
		return TAG_HOLDS;
	}
	if (!known)
		return changed(j,
			       xasprintf("%s is not here to compare with", e->tag->label),
			       &e->why);
	if (e->lines)
		return changed(j,
			       xasprintf("%zu line%s changed since %s", e->lines,
					 e->lines == 1 ? "" : "s", e->tag->label),
			       &e->why);
	return TAG_HOLDS;
}

/* What the mail itself says, and the user; false: the code decides. */
static bool judge_words(const struct judge *j, struct judged_tag *e)
{
	const struct review_tag *t = e->tag;
	const char *reason;
	enum decision decision = tag_decision(t, e->given, &reason);

	if (reason && !*reason)
		reason = NULL;
	if (t->kind == TAG_RETRACTION) {
		e->state = TAG_RETRACTED;
		e->why = xstrdup("but nothing was given that we know of");
	} else if (t->retracted || taken_back(j, t, e->patch)) {
		e->state = TAG_RETRACTED;
		e->why = xstrdup("taken back by the person");
	} else if (decision == DECIDED_DROP) {
		e->state = TAG_DROPPED;
		e->why = xasprintf("%s%s%s",
				   t->kind == TAG_NAK ? "acknowledged" : "dropped",
				   reason ? ": " : "", reason ? reason : "");
	} else if (t->kind == TAG_NAK) {
		e->state = TAG_NAKED;
		e->why = xstrdup("not acknowledged");
	} else if (t->kind == TAG_SHOWN) {
		e->state = TAG_ONLY_SHOWN;
		e->why = xstrdup("never taken from a reply");
	} else if (!e->patch) {
		e->state = TAG_DROPPED;
		e->why = xstrdup("its patch is gone");
	} else if (decision == DECIDED_KEEP) {
		e->state = TAG_HOLDS;
		e->why = xasprintf("kept%s%s", reason ? ": " : "", reason ? reason : "");
	} else if (t->doubtful || t->kind == TAG_OFFERED) {
		e->state = TAG_DOUBTFUL;
		e->why = xstrdup(t->doubtful ? "the mail is of somebody else"
					     : "only by a decision");
	} else if (t->condition || t->scope) {
		e->state = TAG_CONDITIONAL;
		e->why = xstrdup(t->condition ? t->condition : t->scope);
	} else {
		return false;
	}
	return true;
}

/* patch: of the draft, 0: none; k: of the version, 0: the cover. */
static void add_judged(struct judge *j, const struct review_tag *t, const struct given *g,
		       size_t k, size_t patch)
{
	struct judged_tag e = { .tag = t, .patch = patch, .given = k };

	if (g && k)
		memcpy(e.from, g->v->patches[k - 1].commit, OID_HEX);
	if (!judge_words(j, &e))
		e.state = judge_code(j, g, k, &e);
	if (!e.why)
		e.why = xstrdup("");
	e.applied = patch && *t->type && t->kind != TAG_RETRACTION &&
		    tagtext_has(str_c(message_of(j, patch)), t->type, t->email);
	vec_grow(j->to->v, j->to->n, j->to->cap);
	j->to->v[j->to->n++] = e;
}

static void judge_tag(struct judge *j, const struct review_tag *t)
{
	const struct version *v = series_version_named(j->s, t->label);
	struct given *g = v ? find_given(j, v) : NULL;
	size_t before = j->to->n;

	if (t->kind == TAG_RETRACTION && takes_back(j, t))
		return;
	if (g && g->tested && !g->code_where)
		sum_up(j, g);
	if (g && t->patch && t->patch <= v->n_patches)
		add_judged(j, t, g, t->patch, g->now[t->patch]);
	else if (g && !t->patch && tag_is_for_commits(t))
		for (size_t k = 1; k <= v->n_patches; k++)
			if (g->now[k])
				add_judged(j, t, g, k, g->now[k]);
	if (j->to->n == before)
		add_judged(j, t, g, 0, 0);
}

/* --- all of them --- */

static bool is_claim(const struct judged_tag *e)
{
	return e->patch && tag_is_for_commits(e->tag);
}

/* Of one person, letter case apart: what by_claim() puts together. */
static bool like_claim(const struct judged_tag *a, const struct judged_tag *b)
{
	return is_claim(a) && is_claim(b) && a->patch == b->patch &&
	       !strcasecmp(a->tag->type, b->tag->type) &&
	       !strcasecmp(a->tag->email, b->tag->email);
}

/* Claims of one person, as far as letter case goes, stand together in the order they
 * came. */
static int by_claim(const void *pa, const void *pb)
{
	const struct judged_tag *a = pa, *b = pb;
	int rc = is_claim(a) - is_claim(b);

	if (!rc)
		rc = (a->patch > b->patch) - (a->patch < b->patch);
	if (!rc)
		rc = strcasecmp(a->tag->type, b->tag->type);
	if (!rc)
		rc = strcasecmp(a->tag->email, b->tag->email);
	if (!rc)
		rc = (a->tag > b->tag) - (a->tag < b->tag);
	return rc ? rc : (a->given > b->given) - (a->given < b->given);
}

/* Of two claims that do not hold the later one is nearer to what the patch is now. */
static bool better(const struct judged_tag *a, const struct judged_tag *b)
{
	if (a->state != b->state)
		return a->state < b->state;
	return a->state != TAG_HOLDS && a->tag->date > b->tag->date;
}

/* The claim of before that i repeats, among the first n; n: none. */
static size_t earlier_claim(const struct judged *d, size_t n, size_t i)
{
	for (size_t k = n; k-- > 0 && like_claim(&d->v[k], &d->v[i]);)
		if (email_same(d->v[k].tag->email, d->v[i].tag->email))
			return k;
	return n;
}

/* A person counts once per patch: the best of what was said. */
static void once_per_person(struct judged *d)
{
	size_t n = 0;

	if (d->n)
		qsort(d->v, d->n, sizeof(*d->v), by_claim);
	for (size_t i = 0; i < d->n; i++) {
		size_t k = earlier_claim(d, n, i);

		if (k == n) {
			d->v[n++] = d->v[i];
			continue;
		}
		if (better(&d->v[i], &d->v[k])) {
			struct judged_tag worse = d->v[k];

			d->v[k] = d->v[i];
			d->v[i] = worse;
		}
		free(d->v[i].why);
	}
	d->n = n;
}

static int by_patch(const void *pa, const void *pb)
{
	const struct judged_tag *a = pa, *b = pb;

	if (a->patch != b->patch)
		return a->patch < b->patch ? -1 : 1;
	if (a->tag->date != b->tag->date)
		return a->tag->date < b->tag->date ? -1 : 1;
	return strcmp(a->tag->id, b->tag->id);
}

static int take_setting(struct judge *j, const struct config *c, struct err *err)
{
	static const char key[] = "series.tags.changed";
	const char *v = config_get(c, key);

	if (!v || !strcmp(v, "ask"))
		j->when_changed = CHANGED_ASK;
	else if (!strcmp(v, "keep"))
		j->when_changed = CHANGED_KEEP;
	else if (!strcmp(v, "drop"))
		j->when_changed = CHANGED_DROP;
	else
		return err_set(err, E_USAGE, "%s: expected ask, keep or drop, not '%s'",
			       key, v);
	return 0;
}

int tags_judge_each(const struct series *s, const struct config *c,
		    const struct review *r, struct judged *ret, struct err *err)
{
	struct judged out _cleanup_judged_ = { NULL };
	struct judge j _cleanup_(judge_release) = { .s = s, .r = r, .to = &out };
	int rc = take_setting(&j, c, err);

	if (rc || !r->n_tags)
		return rc;
	follow_init(s, &j.follow);
	j.messages = xcalloc(s->n_patches + 1, sizeof(*j.messages));
	rc = gather(&j, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < r->n_tags; i++)
		judge_tag(&j, &r->tags[i]);
	*ret = out;
	out = (struct judged){ NULL };
	return 0;
}

int tags_judge(const struct series *s, const struct config *c, const struct review *r,
	       struct judged *ret, struct err *err)
{
	struct judged out _cleanup_judged_ = { NULL };
	int rc = tags_judge_each(s, c, r, &out, err);

	if (rc)
		return rc;
	once_per_person(&out);
	if (out.n)
		qsort(out.v, out.n, sizeof(*out.v), by_patch);
	*ret = out;
	out = (struct judged){ NULL };
	return 0;
}
