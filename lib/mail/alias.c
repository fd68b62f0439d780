// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * alias.c - short names for addresses: the six formats, and what a name stands for.
 */
#include <ctype.h>
#include "series/alias.h"
#include "series/fs.h"
#include "series/mem.h"

#define FILE_MAX  ((size_t)16 << 20)
#define DEPTH_MAX 32
#define COUNT_MAX 1000
#define NOTES_MAX 20

void aliases_release(struct aliases *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free(a->v[i].name);
		strvec_release(&a->v[i].to);
	}
	free(a->v);
	strvec_release(&a->notes);
	*a = (struct aliases)ALIASES_INIT;
}

/* The addresses that name stands for, or NULL. */
static const struct strvec *aliases_find(const struct aliases *a, const char *name)
{
	for (size_t i = a->n; i-- > 0;)
		if (!strcmp(a->v[i].name, name))
			return &a->v[i].to;
	return NULL;
}

/* A new entry of a name; those it had before are not found any more. */
static struct strvec *define(struct aliases *a, struct str name)
{
	vec_grow(a->v, a->n, a->cap);
	a->v[a->n] = (struct alias_entry){ .name = str_dup(name) };
	return &a->v[a->n++].to;
}

/* Pieces between commas that stand outside quotes. */
static void split_commas(struct str list, struct strvec *out)
{
	size_t start = 0;
	bool quoted = false;

	for (size_t i = 0; i <= list.len; i++) {
		struct str one = str_trim(str_n(list.p + start, i - start));

		if (i < list.len && list.p[i] == '\\') {
			i++;
			continue;
		}
		if (i < list.len && list.p[i] == '"')
			quoted = !quoted;
		if (i < list.len && (list.p[i] != ',' || quoted))
			continue;
		if (one.len)
			strvec_push_str(out, one);
		start = i + 1;
	}
}

/* Words between blanks; quotes of either kind hold blanks and go. */
static void split_words(struct str text, struct strvec *out)
{
	struct buf word _cleanup_buf_ = BUF_INIT;
	char quote = 0;
	bool any = false;

	for (size_t i = 0; i <= text.len; i++) {
		char c = i < text.len ? text.p[i] : ' ';

		if (i == text.len || (!quote && isspace((unsigned char)c))) {
			if (any)
				strvec_push(out, buf_cstr(&word));
			buf_reset(&word);
			any = false;
			continue;
		}
		any = true;
		if (c == quote)
			quote = 0;
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
		else if (c == '\\' && i + 1 < text.len && quote != '\'')
			buf_putc(&word, text.p[++i]);
		else
			buf_putc(&word, c);
	}
}

/* A word of text up to white space, which is cut off with it. */
static struct str cut_word(struct str *text)
{
	struct str s = str_trim(*text), word = s;
	size_t n = 0;

	while (n < s.len && !isspace((unsigned char)s.p[n]))
		n++;
	word.len = n;
	*text = str_trim(str_n(s.p + n, s.len - n));
	return word;
}

/* mutt(1), neomuttrc: alias [-group NAME]... KEY ADDRESS, ... # comment */
static void line_mutt(struct aliases *a, struct str line)
{
	struct buf plain _cleanup_buf_ = BUF_INIT;
	struct str name;
	ptrdiff_t hash;

	if (!str_eqc(cut_word(&line), "alias"))
		return;
	name = cut_word(&line);
	while (str_eqc(name, "-group")) {
		cut_word(&line);
		name = cut_word(&line);
	}
	hash = str_chr(line, '#');
	if (hash >= 0)
		line = str_trim(str_n(line.p, hash));
	if (!name.len || !line.len)
		return;
	/* mutt reads the line as words first: \" is a quote of the address. */
	for (size_t i = 0; i < line.len; i++)
		if (line.p[i] != '\\' || i + 1 >= line.len || line.p[i + 1] != '"')
			buf_putc(&plain, line.p[i]);
	split_commas(buf_str(&plain), define(a, name));
}

/* mailx(1): alias KEY WORD... */
static void line_mailrc(struct aliases *a, struct str line)
{
	struct str name;

	if (!str_starts(line, "alias") || !str_eqc(cut_word(&line), "alias"))
		return;
	name = cut_word(&line);
	if (name.len && line.len)
		split_words(line, define(a, name));
}

/* alpine's addressbook: KEY, tab, name, tab, address or (list), tab, ... */
static void line_pine(struct aliases *a, struct str line)
{
	struct str key, fullname, list;

	if (!str_cut(&line, '\t', &key) || !str_cut(&line, '\t', &fullname) ||
	    !str_cut(&line, '\t', &list))
		return;
	list = str_trim(list);
	if (list.len > 1 && list.p[0] == '(' && list.p[list.len - 1] == ')')
		list = str_n(list.p + 1, list.len - 2);
	if (key.len && list.len && str_chr(key, ' ') < 0)
		split_commas(list, define(a, key));
}

/* elm's aliases.text: KEY = NAME = ADDRESS,... */
static void line_elm(struct aliases *a, struct str line)
{
	struct str key = cut_word(&line), rest, list;
	ptrdiff_t eq;

	if (!key.len || !line.len || line.p[0] != '=')
		return;
	rest = str_n(line.p + 1, line.len - 1);
	eq = str_chr(rest, '=');
	if (eq < 1)
		return;
	rest = str_n(rest.p + eq + 1, rest.len - eq - 1);
	list = cut_word(&rest);
	if (list.len)
		split_commas(list, define(a, key));
}

/* "WORD" behind blanks at *text. */
static bool cut_quoted(struct str *text, struct str *ret)
{
	struct str s = str_trim(*text);
	ptrdiff_t end;

	if (!str_skip(&s, "\""))
		return false;
	end = str_chr(s, '"');
	if (end < 1)
		return false;
	*ret = str_n(s.p, end);
	*text = str_n(s.p + end + 1, s.len - end - 1);
	return true;
}

/* message-mode of gnus: (define-mail-alias "KEY" "ADDRESS") */
static void line_gnus(struct aliases *a, struct str line)
{
	static const char head[] = "(define-mail-alias";
	ptrdiff_t at = str_find(line, head);
	struct str key, value;

	if (at < 0)
		return;
	line = str_n(line.p + at + strlen(head), line.len - at - strlen(head));
	if (cut_quoted(&line, &key) && cut_quoted(&line, &value))
		strvec_push_str(define(a, key), value);
}

/* aliases(5): KEY: ADDRESS, ...; what names a file, a program or a list file is not for
 * us. */
static void line_sendmail(struct aliases *a, struct str line, const char *what, int n)
{
	ptrdiff_t colon = str_chr(line, ':');
	const char *why = NULL;
	struct str key, value;

	if (memchr(line.p, '"', line.len))
		why = "quotes are not read";
	else if (str_find(line, ":include:") >= 0)
		why = ":include: is not read";
	else if (memchr(line.p, '/', line.len) || memchr(line.p, '|', line.len))
		why = "files and programs are no addresses";
	else if (colon < 1)
		why = "no NAME: ADDRESS";
	if (why && a->notes.n >= NOTES_MAX)
		return;
	if (why) {
		strvec_pushf(&a->notes, "%s:%d: %s", what, n, why);
		return;
	}
	key = str_trim(str_n(line.p, colon));
	value = str_trim(str_n(line.p + colon + 1, line.len - colon - 1));
	if (key.len && value.len)
		split_commas(value, define(a, key));
}

/*
 * Lines of which a format goes on in the next one: pine (it begins with a blank) and
 * sendmail (the same, or a backslash ends this one). Comments and empty lines of sendmail
 * are passed over.
 */
static void joined_lines(struct aliases *a, struct str text, bool pine, const char *what)
{
	struct buf whole _cleanup_buf_ = BUF_INIT;
	struct str line = STR_NULL;
	int n = 0, first = 1;
	bool more, goes_on = false;

	do {
		struct str body;
		bool blank;

		more = str_line(&text, &line);
		n++;
		body = str_trim(line);
		if (more && !pine && (!body.len || body.p[0] == '#'))
			continue;
		blank = more && line.len &&
			(line.p[0] == ' ' || (!pine && line.p[0] == '\t'));
		if (!more || (!blank && !goes_on)) {
			if (whole.len && pine)
				line_pine(a, buf_str(&whole));
			else if (whole.len)
				line_sendmail(a, buf_str(&whole), what, first);
			buf_reset(&whole);
			first = n;
		}
		if (!more)
			break;
		goes_on = !pine && body.len && body.p[body.len - 1] == '\\';
		if (goes_on)
			body.len--;
		if (pine && !blank)
			body = str_ends(line, "\r") ? str_n(line.p, line.len - 1) : line;
		buf_addstr(&whole, body);
	} while (more);
}

int aliases_parse(struct aliases *a, const char *type, struct str text, const char *what,
		  struct err *err)
{
	static const struct {
		const char *type;
		void (*line)(struct aliases *a, struct str line);
	} formats[] = {
		{ "mutt", line_mutt }, { "mailrc", line_mailrc }, { "elm", line_elm },
		{ "gnus", line_gnus }, { "pine", NULL },	  { "sendmail", NULL },
	};
	struct str line;

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (strcmp(formats[i].type, type))
			continue;
		if (!formats[i].line)
			joined_lines(a, text, !strcmp(type, "pine"), what);
		while (formats[i].line && str_line(&text, &line))
			formats[i].line(a, line);
		return 0;
	}
	return err_set(
		err, E_USAGE,
		"'%s' is no type of alias file; there are mutt, mailrc, pine, elm, "
		"gnus and sendmail",
		type);
}

int aliases_read(struct aliases *a, const char *type, const char *path, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = fs_read(path, FILE_MAX, &text, err);

	return rc ? rc : aliases_parse(a, type, buf_str(&text), path, err);
}

/* One name being looked up, below the ones that led to it. */
struct step {
	const struct aliases *a;
	const char *word;
	const struct step *above;
	int depth;
	size_t *count; /* of names looked up for one list */
};

static int expand_word(const char *word, void *arg, struct addrs *out, struct err *err)
{
	const struct step *above = arg;
	const struct strvec *to = aliases_find(above->a, word);
	struct step here = { above->a, word, above, above->depth + 1, above->count };
	struct addr_alias next = { expand_word, &here };
	int rc = 0;

	if (!to)
		return err_set(err, E_NOTFOUND, "no alias '%s'", word);
	if (++*here.count > COUNT_MAX)
		return err_set(err, E_USAGE,
			       "more than %d aliases stand for one another; look at "
			       "what they name",
			       COUNT_MAX);
	for (const struct step *s = above; s; s = s->above)
		if (here.depth > DEPTH_MAX || (s->word && !strcmp(s->word, word)))
			return err_set(err, E_USAGE, "the alias '%s' stands for itself",
				       word);
	for (size_t i = 0; i < to->n && !rc; i++)
		rc = addrs_parse_alias(out, to->v[i], &next, err);
	return rc ? err_context(err, "alias '%s'", word) : 0;
}

int aliases_expand(const struct aliases *a, const char *list, struct addrs *out,
		   struct err *err)
{
	size_t count = 0;
	struct step top = { a, NULL, NULL, 0, &count };
	struct addr_alias alias = { expand_word, &top };

	return addrs_parse_alias(out, list, a && a->n ? &alias : NULL, err);
}
