// SPDX-License-Identifier: GPL-2.0-or-later
/* out.c - a command's answer on its way to stdout: colour, pager, errors of writing. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "series/mem.h"
#include "series/out.h"
#include "series/proc.h"
#include "series/sanitize.h"

#define DRAIN_AT 65536

/* Screen of the terminal on stdout: *rows 0 when unknown. COLUMNS goes first, as in git.
 */
static void screen(size_t *columns, size_t *rows)
{
	struct winsize ws = { 0 };
	int64_t n;

	*rows = 0;
	*columns = 80;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws)) {
		*rows = ws.ws_row;
		if (ws.ws_col)
			*columns = ws.ws_col;
	}
	if (cstr_to_i64(getenv("COLUMNS"), 1, 100000, &n))
		*columns = (size_t)n;
}

/* https://no-color.org: set and not empty means no colour, whatever the value. */
static bool want_color(const char *color, bool tty)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (color && !strcmp(color, "always"))
		return true;
	if (color && !strcmp(color, "never"))
		return false;
	return tty && !(no && *no) && term && strcmp(term, "dumb");
}

void out_init(struct out *o, const char *color, bool no_pager)
{
	size_t rows;

	memset(o, 0, sizeof(*o));
	o->tty = isatty(STDOUT_FILENO);
	o->color = want_color(color, o->tty);
	o->no_pager = no_pager;
	screen(&o->width, &rows);
}

void out_release(struct out *o)
{
	buf_release(&o->text);
	err_release(&o->failed);
	json_freep(&o->json);
}

void out_puts(struct out *o, const char *s)
{
	buf_puts(&o->text, s);
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&o->text, fmt, ap);
	va_end(ap);
}

void out_foreign(struct out *o, struct str s)
{
	sanitize(s, &o->text);
}

void out_color(struct out *o, const char *sgr, const char *fmt, ...)
{
	char *text _cleanup_free_ = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	if (o->color)
		buf_printf(&o->text, "\033[%sm", sgr);
	sanitize(str_c(text), &o->text);
	if (o->color)
		buf_puts(&o->text, "\033[m");
}

static int write_stdout(const struct buf *b, struct err *err)
{
	size_t done = 0;

	while (done < b->len) {
		ssize_t n = write(STDOUT_FILENO, b->p + done, b->len - done);

		if (n > 0) {
			done += (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

			poll(&p, 1, -1);
		} else if (n < 0 && errno == EPIPE) {
			/* The reader has seen enough ("| head"): nothing to say about it.
			 */
			return err_set(err, E_FAIL, "%s", "");
		} else if (n < 0 && errno != EINTR) {
			return err_errno(err, errno, "write to standard output");
		}
	}
	return 0;
}

static bool longer_than_screen(const struct buf *b)
{
	struct str rest = buf_str(b), line;
	size_t columns, rows, lines = 0;

	screen(&columns, &rows);
	if (!rows)
		rows = 24;
	while (lines < rows && str_line(&rest, &line)) {
		struct buf plain _cleanup_buf_ = BUF_INIT;
		size_t w;

		sanitize_line(line, &plain);
		w = utf8_width(buf_str(&plain));
		lines += w ? (w + columns - 1) / columns : 1;
	}
	return lines >= rows; /* the prompt takes a line as well */
}

/* True when the pager ran: what it was given needs no second showing. */
static bool page(const char *pager, const struct buf *b)
{
	char *argv[] = { "sh", "-c", (char *)(uintptr_t)pager, NULL };
	char *env[3] = { NULL };
	struct proc_opts o = {
		.argv = argv,
		.env = env,
		.input = buf_str(b),
		.foreground = true,
		.out = PROC_INHERIT,
		.err = PROC_INHERIT,
	};
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old_int, old_quit;
	size_t n = 0;
	int rc;

	if (!getenv("LESS"))
		env[n++] = "LESS=FRX";
	if (!getenv("LV"))
		env[n++] = "LV=-c";
	/* ^C is the pager's: less stops a search with it and stays. */
	sigaction(SIGINT, &ignore, &old_int);
	sigaction(SIGQUIT, &ignore, &old_quit);
	rc = proc_run(&o, &res, NULL);
	sigaction(SIGINT, &old_int, NULL);
	sigaction(SIGQUIT, &old_quit, NULL);
	return !rc && res.status != 126 && res.status != 127;
}

void out_drain(struct out *o)
{
	if (o->text.len < DRAIN_AT || o->tty)
		return;
	if (!o->failed.code)
		write_stdout(&o->text, &o->failed);
	buf_reset(&o->text);
}

int out_flush(struct out *o, const char *pager, struct err *err)
{
	int rc;

	if (o->failed.code) {
		buf_reset(&o->text);
		return err_set(err, o->failed.code, "%s", err_msg(&o->failed));
	}
	if (o->json) {
		buf_reset(&o->text);
		json_dump(o->json, &o->text);
		json_freep(&o->json);
	}
	if (o->text.full)
		return err_set(err, E_FAIL,
			       "write to standard output: the answer is too long");
	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		pager = "less";
	if (o->tty && !o->no_pager && *pager && strcmp(pager, "cat") &&
	    longer_than_screen(&o->text) && page(pager, &o->text)) {
		buf_reset(&o->text);
		return 0;
	}
	rc = write_stdout(&o->text, err);
	buf_reset(&o->text);
	return rc;
}
