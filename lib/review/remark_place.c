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

#define KEY_MIN	    3	      /* a shorter line ("+}") says nothing alone */
#define DEPTH_MAX   10	      /* of quoting */
#define LOOK_BACK   12	      /* quoted lines above the last that may decide */
#define COMPARE_MAX (1 << 24) /* equal lines: nobody quotes so many by hand */

#define NONE SIZE_MAX

struct patch_line {
	size_t key, len; /* in keys */
	size_t above;	 /* index of the next line above that is not empty; NONE */
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
	size_t above = NONE;

	*ret = (struct patch_text){ .own = BUF_INIT, .keys = BUF_INIT };
	ret->text = thread_text(t, mail, &ret->own);
	diff_read(ret->text, &ret->diff);
	rest = ret->text;
	while (str_line(&rest, &line)) {
		struct patch_line l = { .hunk = ret->diff.n_hunks,
					.file = ret->diff.n_files,
					.key = ret->keys.len,
					.above = above,
					.text = line };

		squash(line, &ret->keys);
		l.len = ret->keys.len - l.key;
		vec_grow(ret->v, ret->n, ret->cap);
		if (l.len)
			above = ret->n;
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
	free(p->by_key);
	free(p->v);
}

/* ---- lines by what they are without white space ---- */

static int by_key(const void *a, const void *b, void *arg)
{
	const struct patch_text *p = arg;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	const struct patch_line *x = &p->v[i], *y = &p->v[k];
	int order;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	order = memcmp(p->keys.p + x->key, p->keys.p + y->key, x->len);
	return order ? order : (i > k) - (i < k);
}

static void sort_keys(struct patch_text *p)
{
	p->by_key = xcalloc(p->n + 1, sizeof(*p->by_key));
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].len)
			p->by_key[p->n_keys++] = i;
	qsort_r(p->by_key, p->n_keys, sizeof(*p->by_key), by_key, p);
}

/* The first of by_key that is not before line `at` with this key. */
static size_t lower_bound(const struct patch_text *p, struct str key, size_t at)
{
	size_t lo = 0, hi = p->n_keys;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct patch_line *x = &p->v[p->by_key[mid]];
		int order = x->len != key.len
				    ? (x->len < key.len ? -1 : 1)
				    : memcmp(p->keys.p + x->key, key.p, key.len);

		if (order < 0 || (!order && p->by_key[mid] < at))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
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

	for (size_t i = at; i != NONE && k < q->n; i = p->v[i].above) {
		if (same_key(p, i, q, k))
			sum += q->line[k++].len;
		else if (wrapped(p, i, q, k))
			sum += p->v[i].len, k += 2;
		else
			break;
	}
	return sum;
}

/* Where a quoted line stands, so far. */
struct spot {
	size_t at, score; /* at: p->n for nowhere */
};

/* Look at the lines with this key; those below the remark above come first. */
static void try_key(struct patch_text *p, const struct quoted *q, size_t k,
		    struct str key, size_t after, struct spot *best)
{
	size_t from = lower_bound(p, key, 0), to = lower_bound(p, key, NONE);
	size_t begin = lower_bound(p, key, after + 1), n = to - from;

	for (size_t i = 0; i < n && p->compared < COMPARE_MAX; i++, p->compared++) {
		size_t at = p->by_key[from + (begin - from + i) % n];
		size_t s = score(p, at, q, k);

		if (s < best->score || s < KEY_MIN)
			continue;
		/* Of equal ones the first below the remark above. */
		if (s > best->score || (at > after && best->at <= after) ||
		    (at < best->at && (at > after) == (best->at > after)))
			*best = (struct spot){ at, s };
	}
}

/* The best place for quoted line k; p->n: none. */
static size_t find_line(struct patch_text *p, const struct quoted *q, size_t k,
			size_t after)
{
	struct spot best = { p->n, 0 };
	struct str last = str_n(q->keys.p + q->line[k].key, q->line[k].len);

	if (!p->by_key)
		sort_keys(p);
	try_key(p, q, k, last, after, &best);
	if (k + 1 < q->n) {
		struct buf both _cleanup_buf_ = BUF_INIT;

		buf_addstr(&both,
			   str_n(q->keys.p + q->line[k + 1].key, q->line[k + 1].len));
		buf_addstr(&both, last);
		try_key(p, q, k, buf_str(&both), after, &best);
	}
	return best.at;
}

/* Where the last of those quoted depth times stands; p->n: nowhere. */
static size_t find_depth(struct patch_text *p, const struct lines *l, size_t from,
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

void patch_text_place(struct patch_text *p, const struct lines *l, size_t from, size_t to,
		      size_t *after, struct remark *r)
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
