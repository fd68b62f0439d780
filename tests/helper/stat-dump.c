// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stat-dump.c: prints seeded input and what lib/stat makes of it, one case a line, for
 * stat-check.R to compute again. KIND, then numbers; lists are preceded by their length.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "series/mem.h"
#include "series/stat.h"

static void list(const double *x, size_t n)
{
	printf(" %zu", n);
	for (size_t i = 0; i < n; i++)
		printf(" %.17g", x[i]);
}

static void dump_t(void)
{
	static const double nu[] = { .3, 1,  1.5,  2,	3,    4,       7.782,
				     8,	 25, 39.5, 120, 5000, INFINITY };
	static const double t[] = {
		-40, -2.5, -.7, 0, 1e-8, .3, 1, 1.96, 3.7796, 12, 200
	};
	static const double p[] = { 1e-10, 1e-4, .005, .025, .2,   .45,
				    .5,	   .8,	 .95,  .975, .9999 };

	for (size_t i = 0; i < ARRAY_SIZE(nu); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(t); j++)
			printf("t %.17g %.17g %.17g %.17g\n", t[j], nu[i],
			       stat_t_cdf(t[j], nu[i]), stat_t_p(t[j], nu[i]));
		for (size_t j = 0; j < ARRAY_SIZE(p); j++)
			printf("q %.17g %.17g %.17g\n", p[j], nu[i],
			       stat_t_quantile(p[j], nu[i]));
	}
}

static void dump_two_groups(struct rng *r)
{
	double a[12], b[12];
	size_t na = 2 + (size_t)rng_below(r, 11), nb = 2 + (size_t)rng_below(r, 11);
	struct stat_test w, p;
	struct stat_interval wi, pi;
	struct stat_ratio f;

	for (size_t i = 0; i < 12; i++) {
		a[i] = 10 + rng_normal(r);
		b[i] = 11 + 3 * rng_normal(r);
	}
	w = stat_welch(a, na, b, nb);
	wi = stat_interval(&w, .05);
	f = stat_fieller(a, na, b, nb, .05);
	printf("welch %.17g %.17g %.17g %.17g %.17g %.17g %d", w.t, w.nu, w.p, wi.lo,
	       wi.hi, w.se, f.bounded);
	printf(" %.17g %.17g", f.bounded ? f.lo : 0, f.bounded ? f.hi : 0);
	list(a, na);
	list(b, nb);
	p = stat_paired(a, b, na);
	pi = stat_interval(&p, .1);
	printf("\npaired %.17g %.17g %.17g %.17g %.17g", p.t, p.nu, p.p, pi.lo, pi.hi);
	list(a, na);
	list(b, na);
	printf("\n");
}

static void dump_blocks(struct rng *r)
{
	double z[8 * 9];
	size_t m = 2 + (size_t)rng_below(r, 7), blocks = 2 + (size_t)rng_below(r, 8);
	struct stat_blocks fit;

	for (size_t i = 0; i < m * blocks; i++)
		z[i] = 18 + .1 * (double)(i % blocks) + .02 * rng_normal(r);
	fit = stat_blocks_fit(z, m, blocks, 0);
	printf("blocks %zu %.17g %.17g %.17g", m, fit.s, fit.nu, fit.ratio);
	list(z, m * blocks);
	for (size_t k = 1; k < m; k++) {
		struct stat_test t = stat_blocks_test(&fit, z, k - 1, k);

		printf(" %.17g %.17g", t.est, t.p);
	}
	printf("\n");
}

static void dump_exact(struct rng *r)
{
	double a[6], b[6], p[10], h[10];
	struct stat_exact e, f;

	for (size_t i = 0; i < 6; i++) {
		a[i] = (double)rng_below(r, 9);
		b[i] = 2 + (double)rng_below(r, 9);
	}
	e = stat_permutation(a, 6, b, 5);
	printf("perm %" PRIu64 " %" PRIu64, e.hits, e.total);
	list(a, 6);
	list(b, 5);
	for (size_t i = 0; i < 6; i++)
		b[i] -= a[i];
	f = stat_sign_flip(b, 6);
	printf("\nflip %" PRIu64 " %" PRIu64, f.hits, f.total);
	list(b, 6);
	for (size_t i = 0; i < 10; i++)
		p[i] = pow(rng_unit(r), 4);
	stat_holm(p, 10, h);
	printf("\nholm");
	list(p, 10);
	list(h, 10);
	printf("\n");
}

int main(void)
{
	struct rng r;

	rng_init(&r, 20261130);
	dump_t();
	for (int i = 0; i < 40; i++) {
		dump_two_groups(&r);
		dump_blocks(&r);
		dump_exact(&r);
	}
	for (size_t m = 3; m <= 11; m += 4)
		printf("limit %zu 6 %.17g\n", m,
		       stat_blocks_ratio_limit(m, 6, .01, 10000, m));
	return 0;
}
