// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_row.c - see triage_row.h.
 */
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/time.h"
#include "triage_row.h"

static const struct {
	const char *heading;
	bool right;
	/* Columns on screens of at least 150, 120, 80 and 60; and below that. */
	size_t width[5];
} cells[N_CELLS] = {
	[CELL_MARK] = { "", false, { 2, 2, 2, 2, 1 } },
	[CELL_AGE] = { "AGE", true, { 4, 4, 4, 4, 4 } },
	[CELL_VERSION] = { "VER", false, { 6, 6, 6, 5, 4 } },
	[CELL_PATCHES] = { "COVER", true, { 8, 6, 5, 5, 5 } },
	[CELL_TAGS] = { "R/A/T", true, { 8, 8, 5, 0, 0 } },
	[CELL_AGAINST] = { "AGNST", false, { 9, 9, 6, 5, 0 } },
	[CELL_APPLIES] = { "AP", false, { 2, 2, 1, 0, 0 } },
	[CELL_SIGNED] = { "SG", false, { 2, 2, 0, 0, 0 } },
	[CELL_CLAIM] = { "CLAIM", true, { 8, 6, 0, 0, 0 } },
	[CELL_LAST] = { "LAST", false, { 16, 12, 1, 1, 0 } },
	[CELL_AUTHOR] = { "AUTHOR", false, { 20, 16, 10, 8, 6 } },
	[CELL_SUBJECT] = { "SUBJECT", false, { 0, 0, 0, 0, 0 } },
	[CELL_LIST] = { "LIST", false, { 16, 10, 0, 0, 0 } },
};

void triage_widths(const struct triage *t, size_t width, bool lists, size_t ret[N_CELLS])
{
	size_t kind = width >= 150   ? 0
		      : width >= 120 ? 1
		      : width >= 80  ? 2
		      : width >= 60  ? 3
				     : 4;
	size_t used = 0;

	for (size_t i = 0; i < N_CELLS; i++) {
		ret[i] = cells[i].width[kind];
		if ((i == CELL_LIST && !lists) || (i == CELL_APPLIES && !triage_base(t)))
			ret[i] = 0;
		used += ret[i] ? ret[i] + 1 : 0;
	}
	ret[CELL_SUBJECT] = width > used + 1 ? width - used : 1;
}

const char *triage_heading(enum triage_cell c)
{
	return cells[c].heading;
}

bool triage_cell_right(enum triage_cell c)
{
	return cells[c].right;
}

static void put_mark(const struct triage_row *r, struct buf *b)
{
	buf_putc(b, r->mark->flagged ? '!' : r->mark->assigned ? '@' : ' ');
	buf_putc(b, r->away ? 'z' : r->mark->note ? 'n' : ' ');
}

static void put_version(const struct listed *l, struct buf *b)
{
	buf_printf(b, l->rfc ? "rfc%d" : "v%d", l->version);
	if (l->minor)
		buf_printf(b, ".%d", l->minor);
	if (l->versions > 1)
		buf_printf(b, "+%zu", l->versions - 1);
}

static void put_against(const struct listed *l, size_t width, struct buf *b)
{
	const struct {
		char letter;
		size_t n;
	} what[] = { { 'N', l->naks }, { 'o', l->open }, { 'b', l->reports } };
	size_t start = b->len;

	for (int blanks = 1; blanks >= 0; blanks--) {
		buf_truncate(b, start);
		for (size_t i = 0; i < ARRAY_SIZE(what); i++)
			if (what[i].n)
				buf_printf(b, "%s%c%zu",
					   b->len > start && blanks ? " " : "",
					   what[i].letter, what[i].n);
		if (b->len - start <= width)
			return;
	}
}

/* "2/46-3", and in less room "2/46-", "2/46", "4%". */
static void put_cover(const struct listed *l, size_t width, struct buf *b)
{
	size_t start = b->len, of;

	buf_printf(b, "%zu/%zu", l->covered, l->total);
	of = b->len;
	if (l->missing)
		buf_printf(b, "-%zu", l->missing);
	if (b->len - start > width)
		buf_truncate(b, of + (of - start < width));
	if (b->len - start <= width || !l->total)
		return;
	buf_truncate(b, start);
	buf_printf(b, "%zu%%", l->covered * 100 / l->total);
}

static void put_last(const struct listed *l, size_t width, struct buf *b)
{
	buf_putc(b, "ARB"[l->last_word]);
	if (width > 2 && l->last_word == WORD_REVIEWER)
		buf_printf(b, " %s",
			   l->last_name && *l->last_name ? l->last_name
			   : l->last_email		 ? l->last_email
							 : "");
}

/* "D": every mail has a signature of the developer, "d": some; "S", "s": of a server. */
static void put_signed(const struct listed *l, struct buf *b)
{
	if (l->developer)
		buf_putc(b, l->developer == l->mails ? 'D' : 'd');
	if (l->dkim)
		buf_putc(b, l->dkim == l->mails ? 'S' : 's');
}

/* "-73 %" is "-73%" where there is no room. */
static void put_claim(const struct listed *l, struct buf *b)
{
	for (const char *p = l->claim ? l->claim : ""; *p; p++)
		if (*p != ' ')
			buf_putc(b, *p);
}

static void put_cell(const struct triage *t, const struct triage_row *r,
		     enum triage_cell c, size_t width, struct buf *b)
{
	const struct listed *l = r->l;

	switch (c) {
	case CELL_MARK:
		put_mark(r, b);
		break;
	case CELL_AGE:
		if (l->last)
			triage_age(t->now - l->last, b);
		break;
	case CELL_VERSION:
		put_version(l, b);
		break;
	case CELL_PATCHES:
		put_cover(l, width, b);
		break;
	case CELL_TAGS:
		buf_printf(b, "%zu/%zu/%zu", l->reviewed, l->acked, l->tested);
		break;
	case CELL_AGAINST:
		put_against(l, width, b);
		break;
	case CELL_APPLIES:
		buf_puts(b, triage_applies_mark(r->applies));
		break;
	case CELL_SIGNED:
		put_signed(l, b);
		break;
	case CELL_CLAIM:
		put_claim(l, b);
		break;
	case CELL_LAST:
		put_last(l, width, b);
		break;
	case CELL_AUTHOR:
		buf_puts(b, *l->name ? l->name : l->email);
		break;
	case CELL_SUBJECT:
		buf_puts(b, l->title);
		break;
	default:
		buf_puts(b, r->list ? r->list : "");
	}
}

void triage_cell(const struct triage *t, const struct triage_row *r, enum triage_cell c,
		 size_t width, struct buf *out)
{
	struct buf raw _cleanup_buf_ = BUF_INIT, clean _cleanup_buf_ = BUF_INIT;

	put_cell(t, r, c, width, &raw);
	sanitize_line(buf_str(&raw), &clean);
	if (utf8_width(buf_str(&clean)) <= width) {
		buf_addstr(out, buf_str(&clean));
		return;
	}
	buf_addstr(out, utf8_fit(buf_str(&clean), width > 1 ? width - 1 : width));
	if (width > 1)
		buf_putc(out, '~');
}

void triage_line(const struct triage *t, const struct triage_row *r,
		 const size_t widths[N_CELLS], struct buf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < N_CELLS; i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;
		size_t used;

		if (!widths[i])
			continue;
		if (r)
			triage_cell(t, r, i, widths[i], &b);
		else
			buf_addstr(&b, utf8_fit(str_c(cells[i].heading), widths[i]));
		used = MIN(utf8_width(buf_str(&b)), widths[i]);
		if (out->len > start)
			buf_putc(out, ' ');
		if (cells[i].right)
			buf_fill(out, ' ', widths[i] - used);
		buf_addstr(out, buf_str(&b));
		if (!cells[i].right)
			buf_fill(out, ' ', widths[i] - used);
	}
	while (out->len > start && out->p[out->len - 1] == ' ')
		buf_truncate(out, out->len - 1);
}

static void put_note(const struct triage_row *r, struct buf *b)
{
	size_t start = b->len;

	triage_until_words(r->mark, b);
	if (b->len > start)
		buf_puts(b, "; ");
	if (r->mark->assigned)
		buf_printf(b, "assigned to %s; ", r->mark->assigned);
	if (r->mark->note)
		buf_printf(b, "note: %s; ", r->mark->note);
}

void triage_details(struct triage *t, const struct triage_row *r, struct buf *out)
{
	struct strvec overlaps _cleanup_strvec_ = STRVEC_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;
	const struct listed *l = r->l;

	put_note(r, &b);
	if (l->uncertain)
		buf_puts(&b, "its versions are uncertain; ");
	if (l->missing)
		buf_printf(&b, "missing patches: %zu; ", l->missing);
	if (l->claim)
		buf_printf(&b, "says %s; ", l->claim);
	if (l->developer)
		buf_puts(&b, "signed, not verified; ");
	if (r->applies == APPLIES_NO)
		buf_printf(&b, "does not apply: %s; ", r->applies_why ? r->applies_why : "");
	buf_printf(&b, "%s wrote last",
		   l->last_name && *l->last_name ? l->last_name
		   : l->last_email		 ? l->last_email
						 : "nobody");
	if (l->last) {
		buf_puts(&b, ", ");
		time_ago(l->last, &b);
	}
	triage_overlaps(t, r, &overlaps);
	if (overlaps.n)
		buf_printf(&b, "; overlaps with %zu: %s", overlaps.n, overlaps.v[0]);
	if (l->doubtful)
		buf_printf(&b, "; %zu doubtful tag%s", l->doubtful,
			   l->doubtful == 1 ? "" : "s");
	if (l->answered)
		buf_printf(&b, "; remarks answered: %zu", l->answered);
	sanitize_line(buf_str(&b), out);
}
