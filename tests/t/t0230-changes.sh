#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# changes: a series with every kind of change. What is suggested, and what stands in the mails
# of v2 and v3, was written by hand before the program was run.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

# fn FILE NAME...: C functions of ten lines
fn() {
	file=$1 && shift
	for name; do
		printf 'int %s(int x)\n{\n' "$name"
		for i in 1 2 3 4 5 6 7 8; do printf '\tx += %s_%s;\n' "$name" $i; done
		printf '\treturn x;\n}\n\n'
	done >"$file"
}
# change NAME FROM TO WORD: lines FROM to TO of a function get a WORD more
change() {
	for f in *.c; do
		sed "s/^\(	x += $1_[$2-$3]\);/\1 + $4;/" "$f" >new && cat new >"$f" || return 1
	done && rm new
}
# done_as SUBJECT [LINE...]: commit with a body of some lines that are its own
done_as() {
	subject=$1 && shift && tap_tick=$((tap_tick + 60)) &&
	{ printf '%s\n\n' "$subject"
	  for i in 1 2 3 4 5 6; do printf 'Reason %s of those that speak for %s.\n' $i "${subject%%:*}"; done
	  echo
	  for line; do printf '%s\n' "$line"; done
	  printf 'Signed-off-by: Wendy Writer <wendy@example.org>\n'; } |
	GIT_AUTHOR_DATE="$tap_tick +0000" GIT_COMMITTER_DATE="$tap_tick +0000" git commit -q -a -F -
}
revs() {
	git rev-list --reverse main..HEAD
}
# notes MAIL: what stands between "---" and the diffstat
notes() {
	sed '1,/^---$/d' "$1" | sed '/^ [^ ].*|  *[0-9]/,$d'
}
editor() {
	printf '#!/bin/sh\n%s\n' "$1" >"$T/editor" && chmod +x "$T/editor" && export GIT_EDITOR="$T/editor"
}

v1() {
	change rmap_count 3 5 pages && done_as "rmap: count pages" &&
	change swap_in 2 6 slots && done_as "swap: count slots" &&
	change shrink_list 3 8 batch && done_as "vmscan: batch" "Reviewed-by: Jane Doe <jane@example.org>" &&
	change memcg_fix 5 5 limit && done_as "memcg: small fix" &&
	change ksm_scan 2 5 merge && done_as "ksm: merge more" &&
	change slab_alloc 2 6 objects && change slab_free 3 4 freed && done_as "slab: count objects" &&
	change zswap_load 3 6 zeros && done_as "zswap: old title" &&
	change docs 2 6 words && done_as "docs: explain"
}
v2() {
	change docs 2 6 words && done_as "docs: explain" &&
	change rmap_count 3 4 pages && change rmap_count 5 5 folios && done_as "rmap: count pages" &&
	change swap_in 2 6 slots && done_as "swap: count slots" "Now with a reason." "" "Reviewed-by: David Hill <david@example.org>" &&
	change shrink_list 3 7 batch && change memcg_fix 5 5 limit && done_as "vmscan: batch" &&
	change slab_alloc 2 6 objects && done_as "slab: count objects" &&
	change slab_free 3 4 freed && done_as "slab: count frees" &&
	change zswap_load 3 6 zeros && done_as "zswap: better title" &&
	change page_alloc 1 8 order && done_as "page_alloc: raise the order"
}

test_expect_success "v1 needs no changelog" '
	git init -q r && cd r && fn rmap.c rmap_count && fn swap.c swap_in && fn vmscan.c shrink_list && fn memcg.c memcg_fix &&
	fn ksm.c ksm_scan && fn slab.c slab_alloc slab_free && fn zswap.c zswap_load && fn docs.c docs && fn page_alloc.c page_alloc &&
	git add . && git commit -q -m base && git switch -q -c topic && v1 &&
	"$SERIES" init --base main && "$SERIES" changes >out && echo "v1 has no entries, and needs none" >want && test_cmp want out &&
	"$SERIES" changes --suggest >out 2>err && test_cmp /dev/null out && test_grep "no version was posted before v1" err &&
	version 1 sent $(revs)
'

test_expect_success "every kind of change is suggested in its words" '
	cd r && git switch -q main && echo more >more && git add more && git commit -q -m more &&
	git switch -q -C topic main && v2 && "$SERIES" changes --suggest >out &&
	cat >../want <<-E && test_cmp ../want out
	- rebased onto main ($(git rev-parse main | cut -c 1-12))
	- split patch 6 ("slab: count frees") out of patch 5
	- new patch 8 ("page_alloc: raise the order")
	- folded patch 4 of v1 ("memcg: small fix") into patch 4
	- dropped patch 5 of v1 ("ksm: merge more")
	- moved patch 8 of v1 ("docs: explain") to 1
	- collected Reviewed-by from David Hill

	patch 2: rmap: count pages
	- changed rmap_count() in rmap.c

	patch 3: swap: count slots
	- changed the commit message only

	patch 4: vmscan: batch
	- changed memcg_fix() in memcg.c and shrink_list() in vmscan.c
	- dropped Reviewed-by from Jane Doe: the code changed

	patch 5: slab: count objects
	- changed slab_free() in slab.c

	patch 7: zswap: better title
	- retitled (was "zswap: old title")
	E
'

# said NAME PATCH FILE CODE [MORE]: a remark about a patch of v1; gave TYPE NAME PATCH [MORE]
said() {
	n=$((n + 1)) && put_state "review/remarks/$(printf "%016d" $n).json" "{\"schema\": 1, \"version\": 1, \"label\": \"v1\", \"message_id\": \"$1@example.org\", \"patch\": $2, \"name\": \"$1\", \"email\": \"$1@example.org\", \"text\": \"NAK, can this ever be\\nright?\", \"file\": \"$3\", \"code\": \"\\t$4\", \"done_in\": ${5:-2}}"
}
gave() {
	n=$((n + 1)) && put_state "review/tags/$(printf "%016d" $n).json" "{\"schema\": 1, \"kind\": \"$4\", \"type\": \"$1\", \"line\": \"$1: $2 <$2@example.org>\", \"message_id\": \"$2@example.org\", \"version\": 1, \"label\": \"v1\", \"patch\": $3, \"name\": \"$2\", \"email\": \"$2@example.org\"${5:-}}"
}
test_expect_success "what reviewers asked for is told by its place, never in their words" '
	cd r && state=$(git rev-parse refs/series/topic/state) n=0 && said ann 1 rmap.c "x += rmap_count_5 + pages;" && said ann 1 rmap.c "x += rmap_count_4 + pages;" &&
	said ann 6 slab.c "x += slab_alloc_2 + objects;" && said ann 6 slab.c "x += slab_free_3 + freed;" && said bob 6 slab.c "nowhere" && said cid 7 zswap.c "x += zswap_load_3 + zeros;" && said dan 5 ksm.c "x += ksm_scan_2 + merge;" &&
	said eve 1 rmap.c "x += rmap_count_5 + pages;" 0 && said fay 1 rmap.c "x += rmap_count_5 + pages;" 1 && said ned 1 rmap.c "x += rmap_count_5 + pages;" && gave NAK ned 1 nak &&
	"$SERIES" changes --suggest >out && test_nogrep "NAK\|ever be\|eve\|fay\|ned" out && sed ":a;N;\$!ba;s/\n  / /g" out | grep "^patch\|thanks" >got && cat >want <<-\E && test_cmp want got &&
	- addressed the remark on ksm_scan() in ksm.c (thanks dan)
	patch 2: rmap: count pages
	- addressed the remarks on rmap_count() in rmap.c (thanks ann)
	patch 3: swap: count slots
	patch 4: vmscan: batch
	patch 5: slab: count objects
	- addressed the remarks on slab_alloc() and slab_free() in slab.c (thanks ann)
	- addressed the remark on slab.c (thanks bob)
	patch 7: zswap: better title
	- addressed the remark on zswap_load() in zswap.c (thanks cid)
	E
	rm got want out && git update-ref refs/series/topic/state "$state"
'

test_expect_success "tags that came are those that hold" '
	cd r && state=$(git rev-parse refs/series/topic/state) n=0 tip=$(git rev-parse HEAD) && gave Reviewed-by david 2 collected && gave Acked-by tom 1 collected &&
	git rebase -q main -x "git log -1 --format=%s | grep -v -q ^rmap || git commit -q --amend --no-edit --trailer \"Acked-by: tom <tom@example.org>\" --trailer \"Acked-by: pat <pat@example.org>\"" 2>err &&
	"$SERIES" tags >out && test_grep "tom.*changed\|changed.*tom" out && "$SERIES" changes --suggest >out && test_grep "^- collected Reviewed-by from David Hill; Acked-by from pat$" out &&
	git update-ref refs/series/topic/state "$state" && gave Reviewed-by david 2 collected ", \"retracted\": true" && gave Acked-by tom 1 collected ", \"decision\": \"keep\"" &&
	"$SERIES" changes --suggest >out && test_grep "^- collected Acked-by from tom, pat$" out && git update-ref refs/series/topic/state "$state" && git reset -q --hard "$tip" && rm out err
'

test_expect_success "saving the editor accepts them, leaving it does not" '
	cd r && editor : && test_status 1 "$SERIES" changes --edit 2>err && test_grep "saved nothing" err &&
	test_nogrep "is kept in" err && git cat-file -p refs/series/topic/state: >tree && test_nogrep changes tree && rm tree err && ! ls .git/series/*+lock 2>/dev/null &&
	GIT_EDITOR=touch "$SERIES" changes -e && git show refs/series/topic/state:changes/v2.txt >out && test_cmp ../want out &&
	"$SERIES" changes --suggest >out 2>err && test_cmp /dev/null out && test_grep "nothing to add" err
'

test_expect_success "typed in a hurry: stored in order, numbers and subjects filled in" '
	cd r && cat >../typed <<-\E && "$SERIES" changes -F ../typed &&
	# a comment
	- rebased
	* new patch 8, for good reasons
	patch 2:
	- count twice (thanks Jane Doe)
	and why

	patch 9: zswap: better title
	- patch 4: fold the fix
	- say what it does
	patch 8: a larger order
	E
	cat >want <<-\E && git show refs/series/topic/state:changes/v2.txt >out && test_cmp want out &&
	- rebased
	- new patch 8, for good reasons

	patch 2: rmap: count pages
	- count twice (thanks Jane Doe)
	  and why

	patch 4: vmscan: batch
	- fold the fix

	patch 7: zswap: better title
	- say what it does

	patch 8: page_alloc: raise the order
	- a larger order
	E
	"$SERIES" changes -F - <want && git show refs/series/topic/state:changes/v2.txt >out && test_cmp want out
'

test_expect_success "what the text does not say stands in the editor as comments" '
	cd r && editor "cp \$1 $T/form" && "$SERIES" changes --edit && sed -n "1,/^patch 2/p" ../form >out && cat >want <<-\E && test_cmp want out
	- rebased
	- new patch 8, for good reasons

	# Not mentioned yet (without the # they are):
	# - split patch 6 ("slab: count frees") out of patch 5
	# - folded patch 4 of v1 ("memcg: small fix") into patch 4
	# - dropped patch 5 of v1 ("ksm: merge more")
	# - moved patch 8 of v1 ("docs: explain") to 1
	# - collected Reviewed-by from David Hill
	# - patch 3: changed the commit message only
	# - patch 4: dropped Reviewed-by from Jane Doe: the code changed
	# - patch 5: changed slab_free() in slab.c
	# - patch 7: retitled (was "zswap: old title")

	patch 2: rmap: count pages
	E
'

test_expect_success "the mails of v2: the cover letter and each patch have their part" '
	cd r && "$SERIES" recipients --add-to list@example.org && printf "A topic\n\nText.\n" | "$SERIES" cover -F - &&
	"$SERIES" format -o ../m2 && ls ../m2 && notes ../m2/*0000* >out && sed "/^Wendy/,\$d" out >head && cat >want <<-E && test_cmp want head &&
	Applies on main ($(git rev-parse main | cut -c 1-12))

	Changes in v2:
	- rebased
	- new patch 8, for good reasons
	- Link to v1: https://lore.kernel.org/r/v1-0@example.org

	E
	test_nogrep "^v1: " out &&
	cat >want <<-\E && notes ../m2/*0002* >out && test_cmp want out &&
	Changes in v2:
	- count twice (thanks Jane Doe)
	  and why

	E
	echo "(no changes since v1)" >want && echo >>want && notes ../m2/*0001* >out && test_cmp want out &&
	notes ../m2/*0003* >out && test_cmp /dev/null out && notes ../m2/*0006* >out && test_cmp /dev/null out &&
	git switch -q --detach main && cat ../m2/*000[1-8]* >all && git am -q all && rm all && git diff --quiet HEAD topic && git switch -q topic &&
	version 2 sent $(revs)
'

# v3: rmap behind swap, and changed once more; the others stay
v3() {
	change docs 2 6 words && done_as "docs: explain" &&
	change swap_in 2 6 slots && done_as "swap: count slots" "Now with a reason." "" "Reviewed-by: David Hill <david@example.org>" &&
	change rmap_count 3 5 folios && done_as "rmap: count folios" &&
	change shrink_list 3 7 batch && change memcg_fix 5 5 limit && done_as "vmscan: batch" &&
	change slab_alloc 2 6 objects && done_as "slab: count objects" &&
	change slab_free 3 4 freed && done_as "slab: count frees" &&
	change zswap_load 3 6 zeros && done_as "zswap: better title" "Acked-by: Ann Other <ann@example.org>" &&
	change page_alloc 1 8 order && done_as "page_alloc: raise the order"
}

test_expect_success "entries follow their patch through versions, whatever its place and title" '
	cd r && git reset -q --hard main && v3 && "$SERIES" changes --add "count only once" --patch 3 --thanks "David Hill" &&
	"$SERIES" changes --add "- order of patches" && "$SERIES" format -o ../m3 &&
	cat >want <<-\E && notes ../m3/*0003* >out && test_cmp want out &&
	Changes in v3:
	- count only once (thanks David Hill)

	Changes in v2:
	- count twice (thanks Jane Doe)
	  and why

	E
	cat >want <<-\E && notes ../m3/*0007* >out && test_cmp want out &&
	(no changes since v2)

	Changes in v2:
	- say what it does

	E
	echo "(no changes since v1)" >want && echo >>want && notes ../m3/*0001* >out && test_cmp want out &&
	echo "(no changes since v2)" >want && echo >>want && notes ../m3/*0006* >out && test_cmp want out &&
	cat >want <<-\E && notes ../m3/*0000* | sed "1,/^\$/d;/^Wendy/,\$d" >out && test_cmp want out
	Changes in v3:
	- order of patches
	- Link to v2: https://lore.kernel.org/r/v2-0@example.org

	Changes in v2:
	- rebased
	- new patch 8, for good reasons
	- Link to v1: https://lore.kernel.org/r/v1-0@example.org

	E
'

test_expect_success "arrows, and all in the cover letter" '
	cd r && git config series.changelog arrow && git config series.changelog.patches cover && "$SERIES" format -o ../m4 &&
	cat >want <<-\E && notes ../m4/*0000* | sed "1,/^\$/d;/^Wendy/,\$d" >out && test_cmp want out &&
	v2->v3:
	 - order of patches
	 - patch 3: count only once (thanks David Hill)

	v1->v2:
	 - rebased
	 - new patch 8, for good reasons
	 - patch 2: count twice (thanks Jane Doe)
	   and why
	 - patch 4: fold the fix
	 - patch 7: say what it does
	 - patch 8: a larger order

	v2: https://lore.kernel.org/r/v2-0@example.org
	v1: https://lore.kernel.org/r/v1-0@example.org

	E
	notes ../m4/*0003* >out && test_cmp /dev/null out && git config series.changelog.patches both && "$SERIES" changes >out &&
	test_grep "^ - patch 3: count only once" out && test_grep "^ - count only once" out && test_grep "^Patch 3/8: rmap: count folios\$" out &&
	git config series.changelog.patches everywhere && test_status 129 "$SERIES" changes 2>err && test_grep "expected patches, cover or both" err &&
	git config --unset series.changelog.patches && git config series.changelog neither && test_status 129 "$SERIES" format -o ../m5 2>err &&
	git config --unset series.changelog
'

test_expect_success "JSON has it all" '
	cd r && "$SERIES" changes --json >j && python3 - <<-\E
	import json
	d = json.load(open("j"))
	assert (d["schema"], d["name"], d["version"]) == (1, "topic", 3), d
	assert {"patch": 3, "subject": "rmap: count folios", "text": "count only once (thanks David Hill)"} in d["entries"], d
	assert {"patch": None, "subject": None, "text": "order of patches"} in d["entries"], d
	assert d["patches"][6].startswith("(no changes since v2)"), d
	got = {(s["patch"], s["text"]): s["covered"] for s in d["suggestions"]}
	assert got[(3, "retitled (was \"rmap: count pages\")")] is False, got
	assert got[(3, "changed rmap_count() in rmap.c")] is True, got
	assert got[(None, "collected Acked-by from Ann Other")] is False, got
	assert len(got) == 4 and d["findings"] == [], d
	E
'

test_expect_success "a heading that fits no patch: kept, found, and stops send" '
	cd r && git show refs/series/topic/state:changes/v3.txt >good && { cat good; printf "\npatch 4: something else entirely\n- lost?\n"; } >bad &&
	test_status 2 "$SERIES" changes -F bad >out && test_grep "patch 4: something else entirely. is none of the 8 patches" out &&
	git show refs/series/topic/state:changes/v3.txt >out && test_cmp bad out && test_status 2 "$SERIES" changes >out && test_grep "^- patch 4: lost" out &&
	"$SERIES" send --dry-run >out 2>&1; test_grep "is none of the 8 patches" out &&
	printf "a plain line\n\npatch 3:\n--- a/rmap.c\n" >cut && test_status 2 "$SERIES" changes -F cut >out && test_grep "git am would try to apply it" out &&
	"$SERIES" changes -F good
'

test_expect_success "no text is lost: editor fails, somebody else writes, two editors" '
	cd r && ref=refs/series/topic/state:changes/v3.txt && editor "echo \"- precious\" >>\$1; exit 3" &&
	test_status 1 "$SERIES" changes --edit 2>err && test_grep "the text is kept in .*topic.changes-v3.txt" err &&
	editor ":" && "$SERIES" changes --edit 2>err && test_grep "taking up" err && git show $ref >out && test_grep "^- precious" out &&
	editor "echo \"- mine\" >>\$1; $SERIES changes --add theirs" && test_status 1 "$SERIES" changes --edit 2>err &&
	test_grep "changed by somebody else" err && test_grep "is kept in" err && git show $ref >out && test_grep "^- theirs" out && test_nogrep mine out &&
	editor ":" && "$SERIES" changes --edit 2>err && test_grep "the changelog has changed since: both are in the text" err &&
	git show $ref >out && test_grep "^- mine" out && test_grep "^- theirs" out && test_grep "^- precious" out && test_nogrep "<<<" out &&
	editor "$SERIES changes --edit 2>$T/inner || :" && "$SERIES" changes --edit && test_grep "the changelog is open in another editor" ../inner &&
	editor "$SERIES cover --edit 2>$T/inner || :" && test_status 0 "$SERIES" cover --edit && test_grep "the cover letter is open in another editor" ../inner &&
	test_status 2 ls .git/series/*.txt
'

test_expect_success "what no mail should carry is refused and kept: a NUL, another encoding, control characters" '
	cd r && git show $ref >before && for bad in "a\\0b" "caf\\351" "\\033[31mred"; do
		editor "printf \"x\\n- $bad\\n\" >\$1" && test_status 1 "$SERIES" changes --edit 2>err && test_grep "the changelog: line 2 " err && test_grep "is kept in" err &&
		rm .git/series/topic.changes-v3.txt* && printf "$bad\n" >typed && test_status 1 "$SERIES" changes -F typed 2>err && test_grep "line 1 " err || return 1
	done && test_status 1 "$SERIES" changes --add "$(printf "\033x")" 2>err && git show $ref >out && test_cmp before out &&
	editor "rm \$1" && test_status 1 "$SERIES" changes --edit 2>err && test_nogrep "is kept in" err && test_status 2 ls .git/series/*.txt*start
'

test_expect_success "titles that are none of the text are no reason" '
	git init -q c && cd c && seq 9 >n && git add n && git commit -q -m base && git switch -q -c topic && echo 1 >>n && printf "n: \033[31mred \351" | git commit -q -a -F - &&
	"$SERIES" init --base main && echo 2 >>n && git commit -q -a -m "n: two" && "$SERIES" changes -p 1 --add text && editor "echo \"- more\" >>\$1" && "$SERIES" changes --edit &&
	git show refs/series/topic/state:changes/v1.txt >out && test_grep "^- more" out
'

test_expect_success "an older changelog can be put right; numbers that are none are refused" '
	cd r && "$SERIES" changes -v 2 --add "once more" && git show refs/series/topic/state:changes/v2.txt >out && test_grep "^- once more" out &&
	test_status 1 "$SERIES" changes -v 9 2>err && test_grep "the draft is v3" err &&
	test_status 129 "$SERIES" changes --add x --patch 9 2>err && test_grep "v3 has 8 patches" err &&
	test_status 129 "$SERIES" changes --thanks me 2>err && test_status 129 "$SERIES" changes --add " " 2>err &&
	test_status 129 "$SERIES" changes --edit --suggest 2>err
'

test_expect_success "a single patch carries all of it below its own ---" '
	git init -q s && cd s && fn a.c one && git add . && git commit -q -m base && git switch -q -c topic &&
	change one 2 3 more && done_as "a: more" && "$SERIES" init --base main && "$SERIES" recipients --add-to list@example.org &&
	version 1 sent HEAD && git reset -q --hard main && change one 2 4 more && done_as "a: more" &&
	"$SERIES" changes --add "for all" && "$SERIES" changes --add "and four" -p 1 -t "Jane Doe" && "$SERIES" format -o ../m6 &&
	cat >want <<-\E && notes ../m6/*0001* | sed "1,/^\$/d;/^base-commit/,\$d" >out && test_cmp want out
	Changes in v2:
	- for all
	- and four (thanks Jane Doe)
	- Link to v1: https://lore.kernel.org/r/v1-0@example.org

	E
'

# v2: four is in the new base, one with its tag in two; v3: three alone.
test_expect_success "what the base took, what went with a folded patch" '
	git init -q w && cd w && fn a.c one two && fn b.c three && fn c.c four && git add . && git commit -q -m base && git switch -q -c topic &&
	change one 2 3 more && done_as "a: one" "Acked-by: Jane Doe <jane@example.org>" && change two 2 7 more && done_as "a: two" &&
	change three 2 5 more && done_as "b: three" && change four 2 5 more && done_as "c: four" && "$SERIES" init --base main && git tag one &&
	version 1 sent $(revs) && git switch -q main && git cherry-pick one >/dev/null && git commit -q --amend -s -m "c: four" -m "Other words." && git switch -q -C topic main &&
	change one 2 3 more && change two 2 7 more && done_as "a: two" && change three 2 6 more && done_as "b: three" && "$SERIES" changes --suggest >out &&
	cat >want <<-E && test_cmp want out &&
	- rebased onto main ($(git rev-parse main | cut -c 1-12))
	- folded patch 1 of v1 ("a: one") into patch 1
	- dropped patch 4 of v1 ("c: four"): it is in main

	patch 1: a: two
	- changed one() in a.c
	- dropped Acked-by from Jane Doe with patch 1 of v1

	patch 2: b: three
	- changed three() in b.c
	E
	echo "Jane Doe'\''s  Acked-by was
	for the small one." | "$SERIES" cover --patch 1 -F - && "$SERIES" changes --suggest >out && grep -v "Acked-by" want >less && test_cmp less out &&
	"$SERIES" cover --patch 1 -F - </dev/null && "$SERIES" changes --file want && version 2 sent $(revs)
'

test_expect_success "a patch that is left alone has its own part of the past, without a number" '
	cd w && git reset -q --hard main && change three 2 6 less && done_as "b: three" && "$SERIES" changes --add "alone" && "$SERIES" recipients --add-to list@example.org &&
	"$SERIES" format -o ../m7 && cat >want <<-E && notes ../m7/*0001* | sed "1,/^\$/d;/^base-commit/,\$d" >out && test_cmp want out &&
	Changes in v3:
	- alone
	- Link to v2: https://lore.kernel.org/r/v2-0@example.org

	Changes in v2:
	- rebased onto main ($(git rev-parse main | cut -c 1-12))
	- folded patch 1 of v1 ("a: one") into patch 1
	- dropped patch 4 of v1 ("c: four"): it is in main
	- changed three() in b.c
	- Link to v1: https://lore.kernel.org/r/v1-0@example.org

	E
	git config series.changelog.patches both && rm -r ../m7 && "$SERIES" format -o ../m7 && notes ../m7/*0001* | grep "patch 1:\|three()" >out &&
	printf "%s\n" "- patch 1: changed one() in a.c" "- patch 1: dropped Acked-by from Jane Doe with patch 1 of v1" "- changed three() in b.c" >want && test_cmp want out
'
# v1 and v2 went out by other means, so nothing here can be compared with.
test_expect_success "init -v 3: nothing to compare with is said, and a changelog is asked for" '
	cd "$T" && git init -q late && cd late && fn rmap.c rmap_count && git add . && git commit -q -m base && git switch -q -c topic &&
	change rmap_count 3 5 pages && done_as "rmap: count pages" && "$SERIES" init --base main -v 3 && "$SERIES" changes >out &&
	cat >want <<-\E && test_cmp want out &&
	v3 has no entries; no earlier version was posted from here, so there is nothing to compare with: write them with series changes --edit
	E
	"$SERIES" changes --suggest >out 2>err && test_cmp /dev/null out && test_grep "no version before v3 was posted from here" err &&
	editor "cp \$1 $T/form" && test_status 1 "$SERIES" changes --edit 2>err && test_nogrep "suggest" err &&
	test_grep "^# No earlier version was posted from here" ../form && "$SERIES" check --only changelog-missing >out &&
	test_grep "v3 does not say what changed" out && editor "echo - counts twice >\$1" && "$SERIES" changes --edit &&
	"$SERIES" check --only changelog-missing >out && test_nogrep "does not say" out && "$SERIES" changes >out && test_grep "^- counts twice" out &&
	"$SERIES" changes -v 2 >out && test_grep "^v2 has no entries$" out
'

test_expect_success "the commits of the last version are gone: that is said, with what brings them; the text can be edited" '
	cd "$T/late" && version 3 sent HEAD && old=$(git rev-parse HEAD) && git commit -q --amend -m "rmap: count all pages" && git reflog expire --expire=now --all &&
	git update-ref -d refs/series/topic/v3 && git gc -q --prune=now && ! git cat-file -e $old 2>/dev/null &&
	for c in "diff v3" diff "changes --suggest"; do
		test_status 1 "$SERIES" $c 2>err && test_grep "the commits of v3 are not here ($(echo $old | cut -c1-12) is missing); series sync REMOTE" err || return 1
	done && editor "printf \"patch 1:\\n- counts all\\n\" >\$1" && "$SERIES" changes --edit 2>err && test_grep "nothing is suggested: the commits of v3" err &&
	"$SERIES" changes --json >j && "$SERIES" changes >out && test_grep "^- counts all" out && "$SERIES" check --only changelog-denied >out
'

test_done
