// SPDX-License-Identifier: GPL-2.0
/* What /proc/pools shows. */
#include "pool.h"

void stat_show(struct seq *s, const struct pool *pool)
{
	seq_printf(s, "%s\n", pool->name);
	seq_printf(s, "size %u\n", pool->size);
}
