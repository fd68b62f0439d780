// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the definition of a benchmark: bench.conf by "git config -z --list", a row a key.
 */
#include <regex.h>
#include <stddef.h>
#include <string.h>

#include "series/benchdef.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/xdg.h"

#define MAX_ITEMS 1000 /* counters, cases, rules: a definition is written by a person */

/* Where the reader is: for messages and for the section's element. */
struct reader {
	struct bench_def *d;
	const char *path;
	const char *key; /* as git prints it: "case.64K.args" */
	struct str sub;	 /* "64K" */
	size_t cap_metrics, cap_counters, cap_cases;
};

static int bad(struct reader *r, struct err *err, const char *what)
{
	return err_set(err, E_USAGE, "%s: %s: %s", r->path, r->key, what);
}

static void set_string(char **field, const char *value)
{
	free(*field);
	*field = xstrdup(value);
}

/* --- [bench] --- */

enum field_kind { F_STRING, F_INT, F_INT64, F_WORDS };

static const struct {
	const char *key;
	enum field_kind kind;
	size_t offset;
	int64_t lo, hi;
} bench_fields[] = {
	{ "name", F_STRING, offsetof(struct bench_def, name), 0, 0 },
	{ "summary", F_STRING, offsetof(struct bench_def, summary), 0, 0 },
	{ "source", F_STRING, offsetof(struct bench_def, source), 0, 0 },
	{ "cases", F_WORDS, offsetof(struct bench_def, default_cases), 0, 0 },
	{ "runs", F_INT, offsetof(struct bench_def, runs), 1, 10000 },
	{ "warmup", F_INT, offsetof(struct bench_def, warmup), 0, 1 },
	{ "blocks", F_INT, offsetof(struct bench_def, blocks), 1, 1000 },
	{ "timeout", F_INT, offsetof(struct bench_def, timeout_s), 1, 86400 },
	{ "memory", F_INT, offsetof(struct bench_def, memory_mib), 1, 1 << 20 },
	{ "page-size", F_INT64, offsetof(struct bench_def, page_size), 1, 1 << 20 },
};

static int read_bench(struct reader *r, const char *key, const char *value,
		      struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(bench_fields); i++) {
		void *field = (char *)r->d + bench_fields[i].offset;
		int64_t v = 0;

		if (strcmp(key, bench_fields[i].key))
			continue;
		if ((bench_fields[i].kind == F_INT || bench_fields[i].kind == F_INT64) &&
		    !cstr_to_i64(value, bench_fields[i].lo, bench_fields[i].hi, &v))
			return err_set(
				err, E_USAGE,
				"%s: %s: expected a number from %lld to %lld, not '%s'",
				r->path, r->key, (long long)bench_fields[i].lo,
				(long long)bench_fields[i].hi, value);
		if (bench_fields[i].kind == F_STRING)
			set_string(field, value);
		else if (bench_fields[i].kind == F_INT)
			*(int *)field = (int)v;
		else if (bench_fields[i].kind == F_INT64)
			*(int64_t *)field = v;
		else
			strvec_split(field, str_c(value), ' ');
		return 0;
	}
	return bad(r, err, "no such key; see templates/bench/swapout/bench.conf");
}

/* --- [metric "NAME"], [counter "NAME"], [setup] --- */

static int read_metric(struct reader *r, const char *key, const char *value,
		       struct err *err)
{
	struct bench_def *d = r->d;
	struct bench_metric *m = NULL;

	for (size_t i = 0; i < d->n_metrics; i++)
		if (str_eqc(r->sub, d->metrics[i].name))
			m = &d->metrics[i];
	if (!m) {
		if (d->n_metrics >= MAX_ITEMS)
			return bad(r, err, "too many metrics");
		vec_grow(d->metrics, d->n_metrics, r->cap_metrics);
		m = &d->metrics[d->n_metrics++];
		*m = (struct bench_metric){ .name = str_dup(r->sub) };
	}
	if (!strcmp(key, "pattern"))
		set_string(&m->pattern, value);
	else if (!strcmp(key, "unit"))
		set_string(&m->unit, value);
	else if (!strcmp(key, "better") && !strcmp(value, "lower"))
		m->higher_better = false;
	else if (!strcmp(key, "better") && !strcmp(value, "higher"))
		m->higher_better = true;
	else
		return bad(r, err, "expected pattern, unit, or better = lower|higher");
	return 0;
}

static int read_counter(struct reader *r, const char *key, const char *value,
			struct err *err)
{
	struct bench_def *d = r->d;
	struct bench_counter *c = NULL;

	for (size_t i = 0; i < d->n_counters; i++)
		if (str_eqc(r->sub, d->counters[i].name))
			c = &d->counters[i];
	if (!c) {
		if (d->n_counters >= MAX_ITEMS)
			return bad(r, err, "too many counters");
		vec_grow(d->counters, d->n_counters, r->cap_counters);
		c = &d->counters[d->n_counters++];
		*c = (struct bench_counter){ .name = str_dup(r->sub) };
	}
	if (!strcmp(key, "path"))
		set_string(&c->path, value);
	else if (!strcmp(key, "key"))
		set_string(&c->key, value);
	else
		return bad(r, err, "expected path or key");
	return 0;
}

static int read_setup(struct reader *r, const char *key, const char *value,
		      struct err *err)
{
	if (strcmp(key, "command"))
		return bad(r, err, "expected command");
	strvec_push(&r->d->setup, value);
	return 0;
}

/* --- [case "NAME"] --- */

/* "COUNTER >=|<=|= [PERCENT% of] NUMBER" */
static int parse_proof(struct reader *r, const char *text, struct proof_rule *ret,
		       struct err *err)
{
	static const struct {
		const char *op;
		enum proof_op value;
	} ops[] = { { ">=", PROOF_GE }, { "<=", PROOF_LE }, { "=", PROOF_EQ } };
	struct str rest = str_c(text), word[5];
	size_t n = 0;
	int64_t number, percent = 100;

	while (n < 5 && str_word(&rest, &word[n]))
		n++;
	bool relative = n == 5 && str_eqc(word[3], "of") && str_ends(word[2], "%");

	if (!(n == 3 || relative) ||
	    !str_to_i64(word[n - 1], 0, INT64_C(1) << 50, &number))
		return bad(r, err, "expected COUNTER >=|<=|= [PERCENT% of] NUMBER");
	if (relative && !str_to_i64(str_n(word[2].p, word[2].len - 1), 0, 1000, &percent))
		return bad(r, err, "expected a percentage from 0 to 1000");
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!str_eqc(word[1], ops[i].op))
			continue;
		/* A lower limit is rounded up, an upper one down: never laxer than
		 * written. */
		int64_t up = ops[i].value == PROOF_GE ? 99 : 0;

		*ret = (struct proof_rule){ str_dup(word[0]), ops[i].value,
					    (number * percent + up) / 100,
					    xstrdup(text) };
		return 0;
	}
	return bad(r, err, "expected one of >=, <=, =");
}

static int read_case(struct reader *r, const char *key, const char *value,
		     struct err *err)
{
	struct bench_def *d = r->d;
	struct bench_case *c = (struct bench_case *)bench_def_case(d, NULL);

	for (size_t i = 0; i < d->n_cases; i++)
		if (str_eqc(r->sub, d->cases[i].name))
			c = &d->cases[i];
	if (!c) {
		if (d->n_cases >= MAX_ITEMS)
			return bad(r, err, "too many cases");
		vec_grow(d->cases, d->n_cases, r->cap_cases);
		c = &d->cases[d->n_cases++];
		*c = (struct bench_case){ .name = str_dup(r->sub) };
	}
	if (!strcmp(key, "summary")) {
		set_string(&c->summary, value);
	} else if (!strcmp(key, "fill")) {
		set_string(&c->fill, value);
	} else if (!strcmp(key, "args")) {
		set_string(&c->args, value);
	} else if (!strcmp(key, "setup")) {
		strvec_push(&c->setup, value);
	} else if (!strcmp(key, "proof")) {
		struct proof_rule rule;
		int rc = parse_proof(r, value, &rule, err);

		if (rc < 0)
			return rc;
		c->proofs = xreallocarray(c->proofs, c->n_proofs + 1, sizeof(*c->proofs));
		c->proofs[c->n_proofs++] = rule;
	} else {
		return bad(r, err, "expected summary, fill, args, setup or proof");
	}
	return 0;
}

/* --- the file --- */

static const struct {
	const char *section;
	bool named;
	int (*read)(struct reader *r, const char *key, const char *value,
		    struct err *err);
} sections[] = {
	{ "bench", false, read_bench },	 { "setup", false, read_setup },
	{ "metric", true, read_metric }, { "counter", true, read_counter },
	{ "case", true, read_case },
};

/* Values become lines of the guest's job: one with a line of its own would be a command.
 */
static bool one_line(const char *s)
{
	for (; *s; s++)
		if (((unsigned char)*s < ' ' && *s != '\t') || *s == 0x7f)
			return false;
	return true;
}

/* One entry of "git config -z --list": KEY LF VALUE, or KEY alone. */
static int read_entry(struct reader *r, struct str entry, struct err *err)
{
	ptrdiff_t lf = str_chr(entry, '\n');
	struct str key = lf < 0 ? entry : str_n(entry.p, (size_t)lf);
	_cleanup_free_ char *value =
		lf < 0 ? xstrdup("true")
		       : str_dup(str_n(entry.p + lf + 1, entry.len - (size_t)lf - 1));
	_cleanup_free_ char *name = str_dup(key);
	char *first = strchr(name, '.'), *last = strrchr(name, '.');

	r->key = name;
	if (!first)
		return bad(r, err, "not a key of a section");
	if (!one_line(name) || !one_line(value))
		return bad(r, err, "a name or a value is one line of text");
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		size_t n = (size_t)(first - name);

		if (strncmp(name, sections[i].section, n) || sections[i].section[n])
			continue;
		if (sections[i].named != (first != last))
			return bad(r, err,
				   sections[i].named ? "the section needs a name"
						     : "the section takes no name");
		r->sub = first == last ? STR_NULL
				       : str_n(first + 1, (size_t)(last - first - 1));
		return sections[i].read(r, last + 1, value, err);
	}
	return bad(r, err,
		   "no such section; there are bench, setup, metric, counter, case");
}

/* A name that is a word of the job and of a file's path; @more: allowed beside letters.
 */
static bool plain_word(const char *s, const char *more)
{
	for (const char *p = s; *p; p++)
		if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		      (*p >= '0' && *p <= '9') || (p > s && strchr(more, *p))))
			return false;
	return *s;
}

static int check_metrics(struct reader *r, struct err *err)
{
	struct bench_def *d = r->d;

	for (size_t i = 0; i < d->n_metrics; i++) {
		regex_t re;

		r->key = d->metrics[i].name;
		if (!d->metrics[i].pattern ||
		    regcomp(&re, d->metrics[i].pattern, REG_EXTENDED | REG_NEWLINE))
			return bad(r, err, "the metric needs a POSIX extended pattern");
		bool group = re.re_nsub >= 1;

		regfree(&re);
		if (!group)
			return bad(r, err, "the pattern needs a group for the value");
		if (!d->metrics[i].unit)
			d->metrics[i].unit = xstrdup("");
	}
	return 0;
}

static int check_counters(struct reader *r, struct err *err)
{
	struct bench_def *d = r->d;

	for (size_t i = 0; i < d->n_counters; i++) {
		struct bench_counter *c = &d->counters[i];

		r->key = c->name;
		if (!plain_word(c->name, "._-:"))
			return bad(r, err,
				   "the name of a counter is one word of letters, "
				   "digits, '.', '_', '-' and ':'");
		if (!c->path || *c->path != '/' || strpbrk(c->path, " \t\"#\\"))
			return bad(r, err,
				   "the counter needs an absolute path without blanks");
		if (c->key && (!*c->key || strpbrk(c->key, " \t\"#\\")))
			return bad(r, err, "the key of a counter is one word");
	}
	return 0;
}

static bool has_counter(const struct bench_def *d, const char *name)
{
	for (size_t i = 0; i < d->n_counters; i++)
		if (!strcmp(d->counters[i].name, name))
			return true;
	return false;
}

static int check_cases(struct reader *r, struct err *err)
{
	struct bench_def *d = r->d;

	for (size_t i = 0; i < d->n_cases; i++) {
		struct bench_case *c = &d->cases[i];

		r->key = c->name;
		if (!*c->name || strpbrk(c->name, " \t\n\"#\\"))
			return bad(r, err, "the name of a case is one word");
		/* Read as "this kernel lacks the counters", it would prove nothing. */
		for (size_t k = 0; k < c->n_proofs; k++)
			if (!has_counter(d, c->proofs[k].counter))
				return err_set(err, E_USAGE,
					       "%s: case %s: proof '%s': there is no "
					       "[counter \"%s\"]",
					       r->path, c->name, c->proofs[k].text,
					       c->proofs[k].counter);
		if (!c->args)
			c->args = xstrdup("");
	}
	r->key = "bench.cases";
	for (size_t i = 0; i < d->default_cases.n; i++)
		if (!bench_def_case(d, d->default_cases.v[i]))
			return bad(r, err, "names a case that is not defined");
	if (!d->default_cases.n)
		for (size_t i = 0; i < d->n_cases; i++)
			strvec_push(&d->default_cases, d->cases[i].name);
	return 0;
}

static int check_complete(struct reader *r, struct err *err)
{
	struct bench_def *d = r->d;
	int rc;

	r->key = "bench";
	if (!d->name || !d->source || !d->n_metrics || !d->n_cases)
		return bad(r, err, "name, source, a metric and a case are needed");
	if (!plain_word(d->name, "._-") || strlen(d->name) > 64)
		return bad(r, err,
			   "the name is one word of at most 64 letters, digits, '.', "
			   "'_' and '-'");
	if (!*d->source || *d->source == '.' || strchr(d->source, '/'))
		return bad(r, err, "the source is a file beside bench.conf");
	rc = check_metrics(r, err);
	if (!rc)
		rc = check_counters(r, err);
	return rc ? rc : check_cases(r, err);
}

static int read_conf(struct bench_def *d, const char *path, struct err *err)
{
	char *argv[] = { "git", "config", "-f", (char *)path, "-z", "--list", NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = 30000 };
	_cleanup_proc_ struct proc_result out = PROC_RESULT_INIT;
	struct reader r = { .d = d, .path = path };
	struct str rest, entry;
	int rc = proc_check(&o, &out, err);

	if (rc < 0)
		return err_context(err, "%s", path);
	rest = buf_str(&out.out);
	while (!rc && rest.len && str_cut(&rest, '\0', &entry))
		rc = entry.len ? read_entry(&r, entry, err) : 0;
	return rc < 0 ? rc : check_complete(&r, err);
}

/* Identity: what is measured is what these two files say. */
static int hash_def(struct bench_def *d, const char *conf, struct err *err)
{
	const char *paths[] = { conf, d->source };
	struct sha256 h;

	sha256_init(&h);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;
		int rc = fs_read(paths[i], 16 << 20, &b, err);

		if (rc < 0)
			return rc;
		_cleanup_free_ char *head =
			xasprintf("%s %zu\n", path_base(paths[i]), b.len);

		sha256_add(&h, head, strlen(head));
		sha256_add(&h, b.p, b.len);
	}
	sha256_end(&h, d->hash);
	return 0;
}

static int find_dir(const char *name, char **ret, struct err *err)
{
	_cleanup_strvec_ struct strvec names = STRVEC_INIT;

	if (strchr(name, '/')) {
		if (!fs_is_dir(name))
			return err_set(err, E_NOTFOUND,
				       "%s: not a folder with a bench.conf", name);
		*ret = xstrdup(name);
		return 0;
	}
	_cleanup_free_ char *sub = xasprintf("bench/%s", name);

	*ret = *name && *name != '.' ? xdg_template(sub) : NULL;
	if (*ret)
		return 0;
	bench_def_names(&names, NULL);
	_cleanup_free_ char *all = strvec_join(&names, ", ");

	return err_set(err, E_NOTFOUND,
		       "benchmark '%s' is not known; there are: %s (or give the path of "
		       "a folder)",
		       name, all);
}

int bench_def_load(const char *name, struct bench_def **ret, struct err *err)
{
	struct bench_def *d = xcalloc(1, sizeof(*d));
	int rc = find_dir(name, &d->dir, err);

	*d = (struct bench_def){ .dir = d->dir,
				 .runs = 5,
				 .warmup = 1,
				 .blocks = 6,
				 .timeout_s = 120,
				 .memory_mib = 512 };
	if (!rc) {
		_cleanup_free_ char *conf = path_join(d->dir, "bench.conf");

		rc = read_conf(d, conf, err);
		if (!rc) {
			char *source = path_join(d->dir, d->source);

			free(d->source);
			d->source = source;
			rc = hash_def(d, conf, err);
		}
	}
	if (rc < 0)
		bench_def_free(d);
	else
		*ret = d;
	return rc;
}

int bench_def_names(struct strvec *ret, struct err *err)
{
	_cleanup_free_ char *dir = xdg_template("bench");

	return dir ? fs_list(dir, ret, err) : 0;
}

const struct bench_case *bench_def_case(const struct bench_def *d, const char *name)
{
	for (size_t i = 0; name && i < d->n_cases; i++)
		if (!strcmp(d->cases[i].name, name))
			return &d->cases[i];
	return NULL;
}

static void case_release(struct bench_case *c)
{
	for (size_t i = 0; i < c->n_proofs; i++) {
		free(c->proofs[i].counter);
		free(c->proofs[i].text);
	}
	free(c->proofs);
	free(c->name);
	free(c->summary);
	free(c->fill);
	free(c->args);
	strvec_release(&c->setup);
}

void bench_def_free(struct bench_def *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n_metrics; i++) {
		free(d->metrics[i].name);
		free(d->metrics[i].pattern);
		free(d->metrics[i].unit);
	}
	for (size_t i = 0; i < d->n_counters; i++) {
		free(d->counters[i].name);
		free(d->counters[i].path);
		free(d->counters[i].key);
	}
	for (size_t i = 0; i < d->n_cases; i++)
		case_release(&d->cases[i]);
	free(d->metrics);
	free(d->counters);
	free(d->cases);
	free(d->name);
	free(d->summary);
	free(d->dir);
	free(d->source);
	strvec_release(&d->default_cases);
	strvec_release(&d->setup);
	free(d);
}

void bench_def_freep(struct bench_def **d)
{
	bench_def_free(*d);
	*d = NULL;
}
