// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tag.c - names of tags: what a word in front of a colon means, misspelt or not.
 *
 * A name that is not known is only taken for a misspelt one when it ends in "by", begins
 * with the same letter and is one slip away (two in a long word): a letter too many, too
 * few, wrong, or two exchanged. Real words that lie as near are told apart by a list.
 */
#include <ctype.h>
#include "series/mem.h"
#include "tag_priv.h"

/* X-and-Y-by of those that are collected, and with those that are not. */
#define PAIR(a, b)    a "-and-" b "-by"
#define PAIRS(a)      PAIR(a, "reviewed"), PAIR(a, "acked"), PAIR(a, "tested")
#define TESTED_AND(a) PAIR("Reviewed", a), PAIR("Acked", a), PAIR("Tested", a)

static const char *const collected[] = {
	"Reviewed-by",		 "Acked-by",	     "Tested-by",
	PAIRS("Reviewed"),	 PAIRS("Acked"),     PAIRS("Tested"),
	PAIRS("Reported"),	 PAIRS("Suggested"), PAIRS("Debugged"),
	PAIRS("Bisected"),	 PAIRS("Diagnosed"), TESTED_AND("reported"),
	TESTED_AND("suggested"),
};

static const char *const offered[] = { "Reported-by",
				       "Suggested-by",
				       PAIR("Reported", "suggested"),
				       PAIR("Reported", "bisected"),
				       PAIR("Reported", "debugged"),
				       PAIR("Reported", "diagnosed"),
				       PAIR("Suggested", "reported") };

static const char *const shown[] = {
	"Signed-off-by",
	"Co-developed-by",
	"Assisted-by",
	"Requested-by",
	"Debugged-by",
	"Diagnosed-by",
	"Bisected-by",
	"Analyzed-by",
	"Analysed-by",
	"Inspired-by",
	"Noticed-by",
	"Investigated-by",
	"Originally-by",
	"Co-authored-by",
	"Based-on-patch-by",
	"Pointed-out-by",
	"Root-caused-by",
	"Proposed-by",
	"Helped-by",
	"Found-by",
	"Spotted-by",
	"Caught-by",
	"Verified-by",
	"Validated-by",
	"Checked-by",
	"Generated-by",
	"Submitted-by",
	"Written-by",
	"Authored-by",
	"Created-by",
	"Discussed-by",
	"Designed-by",
	"Confirmed-by",
	"Reproduced-by",
	"Co-debugged-by",
	"Improved-by",
	"Original-patch-by",
	"Objected-to-by",
	"Rejected-by",
	"Discovered-by",
	"Identified-by",
	"Explained-by",
	"Compile-tested-by",
	"Build-tested-by",
	"Supported-by",
	"Approved-by",
	"Liked-by",
	"Appreciated-by",
	"Revised-by",
	"Reposted-by",
	"Reverted-by",
	"Merged-by",
	"Not-acked-by",
	"Fixed-by",
	"Fixes",
	"Link",
	"Closes",
	"Cc",
};

/* Others say so for something that has a name. */
static const struct {
	const char *word, *means;
	bool misspelt;
} others[] = {
	{ "Nack-by", "Nacked-by", true },
	{ "Naked-by", "Nacked-by", true },
	{ "Nak-by", "Nacked-by", true },
	{ "NAKed-by", "Nacked-by", false },
	{ "Nacked-by", "Nacked-by", false },
	{ "Review-by", "Reviewed-by", true },
	{ "Ack-by", "Acked-by", true },
	{ "Asked-by", "Acked-by", true },
	{ "Acked-off-by", "Acked-by", true },
	{ "Test-by", "Tested-by", true },
	{ "Report-by", "Reported-by", true },
	{ "Suggest-by", "Suggested-by", true },
	{ "Sign-off-by", "Signed-off-by", true },
	{ "Signed-by", "Signed-off-by", true },
	{ "Singed-off-by", "Signed-off-by", true },
	{ "Fixs", "Fixes", true },
	{ "Fixed", "Fixes", true },
	{ "Fix", "Fixes", true },
	{ "Reviewed-off-by", "Reviewed-by", true },
};

void tag_release(struct tag *t)
{
	free(t->type);
	free(t->value);
	free(t->note);
	free(t->name);
	free(t->email);
	free(t->condition);
	free(t->scope_words);
	free(t->scope_patches);
}

void tags_release(struct tags *t)
{
	for (size_t i = 0; i < t->n; i++)
		tag_release(&t->v[i]);
	free(t->v);
	*t = (struct tags){ 0 };
}

/*
 * How many slips lie between a and b: letters more, less, others, or two neighbours
 * exchanged (optimal string alignment). Both are short.
 */
static size_t slips(struct str a, struct str b)
{
	size_t d[TAG_WORD_MAX + 1][TAG_WORD_MAX + 1];

	for (size_t i = 0; i <= a.len; i++)
		for (size_t k = 0; k <= b.len; k++) {
			if (!i || !k) {
				d[i][k] = i + k;
				continue;
			}
			d[i][k] = MIN(MIN(d[i - 1][k], d[i][k - 1]) + 1,
				      d[i - 1][k - 1] + (a.p[i - 1] != b.p[k - 1]));
			if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] &&
			    a.p[i - 2] == b.p[k - 1])
				d[i][k] = MIN(d[i][k], d[i - 2][k - 2] + 1);
		}
	return d[a.len][b.len];
}

/* In small letters, blanks and underscores as dashes, "&" and "/" as "and". */
static bool normal(struct str word, char *ret, size_t *ret_len)
{
	size_t n = 0;

	for (size_t i = 0; i < word.len; i++) {
		char c = word.p[i];
		bool and = c == '&' || c == '/';

		if (c == ' ' || c == '\t' || c == '_')
			c = '-';
		if (!isalpha((unsigned char)c) && c != '-' && !and)
			return false;
		if (n + 5 > TAG_WORD_MAX)
			return false;
		if (and) {
			/* "Acked-by/Tested-by", "Acked & tested by" */
			if (n > 3 && !memcmp(ret + n - 3, "-by", 3))
				n -= 3;
			if (n && ret[n - 1] != '-')
				ret[n++] = '-';
			memcpy(ret + n, "and-", 4);
			n += 4;
			continue;
		}
		if (c == '-' && (!n || ret[n - 1] == '-'))
			continue;
		ret[n++] = (char)tolower((unsigned char)c);
	}
	while (n && ret[n - 1] == '-')
		n--;
	*ret_len = n;
	return n > 1;
}

/* Names of one row that word is, or is nearly. */
static const char *in_row(struct str word, const char *const *row, size_t n, size_t *best)
{
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		struct str name = str_c(row[i]);
		char low[TAG_WORD_MAX];
		size_t d;

		if (name.len > word.len + 2 || word.len > name.len + 2 ||
		    (unsigned char)tolower((unsigned char)name.p[0]) !=
			    (unsigned char)word.p[0])
			continue;
		for (size_t k = 0; k < name.len; k++)
			low[k] = (char)tolower((unsigned char)name.p[k]);
		d = slips(word, str_n(low, name.len));
		if (d < *best) {
			*best = d;
			found = row[i];
		}
	}
	return found;
}

const char *tag_type(struct str word, bool *ret_misspelt)
{
	char low[TAG_WORD_MAX];
	struct str s = { low, 0 };
	const char *found = NULL, *is;
	/* One more than what is forgiven: "-by" and at least as much again. */
	size_t best = 1;

	word = str_trim(word);
	if (!normal(word, low, &s.len))
		return NULL;
	if (ret_misspelt)
		*ret_misspelt = false;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (str_ieqc(s, others[i].word)) {
			if (ret_misspelt)
				*ret_misspelt = others[i].misspelt;
			return others[i].means;
		}
	/* As it should be, first in all rows; then nearly so. */
	for (int pass = 0; pass < 2 && !found; pass++) {
		bool by = s.len > 3 && str_ends(s, "by");

		if (pass && !by)
			break;
		best = !pass ? 1 : s.len >= 11 ? 3 : s.len >= 7 ? 2 : 1;
		if ((is = in_row(s, collected, ARRAY_SIZE(collected), &best)))
			found = is;
		if ((is = in_row(s, offered, ARRAY_SIZE(offered), &best)))
			found = is;
		if (!pass || s.len >= 11)
			if ((is = in_row(s, shown, ARRAY_SIZE(shown), &best)))
				found = is;
		if (found && pass && ret_misspelt)
			*ret_misspelt = true;
	}
	return found;
}

enum tag_kind tag_kind_of(const char *type)
{
	for (size_t i = 0; i < ARRAY_SIZE(collected); i++)
		if (!strcmp(type, collected[i]))
			return TAG_COLLECTED;
	for (size_t i = 0; i < ARRAY_SIZE(offered); i++)
		if (!strcmp(type, offered[i]))
			return TAG_OFFERED;
	return strcmp(type, "Nacked-by") ? TAG_SHOWN : TAG_NAK;
}

char *tag_line(const struct tag *t)
{
	const char *usual = tag_type(str_c(t->type), NULL);
	const char *type = usual ? usual : t->type;

	if (!*type)
		return xstrdup("");
	return xasprintf("%s: %s%s%s", type, t->value ? t->value : "",
			 t->note ? "\n" : "", t->note ? t->note : "");
}
