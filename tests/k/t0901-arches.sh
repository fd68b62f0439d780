#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One series for arm64, x86_64, riscv and sparc64 on the real kernel: a base and three patches,
# one of mm/ and one of documentation. Debian's 6.12 does not build for sparc64 (fs/fcntl.c
# counts the flags of open), so that there only touched objects can be judged. Takes half an
# hour of two CPUs the first time; kernels are kept in the cache for the next.
KEEP_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}
. "${SRCDIR:-.}/tests/helper/tap.sh"

LINUX=${SERIES_KERNEL_TREE:-$KEEP_CACHE/series/demo/linux}
CHECK=$KEEP_CACHE/series/check-kernel
K=$CHECK/linux
sh "$SRCDIR/tests/helper/kernel-tree.sh" "$LINUX" || test_skip_all "no kernel source (package linux-source-6.12)"
export XDG_CACHE_HOME="$CHECK/cache" CCACHE_DIR="$CHECK/ccache"
mkdir -p "$XDG_CACHE_HOME"

# Compilers are not all in "make deps": who lacks one loses its part of this test alone.
archs=
for row in arm64:aarch64:aarch64 x86_64:x86_64:x86-64 riscv:riscv64:riscv64 sparc64:sparc64:sparc64; do
	a=${row%%:*} package=gcc-${row##*:}-linux-gnu prefix=${row#*:}
	prefix=${prefix%:*}-linux-gnu-
	if command -v "${prefix}gcc" >/dev/null || [ "$a" = "$(uname -m)" ]; then
		archs="$archs $a"
	else
		test_skip "$a: base and three patches" "$package is not here"
	fi
done
[ "$archs" ] || test_skip_all "no compiler for any of the architectures"
have() { case " $archs " in *" $1 "*) ;; *) return 1 ;; esac }

patch() {
	cat >>"$2" && git commit -q -s -m "$1" "$2"
}

# add NUMBER: a function that no configuration leaves out.
add() {
	printf '\nint series_%d(int n);\nint series_%d(int n)\n{\n\treturn n + %d;\n}\n' "$1" "$1" "$1"
}

# Options of "series build" for all of them.
each() {
	for a in $archs; do printf -- '--arch %s ' "$a"; done
}

# say FILE EXPRESSION: python with d (the document) and r[arch][label] (a result).
say() {
	python3 - "$1" "$2" <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
r = {}
for x in d["results"]:
    r.setdefault(x["arch"], {})[x["label"]] = x
v = eval(sys.argv[2])
if v is not True:
    print(v)
sys.exit(v is False or v is None)
P
}

test_expect_success 'a base and three patches: mm/, lib/, Documentation/' '
	rm -rf "$K" && git clone -q -s -n "$LINUX" "$K" && cd "$K" &&
	git sparse-checkout set mm lib init Documentation/mm >/dev/null &&
	git checkout -q -B base origin/main && git checkout -q -b arches &&
	add 1 | patch "mm: count one more" mm/util.c &&
	add 2 | patch "lib: count two more" lib/string_helpers.c &&
	echo "The end." | patch "Documentation: say where it ends" Documentation/mm/index.rst &&
	series init --base base
'
cd "$K" || exit 1

test_expect_success "every patch for each of$archs" '
	cd "$K" && want=0 && if have sparc64; then want=2; fi && start=$(date +%s) &&
	test_status $want series build $(each) --each --json >"$T/each.json" &&
	echo "all: $(($(date +%s) - start)) s" >>"$T/figures" && say "$T/each.json" "sorted(r) == sorted(\"$archs\".split())"
'

for a in $archs; do
	[ $a != sparc64 ] || continue
	test_expect_success "$a: whole kernels, a new one for each patch of code, none for documentation" '
		say "$T/each.json" "all(x[\"outcome\"] == \"pass\" and not x[\"base_broken\"] and len(x[\"build_id\"]) == 40 for x in r[\"$a\"].values()) and len(r[\"$a\"]) == 4" &&
		say "$T/each.json" "len({r[\"$a\"][l][\"build_id\"] for l in (\"base\", \"p1\", \"p2\")}) == 3" &&
		say "$T/each.json" "r[\"$a\"][\"p3\"][\"build_id\"] == r[\"$a\"][\"p2\"][\"build_id\"] and r[\"$a\"][\"p3\"][\"same_as_parent\"] is True" &&
		readelf -n "$(say "$T/each.json" "r[\"$a\"][\"p1\"][\"vmlinux\"]")" 2>/dev/null | grep "Build ID: $(say "$T/each.json" "r[\"$a\"][\"p1\"][\"build_id\"]")" &&
		say "$T/each.json" "\"$a, seconds: \" + \" \".join(\"%s %.1f\" % (l, r[\"$a\"][l][\"wall_ms\"] / 1000) for l in (\"base\", \"p1\", \"p2\", \"p3\"))" >>"$T/figures"
	'
	# The second patch: where the base was built before, the first one's step starts from
	# whatever was in the object directory.
	test_expect_success "$a: a step compiles the file of its patch" '
		log=$(say "$T/each.json" "r[\"$a\"][\"p2\"][\"log\"]") && test_grep "  CC  *lib/string_helpers.o" "$log" &&
		test_nogrep "  CC  *mm/" "$log" && test "$(grep -c "^  CC  " "$log")" -le 3
	'
done

if have sparc64; then
	test_expect_success 'sparc64: the base fails, and no patch is blamed' '
		say "$T/each.json" "r[\"sparc64\"][\"base\"][\"outcome\"] == \"fail\" and \"fs/fcntl.c\" in r[\"sparc64\"][\"base\"][\"first_error\"]" &&
		say "$T/each.json" "all(r[\"sparc64\"][l][\"outcome\"] == \"pass\" and r[\"sparc64\"][l][\"base_broken\"] for l in (\"p1\", \"p2\", \"p3\"))" &&
		log=$(say "$T/each.json" "r[\"sparc64\"][\"p1\"][\"log\"]") && test_grep "  CC  *mm/util.o" "$log" && test_grep "  CC  *lib/string_helpers.o" "$log"
	'
	test_expect_success 'sparc64: what breaks there alone is found, though the base fails' '
		cd "$K" && git checkout -q -b sparc base && add 1 | patch "mm: count one more" mm/util.c &&
		printf "#ifdef CONFIG_SPARC64\n#error not here\n#endif\n" | patch "mm: break sparc64" mm/util.c && series init --base base &&
		test_status 2 series build --arch sparc64 --each --json >"$T/sparc.json" && git checkout -q arches &&
		say "$T/sparc.json" "r[\"sparc64\"][\"p1\"][\"outcome\"] == \"pass\" and r[\"sparc64\"][\"p2\"][\"outcome\"] == \"fail\"" &&
		say "$T/sparc.json" "\"error not here\" in r[\"sparc64\"][\"p2\"][\"first_error\"].replace(\"#error\", \"error\")"
	'
fi

test_expect_success 'a rebase that changes a message alone builds nothing' '
	cd "$K" && git checkout -q arches && good=$(for a in $archs; do [ $a = sparc64 ] || printf -- "--arch %s " $a; done) &&
	tree=$(git rev-parse "arches^{tree}") && GIT_SEQUENCE_EDITOR="sed -i 1s/pick/reword/" GIT_EDITOR="sed -i 1s/more/more_than_before/" git rebase -q -i base &&
	test "$(git rev-parse "arches^{tree}")" = "$tree" && start=$(date +%s%N) &&
	series build $good --each --json >"$T/again.json" && echo "a message changed: $((($(date +%s%N) - start) / 1000000)) ms" >>"$T/figures" &&
	say "$T/again.json" "all(x[\"cached\"] for x in d[\"results\"])" &&
	say "$T/again.json" "{x[\"subject\"] for x in d[\"results\"] if x[\"label\"] == \"p1\"} == {\"mm: count one more_than_before\"}"
'

# A base that fails at once leaves the touched objects to be judged: so a compiler and a
# configuration whose whole kernels take too long are tried in a minute. With one job: with
# two, the other one would make a whole directory before make ends.
broken() {
	cd "$K" && git checkout -q -B broken base && sed -i "1i #error broken here" init/main.c && git commit -q -s -a -m "init: broken" &&
		git checkout -q -B onbroken && add 3 | patch "mm: count three more" mm/util.c &&
		printf "int series_bad" | patch "mm: bad" mm/list_lru.c && series init --base broken
}

judged() {
	say "$1" "[x[\"outcome\"] for x in d[\"results\"]] == [\"fail\", \"pass\", \"fail\"] and all(x[\"base_broken\"] for x in d[\"results\"][1:])" &&
		say "$1" "d[\"results\"][2][\"first_error\"].startswith(\"mm/list_lru.c:\")"
}

if ! have arm64; then
	test_skip 'LLVM and allmodconfig' 'gcc-aarch64-linux-gnu is not here'
else
	test_expect_success 'a series whose base fails at once' 'broken'
	if command -v clang >/dev/null && command -v ld.lld >/dev/null && command -v llvm-objdump >/dev/null; then
		test_expect_success 'LLVM=1: clang compiles what is judged, and is what results are kept by' '
			cd "$K" && git config series.arch.arm64.make LLVM=1 && test_status 2 series build --arch arm64 --config tinyconfig --each -j 1 --json >"$T/llvm.json"; rc=$?; git config --unset series.arch.arm64.make
			test $rc = 0 && judged "$T/llvm.json" && say "$T/llvm.json" "all(\"clang version\" in x[\"compiler\"] for x in d[\"results\"])" &&
			test_grep "CC  *mm/util.o" "$(say "$T/llvm.json" "d[\"results\"][1][\"log\"]")"
		'
	else
		test_skip 'LLVM=1' 'clang, lld and llvm are not here'
	fi
	if have riscv; then
		test_expect_success 'the row of the matrix without an MMU' '
			cd "$K" && test_status 2 series build --config nommu --each -j 1 --json >"$T/nommu.json" && judged "$T/nommu.json" && say "$T/nommu.json" "{(x[\"arch\"], x[\"matrix\"]) for x in d[\"results\"]} == {(\"riscv\", \"nommu\")}"
		'
	fi
	test_expect_success 'allmodconfig' '
		cd "$K" && test_status 2 series build --arch arm64 --config allmodconfig --each -j 1 --json >"$T/all.json" && judged "$T/all.json"
	'
fi

[ ! -s "$T/figures" ] || sed 's/^/# /' "$T/figures"
test_done
