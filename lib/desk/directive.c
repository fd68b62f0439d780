// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * directive.c - "@bench NAME [host=H] [case=C] [style=S]" as the table of stored results.
 */
#include "directive.h"
#include "series/bench.h"
#include "series/mem.h"
#include "series/report.h"

/* What the words of a directive said. */
struct bench_words {
	char *bench, *host, *case_name, *style;
};

static void words_release(struct bench_words *w)
{
	free(w->bench);
	free(w->host);
	free(w->case_name);
	free(w->style);
}

static void complain(struct render *r, const char *remedy, struct str what,
		     const char *message)
{
	findings_add(r->findings, "cover-directive", SEVERITY_ERROR, r->where, remedy,
		     "'" STR_FMT "' %s", STR_ARG(what), message);
}

/* Parse the words behind "@bench"; false after a finding. */
static bool parse_words(struct render *r, struct str rest, struct bench_words *w)
{
	const struct {
		const char *key;
		char **to;
	} keys[] = { { "host=", &w->host },
		     { "case=", &w->case_name },
		     { "style=", &w->style } };
	struct str word;

	while (str_word(&rest, &word)) {
		struct str value = word;
		char **to = NULL;

		for (size_t i = 0; i < ARRAY_SIZE(keys) && !to; i++)
			if (str_skip(&value, keys[i].key))
				to = keys[i].to;
		if (!to && str_chr(word, '=') < 0)
			to = &w->bench;
		if (!to || *to || !value.len) {
			complain(r, "write @bench NAME [host=H] [case=C] [style=S]", word,
				 "is not expected here");
			return false;
		}
		*to = str_dup(value);
	}
	if (!w->bench)
		complain(r, "write @bench NAME [host=H] [case=C] [style=S]",
			 STR_LIT("@bench"), "has no name of a benchmark");
	return w->bench != NULL;
}

static bool host_matches(const struct bench_session *b, const char *host)
{
	return !host || (b->host_alias && !strcmp(b->host_alias, host));
}

/* Asked for and measured; where no session has the case, the message about it lists what
 * there is. */
static bool case_matches(const struct bench_words *w, struct bench_session *const *all,
			 size_t n, size_t i)
{
	bool somewhere = false;

	if (!w->case_name || strvec_has(&all[i]->cases, w->case_name))
		return true;
	for (size_t k = 0; k < n; k++)
		somewhere =
			somewhere || (all[k]->complete && host_matches(all[k], w->host) &&
				      strvec_has(&all[k]->cases, w->case_name));
	return !somewhere;
}

/* The newest session that is true of the draft, else the newest at all. */
static const struct bench_session *choose(const struct render *r,
					  const struct bench_words *w,
					  struct bench_session *const *all, size_t n,
					  enum freshness *ret_fresh, struct buf *ret_why)
{
	const struct bench_session *best = NULL;

	for (size_t i = 0; i < n; i++) {
		struct buf why _cleanup_buf_ = BUF_INIT;
		enum freshness f;

		if (!all[i]->complete || !host_matches(all[i], w->host) ||
		    !case_matches(w, all, n, i))
			continue;
		f = bench_freshness(all[i], r->series, NULL, &why);
		if (best && f >= *ret_fresh)
			continue;
		best = all[i];
		*ret_fresh = f;
		buf_reset(ret_why);
		buf_addstr(ret_why, buf_str(&why));
	}
	return best;
}

static void say_freshness(struct render *r, const struct bench_words *w, enum freshness f,
			  const struct buf *why)
{
	char *remedy _cleanup_free_ =
		xasprintf("measure again: series bench %s", w->bench);

	if (f == FRESH_STALE)
		findings_add(r->findings, "bench-stale", SEVERITY_WARNING, r->where,
			     remedy, "the results of %s are not those of the draft: %s",
			     w->bench, buf_cstr(why));
	else if (f == FRESH_OTHER_BASE)
		findings_add(
			r->findings, "bench-other-base", SEVERITY_WARNING, r->where,
			remedy,
			"the results of %s are of the same patches on another base: %s",
			w->bench, buf_cstr(why));
}

static void render_session(struct render *r, const struct bench_words *w,
			   const struct bench_session *b, struct buf *out)
{
	struct bench_report *report _cleanup_bench_report_ = NULL;
	struct buf table _cleanup_buf_ = BUF_INIT;
	struct err e _cleanup_err_ = ERR_INIT;
	int rc = bench_report_new(b, NULL, &report, &e);

	if (!rc)
		rc = bench_render(b, r->config, w->style, w->case_name, &table, &e);
	if (rc) {
		findings_add(r->findings, "cover-directive", SEVERITY_ERROR, r->where,
			     NULL, "%s", err_msg(&e));
		return;
	}
	r->emulated |= report->table.emulated;
	buf_addstr(out, buf_str(&table));
}

static int render_bench(struct render *r, struct str rest, struct buf *out,
			struct err *err)
{
	struct bench_words w _cleanup_(words_release) = { 0 };
	struct buf why _cleanup_buf_ = BUF_INIT;
	struct bench_session **all = NULL;
	const struct bench_session *b;
	enum freshness fresh = FRESH_STALE;
	size_t n = 0;
	int rc;

	if (!parse_words(r, rest, &w))
		return 0;
	rc = bench_sessions(r->series, w.bench, &all, &n, err);
	if (rc)
		return err_context(err, "%s", r->where);
	b = choose(r, &w, all, n, &fresh, &why);
	if (b) {
		say_freshness(r, &w, fresh, &why);
		render_session(r, &w, b, out);
	} else {
		char *remedy _cleanup_free_ =
			xasprintf("measure them: series bench %s", w.bench);

		findings_add(r->findings, "bench-missing", SEVERITY_ERROR, r->where,
			     remedy, "there are no results of %s%s%s", w.bench,
			     w.host ? " on host " : "", w.host ? w.host : "");
	}
	bench_sessions_free(all, n);
	return 0;
}

int directive_render(struct render *r, struct str line, struct buf *out, struct err *err)
{
	struct str rest = line, word = STR_NULL;

	str_word(&rest, &word);
	if (str_eqc(word, "@bench"))
		return render_bench(r, rest, out, err);
	complain(r, "write @bench NAME, or put a blank in front if it is text", word,
		 "is not a directive");
	return 0;
}
