// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * defect.c - what a commit object holds that cannot come through a mail and git am. It is
 * the raw object that is looked at: libgit2 and git log show a repaired text.
 */
#include "internal.h"
#include "series/utf8.h"

static void odb_freep(git_odb **o)
{
	git_odb_free(*o);
}

static void odb_object_freep(git_odb_object **o)
{
	git_odb_object_free(*o);
}

/*
 * Text that git commits unchanged: UTF-8 without noncharacters (U+FDD0..U+FDEF and the
 * last two of each plane; verify_utf8() in commit.c of git takes those for Latin-1).
 */
static bool git_takes(struct str s)
{
	uint32_t cp;

	while (utf8_next(&s, &cp))
		if (cp == UTF8_INVALID || (cp & 0xfffe) == 0xfffe ||
		    (cp >= 0xfdd0 && cp <= 0xfdef))
			return false;
	return true;
}

/* Text in this encoding as UTF-8; false when it is none that git would keep. */
static bool convert(const char *encoding, struct str s, struct buf *out)
{
	size_t room = s.len * 4 + 16, left = room, in_left = s.len;
	char *in = (char *)s.p, *dst = buf_reserve(out, room);
	iconv_t cd = utf8_from(encoding);
	bool ok;

	if (cd == (iconv_t)-1)
		return false;
	ok = dst && iconv(cd, &in, &in_left, &dst, &left) != (size_t)-1 && !in_left;
	iconv_close(cd);
	out->len = ok ? room - left : 0;
	return ok && git_takes(buf_str(out));
}

/* What git takes off the ends of a name or an address (ident.c of git). */
static bool is_crud(unsigned char c)
{
	return c <= 32 || strchr(".,:;<>\"\\'", c);
}

static bool has_crud(struct str s)
{
	return s.len && (is_crud(s.p[0]) || is_crud(s.p[s.len - 1]));
}

static enum commit_defect find_defect(struct str raw, char **encoding)
{
	struct buf text _cleanup_buf_ = BUF_INIT, utf8 _cleanup_buf_ = BUF_INIT;
	struct str line, author = STR_NULL, name, email;

	while (str_line(&raw, &line) && line.len) {
		if (str_skip(&line, "author ")) {
			author = line;
		} else if (str_skip(&line, "encoding ")) {
			free(*encoding);
			*encoding = str_dup(line);
		}
	}
	if (!ident_split(author, &name, &email))
		return COMMIT_AUTHOR;
	if (raw.len && memchr(raw.p, '\0', raw.len))
		return COMMIT_NUL;
	if (*encoding) {
		if (!convert(*encoding, raw, &text) || !convert(*encoding, name, &utf8))
			return COMMIT_BAD_ENCODING;
		name = buf_str(&utf8);
	} else if (!git_takes(name) || !git_takes(raw)) {
		return COMMIT_NOT_UTF8;
	}
	return has_crud(name) || has_crud(email) ? COMMIT_AUTHOR : COMMIT_SOUND;
}

int repo_commit_defect(struct repo *r, const char *id, enum commit_defect *ret,
		       char **ret_encoding, struct err *err)
{
	git_odb *odb _cleanup_(odb_freep) = NULL;
	git_odb_object *obj _cleanup_(odb_object_freep) = NULL;
	char *encoding = NULL;
	git_oid oid;
	int rc = oid_from_hex(&oid, id, err);

	if (rc)
		return rc;
	rc = git_repository_odb(&odb, r->g);
	if (!rc)
		rc = git_odb_read(&obj, odb, &oid);
	if (rc)
		return git_fail(err, rc, "commit %s", id);
	*ret = find_defect(str_n(git_odb_object_data(obj), git_odb_object_size(obj)),
			   &encoding);
	*ret_encoding = encoding;
	return 0;
}
