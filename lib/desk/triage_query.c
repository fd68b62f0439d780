// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_query.c - the query language: author:rita open>0 -is:rfc "page table".
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "series/mem.h"
#include "triage_priv.h"

enum op { OP_HAS, OP_EQ, OP_LT, OP_LE, OP_GT, OP_GE };

struct flag {
	const char *name, *help;
	bool (*test)(const struct triage *t, const struct triage_row *r);
};

struct term {
	const struct triage_field *field; /* NULL: is: or a word */
	const struct flag *flag;	  /* NULL: a word */
	enum op op;
	char *text;
	int64_t number;
	bool negated;
	bool either; /* or the term before it */
};

struct query {
	struct term *v;
	size_t n, cap;
};

#define FLAG(name, expression)                                                           \
	static bool name(const struct triage *t, const struct triage_row *r)             \
	{                                                                                \
		return expression;                                                       \
	}

FLAG(is_rfc, r->l->rfc)
FLAG(is_resend, r->l->resend)
FLAG(is_partial, r->l->partial)
FLAG(is_whole, !r->l->missing)
FLAG(is_uncertain, r->l->uncertain)
FLAG(is_flagged, r->mark->flagged)
FLAG(is_noted, r->mark->note)
FLAG(is_assigned, r->mark->assigned)
FLAG(is_mine, triage_is_me(&t->me, r->l->email))
FLAG(is_ready, r->group == GROUP_READY)
FLAG(is_snoozed, r->away)
FLAG(is_landed, r->landed)

static bool is_tome(const struct triage *t, const struct triage_row *r)
{
	for (size_t i = 0; i < r->l->to.n; i++)
		if (triage_is_me(&t->me, r->l->to.v[i]))
			return true;
	return false;
}

static const struct flag flags[] = {
	{ "rfc", "posted as RFC", is_rfc },
	{ "resend", "a RESEND", is_resend },
	{ "partial", "a reroll of some patches", is_partial },
	{ "whole", "all its patches are here", is_whole },
	{ "uncertain", "its versions may not belong together", is_uncertain },
	{ "flagged", "you flagged it", is_flagged },
	{ "noted", "you wrote a note", is_noted },
	{ "assigned", "somebody looks after it", is_assigned },
	{ "mine", "you posted it", is_mine },
	{ "to-me", "it was sent to you", is_tome },
	{ "ready", "the same as group:ready", is_ready },
	{ "snoozed", "it sleeps", is_snoozed },
	{ "landed", "its patches are in a branch", is_landed },
};

void query_free(struct query *q)
{
	if (!q)
		return;
	for (size_t i = 0; i < q->n; i++)
		free(q->v[i].text);
	free(q->v);
	free(q);
}

void query_freep(struct query **q)
{
	query_free(*q);
}

/* ---- reading ---- */

static void skip_blanks(struct str *s)
{
	while (s->len && str_space(*s->p)) {
		s->p++;
		s->len--;
	}
}

/* Up to a blank, or what stands between quotes. */
static char *cut_value(struct str *s)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	bool quoted = false;

	while (s->len && (quoted || !str_space(*s->p))) {
		if (*s->p == '"')
			quoted = !quoted;
		else
			buf_putc(&b, *s->p);
		s->p++;
		s->len--;
	}
	return buf_take(&b);
}

static bool cut_operator(struct str *s, enum op *ret)
{
	static const struct {
		const char *text;
		enum op op;
	} ops[] = { { ">=", OP_GE }, { "<=", OP_LE }, { ">", OP_GT },
		    { "<", OP_LT },  { "=", OP_EQ },  { ":", OP_HAS } };

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (str_skip(s, ops[i].text)) {
			*ret = ops[i].op;
			return true;
		}
	return false;
}

/* "author:", "R>=": a name and an operator; else nothing is cut off. */
static bool cut_name(struct str *s, struct str *ret_name, enum op *ret)
{
	struct str rest = *s;
	size_t n = 0;

	while (n < s->len && ((s->p[n] | 32) >= 'a' && (s->p[n] | 32) <= 'z'))
		n++;
	rest.p += n;
	rest.len -= n;
	if (!n || !cut_operator(&rest, ret))
		return false;
	*ret_name = str_n(s->p, n);
	*s = rest;
	return true;
}

static int read_flag(struct term *m, struct err *err)
{
	struct buf all _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (!strcasecmp(m->text, flags[i].name))
			m->flag = &flags[i];
		buf_printf(&all, "%s%s", i ? ", " : "", flags[i].name);
	}
	return m->flag ? 0
		       : err_set(err, E_USAGE, "is:%s? There are %s", m->text,
				 buf_cstr(&all));
}

static int read_number(struct term *m, struct err *err)
{
	if (m->op == OP_HAS)
		m->op = OP_EQ;
	if (m->field->time ? triage_duration(str_c(m->text), &m->number)
			   : cstr_to_i64(m->text, 0, INT32_MAX, &m->number))
		return 0;
	return err_set(err, E_USAGE, "%s: '%s' is no %s; for example %s", m->field->name,
		       m->text, m->field->time ? "time" : "number", m->field->example);
}

/* A field with its value, which stands next in *s. */
static int read_field(struct str name, struct str *s, struct term *m, struct err *err)
{
	struct buf all _cleanup_buf_ = BUF_INIT;

	m->text = cut_value(s);
	if (str_ieqc(name, "is"))
		return read_flag(m, err);
	m->field = triage_field_find(name);
	if (!m->field) {
		for (size_t i = 0; i < n_triage_fields; i++)
			buf_printf(&all, " %s", triage_fields[i].name);
		return err_set(err, E_USAGE,
			       "'" STR_FMT
			       "' is nothing to ask for; there are is%s. Words "
			       "with a colon want quotes",
			       STR_ARG(name), buf_cstr(&all));
	}
	if (m->field->number)
		return read_number(m, err);
	if (m->op != OP_HAS && m->op != OP_EQ)
		return err_set(err, E_USAGE, "%s is text: %s", m->field->name,
			       m->field->example);
	return 0;
}

static int read_term(struct str *s, struct query *q, struct err *err)
{
	struct term m = { .op = OP_HAS };
	struct str name;
	int rc = 0;

	if (str_skip(s, "|")) {
		m.either = q->n > 0;
		skip_blanks(s);
	}
	if (s->len > 1 && (*s->p == '-' || *s->p == '!')) {
		m.negated = true;
		s->p++;
		s->len--;
	}
	if (cut_name(s, &name, &m.op))
		rc = read_field(name, s, &m, err);
	else
		m.text = cut_value(s);
	vec_grow(q->v, q->n, q->cap);
	q->v[q->n++] = m;
	return rc;
}

int query_parse(const char *text, struct query **ret, struct err *err)
{
	struct query *q _cleanup_query_ = xcalloc(1, sizeof(*q));
	struct str s = str_c(text);
	int rc = 0;

	skip_blanks(&s);
	while (s.len && !rc) {
		rc = read_term(&s, q, err);
		skip_blanks(&s);
	}
	if (rc)
		return rc;
	*ret = q;
	q = NULL;
	return 0;
}

/* ---- matching ---- */

static bool field_has(const struct term *m, const struct triage_row *r)
{
	const char *s;

	for (size_t i = 0; (s = m->field->text(r, i)); i++)
		if (m->op == OP_EQ ? !strcasecmp(s, m->text) : !!strcasestr(s, m->text))
			return true;
	return false;
}

static bool compare(int64_t a, enum op op, int64_t b)
{
	switch (op) {
	case OP_LT:
		return a < b;
	case OP_LE:
		return a <= b;
	case OP_GT:
		return a > b;
	case OP_GE:
		return a >= b;
	default:
		return a == b;
	}
}

/* A word: in the title, the author's name or address, or the note. */
static bool word_is_in(const char *word, const struct triage_row *r)
{
	const char *in[] = { r->l->title, r->l->name, r->l->email, r->mark->note };

	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		if (in[i] && strcasestr(in[i], word))
			return true;
	return false;
}

static bool term_holds(const struct term *m, struct triage *t, const struct triage_row *r)
{
	bool is;

	if (m->flag)
		is = m->flag->test(t, r);
	else if (!m->field)
		is = word_is_in(m->text, r);
	else if (m->field->number)
		is = compare(m->field->number(t, r), m->op, m->number);
	else
		is = field_has(m, r);
	return is != m->negated;
}

bool query_match(const struct query *q, struct triage *t, const struct triage_row *row)
{
	bool holds = true;

	for (size_t i = 0; q && i < q->n; i++) {
		if (q->v[i].either) {
			holds = holds || term_holds(&q->v[i], t, row);
			continue;
		}
		if (!holds)
			return false;
		holds = term_holds(&q->v[i], t, row);
	}
	return holds;
}

void triage_terms(struct buf *out)
{
	for (size_t i = 0; i < n_triage_fields; i++)
		buf_printf(out, "%-22s  %s\n", triage_fields[i].example,
			   triage_fields[i].help);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		buf_printf(out, "is:%-19s  %s\n", flags[i].name, flags[i].help);
}
