// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * claim.c - numbers before and after: below headings ("Before the patchset:"), on lines
 * that say which they are ("Vanilla - Mean: ..."), and in two columns of a table. Prose
 * goes to claim_said.c, paragraph by paragraph.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claim_priv.h"
#include "phrase.h"
#include "series/buf.h"
#include "series/mem.h"
#include "series/stat.h"

#define LINE_MOST 1000 /* bytes; nobody writes numbers in longer ones by hand */
#define RUNS_MOST 256
#define COLUMNS	  16

enum side { SIDE_NONE, SIDE_BEFORE, SIDE_AFTER };

/* One number of one side. */
struct measured {
	enum side side;
	struct str label;
	struct number value;
	double sd; /* in the value's unit; NAN: not said */
	size_t line;
};

struct finder {
	struct claims *ret;
	struct measured v[RUNS_MOST]; /* of the comparison that is being read */
	size_t n;
	size_t runs;	/* "5 runs", for what has one mean each; 0: not said */
	enum side side; /* of the last heading */
	size_t line;
	/* The columns of a table, from 0, when its heading had both. */
	size_t column[2], columns;
	bool table;
	struct buf prose; /* the paragraph, on one line */
	size_t prose_line;
};

void claim_add(struct claims *c, const struct claim *take)
{
	if (c->n >= CLAIMS_MAX) {
		free(take->text);
		return;
	}
	vec_grow(c->v, c->n, c->cap);
	c->v[c->n++] = *take;
}

static double change_of(double before, double after)
{
	return before != 0 ? (after - before) / fabs(before) : NAN;
}

void claim_add_pair(struct claims *c, struct number before, struct number after,
		    struct str text, size_t line)
{
	struct claim new = { .kind = CLAIM_PAIR, .p = NAN, .line = line };

	if (!number_as(&before, &after))
		return;
	new.text = str_dup(text);
	new.unit = before.unit->name;
	new.before = before.value;
	new.after = after.value;
	new.change = change_of(new.before, new.after);
	claim_add(c, &new);
}

/* ---- a comparison ends ---- */

/* The mean of all of one side with this label, how many, and their standard deviation. */
static size_t gather(const struct finder *f, enum side side, struct str label,
		     double *ret_mean, double *ret_sd, size_t *ret_line)
{
	double x[RUNS_MOST] = { 0 };
	size_t n = 0;

	*ret_sd = NAN;
	for (size_t i = 0; i < f->n; i++) {
		if (f->v[i].side != side || !str_ieq(f->v[i].label, label))
			continue;
		x[n++] = f->v[i].value.value;
		*ret_sd = f->v[i].sd;
		*ret_line = f->v[i].line;
	}
	*ret_mean = stat_mean(x, n);
	if (n > 1)
		*ret_sd = sqrt(stat_variance(x, n));
	return n;
}

/* Welch's test from means, deviations and counts; see stat_welch(). */
static double welch(double a, double sd_a, size_t n_a, double b, double sd_b, size_t n_b)
{
	double va = sd_a * sd_a / (double)n_a, vb = sd_b * sd_b / (double)n_b;

	if (n_a < 2 || n_b < 2 || isnan(va) || isnan(vb) || !(va + vb > 0))
		return NAN;
	return stat_test_of(b - a, sqrt(va + vb),
			    (va + vb) * (va + vb) /
				    (va * va / (double)(n_a - 1) +
				     vb * vb / (double)(n_b - 1)))
		.p;
}

static void add_measured(struct finder *f, const struct measured *m)
{
	struct claim c = { .kind = CLAIM_PAIR, .unit = m->value.unit->name };
	double sd_before, sd_after;
	size_t n, line;

	n = gather(f, SIDE_AFTER, m->label, &c.after, &sd_after, &line);
	if (!n)
		return;
	c.n_after = n > 1 ? n : f->runs;
	n = gather(f, SIDE_BEFORE, m->label, &c.before, &sd_before, &c.line);
	c.n_before = n > 1 ? n : f->runs;
	c.line = line;
	c.text = str_dup(m->label);
	c.change = change_of(c.before, c.after);
	c.p = welch(c.before, sd_before, c.n_before, c.after, sd_after, c.n_after);
	claim_add(f->ret, &c);
}

/* What was measured on both sides becomes claims, each label once. */
static void compare(struct finder *f)
{
	for (size_t i = 0; i < f->n; i++) {
		bool first = f->v[i].side == SIDE_BEFORE;

		for (size_t k = 0; first && k < i; k++)
			first = f->v[k].side != SIDE_BEFORE ||
				!str_ieq(f->v[k].label, f->v[i].label);
		if (first)
			add_measured(f, &f->v[i]);
	}
}

static void flush(struct finder *f)
{
	compare(f);
	f->n = f->runs = 0;
	f->side = SIDE_NONE;
}

static bool has_both(const struct finder *f)
{
	return f->n && f->v[0].side != f->v[f->n - 1].side;
}

/*
 * A heading, or a line that says its side: what comes is of another comparison when that
 * side was the first one; and it is compared alone where the same side was said before
 * ("After patch 1: ...", "After patch 2: ...").
 */
static void begin_side(struct finder *f, enum side side)
{
	size_t n = 0;

	if (has_both(f) && f->v[0].side == side)
		flush(f);
	if (!f->n || f->v[f->n - 1].side != side)
		return;
	compare(f);
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].side != side)
			f->v[n++] = f->v[i];
	f->n = n;
}

/* ---- words for the sides ---- */

#define BEFORE_WORDS                                                                     \
	"before|base|baseline|vanilla|without|w/"                                        \
	"o|unpatched|mainline|original|orig|stock|"                                      \
	"old|unmodified|previously|mm-unstable|mm-new|mm-stable|upstream"
#define AFTER_WORDS                                                                      \
	"after|patched|with|w/*|new|modified|patch|patches|series|patchset|now"

/* Which side the words name: the first that names one counts, but "base + patch". */
static enum side side_of(struct str s, size_t most)
{
	enum side side = SIDE_NONE;
	struct str w;

	for (size_t i = 0; i < most && str_word(&s, &w); i++) {
		while (w.len && strchr(":,-(\"'", w.p[w.len - 1]))
			w.len--;
		while (w.len && strchr("(\"'", w.p[0]))
			w = str_n(w.p + 1, w.len - 1);
		if (side &&
		    (str_eqc(w, "+") || (side == SIDE_BEFORE && word_is(w, "with"))))
			return SIDE_AFTER;
		if (!side && word_is(w, BEFORE_WORDS))
			side = SIDE_BEFORE;
		else if (!side && word_is(w, AFTER_WORDS))
			side = SIDE_AFTER;
	}
	return side;
}

static size_t count_words(struct str s)
{
	struct str w;
	size_t n = 0;

	while (str_word(&s, &w))
		n++;
	return n;
}

/* "Before the patchset:", "w/o patch", "Performance with patch applied:" */
static enum side heading(struct str line)
{
	size_t words = count_words(line);
	bool colon = line.p[line.len - 1] == ':';

	if (!words || words > (colon ? 8 : 3))
		return SIDE_NONE;
	return side_of(line, words);
}

/* ---- one line with a number ---- */

static struct str bare(struct str s)
{
	s = str_trim(s);
	while (s.len && strchr(" \t:=|~-*", s.p[0]))
		s = str_n(s.p + 1, s.len - 1);
	while (s.len && strchr(" \t:=|~-*(<", s.p[s.len - 1]))
		s.len--;
	return s;
}

/* The label without the word that says the side, which is *ret_side. */
static struct str label_of(struct str s, enum side *ret_side)
{
	struct str rest = bare(s), w;
	enum side side;

	*ret_side = side_of(rest, 1);
	if (!*ret_side)
		return rest;
	*ret_side = side_of(rest, 3); /* "base + patch" */
	str_word(&rest, &w);
	/* "After patch 1: avg", "With the series - mean" */
	while (str_word(&rest, &w)) {
		side = side_of(w, 1);
		if (!side && strspn(w.p, "+0123456789:") < w.len &&
		    !word_is(w, "the|this|my|applied|kernel"))
			return bare(str_n(w.p, (size_t)(s.p + s.len - w.p)));
	}
	return STR_LIT("");
}

/* "std dev: 12%", "stddev=0.04", "+- 0.3": in the unit of the value. */
static double deviation(struct str line, const struct number *value)
{
	static const char *const words[] = { "std dev", "stddev",  "stdev", "std. dev",
					     "StdDev",	"sd:",	   "sd=",   "+/-",
					     "+-",	"\xc2\xb1" };
	struct number n;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		ptrdiff_t at = str_find(line, words[i]);

		if (at < 0 || !number_next(line, (size_t)at + strlen(words[i]), &n))
			continue;
		if (n.unit->dim == DIM_PERCENT)
			return fabs(value->value) * n.value / 100;
		if (n.unit->dim == DIM_NONE || number_as(value, &n))
			return n.value;
	}
	return NAN;
}

/* "5 runs", "n = 5" */
static void note_runs(struct finder *f, struct str line)
{
	struct str rest = line, w, before = STR_NULL;
	int64_t n;

	while (str_word(&rest, &w)) {
		while (w.len && strchr(":,.)", w.p[w.len - 1]))
			w.len--;
		if (word_is(w, "runs|iterations|samples|boots") && before.p &&
		    str_to_i64(before, 2, 100000, &n))
			f->runs = (size_t)n;
		before = w;
	}
}

/* The value: what has a unit, else the number behind a colon, "=" or a tab. */
static bool value_in(struct str line, struct number *ret)
{
	struct number n, plain = { .unit = NULL };
	size_t at = 0;

	while (number_next(line, at, &n)) {
		struct str lead = str_trim_end(str_n(line.p, n.from));

		at = n.to;
		if (n.unit->dim > DIM_FACTOR) {
			*ret = n;
			return true;
		}
		if (!plain.unit && n.unit->dim == DIM_NONE && lead.len &&
		    (strchr(":=|", lead.p[lead.len - 1]) || line.p[lead.len] == '\t'))
			plain = n;
	}
	*ret = plain;
	return plain.unit;
}

static bool measurement(struct finder *f, struct str line)
{
	struct measured m = { .line = f->line };

	if (f->n == RUNS_MOST || !value_in(line, &m.value))
		return false;
	m.label = label_of(str_n(line.p, m.value.from), &m.side);
	if (count_words(m.label) > 5)
		return false;
	if (m.side)
		begin_side(f, m.side);
	else
		m.side = f->side;
	if (!m.side)
		return false;
	if (f->n && !number_as(&f->v[0].value, &m.value))
		for (size_t i = 0; i < f->n; i++)
			if (str_ieq(f->v[i].label, m.label))
				return true; /* one label, two units: no comparison */
	m.sd = deviation(str_n(line.p + m.value.to, line.len - m.value.to), &m.value);
	f->v[f->n++] = m;
	return true;
}

/* ---- tables ---- */

/* Next cell: between bars, or up to a tab or two blanks. */
static bool next_cell(struct str *rest, bool bars, struct str *ret)
{
	size_t to = 0;

	if (!bars)
		while (rest->len && str_space(*rest->p))
			*rest = str_n(rest->p + 1, rest->len - 1);
	if (!rest->len)
		return false;
	while (to < rest->len &&
	       (bars ? rest->p[to] != '|'
		     : rest->p[to] != '\t' &&
				!(rest->p[to] == ' ' && to + 1 < rest->len &&
				  rest->p[to + 1] == ' ')))
		to++;
	*ret = str_trim(str_n(rest->p, to));
	to += to < rest->len;
	*rest = str_n(rest->p + to, rest->len - to);
	return true;
}

static size_t cells_of(struct str line, struct str ret[COLUMNS])
{
	bool bars = str_chr(line, '|') >= 0;
	struct str rest = str_trim(line);
	size_t n = 0;

	if (bars) {
		str_skip(&rest, "|");
		if (rest.len && rest.p[rest.len - 1] == '|')
			rest.len--;
	}
	while (n < COLUMNS && next_cell(&rest, bars, &ret[n]))
		n++;
	return n;
}

/* A heading with a column for each side begins a table. */
static bool table_begins(struct finder *f, struct str line)
{
	struct str cell[COLUMNS];
	size_t n = cells_of(line, cell), before = COLUMNS, after = COLUMNS;
	struct number number;

	for (size_t i = 0; i < n; i++) {
		enum side side =
			count_words(cell[i]) <= 3 ? side_of(cell[i], 3) : SIDE_NONE;

		if (side == SIDE_BEFORE && before == COLUMNS)
			before = i;
		else if (side == SIDE_AFTER && after == COLUMNS)
			after = i;
	}
	if (before == COLUMNS || after == COLUMNS || number_next(line, 0, &number))
		return false;
	flush(f);
	f->column[0] = before;
	f->column[1] = after;
	f->columns = n;
	f->table = true;
	return true;
}

static bool table_row(struct finder *f, struct str line)
{
	struct str cell[COLUMNS];
	size_t n = cells_of(line, cell), shift;
	struct number a, b;

	/* What was computed needs no heading: "(-25%)". */
	while (n > f->columns + !f->column[0] &&
	       (*cell[n - 1].p == '(' || str_ends(cell[n - 1], "%")))
		n--;
	/* The heading of the labels may be empty, and is no cell then. */
	shift = n - MIN(n, f->columns);
	if (n < f->columns || shift > 1 || (!f->column[0] && !shift))
		return false;
	if (!number_next(cell[f->column[0] + shift], 0, &a) ||
	    !number_next(cell[f->column[1] + shift], 0, &b))
		return false;
	claim_add_pair(f->ret, a, b, bare(cell[0]), f->line);
	return true;
}

/* ---- the text ---- */

static void end_prose(struct finder *f)
{
	claims_said(buf_str(&f->prose), f->prose_line, f->ret);
	buf_truncate(&f->prose, 0);
}

static void put_prose(struct finder *f, struct str line)
{
	if (!f->prose.len)
		f->prose_line = f->line;
	else
		buf_putc(&f->prose, ' ');
	buf_addstr(&f->prose, line);
}

/* "- a point of a list", "-----" */
static bool is_point(struct str line)
{
	return strchr("-*+", line.p[0]) && (line.len < 2 || strchr(" -*", line.p[1]));
}

static void take_line(struct finder *f, struct str line)
{
	enum side side;

	if (!line.len || is_point(line))
		end_prose(f);
	if (!line.len)
		return;
	note_runs(f, line);
	if (f->table) {
		if (table_row(f, line) || strspn(line.p, "-=+|: ") >= line.len)
			return;
		f->table = false;
	}
	if (table_begins(f, line) || measurement(f, line)) {
		end_prose(f);
		return;
	}
	side = heading(line);
	if (side) {
		end_prose(f);
		begin_side(f, side);
		f->side = side;
		return;
	}
	/* Prose behind both sides ends a comparison; a command line does not. */
	if (has_both(f) && count_words(line) > 5)
		flush(f);
	put_prose(f, line);
}

void claims_find(struct str text, struct claims *ret)
{
	struct finder *f = xcalloc(1, sizeof(*f));
	struct str line;

	f->ret = ret;
	while (str_line(&text, &line)) {
		f->line++;
		if (str_starts(line, "diff --git ") || str_eqc(str_trim_end(line), "--"))
			break;
		if (line.len > LINE_MOST || str_starts(line, ">"))
			line = STR_LIT("");
		take_line(f, str_trim(line));
	}
	end_prose(f);
	flush(f);
	buf_release(&f->prose);
	free(f);
}

void claim_words(const struct claim *c, struct buf *out)
{
	buf_puts(out, c->text);
	if (c->kind == CLAIM_SAID)
		return;
	buf_printf(out, "%s%.6g -> %.6g%s%s", *c->text ? ": " : "", c->before, c->after,
		   *c->unit ? " " : "", c->unit);
	if (!isnan(c->change))
		buf_printf(out, " (%+.1f %%", 100 * c->change);
	if (!isnan(c->change) && c->n_before > 1 && c->n_after > 1)
		buf_printf(out, "; n = %zu, %zu", c->n_before, c->n_after);
	if (!isnan(c->change) && !isnan(c->p))
		buf_printf(out, c->p < 0.001 ? "; p < 0.001" : "; p = %.3f", c->p);
	if (!isnan(c->change))
		buf_putc(out, ')');
}

void claims_brief(const struct claims *c, struct buf *out)
{
	const struct claim *most = NULL;

	for (size_t i = 0; i < c->n; i++)
		if (!isnan(c->v[i].change) &&
		    (!most || fabs(c->v[i].change) > fabs(most->change)))
			most = &c->v[i];
	if (most)
		buf_printf(out, "%+.0f %%", 100 * most->change);
	else if (c->n && c->v[0].kind == CLAIM_SAID)
		buf_printf(out, "%g%s", c->v[0].value, c->v[0].unit);
}

void claims_release(struct claims *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].text);
	free(c->v);
	*c = (struct claims){ .n = 0 };
}
