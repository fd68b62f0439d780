// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cover_notes.c - see cover_notes.h.
 */
#include <ctype.h>
#include "cover_notes.h"
#include "edit.h"
#include "intake.h"
#include "series/mem.h"
#include "series/patchnotes.h"
#include "series/sha256.h"

/* What the command is about: the note of patch k, or all (k 0). */
struct job {
	int k;
	struct buf stored; /* notes.txt as it was when it was read */
	struct patchnotes notes;
};

static void job_release(struct job *j)
{
	buf_release(&j->stored);
	patchnotes_release(&j->notes);
}

static const char *subject_of(struct ctx *c, int k)
{
	return c->series->patches[k - 1].subject;
}

static int read_job(struct ctx *c, struct job *j, struct err *err)
{
	int rc;

	buf_reset(&j->stored);
	patchnotes_release(&j->notes);
	rc = series_notes_read(c->repo, c->series->name, &j->stored, err);
	if (rc)
		return rc;
	patchnotes_parse(buf_str(&j->stored), &j->notes);
	patchnotes_match(&j->notes, c->series->patches, c->series->n_patches);
	return 0;
}

static void put_text(const struct job *j, struct buf *out)
{
	const struct patchnote *n = j->k ? patchnotes_get(&j->notes, j->k) : NULL;

	if (!j->k)
		patchnotes_format(&j->notes, out);
	else if (n)
		buf_puts(out, n->text);
}

/* Store text over what read_job() saw, and say so. */
static int put(struct ctx *c, struct job *j, struct str text, struct err *err)
{
	struct buf now _cleanup_buf_ = BUF_INIT;
	char *what _cleanup_free_ = j->k ? xasprintf("note of patch %d", j->k)
					 : xstrdup("notes of all patches");
	bool changed = false, none;
	int rc;

	if (j->k) {
		patchnotes_set(&j->notes, j->k, subject_of(c, j->k), text);
	} else {
		patchnotes_release(&j->notes);
		patchnotes_parse(text, &j->notes);
		patchnotes_match(&j->notes, c->series->patches, c->series->n_patches);
	}
	patchnotes_format(&j->notes, &now);
	none = j->k ? !patchnotes_get(&j->notes, j->k) : !now.len;
	rc = series_notes_write(c->repo, c->series->name, buf_str(&now),
				buf_str(&j->stored), &changed, err);
	if (!rc)
		out_printf(&c->out, "series %s: %s %s\n", c->series->name, what,
			   !changed ? "unchanged"
			   : none   ? "removed"
				    : "stored");
	return rc;
}

static int start_edit(struct ctx *c, void *data, struct edit_start *ret, struct err *err)
{
	struct job *j = data;
	int rc = read_job(c, j, err);

	if (!rc)
		put_text(j, &ret->text);
	return rc;
}

static int store_edit(struct ctx *c, void *data, struct str text, bool saved,
		      struct err *err)
{
	return put(c, data, text, err);
}

/* Of the text, for messages. */
static char *title_of(const struct job *j)
{
	return j->k ? xasprintf("the note of patch %d", j->k)
		    : xstrdup("the text with the notes");
}

/*
 * By the subject, for a text that is kept must not go to another patch after a rebase.
 * The digits tell apart what is the same in letters, or in all of them but those of
 * ASCII.
 */
static char *file_name(struct ctx *c, int k)
{
	const char *subject = k ? subject_of(c, k) : "";
	char digits[SHA256_HEX], *name;

	if (!k)
		return xstrdup("notes");
	sha256_hex(subject, strlen(subject), digits);
	name = xasprintf("note-%.60s-%.8s", subject, digits);
	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p))
			*p = '-';
	return name;
}

static int edit(struct ctx *c, struct job *j, struct err *err)
{
	char *title _cleanup_free_ = title_of(j);
	char *file _cleanup_free_ = file_name(c, j->k);
	struct edit_job job = { .title = title,
				.file = file,
				.max = PATCHNOTES_MAX,
				.start = start_edit,
				.store = store_edit,
				.data = j };

	return edit_text(c, &job, err);
}

static struct json *as_json(const struct series *s, const struct job *j)
{
	struct json *doc = json_obj(), *list = json_arr();

	for (size_t i = 0; i < j->notes.n; i++) {
		const struct patchnote *n = &j->notes.v[i];
		struct json *one;

		if (j->k && !(n->found && n->k == j->k))
			continue;
		one = json_obj();
		json_set_int(one, "patch", n->k);
		json_set_str(one, "subject", n->subject);
		json_set_str(one, "text", n->text);
		json_set_bool(one, "found", n->found);
		json_push(list, one);
	}
	json_set_int(doc, "schema", 1);
	json_set_str(doc, "name", s->name);
	json_set(doc, "notes", list);
	return doc;
}

static int show(struct ctx *c, const struct job *j)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (c->json) {
		c->out.json = as_json(c->series, j);
		return 0;
	}
	put_text(j, &text);
	out_foreign(&c->out, buf_str(&text));
	return 0;
}

int cover_notes(struct ctx *c, const char *which, bool with_editor, const char *file,
		struct err *err)
{
	struct job j _cleanup_(job_release) = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *title _cleanup_free_ = NULL;
	int64_t k = 0;
	int rc = series_find_patches(c->series, c->config, err);

	if (rc)
		return rc;
	if (strcmp(which, "all") &&
	    !cstr_to_i64(which, 1, (int64_t)c->series->n_patches, &k))
		return err_set(
			err, E_USAGE,
			"--patch: expected a number from 1 to %zu or all, not '%s'",
			c->series->n_patches, which);
	j.k = (int)k;
	if (with_editor)
		return edit(c, &j, err);
	rc = read_job(c, &j, err);
	if (rc || !file)
		return rc ? rc : show(c, &j);
	title = title_of(&j);
	rc = intake_file(title, file, PATCHNOTES_MAX, &text, err);
	return rc ? rc : put(c, &j, buf_str(&text), err);
}
