// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is booted in which order and what each boot does, from the seed alone: the same
 * session resumed tomorrow does what it would have done today.
 */
#include <string.h>

#include "series/benchrun.h"
#include "series/mem.h"
#include "series/stat.h"

/* A generator of its own for each use, so that no part of the plan depends on another. */
static void stream(struct rng *r, uint64_t seed, uint64_t a, uint64_t b)
{
	rng_init(r, seed);
	seed = rng_u64(r);
	rng_init(r, seed ^ (a << 32 | (b & 0xffffffff)));
}

void bench_order(uint64_t seed, int block, size_t kernels, size_t *ret)
{
	struct rng r;

	stream(&r, seed, (uint64_t)block, 0);
	rng_permutation(&r, ret, kernels);
}

int bench_default_runs(const struct bench_def *d, const char *accel)
{
	return strcmp(accel, "icount") ? d->runs : MIN(d->runs, 2);
}

static void put_run(const struct bench_def *d, const struct bench_case *c, int run,
		    struct buf *out)
{
	for (size_t i = 0; i < c->setup.n; i++)
		buf_printf(out, "%s\n", c->setup.v[i]);
	buf_printf(out, "run %s %d %d /bench/%s%s%s\n", c->name, run, d->timeout_s,
		   d->name, *c->args ? " " : "", c->args);
}

void bench_job(const struct bench_def *d, const struct strvec *cases, int runs,
	       uint64_t seed, int block, int kernel, struct buf *out)
{
	size_t *order _cleanup_free_ = xcalloc(cases->n + 1, sizeof(*order));
	struct rng r;

	stream(&r, seed, (uint64_t)block, (uint64_t)kernel + 1);
	if (d->page_size)
		buf_printf(out, "require page-size %lld\n", (long long)d->page_size);
	for (size_t i = 0; i < d->n_counters; i++)
		buf_printf(out, "counter %s %s%s%s\n", d->counters[i].name,
			   d->counters[i].path, d->counters[i].key ? " " : "",
			   d->counters[i].key ? d->counters[i].key : "");
	for (size_t i = 0; i < d->setup.n; i++)
		buf_printf(out, "%s\n", d->setup.v[i]);
	for (int run = d->warmup ? 0 : 1; run <= runs; run++) {
		rng_permutation(&r, order, cases->n);
		for (size_t i = 0; i < cases->n; i++)
			put_run(d, bench_def_case(d, cases->v[order[i]]), run, out);
	}
	buf_puts(out, "done\n");
}
