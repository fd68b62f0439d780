// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * local.c - this machine as a host: jobs run on the kernel that is running, under the
 * agent of templates/guest. Nothing is ever booted; which kernel runs is said by its
 * build-id.
 */
#include <string.h>
#include <unistd.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"

/* For the agent, which puts back what the job changed. */
#define GRACE_MS 10000

static int read_local(const struct config *c, struct host *h, struct err *err)
{
	if (h->arch && h->arch != arch_native())
		return err_set(err, E_USAGE,
			       "series.host.%s.arch is %s, but this machine is %s",
			       h->name, h->arch->name, arch_native()->name);
	h->arch = arch_native();
	h->accel = xstrdup("hardware");
	return 0;
}

static int start_local(struct boot *b, const struct boot_request *q, struct err *err)
{
	char *agent _cleanup_free_ = NULL;
	char *job _cleanup_free_ = path_join(q->dir, "job");
	char *owner _cleanup_free_ = xasprintf("%d", (int)getpid());
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .out = PROC_FILE,
			       .err = PROC_FILE,
			       .out_path = b->paths.log,
			       .err_path = b->paths.log,
			       .grace_ms = GRACE_MS };
	char *old_stop _cleanup_free_ = path_join(q->dir, "stop");
	int r = lab_agent(q->host->config, q->arch, &agent, err);

	if (!r)
		r = fs_unlink(old_stop, err);
	if (!r)
		r = job_stage(q, q->dir, err);
	if (r)
		return r;
	/* Knobs, swap and zram are root's. */
	if (geteuid())
		strvec_pushl(&argv, "sudo", "-n", NULL);
	strvec_pushl(&argv, agent, "run", job, b->paths.job, owner, NULL);
	o.argv = strvec_argv(&argv);
	boot_start_clock(b, q);
	return proc_start(&o, &b->proc, err);
}

static void explain_local(const struct boot *b, const struct proc_result *pr,
			  struct boot_result *ret)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;

	console_tail(b->paths.log, 1, &words);
	if (b->cut == CUT_FLOOD)
		boot_say(ret, BOOT_HUNG, "the job flooded its records");
	else if (b->cut == CUT_DEADLINE)
		boot_say_silent(b, ret);
	else if (pr->signal)
		boot_say(ret, BOOT_VOID, "the agent was killed from outside (signal %d)",
			 pr->signal);
	else
		boot_say(ret, BOOT_INFRA_FAIL, "the agent ended with status %d%s%s",
			 pr->status, words.n ? ": " : "", words.n ? words.v[0] : "");
}

/* The agent may be root's, whom no signal of ours reaches: it looks for this file, too.
 */
static void stop_local(const struct boot *b)
{
	char *path _cleanup_free_ = path_join(b->dir, "stop");

	fs_write_atomic(path, "", 0, 0600, NULL);
}

/* May we act as root without being asked for a password? */
static void check_root(struct host_check *ret)
{
	char *argv[] = { (char *)"sudo", (char *)"-n", (char *)"true", NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = 10000, .max_output = 4096 };

	if (!geteuid())
		strvec_push(&ret->ok, "root: yes");
	else if (!proc_check(&o, NULL, NULL))
		strvec_push(&ret->ok, "root: by sudo, without a password");
	else
		strvec_push(&ret->problems,
			    "jobs change knobs and swap, which is root's: let sudo ask "
			    "for no password (sudo -n true must work)");
}

static int check_local(const struct host *h, const struct arch *a, struct host_check *ret,
		       struct err *err)
{
	bool zram = fs_exists("/sys/class/zram-control") ||
		    fs_exists("/sys/block/zram0") || fs_exists("/sys/module/zram");
	int64_t mem = memory_mib();

	strvec_push(&ret->ok, "boots nothing: jobs run on the kernel that is running");
	check_agent(h, a, NULL, ret);
	check_root(ret);
	if (zram)
		strvec_push(&ret->ok, "zram: there");
	else
		strvec_push(&ret->ok, "zram: not loaded; a job that wants it loads it");
	strvec_pushf(&ret->ok, "memory: %lld MiB available", (long long)mem);
	check_cache_room(ret);
	return 0;
}

int host_running(const struct host *h, char **ret_build_id, char **ret_boot_id,
		 struct err *err)
{
	char *agent _cleanup_free_ = NULL;
	char *argv[] = { NULL, (char *)"hello", NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = 10000 };
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;
	struct json *j _cleanup_json_ = NULL;
	int r = lab_agent(h->config, arch_native(), &agent, err);

	argv[0] = agent;
	if (!r)
		r = proc_check(&o, &pr, err);
	if (!r)
		r = json_parse(str_trim(buf_str(&pr.out)), "the agent's hello", &j, err);
	if (r)
		return r;
	*ret_build_id = xstrdup_null(json_get_str(j, "build_id"));
	*ret_boot_id = xstrdup_null(json_get_str(j, "boot_id"));
	return 0;
}

const struct driver driver_local = {
	.type = "local",
	.log = "agent.log",
	.read = read_local,
	.start = start_local,
	.explain = explain_local,
	.check = check_local,
	.stop = stop_local,
};
