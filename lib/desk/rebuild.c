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
	strvec_release(&r->commits);
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

	return rc || !res.status ? rc : git_failed("init", dir, &res, err);
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

/* What the commits of one side go into. */
struct feed {
	struct rebuild *b;
	char *base, *ref;
	const char *label;
	size_t total;
	struct rebuilt r;
	struct buf in;
};

static void feed_release(struct feed *f)
{
	free(f->base);
	free(f->ref);
	rebuilt_release(&f->r);
	buf_release(&f->in);
}

static struct feed feed_of(struct rebuild *b, const char *label, size_t total)
{
	b->versions++;
	return (struct feed){ .b = b,
			      .label = label,
			      .total = total,
			      .base = xasprintf("refs/heads/b%zu", b->versions),
			      .ref = xasprintf("refs/heads/v%zu", b->versions),
			      .r.number = xcalloc(total + 1, sizeof(size_t)) };
}

static void add_patch(struct feed *f, const struct thread_mail *m, size_t patch)
{
	struct mailinfo i _cleanup_mailinfo_;
	struct hunk_files files _cleanup_hunk_files_ = { 0 };
	struct strvec notes _cleanup_strvec_ = STRVEC_INIT;

	mailinfo_read(&m->mail, &i);
	hunk_files_read(buf_str(&i.patch), &files, &notes);
	if (!files.n)
		strvec_push(&notes, "there is no diff in it that can be read");
	for (size_t k = 0; k < notes.n; k++)
		strvec_pushf(&f->r.notes, "%s: patch %zu/%zu: %s", f->label, patch,
			     f->total, notes.v[k]);
	f->r.number[f->r.n++] = patch;
	put_patch(&f->in, f->b->repo, f->ref, f->r.n, &i, &files, m);
}

static int feed_end(struct feed *f, struct rebuilt *ret, struct err *err)
{
	char *args[] = { "fast-import", "--quiet", "--date-format=raw", NULL };
	struct repo *r = f->b->repo;
	int rc;

	buf_printf(&f->in, "reset %s\nfrom :1\n\n", f->base);
	rc = git_check(r, args, buf_str(&f->in), NULL, err);
	if (!rc)
		rc = repo_ref(r, f->base, f->r.side.base, err);
	if (!rc)
		rc = repo_ref(r, f->ref, f->r.side.tip, err);
	if (rc)
		return rc;
	f->r.side.name = xstrdup(f->label);
	*ret = f->r;
	f->r = (struct rebuilt){ 0 };
	return 0;
}

int rebuild_version(struct rebuild *b, const struct thread *t, const struct posted *p,
		    size_t version, struct rebuilt *ret, struct err *err)
{
	const struct posted_version *v = &p->v[version];
	struct feed f _cleanup_(feed_release) = feed_of(b, v->label, v->total);

	for (size_t k = 0; k < v->total; k++) {
		size_t mail = v->patch[k].mail;

		if (mail == NO_MAIL)
			strvec_pushf(&f.r.notes,
				     "%s: patch %zu/%zu is not among the mails", v->label,
				     k + 1, v->total);
		else
			add_patch(&f, &t->v[mail], k + 1);
	}
	if (!f.r.n)
		return err_set(err, E_NOTFOUND,
			       "%s: none of its patches is among the mails", v->label);
	return feed_end(&f, ret, err);
}

/* The mails that git makes of them, and the names of the commits. */
static int read_range(struct rebuild *b, struct repo *r, const struct side *from,
		      struct thread *t, struct strvec *commits, struct err *err)
{
	char *range _cleanup_free_ = xasprintf("%s..%s", from->base, from->tip);
	char *list[] = { "rev-list", "--reverse", "--no-merges", range, NULL };
	char *format[] = { "format-patch",
			   "--stdout",
			   "--pretty=mboxrd",
			   "--always",
			   "--no-cover-letter",
			   "--no-thread",
			   "--no-attach",
			   "--no-signature",
			   "--no-notes",
			   "--no-numbered",
			   "--no-base",
			   "--no-ext-diff",
			   "--no-stat",
			   "--full-index",
			   "--binary",
			   "-M",
			   "-U3",
			   "--src-prefix=a/",
			   "--dst-prefix=b/",
			   range,
			   NULL };
	char *path _cleanup_free_ = path_join(b->dir, "range.mbox");
	struct buf out _cleanup_buf_ = BUF_INIT, ids _cleanup_buf_ = BUF_INIT;
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	int rc = git_check(r, list, STR_NULL, &ids, err);

	if (!rc)
		rc = git_check(r, format, STR_NULL, &out, err);
	if (!rc && !out.len)
		return err_set(err, E_NOTFOUND, "%s: there are no patches", from->name);
	if (!rc)
		rc = fs_write_below(b->dir, "range.mbox", buf_str(&out), err);
	if (!rc)
		rc = mailsrc_open(path, FROM_MBOXRD, &src, err);
	if (!rc)
		rc = thread_read(t, src, err);
	strvec_split(commits, str_trim(buf_str(&ids)), '\n');
	return rc;
}

int rebuild_range(struct rebuild *b, struct repo *r, const struct side *from,
		  struct rebuilt *ret, struct err *err)
{
	struct strvec commits _cleanup_strvec_ = STRVEC_INIT;
	struct thread t _cleanup_thread_ = { 0 };
	int rc = read_range(b, r, from, &t, &commits, err);

	if (rc)
		return rc;
	struct feed f _cleanup_(feed_release) = feed_of(b, from->name, t.n);

	for (size_t i = 0; i < t.n; i++)
		add_patch(&f, &t.v[i], i + 1);
	strvec_extend(&f.r.commits, &commits);
	f.r.side.version = 0;
	return feed_end(&f, ret, err);
}
