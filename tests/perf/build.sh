#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What series build --each costs beyond plain make of the same commits in one O= directory, on
# Debian's 6.12 with tinyconfig for this machine: build.sh [CACHE]
# RUNS=3 rounds of five patches, each round with patches of its own, so that nothing is
# found in a cache; ccache is off. The bases are built once, some minutes each.
set -eu
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
linux=${SERIES_KERNEL_TREE:-${XDG_CACHE_HOME:-$HOME/.cache}/series/demo/linux}
runs=${RUNS:-3} n=5
PATH=$srcdir/build/${VARIANT:-release}:$PATH
cache=${1:-$srcdir/build/cache/bench}/build
rc=0
sh "$srcdir/tests/helper/kernel-tree.sh" "$linux" || rc=$?
[ $rc != 77 ] || exit 0
[ $rc = 0 ] || exit $rc
[ "$(uname -m)" = x86_64 ] || { echo "build.sh: its image is that of x86_64"; exit 0; }
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
export HOME="$cache/home" XDG_CACHE_HOME="$cache/cache" GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8
export SERIES_TEMPLATES="$srcdir/templates"
unset XDG_CONFIG_HOME XDG_DATA_HOME GIT_CONFIG_GLOBAL GIT_DIR GIT_WORK_TREE MAKEFLAGS MFLAGS
mkdir -p "$HOME"
git config --global user.name "Dana Developer"
git config --global user.email dana@example.org
git config --global series.ccache false
git config --global advice.detachedHead false
jobs=$(nproc)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP

# One repository for series, and one with a work tree for make; their base is the same.
rm -rf "$cache/linux"
git clone -q -s -n "$linux" "$cache/linux"
[ -e "$cache/plain/.git" ] || git clone -q -s "$linux" "$cache/plain"
cd "$cache/linux"
git sparse-checkout set mm Documentation/mm >/dev/null
git checkout -q -B base origin/main

# patches ROUND: four patches of code and one of documentation, as no round before had them.
patches() {
	stamp=$(date +%s)$1
	git checkout -q -B "round$1" base
	for f in mm/util.c mm/mmap.c mm/page_alloc.c mm/vmscan.c; do
		printf '\nint series_%s(void);\nint series_%s(void)\n{\n\treturn %s;\n}\n' "${f##*/}" "${f##*/}" "${#f}" |
			sed "s/_\([a-z_]*\)\.c/_\1_$stamp/g" >>"$f"
		git commit -q -s -m "mm: a step in ${f##*/}" "$f"
	done
	echo "Round $stamp." >>Documentation/mm/index.rst
	git commit -q -s -m "Documentation: say which round it is" Documentation/mm/index.rst
	series init --base base >/dev/null
	git -C "$cache/plain" fetch -q "$cache/linux" "round$1"
}

plain() {
	make -C "$cache/plain" -s O="$cache/o" -j"$jobs" "$@" >>"$tmp/log" 2>&1 || { tail "$tmp/log"; exit 1; }
}

# seconds COMMAND...: how long it took, with milliseconds.
seconds() {
	start=$(date +%s%N)
	"$@" >"$tmp/said" 2>&1 || { cat "$tmp/said" >&2; exit 1; }
	echo "$start $(date +%s%N)" | awk '{ printf "%.3f\n", ($2 - $1) / 1e9 }'
}

walk() {
	for c in $(git rev-list --reverse "base..round$1"); do
		git -C "$cache/plain" checkout -q "$c" && plain vmlinux bzImage || exit 1
	done
}

git -C "$cache/plain" checkout -q "$(git rev-parse base)"
plain tinyconfig
plain vmlinux bzImage
patches 0
series build --config tinyconfig --each >"$tmp/said" 2>&1 || { cat "$tmp/said" >&2; exit 1; }
walk 0
i=0
while [ $((i += 1)) -le "$runs" ]; do
	patches $i
	s=$(seconds series build --config tinyconfig --each)
	m=$(seconds walk $i)
	echo "$s $m" >>"$tmp/rounds"
done

# Medians of each, and what is left of series' time when make's and 5 % are taken off.
median() {
	sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
s=$(awk '{ print $1 }' "$tmp/rounds" | median)
m=$(awk '{ print $2 }' "$tmp/rounds" | median)
read -r load _ </proc/loadavg
awk -v s="$s" -v m="$m" -v n=$n -v runs="$runs" -v cpus="$jobs" -v load="$load" 'BEGIN {
	printf "%d patches of linux 6.12, tinyconfig, base built before; %d CPUs, load %s; medians of %d\n", n, cpus, load, runs
	printf "%-42s %9.1f s\n%-42s %9.1f s\n", "series build --each", s, "git checkout, make of each commit", m
	over = (s - 1.05 * m) / n
	printf "  %-52s %8.2f\n", "series / make, wall", s / m
	printf "  %-52s %8.2f  goal <= 2: %s\n", "beyond make and 5 %, s a commit", over, over <= 2 ? "met" : "MISSED" }'
