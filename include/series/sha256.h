/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sha256.h - SHA-256 (FIPS 180-4), for identities: configs, documents, mails, kernels.
 */
#ifndef SERIES_SHA256_H
#define SERIES_SHA256_H

#include <stddef.h>
#include <stdint.h>
#include "series/err.h"

#define SHA256_HEX 65

struct sha256 {
	uint32_t h[8];
	uint64_t bytes;
	unsigned char block[64];
};

/* Begin; nothing to release. */
void sha256_init(struct sha256 *c);
/* len more bytes of the message. */
void sha256_add(struct sha256 *c, const void *p, size_t len);
/* The digest in lower-case hex with a NUL; begin anew before adding more. */
void sha256_end(struct sha256 *c, char ret[SHA256_HEX]);
/* The three at once, for bytes in memory and for a file (E_NOTFOUND, or E_FAIL). */
void sha256_hex(const void *p, size_t len, char ret[SHA256_HEX]);
int sha256_file(const char *path, char ret[SHA256_HEX], struct err *err);

#endif
