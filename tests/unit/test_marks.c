// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_marks.c - what the user noted is kept, by field, whatever else happens to the
 * file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/marks.h"
#include "series/mem.h"

static char *dir, *path;

static int setup(void **state)
{
	assert_int_equal(fs_tmpdir("marks", &dir, NULL), 0);
	path = xasprintf("%s/deep/triage.db", dir);
	return 0;
}

static int teardown(void **state)
{
	fs_rmtree(dir, NULL);
	free(dir);
	free(path);
	return 0;
}

static void set(struct marks *m, const char *key, unsigned what, struct triage_mark v)
{
	struct strvec keys _cleanup_strvec_ = STRVEC_INIT;
	struct err err _cleanup_err_ = ERR_INIT;

	strvec_push(&keys, key);
	if (marks_set(m, &keys, what, &v, &err))
		fail_msg("%s", err_msg(&err));
}

static struct marks *open_marks(void)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct marks *m = NULL;

	if (marks_open(path, &m, &err))
		fail_msg("%s", err_msg(&err));
	return m;
}

static void test_fields(void **state)
{
	struct marks *m _cleanup_marks_ = open_marks(), *two _cleanup_marks_ = NULL;
	const struct triage_mark *g;
	struct stat st;
	bool changed;

	assert_false(fs_exists(path));
	assert_null(marks_get(m, "a"));
	set(m, "a", MARK_FLAG, (struct triage_mark){ .flagged = true });
	set(m, "a", MARK_NOTE, (struct triage_mark){ .note = "look 'here'" });
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	two = open_marks();
	set(two, "a", MARK_SNOOZE,
	    (struct triage_mark){ .snoozed_version = 4, .snoozed_tag = "v9-rc1" });
	set(two, "b", MARK_ASSIGNED, (struct triage_mark){ .assigned = "rita" });
	/* The first reader sees it when it looks again; its own change takes nothing
	 * back. */
	assert_null(marks_get(m, "b"));
	assert_int_equal(marks_reload(m, &changed, NULL), 0);
	assert_true(changed);
	assert_int_equal(marks_reload(m, &changed, NULL), 0);
	assert_false(changed);
	set(m, "a", MARK_FLAG, (struct triage_mark){ .flagged = false });
	g = marks_get(m, "a");
	assert_false(g->flagged);
	assert_string_equal(g->note, "look 'here'");
	assert_null(g->assigned);
	assert_int_equal(g->snoozed_version, 4);
	assert_string_equal(g->snoozed_tag, "v9-rc1");
	assert_string_equal(marks_get(m, "b")->assigned, "rita");
	/* What says nothing any more is gone. */
	set(m, "b", MARK_ASSIGNED, (struct triage_mark){ .assigned = NULL });
	assert_null(marks_get(m, "b"));
}

/* open() fails with these words and the file is as it was. */
static void refused(const char *content, size_t len, const char *words)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct marks *m = NULL;
	struct buf now _cleanup_buf_ = BUF_INIT;

	assert_int_equal(fs_write_atomic(path, content, len, 0600, NULL), 0);
	assert_int_equal(marks_open(path, &m, &err), E_CORRUPT);
	assert_non_null(strstr(err_msg(&err), words));
	assert_non_null(strstr(err_msg(&err), path));
	assert_int_equal(fs_read(path, 0, &now, NULL), 0);
	assert_int_equal(now.len, len);
	assert_memory_equal(now.p, content, len);
}

static void test_damage(void **state)
{
	struct marks *m = open_marks();
	struct buf b _cleanup_buf_ = BUF_INIT;

	set(m, "a", MARK_NOTE, (struct triage_mark){ .note = "mine" });
	marks_close(m);
	assert_int_equal(fs_read(path, 0, &b, NULL), 0);
	refused("not a database, but some text of mine", 37, "damaged");
	/* The schema's number is at 60, whose it is at 68 (SQLite's file format). */
	b.p[63] = 9;
	refused(b.p, b.len, "newer series (schema 9)");
	b.p[63] = 1;
	b.p[68] ^= 1;
	refused(b.p, b.len, "not made by series");
	b.p[68] ^= 1;
	memset(b.p + 4096, 0x55, 100);
	refused(b.p, b.len, "damaged");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fields, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
