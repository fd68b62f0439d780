#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 at any moment: at the end every mail arrived exactly once, or was called unsure.
# The server stops before its reply N, and the sender is killed there. Replies: greeting,
# two lines of EHLO, then four a mail: MAIL, RCPT, DATA, and the one behind the text.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# ROUNDS="$(seq 1 24)" tries every reply.
: "${ROUNDS:=1 3 4 6 7 8 10 15 22 23 24}"

test_expect_success "a series of five mails" '
	make_series kill 4 && cp -r "$T/kill" "$T/pristine"
'

fresh() {
	rm -rf "$T/kill" && cp -r "$T/pristine" "$T/kill" && cd "$T/kill"
}

# finish: call send again until the posting has come to its end; a mail that is unsure is
# looked for on the server, as a person would look on the list.
finish() {
	unsure=0
	# The end of the connection is only waited for when all is recorded.
	[ "$(posting_state 1)" = sent ] && ! ls -d .git/series/outbox/2* 2>/dev/null && return 0
	for try in 1 2 3 4 5; do
		"$SERIES" send --yes >"$T/out" 2>"$T/err" && return 0
		grep -q "may or may not have arrived" "$T/err" || { cat "$T/err"; return 1; }
		unsure=$((unsure + 1))
		id=$(sed -n 's/^  mail .*<\(.*\)>$/\1/p' "$T/err")
		if grep -q "^Message-ID: <$id>" "$sink_dir"/*.eml; then
			decision=skip
		else
			decision=resend
		fi
		"$SERIES" send --yes --unsure=$decision && return 0
	done
	return 1
}

# complete: each of the five mails once, and the state knows it.
complete() {
	ids "$sink_dir"/*.eml | sort >"$T/ids" &&
	[ "$(sed 's/.*-v1-\(.\)@.*/\1/' "$T/ids" | tr -d '\n')" = 01234 ] &&
	[ "$(posting_state 1)" = sent ] && ! ls -d .git/series/outbox/2*
}

for n in $ROUNDS; do
	case $n in
	7 | 11 | 15 | 19 | 23) expect=1 ;;
	*) expect=0 ;;
	esac
	test_expect_success "killed before reply $n: $expect unsure, each mail once" '
		fresh && sink "out$n" "pause=$n" || return 1
		"$SERIES" send --yes >out 2>err &
		p=$!
		test_pid $p
		test_wait 60 test -e "$sink_dir/paused" && kill -9 $p || return 1
		wait $p
		touch "$sink_dir/go" && finish && complete &&
		{ [ $unsure = $expect ] || { echo "unsure: $unsure"; return 1; }; }
	'
	kill "$sink_pid" 2>/dev/null
done

# Before the first byte: outbox, state, or nothing yet.
for after in 0.03 0.1 0.2 0.4; do
	test_expect_success "killed after $after s: the same command sends it all" '
		fresh && sink "t$after" || return 1
		"$SERIES" send --yes >out 2>err &
		p=$!
		test_pid $p
		sleep $after
		kill -9 $p
		wait $p
		finish
		# It may have come to its end before the kill: then there is nothing to resume.
		complete || { [ "$(posting_state 2)" = sent ] && [ "$(posting_state 1)" = sent ]; }
	'
	kill "$sink_pid" 2>/dev/null
done

test_done
