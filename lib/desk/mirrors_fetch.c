// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mirrors_fetch.c - the epochs of a list by git: those that are here, and the next number
 * as long as there is one.
 *
 * An epoch is fetched into an empty repository, not cloned: what a killed git leaves is a
 * repository without commits, which the next run fetches into.
 */
#include <stdlib.h>
#include "mirrors_priv.h"
#include "series/fs.h"
#include "series/git.h"
#include "series/http.h"
#include "series/mem.h"
#include "series/mirror.h"
#include "series/progress.h"
#include "series/time.h"

#define BRANCH	  "refs/heads/master"
#define WORDS_MAX (64 << 10)

enum fetched { FETCHED, NO_SUCH, NOTHING_SO_NEW };

static bool says(struct str words, const char *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_find(words, v[i]) >= 0)
			return true;
	return false;
}

/* git's words for "there is no such repository", or none with a commit. */
static bool no_such(struct str words)
{
	static const char *const v[] = { "not found",
					 "does not exist",
					 "does not appear to be a git repository",
					 "not a git repository",
					 "not exported",
					 "couldn't find remote ref HEAD" };

	return says(words, v, ARRAY_SIZE(v));
}

static bool too_old(struct str words)
{
	static const char *const v[] = { "no commits selected", "shallow info" };

	return says(words, v, ARRAY_SIZE(v));
}

/* Servers of plain files, and bundles, have no part of a history. */
static bool no_shallow(struct str words)
{
	static const char *const v[] = { "shallow", "--depth" };

	return says(words, v, ARRAY_SIZE(v));
}

/* The last thing that git said, for the line of progress. */
static void show(struct progress *p, const char *log)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str text;
	size_t at;

	if (!fs_read_tail(log, 200, &b, NULL)) {
		text = str_trim(buf_str(&b));
		for (at = text.len;
		     at && text.p[at - 1] != '\r' && text.p[at - 1] != '\n'; at--)
			;
		b.len = (size_t)(text.p - b.p) + text.len;
		b.p[b.len] = '\0';
		progress_update(p, 0, text.p + at);
	}
	progress_tick();
}

/* Run git, whose words go to *ret_words; its status, or an error. */
static int run(struct strvec *args, const char *log, const char *label,
	       struct buf *ret_words, struct err *err)
{
	char *env[] = { "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "GIT_DIR", NULL };
	struct proc_opts o = { .argv = strvec_argv(args),
			       .env = env,
			       .out = PROC_NULL,
			       .err = PROC_FILE,
			       .err_path = log };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct progress progress = { .label = NULL };
	struct proc *p;
	int rc = fs_unlink(log, err);

	if (!rc)
		rc = proc_start(&o, &p, err);
	if (rc)
		return rc;
	progress_start(&progress, label, 0);
	while (!proc_poll(p, 200, &res))
		show(&progress, log);
	progress_end(&progress);
	proc_free(p);
	fs_read_tail(log, WORDS_MAX, ret_words, NULL);
	fs_unlink(log, NULL);
	if (res.interrupted)
		return err_set(err, E_INTR, "interrupted");
	return res.status;
}

static int init(const char *epoch, struct err *err)
{
	char *argv[] = {
		"git", "init", "-q", "--bare", "--template=", (char *)epoch, NULL
	};
	char *head[] = {
		"git", "-C", (char *)epoch, "symbolic-ref", "HEAD", BRANCH, NULL
	};
	char *env[] = { "GIT_DIR", NULL };
	struct proc_opts o = { .argv = argv, .env = env, .timeout_ms = 60000 };
	int rc = fs_mkdirs(epoch, err);

	if (!rc)
		rc = proc_check(&o, NULL, err);
	o.argv = head;
	return rc ? rc : proc_check(&o, NULL, err);
}

/* Does it hold a commit? */
static bool has_mails(const char *epoch)
{
	struct repo *r _cleanup_repo_ = NULL;
	char id[OID_HEX];

	return !repo_open(epoch, &r, NULL) && !repo_ref(r, BRANCH, id, NULL);
}

static int failed(const struct mirror_conf *m, const char *from, int status,
		  const struct buf *words, struct err *err)
{
	char *url _cleanup_free_ = url_public(from);

	if (git_disk_full(m->dir))
		return err_set(err, E_FAIL,
			       "%s: the disk is full; make room and run "
			       "series mirror update %s",
			       m->dir, m->name);
	return err_set(err, E_FAIL, "git fetch %s (status %d): " STR_FMT, url, status,
		       STR_ARG(git_words(words)));
}

/* Fetch into an epoch that is here, all of it or what came since. */
static int fetch_into(const struct mirror_conf *m, const char *from, const char *epoch,
		      bool shallow, enum fetched *ret, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct buf words _cleanup_buf_ = BUF_INIT;
	char *log _cleanup_free_ = path_join(m->dir, "fetch.log");
	char *url _cleanup_free_ = url_public(from);
	char *label _cleanup_free_ = xasprintf("fetching %s", url);
	int rc;

	strvec_pushl(&args, "git", "-C", epoch, "-c", "gc.autoDetach=false", "-c",
		     "fetch.unpackLimit=1", "fetch", "--progress", "--no-tags", "--force",
		     "--no-write-fetch-head", NULL);
	if (shallow)
		strvec_pushf(&args, "--shallow-since=%lld", (long long)m->since);
	strvec_pushl(&args, "--", from, "+HEAD:" BRANCH, NULL);
	rc = run(&args, log, label, &words, err);
	*ret = FETCHED;
	if (rc <= 0)
		return rc;
	if (no_such(buf_str(&words)))
		*ret = NO_SUCH;
	else if (shallow && too_old(buf_str(&words)))
		*ret = NOTHING_SO_NEW;
	else if (shallow && no_shallow(buf_str(&words)))
		return fetch_into(m, from, epoch, false, ret, err);
	else
		return failed(m, from, rc, &words, err);
	return 0;
}

/* Epoch number n from there; what cannot be had leaves no repository. */
static int fetch_epoch(const struct mirror_conf *m, const char *from, int64_t n,
		       enum fetched *ret, struct err *err)
{
	char *epoch _cleanup_free_ = xasprintf("%s/git/%lld.git", m->dir, (long long)n);
	bool new = !has_mails(epoch);
	int rc = new ? init(epoch, err) : 0;

	*ret = NO_SUCH;
	if (!rc)
		rc = fetch_into(m, from, epoch, new && m->since, ret, err);
	if (new && (rc || *ret != FETCHED) && !has_mails(epoch))
		fs_rmtree(epoch, NULL);
	return rc;
}

static char *epoch_url(const struct mirror_conf *m, const char *form, int64_t n)
{
	if (!*form)
		return xstrdup(m->source);
	return xasprintf("%s/%s%lld%s", m->source, *form == 'g' ? "git/" : "",
			 (long long)n, *form == 'g' ? ".git" : "");
}

/* Epochs by number, from what is the first until there is none. */
static int fetch_numbers(struct mirror_conf *m, const char *form, size_t *ret_n,
			 struct err *err)
{
	enum fetched what = FETCHED;
	int rc = 0;

	*ret_n = 0;
	for (int64_t n = 0; !rc && what != NO_SUCH && (*form || !n); n++) {
		char *from _cleanup_free_ = epoch_url(m, form, n);

		rc = fetch_epoch(m, from, n, &what, err);
		*ret_n += !rc && what != NO_SUCH;
	}
	return rc;
}

/* Epochs of a mirror in the file system, as it names them. */
static int fetch_local(struct mirror_conf *m, struct err *err)
{
	struct strvec epochs _cleanup_strvec_ = STRVEC_INIT;
	int rc = mirror_epochs(m->source, &epochs, err);

	for (size_t i = 0; !rc && i < epochs.n; i++) {
		struct str name = str_c(path_base(epochs.v[i]));
		enum fetched what;
		int64_t n = 0;

		if (str_ends(name, ".git"))
			name.len -= strlen(".git");
		if (strcmp(epochs.v[i], m->source) != 0)
			str_to_i64(name, 0, INT32_MAX, &n);
		rc = fetch_epoch(m, epochs.v[i], n, &what, err);
	}
	if (!rc && !m->form)
		m->form = xstrdup("");
	return rc;
}

int mirrors_fetch(struct mirror_conf *m, struct err *err)
{
	/* public-inbox; its files on any server; an epoch by itself, a bundle */
	static const char *const forms[] = { "%d", "git/%d.git", "" };
	char *url _cleanup_free_ = url_public(m->source);
	size_t n = 0;
	int rc = 0;

	if (fs_is_dir(m->source))
		return fetch_local(m, err);
	if (m->form) {
		rc = fetch_numbers(m, m->form, &n, err);
		if (!rc && !n)
			rc = err_set(err, E_NOTFOUND, "the list is no longer at %s", url);
		return rc;
	}
	for (size_t i = 0; !rc && !n && i < ARRAY_SIZE(forms); i++) {
		if (*forms[i] && *m->source == '/') /* a file */
			continue;
		rc = fetch_numbers(m, forms[i], &n, err);
		if (!rc && n)
			m->form = xstrdup(forms[i]);
	}
	if (!rc && !n)
		rc = err_set(
			err, E_NOTFOUND,
			"%s: no mirror of a list is there (public-inbox, version 2): "
			"neither %s/0 nor %s/git/0.git nor itself",
			url, url, url);
	return rc;
}

int mirrors_date(const char *text, int64_t *ret, struct err *err)
{
	char *set _cleanup_free_ = xasprintf("series.since=%s", text);
	char *argv[] = { "git",	  "-c",		  set, "config", "--type=expiry-date",
			 "--get", "series.since", NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = 30000 };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int64_t value = 0;
	int rc = proc_run(&o, &res, err);

	if (rc)
		return rc;
	if (res.status || !str_to_i64(str_trim(buf_str(&res.out)), 1, time_now(), &value))
		return err_set(err, E_USAGE,
			       "--since: \"%s\" is no time in the past that git knows; "
			       "for instance 2026-01-31 or \"6 months ago\"",
			       text);
	*ret = value;
	return 0;
}
