// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fixup_text.c - see fixup_text.h.
 */
#include "ask.h"
#include "edit.h"
#include "fixup_text.h"
#include "intake.h"
#include "series/mem.h"
#include "series/utf8.h"

#define TITLE	     "the text of the fix"
#define TEXT_MAX     ((size_t)1 << 20)
#define TEXT_COLUMNS 72

struct job {
	struct fix *f;
	fixup_use *use;
	void *arg;
};

static int no_text(struct err *err)
{
	return err_set(err, E_FAIL,
		       "nothing says what was wrong and what this changes, which whoever "
		       "folds it in will ask: --message TEXT, or a text below the title "
		       "of the fixup! commit (git commit --amend)");
}

static int start(struct ctx *c, void *data, struct edit_start *ret, struct err *err)
{
	struct job *job = data;
	const struct patch *p = &job->f->v->patches[job->f->patch - 1];
	struct buf diff _cleanup_buf_ = BUF_INIT;
	struct str rest, line;
	int rc = fix_diff(job->f, &diff, err);

	if (rc)
		return rc;
	ret->form = true;
	buf_putc(&ret->text, '\n');
	buf_addstr(&ret->text, buf_str(&job->f->text)); /* trailers, if anything */
	buf_printf(&ret->text,
		   "# What was wrong with patch %d of v%d, and what does this change?\n"
		   "#   %s\n"
		   "# The title, a link to its mail and your Signed-off-by: come by\n"
		   "# themselves. These lines go; an empty text sends nothing.\n#\n",
		   p->n, job->f->v->n, p->subject);
	rest = buf_str(&diff);
	while (str_line(&rest, &line))
		buf_printf(&ret->text, "# " STR_FMT "\n", STR_ARG(line));
	return 0;
}

static int store(struct ctx *c, void *data, struct str text, bool saved, struct err *err)
{
	struct job *job = data;
	char *own _cleanup_free_ = str_dup(text);

	return fix_text_ok(text) ? job->use(c, job->f, own, job->arg, err) : no_text(err);
}

/* One line of an option is a paragraph; more are as they were meant. */
static void take_given(struct str given, struct str commits, struct buf *ret)
{
	struct strvec trailers _cleanup_strvec_ = STRVEC_INIT;
	struct buf unused _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT;

	fix_text(commits, &unused, &trailers);
	fix_text(given, &text, &trailers);
	if (str_chr(str_trim(buf_str(&text)), '\n') < 0 && text.len) {
		utf8_wrap(buf_str(&text), 0, TEXT_COLUMNS, ret);
		buf_putc(ret, '\n');
	} else {
		buf_addstr(ret, buf_str(&text));
	}
	fix_text_end(ret, &trailers);
}

/* A text that needs no editor. */
static int use_text(struct ctx *c, struct fix *f, struct buf *text, fixup_use *use,
		    void *arg, struct err *err)
{
	int rc = intake_check(TITLE, buf_str(text), STR_LIT(""), err);

	if (rc)
		return rc;
	return fix_text_ok(buf_str(text)) ? use(c, f, buf_cstr(text), arg, err)
					  : no_text(err);
}

int fixup_with_text(struct ctx *c, int k, const char *given, bool rehearsal,
		    fixup_use *use, void *arg, struct err *err)
{
	struct fix f _cleanup_fix_ = { 0 };
	struct job job = { .f = &f, .use = use, .arg = arg };
	char *file _cleanup_free_ = xasprintf("fixup-%d", k);
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct edit_job edit = { .title = TITLE,
				 .file = file,
				 .max = TEXT_MAX,
				 .start = start,
				 .store = store,
				 .data = &job,
				 .keep = rehearsal };
	int rc = c->series->patches ? 0 : series_find_patches(c->series, c->config, err);

	if (!rc)
		rc = fix_find(c->series, k, &f, err);
	if (rc)
		return rc;
	if (given)
		take_given(str_c(given), buf_str(&f.text), &text);
	else
		buf_addstr(&text, buf_str(&f.text));
	if (given || fix_text_ok(buf_str(&text)))
		return use_text(c, &f, &text, use, arg, err);
	return ask_possible() ? edit_text(c, &edit, err) : no_text(err);
}
