// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hunkfiles.c - see hunkfiles.h.
 */
#include <string.h>
#include <strings.h>
#include "hunkfiles.h"
#include "series/diff.h"
#include "series/mem.h"

#define FILL	   "\t~\n" /* no driver of git takes it for a function */
#define FILL_LINES 8	   /* more than the context around two hunks */

void hunk_files_release(struct hunk_files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->v[i].old_path);
		free(f->v[i].new_path);
		buf_release(&f->v[i].old_text);
		buf_release(&f->v[i].new_text);
	}
	free(f->v);
	*f = (struct hunk_files){ 0 };
}

/* May git have that path in a tree? */
static bool path_fits(const char *path)
{
	struct str rest = str_c(path), part;

	if (!path)
		return true;
	if (!*path || path[strlen(path) - 1] == '/')
		return false;
	while (str_cut(&rest, '/', &part))
		if (!part.len || str_eqc(part, ".") || str_eqc(part, "..") ||
		    (part.len == 4 && !strncasecmp(part.p, ".git", 4)))
			return false;
	return true;
}

static void take_mode(struct str mode, char ret[7])
{
	mode = str_trim(mode);
	if (str_eqc(mode, "100755") || str_eqc(mode, "120000"))
		memcpy(ret, mode.p, 6);
}

/* "AAA..BBB": the objects of both sides. */
static void take_blobs(struct str ids, struct hunk_file *f)
{
	ssize_t dots = str_find(ids, "..");
	struct str a, b;

	if (dots < 0)
		return;
	a = str_n(ids.p, (size_t)dots);
	b = str_n(ids.p + dots + 2, ids.len - (size_t)dots - 2);
	if (a.len >= sizeof(f->old_blob) || b.len >= sizeof(f->new_blob))
		return;
	memcpy(f->old_blob, a.p, a.len);
	memcpy(f->new_blob, b.p, b.len);
}

/* What stands above the hunks; git writes its files in the order of the diff. */
static void read_heads(struct str patch, struct hunk_files *files)
{
	struct str line, word;
	struct hunk_file *f = NULL;
	size_t n = 0;

	while (str_line(&patch, &line)) {
		if (str_starts(line, "diff --git "))
			f = n < files->n ? &files->v[n++] : NULL;
		else if (!f)
			continue;
		else if (str_skip(&line, "old mode ") ||
			 str_skip(&line, "deleted file mode "))
			take_mode(line, f->old_mode);
		else if (str_skip(&line, "new mode ") ||
			 str_skip(&line, "new file mode "))
			take_mode(line, f->new_mode);
		else if (str_skip(&line, "index ") && str_word(&line, &word)) {
			take_blobs(word, f);
			take_mode(line, f->old_mode);
			take_mode(line, f->new_mode);
		}
	}
}

static void drop_line_end(struct buf *b)
{
	if (b->len && b->p[b->len - 1] == '\n')
		buf_truncate(b, b->len - 1);
}

/* The lines of a hunk on the sides that have them. */
static void put_hunk(const struct diff_hunk *h, struct hunk_file *f)
{
	struct str rest = h->lines, line;
	char last = ' ';

	while (str_line(&rest, &line)) {
		char mark = line.len ? line.p[0] : ' ';
		struct str text = line.len ? str_n(line.p + 1, line.len - 1) : line;

		if (mark == '\\') {
			if (last != '+')
				drop_line_end(&f->old_text);
			if (last != '-')
				drop_line_end(&f->new_text);
			continue;
		}
		last = mark;
		if (mark != '+') {
			buf_addstr(&f->old_text, text);
			buf_putc(&f->old_text, '\n');
		}
		if (mark != '-') {
			buf_addstr(&f->new_text, text);
			buf_putc(&f->new_text, '\n');
		}
	}
}

static void put_both(struct hunk_file *f, struct str text)
{
	buf_addstr(&f->old_text, text);
	buf_addstr(&f->new_text, text);
}

static void put_fill(struct hunk_file *f, size_t lines)
{
	while (lines--)
		put_both(f, STR_LIT(FILL));
}

/* git calls two files one that was renamed when half of them is the same. */
static void put_likeness(struct hunk_file *f, const struct diff *d,
			 const struct diff_file *from)
{
	size_t bytes = 0;

	for (size_t i = 0; i < from->n_hunks; i++)
		bytes += d->hunk[from->hunk + i].lines.len;
	for (size_t done = 0; done <= 2 * bytes;) {
		size_t before = f->old_text.len;
		char *line _cleanup_free_ =
			xasprintf("\t~ %s %s\n", from->old_path, from->new_path);

		put_both(f, str_c(line));
		done += f->old_text.len - before;
	}
	put_fill(f, FILL_LINES);
}

static void put_text(struct hunk_file *f, const struct diff *d,
		     const struct diff_file *from)
{
	bool renamed = from->kind == DIFF_RENAMED;
	bool at_top = from->n_hunks && d->hunk[from->hunk].old_start <= 1;

	if (renamed && !at_top)
		put_likeness(f, d, from);
	for (size_t i = 0; i < from->n_hunks; i++) {
		const struct diff_hunk *h = &d->hunk[from->hunk + i];
		struct str func = str_trim(h->func);

		if (h->old_start > 1) {
			put_fill(f, FILL_LINES);
			put_both(f, func);
			if (func.len)
				put_both(f, STR_LIT("\n"));
		}
		put_hunk(h, f);
	}
	if (renamed && at_top) {
		put_fill(f, FILL_LINES);
		put_likeness(f, d, from);
	}
	if (!from->n_hunks && !renamed && f->old_path && f->new_path)
		put_fill(f, 1);
}

/* That it changes, and into what: its object, else the words of the mail. */
static void put_binary(struct hunk_file *f, struct str patch)
{
	buf_putc(&f->old_text, '\0');
	buf_puts(&f->old_text, f->old_blob);
	buf_putc(&f->new_text, '\0');
	buf_addstr(&f->new_text, *f->new_blob ? str_c(f->new_blob) : patch);
}

static void note_losses(const struct diff *d, const struct diff_file *from,
			struct strvec *notes)
{
	if (from->no_content)
		strvec_pushf(notes, "what %s becomes is not in the mail",
			     diff_path(from));
	for (size_t i = 0; i < from->n_hunks; i++)
		if (d->hunk[from->hunk + i].cut) {
			strvec_pushf(notes, "the diff of %s is cut short",
				     diff_path(from));
			return;
		}
}

void hunk_files_read(struct str patch, struct hunk_files *ret, struct strvec *notes)
{
	struct diff d _cleanup_diff_ = { 0 };

	diff_read(patch, &d);
	for (size_t i = 0; i < d.n_files; i++) {
		const struct diff_file *from = &d.file[i];
		struct hunk_file *f;

		vec_grow(ret->v, ret->n, ret->cap);
		f = &ret->v[ret->n++];
		*f = (struct hunk_file){ .old_mode = "100644", .new_mode = "100644" };
		note_losses(&d, from, notes);
		if (!path_fits(from->old_path) || !path_fits(from->new_path)) {
			strvec_pushf(notes, "git has no such path: %s", diff_path(from));
			continue;
		}
		f->old_path =
			from->kind == DIFF_ADDED ? NULL : xstrdup_null(from->old_path);
		f->new_path =
			from->kind == DIFF_DELETED ? NULL : xstrdup_null(from->new_path);
		f->binary = from->binary;
	}
	read_heads(patch, ret);
	for (size_t i = 0; i < d.n_files; i++) {
		if (ret->v[i].binary)
			put_binary(&ret->v[i], patch);
		else
			put_text(&ret->v[i], &d, &d.file[i]);
	}
}
