// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SHA-1 as FIPS 180-4 section 6.1 writes it down.
 */
#include <stdio.h>
#include <string.h>
#include "series/sha1.h"

static uint32_t rol(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static void step(uint32_t v[5], uint32_t f, uint32_t k, uint32_t w)
{
	uint32_t x = rol(v[0], 5) + f + v[4] + k + w;

	v[4] = v[3];
	v[3] = v[2];
	v[2] = rol(v[1], 30);
	v[1] = v[0];
	v[0] = x;
}

static void one_block(uint32_t h[5], const unsigned char *p)
{
	uint32_t w[80], v[5] = { h[0], h[1], h[2], h[3], h[4] };

	for (int t = 0; t < 16; t++)
		w[t] = (uint32_t)p[4 * t] << 24 | (uint32_t)p[4 * t + 1] << 16 |
		       (uint32_t)p[4 * t + 2] << 8 | p[4 * t + 3];
	for (int t = 16; t < 80; t++)
		w[t] = rol(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
	for (int t = 0; t < 20; t++)
		step(v, (v[1] & v[2]) ^ (~v[1] & v[3]), 0x5a827999, w[t]);
	for (int t = 20; t < 40; t++)
		step(v, v[1] ^ v[2] ^ v[3], 0x6ed9eba1, w[t]);
	for (int t = 40; t < 60; t++)
		step(v, (v[1] & v[2]) ^ (v[1] & v[3]) ^ (v[2] & v[3]), 0x8f1bbcdc, w[t]);
	for (int t = 60; t < 80; t++)
		step(v, v[1] ^ v[2] ^ v[3], 0xca62c1d6, w[t]);
	for (int i = 0; i < 5; i++)
		h[i] += v[i];
}

void sha1_init(struct sha1 *c)
{
	static const uint32_t start[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
					   0xc3d2e1f0 };

	memcpy(c->h, start, sizeof(start));
	c->bytes = 0;
}

void sha1_add(struct sha1 *c, const void *data, size_t len)
{
	const unsigned char *p = data;
	size_t have = c->bytes % 64;

	c->bytes += len;
	while (len) {
		size_t n = 64 - have < len ? 64 - have : len;

		memcpy(c->block + have, p, n);
		p += n;
		len -= n;
		have += n;
		if (have == 64) {
			one_block(c->h, c->block);
			have = 0;
		}
	}
}

void sha1_end(struct sha1 *c, unsigned char ret[20])
{
	uint64_t bits = c->bytes * 8;
	unsigned char len[8], zero = 0, one = 0x80;

	sha1_add(c, &one, 1);
	while (c->bytes % 64 != 56)
		sha1_add(c, &zero, 1);
	for (int i = 0; i < 8; i++)
		len[i] = bits >> (56 - 8 * i);
	sha1_add(c, len, 8);
	for (int i = 0; i < 20; i++)
		ret[i] = c->h[i / 4] >> (24 - 8 * (i % 4));
}

void patch_sum_init(struct patch_sum *p)
{
	*p = (struct patch_sum){ .sum = { 0 } };
	sha1_init(&p->sha);
}

size_t patch_sum_text(struct patch_sum *p, struct str text)
{
	size_t from = 0, hashed = 0, i;

	for (i = 0; i < text.len && text.p[i]; i++) {
		if (!str_space(text.p[i]))
			continue;
		sha1_add(&p->sha, text.p + from, i - from);
		hashed += i - from;
		from = i + 1;
	}
	sha1_add(&p->sha, text.p + from, i - from);
	return hashed + i - from;
}

void patch_sum_flush(struct patch_sum *p)
{
	unsigned char one[20];
	unsigned carry = 0;

	sha1_end(&p->sha, one);
	sha1_init(&p->sha);
	for (int i = 0; i < 20; i++) {
		carry += p->sum[i] + one[i];
		p->sum[i] = (unsigned char)carry;
		carry >>= 8;
	}
}

void patch_sum_end(struct patch_sum *p, char ret[PATCH_ID_HEX])
{
	patch_sum_flush(p);
	for (int i = 0; i < 20; i++)
		snprintf(ret + 2 * i, 3, "%02x", p->sum[i]);
}
