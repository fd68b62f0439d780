// SPDX-License-Identifier: GPL-2.0-or-later
/* perm.c: exact tests that assume no distribution, for small numbers of boots. */
#include "series/stat.h"

#include <math.h>

#define PERM_MOST 5000000u
#define FLIP_MOST 22u

/* n over k, or 0 when more than PERM_MOST. */
static uint64_t choose(uint64_t n, uint64_t k)
{
	uint64_t c = 1;

	if (k > n - k)
		k = n - k;
	for (uint64_t i = 1; i <= k; i++) {
		c = c * (n - k + i) / i;
		if (c > PERM_MOST)
			return 0;
	}
	return c;
}

/* The next k-subset of 0..n-1 in lexicographic order, or false after the last. */
static bool next_subset(size_t *pick, size_t k, size_t n)
{
	size_t i = k;

	while (i > 0 && pick[i - 1] == n - k + i - 1)
		i--;
	if (i == 0)
		return false;
	pick[i - 1]++;
	for (; i < k; i++)
		pick[i] = pick[i - 1] + 1;
	return true;
}

struct stat_exact stat_permutation(const double *a, size_t na, const double *b, size_t nb)
{
	struct stat_exact r = { .p = 1 };
	size_t n = na + nb;
	double all[STAT_MOST], total = 0, sum = 0, far, size = 0;
	size_t pick[STAT_MOST];

	if (!na || !nb || n > STAT_MOST || !(r.total = choose(n, na)))
		return r;
	for (size_t i = 0; i < n; i++) {
		all[i] = i < na ? a[i] : b[i - na];
		total += all[i];
		size += fabs(all[i]);
		if (i < na) {
			pick[i] = i;
			sum += all[i];
		}
	}
	/* |mean a - mean b| grows with |sum a - total na/n|; the slack takes up rounding
	 */
	far = fabs(sum - total * (double)na / (double)n) - 1e-12 * size;
	do {
		sum = 0;
		for (size_t i = 0; i < na; i++)
			sum += all[pick[i]];
		r.hits += fabs(sum - total * (double)na / (double)n) >= far;
	} while (next_subset(pick, na, n));
	r.p = (double)r.hits / (double)r.total;
	return r;
}

struct stat_exact stat_sign_flip(const double *d, size_t n)
{
	struct stat_exact r = { .p = 1 };
	double sum = 0, far, size = 0;

	if (!n || n > FLIP_MOST)
		return r;
	for (size_t i = 0; i < n; i++) {
		sum += d[i];
		size += fabs(d[i]);
	}
	far = fabs(sum) - 1e-12 * size;
	r.total = (uint64_t)1 << n;
	for (uint64_t signs = 0; signs < r.total; signs++) {
		sum = 0;
		for (size_t i = 0; i < n; i++)
			sum += signs >> i & 1 ? -d[i] : d[i];
		r.hits += fabs(sum) >= far;
	}
	r.p = (double)r.hits / (double)r.total;
	return r;
}
