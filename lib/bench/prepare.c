// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands before the first boot: host, kernels, the program, and a session that says
 * what will be measured and with which instrument.
 */
#include <math.h>
#include <string.h>

#include "bench_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/report.h"

/* --- kernels --- */

struct rows {
	const char **commits, **labels, **subjects;
	struct strvec names;
	size_t n;
};

static void rows_release(struct rows *r)
{
	free(r->commits);
	free(r->labels);
	free(r->subjects);
	strvec_release(&r->names);
}

static void add_row(struct rows *r, const char *commit, const char *subject, int patch)
{
	r->commits[r->n] = commit;
	r->subjects[r->n] = subject;
	if (patch)
		r->labels[r->n] = strvec_pushf(&r->names, "p%d", patch);
	else
		r->labels[r->n] = strvec_push(&r->names, "base");
	r->n++;
}

static int build_failed(const struct build_report *b, struct err *err)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct build_result *r = &b->results[i];
		const char *first = r->first_error ? r->first_error : "see the log";
		const char *end = strchr(first, '\n');

		if (!r->image)
			return err_set(
				err, E_FINDINGS,
				"%s does not build: %.*s; 'series build' shows more",
				r->label,
				(int)(end ? end - first : (ptrdiff_t)strlen(first)),
				first);
	}
	return 0;
}

static int build_kernels(const struct bench_request *q, const struct host *h,
			 const char *arch, struct build_report *ret, struct err *err)
{
	const struct series *s = q->series;
	struct rows rows = { .n = 0 };
	struct commit base;
	int rc = repo_commit(q->repo, s->base, &base, err);

	if (rc)
		return rc;
	rows.commits = xcalloc(s->n_patches + 1, sizeof(*rows.commits));
	rows.labels = xcalloc(s->n_patches + 1, sizeof(*rows.labels));
	rows.subjects = xcalloc(s->n_patches + 1, sizeof(*rows.subjects));
	add_row(&rows, s->base, base.subject, 0);
	for (size_t i = 0; i < s->n_patches; i++)
		if (q->each || i + 1 == s->n_patches)
			add_row(&rows, s->patches[i].commit, s->patches[i].subject,
				s->patches[i].n);
	struct build_request b = { .repo = q->repo,
				   .config = q->config,
				   .arch = arch,
				   .kconfig = q->kconfig,
				   .modules = !strcmp(h->type, "ssh"),
				   .commits = rows.commits,
				   .labels = rows.labels,
				   .subjects = rows.subjects,
				   .n = rows.n };

	rc = build_run(&b, ret, err);
	if (rc == E_FINDINGS || !rc) {
		int failed = build_failed(ret, err);

		/* A commit may have a finding and yet an image; that one is measured. */
		if (rc && !failed)
			err_release(err);
		rc = failed;
	}
	rows_release(&rows);
	commit_release(&base);
	return rc;
}

static void add_kernel(struct bench_session *s, const struct build_result *r,
		       const char *label)
{
	struct bench_kernel *k = &s->kernels[s->n_kernels++];

	k->label = xstrdup(label);
	memcpy(k->commit, r->commit, sizeof(k->commit));
	memcpy(k->tree, r->tree, sizeof(k->tree));
	k->build_id = xstrdup_null(r->build_id);
	k->release = xstrdup_null(r->release);
}

static int fill_kernels(const struct bench_request *q, struct bench_prep *p,
			struct err *err)
{
	const struct build_result *first = &p->built.results[0],
				  *last = &p->built.results[p->built.n - 1];
	struct bench_session *s = p->s;

	if (first->build_id && last->build_id && !strcmp(first->build_id, last->build_id))
		return err_set(
			err, E_FAIL,
			"nothing to measure: with this configuration base and tip are "
			"the same kernel (build-id %.12s)",
			first->build_id);
	s->kernels = xcalloc(p->built.n + 1, sizeof(*s->kernels));
	for (size_t i = 0; i < p->built.n; i++)
		add_kernel(s, &p->built.results[i], p->built.results[i].label);
	if (q->aa)
		add_kernel(s, first, "base again");
	return 0;
}

/* --- what is measured --- */

/* "fill page (64K, 4K), zero (64K-zero)"; the cases' names only when the fills differ. */
static char *setup_text(const struct bench_def *d, const struct strvec *cases)
{
	struct strvec fills _cleanup_strvec_ = STRVEC_INIT;
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < cases->n; i++) {
		const char *fill = bench_def_case(d, cases->v[i])->fill;

		if (fill && !strvec_has(&fills, fill))
			strvec_push(&fills, fill);
	}
	for (size_t f = 0; f < fills.n; f++) {
		bool first = true;

		buf_printf(&b, "%s%s", f ? ", " : "fill ", fills.v[f]);
		for (size_t i = 0; i < cases->n && fills.n > 1; i++) {
			const char *fill = bench_def_case(d, cases->v[i])->fill;

			if (!fill || strcmp(fill, fills.v[f]))
				continue;
			buf_printf(&b, "%s%s", first ? " (" : ", ", cases->v[i]);
			first = false;
		}
		buf_puts(&b, first ? "" : ")");
	}
	return buf_take(&b);
}

static int fill_cases(const struct bench_request *q, struct bench_session *s,
		      struct err *err)
{
	const struct bench_def *d = q->def;
	const struct strvec *want =
		q->cases && q->cases->n ? q->cases : &d->default_cases;

	for (size_t i = 0; i < want->n; i++) {
		const struct bench_case *c = bench_def_case(d, want->v[i]);
		struct strvec rules _cleanup_strvec_ = STRVEC_INIT;

		if (!c) {
			struct buf names _cleanup_buf_ = BUF_INIT;

			for (size_t k = 0; k < d->n_cases; k++)
				buf_printf(&names, "%s%s", k ? ", " : "",
					   d->cases[k].name);
			return err_set(err, E_USAGE, "%s has no case '%s'; there are: %s",
				       d->name, want->v[i], buf_cstr(&names));
		}
		if (strvec_has(&s->cases, c->name))
			continue;
		strvec_push(&s->cases, c->name);
		strvec_pushf(&s->commands, "%s%s%s", d->name, *c->args ? " " : "",
			     c->args);
		for (size_t k = 0; k < c->n_proofs; k++)
			strvec_push(&rules, c->proofs[k].text);
		strvec_take(&s->proofs, strvec_join(&rules, "; "));
	}
	s->setup = setup_text(d, &s->cases);
	return 0;
}

static int fill_instrument(const struct bench_request *q, struct bench_session *s,
			   struct err *err)
{
	struct instrument ins;
	int rc;

	s->instrument = xstrdup(strcmp(s->accel, "icount") ? "real" : "icount");
	s->delta_ppb = s->floor_ppb = s->q_ppb = -1;
	rc = bench_instrument(s, q->config, &ins, err);
	if (rc)
		return rc;
	s->delta_ppb = llround(ins.delta * 1e9);
	s->floor_ppb = llround(ins.floor * 1e9);
	s->q_ppb = llround(ins.q * 1e9);
	return 0;
}

static void fill_key(const struct bench_request *q, struct bench_prep *p)
{
	const struct build_result *first = &p->built.results[0],
				  *last = &p->built.results[p->built.n - 1];
	struct evidence_key *k = &p->s->key;
	bool machine = !strcmp(p->s->accel, "hardware");
	/* A machine is like no other, an emulated CPU is the same everywhere. */
	const char *cpu = machine	 ? p->host->alias
			  : p->host->cpu ? p->host->cpu
					 : p->arch->cpu;

	memcpy(k->base_tree, first->tree, sizeof(k->base_tree));
	memcpy(k->tip_tree, last->tree, sizeof(k->tip_tree));
	for (size_t i = 0; i < q->series->n_patches; i++)
		strvec_push(&k->patch_ids, q->series->patches[i].patch_id);
	memcpy(k->config, first->config_hash, sizeof(k->config));
	k->compiler = xstrdup_null(first->compiler);
	memcpy(k->bench_hash, q->def->hash, sizeof(k->bench_hash));
	k->host_class = xasprintf("%s-%s-%s-%s", p->host->type, p->s->accel,
				  p->arch->name, cpu ? cpu : "default");
}

static int fill_session(const struct bench_request *q, struct bench_prep *p,
			struct err *err)
{
	const struct bench_def *d = q->def;
	struct bench_session *s = p->s;
	int rc;

	s->bench = xstrdup(d->name);
	s->host_alias = xstrdup(p->host->alias);
	s->arch = xstrdup(p->arch->name);
	s->accel = xstrdup(p->host->accel);
	s->version = series_draft(q->series);
	s->metric = xstrdup(d->metrics[0].name);
	s->unit = xstrdup(d->metrics[0].unit);
	s->higher_better = d->metrics[0].higher_better;
	s->blocks = q->blocks ? q->blocks : d->blocks ? d->blocks : 6;
	s->runs = q->runs ? q->runs : bench_default_runs(d, s->accel);
	rc = fill_instrument(q, s, err);
	if (!rc)
		rc = fill_kernels(q, p, err);
	if (!rc)
		fill_key(q, p);
	return rc;
}

/* --- the host --- */

static int find_host(const struct bench_request *q, struct bench_prep *p, struct err *err)
{
	int rc = host_find(q->config, q->host, &p->host, err);

	if (rc)
		return rc;
	p->arch = q->arch ? NULL : p->host->arch ? p->host->arch : arch_native();
	if (q->arch) {
		rc = arch_find(q->arch, &p->arch, err);
		if (rc)
			return rc;
	}
	if (p->host->arch && p->host->arch != p->arch)
		return err_set(err, E_USAGE, "host %s boots %s, not %s", p->host->name,
			       p->host->arch->name, p->arch->name);
	if (p->host->memory_mib && p->host->memory_mib < q->def->memory_mib)
		return err_set(err, E_USAGE,
			       "%s needs %d MiB, host %s has %d: git config "
			       "series.host.%s.memory %d",
			       q->def->name, q->def->memory_mib, p->host->name,
			       p->host->memory_mib, p->host->name, q->def->memory_mib);
	return 0;
}

static int fix_accel(struct bench_prep *p, struct err *err)
{
	const char *accel = NULL;
	int rc = host_accel(p->host, p->arch, p->built.results[0].image, &accel, err);

	if (!rc && accel != p->host->accel) {
		char *copy = xstrdup(accel);

		free(p->host->accel);
		p->host->accel = copy;
	}
	return rc;
}

int bench_prepare(const struct bench_request *q, struct bench_prep *ret, struct err *err)
{
	struct bench_prep p = { .s = xcalloc(1, sizeof(*p.s)) };
	int rc = fill_cases(q, p.s, err);

	if (!rc && !q->series->n_patches)
		rc = err_set(err, E_USAGE,
			     "the series has no patches: nothing to compare");
	if (!rc)
		rc = find_host(q, &p, err);
	/* The program first: it takes a second, kernels take minutes. */
	if (!rc)
		rc = lab_compile(q->config, p.arch, q->def->source, &p.program, NULL,
				 err);
	if (!rc)
		rc = build_kernels(q, p.host, p.arch->name, &p.built, err);
	if (!rc)
		rc = build_store(q->repo, q->series->name, &p.built, err);
	if (!rc)
		rc = fix_accel(&p, err);
	if (!rc)
		rc = fill_session(q, &p, err);
	if (rc) {
		bench_prep_release(&p);
		return rc;
	}
	*ret = p;
	return 0;
}

void bench_prep_release(struct bench_prep *p)
{
	bench_session_free(p->s);
	host_free(p->host);
	build_report_release(&p->built);
	free(p->program);
}
