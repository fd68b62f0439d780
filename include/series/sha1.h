/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sha1.h - SHA-1 (FIPS 180-4), for nothing but git's patch-ids.
 */
#ifndef SERIES_SHA1_H
#define SERIES_SHA1_H

#include <stddef.h>
#include <stdint.h>
#include "series/str.h"

struct sha1 {
	uint32_t h[5];
	uint64_t bytes;
	unsigned char block[64];
};

void sha1_init(struct sha1 *c);
void sha1_add(struct sha1 *c, const void *p, size_t len);
void sha1_end(struct sha1 *c, unsigned char ret[20]);

#define PATCH_ID_HEX 41

/* A patch-id: the sum of its files' hashes, byte by byte with carry (git's patch-id.c). */
struct patch_sum {
	struct sha1 sha; /* of the file that is hashed now */
	unsigned char sum[20];
};

void patch_sum_init(struct patch_sum *p);
/* Text of a file without its white space; as git has it, no further than a NUL. Bytes hashed. */
size_t patch_sum_text(struct patch_sum *p, struct str text);
/* The file is complete. */
void patch_sum_flush(struct patch_sum *p);
/* The last one too: 40 digits and NUL. */
void patch_sum_end(struct patch_sum *p, char ret[PATCH_ID_HEX]);

#endif
