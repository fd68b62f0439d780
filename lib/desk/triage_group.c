// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_group.c - whom a series waits for; until when it sleeps.
 */
#include <strings.h>

#include "series/mem.h"
#include "series/time.h"
#include "triage_priv.h"

#define DAY 86400

static const struct {
	const char *name, *title;
} groups[N_GROUPS] = {
	[GROUP_READY] = { "ready", "Ready" },
	[GROUP_NEEDS_REVIEW] = { "needs-review", "Needs review" },
	[GROUP_WAITS_ME] = { "waits-me", "Waits for me" },
	[GROUP_WAITS_AUTHOR] = { "waits-author", "Waits for the author" },
	[GROUP_SNOOZED] = { "snoozed", "Snoozed" },
	[GROUP_LANDED] = { "landed", "Landed" },
};

const char *triage_group_name(enum triage_group g)
{
	return groups[g].name;
}

const char *triage_group_title(enum triage_group g)
{
	return groups[g].title;
}

bool triage_is_me(const struct strvec *me, const char *email)
{
	for (size_t i = 0; email && i < me->n; i++)
		if (!strcasecmp(me->v[i], email))
			return true;
	return false;
}

bool triage_away(const struct listed *l, const struct triage_mark *m,
		 const struct triage_facts *f)
{
	if (m->snoozed_until)
		return f->now < m->snoozed_until;
	if (m->snoozed_version)
		return l->version < m->snoozed_version;
	return m->snoozed_tag && !f->tagged;
}

static bool take_part(const struct listed *l, const struct triage_facts *f)
{
	for (size_t i = 0; i < l->people.n; i++)
		if (triage_is_me(f->me, l->people.v[i]))
			return true;
	return false;
}

/* Something for the author to do. */
static bool stands_against(const struct listed *l)
{
	return l->open || l->naks || l->reports || l->missing;
}

enum triage_group triage_group_of(const struct listed *l, const struct triage_mark *m,
				  const struct triage_facts *f)
{
	bool mine = triage_is_me(f->me, l->email), against = stands_against(l);

	if (f->landed)
		return GROUP_LANDED;
	if (triage_away(l, m, f))
		return GROUP_SNOOZED;
	if (triage_is_me(f->me, m->assigned) || (mine && against))
		return GROUP_WAITS_ME;
	if (!against && !l->rfc && l->total && l->covered == l->total)
		return GROUP_READY;
	if (!mine && l->last_word == WORD_AUTHOR && triage_is_me(f->me, l->last_answers))
		return GROUP_WAITS_ME;
	if (against)
		return GROUP_WAITS_AUTHOR;
	if (!mine && l->last_word == WORD_AUTHOR && take_part(l, f))
		return GROUP_WAITS_ME;
	return GROUP_NEEDS_REVIEW;
}

/* ---- snoozing ---- */

/* Days from 1970 to a date of the proleptic Gregorian calendar. */
static int64_t days_from_civil(int64_t y, int64_t m, int64_t d)
{
	int64_t era, of_era, day;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	of_era = y - era * 400;
	day = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + day - 719468;
}

/* "2027-01-10": its first second, UTC. */
static bool read_date(struct str s, int64_t *ret)
{
	int64_t y, m, d, t;
	struct buf back _cleanup_buf_ = BUF_INIT;

	if (s.len != 10 || s.p[4] != '-' || s.p[7] != '-' ||
	    !str_to_i64(str_n(s.p, 4), 1970, 9999, &y) ||
	    !str_to_i64(str_n(s.p + 5, 2), 1, 12, &m) ||
	    !str_to_i64(str_n(s.p + 8, 2), 1, 31, &d))
		return false;
	t = days_from_civil(y, m, d) * DAY;
	/* The 31st of a short month would be another day. */
	time_iso(t, &back);
	if (back.len < 10 || memcmp(back.p, s.p, 10))
		return false;
	*ret = t;
	return true;
}

bool triage_duration(struct str s, int64_t *ret)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 'h', 3600 },
		      { 'd', DAY },
		      { 'w', 7 * DAY },
		      { 'm', 30 * DAY },
		      { 'y', 365 * DAY } };
	int64_t unit = DAY, n;

	for (size_t i = 0; s.len && i < ARRAY_SIZE(units); i++)
		if (s.p[s.len - 1] == units[i].unit) {
			unit = units[i].seconds;
			s.len--;
			break;
		}
	if (!str_to_i64(s, 0, 1000000, &n))
		return false;
	*ret = n * unit;
	return true;
}

/* A name that a tag can have, and that can be put behind refs/tags/. */
static bool tag_name(struct str s)
{
	if (!s.len || s.p[0] == '-' || s.p[0] == '.' || s.p[0] == '/')
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789.-_/+",
			    s.p[i]))
			return false;
	return true;
}

int triage_until(const char *text, int64_t now, struct triage_mark *m, struct err *err)
{
	struct str s = str_trim(str_c(text));
	int64_t n, date = 0;
	int version = 0;
	char *tag = NULL;

	if (s.len && s.p[0] == 'v' && str_to_i64(str_n(s.p + 1, s.len - 1), 1, 9999, &n))
		version = (int)n;
	else if (s.len && read_date(s, &n))
		date = n;
	else if (s.len && triage_duration(s, &n))
		date = now + n;
	else if (s.len && s.p[0] == 'v' && tag_name(s))
		tag = str_dup(s);
	else if (s.len)
		return err_set(
			err, E_USAGE,
			"until '%s'? Expected a day (2027-01-10), a time (3d, 2w), "
			"a version (v4) or a tag (v6.13-rc1)",
			text);
	free(m->snoozed_tag);
	m->snoozed_until = date;
	m->snoozed_version = version;
	m->snoozed_tag = tag;
	return 0;
}

void triage_until_words(const struct triage_mark *m, struct buf *out)
{
	struct buf date _cleanup_buf_ = BUF_INIT;

	if (m->snoozed_until) {
		time_iso(m->snoozed_until, &date);
		buf_printf(out, "until %.10s", buf_cstr(&date));
	} else if (m->snoozed_version) {
		buf_printf(out, "until v%d", m->snoozed_version);
	} else if (m->snoozed_tag) {
		buf_printf(out, "until %s", m->snoozed_tag);
	}
}

void triage_age(int64_t s, struct buf *out)
{
	if (s < 0)
		s = 0;
	if (s < 3600)
		buf_printf(out, "%lldm", (long long)(s / 60));
	else if (s < 2 * DAY)
		buf_printf(out, "%lldh", (long long)(s / 3600));
	else if (s < 100 * DAY)
		buf_printf(out, "%lldd", (long long)(s / DAY));
	else
		buf_printf(out, "%lldw", (long long)(s / (7 * DAY)));
}
