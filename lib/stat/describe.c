// SPDX-License-Identifier: GPL-2.0-or-later
/* describe.c: means and variances, and the one place that turns a test into t and p. */
#include "series/stat.h"

#include <math.h>

double stat_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : 0;
}

double stat_variance(const double *x, size_t n)
{
	double mean = stat_mean(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return n > 1 ? sum / (double)(n - 1) : 0;
}

double stat_mean_log(const int64_t *v, size_t n)
{
	double sum = 0;

	if (!n)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		if (v[i] <= 0)
			return NAN;
		sum += log((double)v[i]);
	}
	return sum / (double)n;
}

struct stat_test stat_test_of(double est, double se, double nu)
{
	struct stat_test t = { .est = est, .se = se, .nu = nu, .t = 0, .p = 1 };

	if (!(nu > 0)) {
		t.nu = 0;
		t.se = INFINITY;
		return t;
	}
	if (se == 0) {
		if (est != 0) {
			t.t = copysign(INFINITY, est);
			t.p = 0;
		}
		return t;
	}
	t.t = est / se;
	t.p = stat_t_p(t.t, nu);
	return t;
}

struct stat_interval stat_interval(const struct stat_test *t, double alpha)
{
	struct stat_interval ci = { -INFINITY, INFINITY };
	double half;

	if (t->nu > 0) {
		half = t->se > 0 ? stat_t_upper(alpha / 2, t->nu) * t->se : 0;
		ci.lo = t->est - half;
		ci.hi = t->est + half;
	}
	return ci;
}

double stat_mde(const struct stat_test *t, double alpha)
{
	if (!(t->nu > 0))
		return INFINITY;
	return (stat_t_upper(alpha / 2, t->nu) + stat_t_upper(.2, t->nu)) * t->se;
}

struct stat_test stat_with_floor(struct stat_test t, double q, size_t blocks)
{
	double least = blocks ? q * sqrt(2 / (double)blocks) : 0;

	if (!(t.nu > 0) || t.se >= least)
		return t;
	return stat_test_of(t.est, least, t.nu);
}
