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

static int run_format_patch(const struct patch_range *r, const struct addr *from,
			    const char *dir, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct buf out _cleanup_buf_ = BUF_INIT;

	strvec_pushl(&args, "-c", "format.mboxrd=false", "-c", "format.noprefix=false",
		     "-c", "log.showSignature=false", "format-patch", "-q",
		     "--suffix=.patch", "--start-number=1", "--no-cover-letter",
		     "--no-thread", "--no-attach", "--no-base", "--no-to", "--no-cc",
		     "--no-add-header", "--no-signoff", "--no-color", "--no-ext-diff",
		     "--no-textconv", "--no-relative", "--binary", "--submodule=short",
		     "--ignore-submodules=none", "--src-prefix=a/", "--dst-prefix=b/",
		     "--encoding=UTF-8", "--always", NULL);
	strvec_pushf(&args, "--from=%s <%s>", from->name, from->email);
	if (!r->signature)
		strvec_push(&args, "--no-signature");
	strvec_pushl(&args, "-o", dir, NULL);
	strvec_pushf(&args, "%s..%s", r->base, r->head);
	return git_check(r->repo, strvec_argv(&args), STR_NULL, &out, err);
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

static int read_texts(const char *dir, bool signature, struct patchset *p,
		      struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = fs_list(dir, &names, err);

	if (rc)
		return rc;
	if (names.n != p->n)
		return err_set(err, E_FAIL,
			       "git format-patch made %zu mails of %zu commits", names.n,
			       p->n);
	for (size_t i = 0; i < p->n && !rc; i++) {
		char *path _cleanup_free_ = path_join(dir, names.v[i]);

		rc = fs_read(path, TEXT_MAX, &p->texts[i], err);
		if (!rc)
			rc = patch_mail_parse(buf_str(&p->texts[i]), &p->mails[i], err);
	}
	/* Without one a removed line "- " of the last diff would look like it. */
	p->signature = STR_LIT("");
	if (!rc && p->n && signature)
		p->signature = find_signature(p->mails[p->n - 1].rest);
	return rc;
}

static int read_summaries(const struct patch_range *r, struct patchset *p,
			  struct err *err)
{
	char *range _cleanup_free_ = xasprintf("%s..%s", r->base, r->head);
	char *shortlog[] = { "shortlog", "-w72,2,4", range, NULL };
	char *stat[] = { "diff",
			 "--stat=72",
			 "--summary",
			 "--no-color",
			 "--no-ext-diff",
			 "--no-relative",
			 "--ignore-submodules=none",
			 range,
			 NULL };
	int rc = git_check(r->repo, shortlog, STR_NULL, &p->shortlog, err);

	return rc ? rc : git_check(r->repo, stat, STR_NULL, &p->stat, err);
}

int patchset_read(const struct patch_range *r, const struct addr *from,
		  struct patchset *ret, struct err *err)
{
	struct patchset p _cleanup_patchset_ = { 0 };
	char *dir _cleanup_free_ = NULL;
	int rc = repo_range(r->repo, r->base, r->head, SERIES_MAX_PATCHES, &p.commits,
			    &p.n, err);

	if (rc)
		return rc;
	p.texts = xcalloc(p.n + 1, sizeof(*p.texts));
	p.mails = xcalloc(p.n + 1, sizeof(*p.mails));
	rc = fs_tmpdir("series-post", &dir, err);
	if (rc)
		return rc;
	rc = run_format_patch(r, from, dir, err);
	if (!rc)
		rc = read_texts(dir, r->signature, &p, err);
	fs_rmtree(dir, NULL);
	if (!rc)
		rc = read_summaries(r, &p, err);
	if (rc)
		return rc;
	*ret = p;
	p = (struct patchset){ 0 };
	return 0;
}
