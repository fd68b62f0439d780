// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stored sessions read again. A document may come from another machine: every number is
 * checked before it is an index.
 */
#include <string.h>

#include "bench_priv.h"
#include "series/mem.h"

#define LAST_DATE INT64_C(253402300799) /* of year 9999, which tables can show */

static int corrupt(struct err *err, const char *what, const char *msg)
{
	return err_set(err, E_CORRUPT, "%s: %s", what, msg);
}

/* An integer member within [lo, hi]. */
static int get_int(const struct json *j, const char *key, int64_t lo, int64_t hi,
		   const char *what, int64_t *ret, struct err *err)
{
	int64_t v = json_get_int(j, key, lo - 1);

	if (v < lo || v > hi)
		return err_set(err, E_CORRUPT,
			       "%s: %s: expected a number from %lld to %lld", what, key,
			       (long long)lo, (long long)hi);
	*ret = v;
	return 0;
}

/* Hex digits into a field of n bytes with its NUL; another length leaves it empty. */
static void get_hex(const struct json *j, const char *key, char *ret, size_t n)
{
	const char *s = json_get_str(j, key);

	if (s && strlen(s) == n - 1 && strspn(s, "0123456789abcdef") == n - 1)
		memcpy(ret, s, n);
}

static char *get_dup(const struct json *j, const char *key)
{
	return xstrdup_null(json_get_str(j, key));
}

/*
 * Names end in tables, and tables in mails: a control character in one could begin a line
 * of its own there. NULL is fine.
 */
static bool one_line(const char *s)
{
	for (; s && *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return false;
	return true;
}

static void parse_key(const struct json *j, struct evidence_key *k)
{
	get_hex(j, "base_tree", k->base_tree, sizeof(k->base_tree));
	get_hex(j, "tip_tree", k->tip_tree, sizeof(k->tip_tree));
	json_get_strvec(j, "patch_ids", &k->patch_ids);
	get_hex(j, "config", k->config, sizeof(k->config));
	k->compiler = get_dup(j, "compiler");
	get_hex(j, "bench_hash", k->bench_hash, sizeof(k->bench_hash));
	k->host_class = get_dup(j, "host_class");
}

static int parse_boot_state(const char *name, enum boot_state *ret)
{
	for (int i = BOOT_RUNNING; i <= BOOT_VOID; i++)
		if (name && !strcmp(name, boot_state_name((enum boot_state)i))) {
			*ret = (enum boot_state)i;
			return 0;
		}
	return -1;
}

int bench_boot_parse(const struct json *j, const struct bench_session *s,
		     const char *what, struct bench_boot *ret, struct err *err)
{
	int64_t kernel = 0, block = 0, order = 0;
	enum boot_state state = BOOT_VOID;
	int rc = get_int(j, "kernel", 0, (int64_t)s->n_kernels - 1, what, &kernel, err);

	if (!rc)
		rc = get_int(j, "block", 1, s->blocks, what, &block, err);
	if (!rc)
		rc = get_int(j, "order", 1, (int64_t)s->n_kernels, what, &order, err);
	if (!rc && parse_boot_state(json_get_str(j, "state"), &state))
		rc = corrupt(err, what, "unknown state of a boot");
	if (rc)
		return rc;
	*ret = (struct bench_boot){ .kernel = (int)kernel,
				    .block = (int)block,
				    .order = (int)order,
				    .boot_id = get_dup(j, "boot_id"),
				    .build_id = get_dup(j, "build_id"),
				    .state = state,
				    .why = get_dup(j, "why"),
				    .wall_ms = json_get_int(j, "wall_ms", 0) };
	json_get_strvec(j, "notes", &ret->notes);
	return 0;
}

static int parse_lists(const struct json *j, struct bench_session *s, const char *what,
		       struct err *err)
{
	const struct json *cases = json_get(j, "cases"),
			  *kernels = json_get(j, "kernels");

	for (size_t i = 0; i < json_len(cases); i++) {
		const struct json *c = json_at(cases, i);
		const char *name = json_get_str(c, "name"),
			   *command = json_get_str(c, "command"),
			   *proof = json_get_str(c, "proof");

		if (!name || !*name)
			return corrupt(err, what, "a case without a name");
		if (!one_line(name))
			return corrupt(err, what, "the name of a case is one line");
		strvec_push(&s->cases, name);
		strvec_push(&s->commands, command ? command : "");
		/* A list of rules or none at all, but as long as that of the cases. */
		if (proof && s->proofs.n == i)
			strvec_push(&s->proofs, proof);
	}
	if (json_len(kernels) < 2 || json_len(kernels) > BENCH_MAX_KERNELS)
		return corrupt(err, what, "expected at least two kernels");
	s->kernels = xcalloc(json_len(kernels), sizeof(*s->kernels));
	for (size_t i = 0; i < json_len(kernels); i++) {
		const struct json *k = json_at(kernels, i);
		struct bench_kernel *to = &s->kernels[s->n_kernels++];

		to->label = get_dup(k, "label");
		if (!to->label)
			return corrupt(err, what, "a kernel without a label");
		get_hex(k, "commit", to->commit, sizeof(to->commit));
		get_hex(k, "tree", to->tree, sizeof(to->tree));
		to->build_id = get_dup(k, "build_id");
		to->release = get_dup(k, "release");
		if (!one_line(to->label) || !one_line(to->release))
			return corrupt(err, what,
				       "label and release of a kernel are one line");
	}
	return 0;
}

static int parse_numbers(const struct json *j, struct bench_session *s, const char *what,
			 struct err *err)
{
	int64_t blocks = 0, runs = 0, version = 0, date = 0;
	int rc = get_int(j, "blocks", 1, BENCH_MAX_BLOCKS, what, &blocks, err);

	if (!rc)
		rc = get_int(j, "runs", 1, BENCH_MAX_RUNS, what, &runs, err);
	if (!rc)
		rc = get_int(j, "version", 0, INT32_MAX, what, &version, err);
	if (!rc)
		rc = get_int(j, "date", 0, LAST_DATE, what, &date, err);
	if (rc)
		return rc;
	s->blocks = (int)blocks;
	s->runs = (int)runs;
	s->version = (int)version;
	s->seed = (uint64_t)json_get_int(j, "seed", 0);
	s->date = date;
	s->delta_ppb = json_get_int(j, "delta_ppb", -1);
	s->floor_ppb = json_get_int(j, "floor_ppb", -1);
	s->q_ppb = json_get_int(j, "q_ppb", -1);
	s->complete = json_get_bool(j, "complete", false);
	return 0;
}

static int parse_strings(const struct json *j, struct bench_session *s, const char *what,
			 struct err *err)
{
	const char *better = json_get_str(j, "better");
	const struct json *facts = json_get(j, "facts");

	s->id = get_dup(j, "id");
	s->bench = get_dup(j, "bench");
	s->host_alias = get_dup(j, "host");
	s->arch = get_dup(j, "arch");
	s->accel = get_dup(j, "accel");
	s->instrument = get_dup(j, "instrument");
	s->metric = get_dup(j, "metric");
	s->unit = get_dup(j, "unit");
	s->setup = get_dup(j, "setup");
	s->higher_better = better && !strcmp(better, "higher");
	if (json_is_obj(facts)) {
		struct buf b = BUF_INIT;

		json_dump_line(facts, &b);
		s->host_facts = buf_take(&b);
	}
	if (!s->id || !s->bench || !s->host_alias || !s->arch || !s->accel ||
	    !s->instrument || !s->unit)
		return corrupt(
			err, what,
			"id, bench, host, arch, accel, instrument or unit is missing");
	if (!one_line(s->id) || !one_line(s->bench) || !one_line(s->host_alias) ||
	    !one_line(s->arch) || !one_line(s->metric) || !one_line(s->unit) ||
	    !one_line(s->setup))
		return corrupt(err, what,
			       "id, bench, host, arch, metric, unit and setup are one "
			       "line each");
	return 0;
}

int bench_summary_parse(const struct json *j, const char *what,
			struct bench_session **ret, struct err *err)
{
	struct bench_session *s _cleanup_bench_session_ = xcalloc(1, sizeof(*s));
	const struct json *boots = json_get(j, "boots");
	int64_t schema = json_get_int(j, "schema", 0);
	int rc = 0;

	if (schema < 1)
		return corrupt(err, what, "no schema number");
	if (schema > 1)
		return err_set(
			err, E_CORRUPT,
			"%s: schema %lld is newer than this program knows; update it",
			what, (long long)schema);
	rc = parse_strings(j, s, what, err);
	if (!rc)
		rc = parse_numbers(j, s, what, err);
	if (!rc)
		rc = parse_lists(j, s, what, err);
	parse_key(json_get(j, "key"), &s->key);
	if (!rc && !one_line(s->key.compiler))
		rc = corrupt(err, what, "the compiler is one line");
	for (size_t i = 0; i < json_len(boots) && !rc; i++) {
		struct bench_boot b;

		rc = bench_boot_parse(json_at(boots, i), s, what, &b, err);
		if (!rc)
			bench_add_boot(s, &b);
	}
	if (rc)
		return rc;
	*ret = s;
	s = NULL;
	return 0;
}

/* --- samples --- */

static int64_t at_int(const struct json *arr, size_t i)
{
	return json_value_int(json_at(arr, i), -1);
}

static void parse_counters(const struct json *counters, const struct strvec *names,
			   size_t i, struct strvec *ret)
{
	for (size_t k = 0; k < names->n; k++) {
		const struct json *v = json_at(json_get(counters, names->v[k]), i);

		/* null is no number: both defaults come back. */
		if (json_value_int(v, 0) == json_value_int(v, 1))
			strvec_pushf(ret, "%s=%lld", names->v[k],
				     (long long)json_value_int(v, 0));
	}
}

static int parse_samples(const struct json *j, struct bench_session *s, const char *what,
			 struct err *err)
{
	const struct json *boot = json_get(j, "boot"), *cases = json_get(j, "case"),
			  *run = json_get(j, "run"), *value = json_get(j, "value"),
			  *proven = json_get(j, "proven"),
			  *counters = json_get(j, "counters");
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	size_t n = json_len(boot);

	if (json_len(cases) != n || json_len(run) != n || json_len(value) != n ||
	    json_len(proven) != n)
		return corrupt(err, what, "columns of different length");
	json_keys(counters, &names);
	for (size_t i = 0; i < n; i++) {
		int64_t v = at_int(value, i), b = at_int(boot, i), c = at_int(cases, i),
			r = at_int(run, i);
		struct sample m = { .boot = (int)b, .case_i = (int)c, .run = (int)r };

		if (b < 0 || (size_t)b >= s->n_boots || c < 0 ||
		    (size_t)c >= s->cases.n || r < 0 || r > s->runs || v < 0 ||
		    v > BENCH_MAX_VALUE)
			return err_set(err, E_CORRUPT, "%s: sample %zu is of no run",
				       what, i);
		m.value = v ? v : SAMPLE_NONE;
		m.proven = at_int(proven, i) == 1;
		parse_counters(counters, &names, i, &m.counters);
		bench_add_sample(s, &m);
	}
	return 0;
}

int bench_session_parse(const struct json *summary, const struct json *samples,
			struct bench_session **ret, struct err *err)
{
	struct bench_session *s _cleanup_bench_session_ = NULL;
	int rc = bench_summary_parse(summary, "summary.json", &s, err);

	if (!rc)
		rc = parse_samples(samples, s, "samples.json", err);
	if (rc)
		return rc;
	*ret = s;
	s = NULL;
	return 0;
}
