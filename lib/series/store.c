// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The chain of a series' states: read at its newest commit, written under the lock as one
 * commit and one transaction of refs.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "internal.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/time.h"

#define LOCK_WAIT_MS 15000
#define LOCK_TURNS   20
/* A ref lock of a living git goes away within this; one of a dead git stays. */
#define STALE_WAIT_MS 2000

struct edit {
	char *path, *data; /* data NULL: removed */
	size_t len;
};

struct ref_move {
	char *ref, *new_id, *old_id;
};

struct store {
	struct repo *repo;
	char *name, *ref;
	struct lock lock;
	char head[OID_HEX];  /* "" before the first commit */
	char other[OID_HEX]; /* second parent of the next commit, or "" */
	struct edit *edits;
	size_t n_edits, cap_edits;
	size_t *slot;	/* by path: index of an edit + 1; twice as many as edits, at least
			 */
	size_t n_slots; /* a power of two, or 0 */
	struct ref_move *moves;
	size_t n_moves, cap_moves;
};

/* "refs/series/NAME/state"; caller frees. */
static char *state_ref(const char *name)
{
	return xasprintf("refs/series/%s/state", name);
}

int store_head(struct repo *r, const char *name, char ret[OID_HEX], struct err *err)
{
	char *ref _cleanup_free_ = NULL;
	int rc;

	if (!series_name_ok(name))
		return err_set(
			err, E_USAGE,
			"\"%s\" is no name of a series: a-z, 0-9, '.', '_', '-', at "
			"most 64, first a letter or digit",
			name);
	ref = state_ref(name);
	rc = repo_ref(r, ref, ret, err);
	if (rc == E_NOTFOUND)
		return err_set(err, rc, "no series \"%s\" here; series list shows them",
			       name);
	return rc;
}

int store_read(struct repo *r, const char *name, const char *path, struct buf *ret,
	       struct err *err)
{
	char head[OID_HEX];
	int rc = store_head(r, name, head, err);

	return rc ? rc : repo_file(r, head, path, ret, err);
}

int store_read_json(struct repo *r, const char *name, const char *path, struct json **ret,
		    struct err *err)
{
	char head[OID_HEX];
	int rc = store_head(r, name, head, err);

	return rc ? rc : state_json(r, name, head, path, ret, err);
}

int state_json(struct repo *r, const char *name, const char *state, const char *path,
	       struct json **ret, struct err *err)
{
	char *what _cleanup_free_ = xasprintf("refs/series/%s/state:%s", name, path);
	struct buf b _cleanup_buf_ = BUF_INIT;
	int rc = repo_file(r, state, path, &b, err);

	if (rc == E_NOTFOUND && !strcmp(path, "series.json"))
		return err_set(err, E_CORRUPT,
			       "%s is missing, so that is no state of a series; git log "
			       "-p refs/series/%s/state shows what it is",
			       what, name);
	return rc ? rc : json_parse_schema(buf_str(&b), what, STATE_SCHEMA, ret, err);
}

int state_list(struct repo *r, const char *state, const char *dir, struct strvec *ret,
	       struct err *err)
{
	int rc = repo_list_all(r, state, dir, ret, err);

	if (rc != E_NOTFOUND)
		return rc;
	if (err)
		err_release(err);
	return 0;
}

int store_list(struct repo *r, const char *name, const char *dir, struct strvec *ret,
	       struct err *err)
{
	char head[OID_HEX];
	int rc = store_head(r, name, head, err);

	return rc ? rc : state_list(r, head, dir, ret, err);
}

/* Is the file there, and unchanged against *st when that is filled? */
static bool same_file(const char *path, struct stat *st)
{
	struct stat now;

	if (lstat(path, &now))
		return false;
	if (st->st_ino &&
	    (st->st_ino != now.st_ino || st->st_mtim.tv_sec != now.st_mtim.tv_sec ||
	     st->st_mtim.tv_nsec != now.st_mtim.tv_nsec))
		return false;
	*st = now;
	return true;
}

/*
 * Remove the lock file that a killed git left on one ref. We hold the series' lock, have
 * no git child now, and the file must be older than our lock and outlive a short wait,
 * for another git (pack-refs) may hold it for a moment.
 */
static int drop_stale(struct repo *r, const char *ref, const struct lock *ours,
		      struct err *err)
{
	char *name _cleanup_free_ = xasprintf("%s.lock", ref);
	char *path _cleanup_free_ = path_join(repo_common_dir(r), name);
	int64_t until = time_mono_ns() + (int64_t)STALE_WAIT_MS * 1000000;
	struct stat st = { .st_ino = 0 }, lock;

	while (same_file(path, &st)) {
		int rc = intr_check(err);

		if (rc)
			return rc;
		if (fstat(ours->fd, &lock))
			return err_set(err, E_FAIL, "cannot look at %s", ours->path);
		if (st.st_mtim.tv_sec > lock.st_mtim.tv_sec)
			return 0; /* younger: somebody lives; git will say so */
		if (time_mono_ns() >= until)
			return fs_unlink(path, err);
		time_sleep_ms(50);
	}
	return 0;
}

static int drop_stale_locks(struct store *t, struct err *err)
{
	char *dir _cleanup_free_ =
		xasprintf("%s/refs/series/%s", repo_common_dir(t->repo), t->name);
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	if (fs_list(dir, &names, NULL))
		return 0; /* packed, or the first time */
	for (size_t i = 0; i < names.n; i++) {
		char *ref _cleanup_free_ = NULL;
		size_t len = strlen(names.v[i]);
		int rc;

		if (!str_ends(str_c(names.v[i]), ".lock"))
			continue;
		names.v[i][len - 5] = '\0';
		ref = xasprintf("refs/series/%s/%s", t->name, names.v[i]);
		rc = drop_stale(t->repo, ref, &t->lock, err);
		if (rc)
			return rc;
	}
	return 0;
}

/* A state that a newer program wrote is not ours to write on. */
static int check_writable(struct store *t, struct err *err)
{
	struct json *j _cleanup_json_ = NULL;

	return state_json(t->repo, t->name, t->head, "series.json", &j, err);
}

/* When the lock was last taken by anybody, in ns; 0 if never. */
static int64_t last_taken(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0
			       : st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
}

/* Waits as long as others make progress; one that holds it for all the time is named. */
static int take_lock(struct store *t, const char *path, struct err *err)
{
	for (int i = 0;; i++) {
		int64_t before = last_taken(path);
		int rc = lock_take(&t->lock, path, "write", LOCK_WAIT_MS, err);

		if (rc != E_LOCKED || i >= LOCK_TURNS || last_taken(path) == before)
			return rc;
		if (err)
			err_release(err);
	}
}

int store_begin(struct repo *r, const char *name, bool create, struct store **ret,
		struct err *err)
{
	char *file _cleanup_free_ = NULL;
	struct store *t _cleanup_store_ = NULL;
	char head[OID_HEX] = "";
	int rc = store_head(r, name, head, err);

	if (rc && !(create && rc == E_NOTFOUND))
		return rc;
	t = xcalloc(1, sizeof(*t));
	t->repo = r;
	t->name = xstrdup(name);
	t->ref = state_ref(name);
	t->lock.fd = -1;
	file = xasprintf("%s/series/%s.lock", repo_common_dir(r), name);
	rc = take_lock(t, file, err);
	if (rc)
		return err_context(err, "series %s", name);
	rc = drop_stale_locks(t, err);
	if (rc)
		return rc;
	/* Again, for it may have moved while we waited. */
	rc = repo_ref(r, t->ref, t->head, err);
	if (create && !rc)
		return err_set(err, E_EXISTS, "there is a series \"%s\" already", name);
	if (create && rc == E_NOTFOUND) {
		if (err)
			err_release(err);
		t->head[0] = '\0';
		rc = 0;
	} else if (!rc) {
		rc = check_writable(t, err);
	}
	if (rc)
		return rc;
	*ret = t;
	t = NULL;
	return 0;
}

/* Where the edit of this path is or belongs; a large update has tens of thousands. */
static size_t slot_of(const struct store *t, const char *path)
{
	size_t h = 5381, i;

	for (const char *p = path; *p; p++)
		h = h * 33 + (unsigned char)*p;
	i = h & (t->n_slots - 1);
	while (t->slot[i] && strcmp(t->edits[t->slot[i] - 1].path, path) != 0)
		i = (i + 1) & (t->n_slots - 1);
	return i;
}

static struct edit *find_edit(struct store *t, const char *path)
{
	size_t at = t->n_edits ? t->slot[slot_of(t, path)] : 0;

	return at ? &t->edits[at - 1] : NULL;
}

static struct edit *add_edit(struct store *t, const char *path)
{
	struct edit *e;

	vec_grow(t->edits, t->n_edits, t->cap_edits);
	e = &t->edits[t->n_edits++];
	e->path = xstrdup(path);
	if (2 * t->n_edits > t->n_slots) {
		free(t->slot);
		t->n_slots = t->n_slots ? 2 * t->n_slots : 64;
		t->slot = xcalloc(t->n_slots, sizeof(*t->slot));
		for (size_t i = 0; i < t->n_edits; i++)
			t->slot[slot_of(t, t->edits[i].path)] = i + 1;
	} else {
		t->slot[slot_of(t, path)] = t->n_edits;
	}
	return e;
}

int store_get(struct store *t, const char *path, struct buf *ret, struct err *err)
{
	const struct edit *e = find_edit(t, path);

	if (e && e->data) {
		buf_add(ret, e->data, e->len);
		return 0;
	}
	if (e || !*t->head)
		return err_set(err, E_NOTFOUND, "no %s in the series %s", path, t->name);
	return repo_file(t->repo, t->head, path, ret, err);
}

int store_get_json(struct store *t, const char *path, struct json **ret, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = store_get(t, path, &text, err);

	return rc ? rc : json_parse_schema(buf_str(&text), path, STATE_SCHEMA, ret, err);
}

static void put(struct store *t, const char *path, char *data_take, size_t len)
{
	struct edit *e = find_edit(t, path);

	if (e)
		free(e->data);
	else
		e = add_edit(t, path);
	e->data = data_take;
	e->len = len;
}

void store_put(struct store *t, const char *path, const void *data, size_t len)
{
	put(t, path, xmemdup0(data, len), len);
}

void store_put_json(struct store *t, const char *path, const struct json *j)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	json_dump(j, &b);
	store_put(t, path, b.p, b.len);
}

void store_del(struct store *t, const char *path)
{
	put(t, path, NULL, 0);
}

void store_ref(struct store *t, const char *ref, const char *new_id, const char *old_id)
{
	struct ref_move *m;

	vec_grow(t->moves, t->n_moves, t->cap_moves);
	m = &t->moves[t->n_moves++];
	m->ref = xstrdup(ref);
	m->new_id = xstrdup_null(new_id);
	m->old_id = xstrdup_null(old_id);
}

static void forget(struct store *t)
{
	for (size_t i = 0; i < t->n_edits; i++) {
		free(t->edits[i].path);
		free(t->edits[i].data);
	}
	for (size_t i = 0; i < t->n_moves; i++) {
		free(t->moves[i].ref);
		free(t->moves[i].new_id);
		free(t->moves[i].old_id);
	}
	free(t->slot);
	t->slot = NULL;
	t->n_edits = t->n_slots = t->n_moves = 0;
}

void store_join(struct store *t, const char *commit)
{
	oid_copy(commit, t->other);
}

/* Move the state to id, and everything that was to move with it, or nothing. */
static int move_refs(struct store *t, const char *id, const char *message,
		     struct err *err)
{
	struct ref_update *refs = xcalloc(t->n_moves + 1, sizeof(*refs));
	char *log _cleanup_free_ = xasprintf("series: %s", message);
	size_t n = 0;
	int rc = 0;

	if (strcmp(id, t->head))
		refs[n++] = (struct ref_update){ t->ref, id, t->head };
	for (size_t i = 0; i < t->n_moves; i++)
		refs[n++] = (struct ref_update){ t->moves[i].ref, t->moves[i].new_id,
						 t->moves[i].old_id };
	if (n)
		rc = git_update_refs(t->repo, refs, n, log, err);
	free(refs);
	if (rc)
		return err_context(err, "series %s", t->name);
	memcpy(t->head, id, OID_HEX);
	t->other[0] = '\0';
	forget(t);
	return 0;
}

int store_commit(struct store *t, const char *message, struct err *err)
{
	struct tree_edit *edits = xcalloc(t->n_edits + 1, sizeof(*edits));
	const char *parents[] = { t->head, t->other };
	char id[OID_HEX];
	int rc;

	for (size_t i = 0; i < t->n_edits; i++)
		edits[i] = (struct tree_edit){ t->edits[i].path, t->edits[i].data,
					       t->edits[i].len };
	rc = repo_commit_merge(t->repo, parents,
			       !*t->head   ? 0
			       : *t->other ? 2
					   : 1,
			       edits, t->n_edits, message, id, err);
	free(edits);
	if (rc)
		return err_context(err, "series %s", t->name);
	return move_refs(t, id, message, err);
}

int store_forward(struct store *t, const char *commit, const char *message,
		  struct err *err)
{
	return move_refs(t, commit, message, err);
}

const char *store_at(const struct store *t)
{
	return t->head;
}

void store_end(struct store *t)
{
	if (!t)
		return;
	forget(t);
	free(t->edits);
	free(t->moves);
	free(t->name);
	free(t->ref);
	lock_release(&t->lock);
	free(t);
}

void store_endp(struct store **t)
{
	store_end(*t);
	*t = NULL;
}
