// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two machines' states merged file by file:
 *
 *	series.json, other *.json	by field (merge_docs.c)
 *	versions/N.json			the same version: its postings; two: a conflict
 *	review/...			what is decided or answered wins
 *	changes/vN.txt, notes.txt	both sides' lines
 *	anything else			ours, and theirs as FILE.theirs
 *
 * A file that one side removed and the other changed stays.
 */
#include <stdlib.h>
#include "merge.h"
#include "series/mem.h"

#define MAX_FILES 100000
#define MAX_BYTES ((int64_t)1 << 31)
#define MAX_DOC	  (16 << 20)

static void merge_release(struct merge *m)
{
	tree_files_release(&m->o);
	tree_files_release(&m->t);
	tree_files_release(&m->b);
	strvec_release(&m->conflicts);
	store_end(m->store);
}

static bool same(const struct tree_file *a, const struct tree_file *b)
{
	return a == b || (a && b && !strcmp(a->id, b->id));
}

/* Theirs as it is, at path; NULL removes. */
static int take(struct merge *m, const char *path, const struct tree_file *f,
		struct err *err)
{
	struct buf data _cleanup_buf_ = BUF_INIT;
	int rc;

	if (!f) {
		store_del(m->store, path);
		return 0;
	}
	rc = repo_blob(m->repo, f->id, &data, err);
	if (!rc)
		store_put(m->store, path, buf_cstr(&data), data.len);
	return rc;
}

/* A name beside path that nobody uses. */
static char *free_name(const struct merge *m, const char *path)
{
	char *name = xasprintf("%s" MERGE_ASIDE, path);

	for (int i = 2; tree_files_find(&m->o, name) || tree_files_find(&m->t, name);
	     i++) {
		free(name);
		name = xasprintf("%s" MERGE_ASIDE "-%d", path, i);
	}
	return name;
}

static int set_aside(struct merge *m, const struct tree_file *theirs, struct err *err)
{
	char *name _cleanup_free_ = free_name(m, theirs->path);

	strvec_pushf(m->notes,
		     "%s was changed on both sides: the other one is kept as %s",
		     theirs->path, name);
	return take(m, name, theirs, err);
}

/* E_CORRUPT: no document that we could merge by its fields. */
static int read_doc(struct merge *m, const struct tree_file *f, struct json **ret,
		    struct err *err)
{
	struct buf data _cleanup_buf_ = BUF_INIT;
	int rc;

	if (!f)
		return 0;
	if (f->size > MAX_DOC)
		return err_set(err, E_CORRUPT, "%s is too long to be merged", f->path);
	rc = repo_blob(m->repo, f->id, &data, err);
	return rc ? rc
		  : json_parse_schema(buf_str(&data), f->path, STATE_SCHEMA, ret, err);
}

static int merge_doc(struct merge *m, const struct tree_file *b,
		     const struct tree_file *o, const struct tree_file *t,
		     struct err *err)
{
	struct json *jb _cleanup_json_ = NULL, *jo _cleanup_json_ = NULL,
			*jt _cleanup_json_ = NULL, *doc _cleanup_json_ = NULL;
	struct three d = { .path = o->path };
	int rc = read_doc(m, o, &jo, err);

	if (!rc)
		rc = read_doc(m, t, &jt, err);
	if (!rc && read_doc(m, b, &jb, NULL))
		jb = NULL;
	if (rc == E_CORRUPT && !version_path_label(o->path)) {
		if (err)
			err_release(err);
		return set_aside(m, t, err);
	}
	if (rc)
		return rc;
	d.base = jb;
	d.ours = jo;
	d.theirs = jt;
	if (str_starts(str_c(o->path), "review/"))
		doc = merge_review(m, &d);
	else if (!str_starts(str_c(o->path), "versions/"))
		doc = merge_fields(m, &d);
	else if ((rc = merge_version(m, &d, &doc, err)))
		return rc;
	store_put_json(m->store, o->path, doc);
	return 0;
}

/* Both sides' lines. */
static int merge_lines(struct merge *m, const struct tree_file *b,
		       const struct tree_file *o, const struct tree_file *t,
		       struct err *err)
{
	struct buf ours _cleanup_buf_ = BUF_INIT, base _cleanup_buf_ = BUF_INIT,
			theirs _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	int rc = repo_blob(m->repo, o->id, &ours, err);

	if (!rc && b)
		rc = repo_blob(m->repo, b->id, &base, err);
	if (!rc)
		rc = repo_blob(m->repo, t->id, &theirs, err);
	if (!rc) {
		struct merge_texts texts = { .ours = buf_str(&ours),
					     .base = buf_str(&base),
					     .theirs = buf_str(&theirs) };

		rc = git_merge_texts(m->repo, &texts, &out, err);
	}
	if (rc)
		return rc;
	store_put(m->store, o->path, buf_cstr(&out), out.len);
	strvec_pushf(m->notes, "%s was changed on both sides: it has the lines of both",
		     o->path);
	return 0;
}

static int both_changed(struct merge *m, const struct tree_file *b,
			const struct tree_file *o, const struct tree_file *t,
			struct err *err)
{
	struct str path = str_c(o ? o->path : t->path);

	if (!o || !t) {
		strvec_pushf(m->notes,
			     STR_FMT " was removed on one side and changed on "
				     "the other: it stays",
			     STR_ARG(path));
		return t ? take(m, t->path, t, err) : 0;
	}
	if (str_ends(path, ".json"))
		return merge_doc(m, b, o, t, err);
	if ((str_starts(path, "changes/") && str_ends(path, ".txt")) ||
	    str_eqc(path, "notes.txt"))
		return merge_lines(m, b, o, t, err);
	return set_aside(m, t, err);
}

bool sent_of(const char *path, const char *label)
{
	struct str s = str_c(path);

	return str_skip(&s, "sent/") && str_skip(&s, label) && str_skip(&s, "/");
}

static int merge_path(struct merge *m, const char *path, struct err *err)
{
	const struct tree_file *b = tree_files_find(&m->b, path),
			       *o = tree_files_find(&m->o, path),
			       *t = tree_files_find(&m->t, path);

	for (size_t i = 0; i < m->conflicts.n; i++)
		if (sent_of(path, m->conflicts.v[i]))
			return m->side == MERGE_OURS || same(o, t)
				       ? 0
				       : take(m, path, t, err);
	if (same(o, t) || same(b, t))
		return 0;
	if (same(b, o))
		return take(m, path, t, err);
	return both_changed(m, b, o, t, err);
}

/* The versions first: they say whose mails stay. */
static int merge_paths(struct merge *m, const struct strvec *paths, bool versions,
		       struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < paths->n && !rc; i++)
		if (str_starts(str_c(paths->v[i]), "versions/") == versions)
			rc = merge_path(m, paths->v[i], err);
	return rc;
}

static void add_paths(const struct tree_files *f, struct strvec *ret)
{
	for (size_t i = 0; i < f->n; i++)
		strvec_push(ret, f->v[i].path);
}

static void all_paths(const struct merge *m, struct strvec *ret)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;

	add_paths(&m->o, &all);
	add_paths(&m->t, &all);
	strvec_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		if (!i || strcmp(all.v[i], all.v[i - 1]))
			strvec_push(ret, all.v[i]);
}

static int read_trees(struct merge *m, struct err *err)
{
	struct commit o, t;
	int rc = repo_tree_files(m->repo, m->ours, MAX_FILES, MAX_BYTES, &m->o, err);

	if (!rc)
		rc = repo_tree_files(m->repo, m->theirs, MAX_FILES, MAX_BYTES, &m->t,
				     err);
	if (!rc && *m->base)
		rc = repo_tree_files(m->repo, m->base, MAX_FILES, MAX_BYTES, &m->b, err);
	if (!rc)
		rc = repo_commit(m->repo, m->ours, &o, err);
	if (rc)
		return rc;
	rc = repo_commit(m->repo, m->theirs, &t, err);
	if (!rc) {
		/* The same on either machine. */
		m->theirs_newer = t.commit_time != o.commit_time
					  ? t.commit_time > o.commit_time
					  : strcmp(m->theirs, m->ours) > 0;
		commit_release(&t);
	}
	commit_release(&o);
	return rc;
}

static char *change_id(struct merge *m, const char *commit)
{
	struct json *j _cleanup_json_ = NULL;

	if (state_json(m->repo, m->name, commit, "series.json", &j, NULL))
		return NULL;
	return xstrdup_null(json_get_str(j, "change_id"));
}

/* Two series that have nothing but the name in common are never merged. */
static int same_series(struct merge *m, struct err *err)
{
	char *o _cleanup_free_ = change_id(m, m->ours);
	char *t _cleanup_free_ = change_id(m, m->theirs);

	if (o && t && !strcmp(o, t))
		return 0;
	return err_set(err, E_CONFLICT,
		       "these are two series of one name: here %s, there %s", o ? o : "?",
		       t ? t : "?");
}

static int join(struct merge *m, const char *message, struct err *err)
{
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = repo_merge_base(m->repo, m->ours, m->theirs, m->base, err);

	if (rc == E_NOTFOUND) {
		if (err)
			err_release(err);
		m->base[0] = '\0';
	} else if (rc) {
		return rc;
	}
	rc = same_series(m, err);
	if (!rc)
		rc = read_trees(m, err);
	if (rc)
		return rc;
	all_paths(m, &paths);
	rc = merge_paths(m, &paths, true, err);
	if (!rc)
		rc = merge_paths(m, &paths, false, err);
	if (!rc)
		rc = merge_heads(m, NULL, err);
	if (rc)
		return rc;
	buf_printf(&text, "%s\n", message);
	for (size_t i = 0; i < m->notes->n; i++)
		buf_printf(&text, "%s%s\n", i ? "" : "\n", m->notes->v[i]);
	store_join(m->store, m->theirs);
	rc = store_commit(m->store, buf_cstr(&text), err);
	/* Somebody without our lock: nothing that a person has to decide. */
	return rc == E_CONFLICT ? E_FAIL : rc;
}

static int forward(struct merge *m, const char *message, struct err *err)
{
	int rc = merge_heads(m, m->theirs, err);

	return rc ? rc : store_forward(m->store, m->theirs, message, err);
}

/* Under the lock: how do they stand to each other, and what follows. */
static int decide(struct merge *m, const char *message, enum merge_outcome *ret,
		  struct err *err)
{
	enum merge_outcome how;
	int rc;

	memcpy(m->ours, store_at(m->store), OID_HEX);
	if (!strcmp(m->ours, m->theirs)) {
		how = MERGE_SAME;
		rc = forward(m, message, err);
	} else if (!*m->ours) {
		how = MERGE_NEW;
		rc = forward(m, message, err);
	} else if ((rc = repo_is_ancestor(m->repo, m->ours, m->theirs, err)) == 1) {
		how = MERGE_FORWARD;
		rc = forward(m, message, err);
	} else if (!rc &&
		   (rc = repo_is_ancestor(m->repo, m->theirs, m->ours, err)) == 1) {
		/* Sent heads that got lost come back. */
		how = MERGE_AHEAD;
		rc = merge_heads(m, m->ours, err);
		if (!rc)
			rc = store_forward(m->store, m->ours, message, err);
	} else if (!rc) {
		how = MERGE_JOINED;
		rc = join(m, message, err);
	}
	if (!rc)
		*ret = how;
	return rc;
}

int state_take(struct repo *r, const char *name, const char *theirs, const char *from,
	       enum merge_side side, enum merge_outcome *ret, struct strvec *notes,
	       struct err *err)
{
	struct merge m = { .repo = r, .name = name, .side = side };
	struct strvec own _cleanup_strvec_ = STRVEC_INIT;
	char *message _cleanup_free_ = xasprintf("merge %s", from);
	char head[OID_HEX];
	int rc;

	if (strlen(theirs) != OID_HEX - 1)
		return err_set(err, E_FAIL, "\"%s\" is no object name", theirs);
	memcpy(m.theirs, theirs, OID_HEX);
	m.notes = &own;
	rc = store_head(r, name, head, err);
	if (rc && rc != E_NOTFOUND)
		return rc;
	if (rc && err)
		err_release(err);
	rc = store_begin(r, name, rc == E_NOTFOUND, &m.store, err);
	if (!rc)
		rc = decide(&m, message, ret, err);
	if (!rc)
		strvec_extend(notes, &own);
	merge_release(&m);
	return rc;
}
