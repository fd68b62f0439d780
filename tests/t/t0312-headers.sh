#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Headers and envelopes where other tools were known to go wrong: titles that carry header
# lines, one person in To and Cc, long words, notes with letters that ASCII has not.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# fields FILE: the names of its header fields, in small letters, one a line, sorted.
fields() {
	sed '/^$/,$d' "$1" | sed -n 's/^\([A-Za-z-]*\):.*/\1/p' | tr A-Z a-z | sort
}

test_expect_success "every header field is there once, and only those that say something" '
	make_series plain 2 && "$SERIES" recipients --add-cc c@example.org && sink plain-in &&
	"$SERIES" send --yes && printf "%s\n" cc content-transfer-encoding content-type date from \
		message-id mime-version subject to >want && fields "$T/plain-in/0001.eml" >got &&
	test_cmp want got && printf "%s\n" in-reply-to references | sort - want >want2 &&
	fields "$T/plain-in/0002.eml" >got && test_cmp want2 got
'

test_expect_success "a title with a line end in it is refused, not sent as a header" '
	make_base "$T/inject" && seq 1 70 >numbers &&
	printf "mm: x\rBcc: evil@example.org\n\ntext\n" | git commit -q -a -F - --cleanup=verbatim &&
	"$SERIES" init --base main && "$SERIES" recipients --add-to l@example.org &&
	sink inject-in && test_status 1 "$SERIES" send --yes >said 2>err &&
	test_grep "^error: patch 1/1 .*git am would change" said &&
	test_grep "nothing was sent" err && test_nogrep "MAIL FROM" "$T/inject-in/log"
'

test_expect_success "one person in To and Cc is one recipient of the envelope" '
	make_series "$T/twice" 1 && sink twice-in &&
	"$SERIES" send --yes --cc "Some Body <list@EXAMPLE.org>" &&
	[ "$(grep -c "^C RCPT TO:<[^ <>]*>" "$T/twice-in/log")" = 1 ] &&
	[ "$(grep -c "RCPT TO" "$T/twice-in/log")" = 1 ]
'

test_expect_success "a title without blanks does not leave the first line of Subject empty" '
	make_base "$T/word" && seq 1 70 >numbers &&
	git commit -q -a -s -m "$(printf "%0100d" 0)" && "$SERIES" init --base main &&
	"$SERIES" recipients --add-to l@example.org && "$SERIES" format -o out >said &&
	test_grep "^Subject: \[PATCH\]" out/0001* && python3 -c "
import email, email.policy, sys
m = email.message_from_binary_file(open(sys.argv[1], \"rb\"), policy=email.policy.default)
assert m[\"Subject\"] == \"[PATCH] \" + 100 * \"0\", m[\"Subject\"]" out/0001*
'

test_expect_success "a note with an accent in an ASCII patch has its charset" '
	make_series "$T/note" 1 && make_cover unused "Merci, René." && "$SERIES" format -o out >said &&
	python3 -c "
import email, email.policy, sys
m = email.message_from_binary_file(open(sys.argv[1], \"rb\"), policy=email.policy.default)
assert m.get_content_charset() == \"utf-8\"
assert \"Merci, René.\" in m.get_content()" out/0001*
'

test_expect_success "the cover encodes the name as the patches do" '
	make_series "$T/name" 2 && git config user.name "Žofie Nováková" &&
	"$SERIES" format -o out >said && for f in out/*; do
		sed -n "s/^From: //p;/^\$/q" "$f" || return 1
	done | sort -u >got && [ "$(wc -l <got)" = 1 ] && test_grep "^=?UTF-8?[qQ]?=C5=BDofie" got
'

test_done
