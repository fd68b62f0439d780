// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report.c: from a stored session to samples in a matrix, verdicts and a table. What
 * counts and what is left out is decided here, by what a boot was and never by its
 * values.
 */
#include "series/report.h"

#include <string.h>
#include "outcome.h"
#include "series/mem.h"

#define MOST_VALUES 50000000

/* What building a report needs beside the report. */
struct builder {
	const struct bench_session *s;
	struct bench_report *r;
	size_t cases, blocks, runs;
	size_t nkernels;  /* columns of the table, without base again */
	int *kernel;	  /* session's kernel -> column, -1 for base again */
	int again;	  /* session's kernel that is base again, or -1 */
	int64_t *control; /* its values, [case][block][run] */
	int *stands;	  /* [kernel][block] -> boot that counts, or -1 */
	bool *lost;	  /* [block]: a kernel has no boot that counts */
};

static int check_session(const struct bench_session *s, struct err *err)
{
	size_t per_boot = s->cases.n * (size_t)(s->runs > 0 ? s->runs : 1);

	if (s->n_kernels < 2 || !s->cases.n || s->blocks < 1 || s->runs < 1)
		return err_set(err, E_USAGE,
			       "session %s: nothing to compare (%zu kernels, %zu cases, "
			       "%d blocks, "
			       "%d runs)",
			       s->id, s->n_kernels, s->cases.n, s->blocks, s->runs);
	if (s->blocks > 4096 || s->n_kernels > 1024 || s->runs > 100000 ||
	    per_boot > MOST_VALUES / ((size_t)s->blocks * s->n_kernels))
		return err_set(err, E_CORRUPT,
			       "session %s: more values than a session can have", s->id);
	for (size_t i = 0; i < s->n_boots; i++) {
		const struct bench_boot *b = &s->boots[i];

		if (b->kernel < 0 || (size_t)b->kernel >= s->n_kernels || b->block < 1 ||
		    b->block > s->blocks)
			return err_set(err, E_CORRUPT,
				       "session %s: boot %zu is of kernel %d, block %d, "
				       "and there are "
				       "%zu kernels and %d blocks",
				       s->id, i, b->kernel, b->block, s->n_kernels,
				       s->blocks);
	}
	for (size_t i = 0; i < s->n_samples; i++) {
		const struct sample *m = &s->samples[i];

		if (m->boot < 0 || (size_t)m->boot >= s->n_boots || m->case_i < 0 ||
		    (size_t)m->case_i >= s->cases.n || m->run < 0 || m->run > s->runs)
			return err_set(err, E_CORRUPT,
				       "session %s: sample %zu is of boot %d, case %d, "
				       "run %d, which "
				       "are not in it",
				       s->id, i, m->boot, m->case_i, m->run);
	}
	return 0;
}

/* Columns: every kernel but one that is base again. */
static void map_kernels(struct builder *b)
{
	const struct bench_session *s = b->s;

	b->again = -1;
	b->kernel = xcalloc(s->n_kernels, sizeof(*b->kernel));
	for (size_t k = 0; k < s->n_kernels; k++) {
		bool same = k && s->kernels[0].commit[0] &&
			    !strcmp(s->kernels[k].commit, s->kernels[0].commit);

		b->kernel[k] = same ? -1 : (int)b->nkernels++;
		if (same)
			b->again = (int)k;
	}
}

/*
 * The last boot of a kernel in a block that was not void. A failure to boot counts from
 * the second on: one alone may be the host's. Counts dropped blocks.
 */
static void choose_boots(struct builder *b)
{
	const struct bench_session *s = b->s;
	size_t blocks = b->blocks, seen = 0, dropped = 0;
	bool *begun = xcalloc(blocks, sizeof(*begun)),
	     *failed = xcalloc(s->n_kernels * blocks, sizeof(*failed));

	b->stands = xcalloc(s->n_kernels * blocks, sizeof(*b->stands));
	for (size_t i = 0; i < s->n_kernels * blocks; i++)
		b->stands[i] = -1;
	for (size_t i = 0; i < s->n_boots; i++) {
		const struct bench_boot *boot = &s->boots[i];
		size_t block = (size_t)boot->block - 1,
		       at = (size_t)boot->kernel * blocks + block;
		bool first = boot->state == BOOT_FAIL && !failed[at];

		begun[block] = true;
		failed[at] |= boot->state == BOOT_FAIL;
		if (outcome_counts(boot->state) && !first)
			b->stands[at] = (int)i;
	}
	free(failed);
	b->lost = xcalloc(blocks, sizeof(*b->lost));
	for (size_t block = 0; block < blocks; block++) {
		for (size_t k = 0; k < s->n_kernels; k++)
			b->lost[block] |= b->stands[k * blocks + block] < 0;
		seen += begun[block];
		dropped += begun[block] && b->lost[block];
	}
	free(begun);
	b->r->table.boots = seen - dropped;
	b->r->table.dropped = dropped;
}

static bool boot_stands(const struct builder *b, int boot)
{
	const struct bench_boot *bb = &b->s->boots[boot];

	return b->stands[(size_t)bb->kernel * b->blocks + (size_t)bb->block - 1] == boot;
}

/*
 * Place of a sample in the matrices, NULL for a warm-up, a boot that does not count and a
 * block that was dropped: means and verdicts are of the same boots.
 */
static int64_t *place(const struct builder *b, const struct sample *m)
{
	const struct bench_boot *boot = &b->s->boots[m->boot];
	size_t in = ((size_t)boot->block - 1) * b->runs + (size_t)m->run - 1;
	size_t per = b->blocks * b->runs;
	int k = b->kernel[boot->kernel];

	if (m->run == 0 || !boot_stands(b, m->boot) || b->lost[boot->block - 1])
		return NULL;
	if (k < 0)
		return b->control + (size_t)m->case_i * per + in;
	return b->r->values + ((size_t)m->case_i * b->nkernels + (size_t)k) * per + in;
}

static void fill_values(struct builder *b)
{
	size_t per = b->blocks * b->runs, n = b->cases * b->nkernels * per;
	struct bench_report *r = b->r;

	r->values = xcalloc(n, sizeof(*r->values));
	b->control = xcalloc(b->cases * per, sizeof(*b->control));
	r->samples = xcalloc(b->cases, sizeof(*r->samples));
	for (size_t i = 0; i < n; i++)
		r->values[i] = SAMPLE_NONE;
	for (size_t i = 0; i < b->cases * per; i++)
		b->control[i] = SAMPLE_NONE;
	for (size_t c = 0; c < b->cases; c++)
		r->samples[c] = (struct bench_samples){ .name = b->s->cases.v[c],
							.kernels = b->nkernels,
							.blocks = b->blocks,
							.runs = b->runs,
							.values = r->values +
								  c * b->nkernels * per };
	for (size_t i = 0; i < b->s->n_samples; i++) {
		int64_t *at = place(b, &b->s->samples[i]);

		if (at)
			*at = b->s->samples[i].value;
	}
}

/* Base against base again, over all cases. */
static int gate(struct builder *b, const struct verdict_rule *rule, struct err *err)
{
	size_t per = b->blocks * b->runs;
	struct bench_samples *pairs;
	int64_t *v;
	int rc;

	b->r->aa_p = 1;
	if (b->again < 0)
		return 0;
	pairs = xcalloc(b->cases, sizeof(*pairs));
	v = xcalloc(b->cases * 2 * per, sizeof(*v));
	for (size_t c = 0; c < b->cases; c++) {
		int64_t *two = v + c * 2 * per;

		memcpy(two, b->r->samples[c].values, per * sizeof(*v));
		memcpy(two + per, b->control + c * per, per * sizeof(*v));
		pairs[c] = (struct bench_samples){ b->s->cases.v[c], 2, b->blocks,
						   b->runs, two };
	}
	rc = verdict_aa(pairs, b->cases, rule, &b->r->aa_p, err);
	free(v);
	free(pairs);
	b->r->table.is_void = !rc && b->r->aa_p < VERDICT_VOID_P;
	return rc;
}

static void fill_rows(struct builder *b)
{
	struct bench_report *r = b->r;

	r->rows = xcalloc(b->cases, sizeof(*r->rows));
	r->cells = xcalloc(b->cases * b->nkernels, sizeof(*r->cells));
	for (size_t c = 0; c < b->cases; c++) {
		struct bench_cell *cells = r->cells + c * b->nkernels;

		for (size_t k = 0; k < b->nkernels; k++)
			cells[k] = bench_cell_of(&r->samples[c], k);
		r->rows[c] = (struct bench_row){ .name = b->s->cases.v[c],
						 .cells = cells,
						 .samples = &r->samples[c],
						 .verdict = &r->verdicts.cases[c] };
	}
	for (size_t i = 0; i < b->s->n_samples; i++) {
		const struct sample *m = &b->s->samples[i];
		struct bench_row *row = &r->rows[m->case_i];

		if (!place(b, m))
			continue;
		/* A case that defines no proof claims none. */
		if ((size_t)m->case_i < b->s->proofs.n && !*b->s->proofs.v[m->case_i])
			continue;
		if (!m->counters.n) {
			row->proof = BENCH_PROOF_ABSENT;
		} else if (row->proof != BENCH_PROOF_ABSENT) {
			row->proof = BENCH_PROOF_COUNTED;
			row->proof_runs++;
			row->proof_met += m->proven;
		}
	}
}

/* Boots of each kernel in which each kind of outcome happened; kinds never seen left out.
 */
static void fill_outcomes(struct builder *b)
{
	const struct bench_session *s = b->s;
	struct bench_report *r = b->r;
	unsigned *seen = xcalloc(s->n_boots + 1, sizeof(*seen));
	size_t n = 0;

	r->outcomes = xcalloc(OUTCOME_KINDS, sizeof(*r->outcomes));
	r->counts = xcalloc(OUTCOME_KINDS * b->nkernels, sizeof(*r->counts));
	r->kernel_boots = xcalloc(b->nkernels, sizeof(*r->kernel_boots));
	for (size_t i = 0; i < s->n_boots; i++) {
		int k = b->kernel[s->boots[i].kernel];

		seen[i] = outcome_of_boot(&s->boots[i]);
		r->kernel_boots[k < 0 ? 0 : k] += boot_stands(b, (int)i);
	}
	for (size_t i = 0; i < s->n_samples; i++)
		if (place(b, &s->samples[i]) && s->samples[i].counters.n &&
		    !s->samples[i].proven)
			seen[s->samples[i].boot] |= 1u << OUTCOME_UNPROVEN;
	for (int kind = 0; kind < OUTCOME_KINDS; kind++) {
		size_t *counts = r->counts + n * b->nkernels, all = 0;

		for (size_t i = 0; i < s->n_boots; i++) {
			int k = b->kernel[s->boots[i].kernel];

			if (boot_stands(b, (int)i) && (seen[i] >> kind & 1)) {
				counts[k < 0 ? 0 : k]++;
				all++;
			}
		}
		if (all)
			r->outcomes[n++] =
				(struct bench_outcome){ outcome_name(kind), counts };
	}
	free(seen);
	r->table.outcomes = r->outcomes;
	r->table.noutcomes = n;
	r->table.kernel_boots = r->kernel_boots;
}

static void fill_table(struct builder *b, const struct instrument *ins)
{
	const struct bench_session *s = b->s;
	struct bench_report *r = b->r;
	struct bench_table *t = &r->table;

	r->kernel_names = xcalloc(b->nkernels, sizeof(*r->kernel_names));
	for (size_t k = 0; k < s->n_kernels; k++)
		if (b->kernel[k] >= 0)
			r->kernel_names[b->kernel[k]] = s->kernels[k].label;
	t->bench = s->bench;
	t->unit = s->unit;
	t->better = s->higher_better ? BENCH_HIGHER : BENCH_LOWER;
	t->instructions = ins->instructions;
	t->emulated =
		ins->instructions ||
		(s->accel && (!strcmp(s->accel, "tcg") || !strcmp(s->accel, "icount")));
	t->kernels = b->nkernels;
	t->kernel_names = r->kernel_names;
	t->nrows = b->cases;
	t->rows = r->rows;
	t->runs = b->runs;
	t->host = s->host_alias;
	t->arch = s->arch;
	t->release = s->kernels[0].release;
	t->compiler = s->key.compiler;
}

static int build(struct builder *b, const struct instrument *ins, struct err *err)
{
	struct verdict_rule rule = { .ins = *ins,
				     .better = b->s->higher_better ? BENCH_HIGHER
								   : BENCH_LOWER,
				     .seed = b->s->seed };
	int rc;

	map_kernels(b);
	if (b->nkernels < 2)
		return err_set(err, E_USAGE,
			       "session %s: only base was measured; a comparison needs a "
			       "patched "
			       "kernel",
			       b->s->id);
	choose_boots(b);
	fill_values(b);
	rc = verdict_judge(b->r->samples, b->cases, &rule, &b->r->verdicts, err);
	if (!rc)
		rc = gate(b, &rule, err);
	if (rc)
		return rc;
	fill_rows(b);
	fill_outcomes(b);
	fill_table(b, ins);
	return 0;
}

int bench_report_new(const struct bench_session *s, const struct instrument *ins,
		     struct bench_report **ret_report, struct err *err)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;
	struct builder b = { .s = s };
	struct instrument named;
	int rc = check_session(s, err);

	if (!rc && !ins) {
		rc = instrument_find(s->instrument ? s->instrument : "real", &named, err);
		ins = &named;
	}
	if (rc)
		return rc;
	r = xcalloc(1, sizeof(*r));
	b.r = r;
	b.cases = s->cases.n;
	b.blocks = (size_t)s->blocks;
	b.runs = (size_t)s->runs;
	rc = build(&b, ins, err);
	free(b.kernel);
	free(b.control);
	free(b.stands);
	free(b.lost);
	if (rc)
		return rc;
	*ret_report = r;
	r = NULL;
	return 0;
}

void bench_report_free(struct bench_report *r)
{
	if (!r)
		return;
	verdict_set_release(&r->verdicts);
	free(r->rows);
	free(r->cells);
	free(r->samples);
	free(r->values);
	free(r->kernel_names);
	free(r->outcomes);
	free(r->counts);
	free(r->kernel_boots);
	free(r);
}

void bench_report_freep(struct bench_report **r)
{
	bench_report_free(*r);
	*r = NULL;
}
