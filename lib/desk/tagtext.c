// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagtext.c - see tagtext.h. The order is that of b4 0.12 (LoreMessage.fix_trailers()),
 * but that a Co-developed-by and the lines "[name: what was done]" stay with the
 * Signed-off-by below them.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include "series/addr.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/trailer.h"
#include "tagtext.h"

const char *trailer_order(const struct config *c)
{
	const char *order = config_get(c, "series.tags.trailer-order");

	if (!order)
		order = config_get(c, "b4.trailer-order");
	return order && *order ? order : "*";
}

struct item {
	struct str text; /* its lines; the last may lack its line end */
	struct str key;
	char *email; /* "" when there is none in it */
	bool done;
};

struct items {
	struct item *v;
	size_t n, cap;
};

static void items_release(struct items *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].email);
	free(t->v);
}
#define _cleanup_items_ _cleanup_(items_release)

/* The address in a trailer's value, "" when there is none; fresh memory. */
static char *email_in(struct str value)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;

	return xstrdup(addr_trailer(value, &a, NULL) && a.n ? a.v[0].email : "");
}

static void add_item(struct items *t, struct str text, struct str key, struct str value)
{
	vec_grow(t->v, t->n, t->cap);
	t->v[t->n++] = (struct item){ text, key, email_in(value), false };
}

/* "[wendy: fixed the build]": what was done before the Signed-off-by below it. */
static bool is_work_note(struct str line)
{
	size_t i = 1;

	if (!str_skip(&line, "["))
		return false;
	for (i = 0; i < line.len &&
		    (isalnum((unsigned char)line.p[i]) || strchr(" .@-_", line.p[i]));
	     i++)
		;
	return i && i < line.len && line.p[i] == ':';
}

/* The trailers of a block; lines that are none go with the one above them. */
static void read_block(struct str block, struct items *t)
{
	struct str rest = block, line, key, value, lead = STR_NULL;

	while (str_line(&rest, &line)) {
		const char *end = rest.p ? rest.p : block.p + block.len;
		struct str whole = str_n(line.p, (size_t)(end - line.p));

		if (trailer_read(line, &key, &value)) {
			if (lead.p)
				whole = str_n(lead.p, (size_t)(end - lead.p));
			add_item(t, whole, key, value);
			lead = STR_NULL;
		} else if (lead.p || !t->n || is_work_note(line)) {
			if (!lead.p)
				lead = line;
		} else {
			t->v[t->n - 1].text.len = (size_t)(end - t->v[t->n - 1].text.p);
		}
	}
	if (lead.p && t->n)
		t->v[t->n - 1].text.len =
			(size_t)(block.p + block.len - t->v[t->n - 1].text.p);
}

static bool is_own(const struct tag_style *s, const char *email)
{
	for (size_t i = 0; i < s->own.n; i++)
		if (email_same(s->own.v[i], email))
			return true;
	return false;
}

/* The last Signed-off-by of the sender; n if there is none. */
static size_t find_own(const struct items *t, const struct tag_style *s)
{
	for (size_t i = t->n; i-- > 0;)
		if (str_ieqc(t->v[i].key, "Signed-off-by") && is_own(s, t->v[i].email))
			return i;
	return t->n;
}

static void put(struct item *i, struct buf *out)
{
	i->done = true;
	buf_addstr(out, i->text);
	if (!str_ends(i->text, "\n"))
		buf_putc(out, '\n');
}

/* What is sorted: those of items from at on, and all that are new. */
static void put_sorted(struct items *old, size_t at, struct items *new, const char *order,
		       struct buf *out)
{
	struct strvec globs _cleanup_strvec_ = STRVEC_INIT;

	strvec_split(&globs, str_c(order), ',');
	strvec_push(&globs, "*");
	for (size_t g = 0; g < globs.n; g++) {
		for (char *p = globs.v[g]; *p; p++)
			*p = (char)tolower((unsigned char)*p);
		for (size_t i = at; i < old->n + new->n; i++) {
			struct item *e = i < old->n ? &old->v[i] : &new->v[i - old->n];
			char *key _cleanup_free_ = str_dup(e->key);

			for (char *p = key; *p; p++)
				*p = (char)tolower((unsigned char)*p);
			if (!e->done && !fnmatch(globs.v[g], key, 0))
				put(e, out);
		}
	}
}

static void put_block(struct items *old, struct items *new, const struct tag_style *s,
		      struct buf *out)
{
	size_t own = find_own(old, s), pair = own, at = old->n;

	if (own < old->n && own && str_ieqc(old->v[own - 1].key, "Co-developed-by") &&
	    email_same(old->v[own - 1].email, old->v[own].email))
		pair = own - 1;
	for (size_t i = pair; i < old->n && i <= own; i++)
		old->v[i].done = true;
	/* Below the last one who signed, the sender apart, order is the sender's. */
	if (strcmp(s->order, "*") != 0)
		for (at = old->n; at > 0; at--)
			if (!old->v[at - 1].done &&
			    str_ieqc(old->v[at - 1].key, "Signed-off-by"))
				break;
	for (size_t i = 0; i < at; i++)
		if (!old->v[i].done)
			put(&old->v[i], out);
	put_sorted(old, at, new, s->order, out);
	for (size_t i = pair; i < old->n && i <= own; i++)
		put(&old->v[i], out);
}

/* Where git am would cut it: "---", a diff; else its length. */
static size_t message_end(struct str message)
{
	struct str rest = message, line;

	while (str_line(&rest, &line))
		if (mailinfo_patch_begins(line))
			return (size_t)(line.p - message.p);
	return message.len;
}

bool tagtext_has(struct str message, const char *type, const char *email)
{
	struct str line, value;

	message.len = message_end(message);
	while (str_line(&message, &line)) {
		char *has _cleanup_free_ = NULL;

		if (!trailer_is(line, type, &value))
			continue;
		has = email_in(value);
		if (*email && email_same(has, email))
			return true;
	}
	return false;
}

/* Of the lines those that neither the message nor the ones before have. */
static void read_new(struct str message, const struct strvec *lines, struct items *t)
{
	for (size_t i = 0; i < lines->n; i++) {
		struct str line = str_c(lines->v[i]), first = line, key, value;
		char *type _cleanup_free_ = NULL, *email _cleanup_free_ = NULL;
		bool twice = false;

		if (!str_line(&first, &line) || !trailer_read(line, &key, &value))
			continue;
		type = str_dup(key);
		email = email_in(value);
		for (size_t k = 0; k < t->n; k++)
			twice |= str_ieq(t->v[k].key, key) && *email &&
				 email_same(t->v[k].email, email);
		if (!twice && !tagtext_has(message, type, email))
			add_item(t, str_c(lines->v[i]), key, value);
	}
}

size_t tagtext_add(struct str message, const struct strvec *lines,
		   const struct tag_style *style, struct buf *out)
{
	size_t end = message_end(message), at;
	struct str text = str_trim_end(str_n(message.p, end)), above;
	struct items old _cleanup_items_ = { 0 }, new _cleanup_items_ = { 0 };

	read_new(text, lines, &new);
	if (!new.n) {
		buf_addstr(out, message);
		return 0;
	}
	at = trailers_at(text);
	read_block(str_n(text.p + at, text.len - at), &old);
	above = str_n(text.p, at);
	buf_addstr(out, above);
	if (at == text.len)
		buf_puts(out, "\n\n");
	else if (!old.n)
		buf_addstr(out, str_n(text.p + at, text.len - at));
	put_block(&old, &new, style, out);
	if (end < message.len)
		buf_addstr(out, str_n(message.p + end, message.len - end));
	return new.n;
}

/* Where the trailers begin, those in paragraphs above the last included. */
static size_t all_trailers_at(struct str text)
{
	struct str rest = str_trim_end(text);
	size_t start = text.len, at = trailers_at(rest);

	while (at < rest.len) {
		start = at;
		rest = str_trim_end(str_n(text.p, at));
		at = trailers_at(rest);
	}
	return start;
}

/* A line of a document: what is looked for. */
struct wanted {
	struct str key, note;
	char *email;
	bool found;
};

static struct wanted *read_wanted(const struct strvec *lines)
{
	struct wanted *v = xcalloc(lines->n + 1, sizeof(*v));

	for (size_t i = 0; i < lines->n; i++) {
		struct str rest = str_c(lines->v[i]), line, value = STR_NULL;

		if (!str_line(&rest, &line) || !trailer_read(line, &v[i].key, &value))
			v[i].key = STR_NULL;
		v[i].email = email_in(value);
		str_line(&rest, &v[i].note);
	}
	return v;
}

static struct wanted *find_wanted(struct wanted *v, size_t n, struct str line)
{
	struct str key, value;
	char *email _cleanup_free_ = NULL;

	if (!trailer_read(line, &key, &value))
		return NULL;
	email = email_in(value);
	for (size_t i = 0; *email && i < n; i++)
		if (str_ieq(v[i].key, key) && email_same(v[i].email, email))
			return &v[i];
	return NULL;
}

/* The lines that a trailer goes on in, and its note; rest stands behind them then. */
static void skip_more(struct str *rest, const struct wanted *w)
{
	struct str next = *rest, line;

	while (str_line(&next, &line)) {
		bool more = str_starts(line, " ") || str_starts(line, "\t");

		if (!more && !(w->note.len && str_eq(line, w->note)))
			return;
		*rest = next;
		if (!more)
			return;
	}
}

static void drop_lines(struct str block, struct wanted *v, size_t n, struct buf *out)
{
	struct str rest = block, line;
	bool gone = false; /* what stood right here */

	while (str_line(&rest, &line)) {
		const char *end = rest.p ? rest.p : block.p + block.len;
		struct wanted *w = find_wanted(v, n, line);

		if (w) {
			w->found = gone = true;
			skip_more(&rest, w);
		} else if (!gone || str_trim(line).len ||
			   !str_ends(buf_str(out), "\n\n")) {
			buf_addstr(out, str_n(line.p, (size_t)(end - line.p)));
			gone = false;
		}
	}
	while (gone && str_ends(buf_str(out), "\n\n"))
		buf_truncate(out, out->len - 1);
}

size_t tagtext_remove(struct str message, const struct strvec *lines, struct buf *out)
{
	size_t end = message_end(message), found = 0;
	size_t at = all_trailers_at(str_n(message.p, end));
	struct wanted *v = read_wanted(lines);

	buf_addstr(out, str_n(message.p, at));
	drop_lines(str_n(message.p + at, end - at), v, lines->n, out);
	buf_addstr(out, str_n(message.p + end, message.len - end));
	for (size_t i = 0; i < lines->n; i++) {
		found += v[i].found;
		free(v[i].email);
	}
	free(v);
	return found;
}
