#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The index of a list, beside notmuch new at 20,000 mails and alone at $SIZES (100000):
#	SIZES="100000 1000000" lists.sh [CACHE]
# Mirrors of invented mails are made once: 1 KB of disk and some 0.5 ms a mail. Wall times, for both
# processors count: a busy machine makes them longer, and the ratio to notmuch less so.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../build/${VARIANT:-release}
cache=${1:-$here/../../build/cache/bench}/lists
mkdir -p "$cache"
for n in 20000 ${SIZES:-100000}; do
	[ -d "$cache/$n" ] || { rm -rf "$cache/$n.new" && /usr/bin/python3 -B "$here/lists.py" make "$n" "$cache/$n.new" && mv "$cache/$n.new" "$cache/$n"; }
done
[ -d "$cache/mail" ] || { rm -rf "$cache/mail.new" && /usr/bin/python3 -B "$here/lists.py" maildir "$cache/20000" "$cache/mail.new" && mv "$cache/mail.new" "$cache/mail"; }
# shellcheck disable=SC2086
/usr/bin/python3 -B "$here/lists.py" race "$build/tests/index-dump" "$cache" ${SIZES:-100000}
