// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchmail.c - mails of git format-patch taken apart, and what git am would cut off.
 *
 * The rules are those of mailinfo.c in git 2.39: a patch begins at "diff -", "Index: ",
 * "--- FILE" or a line "---"; a title loses brackets, "Re:" and colons at its start; the
 * first line of the text may be taken for a header.
 */
#include <ctype.h>
#include "series/compose.h"
#include "series/mem.h"
#include "series/sanitize.h"

/* A line of three dashes with nothing but blanks behind. */
static bool is_dashes(struct str line)
{
	return str_starts(line, "---") && str_trim(line).len == 3;
}

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

/* Does a patch begin here for git am? */
static const char *patch_break(struct str line)
{
	if (str_starts(line, "diff -"))
		return "looks like the start of a diff: git am would cut the message "
		       "there";
	if (str_starts(line, "Index: "))
		return "looks like the start of a patch: git am would cut the message "
		       "there";
	if (is_dashes(line))
		return "would end the message: git am drops what stands below it";
	/* isspace() of git, which form feeds are not. */
	if (line.len > 4 && str_starts(line, "--- ") && !strchr(" \t\r\n", line.p[4]))
		return "looks like a file name of a diff: git am would cut the message "
		       "there";
	return NULL;
}

static const char *title_loss(struct str title)
{
	if (str_starts(title, "[") && str_chr(title, ']') > 0)
		return "starts with a bracket: git am takes that part off";
	if (str_istarts(title, "re:") && title.len > 3)
		return "starts with \"Re:\": git am takes that off";
	if (str_starts(title, ":"))
		return "starts with a colon: git am takes it off";
	return NULL;
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
