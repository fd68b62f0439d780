// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rng.c: seeded random numbers that are the same on every machine, for boot order and for
 * simulation. The algorithm is part of the contract: a stored seed must give the same
 * order in every version of the program.
 */
#include "series/stat.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *x)
{
	uint64_t z = (*x += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void rng_init(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = splitmix64(&seed);
	r->spare = 0;
	r->have_spare = false;
}

uint64_t rng_u64(struct rng *r)
{
	uint64_t *s = r->s;
	uint64_t out = rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return out;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
	uint64_t limit, x;

	if (n < 2)
		return 0;
	/* Drop the lowest 2^64 mod n values: what remains is a multiple of n. */
	limit = -n % n;
	do {
		x = rng_u64(r);
	} while (x < limit);
	return x % n;
}

double rng_unit(struct rng *r)
{
	return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *r)
{
	double u, v, s, f;

	if (r->have_spare) {
		r->have_spare = false;
		return r->spare;
	}
	do {
		u = 2 * rng_unit(r) - 1;
		v = 2 * rng_unit(r) - 1;
		s = u * u + v * v;
	} while (s >= 1 || s == 0);
	f = sqrt(-2 * log(s) / s);
	r->spare = v * f;
	r->have_spare = true;
	return u * f;
}

void rng_permutation(struct rng *r, size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)rng_below(r, i);
		size_t t = order[i - 1];

		order[i - 1] = order[j];
		order[j] = t;
	}
}
