#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series build on a small tree with the ways of kbuild: outcomes, what is kept, and what an
# interrupted build leaves.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "$SRCDIR/tests/helper/fakekernel.sh"

for p in gcc make readelf flex bison; do
	command -v $p >/dev/null || test_skip_all "$p is not here"
done

# json FILE LABEL FIELD: a field of the row with that label; a list gives a line for each
# item. Relies on one member or item a line, and on booleans as True and False.
json() {
	awk -v label="$2" -v field="$3" '
	function text(v) {
		sub(/,$/, "", v)
		if (v ~ /^"/) { v = substr(v, 2, length(v) - 2); gsub(/\\n/, "\n", v); gsub(/\\"/, "\"", v) }
		return v == "true" ? "True" : v == "false" ? "False" : v
	}
	/^ *\{$/ { out = ""; mine = 0 }
	/^ *\},?$/ && mine { printf "%s", out; mine = 0 }
	list && /^ *\],?$/ { list = 0 }
	list { l = $0; sub(/^ */, "", l); out = out text(l) "\n" }
	match($0, /^ *"[a-z_]+": /) {
		name = $1; gsub(/[":]/, "", name); value = substr($0, RLENGTH + 1)
		if (name == "label" && text(value) == label) mine = 1
		if (name == field && value == "[") list = 1
		else if (name == field && value !~ /^\[\]/) out = text(value) "\n"
	}' "$1"
}

# edit FILE SED SUBJECT: one patch.
edit() {
	sed -i "$2" "$1" && git commit -q -s -a -m "$3"
}

kernels() {
	ls "$XDG_CACHE_HOME"/series/build/*/kernels | sort
}

test_expect_success 'set up a series of three patches' '
	fake_kernel k && cd k && git checkout -q -b topic &&
	edit mm/rmap.c "s/return pages;/int unused;\n\treturn pages + 1;/" "mm: count one more" &&
	edit Documentation/mm.rst "s/works/really works/" "doc: say how it really works" &&
	edit mm/swap.c "s/return pages;/return pages + 2;/" "mm: count two more" &&
	series init --base main
'

test_expect_success 'base and tip are built, and the result has everything that names it' '
	cd k && series build --arch arm64 --json >../tip.json &&
	test "$(json ../tip.json base outcome)" = pass &&
	test "$(json ../tip.json p3 outcome)" = warn &&
	test "$(json ../tip.json p3 release)" = 6.0.0-series &&
	image=$(json ../tip.json p3 image) &&
	readelf -n "$image" | grep -q "Build ID: $(json ../tip.json p3 build_id)" &&
	test "$(json ../tip.json p3 tree)" = "$(git rev-parse topic^{tree})" &&
	grep -q "^CONFIG_MMU=y" "${image%/image}/config" &&
	test_grep "CC      mm/rmap.o" "$(json ../tip.json p3 log)" &&
	test "$(kernels | wc -l)" = 2
'

test_expect_success '--each: the warning is listed once, in the patch that brings it' '
	cd k && series build --arch arm64 --each >../each.txt &&
	series build --arch arm64 --each --json >../each.json &&
	test "$(json ../each.json p1 outcome)" = warn &&
	test "$(json ../each.json p1 warnings)" = "mm/rmap.c:6:13: warning: unused variable '\''unused'\'' [-Wunused-variable]" &&
	test "$(json ../each.json p2 outcome)" = pass &&
	test "$(json ../each.json p3 outcome)" = pass &&
	test "$(grep -c "unused variable" ../each.txt)" = 1 &&
	test_grep "^p1  *warn  *mm: count one more" ../each.txt
'

test_expect_success 'a patch that changes no code has the kernel of its parent' '
	cd k && test "$(json ../each.json p2 build_id)" = "$(json ../each.json p1 build_id)" &&
	test "$(json ../each.json p3 build_id)" != "$(json ../each.json p2 build_id)" &&
	test "$(json ../each.json p2 same_as_parent)" = True &&
	test "$(json ../each.json p3 same_as_parent)" = False &&
	test_grep "^  p2 .*the same kernel as p1" ../each.txt
'

test_expect_success 'each step compiles only what its patch touches' '
	cd k && XDG_CACHE_HOME=$T/walk series build --arch arm64 --each --json >../walk.json &&
	for l in p1 p2 p3; do
		echo $l && grep "  CC " "$(json ../walk.json $l log)"
	done >../cc.txt;
	printf "p1\n  CC      mm/rmap.o\np2\np3\n  CC      mm/swap.o\n" >../want.txt &&
	test_cmp ../want.txt ../cc.txt
'

test_expect_success 'the state has a document for each result' '
	cd k && git ls-tree -r --name-only refs/series/topic/state build/ >../docs.txt &&
	for l in base p1 p2 p3; do
		echo "build/$(json ../each.json $l key).json"
	done | sort >../want.txt && test_cmp ../want.txt ../docs.txt &&
	test_nogrep "$T" ../docs.txt &&
	git show "refs/series/topic/state:build/$(json ../each.json p1 key).json" >../doc.json &&
	test_nogrep "$T" ../doc.json && test_grep "\"schema\": 1" ../doc.json
'

test_expect_success 'the user'\''s tree is untouched' '
	cd k && test -z "$(git status --porcelain --ignored)" &&
	test "$(git worktree list | wc -l)" = 1 && test ! -e .git/index.lock
'

test_expect_success 'a rebase that changes nothing builds nothing' '
	cd k && git rebase -q -f --no-keep-empty --committer-date-is-author-date main &&
	git commit -q --amend -m "mm: count two more, said better" &&
	state=$(git rev-parse refs/series/topic/state) && kernels >../before.txt &&
	mv ../bin/aarch64-linux-gnu-gcc ../bin/real &&
	printf "#!/bin/sh\ntest \"\$1\" = --version && exec gcc --version\necho used >>$T/used\nexit 1\n" \
		>../bin/aarch64-linux-gnu-gcc && chmod +x ../bin/aarch64-linux-gnu-gcc &&
	series build --arch arm64 --each --json >../again.json;
	rc=$?; mv ../bin/real ../bin/aarch64-linux-gnu-gcc; test $rc = 0 &&
	test ! -e "$T/used" && kernels | diff ../before.txt - &&
	for l in base p1 p2 p3; do json ../again.json $l cached; done >../cached.txt &&
	test "$(sort -u ../cached.txt)" = True &&
	test "$(json ../again.json p3 subject)" = "mm: count two more, said better"
'

test_expect_success 'nothing new to say is no new state' '
	cd k && state=$(git rev-parse refs/series/topic/state) &&
	series build --arch arm64 --each >/dev/null &&
	test "$(git rev-parse refs/series/topic/state)" = "$state"
'

test_expect_success 'an incremental kernel is the one that a build from nothing makes' '
	cd k && XDG_CACHE_HOME=$T/other series build --arch arm64 --json >../fresh.json &&
	test "$(json ../fresh.json p3 build_id)" = "$(json ../each.json p3 build_id)" &&
	cmp "$(json ../fresh.json p3 image)" "$(json ../each.json p3 image)" &&
	test "$(json ../fresh.json p3 warnings)" = "$(json ../tip.json p3 warnings)"
'

test_expect_success 'a patch that does not compile is named with its first error' '
	cd k && git checkout -q -b bad &&
	edit mm/rmap.c "s/pages + 1/pages + nosuch/" "mm: break it" &&
	edit mm/rmap.c "s/nosuch/1/" "mm: mend it" &&
	series init --base main &&
	test_status 2 series build --arch arm64 --each >../bad.txt 2>../bad.err &&
	test_grep "^p4  *fail  *mm: break it" ../bad.txt &&
	test_grep "^p5  *pass  *mm: mend it" ../bad.txt &&
	test_grep "mm/rmap.c:7:24: error: .nosuch. undeclared" ../bad.txt &&
	test_grep "7 |  *return pages + nosuch;" ../bad.txt &&
	test_grep "1 of 6 commits do not build on arm64, p4 first" ../bad.err &&
	log=$(sed -n "s/^ *log: //p" ../bad.txt) && test_grep "nosuch" "$log"
'

test_expect_success 'a failure that is known is not built again' '
	cd k && test_status 2 series build --arch arm64 --each --json >../bad2.json &&
	test "$(json ../bad2.json p4 cached)" = True && test "$(json ../bad2.json p4 outcome)" = fail
'

test_expect_success 'a base that does not build blames no patch' '
	cd k && git checkout -q -b broken main &&
	edit mm/zram.c "s/return 1/return zram_nosuch/" "zram: break the base" &&
	printf "CONFIG_MMU=y\nCONFIG_BLOCK=y\nCONFIG_ZRAM=y\n" >../zram.config &&
	git checkout -q -b onbroken &&
	edit mm/rmap.c "s/return pages/return pages + 5/" "mm: good" &&
	edit mm/swap.c "s/return pages;/return pages/" "mm: bad" &&
	series init --base broken &&
	test_status 2 series build --arch arm64 --config ../zram.config --each --json >../ob.json &&
	test "$(json ../ob.json base outcome)" = fail &&
	test "$(json ../ob.json p1 outcome)" = pass && test "$(json ../ob.json p1 base_broken)" = True &&
	test "$(json ../ob.json p2 outcome)" = fail && test "$(json ../ob.json p2 base_broken)" = True &&
	json ../ob.json p2 first_error >../ob.txt && test_grep "mm/swap.c:.*error: expected" ../ob.txt &&
	test_nogrep zram_nosuch ../ob.txt &&
	test_status 2 series build --arch arm64 --config ../zram.config --each >../ob.out &&
	test_grep "no patch is blamed" ../ob.out
'

test_expect_success 'a patch that mends the base is a whole kernel' '
	cd k && git checkout -q -b mends broken &&
	edit mm/zram.c "s/zram_nosuch/1/" "zram: mend" && series init --base broken &&
	test_status 2 series build --arch arm64 --config ../zram.config --json >../mends.json &&
	test "$(json ../mends.json p1 outcome)" = pass &&
	test "$(json ../mends.json p1 base_broken)" = False &&
	test -s "$(json ../mends.json p1 image)"
'

test_expect_success 'a lost option is an error that names what it depends on' '
	cd k && git checkout -q topic && echo "CONFIG_ZRAM=y" >../frag.config &&
	test_status 1 series build --arch arm64 --config vm+../frag.config 2>../lost.err &&
	test_grep "CONFIG_ZRAM=y (asked in frag.config:1), final value: not set" ../lost.err &&
	test_grep "Kconfig: depends on BLOCK && MMU: BLOCK is not set" ../lost.err
'

test_expect_success 'a patch that breaks Kconfig fails, its parent does not' '
	cd k && git checkout -q -b kconf topic &&
	edit Kconfig "1s/^/syntax\n/" "kconfig: break it" && series init --base topic &&
	test_status 2 series build --arch arm64 --each --json >../kconf.json &&
	test "$(json ../kconf.json base outcome)" = pass &&
	test "$(json ../kconf.json p1 outcome)" = fail &&
	test "$(json ../kconf.json p1 first_error)" = "Kconfig:1: syntax error"
'

test_expect_success 'a missing compiler is named with its package' '
	cd k && git checkout -q topic &&
	git config series.arch.arm64.cross nosuch- &&
	test_status 1 series build --arch arm64 2>../cc.err; rc=$?
	git config --unset series.arch.arm64.cross; test $rc = 0 &&
	test_grep "nosuch-gcc: not found" ../cc.err && test_grep "gcc-aarch64-linux-gnu" ../cc.err
'

test_expect_success 'an unknown arch and an unknown config are usage errors' '
	cd k && test_status 129 series build --arch vax 2>../u.err && test_grep arm64 ../u.err &&
	test_status 129 series build --arch arm64 --config nosuch.config 2>../u.err &&
	test_grep "nosuch.config" ../u.err
'

# interrupt SIGNAL: a slow step of a new patch, ended in the middle of writing an object.
interrupt() {
	export FAKE_SLOW="$T/slow" && : >"$T/slow" && rm -f "$T/slow.pid" &&
	{ series build --arch arm64 >"$T/int.txt" 2>"$T/int.err" & } && pid=$! &&
	test_wait 20 test -s "$T/slow.pid" && kill "-$1" $pid
	wait $pid
	rc=$?
	rm -f "$T/slow"
}

test_expect_success 'SIGINT: status 130, no children left, and the same command goes on' '
	cd k && edit mm/swap.c "s/pages + 2/pages + 20/" "mm: slow one" &&
	interrupt INT && test $rc = 130 && test_grep "interrupted" ../int.err &&
	test_wait 5 eval "! kill -0 $(cat ../slow.pid) 2>/dev/null" &&
	series build --arch arm64 --json >../go.json &&
	XDG_CACHE_HOME=$T/other series build --arch arm64 --json >../fresh.json &&
	test "$(json ../go.json p4 build_id)" = "$(json ../fresh.json p4 build_id)" &&
	test "$(json ../go.json base cached)" = True
'

test_expect_success 'a second build or a --gc meanwhile says who holds the lock' '
	cd k && export FAKE_SLOW="$T/slow" && : >"$T/slow" && rm -f "$T/slow.pid" &&
	edit mm/swap.c "s/pages + 20/pages + 30/" "mm: slow again" &&
	{ series build --arch arm64 >/dev/null 2>&1 & } && pid=$! && test_wait 20 test -s "$T/slow.pid" &&
	test_status 1 series build --arch arm64 2>../locked.err &&
	test_grep "$pid" ../locked.err && test_status 1 series build --gc 2>../locked.err &&
	test_grep "$pid" ../locked.err; rc=$?
	kill -INT $pid; wait $pid; rm -f "$T/slow"; test $rc = 0 && git reset -q --hard HEAD~
'

test_expect_success 'SIGKILL: half an object is not taken for a whole one' '
	cd k && edit mm/swap.c "s/pages + 20/pages + 200/" "mm: slow two" &&
	interrupt KILL && test $rc = 137 &&
	test "$(cat "$XDG_CACHE_HOME"/series/build/*/src/o.arm64-vm/mm/swap.o)" = half &&
	series build --arch arm64 --json >../go.json &&
	test_wait 5 eval "! kill -0 $(cat ../slow.pid) 2>/dev/null" &&
	XDG_CACHE_HOME=$T/other series build --arch arm64 --json >../fresh.json &&
	test "$(json ../go.json p5 build_id)" = "$(json ../fresh.json p5 build_id)"
'

test_expect_success 'a work tree that was left half written is made whole' '
	cd k && src=$(echo "$XDG_CACHE_HOME"/series/build/*/src) && : >"$src.pending" &&
	: >"$src.index.lock" && echo stray >"$src/mm/stray.c" && echo cut >"$src/mm/rmap.c" &&
	edit Documentation/mm.rst "s/really/truly/" "doc: three" &&
	series build --arch arm64 --json >../go.json && test ! -e "$src/mm/stray.c" &&
	test ! -e "$src.pending" && test "$(json ../go.json p6 build_id)" = "$(json ../fresh.json p5 build_id)"
'

test_expect_success 'a full disk is one clear error and nothing is blamed' '
	cd k && edit mm/swap.c "s/pages + 200/pages + 300/" "mm: full" &&
	mv ../bin/aarch64-linux-gnu-gcc ../bin/real &&
	printf "#!/bin/sh\ntest \"\$1\" = --version && exec gcc --version\necho \"mm/swap.c:1: fatal error: error writing to x.s: No space left on device\" >&2\nexit 1\n" \
		>../bin/aarch64-linux-gnu-gcc && chmod +x ../bin/aarch64-linux-gnu-gcc &&
	test_status 1 series build --arch arm64 2>../full.err; rc=$?
	mv ../bin/real ../bin/aarch64-linux-gnu-gcc; test $rc = 0 &&
	test_grep "no space left" ../full.err && test_grep "build --gc" ../full.err &&
	series build --arch arm64 >../full.txt && test_grep "^p7  *warn" ../full.txt &&
	series build --arch arm64 --json >../full.json
'

if command -v ccache >/dev/null; then
	test_expect_success 'ccache serves a second object directory, and changes no kernel' '
		cd k && series build --arch arm64 --json >../c0.json && git config series.ccache true &&
		XDG_CACHE_HOME=$T/c1 CCACHE_DIR=$T/ccache series build --arch arm64 --json >../c1.json &&
		XDG_CACHE_HOME=$T/c2 CCACHE_DIR=$T/ccache series build --arch arm64 >../c2.txt &&
		XDG_CACHE_HOME=$T/c2 CCACHE_DIR=$T/ccache series build --arch arm64 --json >../c2.json &&
		git config series.ccache false &&
		test_grep "ccache: [1-9][0-9]* of [0-9]* compilations served" ../c2.txt &&
		cmp "$(json ../c1.json p7 image)" "$(json ../c2.json p7 image)" &&
		cmp "$(json ../c1.json p7 image)" "$(json ../c0.json p7 image)" &&
		test "$(json ../c2.json p7 warnings)" = "$(json ../c1.json p7 warnings)" &&
		test "$(json ../c2.json p7 outcome)" = warn
	'
else
	test_skip 'ccache serves a second object directory' 'ccache is not here'
fi

test_expect_success '--gc frees down to the limit and the next build starts over' '
	cd k && git config series.buildLimit 0 && series build --gc >../gc.txt &&
	test_grep "MiB freed" ../gc.txt && test -z "$(kernels)" &&
	git config --unset series.buildLimit && series build --arch arm64 --json >../gc.json &&
	test "$(json ../gc.json base cached)" = False &&
	test "$(json ../gc.json p7 build_id)" = "$(json ../full.json p7 build_id)"
'

test_expect_success 'a compiler that is not here is named, and stops no other architecture' '
	cd k && git config series.arch.loongarch.config allnoconfig && test_status 1 series build --arch loongarch --arch arm64 >../two.txt 2>../two.err && test_grep "loongarch64-linux-gnu-gcc: not found.*gcc-loongarch64-linux-gnu" ../two.err && test_grep "arm64, config vm" ../two.txt && test_nogrep "loongarch, config" ../two.txt &&
	for a in i386 "$(uname -m)"; do printf "# nothing\n" >"$T/templates/kconfig/vm-$a.config"; done && mkdir "$T/few" && for f in "$T"/bin/* /usr/bin/* /bin/*; do case ${f##*/} in sparse | clang* | ld.lld* | llvm-*) continue ;; *-linux-gnu*-gcc*) [ "$f" = "$T/bin/aarch64-linux-gnu-gcc" ] || continue ;; esac; [ -e "$T/few/${f##*/}" ] || ln -s "$f" "$T/few/${f##*/}"; done &&
	{ PATH=$T/few "$SERIES" build --arch all --json >../all.json 2>../all.err; rc=$?; [ $rc = 0 ] || [ $rc = 2 ]; } && test_grep "riscv64-linux-gnu-gcc: not found.*gcc-riscv64-linux-gnu" ../all.err && test_grep "sparc64-linux-gnu-gcc: not found" ../all.err && grep -q "\"arch\": \"arm64\"" ../all.json && ! grep -q "\"arch\": \"riscv\"" ../all.json &&
	test_status 129 series build --arch nosuch 2>../no.err && test_grep "nosuch" ../no.err
'

test_expect_success '--bisect finds the patch that breaks the build with fewer builds than there are patches' '
	cd k && git checkout -q -b hunted main && for k in 1 2 3 4 5 6 7 8; do
		if [ $k = 6 ]; then edit mm/swap.c "s/return pages;/return pages + ;/" "mm: break it"; else echo "/* $k */" >>mm/rmap.c && git commit -q -s -a -m "mm: note $k"; fi || return 1
	done && series init --base main && test_status 129 series build --bisect --each 2>../e && test_status 2 series build --arch arm64 --bisect >../found 2>../e && cat ../found && test_grep "^arm64, config vm: patch 6 of 8 is the first that does not build: mm: break it" ../found &&
	test_grep "$(git rev-parse --short=12 hunted~2)" ../found && test_grep "mm/swap.c:6:.*error" ../found && n=$(sed -n "s/.*; \([0-9]*\) new builds.*/\1/p" ../found) && [ "$n" -ge 3 ] && [ "$n" -le 5 ] &&
	test_status 2 series build --arch arm64 --bisect --json >../found.json && grep -q "\"patch\": 6" ../found.json && grep -q "\"builds\": 0" ../found.json &&
	git reset -q --hard hunted~3 && series build --arch arm64 --bisect >../found && test_grep "all patches up to p5 build" ../found
'

test_expect_success 'fragments by their names, and the matrix of them' '
	cd k && for f in no-thp no-swap debug; do printf "# %s\nCONFIG_BLOCK=y\n" $f >"$T/templates/kconfig/$f.config" || return 1; done && sed -i "s/=y/=n/; s/^CONFIG_BLOCK=n/# CONFIG_BLOCK is not set/" "$T/templates/kconfig/no-swap.config" &&
	for c in i686 riscv64; do cp "$T/bin/aarch64-linux-gnu-gcc" "$T/bin/$c-linux-gnu-gcc"; done &&
	series build --arch arm64 --config matrix --json >../matrix.json && for c in vm vm+no-thp vm+no-swap vm+debug nommu_virt_defconfig; do grep -q "\"config_name\": \"$c\"" ../matrix.json || return 1; done &&
	series build --arch arm64 --config vm+debug >../debug.txt && test_grep "built before" ../debug.txt && test_status 129 series build --arch arm64 --config vm+nosuch 2>../e && test_grep "nosuch.*no-thp, no-swap, debug" ../e
'

test_expect_success 'rows of the matrix with their own architectures, by name, once, and named when they cannot be built' '
	cd k && series build --arch arm64 --config matrix >../m.txt && test_grep "^i386, config vm, the matrix.s 32-bit, " ../m.txt && test_grep "^riscv, config nommu_virt_defconfig, the matrix.s nommu, " ../m.txt && test "$(grep -c "^arm64, config" ../m.txt)" = 4 &&
	series build --arch i386 --config vm --config 32-bit --json >../i.json && test "$(grep -c "\"label\": \"base\"" ../i.json)" = 1 &&
	series build --config nommu --json >../n.json && grep -q "\"arch\": \"riscv\"" ../n.json && grep -q "\"matrix\": \"nommu\"" ../n.json && ! grep -q "\"arch\": \"arm64\"" ../n.json &&
	rm "$T/bin/riscv64-linux-gnu-gcc" && PATH=$T/few "$SERIES" build --arch arm64 --config matrix >../m.txt 2>../m.err && test_grep "^riscv64-linux-gnu-gcc: not found.*gcc-riscv64-linux-gnu" ../m.err && test_nogrep "^riscv" ../m.txt && test_grep "^arm64, config vm+debug" ../m.txt &&
	PATH=$T/few "$SERIES" build --config nommu --config vm --arch arm64 --bisect >../m.txt 2>../m.err && test_grep "^riscv64-linux-gnu-gcc: not found" ../m.err && test_grep "^arm64, config vm: all patches up to p5 build" ../m.txt
'

test_expect_success 'what an architecture lacks of a fragment of ours is asked of no other' '
	cd k && printf "CONFIG_ZRAM=y\n" >"$T/templates/kconfig/debug.config" && test_status 1 series build --arch arm64 --config vm+debug 2>../e && test_grep "CONFIG_ZRAM=y (asked in debug.config:1)" ../e &&
	echo "# CONFIG_ZRAM is not set" >"$T/templates/kconfig/debug-arm64.config" && series build --arch arm64 --config vm+debug --json >../d.json && test "$(json ../d.json base config_name)" = vm+debug && rm "$T/templates/kconfig/debug-arm64.config"
'

if [ "$(uname -m)" = x86_64 ]; then
	test_expect_success 'i386 without a compiler of its own is built by the plain one' '
		cd k && last() { sed -n "s/.*\"log\": \"\(.*\)\".*/\1/p" ../own.json | tail -n 1; } && more() { echo "More." >>Documentation/mm.rst && git commit -q -s -a -m "doc: more"; } &&
		more && series build --arch i386 --json >../own.json && test_grep "CROSS_COMPILE=i686-linux-gnu-" "$(last)" &&
		more && PATH=$T/few "$SERIES" build --arch i386 --json >../own.json && test_grep "ARCH=i386" "$(last)" && test_nogrep CROSS_COMPILE "$(last)"; rc=$?
		git reset -q --hard HEAD~2; test $rc = 0
	'
else
	test_skip 'i386 without a compiler of its own' 'this machine is no x86_64'
fi

test_expect_success 'LLVM: each program that is missing is named with its package, and the key has the version of clang' '
	cd k && git config series.arch.arm64.make LLVM=1 && test_status 1 env PATH="$T/few" "$SERIES" build --arch arm64 2>../e && test_grep "clang: not found.*series.arch.arm64.make.*package clang," ../e &&
	printf "#!/bin/sh\n[ \"\$1\" = --version ] && { echo clang version 99; exit; }\nexec gcc \"\$@\"\n" >"$T/few/clang" && chmod +x "$T/few/clang" && test_status 1 env PATH="$T/few" "$SERIES" build --arch arm64 2>../e && test_grep "ld.lld: not found.*package lld," ../e &&
	for t in ld.lld llvm-ar llvm-nm llvm-strip llvm-objcopy llvm-objdump; do cp "$T/few/clang" "$T/few/$t"; done && test_status 1 env PATH="$T/few" "$SERIES" build --arch arm64 2>../e && test_grep "llvm-readelf: not found.*package llvm," ../e && cp "$T/few/clang" "$T/few/llvm-readelf" &&
	sed -i "s/:= \$(CROSS_COMPILE)gcc/:= \$(if \$(LLVM),clang,\$(CROSS_COMPILE)gcc)/" Makefile && git commit -q -s -a -m "Makefile: clang" && PATH=$T/few "$SERIES" build --arch arm64 --json >../l99.json && test "$(json ../l99.json base compiler)" = "clang version 99" && test_grep " LLVM=1" "$(json ../l99.json base log)" &&
	sed -i s/99/98/ "$T/few/clang" && PATH=$T/few "$SERIES" build --arch arm64 --json >../l98.json && test "$(json ../l98.json base key)" != "$(json ../l99.json base key)" && test "$(json ../l98.json base cached)" = False &&
	git config series.arch.arm64.make LLVM=-15 && test_status 1 env PATH="$T/few" "$SERIES" build --arch arm64 2>../e && test_grep "clang-15: not found.*package clang-15," ../e; rc=$?
	git config --unset series.arch.arm64.make; test $rc = 0
'

# A compiler that takes its time and writes down when it begins and ends.
slow_gcc() {
	printf "#!/bin/sh\n[ \"\$1\" = --version ] && exec gcc --version\necho \"+ $1\" >>\"$T/jobs\"\nsleep 0.3\ngcc \"\$@\"\nrc=\$?\necho \"- $1\" >>\"$T/jobs\"\nexit \$rc\n" >"$T/bin/$1-linux-gnu-gcc" && chmod +x "$T/bin/$1-linux-gnu-gcc"
}

# most FILE: how many ran at once, and for how many architectures at least one did.
most() {
	awk '{ n += $1 == "+" ? 1 : -1; c[$2] += $1 == "+" ? 1 : -1; a = 0; for (x in c) a += c[x] > 0; if (n > m) m = n; if (a > k) k = a } END { print m, k }' "$1"
}

test_expect_success 'architectures are built side by side, and all their makes together run -j jobs' '
	cd k && git checkout -q topic && slow_gcc riscv64 && slow_gcc aarch64 && echo "# riscv" >"$T/templates/kconfig/vm-riscv.config" && : >"$T/jobs" &&
	XDG_CACHE_HOME=$T/side3 series build --arch arm64 --arch riscv --each -j 3 --json >../side.json && test "$(most "$T/jobs")" = "3 2" && test_nogrep jobserver "$(json ../side.json p1 log)" &&
	: >"$T/jobs" && XDG_CACHE_HOME=$T/side1 series build --arch arm64 --arch riscv -j 1 >/dev/null && test "$(most "$T/jobs")" = "1 1" &&
	: >"$T/jobs" && XDG_CACHE_HOME=$T/alone series build --arch arm64 --each -j 3 --json >../alone.json && test "$(most "$T/jobs")" = "3 1" &&
	for l in base p1 p2 p3; do test "$(json ../alone.json $l build_id)" = "$(json ../side.json $l build_id | head -n 1)" || return 1; done &&
	printf "#!/bin/sh\nexec gcc \"\$@\"\n" >"$T/bin/aarch64-linux-gnu-gcc"
'

test_expect_success 'what stops one architecture leaves the one beside it alone' '
	cd k && git checkout -q -b beside topic && printf "#ifdef ONLY_RISCV\n#error not on riscv\n#endif\n" >>mm/rmap.c && git commit -q -s -a -m "mm: break riscv" &&
	printf "#!/bin/sh\nexec gcc -DONLY_RISCV \"\$@\"\n" >"$T/bin/riscv64-linux-gnu-gcc" && series init --base topic &&
	test_status 2 series build --arch riscv --arch arm64 >../beside.txt 2>../e && test_grep "^p1  *fail  *pass  *mm: break riscv" ../beside.txt && test_grep "do not build on riscv, p1 first" ../e &&
	echo "CONFIG_ZRAM=y" >"$T/templates/kconfig/vm-riscv.config" && test_status 1 series build --arch riscv --arch arm64 >../beside.txt 2>../e && test_grep "config vm for riscv: 1 option lost" ../e && test_grep "^p1  *pass  *mm: break riscv" ../beside.txt
'

test_expect_success 'SIGINT ends all that are built side by side, and the same command goes on' '
	cd k && : >"$T/templates/kconfig/vm-riscv.config" && printf "#!/bin/sh\nexec gcc \"\$@\"\n" >"$T/bin/riscv64-linux-gnu-gcc" && echo "/* both */" >>mm/swap.c && git commit -q -s -a -m "mm: both" &&
	: >"$T/slow" && rm -f "$T/slow.pid" && { series build --arch riscv --arch arm64 -j 2 >"$T/int.txt" 2>"$T/int.err" & } && pid=$! && test_wait 20 test -s "$T/slow.pid" && kill -INT $pid; wait $pid; rc=$?; rm -f "$T/slow"; test $rc = 130 && test_grep interrupted ../int.err &&
	test_wait 5 eval "! grep -lqs \"SERIES_BUILD_OBJ=$T/\" /proc/[0-9]*/environ" && series build --arch riscv --arch arm64 -j 2 >../out && test_grep "^p2  *pass  *pass  *mm: both" ../out
'

test_expect_success '--w1 and --sparse: what the patch brings, beside the plain results' '
	cd k && git checkout -q -b louder main && echo "int loud(int unused); int loud(int unused) { return 1; } /* sparse */" >>mm/swap.c && git commit -q -s -a -m "mm: be loud" && series init --base main &&
	series build --arch arm64 --json >../plain.json && test "$(json ../plain.json p1 outcome)" = pass && series build --arch arm64 --w1 --json >../w1.json && test "$(json ../w1.json p1 outcome)" = warn &&
	json ../w1.json p1 warnings >../w && test_grep "^mm/swap.c:8:.*unused parameter .unused." ../w && test "$(wc -l <../w)" = 1 && test "$(json ../w1.json p1 config_name)" = vm+w1 &&
	test_status 1 env PATH="$T/few" "$SERIES" build --arch arm64 --sparse 2>../e && test_grep "sparse: not found.*package sparse" ../e &&
	printf "#!/bin/sh\ngrep -n sparse \"\$1\" | while IFS=: read -r n rest; do echo \"\$1:\$n:5: warning: symbol was not declared\" >&2; done\n" >"$T/bin/sparse" && chmod +x "$T/bin/sparse" &&
	series build --arch arm64 --sparse --json >../sparse.json && test "$(json ../sparse.json p1 outcome)" = warn && json ../sparse.json p1 warnings >../w && test_grep "^mm/swap.c:8:5: warning: symbol was not declared" ../w && test "$(json ../sparse.json base outcome)" = pass &&
	series build --arch arm64 >../out && test_grep "built before" ../out
'

test_done
