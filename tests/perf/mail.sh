#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Reading mail, beside b4's parser and, where it is installed, GMime: mail.sh [CACHE]
# RUNS=15 rounds. 50,000 mails of 2.4 KB and four of 100 MB are made once, 520 MB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../build/${VARIANT:-release}
cache=${1:-$here/../../build/cache/bench}/mails
make() {
	[ -s "$cache/$1" ] || { /usr/bin/python3 "$here/mails.py" "$2" "$3" ${4:+"$4"} "$cache/$1.new" && mv "$cache/$1.new" "$cache/$1"; }
}
mkdir -p "$cache"
make mails.mbox make 50000
make few.mbox make 2500
for kind in plain base64 latin1 koi8; do make large-$kind.eml large 100000000 $kind; done
gmime=
if pkg-config --exists gmime-3.0 2>/dev/null; then
	gmime=$cache/gmime
	# shellcheck disable=SC2046
	cc -O2 -o "$gmime" "$here/gmime.c" $(pkg-config --cflags --libs gmime-3.0)
else
	echo "GMime: not installed (libgmime-3.0-dev)"
fi
/usr/bin/python3 "$here/mails.py" race "${RUNS:-15}" "$build/tests/mail-dump" "$gmime" "$cache"
