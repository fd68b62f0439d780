// SPDX-License-Identifier: GPL-2.0-or-later
/* fuzz_tags.c - the text of a reply: its tags, and what a robot would report with it. */
#include "fuzz.h"
#include "series/robot.h"
#include "series/tag.h"

static void check_tag(const struct tag *t, size_t lines)
{
	FUZZ_CHECK(t->type && t->value && t->name && t->email);
	FUZZ_CHECK(t->line >= 1 && t->line <= lines);
	FUZZ_CHECK(!strpbrk(t->value, "\n") && !strpbrk(t->type, "\n"));
	FUZZ_CHECK(!t->condition || *t->condition);
	FUZZ_CHECK((t->scope == SCOPE_HERE) == !t->scope_words);
	FUZZ_CHECK((t->scope == SCOPE_PATCHES) == (t->n_scope_patches > 0));
	for (size_t i = 1; i < t->n_scope_patches; i++)
		FUZZ_CHECK(t->scope_patches[i - 1] < t->scope_patches[i]);
	FUZZ_CHECK(t->kind != TAG_RETRACTION || t->informal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_n((const char *)data, size);
	struct tags tags _cleanup_tags_ = { 0 };
	struct robot_report r;
	struct mail m;
	size_t lines = 1;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	tags_find(text, &tags);
	for (size_t i = 0; i < tags.n; i++) {
		check_tag(&tags.v[i], lines);
		FUZZ_CHECK(!i || tags.v[i - 1].line <= tags.v[i].line);
	}
	mail_scan(text, FROM_PLAIN, &m);
	if (robot_read(&m, &r)) {
		FUZZ_CHECK(r.robot == robot_name(&m) && r.summary);
		robot_report_release(&r);
	}
	return 0;
}
