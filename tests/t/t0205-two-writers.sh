#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The store under stress: writers at once, killed ones, locks of the living and the dead, what
# reaches the disk, a newer schema, and repositories that were moved, packed or left for a year.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

ref=refs/series/topic/state
commits() { git rev-list --count $ref; }

test_expect_success 'setup' '
	make_base r && test_commit a 1 "a: one" && "$SERIES" init --base main
'

test_expect_success 'eight writers, twenty changes each: all 160 are there, in one line' '
	cd r && before=$(commits) && pids= && for p in 1 2 3 4 5 6 7 8; do
		(for i in $(seq 1 20); do "$SERIES" recipients --add-cc "w$p-$i@example.org" >/dev/null || exit 1; done) 2>../w.$p & pids="$pids $!"
	done && bad= && for p in $pids; do wait $p || bad=1; done; [ -z "$bad" ] || { cat ../w.*; return 1; }
	[ $(($(commits) - before)) = 160 ] && [ "$(git rev-list --min-parents=2 --count $ref)" = 0 ] &&
	for p in 1 2 3 4 5 6 7 8; do for i in $(seq 1 20); do echo "w$p-$i@example.org"; done; done | sort >../want &&
	git cat-file -p $ref:series.json | python3 -c "
import json,sys; print(*sorted(json.load(sys.stdin)[\"cc\"]),sep=\"\n\")" | sort >../got && test_cmp ../want ../got
'

test_expect_success 'writers in two work trees share state and lock' '
	cd r && git worktree add -q -b other ../linked main; (cd ../linked && for i in 1 2 3 4 5; do "$SERIES" recipients -s topic --add-to "l$i@example.org" >/dev/null || exit 1; done) & p=$!
	for i in 1 2 3 4 5; do "$SERIES" recipients --add-to "r$i@example.org" >/dev/null || return 1; done && wait $p &&
	git cat-file -p $ref:series.json | grep -c "\"[lr][1-5]@example.org\"" >n && [ "$(cat n)" = 10 ] &&
	cd ../linked && test_status 1 "$SERIES" log 2>err && test_grep "branch other has no series" err && "$SERIES" list >out && test_grep "^   *topic  topic" out
'

test_expect_success 'a writer killed at any moment: the old state or the new one, whole' '
	cd r && for i in $(seq 1 15); do
		old=$(git rev-parse $ref) && echo "title $i" >../in || return 1
		"$SERIES" cover -F ../in >/dev/null 2>&1 & p=$!
		sleep 0.0$i; kill -9 $p 2>/dev/null; wait $p 2>/dev/null
		new=$(git rev-parse $ref) && if [ "$new" != "$old" ]; then
			[ "$(git rev-parse $new^)" = "$old" ] && git cat-file -p $new:cover.txt | cmp - ../in || return 1
		fi; git cat-file -e $ref:series.json || return 1
	done && echo last | "$SERIES" cover -F - && "$SERIES" cover >out && test_grep "^last" out &&
	git fsck 2>&1 | grep -E "missing|broken|error" >bad; [ ! -s bad ]
'

test_expect_success 'the ref lock of a living git stays, and the error names it' '
	cd r && old=$(git rev-parse $ref) && : >.git/$ref.lock && touch -d "1 hour" .git/$ref.lock && echo x >../in &&
	test_status 1 "$SERIES" cover -F ../in 2>err && test_grep "state.lock" err && [ -e .git/$ref.lock ] && [ "$(git rev-parse $ref)" = "$old" ] && rm .git/$ref.lock
'

if strace -o /dev/null true 2>/dev/null; then
	test_expect_success 'objects and refs are synced to the disk before they count' '
		cd r && echo "synced" >../in && ASAN_OPTIONS=detect_leaks=0 strace -f -y -e trace=fsync,fdatasync,rename,renameat,renameat2,link -o ../trace "$SERIES" cover -F ../in &&
		grep "fsync(.*objects/" ../trace >o && [ "$(wc -l <o)" -ge 3 ] && grep "fsync(.*$ref.lock" ../trace >l &&
		n=$(grep -n "fsync(.*$ref.lock" ../trace | tail -1 | cut -d: -f1) && m=$(grep -n "rename.*state.lock" ../trace | tail -1 | cut -d: -f1) && [ "$n" -lt "$m" ] &&
		last=$(grep -n "fsync(.*objects/" ../trace | tail -1 | cut -d: -f1) && [ "$last" -lt "$m" ]
	'
else
	test_skip 'objects and refs are synced to the disk before they count' 'no strace'
fi

test_expect_success 'a newer schema is refused by everything that reads or writes the series' '
	cd r && old=$(git rev-parse $ref) && git cat-file -p $ref:series.json | sed "s/\"schema\": 1/\"schema\": 2/" >../doc &&
	GIT_INDEX_FILE=../idx git read-tree $ref && GIT_INDEX_FILE=../idx git update-index --cacheinfo "100644,$(git hash-object -w ../doc),series.json" &&
	git update-ref $ref "$(git commit-tree -p $ref -m newer "$(GIT_INDEX_FILE=../idx git write-tree)")" && new=$(git rev-parse $ref) && echo x >../in &&
	for c in status log "cover" "cover -F ../in" base "base --set main" recipients "recipients --add-to x@example.org" format "send --dry-run" "send --yes" "build --arch arm64" report; do
		test_status 1 "$SERIES" $c >out 2>err && test_grep "newer version of series" err || { echo "$c"; return 1; }
	done && [ "$(git rev-parse $ref)" = "$new" ] && test_status 2 "$SERIES" list >out 2>err && test_grep unreadable out &&
	git update-ref $ref $old
'

test_expect_success 'a year later: reflogs gone, another e-mail address, branch deleted and made again' '
	cd r && git config sendemail.smtpserverport 1 && sink out.r && echo letter | "$SERIES" cover -F - && "$SERIES" recipients --add-to l@example.org && "$SERIES" send --yes &&
	git config user.email wendy@other.example.org && git worktree remove --force ../linked && git switch -q main && git branch -q -D topic && git reflog expire --expire=now --all && git gc -q --prune=now &&
	"$SERIES" status -s topic >out && test_grep "topic (gone)" out && cmd=$(sed -n "s/^next: .*bring it back: //p" out) && sh -c "$cmd" && git switch -q topic &&
	"$SERIES" status >out && test_grep "^topic  v1 sent, branch topic" out && test_grep "^ *1  a: one" out && "$SERIES" log >out && test_grep "^v1" out
'

test_expect_success 'renamed in a linked work tree, copied, and the copy is told apart without reflogs' '
	cd r && git worktree add -q -b w ../linked main && git switch -q main && cd ../linked && git switch -q topic && git branch -m topic better && "$SERIES" log >out && test_grep "^v1" out &&
	"$SERIES" base --set main && git branch -c better copy && git reflog expire --expire=now --all && "$SERIES" log >out && git switch -q copy && test_status 1 "$SERIES" log 2>err &&
	test_grep "copy of better" err && git switch -q better
'

test_expect_success 'a repository that was moved on the disk' '
	mv r moved && cd moved && git worktree repair ../linked 2>/dev/null; "$SERIES" list >out && test_grep "topic  better" out && echo moved | "$SERIES" cover -s topic -F - &&
	cd ../linked && "$SERIES" cover >out && test_grep "^moved" out
'

test_expect_success 'doctor: mirrors and refspecs that would write over states, each with a remedy that works' '
	cd moved && git remote add safe "file://$T/x" && git config --add remote.safe.fetch "+refs/series/*:refs/series-remote/safe/*" && git config --add remote.safe.push refs/heads/main &&
	"$SERIES" doctor >out 2>&1; test_nogrep "remote.safe" out && git remote add --mirror=push m "file://$T/x" && git config --add remote.p.push "+refs/*:refs/*" && git config --add remote.p.push refs/heads/main &&
	git config remote.q.push "refs/series/*" && git config remote.q.url x && git config remote.f.fetch "+refs/*:refs/*" && git config remote.g.fetch "+refs/series/*:refs/series/*" &&
	"$SERIES" doctor >out 2>&1; test_grep "warning  *remote.m.mirror is set" out && test_grep "warning  *remote.p.push = +refs/\*:refs/\*" out && test_nogrep "refs/heads/main" out &&
	test_grep "warning  *remote.q.push" out && test_grep "warning  *remote.f.fetch" out && test_grep "warning  *remote.g.fetch" out &&
	sed -n "s/^  *\(git config --unset-all [^,]*\).*/\1/p" out >fix && sh -e fix && "$SERIES" doctor >out 2>&1; test_nogrep "remote\.[mpqfg]\." out && git config remote.p.push >v && test_grep "^refs/heads/main$" v
'

test_expect_success 'doctor: what killed processes left, when it is old' '
	cd moved && mkdir -p .git/series/outbox/20260101-abcdef.tmp .git/refs/series/topic && : >.git/refs/series/topic/v9.lock && : >.git/packed-refs.lock && : >.git/series/topic.cover.txt &&
	"$SERIES" doctor >out 2>&1; test_nogrep "v9.lock\|packed-refs\|outbox\|cover.txt" out &&
	touch -d "2 hours ago" .git/series/outbox/20260101-abcdef.tmp .git/refs/series/topic/v9.lock .git/packed-refs.lock .git/series/topic.cover.txt &&
	"$SERIES" doctor >out 2>&1; for n in v9.lock packed-refs.lock abcdef.tmp topic.cover.txt; do test_grep "warning.*$n" out || return 1; done &&
	sed -n "s/^  *\(if no git runs here: \)*\(rm .*\)/\2/p" out >fix && [ "$(wc -l <fix)" = 3 ] && sh -e fix && rm .git/series/topic.cover.txt && "$SERIES" doctor >out 2>&1; test_nogrep "lock\|abcdef" out
'

test_done
