// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * view_mails.c - the mails of a series in a pager: fields, quotes, diffs, tags.
 */
#include <string.h>

#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/robot.h"
#include "series/tag.h"
#include "series/utf8.h"
#include "pager.h"

#define FIELD_MAX 240 /* columns */

static void put_field(struct pager *p, const struct mail *m, const char *name,
		      unsigned flags, size_t mail)
{
	struct str value = field_get(m->head, name);
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (!value.p)
		return;
	buf_printf(&b, "%s: ", name);
	field_text(value, &b);
	/* A title of a thousand words says nothing that its first ones do not. */
	pager_add(p, STYLE_BOLD, flags, mail, utf8_fit(buf_str(&b), FIELD_MAX));
}

static enum style diff_style(struct str line)
{
	if (str_starts(line, "+++") || str_starts(line, "---") ||
	    str_starts(line, "diff ") || str_starts(line, "index "))
		return STYLE_BOLD;
	if (str_starts(line, "@@"))
		return STYLE_CYAN;
	return line.len && line.p[0] == '+'   ? STYLE_GREEN
	       : line.len && line.p[0] == '-' ? STYLE_RED
					      : STYLE_PLAIN;
}

static bool is_tag(struct str line)
{
	ptrdiff_t colon = str_chr(line, ':');

	return colon > 0 && tag_type(str_n(line.p, (size_t)colon), NULL);
}

static void put_body(struct pager *p, const struct thread *t, size_t mail, size_t label)
{
	struct buf own _cleanup_buf_ = BUF_INIT;
	struct str text = thread_text(t, mail, &own), line;
	bool diff = false;

	while (str_line(&text, &line)) {
		bool quote = line.len && line.p[0] == '>';

		if (str_starts(line, "diff --git ") || str_starts(line, "--- a/"))
			diff = true;
		if (str_eqc(str_trim_end(line), "--"))
			diff = false;
		pager_add(p,
			  quote		 ? STYLE_CYAN
			  : diff	 ? diff_style(line)
			  : is_tag(line) ? STYLE_GREEN
					 : STYLE_PLAIN,
			  quote ? LINE_QUOTE : 0, label, line);
	}
}

static void put_mail(struct pager *p, const struct thread *t, size_t mail)
{
	static const char *const names[] = { "From", "Date", "Subject" };
	size_t label = p->ids.n;

	strvec_push(&p->ids, t->v[mail].id ? t->v[mail].id : "");
	if (p->n) {
		pager_add(p, STYLE_PLAIN, 0, label - 1, STR_LIT(""));
		pager_add(p, STYLE_DIM, 0, label - 1, str_c("----"));
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		put_field(p, &t->v[mail].mail, names[i], i ? 0 : LINE_MAIL, label);
	pager_add(p, STYLE_PLAIN, 0, label, STR_LIT(""));
	put_body(p, t, mail, label);
}

void mails_push(struct ui *u, size_t row, const char *id)
{
	struct triage_mails m _cleanup_triage_mails_ = { 0 };
	struct err err _cleanup_err_ = ERR_INIT;
	const struct listed *l = u->v->t->row[row].l;
	char *title _cleanup_free_ = NULL;
	struct pager *p;

	ui_busy(u, "reading");
	if (triage_mails(u->v->t, &u->v->t->row[row], &m, &err)) {
		ui_fail(u, &err);
		return;
	}
	title = xasprintf("%s %s: %zu mails", l->label, l->title, m.t->n);
	p = pager_new(title);
	p->triage_row = row;
	for (size_t i = 0; i < m.t->n; i++)
		put_mail(p, m.t, m.t->order[i]);
	pager_ready(p);
	pager_push(u, p);
	for (size_t i = 0; id && i < p->ids.n; i++)
		if (!strcmp(p->ids.v[i], id))
			pager_go_mail(p, i);
}
