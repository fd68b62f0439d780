#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# From real kernels to a posted series: the patches of the demo are measured in QEMU with an
# instruction clock, the numbers are proved by their counters, and what a real mail server
# received gives the tip's tree back. Kernels are built by t0900 and kept in the cache.
KEEP_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}
. "${SRCDIR:-.}/tests/helper/tap.sh"

LINUX=${SERIES_KERNEL_TREE:-$KEEP_CACHE/series/demo/linux}
CHECK=$KEEP_CACHE/series/check-kernel
K=$CHECK/linux
sh "$SRCDIR/tests/helper/kernel-tree.sh" "$LINUX" || test_skip_all "no kernel source (package linux-source-6.12)"
command -v aarch64-linux-gnu-gcc >/dev/null || test_skip_all "gcc-aarch64-linux-gnu is not here"
command -v qemu-system-aarch64 >/dev/null || test_skip_all "qemu-system-arm is not here"
export XDG_CACHE_HOME="$CHECK/cache" CCACHE_DIR="$CHECK/ccache"
mkdir -p "$XDG_CACHE_HOME"

test_expect_success 'the series of the demo' '
	rm -rf "$K" && git clone -q -s -n "$LINUX" "$K" && cd "$K" &&
	git sparse-checkout set mm include/linux >/dev/null &&
	git checkout -q -B base origin/main && git checkout -q -b topic &&
	git am -q --committer-date-is-author-date "$SRCDIR"/tests/demo/patches/*.patch &&
	series init --base base && series cover --file "$SRCDIR/tests/demo/cover.txt" &&
	series recipients --add-to "list@example.org" &&
	series build --arch arm64
'

test_expect_success 'interrupted by SIGKILL, the session goes on' '
	cd "$K" && { series bench swapout --arch arm64 --blocks 2 --runs 1 >"$T/b1" 2>&1 & } &&
	pid=$! && test_wait 300 eval "grep -qs \"\\\"t\\\":\\\"run\\\"\" .git/series/bench/*/*/job.jsonl" &&
	kill -KILL $pid; wait $pid; ls .git/series/bench | grep -q . &&
	series bench swapout --arch arm64 --blocks 2 --runs 1 --resume >"$T/b2" 2>"$T/e2"; rc=$?
	cat "$T/b2" "$T/e2"; [ $rc = 0 ] || [ $rc = 2 ]
'

test_expect_success 'nothing runs on, no session is left' '
	cd "$K" && ! ls .git/series/bench 2>/dev/null | grep -q . &&
	! pgrep -f "qemu-system-aarch64.*$K" >/dev/null
'

test_expect_success 'two blocks of two kernels, each case proved by its counters' '
	cd "$K" && series report swapout --format json --raw >"$T/r.json" && python3 - "$T/r.json" <<P
import json, sys
d = json.load(open(sys.argv[1]))
text = json.dumps(d)
for case in ("64K", "4K", "64K-zero", "4K-zero"):
    assert "\"%s\"" % case in text, case
assert "not proven" not in text
P
'

test_expect_success 'the 64K case takes fewer instructions, as the counters of a batch say' '
	cd "$K" && series report swapout >"$T/table" && cat "$T/table" &&
	grep "64K " "$T/table" | grep -q fewer && test_grep "emulated" "$T/table"
'

test_expect_success 'the table is the same, byte for byte, each time' '
	cd "$K" && series report swapout >"$T/table2" && test_cmp "$T/table" "$T/table2"
'

test_expect_success 'emulated numbers are not sent by accident' '
	cd "$K" && git config sendemail.smtpserver 127.0.0.1 && git config sendemail.smtpserverport 9 &&
	test_status 1 series send --yes >"$T/e" 2>&1 && test_grep "allow-emulated" "$T/e"
'

exim=$SRCDIR/tests/helper/exim.sh
if sh "$exim" unpack "$CHECK/exim" 2>"$T/exim.why"; then
	test_expect_success 'sent to a real server, the received mails give the tip back' '
		port=$(sh "$exim" port) && { sh "$exim" run "$CHECK/exim" "$T/server" $port >"$T/exim.log" 2>&1 & } &&
		test_pid $! && sh "$exim" wait $port $! && cd "$K" &&
		git config sendemail.smtpserverport $port &&
		series send --yes --allow-emulated && test_wait 60 eval "test \$(ls \"$T\"/server/mail/new | wc -l) = 4" &&
		for f in "$T"/server/mail/new/*; do
			n=$(sed -n "s/^Subject: \[PATCH \([0-9]\)\/3\].*/\1/p" "$f") && cp "$f" "$T/mail.$n"
		done &&
		test_grep "fewer" "$T/mail.0" && git checkout -q -B received base &&
		git am -q --keep-cr "$T"/mail.[123] &&
		test "$(git rev-parse "HEAD^{tree}")" = "$(git rev-parse "topic^{tree}")"
	'
else
	test_skip 'sent to a real server' "$(cat "$T/exim.why")"
fi

test_done
