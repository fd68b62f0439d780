// SPDX-License-Identifier: GPL-2.0-or-later
/* sha256.c - SHA-256 as FIPS 180-4 describes it, sections 4.2.2, 5.1.1, 5.3.3, 6.2. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "series/mem.h"
#include "series/sha256.h"

static const uint32_t K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t ror(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static void compress(uint32_t h[8], const unsigned char *p)
{
	uint32_t w[64], s[8];
	int t;

	for (t = 0; t < 16; t++, p += 4)
		w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
		       p[3];
	for (; t < 64; t++) {
		uint32_t a = w[t - 15], b = w[t - 2];

		w[t] = w[t - 16] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + w[t - 7] +
		       (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
	}
	memcpy(s, h, sizeof(s));
	for (t = 0; t < 64; t++) {
		uint32_t t1 = s[7] + (ror(s[4], 6) ^ ror(s[4], 11) ^ ror(s[4], 25)) +
			      ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[t] + w[t];
		uint32_t t2 = (ror(s[0], 2) ^ ror(s[0], 13) ^ ror(s[0], 22)) +
			      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(s[0]));
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (t = 0; t < 8; t++)
		h[t] += s[t];
}

void sha256_init(struct sha256 *c)
{
	static const uint32_t h0[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	memcpy(c->h, h0, sizeof(h0));
	c->bytes = 0;
}

void sha256_add(struct sha256 *c, const void *data, size_t len)
{
	const unsigned char *p = data;
	size_t have = c->bytes % 64;

	if (!len)
		return;
	c->bytes += len;
	if (have) {
		size_t n = MIN(64 - have, len);

		memcpy(c->block + have, p, n);
		p += n;
		len -= n;
		if (have + n < 64)
			return;
		compress(c->h, c->block);
	}
	for (; len >= 64; p += 64, len -= 64)
		compress(c->h, p);
	if (len)
		memcpy(c->block, p, len);
}

void sha256_end(struct sha256 *c, char ret[SHA256_HEX])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char pad[72] = { 0x80 };
	uint64_t bits = c->bytes * 8;
	size_t have = c->bytes % 64;
	size_t n = have < 56 ? 56 - have : 120 - have;
	int i;

	for (i = 0; i < 8; i++)
		pad[n + (size_t)i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_add(c, pad, n + 8);
	for (i = 0; i < 64; i++)
		ret[i] = digits[c->h[i / 8] >> (28 - 4 * (i % 8)) & 15];
	ret[64] = '\0';
}

void sha256_hex(const void *p, size_t len, char ret[SHA256_HEX])
{
	struct sha256 c;

	sha256_init(&c);
	sha256_add(&c, p, len);
	sha256_end(&c, ret);
}

int sha256_file(const char *path, char ret[SHA256_HEX], struct err *err)
{
	int fd _cleanup_close_ = open(path, O_RDONLY | O_CLOEXEC);
	char chunk[65536];
	struct sha256 c;
	ssize_t n;

	if (fd < 0 && errno == ENOENT)
		return err_set(err, E_NOTFOUND, "%s: no such file", path);
	if (fd < 0)
		return err_errno(err, errno, "%s", path);
	sha256_init(&c);
	while ((n = read(fd, chunk, sizeof(chunk)))) {
		if (n > 0)
			sha256_add(&c, chunk, (size_t)n);
		else if (errno != EINTR)
			return err_errno(err, errno, "%s: read", path);
	}
	sha256_end(&c, ret);
	return 0;
}
