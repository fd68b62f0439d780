// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * credential.c - "git credential fill", "approve" and "reject".
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "internal.h"
#include "series/credential.h"
#include "series/sanitize.h"

static void wipe(struct buf *b)
{
	if (b->p)
		explicit_bzero(b->p, b->len);
	buf_release(b);
}

void credential_release(struct credential *c)
{
	if (c->password)
		explicit_bzero(c->password, strlen(c->password));
	free(c->password);
	c->password = NULL;
	wipe(&c->answer);
}

/* What git says last, without "fatal: ". */
static void last_words(const struct buf *text, struct buf *out)
{
	struct str rest = buf_str(text), line, last = STR_NULL;

	while (str_line(&rest, &line)) {
		line = str_trim(line);
		str_skip(&line, "fatal: ");
		if (line.len)
			last = line;
	}
	sanitize_line(last, out);
}

/*
 * Git asks on /dev/tty, and helpers show what to do on stderr (a code for the browser):
 * in the foreground, with stderr where a person sees it.
 */
static int run(struct repo *r, const char *what, struct str input,
	       struct proc_result *res, struct err *err)
{
	char *argv[] = { "git", "credential", (char *)what, NULL };
	char *git_dir _cleanup_free_ = xasprintf("GIT_DIR=%s", r->git_dir);
	char *env[2] = { getenv("GIT_DIR") ? git_dir : NULL, NULL };
	struct proc_opts o = { .argv = argv,
			       .env = env,
			       .cwd = r->work_tree ? r->work_tree : r->git_dir,
			       .input = input,
			       .foreground = true,
			       .err = isatty(2) ? PROC_INHERIT : PROC_CAPTURE };
	struct buf why _cleanup_buf_ = BUF_INIT;
	int rc = proc_run(&o, res, err);

	if (rc || !res->status)
		return rc;
	if (res->signal == SIGINT || res->status == 128 + SIGINT)
		return err_set(err, E_INTR, "interrupted");
	last_words(&res->err, &why);
	return err_set(err, E_FAIL, "git credential %s: %s", what,
		       why.len ? buf_cstr(&why) : "it failed");
}

static bool has_line_end(const char *s)
{
	return s && strpbrk(s, "\r\n");
}

int credential_fill(struct repo *r, struct credential *c, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf in _cleanup_buf_ = BUF_INIT;
	struct str rest, line;
	int rc;

	if (has_line_end(c->protocol) || has_line_end(c->host) ||
	    has_line_end(c->username))
		return err_set(err, E_USAGE,
			       "the name of a server or a user has a line end in it");
	buf_printf(&in, "protocol=%s\nhost=%s\n", c->protocol, c->host);
	if (c->username)
		buf_printf(&in, "username=%s\n", c->username);
	buf_putc(&in, '\n');
	rc = run(r, "fill", buf_str(&in), &res, err);
	rest = buf_str(&res.out);
	while (!rc && str_line(&rest, &line)) {
		if (!str_skip(&line, "password="))
			continue;
		free(c->password);
		c->password = str_dup(line);
	}
	if (!rc && !c->password)
		rc = err_set(err, E_FAIL, "git credential fill: no password came back");
	if (!rc)
		buf_addstr(&c->answer, buf_str(&res.out));
	wipe(&res.out);
	return rc;
}

static int tell(struct repo *r, const char *what, const struct credential *c,
		struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;

	return run(r, what, buf_str(&c->answer), &res, err);
}

int credential_approve(struct repo *r, const struct credential *c, struct err *err)
{
	return tell(r, "approve", c, err);
}

int credential_reject(struct repo *r, const struct credential *c, struct err *err)
{
	return tell(r, "reject", c, err);
}
