// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recipients_own.c - the lists that a series keeps in its state, and changes to them by
 * hand.
 */
#include <ctype.h>
#include "recipients_priv.h"
#include "series/mem.h"
#include "series/store.h"

void own_release(struct own *o)
{
	recipients_release(&o->r);
	strvec_release(&o->dropped);
}

/* The address as a key: the domain in lower case. */
static char *email_key(const char *email)
{
	char *key = xstrdup(email), *at = strrchr(key, '@');

	for (; at && *at; at++)
		*at = tolower((unsigned char)*at);
	return key;
}

bool own_is_dropped(const struct own *o, const char *email)
{
	for (size_t i = 0; i < o->dropped.n; i++)
		if (email_same(o->dropped.v[i], email))
			return true;
	return false;
}

static void undrop(struct own *o, const char *email)
{
	for (size_t i = o->dropped.n; i-- > 0;)
		if (email_same(o->dropped.v[i], email))
			strvec_remove(&o->dropped, i);
}

/* Reasons of an address: the lines "EMAIL: REASON" that begin with it. */
static void parse_reasons(const struct strvec *lines, const char *email,
			  struct strvec *ret)
{
	char *key _cleanup_free_ = email_key(email);
	char *prefix _cleanup_free_ = xasprintf("%s: ", key);
	struct str s;

	for (size_t i = 0; i < lines->n; i++) {
		s = str_c(lines->v[i]);
		if (str_skip(&s, prefix))
			strvec_push_str(ret, s);
	}
}

static void parse_side(const struct json *doc, const char *key, enum side side,
		       struct own *o)
{
	struct strvec lists _cleanup_strvec_ = STRVEC_INIT,
			    lines _cleanup_strvec_ = STRVEC_INIT;
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;

	json_get_strvec(doc, key, &lists);
	json_get_strvec(doc, "why", &lines);
	/* What is no address, though it was one when it was stored, is nobody. */
	for (size_t i = 0; i < lists.n; i++)
		addrs_parse(&got, lists.v[i], NULL);
	for (size_t i = 0; i < got.n; i++) {
		struct strvec why _cleanup_strvec_ = STRVEC_INIT;

		/* Another machine may have added what this one dropped. */
		if (own_is_dropped(o, got.v[i].email))
			continue;
		parse_reasons(&lines, got.v[i].email, &why);
		for (size_t k = 0; k < why.n; k++)
			recipients_add(&o->r, side, &got.v[i], why.v[k]);
		if (!why.n)
			recipients_add(&o->r, side, &got.v[i], BY_HAND);
	}
}

static void own_parse(const struct json *doc, struct own *ret)
{
	json_get_strvec(doc, "dropped", &ret->dropped);
	parse_side(doc, "to", SIDE_TO, ret);
	parse_side(doc, "cc", SIDE_CC, ret);
}

int own_read(const struct series *s, struct own *ret, struct err *err)
{
	struct json *doc _cleanup_json_ = NULL;
	int rc = store_read_json(s->repo, s->name, "series.json", &doc, err);

	if (!rc)
		own_parse(doc, ret);
	return rc;
}

/*
 * The reasons of one side, where they say more than that it was added by hand. One list
 * of lines: two machines' lists of strings are united.
 */
static void store_reasons(const struct addrs *a, const struct reasons *w,
			  struct strvec *lines)
{
	for (size_t i = 0; i < a->n; i++) {
		char *key _cleanup_free_ = email_key(a->v[i].email);

		if (w->v[i].n == 1 && !strcmp(w->v[i].v[0], BY_HAND))
			continue;
		for (size_t k = 0; k < w->v[i].n; k++)
			strvec_pushf(lines, "%s: %s", key, w->v[i].v[k]);
	}
}

static void store_side(const struct addrs *a, const char *key, struct json *doc)
{
	struct strvec shown _cleanup_strvec_ = STRVEC_INIT;

	for (size_t i = 0; i < a->n; i++)
		strvec_take(&shown, addr_show_dup(&a->v[i]));
	json_set_strvec(doc, key, &shown);
}

static void own_store(const struct own *o, struct json *doc)
{
	struct strvec why _cleanup_strvec_ = STRVEC_INIT;

	store_side(&o->r.to, "to", doc);
	store_side(&o->r.cc, "cc", doc);
	store_reasons(&o->r.to, &o->r.why_to, &why);
	store_reasons(&o->r.cc, &o->r.why_cc, &why);
	json_set_strvec(doc, "why", &why);
	json_set_strvec(doc, "dropped", &o->dropped);
}

int recipients_dropped(const struct series *s, struct strvec *ret, struct err *err)
{
	struct own o _cleanup_own_ = { 0 };
	int rc = own_read(s, &o, err);

	if (!rc)
		strvec_extend(ret, &o.dropped);
	return rc;
}

/* Where an address comes from now, joined; NULL when it is no recipient. */
static char *reasons_now(struct recipients *r, const char *email)
{
	for (enum side k = SIDE_TO; k <= SIDE_BCC; k++) {
		const struct strvec *why = recipients_why(r, k, email);

		if (why)
			return strvec_join(why, "; ");
	}
	return NULL;
}

/* An address to drop: with or without the name, as it was shown. */
static int drop_one(struct own *o, struct recipients *now, const char *email,
		    struct strvec *notes, struct err *err)
{
	char *why _cleanup_free_ = reasons_now(now, email);
	bool own = recipients_remove(&o->r, SIDE_TO, email);

	own |= recipients_remove(&o->r, SIDE_CC, email);
	if (!own && own_is_dropped(o, email)) {
		strvec_pushf(notes, "%s was dropped before", email);
		return 0;
	}
	if (!own && !why)
		return err_set(
			err, E_NOTFOUND,
			"recipients: %s is none of them; 'series recipients --why' "
			"says who is and why",
			email);
	strvec_push(&o->dropped, email);
	strvec_pushf(notes, "dropped %s (%s); it stays so until it is added again", email,
		     why ? why : BY_HAND);
	return 0;
}

static int drop_all(struct own *o, struct recipients *now, const struct aliases *al,
		    const struct strvec *drop, struct strvec *notes, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; drop && i < drop->n && !rc; i++) {
		struct addrs gone _cleanup_addrs_ = ADDRS_INIT;

		rc = aliases_expand(al, drop->v[i], &gone, err);
		for (size_t k = 0; k < gone.n && !rc; k++)
			rc = drop_one(o, now, gone.v[k].email, notes, err);
	}
	return rc;
}

/* Add one, with the reasons and the name that it had on the other list. */
static void move(struct own *o, enum side from, enum side to, const struct addr *a)
{
	const struct addrs *others = from == SIDE_TO ? &o->r.to : &o->r.cc;
	const struct addr *old = addrs_find(others, a->email);
	const struct strvec *reasons = recipients_why(&o->r, from, a->email);
	char *name _cleanup_free_ = xstrdup(old && !a->name[0] ? old->name : a->name);
	struct addr moved = { name, a->email };
	struct strvec why _cleanup_strvec_ = STRVEC_INIT;

	strvec_push(&why, BY_HAND);
	if (reasons)
		strvec_extend(&why, reasons);
	recipients_remove(&o->r, from, a->email);
	for (size_t i = 0; i < why.n; i++)
		recipients_add(&o->r, to, &moved, why.v[i]);
}

/* Add what is new; an address that is in the other list moves. */
static int add_all(struct own *o, enum side side, const struct aliases *al,
		   const struct strvec *add, struct err *err)
{
	enum side other = side == SIDE_TO ? SIDE_CC : SIDE_TO;
	int rc = 0;

	for (size_t i = 0; add && i < add->n && !rc; i++) {
		struct addrs got _cleanup_addrs_ = ADDRS_INIT;

		rc = aliases_expand(al, add->v[i], &got, err);
		for (size_t k = 0; k < got.n && !rc; k++) {
			move(o, other, side, &got.v[k]);
			undrop(o, got.v[k].email);
		}
	}
	return rc;
}

int own_update(struct series *s, int (*change)(struct own *o, void *arg, struct err *err),
	       void *arg, const char *message, struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct json *doc _cleanup_json_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT, after _cleanup_buf_ = BUF_INIT;
	struct own o _cleanup_own_ = { 0 };
	int rc = store_begin(s->repo, s->name, false, &t, err);

	if (!rc)
		rc = store_get(t, "series.json", &text, err);
	if (!rc)
		rc = json_parse_schema(buf_str(&text), "series.json", 1, &doc, err);
	if (rc)
		return rc;
	own_parse(doc, &o);
	rc = change(&o, arg, err);
	if (rc)
		return rc;
	own_store(&o, doc);
	json_dump(doc, &after);
	if (!str_eq(buf_str(&text), buf_str(&after))) {
		store_put_json(t, "series.json", doc);
		rc = store_commit(t, message, err);
	}
	if (rc)
		return rc;
	strvec_release(&s->to);
	strvec_release(&s->cc);
	json_get_strvec(doc, "to", &s->to);
	json_get_strvec(doc, "cc", &s->cc);
	return 0;
}

struct edit {
	const struct recipients_change *what;
	struct recipients now;
	struct aliases aliases;
	struct strvec *notes;
};

static int edit(struct own *o, void *arg, struct err *err)
{
	struct edit *e = arg;
	int rc = drop_all(o, &e->now, &e->aliases, e->what->drop, e->notes, err);

	if (!rc)
		rc = add_all(o, SIDE_TO, &e->aliases, e->what->add_to, err);
	return rc ? rc : add_all(o, SIDE_CC, &e->aliases, e->what->add_cc, err);
}

int recipients_edit(struct series *s, const struct config *c,
		    const struct recipients_change *what, struct strvec *ret_notes,
		    struct err *err)
{
	struct edit e = { .what = what, .notes = ret_notes };
	int rc = conf_aliases(c, &e.aliases, err);

	/* Only who is dropped needs to be looked for everywhere. */
	if (!rc && what->drop && what->drop->n)
		rc = recipients_collect(s, c, NULL, NULL, &e.now, err);
	if (!rc)
		rc = own_update(s, edit, &e, "recipients", err);
	recipients_release(&e.now);
	aliases_release(&e.aliases);
	return rc;
}
