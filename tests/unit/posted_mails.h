/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * posted_mails.h - threads from specs of a line a mail, for the tests of posted series.
 */
#ifndef TESTS_POSTED_MAILS_H
#define TESTS_POSTED_MAILS_H

#include "series/mem.h"
#include "series/posted.h"

/* A diff of ours; what is different makes the patch-id. */
static void put_diff(struct buf *raw, struct str what)
{
	buf_printf(raw,
		   "Why.\n\nSigned-off-by: A U Thor <a@example.org>\n---\n a.c | 1 +\n\n"
		   "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,3 @@\n one\n"
		   "+" STR_FMT "\n two\n-- \n2.39\n",
		   STR_ARG(what));
}

/*
 * Mails as "WHO|ID|IN-REPLY-TO|MINUTE|SUBJECT|TEXT": ids without <>, TEXT "+X" is a patch
 * that adds X, ">X" one that is quoted.
 */
static void add(struct thread *t, const char *spec)
{
	struct str rest = str_c(spec), f[6];
	struct buf raw _cleanup_buf_ = BUF_INIT;
	struct mail m;
	int64_t minute = 0;

	for (int i = 0; i < 6; i++)
		if (!str_cut(&rest, '|', &f[i]))
			f[i] = STR_LIT("");
	str_to_i64(f[3], 0, INT32_MAX, &minute);
	buf_printf(&raw, "From: " STR_FMT "\nMessage-ID: <" STR_FMT ">\n", STR_ARG(f[0]),
		   STR_ARG(f[1]));
	if (f[2].len)
		buf_printf(&raw, "In-Reply-To: <" STR_FMT ">\n", STR_ARG(f[2]));
	buf_printf(&raw, "Date: %d Jan 2024 %02d:%02d:00 +0000\nSubject: " STR_FMT "\n\n",
		   (int)(minute / 1440) + 1, (int)(minute / 60) % 24, (int)minute % 60,
		   STR_ARG(f[4]));
	if (str_skip(&f[5], "+"))
		put_diff(&raw, f[5]);
	else if (str_skip(&f[5], ">"))
		buf_printf(&raw, "> diff --git a/a.c b/a.c\n> @@ -1 +1,2 @@\n> +x\n");
	else
		buf_printf(&raw, STR_FMT "\n", STR_ARG(f[5]));
	mail_scan(buf_str(&raw), FROM_PLAIN, &m);
	thread_add(t, &m);
}

static const char *id_of(const struct thread *t, size_t mail)
{
	return mail == NO_MAIL ? "-" : t->v[mail].id;
}

/*
 * A version: a mark for its link ("=" change-id, ">" named, "~" title, "?" when that is
 * uncertain), its label, "c:ID"
 * and the ids of the patches, one of another version in (), repeats with "+". Versions
 * are separated by "/", series by "//".
 */
static void put_version(const struct thread *t, const struct posted *p, size_t i,
			struct buf *out)
{
	const struct posted_version *v = &p->v[i];
	static const char *const marks[] = { "", "=", ">", "~" };

	buf_printf(out, "%s%s", v->uncertain ? "?" : marks[v->link], v->label);
	if (v->cover != NO_MAIL)
		buf_printf(out, " c:%s", id_of(t, v->cover));
	for (size_t k = 0; k < v->total; k++)
		buf_printf(out, v->patch[k].from == i ? " %s" : " (%s)",
			   id_of(t, v->patch[k].mail));
	for (size_t k = 0; k < v->n_repeated; k++)
		buf_printf(out, " +%s", id_of(t, v->repeated[k]));
}

static void read_mails(const char *const *mails, struct thread *t, struct posted *p)
{
	for (; *mails; mails++)
		add(t, *mails);
	thread_link(t);
	posted_find(t, p);
	assert_int_equal(p->n_places, t->n);
}

static void check(const char *const *mails, const char *want)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct buf is _cleanup_buf_ = BUF_INIT;

	read_mails(mails, &t, &p);
	for (size_t s = 0; s < p.n_series; s++)
		for (size_t i = 0; i < p.series[s].n; i++) {
			buf_puts(&is, i ? " / " : s ? " // " : "");
			put_version(&t, &p, p.series[s].v[i], &is);
		}
	assert_string_equal(buf_cstr(&is), want);
}

#define T(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define A      "A U Thor <a@example.org>"
#define B      "Bea Reader <b@example.org>"

#endif
