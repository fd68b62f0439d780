#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The state of a series: two writers at once, killed writers, a newer schema, and a cover
# letter that is never lost.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

test_expect_success 'setup' '
	git init -q r && cd r && test_commit a 1 u1 && git switch -q -c topic && test_commit a 2 "a: two" &&
	"$SERIES" init --base main
'

test_expect_success 'ten writers at once: every one is in the chain' '
	cd r && pids= && for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "title $i" | "$SERIES" cover -F - >out.$i 2>&1 & pids="$pids $!"
	done && for p in $pids; do wait $p || exit 1; done &&
	git log --format=%s refs/series/topic/state >log && [ "$(grep -c "^cover" log)" = 10 ] &&
	[ "$(git rev-list --min-parents=2 refs/series/topic/state | wc -l)" = 0 ] &&
	git fsck 2>&1 | grep -E "missing|broken|error" >bad; [ ! -s bad ]
'

test_expect_success 'a writer killed at any moment leaves a state that the next one goes on from' '
	cd r && for d in 0.00 0.01 0.02 0.03 0.04 0.05 0.06 0.08; do
		echo "killed $d" >in; "$SERIES" cover -F in >/dev/null 2>&1 & p=$!
		sleep $d; kill -9 $p 2>/dev/null; wait $p 2>/dev/null
		git cat-file -e refs/series/topic/state:series.json || exit 1
		echo "after $d" | "$SERIES" cover -F - >/dev/null && "$SERIES" cover >out &&
		test_grep "after $d" out || exit 1
	done
'

test_expect_success 'the ref lock of a killed git does not block' '
	cd r && : >.git/refs/series/topic/state.lock && touch -d "1 hour ago" .git/refs/series/topic/state.lock &&
	echo "through" | "$SERIES" cover -F - && "$SERIES" cover >out && test_grep through out &&
	[ ! -e .git/refs/series/topic/state.lock ]
'

test_expect_success 'states survive git gc and packed refs' '
	cd r && git pack-refs --all && git gc -q --prune=now && "$SERIES" cover >out && test_grep through out &&
	echo "packed" | "$SERIES" cover -F - && "$SERIES" cover >out && test_grep packed out
'

# edit FILE CONTENT in the state, as a newer program would
newer() {
	blob=$(git hash-object -w --stdin) && git read-tree --index-output=idx refs/series/topic/state &&
	GIT_INDEX_FILE=idx git update-index --add --cacheinfo "100644,$blob,$1" &&
	tree=$(GIT_INDEX_FILE=idx git write-tree) && rm idx &&
	commit=$(git commit-tree -p refs/series/topic/state -m newer "$tree") &&
	git update-ref refs/series/topic/state "$commit"
}

test_expect_success 'a state of a newer program is refused and never rewritten' '
	cd r && old=$(git rev-parse refs/series/topic/state) &&
	git cat-file -p refs/series/topic/state:series.json | sed "s/\"schema\": 1/\"schema\": 2/" >doc &&
	newer series.json <doc && now=$(git rev-parse refs/series/topic/state) &&
	test_status 1 "$SERIES" log 2>err && test_grep "newer\|update" err &&
	echo x >in && test_status 1 "$SERIES" cover -F in 2>err && test_status 1 "$SERIES" base --set main 2>err &&
	[ "$(git rev-parse refs/series/topic/state)" = "$now" ] && git update-ref refs/series/topic/state $old
'

test_expect_success 'text that is no JSON is called so, with its place' '
	cd r && old=$(git rev-parse refs/series/topic/state) && echo "{" | newer series.json &&
	test_status 1 "$SERIES" log 2>err && test_grep "refs/series/topic/state:series.json" err &&
	git update-ref refs/series/topic/state $old
'

test_expect_success 'cover: file, standard input, show, JSON' '
	cd r && printf "mm: title\n\nLine one.\n@bench swapout\n\n---\nnote\n" >c.txt && "$SERIES" cover -F c.txt &&
	"$SERIES" cover --show >out && printf "mm: title\n\nLine one.\n@bench swapout\n---\nnote\n" >want &&
	test_cmp want out && git cat-file -p refs/series/topic/state:cover.txt | cmp - want &&
	"$SERIES" cover >out && test_grep "^mm: title" out && test_nogrep "^@bench" out && test_grep "^error: .*swapout" out &&
	"$SERIES" cover --json >j && python3 -c "
import json; d=json.load(open(\"j\"))
assert (d[\"title\"],d[\"body\"],d[\"notes\"])==(\"mm: title\",\"Line one.\n@bench swapout\n\",\"note\n\"), d" &&
	n=$(git rev-list --count refs/series/topic/state) && "$SERIES" cover -F c.txt >out && test_grep unchanged out &&
	[ "$(git rev-list --count refs/series/topic/state)" = "$n" ]
'

test_expect_success 'cover: empty text and binary are refused' '
	cd r && test_status 1 "$SERIES" cover -F /dev/null 2>err && test_grep "empty" err &&
	printf "a\000b" >bin && test_status 1 "$SERIES" cover -F bin 2>err && test_grep "control character 0x00" err &&
	test_status 129 "$SERIES" cover --edit --show 2>err
'

test_expect_success 'cover --edit runs the editor of git, arguments and all' '
	cd r && cat >ed <<-\E && chmod +x ed && GIT_EDITOR="./ed \"two words\"" "$SERIES" cover --edit &&
		#!/bin/sh
		printf "%s\n\nfrom the editor\n" "$1" >"$2"
	E
	"$SERIES" cover >out && test_grep "^two words" out && test_grep "from the editor" out &&
	[ ! -e .git/series/topic.cover.txt ]
'

test_expect_success 'cover --edit: an editor that fails keeps the text, and the next run takes it up' '
	cd r && GIT_EDITOR="f() { echo precious >>\$1; exit 3; }; f" test_status 1 "$SERIES" cover --edit 2>err &&
	test_grep "kept in" err && test_grep precious .git/series/topic.cover.txt &&
	GIT_EDITOR=: "$SERIES" cover --edit && "$SERIES" cover >out && test_grep precious out &&
	[ ! -e .git/series/topic.cover.txt ]
'

test_expect_success 'cover --edit: a cover that changed meanwhile is not overwritten' '
	cd r && GIT_EDITOR="f() { echo mine >>\$1; echo theirs | \"$SERIES\" cover -F -; }; f" &&
	export GIT_EDITOR && test_status 1 "$SERIES" cover --edit 2>err && test_grep "meanwhile" err &&
	test_grep mine .git/series/topic.cover.txt && "$SERIES" cover >out && test_grep theirs out &&
	rm .git/series/topic.cover.txt
'

test_expect_success 'cover --edit: no series text yet starts from a frame that is not stored as it is' '
	cd r && git switch -q -c fresh main && test_commit f 1 "f: one" && "$SERIES" init &&
	test_status 1 "$SERIES" cover 2>err && test_grep "series cover --edit" err &&
	GIT_EDITOR=: test_status 1 "$SERIES" cover --edit 2>err && test_grep "nothing stored" err &&
	! git cat-file -e refs/series/fresh/state:cover.txt 2>/dev/null
'

test_expect_success 'escape sequences in a cover of another machine do not reach the terminal' '
	cd r && printf "title \033]0;owned\007 x\n" | state_of=fresh put cover.txt && "$SERIES" cover >out &&
	! grep "$(printf "\033")" out && test_grep "title  x" out
'

test_done
