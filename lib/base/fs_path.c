// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fs_path.c - names of files, and short questions about what is there.
 */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/mem.h"

char *path_join(const char *a, const char *b)
{
	size_t n = strlen(a);

	if (!n)
		return xstrdup(b);
	return xasprintf("%s%s%s", a, a[n - 1] == '/' ? "" : "/", b);
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *path_dir(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	while (slash > path && slash[-1] == '/')
		slash--;
	return slash == path ? xstrdup("/") : xmemdup0(path, (size_t)(slash - path));
}

bool fs_exists(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

bool fs_is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool fs_is_exec(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

int64_t fs_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (int64_t)st.st_size;
}

char *fs_find_program_in(const char *search, const char *name)
{
	struct str rest = str_c(search), dir;

	if (!*name)
		return NULL;
	if (strchr(name, '/'))
		return fs_is_exec(name) ? xstrdup(name) : NULL;
	while (str_cut(&rest, ':', &dir)) {
		char *path;

		/* An empty entry means "here", and here may be somebody else's tree. */
		if (!dir.len)
			continue;
		path = xasprintf(STR_FMT "/%s", STR_ARG(dir), name);
		if (fs_is_exec(path))
			return path;
		free(path);
	}
	return NULL;
}

char *path_expand_home(const char *path)
{
	const char *slash = strchr(path, '/'), *home = NULL;

	if (*path != '~')
		return xstrdup(path);
	if (!slash)
		slash = path + strlen(path);
	if (slash == path + 1) {
		home = getenv("HOME");
	} else {
		char *user _cleanup_free_ = xmemdup0(path + 1, slash - path - 1);
		const struct passwd *pw = getpwnam(user);

		home = pw ? pw->pw_dir : NULL;
	}
	return home ? xasprintf("%s%s", home, slash) : xstrdup(path);
}

char *fs_find_program(const char *name)
{
	const char *search = getenv("PATH");

	return fs_find_program_in(search ? search : "/usr/local/bin:/usr/bin:/bin", name);
}

int fs_tmpdir(const char *prefix, char **ret, struct err *err)
{
	const char *top = getenv("TMPDIR");
	char *path;

	path = xasprintf("%s/%s-XXXXXX", top && *top ? top : "/tmp", prefix);
	if (!mkdtemp(path)) {
		err_errno(err, errno, "cannot create a directory like %s (see TMPDIR)",
			  path);
		free(path);
		return E_FAIL;
	}
	*ret = path;
	return 0;
}
