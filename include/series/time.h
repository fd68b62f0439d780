/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.h - the seam for time and randomness.
 *
 * SERIES_TEST_NOW (seconds since 1970) fixes the clock and SERIES_TEST_SEED (a number) the
 * random bytes, so that tests are deterministic. Everything that asks for the time of day
 * or for randomness outside lib/stat goes through here.
 */
#ifndef SERIES_TIME_H
#define SERIES_TIME_H

#include <stddef.h>
#include <stdint.h>
#include "series/buf.h"

/* Seconds since 1970. */
int64_t time_now(void);
/* Nanoseconds of the monotonic clock (never fixed by tests). */
int64_t time_mono_ns(void);
void time_sleep_ms(int ms);
/* RFC 5322 section 3.3: "Mon, 30 Nov 2026 12:55:18 +0000", in local time with its zone. */
void time_rfc5322(int64_t t, struct buf *b);
/* ISO 8601 in UTC: "2026-11-30T12:55:18Z". */
void time_iso(int64_t t, struct buf *b);
/* UTC "20261130" and "20261130125518". */
void time_yyyymmdd(int64_t t, struct buf *b);
void time_compact(int64_t t, struct buf *b);
/* "3 days ago", "1 hour ago", "in the future", for people; rounded down. */
void time_ago(int64_t t, struct buf *b);
/* "1h05m", "12m30s", "45s"; tenths below ten seconds: "0.8s". Rounded down. */
void time_duration_ms(int64_t ms, struct buf *b);

/*
 * len random bytes from getrandom(2). With SERIES_TEST_SEED they are the little-endian
 * words of SplitMix64 from that seed, one stream for the whole process.
 */
void rand_bytes(void *p, size_t len);
uint64_t rand_u64(void);
/* n random characters of [a-z]. */
void rand_letters(struct buf *b, size_t n);
/* n random characters of [0-9a-f]. */
void rand_hex(struct buf *b, size_t n);

#endif
