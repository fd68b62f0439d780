// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * indexfile.c - what an index file holds, as "git ls-files -s -z" prints it.
 */
#include "internal.h"

int index_read(const char *path, struct buf *ret, struct err *err)
{
	git_index *index = NULL;
	int rc = git_index_open(&index, path);

	if (rc)
		return git_fail(err, rc, "index %s", path);
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);
		char id[OID_HEX];

		git_oid_tostr(id, OID_HEX, &e->id);
		buf_printf(ret, "%06o %s %d\t%s", (unsigned)e->mode, id,
			   git_index_entry_stage(e), e->path);
		buf_putc(ret, '\0');
	}
	git_index_free(index);
	return 0;
}
