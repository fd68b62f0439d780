// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * review-dump.c - how much was said in a thread: review-dump MBOX reads it, finds what
 * was posted, the tags and the remarks, and prints how many. For tests/perf/review.sh.
 */
#include <stdio.h>
#include "series/mem.h"
#include "series/remark.h"
#include "series/tag.h"

int main(int argc, char **argv)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct tags tags _cleanup_tags_ = { 0 };
	struct remarks remarks _cleanup_remarks_ = { 0 };
	struct err err _cleanup_err_ = ERR_INIT;
	size_t answered = 0;

	if (mailsrc_open(argv[argc - 1], FROM_MBOXRD, &src, &err) ||
	    thread_read(&t, src, &err)) {
		fprintf(stderr, "review-dump: %s\n", err_msg(&err));
		return 1;
	}
	thread_link(&t);
	posted_find(&t, &p);
	tags_collect(&t, &p, NULL, NULL, &tags);
	remarks_find(&t, &p, &remarks);
	for (size_t i = 0; i < remarks.n; i++)
		answered += remarks.v[i].answer != NO_MAIL;
	printf("%zu mails, %zu versions, %zu tags, %zu remarks, %zu answered\n", t.n, p.n,
	       tags.n, remarks.n, answered);
	return 0;
}
