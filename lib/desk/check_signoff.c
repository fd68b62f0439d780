// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_signoff.c - Signed-off-by of the author, and of who sends as the last one
 * (Documentation/process/submitting-patches.rst, "Sign your work").
 */
#include "check_priv.h"
#include "series/sanitize.h"

/* Everybody who signed, in order. */
static void read_signers(const char *message, struct addrs *ret)
{
	struct str rest = str_c(message), line, value;

	while (str_line(&rest, &line))
		if (trailer_is(line, "Signed-off-by", &value))
			addr_trailer(value, ret, NULL);
}

static const struct addr *by_name(const struct addrs *a, const char *name)
{
	for (size_t i = 0; i < a->n; i++)
		if (*name && !strcmp(a->v[i].name, name))
			return &a->v[i];
	return NULL;
}

/* "git rebase --signoff BASE" signs as who sends. */
static char *sign_remedy(const struct check_ctx *x)
{
	const char *email = config_get(x->c, "user.email");
	char *as _cleanup_free_ = NULL, *at _cleanup_free_ = NULL;

	if (email && !strcmp(email, x->p->from.email))
		return xasprintf("git rebase --signoff %.12s", x->base);
	as = shell_word(x->p->from.name);
	at = shell_word(x->p->from.email);
	return xasprintf("git -c user.name=%s -c user.email=%s rebase --signoff %.12s",
			 as, at, x->base);
}

/* False when the author has not signed at all. */
static bool look_at_author(struct check_ctx *x, size_t i, const struct addrs *signers)
{
	const struct commit *c = &x->commits[i];
	const struct addr *other = by_name(signers, c->author_name);
	char *where _cleanup_free_ = check_where(x, i), *remedy _cleanup_free_ = NULL;
	bool mine = email_same(c->author_email, x->p->from.email);

	if (addrs_find(signers, c->author_email))
		return true;
	if (other) {
		remedy = check_rebase(x, i, "edit");
		check_add(x, "author-address", where, remedy,
			  "the author is <%s>, and signs off as <%s>", c->author_email,
			  other->email);
		return true;
	}
	remedy = mine ? sign_remedy(x) : check_rebase(x, i, "reword");
	check_add(x, "signed-off-author", where, remedy,
		  "there is no Signed-off-by: %s <%s>%s", c->author_name, c->author_email,
		  mine ? "" : ", who wrote it: ask for it");
	return false;
}

static void look_at_sender(struct check_ctx *x, size_t i, const struct addrs *signers)
{
	const struct addr *from = &x->p->from;
	const struct addr *last = signers->n ? &signers->v[signers->n - 1] : NULL;
	char *where _cleanup_free_ = check_where(x, i);
	char *remedy _cleanup_free_ = sign_remedy(x);

	if (last && (email_same(last->email, from->email) ||
		     (*from->name && !strcmp(last->name, from->name))))
		return;
	if (last)
		check_add(x, "signed-off-sender", where, remedy,
			  "the last Signed-off-by is %s's, and %s sends it", last->name,
			  from->email);
	else
		check_add(x, "signed-off-sender", where, remedy,
			  "there is no Signed-off-by of %s, who sends it", from->email);
}

int check_signoff(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		struct addrs signers _cleanup_addrs_ = ADDRS_INIT;
		bool same = email_same(x->commits[i].author_email, x->p->from.email);

		read_signers(x->commits[i].message, &signers);
		/* One who is both is told once. */
		if (look_at_author(x, i, &signers) || !same)
			look_at_sender(x, i, &signers);
	}
	return 0;
}
