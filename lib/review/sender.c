// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sender.c - see sender.h.
 */
#include <stdlib.h>
#include <strings.h>
#include "sender.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/subject.h"

static void field_author(struct str value, char **ret_name, char **ret_email)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (value.p)
		field_text(value, &text);
	mailinfo_author(buf_str(&text), ret_name, ret_email);
}

/* "'Name' via list": the name's length with its quotes; 0: nothing of the kind. */
static size_t via(struct str name)
{
	ptrdiff_t at = str_find(name, " via ");

	return at > 0 ? (size_t)at : 0;
}

void sender_read(const struct mail *m, struct sender *ret)
{
	static const char *const names[] = { "From", "X-Original-From", "Reply-To" };
	struct str v[ARRAY_SIZE(names)], name;
	size_t n;

	*ret = (struct sender){ 0 };
	field_get_all(m->head, names, ARRAY_SIZE(names), v);
	field_author(v[0], &ret->name, &ret->email);
	n = via(str_c(ret->name));
	if (!n)
		return;
	name = str_n(ret->name, n);
	if (name.len > 2 && name.p[0] == '\'' && name.p[name.len - 1] == '\'')
		name = str_n(name.p + 1, name.len - 2);
	memmove(ret->name, name.p, name.len);
	ret->name[name.len] = '\0';
	ret->hidden = true;
	for (size_t i = 1; i < ARRAY_SIZE(names) && ret->hidden; i++) {
		char *other, *email;

		if (!v[i].p)
			continue;
		field_author(v[i], &other, &email);
		/* Reply-To is often the list as well. */
		if (*email && strcasecmp(email, ret->email)) {
			free(ret->email);
			ret->email = email;
			email = NULL;
			ret->hidden = false;
		}
		free(other);
		free(email);
	}
}

void sender_release(struct sender *s)
{
	free(s->name);
	free(s->email);
}

bool same_sender(const struct sender *a, const struct sender *b)
{
	if (!a->hidden && !b->hidden && *a->email && !strcasecmp(a->email, b->email))
		return true;
	return *a->name && title_same(a->name, b->name);
}

/* Next word of a name; a dash joins. */
static bool name_word(struct str *rest, struct str *ret)
{
	size_t from = 0, to;

	while (from < rest->len && strchr(" ,.()\"'", rest->p[from]))
		from++;
	for (to = from; to < rest->len && !strchr(" ,.()\"'", rest->p[to]);)
		to++;
	*ret = str_n(rest->p + from, to - from);
	*rest = str_n(rest->p + to, rest->len - to);
	return ret->len;
}

static bool has_word(const char *name, struct str word)
{
	struct str rest = str_c(name), w;

	while (name_word(&rest, &w))
		if (str_ieq(w, word))
			return true;
	return false;
}

static bool words_in(const char *a, const char *b)
{
	struct str rest = str_c(a), w;
	size_t n = 0;

	for (; name_word(&rest, &w); n++)
		if (!has_word(b, w))
			return false;
	return n > 1;
}

bool name_like(const char *a, const char *b)
{
	return words_in(a, b) || words_in(b, a);
}
