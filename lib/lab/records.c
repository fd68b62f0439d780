// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * records.c - what the guest's init says on the job port (templates/guest/README).
 */
#include <string.h>
#include "lab_priv.h"
#include "series/mem.h"
#include "series/sanitize.h"

/* Above what init can send in one record. */
#define MAX_RECORD ((size_t)1 << 20)

static char *text_member(const struct json *j, const char *key)
{
	const char *s = json_get_str(j, key);

	return s && *s ? sanitize_line_dup(s) : NULL;
}

static void take_hello(struct boot *b, const struct json *j)
{
	b->hello = true;
	b->got_boot_id = text_member(j, "boot_id");
	b->got_build_id = text_member(j, "build_id");
	b->release = text_member(j, "release");
}

static void take_error(struct boot *b, const struct json *j)
{
	char *cmd _cleanup_free_ = text_member(j, "cmd");
	char *msg _cleanup_free_ = text_member(j, "msg");

	/* what it says behind a limit that ended it is our doing */
	if (!b->error && b->cut != CUT_DEADLINE && b->cut != CUT_FLOOD)
		b->error =
			xasprintf("job line %d (%s): %s", (int)json_get_int(j, "line", 0),
				  cmd ? cmd : "?", msg ? msg : "failed");
}

static void take_record(struct boot *b, struct str line)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j = NULL;
	const char *t;

	utf8_lossy(line, &text);
	if (json_parse(buf_str(&text), "job port", &j, NULL) || !json_get_str(j, "t")) {
		json_free(j);
		b->garbled++;
		return;
	}
	t = json_get_str(j, "t");
	/* After its last word, and in another boot than the one that was checked. */
	if (b->done || json_len(b->records) >= MAX_RECORDS ||
	    (b->hello && !strcmp(t, "hello"))) {
		json_free(j);
		b->late++;
		return;
	}
	if (!strcmp(t, "hello"))
		take_hello(b, j);
	else if (!strcmp(t, "error"))
		take_error(b, j);
	else if (!strcmp(t, "done"))
		b->done = b->hello;
	json_push(b->records, j);
}

void records_feed(struct boot *b, struct str text)
{
	ptrdiff_t at;

	b->job_line.max = MAX_RECORD;
	while ((at = str_chr(text, '\n')) >= 0) {
		buf_add(&b->job_line, text.p, (size_t)at);
		take_record(b, buf_str(&b->job_line));
		buf_reset(&b->job_line);
		b->job_line.full = false;
		text = str_n(text.p + at + 1, text.len - (size_t)at - 1);
	}
	buf_addstr(&b->job_line, text);
}
