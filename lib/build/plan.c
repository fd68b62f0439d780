// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a request means: arch, compiler, configuration, and where everything goes. The
 * config hash and the keys of results come from here.
 */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "series/fs.h"
#include "series/proc.h"
#include "series/xdg.h"
#include "internal.h"

/* Raised when the way of building changes, so that old results are not taken for new. */
#define RECIPE "series build 1"

char *plan_root(struct repo *r)
{
	const char *work = repo_work_tree(r), *common = repo_common_dir(r);
	_cleanup_free_ char *real = realpath(common, NULL);
	_cleanup_free_ char *sub = NULL, *dir = NULL;
	char hash[SHA256_HEX];

	if (!real)
		real = xstrdup(common);
	sha256_hex(real, strlen(real), hash);
	/* A linked work tree shares the cache of its repository. */
	if (!strcmp(path_base(real), ".git"))
		dir = path_dir(real);
	else
		dir = xstrdup(work && !strstr(real, "/.git") ? work : real);
	sub = xasprintf("build/%s-%.8s", path_base(dir), hash);
	return xdg_cache(sub);
}

void plan_key(const char *tree, const char *config_hash, const char *compiler,
	      char ret[17])
{
	_cleanup_free_ char *text =
		xasprintf("%s\n%s\n%s\n", tree, config_hash, compiler);
	char hash[SHA256_HEX];

	sha256_hex(text, strlen(text), hash);
	memcpy(ret, hash, 16);
	ret[16] = '\0';
}

static const char *arch_config(const struct plan *p, const char *what)
{
	_cleanup_free_ char *key = xasprintf("series.arch.%s.%s", p->arch->name, what);

	return p->q->config ? config_get(p->q->config, key) : NULL;
}

/*
 * LLVM=1, LLVM=-15 and LLVM=/dir/ as in Documentation/kbuild/llvm.rst: what stands before
 * and behind the names of the tools. False: not asked for.
 */
static bool llvm_names(const struct plan *p, struct str *before, struct str *behind)
{
	*before = *behind = STR_NULL;
	for (size_t i = 0; i < p->make_vars.n; i++) {
		struct str s = str_c(p->make_vars.v[i]);

		if (!str_skip(&s, "LLVM=") || str_eqc(s, "0") || !s.len)
			continue;
		if (s.p[s.len - 1] == '/')
			*before = s;
		else if (s.p[0] == '-')
			*behind = s;
		return true;
	}
	return false;
}

static char *find_cc(const struct plan *p)
{
	struct str before, behind;

	for (size_t i = 0; i < p->make_vars.n; i++) {
		struct str s = str_c(p->make_vars.v[i]);

		if (str_skip(&s, "CC="))
			return str_dup(s);
	}
	if (!llvm_names(p, &before, &behind))
		return xasprintf("%sgcc", p->cross);
	return xasprintf(STR_FMT "clang" STR_FMT, STR_ARG(before), STR_ARG(behind));
}

/* The compiler's first line; NULL when it does not run. */
static char *compiler_line(const char *cc)
{
	_cleanup_proc_ struct proc_result res = PROC_RESULT_INIT;
	_cleanup_strvec_ struct strvec argv = STRVEC_INIT;
	char *env[] = { "LC_ALL=C", NULL };
	struct proc_opts o = { .env = env, .err = PROC_NULL, .timeout_ms = 20000 };
	struct str rest, line;

	strvec_split(&argv, str_c(cc), ' ');
	strvec_push(&argv, "--version");
	o.argv = strvec_argv(&argv);
	if (proc_run(&o, &res, NULL) < 0 || res.status)
		return NULL;
	rest = buf_str(&res.out);
	return str_line(&rest, &line) && line.len ? str_dup(str_trim(line)) : NULL;
}

static bool has_gcc(const char *prefix)
{
	char *name _cleanup_free_ = xasprintf("%sgcc", prefix);
	char *path _cleanup_free_ = fs_find_program(name);

	return path != NULL;
}

/*
 * On the machine's own arch the plain compiler will do; and for i386 that of x86_64, to
 * which the kernel's makefile says -m32.
 */
static const char *cross_prefix(const struct arch *a)
{
	const struct arch *wide = NULL;
	const char *other;

	if (a == arch_native())
		return "";
	if (!a->wide || has_gcc(a->cross) || arch_find(a->wide, &wide, NULL) < 0)
		return a->cross;
	other = wide == arch_native() ? "" : wide->cross;
	return has_gcc(other) ? other : a->cross;
}

static int plan_compiler(struct plan *p, struct err *err)
{
	const char *make = arch_config(p, "make"), *cross = arch_config(p, "cross");

	if (make)
		strvec_split(&p->make_vars, str_c(make), ' ');
	p->cross = xstrdup(cross ? cross : cross_prefix(p->arch));
	p->cc = find_cc(p);
	p->compiler = compiler_line(p->cc);
	_cleanup_free_ char *cache = fs_find_program("ccache");

	p->ccache =
		cache && strncmp(p->cc, "ccache", 6) != 0 &&
		(!p->q->config || config_get_bool(p->q->config, "series.ccache", true));
	return 0;
}

/* Checks that were asked for are flags of make, and kept apart by the name of the config.
 */
static void plan_checks(struct plan *p)
{
	const struct {
		bool on;
		const char *var, *name;
	} all[] = { { p->q->w1, "W=1", "w1" }, { p->q->sparse, "C=1", "sparse" } };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		char *name;

		if (!all[i].on)
			continue;
		strvec_push(&p->make_vars, all[i].var);
		name = xasprintf("%s+%s", p->config_name, all[i].name);
		free(p->config_name);
		p->config_name = name;
	}
}

static int missing(struct err *err, const struct plan *p)
{
	const char *package = strstr(p->cc, "clang") ? "clang"
			      : *p->cross	     ? p->arch->package
						     : "gcc";

	return err_set(
		err, E_NOTFOUND,
		"%s: not found: it compiles for %s; install the package %s, or set "
		"series.arch.%s.cross to the prefix of yours",
		p->cc, p->arch->name, package, p->arch->name);
}

/* The programs that LLVM=1 stands for, and the packages that bring them. */
static int check_llvm(const struct plan *p, struct err *err)
{
	static const char *const tools[][2] = {
		{ "clang", "clang" },	    { "ld.lld", "lld" },
		{ "llvm-ar", "llvm" },	    { "llvm-nm", "llvm" },
		{ "llvm-strip", "llvm" },   { "llvm-objcopy", "llvm" },
		{ "llvm-objdump", "llvm" }, { "llvm-readelf", "llvm" },
	};
	struct str before, behind;

	if (!llvm_names(p, &before, &behind))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		_cleanup_free_ char *name =
			xasprintf(STR_FMT "%s" STR_FMT, STR_ARG(before), tools[i][0],
				  STR_ARG(behind));
		_cleanup_free_ char *path = fs_find_program(name);

		if (!path)
			return err_set(
				err, E_NOTFOUND,
				"%s: not found, and series.arch.%s.make asks for it "
				"(LLVM); install the package %s" STR_FMT
				", or change the setting",
				name, p->arch->name, tools[i][1], STR_ARG(behind));
	}
	return 0;
}

int plan_check_tools(const struct plan *p, struct err *err)
{
	const char *const tools[][2] = {
		{ p->q->sparse ? "sparse" : "make", p->q->sparse ? "sparse" : "make" },
		{ "make", "make" },
		{ "flex", "flex" },
		{ "bison", "bison" },
		{ "readelf", "binutils" },
	};
	int rc = check_llvm(p, err);

	if (rc < 0)
		return rc;
	if (!p->compiler)
		return missing(err, p);
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		_cleanup_free_ char *path = fs_find_program(tools[i][0]);

		if (!path)
			return err_set(
				err, E_FAIL,
				"%s: not found: kernels are built with it; install "
				"the package %s",
				tools[i][0], tools[i][1]);
	}
	return 0;
}

/* A word that the kernel's makefile knows as a configuration: "x86_64_defconfig". */
static bool is_target(struct str s)
{
	return str_ends(s, "config") && str_chr(s, '/') < 0 && str_chr(s, '.') < 0;
}

/*
 * A fragment of ours, by its name: "no-thp" is templates/kconfig/no-thp.config; tail
 * "-ARCH": what it lacks on that architecture.
 */
static char *own_fragment(struct str name, const char *tail)
{
	char *sub _cleanup_free_ =
		xasprintf("kconfig/" STR_FMT "%s.config", STR_ARG(name), tail);

	return str_chr(name, '/') < 0 ? xdg_template(sub) : NULL;
}

/*
 * A file of the user's: below the current directory, else below the work tree's top; else
 * a fragment of ours.
 */
static int find_file(const struct plan *p, struct str name, char **ret, struct err *err)
{
	_cleanup_free_ char *path = str_dup(name), *below = NULL;
	const char *top = repo_work_tree(p->q->repo);

	if (!fs_exists(path) && top && *path != '/') {
		below = path_join(top, path);
		if (fs_exists(below)) {
			*ret = below;
			below = NULL;
			return 0;
		}
	}
	if (!fs_exists(path) || fs_is_dir(path)) {
		*ret = own_fragment(name, "");
		if (*ret)
			return 0;
		return err_set(err, E_USAGE,
			       "config '%s': neither 'vm', a configuration target of the "
			       "kernel (tinyconfig, defconfig, ...), a fragment (no-thp, "
			       "no-swap, debug) nor a file",
			       path);
	}
	*ret = realpath(path, NULL);
	if (!*ret)
		return err_set(err, E_FAIL, "%s: cannot be read", path);
	return 0;
}

static int add_template(struct plan *p, const char *sub, bool needed, struct err *err)
{
	char *path = xdg_template(sub);

	if (path)
		strvec_take(&p->fragments, path);
	else if (needed)
		return err_set(
			err, E_FAIL,
			"template %s: not found; set SERIES_TEMPLATES to the folder "
			"'templates' of the source, or run 'make install'",
			sub);
	return 0;
}

static int plan_config_base(struct plan *p, struct str base, struct err *err)
{
	if (str_eqc(base, "vm")) {
		_cleanup_free_ char *own =
			xasprintf("kconfig/vm-%s.config", p->arch->name);

		p->config_name = xstrdup("vm");
		p->target = xstrdup("allnoconfig");
		int rc = add_template(p, "kconfig/vm.config", true, err);

		if (rc < 0)
			return rc;
		size_t before = p->fragments.n;

		rc = add_template(p, own, false, err);
		if (rc < 0 || p->fragments.n > before)
			return rc;
		return err_set(
			err, E_USAGE,
			"config 'vm' knows nothing of %s; name another one, such as "
			"--config defconfig",
			p->arch->name);
	}
	if (is_target(base)) {
		p->config_name = str_dup(base);
		p->target = str_dup(base);
		return 0;
	}
	int rc = find_file(p, base, &p->base_file, err);

	if (!rc)
		p->config_name = xstrdup(path_base(p->base_file));
	return rc;
}

/* One fragment, and if it is one of ours, what this architecture lacks of it. */
static int add_fragment(struct plan *p, struct str name, struct err *err)
{
	char *tail _cleanup_free_ = xasprintf("-%s", p->arch->name);
	char *ours _cleanup_free_ = own_fragment(name, ""), *path;
	int rc = find_file(p, name, &path, err);

	if (rc < 0)
		return rc;
	bool own = ours && !strcmp(path, ours);

	strvec_take(&p->fragments, path);
	path = own ? own_fragment(name, tail) : NULL;
	if (path)
		strvec_take(&p->fragments, path);
	return 0;
}

static int plan_config(struct plan *p, struct err *err)
{
	const char *spec = p->q->kconfig;
	struct str rest, piece;

	if (!spec)
		spec = arch_config(p, "config");
	if (!spec && p->q->config)
		spec = config_get(p->q->config, "series.config");
	if (!spec)
		spec = "vm";
	rest = str_c(spec);
	if (!str_cut(&rest, '+', &piece))
		piece = STR_LIT("vm");
	int rc = plan_config_base(p, piece, err);

	while (!rc && str_cut(&rest, '+', &piece)) {
		rc = add_fragment(p, piece, err);
		if (rc < 0)
			break;
		/* As it was named: "vm+no-thp", "vm+my.config". */
		char *file _cleanup_free_ = str_dup(piece);
		char *name = xasprintf("%s+%s", p->config_name, path_base(file));

		free(p->config_name);
		p->config_name = name;
	}
	return rc;
}

/* Everything that decides .config and how it is built, tree and compiler apart. */
static int plan_hash(struct plan *p, struct err *err)
{
	_cleanup_buf_ struct buf id = BUF_INIT;
	char hash[SHA256_HEX];

	buf_printf(&id, RECIPE "\narch %s %s %s\n", p->arch->name, p->arch->kernel_arch,
		   p->arch->image);
	for (size_t i = 0; i < p->make_vars.n; i++)
		buf_printf(&id, "make %s\n", p->make_vars.v[i]);
	if (p->target)
		buf_printf(&id, "target %s\n", p->target);
	if (p->base_file) {
		if (sha256_file(p->base_file, hash, err) < 0)
			return E_FAIL;
		buf_printf(&id, "file %s\n", hash);
	}
	for (size_t i = 0; i < p->fragments.n; i++) {
		if (sha256_file(p->fragments.v[i], hash, err) < 0)
			return E_FAIL;
		buf_printf(&id, "fragment %s\n", hash);
	}
	sha256_hex(id.p, id.len, p->config_hash);
	return 0;
}

/* O= directory: one for an arch and a name of config; files of one name are told apart.
 */
static void plan_paths(struct plan *p)
{
	_cleanup_free_ char *name = xasprintf("o.%s-%s", p->arch->name, p->config_name);
	_cleanup_buf_ struct buf id = BUF_INIT;
	char hash[SHA256_HEX];

	for (char *c = name; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567"
			    "89._-",
			    *c))
			*c = '_';
	if (p->base_file)
		buf_printf(&id, "%s\n", p->base_file);
	if (strcmp(p->config_name, "vm"))
		for (size_t i = 0; i < p->fragments.n; i++)
			buf_printf(&id, "%s\n", p->fragments.v[i]);
	if (id.len) {
		sha256_hex(id.p, id.len, hash);
		char *longer = xasprintf("%s-%.6s", name, hash);

		free(name);
		name = longer;
	}
	p->root = plan_root(p->q->repo);
	p->src = path_join(p->root, "src");
	p->obj = path_join(p->src, name);
	p->meta = path_join(p->obj, ".series");
	p->kernels = path_join(p->root, "kernels");
}

bool build_has_compiler(const struct config *c, const char *arch)
{
	struct build_request q = { .config = c };
	struct plan p _cleanup_plan_ = { .q = &q };

	return !arch_find(arch, &p.arch, NULL) && !plan_compiler(&p, NULL) && p.compiler;
}

int plan_init(struct plan *p, const struct build_request *q, struct err *err)
{
	int rc = 0;

	memset(p, 0, sizeof(*p));
	p->q = q;
	if (q->arch)
		rc = arch_find(q->arch, &p->arch, err);
	else
		p->arch = arch_native();
	if (rc < 0)
		return rc;
	p->jobs = q->jobs > 0 ? q->jobs : (int)MAX(1, sysconf(_SC_NPROCESSORS_ONLN));
	rc = plan_compiler(p, err);
	if (!rc)
		rc = plan_config(p, err);
	if (!rc)
		plan_checks(p);
	if (!rc)
		rc = plan_hash(p, err);
	if (!rc)
		plan_paths(p);
	return rc;
}

void plan_release(struct plan *p)
{
	free(p->cross);
	strvec_release(&p->make_vars);
	free(p->cc);
	free(p->compiler);
	free(p->config_name);
	free(p->target);
	free(p->base_file);
	strvec_release(&p->fragments);
	free(p->root);
	free(p->src);
	free(p->obj);
	free(p->meta);
	free(p->kernels);
	memset(p, 0, sizeof(*p));
}
