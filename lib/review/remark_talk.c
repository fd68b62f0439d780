// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remark_talk.c - what in a reply wants no answer: greetings, thanks, praise, assent,
 * notices that a patch was taken, tags, names.
 *
 * The rule is one of words: a text is small talk when every word of it is in a list. What
 * has any other word, or a question mark, is kept: nothing said in review is lost.
 */
#include <ctype.h>
#include "remark_priv.h"
#include "series/mem.h"
#include "series/trailer.h"

static const char greetings[] = " hi hello hey dear good greetings hallo morning ";

static const char talk[] =
	" 1 a above ack acked again agree agreed ah all also and apologies "
	"applied appreciated are awesome below besides best better br but by "
	"care catch cheers ciao clarifying cleaner cleanup clear comment "
	"comments confusion cool correct couple course d'oh day description "
	"doh doing done enough everyone exactly excellent except explaining "
	"explanation fair feedback few fine fix fixing for from fully glad "
	"good got great greetings happy have heh hm hmm hooray hth i i've in "
	"indeed info inline is it it's job just kind kindly lgtm look looked "
	"looking looks lot lovely makes many me mine minor missed "
	"misunderstood much my nack nak neat nevermind nice nicer nit "
	"nitpick nits noise now of oh ohh ok okay one other otherwise "
	"overall patch patches perfect picked pleasure point pretty quick "
	"quickly rather really reasonable regards rest review reviewing rgds "
	"right safe see seems sense sensible series sgtm side sincerely "
	"small so some sorry sound sounds suggestion suggestions summarizing "
	"superb superficial sure than thank thanks that that's the this thx "
	"tiny to too trivial true two understood up update updating very "
	"warm well whole will with wonderful work working works yay yeah yep "
	"yes you your yours yup ";

/* With a full stop or nothing more than names behind: a maintainer took it. */
static const char taken[] = " applied queued pushed merged picked taken ";

static bool in_list(const char *list, struct str word)
{
	struct buf key _cleanup_buf_ = BUF_INIT;

	buf_putc(&key, ' ');
	for (size_t i = 0; i < word.len; i++)
		buf_putc(&key, (char)tolower((unsigned char)word.p[i]));
	buf_putc(&key, ' ');
	return strstr(list, buf_cstr(&key));
}

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '\'' || c == '_' || (c & 0x80);
}

/* Next word of letters and digits of *rest; false at the end. */
static bool next_word(struct str *rest, struct str *ret)
{
	size_t from = 0, to;

	while (from < rest->len && !word_char(rest->p[from]))
		from++;
	for (to = from; to < rest->len && word_char(rest->p[to]);)
		to++;
	*ret = str_n(rest->p + from, to - from);
	*rest = str_n(rest->p + to, rest->len - to);
	return ret->len;
}

static bool in_name(const char *name, struct str word)
{
	struct str rest = str_c(name), part;

	while (next_word(&rest, &part))
		if (str_ieq(part, word))
			return true;
	return false;
}

/* Nothing but small talk and names? Pictures like ":-)" are no words. */
static bool is_talk(struct str text, const char *sender)
{
	struct str word;

	if (str_chr(text, '?') >= 0 || str_find(text, "too m") >= 0)
		return false;
	while (next_word(&text, &word))
		if (!in_list(talk, word) && !in_name(sender, word))
			return false;
	return true;
}

/* "Hi Jane," "Andrew," */
static bool is_greeting(struct str line)
{
	struct str rest = line, word;
	size_t n = 0;
	bool hello, capitals = true;

	if (!next_word(&rest, &word) || line.len > 60 || str_chr(line, '?') >= 0)
		return false;
	hello = in_list(greetings, word);
	do {
		n++;
		capitals = capitals && !islower((unsigned char)word.p[0]);
	} while (next_word(&rest, &word));
	if (hello)
		return n <= 2 || (n <= 6 && (capitals || str_ends(line, ",") ||
					     str_ends(line, "!")));
	return n <= 3 && capitals && str_ends(line, ",");
}

/* The reviewer's name, or part of it: "- Jane", "/Jarkko". */
static bool is_own_name(struct str line, const char *sender)
{
	struct str word;
	size_t n = 0;

	for (; next_word(&line, &word); n++)
		if (!in_name(sender, word) &&
		    !(word.len == 1 && isupper((unsigned char)word.p[0])))
			return false;
	return n && n <= 4;
}

static bool one_sentence(struct str text)
{
	return text.len < 160 && str_chr(text, '?') < 0 && str_find(text, ". ") < 0 &&
	       str_find(text, "but ") < 0 && str_find(text, "though") < 0;
}

/* "Thanks, applied to for-6.1." "Thanks for the long explanation!" */
static bool is_notice(struct str text)
{
	struct str rest = text, word;
	bool first = true;

	if (!one_sentence(text))
		return false;
	if (str_istarts(text, "thanks for ") || str_istarts(text, "thank you for ") ||
	    str_istarts(text, "thanks a lot for "))
		return true;
	for (; next_word(&rest, &word); first = false) {
		if (in_list(taken, word))
			return first || str_istarts(text, "thank");
		if (!in_list(" thanks thank you now ", word))
			return false;
	}
	return false;
}

/* " ah i overlooked that ": its words in small letters, a blank on each side. */
static void put_words(struct str text, struct buf *ret)
{
	struct str word;

	buf_putc(ret, ' ');
	while (next_word(&text, &word)) {
		for (size_t i = 0; i < word.len; i++)
			buf_putc(ret, (char)tolower((unsigned char)word.p[i]));
		buf_putc(ret, ' ');
	}
}

static bool has_any(const struct buf *words, const char *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_find(buf_str(words), v[i]) >= 0)
			return true;
	return false;
}

/*
 * "Ah, I overlooked that. Sorry for the noise!" takes back what was asked. "Thank you. I
 * have applied the patch to my tree." "I thought I have already acked this one." Where
 * anything more may be meant it is a remark.
 */
static bool is_settled(struct str text)
{
	static const char *const more[] = {
		" please ", " should ", " could ", " would ",  " need ",    " needs ",
		" must ",   " but ",	" still ", " though ", " however ", " and ",
		" when ",   " fails ",	" not ",   " instead "
	};
	static const char *const starts[] = { " ah ",	    " oh ",	    " ok ",
					      " okay ",	    " right ",	    " indeed ",
					      " i see ",    " never mind ", " my bad ",
					      " nevermind " };
	static const char *const ends[] = { " sorry for the noise ",
					    " thanks for the clarification ",
					    " thank you for the clarification ",
					    " thanks for clarifying ",
					    " thank you for clarifying " };
	static const char *const taking[] = {
		" thank you i have applied ",	    " thanks i have applied ",
		" thank you i've applied ",	    " thanks i've applied ",
		" i thought i have already acked ", " i thought i had already acked ",
		" i thought i already acked "
	};
	struct buf words _cleanup_buf_ = BUF_INIT;

	if (text.len > 240 || str_chr(text, '?') >= 0 || str_find(text, "n't") >= 0)
		return false;
	put_words(text, &words);
	if (has_any(&words, more, ARRAY_SIZE(more)))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(taking); i++)
		if (str_starts(buf_str(&words), taking[i]))
			return text.len < 100;
	for (size_t i = 0; i < ARRAY_SIZE(starts) * ARRAY_SIZE(ends); i++)
		if (str_starts(buf_str(&words), starts[i / ARRAY_SIZE(ends)]) &&
		    str_ends(buf_str(&words), ends[i % ARRAY_SIZE(ends)]))
			return true;
	return false;
}

#define TAG_LINE_MAX 300 /* with words before the tag */

/*
 * A tag; small talk and what it is for may stand before it: "For the series: Acked-by: A
 * B <a@example.org>" is no remark beside the tag (tagfind.c).
 */
static bool is_tag_line(struct str s)
{
	s = str_trim(s);
	if (trailer_is_known(s))
		return true;
	if (s.len > TAG_LINE_MAX || str_chr(s, '@') < 0)
		return false;
	for (size_t i = 1; i < s.len; i++) {
		struct str lead = str_trim(str_n(s.p, i));

		if (s.p[i] == ' ' && trailer_is_known(str_n(s.p + i + 1, s.len - i - 1)))
			return is_talk(lead, "") ||
			       (str_istarts(lead, "for ") &&
				(str_ends(lead, ":") || str_ends(lead, ",")));
	}
	return false;
}

/* A tag, or what goes on from one in brackets or indented. */
static bool is_tag(const struct lines *l, size_t i, size_t from)
{
	struct str s = l->v[i].text;

	if (is_tag_line(s))
		return true;
	return i > from &&
	       (str_starts(s, "[") || str_starts(s, " ") || str_starts(s, "#")) &&
	       is_tag_line(l->v[i - 1].text);
}

/* "[1/2] mm: count", "commit: 0123456789ab": what b4 lists below its thanks. */
static bool is_listed(struct str s)
{
	return (str_starts(s, "[") && s.len > 4 && isdigit((unsigned char)s.p[1]) &&
		str_find(s, "/") > 0 && str_find(s, "] ") > 0) ||
	       str_starts(s, "commit: ") || str_starts(s, "(no commit info)") ||
	       str_starts(s, "https://git.kernel.org/");
}

/* Who is to read it from now on, and orders to programs. */
static bool is_aside(struct str s)
{
	static const char *const starts[] = { "[+cc",  "[cc",  "+cc",	  "[ add ",
					      "[add ", "#syz", "#regzbot" };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (str_istarts(s, starts[i]))
			return true;
	return false;
}

/* "With that fixed," "Feel free to add:" above a tag, whose condition it is. */
static bool leads_to_tag(struct str s)
{
	static const char *const starts[] = {
		"with ",    "after ",	  "once ",	 "apart ",    "other ",
		"besides ", "anyway",	  "in any ",	 "feel free", "for ",
		"you can ", "please add", "please feel", "you may ",  "assuming ",
		"so ",	    "if ",
	};

	if (!str_ends(s, ",") && !str_ends(s, ":"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (str_istarts(s, starts[i]))
			return true;
	return false;
}

#define LEAD_MAX 60

/* "From the arm64 side:" right above a tag is of the tag, whatever it says (tagphrase.c).
 */
static bool leads_on(const struct lines *l, size_t i)
{
	struct str s = str_trim(l->v[i].text);
	size_t next = i + 1;

	if (!str_ends(s, ":") || s.len > LEAD_MAX || str_chr(s, '?') >= 0)
		return false;
	while (next < l->n && next < i + 3 && l->v[next].kind == LINE_BLANK)
		next++;
	return next < l->n && line_own(&l->v[next]) && is_tag(l, next, next);
}

/* One paragraph, joined. */
static bool paragraph_wants(const struct lines *l, const char *sender, size_t from,
			    size_t to)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	for (size_t i = from; i < to; i++) {
		if (!line_own(&l->v[i]) || is_tag(l, i, from) || leads_on(l, i) ||
		    is_listed(str_trim(l->v[i].text)) || is_aside(str_trim(l->v[i].text)))
			continue;
		buf_putc(&text, ' ');
		buf_addstr(&text, str_trim(l->v[i].text));
	}
	return !is_talk(buf_str(&text), sender) && !is_notice(str_trim(buf_str(&text))) &&
	       !is_settled(str_trim(buf_str(&text)));
}

static bool is_closing(struct str s)
{
	static const char *const starts[] = { "thanks", "thank you", "cheers", "regards",
					      "best",	"kind",	     "br,",    "gr{" };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (s.len < 30 && str_istarts(s, starts[i]))
			return true;
	return false;
}

/* The nickname below "Cheers,", or "- Masa". */
static bool is_nickname(const struct lines *l, size_t from, size_t i)
{
	struct str s = str_trim(l->v[i].text);

	if (s.len > 24 || str_ends(s, "?") || str_ends(s, ";") || i == from)
		return false;
	if (str_starts(s, "- ") && s.len < 12 && !line_own(&l->v[i - 1]))
		return true;
	do {
		i--;
	} while (i > from && l->v[i].kind == LINE_BLANK);
	return is_closing(str_trim(l->v[i].text));
}

static bool goes_from_end(const struct lines *l, const char *sender, size_t from,
			  size_t i)
{
	struct str s = str_trim(l->v[i].text);

	if (!line_own(&l->v[i]) || is_tag(l, i, from))
		return true;
	return is_own_name(s, sender) || is_nickname(l, from, i) ||
	       (str_starts(s, "Gr{") && s.len < 30) ||
	       (s.len < 40 && is_talk(s, sender) && (i == from || s.len < 20));
}

/* Off the end: names, thanks, tags, and what leads to those. */
static size_t narrow_end(const struct lines *l, const char *sender, size_t a, size_t b)
{
	bool tags = false;

	for (; b > a; b--) {
		if (goes_from_end(l, sender, a, b - 1))
			tags = tags || is_tag(l, b - 1, a);
		else if (tags &&
			 (leads_on(l, b - 1) || leads_to_tag(str_trim(l->v[b - 1].text))))
			tags = false;
		else
			break;
	}
	return b;
}

bool remark_narrow(const struct lines *l, const char *sender, bool first, size_t *from,
		   size_t *to)
{
	size_t a = *from, b = *to, start;
	bool wants = false;

	while (a < b && (!line_own(&l->v[a]) || is_tag(l, a, *from) || leads_on(l, a) ||
			 (first && is_greeting(str_trim(l->v[a].text))))) {
		first = first && !line_own(&l->v[a]);
		a++;
	}
	b = narrow_end(l, sender, a, b);
	for (size_t i = start = a; i <= b; i++) {
		if (i < b && line_own(&l->v[i]))
			continue;
		wants = wants || (i > start && paragraph_wants(l, sender, start, i));
		start = i + 1;
	}
	*from = a;
	*to = b;
	return wants;
}
