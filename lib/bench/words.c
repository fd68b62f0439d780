// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * words.c: a verdict as text. Numbers are written without printf's %f, whose point is a
 * comma in some locales: the same verdict must give the same bytes everywhere.
 */
#include "series/verdict.h"

#include <inttypes.h>
#include <math.h>

void verdict_fixed(struct buf *out, double x, int decimals)
{
	uint64_t scale = 1, v;

	for (int i = 0; i < decimals; i++)
		scale *= 10;
	v = (uint64_t)llround(fabs(x) * (double)scale);
	if (x < 0 && v)
		buf_putc(out, '-');
	buf_printf(out, "%" PRIu64, v / scale);
	if (decimals)
		buf_printf(out, ".%0*" PRIu64, decimals, v % scale);
}

void verdict_two_digits(struct buf *out, double x)
{
	int decimals = 0;

	/* 9.96 with one decimal would be 10.0: round first, then look */
	while (decimals < 6 && x > 0 && llround(x * pow(10, decimals)) < 10)
		decimals++;
	verdict_fixed(out, x, decimals);
}

const char *verdict_word(const struct verdict *v)
{
	static const char *const speed[] = { "none", "faster", "slower", "unchanged",
					     "inconclusive" };
	static const char *const count[] = { "none", "fewer instructions",
					     "more instructions", "same instructions",
					     "inconclusive" };

	return (v->instructions ? count : speed)[v->word];
}

void verdict_text(struct buf *out, const struct verdict *v)
{
	double seen = 100 * expm1(v->mde);

	if (v->word == VERDICT_NONE)
		return;
	buf_puts(out, verdict_word(v));
	if (v->below_delta)
		buf_puts(out, ", below delta");
	if (v->word != VERDICT_INCONCLUSIVE)
		return;
	if (seen < 1000) {
		buf_puts(out, " (could see ");
		verdict_two_digits(out, seen);
		buf_puts(out, " %)");
	} else {
		buf_puts(out, " (could see > 1000 %)");
	}
}

static double percent(double effect)
{
	double p = 100 * expm1(effect);

	return p < 99999 ? p : 99999;
}

/* With a plus when it is above 0 as printed. */
static void signed_fixed(struct buf *out, double x, int decimals)
{
	if (x > 0 && llround(x * pow(10, decimals)) > 0)
		buf_putc(out, '+');
	verdict_fixed(out, x, decimals);
}

void verdict_change(struct buf *out, const struct verdict *v)
{
	double x = percent(v->effect), half = (percent(v->hi) - percent(v->lo)) / 2;
	bool interval = v->nu > 0;
	int decimals = interval && half < .1 ? 2 : 1;

	signed_fixed(out, x, decimals);
	buf_puts(out, " %");
	if (!interval)
		return;
	buf_puts(out, " [");
	signed_fixed(out, percent(v->lo), decimals);
	buf_puts(out, ", ");
	signed_fixed(out, percent(v->hi), decimals);
	buf_putc(out, ']');
}
