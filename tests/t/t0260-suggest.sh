#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# base --suggest: on which branches a series applies and where the version before is already.
# What is right is known by how the branches were made; git rebase is asked too.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

as_ursula() {
	GIT_COMMITTER_NAME=Ursula GIT_COMMITTER_EMAIL=ursula@example.org "$@"
}
ursulas() {
	GIT_AUTHOR_NAME=Ursula GIT_AUTHOR_EMAIL=ursula@example.org as_ursula "$@"
}
lines() {
	seq -f "line %g" 30
}
# edit FILE LINE TEXT SUBJECT
edit() {
	sed "$2s/.*/$3/" "$1" >new && mv new "$1" && test_commit "$1" "$(cat "$1")" "$4"
}
# took N REV...: Ursula takes these commits into the branch that is checked out
took() {
	for rev; do as_ursula git cherry-pick "$rev" >/dev/null || return 1; done
}
# json EXPRESSION: of the answer, with c["REF"] for a candidate
json() {
	"$SERIES" base --suggest --json >j && python3 -c '
import json,sys
d = json.load(open("j")); c = {x["ref"]: x for x in d["candidates"]}; order = [x["ref"] for x in d["candidates"]]
assert eval("(" + sys.argv[1] + ")"), json.dumps(d, indent=1)' "$1"
}
h() {
	git rev-parse --short=12 "$1"
}
# Everything that a trial could have touched.
traces() {
	git for-each-ref && git status --porcelain && git count-objects -v && sha1sum .git/index &&
		cat .git/HEAD && ls "$TMPDIR"
}

# up: main; mm-unstable and mm-stable beyond it, net-next where a.c is another file, topic-next
# that nobody asked for. w: a clone whose topic has three patches on mm-unstable.
test_expect_success 'branches that are made to take all, some and none' '
	git init -q up && cd up && lines >a.c && lines >b.c && lines >c.c && git add . && ursulas git commit -q -m start &&
	git branch other && git switch -q -c mm-stable && ursulas test_commit stable 1 "stable: 1" &&
	git switch -q -c mm-unstable main && ursulas test_commit queue1 1 "queue: 1" && ursulas test_commit queue2 2 "queue: 2" &&
	git switch -q -c net-next main && ursulas edit b.c 15 "their line" "net: b" &&
	git switch -q -c mm-hot main && ursulas edit a.c 15 "their line" "hot: a" && git switch -q main &&
	git clone -q "$T/up" "$T/w" && cd "$T/w" && git switch -q -c topic --track origin/mm-unstable &&
	edit a.c 15 "my line" "a: one" && edit b.c 15 "my line" "b: two" && edit c.c 15 "my line" "c: three" &&
	"$SERIES" init
'

test_expect_success 'as text: the best first, the base ref before others as good, each with the patch that fails' '
	cd w && cat >../want <<-E &&
	origin/mm-unstable $(h origin/mm-unstable): all 3 apply; the base now
	origin/main $(h origin/main): all 3 apply
	origin/mm-stable $(h origin/mm-stable): all 3 apply
	origin/net-next $(h origin/net-next): 1 of 3 apply; patch 2 conflicts in b.c
	origin/mm-hot $(h origin/mm-hot): 0 of 3 apply; patch 1 conflicts in a.c
	E
	"$SERIES" base --suggest >../out && test_cmp ../want ../out
'

test_expect_success 'what rebase says of each branch is what was said' '
	cd w && base=$(git rev-parse origin/mm-unstable) && for b in main mm-stable mm-unstable net-next mm-hot; do
		git switch -q -C trial topic && want=True && git rebase -q --onto origin/$b $base >/dev/null 2>&1 || want=False
		n=3 && [ $want = True ] || { n=$(git rev-list --count origin/$b..HEAD) && git rebase --abort; }
		git switch -q topic && json "c[\"origin/$b\"][\"tip\"][\"clean\"] is $want and c[\"origin/$b\"][\"tip\"][\"applied\"] == $n" || return 1
	done && git branch -q -D trial
'

test_expect_success 'nothing is touched: refs, index, work tree, objects, temporary files' '
	cd w && echo dirty >>a.c && echo new >untracked && traces >../before && "$SERIES" base --suggest >../out && traces >../after &&
	test_cmp ../before ../after && git checkout -q a.c && rm untracked &&
	chmod -R a-w .git/objects && "$SERIES" base --suggest >../out2; rc=$?; chmod -R u+w .git/objects && [ $rc = 0 ] && test_cmp ../out ../out2
'

test_expect_success 'JSON' '
	cd w && base=$(git rev-parse origin/mm-unstable) && json "d[\"schema\"] == 1 and d[\"name\"] == \"topic\" and d[\"patches\"] == 3 and
		d[\"commit\"] == \"$base\" and d[\"version\"] is None and d[\"missing\"] == [] and
		order == [\"origin/mm-unstable\",\"origin/main\",\"origin/mm-stable\",\"origin/net-next\",\"origin/mm-hot\"] and
		c[\"origin/net-next\"][\"tip\"] == {\"applied\": 1, \"clean\": False, \"conflicts\": [\"b.c\"], \"empty\": 0} and
		c[\"origin/net-next\"][\"move\"] is None and all(x[\"queued\"] == [] and x[\"fix\"] is None for x in d[\"candidates\"])"
'

test_expect_success 'series.baseCandidate: names and patterns, and one that is missing' '
	cd w && git config --add series.baseCandidate "origin/m*n" && git config --add series.baseCandidate origin/other &&
	git config --add series.baseCandidate origin/gone &&
	json "order == [\"origin/mm-unstable\",\"origin/main\",\"origin/other\"] and d[\"missing\"] == [\"origin/gone\"]" &&
	"$SERIES" base --suggest >out && test_grep "no branch origin/gone here" out && git config --unset-all series.baseCandidate && rm out j
'

test_expect_success 'with --set it is refused' '
	cd w && test_status 129 "$SERIES" base --suggest --set HEAD~1 2>err && test_grep "give it alone" err && rm err
'

test_expect_success 'the base ref moved to where they conflict: the command of the best branch moves the series' '
	cd up && git switch -q mm-unstable && ursulas edit c.c 15 "their line" "queue: c" && cd ../w && git fetch -q &&
	"$SERIES" base --suggest >../out && head -1 ../out >../first && echo "origin/main $(h origin/main): all 3 apply" >../want &&
	test_cmp ../want ../first && test_grep "^origin/mm-unstable .*: 2 of 3 apply; patch 3 conflicts in c.c$" ../out &&
	[ "$(grep -c "^    git rebase" ../out)" = 1 ] && git branch keep && sed -n "s/^    //p" ../out >../cmd && sed "s/series base/\"\$SERIES\" base/" ../cmd >../run && git switch -q --detach && . ../run >/dev/null &&
	[ "$(git rev-parse HEAD~3)" = "$(git rev-parse origin/main)" ] && [ "$(git symbolic-ref --short HEAD)" = topic ] &&
	"$SERIES" base --json >j && test_grep "\"commit\": \"$(git rev-parse origin/main)\"" j && test_grep "\"ref\": \"origin/main\"" j && test_grep "\"patches\": 3," j
'

# v1 is posted from origin/main; Ursula queues it with a commit below, between and on top, the
# second patch with another diff. Then v2 is written.
test_expect_success 'v1 in the queue: each patch is found, same and changed, and nothing else' '
	cd w && git branch -f main origin/main && version 1 sent HEAD~2 HEAD~1 HEAD && git branch v1 &&
	cd ../up && git fetch -q ../w v1:v1 && git switch -q -C mm-unstable main && ursulas test_commit below 1 "queue: below" &&
	took v1~2 && ursulas test_commit between 1 "queue: between" && took v1~1 && edit b.c 3 "by Ursula" x && git reset -q --soft HEAD~1 &&
	as_ursula git commit -q --amend --no-edit && took v1 && ursulas test_commit d.c 1 "a: one" && ursulas test_commit above 1 "queue: above" &&
	cd ../w && git fetch -q && git reset -q --hard HEAD~3 && edit a.c 15 "my better line" "a: one" && edit b.c 15 "my line" "b: two" &&
	edit c.c 15 "my line" "c: three" && u=origin/mm-unstable && cat >../want <<-E &&
	$u $(h $u): 0 of 3 apply; patch 1 conflicts in a.c
	  has 3 of the 3 patches of v1:
	    1 $(h $u~5) a: one
	    2 $(h $u~3) b: two (its diff is another)
	    3 $(h $u~2) c: three
	  before the first of them, on $(h $u~6): all 3 apply
	  for a whole new version in their place:
	    git rebase --onto $(h $u~6) $(h main) topic && series base --set $u
	  for a fix on top of them:
	    git switch --no-track -c topic-fix $(h $u)
	E
	"$SERIES" base --suggest >../out && sed -n "/^origin.mm-unstable/,/topic-fix/p" ../out >../got && test_cmp ../want ../got &&
	json "c[\"$u\"][\"whole\"].endswith(\" topic && series base --set $u\")" &&
	json "c[\"$u\"][\"before\"] == \"$(git rev-parse $u~6)\" and c[\"$u\"][\"on_before\"][\"clean\"] and
		[(q[\"patch\"], q[\"same\"]) for q in c[\"$u\"][\"queued\"]] == [(1, True), (2, False), (3, True)] and
		c[\"origin/main\"][\"queued\"] == [] and d[\"version\"] == \"v1\""
'

test_expect_success 'both commands work when pasted' '
	cd w && before=$(git rev-parse origin/mm-unstable~6) && grep "series base --set" ../want | sed "s/series base/\"\$SERIES\" base/" >../run && . ../run >/dev/null &&
	[ "$(git rev-parse HEAD~3)" = $before ] && "$SERIES" base --json >j && test_grep "\"commit\": \"$before\"" j && test_grep "\"patches\": 3," j &&
	test_grep "\"ref\": \"origin/mm-unstable\"" j && grep "topic-fix" ../want >../run && . ../run && [ "$(git rev-parse topic-fix)" = "$(git rev-parse origin/mm-unstable)" ] && git switch -q topic
'

test_expect_success 'on the queue that has v1 below: v1 is found although the base has it' '
	cd w && git switch -q topic && git reset -q --hard origin/mm-unstable && edit a.c 20 more "a: fix" && "$SERIES" base --set origin/mm-unstable >out &&
	json "d[\"patches\"] == 1 and len(c[\"origin/mm-unstable\"][\"queued\"]) == 3 and c[\"origin/mm-unstable\"][\"tip\"][\"clean\"]" && rm out
'

test_expect_success 'patches that a branch has as they are change nothing there' '
	cd w && git reset -q --hard v1 && "$SERIES" base --set origin/main >out && git branch -f mine origin/main && cd ../up && git switch -q -C mm-stable main && took v1~2 v1~1 &&
	cd ../w && git fetch -q && json "c[\"origin/mm-stable\"][\"tip\"] == {\"applied\": 3, \"clean\": True, \"conflicts\": [], \"empty\": 2} and
		[q[\"patch\"] for q in c[\"origin/mm-stable\"][\"queued\"]] == [1, 2]" &&
	"$SERIES" base --suggest >out && test_grep "mm-stable .*: all 3 apply, 2 of them change nothing there" out && test_grep "has 2 of the 3 patches of v1" out
'

test_expect_success 'names that a shell would run are quoted' '
	cd w && odd="t;touch\${IFS}pwned" && git switch -q -c "$odd" v1 && "$SERIES" init odd --base origin/main >out &&
	cd ../up && git branch "z\$(touch\${IFS}p)" main && git switch -q "z\$(touch\${IFS}p)" && ursulas test_commit z 1 z && git branch tip &&
	git switch -q main && ursulas edit b.c 15 "main line" "main: b" && cd ../w && git fetch -q &&
	git config series.baseCandidate "origin/z*" && "$SERIES" base --suggest >../out && sed -n "s/^    //p" ../out >../cmd && [ "$(wc -l <../cmd)" = 1 ] &&
	sed "s/series base/\"\$SERIES\" base/" ../cmd >../run && . ../run >../out && test_grep "touch" ../cmd && [ ! -e pwned ] && [ ! -e p ] &&
	git config --unset series.baseCandidate && [ "$(git rev-parse HEAD~3)" = "$(git -C ../up rev-parse tip)" ] && [ "$(git rev-parse HEAD)" = "$(git rev-parse "refs/heads/$odd")" ]
'

test_expect_success 'no patches: it says so' '
	cd w && git switch -q -c bare origin/main && "$SERIES" init bare --base origin/main >out && test_status 1 "$SERIES" base --suggest 2>err && test_grep "no patches to try" err
'

test_expect_success 'two patches to one line: the second is set beside the first, not beside the base' '
	git clone -q "$T/up" "$T/same" && cd "$T/same" && git switch -q -c topic --track origin/mm-unstable &&
	edit a.c 3 "first try" "a: low one" && edit a.c 3 "second try" "a: low two" && "$SERIES" init &&
	json "c[\"origin/main\"][\"tip\"] == {\"applied\": 2, \"clean\": True, \"conflicts\": [], \"empty\": 0}"
'

test_done
