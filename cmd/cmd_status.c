// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series status: the dashboard.
 */
#include <string.h>

#include "series/mem.h"
#include "series/sanitize.h"
#include "series/status.h"
#include "series/table.h"
#include "series/time.h"
#include "cmd.h"

static const char *const outcome_color[] = {
	[BUILD_UNKNOWN] = NULL,
	[BUILD_PASS] = "32",
	[BUILD_WARN] = "33",
	[BUILD_FAIL] = "31",
};

static void print_head(struct ctx *c, const struct status *st)
{
	const struct series *s = st->series;
	/* What was posted is called by its own number, not by the draft's. */
	bool draft = !s->n_versions || !strcmp(st->state, "preparing");

	out_color(&c->out, "1", "%s", s->name);
	out_printf(&c->out, "  v%d %s, branch ",
		   draft ? series_draft(s) : series_last(s)->n, st->state);
	out_foreign(&c->out, str_c(s->branch ? s->branch : "?"));
	if (!*s->head)
		out_puts(&c->out, " (gone)");
	out_printf(&c->out, ", base %.12s", s->base);
	if (s->base_ref) {
		out_puts(&c->out, " (");
		out_foreign(&c->out, str_c(s->base_ref));
		if (st->behind > 0)
			out_printf(&c->out, ", %lld behind", (long long)st->behind);
		out_puts(&c->out, ")");
	}
	out_puts(&c->out, "\n");
}

static void build_cells(struct table *t, const struct status *st,
			const struct status_patch *p)
{
	for (size_t a = 0; a < st->archs.n; a++) {
		enum build_outcome o = p->builds[a];

		table_cell(t, o == BUILD_UNKNOWN ? "-" : build_outcome_name(o));
		table_color(t, outcome_color[o]);
	}
}

/* The heads of the columns and the row of the base. */
static void print_base_rows(struct table *t, const struct status *st)
{
	table_cell(t, "");
	table_cell(t, "");
	for (size_t a = 0; a < st->archs.n; a++)
		table_cell(t, st->archs.v[a]);
	table_cell(t, "");
	table_cell(t, "");
	table_cell(t, "");
	table_cell(t, "base");
	build_cells(t, st, &st->base);
	table_cell(t, "");
	table_cell(t, "");
}

/* "R2 T1 ?1, 3 open, 1 report": tags that hold, to decide, remarks, robots. */
static void review_cell(struct table *t, const struct status *st, size_t patch)
{
	const struct status_remarks *m = &st->patches[patch - 1].remarks;
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct tag_counts n = { 0 };
	size_t reports = st->patches[patch - 1].reports.open;

	for (size_t i = 0; i < st->tags.n; i++) {
		const struct judged_tag *e = &st->tags.v[i];
		size_t *of = tag_counts_of(&n, e->tag->type);

		if (e->patch != patch)
			continue;
		if (e->state == TAG_NAKED)
			n.naks++;
		else if (judged_is_open(e) || judged_is_stale(e))
			n.doubtful++;
		else if (of && (e->state == TAG_HOLDS || e->applied))
			++*of;
	}
	tag_counts_show(&n, &b);
	if (m->open)
		buf_printf(&b, "%s%zu open", b.len ? ", " : "", m->open);
	if (reports)
		buf_printf(&b, "%s%zu report%s", b.len ? ", " : "", reports,
			   reports == 1 ? "" : "s");
	table_cell(t, buf_cstr(&b));
	table_color(t, n.naks ? "31" : n.doubtful || m->open || reports ? "33" : "32");
}

static void print_patches(struct ctx *c, const struct status *st)
{
	size_t columns = 4 + st->archs.n;
	enum table_align *aligns = xcalloc(columns, sizeof(*aligns));
	struct table *t _cleanup_table_ = NULL;

	aligns[0] = TABLE_RIGHT;
	aligns[1] = TABLE_FLEX;
	t = table_new(columns, aligns);
	free(aligns);
	if (st->archs.n)
		print_base_rows(t, st);
	for (size_t i = 0; i < st->series->n_patches; i++) {
		const struct status_patch *p = &st->patches[i];

		table_cellf(t, "%d", p->patch->n);
		table_cell(t, p->patch->subject);
		build_cells(t, st, p);
		review_cell(t, st, i + 1);
		table_cell(t, p->changed ? "changed" : "");
		table_color(t, "33");
	}
	table_render(t, 0, c->out.width, c->out.color, &c->out.text);
}

static void print_bench(struct ctx *c, const struct status *st)
{
	static const enum table_align aligns[] = { TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
						   TABLE_LEFT, TABLE_FLEX, TABLE_LEFT };
	struct table *t _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);
	bool emulated = false;

	for (size_t i = 0; i < st->n_bench; i++) {
		const struct status_bench *b = &st->bench[i];

		table_cell(t, b->name);
		table_cell(t, b->case_name);
		table_cellf(t, "%s/%s", b->host, b->arch);
		emulated |= b->emulated;
		table_cell(t, b->change);
		table_cell(t, b->verdict_text);
		table_cell(t, b->fresh ? "" : "STALE");
		table_color(t, "31");
	}
	table_render(t, 0, c->out.width, c->out.color, &c->out.text);
	if (emulated)
		out_puts(&c->out,
			 "(emulated: measured in a virtual machine, not on hardware)\n");
}

static void print_versions(struct ctx *c, const struct series *s)
{
	for (size_t i = s->n_versions; i-- > 0;) {
		const struct version *v = &s->versions[i];
		const struct posting *p =
			v->n_postings ? &v->postings[v->n_postings - 1] : NULL;
		struct buf date _cleanup_buf_ = BUF_INIT;
		char *label _cleanup_free_ = version_label(v);

		if (p)
			time_iso(p->date, &date);
		out_printf(&c->out, "%s  %.10s %s%s, %zu patch%s", label, buf_cstr(&date),
			   p ? p->state : "sending", p && p->resend ? " again" : "",
			   v->n_patches, v->n_patches == 1 ? "" : "es");
		if (v->n_fixups)
			out_printf(&c->out, ", %zu fix%s", v->n_fixups,
				   v->n_fixups == 1 ? "" : "es");
		if (p && p->message_id) {
			out_puts(&c->out, "  <");
			out_foreign(&c->out, str_c(p->message_id));
			out_puts(&c->out, ">");
		}
		out_puts(&c->out, "\n");
	}
}

static void print_text(struct ctx *c, const struct status *st)
{
	struct buf findings _cleanup_buf_ = BUF_INIT;

	print_head(c, st);
	out_puts(&c->out, "\n");
	print_patches(c, st);
	if (st->n_bench) {
		out_puts(&c->out, "\n");
		print_bench(c, st);
	}
	if (st->series->n_versions) {
		out_puts(&c->out, "\n");
		print_versions(c, st->series);
	}
	if (st->findings.n) {
		out_puts(&c->out, "\n");
		findings_show(&st->findings, &findings);
		out_foreign(&c->out, buf_str(&findings));
	}
	out_puts(&c->out, "\nnext: ");
	out_foreign(&c->out, str_c(st->next));
	out_puts(&c->out, "\n");
}

static int run_status(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct status *st _cleanup_status_ = NULL;
	int rc = status_make(c->series, c->config, &st, err);

	if (rc)
		return rc;
	if (c->json)
		c->out.json = status_json(st);
	else
		print_text(c, st);
	return 0;
}

const struct cmd cmd_status = {
	.name = "status",
	.group = "prepare",
	.summary = "show where a series stands and what to do next",
	.synopsis = "[NAME]",
	.about = "The patches of the draft with what is known of each: for which "
		 "architectures it was built and how that went, the tags that hold "
		 "(R2 A1 T1: two Reviewed-by, an Acked-by, a Tested-by; ?1: one to "
		 "decide or to take out of the commit, N1: a NAK), the remarks without "
		 "an answer and robots' reports, and whether it "
		 "changed since the last posted version; the measurements with their "
		 "verdicts, "
		 "and whether they are still true of the branch; the versions that "
		 "were posted; what is wrong or stale; and what to do next.\n\n"
		 "Nothing is built or scanned for this. \"series\" alone is the same "
		 "on a branch that has a series. Findings do not change the exit "
		 "status.",
	.examples =
		"series status --json | jq -r .next\n\twhat to do next, for a script\n",
	.flags = CMD_REPO | CMD_SERIES | CMD_NAME_ARG | CMD_JSON,
	.max_args = 1,
	.complete = "series",
	.run = run_status,
};
