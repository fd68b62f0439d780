// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mailtree.c - see mailtree.h.
 */
#include "mailtree.h"
#include "series/compose.h"
#include "series/mailinfo.h"
#include "series/mem.h"

struct mailtree {
	struct repo *repo;
	struct apart room;
	char at[OID_HEX]; /* the commit whose tree is in the index, "" none */
};

int mailtree_open(struct repo *r, enum apart_objects objects, struct mailtree **ret,
		  struct err *err)
{
	struct mailtree *t _cleanup_mailtree_ = xcalloc(1, sizeof(*t));
	int rc = apart_open(r, "series-mails", objects, &t->room, err);

	if (rc)
		return rc;
	t->repo = r;
	*ret = t;
	t = NULL;
	return 0;
}

void mailtree_close(struct mailtree **t)
{
	if (!*t)
		return;
	apart_release(&(*t)->room);
	free(*t);
	*t = NULL;
}

static int run(struct mailtree *t, char *const *args, const struct strvec *more_env,
	       struct str input, struct buf *out, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc = apart_run(&t->room, args, more_env, input, &res, err);

	if (rc)
		return rc;
	if (out)
		buf_addstr(out, buf_str(&res.out));
	if (!res.status)
		return 0;
	/* No fault of the mail's: the same one may apply when there is room again. */
	if (git_disk_full(t->room.dir))
		return git_failed(args[0], t->room.dir, &res, err);
	if (git_disk_full(repo_common_dir(t->repo)))
		return git_failed(args[0], repo_common_dir(t->repo), &res, err);
	return err_set(err, E_CONFLICT, STR_FMT, STR_ARG(git_words(&res.err)));
}

int mailtree_stand(struct mailtree *t, const char *on, struct err *err)
{
	char *args[] = { "read-tree", (char *)on, NULL };
	int rc = 0;

	if (strcmp(t->at, on))
		rc = run(t, args, NULL, STR_NULL, NULL, err);
	t->at[0] = '\0';
	return rc;
}

static int apply(struct mailtree *t, struct str patch, struct err *err)
{
	char *plain[] = { "apply", "--cached", NULL };

	return run(t, plain, NULL, patch, NULL, err);
}

/* Its words are none: those of git apply without a merge name the lines. */
static int merge(struct mailtree *t, struct str patch, struct err *err)
{
	struct err why _cleanup_err_ = ERR_INIT;
	char *merged[] = { "apply", "--cached", "--3way", NULL };
	int rc = run(t, merged, NULL, patch, NULL, &why);

	return rc && rc != E_CONFLICT ? err_set(err, rc, "%s", err_msg(&why)) : rc;
}

static int write_tree(struct mailtree *t, struct buf *ret, struct err *err)
{
	char *write[] = { "write-tree", NULL };
	int rc = run(t, write, NULL, STR_NULL, ret, err);

	while (ret->len && ret->p[ret->len - 1] == '\n')
		buf_truncate(ret, ret->len - 1);
	return rc;
}

/* Author and date of the mail; git's own form of a date is read by every git. */
static void author_env(const struct mail *m, const struct mailinfo *i, struct strvec *env)
{
	int64_t date;
	int zone;

	strvec_pushf(env, "GIT_AUTHOR_NAME=%s", *i->name ? i->name : i->email);
	strvec_pushf(env, "GIT_AUTHOR_EMAIL=%s", i->email);
	if ((field_date(str_c(i->date), &date, &zone) ||
	     field_date(field_get(m->head, "Date"), &date, &zone)) &&
	    date >= 0)
		strvec_pushf(env, "GIT_AUTHOR_DATE=@%lld %c%02d%02d", (long long)date,
			     zone < 0 ? '-' : '+', abs(zone) / 60 % 100, abs(zone) % 60);
}

static int commit(struct mailtree *t, const struct mail *m, const struct mailinfo *i,
		  const char *on, char ret[OID_HEX], struct err *err)
{
	struct strvec env _cleanup_strvec_ = STRVEC_INIT;
	struct buf tree _cleanup_buf_ = BUF_INIT, id _cleanup_buf_ = BUF_INIT,
			message _cleanup_buf_ = BUF_INIT;
	int rc = write_tree(t, &tree, err);

	if (rc)
		return rc;
	char *args[] = { "commit-tree",		  "-p", (char *)on, "-F", "-",
			 (char *)buf_cstr(&tree), NULL };

	message_read_back(str_c(i->subject), buf_str(&i->message), &message);
	author_env(m, i, &env);
	rc = run(t, args, &env, buf_str(&message), &id, err);
	if (!rc && id.len < OID_HEX - 1)
		rc = err_set(err, E_FAIL, "git commit-tree gives no object name");
	if (rc)
		return rc;
	memcpy(ret, id.p, OID_HEX - 1);
	ret[OID_HEX - 1] = '\0';
	memcpy(t->at, ret, OID_HEX);
	return 0;
}

static int read_patch(const struct mail *m, struct mailinfo *i, struct err *err)
{
	mailinfo_read(m, i);
	return i->patch.len ? 0
			    : err_set(err, E_CONFLICT, "there is no patch in the mail");
}

int mailtree_apply(struct mailtree *t, const struct mail *m, const char *on,
		   char ret[OID_HEX], struct err *err)
{
	struct mailinfo i _cleanup_mailinfo_ = { 0 };
	int rc = read_patch(m, &i, err);

	if (!rc)
		rc = mailtree_stand(t, on, err);
	if (!rc)
		rc = apply(t, buf_str(&i.patch), err);
	if (rc == E_CONFLICT)
		rc = merge(t, buf_str(&i.patch), err);
	return rc ? rc : commit(t, m, &i, on, ret, err);
}

bool mailtree_has(struct mailtree *t, const char *name)
{
	char *args[] = { "cat-file", "-e", (char *)name, NULL };

	return !run(t, args, NULL, STR_NULL, NULL, NULL);
}

/* A merge that changes nothing is of a change that is there. */
static int put_merged(struct mailtree *t, struct str patch, bool *ret_there,
		      struct err *err)
{
	struct buf before _cleanup_buf_ = BUF_INIT, after _cleanup_buf_ = BUF_INIT;
	int rc = write_tree(t, &before, err);

	if (!rc)
		rc = merge(t, patch, err);
	if (!rc)
		rc = write_tree(t, &after, err);
	*ret_there = !rc && str_eq(buf_str(&before), buf_str(&after));
	return rc;
}

void mailtree_strip_cr(struct str text, struct buf *out)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.p[i] != '\r' || i + 1 == text.len || text.p[i + 1] != '\n')
			buf_putc(out, text.p[i]);
}

/* Base64 keeps line ends that some mail program made. */
static bool put_stripped(struct mailtree *t, struct str patch)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (str_find(patch, "\r\n") < 0)
		return false;
	mailtree_strip_cr(patch, &text);
	return !apply(t, buf_str(&text), NULL);
}

int mailtree_put(struct mailtree *t, const struct mail *m, enum mailtree_how *ret,
		 struct err *err)
{
	char *back[] = { "apply", "--cached", "--check", "--reverse", NULL };
	struct mailinfo i _cleanup_mailinfo_ = { 0 };
	bool there = false;
	int rc = read_patch(m, &i, err);

	*ret = PUT_DONE;
	if (!rc)
		rc = apply(t, buf_str(&i.patch), err);
	if (rc != E_CONFLICT || !i.patch.len)
		return rc;
	if (put_stripped(t, buf_str(&i.patch))) {
		*ret = PUT_WITHOUT_CR;
		rc = 0;
	} else {
		there = !run(t, back, NULL, buf_str(&i.patch), NULL, NULL);
		rc = there ? 0 : put_merged(t, buf_str(&i.patch), &there, err);
		*ret = !rc && there ? PUT_THERE : PUT_DONE;
	}
	if (!rc && err)
		err_release(err);
	return rc;
}
