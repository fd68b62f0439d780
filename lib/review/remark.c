// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remark.c - pieces of review that want an answer, of all mails of a thread.
 */
#include <stdlib.h>
#include "remark_priv.h"
#include "sender.h"
#include "series/addr.h"
#include "series/mem.h"
#include "series/robot.h"

#define QUOTE_LINES 30 /* that are kept of a quote: the last ones */
#define ANSWER_MIN  8  /* squashed bytes: shorter lines are quoted by chance */

/*
 * Bytes that are searched through for lines of one mail: so many times the text and
 * something for short ones; and of a whole thread. What is not found then is a remark,
 * and open: nothing is lost.
 */
#define SEARCH_TIMES  64
#define SEARCH_SHORT  ((size_t)16 << 20)
#define SEARCH_THREAD ((size_t)4 << 30)

/* Whose mail, and who posted what it speaks of. */
struct speaker {
	struct sender who;
	struct place target;
	bool counts; /* a person's reply to a cover or patch */
	bool author;
};

struct look {
	const struct thread *t;
	const struct posted *p;
	struct speaker *speaker;   /* t->n */
	struct patch_text **patch; /* t->n: of mails that are patches, made when wanted */
	struct remarks *out;
	size_t left; /* of SEARCH_THREAD */
};

/* A text that lines are looked for in, squashed. */
struct haystack {
	struct buf text;
	size_t left; /* bytes that may be searched */
};

#define HAYSTACK_INIT                                                                    \
	{                                                                                \
		.text = BUF_INIT                                                         \
	}

static void haystack_release(struct haystack *h)
{
	buf_release(&h->text);
}
#define _cleanup_haystack_ __attribute__((cleanup(haystack_release)))

/* When its text is there. */
static void haystack_ready(struct haystack *h)
{
	h->left = h->text.len * SEARCH_TIMES + SEARCH_SHORT;
}

static bool haystack_has(struct look *f, struct haystack *h, const struct buf *key)
{
	ptrdiff_t at;
	size_t cost;

	if (!key->len || MIN(h->left, f->left) < h->text.len)
		return false;
	at = str_find(buf_str(&h->text), buf_cstr(key));
	cost = at < 0 ? h->text.len : (size_t)at;
	h->left -= cost;
	f->left -= cost;
	return at >= 0;
}

static bool same_person(const struct sender *who, const char *name, const char *email)
{
	/* Behind a list's address stands anybody. */
	return (!who->hidden && email_same(who->email, email ? email : "")) ||
	       (*who->name && name &&
		(str_ieqc(str_c(who->name), name) || name_like(who->name, name)));
}

/* The patch that a place stands for, ready to be searched; NULL: a cover, or not here. */
static struct patch_text *patch_of(struct look *f, const struct place *at)
{
	const struct posted_version *v = &f->p->v[at->version];
	size_t mail = at->patch && at->patch <= v->total ? v->patch[at->patch - 1].mail
							 : NO_MAIL;

	if (mail >= f->t->n)
		return NULL;
	if (!f->patch[mail]) {
		f->patch[mail] = xcalloc(1, sizeof(struct patch_text));
		patch_text_read(f->t, mail, f->patch[mail]);
	}
	return f->patch[mail];
}

/* "From: A U Thor <a@example.org>" at the top of a patch that another one posted. */
static bool wrote_patch(struct look *f, const struct sender *who, const struct place *at)
{
	const struct patch_text *patch = patch_of(f, at);
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;
	struct str rest, line;

	if (!patch)
		return false;
	rest = str_trim(patch->text);
	return str_line(&rest, &line) && str_skip(&line, "From: ") &&
	       addr_trailer(line, &a, NULL) && a.n &&
	       same_person(who, a.v[0].name, a.v[0].email);
}

/* The one who posted it, any version of it, or wrote the patch. */
static bool is_author(struct look *f, const struct sender *who, const struct place *at)
{
	const struct posted_series *s = NULL;

	if (f->p->v[at->version].series < f->p->n_series)
		s = &f->p->series[f->p->v[at->version].series];
	for (size_t i = 0; s && i < s->n; i++)
		if (same_person(who, f->p->v[s->v[i]].name, f->p->v[s->v[i]].email))
			return true;
	return same_person(who, f->p->v[at->version].name, f->p->v[at->version].email) ||
	       wrote_patch(f, who, at);
}

static void meet_speakers(struct look *f)
{
	for (size_t i = 0; i < f->t->n; i++) {
		struct speaker *s = &f->speaker[i];

		if (f->p->place[i].kind != PLACE_OTHER ||
		    !posted_target(f->t, f->p->place, i, &s->target) ||
		    robot_name(&f->t->v[i].mail))
			continue;
		sender_read(&f->t->v[i].mail, &s->who);
		s->counts = true;
		s->author = is_author(f, &s->who, &s->target);
	}
}

/* Quoted lines that a client wrapped: the end of one stands there without a mark. */
static void mark_wrapped(struct look *f, size_t mail, struct lines *l)
{
	struct haystack parent _cleanup_haystack_ = HAYSTACK_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT, key _cleanup_buf_ = BUF_INIT;

	for (size_t i = 1; i + 1 < l->n; i++) {
		if (!line_own(&l->v[i]) || l->v[i - 1].kind != LINE_QUOTED ||
		    l->v[i + 1].kind != LINE_QUOTED)
			continue;
		if (!parent.text.len) {
			squash(thread_text(f->t, f->t->v[mail].parent, &text),
			       &parent.text);
			haystack_ready(&parent);
		}
		buf_reset(&key);
		squash(l->v[i - 1].bare, &key);
		squash(l->v[i].text, &key);
		if (!haystack_has(f, &parent, &key))
			continue;
		l->v[i].kind = LINE_QUOTED;
		l->v[i].depth = l->v[i - 1].depth;
		l->v[i].bare = l->v[i].text;
	}
}

/* As a C string, which ends at a NUL: one within is a blank. */
static char *take_text(struct buf *b)
{
	char *at = b->p, *end = b->p + b->len;

	for (; at < end && (at = memchr(at, '\0', (size_t)(end - at))); at++)
		*at = ' ';
	return buf_take(b);
}

static bool skipped(const struct line *l)
{
	return l->kind == LINE_INTRO || l->kind == LINE_OFF;
}

/* Lines [from, to), the quoted ones without one ">" and without the empty ends. */
static char *quote_text(const struct lines *l, size_t from, size_t to)
{
	struct buf out _cleanup_buf_ = BUF_INIT;

	from = MAX(from, to > QUOTE_LINES ? to - QUOTE_LINES : 0);
	for (size_t i = from; i < to; i++) {
		bool quoted = l->v[i].kind == LINE_QUOTED;
		struct str s = quoted ? line_inner(&l->v[i]) : l->v[i].text;

		if (skipped(&l->v[i]))
			continue;
		if (out.len || s.len) {
			buf_addstr(&out, s);
			buf_putc(&out, '\n');
		}
	}
	while (out.len && str_space(out.p[out.len - 1]))
		buf_truncate(&out, out.len - 1);
	return take_text(&out);
}

static char *own_text(const struct lines *l, size_t from, size_t to)
{
	struct buf out _cleanup_buf_ = BUF_INIT;

	for (size_t i = from; i < to; i++) {
		if (skipped(&l->v[i]))
			continue;
		buf_puts(&out, i > from ? "\n" : "");
		buf_addstr(&out, l->v[i].text);
	}
	return take_text(&out);
}

static void add_remark(struct look *f, size_t mail, const struct lines *l, size_t quote,
		       size_t run, size_t from, size_t to, size_t *after)
{
	const struct place *at = &f->speaker[mail].target;
	struct patch_text *patch = patch_of(f, at);
	struct remark r = { .mail = mail,
			    .version = at->version,
			    .patch = at->patch,
			    .line = from + 1,
			    .name = xstrdup(f->speaker[mail].who.name),
			    .email = xstrdup(f->speaker[mail].who.email),
			    .answer = NO_MAIL };

	r.quoted = quote_text(l, quote, run);
	r.text = own_text(l, from, to);
	r.question = strchr(r.text, '?');
	if (patch)
		patch_text_place(patch, l, quote, run, after, &r);
	vec_grow(f->out->v, f->out->n, f->out->cap);
	f->out->v[f->out->n++] = r;
}

/* The runs of text between quotes. */
static void find_in(struct look *f, size_t mail)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct lines l _cleanup_lines_ = { 0 };
	size_t quote = 0, after = 0;
	bool first = true;

	lines_read(thread_text(f->t, mail, &text), &l);
	mark_wrapped(f, mail, &l);
	for (size_t i = 0; i < l.n;) {
		size_t run, from, to;

		while (i < l.n && !line_own(&l.v[i]))
			i++;
		run = from = i;
		while (i < l.n && l.v[i].kind != LINE_QUOTED)
			i++;
		to = i;
		if (from == to)
			break;
		if (remark_narrow(&l, f->speaker[mail].who.name, first, &from, &to))
			add_remark(f, mail, &l, quote, run, from, to, &after);
		first = false;
		quote = i;
	}
}

/* What an author's reply quotes, squashed, as far as there is text of his below it. */
static void quoted_by(const struct look *f, size_t mail, struct buf *out)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct lines l _cleanup_lines_ = { 0 };
	size_t last = 0, first = SIZE_MAX, quote = SIZE_MAX;

	lines_read(thread_text(f->t, mail, &text), &l);
	for (size_t i = 0; i < l.n; i++) {
		if (line_own(&l.v[i])) {
			last = i;
			first = MIN(first, i);
		} else if (l.v[i].kind == LINE_QUOTED) {
			quote = MIN(quote, i);
		}
	}
	/* All of it above the quote: it is about the whole. */
	if (first < quote && last < quote)
		last = l.n;
	for (size_t i = 0; i < l.n && first != SIZE_MAX; i++)
		if (l.v[i].kind == LINE_QUOTED && i < last)
			squash(l.v[i].bare, out);
}

static bool quotes_text(struct look *f, struct haystack *quoted, const char *text)
{
	struct str rest = str_c(text), line;
	struct buf key _cleanup_buf_ = BUF_INIT;
	size_t lines = 0;

	while (str_line(&rest, &line)) {
		buf_reset(&key);
		squash(line, &key);
		lines += key.len > 0;
		if (key.len >= ANSWER_MIN && haystack_has(f, quoted, &key))
			return true;
	}
	/* "Why?": short, but all there is. */
	return lines == 1 && haystack_has(f, quoted, &key);
}

/* Remarks stand in the order of mails, so those of one mail are neighbours. */
static void find_answers(struct look *f)
{
	struct remarks *r = f->out;
	size_t *first = xcalloc(f->t->n + 1, sizeof(*first)); /* remark of each mail */

	for (size_t i = r->n; i-- > 0;)
		first[r->v[i].mail] = i;
	for (size_t a = 0; a < f->t->n; a++) {
		struct haystack quoted _cleanup_haystack_ = HAYSTACK_INIT;
		size_t parent = f->t->v[a].parent;

		if (!f->speaker[a].counts || !f->speaker[a].author || parent == a ||
		    f->speaker[parent].author)
			continue;
		quoted_by(f, a, &quoted.text);
		haystack_ready(&quoted);
		for (size_t i = first[parent]; i < r->n && r->v[i].mail == parent; i++)
			if (r->v[i].answer == NO_MAIL &&
			    quotes_text(f, &quoted, r->v[i].text))
				r->v[i].answer = a;
	}
	free(first);
}

void remarks_find(const struct thread *t, const struct posted *p, struct remarks *ret)
{
	struct look f = { .t = t, .p = p, .out = ret, .left = SEARCH_THREAD };

	*ret = (struct remarks){ 0 };
	f.speaker = xcalloc(t->n + 1, sizeof(*f.speaker));
	f.patch = xcalloc(t->n + 1, sizeof(*f.patch));
	meet_speakers(&f);
	for (size_t i = 0; i < t->n; i++)
		if (f.speaker[i].counts && !f.speaker[i].author)
			find_in(&f, i);
	find_answers(&f);
	for (size_t i = 0; i < t->n; i++) {
		sender_release(&f.speaker[i].who);
		if (f.patch[i])
			patch_text_release(f.patch[i]);
		free(f.patch[i]);
	}
	free(f.speaker);
	free(f.patch);
}

bool remark_stands(const struct thread *t, const struct posted *p, const struct remark *m,
		   size_t version)
{
	return m->answer == NO_MAIL &&
	       (m->version == version || t->v[m->mail].date >= p->v[version].date);
}

void remarks_release(struct remarks *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->v[i].name);
		free(r->v[i].email);
		free(r->v[i].quoted);
		free(r->v[i].text);
		free(r->v[i].file);
		free(r->v[i].code);
	}
	free(r->v);
	*r = (struct remarks){ 0 };
}
