#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Decisions about tags: for one patch of a tag on the cover, for all of them, and what
# becomes of the tags that are in the commits already. Expected values are written down.
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
# states: "PATCH PERSON DETAIL in|out" of every tag, from standard input
states() {
	"$SERIES" tags --json | python3 -c "
import json, sys
d = json.load(sys.stdin)
for n, t in [(0, t) for t in d['others']] + [(p['n'], t) for p in d['patches'] for t in p['tags']]:
    print(n, t['name'].split()[0], t['detail'], 'in' if t['applied'] else 'out')" >"$T/got" && diff - "$T/got"
}
# said ID KEY...: of the stored document
said() {
	git show "refs/series/topic/state:review/tags/$1.json" >"$T/doc" && shift && python3 -c "
import json, sys
v = json.load(open('$T/doc'))
for k in sys.argv[1:]:
    v = v.get(k) if v else v
print(json.dumps(v, sort_keys=True))" "$@"
}
terminal() {
	python3 "$SRCDIR/tests/helper/terminal.py" "$@"
}
anton=aaaa000000000001
cleo=cccc000000000001

test_expect_success "only the last of three patches changed since v1 was posted" '
	git init -q r && cd r && seq 1 60 >numbers && git add numbers && git commit -q -m base && git switch -q -c topic &&
	for i in 1 2 3; do
		sed "${i}0s/.*/line $i/" numbers >n && mv n numbers && git commit -q -a -s -m "numbers: change line ${i}0" -m "Text." || return 1
	done && "$SERIES" init --base main && version 1 sent HEAD~2 HEAD~1 HEAD && sed "30s/.*/LINE 3/" numbers >n && mv n numbers &&
	git commit -q -a --amend --no-edit && git tag changed && tag $anton Acked-by "Anton Acker" anton@example.org 0 1700000100 &&
	tag $cleo Reviewed-by "Cleo Cond" cleo@example.org 0 1700000200 "\"condition\": \"with that fixed\"" && git update-ref refs/keep refs/series/topic/state &&
	states <<-\E
	1 Anton holds out
	1 Cleo conditional out
	2 Anton holds out
	2 Cleo conditional out
	3 Anton changed out
	3 Cleo conditional out
	E
'

test_expect_success "an answer holds for the patch that was asked about" '
	cd r && terminal "Keep the tag" "n\n" -- "$SERIES" tags --apply >out && test_grep "3/3 Acked-by from Anton Acker" out && test_nogrep "[12]/3 Acked-by" out &&
	test "$(said $anton decisions 3 decision)" = "\"drop\"" && test "$(said $anton decision)" = null && states <<-\E
	1 Anton holds in
	1 Cleo conditional out
	2 Anton holds in
	2 Cleo conditional out
	3 Anton dropped out
	3 Cleo conditional out
	E
'

test_expect_success "kept without a patch: where it does not hold by itself; dropped: everywhere; one patch: that one" '
	cd r && "$SERIES" tags --undo && git update-ref refs/series/topic/state refs/keep && "$SERIES" tags --keep $anton --reason "a typo" >/dev/null &&
	test "$(said $anton decision)" = null && test "$(said $anton decisions)" = "{\"3\": {\"decision\": \"keep\", \"reason\": \"a typo\"}}" &&
	"$SERIES" tags --keep $cleo:2 >/dev/null && test "$(said $cleo decisions 2 decision)" = "\"keep\"" && states <<-\E &&
	1 Anton holds out
	1 Cleo conditional out
	2 Anton holds out
	2 Cleo holds out
	3 Anton holds out
	3 Cleo conditional out
	E
	"$SERIES" tags --drop $anton >/dev/null && test "$(said $anton decision)" = "\"drop\"" && test "$(said $anton decisions)" = null &&
	"$SERIES" tags --keep $anton:1 --drop $cleo:3 >/dev/null && states <<-\E &&
	1 Anton holds out
	1 Cleo conditional out
	2 Anton dropped out
	2 Cleo holds out
	3 Anton dropped out
	3 Cleo dropped out
	E
	"$SERIES" tags --keep $anton >/dev/null && test "$(said $anton decision)" = null && states <<-\E
	1 Anton holds out
	1 Cleo conditional out
	2 Anton holds out
	2 Cleo holds out
	3 Anton holds out
	3 Cleo dropped out
	E
'

test_expect_success "documents written before hold for all patches; moved patches keep their decisions" '
	cd r && tag $anton Acked-by "Anton Acker" anton@example.org 0 1700000100 "\"decision\": \"keep\", \"reason\": \"old\"" && "$SERIES" tags --drop $cleo:1 >/dev/null &&
	GIT_SEQUENCE_EDITOR="sed -i -e 1{h\;d} -e 2G" git rebase -q -i main && test "$(git log --format=%s main..)" = "numbers: change line 30
numbers: change line 10
numbers: change line 20" && states <<-\E
	1 Anton holds out
	1 Cleo holds out
	2 Anton holds out
	2 Cleo dropped out
	3 Anton holds out
	3 Cleo dropped out
	E
'

test_expect_success "what cannot be meant is an error, and stores nothing" '
	cd r && git reset -q --hard changed && tag bbbb000000000001 Acked-by "Bea Both" bea@example.org 2 1700000300 && git rev-parse refs/series/topic/state >../s &&
	test_status 129 "$SERIES" tags --keep $anton --drop $anton 2>err && test_grep "kept and to be dropped" err &&
	test_status 129 "$SERIES" tags --keep $anton:3 --drop aaaa 2>err && test_grep "kept and to be dropped" err &&
	test_status 129 "$SERIES" tags --drop $anton:4 2>err && test_grep "1 to 3" err && test_status 129 "$SERIES" tags --drop $anton: 2>err &&
	test_status 1 "$SERIES" tags --keep bbbb:3 2>err && test_grep "not about patch 3" err &&
	test_status 1 "$SERIES" tags --keep $cleo --drop dddd 2>err && git rev-parse refs/series/topic/state | cmp - ../s &&
	"$SERIES" tags --keep bbbb:2 >/dev/null && test "$(said bbbb000000000001 decision)" = "\"keep\"" && test "$(said bbbb000000000001 decisions)" = null
'

# Anton's and Nick's ids are told apart from a remark's by the 11th digit.
test_expect_success "ids have one width: 8 digits, or what tells all tags and remarks apart" '
	cd r && git update-ref refs/series/topic/state refs/keep && "$SERIES" tags >out && test_grep "^  aaaa0000  Acked-by" out &&
	put_state review/remarks/aaaa000000100000.json "{\"schema\": 1, \"version\": 1, \"label\": \"v1\", \"patch\": 1, \"name\": \"Rita\", \"email\": \"rita@example.org\", \"text\": \"Why?\"}" &&
	put_state review/tags/ffff000000000001.json "{\"schema\": 1, \"kind\": \"nak\", \"type\": \"Nacked-by\", \"version\": 1, \"label\": \"v1\", \"patch\": 1, \"name\": \"Nick\", \"email\": \"nick@example.org\"}" &&
	"$SERIES" tags >out && test_grep "^  aaaa0000000  Acked-by" out && "$SERIES" remarks >out && test_grep "^  aaaa0000001  open" out &&
	"$SERIES" tags --apply >out && test_grep "^  cccc0000000:1 1/3 Reviewed-by" out && "$SERIES" tags --undo &&
	"$SERIES" status >out && test_grep "tags --drop ffff0000000 --reason" out && { "$SERIES" check --only nak-open >out || :; } && test_grep "tags --drop ffff0000000 --reason" out &&
	test_status 1 "$SERIES" tags --drop ffff:2 --reason no 2>err && test_grep "the tag ffff0000000 is not about patch 2" err &&
	"$SERIES" remarks --answered aaaa00000010 >out && test_grep "^remarks: aaaa0000001 answered" out && "$SERIES" remarks --show aaaa00000010 >out && test_grep "^Remark: aaaa0000001 (" out
'

test_expect_success "a NAK is acknowledged with a reason, and shown so" '
	cd r && put review/tags/ffff000000000001.json <<-\E && git rev-parse refs/series/topic/state >../s &&
	{"schema": 1, "kind": "nak", "type": "Nacked-by", "version": 1, "label": "v1", "patch": 1, "name": "Nick", "email": "nick@example.org"}
	E
	test_status 129 "$SERIES" tags --drop ffff 2>err && test_grep "a NAK of Nick" err && test_grep "reason TEXT" err &&
	test_status 129 "$SERIES" tags --drop ffff --reason "" 2>err && test_grep "reason TEXT" err && git rev-parse refs/series/topic/state | cmp - ../s &&
	"$SERIES" tags --drop ffff --reason "settled on the list" >out && test_grep "^      acknowledged: settled on the list" out
'

# trailers REV
trailers() {
	git log -1 --format=%B "$1" | sed "1,/^Text/d;/^$/d"
}
wendy="Signed-off-by: Wendy Writer <wendy@example.org>"

# Rita's tag holds in 1/3; Anton's on 3/3 does not; Tom took his back; Dan was dropped. The
# last three are in the commit of 3/3, Dan with a note, and one of nobody that we know.
test_expect_success "tags in a commit that no longer hold are shown as such, with the next step" '
	cd r && git update-ref refs/series/topic/state refs/keep && git commit -q --amend -m "numbers: change line 30" -m "Text." -m "Acked-by: Anton Acker <anton@example.org>
Tested-by: Tom Took <tom@example.org>
Reviewed-by: Dan Dropped <dan@example.org>
[only the numbers]
Reviewed-by: Nobody Known <nobody@example.org>
$wendy" && git tag stale &&
	tag $cleo Reviewed-by "Rita Reader" rita@example.org 1 1700000200 && tag dddd000000000001 Tested-by "Tom Took" tom@example.org 3 1700000300 "\"retracted\": true" &&
	put review/tags/eeee000000000001.json <<-\E && git update-ref refs/keep2 refs/series/topic/state &&
	{"schema": 1, "type": "Reviewed-by", "line": "Reviewed-by: Dan Dropped <dan@example.org>\n[only the numbers]", "name": "Dan Dropped",
	 "email": "dan@example.org", "message_id": "d@example.org", "date": 1700000400, "version": 1, "label": "v1", "patch": 3,
	 "kind": "collected", "decision": "drop", "reason": "he asked"}
	E
	"$SERIES" status >out && test_grep "^1  numbers: change line 10  *R1 A1$" out && test_grep "^3  numbers: change line 30  *?3  " out &&
	test_grep "2 tags are in the commits, and no longer hold" out && test_grep "^next: series tags --apply" out &&
	"$SERIES" tags >out && test_grep "^2 to take out of the commits: series tags --apply" out && test_grep "^1 to decide" out &&
	test_grep "^1 of them in the commits already: series tags --apply --drop ID" out && ! grep "^.\{81\}" out
'

test_expect_success "taken out without a terminal: what was dropped and taken back, nothing else; undone" '
	cd r && git log --format="%T %an %ad" main.. >../before && "$SERIES" tags --apply >out && git log --format="%T %an %ad" main.. | cmp - ../before &&
	printf "%s\n" "Acked-by: Anton Acker <anton@example.org>" "Reviewed-by: Nobody Known <nobody@example.org>" "$wendy" >../want && trailers topic | cmp - ../want &&
	cat out && test_grep "^3 tags put into 2 commits$" out && test_grep "^2 tags taken out of 1 commit$" out && test_grep "in the commits, and changed since" out &&
	test_grep "aaaa0000:3 3/3 Acked-by from Anton Acker (v1 cover): 2 lines changed since v1" out && ! grep "^.\{81\}" out &&
	"$SERIES" tags --json | grep -c "\"applied\": true" | grep -qx 4 && "$SERIES" tags --apply >out && test_grep "none to take out" out &&
	"$SERIES" tags --undo && test "$(git rev-parse topic)" = "$(git rev-parse stale)" &&
	"$SERIES" tags --apply --json | grep "\"removed\": 2" && "$SERIES" tags --undo
'

test_expect_success "at a terminal it asks about one in the commit; n takes it out, y keeps it" '
	cd r && terminal "Keep the tag" "n\n" -- "$SERIES" tags --apply >out && test_grep "3/3 Acked-by from Anton" out && ! trailers topic | grep Anton &&
	trailers topic~1 | grep Anton && test_grep "3 tags taken out of 1 commit" out && "$SERIES" tags --undo && git update-ref refs/series/topic/state refs/keep2 &&
	terminal "Keep the tag" "y\n" -- "$SERIES" tags --apply >out && trailers topic | grep Anton && "$SERIES" tags --undo &&
	git update-ref refs/series/topic/state refs/keep2 && "$SERIES" tags --apply --drop $anton:3 >out && ! trailers topic | grep Anton && trailers topic~2 | grep Anton &&
	"$SERIES" tags --undo
'

test_expect_success "the check names that way, too" '
	cd r && git update-ref refs/series/topic/state refs/keep2 && { "$SERIES" check --only tag-stale >out || :; } && cat out &&
	test_grep "series tags --apply --drop aaaa0000:3" out && test_nogrep "git rebase" out && "$SERIES" tags --apply --drop aaaa0000:3 >/dev/null &&
	"$SERIES" check --only tag-stale >out && test_nogrep "tag-stale" out && "$SERIES" tags --undo
'

test_expect_success "what stands in the text is left to a person" '
	cd r && git commit -q --amend -m "numbers: change line 30" -m "Text.
Reviewed-by: Dan Dropped <dan@example.org>
was said by him, and taken back." -m "$wendy" && git log -1 --format=%B >../b && "$SERIES" tags --apply >out && git log -1 --format=%B | cmp - ../b &&
	test_grep "^1 to take out of text" out
'

test_done
