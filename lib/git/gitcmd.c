// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running the git program, and moving refs with it: one "git update-ref --stdin" per
 * transaction, compared with what the caller saw.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include "internal.h"

/* git and libgit2 hold back why they could not write: so little is a full disk. */
#define NO_ROOM (64 << 10)

bool git_disk_full(const char *dir)
{
	struct statvfs v;

	return !statvfs(dir, &v) && (!v.f_bavail || v.f_bavail * v.f_frsize < NO_ROOM);
}

/*
 * "Unable to create 'FILE.lock': File exists.", "could not lock config file FILE: File
 * exists": what git itself says of it takes six lines, or none.
 */
static void add_lock_reason(struct str words, struct buf *ret)
{
	static const char *const before[] = { "Unable to create '", "lock config file " };
	ptrdiff_t at = -1, end;

	for (size_t i = 0; at < 0 && i < ARRAY_SIZE(before); i++) {
		at = str_find(words, before[i]);
		if (at < 0)
			continue;
		at += (ptrdiff_t)strlen(before[i]);
		words = str_n(words.p + at, words.len - (size_t)at);
	}
	end = at < 0 ? -1 : str_find(words, ": File exists");
	if (end <= 0)
		return;
	words.len = (size_t)end;
	buf_puts(ret, "; another git is at it, or was killed: if none runs here, rm '");
	if (words.p[words.len - 1] == '\'')
		words.len--;
	buf_addstr(ret, words);
	buf_puts(ret, str_ends(words, ".lock") ? "'" : ".lock'");
}

struct str git_words(const struct buf *text)
{
	struct str rest = str_trim(buf_str(text)), line, last = STR_NULL;

	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (str_skip(&line, "fatal: ") || str_skip(&line, "error: "))
			return line;
		if (line.len)
			last = line;
	}
	return last;
}

int git_failed(const char *what, const char *dir, const struct proc_result *res,
	       struct err *err)
{
	struct str words = git_words(&res->err);
	struct buf b _cleanup_buf_ = BUF_INIT;

	while (words.len && words.p[words.len - 1] == '.')
		words.len--;
	buf_addstr(&b, words);
	add_lock_reason(words, &b);
	if (str_find(words, "No space left") < 0 && git_disk_full(dir))
		buf_puts(&b, ": No space left on device");
	return err_set(err, E_FAIL, "git %s (status %d): %s", what, res->status,
		       buf_cstr(&b));
}

static int begin(struct repo *r, char *const *args, struct proc_opts *o,
		 struct proc **ret, struct err *err)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	char *git_dir _cleanup_free_ = NULL;
	/* Else git log writes, and we read, every commit by itself. */
	char *env[4] = { "GIT_FLUSH=0", NULL, NULL, NULL };
	size_t n = 1;

	strvec_pushl(&argv, "git", "-c", "core.fsync=all", NULL);
	for (; *args; args++)
		strvec_push(&argv, *args);
	o->argv = strvec_argv(&argv);
	o->cwd = r->work_tree ? r->work_tree : r->git_dir;
	o->env = env;
	if (o->foreground)
		env[n++] = "LC_ALL=C";
	/* A relative $GIT_DIR would be wrong from there. */
	if (getenv("GIT_DIR"))
		env[n++] = git_dir = xasprintf("GIT_DIR=%s", r->git_dir);
	return proc_begin(o, ret, err);
}

static int run(struct repo *r, char *const *args, struct proc_opts *o,
	       struct proc_result *ret, struct err *err)
{
	struct proc *p;
	int rc = begin(r, args, o, &p, err);

	return rc ? rc : proc_finish(p, "git", ret, err);
}

int git_begin(struct repo *r, char *const *args, struct proc **ret, struct err *err)
{
	struct proc_opts o = { .input = STR_NULL };

	return begin(r, args, &o, ret, err);
}

int git_end(struct proc *p, const char *what, struct buf *ret_out, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc = proc_finish(p, "git", &res, err);

	if (rc)
		return rc;
	if (res.status)
		return err_set(err, E_FAIL, "git %s (status %d): " STR_FMT, what,
			       res.status, STR_ARG(git_words(&res.err)));
	buf_addstr(ret_out, buf_str(&res.out));
	return 0;
}

int git_run(struct repo *r, char *const *args, struct str input, struct proc_result *ret,
	    struct err *err)
{
	struct proc_opts o = { .input = input };

	return run(r, args, &o, ret, err);
}

int git_talk(struct repo *r, char *const *args, struct buf *ret_words, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .foreground = true };
	int rc = run(r, args, &o, &res, err);

	if (rc)
		return rc;
	if (res.signal == SIGINT || res.signal == SIGTERM)
		return err_set(err, E_INTR, "interrupted");
	if (res.status)
		buf_addstr(ret_words, git_words(&res.err));
	return res.status;
}

/* "am" of "-c", "x=y", "--literal-pathspecs", "am", ... */
static const char *verb(char *const *args)
{
	while (args[0] && args[0][0] == '-')
		args += !strcmp(args[0], "-c") && args[1] ? 2 : 1;
	return args[0] ? args[0] : "";
}

int git_check(struct repo *r, char *const *args, struct str input, struct buf *ret_out,
	      struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc = git_run(r, args, input, &res, err);

	if (rc)
		return rc;
	if (res.status)
		return git_failed(verb(args), r->common_dir, &res, err);
	if (ret_out)
		buf_addstr(ret_out, buf_str(&res.out));
	return 0;
}

#define ZERO_OID "0000000000000000000000000000000000000000"

static void add_update(struct buf *b, const struct ref_update *u)
{
	const char *old_id = !u->old_id ? "" : *u->old_id ? u->old_id : ZERO_OID;

	buf_printf(b, "%s %s", u->new_id ? "update" : "delete", u->ref);
	buf_putc(b, '\0');
	if (u->new_id) {
		buf_puts(b, u->new_id);
		buf_putc(b, '\0');
	}
	buf_puts(b, old_id);
	buf_putc(b, '\0');
}

/* The first ref that is not where the caller saw it, or NULL. */
static const struct ref_update *moved(struct repo *r, const struct ref_update *u,
				      size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char now[OID_HEX] = "";

		if (!u[i].old_id)
			continue;
		if (repo_ref(r, u[i].ref, now, NULL))
			now[0] = '\0';
		if (strcmp(now, u[i].old_id))
			return &u[i];
	}
	return NULL;
}

int git_update_refs(struct repo *r, const struct ref_update *u, size_t n,
		    const char *reflog, struct err *err)
{
	char *args[] = { "update-ref", "-m", (char *)reflog, "--stdin", "-z", NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf in _cleanup_buf_ = BUF_INIT;
	const struct ref_update *m;
	int rc;

	for (size_t i = 0; i < n; i++)
		add_update(&in, &u[i]);
	rc = git_run(r, args, buf_str(&in), &res, err);
	if (rc)
		return rc;
	if (!res.status)
		return 0;
	m = moved(r, u, n);
	if (m)
		return err_set(err, E_CONFLICT, "%s was moved by somebody else meanwhile",
			       m->ref);
	return git_failed("update-ref", r->common_dir, &res, err);
}
