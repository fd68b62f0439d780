// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "git patch-id --stable" of a commit, as git 2.39 and later compute it from "git
 * diff-tree -p --full-index --no-renames": per file a SHA-1 over the lines without white
 * space, line numbers and the index line; the sums are added byte by byte with carry, so
 * that the order of files does not matter. For a binary file the two object names stand
 * for the content.
 *
 * The text is made here from the blobs, so attributes and the user's diff settings, which
 * differ between machines and cost 100 ms to load on a kernel tree, have no say.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/sha1.h"

/* git looks for a NUL in this many bytes to call content binary (xdiff-interface.c). */
#define BINARY_LOOK 8000
#define BIG_FILE    ((size_t)512 << 20)

struct pid {
	struct patch_sum sum;
	bool any;	     /* something was hashed at all */
	bool header_open;    /* a file without hunks stands before: no flush between */
	bool swallow_header; /* git drops the "diff" line behind a binary file */
};

/* One line without blanks, tabs, CR and LF; git sees no further than a NUL. */
static void pid_text(struct pid *p, const char *s, size_t len)
{
	patch_sum_text(&p->sum, str_n(s, len));
	p->any = true;
}

static void pid_printf(struct pid *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void pid_printf(struct pid *p, const char *fmt, ...)
{
	char *s _cleanup_free_ = NULL;
	va_list ap;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	pid_text(p, s, strlen(s));
}

/* "a/PATH", in git's C quoting when a byte needs it (core.quotePath at its default). */
static char *quoted(const char *prefix, const char *path)
{
	static const char special[] = "\a\b\t\n\v\f\r\"\\", letter[] = "abtnvfr\"\\";
	bool need = false;
	struct buf b = BUF_INIT;

	for (const unsigned char *s = (const unsigned char *)path; *s; s++)
		need |= *s < 0x20 || *s >= 0x7f || *s == '"' || *s == '\\';
	if (!need)
		return xasprintf("%s%s", prefix, path);
	buf_printf(&b, "\"%s", prefix);
	for (const unsigned char *s = (const unsigned char *)path; *s; s++) {
		const char *hit = strchr(special, *s);

		if (hit)
			buf_printf(&b, "\\%c", letter[hit - special]);
		else if (*s < 0x20 || *s >= 0x7f)
			buf_printf(&b, "\\%03o", *s);
		else
			buf_putc(&b, *s);
	}
	buf_putc(&b, '"');
	return buf_take(&b);
}

/* Content of one side: a blob, a submodule's line, or nothing. */
struct content {
	git_blob *blob;
	char *made;
	const char *p;
	size_t len;
};

/* In a partial clone the object may have to come from the remote; git knows how. */
static int fetch_blob(struct repo *r, const char *hex, const git_oid *id, git_blob **ret)
{
	char *args[] = { "cat-file", "-e", (char *)hex, NULL };
	git_odb *odb = NULL;

	if (git_check(r, args, STR_NULL, NULL, NULL))
		return GIT_ENOTFOUND;
	if (!git_repository_odb(&odb, r->g))
		git_odb_refresh(odb);
	git_odb_free(odb);
	return git_blob_lookup(ret, r->g, id);
}

static int content_get(struct repo *r, const git_oid *id, unsigned mode,
		       struct content *ret, struct err *err)
{
	char hex[OID_HEX];
	int rc;

	memset(ret, 0, sizeof(*ret));
	ret->p = "";
	if (!mode)
		return 0;
	git_oid_tostr(hex, sizeof(hex), id);
	if (mode == GIT_FILEMODE_COMMIT) {
		ret->p = ret->made = xasprintf("Subproject commit %s\n", hex);
		ret->len = strlen(ret->made);
		return 0;
	}
	rc = git_blob_lookup(&ret->blob, r->g, id);
	if (rc == GIT_ENOTFOUND)
		rc = fetch_blob(r, hex, id, &ret->blob);
	if (rc)
		return git_fail(err, rc, "blob %s", hex);
	ret->p = git_blob_rawcontent(ret->blob);
	ret->len = git_blob_rawsize(ret->blob);
	return 0;
}

static void content_release(struct content *c)
{
	git_blob_free(c->blob);
	free(c->made);
}

static bool is_binary(const struct content *c)
{
	return c->len > BIG_FILE ||
	       (c->len && memchr(c->p, '\0', MIN(c->len, (size_t)BINARY_LOOK)));
}

static int hash_hunks(struct pid *p, git_patch *patch)
{
	for (size_t h = 0; h < git_patch_num_hunks(patch); h++) {
		int lines = git_patch_num_lines_in_hunk(patch, h);

		for (int i = 0; i < lines; i++) {
			const git_diff_line *l;
			int rc = git_patch_get_line_in_hunk(&l, patch, h, i);
			char origin;

			if (rc)
				return rc;
			origin = l->origin;
			if (origin != '+' && origin != '-' && origin != ' ')
				continue; /* "\ No newline at end of file" */
			sha1_add(&p->sum.sha, &origin, origin == ' ' ? 0 : 1);
			pid_text(p, l->content, l->content_len);
		}
	}
	return 0;
}

static void hash_header(struct pid *p, const struct tree_change *c, const char *a,
			const char *b)
{
	if (p->swallow_header)
		p->swallow_header = false;
	else
		pid_printf(p, "diff --git %s %s", a, b);
	if (!c->old_mode) {
		pid_printf(p, "new file mode %06o", c->new_mode);
	} else if (!c->new_mode) {
		pid_printf(p, "deleted file mode %06o", c->old_mode);
	} else if (c->old_mode != c->new_mode) {
		pid_printf(p, "old mode %06o", c->old_mode);
		pid_printf(p, "new mode %06o", c->new_mode);
	}
}

static void hash_binary(struct pid *p, const struct tree_change *c)
{
	char hex[OID_HEX];

	git_oid_tostr(hex, sizeof(hex), &c->old_id);
	sha1_add(&p->sum.sha, hex, OID_HEX - 1);
	git_oid_tostr(hex, sizeof(hex), &c->new_id);
	sha1_add(&p->sum.sha, hex, OID_HEX - 1);
	patch_sum_flush(&p->sum);
	p->swallow_header = true;
	p->header_open = true; /* its sum is closed already */
}

static int hash_text(struct pid *p, const struct tree_change *c, const char *a,
		     const char *b, const struct content *ca, const struct content *cb,
		     struct err *err)
{
	git_patch *patch = NULL;
	git_diff_options o;
	int rc;

	git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
	o.flags = GIT_DIFF_INDENT_HEURISTIC | GIT_DIFF_FORCE_TEXT;
	o.max_size = -1;
	rc = git_patch_from_buffers(&patch, ca->p, ca->len, NULL, cb->p, cb->len, NULL,
				    &o);
	if (!rc && git_patch_num_hunks(patch)) {
		pid_printf(p, "--- %s", c->old_mode ? a : "/dev/null");
		pid_printf(p, "+++ %s", c->new_mode ? b : "/dev/null");
		rc = hash_hunks(p, patch);
		p->header_open = false;
	} else {
		p->header_open = true;
	}
	git_patch_free(patch);
	return rc ? git_fail(err, rc, "diff of %s", c->path) : 0;
}

static int hash_file(struct repo *r, struct pid *p, const struct tree_change *c,
		     struct err *err)
{
	char *a _cleanup_free_ = quoted("a/", c->path);
	char *b _cleanup_free_ = quoted("b/", c->path);
	struct content ca, cb = { 0 };
	int rc;

	if (p->any && !p->header_open)
		patch_sum_flush(&p->sum);
	hash_header(p, c, a, b);
	rc = content_get(r, &c->old_id, c->old_mode, &ca, err);
	if (!rc)
		rc = content_get(r, &c->new_id, c->new_mode, &cb, err);
	if (!rc) {
		bool same = c->old_mode && c->new_mode &&
			    git_oid_equal(&c->old_id, &c->new_id);

		if (!same && (is_binary(&ca) || is_binary(&cb)))
			hash_binary(p, c);
		else
			rc = hash_text(p, c, a, b, &ca, &cb, err);
	}
	content_release(&ca);
	content_release(&cb);
	return rc;
}

/* A change between file, link and submodule is shown as one gone and one new. */
static int hash_change(struct repo *r, struct pid *p, const struct tree_change *c,
		       struct err *err)
{
	struct tree_change half;
	int rc;

	if (!c->old_mode || !c->new_mode ||
	    (c->old_mode & 0170000) == (c->new_mode & 0170000))
		return hash_file(r, p, c, err);
	half = *c;
	half.new_mode = 0;
	memset(&half.new_id, 0, sizeof(half.new_id));
	rc = hash_file(r, p, &half, err);
	if (rc)
		return rc;
	half = *c;
	half.old_mode = 0;
	memset(&half.old_id, 0, sizeof(half.old_id));
	return hash_file(r, p, &half, err);
}

static int compute(struct repo *r, const char *commit, char ret[OID_HEX], struct err *err)
{
	git_tree *old _cleanup_(git_tree_freep) = NULL;
	git_tree *new _cleanup_(git_tree_freep) = NULL;
	struct tree_changes changes = { 0 };
	struct pid p = { .any = false };
	struct commit c;
	int rc = repo_commit(r, commit, &c, err);

	if (rc)
		return rc;
	if (c.parents)
		rc = tree_of_commit(r, c.parent, &old, err);
	commit_release(&c);
	if (!rc)
		rc = tree_of_commit(r, commit, &new, err);
	if (!rc)
		rc = tree_compare(r->g, old, new, &changes, err);
	patch_sum_init(&p.sum);
	for (size_t i = 0; i < changes.n && !rc; i++)
		rc = hash_change(r, &p, &changes.v[i], err);
	tree_changes_release(&changes);
	if (rc)
		return err_context(err, "patch-id of %.12s", commit);
	patch_sum_end(&p.sum, ret);
	if (!p.any)
		ret[0] = '\0';
	return 0;
}

int repo_patch_id(struct repo *r, const char *commit, char ret[OID_HEX], struct err *err)
{
	const char *known = patch_id_cached(r, commit);
	int rc;

	if (known) {
		memcpy(ret, known, OID_HEX);
		return 0;
	}
	rc = compute(r, commit, ret, err);
	if (!rc && *ret)
		patch_id_remember(r, commit, ret);
	return rc;
}
