#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run-one.sh TEST: a shell script or a program, for prove. With TAP_DIR set its output is
# kept there too, for run-tests.sh to count.
keep=${TAP_DIR:+$TAP_DIR/$(echo "$1" | tr / _)}
case $1 in
*.sh) set -- sh "$@" ;;
esac
[ "$keep" ] || exec "$@"
"$@" >"$keep"
rc=$?
cat "$keep"
exit $rc
