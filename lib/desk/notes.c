// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * notes.c - the notes of single patches on their way into the mails.
 */
#include <stdlib.h>
#include "letter.h"
#include "series/compose.h"
#include "series/mem.h"

static void judge_note(const struct series *s, const struct patchnote *n,
		       struct findings *f)
{
	char *remedy _cleanup_free_ = NULL, *cut _cleanup_free_ = NULL;

	if (!n->k) {
		findings_add(f, "notes-patch", SEVERITY_ERROR, PATCHNOTES_FILE,
			     "write a line \"patch K:\" above it: series cover --patch "
			     "all --edit",
			     "text for no patch");
		return;
	}
	if (!n->found) {
		findings_add(f, "notes-patch", SEVERITY_ERROR, PATCHNOTES_FILE,
			     "name the patch that is meant, or take the note out: series "
			     "cover --patch all --edit",
			     "'patch %d:%s%s' is none of the %zu patches of the branch",
			     n->k, *n->subject ? " " : "", n->subject, s->n_patches);
		return;
	}
	cut = notes_cut(str_c(n->text));
	remedy = xasprintf("indent the line: series cover --patch %d --edit", n->k);
	if (cut)
		findings_add(f, "notes-cut", SEVERITY_ERROR, PATCHNOTES_FILE, remedy,
			     "patch %d: %s", n->k, cut);
}

int notes_make(const struct series *s, bool judge, struct patchnotes *ret,
	       struct findings *f, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = series_notes_read(s->repo, s->name, &text, err);

	if (rc)
		return rc;
	patchnotes_parse(buf_str(&text), ret);
	patchnotes_match(ret, s->patches, s->n_patches);
	for (size_t i = 0; judge && i < ret->n; i++)
		judge_note(s, &ret->v[i], f);
	return 0;
}
