// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recipients_conf.c - git's settings about recipients: identities, alias files, whom to
 * leave out; and the commands that the user's own configuration names.
 */
#include <ctype.h>
#include <strings.h>
#include "recipients_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/post.h"

/* How long a command of the user may think about one patch. */
#define CMD_TIMEOUT_MS 300000

int conf_aliases(const struct config *c, struct aliases *ret, struct err *err)
{
	const char *type = sendemail_get(c, "aliasfiletype");
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	char *why _cleanup_free_ = NULL;
	struct aliases a = ALIASES_INIT;
	int rc = 0;

	/* As git: without a type no file is read. */
	if (type)
		sendemail_get_all(c, "aliasesfile", &files, &why);
	for (size_t i = 0; i < files.n && !rc; i++) {
		char *path _cleanup_free_ = path_expand_home(files.v[i]);

		rc = aliases_read(&a, type, path, err);
	}
	if (rc) {
		aliases_release(&a);
		return err_context(err, "sendemail.aliasesFile");
	}
	*ret = a;
	return 0;
}

/* Address of the sender in fresh memory, "" when it is not known. */
static char *conf_self(const struct config *c)
{
	const char *from = sendemail_get(c, "from"), *email = config_get(c, "user.email");
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;

	if (from && !addrs_parse(&got, from, NULL) && got.n == 1)
		return xstrdup(got.v[0].email);
	return xstrdup(email ? email : "");
}

void suppress_release(struct suppress *s)
{
	free(s->me);
	*s = (struct suppress){ 0 };
}

static int suppress_word(struct suppress *q, const char *word, struct err *err)
{
	bool all = !strcmp(word, "all"), body = all || !strcmp(word, "body");
	const struct {
		const char *word;
		bool *flag, with;
	} words[] = {
		{ "self", &q->self, all },
		{ "author", &q->author, all },
		{ "cc", &q->cc, all },
		{ "cccmd", &q->cccmd, all },
		{ "bodycc", &q->bodycc, body },
		{ "sob", &q->sob, body },
		{ "misc-by", &q->misc_by, body },
	};
	bool known = body;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		bool hit = words[i].with || !strcmp(words[i].word, word);

		*words[i].flag |= hit;
		known |= hit;
	}
	return known ? 0
		     : err_set(err, E_USAGE,
			       "sendemail.suppressCc: '%s' is not known; "
			       "git-send-email(1) "
			       "has author, self, cc, bodycc, sob, misc-by, cccmd, body, "
			       "all",
			       word);
}

int conf_suppress(const struct config *c, struct suppress *ret, struct err *err)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;
	char *why _cleanup_free_ = NULL;
	struct suppress q = { 0 };
	const char *v;
	int rc = 0;

	sendemail_get_all(c, "suppresscc", &words, &why);
	for (size_t i = 0; i < words.n && !rc; i++)
		rc = suppress_word(&q, words.v[i], err);
	if (rc)
		return rc;
	/* The older settings go before. */
	v = sendemail_get(c, "suppressfrom");
	if (v)
		q.self = config_bool(v, true);
	v = sendemail_get(c, "signedoffbycc");
	if (!v)
		v = sendemail_get(c, "signedoffcc");
	if (v)
		q.sob = !config_bool(v, true);
	q.me = conf_self(c);
	*ret = q;
	return 0;
}

int patch_files_make(const struct series *s, struct patch_files *ret, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct patch_files p _cleanup_patch_files_ = { 0 };
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = fs_tmpdir("series-patches", &p.dir, err);

	if (rc)
		return rc;
	strvec_pushl(&args, "-c", "format.mboxrd=false", "-c", "format.noprefix=false",
		     "format-patch", "-q", "--suffix=.patch", "--start-number=1",
		     "--no-cover-letter", "--no-thread", "--no-attach", "--no-signoff",
		     "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative",
		     "--src-prefix=a/", "--dst-prefix=b/", "-o", p.dir, NULL);
	strvec_pushf(&args, "%s..%s", s->base, s->head);
	rc = git_check(s->repo, strvec_argv(&args), STR_NULL, &out, err);
	if (!rc)
		rc = fs_list(p.dir, &names, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < names.n; i++)
		strvec_take(&p.paths, path_join(p.dir, names.v[i]));
	*ret = p;
	p = (struct patch_files){ 0 };
	return 0;
}

void patch_files_release(struct patch_files *p)
{
	if (p->dir)
		fs_rmtree(p->dir, NULL);
	free(p->dir);
	strvec_release(&p->paths);
	*p = (struct patch_files){ 0 };
}

int user_cmd_run(const struct series *s, const char *key, const char *cmd,
		 const char *file, bool on_stdin, struct buf *ret_out, struct err *err)
{
	char *script _cleanup_free_ =
		on_stdin ? xstrdup(cmd) : xasprintf("%s \"$@\"", cmd);
	char *argv[] = { "sh", "-c", script, "sh", on_stdin ? NULL : (char *)file, NULL };
	struct proc_opts o = { .argv = argv,
			       .cwd = repo_work_tree(s->repo),
			       .timeout_ms = CMD_TIMEOUT_MS };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf input _cleanup_buf_ = BUF_INIT;
	int rc = on_stdin ? fs_read(file, 0, &input, err) : 0;

	o.input = buf_str(&input);
	if (!rc)
		rc = proc_check(&o, &res, err);
	if (rc)
		return err_context(err, "%s: '%s' for %s", key, cmd, path_base(file));
	buf_addstr(ret_out, buf_str(&res.out));
	return 0;
}
