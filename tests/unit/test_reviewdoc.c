// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The documents of review: what is written comes back, in the order of the mails; ids are
 * those that sha256sum gives; damaged documents are named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/reviewdoc.h"
#include "series/store.h"

static char *home;

static struct repo *new_repo(void)
{
	static const char *const argv[] = { "git", "init", "-q", ".", NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = (char *const *)argv, .cwd = home };
	struct repo *r = NULL;

	assert_int_equal(proc_run(&o, &res, NULL), 0);
	assert_int_equal(res.status, 0);
	assert_int_equal(repo_open(home, &r, NULL), 0);
	return r;
}

static struct tag_decision each[] = {
	{ 1, DECIDED_KEEP, (char *)"only a comment" },
	{ 12, DECIDED_DROP, NULL },
};

static const struct review_tag tag = {
	.type = (char *)"Reviewed-by",
	.line = (char *)"Reviewed-by: Rita Reader <rita@example.org>",
	.name = (char *)"Rita Reader",
	.email = (char *)"rita@example.org",
	.message_id = (char *)"m1@example.org",
	.date = 1700000100,
	.version = 2,
	.label = (char *)"v2",
	.patch = 3,
	.kind = TAG_COLLECTED,
	.condition = (char *)"with that fixed",
	.scope = (char *)"for the arm64 bits",
	.misspelt = true,
	.decision = DECIDED_KEEP,
	.reason = (char *)"only a rename",
};

static char *ada[] = { (char *)"Ada Author <ada@example.org>", NULL };
static char *ids[] = { (char *)"c@example.org", (char *)"p@example.org", NULL };

static const struct review_remark remark = {
	.name = (char *)"Rita Reader",
	.email = (char *)"rita@example.org",
	.message_id = (char *)"m1@example.org",
	.subject = (char *)"Re: [PATCH v2 3/4] rmap: batch",
	.date = 1700000100,
	.version = 2,
	.label = (char *)"v2",
	.patch = 3,
	.line = 12,
	.quoted = (char *)"+\tx = y;\n",
	.text = (char *)"Why?\n",
	.file = (char *)"mm/rmap.c",
	.code = (char *)"\tx = y;",
	.file_line = 77,
	.question = true,
	.done_in = 3,
	.to = { ada, 1, 2 },
	.references = { ids, 2, 3 },
};

static const struct review_report report = {
	.robot = (char *)"kernel test robot",
	.summary = (char *)"mm/rmap.c:7: warning",
	.message_id = (char *)"m2@example.org",
	.date = 1700000200,
	.version = 1,
	.label = (char *)"rfc1",
};

static void put_all(struct repo *r)
{
	struct review_tag early = tag, other = tag;
	struct review_remark first = remark;
	struct store *t = NULL;

	early.date = 5;
	early.message_id = (char *)"m0@example.org";
	early.kind = TAG_NAK;
	early.condition = early.scope = early.reason = NULL;
	early.decision = DECIDED_NOT;
	other.retracted = other.doubtful = true;
	other.patch = 0;
	other.each = each;
	other.n_each = ARRAY_SIZE(each);
	first.line = 2;
	first.file = first.code = NULL;
	first.done_in = 0;
	assert_int_equal(store_begin(r, "x", true, &t, NULL), 0);
	store_put(t, "series.json", "{\"schema\": 1}\n", 14);
	review_put_tag(t, &tag);
	review_put_tag(t, &early);
	review_put_tag(t, &other);
	review_put_remark(t, &remark);
	review_put_remark(t, &first);
	review_put_report(t, &report);
	assert_int_equal(store_commit(t, "all", NULL), 0);
	store_end(t);
}

static void load(struct repo *r, struct review *ret, int want)
{
	struct series s = { .repo = r, .name = (char *)"x" };
	struct err err _cleanup_err_ = ERR_INIT;

	assert_int_equal(store_head(r, "x", s.state, NULL), 0);
	assert_int_equal(review_load(&s, ret, &err), want);
	if (want)
		assert_non_null(strstr(err_msg(&err), "review/tags/0123456789abcdef"));
}

static void assert_tags(const struct review *v)
{
	const struct review_tag *t = &v->tags[2];
	const char *reason;

	assert_int_equal(v->n_tags, 3);
	assert_string_equal(v->tags[0].message_id, "m0@example.org");
	assert_int_equal(v->tags[0].kind, TAG_NAK);
	assert_null(v->tags[0].condition);
	assert_null(v->tags[0].reason);
	assert_int_equal(v->tags[0].decision, DECIDED_NOT);
	assert_int_equal(v->tags[1].patch, 0);
	assert_true(v->tags[1].retracted && v->tags[1].doubtful);
	assert_int_equal(v->tags[1].n_each, 2);
	assert_int_equal(tag_decision(&v->tags[1], 1, &reason), DECIDED_KEEP);
	assert_string_equal(reason, "only a comment");
	assert_int_equal(tag_decision(&v->tags[1], 12, &reason), DECIDED_DROP);
	assert_null(reason);
	/* What has no word of its own goes by the one for all. */
	assert_int_equal(tag_decision(&v->tags[1], 2, &reason), DECIDED_KEEP);
	assert_string_equal(reason, "only a rename");
	assert_int_equal(t->n_each, 0);
	/* printf 'tag\0m1@example.org\0Reviewed-by\0...\0v2\0003\0' | sha256sum */
	assert_string_equal(t->id, "ca4ae354af765d91");
	assert_string_equal(t->type, tag.type);
	assert_string_equal(t->line, tag.line);
	assert_string_equal(t->name, tag.name);
	assert_string_equal(t->email, tag.email);
	assert_int_equal(t->date, tag.date);
	assert_int_equal(t->version, 2);
	assert_string_equal(t->label, "v2");
	assert_int_equal(t->patch, 3);
	assert_int_equal(t->kind, TAG_COLLECTED);
	assert_string_equal(t->condition, tag.condition);
	assert_string_equal(t->scope, tag.scope);
	assert_true(t->misspelt && !t->doubtful && !t->retracted);
	assert_int_equal(t->decision, DECIDED_KEEP);
	assert_string_equal(t->reason, tag.reason);
}

static void assert_remarks(const struct review *v)
{
	const struct review_remark *m = &v->remarks[1];

	assert_int_equal(v->n_remarks, 2);
	assert_int_equal(v->remarks[0].line, 2);
	assert_null(v->remarks[0].file);
	assert_true(remark_is_open(&v->remarks[0]));
	assert_string_equal(m->id, "1f56097f9c81adef");
	assert_string_equal(m->name, remark.name);
	assert_string_equal(m->email, remark.email);
	assert_string_equal(m->subject, remark.subject);
	assert_string_equal(m->quoted, remark.quoted);
	assert_string_equal(m->text, remark.text);
	assert_string_equal(m->file, remark.file);
	assert_string_equal(m->code, remark.code);
	assert_int_equal(m->file_line, 77);
	assert_true(m->question && !m->answered);
	assert_null(m->answer);
	assert_int_equal(m->done_in, 3);
	assert_false(remark_is_open(m));
	assert_int_equal(m->to.n, 1);
	assert_string_equal(m->to.v[0], ada[0]);
	assert_int_equal(m->cc.n, 0);
	assert_int_equal(m->references.n, 2);
	assert_string_equal(m->references.v[1], ids[1]);
}

static void test_round_trip(void **state)
{
	struct repo *r _cleanup_repo_ = new_repo();
	struct review v _cleanup_review_ = { .n_tags = 0 };

	put_all(r);
	load(r, &v, 0);
	assert_tags(&v);
	assert_remarks(&v);
	assert_int_equal(v.n_reports, 1);
	assert_string_equal(v.reports[0].id, "c5ee61e7cfc446bc");
	assert_string_equal(v.reports[0].robot, report.robot);
	assert_string_equal(v.reports[0].summary, report.summary);
	assert_string_equal(v.reports[0].label, "rfc1");
}

static void assert_state(struct repo *r, const struct remark_word *w, const char *want)
{
	struct review v _cleanup_review_ = { .n_tags = 0 };
	struct buf is _cleanup_buf_ = BUF_INIT;
	const struct review_remark *m;
	const struct review_report *p;
	struct store *t = NULL;

	assert_int_equal(store_begin(r, "x", false, &t, NULL), 0);
	assert_int_equal(review_say(t, "1f56097f9c81adef", w, NULL), 0);
	assert_int_equal(store_commit(t, "word", NULL), 0);
	store_end(t);
	load(r, &v, 0);
	assert_int_equal(review_find(&v, "1f5", &m, &p, NULL), 0);
	remark_state(m, &is);
	assert_string_equal(buf_cstr(&is), want);
	assert_int_equal(review_find(&v, "1f6", &m, &p, NULL), E_NOTFOUND);
	assert_int_equal(review_find(&v, "", &m, &p, NULL), E_NOTFOUND);
}

/* A robot says it again of later versions, with other lines. */
static void test_reports(void **state)
{
	static char warn[] = "mm/a.c:10:2: warning: unused",
		    robot[] = "kernel test robot";
	static char moved[] = "mm/a.c:112:2: warning: unused", v1[] = "v1", v2[] = "v2";
	static char other[] = "mm/b.c:10:2: warning: unused", rfc[] = "rfc2",
		    id[] = "m@h";
	static char foo1[] = "mm/a.c:1: foo1", foo2[] = "mm/a.c:1: foo2", re[] = "Re: x";
	struct review_report p[] = {
		{ .id = "a0", robot, warn, id, 1, 1, v1, .patch = 1 },
		{ .id = "a1", robot, other, id, 2, 1, v1, .patch = 1 },
		{ .id = "b0", robot, moved, id, 3, 2, v2, .patch = 2 },
		{ .id = "c0", robot, warn, id, 4, 2, rfc, .patch = 1 },
		{ .id = "d0", robot, foo1, id, 5, 2, v2 },
		{ .id = "d1", robot, foo2, id, 6, 2, v2 },
		{ .id = "e0", robot, re, id, 7, 1, v1 },
		{ .id = "e1", robot, re, id, 8, 2, v2 },
	};
	const struct review r = { .reports = p, .n_reports = ARRAY_SIZE(p) };
	const struct review_report *found;
	const struct review_remark *m;

	assert_true(report_repeated(&r, &p[0]));
	assert_false(report_repeated(&r, &p[1]));
	assert_false(report_repeated(&r, &p[2]));
	assert_true(report_repeated(&r, &p[3])); /* an RFC comes before v1 */
	assert_int_equal(reports_open(&r), 6);
	p[0].done_in = 2; /* it came again, so it was not */
	assert_int_equal(reports_open(&r), 6);
	assert_false(report_is_open(&r, &p[0]));
	assert_false(report_is_open(&r, &p[3]));
	assert_true(report_is_open(&r, &p[2]));
	p[0].done_in = 3; /* said of v1, but meant for what is before v3 */
	assert_int_equal(reports_open(&r), 5);
	p[0].done_in = 0;
	p[2].answered = true; /* for those before, too */
	assert_int_equal(reports_open(&r), 5);
	assert_false(report_is_open(&r, &p[0]));
	assert_int_equal(review_find(&r, "b", &m, &found, NULL), 0);
	assert_ptr_equal(found, &p[2]);
	assert_null(m);
	assert_int_equal(review_find(&r, "d", &m, &found, NULL), E_USAGE);
}

/* What people say of a remark of the first test; the rest of it stays. */
static void test_words(void **state)
{
	struct repo *r _cleanup_repo_ = new_repo();
	struct store *t = NULL;

	assert_state(r, &(struct remark_word){ .done_in = 4 }, "done in v4");
	assert_state(r, &(struct remark_word){ .forget = true }, "open");
	assert_state(r, &(struct remark_word){ .answered = true }, "answered");
	assert_state(r, &(struct remark_word){ .forget = true, .answer = "a@h" },
		     "answered");
	assert_state(r, &(struct remark_word){ .done_in = 5 }, "done in v5");
	assert_state(r, &(struct remark_word){ .forget = true }, "answered");
	assert_int_equal(store_begin(r, "x", false, &t, NULL), 0);
	assert_int_equal(
		review_say(t, "0000000000000000", &(struct remark_word){ 0 }, NULL),
		E_NOTFOUND);
	store_end(t);
}

/* Of others' states: what is no tag is named; numbers that cannot be are none. */
static void test_damaged(void **state)
{
	static const char path[] = "review/tags/0123456789abcdef.json";
	static const char odd[] = "{\"schema\":1,\"kind\":\"praise\"}",
			  other[] = "{\"schema\":1,\"kind\":\"collected\","
				    "\"type\":\"Acked-by\","
				    "\"line\":\"Signed-off-by: A <a@b>\"}",
			  empty[] = "{\"schema\":1,\"kind\":\"offered\","
				    "\"type\":\"Acked-by\"}",
			  wild[] = "{\"schema\":1,\"kind\":\"nak\",\"patch\":-4,"
				   "\"version\":1e9,\"decision\":\"maybe\",\"type\":7,"
				   "\"decisions\":{\"0\":{\"decision\":\"drop\"},"
				   "\"x\":{},\"99999999\":{\"decision\":\"drop\"},"
				   "\"2\":\"drop\"}}";
	struct repo *r _cleanup_repo_ = new_repo();
	struct review v _cleanup_review_ = { .n_tags = 0 };
	struct store *t = NULL;

	assert_int_equal(store_begin(r, "x", false, &t, NULL), 0);
	store_put(t, path, odd, strlen(odd));
	store_put(t, "review/tags/y.json.theirs", "?", 1);
	assert_int_equal(store_commit(t, "odd", NULL), 0);
	load(r, &v, E_CORRUPT);
	store_put(t, path, other, strlen(other));
	assert_int_equal(store_commit(t, "another type", NULL), 0);
	load(r, &v, E_CORRUPT);
	store_put(t, path, empty, strlen(empty));
	assert_int_equal(store_commit(t, "no line", NULL), 0);
	load(r, &v, E_CORRUPT);
	store_put(t, path, wild, strlen(wild));
	assert_int_equal(store_commit(t, "wild", NULL), 0);
	store_end(t);
	load(r, &v, 0);
	assert_int_equal(v.n_tags, 4);
	assert_int_equal(v.tags[0].patch, 0);
	assert_int_equal(v.tags[0].version, 0);
	assert_int_equal(v.tags[0].decision, DECIDED_NOT);
	assert_string_equal(v.tags[0].type, "");
	assert_int_equal(v.tags[0].n_each, 0);
}

/* What goes into a commit is a trailer and its note, whatever the document says. */
static void test_line_is_one_trailer(void **state)
{
	static const struct {
		const char *doc, *line;
	} rows[] = {
		{ "A: b <c@d>\\n[only mm]", "A: b <c@d>\n[only mm]" },
		{ "A: b <c@d>\\n[two\\n---\\nx]", "A: b <c@d>" },
		{ "A: b <c@d>\\n[done]\\nS: x", "A: b <c@d>\n[done]" },
		{ "A: \\u001b[31mb\\u0007 <c@d>\\u202e", "A: b <c@d>" },
		{ "A: b\\rdiff <c@d>", "A: b diff <c@d>" },
		{ "A: b <c@d>\\n\\ndiff --git a/x b/x", "A: b <c@d>" },
		{ "A: b <c@d>\\n---\\n+++ b/x", "A: b <c@d>" },
		{ "A: b <c@d>\\nSigned-off-by: x <y@z>", "A: b <c@d>" },
	};
	struct repo *r _cleanup_repo_ = new_repo();
	struct review v _cleanup_review_ = { .n_tags = 0 };
	struct store *t = NULL;
	size_t seen = 0;

	assert_int_equal(store_begin(r, "x", false, &t, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *doc _cleanup_free_ =
			xasprintf("{\"schema\":1,\"kind\":\"collected\",\"type\":\"A\","
				  "\"line\":\"%s\"}",
				  rows[i].doc);

		store_put(t, "review/tags/0123456789abcdef.json", doc, strlen(doc));
		assert_int_equal(store_commit(t, "line", NULL), 0);
		load(r, &v, 0);
		for (size_t k = 0; k < v.n_tags; k++)
			if (!strcmp(v.tags[k].id, "0123456789abcdef")) {
				assert_string_equal(v.tags[k].line, rows[i].line);
				seen++;
			}
		review_release(&v);
	}
	store_end(t);
	assert_int_equal(seen, ARRAY_SIZE(rows));
}

/* An encoded word can hold a line end; no field of a reply may come of it. */
static void test_fields_are_lines(void **state)
{
	static const char doc[] =
		"{\"schema\":1,\"subject\":\"Re: x\\nBcc: y@z\","
		"\"name\":\"A\\r\\nTo: b\",\"email\":\"c@d\\n\","
		"\"message_id\":\"m@h>\\nBcc: y@z\","
		"\"to\":[\"A\\nB <a@b>\"],\"references\":[\"r@h\\n\"],"
		"\"text\":\"a\\u001b[31mb\\r\\n\\tc\\u0007\","
		"\"quoted\":\"+x\\u001b]0;t\\u0007y\",\"file\":\"a\\nb\"}";
	struct repo *r _cleanup_repo_ = new_repo();
	struct review v _cleanup_review_ = { .n_tags = 0 };
	struct store *t = NULL;
	size_t seen = 0;

	assert_int_equal(store_begin(r, "x", false, &t, NULL), 0);
	store_put(t, "review/remarks/00000000000000ff.json", doc, strlen(doc));
	assert_int_equal(store_commit(t, "line", NULL), 0);
	store_end(t);
	load(r, &v, 0);
	for (size_t i = 0; i < v.n_remarks; i++) {
		if (strcmp(v.remarks[i].id, "00000000000000ff") != 0)
			continue;
		seen++;
		assert_string_equal(v.remarks[i].subject, "Re: x Bcc: y@z");
		assert_null(strpbrk(v.remarks[i].name, "\r\n"));
		assert_null(strpbrk(v.remarks[i].email, "\r\n"));
		assert_string_equal(v.remarks[i].message_id, "m@h> Bcc: y@z");
		assert_string_equal(v.remarks[i].to.v[0], "A B <a@b>");
		assert_null(strchr(v.remarks[i].references.v[0], '\n'));
		/* What is quoted in a reply keeps its lines and tabs, and nothing that
		 * paints. */
		assert_string_equal(v.remarks[i].text, "ab\n\tc");
		assert_string_equal(v.remarks[i].quoted, "+xy");
		assert_null(strchr(v.remarks[i].file, '\n'));
	}
	assert_int_equal(seen, 1);
}

static int group_setup(void **state)
{
	if (fs_tmpdir("series-reviewdoc", &home, NULL))
		return -1;
	setenv("HOME", home, 1);
	setenv("XDG_CONFIG_HOME", home, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "Wendy", 1);
	setenv("GIT_AUTHOR_EMAIL", "wendy@example.org", 1);
	setenv("GIT_COMMITTER_NAME", "Wendy", 1);
	setenv("GIT_COMMITTER_EMAIL", "wendy@example.org", 1);
	return 0;
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
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_line_is_one_trailer),
		cmocka_unit_test(test_fields_are_lines),
	};

	return cmocka_run_group_tests_name("reviewdoc", tests, group_setup,
					   group_teardown);
}
