#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The index of a list (lib/index, read by index-dump): what it says of mails that were
# written for it, that steps lead to the same as one go, what goes, damage, two at once.
. "${SRCDIR:-.}/tests/helper/tap.sh"

dump=$BUILD/tests/index-dump
[ -x "$dump" ] || test_skip_all "no index-dump: make check builds it"
make="/usr/bin/python3 -B $SRCDIR/tests/helper/mirror-make.py"

# mail NAME 'FROM' 'SUBJECT' DAY 'ID...' <TEXT: NAME@example.org, in reply to those ids
mail() {
	{
		printf 'From: %s\nTo: list@example.org\nSubject: %s\n' "$2" "$3"
		printf 'Date: %s\nMessage-ID: <%s@example.org>\n' "$(date -u -R -d "@$((1767603600 + $4 * 60))")" "$1"
		if [ "$5" ]; then
			printf 'In-Reply-To: <%s@example.org>\nReferences:' "${5##* }"
			for r in $5; do printf ' <%s@example.org>' "$r"; done
			echo
		fi
		echo
		cat
	} >"$T/$1"
}
# diff FILE: a small patch
diff_of() {
	printf 'Text.\n\nSigned-off-by: A <a@example.org>\n---\n %s | 2 +-\n\ndiff --git a/%s b/%s\n' "$1" "$1" "$1"
	printf -- '--- a/%s\n+++ b/%s\n@@ -1,3 +1,3 @@ int f(void)\n a\n-%s\n+%s\n c\n-- \n2.39\n' "$1" "$1" "${2:-b}" "${3:-B}"
}
# rows DB: id, versions, patches, R, open of each series, sorted by id
rows() {
	"$dump" rows "$1" >rows.out && sed 's/^[-0-9]* <\([^>]*\)@example.org>.* versions=\([0-9]*\) patches=\([0-9]*-[0-9]*\).* R=\([0-9]*\) .* open=\([0-9]*\).*/\1 \2 \3 \4 \5/' rows.out | sort
}
# same DB MIRROR: an index that is made at once says the same
same() {
	rm -f fresh.db* && "$dump" update fresh.db "$2" >/dev/null && "$dump" rows fresh.db | sort >fresh.rows &&
		"$dump" rows "$1" | sort | diff fresh.rows - && [ -s fresh.rows ] && [ "$("$dump" count fresh.db)" = "$("$dump" count "$1")" ]
}
A='Anna Author <a@example.org>'
R='Rita Reader <r@example.org>'

# A series of two versions in two threads; one whose title alone ties its versions; patches
# without a thread; a later version by the name of the person, whose link names the first;
# talk.
mail c1 "$A" "[PATCH 0/2] numbers: grow" 0 "" <<-\E
	Words.

	change-id: 20260105-numbers-0123456789ab
	E
diff_of one.c | mail c1p1 "$A" "[PATCH 1/2] numbers: one" 1 c1
diff_of two.c | mail c1p2 "$A" "[PATCH 2/2] numbers: two" 2 c1
printf 'On Mon, Anna wrote:\n> Text.\n\nReviewed-by: Rita Reader <r@example.org>\n' | mail c1r "$R" "Re: [PATCH 1/2] numbers: one" 3 "c1 c1p1"
printf 'On Mon, Anna wrote:\n> -b\n> +B\n\nWhy is this a capital letter?\n' | mail c1q "$R" "Re: [PATCH 2/2] numbers: two" 4 "c1 c1p2"
mail c2 "$A" "[PATCH v2 0/2] numbers: grow more" 1500 "" <<-\E
	Words.

	change-id: 20260105-numbers-0123456789ab
	E
diff_of one.c | mail c2p1 "$A" "[PATCH v2 1/2] numbers: one" 1501 c2
diff_of two.c b C | mail c2p2 "$A" "[PATCH v2 2/2] numbers: two" 1502 c2
diff_of tie.c | mail t1 "$A" "[PATCH] tie: a knot" 10 ""
diff_of tie.c b D | mail t2 "$A" "[PATCH v2] tie:  A knot" 3000 ""
diff_of u1.c | mail u1 "$A" "[PATCH 1/2] loose: one" 200 ""
diff_of u2.c | mail u2 "$A" "[PATCH 2/2] loose: two" 201 ""
diff_of l.c | mail l1 "$A" "[PATCH] link: old words" 30 ""
{ printf 'v1: https://lists.example.org/l1@example.org/\n\n' && diff_of l.c; } | mail l2 "Anna Author <anna@example.com>" "[PATCH v2] link: new words" 4000 ""
printf 'Hello.\n' | mail h1 "$R" "hello" 40 ""
printf 'Hello too.\n' | mail h2 "$A" "Re: hello" 41 h1
all="c1 c1p1 c1p2 c1r c1q t1 u1 u2 l1 h1 h2 c2 c2p1 c2p2 t2 l2"
cat >want <<-E
	c2 2 2-0 1 0
	l2 2 1-0 0 0
	t2 2 1-0 0 0
	u1 1 2-0 0 0
E

test_expect_success "series of a list, as they were written down" '
	mkdir -p m/git && $make m/git/0.git $(for f in $all; do echo m:$f; done) && "$dump" update x.db m >got &&
	echo "mails 16 deleted 0 broken 0 families 5 rewritten 0" | test_cmp - got && rows x.db | test_cmp want - &&
	[ "$("$dump" count x.db)" = "16 mails 4 series" ] && "$dump" rows x.db | sed "s/[^ ]* //" | sort >is && "$dump" direct m | sed "s/[^ ]* //" | sort | test_cmp - is && "$dump" update x.db m >got &&
	echo "mails 0 deleted 0 broken 0 families 0 rewritten 0" | test_cmp - got
'

test_expect_success "a series by any of its mails, and its whole family from the mirror" '
	for id in c1 c1p2 c1q c2p1 c2; do "$dump" rows x.db $id@example.org >got && grep -c "<c2@example.org> first=<c1@" got | grep 1 || return 1; done &&
	for id in h1 nobody; do "$dump" rows x.db $id@example.org >got && test_cmp /dev/null got || return 1; done &&
	key=$("$dump" rows x.db c1@example.org | sed "s/ .*//") && "$dump" thread x.db m " $key" >got 2>&1; "$dump" thread x.db m $key | sort >got &&
	printf "%s@example.org\n" c1 c1p1 c1p2 c1q c1r c2 c2p1 c2p2 | test_cmp - got &&
	mv m/git/0.git gone.git && git init -q --bare m/git/0.git && { "$dump" thread x.db m $key 2>err; [ $? = 1 ]; } &&
	test_grep "another state of the mirror" err && rm -rf m/git/0.git && mv gone.git m/git/0.git
'

test_expect_success "a mail a step, forwards, backwards and by name, leads to what one go does" '
	for order in "$all" "$(printf "%s\n" $all | tac)" "$(printf "%s\n" $all | sort)" "$(printf "%s\n" $all | sort -r -k1.2)"; do
		rm -rf s y.db* && mkdir s || return 1
		for f in $order; do $make s/0.git m:$f && "$dump" update y.db s >/dev/null || return 1; done
		same y.db s && rows y.db | test_cmp want - || return 1
	done
'

test_expect_success "a mail that goes takes along what it said and what it tied" '
	$make m/git/0.git d:c1r && "$dump" update x.db m >got && test_grep "^mails 0 deleted 1 .* families 1 " got && same x.db m &&
	rows x.db | grep "^c2 2 2-0 0 0" && $make m/git/0.git d:c1 && "$dump" update x.db m && same x.db m &&
	$make m/git/0.git d:l1 d:nothing 2>/dev/null; $make m/git/0.git d:l1 d:t2 x && "$dump" update x.db m >got && test_grep "deleted 2" got && same x.db m &&
	rows x.db | grep "^l2 1 1-0" && rows x.db | grep "^t1 1 1-0" && $make m/git/0.git m:c1 m:c1r m:l1 m:t2 && "$dump" update x.db m &&
	same x.db m && rows x.db | test_cmp want -
'

test_expect_success "one Message-ID in two epochs; the mail of one of them goes" '
	$make m/git/1.git m:c1p1 m:t2 && "$dump" update x.db m >got && test_grep "^mails 2 " got && rows x.db | test_cmp want - && same x.db m &&
	$make m/git/1.git d:t2 && "$dump" update x.db m && same x.db m && rows x.db | grep "^t1 1 1-0"
'

test_expect_success "an epoch that was written anew: what is no longer in it is gone, another one stays" '
	without=$(for f in $all; do [ $f = c1q ] || echo m:$f; done) && mkdir v && $make v/0.git $(for f in $all; do echo m:$f; done) && $make v/1.git m:c1p1 m:h2 &&
	"$dump" update v.db v && $make v/0.git --anew $without && "$dump" update v.db v >got && test_grep "^mails 15 .* rewritten 1" got || return 1
	same v.db v && rows v.db | test_cmp want - && "$dump" rows v.db c1q@example.org | test_cmp /dev/null -
'

test_expect_success "an epoch that took a mail out of another one: written anew, and gone" '
	$make m/git/0.git --anew $without && "$dump" update x.db m >got && test_grep "rewritten 1" got && same x.db m &&
	rows x.db | grep "^t1 1 1-0" && rm -rf m/git/1.git && "$dump" update x.db m >got && test_grep "^mails 15 .* rewritten 1" got &&
	same x.db m && rows x.db | test_cmp want - && [ "$("$dump" count x.db)" = "15 mails 4 series" ]
'

test_expect_success "since a time: older mails are left out; another time makes it anew" '
	since=$(date -u -d "2026-01-06" +%s) && rm -rf w w.db* && mkdir w && $make w/0.git $(for i in $(seq 64); do echo m:h1; done) $(for f in c2 c2p1 c2p2 t2; do echo m:$f; done) &&
	"$dump" update w.db w $since >got && test_grep "^mails 4 " got && "$dump" update w.db w $since >got && test_grep "^mails 0 .* rewritten 0" got &&
	"$dump" update w.db w >got && test_grep "^mails 68 " got
'

test_expect_success "broken mails are counted and stop nothing" '
	mkdir b && $make b/0.git $(for f in $all; do echo m:$f; done) && (cd b/0.git && if mv objects/pack/*.pack ../p; then rm -f objects/pack/* && git unpack-objects -q <../p; fi) &&
	blob=$(git hash-object h2) && rm -f b/0.git/objects/$(echo $blob | sed "s/../&\//") && "$dump" update b.db b >got &&
	test_grep "^mails 15 deleted 0 broken 1 families 5" got && rows b.db | test_cmp want - &&
	f=b/0.git/objects/$(git hash-object c1r | sed "s/../&\//") && chmod u+w $f && echo x >$f &&
	$make b/0.git m:c1q && "$dump" update b.db b >got && test_grep "broken 1" got && rows b.db | grep "^c2 2 2-0 0"
'

test_expect_success "another schema, a file that is none and one that is damaged are made anew, which is told" '
	"$dump" rows x.db | sort >before && /usr/bin/python3 -B -c "import sqlite3; sqlite3.connect(\"x.db\").execute(\"PRAGMA user_version=7\")" &&
	"$dump" update x.db m >got && test_grep "^anew: made by another version of series" got && "$dump" rows x.db | sort | test_cmp before - &&
	echo "this is no database, and long enough to be taken for one if nobody looks at it closely" >x.db && "$dump" update x.db m >got &&
	test_grep "^anew: damaged" got && "$dump" rows x.db | sort | test_cmp before - &&
	/usr/bin/python3 -B -c "
f = open(\"x.db\", \"r+b\")
n = f.seek(0, 2)
for at in range(4096, n, 4096):
    f.seek(at)
    f.write(b\"\\xff\" * 4096)" && { "$dump" rows x.db >got 2>err; [ $? = 1 ]; } && test_grep "x.db is damaged" err && $make m/git/0.git m:c1q && "$dump" update x.db m >got &&
	test_grep "damaged" got && same x.db m
'

test_expect_success "a reader sees the last state while one writes; a second writer is told who is at it" '
	rows x.db >before && cat >hold.py <<-\E &&
	import sqlite3, sys, time, os
	c = sqlite3.connect("x.db", isolation_level=None)
	c.execute("BEGIN IMMEDIATE"); c.execute("DELETE FROM row")
	open("held", "w").close()
	for i in range(300):
	    if os.path.exists("go"): break
	    time.sleep(.1)
	c.execute("ROLLBACK")
	E
	/usr/bin/python3 -B hold.py & pid=$! && test_pid $pid && for i in $(seq 100); do [ -e held ] || sleep 0.1; done && rows x.db >got && rows x.db | test_cmp before - && test_cmp before got; rc=$?; touch go; wait $pid; [ $rc = 0 ] &&
	{ flock x.db.lock sh -c "\"$dump\" update x.db m 2>err >/dev/null"; [ $? = 1 ]; } && test_grep "x.db.lock" err && rows x.db | test_cmp before -
'

test_expect_success "a folder that cannot be written" '
	{ "$dump" update /proc/x.db m 2>err; [ $? = 1 ]; } && test_grep "/proc/x.db" err && mkdir ro && cp x.db ro/ && chmod 555 ro && chmod 444 ro/x.db &&
	if [ "$(id -u)" = 0 ]; then echo "root may write"; else rows ro/x.db | test_cmp before - && { "$dump" update ro/x.db m 2>err; [ $? = 1 ]; } && test_grep "ro/x.db" err; fi
'

# A list that takes long enough to be interrupted.
test_expect_success "killed or interrupted at any moment, it goes on, and the end is the same" '
	mkdir k && /usr/bin/python3 -B "$SRCDIR/tests/perf/lists.py" make 6000 k >/dev/null && "$dump" update once.db k >got && test_grep "^mails 6000 " got &&
	"$dump" rows once.db | sort >once && for ms in 0.1 0.3 0.6 1; do
		"$dump" update killed.db k >/dev/null 2>&1 & pid=$!; sleep $ms; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null; done;
	"$dump" update killed.db k >/dev/null && "$dump" rows killed.db | sort | test_cmp once - && "$dump" update int.db k >/dev/null 2>err & pid=$!
	sleep 0.4; kill -INT $pid; wait $pid; rc=$?
	{ [ $rc = 0 ] || { [ $rc = 1 ] && test_grep interrupted err; }; } && "$dump" update int.db k >got && { [ $rc = 0 ] || ! grep "^mails 6000 " got; } &&
	"$dump" rows int.db | sort | test_cmp once -
'

if unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
	test_expect_success "a full disk is one clear error, and room is all that it needs" '
		mkdir -p full && unshare -rm sh -c "mount -t tmpfs -o size=300k none full && { $dump update full/x.db k 2>err; [ \$? = 1 ]; } &&
			mount -o remount,size=30m full && $dump update full/x.db k >got && $dump rows full/x.db | sort >full.rows" && [ "$(grep -c ^index-dump err)" = 1 ] &&
		test_grep "disk is full" err && test_cmp once full.rows
	'
else
	test_skip "a full disk" "no user namespaces for a small tmpfs"
fi

test_done
