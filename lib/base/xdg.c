// SPDX-License-Identifier: GPL-2.0-or-later
/* xdg.c - folders of the user and of the installation. */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/xdg.h"

/* How far the source tree may be above the binary: build/VARIANT/tests/unit/NAME. */
#define LEVELS_UP 6

static char *home(void)
{
	const char *h = getenv("HOME");
	const struct passwd *pw;

	if (h && h[0] == '/')
		return xstrdup(h);
	pw = getpwuid(getuid());
	return xstrdup(pw && pw->pw_dir && pw->pw_dir[0] == '/' ? pw->pw_dir : "/");
}

static char *user_dir(const char *var, const char *dflt, const char *sub)
{
	const char *env = getenv(var);
	char *base _cleanup_free_ = NULL;
	char *ours;

	if (env && env[0] == '/') {
		base = xstrdup(env);
	} else {
		char *h _cleanup_free_ = home();

		base = path_join(h, dflt);
	}
	ours = path_join(base, "series");
	if (sub) {
		char *all = path_join(ours, sub);

		free(ours);
		return all;
	}
	return ours;
}

char *xdg_cache(const char *sub)
{
	return user_dir("XDG_CACHE_HOME", ".cache", sub);
}

char *xdg_data(const char *sub)
{
	return user_dir("XDG_DATA_HOME", ".local/share", sub);
}

/*
 * The source tree's templates. The folder must belong to the owner of the binary: then it
 * is as trustworthy as the program itself, and a /tmp/templates of somebody else is not.
 */
static char *source_templates(void)
{
	char *exe _cleanup_free_ = realpath("/proc/self/exe", NULL);
	struct stat bin, st;
	int i;

	if (!exe || stat(exe, &bin))
		return NULL;
	for (i = 0; i < LEVELS_UP && strcmp(exe, "/"); i++) {
		char *up = path_dir(exe);
		char *dir = path_join(up, "templates");

		if (!stat(dir, &st) && S_ISDIR(st.st_mode) && st.st_uid == bin.st_uid) {
			free(up);
			return dir;
		}
		free(dir);
		free(exe);
		exe = up;
	}
	return NULL;
}

/* dir/sub when it is there. */
static char *below(const char *dir, const char *sub)
{
	char *path = sub ? path_join(dir, sub) : xstrdup(dir);

	if (fs_exists(path))
		return path;
	free(path);
	return NULL;
}

char *xdg_template(const char *sub)
{
	const char *env = getenv("SERIES_TEMPLATES");
	char *tree _cleanup_free_ = NULL;
	char *found = NULL;

	if (env && *env)
		found = below(env, sub);
#ifdef SERIES_DATADIR
	if (!found)
		found = below(SERIES_DATADIR, sub);
#endif
	if (found)
		return found;
	tree = source_templates();
	return tree ? below(tree, sub) : NULL;
}
