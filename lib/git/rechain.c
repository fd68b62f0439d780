// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rechain.c - a commit once more on another parent: message, author, committer, dates and
 * encoding stay byte for byte, for the object is copied and not made anew.
 */
#include "internal.h"

/* Of the object's header: what holds for the old commit only. */
static bool goes(struct str line)
{
	return str_starts(line, "tree ") || str_starts(line, "parent ") ||
	       str_starts(line, "gpgsig ") || str_starts(line, "gpgsig-sha256 ");
}

static void copy(struct str raw, const char *tree, const char *parent, struct buf *out,
		 bool *ret_signed)
{
	struct str line;
	bool skip = false;

	buf_printf(out, "tree %s\nparent %s\n", tree, parent);
	while (str_line(&raw, &line) && line.len) {
		if (line.p[0] != ' ')
			skip = goes(line);
		if (str_starts(line, "gpgsig"))
			*ret_signed = true;
		if (skip)
			continue;
		buf_addstr(out, line);
		buf_putc(out, '\n');
	}
	buf_putc(out, '\n');
	buf_addstr(out, raw);
}

int repo_rechain(struct repo *r, const struct commit *c, const char *parent,
		 const char *tree, char ret[OID_HEX], bool *ret_signed, struct err *err)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	git_odb *odb = NULL;
	git_odb_object *o = NULL;
	git_oid id;
	int rc = oid_from_hex(&id, c->id, err);

	if (rc)
		return rc;
	if (c->parents == 1 && !strcmp(c->parent, parent) &&
	    (!tree || !strcmp(tree, c->tree))) {
		memmove(ret, c->id, OID_HEX);
		return 0;
	}
	rc = git_repository_odb(&odb, r->g);
	if (!rc)
		rc = git_odb_read(&o, odb, &id);
	if (!rc) {
		copy(str_n(git_odb_object_data(o), git_odb_object_size(o)),
		     tree ? tree : c->tree, parent, &b, ret_signed);
		rc = git_odb_write(&id, odb, b.p, b.len, GIT_OBJECT_COMMIT);
	}
	git_odb_object_free(o);
	git_odb_free(odb);
	if (rc)
		return git_fail(err, rc, "commit %s", c->id);
	git_oid_tostr(ret, OID_HEX, &id);
	return 0;
}
