// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * footer.c: the lines below every table: how it was measured, what an emulated result
 * does not say, whether the path under test ran, and what happened to which kernel.
 */
#include "render.h"

#include <string.h>

static void item(struct buf *line, const char *text)
{
	if (text && *text)
		buf_printf(line, "%s%s", line->len ? ", " : "", text);
}

static size_t judged(const struct bench_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->nrows; i++)
		n += t->rows[i].verdict && t->rows[i].verdict->total.word != VERDICT_NONE;
	return n;
}

static void put_how(struct buf *out, const struct bench_table *t)
{
	struct buf line _cleanup_buf_ = BUF_INIT;
	size_t n = judged(t);

	buf_printf(&line, "%zu boot%s x %zu run%s", t->boots, t->boots == 1 ? "" : "s",
		   t->runs, t->runs == 1 ? "" : "s");
	if (t->dropped)
		buf_printf(&line, " (%zu void block%s dropped)", t->dropped,
			   t->dropped == 1 ? "" : "s");
	item(&line, t->host);
	item(&line, t->arch);
	item(&line, t->release);
	item(&line, t->compiler);
	item(&line, t->setup);
	put_wrapped(out, buf_cstr(&line), 2);
	if (n > 1) {
		buf_reset(&line);
		buf_printf(&line, "Verdicts are corrected for %zu cases (Holm).", n);
		put_wrapped(out, buf_cstr(&line), 2);
	} else if (!n && t->boots == 1) {
		buf_puts(out, "One boot of each kernel: numbers, no verdict.\n");
	}
}

static void put_emulated(struct buf *out, const struct bench_table *t)
{
	if (t->instructions)
		put_wrapped(out,
			    "Emulated: instructions counted by QEMU (icount). It sees no "
			    "cache, TLB "
			    "or contention. Boots nearly repeat, so the interval is "
			    "mostly the "
			    "instrument's fixed limit and speaks of this emulated "
			    "machine only.",
			    2);
	else if (t->emulated)
		put_wrapped(out,
			    "Emulated: measured under QEMU without hardware "
			    "virtualisation (TCG). "
			    "It sees no cache, TLB or contention of real hardware.",
			    2);
}

/* One line when every run of every case is proven, else one for each case that is not. */
static void put_proof(struct buf *out, const struct bench_table *t)
{
	struct buf line _cleanup_buf_ = BUF_INIT;
	size_t runs = 0, met = 0, absent = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		const struct bench_row *r = &t->rows[i];

		absent += r->proof == BENCH_PROOF_ABSENT;
		runs += r->proof == BENCH_PROOF_COUNTED ? r->proof_runs : 0;
		met += r->proof == BENCH_PROOF_COUNTED ? r->proof_met : 0;
	}
	if (runs && met == runs && !absent) {
		buf_printf(&line, "Proof: counters show the tested path in all %zu runs.",
			   runs);
		put_wrapped(out, buf_cstr(&line), 2);
		return;
	}
	for (size_t i = 0; i < t->nrows; i++) {
		const struct bench_row *r = &t->rows[i];

		buf_reset(&line);
		if (r->proof == BENCH_PROOF_ABSENT) {
			buf_puts(&line, "Not proven: ");
			put_case(&line, r);
			buf_puts(&line, ", this kernel lacks the counters.");
		} else if (r->proof == BENCH_PROOF_COUNTED &&
			   r->proof_met < r->proof_runs) {
			buf_puts(&line, "PROOF NOT MET: ");
			put_case(&line, r);
			buf_printf(&line,
				   ", counters show the tested path in %zu of %zu runs "
				   "only.",
				   r->proof_met, r->proof_runs);
		} else {
			continue;
		}
		put_wrapped(out, buf_cstr(&line), 2);
	}
}

static void kernel_label(struct buf *line, const struct bench_table *t, size_t k)
{
	if (k == 0)
		buf_puts(line, "base");
	else if (t->kernels == 2)
		buf_puts(line, "patched");
	else
		buf_printf(line, "patch %zu", k);
}

/* A finding when a patched kernel has it and base has not. */
static void put_outcomes(struct buf *out, const struct bench_table *t)
{
	struct buf line _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < t->noutcomes; i++) {
		const struct bench_outcome *o = &t->outcomes[i];
		size_t seen = 0;

		buf_reset(&line);
		buf_printf(&line, "%s: %s", o->boots[0] ? "Outcome" : "FINDING", o->what);
		for (size_t k = 0; k < t->kernels; k++) {
			if (!o->boots[k])
				continue;
			seen++;
			buf_puts(&line, ", ");
			kernel_label(&line, t, k);
			buf_printf(&line, " in %zu of %zu boots", o->boots[k],
				   t->kernel_boots ? t->kernel_boots[k] : t->boots);
		}
		if (!seen)
			continue;
		if (!o->boots[0])
			buf_puts(&line, ", never base");
		put_wrapped(out, buf_cstr(&line), 2);
	}
}

void put_footer(struct buf *out, const struct bench_table *t)
{
	put_how(out, t);
	put_emulated(out, t);
	put_proof(out, t);
	put_outcomes(out, t);
}
