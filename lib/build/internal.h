/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - what the files of lib/build share.
 *
 * A struct plan is everything about a request that holds for all of its commits. Below
 * plan.root:
 *	lock		flock of whoever builds
 *	src/		work tree, written from the repository with an index of our own
 *	src.index	that index
 *	src.pending	there while src/ is being changed
 *	src/o.NAME/	O= of one arch and config (a direct child, so that kbuild says
 *			"srctree := .." and nothing depends on where the cache is)
 *	src/o.NAME/.series/	stamp, log, warnings, marker of a running make
 *	kernels/KEY/	results; appear by rename only
 */
#ifndef BUILD_INTERNAL_H
#define BUILD_INTERNAL_H

#include "series/build.h"
#include "series/mem.h"

struct plan {
	const struct build_request *q;
	const struct arch *arch;
	char *cross;
	struct strvec make_vars; /* series.arch.NAME.make: "LLVM=1" */
	char *cc;		 /* program, without ccache */
	char *compiler;		 /* first line of its --version, NULL if it is missing */
	bool ccache;
	char *config_name;
	char *target; /* "allnoconfig"; NULL: base_file */
	char *base_file;
	struct strvec fragments; /* paths */
	char config_hash[SHA256_HEX];
	char *root, *src, *obj, *meta, *kernels;
	int jobs;
	const int *server; /* the two ends of a jobserver that others use, too, or NULL */
	size_t hits, misses; /* of ccache, so far */
};

/* plan.c */
int plan_init(struct plan *p, const struct build_request *q, struct err *err);
void plan_release(struct plan *p);
#define _cleanup_plan_ __attribute__((cleanup(plan_release)))
/* $XDG_CACHE_HOME/series/build/REPO in fresh memory. */
char *plan_root(struct repo *r);
/* Are compiler and the other programs there? */
int plan_check_tools(const struct plan *p, struct err *err);
void plan_key(const char *tree, const char *config_hash, const char *compiler,
	      char ret[17]);

/* source.c */
/* Make src/ hold the tree, touching only what differs. */
int source_checkout(const struct plan *p, const char *tree, struct err *err);
/* Paths that differ between two trees. */
int source_diff(const struct plan *p, const char *a, const char *b, struct strvec *ret,
		struct err *err);
/* git with our index and work tree; output appended to ret_out (may be NULL). */
int source_git(const struct plan *p, const struct strvec *args, struct buf *ret_out,
	       struct err *err);

/* configure.c */
/* Make .config for the tree in src/. E_FINDINGS: the tree's Kconfig itself failed. */
int configure(struct plan *p, const char *tree, const char *label, struct err *err);

/* lost.c */
/*
 * Options that a fragment asks for and the final .config does not have, one line each:
 * "CONFIG_X=y (asked in vm.config:12), final value: not set". symbols gets their names.
 */
void lost_options(const char *const *names, const struct str *fragments, size_t n,
		  struct str config, struct strvec *ret, struct strvec *symbols);
/* What symbol depends on, from the text of its Kconfig file; false if it is not there. */
bool lost_depends(struct str kconfig, const char *symbol, struct str config,
		  struct buf *ret);
/* Value of a symbol in a .config: "y", "\"text\""; empty when not set. Borrowed. */
struct str config_value(struct str config, struct str symbol);

/* make.c */
struct make_result {
	int rc;
	int64_t wall_ms;
	size_t steps;
};
/*
 * One run of make in O=, its output appended to the log and its warnings to the list. 0
 * when make ended by itself, whatever it said.
 */
int make_run(struct plan *p, const struct strvec *args, const struct strvec *env,
	     const char *label, struct make_result *ret, struct err *err);
/* Variables that keep the user's environment and the clock out of the kernel. */
void make_env(const struct plan *p, struct strvec *env);
char *make_log_path(const struct plan *p);

/* recover.c */
/* End what a killed run left behind and remove what it half wrote. */
int recover(const struct plan *p, struct err *err);
int recover_mark(const struct plan *p, struct err *err);
void recover_unmark(const struct plan *p);

/* warnings.c */
struct warndb_item {
	char *object;
	struct strvec lines;
};
struct warndb {
	struct warndb_item *items;
	size_t n, cap;
	char *current; /* object that make speaks about */
};
#define WARNDB_INIT                                                                      \
	{                                                                                \
		NULL, 0, 0, NULL                                                         \
	}
void warndb_release(struct warndb *db);
/* One line of make's output; true when it belongs into the stored list. */
bool warndb_line(struct warndb *db, struct str line);
/* Object of a step ("  CC      mm/rmap.o"); false for other lines. */
bool step_line(struct str line, struct str *ret_object);
/* The list as lines that warndb_line() reads back. */
void warndb_dump(const struct warndb *db, struct buf *out);
/* All warnings, each once, sorted. */
void warndb_all(const struct warndb *db, struct strvec *ret);
/* Those of child that parent does not have; moved line numbers do not count. */
void warnings_new(const struct strvec *parent, const struct strvec *child,
		  struct strvec *ret);

/* firsterr.c */
/* The first error of a log with its lines, NULL if there is none; fresh memory. */
char *first_error(struct str log);
/* A line that says the machine failed, not the code ("No space left on device"). */
bool machine_error(struct str log, struct str *ret_line);

/* judge.c */
/* Objects that the series touches and that exist as sources somewhere in it. */
/* May a path of the tree be given to make as a target? */
bool judge_plain_path(struct str path);
int judge_objects(const struct plan *p, struct strvec *ret, struct err *err);
/* Make them in the tree that is checked out; ret gets those that compile. */
int judge_make(struct plan *p, const struct strvec *objects, const char *label,
	       struct strvec *ret, struct err *err);

/* modules.c */
/* Does the request want the modules of a kernel with this .config (a path)? */
bool modules_wanted(const struct plan *p, const char *config);
/* Install the modules of what was just built, and pack them as meta/modules.tar. */
int modules_pack(struct plan *p, const char *release, const char *label, struct err *err);

/* result.c */
struct stored {
	struct build_result r; /* warnings: empty, see all */
	struct strvec all;     /* every warning of the whole build */
};
void stored_release(struct stored *s);
/* E_NOTFOUND when there is no (readable) result. */
int result_load(const struct plan *p, const char *key, struct stored *ret,
		struct err *err);
/* Write kernels/KEY: image, vmlinux (when passed), config, log, result.json. */
int result_store(const struct plan *p, const struct stored *s, bool kernel,
		 struct err *err);
/* Build-id of an ELF file by readelf -n. */
int elf_build_id(const char *path, char **ret, struct err *err);

/* run.c */
/* A request being built. */
struct run {
	struct plan p;
	struct stored *rows;
	char (*trees)[OID_HEX];
	bool prepared, base_failed, judged;
	struct strvec objects; /* what the series touches */
	struct strvec base_ok; /* those of them that compile on the base */
};
int run_init(struct run *w, const struct build_request *q, struct err *err);
void run_release(struct run *w);
/* Is what is stored for row i enough? Then it is taken. */
bool run_known(struct run *w, size_t i);
/* Before the first row is built, with the lock held: make folders, clear what was left. */
int run_prepare(struct run *w, struct err *err);
/* Build row i, whose tree is checked out. */
int run_row(struct run *w, size_t i, struct err *err);
/* The report; what build_run() says of it. */
int run_report(struct run *w, struct build_report *ret, struct err *err);

#endif
