// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mailtree.c - see mailtree.h.
 */
#include "apart.h"
#include "mailtree.h"
#include "series/compose.h"
#include "series/mailinfo.h"
#include "series/mem.h"

struct mailtree {
	struct repo *repo;
	struct apart room;
	char at[OID_HEX]; /* the commit whose tree is in the index, "" none */
};

int mailtree_open(struct repo *r, struct mailtree **ret, struct err *err)
{
	struct mailtree *t _cleanup_mailtree_ = xcalloc(1, sizeof(*t));
	int rc = apart_open(r, "series-mails", OBJECTS_STAY, &t->room, err);

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

static int stand(struct mailtree *t, const char *on, struct err *err)
{
	char *args[] = { "read-tree", (char *)on, NULL };
	int rc = 0;

	if (strcmp(t->at, on))
		rc = run(t, args, NULL, STR_NULL, NULL, err);
	t->at[0] = '\0';
	return rc;
}

static int apply(struct mailtree *t, struct str patch, const char *on, struct err *err)
{
	struct err merge _cleanup_err_ = ERR_INIT;
	char *plain[] = { "apply", "--cached", NULL };
	char *merged[] = { "apply", "--cached", "--3way", NULL };
	int rc = stand(t, on, err);

	if (!rc)
		rc = run(t, plain, NULL, patch, NULL, err);
	if (rc != E_CONFLICT)
		return rc;
	/* Its own words name the lines; those of a merge do not. */
	rc = run(t, merged, NULL, patch, NULL, &merge);
	return rc && rc != E_CONFLICT ? err_set(err, rc, "%s", err_msg(&merge)) : rc;
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
	char *write[] = { "write-tree", NULL };
	struct strvec env _cleanup_strvec_ = STRVEC_INIT;
	struct buf tree _cleanup_buf_ = BUF_INIT, id _cleanup_buf_ = BUF_INIT,
			message _cleanup_buf_ = BUF_INIT;
	int rc = run(t, write, NULL, STR_NULL, &tree, err);

	if (rc)
		return rc;
	while (tree.len && tree.p[tree.len - 1] == '\n')
		buf_truncate(&tree, tree.len - 1);
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

int mailtree_apply(struct mailtree *t, const struct mail *m, const char *on,
		   char ret[OID_HEX], struct err *err)
{
	struct mailinfo i = { 0 };
	int rc;

	mailinfo_read(m, &i);
	if (!i.patch.len)
		rc = err_set(err, E_CONFLICT, "there is no patch in the mail");
	else
		rc = apply(t, buf_str(&i.patch), on, err);
	if (!rc)
		rc = commit(t, m, &i, on, ret, err);
	mailinfo_release(&i);
	return rc;
}
