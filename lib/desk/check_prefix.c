// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_prefix.c - the words in the brackets are those of the last version. Within one
 * posting all mails have one prefix: there is one place that makes it.
 */
#include <ctype.h>
#include "check_priv.h"

/* "RFC PATCH mm v2" to "PATCH mm": what readers sort by. */
static char *words(const char *prefix)
{
	struct strvec kept _cleanup_strvec_ = STRVEC_INIT;
	struct str rest = str_c(prefix), w;

	while (str_word(&rest, &w)) {
		if (str_eqc(w, "RFC") || str_eqc(w, "RESEND") ||
		    (w.len > 1 && w.p[0] == 'v' && isdigit((unsigned char)w.p[1])))
			continue;
		strvec_push_str(&kept, w);
	}
	return strvec_join(&kept, " ");
}

/* The command that brings the words of "PATCH mm" back. */
static char *restore(const char *was)
{
	struct buf b = BUF_INIT;
	struct str rest = str_c(was), w;

	while (str_word(&rest, &w))
		if (!str_eqc(w, "PATCH"))
			buf_printf(&b, " --prefix " STR_FMT, STR_ARG(w));
	if (!b.len) {
		buf_release(&b);
		return xstrdup("series cover --no-prefix");
	}
	{
		char *list _cleanup_free_ = buf_take(&b);

		return xasprintf("series cover%s", list);
	}
}

int check_prefix(struct check_ctx *x, struct err *err)
{
	const struct version *last = series_last(x->s);
	const char *old = last && last->n_postings ? last->postings[0].prefix : NULL;
	char *was _cleanup_free_ = NULL, *now _cleanup_free_ = NULL,
		  *remedy _cleanup_free_ = NULL;

	if (!old || !x->p->prefix)
		return 0;
	was = words(old);
	now = words(x->p->prefix);
	if (strcmp(was, now)) {
		remedy = restore(was);
		check_add(x, "prefix-changed", NULL, remedy,
			  "v%d went out as [%s], this is [%s]", last->n, old,
			  x->p->prefix);
	}
	return 0;
}
