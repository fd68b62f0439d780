// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_mails.c - see import_mails.h.
 */
#include "import_mails.h"
#include "series/import_posted.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "posted_mails.h"

int import_load(struct ctx *c, const char *name, struct err *err)
{
	int rc;

	config_free(c->config);
	c->config = NULL;
	rc = config_load(NULL, &c->config, err);
	return rc ? rc : series_load(c->repo, c->config, name, &c->series, err);
}

static void print_version(struct ctx *c, const struct version *v)
{
	char *label _cleanup_free_ = version_label(v);

	out_printf(&c->out, "  %s: %zu patch%s, ", label, v->n_patches,
		   v->n_patches == 1 ? "" : "es");
	out_foreign(&c->out, str_c(version_link(v) ? version_link(v) : "no Message-ID"));
	out_puts(&c->out, "\n");
}

static void print(struct ctx *c, const struct imported *im)
{
	struct series *s = c->series;
	char *word _cleanup_free_ = shell_word(im->branch);

	out_printf(&c->out, "series %s: branch ", s->name);
	out_foreign(&c->out, str_c(im->branch));
	out_printf(&c->out, "%s, base %.12s, draft v%d, change-id ",
		   im->was_there ? " as it is" : " made", s->base, series_draft(s));
	out_foreign(&c->out, str_c(s->change_id));
	out_puts(&c->out, "\n");
	for (size_t i = 0; i < s->n_versions; i++)
		print_version(c, &s->versions[i]);
	for (size_t i = 0; i < im->notes.n; i++) {
		out_puts(&c->out, "note: ");
		out_foreign(&c->out, str_c(im->notes.v[i]));
		out_puts(&c->out, "\n");
	}
	out_printf(&c->out, "next: %s%s%sseries update\n",
		   im->was_there ? "" : "git switch ", im->was_there ? "" : word,
		   im->was_there ? "" : " && ");
}

int import_mails(struct ctx *c, const struct import_mails_opts *o, struct err *err)
{
	struct posted_mails m _cleanup_posted_mails_ = { .id = NULL };
	struct imported im _cleanup_(imported_release) = { 0 };
	struct import_posted_opts io = { .branch = o->branch,
					 .name = o->name,
					 .base = o->base };
	struct source_opts so = { .offline = o->offline };
	int rc = posted_mails_load(c, o->arg, NULL, &so, &m, err);

	if (rc)
		return rc;
	io.thread = &m.thread;
	io.posted = &m.posted;
	io.series = m.series;
	rc = import_posted(c->repo, c->config, &io, &im, err);
	if (!rc)
		rc = import_load(c, im.name, err);
	if (!rc)
		print(c, &im);
	return rc;
}
