// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qemu.c - how QEMU is called.
 *
 * Nothing but what we ask for: -nodefaults, no user's config, no display, no network. The
 * console goes to one file, the job port (virtio-serial) to another. -no-reboot makes a
 * restart of the guest, and a panic with panic=-1, the end of QEMU.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"

/* An oops or a lockup ends the boot at once: what is measured behind it is worth nothing.
 */
#define CMDLINE "loglevel=7 panic=-1 oops=panic softlockup_panic=1"

const char *qemu_package(const struct arch *a)
{
	static const char *const table[][2] = {
		{ "qemu-system-x86_64", "qemu-system-x86" },
		{ "qemu-system-i386", "qemu-system-x86" },
		{ "qemu-system-aarch64", "qemu-system-arm" },
		{ "qemu-system-arm", "qemu-system-arm" },
		{ "qemu-system-sparc64", "qemu-system-sparc" },
		{ "qemu-system-ppc64", "qemu-system-ppc" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(a->qemu, table[i][0]))
			return table[i][1];
	return "qemu-system-misc";
}

int qemu_version(const struct arch *a, char **ret, struct err *err)
{
	char *argv[] = { (char *)a->qemu, "--version", NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = 20000, .max_output = 65536 };
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;
	struct str rest, line = STR_NULL;
	int r = proc_check(&o, &pr, err);

	if (r)
		return r;
	rest = buf_str(&pr.out);
	str_line(&rest, &line);
	*ret = str_dup(str_trim(line));
	return 0;
}

/* A file as an option's value: QEMU takes ",," for a comma. */
static void push_chardev(struct strvec *v, const char *id, const char *path)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	buf_printf(&b, "file,id=%s,path=", id);
	for (const char *s = path; *s; s++) {
		buf_putc(&b, *s);
		if (*s == ',')
			buf_putc(&b, ',');
	}
	strvec_pushl(v, "-chardev", buf_cstr(&b), NULL);
}

static int push_machine(const struct host *h, const struct arch *a, const char *accel,
			struct strvec *v, struct err *err)
{
	const char *machine = h->machine ? h->machine : a->machine;
	const char *cpu = h->cpu ? h->cpu : a->cpu;
	int cpus = h->cpus > 0 ? h->cpus : 1;

	if (!strcmp(accel, "kvm")) {
		if (a != arch_native())
			return err_set(err, E_USAGE,
				       "host %s: kvm runs only %s here, not %s; set "
				       "series.host.%s.accel to auto",
				       h->name, arch_native()->name, a->name, h->name);
		if (!h->machine && !strcmp(a->name, "arm64"))
			machine = "virt,gic-version=host";
		if (!h->cpu)
			cpu = "host";
		strvec_pushl(v, "-accel", "kvm", NULL);
	} else if (!strcmp(accel, "tcg")) {
		strvec_pushl(v, "-accel", "tcg", NULL);
	} else if (!strcmp(accel, "icount")) {
		/* guest time counts instructions, which one vCPU alone can do */
		cpus = 1;
		strvec_pushl(v, "-accel", "tcg,thread=single", "-icount",
			     "shift=0,sleep=off", NULL);
	} else {
		return err_set(
			err, E_USAGE,
			"host %s: accel is '%s'; expected auto, kvm, tcg or icount",
			h->name, accel);
	}
	strvec_pushl(v, "-M", machine, "-cpu", cpu, "-smp", NULL);
	strvec_pushf(v, "%d", cpus);
	strvec_push(v, "-m");
	strvec_pushf(v, "%d", h->memory_mib > 0 ? h->memory_mib : 1024);
	return 0;
}

int qemu_argv(const struct host *h, const struct arch *a, const char *accel,
	      const char *image, const char *cmdline, const struct boot_paths *p,
	      struct strvec *ret, struct err *err)
{
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;
	int r;

	strvec_pushl(&v, a->qemu, "-nodefaults", "-no-user-config", "-display", "none",
		     "-no-reboot", NULL);
	r = push_machine(h, a, accel, &v, err);
	if (r)
		return r;
	strvec_pushl(&v, "-kernel", image, "-initrd", p->initrd, "-append", NULL);
	strvec_pushf(&v, "console=%s " CMDLINE "%s%s", a->console, cmdline ? " " : "",
		     cmdline ? cmdline : "");
	push_chardev(&v, "console", p->console);
	strvec_pushl(&v, "-serial", "chardev:console", "-device", NULL);
	strvec_push(&v, !strcmp(a->name, "s390") ? "virtio-serial-ccw,max_ports=2"
						 : "virtio-serial-pci,max_ports=2");
	push_chardev(&v, "job", p->job);
	strvec_pushl(&v, "-device", "virtserialport,chardev=job,name=series.job", NULL);
	strvec_extend(&v, &h->extra);
	strvec_extend(ret, &v);
	return 0;
}

/* --- a boot --- */

/* The archive: our init, the job, the files asked for. */
static int write_initrd(const struct boot_request *q, const char *path, struct err *err)
{
	char *init _cleanup_free_ = NULL;
	struct boot_file *files _cleanup_free_ = xcalloc(q->n_files + 2, sizeof(*files));
	int r = lab_agent(q->host->config, q->arch, &init, err);

	if (r)
		return r;
	files[0] =
		(struct boot_file){ .guest_path = "/init", .path = init, .mode = 0755 };
	files[1] = (struct boot_file){
		.guest_path = "/job", .data = q->job, .len = strlen(q->job), .mode = 0644
	};
	if (q->n_files)
		memcpy(files + 2, q->files, q->n_files * sizeof(*files));
	return initramfs_write(path, files, q->n_files + 2, err);
}

static int start_qemu(struct boot *b, const struct boot_request *q, struct err *err)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .out = PROC_FILE,
			       .err = PROC_FILE,
			       .out_path = b->paths.log,
			       .err_path = b->paths.log };
	int r = write_initrd(q, b->paths.initrd, err);

	if (!r)
		r = qemu_argv(q->host, q->arch, b->accel, q->image, q->cmdline, &b->paths,
			      &argv, err);
	if (r)
		return r;
	o.argv = strvec_argv(&argv);
	boot_start_clock(b, q);
	r = proc_start(&o, &b->proc, err);
	if (r && !fs_is_exec(q->arch->qemu)) {
		char *found _cleanup_free_ = fs_find_program(q->arch->qemu);

		if (!found)
			return err_set(err, E_FAIL,
				       "%s not found: it boots %s kernels; install %s",
				       q->arch->qemu, q->arch->name,
				       qemu_package(q->arch));
	}
	return r;
}

/* QEMU itself failed: its own last words. */
static void qemu_failed(const struct boot *b, const struct proc_result *pr,
			struct boot_result *ret)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;

	console_tail(b->paths.log, 1, &words);
	if (pr->signal)
		boot_say(ret, BOOT_INFRA_FAIL, "%s: ended by signal %d (%s)%s%s",
			 b->arch->qemu, pr->signal, strsignal(pr->signal),
			 words.n ? ": " : "", words.n ? words.v[0] : "");
	else
		boot_say(ret, BOOT_INFRA_FAIL, "%s: exit status %d%s%s", b->arch->qemu,
			 pr->status, words.n ? ": " : "", words.n ? words.v[0] : "");
}

static void ended_early(const struct boot *b, struct boot_result *ret)
{
	if (b->hello)
		boot_say(ret, BOOT_CRASHED,
			 "the guest went down in the middle of the job");
	else if (b->console.init)
		boot_say(ret, BOOT_FAIL, "%s", b->console.init);
	else
		boot_say(ret, BOOT_FAIL,
			 "the guest went down before init spoke; the console %s",
			 b->console.bytes ? "ends as shown" : "is empty");
}

static void explain_qemu(const struct boot *b, const struct proc_result *pr,
			 struct boot_result *ret)
{
	bool ours = b->cut != CUT_NOT; /* we ended qemu: its status is ours */

	if (!ours && (pr->signal == SIGKILL || pr->signal == SIGTERM))
		boot_say(ret, BOOT_VOID, "%s was killed from outside (signal %d)",
			 b->arch->qemu, pr->signal);
	else if (!ours && pr->status)
		qemu_failed(b, pr, ret);
	else if (b->cut == CUT_FLOOD)
		boot_say(ret, BOOT_HUNG, "the guest flooded its console or job port");
	else if (b->cut == CUT_DEADLINE)
		boot_say_silent(b, ret);
	else
		ended_early(b, ret);
}

/* --- settings and check --- */

static int read_qemu(const struct config *c, struct host *h, struct err *err)
{
	static const char *const accels[] = { "auto", "kvm", "tcg", "icount", NULL };
	char *extra _cleanup_free_ = xasprintf("series.host.%s.extra", h->name);
	int r = host_choice(c, h, "accel", accels, &h->accel, err);

	h->machine = xstrdup_null(host_setting(c, h, "machine"));
	h->cpu = xstrdup_null(host_setting(c, h, "cpu"));
	if (c)
		config_get_all(c, extra, &h->extra);
	if (!r)
		r = host_int_setting(c, h, "memory", 64, 1 << 20, 1024, &h->memory_mib,
				     err);
	return r ? r : host_int_setting(c, h, "cpus", 1, 512, 1, &h->cpus, err);
}

static void check_program(const struct host *h, const struct arch *a,
			  struct host_check *ret)
{
	char *path _cleanup_free_ = fs_find_program(a->qemu), *v _cleanup_free_ = NULL;
	struct err e _cleanup_err_ = ERR_INIT;

	if (!path)
		strvec_pushf(&ret->problems, "%s not found: install %s", a->qemu,
			     qemu_package(a));
	else if (qemu_version(a, &v, &e))
		strvec_pushf(&ret->problems, "%s does not start: %s", path, err_msg(&e));
	else
		strvec_pushf(&ret->ok, "%s: %s", path, v);
}

static void check_accel(const struct host *h, const struct arch *a,
			struct host_check *ret)
{
	bool native = a == arch_native();
	bool kvm = !access("/dev/kvm", R_OK | W_OK);

	if (!strcmp(h->accel, "kvm") && !native)
		strvec_pushf(
			&ret->problems,
			"kvm runs only %s here, not %s: set series.host.%s.accel to auto",
			arch_native()->name, a->name, h->name);
	else if (!strcmp(h->accel, "kvm") && !kvm)
		strvec_pushf(&ret->problems,
			     "/dev/kvm cannot be used: load kvm, join its group, or set "
			     "series.host.%s.accel to auto",
			     h->name);
	else if (strcmp(h->accel, "auto"))
		strvec_pushf(&ret->ok, "accelerator: %s, as configured", h->accel);
	else if (native && kvm)
		strvec_push(&ret->ok,
			    "accelerator: kvm if a first boot with it works, else "
			    "icount (emulated)");
	else
		strvec_pushf(&ret->ok, "accelerator: icount (emulated; %s)",
			     native ? "/dev/kvm cannot be used"
				    : "not this machine's arch");
}

static int check_qemu(const struct host *h, const struct arch *a, struct host_check *ret,
		      struct err *err)
{
	char *remedy _cleanup_free_ =
		xasprintf("end something or set series.host.%s.memory", h->name);

	check_program(h, a, ret);
	check_agent(h, a, NULL, ret);
	check_accel(h, a, ret);
	check_memory(memory_mib(), h->memory_mib, remedy, ret);
	check_cache_room(ret);
	return 0;
}

const struct driver driver_qemu = {
	.type = "qemu",
	.boots = true,
	.log = "qemu.log",
	.read = read_qemu,
	.start = start_qemu,
	.explain = explain_qemu,
	.check = check_qemu,
};
