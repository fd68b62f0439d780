#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Which commits are the series, when the branch below it is rebuilt every day, when its
# reflog is there, expired or was never written, and when only committers are left to tell.
# The right base is known each time by how the repository was made.
. "${SRCDIR:-.}/tests/helper/tap.sh"

# DAYS=10 rebuilds the branch as often.
: "${DAYS:=4}"

# Ursula commits upstream; Wendy (the tests' user) writes the series.
ursula="Ursula <ursula@example.org>"
wendy="Wendy Writer <wendy@example.org>"
as_ursula() {
	GIT_COMMITTER_NAME=Ursula GIT_COMMITTER_EMAIL=ursula@example.org \
		GIT_AUTHOR_NAME=Ursula GIT_AUTHOR_EMAIL=ursula@example.org "$@"
}
# import WHO BRANCH START FILE...: the branch anew on START, one commit for each file.
import() {
	who=$1 branch=$2 from=$3
	shift 3
	for f; do
		printf "commit refs/heads/%s\ncommitter %s 170000%04d +0000\ndata <<E\n%s: of day %s\nE\n%sM 644 inline %s\ndata <<E\n%s\nE\n" \
			"$branch" "$who" "$day" "$f" "$day" "${from:+from $from
}" "$f" "$f"
		from=
	done | git -C "$T/up" fast-import --quiet --force
}

# rebuild DAY: all of mm-unstable anew. Each commit has a new message, one more every day.
rebuild() {
	day=$1 days=
	for d in $(seq 0 $day); do days="$days day$d"; done
	import "${keeper:-$ursula}" mm-unstable refs/heads/linus queue1 queue2 queue3 $days
}

# upstream [WHO]: a repository up with linus, main and mm-unstable of day 0, committed by
# WHO; topic: a clone w with three patches on origin/mm-unstable. Made once each.
upstream() {
	keeper=${1:-$ursula}
	rm -rf "$T/up" "$T/w"
	if [ ! -d "$T/made.$keeper" ]; then
		git init -q "$T/up" && day=0 && import "$keeper" linus "" Makefile COPYING &&
		git -C "$T/up" branch main linus && rebuild 0 &&
		git clone -q "$T/up" "$T/w" 2>/dev/null && (cd "$T/w" &&
			git switch -q -c topic --track origin/mm-unstable && for i in 1 2 3; do
				test_commit "t$i" "$i" "topic: $i" || exit 1
			done) && mkdir "$T/made.$keeper" && cp -a "$T/up" "$T/w" "$T/made.$keeper" || return 1
	fi
	cp -a "$T/made.$keeper/." "$T/"
}
topic() {
	cd "$T/w"
}

# is BASE N [REF]: the program says this base, N patches, and calls the base REF.
is() {
	want=$(git rev-parse "$1") && "$SERIES" base --json >j && test_grep "\"commit\": \"$want\"" j &&
	test_grep "\"patches\": $2," j &&
	case ${3:-} in
	none) test_grep "\"ref\": null" j ;;
	?*) test_grep "\"ref\": \"$3\"" j ;;
	esac
}
asks() {
	test_status 1 "$SERIES" base >out 2>err && test_grep "cannot tell where\|too shallow" err
}
fetch() {
	git fetch -q origin "+refs/heads/*:refs/remotes/origin/*"
}
reorder() {
	GIT_SEQUENCE_EDITOR="sed -i -e '1{h;d}' -e '2G'" git rebase -q -i "$@"
}

# mine: two commits of Wendy on top of the rebuilt branch.
mine() {
	import "$wendy" mm-unstable "refs/heads/mm-unstable^0" mine1 mine2
}

for kind in plain tracking onto interactive; do
	test_expect_success "rebuilt days, rebased each day: $kind" '
		upstream && topic && "$SERIES" init >out && test_grep "origin/mm-unstable" out || return 1
		for day in $(seq "$DAYS"); do
			old=$(git rev-parse origin/mm-unstable) && rebuild $day && fetch &&
			is $old 3 origin/mm-unstable &&
			case $kind in
			plain) git -c advice.skippedCherryPicks=false rebase -q --no-fork-point origin/mm-unstable ;;
			tracking) git rebase -q ;;
			onto) git rebase -q --onto origin/mm-unstable $old ;;
			interactive) reorder --onto origin/mm-unstable $old ;;
			esac && is origin/mm-unstable 3 origin/mm-unstable || return 1
		done
	'
done

test_expect_success 'rebuilt days, looked at only at the end' '
	upstream && topic && "$SERIES" init >out &&
	for day in $(seq "$DAYS"); do
		old=$(git rev-parse origin/mm-unstable) && rebuild $day && fetch &&
		git rebase -q --onto origin/mm-unstable $old || return 1
	done && rm -f .git/series/topic.base && is origin/mm-unstable 3 &&
	base=$(git rev-parse origin/mm-unstable) && rebuild 11 && fetch && rebuild 12 && fetch && is $base 3
'

test_expect_success 'the reflog has expired: the committers tell' '
	upstream && topic && "$SERIES" init >out && base=$(git rev-parse origin/mm-unstable) && rebuild 1 && fetch &&
	git rebase -q --onto origin/mm-unstable $base && base=$(git rev-parse origin/mm-unstable) &&
	rebuild 2 && fetch && rm -f .git/series/topic.base && git reflog expire --expire=now --all && is $base 3
'

test_expect_success 'no reflog at all, some days, with and without what was found the day before' '
	upstream && topic && git config core.logAllRefUpdates false && rm -rf .git/logs && "$SERIES" init >out &&
	for day in $(seq "$DAYS"); do
		old=$(git rev-parse origin/mm-unstable) && rebuild $day && fetch && is $old 3 &&
		git rebase -q --onto origin/mm-unstable $old && is origin/mm-unstable 3 &&
		rm -f .git/series/topic.base && is origin/mm-unstable 3 || return 1
	done && [ ! -e .git/logs/refs/remotes/origin/mm-unstable ]
'

test_expect_success 'a bare repository without reflogs' '
	upstream && topic && git clone -q --bare "$T/w" "$T/bare.git" && cd "$T/bare.git" &&
	git fetch -q "$T/up" mm-unstable:mm-unstable && git symbolic-ref HEAD refs/heads/topic &&
	"$SERIES" init --base mm-unstable && base=$(git rev-parse mm-unstable) && is mm-unstable 3 mm-unstable &&
	rebuild 1 && git fetch -q "$T/up" +mm-unstable:mm-unstable && is $base 3 mm-unstable &&
	git --git-dir=$T/w/.git fetch -q origin "+refs/heads/*:refs/remotes/origin/*" &&
	git -C $T/w rebase -q --onto origin/mm-unstable $base && git fetch -q "$T/w" +topic:topic && is mm-unstable 3 mm-unstable
'

test_expect_success 'the base ref is deleted: the recorded base holds; after a rebase the committers tell' '
	upstream && topic && "$SERIES" init >out && base=$(git rev-parse origin/mm-unstable) &&
	git update-ref -d refs/remotes/origin/mm-unstable && is $base 3 origin/mm-unstable &&
	rebuild 1 && fetch && git rebase -q --onto origin/mm-unstable $base && new=$(git rev-parse origin/mm-unstable) &&
	git update-ref -d refs/remotes/origin/mm-unstable && rm -f .git/series/topic.base && is $new 3 none
'

test_expect_success 'a tag as base, and a rebase to the tag of the next day' '
	upstream && topic && git tag next-20261129 origin/mm-unstable && "$SERIES" init --base next-20261129 >out &&
	test_grep "next-20261129" out && is next-20261129 3 next-20261129 && rebuild 1 && fetch &&
	git tag -a -m next next-20261130 origin/mm-unstable && git update-ref -d refs/remotes/origin/mm-unstable &&
	git rebase -q --onto next-20261130 next-20261129 && is "next-20261130^{}" 3 next-20261130
'

test_expect_success 'a tag that is no ancestor is refused as base' '
	cd w && test_status 1 "$SERIES" base --set next-20261129 2>err && test_grep "no ancestor" err &&
	"$SERIES" base --set next-20261130 && is "next-20261130^{}" 3 next-20261130
'

test_expect_success 'a name that is branch and tag on different commits must be said in full' '
	upstream && topic && git branch mm origin/mm-unstable && git tag mm origin/linus && test_status 129 "$SERIES" init --base mm 2>err &&
	test_grep "heads/mm or tags/mm" err && "$SERIES" init --base heads/mm && is origin/mm-unstable 3 &&
	"$SERIES" base --set tags/mm && is origin/linus 7 && "$SERIES" base --set heads/mm && is origin/mm-unstable 3
'

test_expect_success 'a tag made later that is called like the base branch takes nothing over' '
	upstream && topic && git branch mm origin/mm-unstable && "$SERIES" init --base mm && git tag mm origin/linus~1 &&
	rm .git/series/topic.base && is origin/mm-unstable 3 mm && test_commit t4 4 "topic: 4" && is heads/mm 4 mm
'

test_expect_success 'rebased to a branch of others: the base is there, and is called by its name' '
	upstream && (cd up && git switch -q linus && for i in 1 2 3; do as_ursula test_commit l$i 1 "linus $i" || return 1; done) &&
	topic && fetch && "$SERIES" init && old=$(git rev-parse origin/mm-unstable) && git rebase -q --onto origin/linus $old &&
	is origin/linus 3 origin/linus && "$SERIES" status >out && test_grep "origin/linus" out
'

test_expect_success 'started on a tag, rebased to the queue on top of it: not the queue too' '
	upstream && (cd up && git tag v2 linus) && topic && fetch && git switch -q -c early v2 && test_commit e1 1 "early: 1" &&
	"$SERIES" init --base v2 && is v2 1 v2 && git rebase -q origin/mm-unstable && is origin/mm-unstable 1 origin/mm-unstable
'

test_expect_success 'mainline with merges between the old base and the new one' '
	upstream && (cd up && git tag v2 linus && git switch -q -c side linus && as_ursula test_commit s 1 side && git switch -q linus &&
		as_ursula test_commit l 1 linus && as_ursula git merge -q -m "merge of side" side && git branch -D -q side) &&
	topic && fetch && git switch -q -c early v2 && test_commit e1 1 "early: 1" && "$SERIES" init --base v2 &&
	git rebase -q origin/linus && is origin/linus 1 origin/linus
'

test_expect_success 'patches of others in the series from the start stay in it' '
	upstream && topic && git reset -q --hard origin/mm-unstable && as_ursula test_commit c1 1 "topic: of Ursula" &&
	test_commit c2 2 "topic: mine" && "$SERIES" init && is origin/mm-unstable 2 && test_commit c3 3 "topic: mine too" &&
	is origin/mm-unstable 3 && as_ursula test_commit c4 4 "topic: hers again" && test_commit c5 5 "topic: mine" && is origin/mm-unstable 5
'

test_expect_success 'somebody continues my series, and I go on: all of it stays' '
	upstream && topic && "$SERIES" init && as_ursula test_commit c4 4 "topic: 4" && is origin/mm-unstable 4 &&
	test_commit c5 5 "topic: 5" && is origin/mm-unstable 5
'

for what in address name both-mailmap series.email environment; do
	test_expect_success "rebased under an old $what, without reflog: the patches are mine still" '
		upstream && topic && "$SERIES" init && git config core.logAllRefUpdates false && rm -rf .git/logs &&
		old=$(git rev-parse origin/mm-unstable) && rebuild 1 && fetch && new=$(git rev-parse origin/mm-unstable) &&
		GIT_COMMITTER_NAME="Wendy W" GIT_COMMITTER_EMAIL=wendy@old.example.org && export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL &&
		case $what in
		address) GIT_COMMITTER_NAME="Wendy Writer" ;;
		name) GIT_COMMITTER_EMAIL=WENDY@example.org ;;
		both-mailmap) echo "Wendy Writer <wendy@example.org> <wendy@old.example.org>" >map && git config mailmap.file map ;;
		series.email) git config --add series.email third@example.org && git config --add series.email wendy@old.example.org ;;
		esac && git rebase -q --onto origin/mm-unstable $old &&
		if [ $what != environment ]; then unset GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL; fi &&
		rebuild 2 && fetch && rm -f .git/series/topic.base && is $new 3 &&
		unset GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL && test_commit t4 4 "topic: 4" &&
		if [ $what != environment ]; then is $new 4; fi
	'
done

test_expect_success 'another name and address, nothing rebased: no patch is lost' '
	upstream && topic && "$SERIES" init && is origin/mm-unstable 3 && git config user.name Else && git config user.email else@example.org &&
	test_commit t4 4 "topic: 4" && is origin/mm-unstable 4
'

test_expect_success 'a maintainer: with the reflog the base is right' '
	upstream "$wendy" && topic && "$SERIES" init && for day in 1 2 3; do
		old=$(git rev-parse origin/mm-unstable) && rebuild $day && fetch && is $old 3 &&
		git rebase -q --onto origin/mm-unstable $old && is origin/mm-unstable 3 || return 1
	done
'

test_expect_success 'a maintainer without reflog: what was found the day before holds, else it asks' '
	upstream "$wendy" && topic && "$SERIES" init && git config core.logAllRefUpdates false && rm -rf .git/logs &&
	old=$(git rev-parse origin/mm-unstable) && rebuild 1 && fetch && git rebase -q --onto origin/mm-unstable $old &&
	is origin/mm-unstable 3 && old=$(git rev-parse origin/mm-unstable) && rebuild 2 && fetch && is $old 3 &&
	rm .git/series/topic.base && asks && test_grep "series base --set COMMIT" err && asks &&
	"$SERIES" base --set HEAD~3 && is $old 3
'

test_expect_success 'a maintainer whose tree has Ursula below: asked, not given the queue as patches' '
	upstream && mine && topic && fetch && git rebase -q origin/mm-unstable &&
	"$SERIES" init && is origin/mm-unstable 3 && git config core.logAllRefUpdates false && rm -rf .git/logs &&
	rebuild 1 && mine && old=$(git rev-parse origin/mm-unstable) &&
	fetch && git rebase -q --onto origin/mm-unstable $old && new=$(git rev-parse origin/mm-unstable) &&
	rebuild 2 && mine && fetch && asks && "$SERIES" base --set $new && is $new 3
'

test_expect_success 'init of a maintainer without reflog, on a branch rebuilt meanwhile: asks, and takes the commit' '
	upstream "$wendy" && topic && rm -rf .git/logs && git config core.logAllRefUpdates false && rebuild 1 && fetch &&
	test_status 1 "$SERIES" init --base origin/mm-unstable 2>err && test_grep "series init --base COMMIT" err &&
	test_status 1 "$SERIES" init 2>err && "$SERIES" init --base HEAD~3 && is HEAD~3 3
'

test_expect_success 'a merge inside the series is named, before and after init, whoever merged' '
	upstream && topic && "$SERIES" init && git switch -q -c side HEAD~1 && test_commit s1 1 "side: 1" && git switch -q topic &&
	git merge -q -m "merge in the series" side && m=$(git rev-parse --short=12 HEAD) && test_commit t5 5 "topic: 5" &&
	test_status 1 "$SERIES" base 2>err && test_grep "$m (\"merge in the series\") is a merge" err &&
	test_status 1 "$SERIES" status 2>err && test_grep "$m" err && rebuild 1 && fetch &&
	git merge -q -m "merge of the base" origin/mm-unstable && m=$(git rev-parse --short=12 HEAD) &&
	test_status 1 "$SERIES" base 2>err && test_grep "$m (\"merge of the base\") is a merge" err
'

test_expect_success 'the commit below the patches is amended: what upstream has is the base' '
	upstream && topic && "$SERIES" init && git switch -q -c work && GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/" git rebase -q -i HEAD~4 2>/dev/null &&
	git commit -q --amend -m "queue: amended by me" && GIT_EDITOR=: git rebase --continue && git switch -q -C topic work && git branch -q -D work &&
	is origin/mm-unstable~1 4
'

test_expect_success 'patches cherry-picked to another branch are a series of that branch' '
	upstream && topic && "$SERIES" init && git switch -q -c picked origin/linus && git cherry-pick topic~3..topic >/dev/null &&
	"$SERIES" init --base origin/linus && is origin/linus 3 origin/linus && git switch -q topic && is origin/mm-unstable 3
'

test_expect_success 'init without patches says what is next; then they are found' '
	upstream && topic && git reset -q --hard origin/mm-unstable && "$SERIES" init >out && test_grep "^next: commit patches" out &&
	is origin/mm-unstable 0 && rebuild 1 && fetch && git reset -q --hard origin/mm-unstable && is origin/mm-unstable 0 &&
	test_commit t1 1 "topic: 1" && is origin/mm-unstable 1 && import "$ursula" mm-unstable "refs/heads/mm-unstable^0" more && fetch &&
	git reset -q --hard HEAD~1 && git reset -q --hard origin/mm-unstable && is origin/mm-unstable 0
'

test_expect_success 'a series that upstream took as it is keeps its patches' '
	upstream && topic && "$SERIES" init && git push -q origin topic:mm-unstable && fetch && base=$(git rev-parse topic~3) && is $base 3
'

test_expect_success 'a linked worktree: the same base' '
	upstream && topic && "$SERIES" init && git switch -q --detach && git worktree add -q ../wt topic && cd ../wt &&
	is origin/mm-unstable 3 && old=$(git rev-parse origin/mm-unstable) && rebuild 1 && fetch && is $old 3 &&
	git rebase -q --onto origin/mm-unstable $old && is origin/mm-unstable 3 && cd .. && git -C w worktree remove --force ../wt
'

test_expect_success 'a shallow clone: right while the base is there, else it says how to deepen' '
	upstream && topic && "$SERIES" init && git clone -q --depth 4 --branch topic "file://$T/w" sh 2>/dev/null && cd sh &&
	git fetch -q origin "refs/series/*:refs/series/*" && is HEAD~3 3 && cd .. && rm -rf sh &&
	git clone -q --depth 3 --branch topic "file://$T/w" sh 2>/dev/null && cd sh && git fetch -q origin "refs/series/*:refs/series/*" &&
	asks && test_grep "git fetch --deepen=100" err && git fetch -q --deepen=100 && is HEAD~3 3
'

test_expect_success 'a partial clone: base and patches, before and after the blobs are there' '
	upstream && topic && "$SERIES" init && git config uploadpack.allowFilter true && git config uploadpack.allowAnySHA1InWant true &&
	for filter in blob:none tree:0; do
		cd "$T" && rm -rf part && git clone -q --filter=$filter --no-checkout --branch topic "file://$T/w" "$T/part" 2>/dev/null &&
		cd "$T/part" && git fetch -q origin "refs/series/*:refs/series/*" && is HEAD~3 3 && "$SERIES" status >out &&
		test_grep "topic: 3" out && "$SERIES" base --set HEAD~2 >out && is HEAD~2 2 || return 1
	done
'

test_expect_success 'replaced and grafted history below the base changes nothing' '
	upstream && topic && "$SERIES" init && git replace --graft origin/mm-unstable~2 && rm .git/series/topic.base &&
	is origin/mm-unstable 3 && old=$(git rev-parse origin/mm-unstable) && rebuild 1 && fetch && is $old 3 &&
	git rebase -q --onto origin/mm-unstable $old && is origin/mm-unstable 3
'

# trailers FILE: the base information of a mail.
trailers() {
	grep -h -E "^(base-commit|prerequisite-[a-z-]*): " "$@"
}

test_expect_success 'prerequisite patches and base-commit are those of git format-patch --base' '
	upstream && topic && "$SERIES" init --base HEAD~1 && printf "t: title\n\nText.\n" | "$SERIES" cover -F - &&
	"$SERIES" base --prerequisite origin/mm-unstable..HEAD~1 >out && trailers out >got &&
	git format-patch -q --base=origin/mm-unstable -1 -o gitout && trailers gitout/*.patch >want &&
	[ "$(wc -l <want)" = 3 ] && cut -d, -f1 got | sort >sorted && sort want | cmp - sorted &&
	grep prerequisite want >order && grep prerequisite got | cmp - order &&
	git cat-file -p refs/series/topic/state:series.json >doc && python3 -c "
import json; d=json.load(open(\"doc\"))
assert d[\"prerequisites\"]==open(\"order\").read().splitlines(), d" &&
	"$SERIES" format -o mails >/dev/null 2>&1; trailers mails/* | cmp - want
'

test_expect_success 'prerequisites as single commits, in the order given; replaced, and cleared' '
	cd w && "$SERIES" base --prerequisite HEAD~2 --prerequisite HEAD~1 >out && trailers out >got &&
	grep prerequisite got | cmp - order && test_grep "base-commit: $(git rev-parse origin/mm-unstable)" got &&
	"$SERIES" base --prerequisite HEAD~1 >out && trailers out >got && [ "$(grep -c prerequisite got)" = 1 ] &&
	test_grep "base-commit: $(git rev-parse HEAD~2)" got && "$SERIES" base --no-prerequisite >out && test_nogrep "prerequisite" out &&
	"$SERIES" format -o mails >/dev/null 2>&1; trailers mails/* >got && echo "base-commit: $(git rev-parse HEAD~1)" | cmp - got &&
	test_status 129 "$SERIES" base --no-prerequisite --prerequisite HEAD 2>err && test_grep "exclude" err
'

test_expect_success 'prerequisites from elsewhere leave base-commit; a rebase makes the public base stale' '
	cd w && "$SERIES" base --prerequisite origin/linus~1..origin/linus >out && test_nogrep "base-commit" out &&
	"$SERIES" base --prerequisite HEAD~1 && test_commit x1 1 "x: 1" && "$SERIES" base >out && test_grep "^base-commit" out &&
	"$SERIES" base --set HEAD~1 >out && test_grep "name them again" out && test_nogrep "^base-commit" out &&
	"$SERIES" base --json >j && test_grep "\"public\": \"$(git rev-parse HEAD~1)\"" j
'

test_expect_success 'another series and a Message-ID as prerequisite; what cannot be one is said' '
	upstream && topic && "$SERIES" init && git switch -q -c other HEAD~1 && "$SERIES" init --base HEAD~1 && git switch -q topic &&
	test_status 1 "$SERIES" base --prerequisite other 2>err && test_grep "was not posted yet" err &&
	id=$(git cat-file -p refs/series/other/state:series.json | sed -n "s/.*change_id\": \"\(.*\)\".*/\1/p") &&
	printf "{\"schema\":1,\"n\":4,\"base\":\"%s\",\"head\":\"%s\",\"postings\":[{\"state\":\"sent\",\"message_id\":\"m@example.org\",\"date\":1}],\"patches\":[]}" \
		"$(git rev-parse HEAD~1)" "$(git rev-parse HEAD)" >v4 && blob=$(git hash-object -w v4) &&
	git read-tree --index-output=idx refs/series/other/state && GIT_INDEX_FILE=idx git update-index --add --cacheinfo "100644,$blob,versions/4.json" &&
	git update-ref refs/series/other/state "$(git commit-tree -p refs/series/other/state -m v4 "$(GIT_INDEX_FILE=idx git write-tree)")" &&
	"$SERIES" base --prerequisite other --prerequisite "<20261130.1-x@example.org>" >out && trailers out >got &&
	printf "prerequisite-change-id: %s:v4\nprerequisite-message-id: <20261130.1-x@example.org>\n" "$id" | cmp - got || return 1
	for w in nix..HEAD HEAD..HEAD ..HEAD HEAD.. HEAD...origin/linus nix "<no>" "<a b@c>" topic origin/linus~1 "$(printf "<a\033@b>")"; do
		"$SERIES" base --prerequisite "$w" >out 2>err && { echo "taken: $w"; return 1; }
		test_grep "prerequisite" err && "$SERIES" base >out && trailers out | cmp - got || return 1
	done
'

test_done
