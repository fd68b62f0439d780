// SPDX-License-Identifier: GPL-2.0-or-later
/* holm.c: corrects p values for having asked several questions of one session. */
#include "series/stat.h"

void stat_holm(const double *p, size_t n, double *ret)
{
	size_t order[STAT_MOST];
	double least = 0, out[STAT_MOST];

	if (n > STAT_MOST)
		n = STAT_MOST;
	for (size_t i = 0; i < n; i++) {
		size_t j = i;

		for (; j > 0 && p[order[j - 1]] > p[i]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	for (size_t i = 0; i < n; i++) {
		double v = p[order[i]] * (double)(n - i);

		if (v > 1)
			v = 1;
		if (v > least)
			least = v;
		out[order[i]] = least;
	}
	for (size_t i = 0; i < n; i++)
		ret[i] = out[i];
}
