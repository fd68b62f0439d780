// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_try.c - does it apply to series.triage.base? "series am --check --base" tells,
 * in a process of its own, which can be ended. See triage_run.h.
 */
#include <stdlib.h>

#include "series/fs.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/progress.h"
#include "triage_run.h"

#define OUTPUT_MOST ((size_t)64 << 20)

struct triage_try {
	struct proc *proc;
	char *dir, *out, *err;
	size_t row;
};

void triage_try_free(struct triage_try *y)
{
	if (!y)
		return;
	proc_free(y->proc);
	if (y->dir)
		fs_rmtree(y->dir, NULL);
	free(y->dir);
	free(y->out);
	free(y->err);
	free(y);
}

size_t triage_try_row(const struct triage_try *y)
{
	return y->row;
}

int triage_try_start(const struct triage *t, size_t row, struct triage_try **ret,
		     struct err *err)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct triage_try *y = xcalloc(1, sizeof(*y));
	struct proc_opts o = { .out = PROC_FILE, .err = PROC_FILE };
	char *path _cleanup_free_ = NULL;
	int rc = triage_write(t, row, true, &y->dir, &path, err);

	if (!rc) {
		y->row = row;
		y->out = path_join(y->dir, "out");
		y->err = path_join(y->dir, "err");
		const char *tree = repo_work_tree(t->repo);

		strvec_pushl(&argv, "/proc/self/exe", "-C",
			     tree ? tree : repo_git_dir(t->repo), "am", "--check",
			     "--json", "--no-tags", "--offline", "--base", triage_base(t),
			     path, NULL);
		o.argv = strvec_argv(&argv);
		o.out_path = y->out;
		o.err_path = y->err;
		rc = proc_start(&o, &y->proc, err);
	}
	if (rc)
		triage_try_free(y);
	else
		*ret = y;
	return rc;
}

/* "patch 3: mm/rmap.c: patch does not apply" */
static char *why_not(const struct json *applies)
{
	const char *why = json_get_str(applies, "why");

	return xasprintf("patch %lld%s%s", (long long)json_get_int(applies, "patch", 0),
			 why && *why ? ": " : "", why ? why : "");
}

static void take_answer(const struct triage_try *y, struct triage *t)
{
	struct buf text _cleanup_buf_ = BUF_INIT, said _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	const struct json *applies;
	char *why _cleanup_free_ = NULL;
	struct triage_row *row = &t->row[y->row];

	fs_read(y->out, OUTPUT_MOST, &text, NULL);
	if (text.len && !json_parse_schema(buf_str(&text), y->out, 1, &j, NULL) &&
	    (applies = json_get(j, "applies"))) {
		bool ok = json_get_bool(applies, "ok", false);

		why = ok ? NULL : why_not(applies);
		triage_note_tried(t, row, ok ? APPLIES_YES : APPLIES_NO, why, NULL);
		return;
	}
	fs_read(y->err, OUTPUT_MOST, &said, NULL);
	why = str_dup(str_trim(buf_str(&said)));
	triage_note_tried(t, row, APPLIES_FAILED, why, NULL);
}

bool triage_try_poll(struct triage_try *y, struct triage *t, int wait_ms)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;

	if (!proc_poll(y->proc, wait_ms, &res))
		return false;
	/* What was killed has found nothing. */
	if (!res.signal)
		take_answer(y, t);
	return true;
}

int triage_try_all(struct triage *t, const size_t *v, size_t n, struct err *err)
{
	struct progress p = { .label = NULL };
	int rc = 0;

	if (!triage_base(t))
		return err_set(
			err, E_USAGE,
			"--try: git config series.triage.base says on which branch "
			"of this repository");
	progress_start(&p, "trying", (int64_t)n);
	for (size_t i = 0; !rc && i < n; i++) {
		struct triage_try *y = NULL;

		progress_update(&p, (int64_t)i, t->row[v[i]].l->title);
		if (t->row[v[i]].applies != APPLIES_UNKNOWN)
			continue;
		rc = triage_try_start(t, v[i], &y, err);
		while (!rc && !triage_try_poll(y, t, 100))
			rc = intr_check(err);
		triage_try_free(y);
		if (!rc)
			rc = intr_check(err);
	}
	progress_end(&p);
	return rc;
}
