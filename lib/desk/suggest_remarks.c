// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest_remarks.c - what reviewers asked for and the draft does, as entries of its
 * changelog with thanks. The words are the reviewer's: the author knows better ones.
 */
#include "series/mem.h"
#include "series/reviewdoc.h"
#include "series/subject.h"
#include "suggest.h"

/* Where the patch of a version is in the draft, by its title; 0: nowhere. */
static int patch_now(const struct series *s, const struct review_remark *m)
{
	const struct version *v = series_version_named(s, m->label);

	if (!v || !m->patch || m->patch > v->n_patches)
		return 0;
	for (size_t i = 0; i < s->n_patches; i++)
		if (title_same(s->patches[i].subject, v->patches[m->patch - 1].subject))
			return (int)i + 1;
	return 0;
}

/* The first line, without tabs and the full stop. */
static void put_gist(const char *text, struct buf *out)
{
	struct str rest = str_trim(str_c(text)), line = STR_NULL;

	str_line(&rest, &line);
	line = str_trim(line);
	while (line.len && strchr(".:,", line.p[line.len - 1]))
		line.len--;
	for (size_t i = 0; i < line.len; i++)
		buf_putc(out, line.p[i] == '\t' ? ' ' : line.p[i]);
}

int suggest_remarks(const struct series *s, struct suggestions *to, struct err *err)
{
	struct review r _cleanup_review_ = { .n_tags = 0 };
	int draft = series_draft(s), rc = review_load(s, &r, err);

	for (size_t i = 0; !rc && i < r.n_remarks; i++) {
		const struct review_remark *m = &r.remarks[i];
		const char *name = *m->name ? m->name : m->email;
		struct buf b _cleanup_buf_ = BUF_INIT;
		struct suggestion *e;

		if (m->done_in != draft)
			continue;
		if (m->file)
			buf_printf(&b, "%s: ", m->file);
		put_gist(m->text, &b);
		buf_printf(&b, " (thanks %s)", name);
		e = suggest(to, patch_now(s, m), buf_take(&b));
		strvec_push(&e->words, name);
	}
	return rc;
}
