#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 at any moment: at the end every mail arrived exactly once, or was called unsure.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

ROUNDS=${ROUNDS:-12}

test_expect_success "a series of five mails and a slow server" '
	make_series kill 4 && cp -r "$T/kill" "$T/pristine"
'

# round NAME MS: send, and kill after MS milliseconds, until it comes to an end.
round() {
	rm -rf "$T/kill" && cp -r "$T/pristine" "$T/kill" && cd "$T/kill" &&
	sink "$1" slow=15 || return 1
	unsure=0 tries=0
	while :; do
		tries=$((tries + 1))
		[ $tries -lt 20 ] || { echo "no end"; return 1; }
		"$SERIES" send --yes >"$T/out" 2>"$T/err" &
		p=$!
		[ $tries -gt 3 ] || { sleep "$2" && kill -9 $p 2>/dev/null; }
		wait $p
		rc=$?
		[ $rc = 0 ] && break
		if grep -q "may or may not have arrived" "$T/err"; then
			# Look at the server, as a person would at the list, and decide.
			unsure=$((unsure + 1))
			id=$(sed -n "s/^  mail .*<\(.*\)>\$/\1/p" "$T/err")
			if grep -q "^Message-ID: <$id>" "$sink_dir"/*.eml 2>/dev/null; then
				"$SERIES" send --yes --unsure=skip && break
			else
				"$SERIES" send --yes --unsure=resend && break
			fi
		elif [ $rc != 137 ]; then
			cat "$T/err"
			return 1
		fi
	done
	# A kill behind the last commit leaves an end that the next call tidies up.
	[ ! -e "$T"/kill/.git/series/outbox/2* ] || return 1
	ids "$sink_dir"/*.eml | sort >"$T/ids"
	echo "$1: killed after $2 s, $tries tries, $unsure unsure, $(wc -l <"$T/ids") mails"
	[ "$(wc -l <"$T/ids")" = 5 ] && [ "$(uniq "$T/ids" | wc -l)" = 5 ] &&
	[ "$(sed "s/.*-v1-\(.\)@.*/\1/" "$T/ids" | tr -d "\n")" = 01234 ] &&
	[ "$(posting_state 1)" = sent ]
}

for i in $(seq 1 "$ROUNDS"); do
	# From before the outbox to behind the last mail, at odd places.
	after=$(awk -v i="$i" -v n="$ROUNDS" 'BEGIN { srand(i); printf "%.3f", 0.05 + (i - rand()) * 1.3 / n }')
	test_expect_success "killed after $after s" 'round "k$i" "$after"'
	kill "${sink_pid:-0}" 2>/dev/null
done

test_done
