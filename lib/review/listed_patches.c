// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * listed_patches.c - what the patches of a row's version touch: files and functions, by
 * which series collide; and the ids they can be found by elsewhere.
 */
#include "listed_priv.h"
#include "series/diff.h"
#include "series/mem.h"

/* The name in what stands behind "@@": the word in front of "(", else the last one. */
static struct str func_name(struct str line)
{
	ptrdiff_t paren = str_chr(line, '(');
	size_t end = paren >= 0 ? (size_t)paren : str_trim_end(line).len, at;

	while (end && str_space(line.p[end - 1]))
		end--;
	if (paren < 0)
		while (end && strchr("={;", line.p[end - 1]))
			end = str_trim_end(str_n(line.p, end - 1)).len;
	for (at = end; at && !str_space(line.p[at - 1]) && line.p[at - 1] != '*';)
		at--;
	return str_n(line.p + at, end - at);
}

static void list_diff(struct listed *row, struct str text)
{
	struct diff d _cleanup_diff_ = { 0 };

	diff_read(text, &d);
	for (size_t i = 0; i < d.n_files; i++) {
		const struct diff_file *f = &d.file[i];
		const char *path = diff_path(f);

		if (!path)
			continue;
		strvec_push(&row->files, path);
		if (f->kind == DIFF_RENAMED && f->old_path)
			strvec_push(&row->files, f->old_path);
	}
	for (size_t i = 0; i < d.n_hunks; i++) {
		struct str name = func_name(d.hunk[i].func);
		const char *path = diff_path(&d.file[d.hunk[i].file]);

		if (name.len && path)
			strvec_pushf(&row->funcs, "%s\t" STR_FMT, path, STR_ARG(name));
	}
}

void list_patches(struct lister *l, size_t series)
{
	const struct posted_version *v = &l->p->v[l->newest[series]];
	struct listed *row = &l->all->v[series];

	for (size_t k = 0; k < v->total; k++) {
		const struct posted_patch *patch = &v->patch[k];
		struct buf own _cleanup_buf_ = BUF_INIT;

		strvec_push(&row->patch_ids, patch->patch_id);
		if (patch->mail == NO_MAIL) {
			strvec_push(&row->mail_ids, "");
			continue;
		}
		strvec_push(&row->mail_ids,
			    l->t->v[patch->mail].id ? l->t->v[patch->mail].id : "");
		list_diff(row, thread_text(l->t, patch->mail, &own));
	}
	sort_once(&row->files);
	sort_once(&row->funcs);
}
