// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_reply.c - the text of a reply to a patch: remarks and tags in it, the author's
 * answer, which is the same text once more, and where the quotes stand.
 */
#include "fuzz.h"
#include "series/remark.h"
#include "series/tag.h"

static const char patch[] =
	"From: Ada Author <ada@example.org>\nSubject: [PATCH] mm: count\n"
	"Message-ID: <p@h>\nDate: Fri, 5 Jan 2024 09:00:00 +0000\n\n"
	"Count.\n---\n mm/count.c | 2 +-\n\ndiff --git a/mm/count.c b/mm/count.c\n"
	"--- a/mm/count.c\n+++ b/mm/count.c\n@@ -10,3 +10,3 @@ int count(void)\n \tint n;\n"
	"-\tn = 1;\n+\tn = 2;\n }\n-- \n2.39\n";

static void add(struct thread *t, const char *head, struct str text)
{
	struct buf raw _cleanup_buf_ = BUF_INIT;
	struct mail m;

	buf_puts(&raw, head);
	buf_addstr(&raw, text);
	mail_scan(buf_str(&raw), FROM_PLAIN, &m);
	thread_add(t, &m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_n((const char *)data, size);
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct remarks r _cleanup_remarks_ = { 0 };
	struct tags tags _cleanup_tags_ = { 0 };

	add(&t, patch, STR_LIT(""));
	add(&t, "From: Rita <rita@example.org>\nMessage-ID: <r@h>\nIn-Reply-To: <p@h>\n\n",
	    text);
	add(&t,
	    "From: Ada Author <ada@example.org>\nMessage-ID: <a@h>\nIn-Reply-To: <r@h>\n\n",
	    text);
	thread_link(&t);
	posted_find(&t, &p);
	remarks_find(&t, &p, &r);
	tags_collect(&t, &p, NULL, NULL, &tags);
	for (size_t i = 0; i < r.n; i++)
		FUZZ_CHECK(r.v[i].mail == 1 && *r.v[i].text && r.v[i].line);
	return 0;
}
