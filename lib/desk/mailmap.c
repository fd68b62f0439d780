// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mailmap.c - see mailmap.h.
 */
#include "mailmap.h"
#include "series/addr.h"
#include "series/git.h"
#include "series/mem.h"

bool same_by_mailmap(void *repo, const char *a, const char *b)
{
	char *x _cleanup_free_ = xstrdup(repo_mailmap(repo, "", a));

	return email_same(x, repo_mailmap(repo, "", b));
}
