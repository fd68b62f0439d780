// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series changes: the changelog of the draft, by hand, from a file or from what the
 * range-diff suggests.
 */
#include "changes_print.h"
#include "changes_target.h"
#include "edit.h"
#include "intake.h"
#include "series/mem.h"
#include "series/progress.h"

struct changes_opts {
	bool edit, show, suggest;
	const char *add, *thanks, *file;
	int patch, version;
};

/* Those for the draft; an earlier version has none. */
static int read_suggestions(struct ctx *c, const struct target *t,
			    const struct changelog *log, bool optional,
			    struct suggestions *ret, struct err *err)
{
	int rc = !t->draft ? 0
			   : suggestions_make(c->series, c->config, t->restart, ret, err);

	/* Without the commits of the last version the text can be edited all the same. */
	if (rc == E_NOTFOUND && optional) {
		progress_note("nothing is suggested: %s", err_msg(err));
		err_release(err);
		rc = 0;
	}
	if (!rc)
		suggestions_judge(ret, log);
	return rc;
}

static int from_file(struct ctx *c, struct target *t, const char *path, struct err *err)
{
	struct changelog log _cleanup_changelog_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = intake_file(CHANGELOG_TITLE, path, CHANGELOG_MAX, &text, err);

	if (!rc)
		rc = target_read(c, t, &log, err);
	return rc ? rc : target_put_text(c, t, buf_str(&text), err);
}

static int start_edit(struct ctx *c, void *data, struct edit_start *ret, struct err *err)
{
	struct changelog log _cleanup_changelog_ = { 0 };
	struct suggestions s _cleanup_suggestions_ = { 0 };
	struct target *t = data;
	int rc = target_read(c, t, &log, err);

	if (!rc)
		rc = read_suggestions(c, t, &log, true, &s, err);
	if (rc)
		return rc;
	ret->form = !t->stored.len;
	changes_put_form(c->series, &log, &s, t->n, t->draft, &ret->text);
	return 0;
}

static int store_edit(struct ctx *c, void *data, struct str text, bool saved,
		      struct err *err)
{
	struct target *t = data;

	if (!saved && !t->stored.len)
		return err_set(err, E_FAIL,
			       "the editor saved nothing, so nothing was stored%s",
			       t->draft && series_last(c->series)
				       ? "; save the text to take over what is suggested"
				       : "");
	return target_put_text(c, t, saved ? text : buf_str(&t->stored), err);
}

static int edit(struct ctx *c, struct target *t, struct err *err)
{
	char *file _cleanup_free_ = xasprintf("changes-v%d", t->n);
	struct edit_job job = { .title = CHANGELOG_TITLE,
				.file = file,
				.max = CHANGELOG_MAX,
				.start = start_edit,
				.store = store_edit,
				.data = t };

	return edit_text(c, &job, err);
}

static int suggest(struct ctx *c, struct target *t, struct err *err)
{
	struct changelog log _cleanup_changelog_ = { 0 },
			     more _cleanup_changelog_ = { 0 };
	struct suggestions s _cleanup_suggestions_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = target_read(c, t, &log, err);

	if (!rc)
		rc = read_suggestions(c, t, &log, false, &s, err);
	if (rc)
		return rc;
	suggestions_changelog(&s, c->series, &more);
	changelog_format(&more, &text);
	if (!text.len)
		progress_note(
			series_last(c->series) ? "nothing to add to the changelog of v%d"
			: t->n > 1 ? "no version before v%d was posted from here, so "
				     "there is nothing to compare with"
				   : "no version was posted before v%d, so there is "
				     "nothing to compare with",
			t->n);
	out_foreign(&c->out, buf_str(&text));
	return 0;
}

static int findings_end(const struct findings *f, struct err *err)
{
	return f->n ? err_set(err, E_FINDINGS, "changes: %zu finding%s", f->n,
			      f->n == 1 ? "" : "s")
		    : 0;
}

/* What is wrong with the text, behind what was done; E_FINDINGS if anything is. */
static int say_findings(struct ctx *c, const struct target *t, struct err *err)
{
	struct changes r _cleanup_changes_ = { 0 };
	struct findings f _cleanup_findings_ = FINDINGS_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = changes_make(c->series, c->config, t->n, t->restart, &r, &f, err);

	if (rc)
		return rc;
	findings_show(&f, &text);
	out_foreign(&c->out, buf_str(&text));
	return findings_end(&f, err);
}

static int show(struct ctx *c, struct target *t, struct err *err)
{
	struct changelog log _cleanup_changelog_ = { 0 };
	struct changes r _cleanup_changes_ = { 0 };
	struct findings f _cleanup_findings_ = FINDINGS_INIT;
	struct suggestions s _cleanup_suggestions_ = { 0 };
	int rc = target_read(c, t, &log, err);

	if (!rc)
		rc = changes_make(c->series, c->config, t->n, t->restart, &r, &f, err);
	if (!rc && c->json)
		rc = read_suggestions(c, t, &log, true, &s, err);
	if (rc)
		return rc;
	if (c->json)
		c->out.json = changes_json(c->series, t->n, buf_str(&t->stored), &log, &s,
					   &r, &f);
	else
		changes_print(c, t, &log, &r, &f);
	return findings_end(&f, err);
}

static int run_changes(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct changes_opts *o = opts;
	struct target t _cleanup_(target_release) = { 0 };
	int rc;

	if (o->edit + o->show + o->suggest + !!o->add + !!o->file > 1)
		return err_set(err, E_USAGE,
			       "changes: --edit, --show, --suggest, --add and --file "
			       "exclude each other");
	if ((o->patch || o->thanks) && !o->add)
		return err_set(err, E_USAGE, "--patch and --thanks go with --add TEXT");
	rc = target_find(c, o->version, &t, err);
	if (rc)
		return rc;
	if (o->suggest)
		return suggest(c, &t, err);
	if (!o->edit && !o->add && !o->file)
		return show(c, &t, err);
	if (o->edit)
		rc = edit(c, &t, err);
	else
		rc = o->add ? target_add(c, &t, o->patch, o->add, o->thanks, err)
			    : from_file(c, &t, o->file, err);
	return rc ? rc : say_findings(c, &t, err);
}

static const struct opt changes_options[] = {
	{ .name = "edit",
	  .letter = 'e',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct changes_opts, edit),
	  .help = "open it in git's editor, with what is suggested" },
	{ .name = "show",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct changes_opts, show),
	  .help = "print it as the mails will have it (the default)" },
	{ .name = "suggest",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct changes_opts, suggest),
	  .help = "print what the range-diff shows and the text does not say yet" },
	{ .name = "add",
	  .letter = 'a',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct changes_opts, add),
	  .arg = "TEXT",
	  .help = "append an entry" },
	{ .name = "patch",
	  .letter = 'p',
	  .kind = OPT_INT,
	  .offset = offsetof(struct changes_opts, patch),
	  .arg = "K",
	  .lo = 1,
	  .hi = SERIES_MAX_PATCHES,
	  .complete = "patch",
	  .help = "the entry is for patch K" },
	{ .name = "thanks",
	  .letter = 't',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct changes_opts, thanks),
	  .arg = "NAME",
	  .help = "say whom it is owed to" },
	{ .name = "file",
	  .letter = 'F',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct changes_opts, file),
	  .arg = "FILE",
	  .complete = "file",
	  .help = "take the text from FILE, or from standard input for -" },
	{ .name = "version",
	  .letter = 'v',
	  .kind = OPT_INT,
	  .offset = offsetof(struct changes_opts, version),
	  .arg = "N",
	  .lo = 1,
	  .hi = SERIES_MAX_VERSION,
	  .complete = "number",
	  .help = "the changelog of vN instead of the draft's" },
	OPT_END
};

const struct cmd cmd_changes = {
	.name = "changes",
	.group = "prepare",
	.summary = "show or edit the changelog",
	.findings = "Send would stop at the text, which is stored: a heading that fits "
		    "no patch, a line that git am would cut.",
	.opts = changes_options,
	.opts_size = sizeof(struct changes_opts),
	.flags = CMD_REPO | CMD_SERIES | CMD_JSON,
	.run = run_changes,
	.about =
		"What changed since the last version. The text has an entry a line, \"- "
		"text\" for the series; below a line \"patch K: SUBJECT\" stand those "
		"for one patch (\"patch K:\" is enough, the subject is filled in, and "
		"the entries follow the patch when it moves). \"(thanks NAME)\" says "
		"whose idea it was.\n\n"
		"The cover letter has the entries of all versions, newest first, each "
		"with a link to the version before; entries of a patch stand below "
		"its own \"---\", or \"(no changes since vN)\". series.changelog = arrow "
		"writes \"v3->v4:\" instead of \"Changes in v4:\"; "
		"series.changelog.patches = cover or both puts the entries of patches "
		"into the cover letter (too).\n\n"
		"--edit begins with what the range-diff suggests: patches that are "
		"new, dropped, moved, retitled, folded or split, functions touched, "
		"tags lost, tags collected that hold, another base, and with thanks the "
		"places where remarks are done (series remarks --done). Saving takes it "
		"over; where "
		"there is a text already, suggestions stand in it as comments. When "
		"something goes wrong the edited file is kept, named, and taken up by "
		"the next --edit, together with what was stored meanwhile.",
	.examples = "series changes --edit\n\tbegin with what the range-diff says\n"
		    "series changes --add \"return unsigned long\" --patch 2 --thanks "
		    "\"Jane Doe\"\n\tone entry more\n",
};
