// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/series: names, the chain of states, the base by each of its rules, the text of a
 * cover letter. Repositories are made by git itself.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "series/covertext.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/series.h"
#include "series/store.h"
#include "series/time.h"

static char *home;
static int tick = 1700000000;

static void git(struct buf *out, const char *dir, ...)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .cwd = dir };
	const char *a;
	va_list ap;

	strvec_push(&argv, "git");
	va_start(ap, dir);
	while ((a = va_arg(ap, const char *)))
		strvec_push(&argv, a);
	va_end(ap);
	o.argv = strvec_argv(&argv);
	assert_int_equal(proc_run(&o, &res, NULL), 0);
	if (res.status)
		fail_msg("git %s: %s", argv.v[1], buf_cstr(&res.err));
	if (out)
		buf_addstr(out, str_trim(buf_str(&res.out)));
}

/* A commit of another person (committer upstream@example.org) or of ours. */
static char *commit(const char *dir, bool ours, const char *subject)
{
	char *date _cleanup_free_ = xasprintf("%d +0000", tick += 60);
	struct buf id = BUF_INIT;

	setenv("GIT_COMMITTER_EMAIL", ours ? "wendy@example.org" : "upstream@example.org",
	       1);
	setenv("GIT_COMMITTER_DATE", date, 1);
	setenv("GIT_AUTHOR_DATE", date, 1);
	git(NULL, dir, "commit", "-q", "--allow-empty", "-m", subject, NULL);
	git(&id, dir, "rev-parse", "HEAD", NULL);
	setenv("GIT_COMMITTER_EMAIL", "wendy@example.org", 1);
	return buf_take(&id);
}

static struct repo *open_repo(const char *dir, struct config **c)
{
	struct repo *r = NULL;

	assert_int_equal(repo_open(dir, &r, NULL), 0);
	assert_int_equal(config_load(dir, c, NULL), 0);
	return r;
}

static char *new_repo(const char *name)
{
	char *dir = path_join(home, name);

	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	git(NULL, dir, "init", "-q", "-b", "main", ".", NULL);
	return dir;
}

static void test_names(void **state)
{
	static const char *const good[] = { "a", "0x", "unmap-batch", "a.b_c", "v6.12" };
	static const char *const bad[] = { "",	     "-a",  ".a",	"A",
					   "a b",    "a/b", "\xc3\xa9", "a..b",
					   "x.lock", "a.",  "a\n" };
	static const char *const from[][2] = { { "topic/Unmap_X", "topic-unmap_x" },
					       { "--", "series" },
					       { "a//b", "a-b" },
					       { "x.lock", "series" },
					       { "-lead", "lead" },
					       { "trail-", "trail" } };
	char longest[66];

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_true(series_name_ok(good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(series_name_ok(bad[i]));
	memset(longest, 'a', sizeof(longest));
	longest[65] = '\0';
	assert_false(series_name_ok(longest));
	longest[64] = '\0';
	assert_true(series_name_ok(longest));
	for (size_t i = 0; i < ARRAY_SIZE(from); i++) {
		char *name _cleanup_free_ = series_name_from(from[i][0]);

		assert_string_equal(name, from[i][1]);
		assert_true(series_name_ok(name));
	}
}

static void test_store(void **state)
{
	char *dir _cleanup_free_ = new_repo("store");
	struct config *c = NULL;
	struct repo *r _cleanup_repo_ = open_repo(dir, &c);
	struct store *t = NULL;
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct strvec list _cleanup_strvec_ = STRVEC_INIT;
	struct err err _cleanup_err_ = ERR_INIT;
	char first[OID_HEX], head[OID_HEX];

	assert_int_equal(store_begin(r, "x", false, &t, &err), E_NOTFOUND);
	assert_int_equal(store_begin(r, "X", true, &t, &err), E_USAGE);
	assert_int_equal(store_begin(r, "x", true, &t, &err), 0);
	store_put(t, "series.json", "{\"schema\": 1}\n", 14);
	store_put(t, "sent/v1/0001.eml", "mail", 4);
	assert_int_equal(store_get(t, "sent/v1/0001.eml", &b, NULL), 0);
	assert_string_equal(buf_cstr(&b), "mail");
	assert_int_equal(store_commit(t, "first", &err), 0);
	assert_int_equal(store_head(r, "x", first, NULL), 0);
	/* The transaction goes on under the same lock. */
	store_del(t, "sent/v1/0001.eml");
	buf_reset(&b);
	assert_int_equal(store_get(t, "sent/v1/0001.eml", &b, NULL), E_NOTFOUND);
	store_put(t, "a", "\0binary", 7);
	store_ref(t, "refs/series/x/v1", first, "");
	assert_int_equal(store_commit(t, "second", &err), 0);
	store_endp(&t);
	buf_reset(&b);
	git(&b, dir, "log", "--format=%s %P", "refs/series/x/state", NULL);
	{
		char *want _cleanup_free_ = xasprintf("second %s\nfirst", first);

		assert_string_equal(buf_cstr(&b), want);
	}
	buf_reset(&b);
	git(&b, dir, "rev-parse", "refs/series/x/v1", NULL);
	assert_string_equal(buf_cstr(&b), first);
	assert_int_equal(store_list(r, "x", "", &list, NULL), 0);
	assert_int_equal(list.n, 2);
	assert_int_equal(store_list(r, "x", "bench", &list, NULL), 0);
	assert_int_equal(list.n, 2);
	assert_int_equal(store_begin(r, "x", true, &t, &err), E_EXISTS);
	/* Somebody without our lock moves the ref: all or nothing. */
	assert_int_equal(store_begin(r, "x", false, &t, &err), 0);
	git(NULL, dir, "update-ref", "refs/series/x/state", first, NULL);
	store_put(t, "a", "2", 1);
	store_ref(t, "refs/series/x/v2", first, "");
	assert_int_equal(store_commit(t, "third", &err), E_CONFLICT);
	assert_int_equal(repo_ref(r, "refs/series/x/v2", head, NULL), E_NOTFOUND);
	store_endp(&t);
	/* A newer program's state is refused, for reading and writing. */
	assert_int_equal(store_begin(r, "x", false, &t, &err), 0);
	store_put(t, "series.json", "{\"schema\": 2}\n", 14);
	assert_int_equal(store_commit(t, "newer", &err), 0);
	store_endp(&t);
	assert_int_equal(store_begin(r, "x", false, &t, &err), E_CORRUPT);
	assert_null(t);
	config_free(c);
}

static void test_stale_ref_lock(void **state)
{
	char *dir _cleanup_free_ = new_repo("stale");
	char *lock _cleanup_free_ = path_join(dir, ".git/refs/series/x/state.lock");
	char *young _cleanup_free_ = path_join(dir, ".git/refs/series/x/v9.lock");
	struct config *c = NULL;
	struct repo *r _cleanup_repo_ = open_repo(dir, &c);
	struct timespec old[2] = { { 1700000000, 0 }, { 1700000000, 0 } };
	struct timespec future[2] = { { 4000000000, 0 }, { 4000000000, 0 } };
	struct store *t = NULL;

	assert_int_equal(store_begin(r, "x", true, &t, NULL), 0);
	store_put(t, "series.json", "{\"schema\": 1}\n", 14);
	assert_int_equal(store_commit(t, "first", NULL), 0);
	store_endp(&t);
	assert_int_equal(fs_write_atomic(lock, "", 0, 0644, NULL), 0);
	assert_int_equal(utimensat(AT_FDCWD, lock, old, 0), 0);
	assert_int_equal(fs_write_atomic(young, "", 0, 0644, NULL), 0);
	assert_int_equal(utimensat(AT_FDCWD, young, future, 0), 0);
	assert_int_equal(store_begin(r, "x", false, &t, NULL), 0);
	store_put(t, "a", "1", 1);
	assert_int_equal(store_commit(t, "second", NULL), 0);
	store_endp(&t);
	assert_false(fs_exists(lock));
	assert_true(fs_exists(young));
	config_free(c);
}

static char *create(struct repo *r, const struct config *c, const char *base)
{
	struct series_init_opts o = { .base_ref = base };
	struct err err _cleanup_err_ = ERR_INIT;
	char *name = NULL;

	if (series_create(r, c, &o, &name, &err))
		fail_msg("%s", err_msg(&err));
	return name;
}

static void check_base(const char *dir, const char *name, const char *base,
		       size_t patches)
{
	struct config *c = NULL;
	struct repo *r _cleanup_repo_ = open_repo(dir, &c);
	struct series *s _cleanup_series_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;

	if (series_load(r, c, name, &s, &err))
		fail_msg("%s", err_msg(&err));
	assert_string_equal(s->base, base);
	assert_int_equal(s->n_patches, patches);
	config_free(c);
}

static void test_base_rules(void **state)
{
	char *dir _cleanup_free_ = new_repo("base");
	char *u1 _cleanup_free_ = commit(dir, false, "u1");
	char *u2 _cleanup_free_ = commit(dir, false, "u2");
	char *u3 _cleanup_free_ = NULL, *x2 _cleanup_free_ = NULL,
		 *x3 _cleanup_free_ = NULL;
	char *name _cleanup_free_ = NULL;
	struct config *c = NULL;
	struct repo *r _cleanup_repo_ = NULL;

	git(NULL, dir, "switch", "-q", "-c", "topic", NULL);
	free(commit(dir, true, "p1"));
	free(commit(dir, true, "p2"));
	r = open_repo(dir, &c);
	name = create(r, c, NULL);
	assert_string_equal(name, "topic");
	check_base(dir, name, u2, 2);
	/* The base ref moves on, the topic does not. */
	git(NULL, dir, "switch", "-q", "main", NULL);
	u3 = commit(dir, false, "u3");
	check_base(dir, name, u2, 2);
	/* Rebased onto it: u2 is an ancestor still, u3 is nearer. */
	git(NULL, dir, "switch", "-q", "topic", NULL);
	git(NULL, dir, "rebase", "-q", "main", NULL);
	check_base(dir, name, u3, 2);
	/* main is rebuilt from u1; the topic goes along; u1 would be the plain
	 * merge-base. */
	git(NULL, dir, "switch", "-q", "main", NULL);
	git(NULL, dir, "reset", "-q", "--hard", u1, NULL);
	x2 = commit(dir, false, "x2");
	x3 = commit(dir, false, "x3");
	git(NULL, dir, "rebase", "-q", "--onto", "main", u3, "topic", NULL);
	check_base(dir, name, x3, 2);
	/* Rebuilt once more: x3 lives on only in the reflog. */
	git(NULL, dir, "switch", "-q", "main", NULL);
	git(NULL, dir, "reset", "-q", "--hard", u1, NULL);
	free(commit(dir, false, "y2"));
	check_base(dir, name, x3, 2);
	/* No base ref, no recorded ancestor: the first commit of somebody else. */
	git(NULL, dir, "switch", "-q", "topic", NULL);
	git(NULL, dir, "branch", "-q", "-D", "main", NULL);
	check_base(dir, name, x3, 2);
	config_free(c);
}

static void test_merge_is_named(void **state)
{
	char *dir _cleanup_free_ = new_repo("merge");
	char *u1 _cleanup_free_ = commit(dir, false, "u1");
	char *name _cleanup_free_ = NULL;
	struct config *c = NULL;
	struct repo *r _cleanup_repo_ = NULL;
	struct series *s _cleanup_series_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;

	git(NULL, dir, "switch", "-q", "-c", "topic", NULL);
	free(commit(dir, true, "p1"));
	r = open_repo(dir, &c);
	name = create(r, c, "main");
	git(NULL, dir, "switch", "-q", "-c", "other", u1, NULL);
	free(commit(dir, true, "o1"));
	git(NULL, dir, "switch", "-q", "topic", NULL);
	git(NULL, dir, "merge", "-q", "-m", "joined by accident", "other", NULL);
	assert_int_equal(series_load(r, c, name, &s, &err), E_FAIL);
	assert_non_null(strstr(err_msg(&err), "joined by accident"));
	/* The documents can be had all the same. */
	assert_int_equal(series_open(r, c, name, &s, &err), 0);
	config_free(c);
}

static void test_covertext(void **state)
{
	struct covertext c;
	struct buf out _cleanup_buf_ = BUF_INIT;

	covertext_parse(
		STR_LIT("\n mm: title \r\n\n\nbody\r\n  indented\n\n@bench swapout\n\n\n"
			"---\n\nnote\n---\nmore\n\n"),
		&c);
	assert_string_equal(c.title, "mm: title");
	assert_string_equal(c.body, "body\n  indented\n\n@bench swapout\n");
	assert_string_equal(c.notes, "note\n---\nmore\n");
	covertext_format(&c, &out);
	assert_string_equal(buf_cstr(&out),
			    "mm: title\n\nbody\n  indented\n\n@bench swapout\n"
			    "---\nnote\n---\nmore\n");
	covertext_release(&c);
	covertext_parse(STR_LIT("only a title"), &c);
	buf_reset(&out);
	covertext_format(&c, &out);
	assert_string_equal(buf_cstr(&out), "only a title\n");
	assert_int_equal(covertext_check(&c, NULL), 0);
	covertext_release(&c);
	/* A mark of some editors, and blanks that nobody sees. */
	covertext_parse(STR_LIT("\xef\xbb\xbftitle\n\n--- a/x\n--- \t\nnote\n"), &c);
	buf_reset(&out);
	covertext_format(&c, &out);
	assert_string_equal(buf_cstr(&out), "title\n\n--- a/x\n---\nnote\n");
	covertext_release(&c);
	covertext_parse(STR_LIT("\n \n"), &c);
	assert_int_equal(covertext_check(&c, NULL), E_FAIL);
	covertext_release(&c);
	/* The dashes are no title. */
	covertext_parse(STR_LIT("\n---\nnote\n"), &c);
	assert_string_equal(c.title, "");
	assert_string_equal(c.notes, "note\n");
	assert_int_equal(covertext_check(&c, NULL), E_FAIL);
	covertext_release(&c);
}

static int group_setup(void **state)
{
	if (fs_tmpdir("series-series", &home, NULL))
		return -1;
	setenv("HOME", home, 1);
	setenv("XDG_CONFIG_HOME", home, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", home, 1);
	setenv("GIT_AUTHOR_NAME", "Wendy Writer", 1);
	setenv("GIT_AUTHOR_EMAIL", "wendy@example.org", 1);
	setenv("GIT_COMMITTER_NAME", "Wendy Writer", 1);
	setenv("GIT_COMMITTER_EMAIL", "wendy@example.org", 1);
	return 0;
}

/* Documents come from other machines too: no line of a mail may end in one of these. */
static void test_message_ids(void **state)
{
	static const struct {
		const char *id;
		bool good;
	} t[] = { { "20231114.abc-1@example.org", true },
		  { "a\\nBcc: <b@example.org", false },
		  { "a@example.org> <b", false },
		  { "a\\u007f@example.org", false } };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text _cleanup_free_ =
			xasprintf("{\"schema\":1,\"n\":1,"
				  "\"base\":\"%040d\",\"head\":\"%040d\",\"patches\":[],"
				  "\"postings\":"
				  "[{\"state\":\"sent\",\"message_id\":\"%s\"}]}",
				  1, 2, t[i].id);
		struct json *j _cleanup_json_ = NULL;
		struct version v = { 0 };

		assert_int_equal(json_parse(str_c(text), "x", &j, NULL), 0);
		assert_int_equal(version_parse(j, "x", &v, NULL), 0);
		assert_int_equal(v.n_postings, 1);
		assert_int_equal(v.postings[0].message_id != NULL, t[i].good);
		version_release(&v);
	}
}

/* A fix belongs to a patch of its version and names a commit; else the document is none.
 */
static void test_fixups(void **state)
{
	static const struct {
		int patch;
		const char *commit;
		int rc;
	} t[] = { { 1, "0123456789abcdef0123456789abcdef01234567", 0 },
		  { 0, "0123456789abcdef0123456789abcdef01234567", E_CORRUPT },
		  { 2, "0123456789abcdef0123456789abcdef01234567", E_CORRUPT },
		  { 1, "0123", E_CORRUPT } };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text _cleanup_free_ = xasprintf(
			"{\"schema\":1,\"n\":1,\"base\":\"%040d\",\"head\":\"%040d\","
			"\"patches\":[{\"n\":1}],\"postings\":[],\"fixups\":["
			"{\"patch\":%d,\"commit\":\"%s\",\"subject\":\"a "
			"fix\",\"date\":7,"
			"\"state\":\"sent\",\"message_id\":\"2026.ab-series-v1-2@x\"}]}",
			1, 2, t[i].patch, t[i].commit);
		struct json *j _cleanup_json_ = NULL;
		struct version v = { 0 }, copy = { 0 };
		char *dir _cleanup_free_ = NULL;

		assert_int_equal(json_parse(str_c(text), "x", &j, NULL), 0);
		assert_int_equal(version_parse(j, "x", &v, NULL), t[i].rc);
		if (t[i].rc)
			continue;
		version_copy(&v, &copy);
		version_release(&v);
		assert_int_equal(copy.n_fixups, 1);
		assert_string_equal(copy.fixups[0].subject, "a fix");
		assert_string_equal(copy.fixups[0].posting.state, "sent");
		assert_int_equal(copy.fixups[0].posting.date, 7);
		dir = version_fixup_mails(&copy, 0);
		assert_string_equal(dir, "sent/v1/fix-2026.ab");
		version_release(&copy);
	}
}

static int group_teardown(void **state)
{
	fs_rmtree(home, NULL);
	free(home);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	       cmocka_unit_test(test_store),
		cmocka_unit_test(test_stale_ref_lock), cmocka_unit_test(test_base_rules),
		cmocka_unit_test(test_merge_is_named), cmocka_unit_test(test_covertext),
		cmocka_unit_test(test_message_ids),    cmocka_unit_test(test_fixups),
	};

	return cmocka_run_group_tests_name("series", tests, group_setup, group_teardown);
}
