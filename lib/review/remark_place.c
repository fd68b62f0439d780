// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remark_place.c - where in a patch the lines stand that a reviewer quoted.
 *
 * Mail clients change white space, wrap long lines and people cut quotes, so lines are
 * compared without white space; a line that was wrapped is put together again.
 */
#include <stdlib.h>
#include "remark_priv.h"
#include "series/mem.h"

#define KEY_MIN	  3  /* a shorter line ("+}") says nothing alone */
#define DEPTH_MAX 10 /* of quoting */
#define LOOK_BACK 12 /* quoted lines above the last that may decide */

struct patch_line {
	size_t key, len; /* in keys */
	size_t hunk;	 /* index, or n_hunks */
	size_t file;	 /* index, or n_files: the message */
	int64_t old_line, new_line;
	struct str text;
};

void squash(struct str s, struct buf *out)
{
	static const bool skipped[256] = {
		[' '] = true, ['\t'] = true, ['\r'] = true, ['\n'] = true, ['>'] = true
	};
	char *to = buf_reserve(out, s.len);
	size_t n = 0;

	for (size_t i = 0; to && i < s.len; i++)
		if (!skipped[(unsigned char)s.p[i]])
			to[n++] = s.p[i];
	if (to)
		to[n] = '\0';
	out->len += n;
}

/* The lines of a hunk get their numbers. */
static void number_hunk(struct patch_text *p, size_t h)
{
	const struct diff_hunk *hunk = &p->diff.hunk[h];
	int64_t old = hunk->old_start, new = hunk->new_start;
	struct str rest = hunk->lines, line;
	size_t at = hunk->line; /* of the "@@", from 1: index of what is below it */

	for (; str_line(&rest, &line) && at < p->n; at++) {
		char mark = line.len ? line.p[0] : ' ';

		p->v[at].hunk = h;
		p->v[at].file = hunk->file;
		if (mark == '\\')
			continue;
		p->v[at].old_line = mark == '+' ? 0 : old++;
		p->v[at].new_line = mark == '-' ? 0 : new ++;
	}
	if (hunk->line)
		p->v[hunk->line - 1].file = hunk->file;
}

void patch_text_read(const struct thread *t, size_t mail, struct patch_text *ret)
{
	struct str rest, line;

	*ret = (struct patch_text){ .own = BUF_INIT, .keys = BUF_INIT };
	ret->text = thread_text(t, mail, &ret->own);
	diff_read(ret->text, &ret->diff);
	rest = ret->text;
	while (str_line(&rest, &line)) {
		struct patch_line l = { .hunk = ret->diff.n_hunks,
					.file = ret->diff.n_files,
					.key = ret->keys.len,
					.text = line };

		squash(line, &ret->keys);
		l.len = ret->keys.len - l.key;
		vec_grow(ret->v, ret->n, ret->cap);
		ret->v[ret->n++] = l;
	}
	for (size_t h = 0; h < ret->diff.n_hunks; h++)
		number_hunk(ret, h);
}

void patch_text_release(struct patch_text *p)
{
	buf_release(&p->own);
	buf_release(&p->keys);
	diff_release(&p->diff);
	free(p->v);
}

/* A quoted line, squashed. */
struct quoted {
	struct buf keys;
	struct {
		size_t key, len;
	} line[LOOK_BACK];
	size_t n;
};

/* The last lines of the quote that have something in them, the last one first. */
static void take_quoted(const struct lines *l, size_t from, size_t to, size_t depth,
			struct quoted *q)
{
	for (size_t i = to; i-- > from && q->n < LOOK_BACK;) {
		size_t key = q->keys.len;

		if (l->v[i].kind != LINE_QUOTED || l->v[i].depth != depth)
			continue;
		squash(l->v[i].bare, &q->keys);
		if (q->keys.len == key)
			continue;
		q->line[q->n].key = key;
		q->line[q->n++].len = q->keys.len - key;
	}
}

static bool same_key(const struct patch_text *p, size_t at, const struct quoted *q,
		     size_t k)
{
	return p->v[at].len == q->line[k].len &&
	       !memcmp(p->keys.p + p->v[at].key, q->keys.p + q->line[k].key,
		       q->line[k].len);
}

/* Quoted lines k + 1 and k are the start and the end of this line, which was wrapped. */
static bool wrapped(const struct patch_text *p, size_t at, const struct quoted *q,
		    size_t k)
{
	const char *key = p->keys.p + p->v[at].key;

	return k + 1 < q->n && p->v[at].len == q->line[k].len + q->line[k + 1].len &&
	       !memcmp(key, q->keys.p + q->line[k + 1].key, q->line[k + 1].len) &&
	       !memcmp(key + q->line[k + 1].len, q->keys.p + q->line[k].key,
		       q->line[k].len);
}

/* How many bytes of the quote, from line k up, stand at this line of the patch and above
 * it. */
static size_t score(const struct patch_text *p, size_t at, const struct quoted *q,
		    size_t k)
{
	size_t sum = 0;

	for (size_t i = at + 1; i-- > 0 && k < q->n;) {
		if (!p->v[i].len)
			continue;
		if (same_key(p, i, q, k))
			sum += q->line[k++].len;
		else if (wrapped(p, i, q, k))
			sum += p->v[i].len, k += 2;
		else
			break;
	}
	return sum;
}

/* The best place for quoted line k; p->n: none. */
static size_t find_line(const struct patch_text *p, const struct quoted *q, size_t k,
			size_t after)
{
	size_t best = p->n, most = KEY_MIN - 1;

	for (size_t i = 0; i < p->n; i++) {
		size_t s = p->v[i].len ? score(p, i, q, k) : 0;

		/* Of equal ones the first below the remark above. */
		if (s > most ||
		    (s == most && best < p->n && best <= after && i > after)) {
			most = s;
			best = i;
		}
	}
	return best;
}

/* Where the last of those quoted depth times stands; p->n: nowhere. */
static size_t find_depth(const struct patch_text *p, const struct lines *l, size_t from,
			 size_t to, size_t depth, size_t after)
{
	struct quoted q = { .keys = BUF_INIT };
	size_t at = p->n;

	take_quoted(l, from, to, depth, &q);
	for (size_t k = 0; k < q.n && at == p->n; k++)
		at = find_line(p, &q, k, after);
	buf_release(&q.keys);
	return at;
}

void patch_text_place(const struct patch_text *p, const struct lines *l, size_t from,
		      size_t to, size_t *after, struct remark *r)
{
	const struct patch_line *line;
	size_t depth = 0, at = p->n;

	for (size_t i = from; i < to; i++)
		if (l->v[i].kind == LINE_QUOTED)
			depth = MAX(depth, l->v[i].depth);
	/* What was quoted most often is the oldest: the patch, most likely. */
	for (depth = MIN(depth, DEPTH_MAX); depth && at == p->n; depth--)
		at = find_depth(p, l, from, to, depth, *after);
	if (at == p->n)
		return;
	line = &p->v[at];
	*after = at;
	if (line->file == p->diff.n_files)
		return;
	r->file = xstrdup(diff_path(&p->diff.file[line->file]));
	r->old_line = line->old_line;
	r->new_line = line->new_line;
	if (line->new_line)
		r->code = str_dup(str_n(line->text.p + !!line->text.len,
					line->text.len - !!line->text.len));
}
