// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fs_tree.c - directories: make, list, measure and remove them with all they hold.
 *
 * What walks a tree goes by directory descriptors and never follows a link, so that a
 * tree somebody changes meanwhile cannot lead it elsewhere.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/mem.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static void closedirp(DIR **d)
{
	if (*d)
		closedir(*d);
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Open name in the directory at for reading; NULL with errno. */
static DIR *open_dir_at(int at, const char *name, int flags)
{
	int fd = openat(at, name, flags);
	DIR *d;

	if (fd < 0)
		return NULL;
	d = fdopendir(fd);
	if (!d)
		fd_closep(&fd);
	return d;
}

static int make_dir(const char *path, struct err *err)
{
	int e;

	if (!mkdir(path, 0777))
		return 0;
	e = errno;
	if (fs_is_dir(path))
		return 0;
	if (e == EEXIST)
		return err_set(err, E_EXISTS, "%s: exists and is not a directory", path);
	return err_errno(err, e, "cannot create directory %s", path);
}

int fs_mkdirs(const char *path, struct err *err)
{
	char *copy _cleanup_free_ = xstrdup(path);

	if (!*path)
		return err_set(err, E_FAIL, "cannot create a directory without a name");
	for (char *p = copy + 1; *p; p++) {
		int r;

		if (*p != '/' || p[-1] == '/')
			continue;
		*p = '\0';
		r = make_dir(copy, err);
		*p = '/';
		if (r < 0)
			return r;
	}
	return make_dir(copy, err);
}

static int rm_at(int at, const char *name, const char *path, struct err *err);

/* Remove all that d holds; path is its name for messages. */
static int rm_entries(DIR *d, const char *path, struct err *err)
{
	struct dirent *e;

	while ((errno = 0, e = readdir(d))) {
		char *sub _cleanup_free_ = NULL;
		int r;

		if (is_dots(e->d_name))
			continue;
		sub = path_join(path, e->d_name);
		r = rm_at(dirfd(d), e->d_name, sub, err);
		if (r < 0)
			return r;
	}
	return errno ? err_errno(err, errno, "cannot read directory %s", path) : 0;
}

static int rm_at(int at, const char *name, const char *path, struct err *err)
{
	DIR *d _cleanup_(closedirp) = NULL;
	int r;

	if (!unlinkat(at, name, 0) || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return err_errno(err, errno, "cannot remove %s", path);
	d = open_dir_at(at, name, DIR_FLAGS);
	if (!d)
		return err_errno(err, errno, "cannot remove %s", path);
	/* Some file systems leave entries out while others vanish: look again. */
	for (int tries = 0; tries < 3; tries++) {
		r = rm_entries(d, path, err);
		if (r < 0)
			return r;
		if (!unlinkat(at, name, AT_REMOVEDIR) || errno == ENOENT)
			return 0;
		if (errno != ENOTEMPTY && errno != EEXIST)
			break;
		rewinddir(d);
	}
	return err_errno(err, errno, "cannot remove directory %s", path);
}

int fs_rmtree(const char *path, struct err *err)
{
	char *name _cleanup_free_ = xstrdup(path);
	size_t n = strlen(name);

	/* "link/" would be followed. */
	while (n && name[n - 1] == '/')
		name[--n] = '\0';
	if (!n || is_dots(path_base(name)))
		return err_set(err, E_FAIL, "will not remove \"%s\": name a directory",
			       path);
	return rm_at(AT_FDCWD, name, name, err);
}

int fs_list(const char *path, struct strvec *ret, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	DIR *d _cleanup_(closedirp) = NULL;
	struct dirent *e;

	d = open_dir_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!d && errno == ENOENT)
		return err_set(err, E_NOTFOUND, "%s: no such directory", path);
	if (!d)
		return err_errno(err, errno, "cannot open directory %s", path);
	while ((errno = 0, e = readdir(d)))
		if (!is_dots(e->d_name))
			strvec_push(&names, e->d_name);
	if (errno)
		return err_errno(err, errno, "cannot read directory %s", path);
	strvec_sort(&names);
	strvec_extend(ret, &names);
	return 0;
}

static int64_t tree_bytes_at(int at, const char *name)
{
	DIR *d _cleanup_(closedirp) = NULL;
	struct dirent *e;
	struct stat st;
	int64_t sum;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	/* stat(2): st_blocks counts 512 bytes whatever the file system does. */
	sum = (int64_t)st.st_blocks * 512;
	if (!S_ISDIR(st.st_mode))
		return sum;
	d = open_dir_at(at, name, DIR_FLAGS);
	while (d && (e = readdir(d)))
		if (!is_dots(e->d_name))
			sum += tree_bytes_at(dirfd(d), e->d_name);
	return sum;
}

int64_t fs_tree_bytes(const char *path)
{
	return tree_bytes_at(AT_FDCWD, path);
}
