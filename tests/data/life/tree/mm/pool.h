/* SPDX-License-Identifier: GPL-2.0 */
#ifndef POOL_H
#define POOL_H

struct block {
	struct block *next;
};

struct pool {
	const char *name;
	unsigned int size;
	spinlock_t lock;
	struct block *free;
};

struct block *pool_get(struct pool *pool);
void pool_put(struct pool *pool, struct block *b);
int pool_refill(struct pool *pool, struct block **v, int n);

#endif
