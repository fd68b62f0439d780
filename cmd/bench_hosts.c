// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_hosts.c - one "series bench" on several hosts at once: a process for each, what
 * they say is told as it comes with the host's name in front, their tables in the end.
 */
#include <stdlib.h>
#include <string.h>

#include "series/fs.h"
#include "series/lab.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/progress.h"
#include "bench_hosts.h"

#define GRACE_MS 30000 /* its host may be on its way home */
#define MAX_OUT	 ((size_t)64 << 20)
#define MAX_NEWS ((size_t)1 << 20)

struct one {
	const char *host;
	struct proc *proc;
	char *out, *news;
	size_t told; /* bytes of news */
	int status;
	bool ended;
};

struct bench_request bench_request_of(const struct ctx *c, const struct bench_opts *o,
				      const struct bench_def *d, const char *host,
				      const char *kconfig)
{
	return (struct bench_request){ .repo = c->repo,
				       .config = c->config,
				       .series = c->series,
				       .def = d,
				       .arch = o->arch,
				       .host = host,
				       .kconfig = kconfig,
				       .each = o->each,
				       .aa = o->aa,
				       .resume = o->resume,
				       .blocks = o->blocks,
				       .runs = o->runs,
				       .cases = &o->cases };
}

/* One builds at a time; and what does not build is seen before anything is booted. */
static int build_for(struct ctx *c, const struct bench_opts *o, const char *host,
		     const struct strvec *names, struct err *err)
{
	size_t configs = MAX(o->config.n, 1);
	int rc = 0;

	for (size_t i = 0; i < names->n * configs && !rc; i++) {
		struct bench_def *d _cleanup_bench_def_ = NULL;

		rc = bench_def_load(names->v[i / configs], &d, err);
		if (rc)
			break;
		struct bench_request q = bench_request_of(
			c, o, d, host, o->config.n ? o->config.v[i % configs] : NULL);

		rc = bench_build(&q, err);
	}
	return rc;
}

static void push_int(struct strvec *v, const char *option, int value)
{
	if (value) {
		strvec_push(v, option);
		strvec_pushf(v, "%d", value);
	}
}

static void push_list(struct strvec *v, const char *option, const struct strvec *list)
{
	for (size_t i = 0; i < list->n; i++)
		strvec_pushl(v, option, list->v[i], NULL);
}

/* The same command for one host. */
static void command(const struct ctx *c, const struct bench_opts *o, const char *host,
		    const struct strvec *names, const char *self, struct strvec *v)
{
	strvec_pushl(v, self, "bench", "-s", c->series->name, "--host", host, NULL);
	if (o->arch)
		strvec_pushl(v, "--arch", o->arch, NULL);
	push_list(v, "--case", &o->cases);
	push_list(v, "--config", &o->config);
	push_int(v, "--blocks", o->blocks);
	push_int(v, "--runs", o->runs);
	if (o->each)
		strvec_push(v, "--each");
	if (o->aa)
		strvec_push(v, "--aa");
	if (o->resume)
		strvec_push(v, "--resume");
	if (c->json)
		strvec_push(v, "--json");
	strvec_push(v, "--");
	strvec_extend(v, names);
}

static int start(struct one *w, struct strvec *argv, const char *dir, struct err *err)
{
	struct proc_opts o = { .argv = strvec_argv(argv),
			       .out = PROC_FILE,
			       .err = PROC_FILE,
			       .grace_ms = GRACE_MS };
	char *out = xasprintf("%s/%s.out", dir, w->host);
	char *news = xasprintf("%s/%s.news", dir, w->host);

	w->out = out;
	w->news = news;
	o.out_path = out;
	o.err_path = news;
	return proc_start(&o, &w->proc, err);
}

/* Whole lines that came since; its last words when it has ended. */
static void tell(struct one *w)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	if (fs_read(w->news, MAX_NEWS, &text, NULL) || text.len <= w->told)
		return;
	rest = str_n(text.p + w->told, text.len - w->told);
	while (str_chr(rest, '\n') >= 0 && str_line(&rest, &line)) {
		progress_note("%s: " STR_FMT, w->host, STR_ARG(line));
		w->told += line.len + 1;
	}
}

static int wait_all(struct one *w, size_t n, struct progress *p, struct err *err)
{
	size_t left = n;

	while (left) {
		for (size_t i = 0; i < n; i++) {
			struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;

			if (w[i].ended)
				continue;
			w[i].ended = proc_poll(w[i].proc, 200, &pr);
			tell(&w[i]);
			if (!w[i].ended)
				continue;
			w[i].status = pr.status;
			left--;
			if (pr.interrupted)
				err_set(err, E_INTR,
					"interrupted; the same command with --resume "
					"goes on");
		}
		progress_update(p, (int64_t)(n - left), NULL);
	}
	return err && err->code == E_INTR ? E_INTR : 0;
}

/* The last line of its news without the program's name, for one message of ours. */
static char *last_words(const struct one *w)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str rest, line, last = STR_LIT("no word");

	if (!fs_read(w->news, MAX_NEWS, &text, NULL)) {
		rest = buf_str(&text);
		while (str_line(&rest, &line))
			if (str_trim(line).len)
				last = str_trim(line);
	}
	str_skip(&last, "series: ");
	return str_dup(last);
}

static int take_json(const struct one *w, struct json *sessions, struct strvec *findings,
		     struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	struct strvec found _cleanup_strvec_ = STRVEC_INIT;
	int rc = fs_read(w->out, MAX_OUT, &text, err);

	if (!rc && !str_trim(buf_str(&text)).len)
		return 0;
	if (!rc)
		rc = json_parse(buf_str(&text), w->host, &j, err);
	for (size_t i = 0; !rc && i < json_len(json_get(j, "sessions")); i++)
		json_push(sessions, json_dup(json_at(json_get(j, "sessions"), i)));
	json_get_strvec(j, "findings", &found);
	for (size_t i = 0; i < found.n; i++)
		strvec_pushf(findings, "%s: %s", w->host, found.v[i]);
	return rc;
}

static int take_text(struct ctx *c, const struct one *w, bool first, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = fs_read(w->out, MAX_OUT, &text, err);

	if (rc || !text.len)
		return rc;
	out_printf(&c->out, "%shost %s\n\n", first ? "" : "\n", w->host);
	out_foreign(&c->out, buf_str(&text));
	return 0;
}

/* Tables in the order in which the hosts were named; who failed is a finding beside them.
 */
static int collect(struct ctx *c, const struct one *w, size_t n, struct json *sessions,
		   struct strvec *findings, struct err *err)
{
	struct buf failed _cleanup_buf_ = BUF_INIT;
	size_t bad = 0;
	bool first = true;
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		size_t known = findings->n;
		char *words _cleanup_free_ = last_words(&w[i]);

		rc = c->json ? take_json(&w[i], sessions, findings, err)
			     : take_text(c, &w[i], first, err);
		first = false;
		if (w[i].status == 2 && findings->n == known)
			strvec_pushf(findings, "%s: %s", w[i].host, words);
		if (!w[i].status || w[i].status == 2)
			continue;
		strvec_pushf(findings, "%s failed: %s", w[i].host, words);
		buf_printf(&failed, "%shost %s: %s", failed.len ? "; " : "", w[i].host,
			   words);
		bad++;
	}
	if (!rc && bad == n)
		rc = err_set(err, E_FAIL, "%s", buf_cstr(&failed));
	return rc;
}

static int run(struct ctx *c, const struct bench_opts *o, const struct strvec *names,
	       struct one *w, struct json *sessions, struct strvec *findings,
	       struct err *err)
{
	char *self _cleanup_free_ = realpath("/proc/self/exe", NULL);
	char *list _cleanup_free_ = strvec_join(&o->hosts, ", ");
	char *label _cleanup_free_ = xasprintf("measuring on %s", list);
	char *dir _cleanup_free_ = NULL;
	struct progress p;
	int rc = fs_tmpdir("series-bench", &dir, err);

	for (size_t i = 0; i < o->hosts.n && !rc; i++) {
		struct strvec argv _cleanup_strvec_ = STRVEC_INIT;

		w[i].host = o->hosts.v[i];
		command(c, o, w[i].host, names, self ? self : "series", &argv);
		rc = start(&w[i], &argv, dir, err);
	}
	if (!rc) {
		progress_start(&p, label, (int64_t)o->hosts.n);
		rc = wait_all(w, o->hosts.n, &p, err);
		progress_end(&p);
	}
	if (!rc)
		rc = collect(c, w, o->hosts.n, sessions, findings, err);
	for (size_t i = 0; i < o->hosts.n; i++) {
		proc_free(w[i].proc);
		free(w[i].out);
		free(w[i].news);
	}
	if (dir)
		fs_rmtree(dir, NULL);
	return rc;
}

int bench_on_hosts(struct ctx *c, const struct bench_opts *o, const struct strvec *names,
		   struct json *sessions, struct strvec *findings, struct err *err)
{
	struct one *w _cleanup_free_ = xcalloc(o->hosts.n, sizeof(*w));
	int rc = 0;

	for (size_t i = 0; i < o->hosts.n && !rc; i++) {
		struct host *h _cleanup_host_ = NULL;

		for (size_t k = 0; k < i; k++)
			if (!strcmp(o->hosts.v[i], o->hosts.v[k]))
				return err_set(err, E_USAGE, "host %s is named twice",
					       o->hosts.v[i]);
		rc = host_find(c->config, o->hosts.v[i], &h, err);
	}
	for (size_t i = 0; i < o->hosts.n && !rc; i++)
		rc = build_for(c, o, o->hosts.v[i], names, err);
	return rc ? rc : run(c, o, names, w, sessions, findings, err);
}
