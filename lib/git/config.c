// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Settings, read by "git config -z --list": includes, worktree files and the environment
 * count as they do for git.
 */
#include <ctype.h>
#include <stdlib.h>
#include "internal.h"

struct config {
	struct strvec keys, values;
};

static void parse_list(struct str text, struct config *c)
{
	struct str entry;

	/* "KEY LF VALUE NUL", or "KEY NUL" for a key without "=" */
	while (str_cut(&text, '\0', &entry)) {
		ptrdiff_t nl = str_chr(entry, '\n');

		if (!entry.len)
			continue;
		if (nl < 0) {
			strvec_push_str(&c->keys, entry);
			strvec_push(&c->values, "true");
			continue;
		}
		strvec_push_str(&c->keys, str_n(entry.p, nl));
		strvec_push_str(&c->values, str_n(entry.p + nl + 1, entry.len - nl - 1));
	}
}

/* The first line of stderr, which names the file; what follows repeats it. */
static struct str first_words(const struct buf *text)
{
	struct str rest = str_trim(buf_str(text)), line = STR_NULL;

	str_line(&rest, &line);
	if (!str_skip(&line, "fatal: ") && !str_skip(&line, "warning: "))
		str_skip(&line, "error: ");
	return str_trim(line);
}

int config_begin(const char *dir, struct proc **ret, struct err *err)
{
	char *argv[] = { "git", "config", "-z", "--list", NULL };
	struct proc_opts o = { .argv = argv, .cwd = dir };

	return proc_begin(&o, ret, err);
}

int config_finish(struct proc *p, struct config **ret, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct config *c;
	int rc = proc_finish(p, "git", &res, err);

	if (rc)
		return rc;
	/* git says 128 for a file it cannot parse, 1 (older ones) for no file at all. */
	if (res.status && (res.status != 1 || res.err.len))
		return err_set(err, E_FAIL,
			       "git cannot read its settings: " STR_FMT
			       "; correct that file in an editor",
			       STR_ARG(first_words(&res.err)));
	c = xcalloc(1, sizeof(*c));
	parse_list(buf_str(&res.out), c);
	*ret = c;
	return 0;
}

int config_load_blob(struct repo *r, const char *commit, const char *path,
		     struct config **ret, struct err *err)
{
	char *blob _cleanup_free_ = xasprintf("%s:%s", commit, path);
	char *args[] = {
		"config", "-z", "--list", "--no-includes", "--blob", blob, NULL
	};
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct config *c;
	int rc;

	/* Starting git costs more than to see that there is none. */
	if (repo_file(r, commit, path, &text, NULL)) {
		*ret = NULL;
		return 0;
	}
	rc = git_run(r, args, STR_NULL, &res, err);
	if (rc)
		return rc;
	c = xcalloc(1, sizeof(*c));
	if (!res.status)
		parse_list(buf_str(&res.out), c);
	*ret = c;
	return 0;
}

int config_load(const char *dir, struct config **ret, struct err *err)
{
	struct proc *p;
	int rc = config_begin(dir, &p, err);

	return rc ? rc : config_finish(p, ret, err);
}

void config_free(struct config *c)
{
	if (!c)
		return;
	strvec_release(&c->keys);
	strvec_release(&c->values);
	free(c);
}

/* The key as git lists it: section and last part in lower case. Caller frees. */
static char *fold(const char *key)
{
	char *k = xstrdup(key), *first = strchr(k, '.'), *last = strrchr(k, '.');

	for (char *p = k; *p && p < (first ? first : k + strlen(k)); p++)
		*p = tolower((unsigned char)*p);
	for (char *p = last ? last : k; *p; p++)
		*p = tolower((unsigned char)*p);
	return k;
}

const char *config_get(const struct config *c, const char *key)
{
	char *k _cleanup_free_ = fold(key);

	for (size_t i = c ? c->keys.n : 0; i-- > 0;)
		if (!strcmp(c->keys.v[i], k))
			return c->values.v[i];
	return NULL;
}

void config_get_all(const struct config *c, const char *key, struct strvec *ret)
{
	char *k _cleanup_free_ = fold(key);

	for (size_t i = 0; c && i < c->keys.n; i++)
		if (!strcmp(c->keys.v[i], k))
			strvec_push(ret, c->values.v[i]);
}

bool config_at(const struct config *c, size_t i, const char **ret_key, const char **ret_value)
{
	if (!c || i >= c->keys.n)
		return false;
	*ret_key = c->keys.v[i];
	*ret_value = c->values.v[i];
	return true;
}

bool config_bool(const char *v, bool dflt)
{
	int64_t n;

	if (!strcasecmp(v, "true") || !strcasecmp(v, "yes") || !strcasecmp(v, "on"))
		return true;
	if (!*v || !strcasecmp(v, "false") || !strcasecmp(v, "no") ||
	    !strcasecmp(v, "off"))
		return false;
	if (cstr_to_i64(v, INT32_MIN, INT32_MAX, &n))
		return n != 0;
	return dflt;
}

bool config_get_bool(const struct config *c, const char *key, bool dflt)
{
	const char *v = config_get(c, key);

	return v ? config_bool(v, dflt) : dflt;
}

int config_get_int(const struct config *c, const char *key, int64_t dflt, int64_t *ret,
		   struct err *err)
{
	const char *v = config_get(c, key);
	int64_t n, mul = 1;
	struct str s;

	if (!v) {
		*ret = dflt;
		return 0;
	}
	s = str_trim(str_c(v));
	if (s.len > 1) {
		switch (tolower((unsigned char)s.p[s.len - 1])) {
		case 'k':
			mul = 1 << 10;
			break;
		case 'm':
			mul = 1 << 20;
			break;
		case 'g':
			mul = 1 << 30;
			break;
		}
		if (mul > 1)
			s.len--;
	}
	if (!str_to_i64(s, INT64_MIN / mul, INT64_MAX / mul, &n))
		return err_set(err, E_USAGE, "%s is \"%s\", which is no whole number",
			       key, v);
	*ret = n * mul;
	return 0;
}

void config_subsections(const struct config *c, const char *section, const char *prefix,
			struct strvec *ret)
{
	size_t sl = strlen(section);

	for (size_t i = 0; c && i < c->keys.n; i++) {
		const char *k = c->keys.v[i], *last = strrchr(k, '.');
		char *sub _cleanup_free_ = NULL;

		if (strncasecmp(k, section, sl) || k[sl] != '.' || last <= k + sl)
			continue;
		sub = xmemdup0(k + sl + 1, last - (k + sl + 1));
		if (!strncmp(sub, prefix, strlen(prefix)) && !strvec_has(ret, sub))
			strvec_push(ret, sub);
	}
}

void config_subsections_with(const struct config *c, const char *section,
			     const char *last, const char *value, struct strvec *ret)
{
	size_t sl = strlen(section), ll = strlen(last);

	/* Thousands of branches are common: look at the ends before anything else. */
	for (size_t i = 0; c && i < c->keys.n; i++) {
		const char *k = c->keys.v[i];
		size_t len = strlen(k);
		char *sub _cleanup_free_ = NULL;

		if (len < sl + ll + 2 || strcmp(c->values.v[i], value) ||
		    strcmp(k + len - ll, last) || k[len - ll - 1] != '.' ||
		    strncmp(k, section, sl) || k[sl] != '.')
			continue;
		sub = xmemdup0(k + sl + 1, len - sl - ll - 2);
		/* A later value of the same key goes first. */
		if (!strcmp(config_get(c, k), value) && !strvec_has(ret, sub))
			strvec_push(ret, sub);
	}
}
