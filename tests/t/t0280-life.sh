#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The life of a series from RFC to v5, with every kind of change. tests/data/life has what
# each step is to give, written by hand before the program was run: what is suggested for
# the changelog, how the versions compare, what the checks find, and every mail. Of a mail
# the diff alone is git's.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"
state_of=pool D=$SRCDIR/tests/data/life
# All checks hold; that nothing was built is no news here.
git config --global --remove-section series.check
git config --global series.check.build-missing off
git config --global format.signature 2.39

# on DAY [TIME]: the clock of git and series.
on() {
	SERIES_TEST_NOW=$(date -u -d "$1 ${2:-09:00:00}" +%s)
	GIT_AUTHOR_DATE="$SERIES_TEST_NOW +0000" GIT_COMMITTER_DATE="$SERIES_TEST_NOW +0000"
	export SERIES_TEST_NOW GIT_AUTHOR_DATE GIT_COMMITTER_DATE
}

# edit FILE OLD NEW: what stands there once; \n and \t as in C, @@ in NEW for OLD.
edit() {
	python3 - "$1" "$(printf '%b_' "$2")" "$(printf '%b_' "$3")" <<-\E
	import sys
	path, old, new = sys.argv[1], sys.argv[2][:-1], sys.argv[3][:-1]
	text = open(path).read()
	assert text.count(old) == 1, (path, old, text.count(old))
	open(path, "w").write(text.replace(old, new.replace("@@", old)))
	E
}
# c NAME [OPTION...]: commit all with the message of that name.
c() {
	name=$1 && shift && git add -A && git commit -q -F "$D/commit/$name" "$@"
}
amend() {
	git commit -q -a --amend --no-edit
}
# message SED-COMMAND: of the last commit; tag LINE: put it above Wendy's sign-off.
message() {
	git log -1 --format=%B | sed -e "$1" >"$T/message" && git commit -q --amend -F "$T/message"
}
tag() {
	message "/^Signed-off-by: Wendy/i $1"
}
pick() {
	git cherry-pick "$@" >/dev/null
}
editor() {
	printf '#!/bin/sh\n%s\n' "$1" >"$T/editor" && chmod +x "$T/editor" && export GIT_EDITOR="$T/editor"
}

# fill FILE [REV]: what was written by hand, with the names of commits of this run and, for
# a mail, the diff of its commit as git format-patch has it.
fill() {
	if [ $# -gt 1 ]; then
		git format-patch -q --stdout --binary -1 "$2" | sed -n '/^diff --git/,$p' >"$T/diff"
	fi
	sed -e "/^@diff@\$/{r $T/diff
		d}" -e "s/@change-id@/$change/; s/@base@/$(git rev-parse main)/; s/@base12@/$(git rev-parse main | cut -c 1-12)/" \
		-e "s/@base12-v3@/$(short "${base3:-main}")/; s/@base12-v4@/$(short "${base4:-main}")/" "$1"
}
short() {
	git rev-parse "$1" | cut -c 1-12
}
# plain FILE...: with the random part of Message-IDs named.
plain() {
	sed 's/\([0-9]\{14\}\)\.[a-z0-9]\{8\}-series-/\1.RANDOM-series-/g' "$@"
}

# suggested vN: for the changelog, as text and in the JSON.
suggested() {
	fill "$D/$1/suggest" >../want && "$SERIES" changes --suggest >../got && test_cmp ../want ../got &&
	"$SERIES" changes --json >../json && git log --reverse --format=%s main..pool >../titles && python3 -c '
import json
patch, titles = None, open("../titles").read().split("\n")
for s in json.load(open("../json"))["suggestions"]:
    if s["patch"] != patch:
        patch = s["patch"]
        print("\npatch %d: %s" % (patch, titles[patch - 1]))
    print("- " + s["text"])' >../got && sed ":a;N;\$!ba;s/\n  / /g" ../want >../lines && test_cmp ../lines ../got
}
# compared vN: with the version before, in words; pairs and signs are those of git.
compared() {
	"$SERIES" diff --summary >../got && test_cmp "$D/$1/diff" ../got && sed "1d;s/^\(.\) \(.\) \(.\) .*/\1 \2 \3/" ../got >../pairs &&
	git range-diff -s "$(git merge-base "$old" origin/main)..$old" main..pool |
		sed "s/^ *\(.\): *[^ ]* \(.\) *\(.\): .*/\1 \2 \3/" >../want && test_cmp ../want ../pairs
}
# checked vN STATUS: severity and id of each finding.
checked() {
	test_status "$2" "$SERIES" check --json >../json && python3 -c '
import json
for f in sorted(f["severity"] + " " + f["id"] for f in json.load(open("../json"))["findings"]):
    print(f)' >../got && test_cmp "$D/$1/check" ../got
}
# written vN: the changelog is accepted by hand as the file has it, and says all.
written() {
	fill "$D/$1/changes" >../want && git show "refs/series/pool/state:changes/$1.txt" >../got && test_cmp ../want ../got
}
ready() {
	"$SERIES" check >../got && test_grep "^0 errors, 0 warnings;" ../got
}
# posted vN [OPTION...]: every mail is the one written by hand, and git am makes the branch
# of them: trees, authors and messages.
posted() {
	v=$1 && shift && ready && sink "$v" && "$SERIES" send --yes "$@" && kill "$sink_pid" &&
	as_written "$v" "$D/$v" cat && applied "$v" && old=refs/series/pool/$v && git tag -f "$v" >/dev/null
}
# as_written DIR EXPECTED FILTER
as_written() {
	last=$(($(ls "$2"/*.eml | wc -l) - 1)) n=0
	for file in "$2"/*.eml; do
		fill "$file" "pool~$((n ? last - n : 0))" | $3 >"$T/want" && n=$((n + 1)) &&
		plain "$T/$1/$(printf %04d $n).eml" >"$T/got" && test_cmp "$T/want" "$T/got" || return 1
	done
	test "$(ls "$T/$1"/*.eml | wc -l)" = $n
}
# applied DIR
applied() {
	set -- "$T/$1"/*.eml && if [ $# -gt 1 ]; then shift; fi && git switch -q --detach main && git am -q --keep-cr "$@" &&
	git log --format="%T %an <%ae>%n%B" main..HEAD >"$T/got" && git log --format="%T %an <%ae>%n%B" main..pool >"$T/want" &&
	git switch -q pool && test_cmp "$T/want" "$T/got"
}

test_match() {
	expr "$2" : "$1\$" >/dev/null || { echo "$2 is not $1"; return 1; }
}

# What the patches do; each is done again for a new version where it changed.
count() {
	edit mm/pool.h "block *free;\n};" "block *free;\n\tunsigned int nr_free;\n};" &&
	edit mm/pool.c "\tif (b)\n\t\tpool->free = b->next;\n" "\tif (b) {\n\t\tpool->free = b->next;\n\t\tpool->nr_free--;\n\t}\n" &&
	edit mm/pool.c "\tpool->free = b;\n" "\tpool->free = b;\n\tpool->nr_free++;\n"
}
many_function() {
	edit mm/pool.h "void pool_put(struct pool *pool, struct block *b);\n" "@@int pool_get_many(struct pool *pool, struct block **v, int n);\n" &&
	edit mm/pool.c "int pool_refill(" "$(cat "$D/code/get_many")\n\n@@"
}
many_unsigned() {
	edit mm/pool.h "int pool_get_many(struct pool *pool, struct block **v, int n);" \
		"unsigned int pool_get_many(struct pool *pool, struct block **v,\n\t\t\t   unsigned int n);" &&
	edit mm/pool.c "int pool_get_many(struct pool *pool, struct block **v, int n)\n{\n\tint i;" \
		"unsigned int pool_get_many(struct pool *pool, struct block **v,\n\t\t\t   unsigned int n)\n{\n\tunsigned int i;"
}
refill() {
	edit mm/pool.c "\tint i;\n\n\tfor (i = 0; i < n; i++) {\n\t\tv[i] = pool_get(pool);\n\t\tif (!v[i])\n\t\t\tbreak;\n\t}\n\treturn i;\n" \
		"\treturn pool_get_many(pool, v, n);\n"
}
isolate() {
	edit mm/reclaim.c "static void isolate(" "static int isolate(" && edit mm/reclaim.c "n++;\n\t}\n" "n++;\n\t}\n\treturn n;\n" &&
	edit mm/reclaim.c "\tisolate(cold, &blocks, RECLAIM_MAX);\n\tputback" "\tif (isolate(cold, &blocks, RECLAIM_MAX))\n\t\tputback"
}
putback() {
	edit mm/pool.h "int pool_refill(" "void pool_put_many(struct pool *pool, struct list *blocks);\n@@" &&
	edit mm/pool.c "int pool_refill(" "$(cat "$D/code/put_many")\n\n@@" && edit mm/reclaim.c "\tstruct block *b;\n\n\twhile ((b = list_take(blocks)))\n\t\tpool_put(pool, b);\n" "\tpool_put_many(pool, blocks);\n"
}
putback_yields() {
	edit mm/pool.h "struct block {\n" "#define POOL_BATCH 32\n\n@@" &&
	edit mm/pool.c "\tstruct block *b;\n\n\tspin_lock(&pool->lock);\n\twhile ((b = list_take(blocks)))\n\t\tpool_push(pool, b);\n" \
		"\tunsigned int n = 0;\n\tstruct block *b;\n\n\tspin_lock(&pool->lock);\n\twhile ((b = list_take(blocks))) {\n\t\tpool_push(pool, b);\n\t\tif (++n % POOL_BATCH == 0)\n\t\t\tcond_resched_lock(&pool->lock);\n\t}\n"
}
docs() {
	git mv Documentation/pool.rst Documentation/pool.png Documentation/mm/ && edit Documentation/mm/index.rst "   pages\n" "@@   pool\n" &&
	edit Documentation/mm/pool.rst ".. figure:: pool.png\n" "@@\n.. figure:: pool-use.png\n" && chmod +x scripts/pool-top &&
	printf "\211PNG\r\n\032\n\0\1\2\3\4\5\6\7" >Documentation/mm/pool-use.png
}

test_expect_success "an upstream, and the author's clone of it" '
	on 2026-03-01 && git init -q up && cd up && git config user.name "Mara Maintainer" && git config user.email mara@example.org &&
	cp -r "$D/tree/." . && printf "\211PNG\r\n\032\n\0\0\0\0\0\0\0\0" >Documentation/pool.png && git add . && git commit -q -m "The pools" &&
	git clone -q "$T/up" "$T/r" && cd "$T/r" && git switch -q -c pool
'

test_expect_success "v1, an RFC: nothing to send it with yet, then mails as written" '
	cd r && on 2026-03-02 && count && c count && many_function && refill && c many &&
	isolate && c isolate --author "Zofie Králová <zofie@example.org>" &&
	edit mm/stat.c "pool->size);\n" "@@\tseq_printf(s, \"free %%u\\\\n\", pool->nr_free);\n" && c stat && "$SERIES" init --base origin/main &&
	checked v1 2 && editor "grep -q \"BLURB HERE\" \"\$1\" && cp \"$D/v1/letter\" \"\$1\"" && "$SERIES" cover --edit &&
	"$SERIES" recipients --add-to "Mara Maintainer <mara@example.org>" --add-cc list@example.org && "$SERIES" recipients --auto &&
	echo "No tool that we know of parses /proc/pools." | "$SERIES" cover --patch 4 -F - &&
	change=$(git show refs/series/pool/state:series.json | sed -n "s/.*\"change_id\": \"\(.*\)\".*/\1/p") &&
	test_match "20260302-pool-[0-9a-f]\{12\}" "$change" && posted v1 --rfc && base3=$(git rev-parse main)
'

# Rita reviewed patch 1; David and Mara wanted something; the third has a better title.
test_expect_success "v2: a tag, code, a title, a new patch, and one as it was" '
	cd r && on 2026-03-02 18:00 && git reset -q --hard main && pick v1~3 && tag "Reviewed-by: Rita Reviewer <rita@example.org>" &&
	pick v1~2 && many_unsigned && amend && pick v1~1 && message "1s/: .*/: return the number of isolated blocks/" && putback && c putback && pick v1 &&
	checked v2 0 && compared v2 && suggested v2 && on 2026-03-09 &&
	editor "sed -i \"s/^- new patch 4.*/- new patch 4: reclaim puts its blocks back in batches (thanks Mara\n  Maintainer)/
		s/^- changed pool_get_many.*/- return an unsigned number, it is never negative (thanks David Dull)/
		s/^- retitled .*/- say in the title what the patch does/\" \"\$1\"" && "$SERIES" changes --edit && written v2 &&
	"$SERIES" changes --suggest >../got && test_cmp /dev/null ../got &&
	editor "sed -i \"/^Should/,/^number/d; s/^blocks, patch 2.*/blocks, patch 2 takes many of them, patches 3 and 4 are for reclaim,/
		s,^/proc/pools make.*,patch 5 shows the count in /proc/pools.,\" \"\$1\"" && "$SERIES" cover --edit &&
	"$SERIES" recipients --auto && posted v2
'

test_expect_success "v3: one moved, one split, one dropped, a rename with a picture and a mode" '
	cd r && on 2026-03-16 && git reset -q --hard main && pick v2~2 && tag "Acked-by: David Dull <david@example.org>" && pick v2~4 &&
	many_function && many_unsigned && git add -A && git commit -q -C v2~3 && message "4d; 3c Whoever needs many blocks takes the lock once for each of them.  Add a\nfunction that takes it once." &&
	refill && c refill && pick v2~1 && tag "Reviewed-by: Ann Other <ann@example.org>" && docs && c docs &&
	compared v3 && suggested v3 &&
	editor "printf \"\npatch 2:\n- count better\n\" >>\"\$1\"" && "$SERIES" changes --edit && checked v3 2 &&
	editor "sed -i \"/^patch 2:/,/^\$/d
		s/^- new patch 4 \(.*\)/- split patch 4 \1 out of patch 3/; s/^- new patch 6.*/- new patch 6 moves the documentation (thanks Mara Maintainer)/
		s/^- dropped patch 5.*/&, nobody asked\n  for it/
		s/^- changed pool_get_many.*/- only the new function, to refill is a patch of its own (thanks Rita\n  Reviewer)/\" \"\$1\"" && "$SERIES" changes --edit &&
	written v3 && editor ": >\"\$1\"" && "$SERIES" cover --patch all --edit &&
	editor "sed -i \"/^Take the/,/pools\.\$/c Take and put the blocks of a batch under one lock.\" \"\$1\"" && "$SERIES" cover --edit &&
	"$SERIES" recipients --auto && posted v3
'

# Upstream moves on: a line that patch 1 has as context is another one.
test_expect_success "v4: rebased, two folded, a tag dropped with a note; arrows and a table" '
	cd up && on 2026-03-20 && edit mm/reclaim.c "list_move(from" "list_move_tail(from" && git commit -q -a -m "mm/reclaim: oldest blocks first" && cd ../r &&
	on 2026-03-23 && git fetch -q && git switch -q main && git merge -q --ff-only origin/main && git switch -q -C pool main && base4=$(git rev-parse main) &&
	pick v3~5 && pick v3~3 && count && amend && message "4d; 3c Whoever needs many blocks takes the lock once for each of them.  Add a\nfunction that takes it once, and count the free blocks, so that callers\nknow what they can get." &&
	pick v3~2 && pick v3~1 && putback_yields && amend && message "/^Reviewed-by: Ann/d" && pick v3 &&
	"$SERIES" cover -F "$D/v4/letter" && checked v4 2 && compared v4 && suggested v4 &&
	editor "sed -i \"/^- dropped Reviewed-by from Ann/d
		/^  mm.pool.h\$/d; s/^- changed pool_pop.*/- count the free blocks here, where it is of use (thanks David Dull)/
		s/^- changed pool_put_many.*/- let others in after every POOL_BATCH blocks (thanks Mara Maintainer)/\" \"\$1\"" && "$SERIES" changes --edit &&
	written v4 && echo "Ann Other'\''s Reviewed-by is gone, for the loop is another one." | "$SERIES" cover --patch 4 -F - &&
	"$SERIES" changes --suggest >../got && test_cmp /dev/null ../got && session 0123456789abcdef kvm 200000000 100000000 210000000 104000000 190000000 96000000 && git config series.changelog arrow && posted v4
'

test_expect_success "v4 again: the same mails, with RESEND in front" '
	cd r && on 2026-04-06 && sink again && "$SERIES" send --yes --resend && kill "$sink_pid" && resend() {
		sed "s/^Subject: \[/&RESEND /; /^Subject/s/ blocks\$/\n&/; s/^Date: Mon, 23 Mar/Date: Mon, 6 Apr/; /^Message-ID\|^In-Reply\|^Ref/s/20260323/20260406/"
	} && as_written again "$D/v4" resend && applied again
'

test_expect_success "v5: upstream took four; one patch is left, and only its message is another" '
	cd up && on 2026-04-10 && git am -q "$T"/v4/000[2346].eml && cd ../r && on 2026-04-13 && git fetch -q && git switch -q main && git merge -q --ff-only origin/main &&
	git switch -q -C pool main && pick v4~1 && message "3a \\\\nA list may be long, so let others have the lock in between." &&
	tag "Reviewed-by: Ann Other <ann@example.org>" && tag "Tested-by: Rita Reviewer <rita@example.org>" &&
	checked v5 0 && compared v5 && suggested v5 &&
	editor "sed -i \"/^- dropped/d; /^  .*in main\$/d; s/^- rebased.*/&, which has the other four patches/
		s/^- changed the.*/- say why others are let in/\" \"\$1\"" && "$SERIES" changes --edit && written v5 &&
	"$SERIES" cover --patch 1 -F - </dev/null && "$SERIES" cover -F "$D/v5/letter" && posted v5
'

# b4_am DIR: the mails of a sink as b4 prepares them, without any network, in $T/am.
# b4 0.12 trips over a folded subject that comes from a file, of git format-patch as well.
b4_am() {
	rm -rf "$T/am" && mkdir "$T/am" && for file in "$T/$1"/*.eml; do
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970" && sed "/^Subject: /{N;s/\\n / /}" "$file" && echo || return 1
	done >"$T/mbox" && b4 --offline-mode am -m "$T/mbox" -o "$T/am" >"$T/said" 2>&1 || { cat "$T/said"; return 1; }
	test_nogrep "ERROR\|WARNING\|CRITICAL\|issing\|incomplete\|Unable\|not known\|not specified" "$T/said"
}
if command -v b4 >/dev/null; then
	test_expect_success "b4 reads every version: complete, on its base, the same commits" '
		cd r && git config b4.attestation-policy off && git config b4.midmask http://127.0.0.1:1/%s && for v in v1 v2 v3 v4 again v5; do
			b4_am $v && rev=${v#again} && rev=${rev:-v4} && base=$(sed -n "s/^ Base: using specified base-commit \([0-9a-f]*\)\$/\1/p" "$T/said") &&
			[ "$base" = "$(git merge-base $rev main)" ] && git switch -q --detach "$base" && git am -q --keep-cr "$T"/am/*.mbx &&
			git log --format="%T %an <%ae>%n%B" "$base..HEAD" >../got && git log --format="%T %an <%ae>%n%B" "$base..$rev" >../want &&
			[ -s ../want ] && test_cmp ../want ../got || return 1
		done && git switch -q pool
	'
else
	test_skip "b4 reads every version" "no b4"
fi

test_expect_success "the log has all of it" '
	cd r && "$SERIES" log >../log && plain ../log >../got && fill "$D/log" | sed "$(for v in 1 2 3 4 5; do echo "s/@v$v@/$(short v$v)/"; done)" >../want && test_cmp ../want ../got
'
test_done
