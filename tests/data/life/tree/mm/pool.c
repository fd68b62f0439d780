// SPDX-License-Identifier: GPL-2.0
/* A pool of blocks that all have one size. */
#include "pool.h"

static struct block *pool_pop(struct pool *pool)
{
	struct block *b = pool->free;

	if (b)
		pool->free = b->next;
	return b;
}

static void pool_push(struct pool *pool, struct block *b)
{
	b->next = pool->free;
	pool->free = b;
}

struct block *pool_get(struct pool *pool)
{
	struct block *b;

	spin_lock(&pool->lock);
	b = pool_pop(pool);
	spin_unlock(&pool->lock);
	return b;
}

void pool_put(struct pool *pool, struct block *b)
{
	spin_lock(&pool->lock);
	pool_push(pool, b);
	spin_unlock(&pool->lock);
}

int pool_refill(struct pool *pool, struct block **v, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		v[i] = pool_get(pool);
		if (!v[i])
			break;
	}
	return i;
}
