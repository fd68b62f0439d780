// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sessions in memory, and those that the state of a series holds.
 */
#include <string.h>

#include "bench_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/store.h"

void bench_boot_release(struct bench_boot *b)
{
	free(b->boot_id);
	free(b->build_id);
	free(b->why);
	strvec_release(&b->notes);
}

void bench_sample_release(struct sample *m)
{
	strvec_release(&m->counters);
}

/* Room for one more; sizes double, so n alone tells when it is time. */
static bool full(size_t n)
{
	return !(n & (n - 1));
}

size_t bench_add_boot(struct bench_session *s, const struct bench_boot *b)
{
	if (full(s->n_boots))
		s->boots = xreallocarray(s->boots, MAX(s->n_boots * 2, 1),
					 sizeof(*s->boots));
	s->boots[s->n_boots] = *b;
	return s->n_boots++;
}

void bench_add_sample(struct bench_session *s, const struct sample *m)
{
	if (full(s->n_samples))
		s->samples = xreallocarray(s->samples, MAX(s->n_samples * 2, 1),
					   sizeof(*s->samples));
	s->samples[s->n_samples++] = *m;
}

static void key_release(struct evidence_key *k)
{
	strvec_release(&k->patch_ids);
	free(k->compiler);
	free(k->host_class);
}

void bench_session_free(struct bench_session *s)
{
	if (!s)
		return;
	free(s->id);
	free(s->bench);
	free(s->host_alias);
	free(s->arch);
	free(s->accel);
	free(s->instrument);
	free(s->host_facts);
	free(s->metric);
	free(s->unit);
	free(s->setup);
	key_release(&s->key);
	strvec_release(&s->cases);
	strvec_release(&s->commands);
	strvec_release(&s->proofs);
	for (size_t i = 0; i < s->n_kernels; i++) {
		free(s->kernels[i].label);
		free(s->kernels[i].build_id);
		free(s->kernels[i].release);
	}
	free(s->kernels);
	for (size_t i = 0; i < s->n_boots; i++)
		bench_boot_release(&s->boots[i]);
	free(s->boots);
	for (size_t i = 0; i < s->n_samples; i++)
		bench_sample_release(&s->samples[i]);
	free(s->samples);
	free(s);
}

void bench_session_freep(struct bench_session **s)
{
	bench_session_free(*s);
	*s = NULL;
}

void bench_sessions_free(struct bench_session **s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bench_session_free(s[i]);
	free(s);
}

/* Newest first; of one second, by name, so that the order is always the same. */
static int newer(const void *a, const void *b)
{
	const struct bench_session *x = *(struct bench_session *const *)a,
				   *y = *(struct bench_session *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? 1 : -1;
	return strcmp(y->id, x->id);
}

static int read_one(struct series *s, const char *summary_path, const char *bench,
		    struct bench_session **ret, struct err *err)
{
	char *dir _cleanup_free_ = path_dir(summary_path);
	char *samples_path _cleanup_free_ = path_join(dir, "samples.json");
	struct json *summary _cleanup_json_ = NULL, *samples _cleanup_json_ = NULL;
	const char *name;
	int rc = store_read_json(s->repo, s->name, summary_path, &summary, err);

	if (rc)
		return rc;
	name = json_get_str(summary, "bench");
	if (bench && (!name || strcmp(name, bench)))
		return 0;
	rc = store_read_json(s->repo, s->name, samples_path, &samples, err);
	if (!rc)
		rc = bench_session_parse(summary, samples, ret, err);
	return rc ? err_context(err, "%s", dir) : 0;
}

int bench_sessions(struct series *s, const char *bench, struct bench_session ***ret,
		   size_t *ret_n, struct err *err)
{
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	struct bench_session **list = NULL;
	size_t n = 0;
	int rc = store_list(s->repo, s->name, "bench", &paths, err);

	if (rc)
		return rc;
	list = xcalloc(paths.n + 1, sizeof(*list));
	for (size_t i = 0; i < paths.n && !rc; i++) {
		if (strcmp(path_base(paths.v[i]), "summary.json"))
			continue;
		rc = read_one(s, paths.v[i], bench, &list[n], err);
		n += !rc && list[n];
	}
	if (rc) {
		bench_sessions_free(list, n);
		return rc;
	}
	if (n)
		qsort(list, n, sizeof(*list), newer);
	*ret = list;
	*ret_n = n;
	return 0;
}
