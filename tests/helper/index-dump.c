// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * index-dump.c - what lib/index makes of a mirror, for tests and for measuring.
 *
 *	index-dump update DB DIR [SINCE]	"mails N deleted N broken N families N
 *						rewritten N", and how long it took
 *	index-dump rows DB [ID]			a line a series, every field
 *	index-dump brief DB DAYS [NOW]		how many rows of the last DAYS, and how
 *long it took to read them; 0: all
 *	index-dump thread DB DIR KEY		Message-IDs of the family
 *	index-dump count DB
 *	index-dump direct DIR			the rows of all mails at once, without an
 *index
 */
#include <stdio.h>
#include <stdlib.h>
#include "series/intr.h"
#include "series/listindex.h"
#include "series/mirror.h"
#include "series/time.h"

static void print_list(const char *name, const struct strvec *v)
{
	char *all = strvec_join(v, ",");

	printf(" %s=%s", name, all);
	free(all);
}

static void print_row(int64_t key, const struct listed *l)
{
	printf("%lld <%s> first=<%s> change=%s %s \"%s\" by %s <%s> v%d.%d",
	       (long long)key, l->message_id, l->first_id,
	       l->change_id ? l->change_id : "-", l->label, l->title, l->name, l->email,
	       l->version, l->minor);
	printf(" rfc=%d resend=%d partial=%d uncertain=%d versions=%zu patches=%zu-%zu",
	       l->rfc, l->resend, l->partial, l->uncertain, l->versions, l->total,
	       l->missing);
	printf(" first=%lld posted=%lld R=%zu A=%zu T=%zu covered=%zu doubtful=%zu "
	       "naks=%zu",
	       (long long)l->first, (long long)l->posted, l->reviewed, l->acked,
	       l->tested, l->covered, l->doubtful, l->naks);
	printf(" open=%zu answered=%zu reports=%zu last=%d %lld %s <%s> <%s> answers=%s "
	       "base=%s",
	       l->open, l->answered, l->reports, (int)l->last_word, (long long)l->last,
	       l->last_name, l->last_email, l->last_id,
	       l->last_answers ? l->last_answers : "-",
	       l->base_commit ? l->base_commit : "-");
	printf(" claims=%zu %s signed=%zu,%zu of %zu", l->claims,
	       l->claim ? l->claim : "-", l->dkim, l->developer, l->mails);
	print_list("files", &l->files);
	print_list("funcs", &l->funcs);
	print_list("people", &l->people);
	print_list("to", &l->to);
	print_list("patch_ids", &l->patch_ids);
	print_list("mail_ids", &l->mail_ids);
	printf("\n");
}

static int update(struct listindex *x, const char *dir, const char *since,
		  struct err *err)
{
	struct listindex_updated u = { .mails = 0 };
	int64_t start = time_mono_ns(), after = 0;
	int rc;

	if (since)
		cstr_to_i64(since, 0, INT64_MAX, &after);
	rc = listindex_update(x, dir, after, &u, err);
	if (!rc)
		printf("mails %zu deleted %zu broken %zu families %zu rewritten %zu%s\n",
		       u.mails, u.deleted, u.broken, u.families, u.rewritten,
		       u.damaged ? " damaged" : "");
	fprintf(stderr, "%lld ms\n", (long long)(time_mono_ns() - start) / 1000000);
	return rc;
}

static int rows(struct listindex *x, const char *id, const char *days, const char *now,
		struct err *err)
{
	struct listindex_query q = { .message_id = id, .brief = days };
	struct listindex_rows r = { .n = 0 };
	int64_t start = time_mono_ns(), n = 0, at = time_now();
	int rc;

	if (days && cstr_to_i64(days, 0, 1000000, &n) && n) {
		if (now)
			cstr_to_i64(now, 0, INT64_MAX, &at);
		q.active_since = at - n * 86400;
	}
	rc = listindex_rows(x, &q, &r, err);
	if (days && !rc)
		printf("%zu rows, %lld us\n", r.n,
		       (long long)(time_mono_ns() - start) / 1000);
	for (size_t i = 0; !days && i < r.n; i++)
		print_row(r.key[i], &r.v[i]);
	listindex_rows_release(&r);
	return rc;
}

static int thread(struct listindex *x, const char *dir, const char *key, struct err *err)
{
	struct thread t _cleanup_thread_ = { 0 };
	int64_t k = 0;
	int rc;

	cstr_to_i64(key, INT64_MIN, INT64_MAX, &k);
	rc = listindex_thread(x, dir, k, &t, err);
	for (size_t i = 0; i < t.n; i++)
		printf("%s\n", t.v[t.order[i]].id ? t.v[t.order[i]].id : "-");
	return rc;
}

static int direct(const char *dir, struct err *err)
{
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct listed_all all _cleanup_listed_all_ = { 0 };
	int rc = mirror_epochs(dir, &paths, err);

	for (size_t i = 0; !rc && i < paths.n; i++) {
		struct epoch *e _cleanup_epoch_ = NULL;
		struct epoch_mail em;
		struct mail m;

		rc = epoch_open(paths.v[i], NULL, &e, err);
		while (!rc && (rc = epoch_next(e, &em, err)) == 1) {
			mail_scan(em.raw, FROM_PLAIN, &m);
			thread_add(&t, &m);
			rc = 0;
		}
	}
	thread_link(&t);
	posted_find(&t, &p);
	listed_find(&t, &p, &all);
	for (size_t i = 0; i < all.n; i++)
		print_row(0, &all.v[i]);
	return rc;
}

int main(int argc, char **argv)
{
	struct listindex *x _cleanup_listindex_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	char *anew = NULL;
	size_t mails, series;
	int rc;

	intr_install();
	if (argc < 3)
		return 129;
	if (!strcmp(argv[1], "direct")) {
		rc = direct(argv[2], &err);
		fprintf(stderr, "%s", err_msg(&err));
		return rc < 0;
	}
	rc = listindex_open(argv[2], &x, &anew, &err);
	if (anew)
		printf("anew: %s\n", anew);
	free(anew);
	if (!rc && !strcmp(argv[1], "update"))
		rc = update(x, argv[3], argv[4], &err);
	else if (!rc && !strcmp(argv[1], "rows"))
		rc = rows(x, argv[3], NULL, NULL, &err);
	else if (!rc && !strcmp(argv[1], "brief"))
		rc = rows(x, NULL, argv[3], argc > 4 ? argv[4] : NULL, &err);
	else if (!rc && !strcmp(argv[1], "thread"))
		rc = thread(x, argv[3], argv[4], &err);
	else if (!rc && !(rc = listindex_count(x, &mails, &series, &err)))
		printf("%zu mails %zu series\n", mails, series);
	if (rc < 0)
		fprintf(stderr, "index-dump: %s\n", err_msg(&err));
	return rc < 0;
}
