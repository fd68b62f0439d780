// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Results as documents of the series: build/KEY.json in its state.
 */
#include "series/store.h"
#include "internal.h"

/* Put one result unless it is there already; true when something changed. */
static bool put(struct store *t, const struct build_result *r)
{
	_cleanup_json_ struct json *j = build_result_json(r);
	_cleanup_free_ char *path = xasprintf("build/%s.json", r->key);
	_cleanup_buf_ struct buf old = BUF_INIT, text = BUF_INIT;

	json_dump(j, &text);
	if (!store_get(t, path, &old, NULL) && str_eq(buf_str(&old), buf_str(&text)))
		return false;
	store_put(t, path, text.p, text.len);
	return true;
}

int build_store(struct repo *r, const char *name, const struct build_report *report,
		struct err *err)
{
	_cleanup_store_ struct store *t = NULL;
	size_t changed = 0;
	int rc = store_begin(r, name, false, &t, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < report->n; i++)
		if (report->results[i].outcome != BUILD_UNKNOWN)
			changed += put(t, &report->results[i]);
	if (!changed)
		return 0;
	_cleanup_free_ char *msg = xasprintf(
		"build: %s %s, %zu result%s", report->results[0].arch,
		report->results[0].config_name, changed, changed == 1 ? "" : "s");

	return store_commit(t, msg, err);
}
