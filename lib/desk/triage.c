// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage.c - rows of series and what was noted of them. See triage.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "series/mem.h"
#include "series/time.h"
#include "triage_priv.h"

static const struct triage_mark no_mark;

static void add_me(struct strvec *me, const char *email)
{
	char *low _cleanup_free_ = xstrdup(email);

	for (char *p = low; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (*low && !strvec_has(me, low))
		strvec_push(me, low);
}

static void read_me(struct triage *t, const struct config *c)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;

	if (!c)
		return;
	config_get_all(c, "series.triage.me", &all);
	if (config_get(c, "user.email"))
		strvec_push(&all, config_get(c, "user.email"));
	for (size_t i = 0; i < all.n; i++)
		add_me(&t->me, all.v[i]);
}

void triage_init(struct triage *t, const struct config *c, struct repo *r)
{
	struct err err _cleanup_err_ = ERR_INIT;
	char *path _cleanup_free_ = marks_path();

	*t = (struct triage){ .now = time_now(), .repo = r };
	read_me(t, c);
	if (marks_open(path, &t->marks, &err))
		t->marks_why = xstrdup(err_msg(&err));
}

void triage_drop_rows(struct triage *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->row[i].mark_key);
	free(t->row);
	t->row = NULL;
	t->n = 0;
	triage_index_free(t->index);
	t->index = NULL;
}

void triage_release(struct triage *t)
{
	rest_free(t);
	triage_drop_rows(t);
	for (size_t i = 0; i < t->n_sources; i++)
		triage_source_release(&t->source[i]);
	free(t->source);
	marks_close(t->marks);
	tried_free(t->tried);
	free(t->marks_why);
	strvec_release(&t->me);
	strvec_release(&t->landed_ids);
	strvec_release(&t->landed_titles);
}

/* In fresh memory; two series never share one. */
static char *mark_key(const struct listed *l, bool by_change_id)
{
	return by_change_id ? xasprintf("change-id %s", l->change_id)
			    : xasprintf("mail %s", l->first_id);
}

/* By the change-id, else by the first mail: what was noted before it had one stays. */
static void find_mark(const struct triage *t, struct triage_row *r)
{
	r->mark = NULL;
	for (int by_id = r->l->change_id != NULL; by_id >= 0 && !r->mark; by_id--) {
		char *key = mark_key(r->l, by_id);

		r->mark = t->marks ? marks_get(t->marks, key) : NULL;
		if (r->mark || !r->mark_key) {
			free(r->mark_key);
			r->mark_key = key;
		} else {
			free(key);
		}
	}
	if (!r->mark)
		r->mark = &no_mark;
}

static void make_rows(struct triage *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_sources; i++)
		n += triage_source_rows(&t->source[i]);
	if (n == t->n)
		return;
	triage_drop_rows(t);
	t->row = xcalloc(n + 1, sizeof(*t->row));
	for (size_t i = 0; i < t->n_sources; i++)
		for (size_t k = 0; k < triage_source_rows(&t->source[i]); k++) {
			struct triage_row *r = &t->row[t->n++];

			r->l = triage_source_row(&t->source[i], k, &r->key);
			r->source = i;
			r->list = t->source[i].name;
		}
}

static bool tag_is_there(const struct triage *t, const char *tag)
{
	char *ref _cleanup_free_ = NULL;
	char id[OID_HEX];

	if (!t->repo || !tag)
		return false;
	ref = xasprintf("refs/tags/%s", tag);
	return !repo_ref(t->repo, ref, id, NULL);
}

void triage_settle(struct triage *t)
{
	make_rows(t);
	for (size_t i = 0; i < t->n; i++) {
		struct triage_row *r = &t->row[i];
		struct triage_facts f = { .now = t->now, .me = &t->me };

		f.landed = r->landed = triage_has_landed(t, r->l);
		find_mark(t, r);
		f.tagged = tag_is_there(t, r->mark->snoozed_tag);
		r->away = triage_away(r->l, r->mark, &f);
		r->group = triage_group_of(r->l, r->mark, &f);
		tried_set(t->tried, r);
	}
}

static bool has_mail(const struct listed *l, const char *id)
{
	return !strcmp(l->message_id, id) || (l->last_id && !strcmp(l->last_id, id)) ||
	       strvec_has(&l->mail_ids, id);
}

/* A reply, or a mail of an older version: the sources know. */
static const struct triage_row *find_mail(const struct triage *t, const char *id)
{
	for (size_t i = 0; i < t->n_sources; i++) {
		int64_t key;

		if (!triage_source_find(&t->source[i], id, &key))
			continue;
		for (size_t k = 0; k < t->n; k++)
			if (t->row[k].source == i && t->row[k].key == key)
				return &t->row[k];
	}
	return NULL;
}

const struct triage_row *triage_find(const struct triage *t, const char *id)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct listed *l = t->row[i].l;

		if ((l->change_id && !strcmp(l->change_id, id)) || has_mail(l, id))
			return &t->row[i];
	}
	return find_mail(t, id);
}

int triage_mark_rows(struct triage *t, const size_t *rows, size_t n, unsigned what,
		     const struct triage_mark *v, struct err *err)
{
	struct strvec keys _cleanup_strvec_ = STRVEC_INIT;
	int rc;

	if (!t->marks)
		return err_set(err, E_FAIL, "%s", t->marks_why);
	for (size_t i = 0; i < n; i++)
		strvec_push(&keys, t->row[rows[i]].mark_key);
	rc = marks_set(t->marks, &keys, what, v, err);
	if (!rc)
		triage_settle(t);
	return rc;
}
