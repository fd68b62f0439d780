// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchnotes.c - notes.txt read, matched with the patches and written.
 */
#include <stdlib.h>
#include "series/changelog.h"
#include "series/covertext.h"
#include "series/mem.h"
#include "series/patchnotes.h"
#include "series/store.h"
#include "series/utf8.h"

/* "\patch 2: text": a line of a text that would be a heading without its "\". */
static bool escaped(struct str line)
{
	struct str rest;
	int k;

	while (line.len && line.p[0] == '\\')
		line = str_n(line.p + 1, line.len - 1);
	return changelog_heading(line, &k, &rest);
}

static void add(struct patchnotes *p, int k, struct str subject, char *block_take)
{
	vec_grow(p->v, p->n, p->cap);
	p->v[p->n++] = (struct patchnote){ .k = k,
					   .subject = str_dup(subject),
					   .text = block_take };
}

/* A heading says something by itself when there is more than a number. */
static void add_block(struct patchnotes *p, int k, struct str subject, struct str text)
{
	char *block = covertext_block(text);

	if (*block || subject.len)
		add(p, k, subject, block);
	else
		free(block);
}

static void forget(struct patchnotes *p, size_t i)
{
	free(p->v[i].subject);
	free(p->v[i].text);
	memmove(&p->v[i], &p->v[i + 1], (p->n - i - 1) * sizeof(*p->v));
	p->n--;
}

void patchnotes_parse(struct str text, struct patchnotes *ret)
{
	struct buf block _cleanup_buf_ = BUF_INIT;
	struct str subject = STR_LIT(""), line, rest;
	int k = 0, next;

	*ret = (struct patchnotes){ 0 };
	str_skip(&text, UTF8_BOM);
	while (str_line(&text, &line)) {
		while (line.len && line.p[line.len - 1] == '\r')
			line.len--;
		if (changelog_heading(line, &next, &rest)) {
			add_block(ret, k, subject, buf_str(&block));
			buf_reset(&block);
			k = next;
			subject = rest;
			continue;
		}
		if (line.len && line.p[0] == '\\' && escaped(line))
			line = str_n(line.p + 1, line.len - 1);
		buf_addstr(&block, line);
		buf_putc(&block, '\n');
	}
	add_block(ret, k, subject, buf_str(&block));
}

void patchnotes_release(struct patchnotes *p)
{
	while (p->n)
		forget(p, p->n - 1);
	free(p->v);
	*p = (struct patchnotes){ 0 };
}

void patchnotes_format(const struct patchnotes *p, struct buf *out)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct patchnote *n = &p->v[i];
		struct str rest = str_c(n->text), line;

		if (i)
			buf_putc(out, '\n');
		if (n->k)
			buf_printf(out, "patch %d:%s%s\n", n->k, *n->subject ? " " : "",
				   n->subject);
		while (str_line(&rest, &line)) {
			if (escaped(line))
				buf_putc(out, '\\');
			buf_addstr(out, line);
			buf_putc(out, '\n');
		}
	}
}

/* Text above all headings comes first, for it has none; those without a patch last. */
static int rank(const struct patchnote *n)
{
	return !n->k ? 0 : n->found ? 1 : 2;
}

static int by_number(const void *a, const void *b)
{
	const struct patchnote *x = a, *y = b;

	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	return x->k == y->k ? strcmp(x->subject, y->subject) : x->k - y->k;
}

/* False when it is a heading of a patch and nothing else. */
static bool match(struct patchnote *one, const struct patch *patches, size_t n)
{
	int k = one->k ? changelog_find_patch(one->k, one->subject, patches, n) : 0;

	if (!*one->text && changelog_heading_is_text(one->k, one->subject, patches, n)) {
		free(one->text);
		one->text = xasprintf("%s\n", one->subject);
		k = one->k;
	}
	one->found = k > 0;
	if (!k)
		return true;
	one->k = k;
	free(one->subject);
	one->subject = xstrdup(patches[k - 1].subject);
	return *one->text;
}

/* The text of note b goes behind that of note a; b is removed. */
static void join(struct patchnotes *p, size_t a, size_t b)
{
	char *both = xasprintf("%s\n%s", p->v[a].text, p->v[b].text);

	free(p->v[a].text);
	p->v[a].text = both;
	forget(p, b);
}

void patchnotes_match(struct patchnotes *p, const struct patch *patches, size_t n)
{
	for (size_t i = p->n; i-- > 0;)
		if (!match(&p->v[i], patches, n))
			forget(p, i);
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = p->n - 1; j > i; j--)
			if (p->v[i].found && p->v[j].found && p->v[i].k == p->v[j].k)
				join(p, i, j);
	if (p->n > 1)
		qsort(p->v, p->n, sizeof(*p->v), by_number);
}

const struct patchnote *patchnotes_get(const struct patchnotes *p, int k)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].found && p->v[i].k == k)
			return &p->v[i];
	return NULL;
}

void patchnotes_set(struct patchnotes *p, int k, const char *subject, struct str text)
{
	char *block;

	str_skip(&text, UTF8_BOM);
	block = covertext_block(text);
	for (size_t i = p->n; i-- > 0;)
		if (p->v[i].found && p->v[i].k == k)
			forget(p, i);
	if (*block) {
		add(p, k, str_c(subject), block);
		p->v[p->n - 1].found = true;
	} else {
		free(block);
	}
	if (p->n > 1)
		qsort(p->v, p->n, sizeof(*p->v), by_number);
}

int series_notes_read(struct repo *r, const char *name, struct buf *ret, struct err *err)
{
	int rc = store_read(r, name, PATCHNOTES_FILE, ret, err);

	if (rc != E_NOTFOUND)
		return rc;
	if (err)
		err_release(err);
	return 0;
}

int series_notes_write(struct repo *r, const char *name, struct str text,
		       struct str expected, bool *ret_changed, struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct buf before _cleanup_buf_ = BUF_INIT;
	int rc;

	if (text.len > PATCHNOTES_MAX || (text.len && memchr(text.p, 0, text.len)))
		return err_set(err, E_FAIL,
			       "the notes are no text, or longer than %d bytes",
			       PATCHNOTES_MAX);
	rc = store_begin(r, name, false, &t, err);
	if (!rc)
		rc = store_get(t, PATCHNOTES_FILE, &before, err);
	if (rc && rc != E_NOTFOUND)
		return rc;
	if (rc && err)
		err_release(err);
	if (!str_eq(buf_str(&before), expected))
		return err_set(err, E_CONFLICT,
			       "the notes of %s were changed by somebody else meanwhile",
			       name);
	*ret_changed = !str_eq(buf_str(&before), text);
	if (!*ret_changed)
		return 0;
	if (text.len)
		store_put(t, PATCHNOTES_FILE, text.p, text.len);
	else
		store_del(t, PATCHNOTES_FILE);
	return store_commit(t, "notes", err);
}
