// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recipients.c - who gets the mails and why, out of all the places that name somebody.
 */
#include "recipients_priv.h"
#include "series/mem.h"
#include "series/post.h"

static void reasons_release(struct reasons *w)
{
	for (size_t i = 0; i < w->n; i++)
		strvec_release(&w->v[i]);
	free(w->v);
	*w = (struct reasons){ 0 };
}

void recipients_release(struct recipients *r)
{
	addrs_release(&r->to);
	addrs_release(&r->cc);
	addrs_release(&r->bcc);
	reasons_release(&r->why_to);
	reasons_release(&r->why_cc);
	reasons_release(&r->why_bcc);
}

static struct addrs *addrs_of(struct recipients *r, enum side side)
{
	return side == SIDE_TO ? &r->to : side == SIDE_CC ? &r->cc : &r->bcc;
}

static struct reasons *reasons_of(struct recipients *r, enum side side)
{
	return side == SIDE_TO ? &r->why_to : side == SIDE_CC ? &r->why_cc : &r->why_bcc;
}

struct strvec *recipients_why(struct recipients *r, enum side side, const char *email)
{
	const struct addrs *a = addrs_of(r, side);
	const struct addr *hit = addrs_find(a, email);

	return hit ? &reasons_of(r, side)->v[hit - a->v] : NULL;
}

void recipients_add(struct recipients *r, enum side side, const struct addr *a,
		    const char *why)
{
	struct reasons *w = reasons_of(r, side);
	struct strvec *reasons = NULL;

	for (enum side k = SIDE_TO; k <= side && !reasons; k++)
		reasons = recipients_why(r, k, a->email);
	if (!reasons) {
		addrs_add(addrs_of(r, side), a->name, a->email);
		vec_grow(w->v, w->n, w->cap);
		reasons = &w->v[w->n++];
		*reasons = (struct strvec)STRVEC_INIT;
	}
	if (!strvec_has(reasons, why))
		strvec_push(reasons, why);
}

bool recipients_remove(struct recipients *r, enum side side, const char *email)
{
	struct reasons *w = reasons_of(r, side);
	struct strvec *gone = recipients_why(r, side, email);
	size_t i = gone ? (size_t)(gone - w->v) : 0;

	if (!gone)
		return false;
	strvec_release(gone);
	memmove(&w->v[i], &w->v[i + 1], (w->n - i - 1) * sizeof(*w->v));
	w->n--;
	return addrs_remove(addrs_of(r, side), email);
}

/* Everything that collecting works with. */
struct collect {
	const struct series *s;
	const struct config *c;
	struct own own;
	struct aliases aliases;
	struct suppress suppress;
	struct config *tree; /* the base's .b4-config, or NULL */
	struct patch_files patches;
	struct recipients r;
	bool run; /* the user's commands too */
};

static void collect_release(struct collect *q)
{
	own_release(&q->own);
	aliases_release(&q->aliases);
	suppress_release(&q->suppress);
	config_free(q->tree);
	patch_files_release(&q->patches);
	recipients_release(&q->r);
}

/* One mailbox list from one place. given: what is said now beats what was dropped. */
static int take_list(struct collect *q, enum side side, const char *list, const char *why,
		     bool given, struct err *err)
{
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;
	int rc = aliases_expand(&q->aliases, list, &got, err);

	if (rc)
		return err_context(err, "%s", why);
	for (size_t i = 0; i < got.n; i++)
		if (given || !own_is_dropped(&q->own, got.v[i].email))
			recipients_add(&q->r, side, &got.v[i], why);
	return 0;
}

static int take_all(struct collect *q, enum side side, const struct strvec *lists,
		    const char *why, bool given, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; lists && i < lists->n && !rc; i++)
		rc = take_list(q, side, lists->v[i], why, given, err);
	return rc;
}

static int take_sendemail(struct collect *q, enum side side, const char *key,
			  struct err *err)
{
	struct strvec lists _cleanup_strvec_ = STRVEC_INIT;
	char *why _cleanup_free_ = NULL;

	sendemail_get_all(q->c, key, &lists, &why);
	return take_all(q, side, &lists, why, false, err);
}

/* A key that git gathers; b4's has a default in the tree. */
static int take_config(struct collect *q, enum side side, const char *key, bool in_tree,
		       struct err *err)
{
	struct strvec lists _cleanup_strvec_ = STRVEC_INIT;
	char *why _cleanup_free_ = xstrdup(key);

	config_get_all(q->c, key, &lists);
	if (!lists.n && in_tree && q->tree) {
		config_get_all(q->tree, key, &lists);
		free(why);
		why = xasprintf("%s of the base's .b4-config", key);
	}
	return take_all(q, side, &lists, why, false, err);
}

/* What the user's toCmd or ccCmd prints, one address a line, for each patch. */
static int take_cmd(struct collect *q, enum side side, const char *key, const char *shown,
		    struct err *err)
{
	const char *cmd = q->run ? sendemail_get(q->c, key) : NULL;
	int rc = 0;

	if (!cmd || !q->s->n_patches)
		return 0;
	if (!q->patches.dir)
		rc = patch_files_make(q->s, &q->patches, err);
	for (size_t i = 0; i < q->patches.paths.n && !rc; i++) {
		struct buf out _cleanup_buf_ = BUF_INIT;
		struct str text, line;

		rc = user_cmd_run(q->s, shown, cmd, q->patches.paths.v[i], false, &out,
				  err);
		text = buf_str(&out);
		while (!rc && str_line(&text, &line)) {
			char *list _cleanup_free_ = str_dup(line);

			rc = take_list(q, side, list, shown, false, err);
		}
	}
	if (!rc && q->suppress.self && q->suppress.me[0]) {
		struct strvec *why = recipients_why(&q->r, side, q->suppress.me);

		if (why && why->n == 1 && !strcmp(why->v[0], shown))
			recipients_remove(&q->r, side, q->suppress.me);
	}
	return rc;
}

static int take_own(struct collect *q, enum side side)
{
	const struct addrs *a = addrs_of(&q->own.r, side);

	for (size_t i = 0; i < a->n; i++) {
		const struct strvec *why = &reasons_of(&q->own.r, side)->v[i];

		for (size_t k = 0; k < why->n; k++)
			recipients_add(&q->r, side, &a->v[i], why->v[k]);
	}
	return 0;
}

static int take_to(struct collect *q, const struct strvec *given, struct err *err)
{
	int rc = take_own(q, SIDE_TO);

	if (!rc)
		rc = take_all(q, SIDE_TO, given, "--to", true, err);
	if (!rc)
		rc = take_sendemail(q, SIDE_TO, "to", err);
	if (!rc)
		rc = take_config(q, SIDE_TO, "format.to", false, err);
	if (!rc)
		rc = take_config(q, SIDE_TO, "b4.send-series-to", true, err);
	return rc ? rc : take_cmd(q, SIDE_TO, "tocmd", "sendemail.toCmd", err);
}

static int take_cc(struct collect *q, const struct strvec *given, struct err *err)
{
	int rc = take_own(q, SIDE_CC);

	if (!rc)
		rc = take_all(q, SIDE_CC, given, "--cc", true, err);
	if (!rc)
		rc = take_sendemail(q, SIDE_CC, "cc", err);
	if (!rc)
		rc = take_config(q, SIDE_CC, "format.cc", false, err);
	if (!rc)
		rc = take_config(q, SIDE_CC, "b4.send-series-cc", true, err);
	if (!rc && !q->suppress.cccmd)
		rc = take_cmd(q, SIDE_CC, "cccmd", "sendemail.ccCmd", err);
	return rc ? rc : take_sendemail(q, SIDE_BCC, "bcc", err);
}

static int collect_open(struct collect *q, struct err *err)
{
	int rc = own_read(q->s, &q->own, err);

	if (!rc)
		rc = conf_aliases(q->c, &q->aliases, err);
	if (!rc)
		rc = conf_suppress(q->c, &q->suppress, err);
	if (!rc && q->s->base[0])
		rc = config_load_blob(q->s->repo, q->s->base, ".b4-config", &q->tree,
				      err);
	return rc;
}

static int collect(const struct series *s, const struct config *c,
		   const struct strvec *to, const struct strvec *cc, bool run,
		   struct recipients *ret, struct err *err)
{
	struct collect q = { .s = s, .c = c, .run = run };
	int rc = collect_open(&q, err);

	if (!rc)
		rc = take_to(&q, to, err);
	if (!rc)
		rc = take_cc(&q, cc, err);
	if (!rc) {
		*ret = q.r;
		q.r = (struct recipients){ 0 };
	}
	collect_release(&q);
	return rc;
}

int recipients_collect(const struct series *s, const struct config *c,
		       const struct strvec *to, const struct strvec *cc,
		       struct recipients *ret, struct err *err)
{
	return collect(s, c, to, cc, true, ret, err);
}

/* Who got version v: every one as the document has it. */
static int take_shown(struct collect *q, enum side side, const struct strvec *shown,
		      const struct version *v, struct err *err)
{
	char *why _cleanup_free_ = xasprintf("got v%d", v->n);
	int rc = 0;

	for (size_t i = 0; i < shown->n && !rc; i++) {
		struct addrs got _cleanup_addrs_ = ADDRS_INIT;

		rc = addrs_parse(&got, shown->v[i], err);
		for (size_t k = 0; k < got.n && !rc; k++)
			recipients_add(&q->r, side, &got.v[k], why);
	}
	return rc;
}

int recipients_of(const struct series *s, const struct config *c, const struct version *v,
		  const struct strvec *to, const struct strvec *cc,
		  struct recipients *ret, struct err *err)
{
	struct collect q = { .s = s, .c = c };
	int rc = collect_open(&q, err);

	if (!rc)
		rc = take_shown(&q, SIDE_TO, &v->to, v, err);
	if (!rc)
		rc = take_all(&q, SIDE_TO, to, "--to", true, err);
	if (!rc)
		rc = take_shown(&q, SIDE_CC, &v->cc, v, err);
	if (!rc)
		rc = take_all(&q, SIDE_CC, cc, "--cc", true, err);
	if (!rc)
		rc = take_sendemail(&q, SIDE_BCC, "bcc", err);
	if (!rc) {
		*ret = q.r;
		q.r = (struct recipients){ 0 };
	}
	collect_release(&q);
	return rc;
}

bool recipients_any(const struct series *s, const struct config *c)
{
	struct recipients r _cleanup_recipients_ = { 0 };

	return collect(s, c, NULL, NULL, false, &r, NULL) || r.to.n || r.cc.n ||
	       sendemail_get(c, "tocmd") || sendemail_get(c, "cccmd");
}
