// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * follow.c - see follow.h.
 */
#include <stdlib.h>
#include "follow.h"
#include "patchcode.h"
#include "series/compare.h"
#include "series/mem.h"
#include "series/subject.h"

void follow_init(const struct series *s, struct follow *ret)
{
	*ret = (struct follow){ .s = s };
	judge_cache_read(s->repo, &ret->cache);
}

void follow_release(struct follow *f)
{
	judge_cache_release(&f->cache);
}

/* --- which patch it is now --- */

/* The patch with this patch-id, else the one with this title; 0: there is none. */
static size_t find_alike(const struct patch *p, const struct patch *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (*p->patch_id && !strcmp(p->patch_id, v[i].patch_id))
			return i + 1;
	for (size_t i = 0; i < n; i++)
		if (title_same(p->subject, v[i].subject))
			return i + 1;
	return 0;
}

/* All pairs of git range-diff into the cache. */
static void remember_pairs(struct follow *f, const struct comparison *c, const char *tip)
{
	for (size_t i = 0; i < c->n; i++)
		if (*c->range.v[i].from_id)
			judge_cache_add(&f->cache, 'p', c->range.v[i].from_id, tip,
					c->range.v[i].to, 0);
}

/* next NULL: the draft. Commits that are not here pair with nothing. */
static int pair_by_range(struct follow *f, const struct version *v,
			 const struct version *next, const char *commit, size_t *ret,
			 struct err *err)
{
	const char *tip = next ? next->head : f->s->head;
	const struct judge_fact *fact = judge_cache_find(&f->cache, 'p', commit, tip);
	struct comparison c _cleanup_comparison_ = { 0 };
	struct side a = { 0 }, b = { 0 };
	int rc = 0;

	*ret = fact ? fact->a : 0;
	if (fact)
		return 0;
	side_version(v, &a);
	if (next)
		side_version(next, &b);
	else
		rc = side_branch(f->s, &b, NULL);
	if (!rc)
		rc = compare_make(f->s->repo, &a, &b, 0, &c, err);
	side_release(&a);
	side_release(&b);
	if (rc == E_INTR)
		return rc;
	if (rc) {
		if (err)
			err_release(err);
		return 0;
	}
	remember_pairs(f, &c, tip);
	fact = judge_cache_find(&f->cache, 'p', commit, tip);
	*ret = fact ? fact->a : 0;
	return 0;
}

int follow_patch(struct follow *f, const struct version *v, size_t k, size_t *ret,
		 struct err *err)
{
	const struct series *s = f->s;
	const struct version *end = s->versions + s->n_versions;
	int rc = 0;

	for (; k; v++) {
		const struct version *next = v + 1 < end ? v + 1 : NULL;
		const struct patch *p = &v->patches[k - 1];

		*ret = find_alike(p, s->patches, s->n_patches);
		if (*ret)
			return 0;
		k = next ? find_alike(p, next->patches, next->n_patches) : 0;
		if (!k)
			rc = pair_by_range(f, v, next, p->commit, &k, err);
		if (rc)
			return rc;
		if (!next || k > next->n_patches) {
			*ret = !next && k <= s->n_patches ? k : 0;
			return 0;
		}
	}
	*ret = 0;
	return 0;
}

/* --- by how much it differs --- */

/* "# ..." is a comment there. */
static bool has_hashes(struct str file)
{
	static const char *const ends[] = { "Makefile", ".sh",	".py",	 ".pl",
					    ".yaml",	".yml", "Kbuild" };
	ptrdiff_t kconfig = str_find(file, "Kconfig");

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (str_ends(file, ends[i]))
			return true;
	return kconfig >= 0;
}

static bool has_stars(struct str file)
{
	static const char *const ends[] = { ".c", ".h", ".S", ".rs", ".dts", ".dtsi" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (str_ends(file, ends[i]))
			return true;
	return false;
}

static bool is_word(struct str w)
{
	for (size_t i = 0; i < w.len; i++) {
		char c = w.p[i];
		bool end = i + 1 == w.len && strchr(".,:;?!)", c);

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '\'' &&
		    c != '-' && !end)
			return false;
	}
	return w.len > 0;
}

/* Two words side by side, which no expression has ("* size + off"). */
static bool is_prose(struct str line)
{
	struct str word;
	bool before = false;

	while (str_word(&line, &word)) {
		bool now = is_word(word);

		if (before && now)
			return true;
		before = now;
	}
	return false;
}

/* In doubt it is code: a change that is asked about too often does no harm. */
static bool is_comment(struct str file, struct str line)
{
	line = str_trim(line);
	if (!line.len)
		return true;
	if (has_hashes(file))
		return str_starts(line, "# ") || str_eqc(line, "#");
	if (!has_stars(file))
		return false;
	if (str_starts(line, "//") || str_eqc(line, "*/") || str_eqc(line, "*") ||
	    str_eqc(line, "/*") || str_eqc(line, "/**"))
		return true;
	if (str_starts(line, "/*")) {
		ptrdiff_t end = str_find(line, "*/");

		return end < 0 || (size_t)end + 2 == line.len;
	}
	return str_skip(&line, "* ") && !str_ends(line, ";") &&
	       (str_starts(line, "@") || is_prose(line));
}

/* A view of the lines of code; docs: those of documentation as well. */
static struct patchcode code_of(const struct patchcode *c, bool docs)
{
	struct patchcode r = { .v = xcalloc(c->n + 1, sizeof(*c->v)) };

	for (size_t i = 0; i < c->n; i++) {
		const struct codeline *l = &c->v[i];
		struct str file = patchcode_file(l->place);

		if ((docs || !str_starts(file, "Documentation/")) &&
		    (*l->text == ' ' || !is_comment(file, str_c(l->text + 1))))
			r.v[r.n++] = *l;
	}
	return r;
}

static size_t distance(const struct patchcode *a, const struct patchcode *b, bool docs)
{
	struct patchcode x = code_of(a, docs), y = code_of(b, docs);
	size_t n = patchcode_distance(&x, &y);

	free(x.v);
	free(y.v);
	return n;
}

static const char *id_of(const struct patch *p)
{
	return p ? p->patch_id : NO_PATCH;
}

static const struct judge_fact *known(const struct follow *f, const struct follow_pair *p)
{
	return judge_cache_find(&f->cache, 'c', id_of(p->from), id_of(p->to));
}

static bool same(const struct follow_pair *p)
{
	return !strcmp(id_of(p->from), id_of(p->to));
}

/* A posted version's commits may be gone, or never have been here. */
static bool here(const struct follow *f, const struct patch *p)
{
	struct commit c;

	if (!p)
		return true;
	if (!*p->patch_id || repo_commit(f->s->repo, p->commit, &c, NULL))
		return false;
	commit_release(&c);
	return true;
}

static const struct patchcode *code_for(const struct strvec *ids,
					const struct patchcode *v, const struct patch *p)
{
	static const struct patchcode none;

	for (size_t i = 0; p && i < ids->n; i++)
		if (!strcmp(ids->v[i], p->commit))
			return &v[i];
	return &none;
}

int follow_compare(struct follow *f, const struct follow_pair *v, size_t n,
		   struct err *err)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct patchcode *code = NULL;
	bool *wanted = xcalloc(n + 1, sizeof(*wanted));
	int rc;

	for (size_t i = 0; i < n; i++) {
		wanted[i] = !same(&v[i]) && !known(f, &v[i]) && here(f, v[i].from) &&
			    here(f, v[i].to);
		if (wanted[i] && v[i].from && !strvec_has(&ids, v[i].from->commit))
			strvec_push(&ids, v[i].from->commit);
		if (wanted[i] && v[i].to && !strvec_has(&ids, v[i].to->commit))
			strvec_push(&ids, v[i].to->commit);
	}
	rc = ids.n ? patchcodes_read(f->s->repo, &ids, &code, err) : 0;
	for (size_t i = 0; i < n && !rc; i++) {
		const struct patchcode *a = code_for(&ids, code, v[i].from),
				       *b = code_for(&ids, code, v[i].to);

		if (wanted[i] && !known(f, &v[i]))
			judge_cache_add(&f->cache, 'c', id_of(v[i].from), id_of(v[i].to),
					distance(a, b, true), distance(a, b, false));
	}
	patchcodes_free(code, ids.n);
	free(wanted);
	return rc;
}

bool follow_lines(const struct follow *f, const struct follow_pair *p, size_t *ret,
		  size_t *ret_code)
{
	const struct judge_fact *fact = known(f, p);

	if (!same(p) && !fact)
		return false;
	*ret = fact ? fact->a : 0;
	*ret_code = fact ? fact->b : 0;
	return true;
}
