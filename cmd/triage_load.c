// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_load.c - what series triage shows: rows of mirrors, or of mails that were named.
 */
#include <stdlib.h>
#include <string.h>

#include "series/mem.h"
#include "series/mirrors.h"
#include "series/progress.h"
#include "triage_opts.h"

#define DAYS 90

/* The mails of one argument. */
static int read_mails(struct ctx *c, const struct triage_cmd_opts *o, const char *arg,
		      struct triage *t, struct err *err)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct thread thread _cleanup_thread_ = { 0 };
	char *id _cleanup_free_ = NULL;
	int rc = source_open(c, &o->source, arg, &src, &id, err);

	if (!rc)
		rc = thread_read(&thread, src, err);
	if (!rc)
		rc = mailsrc_check(src, err);
	if (rc)
		return rc;
	thread_link(&thread);
	triage_take_thread(t, &thread);
	return 0;
}

/* The mirrors' names: the one that was asked for, else all. */
static int mirror_names(const struct triage_cmd_opts *o, struct strvec *ret,
			struct err *err)
{
	if (o->list) {
		strvec_push(ret, o->list);
		return 0;
	}
	if (mirrors_names(ret, err) || ret->n)
		return ret->n ? 0 : err->code;
	return err_set(err, E_NOTFOUND,
		       "there is no mirror yet: series mirror add NAME URL makes one; or "
		       "name an mbox, a Maildir or a thread's Message-ID");
}

static int read_mirrors(const struct triage_cmd_opts *o, int64_t since, struct triage *t,
			struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = mirror_names(o, &names, err);

	for (size_t i = 0; i < names.n && !rc; i++) {
		struct mirror_conf m _cleanup_mirror_conf_ = { .name = NULL };
		char *note _cleanup_free_ = NULL;

		rc = mirrors_load(names.v[i], &m, err);
		if (!rc)
			rc = triage_add_index(t, m.name, m.dir, since, &note, err);
		if (note)
			progress_note("%s", note);
	}
	return rc;
}

int triage_read(struct ctx *c, const struct triage_cmd_opts *o, const struct strvec *args,
		int64_t since, struct triage *t, struct err *err)
{
	int rc = 0;

	if (args->n && o->list)
		return err_set(err, E_USAGE, "--list is about mirrors, not about files");
	/* An action may be about a series of any age. */
	if (!args->n)
		rc = read_mirrors(o, triage_acts(o) ? 0 : since, t, err);
	for (size_t i = 0; i < args->n && !rc; i++)
		rc = read_mails(c, o, args->v[i], t, err);
	triage_settle(t);
	return rc;
}

/* Last words before it are not shown; 0: all are. */
int triage_since(struct ctx *c, const struct triage_cmd_opts *o, int64_t now,
		 int64_t *ret, struct err *err)
{
	int64_t days = DAYS;
	int rc = 0;

	if (c->config)
		rc = config_get_int(c->config, "series.triage.days", DAYS, &days, err);
	if (o->days)
		days = o->days;
	*ret = o->all || days <= 0 ? 0 : now - days * 86400;
	return rc;
}

int triage_view_init(const struct triage_cmd_opts *o, struct triage *t,
		     struct triage_view *v, struct err *err)
{
	int rc = 0;

	v->t = t;
	if (o->query)
		rc = query_parse(o->query, &v->query, err);
	if (!rc)
		rc = triage_order_parse(o->sort ? o->sort : "age", &v->order, err);
	if (!rc)
		triage_view_fill(v);
	return rc;
}

void triage_view_fill(struct triage_view *v)
{
	struct triage *t = v->t;

	free(v->v);
	v->v = xcalloc(t->n + 1, sizeof(*v->v));
	v->n = 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct listed *l = t->row[i].l;

		if (MAX(l->last, l->posted) >= v->since &&
		    query_match(v->query, t, &t->row[i]))
			v->v[v->n++] = i;
	}
	triage_sort(t, v->order, v->v, v->n);
}

void triage_view_release(struct triage_view *v)
{
	triage_landing_free(v->landing);
	query_free(v->query);
	triage_order_free(v->order);
	free(v->v);
}
