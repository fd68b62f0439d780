// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ask.c - see ask.h.
 */
#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

#include "ask.h"
#include "series/mem.h"
#include "series/sanitize.h"

bool ask_possible(void)
{
	return isatty(0) && isatty(2);
}

char ask_letter(const struct buf *text, const char *question, const char *letters)
{
	struct buf clean _cleanup_buf_ = BUF_INIT;
	char c = 0, answer = 0;

	if (!ask_possible())
		return 0;
	sanitize(buf_str(text), &clean);
	fputs(buf_cstr(&clean), stderr);
	fprintf(stderr, "%s [%s] ", question, letters);
	fflush(stderr);
	/* Whole line, so that nothing of it is left for the shell; a signal is a no. */
	while (read(0, &c, 1) == 1 && c != '\n')
		if (!answer && !isspace((unsigned char)c))
			answer = c;
	/* ^C and ^D leave the cursor behind the question. */
	if (c != '\n')
		fputc('\n', stderr);
	return c == '\n' ? (char)tolower((unsigned char)answer) : 0;
}

bool ask_yes(const struct buf *text, const char *question)
{
	return ask_letter(text, question, "y/N") == 'y';
}

char *ask_line(const char *question, const char *dflt)
{
	struct buf line _cleanup_buf_ = BUF_INIT;
	char c = 0;

	if (!ask_possible())
		return xstrdup_null(dflt);
	fprintf(stderr, "%s ", question);
	if (dflt && *dflt)
		fprintf(stderr, "[%s] ", dflt);
	fflush(stderr);
	while (read(0, &c, 1) == 1 && c != '\n')
		buf_putc(&line, c);
	if (c != '\n') {
		fputc('\n', stderr);
		return NULL;
	}
	return str_trim(buf_str(&line)).len ? str_dup(str_trim(buf_str(&line)))
					    : xstrdup_null(dflt);
}
