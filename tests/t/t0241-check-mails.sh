#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series check: what is found while the mails are made, or stands against making any. For
# each id a branch that trips it and one that does not, and remedies that work when pasted.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/check.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

# commit_of FILE: its text, with the tree and the parent of the last commit, whatever git
# thinks of it, becomes the last commit.
commit_of() {
	{ git cat-file commit HEAD | sed -n "/^tree/p;/^parent/p" && cat "$1"; } >"$T/commit" &&
	git reset -q --soft "$(git hash-object -t commit -w --literally "$T/commit")"
}
who="Wendy Writer <wendy@example.org> 1700000000 +0000"

test_expect_success "a good series has none of these" '
	make_series good 2 && for c in branch-gone no-commits no-recipients sent-already cover-missing cover-template cover-title \
		cover-conflict cover-directive changes-patch notes-patch notes-cut bench-missing bench-stale bench-other-base \
		bench-emulated message-cut message-empty message-lost message-blanks message-nul message-encoding message-scissors \
		author-lost patch-empty patch-unreadable patch-lost patch-not-utf8 setting-ignored outbox-corrupt mail-unsure; do
		lacks $c || return 1
	done
'

test_expect_success "nothing to send, nobody to send it to, no branch to send" '
	make_base bare && "$SERIES" init --base main && has no-commits 1 && has no-recipients 1 &&
	seq 3 >a && git add a && git commit -q -s -m "a: a" && lacks no-commits &&
	git checkout -q main && git branch -D topic && has branch-gone 1 -s topic && cd .. &&
	make_series gone 1 && printf "#!/bin/sh\ncat >/dev/null\n" >"$T/sendmail" && chmod +x "$T/sendmail" &&
	git config sendemail.smtpserver "$T/sendmail" && tip=$(git rev-parse HEAD) && "$SERIES" send --yes --no-verify && has sent-already 1 &&
	git commit -q --amend -s -m "numbers: other" && lacks sent-already && git checkout -q main && git branch -D topic &&
	has branch-gone 1 -s topic && field remedy | cut -d";" -f1 | sed "s/^bring it back: //" >cmd && sh -e cmd && lacks branch-gone -s topic &&
	test "$(git rev-parse topic)" = "$tip"
'

test_expect_success "who got v1 and would not get it again is named by --resend alone" '
	make_series lost 1 && git config sendemail.smtpserver "$T/sendmail" && git config sendemail.cc gone@example.org &&
	"$SERIES" send --yes --no-verify && "$SERIES" send --resend --dry-run >out && test_nogrep "would not get" out &&
	git config --unset sendemail.cc && "$SERIES" send --resend --dry-run >out &&
	test_grep "^warning: gone@example.org got v1, and would not get it again" out &&
	git config series.check.recipient-lost error && test_status 1 "$SERIES" send --resend --yes >out 2>err && test_grep "1 error" err &&
	git config series.check.recipient-lost off && "$SERIES" send --resend --dry-run >out && test_nogrep "would not get" out
'

test_expect_success "the cover letter: missing, a template, without a title, torn, with a wrong directive" '
	make_base cover && for i in 1 2; do seq $i >a && git add a && git commit -q -s -m "a: $i" || return 1; done &&
	"$SERIES" init --base main && "$SERIES" recipients --add-to list@example.org && has cover-missing 1 &&
	remedy "numbers: words

Text." && put_state cover.txt "*** SUBJECT HERE ***

*** BLURB HERE ***" && has cover-template 1 && remedy "numbers: words

Text." && put_state cover.txt "---
Notes alone." && has cover-title 1 && remedy "numbers: words

Text." && put_state cover.txt.theirs "numbers: their words" && has cover-conflict 1 && remedy "numbers: their words

Text." && put_state cover.txt "numbers: words

@bench
@bench swapout style=
@nothing" && has cover-directive 3 && test "$(field where)" = cover.txt:3
'

test_expect_success "tables: missing, stale, of another base, emulated" '
	make_series table 1 && put_state cover.txt "words

@bench swapout" && has bench-missing 1 && session 0123456789abcdef kvm && lacks bench-missing && lacks bench-stale &&
	lacks bench-emulated && git checkout -q main && git commit -q --allow-empty -m more && echo x >y && git add y && git commit -q -m y &&
	git checkout -q topic && git rebase -q main && has bench-other-base 1 && lacks bench-stale && echo x >>numbers &&
	git commit -q -a -s --amend --no-edit && has bench-stale 1 && lacks bench-other-base && session 0123456789abcdef tcg && has bench-emulated 1
'

test_expect_success "changelogs and notes: of no patch, with a line where git am would cut" '
	cd gone && git checkout -q topic && git commit -q --amend -s -m "numbers: other" && put_state changes/v2.txt "- all new" && lacks changes-patch &&
	put_state changes/v2.txt "patch 9: numbers: nothing like it
- all new" && has changes-patch 1 && remedy "patch 1: numbers: other
- all new" && put_state notes.txt "patch 1: numbers: other
A word." && lacks notes-patch && put_state notes.txt "patch 9: mm: gone
A word." && has notes-patch 1 && remedy "patch 1: numbers: other
A word." && put_state notes.txt "patch 1: numbers: other
diff -u a b" && has notes-cut 1 && test "$(field where)" = notes.txt && remedy " diff -u a b"
'

test_expect_success "messages: none, cut, lost, blanks, NUL, encoding, scissors" '
	make_series words 1 && message "numbers: x

--- a" && has message-cut 1 && git commit -q --amend --allow-empty-message -m "" && has message-empty 1 &&
	printf "author %s\ncommitter %s\n\nnumbers:  x\n\n\n\ntext  \n" "$who" "$who" >c && commit_of c && has message-blanks 1 && lacks message-lost &&
	printf "author %s\ncommitter %s\n\n[numbers] x\n\ntext\n" "$who" "$who" >c && commit_of c && lacks message-lost &&
	printf "author %s\ncommitter %s\n\nnumbers: x\rBcc: e@example.org\n\ntext\n" "$who" "$who" >c && commit_of c &&
	{ has message-lost 1 || has message-blanks 1; } &&
	printf "author %s\ncommitter %s\n\nnumbers: x\n\nte\000xt\n" "$who" "$who" >c && commit_of c && has message-nul 1 &&
	printf "author %s\ncommitter %s\n\nnumbers: \351\n\ntext\n" "$who" "$who" >c && commit_of c && has message-encoding 1 &&
	printf "author %s\ncommitter %s\nencoding ISO-8859-1\n\nnumbers: \351\n\ntext\n" "$who" "$who" >c && commit_of c && lacks message-encoding &&
	printf "author %s\ncommitter %s\nencoding klingon\n\nnumbers: \351\n\ntext\n" "$who" "$who" >c && commit_of c && has message-encoding 1 &&
	message "numbers: x

Above.
-- >8 --
Below." && has message-scissors 1 && message "numbers: x

A price of 8<9 and 9>8." && lacks message-scissors
'

test_expect_success "authors that git am would change" '
	make_series author 1 && for name in "Wendy." "W\"" "Mail System Internal Data" "$(printf "%061d" 0)"; do
		printf "author %s <wendy@example.org> 1700000000 +0000\ncommitter %s\n\nnumbers: x\n" "$name" "$who" >c && commit_of c &&
		has author-lost 1 || return 1
	done && printf "author %s <wendy@example.org> 1700000000 +0000\ncommitter %s\n\nnumbers: x\n" "Wendy J. O\"Neill (Ms.)" "$who" >c && commit_of c
	lacks author-lost
'

test_expect_success "patches: empty, unreadable, not UTF-8" '
	make_series patches 1 && git commit -q --allow-empty -s -m "numbers: nothing" && has patch-empty 1 && git reset -q --hard HEAD~1 &&
	printf "caf\351\n" >latin1 && git add latin1 && git commit -q -s -m "numbers: latin1" && has patch-not-utf8 1 &&
	git reset -q --hard HEAD~1 && mkdir "d " && : >"d /empty" && git add . && git commit -q -s -m "numbers: d" && has patch-unreadable 1 &&
	git mv "d " d && git commit -q --amend -s --no-edit && lacks patch-unreadable
'

# git_that VERB COMMAND...: a git whose VERB is followed by this, with its last word in $last.
git_that() {
	verb=$1
	shift
	mkdir -p "$T/bin" && cat >"$T/bin/git" <<-EOF && chmod +x "$T/bin/git"
	#!/bin/sh
	for last; do :; done
	"$(PATH=${PATH#"$T/bin:"} command -v git)" "\$@"
	rc=\$?
	case " \$* " in *" $verb "*) $* ;; esac
	exit \$rc
	EOF
	PATH=$T/bin:${PATH#"$T/bin:"}
}

test_expect_success "a git mailinfo that gives another message, or another patch" '
	make_series lossy 1 && git_that mailinfo "sed -i s/line/lime/ \"\$last\"" && has patch-lost 1 && lacks message-lost &&
	git_that mailinfo "for m; do case \$m in */message) echo more >>\"\$m\" ;; esac; done" && has message-lost 1 && lacks patch-lost;
	rc=$?; PATH=${PATH#"$T/bin:"}; return $rc
'

test_expect_success "settings of git send-email that do not hold" '
	cd good && git config sendemail.annotate true && git config sendemail.thread false && has setting-ignored 2 &&
	git config sendemail.annotate no && git config sendemail.thread yes && lacks setting-ignored
'

test_expect_success "mails that may have arrived, and an outbox that cannot be read" '
	make_series unsure 2 && printf "#!/bin/sh\ncat >/dev/null\nexit 1\n" >"$T/unsure.sh" && chmod +x "$T/unsure.sh" &&
	git config sendemail.smtpserver "$T/unsure.sh" && test_status 1 "$SERIES" send --yes --no-verify && has mail-unsure 1 &&
	sed -i "s/exit 1/exit 0/" "$T/unsure.sh" && printf "junk" >"$(ls -d .git/series/outbox/20*[a-z])/manifest.json" && has outbox-corrupt 1 &&
	test_status 1 "$SERIES" send --resume 2>err && test_grep "put the outbox aside: mv " err && field message | sed "s/.*: mv /mv /" >cmd &&
	sh -e cmd && lacks outbox-corrupt && lacks mail-unsure && "$SERIES" status >st && ls .git/series/outbox-20*/journal
'

test_expect_success "each check was tripped, and each missed; remedies that are commands were run" '
	cd good && check_proof t0240-check.sh "
recipient-lost t0241-check-mails.sh who got v1
mail-unsure - asks
bench-missing - measures
bench-stale - measures
bench-other-base - measures
resend-fixes t0314-send-fixup.sh without the 3 fixes posted for it
fixup-queue t0314-send-fixup.sh and the fix does not apply there
fixup-unqueued t0314-send-fixup.sh no branch here has patch 2 of v1
patch-missing t0446-check-posted.sh patch-missing
fixup-fold t0314-send-fixup.sh it applies on top of the posted patches, and not on patch 1
fixup-others t0314-send-fixup.sh what changed in patch 3 is not in it
"
'

test_done
