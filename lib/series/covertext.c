// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cover.txt: a title line, a blank line, the body with its directives, a line "---",
 * notes. What is kept is what the user wrote; only the frame (CR before LF, blank lines
 * at the ends) is put in order.
 */
#include <stdlib.h>
#include "series/covertext.h"
#include "series/mem.h"
#include "series/store.h"
#include "series/utf8.h"

void covertext_parse(struct str text, struct covertext *ret)
{
	struct buf body _cleanup_buf_ = BUF_INIT, notes _cleanup_buf_ = BUF_INIT;
	struct str line, title = STR_NULL;
	struct buf *to = &body;

	str_skip(&text, UTF8_BOM);
	while (str_line(&text, &line)) {
		while (line.len && line.p[line.len - 1] == '\r')
			line.len--;
		/* Blanks behind it do not show, and git takes no notice of them. */
		if (to == &body && str_starts(line, "---") && str_trim(line).len == 3) {
			to = &notes;
			continue;
		}
		if (to == &body && !title.len) {
			title = str_trim(line);
			continue;
		}
		buf_addstr(to, line);
		buf_putc(to, '\n');
	}
	ret->title = str_dup(title);
	ret->body = covertext_block(buf_str(&body));
	ret->notes = covertext_block(buf_str(&notes));
}

/* Without blank lines at its ends, one LF behind the last line. */
char *covertext_block(struct str s)
{
	struct str rest = s, line;
	size_t from = 0;

	while (str_line(&rest, &line) && !str_trim(line).len)
		from = rest.p ? (size_t)(rest.p - s.p) : s.len;
	s.p += from;
	s.len -= from;
	s = str_trim_end(s);
	return s.len ? xasprintf(STR_FMT "\n", STR_ARG(s)) : xstrdup("");
}

void covertext_release(struct covertext *c)
{
	free(c->title);
	free(c->body);
	free(c->notes);
	memset(c, 0, sizeof(*c));
}

void covertext_format(const struct covertext *c, struct buf *out)
{
	buf_printf(out, "%s\n", c->title);
	if (*c->body)
		buf_printf(out, "\n%s", c->body);
	if (*c->notes)
		buf_printf(out, "---\n%s", c->notes);
}

int covertext_check(const struct covertext *c, struct err *err)
{
	if (!*c->title)
		return err_set(
			err, E_FAIL,
			"the cover letter is empty; its first line is the title, then "
			"a blank line and the text");
	return 0;
}

int series_cover_read(struct repo *r, const char *name, struct buf *ret, struct err *err)
{
	int rc = store_read(r, name, COVERTEXT_FILE, ret, err);

	if (rc == E_NOTFOUND) {
		char head[OID_HEX];

		if (!store_head(r, name, head, NULL))
			return err_set(err, rc,
				       "series %s has no cover letter yet; series cover "
				       "--edit writes one",
				       name);
	}
	return rc;
}

int series_cover_write(struct repo *r, const char *name, struct str text,
		       const struct str *expected, bool *ret_changed, struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct covertext c _cleanup_(covertext_release) = { NULL, NULL, NULL };
	struct buf now _cleanup_buf_ = BUF_INIT, before _cleanup_buf_ = BUF_INIT;
	int rc;

	if (text.len > COVER_MAX || (text.len && memchr(text.p, 0, text.len)))
		return err_set(err, E_FAIL,
			       "the cover letter is no text, or longer than %d bytes",
			       COVER_MAX);
	covertext_parse(text, &c);
	rc = covertext_check(&c, err);
	if (!rc)
		rc = covertext_no_marks(text, err);
	if (!rc)
		rc = store_begin(r, name, false, &t, err);
	if (!rc)
		rc = store_get(t, COVERTEXT_FILE, &before, err);
	if (rc && rc != E_NOTFOUND)
		return rc;
	if (expected && !str_eq(buf_str(&before), *expected))
		return err_set(
			err, E_CONFLICT,
			"the cover letter of %s was changed by somebody else meanwhile",
			name);
	covertext_format(&c, &now);
	if (!series_cover_settle(t) && !rc && str_eq(buf_str(&before), buf_str(&now))) {
		*ret_changed = false;
		return 0;
	}
	if (err)
		err_release(err);
	store_put(t, COVERTEXT_FILE, now.p, now.len);
	rc = store_commit(t, "cover", err);
	if (!rc)
		*ret_changed = true;
	return rc;
}
