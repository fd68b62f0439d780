// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recipients_auto.c - find whom the patches concern, and put them on the series' lists.
 */
#include "recipients_priv.h"
#include "series/mem.h"
#include "series/post.h"

void recipients_news_release(struct recipients_news *n)
{
	addrs_release(&n->added);
	addrs_release(&n->gone);
	addrs_release(&n->dropped);
	strvec_release(&n->notes);
}

/* b4's own commands: a patch on standard input, addresses on standard output. */
static int run_b4_cmd(const struct series *s, const struct config *c, const char *key,
		      enum side side, const struct patch_files *p,
		      struct recipients *found, struct err *err)
{
	const char *cmd = config_get(c, key);
	int rc = 0;

	for (size_t i = 0; i < p->paths.n && !rc; i++) {
		struct buf out _cleanup_buf_ = BUF_INIT;
		struct str text, line;

		rc = user_cmd_run(s, key, cmd, p->paths.v[i], true, &out, err);
		text = buf_str(&out);
		while (!rc && str_line(&text, &line)) {
			struct addrs got _cleanup_addrs_ = ADDRS_INIT;
			char *list _cleanup_free_ = str_dup(line);

			rc = addrs_parse(&got, list, err);
			if (rc)
				return err_context(err, "%s", key);
			for (size_t k = 0; k < got.n; k++)
				recipients_add(found, side, &got.v[k], key);
		}
	}
	return rc;
}

static void add_side(struct recipients *to, enum side side, const struct addrs *a,
		     const struct reasons *w)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < w->v[i].n; k++)
			recipients_add(to, side, &a->v[i], w->v[i].v[k]);
}

/* People to To and lists to Cc, from the script or what stands in for it. */
static int find_maintainers(const struct series *s, const struct config *c,
			    const struct patch_files *p, struct recipients *found,
			    struct strvec *notes, struct err *err)
{
	static const char to_cmd[] = "b4.send-auto-to-cmd";
	static const char cc_cmd[] = "b4.send-auto-cc-cmd";
	bool to = config_get(c, to_cmd), cc = config_get(c, cc_cmd);
	struct recipients script _cleanup_recipients_ = { 0 };
	int rc = to && cc ? 0 : maintainers_find(s, p, &script, notes, err);

	if (!rc && to)
		rc = run_b4_cmd(s, c, to_cmd, SIDE_TO, p, found, err);
	else if (!rc)
		add_side(found, SIDE_TO, &script.to, &script.why_to);
	if (!rc && cc)
		rc = run_b4_cmd(s, c, cc_cmd, SIDE_CC, p, found, err);
	else if (!rc)
		add_side(found, SIDE_CC, &script.cc, &script.why_cc);
	return rc;
}

static int find_all(const struct series *s, const struct config *c,
		    struct recipients *found, struct strvec *notes, struct err *err)
{
	struct suppress q _cleanup_suppress_ = { 0 };
	struct patch_files p _cleanup_patch_files_ = { 0 };
	struct review said _cleanup_review_ = { .n_tags = 0 };
	int rc = conf_suppress(c, &q, err);

	if (!rc)
		rc = patch_files_make(s, &p, err);
	if (!rc)
		rc = find_maintainers(s, c, &p, found, notes, err);
	if (!rc && q.self)
		recipients_remove(found, SIDE_TO, q.me);
	if (!rc)
		rc = review_load(s, &said, err);
	if (rc)
		return rc;
	commenters_find(&said, found);
	if (q.self)
		recipients_remove(found, SIDE_CC, q.me);
	return trailers_find(s, &q, found, notes, err);
}

struct merge {
	struct recipients found;
	struct recipients_news *news;
};

/* Reasons of one that is on a list: the new ones, and that it was added by hand. */
static void renew(struct own *o, enum side at, enum side side, const struct addr *a,
		  const struct strvec *found)
{
	const struct strvec *old = recipients_why(&o->r, at, a->email);
	bool by_hand = strvec_has(old, BY_HAND);

	/* Where a person put it, it stays. */
	if (by_hand)
		side = at;
	/* In place, so that the order of the list stays. */
	if (side == at) {
		struct strvec *why = recipients_why(&o->r, at, a->email);

		strvec_release(why);
		if (by_hand)
			strvec_push(why, BY_HAND);
	} else {
		recipients_remove(&o->r, at, a->email);
	}
	for (size_t i = 0; i < found->n; i++)
		recipients_add(&o->r, side, a, found->v[i]);
}

static void merge_side(struct own *o, struct merge *m, enum side side,
		       const struct addrs *a, const struct reasons *w)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct addr *x = &a->v[i];

		if (own_is_dropped(o, x->email)) {
			addrs_add(&m->news->dropped, x->name, x->email);
		} else if (recipients_why(&o->r, SIDE_TO, x->email)) {
			renew(o, SIDE_TO, side, x, &w->v[i]);
		} else if (recipients_why(&o->r, SIDE_CC, x->email)) {
			renew(o, SIDE_CC, side, x, &w->v[i]);
		} else {
			addrs_add(&m->news->added, x->name, x->email);
			for (size_t k = 0; k < w->v[i].n; k++)
				recipients_add(&o->r, side, x, w->v[i].v[k]);
		}
	}
}

/* Those that were found once, and not now. */
static void find_gone(const struct own *o, struct merge *m, const struct addrs *a,
		      const struct reasons *w)
{
	for (size_t i = 0; i < a->n; i++) {
		const char *email = a->v[i].email;

		if (!strvec_has(&w->v[i], BY_HAND) && !addrs_find(&m->found.to, email) &&
		    !addrs_find(&m->found.cc, email))
			addrs_add(&m->news->gone, a->v[i].name, email);
	}
}

static int merge(struct own *o, void *arg, struct err *err)
{
	struct merge *m = arg;

	merge_side(o, m, SIDE_TO, &m->found.to, &m->found.why_to);
	merge_side(o, m, SIDE_CC, &m->found.cc, &m->found.why_cc);
	find_gone(o, m, &o->r.to, &o->r.why_to);
	find_gone(o, m, &o->r.cc, &o->r.why_cc);
	return 0;
}

int recipients_auto(struct series *s, const struct config *c, struct recipients_news *ret,
		    struct err *err)
{
	struct recipients_news news = { 0 };
	struct merge m = { .news = &news };
	int rc;

	if (!s->n_patches)
		return err_set(
			err, E_NOTFOUND,
			"there are no commits above the base, so nobody to find; "
			"commit something, or set the base: series base --set REF");
	rc = find_all(s, c, &m.found, &news.notes, err);
	if (!rc)
		rc = own_update(s, merge, &m, "recipients --auto", err);
	recipients_release(&m.found);
	if (rc)
		recipients_news_release(&news);
	else
		*ret = news;
	return rc;
}
