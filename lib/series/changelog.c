// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changelog.c - changes/vN.txt read and written: entries, and the patches that they are
 * for.
 */
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>
#include "series/changelog.h"
#include "series/mem.h"
#include "series/store.h"
#include "series/utf8.h"

/* What the lines read so far belong to. */
struct parse {
	struct changelog *c;
	size_t part;	  /* where entries go */
	size_t in, entry; /* the open entry: part and number */
	bool open, blank; /* there is one; a blank line came since */
	size_t indent;	  /* of its text */
	size_t len, room; /* bytes of its text, and allocated for it */
};

static struct changelog_part *add_part(struct changelog *c, int k, struct str subject)
{
	struct changelog_part *p;

	vec_grow(c->v, c->n, c->cap);
	p = &c->v[c->n++];
	*p = (struct changelog_part){ .k = k, .subject = str_dup(subject) };
	return p;
}

static size_t part_for(struct changelog *c, int k, struct str subject)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].k == k && str_eqc(subject, c->v[i].subject))
			return i;
	add_part(c, k, subject);
	return c->n - 1;
}

static void add_entry(struct changelog_part *p, char *text_take, bool plain)
{
	vec_grow(p->v, p->n, p->cap);
	p->v[p->n++] = (struct changelog_entry){ text_take, plain };
}

static size_t indent_of(struct str line)
{
	size_t n = 0;

	while (n < line.len && line.p[n] == ' ')
		n++;
	return n < line.len && line.p[n] == '\t' ? n + 8 : n;
}

bool changelog_heading(struct str line, int *ret_k, struct str *ret_rest)
{
	ptrdiff_t colon = str_chr(line, ':');
	struct str head, number;
	int64_t k;

	if (colon < 0 || !str_istarts(line, "patch "))
		return false;
	head = str_trim(str_n(line.p + 6, colon - 6));
	if (!str_cut(&head, '/', &number) ||
	    !str_to_i64(str_trim(number), 1, SERIES_MAX_PATCHES, &k) ||
	    (head.p &&
	     !str_to_i64(str_trim(head), 1, SERIES_MAX_PATCHES, &(int64_t){ 0 })))
		return false;
	*ret_k = (int)k;
	*ret_rest = str_trim(str_n(line.p + colon + 1, line.len - colon - 1));
	return true;
}

static void open_entry(struct parse *p, size_t part, struct str text, bool plain,
		       size_t indent)
{
	struct changelog_part *to = &p->c->v[part];

	add_entry(to, str_dup(text), plain);
	p->in = part;
	p->entry = to->n - 1;
	p->open = true;
	p->indent = indent;
	p->len = text.len;
	p->room = text.len + 1;
}

/* Append to the text of the open entry. */
static void put_text(struct parse *p, struct str s)
{
	struct changelog_entry *e = &p->c->v[p->in].v[p->entry];

	if (p->len + s.len + 1 > p->room) {
		p->room = 2 * (p->len + s.len + 1);
		e->text = xreallocarray(e->text, p->room, 1);
	}
	if (s.len)
		memcpy(e->text + p->len, s.p, s.len);
	p->len += s.len;
	e->text[p->len] = '\0';
}

static void go_on(struct parse *p, struct str line)
{
	size_t cut = MIN(indent_of(line), p->indent);

	while (cut && line.p[0] == ' ') {
		line.p++;
		line.len--;
		cut--;
	}
	put_text(p, p->blank ? STR_LIT("\n\n") : STR_LIT("\n"));
	put_text(p, line);
}

static void take_line(struct parse *p, struct str line)
{
	size_t indent = indent_of(line);
	struct str text = str_trim(line), rest;
	bool mark = indent < 2 && (str_skip(&text, "- ") || str_skip(&text, "* "));
	int k;

	text = str_trim(text);
	if (str_eqc(text, "-") || str_eqc(text, "*"))
		return;
	if (mark && changelog_heading(text, &k, &rest) && rest.len) {
		open_entry(p, part_for(p->c, k, STR_LIT("")), rest, false, indent + 2);
	} else if (mark) {
		open_entry(p, p->part, text, false, indent + 2);
	} else if (!indent && changelog_heading(text, &k, &rest)) {
		p->part = part_for(p->c, k, rest);
		p->open = false;
	} else if (p->open && (!p->blank || indent >= 2)) {
		go_on(p, line);
	} else {
		open_entry(p, p->part, text, true, indent);
	}
}

void changelog_parse(struct str text, struct changelog *ret)
{
	struct parse p = { .c = ret };
	struct str line;

	*ret = (struct changelog){ 0 };
	add_part(ret, 0, STR_LIT(""));
	str_skip(&text, UTF8_BOM);
	while (str_line(&text, &line)) {
		while (line.len && strchr(" \t\r", line.p[line.len - 1]))
			line.len--;
		if (line.len && line.p[0] == '#')
			continue;
		if (line.len)
			take_line(&p, line);
		p.blank = !line.len;
	}
}

static void part_release(struct changelog_part *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].text);
	free(p->v);
	free(p->subject);
}

void changelog_release(struct changelog *c)
{
	for (size_t i = 0; i < c->n; i++)
		part_release(&c->v[i]);
	free(c->v);
	*c = (struct changelog){ 0 };
}

void changelog_entry_show(const struct changelog_entry *e, const char *mark,
			  const char *intro, struct buf *out)
{
	struct str rest = str_c(e->text), line;
	bool plain = e->plain && !*intro, first = true;

	while (str_line(&rest, &line)) {
		if (first && !plain)
			buf_printf(out, "%s%s", mark, intro);
		else if (line.len && !plain)
			buf_fill(out, ' ', strlen(mark));
		buf_addstr(out, line);
		buf_putc(out, '\n');
		first = false;
	}
}

/* Has plain text a line that would be read as a comment or a heading? */
static bool needs_indent(const struct changelog_entry *e)
{
	struct str rest = str_c(e->text), line, words;
	int k;

	while (e->plain && str_line(&rest, &line))
		if (str_starts(line, "#") || changelog_heading(line, &k, &words))
			return true;
	return false;
}

static void format_entry(const struct changelog_entry *e, struct buf *out)
{
	struct str rest = str_c(e->text), line;

	if (!needs_indent(e)) {
		changelog_entry_show(e, "- ", "", out);
		return;
	}
	while (str_line(&rest, &line)) {
		if (line.len)
			buf_putc(out, ' ');
		buf_addstr(out, line);
		buf_putc(out, '\n');
	}
}

/*
 * Below a plain entry a blank line, and above one too: without it the text would be read
 * as more of the entry before.
 */
static void format_entries(const struct changelog_part *p, struct buf *out)
{
	for (size_t i = 0; i < p->n; i++) {
		if (i && (p->v[i].plain || p->v[i - 1].plain))
			buf_putc(out, '\n');
		format_entry(&p->v[i], out);
	}
}

void changelog_format(const struct changelog *c, struct buf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < c->n; i++) {
		const struct changelog_part *p = &c->v[i];

		/* A heading of nothing says something only when it is not understood. */
		if (!p->n && (p->found || !*p->subject))
			continue;
		if (out->len > start)
			buf_putc(out, '\n');
		if (p->k)
			buf_printf(out, "patch %d:%s%s\n", p->k, *p->subject ? " " : "",
				   p->subject);
		format_entries(p, out);
	}
}

const struct changelog_part *changelog_part(const struct changelog *c, int k)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].k == k && (!k || c->v[i].found))
			return &c->v[i];
	return NULL;
}

void changelog_add(struct changelog *c, int k, const char *subject, struct str text)
{
	struct str rest = str_trim(text), line;
	struct buf b = BUF_INIT;
	size_t at;

	if (!c->n)
		add_part(c, 0, STR_LIT(""));
	if (!str_skip(&rest, "- "))
		str_skip(&rest, "* ");
	at = k ? part_for(c, k, str_c(subject)) : 0;
	c->v[at].found = k > 0;
	while (str_line(&rest, &line)) {
		size_t cut = b.len ? MIN(indent_of(line), 2) : 0;

		for (; cut && line.len && line.p[0] == ' '; cut--, line.len--)
			line.p++;
		if (b.len)
			buf_putc(&b, '\n');
		buf_addstr(&b, line);
	}
	add_entry(&c->v[at], buf_take(&b), false);
}

bool changelog_empty(const struct changelog *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].n)
			return false;
	return true;
}

int series_changelog_number(const struct series *s, int n, bool restart)
{
	int draft = series_draft(s);

	return restart || n > draft ? draft : n;
}

int series_changelog_read(struct repo *r, const char *name, int n, struct buf *ret,
			  struct err *err)
{
	char *path _cleanup_free_ = xasprintf("changes/v%d.txt", n);

	return store_read(r, name, path, ret, err);
}

int series_changelog_write(struct repo *r, const char *name, int n, struct str text,
			   const struct str *expected, bool *ret_changed, struct err *err)
{
	char *path _cleanup_free_ = xasprintf("changes/v%d.txt", n);
	char *message _cleanup_free_ = xasprintf("changes v%d", n);
	struct store *t _cleanup_store_ = NULL;
	struct buf before _cleanup_buf_ = BUF_INIT;
	int rc;

	if (text.len > CHANGELOG_MAX || (text.len && memchr(text.p, 0, text.len)))
		return err_set(err, E_FAIL,
			       "the changelog is no text, or longer than %d bytes",
			       CHANGELOG_MAX);
	rc = store_begin(r, name, false, &t, err);
	if (!rc)
		rc = store_get(t, path, &before, err);
	if (rc && rc != E_NOTFOUND)
		return rc;
	if (rc)
		err_release(err);
	if (expected && !str_eq(buf_str(&before), *expected))
		return err_set(err, E_CONFLICT,
			       "the changelog of v%d of %s was changed by somebody else "
			       "meanwhile",
			       n, name);
	*ret_changed = !str_eq(buf_str(&before), text);
	if (!*ret_changed)
		return 0;
	if (text.len)
		store_put(t, path, text.p, text.len);
	else
		store_del(t, path);
	return store_commit(t, message, err);
}
