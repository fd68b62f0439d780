// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * progress.c - one line on stderr about what a long job is doing. Jobs that run side by
 * side take turns: what all share is below one lock.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/sanitize.h"
#include "series/time.h"

#define MS	   1000000LL
#define SILENT	   (1000 * MS)	/* of a job's beginning */
#define EVERY_TTY  (100 * MS)	/* between two states of the line */
#define EVERY_TICK (1000 * MS)	/* the same, while nothing happens */
#define EVERY_LINE (10000 * MS) /* between two plain lines */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool quiet_all;
static struct progress *innermost;
static struct progress *shown; /* whose line stands on the terminal */

void progress_quiet(bool quiet)
{
	quiet_all = quiet;
}

/* What cannot be shown is not worth failing for. */
static void put(const struct buf *b)
{
	fs_write_fd(STDERR_FILENO, b->p, b->len, "standard error", NULL);
}

static size_t columns(void)
{
	struct winsize ws;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col > 1)
		return ws.ws_col;
	return 80;
}

/* "building arm64 2/4: 1234/5000 (24%), 3m10s left, mm/rmap.o" */
static void compose(const struct progress *p, int64_t now, struct buf *b)
{
	int64_t spent = (now - p->start_ns) / MS;

	buf_puts(b, p->label);
	if (p->total > 0) {
		double part = (double)MIN(p->done, p->total) / (double)p->total;

		buf_printf(b, ": %lld/%lld (%d%%)", (long long)p->done,
			   (long long)p->total, (int)(part * 100));
		if (p->done > 0 && p->done < p->total) {
			buf_puts(b, ", ");
			time_duration_ms((int64_t)((double)spent * (1 / part - 1)), b);
			buf_puts(b, " left");
		} else if (p->done <= 0) {
			buf_puts(b, ", ");
			time_duration_ms(spent, b);
		}
	} else {
		if (p->done > 0)
			buf_printf(b, ": %lld", (long long)p->done);
		buf_puts(b, p->done > 0 ? ", " : ": ");
		time_duration_ms(spent, b);
	}
	if (p->detail && *p->detail)
		buf_printf(b, ", %s", p->detail);
}

static void show(struct progress *p, int64_t now)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct buf line _cleanup_buf_ = BUF_INIT;

	compose(p, now, &text);
	if (p->tty) {
		buf_puts(&line, "\r");
		buf_addstr(&line, utf8_fit(buf_str(&text), columns() - 1));
		buf_puts(&line, "\033[K");
		shown = p;
	} else {
		buf_addstr(&line, buf_str(&text));
		buf_putc(&line, '\n');
	}
	put(&line);
	p->shown_ns = now;
}

static void erase(void)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (!shown)
		return;
	buf_puts(&b, "\r\033[K");
	put(&b);
	shown = NULL;
}

void progress_start(struct progress *p, const char *label, int64_t total)
{
	memset(p, 0, sizeof(*p));
	p->label = sanitize_line_dup(label);
	p->total = total;
	p->start_ns = time_mono_ns();
	p->tty = isatty(STDERR_FILENO);
	p->active = !quiet_all;
	pthread_mutex_lock(&mutex);
	p->outer = innermost;
	innermost = p;
	pthread_mutex_unlock(&mutex);
}

/* Show it when it is time to: at most so often. */
static void show_in_time(struct progress *p, int64_t every_tty)
{
	int64_t now = time_mono_ns();

	if (!p->active || now - p->start_ns < SILENT)
		return;
	if (p->shown_ns && now - p->shown_ns < (p->tty ? every_tty : EVERY_LINE))
		return;
	show(p, now);
}

void progress_update(struct progress *p, int64_t done, const char *detail)
{
	pthread_mutex_lock(&mutex);
	p->done = done;
	free(p->detail);
	p->detail = detail ? sanitize_line_dup(detail) : NULL;
	show_in_time(p, EVERY_TTY);
	pthread_mutex_unlock(&mutex);
}

void progress_tick(void)
{
	pthread_mutex_lock(&mutex);
	if (innermost && innermost->tty)
		show_in_time(innermost, EVERY_TICK);
	pthread_mutex_unlock(&mutex);
}

void progress_end(struct progress *p)
{
	pthread_mutex_lock(&mutex);
	if (shown == p)
		erase();
	for (struct progress **at = &innermost; *at; at = &(*at)->outer)
		if (*at == p) {
			*at = p->outer;
			break;
		}
	pthread_mutex_unlock(&mutex);
	free(p->label);
	free(p->detail);
	memset(p, 0, sizeof(*p));
}

void progress_note(const char *fmt, ...)
{
	struct buf line _cleanup_buf_ = BUF_INIT;
	char *text _cleanup_free_ = NULL;
	va_list ap;

	if (quiet_all)
		return;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	sanitize_line(str_c(text), &line);
	buf_putc(&line, '\n');
	pthread_mutex_lock(&mutex);
	erase();
	put(&line);
	pthread_mutex_unlock(&mutex);
}
