#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A server that fails at each step of the dialogue: what was accepted is never sent again,
# and what may have been is said.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# once DIR N: the sink in DIR has N mails, each Message-ID once.
once() {
	ids "$T/$1"/*.eml >"$T/ids" && [ "$(wc -l <"$T/ids")" = "$2" ] &&
	[ "$(sort -u "$T/ids" | wc -l)" = "$2" ]
}

test_expect_success "no server: nothing is sent and the version stays free" '
	make_series none 3 && use_server 1 &&
	test_status 1 "$SERIES" send --yes 2>err && test_grep "nothing was sent" err &&
	test_status 1 git rev-parse -q --verify refs/series/topic/v1 &&
	test_status 1 git cat-file -e refs/series/topic/state:versions/1.json 2>/dev/null ||
	test_status 128 git cat-file -e refs/series/topic/state:versions/1.json
'

test_expect_success "all mails on one connection, in order" '
	make_series plain 3 && sink plain.out && "$SERIES" send --yes &&
	once plain.out 4 && grep -c "connection" "$T/plain.out/log" >n && echo 1 >want &&
	test_cmp want n && ids "$T"/plain.out/*.eml >got &&
	sed "s/.*-series-v1-\(.\)@.*/\1/" got >order && printf "0\n1\n2\n3\n" >want &&
	test_cmp want order && test_nogrep "^E" "$T/plain.out/log"
'

test_expect_success "the state holds the version, its head and the mails" '
	cd plain && echo sent >want && posting_state 1 >got && test_cmp want got &&
	[ "$(git rev-parse refs/series/topic/v1)" = "$(git rev-parse topic)" ] &&
	for i in 0 1 2 3; do
		git show refs/series/topic/state:sent/v1/000$i.eml >mail &&
		test_cmp mail "$T/plain.out/000$((i + 1)).eml" || return 1
	done && test ! -e .git/series/outbox/2*
'

test_expect_success "the state is claimed before the first byte" '
	cd plain && git log --format=%s --reverse refs/series/topic/state >log &&
	tail -n 2 log >got && printf "sending v1\nsend v1\n" >want && test_cmp want got
'

test_expect_success "the same commits go out again only under a version that was named" '
	cd plain && test_status 1 "$SERIES" send --yes >out 2>err && test_grep "v1 was sent already" out &&
	test_grep "version=2" out && once plain.out 4 && "$SERIES" send --yes --version=2 && once plain.out 8 &&
	git commit -q --amend -m "numbers: other words" && "$SERIES" send --yes && once plain.out 12
'

test_expect_success "without a terminal and --yes nothing is sent" '
	make_series ask 1 && sink ask.out && test_status 1 "$SERIES" send 2>err &&
	test_grep "no terminal" err && test ! -e "$T/asked.out/0001.eml"
'

test_expect_success "--dry-run writes nothing at all" '
	cd ask && git for-each-ref >before && find .git/series -type f | sort >files &&
	"$SERIES" send --dry-run >out && test_grep "^Subject: \[PATCH\] numbers" out &&
	git for-each-ref >after && test_cmp before after &&
	find .git/series -type f | sort >files2 && test_cmp files files2
'

for step in drop_mail drop_rcpt; do
	test_expect_success "$step at mail 3: once more on a new connection, each once" '
		make_series $step 3 && sink $step.out $step=3 && "$SERIES" send --yes &&
		once $step.out 4 && grep -c "connection" "$T/$step.out/log" >n &&
		echo 2 >want && test_cmp want n
	'
done

test_expect_success "451 after the text of mail 3: the same command sends the rest" '
	make_series later_end 3 && sink later_end.out later_end=3 &&
	test_status 1 "$SERIES" send --yes 2>err &&
	test_grep "2 of 4 mails were accepted" err &&
	echo partial >want && posting_state 1 >got && test_cmp want got &&
	"$SERIES" send --yes && once later_end.out 4 &&
	echo sent >want && posting_state 1 >got && test_cmp want got
'

test_expect_success "dropped in the middle of a long text: safe to send again" '
	make_series long 1 && seq 1 1500000 >long && git add long && git commit -q -s -m long &&
	sink long.out drop_data=3 && { "$SERIES" send --yes 2>err || "$SERIES" send --yes; } &&
	test_nogrep "may or may not" err && once long.out 3
'

test_expect_success "dropped in the middle of a short text: unsure" '
	make_series short 2 && sink short.out drop_data=2 &&
	test_status 1 "$SERIES" send --yes 2>err &&
	test_grep "1 of 3 mails of v1 may or may not have arrived" err
'

test_expect_success "451 from mail 3 on: said with the server'\''s words" '
	make_series later 3 && sink later.out later_mail=3 &&
	test_status 1 "$SERIES" send --yes 2>err &&
	test_grep "mail 3/4 .*451 4.3.0 later, please" err && once later.out 2
'

test_expect_success "a partial version is burnt: --give-up, then the draft is v2" '
	cd later && "$SERIES" send --give-up && posting_state 1 >got && echo partial >want &&
	test_cmp want got && sink later2.out && "$SERIES" send --yes &&
	test_grep "^Subject: \[PATCH v2 0/3\]" "$T/later2.out/0001.eml" &&
	test_grep "^- Link to v1: https://lore.kernel.org/r/.*-series-v1-0@example.org" \
		"$T/later2.out/0001.eml"
'

test_expect_success "a mail refused after its text stops the posting" '
	make_series refuse 2 && sink refuse.out refuse_end=2 &&
	test_status 1 "$SERIES" send --yes 2>err &&
	test_grep "mail 2/3 .*refused: 550 5.7.1 not this one" err
'

test_expect_success "421 after two mails of a session: a new connection, once each" '
	make_series session 5 && sink session.out session=2 && "$SERIES" send --yes &&
	once session.out 6 && grep -c "connection" "$T/session.out/log" >n &&
	echo 3 >want && test_cmp want n
'

for step in keep_end lose_end; do
	test_expect_success "$step: the connection is lost after the text: unsure" '
		make_series $step 3 && sink $step.out $step=2 &&
		test_status 1 "$SERIES" send --yes 2>err &&
		test_grep "1 of 4 mails of v1 may or may not have arrived" err &&
		test_grep "<[0-9]*\.[a-z]*-series-v1-1@example.org>" err &&
		test_grep "unsure=skip" err
	'
	test_expect_success "$step: nothing more goes out before a decision" '
		cd $step && cp "$T/$step.out/log" log && test_status 1 "$SERIES" send --yes &&
		test_cmp log "$T/$step.out/log"
	'
done

test_expect_success "--unsure=skip: it had arrived, the rest follows, each once" '
	cd keep_end && "$SERIES" send --yes --unsure=skip && once keep_end.out 4
'

test_expect_success "--unsure=resend: the same mail with the same Message-ID" '
	cd lose_end && "$SERIES" send --yes --unsure=resend && once lose_end.out 4 &&
	sort "$T/ids" | sed "s/.*-v1-\(.\)@.*/\1/" | tr -d "\n" >got &&
	printf 0123 >want && test_cmp want got
'

test_expect_success "--unsure=resend, and the server is gone: the number is not free again" '
	make_series burnt 2 && sink burnt.out lose_end=1 &&
	test_status 1 "$SERIES" send --yes 2>err && test_grep "may or may not" err &&
	grep -h "^Message-ID" .git/series/outbox/2*/*.eml >ids && use_server 1 &&
	test_status 1 "$SERIES" send --yes --unsure=resend &&
	[ "$(posting_state 1)" = partial ] &&
	grep -h "^Message-ID" .git/series/outbox/2*/*.eml >got && test_cmp ids got &&
	sink burnt2.out && "$SERIES" send --yes && once burnt2.out 3 &&
	cat "$T"/burnt2.out/*.eml | grep "^Message-ID" >got && test_cmp ids got
'

test_expect_success "a refused To stops, a refused Cc is listed" '
	make_series cc 1 && sink cc.out && "$SERIES" send --yes --cc bad@example.org >out &&
	test_grep "refused: bad@example.org: 550 5.1.1 no such user" out && once cc.out 1 &&
	make_series "$T/to" 1 && sink to.out &&
	test_status 1 "$SERIES" send --yes --to bad@example.org 2>err &&
	test_grep "bad@example.org: 550" err && test ! -e "$T/to.out/0001.eml"
'

test_expect_success "--skip-rcpt leaves an address out of the envelope, not of the mail" '
	cd "$T/to" && test_status 129 "$SERIES" send --yes --to bad@example.org \
		--skip-rcpt nobody@example.org 2>err &&
	test_grep "nobody@example.org is no recipient" err && test ! -e "$T/to.out/0001.eml" &&
	: >"$T/to.out/log" && "$SERIES" send --yes --to Bad@example.org --skip-rcpt BAD@example.org &&
	once to.out 1 && test_grep "^To: .*Bad@example.org" "$T/to.out/0001.eml" &&
	grep "RCPT" "$T/to.out/log" | cut -d" " -f2- >got && echo "RCPT TO:<list@example.org>" >want &&
	test_cmp want got
'

test_expect_success "--skip-rcpt goes on with a posting that a refused To has stopped" '
	make_series "$T/to2" 1 && "$SERIES" recipients --add-to bad@example.org && sink to2.out &&
	test_status 1 "$SERIES" send --yes && "$SERIES" send --yes --skip-rcpt bad@example.org &&
	once to2.out 1 && [ "$(posting_state 1)" = sent ]
'

test_expect_success "a damaged mail in the outbox is not sent" '
	make_series damage 3 && sink damage.out later_mail=2 &&
	test_status 1 "$SERIES" send --yes && for f in .git/series/outbox/2*/0002.eml; do echo x >>"$f"; done &&
	cp "$T/damage.out/log" log && test_status 1 "$SERIES" send --yes 2>err &&
	test_grep "0002.eml.*sha256" err && test_cmp log "$T/damage.out/log"
'

test_expect_success "two at once: one sends, the other is told" '
	make_series two 2 && sink two.out pause=5 || return 1
	"$SERIES" send --yes >out 2>&1 &
	other=$!
	test_pid $other
	test_wait 60 test -e "$T/two.out/paused" &&
	test_status 1 "$SERIES" send --yes 2>err && test_grep "another process" err &&
	touch "$T/two.out/go" && wait $other && once two.out 3
'

test_expect_success "SIGINT before a text is handed over: nothing twice" '
	make_series int 4 && sink int.out pause=9 || return 1
	"$SERIES" send --yes >out 2>err &
	p=$!
	test_pid $p
	test_wait 60 test -e "$T/int.out/paused" && kill -INT $p &&
	{ wait $p; test $? = 130; } && test_grep "1 of 5 mails were accepted" err &&
	[ "$(posting_state 1)" = partial ] &&
	touch "$T/int.out/go" && "$SERIES" send --yes && once int.out 5
'

test_expect_success "SIGINT before the first text: the number is free again" '
	make_series int0 1 && sink int0.out pause=3 || return 1
	"$SERIES" send --yes >out 2>err &
	p=$!
	test_pid $p
	test_wait 60 test -e "$T/int0.out/paused" && kill -INT $p &&
	{ wait $p; test $? = 130; } && test_grep "nothing was sent: mail 1/1" err &&
	test_status 1 git rev-parse -q --verify refs/series/topic/v1 && test ! -e .git/series/outbox/2* &&
	touch "$T/int0.out/go" && "$SERIES" send --yes && once int0.out 1
'

test_expect_success "SIGINT while the last reply is awaited: the reply counts" '
	make_series int2 2 && sink int2.out pause=7 || return 1
	"$SERIES" send --yes >out 2>err &
	p=$!
	test_pid $p
	test_wait 60 test -e "$T/int2.out/paused" && kill -INT $p && sleep 1 &&
	touch "$T/int2.out/go" && { wait $p; test $? = 130; } && test_nogrep "may not" err &&
	"$SERIES" send --yes && once int2.out 3
'

# at_terminal [TEXT KEYS]...: send with a person who types
at_terminal() {
	python3 "$SRCDIR/tests/helper/terminal.py" "$@" -- "$SERIES" send
}
test_expect_success "a person at a terminal: only y sends; what is said stands on a line of its own" '
	make_series asked 2 && sink asked.out && for keys in "\\n" "n\\n" "garbage\\n" "yes?\\x04\\x04" "\\x04"; do
		test_status 1 at_terminal "[y/N]" "$keys" >out && test_grep "^series: nothing was sent$" out || return 1
	done && test_status 130 at_terminal "[y/N]" "\\x03" >out && test_grep "^series: nothing was sent$" out &&
	test ! -e "$T/asked.out/0001.eml" && at_terminal "[y/N]" " Yes\\n" >out && once asked.out 3
'

test_expect_success "a server that says nothing is seen to, and the terminal may go while mails go out" '
	make_series hup 2 && sink hup.out pause=8 && test_status 130 at_terminal "[y/N]" "y\\n" "sending: 1/3 (33%), " "\\x03" >out &&
	test_grep "1 of 3 mails were accepted" out && touch "$T/hup.out/go" && "$SERIES" send --yes && once hup.out 3 &&
	make_series gone 2 && sink gone.out pause=8 && at_terminal "[y/N]" "y\\n" "sending: 1/3 (33%), " "hang up" >out
	[ "$(posting_state 1)" = partial ] && touch "$T/gone.out/go" && "$SERIES" send --yes && once gone.out 3
'

test_done
