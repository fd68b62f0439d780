// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted-dump.c - the series that were posted in an mbox, as lines that a person can
 * check:
 *
 *	posted-dump [--time] FILE
 *
 *	series 1
 *	v2 named 2024-01-02 A U Thor: mm: all of it
 *	  cover ID
 *	  1 ID
 *	  2 ID of v1
 *	  3 missing
 *	  again ID
 *	possible ID
 *
 * --time prints microseconds of posted_find() alone, the best of ten.
 */
#include <stdio.h>
#include "series/mem.h"
#include "series/posted.h"
#include "series/time.h"

static const char *id_of(const struct thread *t, size_t mail)
{
	return t->v[mail].id ? t->v[mail].id : "(no id)";
}

static void put_version(const struct thread *t, const struct posted *p, size_t index)
{
	static const char *const links[] = { "first", "change-id", "named", "title" };
	const struct posted_version *v = &p->v[index];
	struct buf date _cleanup_buf_ = BUF_INIT;

	time_iso(v->date, &date);
	printf("%s %s %.10s %s: %s\n", v->label, links[v->link], buf_cstr(&date), v->name,
	       v->title);
	if (v->cover != NO_MAIL)
		printf("  cover %s\n", id_of(t, v->cover));
	for (size_t k = 0; k < v->total; k++) {
		const struct posted_patch *patch = &v->patch[k];

		printf("  %zu %s", k + 1,
		       patch->mail == NO_MAIL ? "missing" : id_of(t, patch->mail));
		printf(patch->from == index ? "\n" : " of %s\n", p->v[patch->from].label);
	}
	for (size_t i = 0; i < v->n_repeated; i++)
		printf("  again %s\n", id_of(t, v->repeated[i]));
}

static void put_all(const struct thread *t, const struct posted *p)
{
	for (size_t s = 0; s < p->n_series; s++) {
		printf("series %zu\n", s + 1);
		for (size_t i = 0; i < p->series[s].n; i++)
			put_version(t, p, p->series[s].v[i]);
	}
	for (size_t i = 0; i < p->n_possible; i++)
		printf("possible %s\n", id_of(t, p->possible[i]));
}

int main(int argc, char **argv)
{
	bool timed = argc == 3 && !strcmp(argv[1], "--time");
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct err err _cleanup_err_ = ERR_INIT;
	int64_t best = INT64_MAX;

	if (mailsrc_open(argv[argc - 1], FROM_MBOXRD, &src, &err) ||
	    thread_read(&t, src, &err)) {
		fprintf(stderr, "posted-dump: %s\n", err_msg(&err));
		return 1;
	}
	thread_link(&t);
	for (int i = 0; i < (timed ? 10 : 1); i++) {
		int64_t start = time_mono_ns();

		posted_release(&p);
		posted_find(&t, &p);
		best = MIN(best, time_mono_ns() - start);
	}
	if (timed)
		printf("%zu mails %lld us\n", t.n, (long long)(best / 1000));
	else
		put_all(&t, &p);
	return 0;
}
