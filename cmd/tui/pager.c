// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pager.c - the text of a pager: lines, folding, wrapping. See pager.h.
 */
#include <stdlib.h>
#include <string.h>

#include "series/mem.h"
#include "series/sanitize.h"
#include "series/utf8.h"
#include "pager.h"

struct pager *pager_new(const char *title)
{
	struct pager *p = xcalloc(1, sizeof(*p));

	p->title = xstrdup(title);
	p->hit = p->triage_row = (size_t)-1;
	return p;
}

void pager_free(struct pager *p)
{
	free(p->title);
	buf_release(&p->text);
	free(p->line);
	free(p->row);
	strvec_release(&p->ids);
	free(p);
}

/* With blanks for tabs, as a terminal would have them from column 0. */
static void expand(struct str s, struct buf *out)
{
	size_t column = 0;

	while (s.len) {
		ptrdiff_t tab = str_chr(s, '\t');
		size_t n = tab < 0 ? s.len : (size_t)tab;

		buf_add(out, s.p, n);
		column += utf8_width(str_n(s.p, n));
		if (tab >= 0) {
			size_t blanks = 8 - column % 8;

			buf_fill(out, ' ', blanks);
			column += blanks;
			n++;
		}
		s.p += n;
		s.len -= n;
	}
}

void pager_add(struct pager *p, enum style style, unsigned flags, size_t mail,
	       struct str line)
{
	struct buf clean _cleanup_buf_ = BUF_INIT;
	struct pager_line l = {
		.at = p->text.len, .style = style, .flags = flags, .mail = mail
	};

	sanitize(str_trim_end(line), &clean);
	expand(buf_str(&clean), &p->text);
	l.len = p->text.len - l.at;
	vec_grow(p->line, p->n, p->cap);
	p->line[p->n++] = l;
}

static enum style sgr_style(struct str line)
{
	static const struct {
		const char *sgr;
		enum style style;
	} styles[] = { { "\033[32", STYLE_GREEN },
		       { "\033[31", STYLE_RED },
		       { "\033[33", STYLE_YELLOW },
		       { "\033[36", STYLE_CYAN },
		       { "\033[1m", STYLE_BOLD } };
	ptrdiff_t first = -1;
	enum style style = STYLE_PLAIN;

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		ptrdiff_t at = str_find(line, styles[i].sgr);

		if (at >= 0 && (first < 0 || at < first)) {
			first = at;
			style = styles[i].style;
		}
	}
	return style;
}

void pager_add_output(struct pager *p, struct str text)
{
	struct str line;

	while (str_line(&text, &line))
		pager_add(p, sgr_style(line), 0, 0, line);
}

void pager_ready(struct pager *p)
{
	for (size_t i = 0; i < p->n;) {
		size_t end = i;

		while (end < p->n && (p->line[end].flags & LINE_QUOTE) &&
		       p->line[end].mail == p->line[i].mail)
			end++;
		p->line[i].run = end - i;
		p->line[i].open = end - i <= FOLD;
		i = end > i ? end : i + 1;
	}
	p->width = 0;
}

static void add_row(struct pager *p, struct pager_row r)
{
	vec_grow(p->row, p->n_rows, p->cap_rows);
	p->row[p->n_rows++] = r;
}

static void wrap(struct pager *p, size_t line, size_t width)
{
	struct str rest = str_n(p->text.p + p->line[line].at, p->line[line].len);

	do {
		struct str fit = utf8_fit(rest, width);

		/* A character wider than the screen is passed over. */
		if (!fit.len && rest.len)
			fit.len = rest.len;
		add_row(p, (struct pager_row){ line, (size_t)(rest.p - p->text.p),
					       fit.len, false });
		rest.p += fit.len;
		rest.len -= fit.len;
	} while (rest.len);
}

void pager_layout(struct pager *p, size_t width)
{
	size_t at = p->top < p->n_rows ? p->row[p->top].line : 0;

	if (p->width == width || !width)
		return;
	p->width = width;
	p->n_rows = 0;
	p->top = 0;
	for (size_t i = 0; i < p->n; i++) {
		if (i == at)
			p->top = p->n_rows;
		if (p->line[i].run && !p->line[i].open) {
			add_row(p, (struct pager_row){ .line = i, .fold = true });
			if (at > i && at < i + p->line[i].run)
				p->top = p->n_rows - 1;
			i += p->line[i].run - 1;
			continue;
		}
		wrap(p, i, width);
	}
}

void pager_go_mail(struct pager *p, size_t mail)
{
	pager_layout(p, p->width ? p->width : (size_t)term_columns());
	for (size_t i = 0; i < p->n_rows; i++)
		if (p->line[p->row[i].line].mail == mail) {
			p->top = i;
			return;
		}
}
