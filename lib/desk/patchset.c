// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchset.c - see patchset.h. The user's git configuration holds, except for what would
 * make a patch that git am cannot apply or a message that is not the branch's.
 */
#include "patchset.h"
#include "series/fs.h"
#include "series/mem.h"

#define TEXT_MAX ((size_t)256 << 20)

void patchset_release(struct patchset *p)
{
	for (size_t i = 0; i < p->n; i++)
		buf_release(&p->texts[i]);
	free(p->texts);
	free(p->mails);
	commits_free(p->commits, p->commits ? p->n : 0);
	buf_release(&p->shortlog);
	buf_release(&p->stat);
	*p = (struct patchset){ 0 };
}

static int run_format_patch(const struct series *s, const struct addr *from,
			    const char *dir, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct buf out _cleanup_buf_ = BUF_INIT;

	strvec_pushl(&args, "-c", "format.mboxrd=false", "-c", "format.noprefix=false",
		     "format-patch", "-q", "--suffix=.patch", "--start-number=1",
		     "--no-cover-letter", "--no-thread", "--no-attach", "--no-base",
		     "--no-to", "--no-cc", "--no-add-header", "--no-signoff",
		     "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative",
		     "--binary", "--submodule=short", "--src-prefix=a/",
		     "--dst-prefix=b/", "--encoding=UTF-8", NULL);
	strvec_pushf(&args, "--from=%s <%s>", from->name, from->email);
	strvec_pushl(&args, "-o", dir, NULL);
	strvec_pushf(&args, "%s..%s", s->base, s->head);
	return git_check(s->repo, strvec_argv(&args), STR_NULL, &out, err);
}

/* The end of the last mail: what git put below "-- ". */
static struct str find_signature(struct str text)
{
	struct str sig = STR_NULL, rest = text, line;

	while (str_line(&rest, &line))
		if (str_eqc(line, "-- "))
			sig = rest;
	return sig.p ? str_trim(sig) : STR_LIT("");
}

static int read_texts(const char *dir, struct patchset *p, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = fs_list(dir, &names, err);

	if (rc)
		return rc;
	if (names.n != p->n)
		return err_set(
			err, E_FAIL,
			"git format-patch made %zu mails of %zu commits; is one of "
			"them empty?",
			names.n, p->n);
	for (size_t i = 0; i < p->n && !rc; i++) {
		char *path _cleanup_free_ = path_join(dir, names.v[i]);

		rc = fs_read(path, TEXT_MAX, &p->texts[i], err);
		if (!rc)
			rc = patch_mail_parse(buf_str(&p->texts[i]), &p->mails[i], err);
	}
	if (!rc && p->n)
		p->signature = find_signature(p->mails[p->n - 1].rest);
	return rc;
}

static int read_summaries(const struct series *s, struct patchset *p, struct err *err)
{
	char *range _cleanup_free_ = xasprintf("%s..%s", s->base, s->head);
	char *shortlog[] = { "shortlog", "-w72,2,4", range, NULL };
	char *stat[] = { "diff",	  "--stat=72",	   "--summary", "--no-color",
			 "--no-ext-diff", "--no-relative", range,	NULL };
	int rc = git_check(s->repo, shortlog, STR_NULL, &p->shortlog, err);

	return rc ? rc : git_check(s->repo, stat, STR_NULL, &p->stat, err);
}

int patchset_read(const struct series *s, const struct addr *from, struct patchset *ret,
		  struct err *err)
{
	struct patchset p _cleanup_patchset_ = { 0 };
	char *dir _cleanup_free_ = NULL;
	int rc = repo_range(s->repo, s->base, s->head, SERIES_MAX_PATCHES, &p.commits,
			    &p.n, err);

	if (rc)
		return rc;
	p.texts = xcalloc(p.n + 1, sizeof(*p.texts));
	p.mails = xcalloc(p.n + 1, sizeof(*p.mails));
	rc = fs_tmpdir("series-post", &dir, err);
	if (rc)
		return rc;
	rc = run_format_patch(s, from, dir, err);
	if (!rc)
		rc = read_texts(dir, &p, err);
	fs_rmtree(dir, NULL);
	if (!rc)
		rc = read_summaries(s, &p, err);
	if (rc)
		return rc;
	*ret = p;
	p = (struct patchset){ 0 };
	return 0;
}

static void where_of(const struct patchset *p, size_t i, struct buf *out)
{
	buf_printf(out, "patch %zu/%zu '%s'", i + 1, p->n, p->commits[i].subject);
}

void patchset_check(const struct series *s, const struct patchset *p, size_t i,
		    struct findings *f)
{
	const struct commit *c = &p->commits[i];
	char *cut _cleanup_free_ = message_cut(c->message);
	struct buf where _cleanup_buf_ = BUF_INIT;

	where_of(p, i, &where);
	if (cut)
		findings_add(f, "message-cut", SEVERITY_ERROR, buf_cstr(&where),
			     "reword it (git rebase -i, reword); a blank in front of the "
			     "line helps",
			     "%s", cut);
	if (str_find(p->mails[i].rest, "\ndiff --git ") < 0 &&
	    !str_starts(p->mails[i].rest, "diff --git "))
		findings_add(f, "patch-empty", SEVERITY_ERROR, buf_cstr(&where),
			     "drop it, or say what it says in the cover letter",
			     "changes nothing; git am refuses it");
}

/* Value of "KEY: ..." in what git mailinfo printed. */
static struct str info_line(struct str info, const char *key)
{
	struct str line;

	while (str_line(&info, &line))
		if (str_skip(&line, key))
			return line;
	return STR_LIT("");
}

static int run_mailinfo(const struct series *s, struct str mail, struct buf *info,
			struct buf *msg, struct err *err)
{
	char *dir _cleanup_free_ = NULL, *m _cleanup_free_ = NULL,
		  *p _cleanup_free_ = NULL;
	int rc = fs_tmpdir("series-post", &dir, err);

	if (rc)
		return rc;
	m = path_join(dir, "message");
	p = path_join(dir, "patch");
	char *args[] = { "mailinfo", "--encoding=UTF-8", m, p, NULL };

	rc = git_check(s->repo, args, mail, info, err);
	if (!rc)
		rc = fs_read(m, TEXT_MAX, msg, err);
	fs_rmtree(dir, NULL);
	return rc;
}

int patchset_verify(const struct series *s, const struct patchset *p, size_t i,
		    struct str mail, struct findings *f, struct err *err)
{
	struct buf info _cleanup_buf_ = BUF_INIT, msg _cleanup_buf_ = BUF_INIT;
	struct buf where _cleanup_buf_ = BUF_INIT;
	const struct commit *c = &p->commits[i];
	struct str name, email;
	int rc = run_mailinfo(s, mail, &info, &msg, err);

	if (rc)
		return rc;
	where_of(p, i, &where);
	name = info_line(buf_str(&info), "Author: ");
	email = info_line(buf_str(&info), "Email: ");
	if (!str_eqc(name, c->author_name) || !str_eqc(email, c->author_email))
		findings_add(f, "author-lost", SEVERITY_ERROR, buf_cstr(&where),
			     "correct the author (git commit --amend --author)",
			     "git am would read the author as '" STR_FMT " <" STR_FMT
			     ">', not '%s <%s>'",
			     STR_ARG(name), STR_ARG(email), c->author_name,
			     c->author_email);
	if (!message_same(c->message, info_line(buf_str(&info), "Subject: "),
			  buf_str(&msg)))
		findings_add(f, "message-lost", SEVERITY_ERROR, buf_cstr(&where),
			     "look at the message for lines that read as mail headers, "
			     "scissors or diffs",
			     "git am would not give the message of the commit back");
	return 0;
}
