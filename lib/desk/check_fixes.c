// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_fixes.c - Fixes: 54a4f0239f2e ("subject") of a commit that the base has
 * (Documentation/process/submitting-patches.rst).
 */
#include <ctype.h>
#include "check_priv.h"
#include "series/fs.h"
#include "series/sanitize.h"

struct fixes {
	struct str hash, subject; /* subject without ("") */
	bool good_form;
};

static size_t hex_digits(struct str s)
{
	size_t n = 0;

	while (n < s.len && isxdigit((unsigned char)s.p[n]))
		n++;
	return n;
}

/* What stands behind "fixes" on the line, or false: that word does not begin it. */
static bool find_value(struct str line, struct str *ret)
{
	if (trailer_is(line, "Fixes", ret))
		return true;
	/* Without the colon it may be prose, but for what follows. */
	if (!str_istarts(line, "fixes ") || str_find(line, "(\"") < 0)
		return false;
	*ret = str_trim(str_n(line.p + 6, line.len - 6));
	return hex_digits(*ret) >= 4;
}

/* False: there is not even the number of a commit. */
static bool parse(struct str line, struct str value, struct fixes *ret)
{
	bool as_usual = str_starts(line, "Fixes: ");
	ptrdiff_t comment = str_find(value, "\") #");
	struct str rest;
	size_t n;

	if (comment >= 0)
		value.len = (size_t)comment + 2;
	if (str_istarts(value, "commit ")) {
		value = str_trim(str_n(value.p + 7, value.len - 7));
		as_usual = false;
	}
	n = hex_digits(value);
	if (n < 4 || n > 40 || (n < value.len && isalnum((unsigned char)value.p[n])))
		return false;
	ret->hash = str_n(value.p, n);
	rest = str_n(value.p + n, value.len - n);
	ret->good_form = as_usual && n >= 12 && str_starts(rest, " (\"") &&
			 str_ends(rest, "\")") && rest.len > 5;
	rest = str_trim(rest);
	if (str_starts(rest, "(\"") && str_ends(rest, "\")") && rest.len >= 4)
		rest = str_n(rest.p + 2, rest.len - 4);
	ret->subject = rest;
	return true;
}

/* A clone that does not have the history knows neither old commits nor who is whose. */
static bool is_shallow(const struct check_ctx *x)
{
	char *path _cleanup_free_ = path_join(repo_common_dir(x->s->repo), "shallow");

	return fs_exists(path);
}

/* How many digits tell each of the objects from all others. */
static size_t digits_needed(const struct strvec *objects)
{
	size_t most = 0;

	for (size_t i = 0; i < objects->n; i++)
		for (size_t k = 0; k < i; k++) {
			size_t n = 0;

			while (n < OID_HEX - 2 && objects->v[i][n] == objects->v[k][n])
				n++;
			most = MAX(most, n + 1);
		}
	return most;
}

/* "a tree here, no commit", or that several begin so; NULL: nothing here does. */
static char *what_it_is(const struct check_ctx *x, const struct fixes *f)
{
	struct strvec objects _cleanup_strvec_ = STRVEC_INIT;
	char *hash _cleanup_free_ = str_dup(f->hash);
	struct buf kinds _cleanup_buf_ = BUF_INIT;

	if (repo_objects(x->s->repo, hash, &objects, NULL) || !objects.n)
		return NULL;
	if (objects.n == 1)
		return xasprintf("is a %s here, no commit", objects.v[0] + OID_HEX);
	for (size_t i = 0; i < objects.n && i < 4; i++)
		buf_printf(&kinds, "%s%s %.*s", i ? ", " : "", objects.v[i] + OID_HEX,
			   (int)digits_needed(&objects), objects.v[i]);
	return xasprintf("is not clear: %zu objects here begin so (%s%s); %zu digits are "
			 "enough",
			 objects.n, buf_cstr(&kinds), objects.n > 4 ? " ..." : "",
			 MAX(digits_needed(&objects), 12));
}

static void unknown(struct check_ctx *x, size_t i, const char *where,
		    const struct fixes *f)
{
	char *what _cleanup_free_ = what_it_is(x, f);
	char *subject _cleanup_free_ = str_dup(f->subject), *remedy _cleanup_free_ = NULL;
	char *word _cleanup_free_ = shell_word(subject);

	if (is_shallow(x) && !what)
		remedy = xstrdup("git fetch --unshallow");
	/* The commit of that subject, as the line should have it. */
	else if (*subject)
		remedy = xasprintf(
			"git log -1 --abbrev=12 --format='Fixes: %%h (\"%%s\")' "
			"-F --grep=%s %.12s",
			word, x->base);
	else
		remedy = check_rebase(x, i, "reword");
	check_add(x, "fixes-unknown", where, remedy, "Fixes: " STR_FMT " %s",
		  STR_ARG(f->hash),
		  what		  ? what
		  : is_shallow(x) ? "is no commit here, in a shallow clone"
				  : "is no commit here");
}

static bool of_series(const struct check_ctx *x, const char *id)
{
	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(x->commits[i].id, id))
			return true;
	return false;
}

static int compare(struct check_ctx *x, size_t i, const char *where,
		   const struct fixes *f, const char *id, struct err *err)
{
	struct commit c _cleanup_(commit_release) = { .subject = NULL };
	int rc = repo_commit(x->s->repo, id, &c, err), there;
	char *better _cleanup_free_ = NULL, *remedy _cleanup_free_ = NULL;
	char *squash _cleanup_free_ =
		remedy_rebase(x->base, "squash", i + 1, "below the one it fixes");

	if (rc)
		return rc;
	better = xasprintf("Fixes: %.12s (\"%s\")", id, c.subject);
	remedy = remedy_rebase(x->base, "reword", i + 1, better);
	if (!f->good_form)
		check_add(x, "fixes-form", where, remedy,
			  "Fixes: " STR_FMT
			  ": expected 'Fixes: ', 12 digits and (\"subject\") on one "
			  "line",
			  STR_ARG(f->hash));
	else if (!str_eqc(f->subject, c.subject))
		check_add(x, "fixes-subject", where, remedy,
			  "Fixes: " STR_FMT " is '%s', not '" STR_FMT "'",
			  STR_ARG(f->hash), c.subject, STR_ARG(f->subject));
	there = repo_is_ancestor(x->s->repo, id, x->base, err);
	if (there == 0 && of_series(x, id))
		check_add(x, "fixes-ancestor", where, squash,
			  "Fixes: " STR_FMT " is a patch of this series",
			  STR_ARG(f->hash));
	else if (there == 0 && !is_shallow(x))
		check_add(x, "fixes-ancestor", where, NULL,
			  "Fixes: " STR_FMT " is not in the history of the base %.12s",
			  STR_ARG(f->hash), x->base);
	return there < 0 ? there : 0;
}

/* A branch may be called like a number, and a tag's object has one of its own. */
static int find_commit(struct check_ctx *x, struct str hash, char ret[OID_HEX],
		       struct err *err)
{
	char *name _cleanup_free_ = str_dup(hash);
	int rc = repo_resolve(x->s->repo, name, ret, err);

	return rc ? rc : str_istarts(str_c(ret), name) ? 0 : E_NOTFOUND;
}

static int look_at(struct check_ctx *x, size_t i, struct str line, struct str value,
		   struct err *err)
{
	char *where _cleanup_free_ = check_where(x, i);
	struct fixes f = { 0 };
	struct err e _cleanup_err_ = ERR_INIT;
	char id[OID_HEX];
	int rc;

	if (!parse(line, value, &f)) {
		check_add(x, "fixes-form", where,
			  "git log -1 --abbrev=12 --format='Fixes: %h (\"%s\")' COMMIT",
			  "'Fixes: " STR_FMT "': expected a commit", STR_ARG(value));
		return 0;
	}
	rc = find_commit(x, f.hash, id, &e);
	if (rc && rc != E_INTR) {
		unknown(x, i, where, &f);
		return 0;
	}
	return rc ? rc : compare(x, i, where, &f, id, err);
}

int check_fixes(struct check_ctx *x, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < x->n && !rc; i++) {
		struct str rest = str_c(x->commits[i].message), line, value;

		while (!rc && str_line(&rest, &line))
			if (find_value(line, &value))
				rc = look_at(x, i, line, value, err);
	}
	return rc;
}
