// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_mails.c - see posted_mails.h.
 */
#include "posted_mails.h"
#include "series/fetch.h"
#include "series/mem.h"
#include "series/mirrors.h"
#include "series/progress.h"
#include "series/sanitize.h"
#include "series/time.h"
#include "series/tracking.h"

#define MORE_THREADS 30 /* that are fetched for earlier versions */

static int add_source(struct ctx *c, const struct source_opts *o, const char *arg,
		      struct thread *t, char **ret_id, struct err *err)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	int rc = source_open(c, o, arg, &src, ret_id, err);

	if (!rc)
		rc = thread_read(t, src, err);
	if (!rc)
		thread_link(t);
	return rc;
}

static void linked_on_line(const struct thread *t, struct str line, struct strvec *ret)
{
	struct str word;

	line = str_trim_end(line);
	while (str_word(&line, &word)) {
		char *text _cleanup_free_ = NULL, *id _cleanup_free_ = NULL;

		if (str_find(word, "://") < 0)
			continue;
		text = str_dup(word);
		id = fetch_message_id(text);
		if (id && thread_find(t, id) == t->n && !strvec_has(ret, id))
			strvec_push(ret, id);
	}
}

/* Message-IDs in the links and in the history of a cover that are not here. */
static void linked(const struct thread *t, size_t mail, struct strvec *ret)
{
	struct buf own _cleanup_buf_ = BUF_INIT;
	struct str rest = thread_text(t, mail, &own), line;
	struct strvec tracked _cleanup_strvec_ = STRVEC_INIT;

	tracking_ids(&t->v[mail].mail, &tracked);
	for (size_t i = 0; i < tracked.n; i++)
		if (thread_find(t, tracked.v[i]) == t->n &&
		    !strvec_has(ret, tracked.v[i]))
			strvec_push(ret, tracked.v[i]);
	while (str_line(&rest, &line))
		linked_on_line(t, line, ret);
}

/* The threads that covers of the series link to, and those that they do. */
static void add_linked(struct ctx *c, const struct source_opts *o, struct thread *t)
{
	struct strvec seen _cleanup_strvec_ = STRVEC_INIT;

	for (size_t n = 0; n < MORE_THREADS;) {
		struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
		struct posted p _cleanup_posted_ = { 0 };
		size_t before = n;

		posted_find(t, &p);
		for (size_t i = 0; i < p.n; i++) {
			if (p.v[i].cover != NO_MAIL)
				linked(t, p.v[i].cover, &ids);
			else if (p.v[i].total == 1 && p.v[i].patch[0].mail != NO_MAIL)
				linked(t, p.v[i].patch[0].mail, &ids);
		}
		for (size_t i = 0; i < ids.n && n < MORE_THREADS; i++) {
			char *unused _cleanup_free_ = NULL;

			if (strvec_has(&seen, ids.v[i]))
				continue;
			strvec_push(&seen, ids.v[i]);
			/* A link to anything else is no error. */
			add_source(c, o, ids.v[i], t, &unused, NULL);
			n++;
		}
		if (n == before)
			return;
	}
}

/* "2026-11-30": days of dt: and d: at the server. */
static void put_day(int64_t t, struct buf *out)
{
	struct buf iso _cleanup_buf_ = BUF_INIT;

	time_iso(t, &iso);
	for (size_t i = 0; i < 10 && i < iso.len; i++)
		if (iso.p[i] != '-')
			buf_putc(out, iso.p[i]);
}

/* What else the author posted under this title, or with this change-id, since then. */
static char *newer_query(const struct posted_version *v)
{
	struct buf q = BUF_INIT;

	buf_puts(&q, "((s:\"");
	for (const char *p = v->title; *p; p++)
		buf_putc(&q, *p == '"' ? ' ' : *p);
	buf_printf(&q, "\" AND f:%s)", v->email);
	if (v->change_id)
		buf_printf(&q, " OR \"%s\"", v->change_id);
	buf_puts(&q, ") AND d:");
	put_day(v->date, &q);
	buf_puts(&q, "..");
	return buf_take(&q);
}

static void take_found(const char *path, struct thread *t)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;

	if (!mailsrc_open(path, FROM_MBOXRD, &src, NULL) && !thread_read(t, src, NULL))
		thread_link(t);
}

/*
 * A newer version is a thread of its own, which links to the older one and not round: the
 * archive is searched, and the mirrors have it with the others. Without either the thread is
 * taken as it is, and that is said.
 */
static void add_newer(struct ctx *c, const struct source_opts *o, struct posted_mails *m)
{
	struct posted p _cleanup_posted_ = { 0 };
	struct err why _cleanup_err_ = ERR_INIT;
	struct fetched f _cleanup_fetched_ = { 0 };
	char *query _cleanup_free_ = NULL, *name _cleanup_free_ = NULL;
	size_t mail = thread_find(&m->thread, m->id);
	struct search s = { .threads = true };
	struct place at;

	if (!mirrors_thread(m->id, &m->thread, &name, NULL))
		thread_link(&m->thread);
	posted_find(&m->thread, &p);
	if (o->offline || mail == m->thread.n ||
	    !posted_target(&m->thread, p.place, mail, &at))
		return;
	query = newer_query(&p.v[posted_newest(&p, p.v[at.version].series)]);
	s.query = query;
	if (fetch_search(c->config, &s, false, &f, &why))
		progress_note("newer versions in other threads were not looked for: %s",
			      err_msg(&why));
	else if (f.path)
		take_found(f.path, &m->thread);
}

/* One of several has to be named. */
static int several(const struct thread *t, const struct posted *p, const char *arg,
		   struct err *err)
{
	struct buf names _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < p->n_series; i++) {
		const struct posted_version *v = &p->v[posted_newest(p, i)];
		size_t mail = v->cover;

		for (size_t k = 0; k < v->total && mail == NO_MAIL; k++)
			mail = v->patch[k].mail;
		buf_puts(&names, i ? ", \"" : "\"");
		sanitize_line(str_c(v->title), &names);
		buf_puts(&names, "\" <");
		if (mail != NO_MAIL && t->v[mail].id)
			sanitize_line(str_c(t->v[mail].id), &names);
		buf_puts(&names, ">");
	}
	return err_set(err, E_USAGE,
		       "%s: there are %zu series in it: %s; give the Message-ID of one "
		       "behind it, or a mailbox with one",
		       arg, p->n_series, buf_cstr(&names));
}

/* The series of the mail that was named, or the only one of the file. */
static int choose(const struct thread *t, const struct posted *p, const char *id,
		  const char *arg, size_t *ret, struct err *err)
{
	size_t mail = id ? thread_find(t, id) : t->n;
	struct place at;

	if (!p->n_series)
		return err_set(err, E_FAIL,
			       "%s: no patches were posted there; git am takes single "
			       "mails",
			       arg);
	*ret = 0;
	if (mail == t->n)
		return p->n_series == 1 ? 0 : several(t, p, arg, err);
	if (!posted_target(t, p->place, mail, &at))
		return err_set(err, E_FAIL,
			       "<%s> belongs to no series; give the Message-ID of its "
			       "cover letter",
			       id);
	*ret = p->v[at.version].series;
	return 0;
}

void posted_mails_release(struct posted_mails *m)
{
	posted_release(&m->posted);
	thread_release(&m->thread);
	free(m->id);
}

/* The thread of the one mail that was piped in; the mail alone where that is not to be
 * had. */
static bool add_thread(struct ctx *c, const struct source_opts *o, struct posted_mails *m)
{
	struct err why _cleanup_err_ = ERR_INIT;
	char *id = m->thread.v[0].id ? xstrdup(m->thread.v[0].id) : NULL;
	char *unused _cleanup_free_ = NULL;

	if (id && !add_source(c, o, id, &m->thread, &unused, &why)) {
		m->id = id;
		return true;
	}
	progress_note("this is the mail alone, without its thread%s%s", id ? ": " : "",
		      id ? err_msg(&why) : "");
	free(id);
	return false;
}

/* The mail of a file that says which series is meant. */
static int name_one(struct posted_mails *m, const char *arg, const char *which,
		    struct err *err)
{
	char *id = fetch_message_id(which);

	if (!id)
		return err_set(err, E_USAGE, "'%s' is no Message-ID: that has an @",
			       which);
	free(m->id);
	m->id = id;
	if (thread_find(&m->thread, id) < m->thread.n)
		return 0;
	return err_set(err, E_NOTFOUND, "<%s> is not in %s", id, arg);
}

int posted_mails_load(struct ctx *c, const char *arg, const char *which,
		      const struct source_opts *o, struct posted_mails *ret,
		      struct err *err)
{
	bool fetched;
	int rc = add_source(c, o, arg, &ret->thread, &ret->id, err);

	if (rc)
		return rc;
	fetched = ret->id != NULL;
	if (which)
		rc = name_one(ret, arg, which, err);
	else if (!strcmp(arg, "-") && ret->thread.n == 1)
		fetched = add_thread(c, o, ret);
	if (rc)
		return rc;
	if (fetched && ret->id) {
		add_newer(c, o, ret);
		add_linked(c, o, &ret->thread);
	}
	posted_find(&ret->thread, &ret->posted);
	return choose(&ret->thread, &ret->posted, ret->id, arg, &ret->series, err);
}
