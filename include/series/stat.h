/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stat.h: the mathematics under a benchmark's verdict.
 *
 * Pure: arrays of numbers in, plain structs out. Nothing here knows of kernels, boots or
 * files, nothing prints, and nothing fails: where the data cannot answer (fewer than two
 * observations) the answer says so, with nu = 0, an infinite standard error and p = 1.
 * Arrays are borrowed for the length of the call. Everything is deterministic; what needs
 * chance takes a seed or a generator.
 *
 * Words: an observation is the mean of ln(value) over the runs of one boot. A block holds
 * every kernel once. m kernels are numbered 0..m-1 and K = m - 1.
 */
#ifndef SERIES_STAT_H
#define SERIES_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most blocks, p values or observations one call looks at; callers refuse more. */
#define STAT_MOST 4096

/* ---- random numbers (rng.c) ---- */

/*
 * xoshiro256** 1.0 of Blackman and Vigna (https://prng.di.unimi.it/xoshiro256starstar.c),
 * its state filled by splitmix64 from a 64-bit seed as its authors advise. Repeatable,
 * not secret: never use it for anything an attacker must not guess.
 */
struct rng {
	uint64_t s[4];
	double spare;	 /* second normal of the last pair */
	bool have_spare; /* spare holds one */
};

/* Starts @r from @seed. Every seed is good, 0 included. */
void rng_init(struct rng *r, uint64_t seed);
/* 64 random bits. */
uint64_t rng_u64(struct rng *r);
/* A number in [0, n), all equally likely (rejection, no modulo bias). n = 0 gives 0. */
uint64_t rng_below(struct rng *r, uint64_t n);
/* A number in [0, 1), a multiple of 2^-53. */
double rng_unit(struct rng *r);
/* A standard normal number (Marsaglia's polar method, 1964). */
double rng_normal(struct rng *r);
/* Fills @order with a random permutation of 0..n-1 (Fisher and Yates, as in Knuth 3.4.2
 * P). */
void rng_permutation(struct rng *r, size_t *order, size_t n);

/* ---- Student's t (tdist.c) ---- */

/*
 * P(T <= t) with @nu degrees of freedom, any real nu > 0, INFINITY is the normal
 * distribution. Through the regularised incomplete beta function: for t > 0 the upper
 * tail is I_x(nu/2, 1/2) / 2, x = nu / (nu + t^2) (Abramowitz and
 * Stegun 26.7.1, 26.5.27). NAN when nu is not positive.
 */
double stat_t_cdf(double t, double nu);
/* P(|T| >= |t|): the two-sided p of a t statistic, exact also far out in the tail. */
double stat_t_p(double t, double nu);
/* The t with P(T <= t) = @p, 0 < p < 1; -INFINITY and INFINITY at 0 and 1. */
double stat_t_quantile(double p, double nu);
/* The t with P(T >= t) = @tail, for tails too small to be written as 1 - tail. */
double stat_t_upper(double tail, double nu);
/* I_x(a, b), given x and y = 1 - x, each exact. a, b > 0. */
double stat_beta_inc(double a, double b, double x, double y);

/* ---- means (describe.c) ---- */

/* Arithmetic mean; 0 for n = 0. */
double stat_mean(const double *x, size_t n);
/* Sum of squares about the mean over n - 1; 0 for n < 2. Two passes. */
double stat_variance(const double *x, size_t n);
/* Mean of ln(v) over the n runs of a boot. Every v must be > 0, n >= 1, else NAN. */
double stat_mean_log(const int64_t *v, size_t n);

/* ---- tests (block.c, welch.c) ---- */

/* An estimated difference and its t test. */
struct stat_test {
	double est; /* the difference, b - a */
	double se;  /* its standard error */
	double nu;  /* degrees of freedom; 0 when the data cannot tell */
	double t;   /* est / se; +-INFINITY when se is 0 and est is not */
	double p;   /* two-sided; 1 when est and se are both 0 */
};

struct stat_interval {
	double lo, hi;
};

/* A test from its parts: t = est / se, p two-sided; est = se = 0 gives t = 0, p = 1. */
struct stat_test stat_test_of(double est, double se, double nu);
/*
 * Paired t: d_i = b_i - a_i, est = mean d, se = sd(d) / sqrt(n), nu = n - 1. The blocks
 * are the pairs, so what differs from block to block (time of day, temperature) drops
 * out.
 */
struct stat_test stat_paired(const double *a, const double *b, size_t n);
/*
 * Welch's t for two unpaired groups: est = mean b - mean a, se^2 = va/na + vb/nb, nu
 * after Satterthwaite = se^4 / ((va/na)^2/(na-1) + (vb/nb)^2/(nb-1)). (Welch, Biometrika
 * 34, 1947.)
 */
struct stat_test stat_welch(const double *a, size_t na, const double *b, size_t nb);
/* The interval est +- t(1 - alpha/2, nu) se: @alpha .05 gives the 95 % interval. */
struct stat_interval stat_interval(const struct stat_test *t, double alpha);
/*
 * Smallest difference that would be seen with probability .8 at @alpha (two-sided):
 * (t(1 - alpha/2, nu) + t(.8, nu)) se. Same unit as est. INFINITY when nu is 0.
 */
double stat_mde(const struct stat_test *t, double alpha);
/*
 * An instrument that cannot tell boots closer than @q apart (standard deviation of one
 * boot) has an error of at least q sqrt(2/B) for a difference of two means of B boots,
 * however well the boots repeat. Returns @t with its se raised to that, t and p anew.
 */
struct stat_test stat_with_floor(struct stat_test t, double q, size_t blocks);

/*
 * Fieller's interval for mean b / mean a of raw values (Fieller, JRSS B 16, 1954): the r
 * with (mb - r ma)^2 <= t^2 (vb/nb + r^2 va/na), t = t(1 - alpha/2, nu), nu as Welch's.
 */
struct stat_ratio {
	double est; /* mean b / mean a */
	double lo, hi;
	double nu;
	bool bounded; /* false: mean a may be 0 by its own error, there is no interval */
};
struct stat_ratio stat_fieller(const double *a, size_t na, const double *b, size_t nb,
			       double alpha);

/* ---- many tests at once (holm.c) ---- */

/*
 * Holm's step-down correction of @n p values into @ret (may be p itself): sorted upwards,
 * the i-th (from 0) becomes max over j <= i of min(1, (n - j) p_j), in the order given.
 * The chance of any false finding stays below alpha. (Holm, Scand. J. Stat. 6, 1979.)
 * n <= STAT_MOST.
 */
void stat_holm(const double *p, size_t n, double *ret);

/* ---- permutations (perm.c) ---- */

/* How many of all arrangements lie at least as far out as the one observed. */
struct stat_exact {
	uint64_t hits;
	uint64_t total; /* 0: too many to count */
	double p;	/* hits / total, 1 when total is 0 */
};
/*
 * Exact two-sided permutation test of the difference of means: every choice of na out of
 * na + nb <= STAT_MOST values. Counts up to 5,000,000 arrangements.
 */
struct stat_exact stat_permutation(const double *a, size_t na, const double *b,
				   size_t nb);
/* Exact two-sided sign flip test of mean d = 0: all 2^n signs, n <= 22. */
struct stat_exact stat_sign_flip(const double *d, size_t n);

/* ---- the block model (block.c) ---- */

/*
 * z[k * blocks + b]: kernel k in block b. Additive model z = mean + kernel + block +
 * error, residual e_kb = z_kb - mean_k - mean_b + mean, s^2 = sum e^2 / nu, nu = K (B -
 * 1); a difference of two kernels has se = s sqrt(2/B). For two kernels it is the paired
 * t. blocks <= STAT_MOST.
 */
struct stat_blocks {
	size_t kernels, blocks;
	double s;     /* pooled standard deviation of one boot */
	double nu;    /* K (B - 1); 0 with one block or one kernel */
	double ratio; /* largest over smallest residual variance of the kernels */
};
/* Fits the model. @q: residual variances below q^2 count as q^2 in @ratio (see floors).
 */
struct stat_blocks stat_blocks_fit(const double *z, size_t kernels, size_t blocks,
				   double q);
/* Test of kernel @k over kernel @j with the pooled s of @m. */
struct stat_test stat_blocks_test(const struct stat_blocks *m, const double *z, size_t j,
				  size_t k);
/*
 * The ratio of stat_blocks that equal variances exceed with probability @alpha, by @sims
 * simulated sessions of normal noise from @seed (the residuals of kernels are correlated,
 * so Hartley's table does not fit). INFINITY when there is nothing to compare: fewer than
 * three kernels (two mirror each other) or fewer than two blocks.
 */
double stat_blocks_ratio_limit(size_t kernels, size_t blocks, double alpha, size_t sims,
			       uint64_t seed);

/*
 * Steps 1..K, kernel k over kernel k - 1, into @ret[0..K-1] with the uncorrected p.
 * Pooled unless the ratio exceeds @limit, then paired t for each. Floor @q applied.
 * Returns whether it pooled.
 */
bool stat_blocks_steps(const double *z, size_t kernels, size_t blocks, double q,
		       double limit, struct stat_test *ret);

#endif
