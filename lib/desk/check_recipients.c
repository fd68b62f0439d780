// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_recipients.c - authors and people of trailers get a copy, and so does who got the
 * last version or said something about one. Whom the user dropped by hand is not asked for.
 */
#include "check_priv.h"
#include "recipients_priv.h"
#include "series/mem.h"
#include "series/sanitize.h"

static bool gets_it(const struct check_ctx *x, const struct strvec *dropped,
		    const char *email)
{
	const struct recipients *r = &x->p->to;

	if (addrs_find(&r->to, email) || addrs_find(&r->cc, email) ||
	    addrs_find(&r->bcc, email) || email_same(email, x->p->from.email))
		return true;
	for (size_t i = 0; i < dropped->n; i++)
		if (email_same(dropped->v[i], email))
			return true;
	return false;
}

static char *add_remedy(const struct addr *a, const char *side)
{
	char *shown _cleanup_free_ = addr_show_dup(a);
	char *word _cleanup_free_ = shell_word(shown);

	return xasprintf("series recipients --add-%s %s", side, word);
}

static int look_at_people(struct check_ctx *x, const struct strvec *dropped,
			  struct err *err)
{
	struct suppress q _cleanup_suppress_ = { 0 };
	struct recipients found _cleanup_recipients_ = { 0 };
	struct strvec notes _cleanup_strvec_ = STRVEC_INIT;
	struct series looked_at = *x->s; /* but for a fix, which is a commit of its own */
	int rc = conf_suppress(x->c, &q, err);

	memcpy(looked_at.base, x->base, OID_HEX);
	memcpy(looked_at.head, x->head, OID_HEX);
	if (!rc)
		rc = trailers_find(&looked_at, &q, &found, &notes, err);
	for (size_t i = 0; !rc && i < found.cc.n; i++) {
		const struct addr *a = &found.cc.v[i];
		char *remedy _cleanup_free_ =
			x->p->outbox->fixup ? xasprintf("send it with --cc %s", a->email)
					    : add_remedy(a, "cc");

		if (!gets_it(x, dropped, a->email))
			check_add(x, "recipient-missing", NULL, remedy,
				  "%s gets no copy (%s)", a->email,
				  found.why_cc.v[i].n ? found.why_cc.v[i].v[0] : "");
	}
	return rc;
}

static void look_at_list(struct check_ctx *x, const struct strvec *dropped,
			 const struct version *last, const struct strvec *shown,
			 const char *side)
{
	for (size_t i = 0; i < shown->n; i++) {
		struct addrs a _cleanup_addrs_ = ADDRS_INIT;

		if (addrs_parse(&a, shown->v[i], NULL))
			continue;
		for (size_t k = 0; k < a.n; k++) {
			char *remedy _cleanup_free_ = add_remedy(&a.v[k], side);

			if (!gets_it(x, dropped, a.v[k].email))
				check_add(x, "recipients-shrunk", NULL, remedy,
					  "%s got v%d, and would not get this",
					  a.v[k].email, last->n);
		}
	}
}

static int look_at_commenters(struct check_ctx *x, const struct strvec *dropped,
			      struct err *err)
{
	struct review r _cleanup_review_ = { .n_tags = 0 };
	struct recipients found _cleanup_recipients_ = { 0 };
	int rc = review_load(x->s, &r, err);

	if (rc)
		return rc;
	commenters_find(&r, &found);
	for (size_t i = 0; i < found.cc.n; i++)
		if (!gets_it(x, dropped, found.cc.v[i].email))
			check_add(x, "commenter-missing", NULL, "series recipients --auto",
				  "%s %s, and would not get this", found.cc.v[i].email,
				  found.why_cc.v[i].v[0]);
	return 0;
}

int check_recipients(struct check_ctx *x, struct err *err)
{
	struct strvec dropped _cleanup_strvec_ = STRVEC_INIT;
	const struct version *last = series_last(x->s);
	int rc;

	if (x->p->outbox->rehearsal)
		return 0;
	rc = recipients_dropped(x->s, &dropped, err);
	if (!rc)
		rc = look_at_people(x, &dropped, err);
	if (!rc && last && !x->p->outbox->fixup) {
		look_at_list(x, &dropped, last, &last->to, "to");
		look_at_list(x, &dropped, last, &last->cc, "cc");
		rc = look_at_commenters(x, &dropped, err);
	}
	return rc;
}
