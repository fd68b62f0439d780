// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A session as two documents: summary.json has the facts, once per session and boot, and
 * samples.json the values as columns of integers, so that thousands of runs stay small.
 */
#include <string.h>

#include "bench_priv.h"
#include "series/mem.h"

/* --- facts --- */

static struct json *key_json(const struct evidence_key *k)
{
	struct json *j = json_obj();

	json_set_str(j, "base_tree", k->base_tree);
	json_set_str(j, "tip_tree", k->tip_tree);
	json_set_strvec(j, "patch_ids", &k->patch_ids);
	json_set_str(j, "config", k->config);
	json_set_str(j, "compiler", k->compiler);
	json_set_str(j, "bench_hash", k->bench_hash);
	json_set_str(j, "host_class", k->host_class);
	return j;
}

static struct json *cases_json(const struct bench_session *s)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < s->cases.n; i++) {
		struct json *j = json_obj();

		json_set_str(j, "name", s->cases.v[i]);
		json_set_str(j, "command", i < s->commands.n ? s->commands.v[i] : "");
		if (i < s->proofs.n)
			json_set_str(j, "proof", s->proofs.v[i]);
		json_push(arr, j);
	}
	return arr;
}

static struct json *kernels_json(const struct bench_session *s)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < s->n_kernels; i++) {
		struct json *j = json_obj();

		json_set_str(j, "label", s->kernels[i].label);
		json_set_str(j, "commit", s->kernels[i].commit);
		json_set_str(j, "tree", s->kernels[i].tree);
		json_set_str(j, "build_id", s->kernels[i].build_id);
		json_set_str(j, "release", s->kernels[i].release);
		json_push(arr, j);
	}
	return arr;
}

struct json *bench_boot_json(const struct bench_boot *b)
{
	struct json *j = json_obj();

	json_set_int(j, "kernel", b->kernel);
	json_set_int(j, "block", b->block);
	json_set_int(j, "order", b->order);
	json_set_str(j, "boot_id", b->boot_id);
	json_set_str(j, "build_id", b->build_id);
	json_set_str(j, "state", boot_state_name(b->state));
	json_set_str(j, "why", b->why);
	json_set_strvec(j, "notes", &b->notes);
	json_set_int(j, "wall_ms", b->wall_ms);
	return j;
}

struct json *bench_summary_json(const struct bench_session *s)
{
	struct json *j = json_obj(), *boots = json_arr(), *facts = NULL;

	json_set_int(j, "schema", 1);
	json_set_str(j, "id", s->id);
	json_set_str(j, "bench", s->bench);
	json_set_str(j, "host", s->host_alias);
	json_set_str(j, "arch", s->arch);
	json_set_str(j, "accel", s->accel);
	json_set_str(j, "instrument", s->instrument);
	json_set_int(j, "delta_ppb", s->delta_ppb);
	json_set_int(j, "floor_ppb", s->floor_ppb);
	json_set_int(j, "q_ppb", s->q_ppb);
	if (s->host_facts && json_parse(str_c(s->host_facts), "facts", &facts, NULL))
		facts = NULL;
	json_set(j, "facts", facts);
	json_set_int(j, "version", s->version);
	json_set_int(j, "seed", (int64_t)s->seed);
	json_set_int(j, "blocks", s->blocks);
	json_set_int(j, "runs", s->runs);
	json_set_int(j, "date", s->date);
	json_set_str(j, "metric", s->metric);
	json_set_str(j, "unit", s->unit);
	json_set_str(j, "better", s->higher_better ? "higher" : "lower");
	json_set_str(j, "setup", s->setup);
	json_set_bool(j, "complete", s->complete);
	json_set(j, "key", key_json(&s->key));
	json_set(j, "cases", cases_json(s));
	json_set(j, "kernels", kernels_json(s));
	for (size_t i = 0; i < s->n_boots; i++)
		json_push(boots, bench_boot_json(&s->boots[i]));
	json_set(j, "boots", boots);
	return j;
}

/* --- samples --- */

/* Difference of a counter in a sample; false when it is not there. */
static bool counter_of(const struct sample *m, const char *name, int64_t *ret)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < m->counters.n; i++)
		if (!strncmp(m->counters.v[i], name, n) && m->counters.v[i][n] == '=')
			return cstr_to_i64(m->counters.v[i] + n + 1, INT64_MIN, INT64_MAX,
					   ret);
	return false;
}

static void counter_names(const struct bench_session *s, struct strvec *ret)
{
	for (size_t i = 0; i < s->n_samples; i++)
		for (size_t k = 0; k < s->samples[i].counters.n; k++) {
			const char *item = s->samples[i].counters.v[k];
			const char *end = strchr(item, '=');
			char *name _cleanup_free_ =
				xmemdup0(item, end ? (size_t)(end - item) : strlen(item));

			if (!strvec_has(ret, name))
				strvec_push(ret, name);
		}
	strvec_sort(ret);
}

static struct json *samples_json(const struct bench_session *s)
{
	static const char *const columns[] = { "boot", "case", "run", "value", "proven" };
	struct json *j = json_obj(), *counters = json_obj(), *col[ARRAY_SIZE(columns)];
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		json_set(j, columns[i], col[i] = json_arr());
	for (size_t i = 0; i < s->n_samples; i++) {
		const struct sample *m = &s->samples[i];

		json_push_int(col[0], m->boot);
		json_push_int(col[1], m->case_i);
		json_push_int(col[2], m->run);
		/* Values are greater than 0: 0 is a run without one. */
		json_push_int(col[3], m->value == SAMPLE_NONE ? 0 : m->value);
		json_push_int(col[4], m->proven);
	}
	counter_names(s, &names);
	for (size_t k = 0; k < names.n; k++) {
		struct json *arr = json_arr();

		for (size_t i = 0; i < s->n_samples; i++) {
			int64_t v;

			if (counter_of(&s->samples[i], names.v[k], &v))
				json_push_int(arr, v);
			else
				json_push(arr, NULL);
		}
		json_set(counters, names.v[k], arr);
	}
	json_set(j, "counters", counters);
	json_set_int(j, "schema", 1);
	return j;
}

int bench_session_store(const struct bench_session *s, struct json **ret_summary,
			struct json **ret_samples, struct err *err)
{
	if (!s->id || !s->bench || s->n_kernels < 2)
		return err_set(err, E_USAGE,
			       "a session needs an id, a benchmark and two kernels");
	*ret_summary = bench_summary_json(s);
	*ret_samples = samples_json(s);
	return 0;
}

void bench_session_hash(const char *id, char ret[17])
{
	char *text _cleanup_free_ = xasprintf("bench %s\n", id);
	char hex[SHA256_HEX];

	sha256_hex(text, strlen(text), hex);
	memcpy(ret, hex, 16);
	ret[16] = '\0';
}
