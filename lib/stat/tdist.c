// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tdist.c: Student's t distribution for any real number of degrees of freedom. Welch
 * needs fractions. Ours and short, so the program links no statistics library.
 */
#include "series/stat.h"

#include <float.h>
#include <math.h>

#define NU_NORMAL 1e8 /* from here on the normal distribution with Hill's correction */

/*
 * ln(Gamma(a + 1/2) / Gamma(a)). The difference of two lgamma loses digits when a is
 * large, so from 20 on the asymptotic series (Tricomi and Erdelyi 1951) with error below
 * 1e-15.
 */
static double lgamma_half_step(double a)
{
	double i = 1 / a, i2 = i * i;

	if (a < 20)
		return lgamma(a + 0.5) - lgamma(a);
	return 0.5 * log(a) -
	       i * (1.0 / 8 -
		    i2 * (1.0 / 192 -
			  i2 * (1.0 / 640 - i2 * (17.0 / 14336 - i2 * 31.0 / 18432))));
}

/* ln B(a, b). One of a, b is 1/2 for everything Student's t asks for. */
static double log_beta(double a, double b)
{
	const double half_log_pi = 0.57236494292470008707;

	if (b == 0.5)
		return half_log_pi - lgamma_half_step(a);
	if (a == 0.5)
		return half_log_pi - lgamma_half_step(b);
	return lgamma(a) + lgamma(b) - lgamma(a + b);
}

/* A divisor that is never 0, for Lentz's method. */
static double nonzero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* The continued fraction of I_x(a, b), A&S 26.5.8, by the modified method of Lentz. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / nonzero(1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m <= 100000; m++) {
		double m2 = 2.0 * m, step;
		double even = m * (b - m) * x / ((a + m2 - 1) * (a + m2));
		double odd = -(a + m) * (a + b + m) * x / ((a + m2) * (a + m2 + 1));

		d = 1 / nonzero(1 + even * d);
		c = nonzero(1 + even / c);
		h *= d * c;
		d = 1 / nonzero(1 + odd * d);
		c = nonzero(1 + odd / c);
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON)
			break;
	}
	return h;
}

double stat_beta_inc(double a, double b, double x, double y)
{
	double front;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	/* log1p keeps the digits of a side that is nearly 1 */
	front = exp(a * (x > 0.5 ? log1p(-y) : log(x)) +
		    b * (y > 0.5 ? log1p(-x) : log(y)) - log_beta(a, b));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, y) / b;
}

/* P(T >= t) for t >= 0. */
static double upper_tail(double t, double nu)
{
	double x, y, r;

	if (isinf(t))
		return 0;
	if (nu >= NU_NORMAL) {
		double z = t;

		if (!isinf(nu))
			z = t * (1 - 1 / (4 * nu)) / sqrt(1 + t * t / (2 * nu));
		return 0.5 * erfc(z * M_SQRT1_2);
	}
	/* x = nu / (nu + t^2) without squaring what may overflow */
	r = t / sqrt(nu);
	if (r > 1) {
		y = 1 / (1 + 1 / r / r);
		x = 1 / r / r / (1 + 1 / r / r);
	} else {
		x = 1 / (1 + r * r);
		y = r * r / (1 + r * r);
	}
	return 0.5 * stat_beta_inc(nu / 2, 0.5, x, y);
}

double stat_t_cdf(double t, double nu)
{
	if (!(nu > 0) || isnan(t))
		return NAN;
	return t > 0 ? 1 - upper_tail(t, nu) : upper_tail(-t, nu);
}

double stat_t_p(double t, double nu)
{
	if (!(nu > 0) || isnan(t))
		return NAN;
	return 2 * upper_tail(fabs(t), nu);
}

/* Bisection on the logarithm far out, where t may be 1e100 for a fraction of a degree. */
double stat_t_upper(double tail, double nu)
{
	double lo = 0, hi = 1;

	if (!(nu > 0) || isnan(tail) || tail < 0 || tail > 1)
		return NAN;
	if (tail == 0 || tail == 1)
		return tail == 0 ? INFINITY : -INFINITY;
	if (tail > 0.5)
		return -stat_t_upper(1 - tail, nu);
	if (tail == 0.5)
		return 0;
	while (upper_tail(hi, nu) > tail) {
		lo = hi;
		hi *= 8;
		if (isinf(hi))
			return INFINITY;
	}
	for (int i = 0; i < 200; i++) {
		double mid = lo > 0 ? sqrt(lo) * sqrt(hi) : (lo + hi) / 2;

		if (mid <= lo || mid >= hi)
			break;
		if (upper_tail(mid, nu) > tail)
			lo = mid;
		else
			hi = mid;
		if (hi - lo <= DBL_EPSILON * hi)
			break;
	}
	return (lo + hi) / 2;
}

double stat_t_quantile(double p, double nu)
{
	if (isnan(p) || p < 0 || p > 1)
		return NAN;
	return p < 0.5 ? -stat_t_upper(p, nu) : stat_t_upper(1 - p, nu);
}
