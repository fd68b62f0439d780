// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * subject.c - subjects of patches, as people write them. See subject.h.
 *
 * A word in brackets may hold several things ("PATCHv5", "RFC-v2", "PATCH1/8"): they are
 * taken off its front one by one, and what is left is a word of its own.
 */
#include "series/mem.h"
#include "series/subject.h"

#define NUMBER_MAX 9999

/* What clients put in front of a reply or of a mail that is passed on. */
static const char *const reply_marks[] = {
	"re",
	"fwd",
	"fw",
	"aw",
	"sv",
	"vs",
	"antw",
	"wg",
	"\xe5\x9b\x9e\xe5\xa4\x8d", /* U+56DE U+590D, "reply" */
	"\xe7\xad\x94\xe5\xa4\x8d", /* U+7B54 U+590D, the same */
	"\xe8\xbd\xac\xe5\x8f\x91", /* U+8F6C U+53D1, "forward" */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static struct str cut(struct str s, size_t n)
{
	return str_n(s.p + n, s.len - n);
}

/* "Re:", "RE: ", "Re[2]:", with a colon of ASCII or a wide one (U+FF1A). */
static bool skip_reply(struct str *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(reply_marks); i++) {
		struct str rest = *s;

		if (!str_istarts(rest, reply_marks[i]))
			continue;
		rest = cut(rest, strlen(reply_marks[i]));
		if (str_starts(rest, "[") && str_chr(rest, ']') > 0 &&
		    is_digit(rest.p[1]))
			rest = cut(rest, (size_t)str_chr(rest, ']') + 1);
		while (str_skip(&rest, " "))
			;
		if (str_skip(&rest, ":") || str_skip(&rest, "\xef\xbc\x9a")) {
			*s = rest;
			return true;
		}
	}
	return false;
}

/* Digits at the front, up to NUMBER_MAX; longer ones are no number of ours. */
static bool take_number(struct str *s, int *ret)
{
	size_t n = 0;
	int v = 0;

	while (n < s->len && is_digit(s->p[n]) && v <= NUMBER_MAX)
		v = v * 10 + (s->p[n++] - '0');
	if (!n || v > NUMBER_MAX)
		return false;
	*s = cut(*s, n);
	*ret = v;
	return true;
}

/* May a thing end here? "rfcomm" is no RFC and "patchwork" no PATCH. */
static bool ends(struct str rest)
{
	return !rest.len || !is_letter(rest.p[0]) ||
	       (rest.len > 1 && (rest.p[0] | 0x20) == 'v' && is_digit(rest.p[1]));
}

static bool skip_word(struct str *s, const char *const *words)
{
	for (; *words; words++) {
		struct str rest = *s;

		if (!str_istarts(rest, *words))
			continue;
		rest = cut(rest, strlen(*words));
		if (!ends(rest))
			continue;
		*s = rest;
		return true;
	}
	return false;
}

/* What is known of a version while the words are read. */
struct reader {
	struct subject *s;
	bool plain;	   /* "v2" was there: it counts */
	bool kernels;	   /* dotted ones are kernels */
	struct str dotted; /* the only one with a dot so far, which then counts */
};

static void forget_dotted(struct reader *r)
{
	r->kernels = true;
	if (!r->dotted.p)
		return;
	strvec_push_str(&r->s->words, r->dotted);
	r->dotted = STR_NULL;
	r->s->versioned = r->s->lettered = false;
	r->s->version = 1;
	r->s->minor = 0;
}

/* "[PATCH for v5.9]", "[stable v5.4]", or a second one: they name kernels. */
static void take_dotted(struct reader *r, struct str word, int version, int minor)
{
	struct subject *s = r->s;
	struct str last = s->words.n ? str_c(s->words.v[s->words.n - 1]) : STR_NULL;

	if (str_ieqc(last, "for") || str_ieqc(last, "stable") || r->dotted.p || r->plain)
		forget_dotted(r);
	if (r->kernels) {
		strvec_push_str(&s->words, word);
		return;
	}
	r->dotted = word;
	s->versioned = true;
	s->version = version;
	s->minor = minor;
}

/* ".1" behind "v5"; of "v0.9.1" the first two. "v6.6.y", "v4.19", "v5.11-rc1": kernels.
 */
static bool dotted_minor(struct str rest, int version, int *ret)
{
	int third;

	if (!take_number(&rest, ret) || *ret > 99)
		return false;
	if (str_skip(&rest, ".") && (version > 1 || !take_number(&rest, &third)))
		return false;
	return !rest.len && (version < 2 || *ret < 10);
}

/* "v2", "v5.1", "v4a": true and taken off *s. */
static bool take_version(struct reader *r, struct str *s)
{
	struct str rest = *s;
	int version, minor = 0;

	if (!rest.len || (rest.p[0] | 0x20) != 'v')
		return false;
	rest = cut(rest, 1);
	if (!take_number(&rest, &version) || version > 999)
		return false;
	if (str_skip(&rest, ".")) {
		if (!dotted_minor(rest, version, &minor)) {
			forget_dotted(r);
			return false;
		}
		take_dotted(r, *s, version, minor);
		*s = STR_NULL;
		return true;
	}
	if (rest.len && rest.p[0] >= 'a' && rest.p[0] <= 'f') {
		minor = rest.p[0] - 'a' + 1;
		rest = cut(rest, 1);
	}
	if (rest.len && is_letter(rest.p[0]))
		return false;
	*s = rest;
	if (r->plain)
		return true; /* the first one counts */
	forget_dotted(r);
	r->plain = r->s->versioned = true;
	r->s->version = version;
	r->s->minor = minor;
	r->s->lettered = minor > 0;
	return true;
}

/* "3/5" and nothing that makes another thing of it ("5.10/5.15", "2/3.c"). */
static bool take_count(struct subject *s, struct str *word)
{
	struct str rest = *word;
	int n, total;

	if (!take_number(&rest, &n) || !str_skip(&rest, "/") ||
	    !take_number(&rest, &total) ||
	    (rest.len && (is_letter(rest.p[0]) || rest.p[0] == '.')))
		return false;
	*word = rest;
	if (!s->counted) {
		s->n = n;
		s->total = total;
	}
	s->counted = true;
	return true;
}

static void take_word(struct reader *r, struct str word)
{
	static const char *const patch[] = { "patches",	    "patchset", "patchsets",
					     "patchseries", "patch",	NULL };
	static const char *const rfc[] = { "rfc", NULL };
	static const char *const resend[] = { "resend", "resent",   "reresend", "repost",
					      "resedn", "rerepost", NULL };
	struct subject *s = r->s;
	const char *start = word.p;
	int ignored;

	if (str_ieqc(word, "re:")) {
		s->reply = true;
		return;
	}
	if (str_ends(word, "/rfc") || str_ends(word, "/RFC"))
		s->rfc = true;
	/* "RESENDPATCH": the one thing that people write together. */
	if (str_istarts(word, "resendpatch")) {
		s->resend = true;
		word = cut(word, 6);
	}
	while (word.len) {
		struct str rest = word;

		while (rest.len && strchr("-/:_.+;", rest.p[0]))
			rest = cut(rest, 1);
		if (!rest.len)
			return;
		if (skip_word(&rest, patch)) {
			s->patch = true;
		} else if (skip_word(&rest, rfc)) {
			s->rfc = true;
		} else if (skip_word(&rest, resend)) {
			s->resend = true;
			if (!str_starts(rest, "/"))
				take_number(&rest, &ignored); /* "RESEND2" */
		} else if (!take_version(r, &rest) && !take_count(s, &rest)) {
			/* "-next" has its mark, what is left of "PATCH-next" none. */
			strvec_push_str(&s->words, word.p == start ? word : rest);
			return;
		}
		word = rest;
	}
}

static bool is_gap(char c)
{
	return str_space(c) || strchr(",[](){}|", c);
}

/* "1 of 3", as Mercurial writes it. */
static bool take_of(struct subject *s, struct str *group)
{
	struct str rest = *group, word;
	int n, total;

	if (s->counted || !str_word(&rest, &word) || !take_number(&word, &n) ||
	    word.len || !str_word(&rest, &word) || !str_ieqc(word, "of") ||
	    !str_word(&rest, &word) || !take_number(&word, &total) || word.len)
		return false;
	s->counted = true;
	s->n = n;
	s->total = total;
	*group = rest;
	return true;
}

static void read_group(struct reader *r, struct str group)
{
	while (group.len) {
		size_t n = 0;

		if (is_gap(group.p[0])) {
			group = cut(group, 1);
			continue;
		}
		if (take_of(r->s, &group))
			continue;
		while (n < group.len && !is_gap(group.p[n]))
			n++;
		take_word(r, str_n(group.p, n));
		group = cut(group, n);
	}
}

/* Bytes up to the bracket that closes the first; of too few the first "]"; 0: none. */
static size_t group_end(struct str s)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.len; i++) {
		depth += s.p[i] == '[';
		depth -= s.p[i] == ']';
		if (!depth)
			return i + 1;
	}
	return (size_t)(str_chr(s, ']') + 1);
}

/* "[PATCH foo: do it": words of ours are taken off its front, the rest is the title. */
static void read_open(struct reader *r, struct str *s)
{
	*s = cut(*s, 1);
	while (s->len) {
		size_t before = r->s->words.n, n = 0;
		struct str rest = str_trim(*s);

		while (n < rest.len && !is_gap(rest.p[n]))
			n++;
		take_word(r, str_n(rest.p, n));
		if (r->s->words.n > before || !n) {
			while (r->s->words.n > before)
				strvec_remove(&r->s->words, before);
			return;
		}
		*s = cut(rest, n);
	}
}

static char *squeeze(struct str s)
{
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct str word;

	for (size_t i = 0; i < s.len; i++)
		if (!str_space(s.p[i]) || (out.len && !str_space(s.p[i - 1])))
			buf_putc(&out, str_space(s.p[i]) ? ' ' : s.p[i]);
	word = str_trim(buf_str(&out));
	return str_dup(word);
}

void subject_read(struct str text, struct subject *ret)
{
	struct reader r = { .s = ret };
	bool pull = false;

	*ret = (struct subject){ .version = 1 };
	while ((text = str_trim(text)).len) {
		size_t end;

		if (skip_reply(&text)) {
			/* "[PATCH] Re: a bug" is a patch. */
			ret->reply = ret->reply || !ret->patch;
			continue;
		}
		if (str_skip(&text, ":"))
			continue;
		if (!str_starts(text, "["))
			break;
		end = group_end(text);
		if (!end) {
			read_open(&r, &text);
			break;
		}
		read_group(&r, str_n(text.p + 1, end - 2));
		text = cut(text, end);
	}
	for (size_t i = 0; i < ret->words.n; i++)
		pull = pull || str_ieqc(str_c(ret->words.v[i]), "pull");
	ret->patch = ret->patch ||
		     (!pull &&
		      (ret->versioned || (ret->counted && (ret->rfc || ret->resend))));
	ret->title = squeeze(text);
}

void subject_release(struct subject *s)
{
	strvec_release(&s->words);
	free(s->title);
	*s = (struct subject){ 0 };
}

void subject_label(const struct subject *s, struct buf *out)
{
	buf_printf(out, "%sv%d", s->rfc ? "RFC " : "", s->version);
	if (s->minor && s->lettered)
		buf_putc(out, (char)('a' + s->minor - 1));
	else if (s->minor)
		buf_printf(out, ".%d", s->minor);
	buf_puts(out, s->resend ? " RESEND" : "");
}

static int next_ink(const char **s)
{
	while (str_space(**s))
		(*s)++;
	return **s >= 'A' && **s <= 'Z' ? *(*s)++ | 0x20
	       : **s			? (unsigned char)*(*s)++
					: 0;
}

bool title_same(const char *a, const char *b)
{
	int c;

	do {
		c = next_ink(&a);
		if (c != next_ink(&b))
			return false;
	} while (c);
	return true;
}
