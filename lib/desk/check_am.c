// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_am.c - the finished mails, applied on the base one after the other as git am does
 * (git mailinfo, git apply), give the very trees of the branch.
 *
 * This happens in an index of our own that holds only the files that the patches touch: a
 * patch that touched another, or left one out, would show. New objects go to a folder
 * that is removed. Author and message were compared when the mails were made.
 */
#include "apart.h"
#include "check_priv.h"
#include "series/fs.h"
#include "series/progress.h"

/* A file that the series touches: what a tree has at its place, mode "" for nothing. */
struct entry {
	char *path;
	char mode[7], oid[OID_HEX];
	size_t order; /* in which the commits name it */
};

struct proof {
	const struct check_ctx *x;
	struct apart room;
	struct entry *v; /* by path, as the index sorts them */
	size_t n;
	struct buf raw;	    /* git diff-tree of all commits */
	struct strvec raws; /* its pieces: commit, then pairs of ":..." and path */
};

static void proof_release(struct proof *q)
{
	for (size_t i = 0; i < q->n; i++)
		free(q->v[i].path);
	free(q->v);
	apart_release(&q->room);
	buf_release(&q->raw);
	strvec_release(&q->raws);
}

static int run_checked(struct proof *q, char *const *args, struct str input,
		       struct buf *ret_out, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc = apart_run(&q->room, args, NULL, input, &res, err);

	if (rc)
		return rc;
	if (res.status)
		return git_failed(args[0], q->room.dir, &res, err);
	if (ret_out)
		buf_addstr(ret_out, buf_str(&res.out));
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

static int by_path_and_order(const void *a, const void *b)
{
	const struct entry *p = a, *q = b;
	int order = by_path(a, b);

	return order ? order : (p->order > q->order) - (p->order < q->order);
}

static struct entry *find(struct proof *q, const char *path)
{
	struct entry key = { .path = (char *)path };

	return q->n ? bsearch(&key, q->v, q->n, sizeof(key), by_path) : NULL;
}

/* side 0: what ":100644 100644 OID OID M" says was there; 1: what is there. */
static void take_side(const char *raw, int side, struct entry *e)
{
	struct str rest = str_c(raw + 1), word[4] = { STR_NULL };

	for (size_t i = 0; i < 4; i++)
		str_word(&rest, &word[i]);
	e->mode[0] = '\0';
	if (word[side].len != 6 || word[2 + side].len != OID_HEX - 1 ||
	    str_eqc(word[side], "000000"))
		return;
	memcpy(e->mode, word[side].p, 6);
	e->mode[6] = '\0';
	memcpy(e->oid, word[2 + side].p, OID_HEX - 1);
	e->oid[OID_HEX - 1] = '\0';
}

/* What each commit changes, and what the base has at those places. */
static int read_changes(struct proof *q, struct err *err)
{
	char *args[] = { "diff-tree",	"--stdin",
			 "-r",		"-z",
			 "--raw",	"--no-renames",
			 "--no-abbrev", "--ignore-submodules=none",
			 NULL };
	struct buf ids _cleanup_buf_ = BUF_INIT;
	struct str rest, piece;
	size_t cap = 0, kept = 0;
	int rc;

	for (size_t i = 0; i < q->x->n; i++)
		buf_printf(&ids, "%s\n", q->x->commits[i].id);
	rc = run_checked(q, args, buf_str(&ids), &q->raw, err);
	rest = buf_str(&q->raw);
	while (!rc && str_cut(&rest, '\0', &piece))
		if (piece.len)
			strvec_push_str(&q->raws, piece);
	for (size_t i = 0; !rc && i + 1 < q->raws.n; i++) {
		if (q->raws.v[i][0] != ':')
			continue;
		vec_grow(q->v, q->n, cap);
		q->v[q->n] = (struct entry){ .path = xstrdup(q->raws.v[i + 1]),
					     .order = q->n };
		take_side(q->raws.v[i++], 0, &q->v[q->n++]);
	}
	/* Of one path the first counts. */
	if (q->n)
		qsort(q->v, q->n, sizeof(*q->v), by_path_and_order);
	for (size_t i = 0; i < q->n; i++) {
		if (kept && !strcmp(q->v[kept - 1].path, q->v[i].path))
			free(q->v[i].path);
		else
			q->v[kept++] = q->v[i];
	}
	q->n = kept;
	return rc;
}

/* An index of the files as the base has them. */
static int make_index(struct proof *q, struct err *err)
{
	char *args[] = { "update-index", "-z", "--index-info", NULL };
	struct buf in _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < q->n; i++)
		if (q->v[i].mode[0]) {
			buf_printf(&in, "%s %s\t%s", q->v[i].mode, q->v[i].oid,
				   q->v[i].path);
			buf_putc(&in, '\0');
		}
	return run_checked(q, args, buf_str(&in), NULL, err);
}

/* Follow commit i; *at stands on its piece. False when it changes nothing. */
static bool follow(struct proof *q, size_t *at)
{
	size_t start = ++*at;

	for (; *at + 1 < q->raws.n && q->raws.v[*at][0] == ':'; *at += 2) {
		struct entry *e = find(q, q->raws.v[*at + 1]);

		if (e)
			take_side(q->raws.v[*at], 1, e);
	}
	return *at > start;
}

/* Is the index what the commit has? */
static int compare(struct proof *q, bool *ret, struct err *err)
{
	struct buf is _cleanup_buf_ = BUF_INIT, wanted _cleanup_buf_ = BUF_INIT;
	int rc = index_read(q->room.index, &is, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < q->n; i++)
		if (q->v[i].mode[0]) {
			buf_printf(&wanted, "%s %s 0\t%s", q->v[i].mode, q->v[i].oid,
				   q->v[i].path);
			buf_putc(&wanted, '\0');
		}
	*ret = str_eq(buf_str(&is), buf_str(&wanted));
	return 0;
}

/* Apply one mail. *ret_words: what git says when it cannot, "" when it can. */
static int apply(struct proof *q, struct str mail, struct buf *ret_words, struct err *err)
{
	char *m _cleanup_free_ = path_join(q->room.dir, "message");
	char *patch _cleanup_free_ = path_join(q->room.dir, "patch");
	char *read[] = {
		"mailinfo", "--no-scissors", "--encoding=UTF-8", m, patch, NULL
	};
	char *put[] = { "apply", "--cached", patch, NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct str said;
	int rc = run_checked(q, read, mail, NULL, err);

	if (!rc)
		rc = apart_run(&q->room, put, NULL, STR_NULL, &res, err);
	if (rc || !res.status)
		return rc;
	said = git_words(&res.err);
	buf_addstr(ret_words, said.len ? said : STR_LIT("git apply fails"));
	return 0;
}

static int prove(struct proof *q, struct check_ctx *x, struct err *err)
{
	const struct outbox *o = x->p->outbox;
	size_t first = o->n_mails - x->n, at = 0;
	struct progress progress = { 0 };
	char *remedy _cleanup_free_ = NULL;
	int rc = 0;

	/* The cover letter is no patch for git am. */
	remedy = xasprintf("series format -o DIR && rm -f DIR/*0000-* && "
			   "git switch --detach %.12s && git am DIR/*",
			   x->base);
	progress_start(&progress, "applying the mails", (int64_t)x->n);
	for (size_t i = 0; i < x->n && !rc; i++) {
		struct buf words _cleanup_buf_ = BUF_INIT;
		char *where _cleanup_free_ = check_where(x, i);
		bool same = true;

		progress_update(&progress, (int64_t)i, x->commits[i].subject);
		if (!follow(q, &at))
			continue;
		rc = apply(q, buf_str(&o->mails[first + i].data), &words, err);
		if (!rc && !words.len)
			rc = compare(q, &same, err);
		if (!rc && words.len)
			check_add(x, "am-proof", where, remedy,
				  "git am of the mails on the base fails here: %s",
				  buf_cstr(&words));
		else if (!rc && !same)
			check_add(
				x, "am-proof", where, remedy,
				"git am of the mails gives another tree than the commit");
		if (words.len || !same)
			break;
	}
	progress_end(&progress);
	return rc;
}

/* An error about a message or a patch says the same already. */
static bool known(const struct check_ctx *x)
{
	for (size_t i = 0; i < x->p->findings.n; i++) {
		const struct finding *f = &x->p->findings.v[i];
		struct str id = str_c(f->id);

		if (f->severity == SEVERITY_ERROR &&
		    (str_eqc(id, "message-cut") || str_eqc(id, "notes-cut") ||
		     str_eqc(id, "patch-lost") || str_eqc(id, "patch-unreadable")))
			return true;
	}
	return false;
}

int check_am(struct check_ctx *x, struct err *err)
{
	struct proof q _cleanup_(proof_release) = { .x = x };
	const struct outbox *o = x->p->outbox;
	int rc;

	if (known(x) || o->n_mails < x->n || (!o->fixup && o->version.n_patches != x->n))
		return 0;
	rc = apart_open(x->s->repo, "series-am", OBJECTS_APART, &q.room, err);
	if (!rc)
		rc = read_changes(&q, err);
	if (!rc)
		rc = make_index(&q, err);
	return rc ? rc : prove(&q, x, err);
}
