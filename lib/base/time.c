// SPDX-License-Identifier: GPL-2.0-or-later
/* time.c - the clock and times as text. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include "series/mem.h"
#include "series/time.h"

static const char days[7][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
				    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

int64_t time_now(void)
{
	int64_t fixed;

	if (cstr_to_i64(getenv("SERIES_TEST_NOW"), 0, INT64_MAX, &fixed))
		return fixed;
	return (int64_t)time(NULL);
}

int64_t time_mono_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

void time_sleep_ms(int ms)
{
	struct timespec ts = { ms / 1000, (ms % 1000) * 1000000L };

	if (ms > 0)
		nanosleep(&ts, NULL);
}

/* Broken-down time; a year no struct tm can hold reads as the epoch. */
static struct tm broken_down(int64_t t, bool local)
{
	time_t tt = (time_t)t;
	struct tm tm = { 0 };

	if (!(local ? localtime_r(&tt, &tm) : gmtime_r(&tt, &tm))) {
		tt = 0;
		gmtime_r(&tt, &tm);
	}
	return tm;
}

void time_rfc5322(int64_t t, struct buf *b)
{
	struct tm tm = broken_down(t, true);
	long off = tm.tm_gmtoff / 60;
	char sign = off < 0 ? '-' : '+';

	off = labs(off);
	buf_printf(b, "%s, %d %s %04lld %02d:%02d:%02d %c%02ld%02ld", days[tm.tm_wday],
		   tm.tm_mday, months[tm.tm_mon], tm.tm_year + 1900LL, tm.tm_hour,
		   tm.tm_min, tm.tm_sec, sign, off / 60, off % 60);
}

void time_iso(int64_t t, struct buf *b)
{
	struct tm tm = broken_down(t, false);

	buf_printf(b, "%04lld-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900LL,
		   tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void time_yyyymmdd(int64_t t, struct buf *b)
{
	struct tm tm = broken_down(t, false);

	buf_printf(b, "%04lld%02d%02d", tm.tm_year + 1900LL, tm.tm_mon + 1, tm.tm_mday);
}

void time_compact(int64_t t, struct buf *b)
{
	struct tm tm = broken_down(t, false);

	time_yyyymmdd(t, b);
	buf_printf(b, "%02d%02d%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void time_ago(int64_t t, struct buf *b)
{
	static const struct {
		int64_t secs, below;
		const char *name;
	} units[] = {
		{ 1, 60, "second" },
		{ 60, 60, "minute" },
		{ 3600, 24, "hour" },
		{ 86400, 14, "day" },
		{ 7 * 86400, 9, "week" },
		{ 2629746, 12, "month" }, /* a twelfth of the Gregorian mean year */
		{ 31556952, INT64_MAX, "year" },
	};
	int64_t age = time_now() - t;
	int64_t n = 0;
	size_t i;

	if (age < 0) {
		buf_puts(b, "in the future");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		n = age / units[i].secs;
		if (n < units[i].below)
			break;
	}
	buf_printf(b, "%lld %s%s ago", (long long)n, units[i].name, n == 1 ? "" : "s");
}

void time_duration_ms(int64_t ms, struct buf *b)
{
	long long s = ms / 1000;

	if (ms < 0)
		ms = s = 0;
	if (s >= 3600)
		buf_printf(b, "%lldh%02lldm", s / 3600, s / 60 % 60);
	else if (s >= 60)
		buf_printf(b, "%lldm%02llds", s / 60, s % 60);
	else if (s >= 10)
		buf_printf(b, "%llds", s);
	else
		buf_printf(b, "%lld.%llds", s, (long long)ms / 100 % 10);
}
