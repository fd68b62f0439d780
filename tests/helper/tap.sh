# SPDX-License-Identifier: GPL-2.0-or-later
# TAP for shell tests, in the manner of git's test-lib.sh. A test script begins with
#	. "${SRCDIR:-.}/tests/helper/tap.sh"
# and ends with test_done. Each script runs in a private directory ($T) with a private
# HOME, XDG folders and git configuration; $SERIES is the program under test.
# shellcheck shell=sh

set -u
SRCDIR=$(cd "${SRCDIR:-.}" && pwd)
: "${VARIANT:=release}"
BUILD=$SRCDIR/build/$VARIANT
SERIES=${SERIES:-$BUILD/series}
# For VARIANT=asan: leaks of libraries that are not ours to mend, as the Makefile has it.
: "${LSAN_OPTIONS=suppressions=$SRCDIR/tests/helper/lsan.supp:print_suppressions=0}"
export LSAN_OPTIONS
T=$(mktemp -d "${TMPDIR:-/tmp}/series-test.XXXXXX") || exit 1
tap_n=0
tap_bad=0
tap_skip=

export HOME=$T/home XDG_CACHE_HOME=$T/home/.cache XDG_DATA_HOME=$T/home/.local/share
export XDG_CONFIG_HOME=$T/home/.config TMPDIR=$T/tmp
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$T/home/.gitconfig GIT_TERMINAL_PROMPT=0
export GIT_EDITOR=false EDITOR=false VISUAL=false PAGER=cat TERM=dumb NO_COLOR=1
export LC_ALL=C.UTF-8 TZ=UTC SERIES_TEMPLATES=$SRCDIR/templates
# Whatever git sets for "rebase --exec" and hooks, and who the caller is, stays outside.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_PREFIX \
	GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS \
	GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL \
	GIT_COMMITTER_DATE EMAIL GIT_SEQUENCE_EDITOR GIT_PAGER LESS COLUMNS MAKEFLAGS MAKELEVEL MFLAGS
unset SERIES_TEST_NOW SERIES_TEST_SEED
mkdir -p "$HOME" "$TMPDIR"
PATH=$BUILD:$PATH
cat >"$GIT_CONFIG_GLOBAL" <<EOF
[user]
	name = Wendy Writer
	email = wendy@example.org
[init]
	defaultBranch = main
[advice]
	detachedHead = false
EOF
cd "$T" || exit 1

# Processes that the script started in the background end with it: test_pid $!, in a subshell
# too, whose variables would be lost.
test_pid() {
	echo "$1" >>"$T/.tap.pids"
}

tap_exit() {
	rc=$?
	for p in $(cat "$T/.tap.pids" 2>/dev/null); do kill "$p" 2>/dev/null; done
	cd /
	if [ "${KEEP:-}" ]; then echo "# kept $T"; else chmod -R u+rwx "$T" 2>/dev/null; rm -rf "$T"; fi
	[ "$tap_skip" ] || [ "${tap_done:-}" ] || { echo "Bail out! $0 ended early (status $rc)"; exit 1; }
}
trap tap_exit EXIT
trap 'exit 130' INT TERM HUP

# In a function of its own, so that "return 1" and "set --" in a script end and change that.
tap_eval() {
	eval "$1"
}

# test_expect_success NAME SCRIPT: evaluated in this shell, from $T; any failing command that
# is not handled fails the test (chain with &&). Output goes to the log, shown on failure.
test_expect_success() {
	tap_n=$((tap_n + 1))
	cd "$T" || exit 1
	if tap_eval "$2" >"$T/.tap.log" 2>&1 </dev/null; then
		echo "ok $tap_n - $1"
	else
		tap_bad=$((tap_bad + 1))
		echo "not ok $tap_n - $1"
		sed 's/^/# /' "$T/.tap.log"
		printf '%s\n' "$2" | sed 's/^/# > /'
	fi
	cd "$T" || exit 1
}

# The whole script does not apply here; say why.
test_skip_all() {
	tap_skip=1
	echo "1..0 # SKIP $1"
	exit 0
}

# One test that does not apply here.
test_skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}

test_done() {
	tap_done=1
	echo "1..$tap_n"
	[ "$tap_bad" = 0 ] || exit 1
	exit 0
}

# test_status N COMMAND...: the command exits with N.
test_status() {
	want=$1
	shift
	"$@"
	got=$?
	[ "$got" = "$want" ] || { echo "status $got, expected $want: $*"; return 1; }
}

# test_grep PATTERN FILE and its opposite; the file is shown when it does not hold.
test_grep() {
	grep -q -e "$1" "$2" || { echo "no '$1' in $2:"; cat "$2"; return 1; }
}
test_nogrep() {
	! grep -e "$1" "$2" || { echo "'$1' in $2"; return 1; }
}

# test_cmp EXPECTED ACTUAL
test_cmp() {
	diff -u "$1" "$2"
}

# test_commit FILE CONTENT SUBJECT: commit with a Signed-off-by, time fixed and increasing.
tap_tick=1700000000
test_commit() {
	tap_tick=$((tap_tick + 60))
	mkdir -p "$(dirname "$1")" && printf '%s\n' "$2" >"$1" && git add "$1" &&
	GIT_AUTHOR_DATE="$tap_tick +0000" GIT_COMMITTER_DATE="$tap_tick +0000" \
		git commit -q -s -m "$3"
}

# test_wait SECONDS COMMAND...: poll until the command succeeds.
test_wait() {
	tap_until=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$tap_until" ] || { echo "timed out: $*"; return 1; }
		sleep 0.1
	done
}
