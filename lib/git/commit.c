// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commits: what they say, how they hang together, and the straight line between two.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/json.h"

iconv_t utf8_from(const char *encoding)
{
	iconv_t cd = iconv_open("UTF-8", encoding);

	/* The name of old mails, which iconv does not know. */
	if (cd == (iconv_t)-1 && !strcasecmp(encoding, "latin-1"))
		cd = iconv_open("UTF-8", "ISO-8859-1");
	return cd;
}

bool ident_split(struct str line, struct str *name, struct str *email)
{
	ptrdiff_t open = str_chr(line, '<'), close;

	if (open < 0)
		return false;
	*name = str_n(line.p, open);
	if (name->len && name->p[name->len - 1] == ' ')
		name->len--;
	*email = str_n(line.p + open + 1, line.len - open - 1);
	close = str_chr(*email, '>');
	if (close < 0)
		return false;
	email->len = close;
	return true;
}

char *commit_utf8(const char *text, const char *encoding)
{
	struct buf b = BUF_INIT;
	iconv_t cd = (iconv_t)-1;
	size_t len = text ? strlen(text) : 0;

	if (encoding && strcasecmp(encoding, "UTF-8"))
		cd = utf8_from(encoding);
	if (cd != (iconv_t)-1) {
		char *in = (char *)text, *out;
		size_t in_left = len, out_left = len * 4 + 16, room = out_left;

		out = buf_reserve(&b, room);
		if (iconv(cd, &in, &in_left, &out, &out_left) != (size_t)-1) {
			b.len += room - out_left;
			b.p[b.len] = '\0';
			iconv_close(cd);
			return buf_take(&b);
		}
		iconv_close(cd);
	}
	utf8_lossy(str_n(text ? text : "", len), &b);
	return buf_take(&b);
}

/* First paragraph on one line, as git log's %s: ends of lines trimmed, blanks between. */
static char *subject_of(const char *message)
{
	struct str rest = str_c(message), line;
	struct buf b = BUF_INIT;

	while (str_line(&rest, &line)) {
		while (line.len && strchr(" \t\r\n\v\f", line.p[line.len - 1]))
			line.len--;
		if (!line.len) {
			if (b.len)
				break;
			continue;
		}
		if (b.len)
			buf_putc(&b, ' ');
		buf_addstr(&b, line);
	}
	return buf_take(&b);
}

/* The author as the commit has it. */
static void fill_author(git_commit *c, const char *enc, struct commit *ret)
{
	struct str head = str_c(git_commit_raw_header(c)), line, name, email;

	while (str_line(&head, &line) && line.len) {
		char *n _cleanup_free_ = NULL, *e _cleanup_free_ = NULL;

		if (!str_skip(&line, "author ") || !ident_split(line, &name, &email))
			continue;
		n = str_dup(name);
		e = str_dup(email);
		ret->author_name = commit_utf8(n, enc);
		ret->author_email = commit_utf8(e, enc);
		return;
	}
	ret->author_name = commit_utf8(git_commit_author(c)->name, enc);
	ret->author_email = commit_utf8(git_commit_author(c)->email, enc);
}

static void fill_commit(git_commit *c, struct commit *ret)
{
	const git_signature *a = git_commit_author(c), *m = git_commit_committer(c);
	const char *enc = git_commit_message_encoding(c);

	memset(ret, 0, sizeof(*ret));
	git_oid_tostr(ret->id, OID_HEX, git_commit_id(c));
	git_oid_tostr(ret->tree, OID_HEX, git_commit_tree_id(c));
	ret->parents = git_commit_parentcount(c);
	if (ret->parents)
		git_oid_tostr(ret->parent, OID_HEX, git_commit_parent_id(c, 0));
	ret->message = commit_utf8(git_commit_message(c), enc);
	ret->subject = subject_of(ret->message);
	fill_author(c, enc, ret);
	ret->committer_name = commit_utf8(m->name, enc);
	ret->committer_email = commit_utf8(m->email, enc);
	ret->author_time = a->when.time;
	ret->commit_time = m->when.time;
}

int repo_commit(struct repo *r, const char *id, struct commit *ret, struct err *err)
{
	git_commit *c _cleanup_(git_commit_freep) = NULL;
	git_oid oid;
	int rc = oid_from_hex(&oid, id, err);

	if (rc)
		return rc;
	rc = git_commit_lookup(&c, r->g, &oid);
	if (rc)
		return git_fail(err, rc, "commit %s", id);
	fill_commit(c, ret);
	return 0;
}

void commit_release(struct commit *c)
{
	free(c->subject);
	free(c->message);
	free(c->author_name);
	free(c->author_email);
	free(c->committer_name);
	free(c->committer_email);
	memset(c, 0, sizeof(*c));
}

void commits_free(struct commit *c, size_t n)
{
	for (size_t i = 0; c && i < n; i++)
		commit_release(&c[i]);
	free(c);
}

int repo_is_ancestor(struct repo *r, const char *a, const char *b, struct err *err)
{
	char *args[] = { "merge-base", "--is-ancestor", (char *)a, (char *)b, NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	git_oid oa, ob;
	int rc;

	if ((rc = oid_from_hex(&oa, a, err)) || (rc = oid_from_hex(&ob, b, err)))
		return rc;
	if (git_oid_equal(&oa, &ob))
		return 1;
	/* git has generation numbers; a plain walk of a kernel history takes seconds. */
	rc = git_run(r, args, STR_NULL, &res, err);
	if (rc)
		return rc;
	if (res.status > 1)
		return git_failed("merge-base", r->common_dir, &res, err);
	return res.status == 0;
}

int repo_merge_base(struct repo *r, const char *a, const char *b, char ret[OID_HEX],
		    struct err *err)
{
	char *args[] = { "merge-base", (char *)a, (char *)b, NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct str out, line;
	int rc = git_run(r, args, STR_NULL, &res, err);

	if (rc)
		return rc;
	if (res.status > 1)
		return git_failed("merge-base", r->common_dir, &res, err);
	out = buf_str(&res.out);
	if (res.status || !str_line(&out, &line) || line.len != OID_HEX - 1)
		return err_set(err, E_NOTFOUND, "%s and %s have no common ancestor", a,
			       b);
	memcpy(ret, line.p, line.len);
	ret[line.len] = '\0';
	return 0;
}

static void reverse(struct commit *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct commit t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

int repo_range(struct repo *r, const char *base, const char *tip, size_t max,
	       struct commit **ret, size_t *ret_n, struct err *err)
{
	struct commit *v = NULL;
	size_t n = 0, cap = 0;
	char at[OID_HEX];
	int rc = 0;

	if (strlen(tip) != OID_HEX - 1)
		return err_set(err, E_FAIL, "\"%s\" is no object name", tip);
	memcpy(at, tip, OID_HEX);
	while (strcmp(at, base)) {
		struct commit c;

		if (n >= max) {
			rc = err_set(err, E_FAIL,
				     "more than %zu commits from %.12s back to the base "
				     "%.12s, at %.12s; is the base right? (series base "
				     "--set REF)",
				     max, tip, base, at);
			break;
		}
		rc = repo_commit(r, at, &c, err);
		if (rc)
			break;
		vec_grow(v, n, cap);
		v[n++] = c;
		if (c.parents > 1) {
			rc = err_set(
				err, E_FAIL,
				"%.12s (\"%s\") is a merge between the base %.12s and "
				"the tip %.12s; a series is a straight line: rebase",
				c.id, c.subject, base, tip);
			break;
		}
		if (!c.parents) {
			rc = err_set(err, E_NOTFOUND, "%.12s does not lead back to %.12s",
				     tip, base);
			break;
		}
		memcpy(at, c.parent, OID_HEX);
	}
	if (rc) {
		commits_free(v, n);
		return rc;
	}
	reverse(v, n);
	*ret = v;
	*ret_n = n;
	return 0;
}
