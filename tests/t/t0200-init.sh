#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# init, list, log and base on repositories that git made.
. "${SRCDIR:-.}/tests/helper/tap.sh"

# Commits of the people upstream; ours are Wendy's.
upstream_commit() {
	GIT_COMMITTER_NAME=Ursula GIT_COMMITTER_EMAIL=ursula@example.org test_commit "$@"
}
json() {
	python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); print(eval(sys.argv[2],{"d":d}))' "$1" "$2"
}
export GIT_AUTHOR_NAME="Wendy Writer" GIT_AUTHOR_EMAIL=wendy@example.org

test_expect_success 'outside a repository it says so' '
	mkdir none && cd none &&
	test_status 1 "$SERIES" list 2>err &&
	test_grep "not in a git repository" err
'

test_expect_success 'a repository with a topic branch of three patches' '
	git init -q r && cd r &&
	upstream_commit a 1 u1 && upstream_commit a 2 u2 &&
	git switch -q -c Topic/Unmap &&
	test_commit a 3 "mm: first" && test_commit b 1 "mm: second" && test_commit a 4 "mm: third"
'

test_expect_success 'without a series the commands say how to make one' '
	cd r && "$SERIES" list >out && test_grep "series init" out &&
	test_status 1 "$SERIES" log 2>err && test_grep "series init" err
'

test_expect_success 'init on a dirty tree takes no notice of it' '
	cd r && echo dirty >>a && "$SERIES" init >out &&
	test_grep "series topic-unmap" out && test_grep "mm: third" out &&
	git diff --quiet HEAD -- b && ! git diff --quiet && git checkout -q a
'

test_expect_success 'the document is as designed, and git fsck finds nothing' '
	cd r && git cat-file -p refs/series/topic-unmap/state:series.json >../doc &&
	[ "$(json ../doc "d[\"schema\"]")" = 1 ] &&
	[ "$(json ../doc "d[\"branch\"]")" = Topic/Unmap ] &&
	[ "$(json ../doc "d[\"base\"][\"commit\"]")" = "$(git rev-parse main)" ] &&
	[ "$(json ../doc "d[\"base\"][\"ref\"]")" = main ] &&
	json ../doc "d[\"change_id\"]" | grep -E "^[0-9]{8}-topic-unmap-[0-9a-f]{12}\$" &&
	python3 -c "import json,sys
t=open(\"../doc\").read()
assert t==json.dumps(json.loads(t),sort_keys=True,indent=2)+\"\n\"" &&
	[ "$(git config branch.Topic/Unmap.series)" = topic-unmap ] &&
	git fsck --strict 2>&1 | tee ../fsck && ! grep -E "error|warning" ../fsck
'

test_expect_success 'no state commit has a commit of the tree as parent' '
	cd r && "$SERIES" base --set main >/dev/null &&
	[ "$(git rev-list refs/series/topic-unmap/state | wc -l)" = 2 ] &&
	git rev-list main >../main && git rev-list refs/series/topic-unmap/state >../state &&
	! grep -F -f ../main ../state
'

test_expect_success 'a second init of the branch, and of the name, is refused' '
	cd r && test_status 1 "$SERIES" init 2>err && test_grep "has the series" err &&
	git switch -q -c other && git config --unset branch.other.series;
	test_status 1 "$SERIES" init topic-unmap 2>err && test_grep "another name" err &&
	test_status 129 "$SERIES" init Bad/Name 2>err && test_grep "no name of a series" err &&
	git switch -q Topic/Unmap && git branch -q -D other
'

test_expect_success 'list shows it with a star, and as JSON' '
	cd r && "$SERIES" list >out && test_grep "^\*  topic-unmap  Topic/Unmap  -  *preparing" out &&
	"$SERIES" list --json >j && [ "$(json j "d[\"series\"][0][\"current\"]")" = True ] &&
	[ "$(json j "d[\"series\"][0][\"draft\"]")" = 1 ] &&
	cd .git && "$SERIES" list >../../out && test_grep topic-unmap ../../out
'

test_expect_success 'init -v 3 makes v3 the draft' '
	cd r && git switch -q -c third main && test_commit c 1 "mm: c" &&
	"$SERIES" init -v 3 >out && test_grep "draft v3" out && "$SERIES" log >out && test_grep v3 out
'

test_expect_success 'init on a branch without patches works and says what is missing' '
	cd r && git switch -q -c empty main && "$SERIES" init --base main >out &&
	test_grep "commit patches" out && "$SERIES" base >out && test_grep "^0 patches" out
'

test_expect_success 'init before the first commit is refused' '
	git init -q unborn && cd unborn && test_status 1 "$SERIES" init 2>err && test_grep "no commit yet" err
'

test_expect_success 'init with a merge among the patches names it and makes nothing' '
	cd r && git switch -q -c merged main && test_commit d 1 "mm: d" &&
	git merge -q -m "a merge of mine" third && test_status 1 "$SERIES" init --base main 2>err &&
	test_grep "a merge of mine" err && ! git rev-parse -q --verify refs/series/merged/state
'

test_expect_success 'a base that is no ancestor and no branch is refused' '
	cd r && git switch -q -c based main && test_commit e 1 "mm: e" &&
	test_status 1 "$SERIES" init --base third~0 2>err && test_grep "no ancestor" err &&
	test_status 1 "$SERIES" init --base nosuch 2>err && test_grep "nosuch" err &&
	"$SERIES" init --base HEAD~1 && "$SERIES" base --json >j && [ "$(json j "d[\"ref\"]")" = None ] &&
	[ "$(json j "d[\"patches\"]")" = 1 ]
'

test_expect_success 'the upstream is the base ref; a copy of the topic at the remote is not' '
	git -C r switch -q main && git clone -q r clone && cd clone && git switch -q -c work origin/main &&
	test_commit w 1 "w: one" && test_commit w 2 "w: two" &&
	git push -q -u origin work && test_commit w 3 "w: three" &&
	"$SERIES" init >out && test_grep "origin/main" out && test_grep "w: one" out
'

# queue: a clone of up (main by Ursula) with origin/akpm, three commits of hers on main.
queue() {
	rm -rf up q && git init -q up && (cd up && upstream_commit a 1 u1 && upstream_commit a 2 u2 && git switch -q -c akpm &&
		for i in 1 2 3; do upstream_commit q$i 1 "queue: $i" || exit 1; done && git switch -q main) &&
	git clone -q up q && cd q
}
# made BASE REF N: init says this base, by this name, and N patches are in the series.
made() {
	"$SERIES" init >out && test_grep "base $(git rev-parse --short=12 "$1")" out && "$SERIES" base --json >j &&
	[ "$(json j "d[\"commit\"], d[\"ref\"], d[\"patches\"]")" = "('$(git rev-parse "$1")', $2, $3)" ]
}

test_expect_success 'without an upstream: on a queue of others, its commits are not in the series, and init says why' '
	queue && git checkout -q -b t2 --no-track origin/akpm && test_commit w 1 "w: one" && made origin/akpm "'\''origin/akpm'\''" 1 &&
	test_grep "^base: the newest commit that somebody else committed; 3 of them are not on origin/main; another one: series base --set" out &&
	test_nogrep "queue: " out && git checkout -q -b t3 t2 && test_commit w 2 "w: two" && made origin/akpm "'\''origin/akpm'\''" 2
'

test_expect_success 'the same on a local queue branch, also when it moved on since, and before the first patch' '
	queue && git branch -q --no-track akpm origin/akpm && git update-ref -d refs/remotes/origin/akpm && git checkout -q -b t0 --no-track akpm &&
	made akpm "'\''akpm'\''" 0 && git checkout -q -b t2 --no-track akpm && test_commit w 1 "w: one" && git checkout -q akpm &&
	upstream_commit q4 1 "queue: 4" && git checkout -q t2 && git update-ref -d refs/heads/t0 && made akpm~1 "'\''akpm'\''" 1
'

test_expect_success 'the same where no ref is on the commit, and on the branch that is followed itself' '
	queue && git checkout -q -b t2 --no-track origin/akpm~1 && test_commit w 1 "w: one" && made origin/akpm~1 None 1 &&
	test_grep "; 2 of them are not on origin/main" out && git checkout -q -b akpm --track origin/akpm && test_commit w 1 "w: one" && made origin/akpm "'\''origin/akpm'\''" 1
'

test_expect_success 'an upstream is the word of the user: the patches of others stay, and init says that they are there' '
	queue && git checkout -q -b t2 --no-track origin/akpm && git branch -q -u origin/main && test_commit w 1 "w: one" &&
	made origin/main "'\''origin/main'\''" 4 && test_grep "^some of these somebody else committed.*series base --set" out
'

test_expect_success 'own commits below those of others, or others alone without a ref: init asks for --base' '
	queue && git checkout -q -b t2 --no-track origin/main && test_commit w 1 "w: one" && upstream_commit w 2 "w: fix" && test_commit w 3 "w: three" &&
	test_status 1 "$SERIES" init 2>err && test_grep "$(git rev-parse --short=12 HEAD~1).*series init --base REF" err &&
	git checkout -q --detach origin/main && git checkout -q -b t4 && upstream_commit x 1 "x: hers" &&
	test_status 1 "$SERIES" init 2>err && test_grep "series init --base REF" err && "$SERIES" init --base origin/main >out && test_grep "x: hers" out
'

test_expect_success 'series -C works from outside and -s from another branch' '
	git -C r switch -q main && "$SERIES" -C r base -s topic-unmap >out && test_grep "^3 patches" out &&
	test_status 1 "$SERIES" -C r base -s nosuch 2>err && test_grep "no series \"nosuch\"" err
'

test_done
