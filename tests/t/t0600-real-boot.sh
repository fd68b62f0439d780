#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's prebuilt arm64 kernel really boots, runs the swapout job of the shipped
# definition, and its own counters say what was measured. The expected numbers are
# 256 MiB in folios of 64 kB (4096) and in pages of 4 kB (65536).
. "${SRCDIR:-.}/tests/helper/tap.sh"

command -v qemu-system-aarch64 >/dev/null || test_skip_all "no qemu-system-aarch64"
command -v aarch64-linux-gnu-gcc >/dev/null || test_skip_all "no aarch64-linux-gnu-gcc"
K=$SRCDIR/build/cache/kernel-arm64
why=$("$SRCDIR/tests/helper/fetch-kernel.sh" "$K" 2>&1) || test_skip_all "$why"
BENCH=$SRCDIR/templates/bench/swapout
conf() { git config -f "$BENCH/bench.conf" "$@"; }

# A job made from the definition: counters, setup, one run of each case given. The kernel
# of Debian has no lzo-rle, so its lz4 does the packing.
make_job() {
	sed 's,^,insmod /lib/,' "$K/modules"
	echo "require page-size $(conf bench.page-size)"
	conf --get-regexp '^counter\..*\.path$' | while read -r key path; do
		name=${key#counter.}
		name=${name%.path}
		echo "counter $name $path $(conf "counter.$name.key")"
	done
	conf --get-all setup.command | sed 's/lzo-rle/lz4/'
	for c; do
		conf --get-all "case.$c.setup"
		echo "run $c 1 300 /bench/swapout $(conf "case.$c.args")"
	done
}

# boot JOB BUILD_ID: into $T/out (first line the result, then the records)
boot() {
	mods=
	while read -r m; do mods="$mods /lib/$m=$K/$m"; done <"$K/modules"
	# shellcheck disable=SC2086
	"$BUILD/tests/boot-job" arm64 icount "$K/Image" "$1" "$T/boot" 500 "$2" \
		"/bench/swapout=$BENCH/swapout.c" "/bench/bad=$T/bad.c" $mods >"$T/out" || return 1
	cat "$T/out"
}

# A program that misbehaves: it ends by a signal, or it never ends and leaves a daemon.
cat >bad.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	signal(SIGTERM, SIG_IGN);
	puts("before\tthe \"end\"");
	fflush(stdout);
	for (int i = 0; argc > 2 && i < 100000; i++)
		putchar("\033y"[i % 2]);
	fflush(stdout);
	if (argc > 1)
		abort();
	if (!fork())
		setsid();
	for (;;)
		pause();
}
C

# get CASE EXPRESSION: python on the run record r of a case
get() {
	python3 - "$T/out" "$1" "$2" <<'PY'
import json, re, sys
recs = [json.loads(l) for l in open(sys.argv[1])]
r = next((x for x in recs if x.get("t") == "run" and x["case"] == sys.argv[2]), None)
res, hello = recs[0], next((x for x in recs if x.get("t") == "hello"), None)
c = r["counters"] if r else {}
def ns(name):
    return int(re.search(r"^%s (\d+)$" % name, r["out"], re.M).group(1))
ok = eval(sys.argv[3])
print(sys.argv[2], sys.argv[3], ok)
sys.exit(0 if ok is True else 1)
PY
}

test_expect_success 'the job of the swapout benchmark runs to its end' '
	{ make_job 64K 4K 64K-zero && echo done; } >job &&
	boot job - &&
	get - "res[\"state\"] == \"OK\"" &&
	cp out first
'
test_expect_success 'the kernel is the one of the package, with its build-id' '
	cp first out &&
	get - "hello[\"release\"] == \"$(cat "$K/release")\"" &&
	get - "len(hello[\"build_id\"]) == 40 and hello[\"page_size\"] == 4096" &&
	get - "res[\"build_id\"] == hello[\"build_id\"] and len(res[\"boot_id\"]) == 36"
'
test_expect_success '64K: whole folios of 64 kB were made and swapped out' '
	cp first out &&
	get 64K "r[\"rc\"] == 0 and r[\"taint\"] >= 0" &&
	get 64K "4096 <= c[\"64kB-anon_fault_alloc\"] <= 4136" &&
	get 64K "4056 <= c[\"64kB-swpout\"] <= 4136" &&
	get 64K "c[\"64kB-swpout_fallback\"] <= 40" &&
	get 64K "64881 <= c[\"pswpout\"] <= 66191"
'
test_expect_success '4K: pages were swapped out, folios of 64 kB were not there' '
	cp first out &&
	get 4K "r[\"rc\"] == 0" &&
	get 4K "c[\"64kB-anon_fault_alloc\"] == 0 and c[\"64kB-swpout\"] == 0" &&
	get 4K "64881 <= c[\"pswpout\"] <= 66191" &&
	get 4K "ns(\"resident\") <= 655"
'
test_expect_success '64K-zero: zeroes never reached the device' '
	cp first out &&
	get 64K-zero "c[\"swpout_zero\"] >= 64881 and c[\"pswpout\"] <= 655" &&
	get 64K-zero "0 < ns(\"pageout_ns\")"
'
test_expect_success 'page by page costs more instructions than folio by folio' '
	cp first out &&
	python3 -c "
import json,re,sys
v = {r[\"case\"]: int(re.search(\"pageout_ns ([0-9]+)\", r[\"out\"]).group(1))
     for r in map(json.loads, open(\"out\")) if r.get(\"t\") == \"run\"}
print(v)
sys.exit(not (v[\"64K\"] * 1.2 < v[\"4K\"] and v[\"64K-zero\"] < v[\"64K\"]))"
'
test_expect_success 'another kernel than the expected one is not measured' '
	echo done >job &&
	boot job 0000000000000000000000000000000000000000 &&
	get - "res[\"state\"] == \"WRONG_KERNEL\""
'
test_expect_success 'an oops in the job is a crash, with its own words and the console' '
	printf "%s\n" "write /proc/sys/kernel/sysrq 1" "write /proc/sysrq-trigger c" done >job &&
	boot job - &&
	get - "res[\"state\"] == \"CRASHED\" and \"sysrq triggered crash\" in res[\"why\"]" &&
	get - "any(\"Kernel panic\" in l for l in res[\"tail\"])" &&
	test_grep "Kernel panic - not syncing: sysrq triggered crash" boot/console.log
'
test_expect_success 'a program that crashes or never ends is recorded, a failed command ends the job' '
	printf "%s\n" "may write /nonexistent/a 1" "run abort 1 60 /bench/bad now" \
		"run flood 1 60 /bench/bad much output" \
		"run forever 1 3 /bench/bad" "write /nonexistent/b 1" \
		"run never 1 9 /bench/swapout" done >job &&
	boot job - &&
	get - "res[\"state\"] == \"INFRA_FAIL\" and \"job line 5 (write)\" in res[\"why\"]" &&
	get never "r is None" &&
	get abort "r[\"rc\"] == 134 and r[\"signal\"] == 6 and not r[\"timed_out\"]" &&
	get abort "r[\"out\"] == \"before\\tthe \\\"end\\\"\\n\"" &&
	get flood "len(r[\"out\"]) == 65536 and r[\"lost\"] == 100017 - 65536" &&
	get forever "r[\"timed_out\"] and r[\"signal\"] == 9 and 3000 <= r[\"ms\"] < 9000" &&
	get - "[x[\"line\"] for x in recs if x.get(\"t\") == \"remark\"] == [1]"
'
test_expect_success 'no archive and no qemu are left' '
	test ! -e boot/initramfs.cpio &&
	! pgrep -f "$T/boot"
'
test_done
