// SPDX-License-Identifier: GPL-2.0-or-later
/* report_json.c: a judged session for scripts. Ratios, not percent; integers as measured.
 */
#include "series/report.h"

#include <math.h>

static struct json *cell(const struct bench_cell *c)
{
	struct json *j = json_obj();

	json_set_int(j, "mean", c->mean);
	json_set_int(j, "sd", c->sd);
	json_set_int(j, "boots", (int64_t)c->boots);
	return j;
}

/* The members of a comparison; null where one block, or none, cannot tell. */
static void put_verdict(struct json *j, const struct verdict *v)
{
	struct json *ci = NULL;

	if (v->nu > 0) {
		ci = json_arr();
		json_push_real(ci, exp(v->lo));
		json_push_real(ci, exp(v->hi));
	}
	json_set_real(j, "effect", v->blocks ? exp(v->effect) : NAN);
	json_set(j, "ci", ci);
	json_set_real(j, "p", v->nu > 0 ? v->p : NAN);
	json_set_real(j, "could_see", expm1(v->mde));
	json_set_str(j, "verdict", v->word == VERDICT_NONE ? NULL : verdict_word(v));
	json_set_bool(j, "below_delta", v->below_delta);
}

static struct json *proof(const struct bench_row *r)
{
	struct json *j;

	if (r->proof != BENCH_PROOF_COUNTED)
		return NULL;
	j = json_obj();
	json_set_int(j, "runs", (int64_t)r->proof_runs);
	json_set_int(j, "met", (int64_t)r->proof_met);
	return j;
}

static struct json *steps(const struct bench_table *t, const struct bench_row *r)
{
	struct json *arr = json_arr();

	for (size_t k = 0; k < r->verdict->nsteps; k++) {
		struct json *j = json_obj();

		json_set_str(j, "kernel", t->kernel_names[k + 1]);
		json_set(j, "measured", cell(&r->cells[k + 1]));
		put_verdict(j, &r->verdict->steps[k]);
		json_push(arr, j);
	}
	return arr;
}

static struct json *outcomes(const struct bench_table *t)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < t->noutcomes; i++) {
		struct json *j = json_obj(), *boots = json_obj();

		json_set_str(j, "what", t->outcomes[i].what);
		for (size_t k = 0; k < t->kernels; k++)
			json_set_int(boots, t->kernel_names[k],
				     (int64_t)t->outcomes[i].boots[k]);
		json_set(j, "boots", boots);
		json_set_bool(j, "finding", !t->outcomes[i].boots[0]);
		json_push(arr, j);
	}
	return arr;
}

struct json *bench_report_json(const struct bench_report *r)
{
	const struct bench_table *t = &r->table;
	struct json *arr = json_arr();

	for (size_t i = 0; i < t->nrows; i++) {
		const struct bench_row *row = &t->rows[i];
		struct json *j = json_obj();

		json_set_str(j, "name", t->bench);
		json_set_str(j, "case", row->name);
		json_set_str(j, "host", t->host);
		json_set_str(j, "arch", t->arch);
		json_set_bool(j, "emulated", t->emulated);
		json_set_int(j, "boots", (int64_t)t->boots);
		json_set_int(j, "runs", (int64_t)t->runs);
		json_set_str(j, "unit", t->unit);
		json_set(j, "base", cell(&row->cells[0]));
		json_set(j, "patched", cell(&row->cells[t->kernels - 1]));
		put_verdict(j, &row->verdict->total);
		json_set(j, "proof", proof(row));
		json_set_bool(j, "void", t->is_void);
		json_set(j, "steps", steps(t, row));
		json_set(j, "outcomes", outcomes(t));
		json_push(arr, j);
	}
	return arr;
}
