// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cover.c - cover.txt rendered: its parts, and tables in the place of directives.
 */
#include <ctype.h>
#include "directive.h"
#include "series/cover.h"
#include "series/covertext.h"
#include "series/mem.h"

/* What "series cover --edit" starts with has this word where the user has to write. */
#define PLACEHOLDER "EDITME"

void cover_release(struct cover *c)
{
	free(c->title);
	buf_release(&c->body);
	buf_release(&c->notes);
	*c = (struct cover){ 0 };
}

size_t cover_template_line(struct str text)
{
	static const char *const left[] = { PLACEHOLDER, "*** SUBJECT HERE ***",
					    "*** BLURB HERE ***" };
	struct str rest = text, line;

	for (size_t n = 1; str_line(&rest, &line); n++)
		for (size_t i = 0; i < ARRAY_SIZE(left); i++)
			if (str_find(line, left[i]) >= 0)
				return n;
	return str_trim(text).len ? 0 : 1;
}

bool cover_is_template(struct str text)
{
	return cover_template_line(text) > 0;
}

static bool is_directive(struct str line)
{
	return line.len > 1 && line.p[0] == '@' && islower((unsigned char)line.p[1]);
}

/* Line number of a piece of cover.txt, for findings. */
static size_t line_of(struct str text, struct str line)
{
	struct str rest = text, l;
	size_t n = 1;

	while (str_line(&rest, &l)) {
		if (str_eq(l, line))
			return n;
		n++;
	}
	return 0;
}

static int render_part(struct render *r, const char *part, struct buf *out,
		       struct err *err)
{
	struct str rest = str_c(part), line;
	int rc = 0;

	while (!rc && str_line(&rest, &line)) {
		if (is_directive(line)) {
			char *where _cleanup_free_ =
				xasprintf("cover.txt:%zu", line_of(r->text, line));

			r->where = where;
			rc = directive_render(r, line, out, err);
			r->where = NULL;
			continue;
		}
		buf_addstr(out, line);
		buf_putc(out, '\n');
	}
	return rc;
}

void cover_conflict(const struct series *s, struct findings *f)
{
	if (series_cover_torn(s->repo, s->name))
		findings_add(f, "cover-conflict", SEVERITY_ERROR, "cover.txt",
			     "series cover --edit",
			     "two machines wrote a cover letter; the other one is "
			     "cover.txt.theirs");
}

int cover_render(struct series *s, const struct config *config, struct str text,
		 struct cover *ret, struct findings *f, struct err *err)
{
	struct covertext parts _cleanup_(covertext_release) = { 0 };
	struct cover c = { 0 };
	struct render r = { .series = s, .config = config, .text = text, .findings = f };
	int rc;

	covertext_parse(text, &parts);
	c.title = xstrdup(parts.title);
	rc = render_part(&r, parts.body, &c.body, err);
	if (!rc)
		rc = render_part(&r, parts.notes, &c.notes, err);
	if (rc) {
		cover_release(&c);
		return rc;
	}
	cover_conflict(s, f);
	c.emulated = r.emulated;
	*ret = c;
	return 0;
}

void cover_show(const struct cover *c, struct buf *out)
{
	buf_printf(out, "%s\n", c->title);
	if (c->body.len) {
		buf_putc(out, '\n');
		buf_addstr(out, buf_str(&c->body));
	}
	if (c->notes.len) {
		buf_puts(out, "---\n");
		buf_addstr(out, buf_str(&c->notes));
	}
}
