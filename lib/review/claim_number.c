// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * claim_number.c - numbers as kernel people write measurements: "1.518 s", "0m1.518s",
 * "37,401,913 ns", "12%", "2.5x".
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "claim_priv.h"
#include "series/mem.h"

static const struct unit no_unit = { "", DIM_NONE, 1 };

/* Words for units; the same word twice must not be. Case counts: "MB" is no "mb". */
static const struct {
	const char *word;
	struct unit unit;
} units[] = {
	{ "%", { "%", DIM_PERCENT, 1 } },
	{ "percent", { "%", DIM_PERCENT, 1 } },
	{ "x", { "x", DIM_FACTOR, 1 } },
	{ "X", { "x", DIM_FACTOR, 1 } },
	{ "times", { "x", DIM_FACTOR, 1 } },
	{ "ns", { "ns", DIM_TIME, 1e-9 } },
	{ "nsec", { "ns", DIM_TIME, 1e-9 } },
	{ "nsecs", { "ns", DIM_TIME, 1e-9 } },
	{ "us", { "us", DIM_TIME, 1e-6 } },
	{ "usec", { "us", DIM_TIME, 1e-6 } },
	{ "usecs", { "us", DIM_TIME, 1e-6 } },
	{ "\xc2\xb5s", { "us", DIM_TIME, 1e-6 } },
	{ "\xce\xbcs", { "us", DIM_TIME, 1e-6 } },
	{ "ms", { "ms", DIM_TIME, 1e-3 } },
	{ "msec", { "ms", DIM_TIME, 1e-3 } },
	{ "msecs", { "ms", DIM_TIME, 1e-3 } },
	{ "s", { "s", DIM_TIME, 1 } },
	{ "sec", { "s", DIM_TIME, 1 } },
	{ "secs", { "s", DIM_TIME, 1 } },
	{ "second", { "s", DIM_TIME, 1 } },
	{ "seconds", { "s", DIM_TIME, 1 } },
	{ "min", { "min", DIM_TIME, 60 } },
	{ "minutes", { "min", DIM_TIME, 60 } },
	{ "KB/s", { "KB/s", DIM_RATE, 1e3 } },
	{ "kB/s", { "KB/s", DIM_RATE, 1e3 } },
	{ "KiB/s", { "KiB/s", DIM_RATE, 1024 } },
	{ "MB/s", { "MB/s", DIM_RATE, 1e6 } },
	{ "MB/sec", { "MB/s", DIM_RATE, 1e6 } },
	{ "MiB/s", { "MiB/s", DIM_RATE, 1048576 } },
	{ "GB/s", { "GB/s", DIM_RATE, 1e9 } },
	{ "GB/sec", { "GB/s", DIM_RATE, 1e9 } },
	{ "GiB/s", { "GiB/s", DIM_RATE, 1073741824 } },
	{ "bytes", { "bytes", DIM_BYTES, 1 } },
	{ "KB", { "KB", DIM_BYTES, 1e3 } },
	{ "kB", { "KB", DIM_BYTES, 1e3 } },
	{ "KiB", { "KiB", DIM_BYTES, 1024 } },
	{ "MB", { "MB", DIM_BYTES, 1e6 } },
	{ "MiB", { "MiB", DIM_BYTES, 1048576 } },
	{ "GB", { "GB", DIM_BYTES, 1e9 } },
	{ "GiB", { "GiB", DIM_BYTES, 1073741824 } },
	{ "ops/s", { "ops/s", DIM_OTHER, 1 } },
	{ "ops/sec", { "ops/s", DIM_OTHER, 1 } },
	{ "IOPS", { "IOPS", DIM_OTHER, 1 } },
	{ "cycles", { "cycles", DIM_OTHER, 1 } },
	{ "tps", { "tps", DIM_OTHER, 1 } },
	{ "req/s", { "req/s", DIM_OTHER, 1 } },
};

/* Part of a word or of a longer number. */
static bool joins(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '#' || c == '/';
}

static bool digit(struct str s, size_t at)
{
	return at < s.len && isdigit((unsigned char)s.p[at]);
}

/* Digits, with commas between thousands, and a fraction. *at moves behind them. */
static bool read_value(struct str s, size_t *at, double *ret)
{
	char text[48];
	size_t n = 0, i = *at;

	for (; i < s.len && n < sizeof(text) - 1; i++) {
		bool comma = s.p[i] == ',' && digit(s, i + 1) && digit(s, i + 2) &&
			     digit(s, i + 3) && !digit(s, i + 4);

		if (digit(s, i))
			text[n++] = s.p[i];
		else if (!comma)
			break;
	}
	if (i + 1 < s.len && s.p[i] == '.' && digit(s, i + 1)) {
		text[n < sizeof(text) - 1 ? n++ : n] = '.';
		for (i++; digit(s, i); i++)
			if (n < sizeof(text) - 1)
				text[n++] = s.p[i];
		if (i + 1 < s.len && s.p[i] == '.' && digit(s, i + 1))
			return false; /* "6.12.3" */
	}
	text[n] = '\0';
	*at = i;
	/* LC_NUMERIC is C in all our programs: only LC_CTYPE is ever set. */
	*ret = strtod(text, NULL);
	return n && n < sizeof(text) - 1;
}

static bool word_ends(struct str s, size_t at)
{
	return at >= s.len || !(isalnum((unsigned char)s.p[at]) || s.p[at] == '_' ||
				(s.p[at] == '/' && at + 1 < s.len &&
				 isalpha((unsigned char)s.p[at + 1])));
}

/* The unit right behind a number, or behind one blank; *at moves behind it. */
static const struct unit *read_unit(struct str s, size_t *at)
{
	size_t from = *at;

	if (from < s.len && s.p[from] == '+')
		from++;
	if (from < s.len && s.p[from] == ' ')
		from++;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t n = strlen(units[i].word);

		if (s.len - from < n || memcmp(s.p + from, units[i].word, n))
			continue;
		if (strcmp(units[i].word, "%") && !word_ends(s, from + n))
			continue;
		*at = from + n;
		return &units[i].unit;
	}
	return &no_unit;
}

/* "0m1.518s", as time(1) has it. */
static bool read_clock(struct str s, size_t *at, double *value)
{
	size_t i = *at;
	double seconds;

	if (i + 1 >= s.len || s.p[i] != 'm' || !digit(s, i + 1))
		return false;
	i++;
	if (!read_value(s, &i, &seconds) || i >= s.len || s.p[i] != 's' ||
	    !word_ends(s, i + 1))
		return false;
	*value = *value * 60 + seconds;
	*at = i + 1;
	return true;
}

static bool number_at(struct str s, size_t at, struct number *ret)
{
	static const struct unit second = { "s", DIM_TIME, 1 };
	struct number n = { .from = at, .to = at };

	if (at > 0 && (joins(s.p[at - 1]) || s.p[at - 1] == '.'))
		return false;
	/* "mm/x.c:12", "foo-64": the sign of a number stands behind a blank. */
	if (at > 1 && strchr(":-+", s.p[at - 1]) && joins(s.p[at - 2]))
		return false;
	if (!read_value(s, &n.to, &n.value))
		return false;
	if (read_clock(s, &n.to, &n.value)) {
		n.unit = &second;
	} else {
		n.unit = read_unit(s, &n.to);
		if (!n.unit->dim && n.to < s.len &&
		    (joins(s.p[n.to]) || strchr("-:", s.p[n.to])))
			return false;
	}
	if (at > 0 && s.p[at - 1] == '-')
		n.value = -n.value;
	*ret = n;
	return true;
}

bool number_next(struct str line, size_t at, struct number *ret)
{
	for (; at < line.len; at++) {
		if (!digit(line, at))
			continue;
		if (number_at(line, at, ret))
			return true;
		while (at + 1 < line.len &&
		       (joins(line.p[at + 1]) || line.p[at + 1] == '.'))
			at++;
	}
	return false;
}

bool number_as(const struct number *a, struct number *b)
{
	if (a->unit->dim != b->unit->dim ||
	    (a->unit->dim == DIM_OTHER && strcmp(a->unit->name, b->unit->name)))
		return false;
	b->value *= b->unit->scale / a->unit->scale;
	b->unit = a->unit;
	return true;
}
