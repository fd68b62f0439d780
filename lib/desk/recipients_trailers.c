// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recipients_trailers.c - the people that the commits of the draft name: authors, "Cc:"
 * and everything that ends in "-by:", as git send-email reads them.
 */
#include <strings.h>
#include "recipients_priv.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/trailer.h"

/* Somebody, the word in front of the name, and the patches where it stands. */
struct mention {
	char *word;
	struct addr who;
	int *patches;
	size_t n, cap;
};

struct mentions {
	struct mention *v;
	size_t n, cap;
};

static void mentions_release(struct mentions *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->v[i].word);
		free(m->v[i].who.name);
		free(m->v[i].who.email);
		free(m->v[i].patches);
	}
	free(m->v);
}

static void add_mention(struct mentions *m, struct str word, const struct addr *who,
			int patch)
{
	struct mention *x = NULL;

	for (size_t i = 0; i < m->n && !x; i++) {
		char *w _cleanup_free_ = str_dup(word);

		if (!strcasecmp(m->v[i].word, w) &&
		    email_same(m->v[i].who.email, who->email))
			x = &m->v[i];
	}
	if (!x) {
		vec_grow(m->v, m->n, m->cap);
		x = &m->v[m->n++];
		*x = (struct mention){ .word = str_dup(word),
				       .who = { xstrdup(who->name),
						xstrdup(who->email) } };
	}
	if (x->n && x->patches[x->n - 1] == patch)
		return;
	vec_grow(x->patches, x->n, x->cap);
	x->patches[x->n++] = patch;
}

/* "patch 2", "patches 1-3, 5" */
static void put_patches(const struct mention *m, struct buf *out)
{
	buf_puts(out, m->n == 1 ? "patch " : "patches ");
	for (size_t i = 0, k; i < m->n; i = k + 1) {
		for (k = i; k + 1 < m->n && m->patches[k + 1] == m->patches[k] + 1;)
			k++;
		buf_printf(out, "%s%d", i ? ", " : "", m->patches[i]);
		if (k > i)
			buf_printf(out, "-%d", m->patches[k]);
	}
}

/* "Reviewed-by: VALUE" to its parts; false for another kind of line. */
static bool split_trailer(struct str line, struct str *ret_word, struct str *ret_value)
{
	struct str word, value;

	if (!trailer_read(line, &word, &value) ||
	    (!str_ieqc(word, "Cc") && !trailer_is_person(line)))
		return false;
	*ret_word = str_ieqc(word, "Cc") ? STR_LIT("Cc") : word;
	*ret_value = value;
	return true;
}

static bool left_out(const struct suppress *q, struct str word, const char *email)
{
	if (email_same(email, q->me))
		return q->self;
	if (str_ieqc(word, "cc"))
		return q->bodycc;
	return str_ieqc(word, "signed-off-by") ? q->sob : q->misc_by;
}

static void read_message(const struct commit *c, int patch, const struct suppress *q,
			 struct mentions *m, struct strvec *notes)
{
	struct str text = str_c(c->message), line, word, value;

	while (str_line(&text, &line)) {
		struct addrs got _cleanup_addrs_ = ADDRS_INIT;

		if (!split_trailer(line, &word, &value))
			continue;
		if (addr_trailer(value, &got, NULL)) {
			if (!left_out(q, word, got.v[0].email))
				add_mention(m, word, &got.v[0], patch);
		} else if (str_chr(value, '@') >= 0) {
			char *raw _cleanup_free_ = str_dup(line);
			char *shown _cleanup_free_ = sanitize_line_dup(raw);

			strvec_pushf(notes, "patch %d: no mail address in '%s'", patch,
				     shown);
		}
	}
}

int trailers_find(const struct series *s, const struct suppress *q,
		  struct recipients *found, struct strvec *notes, struct err *err)
{
	struct mentions m = { 0 };
	struct commit *c = NULL;
	size_t n = 0;
	int rc = repo_range(s->repo, s->base, s->head, SERIES_MAX_PATCHES, &c, &n, err);

	for (size_t i = 0; i < n && !rc; i++) {
		struct addr who = { c[i].author_name, c[i].author_email };

		if (addr_ok(&who) && !q->author &&
		    !(q->self && email_same(who.email, q->me)))
			add_mention(&m, STR_LIT("author"), &who, (int)i + 1);
		read_message(&c[i], (int)i + 1, q, &m, notes);
	}
	for (size_t i = 0; i < m.n; i++) {
		struct buf why _cleanup_buf_ = BUF_INIT;
		bool author = !strcmp(m.v[i].word, "author");

		buf_printf(&why, author ? "author of " : "%s: in ", m.v[i].word);
		put_patches(&m.v[i], &why);
		recipients_add(found, SIDE_CC, &m.v[i].who, buf_cstr(&why));
	}
	commits_free(c, n);
	mentions_release(&m);
	return rc;
}
