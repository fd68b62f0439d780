#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Review of an invented series, from the first posting to the third: replies written by
# hand lie in a real archive, and what each is to be is written down here, before.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

inbox_start list || exit 1
n=0

# id VERSION PATCH: the Message-ID of a mail of ours (0: the cover)
id() {
	git -C "$T/r" show "refs/series/topic/state:versions/$1.json" | python3 -c "
import json, sys
d = json.load(sys.stdin)
print(d['postings'][0]['message_id'] if $2 == 0 else d['patches'][$2 - 1]['message_id'])"
}
# reply NAME 'NAME <ADDRESS>' PARENT SUBJECT <TEXT: a mail in $T/mails/NAME, a second later
# than the one before
reply() {
	n=$((n + 1))
	mkdir -p "$T/mails"
	{
		printf 'From: %s\nTo: Wendy Writer <wendy@example.org>\nCc: list@example.org\n' "$2"
		printf 'Subject: %s\nMessage-ID: <%s@replies.example.org>\nIn-Reply-To: <%s>\n' "$4" "$1" "$3"
		printf 'References: <%s>\nDate: %s\n' "$3" "$(date -u -R -d "@$((1900000000 + n))")"
		printf 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n\n'
		cat
	} >"$T/mails/$1"
}
# states WANT: "PATCH TYPE PERSON STATE APPLIED" of every tag, as written down
states() {
	(cd "$T/r" && "$SERIES" tags --json) | python3 -c "
import json, sys
d = json.load(sys.stdin)
rows = [(0, t) for t in d['others']] + [(p['n'], t) for p in d['patches'] for t in p['tags']]
for n, t in rows:
    print(n, t['type'] or 'NAK', t['name'].split()[0], t['label'], t['detail'], 'in' if t['applied'] else 'out')" |
		sort >"$T/states" && sort "$1" | diff - "$T/states"
}
# thread_of ID: as an mbox, from the archive
thread_of() {
	python3 -c "
import gzip, sys, urllib.request
sys.stdout.buffer.write(gzip.decompress(urllib.request.urlopen(sys.argv[1]).read()))" "$inbox_url/list/$1/t.mbox.gz"
}
# archive DIR: what the sink received is on the list
archive() {
	for m in "$T/$1"/*.eml; do
		inbox_inject list "$m" || return 1
	done
}

test_expect_success 'v1 is posted and on the list' '
	make_series r 3 && sink s1 && inbox_b4 list && "$SERIES" send --yes && archive s1 &&
	"$SERIES" update >out && test_grep "^nothing new (4 mails)" out
'

test_expect_success 'replies of every kind to v1' '
	reply rita "Rita Reader <rita@example.org>" "$(id 1 1)" "Re: [PATCH 1/3] numbers: change line 1" <<-\E &&
	On Mon, Wendy Writer wrote:
	> Signed-off-by: Wendy Writer <wendy@example.org>

	Reviewed-by: Rita Reader <rita@example.org>
	E
	reply tom "Tom Tester <tom@example.org>" "$(id 1 0)" "Re: [PATCH 0/3] numbers: words" <<-\E &&
	Works for me.

	Tested-by: Tom Tester <tom@example.org> # on two machines
	E
	reply ann "\"Acker, Ann\" <ann@example.org>" "$(id 1 2)" "Re: [PATCH 2/3] numbers: change line 2" <<-\E &&
	Acked-by: Ann Acker <ann@example.org>
	[only the numbers]
	E
	reply cora "Cora Condition <cora@example.org>" "$(id 1 3)" "Re: [PATCH 3/3] numbers: change line 3" <<-\E &&
	> +line 3

	Please write "Line 3" here. With that fixed,

	Reviewed-by: Cora Condition <cora@example.org>
	E
	reply nick "Nick Nak <nick@example.org>" "$(id 1 3)" "Re: [PATCH 3/3] numbers: change line 3" <<-\E &&
	Nacked-by: Nick Nak <nick@example.org>
	E
	reply rolf "Rolf Retract <rolf@example.org>" "$(id 1 2)" "Re: [PATCH 2/3] numbers: change line 2" <<-\E &&
	Reviewed-by: Rolf Retract <rolf@example.org>
	E
	reply quote "Quentin Quote <quentin@example.org>" rita@replies.example.org "Re: [PATCH 1/3] numbers: change line 1" <<-\E &&
	> Reviewed-by: Rita Reader <rita@example.org>

	Thanks, Rita.

	-- 
	Reviewed-by: Signature <signature@example.org>
	E
	inbox_inject list "$T"/mails/* && cd r && git log -1 --format=%H refs/series/topic/state >../s && "$SERIES" update >out &&
	cat out && test_grep "Reviewed-by from Rita Reader for v1 1/3: numbers: change line 1" out && test_grep "^6 new tags" out &&
	git log -1 --format=%s refs/series/topic/state | grep "^update: tags +6" &&
	test "$(git rev-parse refs/series/topic/state^)" = "$(cat ../s)" && cat >../want <<-\E && states "$T/want"
	1 Reviewed-by Rita v1 holds out
	1 Tested-by Tom v1 holds out
	2 Tested-by Tom v1 holds out
	3 Tested-by Tom v1 holds out
	2 Acked-by Ann v1 holds out
	2 Reviewed-by Rolf v1 holds out
	3 Reviewed-by Cora v1 conditional out
	3 Nacked-by Nick v1 nak out
	E
'

test_expect_success 'nothing new: no commit' '
	cd r && git rev-parse refs/series/topic/state >../s && "$SERIES" update >out && test_grep "^nothing new (11 mails)" out &&
	git rev-parse refs/series/topic/state | cmp - ../s
'

test_expect_success 'v2 with patch 2 changed; tags to both versions, one taken back' '
	cd r && git reset -q --hard HEAD~2 && sed "2s/.*/line two/" numbers >new && mv new numbers &&
	git commit -q -a -s -m "numbers: change line 2" && sed "3s/.*/line 3/" numbers >new && mv new numbers &&
	git commit -q -a -s -m "numbers: change line 3" && "$SERIES" changes --add "line two" && sink s2 && "$SERIES" send --yes &&
	archive s2 && cd .. && reply paula "Paula Person <paula@example.org>" "$(id 2 2)" "Re: [PATCH v2 2/3] numbers: change line 2" <<-\E &&
	Reviewed-by: Paula Person <paula@example.org>
	E
	reply lena "Lena Late <lena@example.org>" "$(id 1 1)" "Re: [PATCH 1/3] numbers: change line 1" <<-\E &&
	Acked-by: Lena Late <lena@example.org>
	E
	reply rolf2 "Rolf Retract <rolf@example.org>" rolf@replies.example.org "Re: [PATCH 2/3] numbers: change line 2" <<-\E &&
	I looked again. Please drop my Reviewed-by.
	E
	inbox_inject list mails/paula mails/lena mails/rolf2 && cd r && "$SERIES" update >out && cat out &&
	git log -1 --format=%s refs/series/topic/state && cat >../want <<-\E && states "$T/want"
	1 Reviewed-by Rita v1 holds out
	1 Acked-by Lena v1 holds out
	1 Tested-by Tom v1 changed out
	2 Tested-by Tom v1 changed out
	3 Tested-by Tom v1 changed out
	2 Acked-by Ann v1 changed out
	2 Reviewed-by Rolf v1 retracted out
	2 Reviewed-by Paula v2 holds out
	3 Reviewed-by Cora v1 conditional out
	3 Nacked-by Nick v1 nak out
	E
'

test_expect_success 'the same from the list as a mirror, a Maildir, an mbox' '
	git clone -q --mirror "$inbox_url/list/0" mirror/0.git && mkdir -p md/cur md/new md/tmp && cp mails/* md/new/ &&
	thread_of "$(id 1 0)" >all.mbox && thread_of "$(id 2 0)" >>all.mbox &&
	cd r && git rev-parse refs/series/topic/state:review >../review && end=$(git rev-parse refs/series/topic/state) &&
	posted=$(git log --format="%H %s" refs/series/topic/state | sed -n "s/^\([0-9a-f]*\) send v2.*/\1/p" | head -1) && test "$posted" &&
	for from in mirror md all.mbox; do
		git update-ref refs/series/topic/state $posted && GIT_INDEX_FILE=$T/idx git read-tree $posted &&
		GIT_INDEX_FILE=$T/idx git rm -q -r --cached review && tree=$(GIT_INDEX_FILE=$T/idx git write-tree) && rm "$T/idx" &&
		git update-ref refs/series/topic/state $(git commit-tree -p $posted -m bare $tree) &&
		"$SERIES" update --from ../$from && git rev-parse refs/series/topic/state:review | cmp - ../review || return 1
	done && git update-ref refs/series/topic/state $end
'

test_expect_success 'status shows it by patch' '
	cd r && "$SERIES" status >out && cat out && test_grep "1  numbers: change line 1  *R1 A1 ?1" out && test_grep "next: series tags --apply" out &&
	test_grep "3  numbers: change line 3  *?2 N1" out && test_grep "Nick Nak is against it (v1)" out &&
	"$SERIES" status --json | python3 -c "
import json, sys
d = json.load(sys.stdin)
t = d[\"patches\"][1][\"tags\"]
assert [x[\"state\"] for x in t if x[\"name\"] == \"Paula Person\"] == [\"holds\"], t
assert {\"type\", \"name\", \"email\", \"message_id\", \"version\", \"state\"} <= set(t[0])"
'

test_expect_success 'decide, apply, send v3: the mails have the tags' '
	cd r && "$SERIES" tags --json >j && get() { python3 -c "
import json
d = json.load(open(\"j\"))
print([t[\"id\"] for p in d[\"patches\"] for t in p[\"tags\"] if t[\"name\"].startswith(\"$1\")][0])"; } &&
	"$SERIES" tags --drop $(get Nick) --reason "settled with Nick" && "$SERIES" tags --keep $(get Cora) --reason "done" &&
	"$SERIES" tags --drop $(get Ann) --reason "not his numbers" && "$SERIES" tags --apply >out && test_grep "4 tags put into 3 commits" out &&
	sed "9s/.*/line 9/" numbers >new && mv new numbers && git commit -q -a -s -m "numbers: change line 9" &&
	"$SERIES" changes --add "line 9" && sink s3 && "$SERIES" send --yes --no-verify && cat ../s3/*.eml >../all3 &&
	for t in "Reviewed-by: Rita Reader <rita@example.org>" "Acked-by: Lena Late <lena@example.org>" \
		"Reviewed-by: Paula Person <paula@example.org>" "Reviewed-by: Cora Condition <cora@example.org>"; do
		grep -c "^$t" ../all3 | grep -qx 1 || return 1
	done && test_nogrep "^Acked-by: Ann\|^Tested-by: Tom\|^Nacked" ../all3 && cat >../want <<-\E && states "$T/want"
	1 Reviewed-by Rita v1 holds in
	1 Acked-by Lena v1 holds in
	1 Tested-by Tom v1 changed out
	2 Tested-by Tom v1 changed out
	3 Tested-by Tom v1 changed out
	2 Acked-by Ann v1 dropped out
	2 Reviewed-by Rolf v1 retracted out
	2 Reviewed-by Paula v2 holds in
	3 Reviewed-by Cora v1 holds in
	3 Nacked-by Nick v1 dropped out
	E
'

test_expect_success 'a version that the archive does not have stops no other' '
	cd r && test_status 1 "$SERIES" update >out 2>err && test_grep "v3: " err && test_grep "nothing new" out && archive s3 &&
	"$SERIES" update
'

test_expect_success 'a dead server: what was fetched before, said; without that an error' '
	kill $inbox_pid && wait $inbox_pid; cd r && "$SERIES" update >out 2>err && test_grep "the copy is of" err && test_grep "nothing new" out &&
	"$SERIES" update --offline 2>err && rm -rf "$XDG_CACHE_HOME" && test_status 1 "$SERIES" update 2>err && test_grep "v1: " err &&
	test_status 1 "$SERIES" update --offline 2>err && test_status 1 "$SERIES" update --from nowhere 2>err && test_grep "no file or folder" err
'

test_expect_success 'nothing posted: said' '
	cd r && git checkout -q -b two main && seq 61 70 >>numbers && git commit -q -a -s -m "numbers: more" && "$SERIES" init --base main two &&
	test_status 1 "$SERIES" update 2>err && test_grep "nothing was posted yet" err
'
test_done
