#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What robots report stays in sight until somebody says what became of it, and is one
# thing however often it comes.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

n=0
# id VERSION PATCH: the Message-ID of a mail of ours
id() {
	git show "refs/series/topic/state:versions/$1.json" | python3 -c "
import json, sys
print(json.load(sys.stdin)['patches'][$2 - 1]['message_id'])"
}
# robot NAME FROM VERSION PATCH <TEXT: a mail in $T/robots.mbox
robot() {
	n=$((n + 1))
	{
		printf 'From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: %s\nTo: Wendy Writer <wendy@example.org>\n' "$2"
		printf 'Subject: Re: [PATCH] numbers\nMessage-ID: <%s@robots.example.org>\nIn-Reply-To: <%s>\n' "$1" "$(id "$3" "$4")"
		printf 'Date: %s\n\n' "$(date -u -R -d "@$((1900000000 + n))")"
		cat
		echo
	} >>"$T/robots.mbox"
}
lkp="kernel test robot <lkp@example.org>"
# rows: "STATE VERSION PATCH ALSO SUMMARY" of the reports
rows() {
	"$SERIES" remarks "$@" --json | python3 -c "
import json, sys
for r in json.load(sys.stdin)['reports']:
    print(r['state'], r['label'], r['patch'], ','.join(r['also']) or '-', r['summary'])"
}
# short SUMMARY: the id of it, cut short
short() {
	"$SERIES" remarks --all --json | python3 -c "
import json, sys
print([r['id'] for r in json.load(sys.stdin)['reports'] if sys.argv[1] in r['summary']][0][:8])" "$1"
}

test_expect_success "reports are in status, remarks, check and their JSON" '
	make_series r 2 && sink s1 && "$SERIES" send --yes && robot w1 "$lkp" 1 1 <<-\E && robot e1 "$lkp" 1 2 <<-\E2 && "$SERIES" update --from ../robots.mbox >../out &&
	Hi Wendy,

	kernel test robot noticed the following build warnings:

	>> numbers.c:12:3: warning: unused one
	E
	kernel test robot noticed the following build errors:

	>> numbers.c:70:1: error: no number
	E2
	test_grep "a report from kernel test robot for v1 1/2: numbers.c:12:3: warning: unused one" ../out && test_grep "^see: series remarks" ../out &&
	"$SERIES" remarks >../out && cat >../want <<-E && test_cmp ../want ../out &&
	reports of robots
	  $(short error)  open  kernel test robot  v1 2/2  numbers.c:70:1: error: no number
	  $(short unused)  open  kernel test robot  v1 1/2  numbers.c:12:3: warning: unused one
	2 reports open of 2
	E
	"$SERIES" status >../out && test_grep "change line 1 *1 report$" ../out && test_grep "2 reports of robots, the last by kernel test robot on v1: numbers.c:70" ../out &&
	test_grep "^next: series remarks" ../out && "$SERIES" status --json | python3 -c "
import json, sys
d = json.load(sys.stdin)
assert [p[\"reports\"] for p in d[\"patches\"]] == [{\"open\": 1, \"answered\": 0}] * 2, d
assert d[\"reports\"] == {\"open\": 0, \"answered\": 0}"
'

test_expect_success "one of them: shown, done, taken back; nothing to reply to" '
	cd r && u=$(short unused) && "$SERIES" remarks --show $u >../out && test_grep "^Report: $u (open)" ../out && test_grep "^About: v1 1/2" ../out &&
	test_grep "series show --single w1@robots.example.org" ../out && test_status 129 "$SERIES" remarks --reply $u 2>../err && test_grep "report of kernel test robot" ../err &&
	"$SERIES" remarks --done $u >../out && test_grep "^remarks: $u done in v2" ../out && rows >../got && cat >../want <<-\E && test_cmp ../want ../got &&
	open v1 2 - numbers.c:70:1: error: no number
	E
	"$SERIES" remarks >../out && test_grep "^1 report open of 2; --all" ../out && "$SERIES" remarks --all >../out && test_grep "$u  done in v2" ../out &&
	"$SERIES" remarks --open $u && "$SERIES" remarks >../out && test_grep "^2 reports open of 2$" ../out &&
	"$SERIES" remarks --done $u && "$SERIES" remarks --answered "$(short error)" && "$SERIES" status >../out && test_nogrep "report" ../out
'

test_expect_success "the same again of v2 is open again, and one" '
	cd r && echo more >>numbers && git commit -q -a -s -m "numbers: more" && "$SERIES" changes --add "more" && sink s2 && "$SERIES" send --yes &&
	robot w2 "$lkp" 2 1 <<-\E && robot e2 "$lkp" 1 2 <<-\E2 && "$SERIES" update --from ../robots.mbox >../out && cat ../out &&
	>> numbers.c:112:3: warning: unused one
	E
	>> numbers.c:71:1: error: no number
	E2
	test_grep "a report from kernel test robot for v2 1/3, again: numbers.c:112" ../out && rows >../got && cat >../want <<-\E && test_cmp ../want ../got &&
	open v2 1 v1 numbers.c:112:3: warning: unused one
	E
	rows --all >../got && cat >../want <<-\E && test_cmp ../want ../got && "$SERIES" remarks >../out && test_grep "v2 1/3, also v1" ../out &&
	answered v1 2 - numbers.c:71:1: error: no number
	open v2 1 v1 numbers.c:112:3: warning: unused one
	E
	"$SERIES" check --only remarks-open >../out; test_grep "1 report of robots is open, the last by kernel test robot on v2" ../out
'

test_done
