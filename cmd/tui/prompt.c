// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * prompt.c - see prompt.h.
 */
#include <string.h>

#include "series/intr.h"
#include "series/mem.h"
#include "series/utf8.h"
#include "prompt.h"
#include "term.h"

void line_edit_init(struct line_edit *e, const char *text)
{
	*e = (struct line_edit){ .text = BUF_INIT };
	utf8_lossy(str_c(text ? text : ""), &e->text);
	e->at = e->text.len;
}

void line_edit_release(struct line_edit *e)
{
	buf_release(&e->text);
}

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/*
 * Where the character before, or behind, begins: a code point with what combines with
 * it, which the user sees as one.
 */
static size_t before(const struct line_edit *e, size_t at)
{
	do {
		while (at > 0 && continues(e->text.p[--at]))
			;
	} while (at > 0 &&
		 !utf8_width(str_n(e->text.p + at,
				   e->text.len - at > 4 ? 4 : e->text.len - at)));
	return at;
}

static size_t next_char(const struct line_edit *e, size_t at)
{
	if (at >= e->text.len)
		return at;
	at++;
	while (at < e->text.len && continues(e->text.p[at]))
		at++;
	return at;
}

static size_t behind(const struct line_edit *e, size_t at)
{
	at = next_char(e, at);
	while (at < e->text.len &&
	       !utf8_width(str_n(e->text.p + at, next_char(e, at) - at)))
		at = next_char(e, at);
	return at;
}

static void cut(struct line_edit *e, size_t from, size_t to)
{
	memmove(e->text.p + from, e->text.p + to, e->text.len - to);
	buf_truncate(&e->text, e->text.len - (to - from));
	e->at = from;
}

static size_t word_before(const struct line_edit *e)
{
	size_t at = e->at;

	while (at > 0 && e->text.p[at - 1] == ' ')
		at--;
	while (at > 0 && e->text.p[at - 1] != ' ')
		at--;
	return at;
}

static void insert(struct line_edit *e, uint32_t cp)
{
	struct buf b _cleanup_buf_ = BUF_INIT, all _cleanup_buf_ = BUF_INIT;

	utf8_put(cp, &b);
	buf_addstr(&all, str_n(buf_cstr(&e->text), e->at));
	buf_addstr(&all, buf_str(&b));
	buf_puts(&all, buf_cstr(&e->text) + e->at);
	e->at += b.len;
	buf_reset(&e->text);
	buf_addstr(&e->text, buf_str(&all));
}

enum edit_result line_edit_key(struct line_edit *e, int32_t key)
{
	switch (key) {
	case TK_ENTER:
		return EDIT_DONE;
	case TK_ESCAPE:
	case TK_CTRL('C'):
	case TK_CTRL('G'):
		return EDIT_GIVEN_UP;
	case TK_BACKSPACE:
		/* As in less: where nothing is left, the question goes. */
		if (!e->text.len)
			return EDIT_GIVEN_UP;
		if (e->at)
			cut(e, before(e, e->at), e->at);
		break;
	case TK_DELETE:
	case TK_CTRL('D'):
		if (e->at < e->text.len)
			cut(e, e->at, behind(e, e->at));
		break;
	case TK_LEFT:
		e->at = e->at ? before(e, e->at) : 0;
		break;
	case TK_RIGHT:
		e->at = behind(e, e->at);
		break;
	case TK_HOME:
	case TK_CTRL('A'):
		e->at = 0;
		break;
	case TK_END:
	case TK_CTRL('E'):
		e->at = e->text.len;
		break;
	case TK_CTRL('U'):
		if (e->at)
			cut(e, 0, e->at);
		break;
	case TK_CTRL('K'):
		if (e->at < e->text.len)
			cut(e, e->at, e->text.len);
		break;
	case TK_CTRL('W'):
		if (e->at)
			cut(e, word_before(e), e->at);
		break;
	default:
		if (key >= ' ' && key < KEYS_BASE)
			insert(e, (uint32_t)key);
	}
	return EDIT_GOES_ON;
}

/* What stands before the cursor is always seen. */
static void draw(const char *label, const struct line_edit *e)
{
	int row = term_rows() - 1;
	size_t width = (size_t)term_columns(), used, from = 0;

	used = term_put(row, 0, width, STYLE_BOLD, str_c(label));
	if (used + 2 > width)
		return;
	while (utf8_width(str_n(buf_cstr(&e->text) + from, e->at - from)) + 1 >
	       width - used)
		from = behind(e, from);
	term_put(row, (int)used, width - used, STYLE_PLAIN,
		 str_n(buf_cstr(&e->text) + from, e->text.len - from));
	term_cursor(row, (int)(used + utf8_width(str_n(buf_cstr(&e->text) + from,
						       e->at - from))));
}

char *prompt_ask(const char *label, const char *text, prompt_changed *changed, void *arg)
{
	struct line_edit e _cleanup_(line_edit_release) = { .text = BUF_INIT };
	enum edit_result is = EDIT_GOES_ON;

	line_edit_init(&e, text);
	while (is == EDIT_GOES_ON && !intr_pending()) {
		int32_t key;
		size_t len = e.text.len;

		draw(label, &e);
		term_flush();
		key = term_key(-1);
		if (key == TK_NOTHING) {
			/* Another size: what lies behind is drawn by who knows it. */
			if (changed)
				changed(arg, buf_cstr(&e.text));
			continue;
		}
		is = line_edit_key(&e, key);
		if (changed && is == EDIT_GOES_ON && e.text.len != len)
			changed(arg, buf_cstr(&e.text));
	}
	term_cursor(-1, 0);
	return is == EDIT_DONE ? buf_take(&e.text) : NULL;
}

char prompt_key(const char *label, const char *keys)
{
	int32_t key = TK_NOTHING;

	while (key == TK_NOTHING && !intr_pending()) {
		size_t used = term_put(term_rows() - 1, 0, (size_t)term_columns(),
				       STYLE_BOLD, str_c(label));

		term_cursor(term_rows() - 1, (int)used);
		term_flush();
		key = term_key(-1);
	}
	term_cursor(-1, 0);
	return key > 0 && key < 0x80 && strchr(keys, key) ? (char)key : '\0';
}
