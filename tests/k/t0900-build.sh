#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series build on the real kernel: the patches of the demo for arm64 and x86_64, and what
# kbuild itself makes of warnings, errors, a broken base and a killed build. Takes half an
# hour of two CPUs the first time; kernels are kept in the cache for the next.
KEEP_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}
. "${SRCDIR:-.}/tests/helper/tap.sh"

LINUX=${SERIES_KERNEL_TREE:-$KEEP_CACHE/series/demo/linux}
CHECK=$KEEP_CACHE/series/check-kernel
K=$CHECK/linux
sh "$SRCDIR/tests/helper/kernel-tree.sh" "$LINUX" || test_skip_all "no kernel source (package linux-source-6.12)"
command -v aarch64-linux-gnu-gcc >/dev/null || test_skip_all "gcc-aarch64-linux-gnu is not here"
export XDG_CACHE_HOME="$CHECK/cache" CCACHE_DIR="$CHECK/ccache"
mkdir -p "$XDG_CACHE_HOME"

# field FILE LABEL NAME: a field of a row of --json (see t0500).
field() {
	awk -v label="$2" -v field="$3" '
	/^ *\{$/ { out = ""; mine = 0 }
	/^ *\},?$/ && mine { print out; mine = 0 }
	match($0, /^ *"[a-z_]+": /) {
		name = $1; gsub(/[":]/, "", name); v = substr($0, RLENGTH + 1)
		sub(/,$/, "", v); gsub(/^"|"$/, "", v)
		if (name == "label" && v == label) mine = 1
		if (name == field) out = v
	}' "$1"
}

patch() {
	cat >>"$2" && git commit -q -s -m "$1" "$2"
}

test_expect_success 'a shallow work tree with the patches of the demo and one of documentation' '
	rm -rf "$K" && git clone -q -s -n "$LINUX" "$K" && cd "$K" &&
	git sparse-checkout set mm include/linux Documentation/mm >/dev/null &&
	git checkout -q -B base origin/main && git checkout -q -b topic &&
	git am -q --committer-date-is-author-date "$SRCDIR"/tests/demo/patches/*.patch &&
	echo "The end." | patch "Documentation: say where it ends" Documentation/mm/index.rst &&
	series init --base base
'
cd "$K" || exit 1
n=$(git rev-list --count base..topic)
d=$((n - 1))

test_expect_success 'arm64, every patch: no warning, no failure' '
	cd "$K" && series build --arch arm64 --each --json >"$T/each.json" &&
	test "$(grep -c "\"outcome\": \"pass\"" "$T/each.json")" = $((n + 1))
'

test_expect_success 'build-ids are those of the vmlinux files, and tell patches apart' '
	for l in base $(seq -f p%g 1 $n); do
		id=$(field "$T/each.json" $l build_id)
		readelf -n "$(field "$T/each.json" $l vmlinux)" 2>/dev/null | grep -q "Build ID: $id" && echo "$id"
	done >"$T/ids" &&
	test "$(wc -l <"$T/ids")" = $((n + 1)) && test "$(sort -u "$T/ids" | wc -l)" -ge 3 &&
	test "$(field "$T/each.json" base build_id)" != "$(field "$T/each.json" p$d build_id)"
'

test_expect_success 'the patch of documentation has the kernel of its parent' '
	test "$(field "$T/each.json" p$n build_id)" = "$(field "$T/each.json" p$d build_id)" &&
	test "$(field "$T/each.json" p$n same_as_parent)" = true
'

test_expect_success 'the final config has all that the fragments ask for' '
	config=$(dirname "$(field "$T/each.json" p$n image)")/config &&
	cat "$SRCDIR"/templates/kconfig/vm.config "$SRCDIR"/templates/kconfig/vm-arm64.config |
		sed -n "s/^\(CONFIG_[A-Za-z0-9_]*\)=.*/\1/p" | sort -u >"$T/asked" &&
	sed -n "s/^\(CONFIG_[A-Za-z0-9_]*\)=.*/\1/p" "$config" | sort -u >"$T/there" &&
	comm -23 "$T/asked" "$T/there" >"$T/lost" && test_cmp /dev/null "$T/lost" &&
	case "$(field "$T/each.json" p$n release)" in 6.12.*-series) ;; *) false ;; esac
'

test_expect_success 'built once is built' '
	cd "$K" && series build --arch arm64 --each --json >"$T/again.json" &&
	test "$(grep -c "\"cached\": true" "$T/again.json")" = $((n + 1)) &&
	test -z "$(git status --porcelain)" && test "$(git worktree list | wc -l)" = 1
'

test_expect_success 'a new warning and a failure of the real compiler' '
	cd "$K" && git checkout -q -b bad base &&
	echo "static int series_unused;" | patch "mm: warn" mm/swap_state.c &&
	echo "static int series_bad(void) { return series_nosuch; }" | patch "mm: break" mm/swap_state.c &&
	series init --base base && test_status 2 series build --arch arm64 --each >"$T/bad.txt" &&
	test_grep "^p1  *warn" "$T/bad.txt" && test_grep "^p2  *fail" "$T/bad.txt" &&
	test_grep "mm/swap_state.c:[0-9:]* warning: .series_unused. defined but not used" "$T/bad.txt" &&
	test_grep "mm/swap_state.c:[0-9:]* error: .series_nosuch. undeclared" "$T/bad.txt"
'

test_expect_success 'a base that does not build: the objects of the series are judged' '
	cd "$K" && git checkout -q -b broken base &&
	echo "#error broken here" | patch "mm: broken base" mm/util.c &&
	git checkout -q -b onbroken &&
	echo "/* good */" | patch "mm: good" mm/swap_state.c &&
	echo "int series_bad" | patch "mm: bad" mm/swap_slots.c &&
	series init --base broken &&
	test_status 2 series build --arch arm64 --each --json >"$T/ob.json" &&
	test "$(field "$T/ob.json" base outcome)" = fail && test "$(field "$T/ob.json" p1 outcome)" = pass &&
	test "$(field "$T/ob.json" p1 base_broken)" = true && test "$(field "$T/ob.json" p2 outcome)" = fail &&
	test_grep "\"first_error\": \"mm/swap_slots.c:" "$T/ob.json"
'

# A comment at the end of a header is compiled into many objects and changes none: the
# kernel that comes out after a kill must be the parent's.
test_expect_success 'killed in the middle, the same command goes on to the same kernel' '
	cd "$K" && git checkout -q -b killed topic &&
	echo "/* $(date +%s) */" | patch "mm: a comment" include/linux/rmap.h && series init --base topic &&
	src=$(echo "$XDG_CACHE_HOME"/series/build/*/src) && log="$src/o.arm64-vm/.series/log" &&
	rm -f "$log" && { series build --arch arm64 >/dev/null 2>"$T/killed.err" & } && pid=$! &&
	test_wait 600 eval "test \$(grep -c \"  CC  *mm/\" \"$log\" 2>/dev/null) -ge 3" &&
	kill -KILL $pid; wait $pid; test -e "$src/o.arm64-vm/.series/running" &&
	series build --arch arm64 --json >"$T/killed.json" &&
	test "$(field "$T/killed.json" p1 same_as_parent)" = true
'

if command -v ccache >/dev/null; then
	test_expect_success 'from nothing and from ccache comes the same image' '
		cd "$K" && git checkout -q topic && rm -rf "$CHECK/fresh" &&
		XDG_CACHE_HOME="$CHECK/fresh" series build --arch arm64 >"$T/fresh.txt" &&
		XDG_CACHE_HOME="$CHECK/fresh" series build --arch arm64 --json >"$T/fresh.json" &&
		test_grep "ccache: [1-9][0-9]* of" "$T/fresh.txt" &&
		cmp "$(field "$T/fresh.json" p$n image)" "$(field "$T/each.json" p$n image)" &&
		rm -rf "$CHECK/fresh"
	'
else
	test_skip 'from nothing and from ccache comes the same image' 'ccache is not here'
fi

if [ "$(uname -m)" = x86_64 ] || command -v x86_64-linux-gnu-gcc >/dev/null; then
	test_expect_success 'x86_64, base and tip' '
		cd "$K" && git checkout -q topic && series build --arch x86_64 --json >"$T/x86.json" &&
		test "$(grep -c "\"outcome\": \"pass\"" "$T/x86.json")" = 2 &&
		test -s "$(field "$T/x86.json" p$n image)"
	'
else
	test_skip 'x86_64, base and tip' 'gcc-x86-64-linux-gnu is not here'
fi

test_done
