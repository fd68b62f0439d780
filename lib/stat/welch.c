// SPDX-License-Identifier: GPL-2.0-or-later
/* welch.c: two groups that share no blocks: numbers typed in, or from two hosts. */
#include "series/stat.h"

#include <math.h>

struct stat_test stat_welch(const double *a, size_t na, const double *b, size_t nb)
{
	double ea, eb, nu, est;

	est = stat_mean(b, nb) - stat_mean(a, na);
	if (na < 2 || nb < 2)
		return stat_test_of(est, INFINITY, 0);
	ea = stat_variance(a, na) / (double)na;
	eb = stat_variance(b, nb) / (double)nb;
	/* Without any spread Satterthwaite is 0/0; the pooled count stands in. */
	nu = (double)(na + nb - 2);
	if (ea + eb > 0)
		nu = (ea + eb) * (ea + eb) /
		     (ea * ea / (double)(na - 1) + eb * eb / (double)(nb - 1));
	return stat_test_of(est, sqrt(ea + eb), nu);
}

struct stat_ratio stat_fieller(const double *a, size_t na, const double *b, size_t nb,
			       double alpha)
{
	struct stat_ratio r = { .lo = -INFINITY, .hi = INFINITY };
	struct stat_test w = stat_welch(a, na, b, nb);
	double ma = stat_mean(a, na), mb = stat_mean(b, nb), t2, va, vb, qa, qc, root;

	r.est = ma != 0 ? mb / ma : NAN;
	r.nu = w.nu;
	if (!(w.nu > 0) || ma == 0)
		return r;
	va = stat_variance(a, na) / (double)na;
	vb = stat_variance(b, nb) / (double)nb;
	t2 = stat_t_upper(alpha / 2, w.nu);
	t2 *= t2;
	/* qa r^2 - 2 ma mb r + qc <= 0 */
	qa = ma * ma - t2 * va;
	qc = mb * mb - t2 * vb;
	root = ma * mb * ma * mb - qa * qc;
	if (qa <= 0)
		return r;
	root = root > 0 ? sqrt(root) : 0;
	r.lo = (ma * mb - root) / qa;
	r.hi = (ma * mb + root) / qa;
	r.bounded = true;
	return r;
}
