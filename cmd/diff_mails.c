// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diff_mails.c - see diff_mails.h.
 */
#include <string.h>

#include "diff_mails.h"
#include "series/fetch.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/rebuild.h"

bool diff_is_mails(const char *word)
{
	char *id _cleanup_free_ = NULL;

	if (side_is_word(word))
		return false;
	if (!strcmp(word, "-") || fs_exists(word))
		return true;
	if (strstr(word, "..") && !strstr(word, "://"))
		return false;
	id = fetch_message_id(word);
	return id;
}

/* The mails that a word means, and which version in them. */
struct mails_side {
	const char *word;
	char *id; /* NULL: a file */
	struct thread t;
	struct posted p;
	size_t version;
};

static void mails_side_release(struct mails_side *m)
{
	posted_release(&m->p);
	thread_release(&m->t);
	free(m->id);
}

/* Of several series in a file the first that has two versions, else the first. */
static const struct posted_series *series_in(const struct posted *p)
{
	for (size_t i = 0; i < p->n_series; i++)
		if (p->series[i].n > 1)
			return &p->series[i];
	return &p->series[0];
}

static int mails_side_read(struct ctx *c, const char *word, bool offline,
			   struct mails_side *m, struct err *err)
{
	struct source_opts o = { .offline = offline };
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	const struct posted_series *s;
	struct place at;
	size_t mail;
	int rc = source_open(c, &o, word, &src, &m->id, err);

	m->word = word;
	if (!rc)
		rc = thread_read(&m->t, src, err);
	if (rc)
		return rc;
	thread_link(&m->t);
	posted_find(&m->t, &m->p);
	if (!m->p.n_series)
		return err_set(err, E_NOTFOUND, "%s: there is no patch in it", word);
	mail = m->id ? thread_find(&m->t, m->id) : m->t.n;
	if (mail < m->t.n && posted_target(&m->t, m->p.place, mail, &at)) {
		m->version = at.version;
		return 0;
	}
	s = series_in(&m->p);
	m->version = s->v[s->n - 1];
	return 0;
}

/* The version before, or NO_MAIL. */
static size_t before(const struct mails_side *m)
{
	const struct posted_series *s = &m->p.series[m->p.v[m->version].series];

	for (size_t i = 1; i < s->n; i++)
		if (s->v[i] == m->version)
			return s->v[i - 1];
	return NO_MAIL;
}

struct job {
	struct rebuild room;
	struct mails_side mails[2];
	struct rebuilt made[2];
	struct side side[2];
	struct side range[2]; /* commits that were here before */
};

static void job_release(struct job *j)
{
	for (size_t i = 0; i < 2; i++) {
		side_release(&j->side[i]);
		side_release(&j->range[i]);
		rebuilt_release(&j->made[i]);
		mails_side_release(&j->mails[i]);
	}
	rebuild_release(&j->room);
}

static int build(struct job *j, size_t i, const struct mails_side *m, size_t version,
		 struct err *err)
{
	int rc = rebuild_version(&j->room, &m->t, &m->p, version, &j->made[i], err);

	if (rc)
		return err_context(err, "%s", m->word);
	j->side[i] = j->made[i].side;
	j->made[i].side = (struct side){ 0 };
	return 0;
}

static int range_side(struct ctx *c, struct job *j, size_t i, const char *word,
		      struct err *err)
{
	int rc;

	if (!c->series)
		return err_set(err, E_NOTFOUND,
			       "%s: the branch here is no series; name two versions that "
			       "were posted, or the series: series diff -s NAME",
			       word);
	rc = side_choose(c->series, c->config, word, &j->range[i], err);
	if (!rc)
		rc = rebuild_range(&j->room, c->repo, &j->range[i], &j->made[i], err);
	if (rc)
		return rc;
	j->side[i] = j->made[i].side;
	j->made[i].side = (struct side){ 0 };
	return 0;
}

static int one_word(struct ctx *c, struct job *j, const struct strvec *args, bool offline,
		    struct err *err)
{
	struct mails_side *m = &j->mails[0];
	size_t old;
	int rc = mails_side_read(c, args->v[0], offline, m, err);

	if (rc)
		return rc;
	old = before(m);
	if (c->series && (m->id || old == NO_MAIL)) {
		rc = build(j, 0, m, m->version, err);
		return rc ? rc : range_side(c, j, 1, "branch", err);
	}
	if (old == NO_MAIL)
		return err_set(err, E_NOTFOUND,
			       "%s: there is no version before %s in it; name both: "
			       "series diff A B",
			       m->word, m->p.v[m->version].label);
	rc = build(j, 0, m, old, err);
	return rc ? rc : build(j, 1, m, m->version, err);
}

static int two_words(struct ctx *c, struct job *j, const struct strvec *args,
		     bool offline, struct err *err)
{
	int rc = 0;

	if (!strcmp(args->v[0], "-") && !strcmp(args->v[1], "-"))
		return err_set(err, E_USAGE,
			       "standard input is read once: - stands for "
			       "one of the two");
	for (size_t i = 0; i < 2 && !rc; i++) {
		struct mails_side *m = &j->mails[i];

		if (!diff_is_mails(args->v[i])) {
			rc = range_side(c, j, i, args->v[i], err);
			continue;
		}
		rc = mails_side_read(c, args->v[i], offline, m, err);
		if (!rc)
			rc = build(j, i, m, m->version, err);
	}
	return rc;
}

/* The number of the posting and the commit that was here before, if there was one. */
static void set_patch(const struct rebuilt *m, size_t *n, char id[OID_HEX])
{
	if (!*n)
		return;
	id[0] = '\0';
	if (*n <= m->commits.n && strlen(m->commits.v[*n - 1]) == OID_HEX - 1)
		memcpy(id, m->commits.v[*n - 1], OID_HEX);
	*n = m->number[*n - 1];
}

/* The commits that were compared are gone when this is printed. */
static void set_right(const struct job *j, struct comparison *ret)
{
	struct side *const sides[] = { &ret->from, &ret->to };

	for (size_t i = 0; i < ret->range.n; i++) {
		struct range_pair *p = &ret->range.v[i];

		set_patch(&j->made[0], &p->from, p->from_id);
		set_patch(&j->made[1], &p->to, p->to_id);
	}
	for (size_t i = 0; i < 2; i++) {
		memcpy(sides[i]->base, j->range[i].base, OID_HEX);
		memcpy(sides[i]->tip, j->range[i].tip, OID_HEX);
		sides[i]->version = j->range[i].version;
	}
}

int diff_mails(struct ctx *c, const struct strvec *args, bool offline, int creation,
	       struct comparison *ret, struct strvec *notes, struct err *err)
{
	struct job j _cleanup_(job_release) = { .room = { NULL } };
	int rc = rebuild_open(c->repo, &j.room, err);

	if (!rc)
		rc = args->n == 1 ? one_word(c, &j, args, offline, err)
				  : two_words(c, &j, args, offline, err);
	if (!rc)
		rc = compare_make(j.room.repo, &j.side[0], &j.side[1], creation, ret,
				  err);
	if (rc)
		return rc;
	set_right(&j, ret);
	strvec_extend(notes, &j.made[0].notes);
	strvec_extend(notes, &j.made[1].notes);
	return 0;
}
