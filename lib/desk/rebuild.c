// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rebuild.c - see rebuild.h. The commits go through one git fast-import a version.
 */
#include <string.h>
#include "hunkfiles.h"
#include "series/fs.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/rebuild.h"

#define ATTRIBUTES_MAX (1 << 20)
#define NOBODY	       "posted <posted@localhost> 0 +0000"

void rebuild_release(struct rebuild *b)
{
	repo_free(b->repo);
	if (b->dir)
		fs_rmtree(b->dir, NULL);
	free(b->dir);
	*b = (struct rebuild){ 0 };
}

void rebuilt_release(struct rebuilt *r)
{
	side_release(&r->side);
	free(r->number);
	strvec_release(&r->notes);
	*r = (struct rebuilt){ 0 };
}

static int init(const char *dir, struct err *err)
{
	char *git_dir _cleanup_free_ = xasprintf("GIT_DIR=%s/.git", dir);
	char *argv[] = { "git",		"init", "-q",	  "--object-format=sha1",
			 "--template=", "-b",	"posted", (char *)dir,
			 NULL };
	char *env[] = { git_dir, "GIT_WORK_TREE=.", NULL };
	struct proc_opts o = { .argv = argv, .cwd = dir, .env = env, .input = STR_NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc = proc_run(&o, &res, err);
	struct str said;

	if (rc || !res.status)
		return rc;
	said = str_trim(buf_str(&res.err));
	return err_set(err, E_FAIL, "git init %s: " STR_FMT " (status %d)", dir,
		       STR_ARG(said), res.status);
}

/* The commits of r, and what its files say of functions' names. */
static int share(struct repo *r, const char *dir, struct err *err)
{
	char *objects _cleanup_free_ = path_join(repo_common_dir(r), "objects");
	char *line _cleanup_free_ = xasprintf("%s\n", objects);
	const char *tree = repo_work_tree(r);
	char *from _cleanup_free_ = tree ? path_join(tree, ".gitattributes") : NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = fs_write_below(dir, ".git/objects/info/alternates", str_c(line), err);

	if (rc || !from || fs_read(from, ATTRIBUTES_MAX, &text, NULL))
		return rc;
	return fs_write_below(dir, ".git/info/attributes", buf_str(&text), err);
}

int rebuild_open(struct repo *r, struct rebuild *ret, struct err *err)
{
	struct rebuild b _cleanup_rebuild_ = { 0 };
	int rc = fs_tmpdir("series-posted", &b.dir, err);

	if (!rc)
		rc = init(b.dir, err);
	if (!rc && r)
		rc = share(r, b.dir, err);
	if (!rc)
		rc = repo_open(b.dir, &b.repo, err);
	if (rc)
		return rc;
	*ret = b;
	b = (struct rebuild){ 0 };
	return 0;
}

static void put_data(struct buf *out, struct str data)
{
	buf_printf(out, "data %zu\n", data.len);
	buf_addstr(out, data);
	buf_putc(out, '\n');
}

/* As git-fast-import(1) has paths: in quotes, so that any byte may be in them. */
static void put_path(struct buf *out, const char *path)
{
	buf_putc(out, '"');
	for (; *path; path++) {
		if (*path == '\n') {
			buf_puts(out, "\\n");
			continue;
		}
		if (*path == '"' || *path == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *path);
	}
	buf_puts(out, "\"\n");
}

/* Is the object of a binary file here, for it to be the very file of a commit? */
static bool blob_is_here(struct repo *r, const char *digits, struct strvec *ret)
{
	return *digits && !repo_objects(r, digits, ret, NULL) && ret->n == 1 &&
	       str_ends(str_c(ret->v[0]), " blob");
}

static void put_files(struct buf *out, struct repo *r, const struct hunk_files *f,
		      bool after)
{
	buf_puts(out, "deleteall\n");
	for (size_t i = 0; i < f->n; i++) {
		const struct hunk_file *h = &f->v[i];
		const char *path = after ? h->new_path : h->old_path;
		struct strvec blob _cleanup_strvec_ = STRVEC_INIT;

		if (!path)
			continue;
		if (h->binary &&
		    blob_is_here(r, after ? h->new_blob : h->old_blob, &blob)) {
			buf_printf(out, "M %s %.40s ", after ? h->new_mode : h->old_mode,
				   blob.v[0]);
			put_path(out, path);
			continue;
		}
		buf_printf(out, "M %s inline ", after ? h->new_mode : h->old_mode);
		put_path(out, path);
		put_data(out, buf_str(after ? &h->new_text : &h->old_text));
	}
}

/* "author NAME <ADDRESS> TIME": nothing in a name may end it. */
static void put_person(struct buf *out, const char *name, const char *email,
		       const struct thread_mail *m)
{
	const char *const parts[] = { name, email };

	buf_puts(out, "author ");
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		buf_puts(out, i ? " <" : "");
		for (const char *s = parts[i]; *s; s++)
			if (!strchr("<>\n\r", *s))
				buf_putc(out, *s);
	}
	buf_printf(out, "> %lld +0000\n", (long long)(m->date > 0 ? m->date : 0));
}

/*
 * Of the n-th patch (from 1): what it was made for, mark 2n - 1, and it, mark 2n. The
 * first of all is the base; the others are merges of it, for they belong to no patch.
 */
static void put_patch(struct buf *out, struct repo *r, const char *ref, size_t n,
		      const struct mailinfo *i, const struct hunk_files *f,
		      const struct thread_mail *m)
{
	struct str text = str_trim(buf_str(&i->message));
	struct buf message _cleanup_buf_ = BUF_INIT;

	buf_printf(out, "commit %s\nmark :%zu\ncommitter " NOBODY "\n", ref, 2 * n - 1);
	put_data(out, STR_LIT("made for\n"));
	if (n > 1)
		buf_printf(out, "from :%zu\nmerge :1\n", 2 * n - 2);
	put_files(out, r, f, false);
	buf_printf(out, "commit %s\nmark :%zu\n", ref, 2 * n);
	put_person(out, i->name, i->email, m);
	buf_puts(out, "committer " NOBODY "\n");
	buf_printf(&message, "%s\n", i->subject);
	if (text.len)
		buf_printf(&message, "\n" STR_FMT "\n", STR_ARG(text));
	put_data(out, buf_str(&message));
	buf_printf(out, "from :%zu\n", 2 * n - 1);
	put_files(out, r, f, true);
}

static void add_patch(struct repo *r, const struct thread_mail *m,
		      const struct posted_version *v, size_t patch, const char *ref,
		      struct rebuilt *ret, struct buf *out)
{
	struct mailinfo i _cleanup_mailinfo_;
	struct hunk_files f _cleanup_hunk_files_ = { 0 };
	struct strvec notes _cleanup_strvec_ = STRVEC_INIT;

	mailinfo_read(&m->mail, &i);
	hunk_files_read(buf_str(&i.patch), &f, &notes);
	if (!f.n)
		strvec_push(&notes, "there is no diff in it that can be read");
	for (size_t k = 0; k < notes.n; k++)
		strvec_pushf(&ret->notes, "%s: patch %zu/%zu: %s", v->label, patch,
			     v->total, notes.v[k]);
	ret->number[ret->n++] = patch;
	put_patch(out, r, ref, ret->n, &i, &f, m);
}

int rebuild_version(struct rebuild *b, const struct thread *t, const struct posted *p,
		    size_t version, struct rebuilt *ret, struct err *err)
{
	const struct posted_version *v = &p->v[version];
	char *ref _cleanup_free_ = xasprintf("refs/heads/v%zu", ++b->versions);
	char *base _cleanup_free_ = xasprintf("refs/heads/b%zu", b->versions);
	char *args[] = { "fast-import", "--quiet", "--date-format=raw", NULL };
	struct rebuilt r _cleanup_rebuilt_ = { .notes = STRVEC_INIT };
	struct buf in _cleanup_buf_ = BUF_INIT;
	int rc;

	r.number = xcalloc(v->total + 1, sizeof(*r.number));
	for (size_t k = 0; k < v->total; k++) {
		size_t mail = v->patch[k].mail;

		if (mail == NO_MAIL)
			strvec_pushf(&r.notes, "%s: patch %zu/%zu is not among the mails",
				     v->label, k + 1, v->total);
		else
			add_patch(b->repo, &t->v[mail], v, k + 1, ref, &r, &in);
	}
	if (!r.n)
		return err_set(err, E_NOTFOUND,
			       "%s: none of its patches is among the mails", v->label);
	buf_printf(&in, "reset %s\nfrom :1\n\n", base);
	rc = git_check(b->repo, args, buf_str(&in), NULL, err);
	if (!rc)
		rc = repo_ref(b->repo, base, r.side.base, err);
	if (!rc)
		rc = repo_ref(b->repo, ref, r.side.tip, err);
	if (rc)
		return rc;
	r.side.name = xstrdup(v->label);
	*ret = r;
	r = (struct rebuilt){ 0 };
	return 0;
}
