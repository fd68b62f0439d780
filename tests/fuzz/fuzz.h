/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - a fuzz target: libFuzzer calls it with bytes it made up (make fuzz), replay.c
 * with those of files (make check). Besides the sanitizers, FUZZ_CHECK() tells it what is
 * wrong.
 */
#ifndef SERIES_FUZZ_H
#define SERIES_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(what)                                                                 \
	do {                                                                             \
		if (!(what)) {                                                           \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);       \
			abort();                                                         \
		}                                                                        \
	} while (0)

#endif
