// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * apart.c - trials leave nothing in the repository: their objects go to another folder.
 */
#include "apart.h"
#include "series/fs.h"
#include "series/mem.h"

/* Alternates are separated by colons, and quoted when there is one in them. */
static char *alternates(const char *objects)
{
	const char *more = getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES");
	struct buf b = BUF_INIT;

	buf_puts(&b, "GIT_ALTERNATE_OBJECT_DIRECTORIES=");
	if (strpbrk(objects, ":\"\\")) {
		buf_putc(&b, '"');
		for (; *objects; objects++) {
			if (*objects == '"' || *objects == '\\')
				buf_putc(&b, '\\');
			buf_putc(&b, *objects);
		}
		buf_putc(&b, '"');
	} else {
		buf_puts(&b, objects);
	}
	if (more && *more)
		buf_printf(&b, ":%s", more);
	return buf_take(&b);
}

void objects_apart(struct repo *r, const char *objects, char *ret[2])
{
	const char *mine = getenv("GIT_OBJECT_DIRECTORY");
	char *shared _cleanup_free_ =
		mine ? xstrdup(mine) : path_join(repo_common_dir(r), "objects");

	ret[0] = xasprintf("GIT_OBJECT_DIRECTORY=%s", objects);
	ret[1] = alternates(shared);
}
