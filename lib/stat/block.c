// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * block.c: kernels compared inside blocks. Runs of one boot are correlated, so a boot is
 * one observation; what a block shares (time, temperature, load) is taken out before
 * anything is compared.
 */
#include "series/stat.h"

#include <math.h>
#include <stdlib.h>

struct stat_test stat_paired(const double *a, const double *b, size_t n)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += b[i] - a[i];
	mean = n ? mean / (double)n : 0;
	if (n < 2)
		return stat_test_of(mean, INFINITY, 0);
	for (size_t i = 0; i < n; i++)
		sum += (b[i] - a[i] - mean) * (b[i] - a[i] - mean);
	return stat_test_of(mean, sqrt(sum / (double)(n - 1) / (double)n),
			    (double)(n - 1));
}

static double block_mean(const double *z, size_t kernels, size_t blocks, size_t b)
{
	double sum = 0;

	for (size_t k = 0; k < kernels; k++)
		sum += z[k * blocks + b];
	return sum / (double)kernels;
}

struct stat_blocks stat_blocks_fit(const double *z, size_t kernels, size_t blocks,
				   double q)
{
	struct stat_blocks m = { .kernels = kernels, .blocks = blocks, .ratio = 1 };
	double all = 0, sum = 0, least = INFINITY, most = 0;
	double bmean[STAT_MOST];

	if (kernels < 2 || blocks < 2 || blocks > STAT_MOST)
		return m;
	m.nu = (double)(kernels - 1) * (double)(blocks - 1);
	for (size_t b = 0; b < blocks; b++) {
		bmean[b] = block_mean(z, kernels, blocks, b);
		all += bmean[b] / (double)blocks;
	}
	for (size_t k = 0; k < kernels; k++) {
		double kmean = stat_mean(z + k * blocks, blocks), own = 0;

		for (size_t b = 0; b < blocks; b++) {
			double e = z[k * blocks + b] - kmean - bmean[b] + all;

			own += e * e;
		}
		sum += own;
		/* E(own) = sigma^2 (B - 1) K / m */
		own *= (double)kernels / m.nu;
		if (own < q * q)
			own = q * q;
		least = own < least ? own : least;
		most = own > most ? own : most;
	}
	m.s = sqrt(sum / m.nu);
	if (most > least)
		m.ratio = most / least; /* INFINITY when one kernel repeats exactly */
	return m;
}

struct stat_test stat_blocks_test(const struct stat_blocks *m, const double *z, size_t j,
				  size_t k)
{
	double est = 0;

	for (size_t b = 0; b < m->blocks; b++)
		est += z[k * m->blocks + b] - z[j * m->blocks + b];
	est = m->blocks ? est / (double)m->blocks : 0;
	return stat_test_of(est, m->s * sqrt(2 / (double)(m->blocks ? m->blocks : 1)),
			    m->nu);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double stat_blocks_ratio_limit(size_t kernels, size_t blocks, double alpha, size_t sims,
			       uint64_t seed)
{
	struct rng r;
	double *ratio, *z, limit = INFINITY;
	size_t over = (size_t)(alpha * (double)sims);

	if (kernels < 3 || blocks < 2 || !over || over > sims)
		return INFINITY;
	ratio = calloc(sims, sizeof(*ratio));
	z = calloc(kernels * blocks, sizeof(*z));
	if (ratio && z) {
		rng_init(&r, seed);
		for (size_t i = 0; i < sims; i++) {
			for (size_t j = 0; j < kernels * blocks; j++)
				z[j] = rng_normal(&r);
			ratio[i] = stat_blocks_fit(z, kernels, blocks, 0).ratio;
		}
		qsort(ratio, sims, sizeof(*ratio), by_size);
		limit = ratio[sims - over];
	}
	free(z);
	free(ratio);
	return limit;
}

bool stat_blocks_steps(const double *z, size_t kernels, size_t blocks, double q,
		       double limit, struct stat_test *ret)
{
	struct stat_blocks m = stat_blocks_fit(z, kernels, blocks, q);
	bool pool = !(m.ratio > limit);

	for (size_t k = 1; k < kernels; k++) {
		struct stat_test t;

		if (pool)
			t = stat_blocks_test(&m, z, k - 1, k);
		else
			t = stat_paired(z + (k - 1) * blocks, z + k * blocks, blocks);
		ret[k - 1] = stat_with_floor(t, q, blocks);
	}
	return pool;
}
