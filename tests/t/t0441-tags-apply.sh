#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tags --apply: tags of documents written by hand, put into commits. What the messages are
# to be is written down here; trees, authors and dates are compared by git.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

# tag ID TYPE NAME EMAIL PATCH DATE [MORE]: a tag for patch PATCH of v1 (0: its cover)
tag() {
	put "review/tags/$1.json" <<-E
	{"schema": 1, "type": "$2", "line": "$2: $3 <$4>", "name": "$3", "email": "$4",
	 "message_id": "$1@example.org", "date": $6, "version": 1, "label": "v1", "patch": $5,
	 "kind": "collected"${7:+, $7}}
	E
}

# all_but_messages RANGE: what must not change
all_but_messages() {
	git log --reverse --format='%T %an %ae %ad %cn %ce %cd' --date=raw "$1"
}

# trailers REV
trailers() {
	git log -1 --format=%B "$1" | sed '1,/^Text/d;/^$/d'
}

test_expect_success 'a series with tags of every state' '
	git init -q r && cd r && seq 1 60 >numbers && git add numbers && git commit -q -m base &&
	git switch -q -c topic && for i in 1 2 3; do
		sed "${i}0s/.*/line $i/" numbers >n && mv n numbers &&
		git commit -q -a -s -m "numbers: change line ${i}0" -m "Text." || return 1
	done && "$SERIES" init --base main && version 1 sent HEAD~2 HEAD~1 HEAD &&
	tag 1000000000000001 Reviewed-by "Rita Reader" rita@example.org 1 1700000300 &&
	tag 1000000000000002 Tested-by "Tom Tester" tom@example.org 0 1700000100 &&
	tag 1000000000000003 Acked-by "Ann Acker, PhD" ann@example.org 2 1700000200 &&
	tag 1000000000000004 Reviewed-by "Cora Condition" cora@example.org 3 1700000400 \
		"\"condition\": \"with that fixed\"" &&
	tag 1000000000000005 Reviewed-by "Dora Doubt" dora@example.org 3 1700000500 "\"doubtful\": true" &&
	tag 1000000000000006 Reviewed-by "Rolf Retract" rolf@example.org 3 1700000600 "\"retracted\": true" &&
	git tag before && "$SERIES" tags >../list && "$SERIES" tags --json >../list.json &&
	python3 - ../list.json <<-\E
	import json, sys
	d = json.load(open(sys.argv[1]))
	got = [(p["n"], t["type"], t["name"], t["detail"], t["applied"]) for p in d["patches"] for t in p["tags"]]
	want = [(1, "Tested-by", "Tom Tester", "holds", False), (1, "Reviewed-by", "Rita Reader", "holds", False),
	        (2, "Tested-by", "Tom Tester", "holds", False), (2, "Acked-by", "Ann Acker, PhD", "holds", False),
	        (3, "Tested-by", "Tom Tester", "holds", False), (3, "Reviewed-by", "Cora Condition", "conditional", False),
	        (3, "Reviewed-by", "Dora Doubt", "doubtful", False), (3, "Reviewed-by", "Rolf Retract", "retracted", False)]
	assert got == want, got
	assert [t["state"] for t in d["patches"][2]["tags"]] == ["holds", "conditional", "conditional", "refused"]
	E
'

test_expect_success 'the list fits 80 columns and says why' '
	test_grep "^1/3  numbers: change line 10" list && test_grep "with that fixed" list &&
	test_grep "5 to put into the commits" list && test_grep "2 to decide" list &&
	! grep -q "^.\{81\}" list
'

test_expect_success 'apply: messages alone change, in a dirty tree, in the order they came' '
	cd r && echo dirt >>numbers && git status --porcelain >../status.before &&
	all_but_messages main..topic >../b && "$SERIES" tags --apply >../out &&
	all_but_messages main..topic >../a && cmp ../b ../a && git status --porcelain | cmp - ../status.before &&
	printf "%s\n" "Tested-by: Tom Tester <tom@example.org>" "Reviewed-by: Rita Reader <rita@example.org>" \
		"Signed-off-by: Wendy Writer <wendy@example.org>" >../want && trailers topic~2 | cmp - ../want &&
	printf "%s\n" "Tested-by: Tom Tester <tom@example.org>" "Acked-by: Ann Acker, PhD <ann@example.org>" \
		"Signed-off-by: Wendy Writer <wendy@example.org>" >../want && trailers topic~1 | cmp - ../want &&
	printf "%s\n" "Tested-by: Tom Tester <tom@example.org>" \
		"Signed-off-by: Wendy Writer <wendy@example.org>" >../want && trailers topic | cmp - ../want &&
	test_grep "5 tags put into 3 commits" ../out && test_grep "with that fixed" ../out &&
	test_grep "series tags --apply --keep ID" ../out && git fsck --strict &&
	git reflog -1 topic | grep "tags --apply"
'

test_expect_success 'again: nothing is doubled, nothing moves' '
	cd r && git rev-parse topic >../h && "$SERIES" tags --apply >../out && git rev-parse topic | cmp - ../h &&
	test_grep "no tag to put" ../out && "$SERIES" tags | grep -c "in the commit" | grep -qx 5
'

test_expect_success 'undo brings back the very commits, once' '
	cd r && "$SERIES" tags --undo && test "$(git rev-parse topic)" = "$(git rev-parse before)" &&
	git status --porcelain | cmp - ../status.before && test_status 1 "$SERIES" tags --undo 2>err &&
	test_grep "no tags were applied" err && "$SERIES" tags --apply && git commit -q --amend -s --no-edit \
		-m "numbers: another title" --no-verify --only && test_status 1 "$SERIES" tags --undo 2>err &&
	test_grep "has moved since" err && git checkout -q -f && git reset -q --hard before
'

test_expect_success 'decisions are kept, asked once, and named by the digits of an id' '
	cd r && test_status 129 "$SERIES" tags --keep 100 2>err && test_grep "at least 4 digits" err &&
	test_status 129 "$SERIES" tags --keep 1000 2>err && test_grep "beginning of two" err &&
	test_status 1 "$SERIES" tags --keep ffff 2>err && test_grep "no tag" err &&
	"$SERIES" tags --keep 1000000000000004 --reason "is fixed" >out && test_grep "kept: is fixed" out &&
	"$SERIES" tags --drop 1000000000000003 --reason "her words" && "$SERIES" tags --apply &&
	trailers topic | grep -q Cora && ! trailers topic~1 | grep Ann &&
	git show refs/series/topic/state:review/tags/1000000000000003.json | grep -q "\"her words\"" &&
	git log -1 --format=%s refs/series/topic/state | grep "^tags: drop 1" && "$SERIES" tags --undo
'

# The code of patch 2 changes by a line, patch 1 by a comment and its message, patch 3 not.
test_expect_success 'changed code: left out and listed without a terminal; Tested-by for the series' '
	cd r && git reset -q --hard main && for i in 1 2 3; do
		w="line $i" && test $i != 2 || w="LINE $i"
		sed "${i}0s/.*/$w/" numbers >n && mv n numbers && git commit -q -a -s -m "numbers: change line ${i}0" \
			-m "Text $i" || return 1
	done && "$SERIES" tags --drop 1000000000000003 --reason "" >/dev/null && tag 1000000000000003 Acked-by "Ann Acker" \
		ann@example.org 2 1700000200 && "$SERIES" tags >list && test_grep "2 lines changed since v1" list &&
	test_grep "code of patch 2 changed since v1 (2 lines)" list && "$SERIES" tags --apply >out &&
	git log --format=%B main..topic | grep "^Reviewed-by\|^Tested\|^Acked" >got &&
	printf "%s\n" "Reviewed-by: Cora Condition <cora@example.org>" "Reviewed-by: Rita Reader <rita@example.org>" | cmp - got &&
	test_grep "2/3 Acked-by from Ann Acker (v1): 2 lines changed" out && "$SERIES" tags --undo
'

test_expect_success 'series.tags.changed: keep and drop; another word is an error' '
	cd r && git -c series.tags.changed=drop rev-parse && git config series.tags.changed drop && "$SERIES" tags >list &&
	test_grep "Acked-by .*dropped" list && git config series.tags.changed keep && "$SERIES" tags --apply >out &&
	trailers topic~1 | grep "^Acked-by: Ann" && "$SERIES" tags --undo && git config series.tags.changed maybe &&
	test_status 129 "$SERIES" tags 2>err && test_grep "ask, keep or drop" err && git config --unset series.tags.changed
'

test_expect_success 'asked at a terminal, with the difference, once' '
	cd r && python3 "$SRCDIR/tests/helper/terminal.py" "[y/n/LATER]" "n\n" "[y/n/LATER]" "y\n" -- \
		"$SERIES" tags --apply >out && test_grep "++LINE 2" out && test_nogrep "Text 3" out && test_grep "2/3 Tested-by from Tom" out &&
	git show refs/series/topic/state:review/tags/1000000000000002.json | grep "\"decision\": \"drop\"" &&
	git show refs/series/topic/state:review/tags/1000000000000003.json | grep "\"decision\": \"keep\"" &&
	trailers topic~1 | grep "^Acked-by: Ann" && ! git log main..topic --format=%B | grep "^Tested" &&
	"$SERIES" tags --undo && git reset -q --hard before
'

# busy WORDS COMMAND END: while it stands half way, the branch is left alone.
busy() {
	at=$(git rev-parse topic)
	$2 && { echo "went through: $2"; return 1; }
	test_status 1 "$SERIES" tags -s topic --apply 2>err && test_grep "$1" err &&
	test "$(git rev-parse topic)" = "$at" && $3
}
test_expect_success 'refused while a rebase, merge, cherry-pick, revert or am goes on' '
	cd r && git branch other main && git switch -q other && sed "10s/.*/theirs/" numbers >n && mv n numbers &&
	git commit -q -a -m theirs && git format-patch -q -1 -o ../am && git switch -q topic &&
	busy "is being rebased" "git rebase -q other" "git rebase --abort" &&
	busy "git merge is not at its end" "git merge -q other" "git merge --abort" &&
	busy "git cherry-pick" "git cherry-pick other" "git cherry-pick --abort" &&
	sed "10s/.*/more/" numbers >n && mv n numbers && git commit -q -a -m more &&
	busy "git revert" "git revert --no-edit HEAD~3" "git revert --abort" &&
	busy "git am" "git am -q -3 $T/am/0001-theirs.patch" "git am --abort" &&
	git reset -q --hard before && "$SERIES" tags --apply && "$SERIES" tags --undo
'

test_expect_success 'the branch is checked out in a linked worktree, where it is in use' '
	cd r && git switch -q main && git worktree add -q ../linked topic && cd ../linked && echo dirt >>numbers &&
	git status --porcelain >../w.before && cd ../r && "$SERIES" tags -s topic --apply && cd ../linked &&
	git status --porcelain | cmp - ../w.before && trailers HEAD~2 | grep "^Reviewed-by: Rita" && "$SERIES" tags --undo &&
	git status --porcelain | cmp - ../w.before && git checkout -q numbers && { git merge -q other || :; } && cd ../r &&
	test_status 1 "$SERIES" tags -s topic --apply 2>err && test_grep "git merge" err && cd ../linked &&
	git merge --abort && cd ../r && git worktree remove --force ../linked && git switch -q topic
'
# messages TAG-LINE...: one patch with this block of trailers, and what it became
test_expect_success 'the order of trailers is that of b4, asked for the same messages' '
	python3 -c "import b4" 2>/dev/null || { echo "no b4 here: left out"; return 0; }
	cd r && for order in "*" "tested*,reviewed*,*" "acked-by,tested-by"; do
		git reset -q --hard before && git commit -q --amend -m "numbers: change line 30" -m "Text." \
			-m "Cc: list@example.org
Signed-off-by: Otto Other <otto@example.org>
Acked-by: Ann Acker <ann@example.org>
Signed-off-by: Wendy Writer <wendy@example.org>" &&
		tag 2000000000000001 Reviewed-by "Una Under" una@example.org 3 1700000050 &&
		tag 2000000000000002 Tested-by "Vera Verify" vera@example.org 3 1700000060 &&
		git log -1 --format=%B >../message && git config b4.trailer-order "$order" &&
		"$SERIES" tags --drop 1000000000000002 --drop 1000000000000004 >/dev/null && "$SERIES" tags --apply &&
		git log -1 --format=%B | sed "/^$/d" >../got && python3 - "$order" ../message >../want <<-\E &&
		import sys, b4, email.message
		b4.MAIN_CONFIG = dict(b4.DEFAULT_CONFIG, **{"trailer-order": sys.argv[1], "attestation-policy": "off"})
		b4.USER_CONFIG = {"name": "Wendy Writer", "email": "wendy@example.org"}
		m = email.message.EmailMessage()
		m["Subject"] = "[PATCH] numbers: change line 30"
		m["From"] = "Wendy Writer <wendy@example.org>"
		text = open(sys.argv[2]).read().split("\n", 2)[2]
		m.set_content(text + "---\n numbers | 2 +-\n\ndiff --git a/numbers b/numbers\n--- a/numbers\n+++ b/numbers\n@@ -1 +1 @@\n-a\n+b\n")
		l = b4.LoreMessage(m)
		l.followup_trailers = [b4.LoreTrailer(name="Reviewed-by", value="Una Under <una@example.org>"),
		                       b4.LoreTrailer(name="Tested-by", value="Vera Verify <vera@example.org>")]
		l.fix_trailers()
		print("\n".join(x for x in l.message.split("\n") if x))
		E
		diff ../want ../got || return 1
	done && git config --unset b4.trailer-order && git reset -q --hard before
'

test_expect_success 'a note, an encoding and a signature' '
	cd r && git config i18n.commitEncoding ISO-8859-1 && printf "numbers: caf\\351\n\nText.\n\nSigned-off-by: Wendy Writer <wendy@example.org>\n" \
		>../latin && git commit -q --amend -F ../latin --author "$(printf "J\\366rg <joerg@example.org>")" &&
	git config --unset i18n.commitEncoding && git cat-file commit HEAD | grep "^encoding ISO-8859-1" &&
	signed=$(git cat-file commit HEAD | sed "/^committer/a\\
gpgsig -----BEGIN PGP SIGNATURE-----\\
 none\\
 -----END PGP SIGNATURE-----" | git hash-object -t commit -w --stdin) && git update-ref refs/heads/topic $signed &&
	put review/tags/3000000000000001.json <<-\E && "$SERIES" tags --apply >out &&
	{"schema": 1, "type": "Acked-by", "line": "Acked-by: Zo\u00eb Acker <zoe@example.org> # mm\n[only the mm parts]", "name": "Zo\u00eb Acker",
	 "email": "zoe@example.org", "message_id": "z@example.org", "date": 1700000900, "version": 1, "label": "v1", "patch": 3,
	 "kind": "collected"}
	E
	test_grep "1 commit had a signature" out && git cat-file commit HEAD >raw && ! grep "^encoding\|^gpgsig" raw &&
	python3 - raw <<-\E && "$SERIES" tags --undo && test "$(git rev-parse HEAD)" = $signed && git reset -q --hard before
	import sys
	head, text = open(sys.argv[1], "rb").read().decode().split("\n\n", 1)
	assert "author Jörg <joerg@example.org>" in head, head
	assert text.startswith("numbers: café\n\nText.\n\n"), text
	assert "Acked-by: Zoë Acker <zoe@example.org> # mm\n[only the mm parts]\nSigned-off-by: Wendy" in text, text
	E
'

test_expect_success 'a lock of the branch that a killed git left: its file and the remedy are named' '
	cd r && before=$(git rev-parse topic) && : >.git/refs/heads/topic.lock && test_status 1 "$SERIES" tags --apply 2>../err &&
	test_grep "if none runs here, rm .$PWD/.git/refs/heads/topic.lock.\$" ../err && [ $(wc -l <../err) = 1 ] && [ "$(git rev-parse topic)" = $before ] &&
	sed -n "s/.*if none runs here, //p" ../err >../remedy && sh ../remedy && "$SERIES" tags --apply && "$SERIES" tags --undo && [ "$(git rev-parse topic)" = $before ]
'

test_expect_success 'killed at any moment: the branch is as it was or as it is to be, never between' '
	cd r && before=$(git rev-parse topic) && "$SERIES" tags --apply && after=$(git rev-parse topic) && "$SERIES" tags --undo &&
	for ms in 2 5 8 12 16 20 30 40; do
		"$SERIES" tags --apply >/dev/null 2>&1 & pid=$!
		sleep 0.0$(printf %02d $ms) && kill -9 $pid 2>/dev/null; wait $pid
		# A lock of the branch that a killed git left is for a person to remove.
		sleep 0.3; rm -f .git/refs/heads/topic.lock
		now=$(git rev-parse topic) && { test $now = $before || test $now = $after; } && git fsck --strict || return 1
		# That it moved is known by then; what was noted for one that did not is written over.
		test $now = $before && continue
		"$SERIES" tags --undo && test -z "$(git for-each-ref refs/series/topic/tags-before)" || return 1
	done && "$SERIES" tags --apply && test $(git rev-parse topic) = $after
'
test_done
