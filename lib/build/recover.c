// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * After a kill -9. make's own children outlive it for a moment, and what was being
 * written has a fresh time: make would take half an object for a good one.
 *
 * A marker stands while make runs. Found by the next run, it means: end every process
 * that carries our SERIES_BUILD_OBJ=DIR, then remove each target whose .NAME.cmd is older
 * than the target itself. kbuild writes that file last (cmd_and_fixdep and if_changed in
 * scripts/Kbuild.include), so a finished target is never newer. A .cmd file that was cut
 * off would be a makefile that does not parse; it goes with its target.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "series/fs.h"
#include "series/intr.h"
#include "series/time.h"
#include "internal.h"

static char *marker_path(const struct plan *p)
{
	return path_join(p->meta, "running");
}

int recover_mark(const struct plan *p, struct err *err)
{
	_cleanup_free_ char *path = marker_path(p);

	return fs_write_atomic(path, "make\n", 5, 0644, err);
}

void recover_unmark(const struct plan *p)
{
	_cleanup_free_ char *path = marker_path(p);

	fs_unlink(path, NULL);
}

/* Does the process carry our variable? */
static bool is_ours(const char *pid, const char *var)
{
	_cleanup_free_ char *path = xasprintf("/proc/%s/environ", pid);
	_cleanup_buf_ struct buf env = BUF_INIT;
	struct str rest, item;

	if (fs_read(path, 1 << 20, &env, NULL) < 0)
		return false;
	rest = buf_str(&env);
	while (str_cut(&rest, '\0', &item))
		if (str_eqc(item, var))
			return true;
	return false;
}

/* Kill what is left of a former make; how many there were. */
static size_t kill_left(const struct plan *p)
{
	_cleanup_free_ char *var = xasprintf("SERIES_BUILD_OBJ=%s", p->obj);
	_cleanup_strvec_ struct strvec pids = STRVEC_INIT;
	size_t n = 0;

	if (fs_list("/proc", &pids, NULL) < 0)
		return 0;
	for (size_t i = 0; i < pids.n; i++) {
		int64_t pid;

		if (!cstr_to_i64(pids.v[i], 2, INT32_MAX, &pid) || pid == getpid())
			continue;
		if (is_ours(pids.v[i], var)) {
			kill((pid_t)pid, SIGKILL);
			n++;
		}
	}
	return n;
}

static bool newer(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec != b->st_mtim.tv_sec
		       ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
		       : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Does the file end as a whole makefile fragment does? */
static bool ends_whole(int dir, const char *name, const struct stat *st)
{
	int fd _cleanup_close_ = openat(dir, name, O_RDONLY | O_CLOEXEC);
	char last = 0;

	return fd >= 0 && st->st_size > 0 && pread(fd, &last, 1, st->st_size - 1) == 1 &&
	       last == '\n';
}

/* Look at ".NAME.cmd" and its target; since: the marker. */
static void check_cmd(int dir, const char *cmd, const struct stat *since)
{
	_cleanup_free_ char *target = xmemdup0(cmd + 1, strlen(cmd) - 5);
	struct stat sc, st;
	bool have = !fstatat(dir, target, &st, AT_SYMLINK_NOFOLLOW);

	if (fstatat(dir, cmd, &sc, AT_SYMLINK_NOFOLLOW))
		return;
	bool fresh = newer(&sc, since) || (have && newer(&st, since));

	if (!fresh)
		return;
	if (!ends_whole(dir, cmd, &sc)) {
		unlinkat(dir, cmd, 0);
		unlinkat(dir, target, 0);
	} else if (have && (newer(&st, &sc) || !st.st_size)) {
		unlinkat(dir, target, 0);
	}
}

static void scan(int parent, const char *name, const struct stat *since, int depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name);

		if (e->d_type == DT_DIR) {
			if (e->d_name[0] != '.' && depth < 64)
				scan(dirfd(d), e->d_name, since, depth + 1);
		} else if (len > 5 && e->d_name[0] == '.' &&
			   !strcmp(e->d_name + len - 4, ".cmd")) {
			check_cmd(dirfd(d), e->d_name, since);
		}
	}
	closedir(d);
}

int recover(const struct plan *p, struct err *err)
{
	_cleanup_free_ char *path = marker_path(p);
	struct stat since;

	if (stat(path, &since))
		return 0;
	for (int i = 0; kill_left(p); i++) {
		if (i > 100)
			return err_set(
				err, E_FAIL,
				"%s: processes of an earlier build do not end; look "
				"for them with 'fuser -v .' there",
				p->obj);
		if (intr_check(err) < 0)
			return E_INTR;
		time_sleep_ms(50);
	}
	scan(AT_FDCWD, p->obj, &since, 0);
	recover_unmark(p);
	return 0;
}
