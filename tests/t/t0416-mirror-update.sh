#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series mirror: lists copied from a real archive, a folder, a bundle; new mails and epochs,
# those that went; what is no list, servers that are gone, names, interruption.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

make="/usr/bin/python3 -B $SRCDIR/tests/helper/mirror-make.py"
data=$XDG_DATA_HOME/series/mirrors cache=$XDG_CACHE_HOME/series/index

# mail N DAY: a patch
mail() {
	cat >"$T/mail$1" <<-E
	From: Anna Author <a@example.org>
	To: list@example.org
	Subject: [PATCH] numbers: change $1
	Date: $(date -u -R -d "2026-01-0$2 09:00")
	Message-ID: <$1@example.org>
	List-Id: <list.example.org>

	Words.

	Signed-off-by: Anna Author <a@example.org>
	---
	diff --git a/f b/f
	--- a/f
	+++ b/f
	@@ -1,1 +1,1 @@
	-a
	+b$1
	-- 
	2.39
	E
}
# field NAME FIELD
field() {
	"$SERIES" mirror list --json | python3 -c "
import json, sys
print({m['name']: m for m in json.load(sys.stdin)['mirrors']}['$1']['$2'])"
}
for n in 1 2 3 4 5 6; do mail $n $n; done
mkdir -p m/git && $make m/git/0.git m:mail1 m:mail2

test_expect_success "no mirror yet" '
	"$SERIES" mirror >out && test_grep "no mirror yet; series mirror add" out && { "$SERIES" mirror update 2>err; [ $? = 1 ]; } &&
	test_grep "there is no mirror yet" err && { "$SERIES" mirror drop x 2>err; [ $? = 1 ]; } && test_grep "no mirror \"x\"" err && [ ! -e "$data/x" ]
'

test_expect_success "from a folder: a mirror, an epoch; what is new, and a new epoch" '
	"$SERIES" mirror add local m >out && echo "local: 2 new mails, 2 in all, 2 series" | test_cmp - out && "$SERIES" mirror add one m/git/0.git &&
	"$SERIES" mirror update local >out && echo "local: 0 new mails, 2 in all, 2 series" | test_cmp - out && $make m/git/0.git m:mail3 d:mail1 &&
	$make m/git/1.git m:mail4 && "$SERIES" mirror update >out &&
	printf "%s\n" "local: 2 new mails, 1 taken out, 3 in all, 3 series" "one: 1 new mail, 1 taken out, 2 in all, 2 series" | test_cmp - out &&
	[ "$(field local epochs) $(field one epochs) $(field local mails)" = "2 1 3" ] && git -C "$data/local/git/0.git" rev-parse HEAD >is &&
	git -C m/git/0.git rev-parse HEAD | test_cmp - is
'

test_expect_success "from a bundle, and what a later bundle of that name has" '
	git -C m/git/0.git bundle create -q ../../../b.bundle HEAD main && "$SERIES" mirror add b b.bundle >out && test_grep "^b: 3 new mails, 1 taken out, 2 in all" out &&
	$make m/git/0.git m:mail5 && git -C m/git/0.git bundle create -q ../../../b.bundle --all && "$SERIES" mirror update b >out && test_grep "^b: 1 new mail, 3 in all" out
'

test_expect_success "the list: name, epochs, mails, series, size and time" '
	"$SERIES" mirror list >out && [ "$(wc -l <out)" = 4 ] && sed -n 1p out | grep "^name  *epochs  *mails  *series  *disk  *updated  *from" &&
	grep "^local  *2  *3  *3  *[0-9]* KB  *" out && [ "$(field b url)" = "$T/b.bundle" ] && [ "$(field b dir)" = "$data/b" ] && field b updated | grep "^20.*Z$" &&
	[ "$(field b bytes)" -gt 1000 ]
'

test_expect_success "an epoch that was written anew is read again, which is said" '
	$make m/git/0.git --anew m:mail2 m:mail3 && "$SERIES" mirror update local >out 2>err && test_grep "wrote 1 epoch anew" err &&
	test_grep "^local: 2 new mails, 3 in all, 3 series" out && rm "$cache/local.db" && "$SERIES" mirror update local >out && test_grep "^local: 3 new mails, 3 in all" out &&
	echo rubbish and more of it, enough for a header of one hundred bytes, which SQLite wants to see before it says so >"$cache/local.db" && "$SERIES" mirror update local >out 2>err &&
	test_grep "index is made anew: damaged" err && test_grep "3 in all, 3 series" out
'

test_expect_success "--since leaves out what is older; dates and places that are none" '
	"$SERIES" mirror add late m --since "2026-01-04 00:00" >out && [ "$(field late mails)" = 1 ] &&
	{ "$SERIES" mirror add x m --since yonder 2>err; [ $? = 129 ]; } && test_grep "\"yonder\" is no time in the past" err &&
	{ "$SERIES" mirror update --since 2026-01-01 2>err; [ $? = 129 ]; } && for n in "" A a/b ../x -x .x a..b; do
		{ "$SERIES" mirror add -- "$n" m 2>err; [ $? = 129 ]; } && test_grep "is no name for a mirror" err || return 1; done &&
	{ "$SERIES" mirror add local m 2>err; [ $? = 1 ]; } && test_grep "there is a mirror local" err &&
	{ "$SERIES" mirror add x nowhere 2>err; [ $? = 1 ]; } && test_grep "nowhere: no such file or folder, and no URL" err &&
	mkdir empty && { "$SERIES" mirror add x empty 2>err; [ $? = 1 ]; } && test_grep "empty is no mirror of a list" err && [ ! -e "$data/x" ] &&
	git init -q src && git -C src commit -q --allow-empty -m x && { "$SERIES" mirror add x src/.git 2>err; [ $? = 1 ]; } && test_grep "no public-inbox mirror" err && [ ! -e "$data/x" ] &&
	echo words >file && { "$SERIES" mirror add x file 2>err; [ $? = 1 ]; } && [ "$(wc -l <err)" = 1 ] && "$SERIES" mirror add again m >out && "$SERIES" mirror drop again
'

test_expect_success "drop takes mirror and index; another process at it is named" '
	"$SERIES" mirror drop one >out && test_grep "are gone" out && [ ! -e "$data/one" ] && [ ! -e "$data/one.lock" ] && [ -z "$(ls "$cache" | grep "^one[.]")" ] &&
	{ flock "$data/local.lock" "$SERIES" mirror update local 2>err; [ $? = 1 ]; } && test_grep "local.lock" err && rm -f "$data/late/config.json" &&
	! "$SERIES" mirror list | grep "^late" && "$SERIES" mirror drop late && echo "{" >"$data/b/config.json" && { "$SERIES" mirror list >out 2>err; [ $? = 1 ]; } &&
	test_grep "^local" out && test_grep "b/config.json" err && "$SERIES" mirror drop b
'

test_expect_success "names are completed" '
	"$SERIES" --complete=mirror-word >out && printf "%s\n" add update list drop local | test_cmp - out
'

sh "$SRCDIR/tests/helper/public-inbox.sh" check 2>err || {
	test_skip "a real archive" "$(cat err)"
	test_done
	exit
}
inbox_start list
inbox_inject list mail1 mail2 mail3

test_expect_success "from a real archive by http: all, what is new, another epoch, a mail that went" '
	"$SERIES" mirror add web "$inbox_url/list/" >out && echo "web: 3 new mails, 3 in all, 3 series" | test_cmp - out && inbox_inject list mail4 &&
	git -C "$T/inbox/list/git/0.git" repack -adq && ROTATE_BYTES=1 inbox_inject list mail5 && "$SERIES" mirror update web >out && echo "web: 2 new mails, 5 in all, 5 series" | test_cmp - out &&
	[ "$(field web epochs)" = 2 ] && sh "$inbox_sh" do "$T/inbox" public-inbox-learn rm --all <mail2 && "$SERIES" mirror update web >out &&
	test_grep "1 taken out, 4 in all, 4 series" out && sh "$inbox_sh" do "$T/inbox" public-inbox-purge --all <mail3 && "$SERIES" mirror update web >out 2>err &&
	test_grep "3 in all, 3 series" out && test_grep "anew" err && "$SERIES" mirror add epoch "$inbox_url/list/1" >out && [ "$(field epoch epochs)" = 1 ]
'

test_expect_success "--since fetches only what is newer from a server that can do that" '
	"$SERIES" mirror add new "$inbox_url/list" --since "2026-01-03 00:00" >out && for e in "$data"/new/git/*.git; do git -C $e rev-list --count HEAD; done >counts &&
	cat out counts && [ "$(field new mails)" = 2 ] && [ "$("$SERIES" mirror update new)" = "new: 0 new mails, 2 in all, 2 series" ]
'

test_expect_success "no list there, no server there: one line, and nothing is left" '
	{ "$SERIES" mirror add x "$inbox_url/other" 2>err; [ $? = 1 ]; } && cat err && [ "$(wc -l <err)" = 1 ] && test_grep "no mirror of a list is there" err && [ ! -e "$data/x" ] &&
	port=$(sh "$inbox_sh" port) && { "$SERIES" mirror add x "http://user:secret@127.0.0.1:$port/list" 2>err; [ $? = 1 ]; } && cat err && [ "$(wc -l <err)" = 1 ] &&
	test_grep "onnect" err && ! grep secret err && [ ! -e "$data/x" ] && sh "$inbox_sh" stop "$(cat "$T/.tap.pids" | tail -n 1)" &&
	{ "$SERIES" mirror update web local >out 2>err; [ $? = 1 ]; } && test_grep "^local: " out && test_grep "web: git fetch" err && test_grep "1 of 2 mirrors" err
'

# A server that takes the connection and says nothing.
cat >mute.py <<-\E
	import socket, sys, time
	s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(8)
	print(s.getsockname()[1], flush=True)
	c = []
	while True: c.append(s.accept())
E
test_expect_success "interrupted while it fetches: git ends, the name is free, an update goes on" '
	python3 mute.py >port & test_pid $! ; for i in $(seq 100); do [ -s port ] || sleep 0.1; done
	"$SERIES" mirror add slow "http://127.0.0.1:$(cat port)/list" 2>err & pid=$!; sleep 1; kill -INT $pid; wait $pid; [ $? = 130 ] && test_grep interrupted err &&
	[ ! -e "$data/slow" ] && ! pgrep -f "fetch.*127.0.0.1:$(cat port)/list" && mkdir -p "$data/local/git/2.git/objects" && "$SERIES" mirror update local >out &&
	git init -q --bare "$data/local/git/0.git.tmp" && "$SERIES" mirror update local
'

test_done
