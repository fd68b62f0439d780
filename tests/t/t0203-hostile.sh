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
	done && series list >out && [ "$(wc -l <out)" = 2 ] &&
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

# odd NAME...: a state with these files more, whatever git thinks of their names; it is
# pushed to hub as that of topic.
odd() {
	tree=$(python3 -c '
import os, subprocess, sys
def git(*a, i=None): return subprocess.run(("git",) + a, input=i, capture_output=True, check=True).stdout
blob = git("hash-object", "-w", "--stdin", i=b"x").split()[0].decode()
all = [(l.split()[0].lstrip(b"0"), l.split(b"\t")[1], l.split()[2].decode()) for l in git("ls-tree", sys.argv[1]).splitlines()]
all += [(b"100644", os.fsencode(n), blob) for n in sys.argv[2:]]
raw = b"".join(m + b" " + n + b"\0" + bytes.fromhex(i) for m, n, i in all)
print(git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", i=raw).decode().strip())' $ref "$@") &&
	git push -q -f ../hub "$(git commit-tree -p $ref -m odd "$tree")":$ref
}
# left_out PATTERN: sync says so of topic, and changes nothing here.
left_out() {
	test_status 2 series sync --yes hub >out && test_grep "^left out *topic" out && test_grep "$1" out &&
	test_nogrep "$esc" out && [ "$(git rev-parse $ref)" = "$good" ]
}

test_expect_success 'a remote whose files have names that lead away, or twice the same: left out' '
	git init -q --bare hub && cd r && good=$(git rev-parse $ref) && git remote add hub ../hub && odd "a/../../x" && left_out "odd name" &&
	odd "versions/1.json" && left_out "odd name" && odd "${esc}[31mx" && left_out "odd name" &&
	odd "$(printf "z\377")" && left_out "odd name" && odd zz zz && left_out "zz. is there twice"
'

test_expect_success 'a remote whose change-id would be more than a word in a mail: left out' '
	cd r && git cat-file -p $ref:series.json | sed "s/\"change_id\": \"/&x\\\\nBcc: x@example.org /" | put series.json &&
	git push -q -f ../hub $ref:$ref && back && left_out "change_id in one word"
'

test_expect_success 'a Message-ID that is none gets into no header' '
	cd r && version 1 1 | sed "s/\"state\":\"[^\"]*\"/\"state\":\"sent\"/;s/a1@example.org/a1@example.org>\\\\nX-More: y/" | put versions/1.json &&
	git config series.thread reply && series send --dry-run --to x@example.org >out 2>&1; git config --unset series.thread &&
	test_grep "^Message-ID: " out && test_nogrep "X-More\|In-Reply-To: <a1" out && back &&
	for id in "$(printf "a\001b@example.org")" "$(printf "a@example.org${esc}[31m")" "$(printf "a@example.org\nX-More: y")" @ a@; do
		test_status 129 series send --dry-run --to x@example.org --in-reply-to "$id" 2>err && test_grep "no Message-ID" err || return 1
	done
'

# posted PYTHON: version 1 with all that it needs, changed by a line of Python on v.
posted() {
	python3 - "$base" "$head" "$1" <<-\EOF | put versions/1.json
	import json, sys
	base, head, change = sys.argv[1:]
	v = {"schema": 1, "n": 1, "base": base, "head": head, "to": ["list@example.org"],
	     "postings": [{"state": "sent", "prefix": "PATCH", "message_id": "a@example.org", "date": 1}],
	     "patches": [{"n": 1, "commit": head, "subject": "a: two", "message_id": "a@example.org"}]}
	exec(change)
	json.dump(v, sys.stdout)
	EOF
}
test_expect_success 'a version without a posting counts as one that is under way elsewhere' '
	cd r && posted "v[\"postings\"] = []" && series status >out && test_grep "v1 is on its way from another clone" out &&
	series log >out && series list >out && test_status 1 series send --resend -n 2>err && test_grep "still being posted" err &&
	test_status 1 series send --fixup=1 -n -m x 2>err && test_grep "still being posted" err && back
'

test_expect_success 'fixes: a prefix that is a line of a header, a fix that is no change of anything' '
	cd r && git reset -q --hard "$head" && echo more >>a && git commit -q -a --amend --no-edit && posted "" && series send --fixup=1 -n -m x >out && test_grep "^Subject: \[PATCH 2/1\] a: two fix" out &&
	posted "v[\"postings\"][0][\"prefix\"] = \"PATCH\\nBcc: eve@example.org\"" && test_status 129 series send --fixup=1 -n -m x >out 2>err &&
	test_grep "cannot be the prefix of a subject" err && test_nogrep "^Bcc" out &&
	posted "v[\"fixups\"] = [{\"patch\": 1, \"commit\": base, \"state\": \"sent\"}]" && test_status 1 series send --fixup=1 -n -m x 2>err &&
	test_grep "has no parent" err && git reset -q --hard "$head" && back
'

test_expect_success 'more postings of a version than anybody makes: no document' '
	cd r && version 1 1 | python3 -c "
import json, sys
v = json.load(sys.stdin); v[\"postings\"] *= 1001; json.dump(v, sys.stdout)" | put versions/1.json &&
	test_status 1 series log 2>err && test_grep "versions/1.json: no document" err && back
'

test_expect_success 'a flood of other covers: named, and one text takes the place of all' '
	cd r && series cover -F - <"$SRCDIR/COPYING" && echo other | put cover.txt.theirs && for i in $(seq 2 18); do
		echo "other $i" | put cover.txt.theirs-$i || return 1; done &&
	GIT_EDITOR=: test_status 1 series cover --edit 2>err && test_grep "series cover -F FILE" err && echo "One: title" | series cover -F - &&
	git ls-tree --name-only $ref >files && test_nogrep theirs files && back
'

test_expect_success 'aliases that grow without end are an error, the last of a name counts' '
	cd r && for i in $(seq 0 25); do echo "alias a$i a$((i + 1)), a$((i + 1))"; done >../al && echo "alias a26 x@example.org" >>../al &&
	printf "alias q no\nalias q q@example.org\n" >>../al && git config sendemail.aliasfiletype mutt && git config sendemail.aliasesfile ../al &&
	test_status 129 series send --dry-run --to a0 2>err && test_grep "aliases stand for one another" err &&
	{ series send --dry-run --to q >out 2>&1 || :; } && test_grep "^To: q@example.org" out &&
	git config --unset sendemail.aliasesfile && git config --unset sendemail.aliasfiletype
'

test_expect_success 'a get_maintainer.pl that says too much: ten odd lines are shown, and people up to a number' '
	git init -q m && cd m && mkdir scripts && cat >scripts/get_maintainer.pl <<-\EOF &&
	print "\e[31modd $_\xff\n" for 1..3000;
	EOF
	echo x >MAINTAINERS && git add . && git commit -q -m base && git switch -q -c topic && test_commit f 1 "f: one" &&
	series init --base main && series recipients --auto >out 2>&1 && test_nogrep "$esc" out &&
	[ "$(grep -c "no address and role" out)" = 10 ] && test_grep "more than 2000 people" out
'

test_done
