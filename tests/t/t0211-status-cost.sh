#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What "series status" costs, counted and not timed: processes it starts, files it opens,
# libraries it loads. "make bench" has the times.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "$SRCDIR/tests/helper/mail.sh"

command -v strace >/dev/null || test_skip_all "strace is missing"
strace -o "$T/probe" true 2>/dev/null || test_skip_all "strace is not allowed here"

# trace COMMAND...: program starts in $T/exec, files it opened in $T/opens
trace() {
	strace -f -e trace=execve,open,openat -o "$T/trace" "$@" >"$T/out" || return 1
	grep 'execve(.* = 0$' "$T/trace" >"$T/exec"
	# A call that another process interrupts has its end on a line of its own.
	grep -E 'execve\(' "$T/trace" | grep 'unfinished' >>"$T/exec"
	grep -E 'open(at)?\(' "$T/trace" | grep -v ENOENT >"$T/opens"
	:
}

at_most() {
	[ "$(wc -l <"$2")" -le "$1" ] || { echo "more than $1 lines:"; cat "$2"; return 1; }
}

test_expect_success "a series of 30 patches, 10 commits behind, one version sent" '
	make_series repo 30 && sink sink && "$SERIES" send --yes &&
	git checkout -q main && for i in 1 2 3 4 5 6 7 8 9 10; do
		test_commit other$i text "main: commit $i" || return 1
	done && git checkout -q topic && "$SERIES" status >"$T/first" &&
	test_grep "10 behind" "$T/first"
'

test_expect_success "warm, status starts git once, for the settings" '
	cd repo && trace "$SERIES" status && test_cmp "$T/first" "$T/out" &&
	at_most 2 "$T/exec" && test_grep "\"config\", \"-z\", \"--list\"" "$T/exec"
'

test_expect_success "it reads no file of the work tree, and not the index" '
	cd repo && test_nogrep "/numbers\"" "$T/opens" && test_nogrep "/other[0-9]" "$T/opens" &&
	test_nogrep "/index\"" "$T/opens"
'

test_expect_success "it loads neither libcurl nor certificates" '
	cd repo && test_nogrep "libcurl" "$T/opens" && test_nogrep "/etc/ssl" "$T/opens" &&
	test_nogrep "ca-certificates" "$T/opens"
'

# Each object is a file here: 30 patches and the base, the tip of main, the state and its parts.
test_expect_success "it opens the objects of the series and of the state alone" '
	cd repo && grep "/objects/../" "$T/opens" >"$T/objects" &&
	for c in $(git rev-list topic..main~1); do
		test_nogrep "/objects/$(echo $c | cut -c1-2)/$(echo $c | cut -c3-)" "$T/objects" ||
			return 1
	done && at_most 45 "$T/objects"
'

test_expect_success "list, log and base start git once too" '
	cd repo && for c in list log base; do
		trace "$SERIES" $c && at_most 2 "$T/exec" || return 1
	done
'

test_expect_success "what sends is what loads libcurl" '
	cd repo && git commit -q --amend -m "numbers: change line 30 again" &&
	trace "$SERIES" send --yes && test_grep "libcurl" "$T/opens"
'

test_done
