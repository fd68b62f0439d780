// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_posted.c - see import_posted.h: the versions, and the branch.
 */
#include <stdlib.h>
#include "import_base.h"
#include "import_known.h"
#include "import_letter.h"
#include "mailtree.h"
#include "series/addr.h"
#include "series/import_posted.h"
#include "series/mem.h"
#include "series/prefix.h"
#include "series/progress.h"
#include "series/sanitize.h"
#include "series/store.h"
#include "series/tracking.h"

struct taking {
	struct repo *repo;
	const struct import_posted_opts *o;
	const struct posted_version *newest;
	struct mailtree *tree;
	struct import_bases bases;
	char *change_id; /* NULL: there is none */
	struct progress progress;
	char branch_base[OID_HEX]; /* of the current branch, when it has the patches */
	struct version *v;
	size_t n;
	size_t *from; /* of each its index in o->posted->v */
	struct imported *to;
};

static void taking_release(struct taking *t)
{
	mailtree_close(&t->tree);
	import_bases_release(&t->bases);
	free(t->change_id);
	for (size_t i = 0; i < t->n; i++)
		version_release(&t->v[i]);
	free(t->v);
	free(t->from);
}

void imported_release(struct imported *i)
{
	free(i->branch);
	free(i->name);
	strvec_release(&i->notes);
	*i = (struct imported){ 0 };
}

static const struct posted_version *posted_of(const struct taking *t, size_t i)
{
	return &t->o->posted->v[i];
}

/* The mail that speaks for a version: its cover, else the first patch posted in it. */
static size_t first_mail(const struct taking *t, const struct posted_version *v)
{
	for (size_t k = 0; v->cover == NO_MAIL && k < v->total; k++)
		if (v->patch[k].mail != NO_MAIL && posted_of(t, v->patch[k].from) == v)
			return v->patch[k].mail;
	return v->cover != NO_MAIL ? v->cover : v->patch[0].mail;
}

/* The version that a partial reroll is a part of has the title and the letter. */
static const struct posted_version *whole_of(const struct taking *t,
					     const struct posted_version *v)
{
	while (v->partial && v->cover == NO_MAIL && v->follows != NO_MAIL)
		v = posted_of(t, v->follows);
	return v;
}

/* --- bases and commits --- */

static int apply_patches(struct taking *t, const struct posted_version *pv,
			 struct version *v, struct err *err)
{
	memcpy(v->head, v->base, OID_HEX);
	v->patches = xcalloc(pv->total + 1, sizeof(*v->patches));
	for (size_t k = 0; k < pv->total; k++) {
		const struct thread_mail *m = &t->o->thread->v[pv->patch[k].mail];
		struct patch *p = &v->patches[k];
		struct commit c;
		int rc = mailtree_apply(t->tree, &m->mail, v->head, p->commit, err);

		if (rc)
			return err_context(err, "%s %zu/%zu does not apply on %.12s",
					   pv->label, k + 1, pv->total, v->base);
		memcpy(v->head, p->commit, OID_HEX);
		v->n_patches++;
		p->n = (int)k + 1;
		p->message_id = xstrdup_null(m->id);
		rc = repo_patch_id(t->repo, p->commit, p->patch_id, err);
		if (!rc)
			rc = repo_commit(t->repo, p->commit, &c, err);
		if (rc)
			return rc;
		memcpy(p->tree, c.tree, OID_HEX);
		p->subject = xstrdup(c.subject);
		p->author_name = xstrdup(c.author_name);
		p->author_email = xstrdup(c.author_email);
		commit_release(&c);
		progress_update(&t->progress, 0, pv->label);
	}
	return 0;
}

/* What was applied until it did not. */
static void forget_patches(struct version *v)
{
	for (size_t k = 0; k < v->n_patches; k++) {
		free(v->patches[k].subject);
		free(v->patches[k].author_name);
		free(v->patches[k].author_email);
		free(v->patches[k].message_id);
	}
	free(v->patches);
	v->patches = NULL;
	v->n_patches = 0;
}

/* On the first commit that will do; the message is of the likeliest. */
static int apply_somewhere(struct taking *t, const struct posted_version *pv,
			   struct version *v, struct err *err)
{
	struct strvec on _cleanup_strvec_ = STRVEC_INIT;
	struct err first _cleanup_err_ = ERR_INIT;
	char *said _cleanup_free_ = NULL;
	int rc = t->o->base ? repo_resolve(t->repo, t->o->base, v->base, err) : 0;

	if (rc)
		return rc;
	if (t->o->base)
		strvec_push(&on, v->base);
	else if (pv == t->newest && *t->branch_base)
		strvec_push(&on, t->branch_base);
	if (!t->o->base)
		import_base_list(t->repo, &t->bases, t->o->thread, pv, &on, &said);
	rc = E_NOTFOUND;
	for (size_t i = 0; i < on.n; i++) {
		struct err why _cleanup_err_ = ERR_INIT;

		memcpy(v->base, on.v[i], OID_HEX);
		rc = apply_patches(t, pv, v, &why);
		if (!rc)
			return 0;
		forget_patches(v);
		if (!i || rc != E_CONFLICT)
			err_set(&first, rc, "%s", err_msg(&why));
		if (rc != E_CONFLICT)
			break;
	}
	return err_set(err, rc, "%s%s%s%s",
		       on.n ? err_msg(&first) : "there is no commit to apply it on",
		       said ? " (its base-commit " : "", said ? said : "",
		       said ? " is not here: fetch it)" : "");
}

/* --- who got it, and when --- */

static void take_people(const struct thread_mail *m, const char *field, struct strvec *to)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;

	field_text(field_get(m->mail.head, field), &text);
	if (!text.len || addrs_parse(&a, buf_cstr(&text), NULL))
		return;
	for (size_t i = 0; i < a.n; i++)
		if (addr_ok(&a.v[i]))
			strvec_take(to, addr_show_dup(&a.v[i]));
}

static char *prefix_of(const struct taking *t, const struct posted_version *v)
{
	struct buf text _cleanup_buf_ = BUF_INIT, out = BUF_INIT;
	struct subject s = { 0 };

	field_text(field_get(t->o->thread->v[first_mail(t, v)].mail.head, "Subject"),
		   &text);
	subject_read(buf_str(&text), &s);
	buf_puts(&out, v->rfc ? "RFC PATCH" : "PATCH");
	for (size_t i = 0; i < s.words.n; i++)
		buf_printf(&out, " %s", s.words.v[i]);
	if (v->version > 1)
		buf_printf(&out, " v%d", v->version);
	subject_release(&s);
	return buf_take(&out);
}

static void add_posting(const struct taking *t, const struct posted_version *pv,
			struct version *v)
{
	const struct thread_mail *first = &t->o->thread->v[first_mail(t, pv)];
	struct posting *p = v->postings = xcalloc(1, sizeof(*p));

	v->n_postings = 1;
	p->state = xstrdup("sent");
	p->prefix = prefix_of(t, pv);
	p->message_id = xstrdup_null(first->id);
	p->date = pv->date;
	for (size_t k = 0; k < v->n_patches; k++)
		strvec_push(&p->ids,
			    v->patches[k].message_id ? v->patches[k].message_id : "");
	take_people(first, "To", &v->to);
	take_people(first, "Cc", &v->cc);
}

/* --- which versions --- */

/* An RFC after which the numbers began again. */
static bool was_restarted(const struct taking *t, const struct posted_series *s, size_t i)
{
	const struct posted_version *v = posted_of(t, s->v[i]);

	for (size_t k = i + 1; v->rfc && k < s->n; k++)
		if (!posted_of(t, s->v[k])->rfc &&
		    posted_of(t, s->v[k])->version <= v->version)
			return true;
	return false;
}

static void drop_version(struct taking *t, size_t i)
{
	version_release(&t->v[i]);
	memmove(&t->v[i], &t->v[i + 1], (t->n - i - 1) * sizeof(*t->v));
	memmove(&t->from[i], &t->from[i + 1], (t->n - i - 1) * sizeof(*t->from));
	t->n--;
}

/* Two of one number: the later counts. */
static void make_room(struct taking *t, const struct version *v, const char *label)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct posted_version *was = posted_of(t, t->from[i]);

		if (t->v[i].n != v->n || t->v[i].rfc != v->rfc)
			continue;
		strvec_pushf(&t->to->notes,
			     "%s of \"%s\" is not taken over: %s has its number",
			     was->label, was->title, label);
		drop_version(t, i);
		return;
	}
}

static char *missing_of(const struct posted_version *v)
{
	struct buf b = BUF_INIT;

	for (size_t k = 0; k < v->total; k++)
		if (v->patch[k].mail == NO_MAIL)
			buf_printf(&b, "%s%zu", b.len ? ", " : "", k + 1);
	return buf_take(&b);
}

static int take_version(struct taking *t, const struct posted_series *s, size_t i,
			struct err *err)
{
	const struct posted_version *pv = posted_of(t, s->v[i]);
	struct version v = { .n = pv->version, .rfc = was_restarted(t, s, i) };
	char *missing _cleanup_free_ = missing_of(pv);
	int rc = 0;

	if (pv->missing || !pv->total)
		rc = err_set(err, E_NOTFOUND,
			     "%s is not complete: patch %s of %zu is not here", pv->label,
			     missing, pv->total);
	else if (pv->version < 1 || pv->version > SERIES_MAX_VERSION ||
		 pv->total > SERIES_MAX_PATCHES)
		rc = err_set(err, E_NOTFOUND,
			     "%s with %zu patches is beyond what we keep", pv->label,
			     pv->total);
	if (!rc)
		rc = apply_somewhere(t, pv, &v, err);
	if (rc) {
		version_release(&v);
		return rc;
	}
	add_posting(t, pv, &v);
	make_room(t, &v, pv->label);
	t->from[t->n] = s->v[i];
	t->v[t->n++] = v;
	return 0;
}

static int take_versions(struct taking *t, struct err *err)
{
	const struct posted_series *s = &t->o->posted->series[t->o->series];

	t->v = xcalloc(s->n + 1, sizeof(*t->v));
	t->from = xcalloc(s->n + 1, sizeof(*t->from));
	for (size_t i = 0; i < s->n; i++) {
		struct err why _cleanup_err_ = ERR_INIT;
		int rc = take_version(t, s, i, &why);

		if (!rc)
			continue;
		/* Neither the mails' fault nor that of a base: nothing is left out for
		 * it. */
		if (rc == E_INTR || rc == E_FAIL)
			return err_set(err, rc, "%s", err_msg(&why));
		if (posted_of(t, s->v[i]) == t->newest)
			return err_set(err, rc, "%s; %s", err_msg(&why),
				       t->newest->missing
					       ? "give a mailbox that has all its mails"
					       : "say what it applies on: --base REF");
		strvec_pushf(&t->to->notes, "not taken over: %s", err_msg(&why));
	}
	return 0;
}

/* --- the branch --- */

/* Are the newest version's patches on top of the current branch, by their titles? */
static bool branch_has_them(struct taking *t, const struct config *c)
{
	char *has _cleanup_free_ = NULL;
	char at[OID_HEX];

	if (t->o->branch || repo_branch(t->repo, &t->to->branch, NULL))
		return false;
	if (!series_of_branch(t->repo, c, t->to->branch, &has, NULL) ||
	    repo_resolve(t->repo, "HEAD", at, NULL))
		return false;
	memcpy(t->to->head, at, OID_HEX);
	for (size_t k = t->newest->total; k-- > 0;) {
		struct commit commit;
		bool same;

		if (repo_commit(t->repo, at, &commit, NULL))
			return false;
		same = commit.parents == 1 &&
		       title_same(commit.subject, t->newest->patch[k].title);
		memcpy(at, commit.parent, OID_HEX);
		commit_release(&commit);
		if (!same)
			return false;
	}
	memcpy(t->branch_base, at, OID_HEX);
	return true;
}

/* Of the text of the newest version that has one, else of the headers. Caller frees. */
static char *find_change_id(const struct taking *t)
{
	const struct posted_series *s = &t->o->posted->series[t->o->series];

	for (size_t i = s->n; i-- > 0;)
		if (posted_of(t, s->v[i])->change_id)
			return xstrdup(posted_of(t, s->v[i])->change_id);
	for (size_t i = s->n; i-- > 0;) {
		size_t mail = first_mail(t, posted_of(t, s->v[i]));
		char *id = mail == NO_MAIL
				   ? NULL
				   : tracking_change_id(&t->o->thread->v[mail].mail);

		if (id)
			return id;
	}
	return NULL;
}

/* The middle of a change-id, which its author chose; else the title. */
static char *name_of(const struct taking *t)
{
	const char *id = t->change_id, *end = id ? strrchr(id, '-') : NULL;
	char *middle _cleanup_free_ = NULL;

	if (!id || strspn(id, "0123456789") != 8 || id[8] != '-' || end <= id + 9)
		return series_name_from(whole_of(t, t->newest)->title);
	middle = xasprintf("%.*s", (int)(end - id - 9), id + 9);
	return series_name_from(middle);
}

static int make_branch(struct taking *t, struct err *err)
{
	char *ref _cleanup_free_ = xasprintf("refs/heads/%s", t->to->branch);
	struct ref_update u = { ref, t->to->head, "" };
	char id[OID_HEX];

	if (!repo_ref(t->repo, ref, id, NULL))
		return err_set(err, E_EXISTS,
			       "there is a branch %s already; give the new one another "
			       "name: --branch NAME",
			       t->to->branch);
	return git_update_refs(t->repo, &u, 1, "series import", err);
}

/* --- the state --- */

static void put_mails(const struct taking *t, size_t i, struct store *store)
{
	const struct posted_version *pv = posted_of(t, t->from[i]);
	char *dir _cleanup_free_ = version_mails(&t->v[i], 0);
	size_t n = 0;

	for (size_t k = 0; k <= pv->total; k++) {
		size_t mail = k ? pv->patch[k - 1].mail : pv->cover;
		struct buf raw _cleanup_buf_ = BUF_INIT;
		char *path _cleanup_free_ = NULL;

		if (mail == NO_MAIL)
			continue;
		path = xasprintf("%s/%04zu.eml", dir, n++);
		mail_raw(&t->o->thread->v[mail].mail, mail_sink_buf, &raw);
		store_put(store, path, raw.p, raw.len);
	}
}

static void take_words(struct taking *t, struct series *s)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;

	strvec_split(&words, str_c(t->v[t->n - 1].postings[0].prefix), ' ');
	for (size_t i = 0; i < words.n; i++) {
		struct strvec one _cleanup_strvec_ = STRVEC_INIT;

		strvec_push(&one, words.v[i]);
		if (strcmp(words.v[i], "PATCH") && strcmp(words.v[i], "RFC") &&
		    !prefix_check(&one, true, NULL))
			strvec_push(&s->prefixes, words.v[i]);
	}
}

static void take_letter(const struct taking *t, struct store *store)
{
	const struct posted_version **posted _cleanup_free_ =
		xcalloc(t->n, sizeof(*posted));
	struct import_words words = { t->o->thread, whole_of(t, t->newest), posted, t->v,
				      t->n };

	for (size_t i = 0; i < t->n; i++)
		posted[i] = posted_of(t, t->from[i]);
	import_letter(&words, store);
}

static int fill(struct series *s, struct store *store, void *arg, struct err *err)
{
	struct taking *t = arg;
	const struct version *last = &t->v[t->n - 1];
	char *mark _cleanup_free_ = xasprintf("refs/series/%s/posted", s->name);

	(void)err;
	store_ref(store, mark, t->to->head, "");
	for (size_t i = 0; i < t->n; i++) {
		version_put(&t->v[i], s->name, store);
		put_mails(t, i, store);
	}
	strvec_extend(&s->to, &last->to);
	strvec_extend(&s->cc, &last->cc);
	take_words(t, s);
	take_letter(t, store);
	return 0;
}

/* Whose it is, when it is not the user's. */
static void note_author(struct taking *t, const struct config *c)
{
	const char *own = config_get(c, "series.email");

	if (!own)
		own = config_get(c, "user.email");
	if (own && !email_same(own, t->newest->email))
		strvec_pushf(&t->to->notes,
			     "this is the series of %s <%s>; the patches keep their "
			     "authors",
			     t->newest->name, t->newest->email);
}

static int create(struct taking *t, const struct config *c, struct err *err)
{
	struct series_init_opts o = { .name = t->o->name,
				      .branch = t->to->branch,
				      .version = t->v[t->n - 1].n + 1,
				      .command = "series import",
				      .change_id = t->change_id,
				      .base = t->to->base,
				      .base_ref = import_base_ref(t->repo, &t->bases,
								  t->to->base),
				      .fill = fill,
				      .arg = t };
	char *ref _cleanup_free_ = xasprintf("refs/heads/%s", t->to->branch);
	struct ref_update back = { ref, NULL, t->to->head };
	int rc = t->to->was_there ? 0 : make_branch(t, err);

	if (rc)
		return rc;
	rc = series_create(t->repo, c, &o, &t->to->name, err);
	if (rc && !t->to->was_there)
		git_update_refs(t->repo, &back, 1, "series import failed", NULL);
	return rc;
}

int import_posted(struct repo *r, const struct config *c,
		  const struct import_posted_opts *o, struct imported *ret,
		  struct err *err)
{
	struct taking t _cleanup_(taking_release) = { .repo = r, .o = o, .to = ret };
	const struct posted_series *s = &o->posted->series[o->series];
	int rc;

	*ret = (struct imported){ 0 };
	rc = import_known(r, c, o, err);
	if (!rc)
		rc = mailtree_open(r, OBJECTS_STAY, &t.tree, err);
	if (rc)
		return rc;
	t.newest = posted_of(&t, s->v[s->n - 1]);
	t.change_id = find_change_id(&t);
	import_bases_find(r, c, &t.bases);
	ret->was_there = branch_has_them(&t, c);
	progress_start(&t.progress, "applying", 0);
	rc = take_versions(&t, err);
	progress_end(&t.progress);
	if (rc)
		return rc;
	if (ret->was_there) {
		memcpy(ret->base, t.branch_base, OID_HEX);
	} else {
		free(ret->branch);
		ret->branch = o->branch ? xstrdup(o->branch) : name_of(&t);
		memcpy(ret->base, t.v[t.n - 1].base, OID_HEX);
		memcpy(ret->head, t.v[t.n - 1].head, OID_HEX);
	}
	note_author(&t, c);
	return create(&t, c, err);
}
