#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kernel-tree.sh DIR: the source of Debian's linux-source-6.12 as a git repository with one
# commit on the branch main. Does nothing when DIR is there; an interrupted run starts over.
# Status 77 when the package is missing.
set -eu
dir=$1
tar=${SERIES_LINUX_TAR:-/usr/src/linux-source-6.12.tar.xz}
[ -e "$dir/.git/complete" ] && exit 0
if ! [ -e "$tar" ]; then
	echo "kernel-tree.sh: $tar is missing; the package linux-source-6.12 brings it" >&2
	exit 77
fi
new=$dir.new.$$
trap 'rm -rf "$new"' EXIT
trap 'exit 130' INT TERM HUP
# What killed runs left behind.
rm -rf "$dir" "$dir".new.*
mkdir -p "$new"
tar -C "$new" -xf "$tar"
cd "$new"/linux-source-*
git init -q -b main
# Debian's .gitignore ends in "/*": every file has to be forced.
git -c core.looseCompression=1 -c core.fsync=none -c gc.auto=0 add -A -f
GIT_AUTHOR_NAME=Debian GIT_AUTHOR_EMAIL=debian@example.org \
GIT_COMMITTER_NAME=Debian GIT_COMMITTER_EMAIL=debian@example.org \
GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' \
	git commit -q -m "linux $(make -s kernelversion)"
sync -f .git
touch .git/complete
mv "$PWD" "$dir"
