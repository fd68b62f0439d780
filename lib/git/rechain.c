// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rechain.c - a commit once more on another parent, with another tree or message: all
 * else stays byte for byte, for the object is copied and not made anew.
 */
#include <strings.h>
#include "internal.h"

/* What becomes of a commit. */
struct remake {
	const char *tree, *parent;
	struct str message; /* p NULL: as it is */
	char *encoding;	    /* of the header's names, when they become UTF-8 */
	bool was_signed;
};

/* Of the object's header: what holds for the old commit only. */
static bool goes(const struct remake *m, struct str line)
{
	return str_starts(line, "tree ") || str_starts(line, "parent ") ||
	       str_starts(line, "gpgsig ") || str_starts(line, "gpgsig-sha256 ") ||
	       (m->encoding && str_starts(line, "encoding "));
}

static void copy_line(const struct remake *m, struct str line, struct buf *out)
{
	char *text _cleanup_free_ = m->encoding ? str_dup(line) : NULL;
	char *utf8 _cleanup_free_ = text ? commit_utf8(text, m->encoding) : NULL;

	buf_addstr(out, utf8 ? str_c(utf8) : line);
	buf_putc(out, '\n');
}

static void copy(struct str raw, struct remake *m, struct buf *out)
{
	struct str line;
	bool skip = false;

	buf_printf(out, "tree %s\nparent %s\n", m->tree, m->parent);
	while (str_line(&raw, &line) && line.len) {
		if (line.p[0] != ' ')
			skip = goes(m, line);
		if (str_starts(line, "gpgsig"))
			m->was_signed = true;
		if (!skip)
			copy_line(m, line, out);
	}
	buf_putc(out, '\n');
	buf_addstr(out, m->message.p ? m->message : raw);
}

static int remake(struct repo *r, const struct commit *c, struct remake *m,
		  char ret[OID_HEX], struct err *err)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	git_odb *odb = NULL;
	git_odb_object *o = NULL;
	git_oid id;
	int rc = oid_from_hex(&id, c->id, err);

	if (rc)
		return rc;
	rc = git_repository_odb(&odb, r->g);
	if (!rc)
		rc = git_odb_read(&o, odb, &id);
	if (!rc) {
		copy(str_n(git_odb_object_data(o), git_odb_object_size(o)), m, &b);
		rc = git_odb_write(&id, odb, b.p, b.len, GIT_OBJECT_COMMIT);
	}
	git_odb_object_free(o);
	git_odb_free(odb);
	if (rc)
		return git_fail(err, rc, "commit %s", c->id);
	git_oid_tostr(ret, OID_HEX, &id);
	return 0;
}

int repo_rechain(struct repo *r, const struct commit *c, const char *parent,
		 const char *tree, char ret[OID_HEX], bool *ret_signed, struct err *err)
{
	struct remake m = { .tree = tree ? tree : c->tree, .parent = parent };
	int rc;

	if (c->parents == 1 && !strcmp(c->parent, parent) && !strcmp(m.tree, c->tree)) {
		memmove(ret, c->id, OID_HEX);
		return 0;
	}
	rc = remake(r, c, &m, ret, err);
	*ret_signed |= m.was_signed;
	return rc;
}

int repo_reword(struct repo *r, const struct commit *c, const char *parent,
		struct str message, char ret[OID_HEX], bool *ret_signed, struct err *err)
{
	struct remake m = { .tree = c->tree, .parent = parent, .message = message };
	enum commit_defect defect;
	int rc = repo_commit_defect(r, c->id, &defect, &m.encoding, err);

	if (!rc && defect != COMMIT_SOUND && defect != COMMIT_AUTHOR)
		rc = err_set(err, E_FAIL,
			     "the message of %.12s ('%s') has bytes that would be lost; "
			     "repair it first: series check names them",
			     c->id, c->subject);
	if (m.encoding && !strcasecmp(m.encoding, "UTF-8"))
		mem_freep(&m.encoding);
	if (!rc)
		rc = remake(r, c, &m, ret, err);
	*ret_signed |= m.was_signed;
	free(m.encoding);
	return rc;
}
