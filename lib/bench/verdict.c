// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * verdict.c: judges the samples of a session. The mathematics is lib/stat's; here is what
 * is compared with what, what is corrected for what, and when which word may be used.
 */
#include "series/verdict.h"

#include <math.h>
#include <string.h>
#include "series/mem.h"
#include "series/stat.h"

#define MOST_KERNELS 1024
#define MOST_RUNS    100000
#define RATIO_ALPHA  .01
#define RATIO_SIMS   10000
#define UNTIL_LEAST  6
#define UNTIL_MOST   20

static const struct instrument instruments[] = {
	{ .name = "real", .delta = .01, .floor = .002, .q = 0 },
	{ .name = "icount",
	  .delta = .001,
	  .floor = .0002,
	  .q = .0001,
	  .instructions = true },
};

int instrument_find(const char *name, struct instrument *ret_ins, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(instruments); i++) {
		if (!strcmp(instruments[i].name, name)) {
			*ret_ins = instruments[i];
			return 0;
		}
	}
	return err_set(err, E_NOTFOUND,
		       "instrument %s: not known; there are real and icount", name);
}

int instrument_check(const struct instrument *ins, struct err *err)
{
	bool ok = ins->delta >= 0 && ins->delta < 1 && ins->floor >= 0 &&
		  ins->floor < 1 && ins->q >= 0 && ins->q < 1;

	if (!ok)
		return err_set(err, E_USAGE,
			       "instrument %s: delta, floor and q are fractions from 0 "
			       "to below 1 "
			       "(.01 is one percent)",
			       ins->name);
	if (ins->floor > ins->delta)
		return err_set(
			err, E_USAGE,
			"instrument %s: floor is larger than delta; what is called the "
			"same could then be called faster",
			ins->name);
	return 0;
}

/* The observations of one case: mean ln(value) per boot, NAN where a boot has no value.
 */
static int observe(const struct bench_samples *s, double *z, struct err *err)
{
	for (size_t i = 0; i < s->kernels * s->blocks; i++) {
		const int64_t *v = s->values + i * s->runs;
		double sum = 0;
		size_t n = 0;

		for (size_t r = 0; r < s->runs; r++) {
			if (v[r] == SAMPLE_NONE)
				continue;
			if (v[r] <= 0)
				return err_set(err, E_CORRUPT,
					       "case %s: kernel %zu, block %zu, run %zu "
					       "measured "
					       "%lld; a value must be greater than 0",
					       s->name, i / s->blocks, i % s->blocks + 1,
					       r + 1, (long long)v[r]);
			sum += log((double)v[r]);
			n++;
		}
		z[i] = n ? sum / (double)n : NAN;
	}
	return 0;
}

static int check_shape(const struct bench_samples *s, struct err *err)
{
	if (s->kernels < 2)
		return err_set(err, E_USAGE,
			       "case %s: a comparison needs a base and a patched kernel",
			       s->name);
	if (s->kernels > MOST_KERNELS || s->blocks > STAT_MOST || s->runs > MOST_RUNS)
		return err_set(err, E_USAGE,
			       "case %s: %zu kernels, %zu blocks, %zu runs; at most %d, "
			       "%d and %d",
			       s->name, s->kernels, s->blocks, s->runs, MOST_KERNELS,
			       STAT_MOST, MOST_RUNS);
	return 0;
}

/*
 * Keeps the blocks in which every one of the @kernels rows of @z has a value, moves them
 * together (row length becomes the number kept) and returns how many.
 */
static size_t complete_blocks(double *z, size_t kernels, size_t blocks)
{
	size_t kept = 0, at = 0;
	bool *keep = xcalloc(blocks + 1, sizeof(*keep));

	for (size_t b = 0; b < blocks; b++) {
		keep[b] = true;
		for (size_t k = 0; k < kernels; k++)
			keep[b] = keep[b] && !isnan(z[k * blocks + b]);
		kept += keep[b];
	}
	for (size_t k = 0; k < kernels; k++)
		for (size_t b = 0; b < blocks; b++)
			if (keep[b])
				z[at++] = z[k * blocks + b];
	free(keep);
	return kept;
}

/* Numbers of a comparison; @share: how many intervals share alpha. */
static void fill(struct verdict *v, const struct stat_test *t, size_t blocks,
		 double alpha, double share, const struct instrument *ins)
{
	struct stat_interval ci = stat_interval(t, alpha / share);

	*v = (struct verdict){ .instructions = ins->instructions,
			       .blocks = blocks,
			       .effect = t->est,
			       .lo = ci.lo,
			       .hi = ci.hi,
			       .se = t->se,
			       .nu = t->nu,
			       .p_raw = t->p,
			       .p = t->p,
			       .mde = stat_mde(t, alpha) };
}

/* The word, once p is corrected. */
static void decide(struct verdict *v, double alpha, double share,
		   const struct verdict_rule *rule)
{
	struct stat_test t = { .est = v->effect, .se = v->se, .nu = v->nu };
	struct stat_interval same = stat_interval(&t, 2 * alpha / share);
	const struct instrument *ins = &rule->ins;

	if (!(v->nu > 0)) {
		v->word = VERDICT_NONE;
	} else if (v->p < alpha && fabs(v->effect) >= ins->floor) {
		bool less = v->effect < 0;

		v->word = less == (rule->better == BENCH_LOWER) ? VERDICT_FASTER
								: VERDICT_SLOWER;
		v->below_delta = v->lo > -ins->delta && v->hi < ins->delta;
	} else if (v->p >= alpha && same.lo > -ins->delta && same.hi < ins->delta) {
		v->word = VERDICT_UNCHANGED;
	} else {
		v->word = VERDICT_INCONCLUSIVE;
	}
}

static void judge_total(struct verdict_case *c, const double *z,
			const struct bench_samples *s, double alpha,
			const struct verdict_rule *rule)
{
	double *pair = xcalloc(2 * s->blocks + 1, sizeof(*pair));
	struct stat_test t;
	size_t n;

	memcpy(pair, z, s->blocks * sizeof(*z));
	memcpy(pair + s->blocks, z + (s->kernels - 1) * s->blocks,
	       s->blocks * sizeof(*z));
	n = complete_blocks(pair, 2, s->blocks);
	t = stat_with_floor(stat_paired(pair, pair + n, n), rule->ins.q, n);
	fill(&c->total, &t, n, alpha, 1, &rule->ins);
	free(pair);
}

/* @z is used up: incomplete blocks are taken out of it. */
static void judge_steps(struct verdict_case *c, double *z, const struct bench_samples *s,
			double alpha, const struct verdict_rule *rule)
{
	size_t n = complete_blocks(z, s->kernels, s->blocks), k = s->kernels - 1;
	struct stat_test *t = xcalloc(k, sizeof(*t));
	double *p = xcalloc(k, sizeof(*p));

	c->nsteps = k;
	c->steps = xcalloc(k, sizeof(*c->steps));
	c->ratio = stat_blocks_fit(z, s->kernels, n, rule->ins.q).ratio;
	c->limit = INFINITY;
	if (c->ratio > 1)
		c->limit = stat_blocks_ratio_limit(s->kernels, n, RATIO_ALPHA, RATIO_SIMS,
						   rule->seed);
	c->pooled = stat_blocks_steps(z, s->kernels, n, rule->ins.q, c->limit, t);
	for (size_t i = 0; i < k; i++)
		p[i] = t[i].p;
	stat_holm(p, k, p);
	for (size_t i = 0; i < k; i++) {
		fill(&c->steps[i], &t[i], n, alpha, (double)k, &rule->ins);
		c->steps[i].p = p[i];
		decide(&c->steps[i], alpha, (double)k, rule);
	}
	free(p);
	free(t);
}

/* Holm over the cases that have a p at all, then the words. */
static void judge_family(struct verdict_set *set, double alpha,
			 const struct verdict_rule *rule)
{
	double *p = xcalloc(set->n + 1, sizeof(*p));
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++)
		if (set->cases[i].total.nu > 0)
			p[n++] = set->cases[i].total.p_raw;
	stat_holm(p, n, p);
	n = 0;
	for (size_t i = 0; i < set->n; i++) {
		struct verdict *v = &set->cases[i].total;

		if (v->nu > 0)
			v->p = p[n++];
		decide(v, alpha, 1, rule);
	}
	free(p);
}

int verdict_judge(const struct bench_samples *cases, size_t n,
		  const struct verdict_rule *rule, struct verdict_set *ret_set,
		  struct err *err)
{
	double alpha = rule->alpha > 0 ? rule->alpha : VERDICT_ALPHA;
	struct verdict_set set = { .n = n };
	int rc = instrument_check(&rule->ins, err);

	if (!rc && n > STAT_MOST)
		rc = err_set(err, E_USAGE, "%zu cases; at most %d in a session", n,
			     STAT_MOST);
	if (rc)
		return rc;
	set.cases = xcalloc(n + 1, sizeof(*set.cases));
	for (size_t i = 0; i < n && !rc; i++) {
		double *z;

		rc = check_shape(&cases[i], err);
		if (rc)
			break;
		z = xcalloc(cases[i].kernels * cases[i].blocks + 1, sizeof(*z));
		rc = observe(&cases[i], z, err);
		if (!rc) {
			judge_total(&set.cases[i], z, &cases[i], alpha, rule);
			if (cases[i].kernels > 2)
				judge_steps(&set.cases[i], z, &cases[i], alpha, rule);
		}
		free(z);
	}
	if (rc) {
		verdict_set_release(&set);
		return rc;
	}
	judge_family(&set, alpha, rule);
	*ret_set = set;
	return 0;
}

void verdict_set_release(struct verdict_set *set)
{
	for (size_t i = 0; i < set->n && set->cases; i++)
		free(set->cases[i].steps);
	free(set->cases);
	*set = (struct verdict_set){ 0 };
}

int verdict_aa(const struct bench_samples *cases, size_t n,
	       const struct verdict_rule *rule, double *ret_p, struct err *err)
{
	struct verdict_set set = { 0 };
	double least = 1;
	int rc = verdict_judge(cases, n, rule, &set, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < n; i++)
		if (set.cases[i].total.p < least)
			least = set.cases[i].total.p;
	verdict_set_release(&set);
	*ret_p = least;
	return 0;
}

bool verdict_until(const struct verdict_set *set, double width)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct verdict *v = &set->cases[i].total;

		if (v->blocks >= UNTIL_MOST)
			continue;
		if (v->blocks < UNTIL_LEAST || !((v->hi - v->lo) / 2 <= width))
			return false;
	}
	return true;
}
