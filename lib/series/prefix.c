// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * prefix.c - see prefix.h.
 */
#include <ctype.h>
#include <strings.h>
#include "internal.h"
#include "series/mem.h"
#include "series/prefix.h"

#define PREFIX_MAX 64

/* "v2", "V3", "3/7": what the program itself writes. */
static bool is_number(const char *w)
{
	const char *s = *w == 'v' || *w == 'V' ? w + 1 : w;
	size_t digits = strspn(s, "0123456789");

	if (!digits)
		return false;
	return s > w ? !s[digits] : s[digits] == '/';
}

static int check_one(const char *w, bool for_good, struct err *err)
{
	if (!*w || strlen(w) > PREFIX_MAX)
		return err_set(err, E_USAGE,
			       "--prefix: expected a word of 1 to %d letters",
			       PREFIX_MAX);
	for (const char *s = w; *s; s++)
		if (!isgraph((unsigned char)*s) || *s == '[' || *s == ']')
			return err_set(err, E_USAGE,
				       "--prefix '%s': expected one word of ASCII "
				       "letters, without brackets; give the option once "
				       "for each word",
				       w);
	if (!strcasecmp(w, "PATCH") || is_number(w))
		return err_set(err, E_USAGE,
			       "--prefix '%s': PATCH, the version and the number of the "
			       "mail are put there anyway",
			       w);
	if (for_good && !strcasecmp(w, "RESEND"))
		return err_set(err, E_USAGE,
			       "--prefix '%s': that is said of one posting: series send "
			       "--resend",
			       w);
	return 0;
}

int prefix_check(const struct strvec *words, bool for_good, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < words->n && !rc; i++)
		rc = check_one(words->v[i], for_good, err);
	return rc;
}

int series_set_prefixes(struct series *s, const struct strvec *words, struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct json *doc _cleanup_json_ = NULL;
	int rc = prefix_check(words, true, err);

	if (!rc)
		rc = store_begin(s->repo, s->name, false, &t, err);
	if (!rc)
		rc = store_get_json(t, "series.json", &doc, err);
	if (rc)
		return rc;
	json_set_strvec(doc, "prefixes", words);
	store_put_json(t, "series.json", doc);
	rc = store_commit(t, "prefixes", err);
	if (rc)
		return rc;
	strvec_release(&s->prefixes);
	strvec_extend(&s->prefixes, words);
	return 0;
}
