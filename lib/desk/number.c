// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * number.c - which version a posting of the draft is, and the prefix that says so.
 */
#include <strings.h>
#include "prep.h"
#include "series/mem.h"
#include "series/prefix.h"

int choose_version(struct prep *q, int *ret, struct err *err)
{
	int draft = series_draft(q->s), n = q->o->version ? q->o->version : draft;
	const struct version *v = series_version(q->s, n), *last = series_last(q->s);

	if (q->o->version == 1 && series_may_restart(q->s)) {
		q->p->outbox->restart = true;
		*ret = 1;
		return 0;
	}
	if (v)
		return err_set(err, E_EXISTS,
			       "v%d was posted already (%s); the draft is v%d", n,
			       version_state(v) ? version_state(v) : "recorded", draft);
	if (n < draft && last && !last->rfc && last->n > n)
		return err_set(
			err, E_USAGE,
			"v%d would come before v%d, which was posted; the draft is "
			"v%d",
			n, last->n, draft);
	if (n < draft)
		return err_set(
			err, E_USAGE,
			"v%d was posted by other means, the series says; the draft "
			"is v%d",
			n, draft);
	*ret = n;
	return 0;
}

/* format.subjectPrefix may hold anything, and so may the state of others. */
int prep_check_prefix(const char *prefix, struct err *err)
{
	for (const char *s = prefix; *s; s++)
		if ((unsigned char)*s < 0x20 || (unsigned char)*s >= 0x7f || *s == '[' ||
		    *s == ']')
			return err_set(err, E_USAGE,
				       "'%s' cannot be the prefix of a subject: it is to "
				       "be of ASCII letters, without brackets and line "
				       "ends; look at format.subjectPrefix",
				       prefix);
	return 0;
}

static bool has_word(const struct strvec *words, const char *word)
{
	for (size_t i = 0; i < words->n; i++)
		if (!strcasecmp(words->v[i], word))
			return true;
	return false;
}

/* "RESEND RFC PATCH mm v2": RESEND and RFC in front as git has it, the others behind. */
static char *draft_prefix(const struct prep *q, const struct strvec *words, int version)
{
	const char *base = config_get(q->c, "format.subjectprefix");
	struct buf b = BUF_INIT;

	if (!base)
		base = "PATCH";
	if (has_word(words, "RESEND") && !prefix_has(base, "RESEND"))
		buf_puts(&b, "RESEND ");
	if ((q->o->rfc || has_word(words, "RFC")) && !prefix_has(base, "RFC"))
		buf_puts(&b, "RFC ");
	buf_puts(&b, base);
	for (size_t i = 0; i < words->n; i++)
		if (strcasecmp(words->v[i], "RFC") && strcasecmp(words->v[i], "RESEND") &&
		    !prefix_has(base, words->v[i]))
			buf_printf(&b, " %s", words->v[i]);
	if (version > 1)
		buf_printf(&b, " v%d", version);
	return buf_take(&b);
}

int make_prefix(struct prep *q, int version, struct err *err)
{
	const struct strvec *words = q->o->prefixes ? q->o->prefixes : &q->s->prefixes;
	int rc = q->o->prefixes ? prefix_check(words, false, err) : 0;

	if (rc)
		return rc;
	q->p->prefix =
		q->again ? resend_prefix(q->again) : draft_prefix(q, words, version);
	return prep_check_prefix(q->p->prefix, err);
}
