// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series cover: show, edit or replace the cover letter.
 */
#include <stdlib.h>
#include <unistd.h>
#include "series/cover.h"
#include "series/covertext.h"
#include "series/mem.h"
#include "series/prefix.h"
#include "series/progress.h"
#include "cover_notes.h"
#include "cover_template.h"
#include "edit.h"
#include "intake.h"

#define COVER_TITLE "the cover letter"

struct cover_opts {
	bool edit, show, no_prefix;
	const char *file, *template, *patch;
	struct strvec prefixes;
};

/* The letter in the editor. */
struct cover_edit {
	const char *name;  /* of a template, as given */
	struct buf stored; /* what was there when it began */
	struct buf empty;  /* the template when it is not filled in */
};

static void cover_edit_release(struct cover_edit *e)
{
	buf_release(&e->stored);
	buf_release(&e->empty);
}

/* As it was written. */
static int show_stored(struct ctx *c, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = series_cover_read(c->repo, c->series->name, &text, err);

	if (!rc)
		out_foreign(&c->out, buf_str(&text));
	return rc;
}

static struct json *as_json(const struct series *s, struct str text,
			    const struct cover *r, const struct findings *f)
{
	struct covertext t _cleanup_(covertext_release) = { NULL, NULL, NULL };
	struct buf page _cleanup_buf_ = BUF_INIT;
	struct json *j = json_obj();

	covertext_parse(text, &t);
	cover_show(r, &page);
	json_set_int(j, "schema", 1);
	json_set_str(j, "name", s->name);
	json_set_str(j, "title", t.title);
	json_set_str(j, "body", t.body);
	json_set_str(j, "notes", t.notes);
	json_set_strn(j, "rendered", buf_str(&page));
	json_set(j, "findings", findings_json(f));
	return j;
}

/* With its tables filled in, and what is missing or stale below it. */
static int show(struct ctx *c, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT, page _cleanup_buf_ = BUF_INIT;
	struct findings f _cleanup_findings_ = FINDINGS_INIT;
	struct cover r _cleanup_cover_ = { 0 };
	int rc = series_cover_read(c->repo, c->series->name, &text, err);

	if (!rc)
		rc = series_find_patches(c->series, c->config, err);
	if (!rc)
		rc = cover_render(c->series, c->config, buf_str(&text), &r, &f, err);
	if (rc)
		return rc;
	if (c->json) {
		c->out.json = as_json(c->series, buf_str(&text), &r, &f);
		return 0;
	}
	cover_show(&r, &page);
	if (f.n)
		buf_putc(&page, '\n');
	findings_show(&f, &page);
	out_foreign(&c->out, buf_str(&page));
	return 0;
}

/* Store text; what the command says about it. */
static int put(struct ctx *c, struct str text, const struct str *expected,
	       struct err *err)
{
	bool changed = false;
	int rc = series_cover_write(c->repo, c->series->name, text, expected, &changed,
				    err);

	if (rc)
		return rc;
	out_printf(&c->out, "series %s: cover letter %s\n", c->series->name,
		   changed ? "stored" : "unchanged");
	return 0;
}

static int from_file(struct ctx *c, const char *path, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = intake_file(COVER_TITLE, path, COVER_MAX, &text, err);

	return rc ? rc : put(c, buf_str(&text), NULL, err);
}

static int start_new(struct ctx *c, struct cover_edit *e, struct edit_start *ret,
		     struct err *err)
{
	int rc = cover_template_read(c, e->name, &ret->text, err);

	ret->form = true;
	intake_strip(buf_str(&ret->text), buf_str(&ret->text), &e->empty);
	return rc;
}

/* Both letters when a merge left two, else the stored one, else what to fill in. */
static int start_edit(struct ctx *c, void *data, struct edit_start *ret, struct err *err)
{
	struct cover_edit *e = data;
	int rc = series_cover_read(c->repo, c->series->name, &e->stored, err);

	if (rc && rc != E_NOTFOUND)
		return rc;
	err_release(err);
	if (e->stored.len && e->name)
		return err_set(err, E_USAGE,
			       "--template is for a new letter, and series %s has one; "
			       "series cover --edit changes it",
			       c->series->name);
	rc = series_cover_join(c->repo, c->series->name, &ret->text, err);
	if (!rc)
		progress_note("two machines wrote this letter: both are in it, decide "
			      "between the marks");
	if (rc != E_NOTFOUND)
		return rc;
	err_release(err);
	if (!e->stored.len)
		return start_new(c, e, ret, err);
	buf_addstr(&ret->text, buf_str(&e->stored));
	return 0;
}

static int store_edit(struct ctx *c, void *data, struct str text, bool saved,
		      struct err *err)
{
	struct cover_edit *e = data;
	struct str before = buf_str(&e->stored);

	if (e->empty.len && str_eq(text, buf_str(&e->empty)))
		return err_set(err, E_FAIL,
			       "the cover letter was not written, nothing stored");
	return put(c, text, &before, err);
}

static int edit(struct ctx *c, const char *template, struct err *err)
{
	struct cover_edit e _cleanup_(cover_edit_release) = { .name = template };
	struct edit_job job = { .title = COVER_TITLE,
				.file = "cover",
				.max = COVER_MAX,
				.our_name = COVERTEXT_FILE,
				.their_name = COVERTEXT_FILE ".kept",
				.start = start_edit,
				.store = store_edit,
				.data = &e };

	return edit_text(c, &job, err);
}

static int set_prefixes(struct ctx *c, const struct cover_opts *o, struct err *err)
{
	char *all _cleanup_free_ = strvec_join(&o->prefixes, " ");
	int rc = o->no_prefix && o->prefixes.n
			 ? err_set(err, E_USAGE,
				   "--prefix and --no-prefix exclude each other")
			 : series_set_prefixes(c->series, &o->prefixes, err);

	if (!rc)
		out_printf(&c->out, "series %s: prefix %s\n", c->series->name,
			   *all ? all : "none");
	return rc;
}

static int run_cover(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct cover_opts *o = opts;

	if (o->edit + o->show + !!o->file > 1)
		return err_set(err, E_USAGE,
			       "cover: --edit, --show and --file exclude each "
			       "other");
	if (o->template && (o->show || o->file || o->patch))
		return err_set(err, E_USAGE, "--template goes with --edit of the letter");
	if (o->patch && (o->prefixes.n || o->no_prefix))
		return err_set(err, E_USAGE,
			       "--patch and the prefix of the series exclude each other");
	if (o->patch)
		return cover_notes(c, o->patch, o->edit, o->file, err);
	if (o->prefixes.n || o->no_prefix) {
		int rc = set_prefixes(c, o, err);

		if (rc || !(o->edit || o->file || o->template))
			return rc;
	}
	if (o->edit || o->template)
		return edit(c, o->template, err);
	if (o->file)
		return from_file(c, o->file, err);
	return o->show && !c->json ? show_stored(c, err) : show(c, err);
}

static const struct opt cover_options[] = {
	{ .name = "edit",
	  .letter = 'e',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct cover_opts, edit),
	  .help = "open it in git's editor" },
	{ .name = "show", .kind = OPT_FLAG, .offset = offsetof(struct cover_opts, show),
	  .help = "print the text as it was written" },
	{ .name = "file",
	  .letter = 'F',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct cover_opts, file),
	  .arg = "FILE",
	  .complete = "file",
	  .help = "take the text from FILE, or from standard input for -" },
	{ .name = "template",
	  .letter = 't',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct cover_opts, template),
	  .arg = "T",
	  .complete = "cover-template",
	  .help = "begin a new letter with T: default, mm, single or a file" },
	{ .name = "patch",
	  .letter = 'p',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct cover_opts, patch),
	  .arg = "K",
	  .complete = "patch",
	  .help = "the note of patch K instead of the letter; all: every note" },
	{ .name = "prefix",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct cover_opts, prefixes),
	  .arg = "WORD",
	  .help = "a word behind PATCH in every subject; replaces the stored ones" },
	{ .name = "no-prefix", .kind = OPT_FLAG,
	  .offset = offsetof(struct cover_opts, no_prefix),
	  .help = "forget the stored words" },
	OPT_END
};

const struct cmd cmd_cover = {
	.name = "cover",
	.group = "prepare",
	.summary = "show or edit the cover letter",
	.about = "The cover letter is kept with the series, not in a commit: the first "
		 "line is the title, then a blank line and the text. A line \"@bench "
		 "NAME\" in it stands for a table of stored results, which is filled "
		 "in when the letter is shown or sent; what is missing or stale is "
		 "listed below it. Below a line \"---\" are notes that git am leaves "
		 "out.\n\n"
		 "--edit opens it in the editor that git uses. Two letters that series "
		 "sync found on two machines are shown in one text with git's marks; "
		 "what is stored then, by --edit or --file, is the letter. When "
		 "something goes "
		 "wrong the edited file is kept, named, and taken up by the next "
		 "--edit, together with what was stored meanwhile.\n\n"
		 "A new letter begins with a template: --template, else "
		 "series.coverTemplate, else \"single\" for a series of one patch "
		 "and \"default\" for others; \"mm\" has the parts that letters "
		 "to the memory management lists have. Its lines that begin with # "
		 "are taken out when the text is stored. A letter in which EDITME or "
		 "*** SUBJECT HERE *** is left is not sent.\n\n"
		 "--patch K is about the note of patch K: text for below its own "
		 "\"---\", behind its changelog. It stays with the patch of that "
		 "subject when patches move. When the patch is gone, its note is kept "
		 "and send stops; --patch all --edit shows all notes with their "
		 "patches.",
	.examples =
		"series cover --edit\n\twrite or change it\n"
		"series cover --template mm\n\twrite one in the shape that -mm likes\n"
		"series cover --patch 2 --edit\n\twrite below the \"---\" of patch 2\n"
		"series cover --file letter.txt\n\ttake it from a file\n"
		"series cover --prefix mm\n\tpost as [PATCH mm v2 1/3] from now on\n",
	.opts = cover_options,
	.opts_size = sizeof(struct cover_opts),
	.flags = CMD_REPO | CMD_DOCS | CMD_JSON,
	.run = run_cover,
};
