// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A state that came from another machine: is it one, and can this program read it? What
 * stands in somebody else's refs may be anything.
 */
#include <stdlib.h>
#include "merge.h"
#include "series/covertext.h"
#include "series/mem.h"

#define MAX_FILES 20000
#define MAX_BYTES ((int64_t)1 << 30)
#define MAX_DOC	  (16 << 20)
#define HEX	  "0123456789abcdef"

static bool digits(struct str s)
{
	int64_t n;

	return s.len && s.len <= 5 && s.p[0] != '0' &&
	       str_to_i64(s, 1, SERIES_MAX_VERSION, &n);
}

static bool label_ok(struct str s)
{
	return (str_skip(&s, "rfc") || str_skip(&s, "v")) && digits(s);
}

/* "v3", or "v3.fix1". */
static bool head_ok(struct str s)
{
	ptrdiff_t dot = str_chr(s, '.');
	struct str fix;

	if (dot < 0)
		return label_ok(s);
	fix = str_n(s.p + dot, s.len - dot);
	return label_ok(str_n(s.p, dot)) && str_skip(&fix, ".fix") && digits(fix);
}

char *version_path_label(const char *path)
{
	struct str s = str_c(path);

	if (!str_skip(&s, "versions/") || !str_ends(s, ".json"))
		return NULL;
	s.len -= 5;
	if (digits(s))
		return xasprintf("v" STR_FMT, STR_ARG(s));
	return label_ok(s) && s.p[0] == 'r' ? str_dup(s) : NULL;
}

bool series_ref_ok(const char *part)
{
	struct str s = str_c(part);
	ptrdiff_t dash;

	if (str_eqc(s, "state"))
		return true;
	if (!str_skip(&s, "lost/"))
		return head_ok(s);
	dash = str_chr(s, '-');
	return dash > 0 && head_ok(str_n(s.p, dash)) && s.len - dash - 1 == 12 &&
	       strspn(s.p + dash + 1, HEX) == 12;
}

/* One word of printable ASCII: it becomes a line of the cover letter. */
static bool graphic(const char *s)
{
	while (*s > ' ' && *s < 0x7f)
		s++;
	return !*s;
}

static int check_series(struct repo *r, const char *name, const char *commit,
			struct err *err)
{
	struct json *j _cleanup_json_ = NULL;
	const char *id;
	int rc = state_json(r, name, commit, "series.json", &j, err);

	if (rc)
		return rc;
	id = json_get_str(j, "change_id");
	if (!id || !*id || strlen(id) > 200 || !graphic(id))
		return err_set(err, E_CORRUPT,
			       "refs/series/%s/state:series.json has no change_id in one "
			       "word of ASCII letters",
			       name);
	return 0;
}

static int check_version(struct repo *r, const char *name, const char *commit,
			 const char *path, struct err *err)
{
	struct json *j _cleanup_json_ = NULL;
	struct version v = { 0 };
	int rc = state_json(r, name, commit, path, &j, err);

	if (!rc)
		rc = version_parse(j, path, &v, err);
	if (!rc)
		version_release(&v);
	return rc;
}

static int check_files(struct repo *r, const char *name, const char *commit,
		       const struct tree_files *files, struct err *err)
{
	int rc = check_series(r, name, commit, err);

	for (size_t i = 0; i < files->n && !rc; i++) {
		const struct tree_file *f = &files->v[i];

		if (str_starts(str_c(f->path), "cover.txt") && f->size > COVER_MAX)
			return err_set(err, E_CORRUPT, "%s is longer than %d bytes",
				       f->path, COVER_MAX);
		if (!str_starts(str_c(f->path), "versions/"))
			continue;
		if (f->size > MAX_DOC)
			return err_set(err, E_CORRUPT, "%s is too long", f->path);
		rc = check_version(r, name, commit, f->path, err);
	}
	return rc;
}

int state_check(struct repo *r, const char *name, const char *commit, struct err *err)
{
	struct tree_files files _cleanup_tree_files_ = { NULL, 0, 0 };
	const struct tree_file *doc;
	int rc = repo_tree_files(r, commit, MAX_FILES, MAX_BYTES, &files, err);

	if (rc)
		return err_context(err, "refs/series/%s/state is no state of a series",
				   name);
	doc = tree_files_find(&files, "series.json");
	if (!doc || doc->size > MAX_DOC)
		return err_set(
			err, E_CORRUPT,
			"refs/series/%s/state is no state of a series: its tree has "
			"no series.json",
			name);
	return check_files(r, name, commit, &files, err);
}

void document_heads(const struct json *j, const char *label, struct strvec *ret_labels,
		    struct strvec *ret_ids)
{
	const struct json *fixups = json_get(j, "fixups");
	char id[OID_HEX];

	oid_copy(json_get_str(j, "head"), id);
	if (!*id)
		return;
	strvec_push(ret_labels, label);
	strvec_push(ret_ids, id);
	for (size_t i = 0; i < json_len(fixups); i++) {
		oid_copy(json_get_str(json_at(fixups, i), "commit"), id);
		if (!*id)
			continue;
		strvec_pushf(ret_labels, "%s.fix%zu", label, i + 1);
		strvec_push(ret_ids, id);
	}
}

int state_heads(struct repo *r, const char *name, const char *commit,
		struct strvec *ret_labels, struct strvec *ret_ids, struct err *err)
{
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	int rc = state_list(r, commit, "versions", &files, err);

	for (size_t i = 0; i < files.n && !rc; i++) {
		char *label = version_path_label(files.v[i]);
		struct json *j _cleanup_json_ = NULL;

		if (!label)
			continue;
		rc = state_json(r, name, commit, files.v[i], &j, err);
		if (!rc)
			document_heads(j, label, ret_labels, ret_ids);
		free(label);
	}
	return rc;
}
