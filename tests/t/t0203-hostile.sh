#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# States and settings that nobody wrote by the program: garbage, wrong types, huge numbers,
# escape sequences, refs of no valid name. Each is named, none crashes, none hides the rest.
. "${SRCDIR:-.}/tests/helper/tap.sh"

ref=refs/series/topic/state
esc=$(printf '\033')

# put FILE <content: a commit on top of the state in which FILE has it.
put() {
	blob=$(git hash-object -w --stdin) && git read-tree --index-output=idx $ref &&
	GIT_INDEX_FILE=idx git update-index --add --cacheinfo "100644,$blob,$1" &&
	tree=$(GIT_INDEX_FILE=idx git write-tree) && rm idx &&
	git update-ref $ref "$(git commit-tree -p $ref -m put "$tree")"
}
back() {
	git update-ref $ref "$good"
}
# version N DATE: a posted version with escape sequences in all its texts.
version() {
	e='\u001b[31m'
	printf '{"schema":1,"n":%s,"base":"%s","head":"%s","postings":[{"state":"%s","prefix":"%s",
		"message_id":"a%s@example.org","date":%s}],"patches":[{"n":99999999999,"subject":"%sred"}]}' \
		"$1" "$base" "$head" "$e" "$e" "$e" "$2" "$e"
}

git init -q r && cd r && test_commit a 1 one && git switch -q -c topic && test_commit a 2 "a: two" &&
series init --base main >/dev/null && good=$(git rev-parse $ref) && base=$(git rev-parse main) &&
head=$(git rev-parse topic)

test_expect_success 'a document that is none: an error that names it, and nothing is written' '
	cd r && for doc in "[]" "{" "" null 7 "{\"schema\":1.5}" "{\"schema\":99999999999999999999}" \
		"{\"schema\":1,\"change_id\":3}" "{\"schema\":-1}"; do
		printf "%s" "$doc" | put series.json && now=$(git rev-parse $ref) &&
		for c in status log base cover "base --set main" "recipients --add-to a@example.org"; do
			test_status 1 series $c >out 2>err && test_grep "$ref:series.json" err || return 1
		done && [ "$(git rev-parse $ref)" = "$now" ] && back || return 1
	done
'

test_expect_success 'a base that is none is found again, and can be set' '
	cd r && git cat-file -p $ref:series.json | sed "s/\"commit\": \".*\"/\"commit\": \"x\"/" | put series.json &&
	series status >out && test_grep "base $(git rev-parse --short=12 main)" out && test_grep "1 *a: two" out &&
	series base --set main && git cat-file -p $ref:series.json | grep -q "\"commit\": \"$base\"" && back
'

test_expect_success 'no escape sequence of a version reaches the terminal; its state is not taken for sent' '
	cd r && version 1 1 | put versions/1.json && series log >out && series status >>out && series list >>out &&
	test_nogrep "$esc" out && test_grep "^ *1 red" out && series list --json >j &&
	test_grep "\"state\": \"sending\"" j && back
'

test_expect_success 'numbers out of range and versions in the wrong place are refused' '
	cd r && for n in 0 -1 100000 2147483647 4294967297 \"1\"; do
		version $n 1 | put versions/1.json && test_status 1 series log 2>err &&
		test_grep "versions/1.json" err && back || return 1
	done && version 1 1 | put versions/1.json && version 1 1 | put versions/01.json &&
	test_status 1 series log 2>err && test_grep "expected version 1 in versions/1.json" err && back &&
	version 1 99999999999999999 | put versions/1.json && series log >out && test_grep "^v1" out && back
'

test_expect_success 'a result that cannot be read is a finding of status, the rest is shown' '
	cd r && for f in build/x.json bench/x/summary.json; do
		echo garbage | put $f && series status >out && test_grep "1 *a: two" out &&
		test_grep "^warning: .*$f" out && test_grep "^next: " out && series status --json >j &&
		test_grep "unreadable" j && back || return 1
	done
'

test_expect_success 'list shows all others, and says which cannot be read' '
	cd r && git update-ref refs/series/other/state main && test_status 2 series list >out 2>err &&
	test_grep "^[*]  topic  topic" out && test_grep "other .*unreadable" out &&
	test_grep "^series: other: refs/series/other/state:series.json" err &&
	test_status 2 series list --json >j 2>/dev/null && python3 -c "
import json; s=json.load(open(\"j\"))[\"series\"]
assert [(x[\"name\"],x[\"readable\"]) for x in s]==[(\"other\",False),(\"topic\",True)], s" &&
	git update-ref -d refs/series/other/state
'

test_expect_success 'refs below refs/series of no valid name are left alone' '
	cd r && for n in FOO "\$(id)" -x "a b;c"; do
		git update-ref "refs/series/$(echo "$n" | tr " " _)/state" "$good" || return 1
	done && series list >out && [ "$(wc -l <out)" = 1 ] &&
	series --complete=series >out && echo topic | cmp - out
'

test_expect_success 'branch.X.series that names nothing: said with the remedy; init puts it right' '
	cd r && git switch -q -c second && test_commit b 1 "b: one" && git config --add branch.second.series nix &&
	git config --add branch.second.series nax && test_status 1 series status 2>err &&
	test_grep "branch.second.series names \"nax\"" err && test_grep "git config --unset-all" err &&
	series init --base topic second && [ "$(git config --get-all branch.second.series)" = second ] &&
	series status >out && test_grep "^second " out && git switch -q topic
'

test_expect_success 'a deleted branch: status says how to bring it back' '
	cd r && git switch -q main && git branch -q -D second && series status second >out &&
	test_grep "second (gone)" out && test_grep "^next: .*git branch second" out &&
	test_status 1 series base -s second --set main 2>err && test_grep "git branch second" err &&
	git switch -q topic
'

test_expect_success 'a shallow clone without the base says how to deepen it' '
	git clone -q --depth 1 --branch topic "file://$T/r" shallow 2>/dev/null && cd shallow &&
	git fetch -q origin "refs/series/topic/*:refs/series/topic/*" && test_status 1 series status 2>err &&
	test_grep "deepen" err && git fetch -q --deepen=5 origin && series status >out && test_grep "1 *a: two" out
'

test_expect_success 'a subject with escape sequences is shown without them, and kept whole' '
	cd r && printf "x: %s[31mred%s]0;title\007 end\n" "$esc" "$esc" >m && git commit -q --allow-empty -F m &&
	series status >out && series base --set main >>out && series status --json >j &&
	test_nogrep "$esc" out && test_grep "2 *x: red end" out && test_nogrep "$esc" j &&
	test_grep "u001[bB]" j
'

test_done
