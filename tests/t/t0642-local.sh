#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# This machine as a host: jobs on the kernel that runs, and a session that goes on as somebody
# boots it. The small tree's base gets the build-id of the kernel that runs here, so it is measured.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "$SRCDIR/tests/helper/fakekernel.sh"

for p in gcc make readelf flex bison python3; do
	command -v $p >/dev/null || test_skip_all "$p is not here"
done
[ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null || test_skip_all "jobs on this machine are root's"
case $(uname -m) in
x86_64) A=x86_64 ;;
aarch64) A=arm64 ;;
*) test_skip_all "no small tree for $(uname -m)" ;;
esac
gcc -std=gnu11 -D_GNU_SOURCE -O1 -static -o agent "$SRCDIR"/templates/guest/*.c || exit 1
./agent hello >hello
ID=$(sed -n 's/.*"build_id":"\([0-9a-f]*\)".*/\1/p' hello)
[ "$ID" ] || test_skip_all "the kernel that runs here has no build-id that can be read"
git config --global series.host.here.type local

test_expect_success 'it is there, boots nothing, and says so' '
	series host list >out && test_grep "^here  *local  *$A  *never booted$" out &&
	series host check here >out && test_grep "boots nothing" out && test_grep "root: " out &&
	test_status 129 series host check here --arch s390 2>err && test_grep "boots $A" err &&
	test_status 129 series host shell here 2>err && test_grep "no shell" err
'

printf 'run one 1 20 /bin/echo hello\ndone\n' >job
boot() { "$BUILD/tests/boot-job" $A @here none "${1:-job}" boot "${2:-60}" "${3:-$ID}" >out 2>err; }

test_expect_success 'a job: of this boot and this kernel' '
	boot && test_grep "\"state\": \"OK\"" out && test_grep "\"boot_id\": \"$(cat /proc/sys/kernel/random/boot_id)\"" out &&
	test_grep "\"build_id\": \"$ID\"" out && test_grep "\"accel\": \"hardware\"" out && test_grep "\"out\": *\"hello" out
'

test_expect_success 'another kernel than the one that runs' '
	boot job 60 0123456789abcdef0123456789abcdef01234567 && test_grep "WRONG_KERNEL" out && test_grep "expected build-id 0123" out
'

test_expect_success 'a job that does not end is ended, and knobs are put back' '
	echo 60 >knob && printf "write %s 10\nrun one 1 100 /bin/sleep 307\ndone\n" "$T/knob" >long &&
	boot long 3 && test_grep "\"state\": \"HUNG\"" out && test_grep "did not end within 3" out &&
	! pgrep -f "^/bin/sleep 307" && case "$(cat knob)" in 60*) ;; *) false ;; esac
'

test_expect_success 'interrupted in the middle: the same' '
	{ boot long 60 & } && test_wait 20 pgrep -f "^/bin/sleep 307" >/dev/null && pid=$(pgrep -f "boot-job $A @here none long") &&
	kill -INT $pid && test_wait 20 test -s out && test_grep "VOID" out &&
	test_wait 10 sh -c "! pgrep -f \"^/bin/sleep 307\"" && case "$(cat knob)" in 60*) ;; *) false ;; esac
'

mkdir tiny
cat >tiny/bench.conf <<'B'
[bench]
	name = tiny
	summary = a tiny one
	source = tiny.c
	cases = only
	runs = 2
	warmup = 1
	blocks = 2
	timeout = 10
	memory = 1
[metric "took"]
	pattern = ^took_ns ([0-9]+)$
	unit = ns
	better = lower
[counter "faults"]
	path = /proc/vmstat
	key = pgfault
[case "only"]
	fill = page
	proof = faults >= 1
B
cat >tiny/tiny.c <<'C'
#include <stdio.h>
int main(void) { printf("took_ns 1000\n"); return 0; }
C

test_expect_success 'a session measures the kernel that runs, once in this boot, and says what is next' '
	fake_kernel linux && ln -s "$SRCDIR/templates/guest" "$SRCDIR/templates/bench" "$SERIES_TEMPLATES" &&
	cp "$SERIES_TEMPLATES/kconfig/vm-arm64.config" "$SERIES_TEMPLATES/kconfig/vm-$A.config"
	cd linux && sed -i "s/--build-id=sha1/--build-id=0x$ID/" Makefile && git commit -q -s -a -m "as it runs here" &&
	git checkout -q -b topic && sed -i "s/--build-id=0x$ID/--build-id=sha1/" Makefile && echo "int one;" >>mm/rmap.c &&
	git commit -q -s -a -m "mm: one" && series init --base main &&
	test_status 1 series bench ../tiny --host here 2>../err && test_grep "never booted by series: boot base .*kernels/.*/image.* or p1 (" ../err &&
	test_grep "1 of 4 boots are done" ../err && test_grep "resume" ../err
'

test_expect_success 'in the same boot there is nothing more to measure' '
	cd linux && test_status 1 series bench ../tiny --host here --resume 2>../err && test_grep "1 of 4 boots are done" ../err
'

test_expect_success 'what was measured is of a machine: its name for mail, no parameters of its kernel' '
	cd linux && cat .git/series/bench/*/session.json >../s && test_grep "hardware" ../s && test_nogrep "cmdline" ../s &&
	test_grep "local-hardware-$A-here" ../s
'

test_done
