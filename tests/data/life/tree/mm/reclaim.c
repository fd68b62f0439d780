// SPDX-License-Identifier: GPL-2.0
/* Blocks that nobody needs go back to their pool. */
#include "pool.h"

static void isolate(struct list *from, struct list *to, int max)
{
	int n = 0;

	while (n < max && !list_empty(from)) {
		list_move(from, to);
		n++;
	}
}

static void putback(struct pool *pool, struct list *blocks)
{
	struct block *b;

	while ((b = list_take(blocks)))
		pool_put(pool, b);
}

void reclaim(struct pool *pool, struct list *cold)
{
	struct list blocks = { 0 };

	isolate(cold, &blocks, RECLAIM_MAX);
	putback(pool, &blocks);
}
