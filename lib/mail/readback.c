// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * readback.c - the commit message that git am makes of what git mailinfo read, and
 * whether it is the one that was sent. The rules are those of parse_mail() in
 * builtin/am.c of git 2.39: title, blank line, text; then blanks at line ends, blank
 * lines at both ends and all but one of several blank lines go.
 */
#include "series/compose.h"
#include "series/mem.h"
#include "series/sanitize.h"

static void put_clean(struct str text, bool *gap, struct buf *out)
{
	struct str line;

	while (str_line(&text, &line)) {
		line = str_trim_end(line);
		if (!line.len) {
			*gap = true;
			continue;
		}
		if (*gap && out->len)
			buf_putc(out, '\n');
		*gap = false;
		buf_addstr(out, line);
		buf_putc(out, '\n');
	}
}

void message_read_back(struct str subject, struct str body, struct buf *out)
{
	bool gap = false;

	put_clean(subject, &gap, out);
	gap = true;
	put_clean(body, &gap, out);
}

/* Line ends at the end do not count: git adds and removes them everywhere. */
static struct str without_end(struct str s)
{
	while (s.len && s.p[s.len - 1] == '\n')
		s.len--;
	return s;
}

char *message_change(const char *message, struct str back)
{
	struct str a = without_end(str_c(message)), b = without_end(back);
	struct buf shown _cleanup_buf_ = BUF_INIT;
	struct str la = STR_LIT(""), lb = STR_LIT("");
	size_t n = 0;

	if (str_eq(a, b))
		return NULL;
	do {
		bool more_a = str_line(&a, &la), more_b = str_line(&b, &lb);

		n++;
		if (!more_a || !more_b)
			break;
	} while (str_eq(la, lb));
	sanitize_line(la.len > 60 ? str_n(la.p, 60) : la, &shown);
	return xasprintf("line %zu, '%s'", n, buf_cstr(&shown));
}

struct str message_body(const char *message)
{
	struct str rest = str_c(message), line;
	bool in_title = false;

	while (str_line(&rest, &line)) {
		if (str_trim_end(line).len)
			in_title = true;
		else if (in_title)
			break;
	}
	/* Blank lines between title and text are one. */
	for (struct str next = rest; str_line(&next, &line) && !str_trim_end(line).len;)
		rest = next;
	return str_trim_end(rest);
}
