// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wantblobs.c - see wantblobs.h.
 */
#include <ctype.h>
#include "series/diff.h"
#include "wantblobs.h"

void want_blobs_release(struct want_blobs *w)
{
	strvec_release(&w->paths);
	strvec_release(&w->oids);
}

static bool is_hex(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!isxdigit((unsigned char)s.p[i]))
			return false;
	return true;
}

/* "index 0123..4567 100644" below "diff --git"; the first patch of a file counts. */
void want_blobs_add(struct str patch, struct want_blobs *w)
{
	struct diff d _cleanup_diff_ = { .file = NULL };
	struct str line;
	size_t file = 0;

	diff_read(patch, &d);
	while (str_line(&patch, &line)) {
		const char *path;
		ptrdiff_t dots;

		if (str_starts(line, "diff --git "))
			file++;
		if (!file || file > d.n_files || !str_skip(&line, "index "))
			continue;
		path = d.file[file - 1].old_path;
		if (!path)
			path = d.file[file - 1].new_path;
		dots = str_find(line, "..");
		/* They become arguments of git: never "--option". */
		if (dots < 4 || !is_hex(str_n(line.p, (size_t)dots)) || !path ||
		    strvec_has(&w->paths, path))
			continue;
		strvec_push(&w->paths, path);
		strvec_push_str(&w->oids, str_n(line.p, (size_t)dots));
	}
}
