// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series host: which hosts there are, whether one can be used, and what is done to them.
 */
#include <string.h>

#include "series/lab.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/progress.h"
#include "host_add.h"
#include "host_print.h"

struct host_opts {
	const char *arch, *type, *ssh, *boot, *alias;
	bool allow_reboot, local;
};

static const struct opt host_options[] = {
	{ .name = "arch",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct host_opts, arch),
	  .arg = "ARCH",
	  .help = "check, add: for this architecture (default: the host's, else this "
		  "machine's)",
	  .complete = "arch" },
	{ .name = "type",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct host_opts, type),
	  .arg = "TYPE",
	  .help = "add: ssh, qemu or local (default: it is asked for)" },
	{ .name = "ssh",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct host_opts, ssh),
	  .arg = "DESTINATION",
	  .help = "add: where ssh finds it (default: its name)" },
	{ .name = "boot",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct host_opts, boot),
	  .arg = "HOW",
	  .help = "add: kexec, grub, bootctl or hook (default: kexec)" },
	{ .name = "alias",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct host_opts, alias),
	  .arg = "TEXT",
	  .help = "add: its name in mail and results (default: its name)" },
	{ .name = "allow-reboot",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct host_opts, allow_reboot),
	  .help = "add: series may reboot it" },
	{ .name = "local",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct host_opts, local),
	  .help = "add: for this repository only, not for the user" },
	OPT_END
};

static int do_list(struct ctx *c, const char *name, const struct host_opts *o,
		   struct err *err)
{
	return host_print_list(c, err);
}

static int do_check(struct ctx *c, const char *name, const struct host_opts *o,
		    struct err *err)
{
	struct host *h _cleanup_host_ = NULL;
	struct host_check res = { STRVEC_INIT, STRVEC_INIT };
	const struct arch *a = NULL;
	int r = host_find(c->config, name, &h, err);

	if (!r && o->arch)
		r = arch_find(o->arch, &a, err);
	if (!r && !a)
		a = h->arch ? h->arch : arch_native();
	if (!r)
		r = host_check(h, a, &res, err);
	if (r)
		return r;
	host_print_check(c, h, a, &res);
	if (res.problems.n)
		r = err_set(err, E_FINDINGS, "host %s, %s: %zu problem%s", h->name,
			    a->name, res.problems.n, res.problems.n == 1 ? "" : "s");
	host_check_release(&res);
	return r;
}

static int do_add(struct ctx *c, const char *name, const struct host_opts *o,
		  struct err *err)
{
	struct host_new n = { .type = o->type,
			      .ssh = o->ssh,
			      .arch = o->arch,
			      .boot = o->boot,
			      .alias = o->alias,
			      .allow_reboot = o->allow_reboot,
			      .local = o->local };

	return host_add(c, name, &n, err);
}

/* The user's terminal is theirs; only ssh's own failure is ours to tell. */
static int do_shell(struct ctx *c, const char *name, const struct host_opts *o,
		    struct err *err)
{
	struct host *h _cleanup_host_ = NULL;
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts p = { .inherit_stdin = true,
			       .foreground = true,
			       .out = PROC_INHERIT,
			       .err = PROC_INHERIT };
	int r = host_find(c->config, name, &h, err);

	if (!r)
		r = host_shell(h, &argv, err);
	if (r)
		return r;
	p.argv = strvec_argv(&argv);
	r = proc_run(&p, &res, err);
	if (!r && res.status == 255)
		r = err_set(err, E_FAIL, "host %s: ssh %s failed", h->name,
			    h->destination);
	return r;
}

static void say(const char *line, void *arg)
{
	progress_note("%s: %s", (const char *)arg, line);
}

static int do_reset(struct ctx *c, const char *name, const struct host_opts *o,
		    struct err *err)
{
	struct host *h _cleanup_host_ = NULL;
	int r = host_find(c->config, name, &h, err);

	return r ? r : host_reset(h, say, h->name, err);
}

static const struct {
	const char *word;
	int (*run)(struct ctx *c, const char *name, const struct host_opts *o,
		   struct err *err);
	size_t min, max; /* names behind the word */
} words[] = {
	{ "list", do_list, 0, 0 },   { "check", do_check, 0, 1 }, { "add", do_add, 1, 1 },
	{ "shell", do_shell, 1, 1 }, { "reset", do_reset, 1, 1 },
};

static int run_host(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	size_t n = args->n - 1;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(args->v[0], words[i].word) && n >= words[i].min &&
		    n <= words[i].max)
			return words[i].run(c, n ? args->v[1] : NULL, opts, err);
	return err_set(err, E_USAGE,
		       "host: expected \"list\", \"check [NAME]\", \"add NAME\", \"shell "
		       "NAME\" or \"reset NAME\"");
}

const struct cmd cmd_host = {
	.name = "host",
	.group = "measure",
	.summary = "test hosts: list, check, add, log in, bring back",
	.synopsis = "list | check [NAME] | add NAME | shell NAME | reset NAME",
	.about =
		"A host is a place where a kernel boots and a benchmark runs. The host "
		"\"qemu\" is there without any configuration; more are made by 'series "
		"host add', which asks what it must know, or with git config: "
		"series.host.NAME.type is qemu, ssh or local; .arch the only "
		"architecture it boots; .alias what mail may show instead of its "
		"name.\n\n"
		"qemu: .accel (auto, kvm, tcg, icount), .machine, .cpu, .memory (MiB), "
		".cpus, .extra (one argument for QEMU each). With auto, KVM is used only "
		"after a kernel really booted with it; otherwise QEMU counts "
		"instructions (icount): what is measured then repeats itself, but it is "
		"instructions on an emulated machine.\n\n"
		"ssh: a machine of its own, reached by the user's ssh (config, agent, "
		"jump hosts; its host key must be known, no password is asked for), as "
		"root or with sudo that asks for none. .ssh is the destination, .boot "
		"how a kernel is started once: kexec, grub (grub-reboot), bootctl "
		"(set-oneshot) or hook; what the machine boots by itself is never "
		"changed. Nothing is rebooted unless .allow-reboot is true. Kernel, "
		"modules, initramfs (.initrd: auto makes one there when there are "
		"modules, none, or a FILE to send) and the job go to .dir; .cmdline is "
		"added to the parameters of the host's own kernel. A boot counts when "
		"another boot_id and the expected build-id answer. The job runs there by "
		"itself: a connection that is lost is looked for again. After every boot "
		"the host returns to its own kernel: asked to restart, waited for "
		"(panic=10, a watchdog), resetHook, powerHook, each for .timeout seconds "
		"(300). If it does not come back it is in quarantine: host list says "
		"why, and host reset brings it home and lifts it.\n\n"
		"Hooks are programs with arguments, run without a shell, with "
		"SERIES_HOST and SERIES_DESTINATION in the environment: .powerHook (PDU, "
		"BMC: off and on), .resetHook (a gentler way: sysrq on the console), "
		".consoleHook (prints the console until it is ended), .bootHook (with "
		"boot = hook: boots SERIES_KERNEL once with SERIES_CMDLINE; a netboot "
		"server, LAVA, labgrid).\n\n"
		"local: this machine, as it runs. Nothing is booted: what is measured is "
		"the kernel that is running, once in a boot; series bench says which "
		"kernel to boot next, and goes on with --resume. Knobs, swap and zram "
		"devices are as before when a job has ended.\n\n"
		"host check looks for what is missing; each problem comes with its "
		"remedy. Problems give exit status 2.",
	.findings = "host check: such kernels cannot boot on this host.",
	.examples = "series host check --arch arm64\n"
		    "\tCan the host \"qemu\" boot arm64 kernels?\n"
		    "series host add big --type ssh --ssh root@big.example.org "
		    "--allow-reboot\n"
		    "\tA machine that may be rebooted into kernels under test\n"
		    "git config --global series.host.big.powerHook 'ipmitool -H big-bmc "
		    "chassis "
		    "power cycle'\n"
		    "\tHow it is brought back when nothing else helps\n"
		    "series host reset big\n"
		    "\tBring it home, and use it again\n",
	.opts = host_options,
	.opts_size = sizeof(struct host_opts),
	.flags = CMD_MAYBE_REPO | CMD_JSON,
	.min_args = 1,
	.max_args = 2,
	.complete = "host-word",
	.run = run_host,
};
