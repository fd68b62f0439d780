// SPDX-License-Identifier: GPL-2.0-or-later
/* rand.c - random bytes of the kernel, or a fixed stream for tests. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "series/mem.h"
#include "series/time.h"

/* SplitMix64 (Steele, Lea, Flood 2014): a stream of 64-bit words from a seed. */
static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* The test stream; it starts anew when the seed changes. */
static bool seeded_bytes(unsigned char *p, size_t len)
{
	static uint64_t state;
	static int64_t seed;
	static bool started;
	int64_t now;

	if (!cstr_to_i64(getenv("SERIES_TEST_SEED"), 0, INT64_MAX, &now)) {
		started = false;
		return false;
	}
	if (!started || now != seed) {
		state = (uint64_t)now;
		seed = now;
		started = true;
	}
	while (len) {
		uint64_t word = splitmix64(&state);
		size_t i;

		for (i = 0; i < 8 && len; i++, len--)
			*p++ = (unsigned char)(word >> (8 * i));
	}
	return true;
}

void rand_bytes(void *p, size_t len)
{
	unsigned char *to = p;

	if (seeded_bytes(to, len))
		return;
	while (len) {
		ssize_t n = getrandom(to, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			/* Names made of what is not random would collide: go no further.
			 */
			fprintf(stderr, "series: getrandom: %s\n", strerror(errno));
			abort();
		}
		to += n;
		len -= (size_t)n;
	}
}

uint64_t rand_u64(void)
{
	unsigned char bytes[8];
	uint64_t v = 0;
	size_t i;

	rand_bytes(bytes, sizeof(bytes));
	for (i = 0; i < 8; i++)
		v |= (uint64_t)bytes[i] << (8 * i);
	return v;
}

void rand_letters(struct buf *b, size_t n)
{
	while (n) {
		unsigned char c;

		rand_bytes(&c, 1);
		if (c >= 26 * 9)
			continue; /* every letter equally often */
		buf_putc(b, (char)('a' + c % 26));
		n--;
	}
}

void rand_hex(struct buf *b, size_t n)
{
	while (n--) {
		unsigned char c;

		rand_bytes(&c, 1);
		buf_putc(b, "0123456789abcdef"[c & 15]);
	}
}
