// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchmail.c - mails of git format-patch taken apart, and what git am would cut off: by
 * the rules of mailinfo.c.
 */
#include <ctype.h>
#include "series/compose.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/sanitize.h"

int patch_mail_parse(struct str text, struct patch_mail *ret, struct err *err)
{
	struct patch_mail m = { 0 };
	struct str rest = text, line;
	const char *body;

	if (!str_starts(text, "From "))
		return err_set(err, E_CORRUPT, "git format-patch: no mail in its output");
	while (str_line(&rest, &line) && line.len)
		if (str_skip(&line, "Date: "))
			m.date = line;
	body = rest.p;
	while (str_line(&rest, &line)) {
		if (!str_eqc(line, "---"))
			continue;
		m.message = str_n(body, line.p - body);
		m.rest = rest;
		break;
	}
	if (!m.rest.p) {
		/* A commit that changes nothing: the signature ends the message. */
		ptrdiff_t end = str_find(str_n(body, rest.p - body), "-- \n");

		if (end < 0)
			return err_set(err, E_CORRUPT,
				       "git format-patch: a mail without \"---\"");
		m.message = str_n(body, end);
		m.rest = str_n(body + end, rest.p - body - end);
	}
	/* With git notes there is a blank line, "Notes:", and a blank line behind. */
	if (str_starts(m.rest, "\nNotes")) {
		ptrdiff_t stat = str_find(m.rest, "\n\n ");

		if (stat > 0) {
			m.notes = str_n(m.rest.p + 1, stat);
			m.rest = str_n(m.rest.p + stat + 2, m.rest.len - stat - 2);
		}
	}
	*ret = m;
	return 0;
}

static char *cut_line(const char *what, size_t number, struct str line)
{
	struct buf shown _cleanup_buf_ = BUF_INIT;

	sanitize_line(line.len > 60 ? str_n(line.p, 60) : line, &shown);
	return xasprintf("line %zu, '%s', %s", number, buf_cstr(&shown), what);
}

/* Why git am would cut the message at this line; NULL: it would not. */
static const char *patch_break(struct str line)
{
	if (!mailinfo_patch_begins(line))
		return NULL;
	if (str_trim_end(line).len == 3)
		return "would end the message: git am drops what stands below it";
	if (str_starts(line, "---"))
		return "looks like a file name of a diff: git am would cut the message "
		       "there";
	return str_starts(line, "diff")
		       ? "looks like the start of a diff: git am would cut the message "
			 "there"
		       : "looks like the start of a patch: git am would cut the message "
			 "there";
}

static const char *title_loss(struct str title)
{
	title = str_trim(title); /* nobody misses blanks */
	if (!mailinfo_title_cut(title))
		return NULL;
	if (title.p[0] == '[')
		return "starts with a bracket: git am takes that part off";
	return title.p[0] == ':' ? "starts with a colon: git am takes it off"
				 : "starts with \"Re:\": git am takes that off";
}

bool message_header_like(struct str body)
{
	struct str line;

	if (!str_line(&body, &line))
		return false;
	return str_istarts(line, "From:") || str_istarts(line, "Subject:") ||
	       str_istarts(line, "Date:") || str_starts(line, ">From ") ||
	       str_starts(line, "[PATCH]");
}

char *message_cut(const char *message)
{
	struct str rest = str_c(message), line;
	bool in_title = true;
	const char *why;

	for (size_t n = 1; str_line(&rest, &line); n++) {
		if (in_title && !str_trim(line).len)
			in_title = false;
		why = n == 1 ? title_loss(line) : in_title ? NULL : patch_break(line);
		if (why)
			return cut_line(why, n, line);
	}
	return NULL;
}

char *notes_cut(struct str notes)
{
	struct str line;

	for (size_t n = 1; str_line(&notes, &line); n++)
		if (str_starts(line, "diff -") || str_starts(line, "Index: ") ||
		    str_starts(line, "@@ -") || str_starts(line, "--- "))
			return cut_line("looks like a diff: git am would try to apply it",
					n, line);
	return NULL;
}

/* Next byte of a, white space apart; -1 at the end. */
static int next_ink(struct str *a)
{
	while (a->len) {
		unsigned char c = *a->p++;

		a->len--;
		if (!isspace(c))
			return c;
	}
	return -1;
}

bool message_same(const char *message, struct str subject, struct str body)
{
	struct str a = str_c(message);
	struct str parts[2] = { subject, body };
	int want;

	for (int i = 0; i < 2; i++) {
		int c;

		while ((c = next_ink(&parts[i])) >= 0)
			if (next_ink(&a) != c)
				return false;
	}
	want = next_ink(&a);
	return want < 0;
}
