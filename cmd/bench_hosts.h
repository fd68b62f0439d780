/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_hosts.h: one "series bench" on several hosts at once. */
#ifndef CMD_BENCH_HOSTS_H
#define CMD_BENCH_HOSTS_H

#include "series/benchrun.h"
#include "cmd.h"

struct bench_opts {
	const char *arch, *show;
	struct strvec cases, config, hosts;
	bool each, aa, resume, list;
	int blocks, runs;
};

/* What one session needs, on this host (NULL: the default) and with this configuration. */
struct bench_request bench_request_of(const struct ctx *c, const struct bench_opts *o,
				      const struct bench_def *d, const char *host,
				      const char *kconfig);
/*
 * The benchmarks on each of o->hosts, side by side, each in a process of its own. Kernels are
 * built first, one host after the other. A host that fails does not stop the others; the
 * error is told when all have ended.
 */
int bench_on_hosts(struct ctx *c, const struct bench_opts *o, const struct strvec *names,
		   struct json *sessions, struct strvec *findings, struct err *err);

#endif
