// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merging the states of two machines: what a remote may call a ref or a state, and the
 * rules by which one document's fields are merged, over all cases of three values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "../../lib/series/merge.h"
#include "series/mem.h"

static void test_refs(void **state)
{
	static const char *const good[] = { "state",
					    "v1",
					    "v99999",
					    "rfc2",
					    "lost/v3-0123456789ab",
					    "lost/rfc1-aaaaaaaaaaaa",
					    "v3.fix1",
					    "rfc1.fix12",
					    "lost/v3.fix1-0123456789ab" };
	static const char *const bad[] = { "",
					   "v",
					   "v0",
					   "v01",
					   "v100000",
					   "v1/x",
					   "state2",
					   "rfc",
					   "lost/v3",
					   "lost/v3-xyz",
					   "V1",
					   "v-1",
					   "lost/state",
					   "lost/v3-0123456789abc",
					   "lost/v3-0123456789a/",
					   "v3.",
					   "v3.fix",
					   "v3.fix0",
					   "v3.fix01",
					   "v3.fixx",
					   "v3.1",
					   ".fix1",
					   "v3.fix1.fix2",
					   "state.fix1" };

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_true(series_ref_ok(good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(series_ref_ok(bad[i]));
}

static void test_labels(void **state)
{
	static const char *const rows[][2] = {
		{ "versions/3.json", "v3" },   { "versions/rfc1.json", "rfc1" },
		{ "versions/03.json", NULL },  { "versions/v3.json", NULL },
		{ "versions/3.txt", NULL },    { "versions/x.json", NULL },
		{ "versions/3.json/y", NULL }, { "series.json", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *label _cleanup_free_ = version_path_label(rows[i][0]);

		if (rows[i][1])
			assert_string_equal(label, rows[i][1]);
		else
			assert_null(label);
	}
	assert_true(sent_of("sent/v1/0001.eml", "v1"));
	assert_false(sent_of("sent/v11/0001.eml", "v1"));
}

static struct json *parse(const char *text)
{
	struct json *j = NULL;

	if (text)
		assert_int_equal(json_parse(str_c(text), "test", &j, NULL), 0);
	return j;
}

/* Base, ours, theirs; the result when theirs is the newer state; notes there must be. */
static const struct {
	const char *base, *ours, *theirs, *want;
	size_t notes;
} fields[] = {
	{ "{\"a\":1}", "{\"a\":1}", "{\"a\":2}", "{\"a\":2}", 0 },
	{ "{\"a\":1}", "{\"a\":2}", "{\"a\":1}", "{\"a\":2}", 0 },
	{ "{\"a\":1}", "{\"a\":2}", "{\"a\":2}", "{\"a\":2}", 0 },
	{ "{\"a\":1}", "{\"a\":2}", "{\"a\":3}", "{\"a\":3}", 1 },
	{ "{\"a\":1}", "{}", "{\"a\":1}", "{}", 0 },
	{ "{\"a\":1}", "{\"a\":1}", "{}", "{}", 0 },
	{ "{\"a\":1}", "{}", "{\"a\":3}", "{\"a\":3}", 1 },
	{ "{}", "{\"a\":1}", "{\"b\":2}", "{\"a\":1,\"b\":2}", 0 },
	{ "{\"l\":[\"x\",\"y\"]}", "{\"l\":[\"x\",\"y\",\"o\"]}", "{\"l\":[\"y\",\"t\"]}",
	  "{\"l\":[\"y\",\"o\",\"t\"]}", 0 },
	{ "{\"l\":[\"x\"]}", "{\"l\":[]}", "{\"l\":[\"x\",\"t\"]}", "{\"l\":[\"t\"]}",
	  0 },
	{ NULL, "{\"l\":[\"x\"]}", "{\"l\":[\"x\",\"t\"]}", "{\"l\":[\"x\",\"t\"]}", 0 },
	{ "{\"l\":[1]}", "{\"l\":[2]}", "{\"l\":[3]}", "{\"l\":[3]}", 1 },
	{ "{\"w\":{\"x\":1,\"y\":1}}", "{\"w\":{\"x\":2,\"y\":1}}",
	  "{\"w\":{\"x\":1,\"y\":2}}", "{\"w\":{\"x\":2,\"y\":2}}", 0 },
	{ "{\"base\":{\"c\":1,\"r\":1}}", "{\"base\":{\"c\":2,\"r\":1}}",
	  "{\"base\":{\"c\":1,\"r\":2}}", "{\"base\":{\"c\":1,\"r\":2}}", 1 },
};

static void test_fields(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		struct json *b _cleanup_json_ = parse(fields[i].base);
		struct json *o _cleanup_json_ = parse(fields[i].ours);
		struct json *t _cleanup_json_ = parse(fields[i].theirs);
		struct json *want _cleanup_json_ = parse(fields[i].want);
		struct strvec notes _cleanup_strvec_ = STRVEC_INIT;
		struct merge m = { .theirs_newer = true, .notes = &notes };
		struct three d = { "series.json", b, o, t, NULL };
		struct json *got _cleanup_json_ = merge_fields(&m, &d);

		if (!json_same(got, want) || notes.n != fields[i].notes)
			fail_msg("row %zu", i);
	}
}

static const char one[] = "{\"n\":3,\"head\":\"a\",\"postings\":["
			  "{\"message_id\":\"i\",\"state\":\"sending\"}]}";

static int merge_v(const char *b, const char *o, const char *t, enum merge_side side,
		   struct json **ret, struct strvec *conflicts, struct err *err)
{
	struct json *jb _cleanup_json_ = parse(b), *jo _cleanup_json_ = parse(o),
			*jt _cleanup_json_ = parse(t);
	struct strvec notes _cleanup_strvec_ = STRVEC_INIT;
	struct merge m = { .notes = &notes, .side = side };
	struct three d = { "versions/3.json", jb, jo, jt, NULL };
	int rc = merge_version(&m, &d, ret, err);

	strvec_extend(conflicts, &m.conflicts);
	strvec_release(&m.conflicts);
	return rc;
}

static void test_versions(void **state)
{
	static const char sent[] = "{\"n\":3,\"head\":\"a\",\"postings\":["
				   "{\"message_id\":\"i\",\"state\":\"sent\"}]}";
	static const char partial[] =
		"{\"n\":3,\"head\":\"a\",\"to\":[\"x\"],\"postings\":["
		"{\"message_id\":\"i\",\"state\":\"partial\"},"
		"{\"message_id\":\"r\",\"state\":\"sent\"}]}";
	static const char other[] = "{\"n\":3,\"head\":\"b\",\"postings\":["
				    "{\"message_id\":\"j\",\"state\":\"sent\"}]}";
	static const char want[] = "{\"n\":3,\"head\":\"a\",\"to\":[\"x\"],\"postings\":["
				   "{\"message_id\":\"i\",\"state\":\"sent\"},"
				   "{\"message_id\":\"r\",\"state\":\"sent\"}]}";
	struct strvec conflicts _cleanup_strvec_ = STRVEC_INIT;
	struct err err _cleanup_err_ = ERR_INIT;
	struct json *got = NULL, *w _cleanup_json_ = parse(want);
	struct json *theirs _cleanup_json_ = parse(other);

	assert_int_equal(merge_v(one, sent, partial, MERGE_ASK, &got, &conflicts, &err),
			 0);
	assert_true(json_same(got, w));
	json_freep(&got);
	assert_int_equal(merge_v(one, partial, sent, MERGE_ASK, &got, &conflicts, &err),
			 0);
	assert_true(json_same(got, w));
	json_freep(&got);
	assert_int_equal(merge_v(NULL, sent, other, MERGE_ASK, &got, &conflicts, &err),
			 E_CONFLICT);
	assert_null(got);
	assert_non_null(strstr(err_msg(&err), "v3"));
	assert_non_null(strstr(err_msg(&err), "<i>"));
	assert_non_null(strstr(err_msg(&err), "<j>"));
	assert_int_equal(conflicts.n, 0);
	assert_int_equal(merge_v(NULL, sent, other, MERGE_THEIRS, &got, &conflicts, NULL),
			 0);
	assert_true(json_same(got, theirs));
	assert_true(strvec_has(&conflicts, "v3"));
	json_freep(&got);
}

/* Fixes that two machines sent for one version: both stay, each as far as it got. */
static void test_fixups(void **state)
{
	static const char b[] = "{\"n\":3,\"head\":\"a\",\"postings\":[],\"fixups\":["
				"{\"message_id\":\"f\",\"state\":\"sending\"}]}";
	static const char o[] = "{\"n\":3,\"head\":\"a\",\"postings\":[],\"fixups\":["
				"{\"message_id\":\"f\",\"state\":\"sent\"},"
				"{\"message_id\":\"g\",\"state\":\"sent\"}]}";
	static const char t[] = "{\"n\":3,\"head\":\"a\",\"postings\":[],\"fixups\":["
				"{\"message_id\":\"f\",\"state\":\"partial\"},"
				"{\"message_id\":\"h\",\"state\":\"sent\"}]}";
	static const char want[] = "{\"n\":3,\"head\":\"a\",\"postings\":[],\"fixups\":["
				   "{\"message_id\":\"f\",\"state\":\"sent\"},"
				   "{\"message_id\":\"g\",\"state\":\"sent\"},"
				   "{\"message_id\":\"h\",\"state\":\"sent\"}]}";
	static const char undone[] = "{\"n\":3,\"head\":\"a\",\"postings\":[]}";
	struct strvec conflicts _cleanup_strvec_ = STRVEC_INIT;
	struct json *w _cleanup_json_ = parse(want), *none _cleanup_json_ = parse(undone);
	struct json *got = NULL;

	assert_int_equal(merge_v(b, o, t, MERGE_ASK, &got, &conflicts, NULL), 0);
	assert_true(json_same(got, w));
	json_freep(&got);
	assert_int_equal(merge_v(b, undone, b, MERGE_ASK, &got, &conflicts, NULL), 0);
	assert_true(json_same(got, none));
	json_freep(&got);
}

/* Base, ours, theirs, the result when theirs is newer, notes. */
static const struct {
	const char *base, *ours, *theirs, *want;
	size_t notes;
} reviews[] = {
	{ NULL, "{\"decision\":null}", "{\"decision\":\"keep\",\"reason\":\"r\"}",
	  "{\"decision\":\"keep\",\"reason\":\"r\"}", 0 },
	{ NULL, "{\"decision\":\"drop\",\"reason\":\"o\"}",
	  "{\"decision\":null,\"reason\":null}",
	  "{\"decision\":\"drop\",\"reason\":\"o\"}", 0 },
	{ "{\"decision\":\"keep\",\"reason\":\"b\"}",
	  "{\"decision\":\"drop\",\"reason\":\"o\"}",
	  "{\"decision\":\"keep\",\"reason\":\"b\"}",
	  "{\"decision\":\"drop\",\"reason\":\"o\"}", 0 },
	{ NULL, "{\"decision\":\"drop\",\"reason\":\"o\"}",
	  "{\"decision\":\"keep\",\"reason\":\"t\"}",
	  "{\"decision\":\"keep\",\"reason\":\"t\"}", 1 },
	/* Here patch 1 was dropped, there patch 2 was kept. */
	{ "{\"decision\":null}",
	  "{\"decision\":null,\"decisions\":{\"1\":{\"decision\":\"drop\"}}}",
	  "{\"decision\":null,\"decisions\":{\"2\":{\"decision\":\"keep\"}}}",
	  "{\"decision\":null,\"decisions\":{\"1\":{\"decision\":\"drop\"},"
	  "\"2\":{\"decision\":\"keep\"}}}",
	  0 },
	/* The same patch otherwise on both sides: the newer, and it is said. */
	{ NULL, "{\"decisions\":{\"3\":{\"decision\":\"drop\",\"reason\":\"o\"}}}",
	  "{\"decisions\":{\"3\":{\"decision\":\"keep\",\"reason\":null}}}",
	  "{\"decisions\":{\"3\":{\"decision\":\"keep\",\"reason\":null}}}", 1 },
	/* There one decision for all took the place of those for single patches. */
	{ "{\"decisions\":{\"3\":{\"decision\":\"keep\"}},\"decision\":null}",
	  "{\"decisions\":{\"3\":{\"decision\":\"keep\"}},\"decision\":null}",
	  "{\"decision\":\"drop\",\"reason\":\"t\"}",
	  "{\"decision\":\"drop\",\"reason\":\"t\"}", 0 },
	/* There the drop for all was taken back for one patch that is kept. */
	{ "{\"decision\":\"drop\"}", "{\"decision\":\"drop\"}",
	  "{\"decision\":null,\"decisions\":{\"2\":{\"decision\":\"keep\"}}}",
	  "{\"decision\":null,\"decisions\":{\"2\":{\"decision\":\"keep\"}}}", 0 },
	{ "{\"retracted\":false,\"answer\":null}", "{\"retracted\":true,\"answer\":null}",
	  "{\"retracted\":false,\"answer\":\"a@example.org\"}",
	  "{\"retracted\":true,\"answer\":\"a@example.org\"}", 0 },
	{ "{\"answered\":false,\"done_in\":0}", "{\"answered\":true,\"done_in\":4}",
	  "{\"answered\":false,\"done_in\":3}", "{\"answered\":true,\"done_in\":3}", 0 },
};

static void test_reviews(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(reviews); i++) {
		struct json *b _cleanup_json_ = parse(reviews[i].base);
		struct json *o _cleanup_json_ = parse(reviews[i].ours);
		struct json *t _cleanup_json_ = parse(reviews[i].theirs);
		struct json *want _cleanup_json_ = parse(reviews[i].want);
		struct strvec notes _cleanup_strvec_ = STRVEC_INIT;
		struct merge m = { .theirs_newer = true, .notes = &notes };
		struct three d = { "review/tags/x.json", b, o, t, NULL };
		struct json *got _cleanup_json_ = merge_review(&m, &d);

		if (!json_same(got, want) || notes.n != reviews[i].notes)
			fail_msg("row %zu", i);
	}
}

/* The heads that a document names: its own, and those of its fixes. */
static void test_heads(void **state)
{
	char *text _cleanup_free_ = xasprintf("{\"head\":\"%040d\",\"fixups\":["
					      "{\"commit\":\"%040d\"},"
					      "{\"commit\":\"%040d\"}]}",
					      1, 2, 3);
	struct json *j _cleanup_json_ = parse(text);
	struct strvec labels _cleanup_strvec_ = STRVEC_INIT;
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

	document_heads(j, "rfc2", &labels, &ids);
	assert_int_equal(labels.n, 3);
	assert_string_equal(labels.v[0], "rfc2");
	assert_string_equal(labels.v[1], "rfc2.fix1");
	assert_string_equal(labels.v[2], "rfc2.fix2");
	assert_int_equal(ids.v[2][39], '3');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refs),	cmocka_unit_test(test_labels),
		cmocka_unit_test(test_fields),	cmocka_unit_test(test_versions),
		cmocka_unit_test(test_fixups),	cmocka_unit_test(test_heads),
		cmocka_unit_test(test_reviews),
	};

	return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
