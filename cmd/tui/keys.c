// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * keys.c - see keys.h. Where tig and mutt agree the key is theirs.
 */
#include <string.h>
#include <strings.h>

#include "series/mem.h"
#include "series/utf8.h"
#include "keys.h"
#include "term.h"

#define MAX_KEYS 4

static struct binding {
	const char *name; /* of git config: series.key.NAME */
	unsigned in;
	int32_t key[MAX_KEYS]; /* 0: no more */
	const char *help;
} bindings[N_ACTIONS] = {
	[ACT_QUIT] = { "quit", IN_ALL, { 'q', TK_CTRL('C') }, "back; leave the list" },
	[ACT_HELP] = { "help", IN_ALL, { '?', TK_F1 }, "this help" },
	[ACT_DOWN] = { "down", IN_ALL, { 'j', TK_DOWN }, "next line" },
	[ACT_UP] = { "up", IN_ALL, { 'k', TK_UP }, "previous line" },
	[ACT_PAGE_DOWN] = { "page-down",
			    IN_ALL,
			    { ' ', TK_PAGE_DOWN, TK_CTRL('F') },
			    "next page" },
	[ACT_PAGE_UP] = { "page-up",
			  IN_ALL,
			  { 'b', TK_PAGE_UP, TK_CTRL('B') },
			  "previous page" },
	[ACT_FIRST] = { "first", IN_ALL, { 'g', TK_HOME }, "first line" },
	[ACT_LAST] = { "last", IN_ALL, { 'G', TK_END }, "last line" },
	[ACT_SEARCH] = { "search", IN_ALL, { '/' }, "search as you type" },
	[ACT_NEXT] = { "next", IN_ALL, { 'n' }, "next that was searched for" },
	[ACT_PREVIOUS] = { "previous",
			   IN_ALL,
			   { 'N' },
			   "previous that was searched for" },
	[ACT_REDRAW] = { "redraw", IN_ALL, { TK_CTRL('L') }, "draw the screen anew" },
	[ACT_OPEN] = { "open",
		       IN_LIST | IN_SERIES | IN_PAGER,
		       { TK_ENTER },
		       "open; fold a group, unfold a quote" },
	[ACT_LIMIT] = { "limit", IN_LIST, { 'l' }, "show only what a query means" },
	[ACT_SORT] = { "sort", IN_LIST, { 'o' }, "sort by other columns" },
	[ACT_TAG] = { "tag",
		      IN_LIST,
		      { 't' },
		      "tag: actions are about all tagged series" },
	[ACT_TAG_PATTERN] = { "tag-pattern", IN_LIST, { 'T' }, "tag what a query means" },
	[ACT_UNTAG_ALL] = { "untag-all", IN_LIST, { 'U', TK_CTRL('T') }, "untag all" },
	[ACT_NEXT_GROUP] = { "next-group", IN_LIST, { '\t' }, "next group" },
	[ACT_SNOOZE] = { "snooze",
			 IN_LIST | IN_SERIES,
			 { 's' },
			 "put aside until a day, version or tag" },
	[ACT_NOTE] = { "note", IN_LIST | IN_SERIES, { 'e' }, "edit your note" },
	[ACT_FLAG] = { "flag",
		       IN_LIST | IN_SERIES,
		       { 'F', '!' },
		       "flag, or take the flag away" },
	[ACT_ASSIGN] = { "assign",
			 IN_LIST | IN_SERIES,
			 { 'a' },
			 "say who looks after it" },
	[ACT_REFRESH] = { "refresh",
			  IN_LIST,
			  { 'R', TK_F1 + 4 },
			  "read marks and rows anew" },
	[ACT_THREAD] = { "thread", IN_LIST | IN_SERIES, { 'v' }, "all its mails" },
	[ACT_DIFF] = { "diff",
		       IN_LIST | IN_SERIES | IN_PAGER,
		       { 'd' },
		       "what changed since the previous version" },
	[ACT_VERSION] = { "version",
			  IN_SERIES,
			  { 'V' },
			  "show the version before, and round" },
	[ACT_SIDE_DOWN] = { "side-down",
			    IN_SERIES,
			    { 'J', ']' },
			    "scroll tags and remarks down" },
	[ACT_SIDE_UP] = { "side-up",
			  IN_SERIES,
			  { 'K', '[' },
			  "scroll tags and remarks up" },
	[ACT_FOLD] = { "fold", IN_PAGER, { 'z' }, "fold or unfold all quotes" },
	[ACT_NEXT_MAIL] = { "next-mail", IN_PAGER, { ']', 'J' }, "next mail" },
	[ACT_PREVIOUS_MAIL] = { "previous-mail",
				IN_PAGER,
				{ '[', 'K' },
				"previous mail" },
	[ACT_REPLY] = { "reply", IN_ALL, { 'r' }, "reply in your editor" },
	[ACT_GIVE_TAG] = { "give-tag",
			   IN_ALL,
			   { 'A' },
			   "give a Reviewed-by, Acked-by, Tested-by" },
	[ACT_APPLY] = { "apply",
			IN_LIST | IN_SERIES,
			{ 'P' },
			"apply it here (series am)" },
	[ACT_CHECK] = { "check",
			IN_LIST | IN_SERIES,
			{ 'c' },
			"would it apply here? (series am --check)" },
	[ACT_TRY] = { "try",
		      IN_LIST,
		      { 'C' },
		      "stop or go on trying what applies to series.triage.base" },
	[ACT_BUILD] = { "build",
			IN_LIST | IN_SERIES,
			{ 'B' },
			"build its kernels (series triage --build)" },
	[ACT_BENCH] = { "bench",
			IN_LIST | IN_SERIES,
			{ 'M' },
			"measure it here (series triage --bench)" },
	[ACT_PAGER] = { "pager", IN_ALL, { 'p', '|' }, "its mails in $PAGER" },
	[ACT_MUTT] = { "mutt", IN_ALL, { 'm' }, "its mails in mutt" },
	[ACT_BROWSER] = { "browser", IN_ALL, { 'w' }, "its page in the browser" },
	[ACT_COPY] = { "copy", IN_ALL, { 'y' }, "copy the Message-ID" },
};

static const struct {
	const char *name;
	int32_t key;
} names[] = {
	{ "space", ' ' },	{ "tab", '\t' },
	{ "enter", TK_ENTER },	{ "esc", TK_ESCAPE },
	{ "up", TK_UP },	{ "down", TK_DOWN },
	{ "left", TK_LEFT },	{ "right", TK_RIGHT },
	{ "home", TK_HOME },	{ "end", TK_END },
	{ "pgup", TK_PAGE_UP }, { "pgdn", TK_PAGE_DOWN },
	{ "del", TK_DELETE },	{ "backspace", TK_BACKSPACE },
};

/* "x", "^T", "space", "f5"; 0: no key. */
static int32_t read_key(const char *s)
{
	struct str rest = str_c(s);
	uint32_t cp;
	int64_t n;

	if (s[0] == '^' && s[1] && !s[2])
		return TK_CTRL(s[1]);
	if (utf8_next(&rest, &cp) && !rest.len && cp != UTF8_INVALID && cp > ' ')
		return (int32_t)cp;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcasecmp(s, names[i].name))
			return names[i].key;
	if ((s[0] | 32) == 'f' && cstr_to_i64(s + 1, 1, 12, &n))
		return TK_F1 + (int32_t)n - 1;
	return 0;
}

static void put_key(int32_t key, struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].key == key) {
			buf_puts(out, names[i].name);
			return;
		}
	if (key >= TK_F1 && key <= TK_F12)
		buf_printf(out, "F%d", (int)(key - TK_F1 + 1));
	else if (key < ' ')
		buf_printf(out, "^%c", (char)(key + '@'));
	else
		utf8_put((uint32_t)key, out);
}

/* The keys become the action's, and no other's in the same place. */
static void bind(struct binding *b, const int32_t *key, size_t n)
{
	for (size_t i = 0; i < N_ACTIONS; i++) {
		struct binding *other = &bindings[i];
		size_t kept = 0;

		if (other == b || !(other->in & b->in))
			continue;
		for (size_t k = 0; k < MAX_KEYS; k++) {
			bool taken = false;

			for (size_t j = 0; j < n; j++)
				taken = taken || other->key[k] == key[j];
			if (other->key[k] && !taken)
				other->key[kept++] = other->key[k];
		}
		while (kept < MAX_KEYS)
			other->key[kept++] = 0;
	}
	for (size_t k = 0; k < MAX_KEYS; k++)
		b->key[k] = k < n ? key[k] : 0;
}

static int take(struct binding *b, const char *value, struct err *err)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;
	int32_t key[MAX_KEYS];

	strvec_split(&words, str_c(value), ' ');
	if (words.n > MAX_KEYS)
		words.n = MAX_KEYS;
	for (size_t i = 0; i < words.n; i++) {
		key[i] = read_key(words.v[i]);
		if (!key[i])
			return err_set(
				err, E_USAGE,
				"series.key.%s: '%s' is no key; for example x, ^T, "
				"space, enter, pgdn, f5",
				b->name, words.v[i]);
	}
	bind(b, key, words.n);
	return 0;
}

int keys_load(const struct config *c, struct err *err)
{
	int rc = 0;

	for (size_t i = 1; i < N_ACTIONS && !rc; i++) {
		char *name _cleanup_free_ = xasprintf("series.key.%s", bindings[i].name);
		const char *value = c ? config_get(c, name) : NULL;

		if (value)
			rc = take(&bindings[i], value, err);
	}
	return rc;
}

enum action key_action(int32_t key, unsigned in)
{
	for (size_t i = 1; i < N_ACTIONS; i++)
		for (size_t k = 0; k < MAX_KEYS && (bindings[i].in & in); k++)
			if (bindings[i].key[k] && bindings[i].key[k] == key)
				return (enum action)i;
	return ACT_NONE;
}

void keys_of(enum action a, struct buf *out)
{
	for (size_t k = 0; k < MAX_KEYS && bindings[a].key[k]; k++) {
		buf_puts(out, k ? ", " : "");
		put_key(bindings[a].key[k], out);
	}
}

void keys_help(unsigned in, struct buf *out)
{
	for (size_t i = 1; i < N_ACTIONS; i++) {
		struct buf keys _cleanup_buf_ = BUF_INIT;

		if (!(bindings[i].in & in) || !bindings[i].key[0])
			continue;
		keys_of((enum action)i, &keys);
		buf_printf(out, "  %-18s %-14s %s\n", buf_cstr(&keys), bindings[i].name,
			   bindings[i].help);
	}
}
