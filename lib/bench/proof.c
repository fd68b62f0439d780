// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a run says: its value, and whether the counters show that the path under test ran.
 */
#include <regex.h>
#include <string.h>

#include "series/benchdef.h"
#include "series/mem.h"

bool bench_metric_value(const struct bench_metric *m, struct str output, int64_t *ret)
{
	regex_t re;
	regmatch_t at[2];
	struct str line;
	bool found = false;

	if (regcomp(&re, m->pattern, REG_EXTENDED))
		return false;
	while (str_line(&output, &line)) {
		_cleanup_free_ char *s = str_dup(line);
		int64_t v;

		if (regexec(&re, s, 2, at, 0) || at[1].rm_so < 0)
			continue;
		found = str_to_i64(
			str_n(s + at[1].rm_so, (size_t)(at[1].rm_eo - at[1].rm_so)), 1,
			BENCH_MAX_VALUE, &v);
		if (found)
			*ret = v;
	}
	regfree(&re);
	return found;
}

static bool holds(const struct proof_rule *r, int64_t v)
{
	switch (r->op) {
	case PROOF_GE:
		return v >= r->limit;
	case PROOF_LE:
		return v <= r->limit;
	case PROOF_EQ:
		return v == r->limit;
	}
	return false;
}

enum proof_state bench_proof(const struct bench_case *c, const struct json *counters,
			     struct buf *why)
{
	for (size_t i = 0; i < c->n_proofs; i++) {
		const struct proof_rule *r = &c->proofs[i];
		const struct json *j = json_get(counters, r->counter);
		/* null is no number: both defaults come back. */
		int64_t v = json_value_int(j, -1);

		if (v == -1 && json_value_int(j, -2) == -2) {
			buf_printf(why, "counter %s is not there", r->counter);
			return PROOF_ABSENT;
		}
		if (!holds(r, v)) {
			buf_printf(why, "%s is %lld, expected %s", r->counter,
				   (long long)v, r->text + strlen(r->counter) + 1);
			return PROOF_NOT_MET;
		}
	}
	return PROOF_MET;
}
