// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a boot brought: values, differences of counters and whether they prove the case,
 * and what is worth saying about the kernel. Nothing is left out for its value.
 */
#include <string.h>

#include "bench_priv.h"
#include "outcome.h"
#include "series/mem.h"

#define MAX_NOTES 50

static bool is_type(const struct json *j, const char *t)
{
	const char *s = json_get_str(j, "t");

	return s && !strcmp(s, t);
}

static void note(struct bench_boot *b, const char *kind, const char *c, int64_t run,
		 const char *text)
{
	if (b->notes.n < MAX_NOTES)
		strvec_pushf(&b->notes, "%scase %s, run %lld: %s", kind, c,
			     (long long)run, text);
}

/* "NAME=DIFFERENCE" of every counter that could be read. */
static void keep_counters(const struct json *counters, struct strvec *ret)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	json_keys(counters, &names);
	for (size_t i = 0; i < names.n; i++) {
		const struct json *v = json_get(counters, names.v[i]);

		/* null is no number: both defaults come back. */
		if (json_value_int(v, 0) == json_value_int(v, 1))
			strvec_pushf(ret, "%s=%lld", names.v[i],
				     (long long)json_value_int(v, 0));
	}
}

static void judge_proof(const struct bench_case *c, const struct json *rec,
			struct bench_boot *b, struct sample *m)
{
	const struct json *counters = json_get(rec, "counters");
	struct buf why _cleanup_buf_ = BUF_INIT;
	enum proof_state p = bench_proof(c, counters, &why);

	m->proven = p == PROOF_MET;
	if (p != PROOF_ABSENT)
		keep_counters(counters, &m->counters);
	if (p == PROOF_NOT_MET && m->run > 0)
		note(b, NOTE_PROOF, c->name, m->run, buf_cstr(&why));
}

static int64_t value_of(const struct bench_def *d, const struct json *rec, const char *c,
			struct bench_boot *b)
{
	int64_t rc = json_get_int(rec, "rc", -1), run = json_get_int(rec, "run", 0), v;
	char *text _cleanup_free_ = NULL;

	if (json_get_bool(rec, "timed_out", false))
		text = xasprintf("no end within %d s", d->timeout_s);
	else if (rc)
		text = xasprintf("exit status %lld", (long long)rc);
	else if (!bench_metric_value(&d->metrics[0], json_get_strn(rec, "out"), &v))
		text = xasprintf("its output has no %s", d->metrics[0].name);
	if (!text)
		return v;
	note(b, NOTE_RUN, c, run, text);
	return SAMPLE_NONE;
}

static void note_taint(const struct json *rec, struct bench_boot *b)
{
	int64_t taint = json_get_int(rec, "taint", 0);

	for (size_t i = 0; i < b->notes.n; i++)
		if (!strncmp(b->notes.v[i], NOTE_TAINT, strlen(NOTE_TAINT)))
			return;
	if (taint > 0)
		strvec_pushf(&b->notes, NOTE_TAINT "%lld", (long long)taint);
}

/* Was this run here before? A guest that repeats itself does not count twice. */
static bool seen(const struct sample *m, size_t n, int c, int run)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].case_i == c && m[i].run == run)
			return true;
	return false;
}

void bench_harvest(const struct bench_def *d, const struct bench_session *s,
		   const struct boot_result *r, struct bench_boot *ret_boot,
		   struct sample **ret, size_t *ret_n)
{
	struct sample *list = xcalloc(json_len(r->records) + 1, sizeof(*list));
	struct bench_boot *b = ret_boot;
	size_t n = 0;

	*b = (struct bench_boot){ .boot_id = xstrdup_null(r->boot_id),
				  .build_id = xstrdup_null(r->build_id),
				  .state = r->state,
				  .why = xstrdup_null(r->why),
				  .wall_ms = r->wall_ms };
	strvec_extend(&b->notes, &r->notes);
	/* What another kernel measured before it was ended is nobody's value here. */
	size_t records = r->state == BOOT_WRONG_KERNEL ? 0 : json_len(r->records);

	for (size_t i = 0; i < records; i++) {
		const struct json *rec = json_at(r->records, i);
		const char *name = json_get_str(rec, "case");
		int64_t run = json_get_int(rec, "run", -1);
		int c = -1;

		for (size_t k = 0; name && k < s->cases.n; k++)
			if (!strcmp(s->cases.v[k], name))
				c = (int)k;
		if (!is_type(rec, "run") || c < 0 || run < 0 || run > s->runs ||
		    seen(list, n, c, (int)run))
			continue;
		list[n] = (struct sample){ .case_i = c, .run = (int)run };
		list[n].value = value_of(d, rec, name, b);
		judge_proof(bench_def_case(d, name), rec, b, &list[n]);
		note_taint(rec, b);
		n++;
	}
	*ret = list;
	*ret_n = n;
}

/* hello without what differs from boot to boot, and the facts the job asked for. */
char *bench_harvest_facts(const struct boot_result *r)
{
	static const char *const wanted[] = { "cpu",	    "cpus",    "memory_kib",
					      "page_size",  "cmdline", "clocksource",
					      "governor",   "smt",     "thp",
					      "swappiness", "machine" };
	struct json *j _cleanup_json_ = json_obj();
	struct buf b = BUF_INIT;
	bool hello = false, machine = r->accel && !strcmp(r->accel, "hardware");

	for (size_t i = 0; i < json_len(r->records); i++) {
		const struct json *rec = json_at(r->records, i);

		if (is_type(rec, "fact") && json_get_str(rec, "name"))
			json_set_str(j, json_get_str(rec, "name"),
				     json_get_str(rec, "value"));
		if (!is_type(rec, "hello"))
			continue;
		hello = true;
		for (size_t k = 0; k < ARRAY_SIZE(wanted); k++) {
			const struct json *v = json_get(rec, wanted[k]);

			/* a machine's names disks and addresses, and results are pushed */
			if (machine && !strcmp(wanted[k], "cmdline"))
				continue;
			if (json_value_str(v))
				json_set_str(j, wanted[k], json_value_str(v));
			else if (json_value_int(v, 0) == json_value_int(v, 1))
				json_set_int(j, wanted[k], json_value_int(v, 0));
		}
	}
	if (!hello)
		return NULL;
	json_dump_line(j, &b);
	return buf_take(&b);
}
