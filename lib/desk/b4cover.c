// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * b4cover.c - a cover letter of b4 taken apart: title, text, To: and Cc: of its trailers,
 * "Changes in vN:" sections below "---", and whatever else stands there.
 */
#include <ctype.h>
#include <stdlib.h>
#include "b4prep.h"
#include "series/addr.h"
#include "series/covertext.h"
#include "series/mem.h"
#include "series/trailer.h"

/* What b4 writes where the user has to write. */
#define PLACEHOLDER "EDITME"

void b4cover_release(struct b4cover *c)
{
	for (size_t i = 0; i < c->n_changes; i++)
		buf_release(&c->changes[i].text);
	free(c->changes);
	free(c->title);
	free(c->body);
	free(c->notes);
	strvec_release(&c->prefixes);
	strvec_release(&c->to);
	strvec_release(&c->cc);
	strvec_release(&c->odd);
	*c = (struct b4cover){ 0 };
}

/* As b4 does before it sends: lines that begin with "#" are notes to oneself. */
static void strip_comments(struct str text, struct buf *out)
{
	struct str line;
	int blank = 0;

	while (str_line(&text, &line)) {
		if (line.len && line.p[0] == '#')
			line.len = 0;
		while (line.len && line.p[line.len - 1] == '\r')
			line.len--;
		blank = line.len ? 0 : blank + 1;
		if (blank > 1)
			continue;
		buf_addstr(out, line);
		buf_putc(out, '\n');
	}
}

static bool is_number(struct str w)
{
	if (w.len && (w.p[0] == 'v' || w.p[0] == 'V'))
		str_skip(&w, w.p[0] == 'v' ? "v" : "V");
	return w.len && isdigit((unsigned char)w.p[0]) &&
	       strspn(w.p, "0123456789/") >= w.len;
}

/* "[PATCH RFC mm v2 0/3] title": the words that count, and the title. */
static void take_title(struct str line, struct b4cover *c)
{
	ptrdiff_t end;

	line = str_trim(line);
	while (line.len && line.p[0] == '[' && (end = str_chr(line, ']')) > 0) {
		struct str words = str_n(line.p + 1, (size_t)end - 1), w;

		while (str_word(&words, &w)) {
			while (w.len && strchr(",;", w.p[w.len - 1]))
				w.len--;
			if (w.len && !str_ieqc(w, "PATCH") && !is_number(w))
				strvec_push_str(&c->prefixes, w);
		}
		line = str_trim(str_n(line.p + end + 1, line.len - (size_t)end - 1));
	}
	c->title = str_dup(line);
}

/* Several addresses with commas between, or one person whose name may hold a comma. */
static void take_people(struct str value, struct strvec *to, struct strvec *odd)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;
	char *list _cleanup_free_ = str_dup(value);

	if (addrs_parse(&a, list, NULL) && !addr_trailer(str_c(list), &a, NULL)) {
		strvec_push(odd, list);
		return;
	}
	for (size_t i = 0; i < a.n; i++) {
		char *shown _cleanup_free_ = addr_show_dup(&a.v[i]);

		if (!addr_ok(&a.v[i]))
			strvec_push(odd, shown);
		else if (!strvec_has(to, shown))
			strvec_push(to, shown);
	}
}

/* A line "@word" would be a directive here, and was text there. */
static void add_line(struct buf *out, struct str line)
{
	if (line.len > 1 && line.p[0] == '@' && islower((unsigned char)line.p[1]))
		buf_putc(out, ' ');
	buf_addstr(out, line);
	buf_putc(out, '\n');
}

static void take_body(struct str text, struct b4cover *c)
{
	struct buf body _cleanup_buf_ = BUF_INIT;
	size_t at = trailers_at(text);
	struct str rest = text, line, value;

	while (str_line(&rest, &line)) {
		bool trailer = (size_t)(line.p - text.p) >= at;

		if (trailer && trailer_is(line, "To", &value))
			take_people(value, &c->to, &c->odd);
		else if (trailer && trailer_is(line, "Cc", &value))
			take_people(value, &c->cc, &c->odd);
		else
			add_line(&body, line);
	}
	c->body = covertext_block(buf_str(&body));
}

/* "Changes in v3:" */
static int heading(struct str line)
{
	int64_t n = 0;
	size_t digits;

	if (!str_istarts(line, "changes in v"))
		return 0;
	line = str_n(line.p + 12, line.len - 12);
	digits = strspn(line.p, "0123456789");
	if (digits > line.len ||
	    !str_to_i64(str_n(line.p, digits), 1, SERIES_MAX_VERSION, &n))
		return 0;
	line = str_trim(str_n(line.p + digits, line.len - digits));
	return !line.len || str_eqc(line, ":") ? (int)n : 0;
}

/* "- Link to v2: URL" of a version whose link is made from its document. */
static bool is_link(struct str line, const bool *linked, size_t n)
{
	int64_t k = 0;
	ptrdiff_t colon;

	if (!str_skip(&line, "- Link to v") && !str_skip(&line, "Link to v"))
		return false;
	colon = str_chr(line, ':');
	return colon > 0 && str_to_i64(str_n(line.p, (size_t)colon), 1, INT32_MAX, &k) &&
	       (size_t)k < n && linked[k];
}

static struct b4change *change_of(struct b4cover *c, int n)
{
	for (size_t i = 0; i < c->n_changes; i++)
		if (c->changes[i].n == n)
			return &c->changes[i];
	vec_grow(c->changes, c->n_changes, c->cap_changes);
	c->changes[c->n_changes] = (struct b4change){ .n = n, .text = BUF_INIT };
	return &c->changes[c->n_changes++];
}

static void take_rest(struct str text, const bool *linked, size_t n, struct b4cover *c)
{
	struct buf notes _cleanup_buf_ = BUF_INIT;
	struct str line;
	int section = 0, k;

	while (str_line(&text, &line)) {
		if (str_eqc(line, "---")) {
			section = 0;
			continue;
		}
		k = heading(line);
		if (k) {
			section = k;
			change_of(c, k);
			continue;
		}
		if (!section) {
			add_line(&notes, line);
			continue;
		}
		if (is_link(line, linked, n) || str_starts(line, "- " PLACEHOLDER))
			continue;
		buf_addstr(&change_of(c, section)->text, line);
		buf_putc(&change_of(c, section)->text, '\n');
	}
	c->notes = covertext_block(buf_str(&notes));
}

void b4cover_parse(struct str text, const bool *linked, size_t n, struct b4cover *ret)
{
	struct b4cover c = { 0 };
	struct buf clean _cleanup_buf_ = BUF_INIT;
	struct str rest, line, body;

	strip_comments(text, &clean);
	rest = str_trim(buf_str(&clean));
	/* As b4 reads it: a first line with nothing behind it is the title. */
	if (!str_line(&rest, &line))
		line = STR_NULL;
	take_title(line, &c);
	body = str_n(rest.p ? rest.p : "", 0);
	while (str_line(&rest, &line) && !str_eqc(line, "---"))
		body.len = (size_t)(line.p + line.len - body.p);
	take_body(body, &c);
	take_rest(rest.p ? rest : str_c(""), linked, n, &c);
	c.untouched =
		!strncmp(c.title, PLACEHOLDER, 6) && !strncmp(c.body, PLACEHOLDER, 6);
	*ret = c;
}
