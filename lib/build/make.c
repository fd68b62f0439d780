// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One run of make: a reproducible environment, progress from its lines, warnings kept as
 * they come, and a marker that tells the next run when this one was killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "series/engine.h"
#include "series/fs.h"
#include "series/progress.h"
#include "internal.h"

/* Documentation/kbuild/reproducible-builds.rst; the rest is what users tend to export. */
static const char *const fixed[] = {
	"LC_ALL=C",
	"KBUILD_BUILD_TIMESTAMP=Thu Jan  1 00:00:00 UTC 1970",
	"KBUILD_BUILD_USER=series",
	"KBUILD_BUILD_HOST=series",
	"KBUILD_BUILD_VERSION=1",
	"CCACHE_NOHASHDIR=1",
	"MAKEFLAGS",
	"MFLAGS",
	"MAKELEVEL",
	"GNUMAKEFLAGS",
	"MAKEOVERRIDES",
	"KBUILD_OUTPUT",
	"KBUILD_EXTRA_WARN",
	"KBUILD_VERBOSE",
	"KBUILD_ABS_SRCTREE",
	"KBUILD_EXTRA_SYMBOLS",
	"KBUILD_MODPOST_WARN",
	"KBUILD_DEFCONFIG",
	"KBUILD_SIGN_PIN",
	"KCONFIG_CONFIG",
	"KCONFIG_ALLCONFIG",
	"KCONFIG_SEED",
	"KCONFIG_DEFCONFIG_LIST",
	"CONFIG_",
	"ARCH",
	"SUBARCH",
	"SRCARCH",
	"CROSS_COMPILE",
	"LOCALVERSION",
	"LLVM",
	"LLVM_IAS",
	"CC",
	"LD",
	"AR",
	"AS",
	"NM",
	"HOSTCC",
	"HOSTCFLAGS",
	"HOSTLDFLAGS",
	"CFLAGS",
	"LDFLAGS",
	"KCFLAGS",
	"KAFLAGS",
	"KCPPFLAGS",
	"KRUSTFLAGS",
	"W",
	"C",
	"V",
	"O",
	"CHECK",
	"CF",
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"CPATH",
	"C_INCLUDE_PATH",
	"GCC_COLORS",
	"GREP_OPTIONS",
};

struct watch {
	struct plan *p;
	struct warndb db;
	struct progress progress;
	int fd; /* list of warnings, appended to */
	size_t steps;
	int64_t expected;
	int write_errno;
};

void make_env(const struct plan *p, struct strvec *env)
{
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		strvec_push(env, fixed[i]);
	strvec_pushf(env, "CCACHE_BASEDIR=%s", p->root);
	strvec_pushf(env, "CCACHE_STATSLOG=%s/ccache.stats", p->meta);
	strvec_pushf(env, "SERIES_BUILD_OBJ=%s", p->obj);
}

char *make_log_path(const struct plan *p)
{
	return path_join(p->meta, "log");
}

static void on_line(struct str line, void *arg)
{
	struct watch *w = arg;
	struct str object;

	if (step_line(line, &object)) {
		_cleanup_free_ char *name = str_dup(object);

		w->steps++;
		progress_update(&w->progress, (int64_t)w->steps, name);
	}
	if (!warndb_line(&w->db, line) || w->fd < 0)
		return;
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addstr(&b, line);
	buf_putc(&b, '\n');
	if (write(w->fd, b.p, b.len) != (ssize_t)b.len)
		w->write_errno = errno;
}

/* argv of make, and what goes into the log as the line to repeat it by hand. */
static void command(const struct plan *p, const struct strvec *args, struct strvec *argv)
{
	strvec_pushl(argv, "make", "--no-print-directory", "-Otarget", NULL);
	if (!p->server)
		strvec_pushf(argv, "-j%d", p->jobs);
	strvec_pushf(argv, "O=%s", path_base(p->obj));
	strvec_pushf(argv, "ARCH=%s", p->arch->kernel_arch);
	if (*p->cross)
		strvec_pushf(argv, "CROSS_COMPILE=%s", p->cross);
	strvec_push(argv, "LOCALVERSION=-series");
	strvec_extend(argv, &p->make_vars);
	if (p->ccache)
		strvec_pushf(argv, "CC=ccache %s", p->cc);
	strvec_extend(argv, args);
}

static int log_command(const struct plan *p, struct strvec *argv, struct err *err)
{
	_cleanup_free_ char *path = make_log_path(p);
	_cleanup_free_ char *line = strvec_join(argv, " ");
	_cleanup_free_ char *text = xasprintf("$ %s\n", line);
	int fd _cleanup_close_ =
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

	if (fd < 0)
		return err_errno(err, errno, "%s", path);
	return fs_write_fd(fd, text, strlen(text), path, err);
}

/* ccache writes the name of each call's result: direct_cache_hit, cache_miss ... */
static void count_ccache(struct plan *p)
{
	_cleanup_free_ char *path = path_join(p->meta, "ccache.stats");
	_cleanup_buf_ struct buf text = BUF_INIT;
	struct str rest, line;

	if (!p->ccache || fs_read(path, 0, &text, NULL) < 0)
		return;
	rest = buf_str(&text);
	while (str_line(&rest, &line)) {
		p->hits += str_eqc(line, "direct_cache_hit") ||
			   str_eqc(line, "preprocessed_cache_hit");
		p->misses += str_eqc(line, "cache_miss");
	}
	fs_unlink(path, NULL);
}

/*
 * Numbers kept from one run to the next: "expected", the steps of a whole build, and
 * "steps", how many of them an interrupted one had done. 0 when there is none.
 */
static int64_t read_number(const struct plan *p, const char *name)
{
	_cleanup_free_ char *path = path_join(p->meta, name);
	_cleanup_buf_ struct buf text = BUF_INIT;
	int64_t n;

	if (fs_read(path, 64, &text, NULL) < 0 ||
	    !str_to_i64(str_trim(buf_str(&text)), 1, INT32_MAX, &n))
		return 0;
	return n;
}

static int write_number(const struct plan *p, const char *name, size_t n, struct err *err)
{
	_cleanup_free_ char *path = path_join(p->meta, name);
	_cleanup_free_ char *text = xasprintf("%zu\n", n);

	return fs_write_atomic(path, text, strlen(text), 0644, err);
}

/* Rewrite the list with only what it says, now that make has come to its end. */
static int compact(const struct plan *p, const struct warndb *db, struct err *err)
{
	_cleanup_free_ char *path = path_join(p->meta, "warnings");
	_cleanup_buf_ struct buf text = BUF_INIT;

	warndb_dump(db, &text);
	return fs_write_atomic(path, text.p ? text.p : "", text.len, 0644, err);
}

static int watch_open(struct watch *w, const struct plan *p, struct err *err)
{
	_cleanup_free_ char *path = path_join(p->meta, "warnings");
	_cleanup_buf_ struct buf text = BUF_INIT;
	struct str rest, line;

	if (fs_read(path, 0, &text, NULL) == 0) {
		rest = buf_str(&text);
		while (str_line(&rest, &line))
			warndb_line(&w->db, line);
	}
	w->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	return w->fd < 0 ? err_errno(err, errno, "%s", path) : 0;
}

static int full_disk(const struct plan *p, struct err *err)
{
	struct statvfs vfs;
	uint64_t mib = 0;

	if (!statvfs(p->root, &vfs))
		mib = (uint64_t)vfs.f_bavail * vfs.f_frsize >> 20;
	return err_set(
		err, E_FAIL,
		"no space left for kernels below %s (%llu MiB free); free some, or "
		"run 'series build --gc', and give the same command again",
		p->root, (unsigned long long)mib);
}

/* make ended with an error: was it the machine's fault? */
static int check_machine(const struct plan *p, struct err *err)
{
	_cleanup_free_ char *path = make_log_path(p);
	_cleanup_buf_ struct buf log = BUF_INIT;
	struct str line;

	if (fs_read_tail(path, 8 << 20, &log, err) < 0)
		return err->code;
	if (!machine_error(buf_str(&log), &line))
		return 0;
	if (str_find(line, "No space left") >= 0)
		return full_disk(p, err);
	return err_set(
		err, E_FAIL,
		"make failed for want of memory or disk, not for the code: " STR_FMT
		" (log: %s)",
		STR_ARG(line), path);
}

static int ended(struct watch *w, const struct job_result *res, bool whole,
		 struct make_result *ret, struct err *err)
{
	struct plan *p = w->p;

	if (whole && (res->state == JOB_INTERRUPTED || res->rc))
		write_number(p, "steps", w->steps, NULL);
	if (res->state == JOB_INTERRUPTED)
		return err_set(err, E_INTR,
			       "interrupted; what is built stays, give the same command "
			       "again to go on");
	if (res->rc > 128 && res->rc < 192)
		return err_set(err, E_FAIL, "make was ended by signal %d", res->rc - 128);
	recover_unmark(p);
	*ret = (struct make_result){ res->rc, res->wall_ms, w->steps };
	if (w->write_errno == ENOSPC)
		return full_disk(p, err);
	int rc = res->rc ? check_machine(p, err) : compact(p, &w->db, err);

	if (!rc && !res->rc && whole) {
		rc = write_number(p, "expected", w->steps, err);
		if (!rc)
			rc = write_number(p, "steps", 0, err);
	}
	return rc;
}

int make_run(struct plan *p, const struct strvec *args, const struct strvec *env,
	     const char *label, struct make_result *ret, struct err *err)
{
	_cleanup_strvec_ struct strvec argv = STRVEC_INIT, full = STRVEC_INIT;
	_cleanup_free_ char *log = make_log_path(p);
	_cleanup_free_ char *vmlinux = path_join(p->obj, "vmlinux.o");
	struct watch w = { .p = p, .db = WARNDB_INIT, .fd = -1 };
	struct job_result res = { 0 };
	bool whole = strvec_has(args, "vmlinux") && !fs_exists(vmlinux);
	int rc = watch_open(&w, p, err);

	command(p, args, &argv);
	make_env(p, &full);
	/* As a make that was started by another one: jobs are had from the server. */
	if (p->server)
		strvec_pushf(&full, "MAKEFLAGS= -j --jobserver-auth=%d,%d", p->server[0],
			     p->server[1]);
	if (env)
		strvec_extend(&full, env);
	if (!rc)
		rc = log_command(p, &argv, err);
	if (!rc)
		rc = recover_mark(p, err);
	if (!rc) {
		struct job j = { .argv = argv,
				 .env = full,
				 .cwd = p->src,
				 .log_path = log,
				 .keep = p->server,
				 .n_keep = p->server ? 2 : 0,
				 .on_line = on_line,
				 .arg = &w };

		w.steps = whole ? (size_t)read_number(p, "steps") : 0;
		progress_start(&w.progress, label,
			       whole ? read_number(p, "expected") : 0);
		rc = engine_run(&j, &res, err);
		progress_end(&w.progress);
	}
	if (!rc)
		rc = ended(&w, &res, whole, ret, err);
	count_ccache(p);
	warndb_release(&w.db);
	if (w.fd >= 0)
		close(w.fd);
	return rc;
}
