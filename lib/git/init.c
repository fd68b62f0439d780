// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starting libgit2, without the certificates of the system and without ssh.
 *
 * Built with mbedTLS, as Debian does it, git_libgit2_init() reads every CA certificate
 * there is: 53 of the 75 million instructions of a whole "series status". Nothing is
 * fetched through libgit2 here, so that one call is answered with an empty list. The
 * function is looked up in the program first, before the library that has it; every
 * other caller (libcurl may be built with mbedTLS too) gets the real one.
 */
#include <dlfcn.h>
#include "internal.h"

/*
 * Trees up to this many bytes are kept. libgit2 keeps those of 4 KB, and so reads a
 * folder of some hundred documents anew for each of them.
 */
#define TREE_CACHED_MAX ((size_t)4 << 20)

static bool starting;

/* mbedtls/x509_crt.h; 0x2080: MBEDTLS_ERR_X509_FEATURE_UNAVAILABLE */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);
int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	int (*real)(void *, const char *);

	if (starting)
		return 0;
	real = (int (*)(void *, const char *))dlsym(RTLD_NEXT,
						    "mbedtls_x509_crt_parse_file");
	return real ? real(chain, path) : -0x2080;
}

/* The same for ssh: libssh2 starts OpenSSL, which costs as much as opening a repository.
 */
int libssh2_init(int flags);
int libssh2_init(int flags)
{
	int (*real)(int);

	if (starting)
		return 0;
	real = (int (*)(int))dlsym(RTLD_NEXT, "libssh2_init");
	return real ? real(flags) : -1;
}

/*
 * GIT_OPT_SET_EXTENSIONS replaces the list: never objectFormat or refStorage. libgit2 1.5
 * compares the folded name, later ones the name as written.
 */
static const char *extensions[] = {
	"worktreeConfig",    "worktreeconfig",	"relativeWorktrees",
	"relativeworktrees", "partialClone",	"partialclone",
	"preciousObjects",   "preciousobjects", "noop"
};

void gitlib_start(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	starting = true;
	git_libgit2_init();
	starting = false;
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, ARRAY_SIZE(extensions));
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE,
			 TREE_CACHED_MAX);
}
