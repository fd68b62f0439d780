// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hints.c - a mail alone, read by what posted_find() reads all mails with.
 */
#include <stdlib.h>
#include "posted_priv.h"
#include "series/hints.h"
#include "series/mem.h"

/* What was read of the item goes to the hints. */
static void take_item(struct item *it, struct hints *ret)
{
	ret->item = true;
	ret->first = it->cover || !it->s.counted || it->s.n == 1;
	ret->subject = it->s;
	ret->name = it->from.name;
	ret->email = it->from.hidden ? xstrdup("") : it->from.email;
	if (it->from.hidden)
		free(it->from.email);
	ret->change_id = it->change_id;
	ret->named = it->named;
}

void hints_read(const struct thread *t, struct hints *ret)
{
	size_t item_of = NONE, up_of = NONE;
	struct finder f = {
		.t = t, .item_of = &item_of, .up_of = &up_of, .no_patch_ids = true
	};

	*ret = (struct hints){ .item = false };
	find_items(&f);
	if (f.n)
		take_item(&f.v[0], ret);
	else
		find_obsoleted(&f, 0, 0);
	for (size_t i = 0; i < f.n_obsoleted; i++)
		strvec_take(&ret->named, f.obsoleted[i].by);
	free(f.obsoleted);
	free(f.possible);
	free(f.v);
}

void hints_release(struct hints *h)
{
	subject_release(&h->subject);
	free(h->name);
	free(h->email);
	free(h->change_id);
	strvec_release(&h->named);
}
