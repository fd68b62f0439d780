// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ssh.c - one connection to a host: the user's ssh(1) with the user's config, agent and
 * known hosts; scripts of templates/host and commands of the agent run over it.
 *
 * All calls share one connection (ControlMaster) whose socket lies in a folder of our
 * own. Nothing is ever asked (BatchMode): a host key that is not known is an error, not a
 * question. A peer that went away is noticed within fifteen seconds.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/xdg.h"
#include "ssh.h"

#define COPY_MS ((int64_t)1800000) /* a folder of modules over a slow line */

int ssh_open(struct ssh *s, const struct host *h, struct err *err)
{
	s->host = h;
	/* a path of a socket may have 107 bytes, so not below the cache */
	return fs_tmpdir("series-ssh", &s->dir, err);
}

static void push_options(const struct ssh *s, struct strvec *v)
{
	static const char *const options[] = {
		"BatchMode=yes",	 "ConnectTimeout=10",  "ServerAliveInterval=5",
		"ServerAliveCountMax=3", "ControlMaster=auto", "ControlPersist=60",
		"LogLevel=ERROR",	 "RequestTTY=no",
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		strvec_pushl(v, "-o", options[i], NULL);
	strvec_push(v, "-o");
	strvec_pushf(v, "ControlPath=%s/c", s->dir);
}

void ssh_drop(struct ssh *s)
{
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .out = PROC_NULL, .err = PROC_NULL, .timeout_ms = 5000 };
	char *socket _cleanup_free_ = path_join(s->dir, "c");

	if (!fs_exists(socket))
		return;
	strvec_push(&v, "ssh");
	push_options(s, &v);
	strvec_pushl(&v, "-O", "exit", "--", s->host->destination, NULL);
	o.argv = strvec_argv(&v);
	proc_run(&o, NULL, NULL);
	fs_unlink(socket, NULL);
}

void ssh_close(struct ssh *s)
{
	if (!s->dir)
		return;
	ssh_drop(s);
	fs_rmtree(s->dir, NULL);
	free(s->dir);
	s->dir = NULL;
}

/* Last line of its stderr that is not blank, fit for a terminal; "" without one. */
static void last_words(const struct buf *text, struct buf *ret)
{
	struct str rest = buf_str(text), line, last = STR_NULL;

	while (str_line(&rest, &line))
		if (str_trim(line).len)
			last = str_trim(line);
	last.len = MIN(last.len, (size_t)500);
	sanitize_line(last, ret);
}

/* ssh itself has 255 for all that is its own. */
static int explain(const struct ssh *s, const char *what, const struct proc_result *pr,
		   struct err *err)
{
	struct buf words _cleanup_buf_ = BUF_INIT;
	const char *remedy = "";

	last_words(&pr->err, &words);
	if (pr->status != SSH_LOST)
		return err_set(err, E_FAIL, "%s: %s: %s", s->host->destination, what,
			       words.len ? buf_cstr(&words) : "failed without a word");
	if (strstr(buf_cstr(&words), "Host key verification failed"))
		remedy = "; connect once by hand (ssh) and compare its key";
	else if (strstr(buf_cstr(&words), "Permission denied"))
		remedy = "; it must be reached without a password (a key, the agent)";
	return err_set(err, E_TIMEOUT, "%s: no connection: %s%s", s->host->destination,
		       words.len ? buf_cstr(&words) : "lost", remedy);
}

int ssh_command(struct ssh *s, const char *command, struct str input, int64_t timeout_ms,
		struct buf *ret_out, struct err *err)
{
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .input = input,
			       .timeout_ms = timeout_ms,
			       .max_output = (size_t)4 << 20 };
	int r;

	strvec_push(&v, "ssh");
	push_options(s, &v);
	strvec_pushl(&v, "--", s->host->destination, command, NULL);
	o.argv = strvec_argv(&v);
	r = proc_run(&o, &pr, err);
	if (r)
		return r == E_TIMEOUT
			       ? err_set(err, E_TIMEOUT, "%s: no answer within %d s",
					 s->host->destination, (int)(timeout_ms / 1000))
			       : r;
	if (ret_out) {
		buf_reset(ret_out);
		buf_addstr(ret_out, buf_str(&pr.out));
	}
	return pr.status ? explain(s, "command", &pr, err) : 0;
}

/* Whatever shell the user has there, these words mean the same in it. */
#define AS_ROOT "sh -c 'test $(id -u) = 0 && exec sh -s || exec sudo -n sh -s'"

/* 'it'\''s': one word for sh. */
static void quote(const char *s, struct buf *ret)
{
	buf_putc(ret, '\'');
	for (; *s; s++)
		if (*s == '\'')
			buf_puts(ret, "'\\''");
		else
			buf_putc(ret, *s);
	buf_putc(ret, '\'');
}

void ssh_set(struct buf *script, const char *name, const char *value)
{
	buf_printf(script, "%s=", name);
	quote(value ? value : "", script);
	buf_putc(script, '\n');
}

int ssh_script(struct ssh *s, const char *name, const struct buf *vars,
	       int64_t timeout_ms, struct buf *ret_out, struct err *err)
{
	char *sub _cleanup_free_ = xasprintf("host/%s.sh", name);
	char *path _cleanup_free_ = xdg_template(sub);
	struct buf text _cleanup_buf_ = BUF_INIT, body _cleanup_buf_ = BUF_INIT;
	int r;

	if (!path)
		return err_set(err, E_NOTFOUND,
			       "templates/%s not found; set SERIES_TEMPLATES to the "
			       "folder \"templates\" of the source tree",
			       sub);
	r = fs_read(path, 65536, &body, err);
	if (r)
		return r;
	ssh_set(&text, "DIR", s->host->dir);
	if (vars)
		buf_addstr(&text, buf_str(vars));
	buf_addstr(&text, buf_str(&body));
	r = ssh_command(s, AS_ROOT, buf_str(&text), timeout_ms, ret_out, err);
	return r == E_FAIL ? err_context(err, "%s", name) : r;
}

int ssh_agent(struct ssh *s, const char *args, int64_t timeout_ms, struct buf *ret_out,
	      struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	ssh_set(&text, "DIR", s->host->dir);
	buf_printf(&text, "exec \"$DIR/agent\" %s </dev/null\n", args);
	return ssh_command(s, AS_ROOT, buf_str(&text), timeout_ms, ret_out, err);
}

int ssh_follow(struct ssh *s, const char *args, int64_t timeout_ms,
	       void (*on_line)(struct str line, void *arg), void *arg, struct err *err)
{
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct proc_opts o = { .out = PROC_LINES,
			       .on_line = on_line,
			       .arg = arg,
			       .timeout_ms = timeout_ms,
			       .max_output = (size_t)2 << 20 };
	int r;

	ssh_set(&text, "DIR", s->host->dir);
	buf_printf(&text, "exec \"$DIR/agent\" %s </dev/null\n", args);
	o.input = buf_str(&text);
	strvec_push(&v, "ssh");
	push_options(s, &v);
	strvec_pushl(&v, "--", s->host->destination, AS_ROOT, NULL);
	o.argv = strvec_argv(&v);
	r = proc_run(&o, &pr, err);
	if (r)
		return r;
	return pr.status ? explain(s, "agent", &pr, err) : 0;
}

int ssh_send(struct ssh *s, const struct strvec *paths, struct err *err)
{
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .timeout_ms = COPY_MS, .max_output = 65536 };
	int r;

	strvec_pushl(&v, "scp", "-q", "-r", NULL);
	push_options(s, &v);
	strvec_push(&v, "--");
	strvec_extend(&v, paths);
	strvec_pushf(&v, "%s:%s/", s->host->destination, s->host->dir);
	o.argv = strvec_argv(&v);
	r = proc_run(&o, &pr, err);
	if (r)
		return r;
	return pr.status ? explain(s, "scp", &pr, err) : 0;
}

void ssh_note(const struct ssh *s, const char *fmt, ...)
{
	struct buf line _cleanup_buf_ = BUF_INIT;
	char *text _cleanup_free_ = NULL;
	va_list ap;

	if (!s->say)
		return;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	sanitize_line(str_c(text), &line);
	s->say(buf_cstr(&line), s->say_arg);
}

char *ssh_value(const struct buf *out, const char *key)
{
	struct str rest = buf_str(out), line;
	size_t n = strlen(key);

	while (str_line(&rest, &line))
		if (line.len > n && line.p[n] == '=' && !memcmp(line.p, key, n)) {
			struct buf b = BUF_INIT;

			sanitize_line(str_n(line.p + n + 1, line.len - n - 1), &b);
			return buf_take(&b);
		}
	return NULL;
}
