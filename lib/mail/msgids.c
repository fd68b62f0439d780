// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * msgids.c - the Message-IDs in a field.
 *
 * Old clients write phrases and comments around them ("J's message of Monday" <a@h>), and
 * may fold within one; an open quote or comment is text.
 */
#include <ctype.h>
#include "series/mail.h"

/* Length of the quoted string or comment at the start of s, 0 when it is not closed. */
static size_t closed(struct str s)
{
	bool comment = s.p[0] == '(';
	size_t depth = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (comment && s.p[i] == '(')
			depth++;
		else if (comment ? s.p[i] == ')' && !--depth : i && s.p[i] == '"')
			return i + 1;
	}
	return 0;
}

/* Put the id without white space, unless it is empty or no id at all. */
static void put_id(struct str id, struct strvec *out)
{
	struct buf clean _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < id.len; i++)
		if (!isspace((unsigned char)id.p[i]) && id.p[i])
			buf_putc(&clean, id.p[i]);
	if (clean.len)
		strvec_push_str(out, buf_str(&clean));
}

void field_ids(struct str value, struct strvec *out)
{
	size_t before = out->n, i = 0;
	bool open[2] = { false, false }; /* a quote, a comment that nothing closes */

	while (i < value.len) {
		struct str rest = str_n(value.p + i, value.len - i);
		bool comment = rest.p[0] == '(';
		const char *from;
		ptrdiff_t end;

		if (rest.p[0] == '<') {
			end = str_chr(rest, '>');
			if (end < 0)
				break;
			/* "<a <b@h>": the one that was opened last. */
			from = (const char *)memrchr(rest.p, '<', (size_t)end) + 1;
			put_id(str_n(from, (size_t)(rest.p + end - from)), out);
			i += (size_t)end + 1;
		} else if ((comment || rest.p[0] == '"') && !open[comment]) {
			size_t len = closed(rest);

			open[comment] = !len;
			i += len ? len : 1;
		} else {
			i++;
		}
	}
	value = str_trim(value);
	if (out->n == before && value.len && str_chr(value, '@') > 0 &&
	    str_chr(value, ' ') < 0 && str_chr(value, '<') < 0)
		put_id(value, out);
}
