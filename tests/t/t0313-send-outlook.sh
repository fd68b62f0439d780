#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A server that gives mails Message-IDs of its own: later mails answer those, and the state
# and the next version name them.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

says='2.0.0 OK <NEW%d@srv.example.org> [Hostname=SRV1.example.org]'

# field NAME FILE: a header field of a mail, unfolded.
field() {
	python3 - "$1" "$2" <<-\EOF
		import email, email.policy, sys
		m = email.message_from_file(open(sys.argv[2]), policy=email.policy.compat32)
		print(" ".join((m[sys.argv[1]] or "").split()))
	EOF
}

# threaded DIR: mails 2 and 3 there answer the id that the server gave the cover letter.
threaded() {
	for i in 2 3; do
		[ "$(field In-Reply-To "$1/000$i.eml")" = "<NEW1@srv.example.org>" ] &&
		[ "$(field References "$1/000$i.eml")" = "<NEW1@srv.example.org>" ] || return 1
	done
}

# stated N: the ids that the state has of version N: posting, its patches, the patches.
stated() {
	git show "refs/series/topic/state:versions/$1.json" | python3 -c '
import json, sys
d = json.load(sys.stdin)
p = d["postings"][-1]
print(p["message_id"], *p["patch_message_ids"], *[q["message_id"] for q in d["patches"]])'
}

new="NEW1@srv.example.org NEW2@srv.example.org NEW3@srv.example.org"

test_expect_success "the thread hangs on the id that the server gave the cover letter" '
	make_series plain 2 && sink plain.out "say_end=$says" && "$SERIES" send --yes >out &&
	test_grep "^Message-ID: <NEW1@srv.example.org>" out && threaded "$T/plain.out" &&
	[ "$(field In-Reply-To "$T/plain.out/0001.eml")" = "" ]
'

test_expect_success "the state has the ids of the server, and the mails with them" '
	cd plain && echo "$new NEW2@srv.example.org NEW3@srv.example.org" >want && stated 1 >got &&
	test_cmp want got && for i in 1 2 3; do
		git show "refs/series/topic/state:sent/v1/000$((i - 1)).eml" >mail &&
		sed "s/^Message-I[Dd]:.*/Message-ID: <NEW$i@srv.example.org>/" \
			"$T/plain.out/000$i.eml" >want && test_cmp want mail || return 1
	done
'

test_expect_success "the next version links to it" '
	cd plain && git commit -q --amend -m "numbers: other words" && "$SERIES" send --yes &&
	test_grep "^- Link to v1: https://lore.kernel.org/r/NEW1@srv.example.org" "$T/plain.out/0004.eml" &&
	[ "$(field In-Reply-To "$T/plain.out/0005.eml")" = "<NEW4@srv.example.org>" ]
'

test_expect_success "a RESEND goes out and is kept under its new ids, apart from the first" '
	cd plain && "$SERIES" send --yes --resend=v2 && stated 2 >got &&
	echo "NEW7@srv.example.org NEW8@srv.example.org NEW9@srv.example.org NEW5@srv.example.org NEW6@srv.example.org" >want &&
	test_cmp want got && [ "$(field In-Reply-To "$T/plain.out/0008.eml")" = "<NEW7@srv.example.org>" ] &&
	git ls-tree -r --name-only refs/series/topic/state >files &&
	grep -c "^sent/v2/resend-[0-9][0-9.a-z]*/000[012].eml" files >got && echo 3 >want &&
	test_cmp want got
'

# Replies: greeting, two lines of EHLO, then four a mail. 8: MAIL of the second one.
test_expect_success "killed after mail 1: the rest answers the id that was recorded" '
	make_series kill 2 && sink kill.out "say_end=$says" pause=8 || return 1
	"$SERIES" send --yes >out 2>err &
	p=$!
	test_pid $p
	test_wait 60 test -e "$T/kill.out/paused" && kill -9 $p || return 1
	wait $p
	touch "$T/kill.out/go" && "$SERIES" send --yes >out &&
	test_grep "^Message-ID: <NEW1@srv.example.org>" out && set -- "$T"/kill.out/*.eml &&
	[ $# = 3 ] && [ "$(posting_state 1)" = sent ] && ! ls -d .git/series/outbox/2* &&
	for f in "$2" "$3"; do
		[ "$(field In-Reply-To "$f")" = "<NEW1@srv.example.org>" ] || return 1
	done && stated 1 | grep "^NEW1@srv.example.org NEW[23]@"
'

test_expect_success "refused in the middle: partial, then gone on with, one posting" '
	make_series stop 2 && sink stop.out "say_end=$says" later_end=2 &&
	test_status 1 "$SERIES" send --yes && [ "$(posting_state 1)" = partial ] &&
	stated 1 | grep "^NEW1@" && "$SERIES" send --yes && [ "$(posting_state 1)" = sent ] &&
	[ "$(field In-Reply-To "$T/stop.out/0003.eml")" = "<NEW1@srv.example.org>" ] &&
	stated 1 | grep "^NEW1@srv.example.org NEW3@srv.example.org NEW4@srv.example.org"
'

test_expect_success "given up: what went out is known by its new id" '
	make_series gone 2 && sink gone.out "say_end=$says" later_end=2 &&
	test_status 1 "$SERIES" send --yes && "$SERIES" send --give-up &&
	[ "$(posting_state 1)" = partial ] && stated 1 | grep "^NEW1@srv.example.org " &&
	git show refs/series/topic/state:sent/v1/0000.eml >mail &&
	[ "$(field Message-ID mail)" = "<NEW1@srv.example.org>" ]
'

test_expect_success "sendemail.outlookidfix=false: the ids stay as they were prepared" '
	make_series no 2 && git config sendemail.outlookidfix false &&
	sink no.out "say_end=$says" && "$SERIES" send --yes &&
	id=$(field Message-ID "$T/no.out/0001.eml") &&
	[ "$(field In-Reply-To "$T/no.out/0003.eml")" = "$id" ] && stated 1 | grep -v NEW
'

test_expect_success "a reply with <...> is no new id, unless outlookidfix is true" '
	make_series other 2 && sink other.out "say_end=2.0.0 OK <NEW%d@srv.example.org> queued" &&
	"$SERIES" send --yes && id=$(field Message-ID "$T/other.out/0001.eml") &&
	[ "$(field In-Reply-To "$T/other.out/0003.eml")" = "$id" ] &&
	git config sendemail.outlookidfix true && git commit -q --amend -m "numbers: x" &&
	"$SERIES" send --yes &&
	[ "$(field In-Reply-To "$T/other.out/0006.eml")" = "<NEW4@srv.example.org>" ]
'

test_done
