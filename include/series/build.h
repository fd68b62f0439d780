/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build.h - kernels: one object directory per arch and config, results keyed by tree,
 * config and compiler.
 *
 * Everything lives in $XDG_CACHE_HOME/series/build/REPO/: a work tree of our own, one O=
 * directory per arch and config, and kernels/KEY/ with image, vmlinux, config, log and
 * result.json of each commit built. The user's tree is never touched.
 *
 * KEY is the first 16 hex digits of sha256("TREE\nCONFIG_HASH\nCOMPILER\n"). CONFIG_HASH is
 * the sha256 of everything that decides the final .config and how it is built, the tree
 * and the compiler apart: arch, configuration target, fragments, extra make variables. It
 * is known before anything is built and is the same for all commits of a series.
 */
#ifndef SERIES_BUILD_H
#define SERIES_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include "series/arch.h"
#include "series/err.h"
#include "series/git.h"
#include "series/json.h"
#include "series/sha256.h"
#include "series/strvec.h"

enum build_outcome { BUILD_UNKNOWN, BUILD_PASS, BUILD_WARN, BUILD_FAIL };
const char *build_outcome_name(enum build_outcome o); /* "pass", "warn", "fail", "unknown" */

struct build_result {
	char commit[OID_HEX], tree[OID_HEX];
	char key[17];		/* directory in kernels/ */
	char *label;		/* "base", "p1" ... */
	char *subject;
	const char *arch;
	char config_hash[SHA256_HEX];
	char *config_name;	/* "vm" */
	char *compiler;		/* first line of CC --version */
	enum build_outcome outcome;
	/*
	 * The base failed too: only objects the series touches were judged, by whether they
	 * compile as they do on the base. BUILD_UNKNOWN when not even those could be.
	 */
	bool base_broken;
	bool same_as_parent;	/* the parent's build-id: the two kernels are one */
	bool cached;		/* nothing had to be done */
	struct strvec warnings;	/* "mm/rmap.c:123: ...", new against the parent */
	char *first_error;	/* with its lines, NULL */
	char *log;		/* path of the kept log */
	char *image, *vmlinux;	/* paths, NULL unless built */
	char *modules;		/* path of their tar; NULL: has none, or not asked for */
	char *build_id;		/* 40 hex digits from readelf -n vmlinux */
	char *release;		/* kernel release: "6.12.117-series" */
	int64_t wall_ms;
};

struct build_request {
	struct repo *repo;
	const struct config *config;
	const char *arch;	/* NULL: this machine's */
	/*
	 * "vm", a configuration target of the kernel ("tinyconfig", "defconfig") or a FILE;
	 * each "+FILE" behind it is a fragment. NULL: series.arch.ARCH.config, series.config
	 * or "vm".
	 */
	const char *kconfig;
	int jobs;		/* 0: CPUs */
	/* More that the kernel's makefile can say: W=1, C=1 (sparse). In results of their own. */
	bool w1, sparse;
	bool modules; /* those of each kernel are wanted, too, as one tar file */
	/*
	 * What to build, in order; each row's parent is the row before it. Row 0 is the base:
	 * it is compared with nothing.
	 */
	const char *const *commits;
	const char *const *labels;
	const char *const *subjects;
	size_t n;
};

struct build_report {
	struct build_result *results;
	size_t n;
	/* What ccache served, when it is installed and something was compiled; else 0, 0. */
	size_t ccache_hits, ccache_misses;
};

/*
 * Build what the request names; kernels that are there already are taken. 0 when every
 * commit passed or warned, E_FINDINGS when one failed (the report says which), other codes
 * when nothing can be said (E_NOTFOUND: no compiler, its package is named; full disk, interrupted, requested config options
 * that are not in the final .config: the message names each and what it depends on). What
 * was built until then is kept, and the same request goes on from there. ret is filled
 * for 0 and E_FINDINGS.
 */
int build_run(const struct build_request *q, struct build_report *ret, struct err *err);
/*
 * build_run() for n requests of one repository for the same commits and with the same
 * number of jobs, side by side: all their makes together run that many. What becomes of
 * each is in ret[i], ret_rc[i] and ret_err[i] (the caller releases them), as if it had been
 * built alone; E_INTR and E_LOCKED end all.
 */
void build_run_all(const struct build_request *q, size_t n, struct build_report *ret,
		   int *ret_rc, struct err *ret_err);
void build_report_release(struct build_report *r);
/*
 * Is there a compiler for this architecture, with what c (may be NULL) says of it? False
 * for one that is not in the table.
 */
bool build_has_compiler(const struct config *c, const char *arch);
/*
 * The document for build/HASH.json (HASH: the key) and --json: no paths of this machine.
 * The caller frees.
 */
struct json *build_result_json(const struct build_result *r);
/* Write the results that are known into the state of the series; one commit, or none. */
int build_store(struct repo *r, const char *name, const struct build_report *report,
		struct err *err);
/*
 * Remove the oldest kernels, then objects, then the work tree, until the repository's part
 * of the cache is below limit bytes (negative: series.buildLimit, default 20g). E_LOCKED
 * while something is being built.
 */
int build_gc(struct repo *r, const struct config *c, int64_t limit, int64_t *ret_freed,
	     struct err *err);

#endif
