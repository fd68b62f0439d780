// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_mails.c - see import_mails.h.
 */
#include "import_mails.h"
#include "series/fetch.h"
#include "series/import_posted.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/tracking.h"
#include "source.h"

#define MORE_THREADS 30 /* that are fetched for earlier versions */

static int add_source(struct ctx *c, const struct import_mails_opts *o, const char *arg,
		      struct thread *t, char **ret_id, struct err *err)
{
	struct source_opts so = { .offline = o->offline };
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	int rc = source_open(c, &so, arg, &src, ret_id, err);

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
static void add_linked(struct ctx *c, const struct import_mails_opts *o, struct thread *t)
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
		       "%s: there are %zu series in it: %s; give the Message-ID of one, "
		       "or a mailbox with one",
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

int import_load(struct ctx *c, const char *name, struct err *err)
{
	int rc;

	config_free(c->config);
	c->config = NULL;
	rc = config_load(NULL, &c->config, err);
	return rc ? rc : series_load(c->repo, c->config, name, &c->series, err);
}

static void print_version(struct ctx *c, const struct version *v)
{
	char *label _cleanup_free_ = version_label(v);

	out_printf(&c->out, "  %s: %zu patch%s, ", label, v->n_patches,
		   v->n_patches == 1 ? "" : "es");
	out_foreign(&c->out, str_c(version_link(v) ? version_link(v) : "no Message-ID"));
	out_puts(&c->out, "\n");
}

static void print(struct ctx *c, const struct imported *im)
{
	struct series *s = c->series;
	char *word _cleanup_free_ = shell_word(im->branch);

	out_printf(&c->out, "series %s: branch ", s->name);
	out_foreign(&c->out, str_c(im->branch));
	out_printf(&c->out, "%s, base %.12s, draft v%d, change-id ",
		   im->was_there ? " as it is" : " made", s->base, series_draft(s));
	out_foreign(&c->out, str_c(s->change_id));
	out_puts(&c->out, "\n");
	for (size_t i = 0; i < s->n_versions; i++)
		print_version(c, &s->versions[i]);
	for (size_t i = 0; i < im->notes.n; i++) {
		out_puts(&c->out, "note: ");
		out_foreign(&c->out, str_c(im->notes.v[i]));
		out_puts(&c->out, "\n");
	}
	out_printf(&c->out, "next: %s%s%sseries update\n",
		   im->was_there ? "" : "git switch ", im->was_there ? "" : word,
		   im->was_there ? "" : " && ");
}

int import_mails(struct ctx *c, const struct import_mails_opts *o, struct err *err)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct imported im _cleanup_(imported_release) = { 0 };
	struct import_posted_opts io = { .thread = &t,
					 .posted = &p,
					 .branch = o->branch,
					 .name = o->name,
					 .base = o->base };
	char *id _cleanup_free_ = NULL;
	int rc = add_source(c, o, o->arg, &t, &id, err);

	if (rc)
		return rc;
	if (id)
		add_linked(c, o, &t);
	posted_find(&t, &p);
	rc = choose(&t, &p, id, o->arg, &io.series, err);
	if (!rc)
		rc = import_posted(c->repo, c->config, &io, &im, err);
	if (!rc)
		rc = import_load(c, im.name, err);
	if (!rc)
		print(c, &im);
	return rc;
}
