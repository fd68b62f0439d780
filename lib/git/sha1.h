/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sha1.h - SHA-1 (FIPS 180-4), for nothing but git's patch-ids.
 */
#ifndef GIT_SHA1_H
#define GIT_SHA1_H

#include <stddef.h>
#include <stdint.h>

struct sha1 {
	uint32_t h[5];
	uint64_t bytes;
	unsigned char block[64];
};

void sha1_init(struct sha1 *c);
void sha1_add(struct sha1 *c, const void *p, size_t len);
void sha1_end(struct sha1 *c, unsigned char ret[20]);

#endif
