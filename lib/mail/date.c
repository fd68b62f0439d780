// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * date.c - when a mail says it was written.
 *
 * Words are taken for what they look like, in any order: "Tue, 5 Jan 2024 09:00:00
 * +0100", "Tue Jan  5 09:00:00 2024" (asctime), "2024-01-05 09:00", "05-Jan-24 9:00 EST".
 */
#include <ctype.h>
#include <time.h>
#include "series/mail.h"
#include "series/mem.h"

struct seen {
	int64_t year, month, day; /* -1: not yet */
	int64_t hour, minute, second;
	int zone;
	bool time, zoned;
};

static const char *const months[] = { "jan", "feb", "mar", "apr", "may", "jun",
				      "jul", "aug", "sep", "oct", "nov", "dec" };

/* RFC 5322 section 4.3: those that mean something. */
static const struct {
	const char *name;
	int zone;
} zones[] = {
	{ "EST", -300 }, { "EDT", -240 }, { "CST", -360 }, { "CDT", -300 },
	{ "MST", -420 }, { "MDT", -360 }, { "PST", -480 }, { "PDT", -420 },
};

static int month_of(struct str word)
{
	for (size_t i = 0; i < ARRAY_SIZE(months); i++)
		if (word.len >= 3 && str_istarts(word, months[i]))
			return (int)i;
	return -1;
}

static void take_year(struct str word, struct seen *d)
{
	int64_t year;

	if (!str_to_i64(word, 0, 9999, &year))
		return;
	/* RFC 5322 section 4.3: "49" and "124". */
	if (word.len == 2)
		year += year < 50 ? 2000 : 1900;
	else if (word.len == 3)
		year += 1900;
	d->year = year;
}

/* "2024-01-05", "05-Jan-2024" */
static void take_joined(struct str word, struct seen *d)
{
	struct str piece[3];
	int64_t n;

	for (size_t i = 0; i < 3; i++)
		if (!str_cut(&word, '-', &piece[i]))
			return;
	if (piece[0].len == 4) {
		take_year(piece[0], d);
		d->month = str_to_i64(piece[1], 1, 12, &n) ? n - 1 : -1;
		d->day = str_to_i64(piece[2], 1, 31, &n) ? n : -1;
	} else {
		d->day = str_to_i64(piece[0], 1, 31, &n) ? n : -1;
		d->month = month_of(piece[1]);
		take_year(piece[2], d);
	}
}

/* "9:00", "09:00:01", "09:00:01.5" */
static void take_time(struct str word, struct seen *d)
{
	struct str piece = STR_NULL;
	int64_t v[3] = { 0 };

	for (size_t i = 0; i < 3 && str_cut(&word, ':', &piece); i++) {
		ptrdiff_t dot = str_chr(piece, '.');

		if (dot >= 0)
			piece.len = (size_t)dot;
		if (!str_to_i64(piece, 0, i ? 60 : 24, &v[i]))
			return;
	}
	d->hour = v[0];
	d->minute = v[1];
	d->second = v[2];
	d->time = true;
}

/* "+0100", "-08:00", "+00.00", "+1" */
static void take_offset(struct str word, struct seen *d)
{
	int sign = word.p[0] == '-' ? -1 : 1, value = 0;
	size_t digits = 0;

	for (size_t i = 1; i < word.len && digits < 4; i++) {
		if (!isdigit((unsigned char)word.p[i]))
			continue;
		value = value * 10 + (word.p[i] - '0');
		digits++;
	}
	if (!digits)
		return;
	if (digits <= 2)
		value *= 100;
	d->zone = sign * (value / 100 * 60 + value % 100);
	d->zoned = true;
}

static void take_name(struct str word, struct seen *d)
{
	int month = month_of(word);

	if (month >= 0 && d->month < 0)
		d->month = month;
	for (size_t i = 0; i < ARRAY_SIZE(zones); i++)
		if (str_ieqc(word, zones[i].name) && !d->zoned)
			d->zone = zones[i].zone;
}

static void take_number(struct str word, struct seen *d)
{
	int64_t n;

	if (word.len <= 2 && d->day < 0 && str_to_i64(word, 1, 31, &n))
		d->day = n;
	else if (d->year < 0 && word.len >= 2)
		take_year(word, d);
}

static void take(struct str word, struct seen *d)
{
	char c = word.p[0];

	if (str_chr(word, ':') > 0 && isdigit((unsigned char)c))
		take_time(word, d);
	else if ((c == '+' || c == '-') && d->time)
		take_offset(word, d);
	else if (str_chr(word, '-') > 0)
		take_joined(word, d);
	else if (isdigit((unsigned char)c))
		take_number(word, d);
	else
		take_name(word, d);
}

/* Words between blanks and commas; a comment ends the date ("(PST)"). */
static void take_all(struct str value, struct seen *d)
{
	size_t i = 0;

	while (i < value.len && value.p[i] != '(') {
		size_t from = i;

		while (i < value.len && !strchr(" \t\r\n,(", value.p[i]))
			i++;
		if (i > from)
			take(str_n(value.p + from, i - from), d);
		else if (value.p[i] != '(')
			i++;
	}
}

bool field_date(struct str value, int64_t *ret, int *ret_zone)
{
	struct seen d = { .year = -1, .month = -1, .day = -1 };
	struct tm tm = { 0 };

	take_all(str_trim(value), &d);
	if (d.year < 0 || d.month < 0 || d.day < 0)
		return false;
	tm.tm_year = (int)d.year - 1900;
	tm.tm_mon = (int)d.month;
	tm.tm_mday = (int)d.day;
	tm.tm_hour = (int)d.hour;
	tm.tm_min = (int)d.minute;
	tm.tm_sec = (int)d.second;
	*ret = (int64_t)timegm(&tm) - (int64_t)d.zone * 60;
	if (ret_zone)
		*ret_zone = d.zone;
	return true;
}
