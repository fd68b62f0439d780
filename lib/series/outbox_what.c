// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outbox_what.c - what an outbox is for, to whom it goes and how far it is: what can be
 * told without its folder.
 */
#include "series/mem.h"
#include "series/outbox.h"

char *outbox_rehearsal_name(const char *series)
{
	return xasprintf("%s:rehearsal", series);
}

char *outbox_reply_name(const char *series)
{
	return xasprintf("%s:reply", series);
}

const char *outbox_loose_name(void)
{
	return ":triage";
}

struct posting *outbox_posting(const struct outbox *o)
{
	const struct version *v = &o->version;

	if (o->fixup)
		return v->n_fixups ? &v->fixups[v->n_fixups - 1].posting : NULL;
	return v->n_postings ? &v->postings[v->n_postings - 1] : NULL;
}

char *outbox_what(const struct outbox *o)
{
	const struct version *v = &o->version;

	if (o->reply.n || o->loose)
		return xasprintf("the reply to %s", o->to.n ? o->to.v[0] : "a remark");
	if (o->thanks.n)
		return xasprintf("the thanks to %s", o->to.n ? o->to.v[0] : "an author");
	return o->fixup ? xasprintf("the fix for patch %d of v%d",
				    v->fixups[v->n_fixups - 1].patch, v->n)
			: xasprintf("v%d", v->n);
}

const char *outbox_command(const struct outbox *o)
{
	return o->loose	     ? "series triage"
	       : o->thanks.n ? "series thank"
	       : o->reply.n  ? "series remarks"
			     : "series send";
}

const struct strvec *outbox_to(const struct outbox *o)
{
	return o->to.n || o->cc.n ? &o->to : &o->version.to;
}

const struct strvec *outbox_cc(const struct outbox *o)
{
	return o->to.n || o->cc.n ? &o->cc : &o->version.cc;
}

size_t outbox_count(const struct outbox *o, enum outbox_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n_mails; i++)
		n += o->mails[i].state == state;
	return n;
}

bool outbox_untouched(const struct outbox *o)
{
	for (size_t i = 0; i < o->n_mails; i++)
		if (o->mails[i].left || o->mails[i].state != OUTBOX_TODO)
			return false;
	return true;
}
