#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What format writes and what it says of mails that would not be sent.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

test_expect_success "names and patches as git format-patch has them" '
	make_series many 11 && "$SERIES" format -o out >list &&
	git format-patch -q -o want main..topic && ls want >names && ls out | sed 1d >got &&
	test_cmp names got && [ "$(ls out | head -n 1)" = 0000-cover-letter.patch ] &&
	for f in $(cat names); do
		sed "1,/^\$/d" "want/$f" >a && sed "1,/^\$/d" "out/$f" >b && test_cmp a b &&
		grep "^Date: " "want/$f" >a && grep "^Date: " "out/$f" >b && test_cmp a b ||
			return 1
	done
'

test_expect_success "numbers have as many digits as the last one" '
	cd many && test_grep "^Subject: \[PATCH 00/11\] numbers: words" out/0000* &&
	test_grep "^Subject: \[PATCH 01/11\] numbers: change line 1" out/0001*
'

test_expect_success "git am takes them" '
	cd many && git checkout -q -b again main && ls out/*.patch | sed 1d | xargs git am -q &&
	[ "$(git rev-parse again^{tree})" = "$(git rev-parse topic^{tree})" ] &&
	git checkout -q topic
'

test_expect_success "prefixes: RFC in front, version behind, none for v1" '
	cd many && "$SERIES" format --rfc -v 3 -o rfc >/dev/null &&
	test_grep "^Subject: \[RFC PATCH v3 00/11\]" rfc/0000* &&
	test_grep "^Message-ID: <[0-9]\{14\}\.[a-z]\{8\}-series-v3-0@example.org>" rfc/0000*
'

test_expect_success "a single patch carries the letter below its own dashes" '
	make_series "$T/one" 1 && make_cover "not used" "Why it is good." &&
	"$SERIES" format -o out >list && [ "$(ls out)" = 0001-numbers-change-line-1.patch ] &&
	test_grep "^Subject: \[PATCH\] numbers: change line 1" out/0001* &&
	sed -n "/^---\$/,/^ numbers /p" out/0001* >got && cat >want <<-EOF &&
	---
	Why it is good.

	Applies on main ($(git rev-parse main | cut -c1-12))

	base-commit: $(git rev-parse main)
	change-id: $(git show refs/series/topic/state:series.json |
		sed -n "s/.*\"change_id\": \"\(.*\)\".*/\1/p")

	 numbers | 2 +-
	EOF
	test_cmp want got && git checkout -q -b again main && git am -q out/0001* &&
	[ "$(git rev-parse again^{tree})" = "$(git rev-parse topic^{tree})" ] &&
	git log -1 --format=%B again >a && git log -1 --format=%B topic >b && test_cmp a b
'

test_expect_success "settings of git that would spoil a patch do not hold" '
	cd "$T/one" && git checkout -q topic && git config diff.noprefix true &&
	git config format.attach true && git config format.signoff true &&
	git config color.ui always && git config format.coverletter true &&
	"$SERIES" format -o out2 >list && test_grep "^diff --git a/numbers b/numbers" out2/0001* &&
	[ "$(grep -c "^Signed-off-by" out2/0001*)" = 1 ] && test_nogrep "multipart" out2/0001* &&
	[ "$(ls out2 | wc -l)" = 1 ]
'

# bad NAME MESSAGE WORD: a commit with this message is refused with that word.
bad() {
	make_base "$T/$1" && seq 1 70 >numbers && printf "$2" | git commit -q -a -F - --cleanup=verbatim &&
	"$SERIES" init --base main && "$SERIES" recipients --add-to l@example.org &&
	use_server 1 && test_status 1 "$SERIES" send --yes >out 2>err &&
	test_grep "patch 1/1" out && test_grep "$3" out && test_grep "nothing was sent" err
}

test_expect_success "messages that git am would cut are named" '
	bad dashes "mm: x\n\ntext\n---\nmore\n" "line 4, .---." &&
	bad diff "mm: x\n\ndiff --git a/x b/x\n" "line 3, .diff --git" &&
	bad bracket "[mm] x\n\ntext\n" "bracket"
'

test_expect_success "a message that begins like a mail header gets the author in front" '
	make_base "$T/header" && seq 1 70 >numbers &&
	git commit -q -a -m "mm: x" -m "From: the start
Date: of it" && "$SERIES" init --base main && "$SERIES" format -o out &&
	git checkout -q -b again main && git am -q out/0001* &&
	git log -1 --format=%B%an again >got && git log -1 --format=%B%an topic >want &&
	test_cmp want got
'

test_expect_success "a cover letter is demanded of more than one patch" '
	make_base "$T/nocover" && for i in 1 2; do
		seq $i 50 >numbers && git commit -q -a -m "numbers: $i" || return 1
	done && "$SERIES" init --base main && "$SERIES" recipients --add-to l@example.org &&
	use_server 1 && test_status 1 "$SERIES" send --yes >out && test_grep "no cover letter" out &&
	make_cover "numbers" "*** BLURB HERE ***" &&
	test_status 1 "$SERIES" send --yes >out && test_grep "still the template" out
'

test_expect_success "nobody to send it to, nothing to send" '
	make_base "$T/empty" && "$SERIES" init --base main && use_server 1 &&
	test_status 1 "$SERIES" send --yes >out && test_grep "nobody to send it to" out &&
	test_grep "no commits above the base" out
'

test_expect_success "a table that is not there is an error with its line" '
	cd many && make_cover "words" "Text.
@bench swapout
@table x
 @indented is text" && test_status 1 "$SERIES" send --dry-run >answer &&
	test_grep "cover.txt:4: there are no results of swapout" answer &&
	test_grep "cover.txt:5: .@table. is not a directive" answer && test_grep "^ @indented" answer
'

lf='
'
test_expect_success "settings that would add a line to the header are refused" '
	make_series "$T/inject" 1 &&
	for set in "format.subjectprefix=PATCH${lf}Bcc: x@example.org" \
		"sendemail.from=W <w@example.org>${lf}Bcc: x@example.org" \
		"sendemail.envelopesender=w@example.org>${lf}DATA" \
		"user.name=W${lf}Bcc: x@example.org" "user.email=w" \
		"sendemail.to=\"a${lf}Bcc: x\"@example.org"; do
		git config "${set%%=*}" "${set#*=}" &&
		test_status 129 "$SERIES" format -o bad 2>err && test ! -e bad &&
		grep -q -i "${set%%=*}" err && git config --unset "${set%%=*}" ||
			{ echo "$set"; cat err; return 1; }
	done && "$SERIES" format -o good
'

test_done
