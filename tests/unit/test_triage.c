// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_triage.c - groups, queries, order, overlaps and snoozing of rows that were written
 * here; what is expected was worked out by hand from the rules in triage.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/triage.h"

#define DAY 86400
#define NOW (20000 * (int64_t)DAY)

static struct strvec me;

static int setup(void **state)
{
	strvec_push(&me, "me@example.org");
	return 0;
}

static int teardown(void **state)
{
	strvec_release(&me);
	return 0;
}

/* ---- groups ---- */

/* Three patches by Ada, all reviewed, her own the last word. */
static struct listed whole(void)
{
	return (struct listed){ .title = "t",
				.name = "Ada",
				.email = "ada@example.org",
				.version = 2,
				.total = 3,
				.covered = 3,
				.last_word = WORD_AUTHOR,
				.posted = NOW - DAY,
				.last = NOW - DAY };
}

static enum triage_group group(const struct listed *l)
{
	struct triage_mark none = { 0 };
	struct triage_facts f = { .now = NOW, .me = &me };

	return triage_group_of(l, &none, &f);
}

static void test_ready(void **state)
{
	struct listed l = whole();

	assert_int_equal(group(&l), GROUP_READY);
	l.covered = 2;
	assert_int_equal(group(&l), GROUP_NEEDS_REVIEW);
	l = whole();
	l.rfc = true;
	assert_int_equal(group(&l), GROUP_NEEDS_REVIEW);
	l = whole();
	l.open = 1;
	assert_int_equal(group(&l), GROUP_WAITS_AUTHOR);
	l = whole();
	l.naks = 1;
	assert_int_equal(group(&l), GROUP_WAITS_AUTHOR);
	l = whole();
	l.reports = 1;
	assert_int_equal(group(&l), GROUP_WAITS_AUTHOR);
	l = whole();
	l.missing = 1;
	assert_int_equal(group(&l), GROUP_WAITS_AUTHOR);
	l = whole();
	l.total = l.covered = 0;
	assert_int_equal(group(&l), GROUP_NEEDS_REVIEW);
}

static void test_me(void **state)
{
	struct listed l = whole();
	struct triage_mark m = { .assigned = "ME@example.org" };
	struct triage_facts f = { .now = NOW, .me = &me };

	/* Assigned counts more than anything about the mails. */
	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_WAITS_ME);
	m.assigned = "bea@example.org";
	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_READY);
	/* The author answered me; another answered somebody else. */
	l.covered = 0;
	l.open = 1;
	l.last_answers = "me@example.org";
	assert_int_equal(group(&l), GROUP_WAITS_ME);
	l.last_answers = "bea@example.org";
	assert_int_equal(group(&l), GROUP_WAITS_AUTHOR);
	l.last_answers = "me@example.org";
	l.last_word = WORD_REVIEWER;
	assert_int_equal(group(&l), GROUP_WAITS_AUTHOR);
	/* A new version of what I took part in. */
	l = whole();
	l.covered = 0;
	strvec_push(&l.people, "me@example.org");
	assert_int_equal(group(&l), GROUP_WAITS_ME);
	/* My own with remarks; without it waits for others. */
	l.email = "me@example.org";
	assert_int_equal(group(&l), GROUP_NEEDS_REVIEW);
	l.open = 1;
	assert_int_equal(group(&l), GROUP_WAITS_ME);
	strvec_release(&l.people);
}

static void test_away(void **state)
{
	struct listed l = whole();
	struct triage_facts f = { .now = NOW, .me = &me };
	struct triage_mark m = { .snoozed_until = NOW + 1 };

	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_SNOOZED);
	f.now = NOW + 1;
	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_READY);
	m = (struct triage_mark){ .snoozed_version = 3 };
	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_SNOOZED);
	l.version = 3;
	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_READY);
	m = (struct triage_mark){ .snoozed_tag = "v9-rc1" };
	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_SNOOZED);
	f.tagged = true;
	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_READY);
	f.landed = true;
	assert_int_equal(triage_group_of(&l, &m, &f), GROUP_LANDED);
}

static void until(const char *text, int64_t date, int version, const char *tag)
{
	struct triage_mark m = { .snoozed_until = 1, .snoozed_version = 1 };
	struct buf words _cleanup_buf_ = BUF_INIT;

	assert_int_equal(triage_until(text, NOW, &m, NULL), 0);
	assert_int_equal(m.snoozed_until, date);
	assert_int_equal(m.snoozed_version, version);
	if (tag)
		assert_string_equal(m.snoozed_tag, tag);
	else
		assert_null(m.snoozed_tag);
	triage_mark_release(&m);
}

static void test_until(void **state)
{
	static const char *const bad[] = {
		"2027-02-30", "2027-1-10", "tomorrow", "-4",
		"3x",	      "v6.13 rc1", "../v1",    "vv;rm"
	};
	struct triage_mark m = { .snoozed_version = 7 };

	/* date -u -d 2027-01-10 +%s; 29 February. */
	until("2027-01-10", 1799539200, 0, NULL);
	until("2028-02-29", 1835395200, 0, NULL);
	until("3d", NOW + 3 * DAY, 0, NULL);
	until("12h", NOW + 43200, 0, NULL);
	until("2w", NOW + 14 * DAY, 0, NULL);
	until(" v4 ", 0, 4, NULL);
	until("v6.13-rc1", 0, 0, "v6.13-rc1");
	until("", 0, 0, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		if (triage_until(bad[i], NOW, &m, NULL) != E_USAGE)
			fail_msg("%s was taken", bad[i]);
	}
	assert_int_equal(m.snoozed_version, 7);
}

static void test_age(void **state)
{
	static const struct {
		int64_t seconds;
		const char *words;
	} ages[] = { { -5, "0m" },	     { 59, "0m" },	  { 60, "1m" },
		     { 3599, "59m" },	     { 3600, "1h" },	  { 47 * 3600, "47h" },
		     { 2 * DAY, "2d" },	     { 99 * DAY, "99d" }, { 100 * DAY, "14w" },
		     { 7000 * DAY, "1000w" } };

	for (size_t i = 0; i < ARRAY_SIZE(ages); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		triage_age(ages[i].seconds, &b);
		assert_string_equal(buf_cstr(&b), ages[i].words);
	}
}

/* ---- queries, order, overlaps ---- */

static struct listed rows[4];
static struct triage_row row[4];
static struct triage t;
static struct triage_mark marks[4];

static void add(size_t i, const char *title, const char *name, const char *email,
		const char *files, const char *funcs)
{
	rows[i].title = (char *)title;
	rows[i].name = (char *)name;
	rows[i].email = (char *)email;
	rows[i].message_id = "1@example.org";
	strvec_split(&rows[i].files, str_c(files), ' ');
	strvec_split(&rows[i].funcs, str_c(funcs), ' ');
	row[i] = (struct triage_row){ .l = &rows[i],
				      .mark = &marks[i],
				      .group = GROUP_NEEDS_REVIEW };
}

static int setup_rows(void **state)
{
	strvec_push(&t.me, "me@example.org");
	t.now = NOW;
	t.row = row;
	t.n = 4;
	add(0, "mm: page table walks", "Ada Author", "ada@example.org",
	    "mm/rmap.c mm/vmscan.c", "mm/rmap.c\tunmap mm/vmscan.c\tshrink");
	add(1, "mm: count pages", "Bea Builder", "bea@example.org", "mm/rmap.c",
	    "mm/rmap.c\tother");
	add(2, "fs: Page cache", "Ada Author", "ada@example.org", "fs/a.c mm/rmap.c",
	    "mm/rmap.c\tunmap");
	add(3, "net: nothing", "Cy", "me@example.org", "net/n.c", "");
	for (size_t i = 0; i < 4; i++) {
		rows[i].total = i + 1;
		rows[i].last = rows[i].posted = NOW - (int64_t)(i + 1) * 10 * DAY;
		rows[i].open = i % 2;
	}
	rows[2].rfc = true;
	row[3].list = "netdev";
	marks[1].flagged = true;
	marks[1].note = "ask Rita";
	return 0;
}

static int teardown_rows(void **state)
{
	t.row = NULL;
	t.n = 0;
	for (size_t i = 0; i < 4; i++) {
		strvec_release(&rows[i].files);
		strvec_release(&rows[i].funcs);
	}
	triage_release(&t);
	return 0;
}

/* "02": the rows that a query means. */
static void means(const char *query, const char *expected)
{
	struct query *q _cleanup_query_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (query_parse(query, &q, &err))
		fail_msg("%s: %s", query, err_msg(&err));
	for (size_t i = 0; i < t.n; i++)
		if (query_match(q, &t, &row[i]))
			buf_printf(&b, "%zu", i);
	if (strcmp(buf_cstr(&b), expected))
		fail_msg("%s: %s, expected %s", query, buf_cstr(&b), expected);
}

static void test_query(void **state)
{
	means("", "0123");
	means("page", "012");
	means("page table", "0");
	means("\"page table\"", "0");
	means("\"table page\"", "");
	means("author:ada", "02");
	means("-author:ada", "13");
	means("!author:ada page", "1");
	means("subject:\"page c\"", "2");
	means("author:ada | author:bea", "012");
	means("author:ada | author:bea open=0", "02");
	means("author:ADA@EXAMPLE.ORG", "02");
	means("author=ada", "");
	means("file:mm/", "012");
	means("file=mm/vmscan.c", "0");
	means("func:unmap", "02");
	means("list:net", "3");
	means("is:rfc", "2");
	means("-is:rfc page", "01");
	means("is:flagged", "1");
	means("note:rita", "1");
	means("rita", "1");
	means("is:mine", "3");
	means("open>0", "13");
	means("patches<3", "01");
	means("patches>=3", "23");
	means("patches<=1", "0");
	means("patches:2", "1");
	means("R>0", "");
	means("r=0 a=0", "0123");
	means("age<30d", "01");
	means("age<=30d", "012");
	means("age>3w", "23");
	means("age>24h page", "012");
	means("group:needs", "0123");
	means("-", "");
	means("   -nothing   ", "012");
	means("overlaps>0", "012");
}

static void refused(const char *query, const char *words)
{
	struct query *q = NULL;
	struct err err _cleanup_err_ = ERR_INIT;

	assert_int_equal(query_parse(query, &q, &err), E_USAGE);
	if (!strstr(err_msg(&err), words))
		fail_msg("%s: %s", query, err_msg(&err));
}

static void test_refused(void **state)
{
	refused("colour:red", "'colour' is nothing to ask for");
	refused("is:good", "is:good?");
	refused("open>many", "'many' is no number");
	refused("age<soon", "'soon' is no time");
	refused("age<-3d", "'-3d' is no time");
	refused("author>ada", "author is text");
	refused("x open>", "'' is no number");
}

static void order(const char *columns, const char *expected)
{
	struct triage_order *o = NULL;
	size_t v[4] = { 0, 1, 2, 3 };
	char is[5] = "";

	assert_int_equal(triage_order_parse(columns, &o, NULL), 0);
	triage_sort(&t, o, v, 4);
	for (size_t i = 0; i < 4; i++)
		is[i] = (char)('0' + v[i]);
	assert_string_equal(is, expected);
	triage_order_free(o);
}

static void test_order(void **state)
{
	struct triage_order *o = NULL;

	order("age", "0123");
	order("-age", "3210");
	order("-open,age", "1302");
	order("author -patches", "2013");
	order("subject", "2103");
	row[3].group = GROUP_READY;
	order("age", "3012");
	row[3].group = GROUP_NEEDS_REVIEW;
	assert_int_equal(triage_order_parse("colour", &o, NULL), E_USAGE);
	assert_int_equal(triage_order_parse("", &o, NULL), 0);
	triage_order_free(o);
}

static void overlaps(size_t i, const char *expected)
{
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;
	char *all _cleanup_free_ = NULL;
	size_t n = triage_overlaps(&t, &row[i], &v);

	assert_int_equal(n, v.n);
	all = strvec_join(&v, "|");
	assert_string_equal(all, expected);
}

static void test_overlaps(void **state)
{
	overlaps(0, "fs: Page cache: mm/rmap.c: unmap()|mm: count pages: mm/rmap.c");
	overlaps(1, "mm: page table walks: mm/rmap.c|fs: Page cache: mm/rmap.c");
	overlaps(3, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ready, setup, teardown),
		cmocka_unit_test_setup_teardown(test_me, setup, teardown),
		cmocka_unit_test_setup_teardown(test_away, setup, teardown),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_age),
		cmocka_unit_test_setup_teardown(test_query, setup_rows, teardown_rows),
		cmocka_unit_test_setup_teardown(test_refused, setup_rows, teardown_rows),
		cmocka_unit_test_setup_teardown(test_order, setup_rows, teardown_rows),
		cmocka_unit_test_setup_teardown(test_overlaps, setup_rows, teardown_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
