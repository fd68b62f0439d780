#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run-tests.sh TEST...: run unit tests and scripts under prove, then say in one last line how
# many single tests passed and failed. Status 1 when any failed or a file ended early.
set -u
export SRCDIR="${SRCDIR:-.}" VARIANT="${VARIANT:-release}" CMOCKA_MESSAGE_OUTPUT=TAP
out=$(mktemp -d "${TMPDIR:-/tmp}/series-tests.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM HUP

# Two test files at a time: some wait, some compute.
mkdir "$out/tap"
export TAP_DIR="$out/tap"
prove -j "${TEST_JOBS:-2}" --timer --exec "sh tests/helper/run-one.sh" "$@"
rc=$?

count() {
	cat "$out"/tap/* 2>/dev/null | grep -c "$1"
}
skipped=$(count '^ok .*# *[Ss][Kk][Ii][Pp]')
passed=$(($(count '^ok ') - skipped))
failed=$(count '^not ok ')
# A file that ended early failed even if none of its tests did.
[ "$rc" = 0 ] || [ "$failed" != 0 ] || failed=1
# What a failed test printed, for whoever reads the log.
for f in "$out"/tap/*; do
	grep -q '^not ok ' "$f" 2>/dev/null || continue
	echo "--- ${f##*/}"
	awk '/^not ok /{ on = 1; n = 0 } /^ok /{ on = 0 } on && n++ < 80' "$f"
done
grep -r '# *[Ss][Kk][Ii][Pp]' "$out/tap" | sed "s,^$out/tap/,skipped: ,"
if [ "$skipped" = 0 ]; then
	echo "$passed passed, $failed failed"
else
	echo "$passed passed, $failed failed, $skipped skipped"
fi
[ "$failed" = 0 ]
