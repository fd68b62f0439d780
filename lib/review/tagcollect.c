// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagcollect.c - the tags of a thread: what each reply says (tagfind.c), about which
 * patch (posted_target()), by whom, and what was taken back later.
 *
 * What a patch has already is read once, when the first reply with a tag comes.
 */
#include "replylines.h"
#include "sender.h"
#include "series/addr.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/robot.h"
#include "tag_priv.h"

#define LOOK_BACK 1000 /* tags */

/* What a cover or patch has already. */
struct has {
	bool read;
	struct tags tags;
};

struct collector {
	const struct thread *t;
	const struct posted *p;
	same_person *same;
	void *arg;
	struct has *has; /* of each mail of the thread */
	enum proposes { NOT_READ, NO_DIFF, HAS_DIFF } * proposes; /* of each mail */
	struct tags *ret;
};

/* One person? By address, else by name, else who knows says so. */
static bool same_people(const struct collector *c, const char *name_a,
			const char *email_a, const char *name_b, const char *email_b)
{
	bool both = *email_a && *email_b;

	if (both && email_same(email_a, email_b))
		return true;
	/* "Acked-by: Ada" without an address is of who is called so */
	if (*name_a && *name_b && name_same(name_a, name_b, !both))
		return true;
	return both && c->same && c->same(c->arg, email_a, email_b);
}

static bool same_tag(const struct collector *c, const struct tag *a, const struct tag *b)
{
	return a->kind == b->kind && !strcmp(a->type, b->type) &&
	       (a->kind != TAG_SHOWN || *a->name || *a->email ||
		!strcmp(a->value, b->value)) &&
	       ((!*a->name && !*a->email && !*b->name && !*b->email) ||
		same_people(c, a->name, a->email, b->name, b->email));
}

/* ---- what is in the patches ---- */

static const struct tags *tags_of_mail(struct collector *c, size_t mail)
{
	struct has *h = &c->has[mail];

	if (!h->read) {
		struct mailinfo info _cleanup_mailinfo_;

		h->read = true;
		mailinfo_read(&c->t->v[mail].mail, &info);
		tags_find(buf_str(&info.message), &h->tags);
	}
	return &h->tags;
}

static bool mail_has(struct collector *c, size_t mail, const struct tag *t)
{
	const struct tags *tags;

	if (mail == NO_MAIL)
		return false;
	tags = tags_of_mail(c, mail);
	for (size_t i = 0; i < tags->n; i++)
		if (same_tag(c, &tags->v[i], t))
			return true;
	return false;
}

/* Has the patch it already, or of a tag for all patches each of them? */
static bool is_there(struct collector *c, const struct tag *t)
{
	const struct posted_version *v = &c->p->v[t->version];
	size_t n = 0, with = 0;

	if (t->kind == TAG_NAK || t->kind == TAG_RETRACTION)
		return false;
	if (t->patch)
		return t->patch <= v->total &&
		       mail_has(c, v->patch[t->patch - 1].mail, t);
	for (size_t i = 0; i < v->total; i++) {
		if (v->patch[i].mail == NO_MAIL)
			continue;
		n++;
		if (!mail_has(c, v->patch[i].mail, t))
			break;
		with++;
	}
	return n && with == n;
}

/* ---- one tag after the other ---- */

/*
 * It stands already: a person counts once. A condition that is gone counts anew. No
 * thread has that many tags; whoever makes one up gets them all, and not hours of
 * comparing.
 */
static bool is_double(struct collector *c, const struct tag *t)
{
	size_t end = c->ret->n > LOOK_BACK ? c->ret->n - LOOK_BACK : 0;

	for (size_t i = c->ret->n; i-- > end;) {
		struct tag *old = &c->ret->v[i];

		if (old->version != t->version || old->patch != t->patch ||
		    old->retracted_by != NO_MAIL || !same_tag(c, old, t))
			continue;
		if (!old->condition || t->condition)
			return true;
		/* the one without a condition takes its place */
		tag_release(old);
		memmove(old, old + 1, (c->ret->n - i - 1) * sizeof(*old));
		c->ret->n--;
		return false;
	}
	return false;
}

/* The patch with that title in another version, else the same number. */
static bool same_patch(const struct collector *c, const struct tag *a,
		       const struct tag *b)
{
	const struct posted_version *x = &c->p->v[a->version], *y = &c->p->v[b->version];

	if (!a->patch || !b->patch)
		return true;
	if (a->version == b->version || a->patch > x->total || b->patch > y->total ||
	    !x->patch[a->patch - 1].title || !y->patch[b->patch - 1].title)
		return a->patch == b->patch;
	return title_same(x->patch[a->patch - 1].title, y->patch[b->patch - 1].title);
}

/* What that person gave before, to this series and patch, is gone. */
static void retract(struct collector *c, const struct tag *by)
{
	size_t series = c->p->v[by->version].series;

	for (size_t i = 0; i < c->ret->n; i++) {
		struct tag *t = &c->ret->v[i];

		if (t->retracted_by != NO_MAIL || t->kind == TAG_RETRACTION ||
		    t->kind == TAG_SHOWN || c->p->v[t->version].series != series ||
		    (*by->type && strcmp(by->type, t->type)) || !same_patch(c, by, t) ||
		    !same_people(c, by->name, by->email, t->name, t->email))
			continue;
		t->retracted_by = by->mail;
	}
}

static void push(struct collector *c, struct tag t)
{
	if (is_there(c, &t) || is_double(c, &t)) {
		tag_release(&t);
		return;
	}
	if (t.kind == TAG_RETRACTION && !t.condition)
		retract(c, &t);
	vec_grow(c->ret->v, c->ret->n, c->ret->cap);
	c->ret->v[c->ret->n++] = t;
}

static struct tag tag_copy(const struct tag *t)
{
	struct tag n = *t;

	n.type = xstrdup(t->type);
	n.value = xstrdup(t->value);
	n.note = xstrdup_null(t->note);
	n.name = xstrdup(t->name);
	n.email = xstrdup(t->email);
	n.condition = xstrdup_null(t->condition);
	n.scope_words = xstrdup_null(t->scope_words);
	n.scope_patches =
		t->n_scope_patches ? xcalloc(t->n_scope_patches, sizeof(size_t)) : NULL;
	for (size_t i = 0; i < t->n_scope_patches; i++)
		n.scope_patches[i] = t->scope_patches[i];
	return n;
}

/* One that names patches becomes one for each, if there are all of them. */
static void spread(struct collector *c, struct tag t)
{
	const struct posted_version *v = &c->p->v[t.version];

	if (t.scope == SCOPE_SERIES)
		t.patch = v->cover == NO_MAIL && v->total == 1 ? 1 : 0;
	if (t.scope == SCOPE_PATCHES && t.scope_patches[t.n_scope_patches - 1] > v->total)
		t.scope = SCOPE_PART;
	if (t.scope != SCOPE_PATCHES) {
		push(c, t);
		return;
	}
	for (size_t i = 0; i < t.n_scope_patches; i++) {
		struct tag one = tag_copy(&t);

		one.patch = t.scope_patches[i];
		push(c, one);
	}
	tag_release(&t);
}

static void take(struct collector *c, size_t mail, const struct place *target,
		 struct tag t, const struct sender *s)
{
	const struct posted_version *v = &c->p->v[target->version];

	t.mail = mail;
	t.version = target->version;
	t.patch = target->kind == PLACE_COVER ? 0 : target->patch;
	if (t.informal) {
		free(t.name);
		free(t.email);
		t.name = xstrdup(s->name);
		t.email = xstrdup(s->email);
	}
	t.by_sender = same_people(c, t.name, t.email, s->name, s->email);
	t.by_author = same_people(c, v->name, v->email, s->name, s->email);
	spread(c, t);
}

/* A reply in which somebody wrote a diff. */
static bool proposes(struct collector *c, size_t mail)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct lines l _cleanup_lines_ = { 0 };

	if (c->proposes[mail] == NOT_READ) {
		lines_read(thread_text(c->t, mail, &text), &l);
		c->proposes[mail] = NO_DIFF;
		for (size_t i = 0; i < l.n && c->proposes[mail] == NO_DIFF; i++)
			if (l.v[i].kind == LINE_DIFF)
				c->proposes[mail] = HAS_DIFF;
	}
	return c->proposes[mail] == HAS_DIFF;
}

/* The reply with a patch that mail answers, below the patch that was posted. */
static size_t proposal_above(struct collector *c, size_t mail)
{
	const struct thread_mail *v = c->t->v;

	for (size_t at = v[mail].parent; c->p->place[at].kind == PLACE_OTHER;
	     at = v[at].parent) {
		if (proposes(c, at))
			return at;
		if (v[at].parent == at)
			break;
	}
	return NO_MAIL;
}

/* It is for other code than was posted: for a part, in words. */
static void for_proposal(const struct collector *c, size_t proposal, struct tag *t)
{
	struct sender s _cleanup_sender_ = { 0 };

	t->proposal = proposal;
	if (proposal == NO_MAIL || t->kind == TAG_RETRACTION)
		return;
	sender_read(&c->t->v[proposal].mail, &s);
	free(t->scope_words);
	t->scope = SCOPE_PART;
	t->scope_words = xasprintf("for the patch in the reply of %s", s.name);
}

static void collect_mail(struct collector *c, size_t mail)
{
	size_t proposal;
	const struct mail *m = &c->t->v[mail].mail;
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct sender s _cleanup_sender_ = { 0 };
	struct tags tags = { 0 };
	struct place target;

	if (c->p->place[mail].kind != PLACE_OTHER ||
	    !posted_target(c->t, c->p->place, mail, &target))
		return;
	tags_find(thread_text(c->t, mail, &text), &tags);
	if (!tags.n || robot_name(m)) {
		tags_release(&tags);
		return;
	}
	sender_read(m, &s);
	/* behind a list's address stands anybody */
	if (s.hidden)
		s.email[0] = '\0';
	proposal = proposal_above(c, mail);
	for (size_t i = 0; i < tags.n; i++) {
		/* those in the message of a patch that was written here */
		if (tags.v[i].kind == TAG_SHOWN && proposes(c, mail)) {
			tag_release(&tags.v[i]);
			continue;
		}
		for_proposal(c, proposal, &tags.v[i]);
		take(c, mail, &target, tags.v[i], &s);
	}
	free(tags.v);
}

void tags_collect(const struct thread *t, const struct posted *p, same_person *same,
		  void *arg, struct tags *ret)
{
	struct collector c = { t, p, same, arg, NULL, NULL, ret };

	c.has = xcalloc(t->n + 1, sizeof(*c.has));
	c.proposes = xcalloc(t->n + 1, sizeof(*c.proposes));
	for (size_t i = 0; i < t->n; i++)
		collect_mail(&c, i);
	for (size_t i = 0; i < t->n; i++)
		tags_release(&c.has[i].tags);
	free(c.has);
	free(c.proposes);
}
