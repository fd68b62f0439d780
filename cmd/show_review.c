// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show_review.c - see show_review.h.
 */
#include <string.h>
#include <strings.h>

#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/table.h"
#include "series/trailer.h"
#include "show_review.h"

#define GREEN  "32"
#define RED    "31"
#define YELLOW "33"

#define INDENT	    7
#define MAX_REPORTS 5 /* of one patch; --json has all */

void show_review_find(const struct thread *t, const struct posted *p, const char *id,
		      struct show_review *ret)
{
	struct show_review r = { .t = t, .p = p, .asked = NO_MAIL };
	size_t mail = id ? thread_find(t, id) : t->n;
	struct place at;

	if (mail < t->n && posted_target(t, p->place, mail, &at))
		r.asked = at.version;
	tags_collect(t, p, NULL, NULL, &r.tags);
	remarks_find(t, p, &r.remarks);
	for (size_t i = 0; i < t->n; i++) {
		size_t mail_at = t->order[i];
		struct show_report found = { .mail = mail_at };

		if (!posted_target(t, p->place, mail_at, &at) ||
		    !robot_read(&t->v[mail_at].mail, &found.r))
			continue;
		found.version = at.version;
		found.patch = at.patch;
		vec_grow(r.report, r.n_reports, r.cap_reports);
		r.report[r.n_reports++] = found;
	}
	*ret = r;
}

void show_review_release(struct show_review *r)
{
	tags_release(&r->tags);
	remarks_release(&r->remarks);
	for (size_t i = 0; i < r->n_reports; i++)
		robot_report_release(&r->report[i].r);
	free(r->report);
}

size_t show_review_version(const struct show_review *r, size_t series)
{
	if (r->asked != NO_MAIL && r->p->v[r->asked].series == series)
		return r->asked;
	return posted_newest(r->p, series);
}

bool show_review_at(const struct show_review *r, const struct show_spot *s,
		    size_t version, size_t patch)
{
	size_t shown = show_review_version(r, r->p->v[s->version].series);
	size_t became = posted_became(r->p, version, patch, shown);

	if (became != NO_MAIL)
		return s->version == shown && s->patch == became;
	return s->version == version && s->patch == patch;
}

/* What is no tag that somebody gave is not shown, nor the words that took one back. */
static bool is_shown(const struct tag *g)
{
	return g->kind != TAG_SHOWN && g->kind != TAG_RETRACTION;
}

static bool same_tag(const struct tag *a, const struct tag *b)
{
	return a->kind == b->kind && !strcmp(a->type, b->type) &&
	       (*a->email || *b->email ? !strcasecmp(a->email, b->email)
				       : !strcmp(a->name, b->name));
}

/* The same person gave it to a later version, or again to this one. */
static bool given_later(const struct show_review *r, const struct show_spot *s,
			size_t tag)
{
	const struct tag *a = &r->tags.v[tag];

	for (size_t i = 0; i < r->tags.n; i++) {
		const struct tag *b = &r->tags.v[i];

		if (i != tag && same_tag(a, b) &&
		    show_review_at(r, s, b->version, b->patch) &&
		    (b->version > a->version || (b->version == a->version && i > tag)))
			return true;
	}
	return false;
}

/* Has the patch that is shown this line in its message? */
static bool in_message(const struct show_review *r, const struct show_spot *s,
		       const struct tag *g)
{
	const struct posted_version *v = &r->p->v[s->version];
	struct mailinfo i _cleanup_mailinfo_ = { 0 };
	struct str rest, line, value;

	if (!s->patch || v->patch[s->patch - 1].mail == NO_MAIL || !*g->email)
		return false;
	mailinfo_read(&r->t->v[v->patch[s->patch - 1].mail].mail, &i);
	rest = buf_str(&i.message);
	while (str_line(&rest, &line))
		if (trailer_is(line, g->type, &value) && str_find(value, g->email) >= 0)
			return true;
	return false;
}

static const char *sender_name(const struct show_review *r, size_t mail, char **ret)
{
	struct buf from _cleanup_buf_ = BUF_INIT;
	char *email _cleanup_free_ = NULL;

	field_text(field_get(r->t->v[mail].mail.head, "From"), &from);
	mailinfo_author(buf_str(&from), ret, &email);
	if (!**ret) {
		free(*ret);
		*ret = email;
		email = NULL;
	}
	return *ret;
}

static void put_mark(struct buf *b, const char *word, const char *more)
{
	buf_printf(b, "%s%s%s%s", b->len ? ", " : " (", word, more ? ": " : "",
		   more ? more : "");
}

/* What stands against taking it as it is, and where it was given. *ret_doubt: it does. */
static void tag_marks(const struct show_review *r, const struct show_spot *s,
		      const struct tag *g, struct buf *b, bool *ret_doubt)
{
	char *sender _cleanup_free_ = NULL;

	*ret_doubt = true;
	if (g->version != s->version)
		put_mark(b, r->p->v[g->version].label, NULL);
	if (!g->patch && s->patch)
		put_mark(b, "cover", NULL);
	if (g->retracted_by != NO_MAIL)
		put_mark(b, "taken back", NULL);
	else if (g->condition)
		put_mark(b, "conditional", g->condition);
	else if (g->proposal != NO_MAIL)
		put_mark(b, "for a patch in a reply", NULL);
	else if (g->scope == SCOPE_PART)
		put_mark(b, "part", g->scope_words);
	else if (g->by_author)
		put_mark(b, "by the author", NULL);
	else if (!g->by_sender && g->kind == TAG_COLLECTED)
		put_mark(b, "sent by", sender_name(r, g->mail, &sender));
	else
		*ret_doubt = g->kind != TAG_COLLECTED;
	if (g->misspelt)
		put_mark(b, "misspelt", NULL);
	if (in_message(r, s, g))
		put_mark(b, "in the patch", NULL);
	if (b->len)
		buf_putc(b, ')');
}

static void put_line(struct table *rows, const char *color, const struct buf *b)
{
	table_cell(rows, buf_cstr(b));
	table_color(rows, color);
}

static void put_tags(const struct show_review *r, const struct show_spot *s,
		     struct table *rows)
{
	for (size_t i = 0; i < r->tags.n; i++) {
		const struct tag *g = &r->tags.v[i];
		struct buf b _cleanup_buf_ = BUF_INIT, marks _cleanup_buf_ = BUF_INIT;
		bool doubt;

		if (!is_shown(g) || !show_review_at(r, s, g->version, g->patch) ||
		    given_later(r, s, i))
			continue;
		tag_marks(r, s, g, &marks, &doubt);
		buf_printf(&b, "%s: %s%s", *g->type ? g->type : "NAK",
			   *g->name    ? g->name
			   : *g->email ? g->email
				       : g->value,
			   buf_cstr(&marks));
		put_line(rows, g->kind == TAG_NAK ? RED : doubt ? YELLOW : GREEN, &b);
	}
}

static void put_reports(const struct show_review *r, const struct show_spot *s,
			struct table *rows)
{
	size_t n = 0;
	struct buf b _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < r->n_reports; i++) {
		const struct show_report *f = &r->report[i];

		if (!show_review_at(r, s, f->version, f->patch) || ++n > MAX_REPORTS)
			continue;
		buf_reset(&b);
		buf_printf(&b, "%s%s%s%s: %s", f->r.robot,
			   f->version == s->version ? "" : " (",
			   f->version == s->version ? "" : r->p->v[f->version].label,
			   f->version == s->version ? "" : ")",
			   f->r.good ? "all is well" : f->r.summary);
		put_line(rows, f->r.good ? GREEN : RED, &b);
	}
	if (n <= MAX_REPORTS)
		return;
	buf_reset(&b);
	buf_printf(&b, "and %zu more reports of robots", n - MAX_REPORTS);
	put_line(rows, NULL, &b);
}

/* "  mm/rmap.c:12 (v1) Bea Reader: Why?" */
static void put_remark(const struct show_review *r, const struct show_spot *s,
		       const struct remark *m, struct table *rows)
{
	struct str text = str_trim(str_c(m->text)), line = STR_LIT("");
	struct buf b _cleanup_buf_ = BUF_INIT;
	char *sender _cleanup_free_ = NULL;
	int64_t at = m->new_line ? m->new_line : m->old_line;

	str_line(&text, &line);
	buf_puts(&b, "  ");
	if (m->file && at)
		buf_printf(&b, "%s:%lld ", m->file, (long long)at);
	else if (m->file)
		buf_printf(&b, "%s ", m->file);
	if (m->version != s->version)
		buf_printf(&b, "(%s) ", r->p->v[m->version].label);
	buf_printf(&b, "%s: " STR_FMT, sender_name(r, m->mail, &sender), STR_ARG(line));
	put_line(rows, NULL, &b);
}

/* "2 remarks open, 1 answered, 3 before v3" */
static void count_words(struct buf *b, size_t open, size_t answered, size_t older,
			const char *label)
{
	const struct {
		size_t n;
		const char *word, *label;
	} all[] = { { open, "open", "" }, { answered, "answered", "" },
		    { older, "before ", label } };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].n)
			buf_printf(b, "%s%zu %s%s%s", b->len ? ", " : "", all[i].n,
				   b->len	 ? ""
				   : all[i].n == 1 ? "remark "
						   : "remarks ",
				   all[i].word, all[i].label);
}

static void put_remarks(const struct show_review *r, const struct show_spot *s,
			struct table *rows)
{
	size_t shown = show_review_version(r, r->p->v[s->version].series);
	size_t open = 0, answered = 0, older = 0;
	struct buf b _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < r->remarks.n; i++) {
		const struct remark *m = &r->remarks.v[i];

		if (!show_review_at(r, s, m->version, m->patch))
			continue;
		if (m->answer != NO_MAIL)
			answered++;
		else if (remark_stands(r->t, r->p, m, shown))
			open++;
		else
			older++;
	}
	/* What was answered about a patch that is gone is of no use to anybody. */
	if (!(open + answered + older) || (!open && !older && s->version != shown))
		return;
	count_words(&b, open, answered, older, r->p->v[shown].label);
	put_line(rows, open ? YELLOW : NULL, &b);
	for (size_t i = 0; i < r->remarks.n; i++) {
		const struct remark *m = &r->remarks.v[i];

		if (m->answer == NO_MAIL && show_review_at(r, s, m->version, m->patch))
			put_remark(r, s, m, rows);
	}
}

/* What its mail says that it gains or costs: of the version that is shown alone. */
static void put_claims(const struct show_review *r, const struct show_spot *s,
		       struct table *rows)
{
	struct claims c _cleanup_claims_ = { .n = 0 };

	show_spot_claims(r, s, &c);
	for (size_t i = 0; i < c.n; i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		/* The number first: a long sentence is cut. */
		if (c.v[i].kind == CLAIM_SAID)
			buf_printf(&b, "says %g%s: ", c.v[i].value, c.v[i].unit);
		else
			buf_puts(&b, "says ");
		claim_words(&c.v[i], &b);
		put_line(rows, NULL, &b);
	}
}

void show_spot_claims(const struct show_review *r, const struct show_spot *s,
		      struct claims *ret)
{
	const struct posted_version *v = &r->p->v[s->version];
	size_t mail = s->patch ? v->patch[s->patch - 1].mail : v->cover;
	struct buf own _cleanup_buf_ = BUF_INIT;

	if (s->version == show_review_version(r, v->series) && mail != NO_MAIL)
		claims_find(thread_text(r->t, mail, &own), ret);
}

const char *show_spot_title(const struct show_review *r, const struct show_spot *s)
{
	const struct posted_version *v = &r->p->v[s->version];

	if (!s->patch)
		return v->title;
	return v->patch[s->patch - 1].mail != NO_MAIL ? v->patch[s->patch - 1].title
						      : NULL;
}

void show_review_spot(void *out, const struct show_review *r, const struct show_spot *s)
{
	struct out *o = out;
	static const enum table_align aligns[] = { TABLE_FLEX };
	struct table *rows _cleanup_table_ = table_new(1, aligns);
	struct table *head _cleanup_table_ = table_new(1, aligns);
	const struct posted_version *v = &r->p->v[s->version];
	struct buf text _cleanup_buf_ = BUF_INIT;
	const char *title = show_spot_title(r, s);

	put_claims(r, s, rows);
	put_tags(r, s, rows);
	put_reports(r, s, rows);
	put_remarks(r, s, rows);
	table_render(rows, INDENT, o->width, o->color, &text);
	if (!text.len)
		return;
	table_cellf(head, "%s %zu/%zu  %s", v->label, s->patch, v->total,
		    title ? title : "(not here)");
	table_render(head, 2, o->width, o->color, &o->text);
	buf_addstr(&o->text, buf_str(&text));
}

void show_review_each(const struct show_review *r, size_t series, show_spot_fn *put,
		      void *arg)
{
	const struct posted_series *s = &r->p->series[series];
	size_t shown = show_review_version(r, series);

	for (size_t i = s->n + 1; i-- > 0;) {
		struct show_spot at = { .version = i == s->n ? shown : s->v[i] };

		if (i < s->n && at.version == shown)
			continue;
		for (; at.patch <= r->p->v[at.version].total; at.patch++)
			put(arg, r, &at);
	}
}

void show_review(struct out *o, const struct show_review *r, size_t series)
{
	show_review_each(r, series, show_review_spot, o);
}
