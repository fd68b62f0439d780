// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * search-dump.c - what fetch_search() fetches, for t0405-search.sh.
 *
 *	search-dump [--threads] [--offline] [--since TIME] [QUERY]
 *
 * A line "id SUBJECT" for each mail, "nothing" when nothing was found, "kept" or
 *"passing" for the file.
 */
#include <stdio.h>
#include <string.h>
#include "series/fetch.h"
#include "series/fs.h"

static int list(const struct fetched *f, struct err *err)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct mail m;
	int rc = mailsrc_open(f->path, FROM_MBOXRD, &src, err);

	while (!rc && (rc = mailsrc_next(src, &m, err)) > 0) {
		struct str id = field_get(m.head, "Message-ID");

		printf(STR_FMT "\n", STR_ARG(str_trim(id)));
		rc = 0;
	}
	printf("%s\n", f->passing ? "passing" : "kept");
	return rc;
}

int main(int argc, char **argv)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct fetched f _cleanup_fetched_ = { 0 };
	struct search s = { 0 };
	struct config *c = NULL;
	bool offline = false;
	int64_t since;
	int rc;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--threads"))
			s.threads = true;
		else if (!strcmp(argv[i], "--offline"))
			offline = true;
		else if (!strcmp(argv[i], "--since") && i + 1 < argc &&
			 cstr_to_i64(argv[++i], 0, INT64_MAX, &since))
			s.since = since;
		else
			s.query = argv[i];
	}
	rc = config_load(NULL, &c, &err);
	if (!rc)
		rc = fetch_search(c, &s, offline, &f, &err);
	if (!rc && f.why)
		printf("why: %s\n", f.why);
	if (!rc && !f.path)
		printf("nothing\n");
	else if (!rc)
		rc = list(&f, &err);
	if (rc < 0)
		fprintf(stderr, "search-dump: %s\n", err_msg(&err));
	config_free(c);
	return rc < 0;
}
