// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * console.c - reading a kernel's console: what ended it, what is worth noting.
 *
 * The texts are those the kernel prints (kernel/panic.c, lib/bug.c, kernel/watchdog.c,
 * kernel/rcu/tree_stall.h, kernel/hung_task.c, mm/oom_kill.c, mm/page_alloc.c, the
 * die() of each architecture). All that is kept is sanitised.
 */
#include <ctype.h>
#include <string.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/sanitize.h"

#define MAX_LINE  ((size_t)1024)
#define MAX_NOTES ((size_t)50)
#define TAIL	  ((size_t)64 * 1024)

/* After these a kernel does not go on (oops=panic), or should not have. */
static const char *const deadly[] = {
	"Unable to handle kernel ",
	"kernel BUG at ",
	"Internal error: ",
	"Oops: ",
	"general protection fault, ",
	"general protection fault: ",
	"BUG: unable to handle ",
	"BUG: kernel NULL pointer",
	"stack guard page was hit",
	"double fault: ",
	"Bad mode in ",
};

static const char *const notable[] = {
	"WARNING: ",
	"BUG: ",
	"UBSAN: ",
	"soft lockup",
	"hard LOCKUP",
	"rcu: INFO: ",
	"self-detected stall",
	"detected stalls on CPUs",
	" blocked for more than ",
	"Out of memory: ",
	"invoked oom-killer",
	"page allocation failure",
	"possible recursive locking",
	"suspicious RCU usage",
	"bad page state",
	"Bad page map",
	"Bad rss-counter",
	"scheduling while atomic",
	"refcount_t: ",
	"list_add corruption",
	"list_del corruption",
	"kmemleak: ",
	"Kernel panic - ",
};

/* Without the time in front: "[    1.234567] text", "[    1.2][    T1] text". */
static struct str skip_time(struct str s)
{
	while (s.len && s.p[0] == '[') {
		ptrdiff_t e = str_chr(s, ']');
		struct str in = str_n(s.p + 1, e > 0 ? (size_t)e - 1 : 0);

		in = str_trim(in);
		if (e < 0 || !in.len ||
		    !(isdigit((unsigned char)in.p[0]) ||
		      ((in.p[0] == 'T' || in.p[0] == 'C') && in.len > 1 &&
		       isdigit((unsigned char)in.p[1]))))
			break;
		s = str_n(s.p + e + 1, s.len - (size_t)e - 1);
		s = str_trim(s);
	}
	return s;
}

static char *clean(struct str s)
{
	struct buf b = BUF_INIT;

	sanitize_line(s, &b);
	return buf_take(&b);
}

static bool has_one(struct str s, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_find(s, list[i]) >= 0)
			return true;
	return false;
}

static void take_line(struct console *c, struct str line)
{
	static const char panic[] = "Kernel panic - not syncing: ";
	struct str s = skip_time(str_trim(line));
	ptrdiff_t at = str_find(s, panic);
	bool bad = has_one(s, deadly, ARRAY_SIZE(deadly));

	if (at >= 0 && !c->panic) {
		size_t skip = (size_t)at + sizeof(panic) - 1;

		c->panic = clean(str_n(s.p + skip, s.len - skip));
	}
	if (bad && at < 0 && !c->oops)
		c->oops = clean(s);
	if (!c->init && str_starts(s, "series-init: "))
		c->init = clean(s);
	if ((bad || has_one(s, notable, ARRAY_SIZE(notable))) && c->notes.n < MAX_NOTES)
		strvec_take(&c->notes, clean(s));
}

void console_feed(struct console *c, struct str text)
{
	ptrdiff_t at;

	c->bytes += (int64_t)text.len;
	c->line.max = MAX_LINE;
	while ((at = str_chr(text, '\n')) >= 0) {
		buf_add(&c->line, text.p, (size_t)at);
		take_line(c, buf_str(&c->line));
		buf_reset(&c->line);
		text = str_n(text.p + at + 1, text.len - (size_t)at - 1);
	}
	buf_addstr(&c->line, text);
}

void console_end(struct console *c)
{
	if (c->line.len)
		take_line(c, buf_str(&c->line));
	buf_reset(&c->line);
}

void console_release(struct console *c)
{
	buf_release(&c->line);
	strvec_release(&c->notes);
	free(c->panic);
	free(c->oops);
	free(c->init);
}

void console_tail(const char *path, size_t n, struct strvec *ret)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct strvec lines _cleanup_strvec_ = STRVEC_INIT;
	struct str rest, line;

	if (fs_read_tail(path, TAIL, &text, NULL))
		return;
	rest = buf_str(&text);
	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (line.len)
			strvec_take(&lines,
				    clean(str_n(line.p, MIN(line.len, MAX_LINE))));
	}
	for (size_t i = lines.n > n ? lines.n - n : 0; i < lines.n; i++)
		strvec_push(ret, lines.v[i]);
}
