// SPDX-License-Identifier: GPL-2.0-or-later
/* opt.c - parse a command line by an option table. */
#include <stdlib.h>
#include <string.h>
#include "series/mem.h"
#include "series/opt.h"

struct parser {
	const struct opt *table;
	void *base;
	char **argv;
	int argc, at;
	struct strvec *args;
	struct err *err;
	const struct opt *owed; /* a list whose value comes later, written like this */
	char *owed_shown;
};

/* An option as it was found: the row, whether it was negated, how the user wrote it. */
struct hit {
	const struct opt *row;
	bool negated;
	const char *shown;
};

static void *field(const struct parser *p, const struct opt *o)
{
	return (char *)p->base + o->offset;
}

static int bad_choice(const struct parser *p, const struct hit *h, const char *value)
{
	const char *const *c = h->row->choices;
	struct buf b _cleanup_buf_ = BUF_INIT;

	for (; *c; c++)
		buf_printf(&b, "%s%s",
			   c == h->row->choices ? ""
			   : c[1]		? ", "
						: " or ",
			   *c);
	return err_set(p->err, E_USAGE, "%s: expected %s, not '%s'", h->shown,
		       buf_cstr(&b), value);
}

static int store_value(const struct parser *p, const struct hit *h, const char *value)
{
	void *to = field(p, h->row);
	const char *const *c;
	int64_t n;

	switch (h->row->kind) {
	case OPT_FLAG:
		break;
	case OPT_STRING:
	case OPT_OPTIONAL:
		*(const char **)to = value;
		break;
	case OPT_LIST:
		strvec_push(to, value);
		break;
	case OPT_INT:
		if (!cstr_to_i64(value, h->row->lo, h->row->hi, &n))
			return err_set(p->err, E_USAGE,
				       "%s: expected a number from %d to %d, not '%s'",
				       h->shown, h->row->lo, h->row->hi, value);
		*(int *)to = (int)n;
		break;
	case OPT_CHOICE:
		for (c = h->row->choices; *c && strcmp(*c, value);)
			c++;
		if (!*c)
			return bad_choice(p, h, value);
		*(const char **)to = *c;
		break;
	}
	return 0;
}

/* A flag, or what --no-NAME does to any row. */
static void store_plain(const struct parser *p, const struct hit *h)
{
	void *to = field(p, h->row);

	switch (h->row->kind) {
	case OPT_FLAG:
		*(bool *)to = !h->negated;
		break;
	case OPT_STRING:
	case OPT_CHOICE:
	case OPT_OPTIONAL:
		*(const char **)to = NULL;
		break;
	case OPT_LIST:
		strvec_release(to);
		break;
	case OPT_INT:
		*(int *)to = 0;
		break;
	}
}

/* Levenshtein distance of two short names. */
static size_t distance(struct str a, const char *b)
{
	size_t n = strlen(b), i, j;
	size_t *row _cleanup_free_ = xcalloc(n + 1, sizeof(*row));

	for (j = 0; j <= n; j++)
		row[j] = j;
	for (i = 0; i < a.len; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (j = 1; j <= n; j++) {
			size_t swap = corner + (a.p[i] != b[j - 1]);

			corner = row[j];
			row[j] = MIN(swap, MIN(row[j], row[j - 1]) + 1);
		}
	}
	return row[n];
}

size_t nearest_score(struct str typed, const char *name)
{
	size_t most = MAX((size_t)2, typed.len / 3), d;

	if (!typed.len || typed.len > 64)
		return NEAREST_NONE;
	d = distance(typed, name);
	if (d > most || d >= strlen(name))
		return NEAREST_NONE;
	return 2 * d + (typed.p[0] != name[0]); /* people get the first letter right */
}

/* Is it one of the words that people try instead of the row's name? */
static bool means(const struct opt *o, struct str name)
{
	struct str words = str_c(o->also ? o->also : ""), word;

	while (str_word(&words, &word))
		if (str_eq(word, name))
			return true;
	return false;
}

static int unknown(const struct parser *p, struct str name)
{
	const struct opt *o, *best = NULL;
	size_t least = NEAREST_NONE;

	for (o = p->table; o->name; o++) {
		size_t score = means(o, name) ? 0 : nearest_score(name, o->name);

		if (score < least) {
			least = score;
			best = o;
		}
	}
	if (best)
		return err_set(p->err, E_USAGE,
			       "unknown option --" STR_FMT "; did you mean --%s?",
			       STR_ARG(name), best->name);
	return err_set(p->err, E_USAGE,
		       "unknown option --" STR_FMT "; see -h for the options",
		       STR_ARG(name));
}

static int ambiguous(const struct parser *p, struct str name, const struct hit *one,
		     const struct hit *two)
{
	return err_set(p->err, E_USAGE,
		       "--" STR_FMT ": could be --%s%s or --%s%s; write more of it",
		       STR_ARG(name), one->negated ? "no-" : "", one->row->name,
		       two->negated ? "no-" : "", two->row->name);
}

static bool is_prefix(struct str name, const char *whole)
{
	return name.len <= strlen(whole) && !memcmp(name.p, whole, name.len);
}

/* The row a long name means: exactly, or as the only one that begins so. */
static int find_long(const struct parser *p, struct str name, struct hit *ret)
{
	struct str rest = name;
	bool no = str_skip(&rest, "no-");
	struct hit found[2] = { 0 };
	const struct opt *o;
	int n = 0;

	for (o = p->table; o->name; o++) {
		bool plain = is_prefix(name, o->name);
		bool neg = o->negatable &&
			   (no ? is_prefix(rest, o->name) : is_prefix(name, "no-"));

		if (str_eqc(name, o->name) || (no && neg && str_eqc(rest, o->name))) {
			*ret = (struct hit){ .row = o, .negated = !plain };
			return 0;
		}
		if (plain && n < 2)
			found[n++] = (struct hit){ .row = o };
		if (neg && n < 2)
			found[n++] = (struct hit){ .row = o, .negated = true };
	}
	/* "--no" alone negates nothing, even when there is only one thing to negate. */
	if (!n || !name.len || (n == 1 && found[0].negated && !(no && rest.len)))
		return unknown(p, name);
	if (n > 1)
		return ambiguous(p, name, &found[0], &found[1]);
	*ret = found[0];
	return 0;
}

/* Does the word begin an option of this table? */
static bool is_option(const struct parser *p, const char *word)
{
	struct parser quiet = { .table = p->table };
	struct hit h;
	const struct opt *o = p->table;

	if (word[0] != '-' || !word[1])
		return false;
	if (word[1] == '-')
		return word[2] &&
		       !find_long(&quiet, str_n(word + 2, strcspn(word + 2, "=")), &h);
	while (o->name && o->letter != word[1])
		o++;
	return o->name;
}

static int no_value(const struct parser *p, const struct opt *row, const char *shown)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	opt_arg(row, &b);
	return err_set(p->err, E_USAGE, "%s: expected %s behind it", shown, buf_cstr(&b));
}

/* Value of an option that needs one: glued to it, or the next word; of a list later. */
static int take_value(struct parser *p, const struct hit *h, const char *glued)
{
	if (!glued && p->at >= p->argc)
		return no_value(p, h->row, h->shown);
	if (!glued && h->row->kind == OPT_LIST && is_option(p, p->argv[p->at])) {
		if (p->owed)
			return no_value(p, h->row, h->shown);
		p->owed = h->row;
		free(p->owed_shown);
		p->owed_shown = xstrdup(h->shown);
		return 0;
	}
	return store_value(p, h, glued ? glued : p->argv[p->at++]);
}

/* A word that is no option. */
static int take_word(struct parser *p, const char *word)
{
	const struct hit h = { .row = p->owed, .shown = p->owed_shown };

	if (!p->owed) {
		strvec_push(p->args, word);
		return 0;
	}
	p->owed = NULL;
	return store_value(p, &h, word);
}

static int parse_long(struct parser *p, const char *text)
{
	const char *eq = strchr(text, '=');
	struct str name = str_n(text, eq ? (size_t)(eq - text) : strlen(text));
	char *shown _cleanup_free_ = NULL;
	struct hit h = { 0 };
	int rc = find_long(p, name, &h);

	if (rc)
		return rc;
	shown = xasprintf("--%s%s", h.negated ? "no-" : "", h.row->name);
	h.shown = shown;
	if (!h.negated && h.row->kind == OPT_OPTIONAL)
		return store_value(p, &h, eq ? eq + 1 : "");
	if (!h.negated && h.row->kind != OPT_FLAG)
		return take_value(p, &h, eq ? eq + 1 : NULL);
	if (eq)
		return err_set(p->err, E_USAGE, "%s: expected no value, not '%s'", shown,
			       eq + 1);
	store_plain(p, &h);
	return 0;
}

/* "-ab", "-j8", "-abj 8": letters up to the first that takes a value. */
static int parse_letters(struct parser *p, const char *text)
{
	for (; *text; text++) {
		char shown[] = { '-', *text, '\0' };
		struct hit h = { .row = p->table, .shown = shown };

		while (h.row->name && h.row->letter != *text)
			h.row++;
		if (!h.row->name && (unsigned char)*text >= 0x80)
			return err_set(p->err, E_USAGE,
				       "unknown option -%s; see -h for the options",
				       text);
		if (!h.row->name)
			return err_set(p->err, E_USAGE,
				       "unknown option -%c; see -h for the options",
				       *text);
		if (h.row->kind == OPT_OPTIONAL)
			return store_value(p, &h, text + 1);
		if (h.row->kind != OPT_FLAG)
			return take_value(p, &h, text[1] ? text + 1 : NULL);
		store_plain(p, &h);
	}
	return 0;
}

static int parse_words(struct parser *p)
{
	int rc = 0;

	while (p->at < p->argc && !rc) {
		const char *word = p->argv[p->at++];

		if (!strcmp(word, "--"))
			break;
		if (word[0] == '-' && word[1] == '-')
			rc = parse_long(p, word + 2);
		else if (word[0] == '-' && word[1])
			rc = parse_letters(p, word + 1);
		else
			rc = take_word(p, word);
	}
	while (p->at < p->argc && !rc)
		rc = take_word(p, p->argv[p->at++]);
	return !rc && p->owed ? no_value(p, p->owed, p->owed_shown) : rc;
}

int opt_parse(const struct opt *table, void *base, int argc, char **argv,
	      struct strvec *args, struct err *err)
{
	struct parser p = {
		.table = table,
		.base = base,
		.argv = argv,
		.argc = argc,
		.args = args,
		.err = err,
	};
	int rc = parse_words(&p);

	free(p.owed_shown);
	return rc;
}

void opt_release(const struct opt *table, void *base)
{
	for (; table->name; table++)
		if (table->kind == OPT_LIST)
			strvec_release((struct strvec *)((char *)base + table->offset));
}
