#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What "series build" makes with our own small configuration boots in QEMU on architectures
# that few have at hand, says its build-id over the job port and runs a program. Takes
# half an hour of two CPUs the first time; kernels are kept in the cache for the next.
KEEP_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}
. "${SRCDIR:-.}/tests/helper/tap.sh"

LINUX=${SERIES_KERNEL_TREE:-$KEEP_CACHE/series/demo/linux}
CHECK=$KEEP_CACHE/series/check-kernel
K=$CHECK/linux
sh "$SRCDIR/tests/helper/kernel-tree.sh" "$LINUX" || test_skip_all "no kernel source (package linux-source-6.12)"
export XDG_CACHE_HOME="$CHECK/cache" CCACHE_DIR="$CHECK/ccache"
mkdir -p "$XDG_CACHE_HOME"

cat >"$T/prog.c" <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
	int sum = 0;
	for (int i = 1; i <= 100; i++)
		sum += i * argc;
	printf("the sum is %d (%s)\n", sum, argv[0]);
	return 0;
}
C
printf 'counter faults /proc/vmstat pgfault\nrun word 1 60 /prog\ndone\n' >"$T/job"

# of LABEL FIELD: what the answer of "series build --json" in $T/built.json says.
of() {
	python3 -c 'import json, sys
for r in json.load(open(sys.argv[1]))["results"]:
    if r["label"] == sys.argv[2]:
        print(r[sys.argv[3]])' "$T/built.json" "$1" "$2"
}

# boot ARCH ACCELERATOR: the kernel in $T/built.json.
boot() {
	"$BUILD/tests/boot-job" "$1" "$2" "$(of p1 image)" "$T/job" "$T/boot-$1" 300 "$(of p1 build_id)" "/prog=$T/prog.c" >"$T/booted"
	cat "$T/booted"
	test_grep '^{.*"state": "OK"' "$T/booted" && test_grep "\"build_id\": \"$(of p1 build_id)\".*\"t\": \"hello\"" "$T/booted" &&
		test_grep '"case": "word".*the sum is 5050' "$T/booted" && test_grep '"t": "done"' "$T/booted"
}

test_expect_success 'a base and a patch of documentation' '
	rm -rf "$K" && git clone -q -s -n "$LINUX" "$K" && cd "$K" &&
	git sparse-checkout set mm Documentation/mm >/dev/null &&
	git checkout -q -B base origin/main && git checkout -q -b boots &&
	echo "The end." >>Documentation/mm/index.rst && git commit -q -s -a -m "Documentation: say where it ends" && series init --base base
'

# ARCH, compiler, its package, libc and QEMU with theirs.
while read -r a cc gcc_package libc libc_package qemu qemu_package; do
	if ! command -v "$cc" >/dev/null; then
		test_skip "$a boots" "$gcc_package is not here"
	elif ! [ -e "$libc" ]; then
		test_skip "$a boots" "$libc_package is not here"
	elif ! command -v "$qemu" >/dev/null; then
		test_skip "$a boots" "$qemu_package is not here"
	else
		export a
		test_expect_success "$a: the host qemu can be used, and the kernel has all that is asked for" '
			cd "$K" && series host check --arch $a >"$T/host" && test_grep "^ok.*guest init for $a" "$T/host" && series build --arch $a --json >"$T/built.json" </dev/null
		'
		for accel in tcg icount; do
			test_expect_success "$a boots with $accel, and its job port works" "boot $a $accel"
		done
	fi
done <<'E'
riscv riscv64-linux-gnu-gcc gcc-riscv64-linux-gnu /usr/riscv64-linux-gnu/lib/libc.a libc6-dev-riscv64-cross qemu-system-riscv64 qemu-system-misc
s390 s390x-linux-gnu-gcc gcc-s390x-linux-gnu /usr/s390x-linux-gnu/lib/libc.a libc6-dev-s390x-cross qemu-system-s390x qemu-system-misc
powerpc powerpc64le-linux-gnu-gcc gcc-powerpc64le-linux-gnu /usr/powerpc64le-linux-gnu/lib/libc.a libc6-dev-ppc64el-cross qemu-system-ppc64 qemu-system-ppc
arm arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf /usr/arm-linux-gnueabihf/lib/libc.a libc6-dev-armhf-cross qemu-system-arm qemu-system-arm
E

test_done
