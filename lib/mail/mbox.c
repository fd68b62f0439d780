// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mbox.c - the mails of an mbox, which stand behind each other with From_ lines between.
 */
#include <ctype.h>
#include "series/mailsrc.h"

static bool digits(struct str s, size_t at, size_t n)
{
	for (size_t i = at; i < at + n; i++)
		if (i >= s.len || !isdigit((unsigned char)s.p[i]))
			return false;
	return true;
}

bool mbox_from_line(struct str line)
{
	size_t colon, year = 0;

	if (line.len < 20 || !str_starts(line, "From "))
		return false;
	/* The last colon that can have seconds behind it: "... 10:30:05 2024". */
	for (colon = line.len - 2; colon > 5 && line.p[colon] != ':';)
		colon--;
	if (colon < 9 || line.p[colon] != ':' || !digits(line, colon - 2, 2) ||
	    !digits(line, colon - 4, 1) || !digits(line, colon + 1, 2))
		return false;
	for (size_t i = colon + 3; i < line.len && year < 10000; i++) {
		if (isdigit((unsigned char)line.p[i]))
			year = year * 10 + (size_t)(line.p[i] - '0');
		else if (year || line.p[i] != ' ')
			break;
	}
	return year > 90;
}

static struct str first_line(struct str s)
{
	struct str line = STR_LIT("");

	str_line(&s, &line);
	return line;
}

/* Is the line that starts at i below an empty one? */
static bool below_empty(struct str s, size_t i)
{
	if (i < 1 || s.p[i - 1] != '\n')
		return false;
	if (i < 2 || s.p[i - 2] == '\n')
		return true;
	return s.p[i - 2] == '\r' && (i < 3 || s.p[i - 3] == '\n');
}

/*
 * Offset of the next From_ line that stands below an empty line; s.len if there is none.
 * An "F" is rare enough in mail for memchr() to be three times as fast as memmem().
 */
static size_t next_from(struct str s)
{
	size_t i = 1;

	while (i < s.len) {
		const char *at = memchr(s.p + i, 'F', s.len - i);

		if (!at)
			break;
		i = (size_t)(at - s.p);
		if (at[-1] == '\n' && below_empty(s, i) &&
		    mbox_from_line(first_line(str_n(at, s.len - i))))
			return i;
		i++;
	}
	return s.len;
}

bool mbox_next(struct mbox *m, struct mail *ret, struct str *ret_line)
{
	struct str mail, line;
	size_t end;

	if (m->rest.len && !mbox_from_line(first_line(m->rest))) {
		end = next_from(m->rest);
		m->rest = str_n(m->rest.p + end, m->rest.len - end);
	}
	if (!str_line(&m->rest, &line))
		return false;
	end = next_from(m->rest);
	mail = str_n(m->rest.p, end);
	m->rest = str_n(m->rest.p + end, m->rest.len - end);
	/* The empty line before a From_ line, and that at the end of the file. */
	if (str_ends(mail, "\n\n"))
		mail.len--;
	else if (str_ends(mail, "\r\n\r\n"))
		mail.len -= 2;
	mail_scan(mail, m->quoting, ret);
	if (ret_line)
		*ret_line = line;
	return true;
}

struct quoter {
	mail_sink *put;
	void *arg;
};

static void put_quoted(void *arg, struct str line)
{
	struct quoter *q = arg;
	struct str marks = line;

	while (str_skip(&marks, ">"))
		;
	if (str_starts(marks, "From "))
		q->put(q->arg, STR_LIT(">"));
	q->put(q->arg, line);
	q->put(q->arg, STR_LIT("\n"));
}

/* The date is that of public-inbox and git: who reads mboxes looks at its form alone. */
void mail_mboxrd(const struct mail *m, mail_sink *put, void *arg)
{
	struct quoter q = { put, arg };
	struct mail_lines lines = { put_quoted, &q, BUF_INIT };

	put(arg, STR_LIT("From mboxrd@z Thu Jan  1 00:00:00 1970\n"));
	mail_raw(m, mail_sink_lines, &lines);
	mail_lines_end(&lines);
	put(arg, STR_LIT("\n"));
}
