// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arch.c - the table of architectures.
 *
 * Names of the kernel's make targets are those of arch/ARCH/Makefile; cross prefixes and
 * packages those of Debian; machines and CPUs those of QEMU 7.2 and later that boot a
 * kernel of ours given with -kernel.
 */
#include <string.h>
#include <sys/utsname.h>
#include "series/arch.h"
#include "series/buf.h"
#include "series/mem.h"

static const struct arch table[] = {
	{
		.name = "x86_64",
		.kernel_arch = "x86_64",
		.image = "bzImage",
		.image_path = "arch/x86/boot/bzImage",
		.cross = "x86_64-linux-gnu-",
		.package = "gcc-x86-64-linux-gnu",
		.qemu = "qemu-system-x86_64",
		.machine = "q35",
		.cpu = "max",
		.console = "ttyS0",
		.debian = "amd64",
	},
	{
		.name = "arm64",
		.kernel_arch = "arm64",
		.image = "Image",
		.image_path = "arch/arm64/boot/Image",
		.cross = "aarch64-linux-gnu-",
		.package = "gcc-aarch64-linux-gnu",
		.qemu = "qemu-system-aarch64",
		/* version 3 of the interrupt controller dies in a kernel after kexec */
		.machine = "virt,gic-version=2",
		.cpu = "cortex-a76",
		.console = "ttyAMA0",
		.debian = "arm64",
	},
	{
		.name = "riscv",
		.kernel_arch = "riscv",
		.image = "Image",
		.image_path = "arch/riscv/boot/Image",
		.cross = "riscv64-linux-gnu-",
		.package = "gcc-riscv64-linux-gnu",
		.qemu = "qemu-system-riscv64",
		.machine = "virt",
		.cpu = "rv64",
		.console = "ttyS0",
		.debian = "riscv64",
	},
	{
		.name = "sparc64",
		.kernel_arch = "sparc64",
		.image = "image",
		.image_path = "arch/sparc/boot/image",
		.cross = "sparc64-linux-gnu-",
		.package = "gcc-sparc64-linux-gnu",
		.qemu = "qemu-system-sparc64",
		.machine = "sun4u",
		.cpu = "TI-UltraSparc-IIi",
		.console = "ttyS0",
		.debian = "sparc64",
	},
	{
		.name = "s390",
		.kernel_arch = "s390",
		.image = "bzImage",
		.image_path = "arch/s390/boot/bzImage",
		.cross = "s390x-linux-gnu-",
		.package = "gcc-s390x-linux-gnu",
		.qemu = "qemu-system-s390x",
		.machine = "s390-ccw-virtio",
		.cpu = "max",
		.console = "ttysclp0",
		.debian = "s390x",
	},
	{
		.name = "powerpc",
		.kernel_arch = "powerpc",
		.image = "vmlinux",
		.image_path = "vmlinux",
		.cross = "powerpc64le-linux-gnu-",
		.package = "gcc-powerpc64le-linux-gnu",
		.qemu = "qemu-system-ppc64",
		.machine = "pseries",
		.cpu = "power9",
		.console = "hvc0",
		.debian = "ppc64el",
	},
	{
		.name = "loongarch",
		.kernel_arch = "loongarch",
		.image = "vmlinux.efi",
		.image_path = "arch/loongarch/boot/vmlinux.efi",
		.cross = "loongarch64-linux-gnu-",
		.package = "gcc-loongarch64-linux-gnu",
		.qemu = "qemu-system-loongarch64",
		.machine = "virt",
		.cpu = "la464",
		.console = "ttyS0",
		.debian = "loong64",
	},
	{
		.name = "arm",
		.kernel_arch = "arm",
		.image = "zImage",
		.image_path = "arch/arm/boot/zImage",
		.cross = "arm-linux-gnueabihf-",
		.package = "gcc-arm-linux-gnueabihf",
		.qemu = "qemu-system-arm",
		.machine = "virt",
		.cpu = "cortex-a15",
		.console = "ttyAMA0",
		.debian = "armhf",
	},
	{
		.name = "i386",
		.kernel_arch = "i386",
		.image = "bzImage",
		.image_path = "arch/x86/boot/bzImage",
		.cross = "i686-linux-gnu-",
		.wide = "x86_64",
		.package = "gcc-i686-linux-gnu",
		.qemu = "qemu-system-i386",
		.machine = "q35",
		.cpu = "max",
		.console = "ttyS0",
		.debian = "i386",
	},
};

/* What uname, Debian or habit call a row. */
static const struct {
	const char *alias, *name;
} aliases[] = {
	{ "aarch64", "arm64" },
	{ "amd64", "x86_64" },
	{ "riscv64", "riscv" },
	{ "sparc", "sparc64" },
	{ "s390x", "s390" },
	{ "ppc64le", "powerpc" },
	{ "ppc64el", "powerpc" },
	{ "ppc64", "powerpc" },
	{ "loongarch64", "loongarch" },
	{ "loong64", "loongarch" },
	{ "armv7l", "arm" },
	{ "armhf", "arm" },
	{ "i686", "i386" },
	{ "x86", "x86_64" },
};

static const struct arch *look_up(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(name, aliases[i].alias))
			name = aliases[i].name;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(name, table[i].name))
			return &table[i];
	return NULL;
}

int arch_find(const char *name, const struct arch **ret, struct err *err)
{
	const struct arch *a = look_up(name);
	struct buf names _cleanup_buf_ = BUF_INIT;

	if (a) {
		*ret = a;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (i)
			buf_puts(&names, ", ");
		buf_puts(&names, table[i].name);
	}
	return err_set(err, E_USAGE, "unknown architecture '%s'; there are: %s", name,
		       buf_cstr(&names));
}

const struct arch *arch_native(void)
{
	struct utsname u;
	const struct arch *a = NULL;

	if (!uname(&u))
		a = look_up(u.machine);
	return a ? a : &table[0];
}

const struct arch *arch_at(size_t i)
{
	return i < ARRAY_SIZE(table) ? &table[i] : NULL;
}
