/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arch.h - the table of architectures: what to call the compiler, the image and QEMU.
 *
 * Data, not code, and shared by builds and hosts; it lives in lib/engine because both
 * stand on that room. series.arch.NAME.cross, .make and .config override a row.
 */
#ifndef SERIES_ARCH_H
#define SERIES_ARCH_H

#include <stddef.h>
#include "series/err.h"

struct arch {
	const char *name;	/* "arm64", as the user says it */
	const char *kernel_arch; /* ARCH= */
	const char *image;	/* make target: "Image" */
	const char *image_path;	/* below O=: "arch/arm64/boot/Image" */
	const char *cross;	/* "aarch64-linux-gnu-" */
	const char *wide;	/* arch whose compiler serves this one, too, or NULL */
	const char *package;	/* Debian package that brings the compiler */
	const char *qemu;	/* "qemu-system-aarch64" */
	const char *machine;	/* "virt,gic-version=2" */
	const char *cpu;	/* "cortex-a76" */
	const char *console;	/* "ttyAMA0" */
	const char *debian;	/* "arm64" */
};

/* Row by name ("aarch64" and "amd64" are accepted); E_USAGE lists what there is. */
int arch_find(const char *name, const struct arch **ret, struct err *err);
/* The arch of this machine. */
const struct arch *arch_native(void);
/* Row i, or NULL behind the last. */
const struct arch *arch_at(size_t i);

#endif
