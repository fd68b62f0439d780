// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qemu.c - how QEMU is called.
 *
 * Nothing but what we ask for: -nodefaults, no user's config, no display, no network. The
 * console goes to one file, the job port (virtio-serial) to another. -no-reboot makes a
 * restart of the guest, and a panic with panic=-1, the end of QEMU.
 */
#include <string.h>
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
