// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge.c - which suggestions the changelog speaks of already, and the others as text.
 */
#include <ctype.h>
#include <strings.h>
#include "series/changes.h"
#include "series/mem.h"
#include "series/utf8.h"
#include "suggest.h"

/* Case folded; a number is met only as a whole: "patch 1" is not in "patch 12". */
static bool says(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (; n && *text; text++)
		if (!strncasecmp(text, word, n) &&
		    !(isdigit((unsigned char)word[n - 1]) &&
		      isdigit((unsigned char)text[n])))
			return true;
	return false;
}

/* On one line, with one blank between words: a line may have been broken anywhere. */
static void on_one_line(const char *text, struct buf *out)
{
	utf8_wrap(str_c(text), 0, SIZE_MAX, out);
}

static bool text_says(const char *text, const char *word)
{
	struct buf line _cleanup_buf_ = BUF_INIT, want _cleanup_buf_ = BUF_INIT;

	on_one_line(text, &line);
	on_one_line(word, &want);
	return says(buf_cstr(&line), buf_cstr(&want));
}

static bool part_says(const struct changelog_part *p, const char *word)
{
	for (size_t i = 0; p && i < p->n; i++)
		if (text_says(p->v[i].text, word))
			return true;
	return false;
}

static bool covers(const struct suggestion *e, const struct changelog *c)
{
	const struct changelog_part *whole = changelog_part(c, 0);
	const struct changelog_part *part = e->patch ? changelog_part(c, e->patch) : NULL;
	char *number _cleanup_free_ = xasprintf("patch %d", e->patch);

	if (part_says(whole, e->text) || part_says(part, e->text))
		return true;
	if (e->own && ((part && part->n) || part_says(whole, number)))
		return true;
	for (size_t i = 0; i < e->words.n; i++)
		if (part_says(whole, e->words.v[i]) || part_says(part, e->words.v[i]))
			return true;
	return false;
}

void suggestions_note(struct suggestions *s, const struct patchnotes *notes)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suggestion *e = &s->v[i];
		const struct patchnote *n =
			e->patch ? patchnotes_get(notes, e->patch) : NULL;

		for (size_t k = 0; n && k < e->words.n; k++)
			e->noted = e->noted || text_says(n->text, e->words.v[k]);
	}
}

void suggestions_judge(struct suggestions *s, const struct changelog *c)
{
	for (size_t i = 0; i < s->n; i++)
		s->v[i].covered = s->v[i].noted || covers(&s->v[i], c);
}

void suggestions_changelog(const struct suggestions *s, const struct series *series,
			   struct changelog *ret)
{
	changelog_parse(STR_LIT(""), ret);
	for (size_t i = 0; i < s->n; i++) {
		const struct suggestion *e = &s->v[i];
		struct buf text _cleanup_buf_ = BUF_INIT;

		if (e->covered)
			continue;
		utf8_wrap(str_c(e->text), 2, SUGGESTION_COLUMNS, &text);
		changelog_add(ret, e->patch,
			      e->patch ? series->patches[e->patch - 1].subject : "",
			      buf_str(&text));
	}
}
