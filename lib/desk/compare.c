// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare.c - which sides a comparison has, and what git range-diff does not say of their
 * patches: titles on both sides, and whether the code changed or only the words.
 */
#include <ctype.h>
#include <stdlib.h>
#include "patchcode.h"
#include "series/compare.h"
#include "series/mem.h"
#include "series/sanitize.h"

void side_release(struct side *s)
{
	free(s->name);
	*s = (struct side){ 0 };
}

void side_version(const struct version *v, struct side *ret)
{
	*ret = (struct side){ .name = version_label(v), .version = v->n };
	memcpy(ret->base, v->base, OID_HEX);
	memcpy(ret->tip, v->head, OID_HEX);
}

int side_branch(const struct series *s, struct side *ret, struct err *err)
{
	char *word _cleanup_free_ = shell_word(s->branch ? s->branch : "NAME");

	if (!*s->head)
		return err_set(
			err, E_NOTFOUND,
			"series %s: its branch %s is gone; compare two versions, or "
			"bring it back: git branch %s COMMIT",
			s->name, s->branch ? s->branch : "", word);
	*ret = (struct side){ .name = xstrdup("the branch") };
	memcpy(ret->base, s->base, OID_HEX);
	memcpy(ret->tip, s->head, OID_HEX);
	return 0;
}

static int no_version(const struct series *s, const char *word, struct err *err)
{
	struct buf have _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < s->n_versions; i++) {
		char *label _cleanup_free_ = version_label(&s->versions[i]);

		buf_printf(&have, "%s%s", i ? ", " : "", label);
	}
	return err_set(
		err, E_NOTFOUND,
		"%s: no version of the series %s; there is %s, \"branch\", or a range "
		"A..B",
		word, s->name, have.len ? buf_cstr(&have) : "nothing posted yet");
}

/* "A..B": both commits, A an ancestor of B. */
static int parse_range(const struct series *s, const char *word, const char *dots,
		       struct side *ret, struct err *err)
{
	char *a _cleanup_free_ = str_dup(str_n(word, dots - word));
	struct side side = { 0 };
	int rc = repo_resolve(s->repo, *a ? a : "HEAD", side.base, err);

	if (!rc)
		rc = repo_resolve(s->repo, dots[2] ? dots + 2 : "HEAD", side.tip, err);
	if (!rc && (rc = repo_is_ancestor(s->repo, side.base, side.tip, err)) >= 0)
		rc = rc ? 0
			: err_set(err, E_FAIL,
				  "%s: the first is no ancestor of the second; name the "
				  "commit before the first patch, then the last patch",
				  word);
	if (rc)
		return rc;
	side.name = xstrdup(word);
	*ret = side;
	return 0;
}

static bool is_branch(const char *word)
{
	return !strcmp(word, "branch") || !strcmp(word, "draft");
}

/* "v3", "3", "rfc1"; whether it was posted or not. */
static bool is_version(const char *word, int64_t *ret_n, bool *ret_rfc)
{
	struct str number = str_c(word);

	*ret_rfc = str_skip(&number, "rfc");
	if (!*ret_rfc)
		str_skip(&number, "v");
	return str_to_i64(number, 1, SERIES_MAX_VERSION, ret_n);
}

static const struct version *find_version(const struct series *s, const char *word)
{
	bool rfc;
	int64_t n;

	if (!is_version(word, &n, &rfc))
		return NULL;
	for (size_t i = 0; i < s->n_versions; i++)
		if (s->versions[i].n == n && s->versions[i].rfc == rfc)
			return &s->versions[i];
	return NULL;
}

static int parse_side(const struct series *s, const char *word, struct side *ret,
		      struct err *err)
{
	const struct version *v = find_version(s, word);
	const char *dots = strstr(word, "..");

	if (is_branch(word))
		return side_branch(s, ret, err);
	if (dots && dots[2] != '.')
		return parse_range(s, word, dots, ret, err);
	if (!v)
		return no_version(s, word, err);
	side_version(v, ret);
	return 0;
}

bool side_is_word(const char *word)
{
	return is_branch(word) || is_version(word, &(int64_t){ 0 }, &(bool){ false });
}

int side_choose(struct series *s, const struct config *c, const char *word,
		struct side *ret, struct err *err)
{
	int rc = is_branch(word) ? series_find_patches(s, c, err) : 0;

	return rc ? rc : parse_side(s, word, ret, err);
}

/* "v1..v2" is what git's users write, and no range of commits. */
static bool split_sides(const char *word, struct strvec *ret)
{
	const char *dots = strstr(word, "..");
	char *a _cleanup_free_ = dots ? str_dup(str_n(word, dots - word)) : NULL;

	if (!dots || !side_is_word(a) || !side_is_word(dots + 2))
		return false;
	strvec_pushl(ret, a, dots + 2, NULL);
	return true;
}

static int side_words(const struct series *s, const struct strvec *args,
		      struct strvec *ret, struct err *err)
{
	const struct version *last = series_last(s);

	if (args->n == 1 && split_sides(args->v[0], ret))
		return 0;
	strvec_extend(ret, args);
	if (!ret->n && !last)
		return err_set(
			err, E_NOTFOUND,
			"series %s: no version was posted yet, so there is nothing "
			"to compare the branch with",
			s->name);
	if (!ret->n)
		strvec_take(ret, version_label(last));
	if (ret->n < 2)
		strvec_push(ret, "branch");
	return 0;
}

int sides_choose(struct series *s, const struct config *c, const struct strvec *args,
		 struct side *ret_from, struct side *ret_to, struct err *err)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;
	struct side from = { 0 };
	int rc = side_words(s, args, &words, err);

	/* Two versions need no branch, and no base of it. */
	if (!rc && (is_branch(words.v[0]) || is_branch(words.v[1])))
		rc = series_find_patches(s, c, err);
	if (!rc)
		rc = parse_side(s, words.v[0], &from, err);
	if (!rc)
		rc = parse_side(s, words.v[1], ret_to, err);
	if (rc)
		side_release(&from);
	else
		*ret_from = from;
	return rc;
}

void comparison_release(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->v[i].from_subject);
		free(c->v[i].to_subject);
		strvec_release(&c->v[i].code);
	}
	free(c->v);
	rangediff_release(&c->range);
	side_release(&c->from);
	side_release(&c->to);
	*c = (struct comparison){ 0 };
}

static int subject_of(struct repo *r, const char *id, char **ret, struct err *err)
{
	struct commit k;
	int rc;

	if (!*id)
		return 0;
	rc = repo_commit(r, id, &k, err);
	if (rc)
		return rc;
	*ret = xstrdup(k.subject);
	commit_release(&k);
	return 0;
}

static int read_titles(struct repo *r, struct comparison *c, struct err *err)
{
	int rc = 0;

	c->n = c->range.n;
	c->v = xcalloc(c->n + 1, sizeof(*c->v));
	for (size_t i = 0; i < c->n && !rc; i++) {
		rc = subject_of(r, c->range.v[i].from_id, &c->v[i].from_subject, err);
		if (!rc)
			rc = subject_of(r, c->range.v[i].to_id, &c->v[i].to_subject, err);
	}
	return rc;
}

/* The first new patch with the title of this dropped one; c->n if there is none. */
static size_t find_twin(const struct comparison *c, size_t dropped)
{
	size_t k = 0;

	while (k < c->n && (c->range.v[k].mark != RANGE_NEW ||
			    strcmp(c->v[k].to_subject, c->v[dropped].from_subject) != 0))
		k++;
	return k;
}

/*
 * git pairs patches by their likeness. One that was written anew under its old title, or
 * is small, is a dropped and a new one to it.
 */
static int join_twins(struct repo *r, struct comparison *c, struct err *err)
{
	for (size_t i = 0; i < c->n;) {
		size_t k = c->range.v[i].mark == RANGE_DROPPED ? find_twin(c, i) : c->n;
		int rc;

		if (k == c->n) {
			i++;
			continue;
		}
		rc = rangediff_join(r, &c->range, i, k, err);
		if (rc)
			return rc;
		c->v[k].from_subject = c->v[i].from_subject;
		memmove(&c->v[i], &c->v[i + 1], (--c->n - i) * sizeof(*c->v));
	}
	return 0;
}

/* code_changed says for now that it may have: of what git range-diff calls the same the
 * patch-ids tell. */
static int fill(struct repo *r, struct compared *p, struct err *err)
{
	char a[OID_HEX] = "", b[OID_HEX] = "";
	int rc;

	if (!p->from_subject || !p->to_subject)
		return 0;
	p->retitled = strcmp(p->from_subject, p->to_subject) != 0;
	p->code_changed = p->pair->mark == RANGE_CHANGED;
	if (p->code_changed)
		return 0;
	rc = repo_patch_id(r, p->pair->from_id, a, err);
	if (!rc)
		rc = repo_patch_id(r, p->pair->to_id, b, err);
	p->code_changed = strcmp(a, b) != 0;
	return rc;
}

/* Is it the code that changed, or its context, or the words? */
static int judge_code(struct repo *r, struct comparison *c, struct err *err)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct patchcode *code = NULL;
	size_t at = 0;
	int rc;

	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].code_changed)
			strvec_pushl(&ids, c->v[i].pair->from_id, c->v[i].pair->to_id,
				     NULL);
	if (!ids.n)
		return 0;
	rc = patchcodes_read(r, &ids, &code, err);
	for (size_t i = 0; i < c->n && !rc; i++) {
		struct compared *p = &c->v[i];

		if (!p->code_changed)
			continue;
		p->code_changed = patchcode_diff(&code[at], &code[at + 1], &p->code);
		at += 2;
		/* Of binary files git range-diff sees that they change, and not how. */
		if (p->code_changed && p->pair->mark == RANGE_SAME)
			c->range.v[i].mark = RANGE_CHANGED;
	}
	patchcodes_free(code, ids.n);
	return rc;
}

/* A posted version's commits may have been collected, or never have been here. */
static int look_for(struct repo *r, const struct side *s, struct err *err)
{
	struct commit c;

	if (!s->version)
		return 0;
	for (size_t i = 0; i < 2; i++) {
		const char *id = i ? s->base : s->tip;

		if (repo_commit(r, id, &c, NULL))
			return err_set(
				err, E_NOTFOUND,
				"the commits of %s are not here (%.12s is missing); "
				"series sync REMOTE brings them from where they were "
				"pushed, git fetch --unshallow into a shallow clone",
				s->name, id);
		commit_release(&c);
	}
	return 0;
}

int compare_make(struct repo *r, struct side *from_take, struct side *to_take,
		 int creation, struct comparison *ret, struct err *err)
{
	struct comparison c _cleanup_comparison_ = { .from = *from_take, .to = *to_take };
	int rc;

	*from_take = *to_take = (struct side){ 0 };
	rc = look_for(r, &c.from, err);
	if (!rc)
		rc = look_for(r, &c.to, err);
	if (rc)
		return rc;
	rc = git_range_diff(r, c.from.base, c.from.tip, c.to.base, c.to.tip, creation,
			    &c.range, err);
	if (!rc)
		rc = read_titles(r, &c, err);
	if (!rc)
		rc = join_twins(r, &c, err);
	for (size_t i = 0; i < c.n && !rc; i++) {
		c.v[i].pair = &c.range.v[i];
		c.moved += c.range.v[i].moved;
		rc = fill(r, &c.v[i], err);
	}
	if (!rc)
		rc = judge_code(r, &c, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < c.n; i++)
		c.counts[c.range.v[i].mark]++;
	*ret = c;
	c = (struct comparison){ 0 };
	return 0;
}

static struct json *side_json(const struct side *s)
{
	struct json *o = json_obj();

	json_set_str(o, "name", s->name);
	json_set_str(o, "base", *s->base ? s->base : NULL);
	json_set_str(o, "tip", *s->tip ? s->tip : NULL);
	if (s->version)
		json_set_int(o, "version", s->version);
	else
		json_set_str(o, "version", NULL);
	return o;
}

/* A number of a patch, null where it is not. */
static void set_number(struct json *o, const char *key, size_t n)
{
	if (n)
		json_set_int(o, key, (int64_t)n);
	else
		json_set_str(o, key, NULL);
}

static struct json *patch_json(const struct compared *p, bool with_diff)
{
	struct strvec places _cleanup_strvec_ = STRVEC_INIT;
	struct json *o = json_obj();

	range_pair_words(p->pair, &places);
	strvec_extend(&places, &p->code);
	set_number(o, "from", p->pair->from);
	set_number(o, "to", p->pair->to);
	json_set_str(o, "from_commit", *p->pair->from_id ? p->pair->from_id : NULL);
	json_set_str(o, "to_commit", *p->pair->to_id ? p->pair->to_id : NULL);
	json_set_str(o, "from_subject", p->from_subject);
	json_set_str(o, "to_subject", p->to_subject);
	json_set_str(o, "change", range_mark_name(p->pair->mark));
	json_set_bool(o, "moved", p->pair->moved);
	json_set_bool(o, "retitled", p->retitled);
	json_set_bool(o, "code_changed", p->code_changed);
	json_set_strvec(o, "places", &places);
	if (with_diff)
		json_set_strn(o, "diff", p->pair->body);
	return o;
}

struct json *comparison_json(const struct comparison *c, bool with_diff)
{
	struct json *j = json_obj(), *arr = json_arr();

	json_set_int(j, "schema", 1);
	json_set(j, "from", side_json(&c->from));
	json_set(j, "to", side_json(&c->to));
	for (size_t i = 0; i < 4; i++)
		json_set_int(j, range_mark_name(i), (int64_t)c->counts[i]);
	json_set_int(j, "moved", (int64_t)c->moved);
	for (size_t i = 0; i < c->n; i++)
		json_push(arr, patch_json(&c->v[i], with_diff));
	json_set(j, "patches", arr);
	return j;
}
