#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A maintainer applies what was posted: which version, which patches, with which tags.
# Beside it git am of the mails as they were posted, and messages written down by hand.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/am.sh"
RITA="Rita Reader <rita@example.org>" BEA="Béa Tester <bea@example.org>" JOE="Joe Doe <joe@example.org>"

# trailers K: of the K-th patch from the last, in the tree at hand
trailers() {
	git log -1 --format=%B "HEAD~$1" | sed -n "/^[A-Z][A-Za-z-]*: /p"
}
# lines WORD...: one a line
lines() {
	printf "%s\n" "$@"
}

test_expect_success "two versions are posted" '
	am_people && git switch -q -c topic && edit numbers 1 one && c "numbers: change line 1" --author "Zoë Author <zoe@example.org>" &&
	edit numbers 20 twenty && c "numbers: change line 20" -m "Some words.

-- between two dashes." && edit letters 40 forty && c "letters: change line 40" && git tag was1 && mails 1 main..was1 &&
	git reset -q --hard HEAD~1 && edit letters 40 FORTY && c "letters: change line 40" && git tag was2 && mails 2 main..was2 &&
	mbox "$T"/v1/*.patch "$T"/v2/*.patch >"$T/mbox"
'
test_expect_success "the newest version is applied, as git am makes it" '
	git_am_of origin/main "$T"/v2/*-000[123]-*.patch && "$SERIES" am "$T/mbox" >../out && commits origin/main..HEAD >../got && test_cmp ../want ../got &&
	test_grep "^v2: numbers: words  Wendy Writer, 2026-03-14, 3 patches" ../out && test_grep "^applied 3 patches: " ../out && [ -z "$(git status --porcelain)" ] &&
	[ "$(git log -1 --format=%cn)" = "Mara Maintainer" ]
'
test_expect_success "a folder of patches, as git format-patch writes them, in the order of their names" '
	git_am_of origin/main "$T"/v2/*-000[123]-*.patch && echo "no mail" >"$T/v2/notes" && "$SERIES" am "$T/v2" && commits origin/main..HEAD >../got && test_cmp ../want ../got && rm "$T/v2/notes" &&
	mkdir "$T/emls" "$T/hollow" && for f in "$T"/v2/*.patch; do n=${f##*/} && sed "1{/^From /d}" "$f" >"$T/emls/${n%.patch}.eml" || return 1; done && fresh && "$SERIES" am "$T/emls" && commits origin/main..HEAD >../got && test_cmp ../want ../got &&
	fresh && test_status 1 "$SERIES" am "$T/hollow" 2>err && test_grep "hollow is a folder without cur/, so no Maildir, and without files \*.patch and \*.eml" err
'
test_expect_success "-v takes another, and says that it is not the newest; -s signs" '
	git_am_of origin/main -s "$T"/v1/*-000[123]-*.patch && "$SERIES" am -s -v 1 "$T/mbox" >../out && commits origin/main..HEAD >../got && test_cmp ../want ../got &&
	test_grep "^note: v1 is not the newest version: that is v2" ../out && fresh && test_status 1 "$SERIES" am -v 3 "$T/mbox" 2>err && test_grep "no version .3. here; there is v2, v1" err
'
test_expect_success "-P takes some; what is no list is refused" '
	git_am_of origin/main "$T"/v2/*-000[13]-*.patch && "$SERIES" am -P 1,3 "$T/mbox" && commits origin/main..HEAD >../got && test_cmp ../want ../got &&
	for p in 0 4 3-1 x 1- 1,,9 ""; do test_status 129 "$SERIES" am -P "$p" "$T/mbox" 2>err && test_grep "no list like 1,3-5 of patches 1 to 3" err || return 1; done
'
test_expect_success "a missing patch is named, and can be left out; so is one of half an mbox" '
	mbox "$T"/v2/*-000[013]-*.patch >"$T/holes" && fresh && test_status 1 "$SERIES" am "$T/holes" 2>err && test_grep "v2 is not complete: patch 2 of 3 is not here.*-P 1,3" err &&
	[ "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)" ] && "$SERIES" am -P 1,3 "$T/holes" && [ "$(git rev-list --count origin/main..HEAD)" = 2 ] &&
	mbox "$T"/v1/*.patch "$T"/v2/*-000[01]-*.patch >"$T/newer" && fresh && "$SERIES" am "$T/newer" >../out && test_grep "^v1: " ../out && test_grep "^note: v2 is newer than v1 and not complete: 2 of its 3" ../out
'
# Cut anywhere, it is refused or applied whole: commits are those of the mails that are whole.
test_expect_success "half an mbox is never half a patch" '
	git_am_of origin/main "$T"/v2/*-000[123]-*.patch && mbox "$T"/v2/*.patch >"$T/whole" && size=$(wc -c <"$T/whole") && n=0 &&
	while [ $n -lt "$size" ]; do
		n=$((n + 211)) && head -c $n "$T/whole" >"$T/cut" && fresh || return 1
		if "$SERIES" am "$T/cut" >../out 2>../err; then
			commits origin/main..HEAD >../got && test_cmp ../want ../got || { echo "cut at $n"; return 1; }
		else
			[ $? = 1 ] && { [ "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)" ] || [ -d .git/rebase-apply ]; } || { echo "cut at $n"; return 1; }
		fi
	done
'
test_expect_success "tags of replies: by patch, in the order they came, none doubled" '
	{ cat "$T/mbox" && reply t1 v2-1 "$RITA" "Reviewed-by: $RITA" && reply t2 v2-0 "$BEA" "For the series:\nTested-by: $BEA # on a board" && reply t3 v2-1 "$JOE" "acked-by: $JOE" && reply t4 v2-1 "$RITA" "Reviewed-by: $RITA"; } >"$T/tags" &&
	fresh && "$SERIES" am -s "$T/tags" >../out && test_nogrep "not taken" ../out &&
	trailers 2 >../got && lines "Signed-off-by: Wendy Writer <wendy@example.org>" "Reviewed-by: $RITA" "Tested-by: $BEA # on a board" "Acked-by: $JOE" "Signed-off-by: Mara Maintainer <mara@example.org>" >../want && test_cmp ../want ../got &&
	trailers 0 >../got && lines "Signed-off-by: Wendy Writer <wendy@example.org>" "Tested-by: $BEA # on a board" "Signed-off-by: Mara Maintainer <mara@example.org>" >../want && test_cmp ../want ../got &&
	fresh && "$SERIES" am --no-tags -s "$T/tags" >../out && trailers 2 >../got && lines "Signed-off-by: Wendy Writer <wendy@example.org>" "Signed-off-by: Mara Maintainer <mara@example.org>" >../want && test_cmp ../want ../got
'
# b4 0.12 wants -t for tags of the cover, and puts them behind those for the patch.
command -v b4 >/dev/null && test_expect_success "b4 am and git am make the same of them" '
	fresh && git config b4.attestation-policy off && rm -rf "$T/b4" && mkdir "$T/b4" && { cat "$T/mbox" && reply b1 v2-1 "$RITA" "Reviewed-by: $RITA" && reply b2 v2-1 "$JOE" "Acked-by: $JOE" && reply b3 v2-0 "$BEA" "Tested-by: $BEA"; } >"$T/tags4" && b4 am -t -m "$T/tags4" -o "$T/b4" v2-0@example.org >../said 2>&1 && git am -q "$T"/b4/*.mbx && commits origin/main..HEAD >../want &&
	[ "$(git log --format=%B origin/main..HEAD | grep -c "^Tested-by")" = 3 ] && fresh && "$SERIES" am "$T/tags4" && commits origin/main..HEAD >../got && test_cmp ../want ../got
'
test_expect_success "one given to an older version counts where the patch is the same" '
	{ cat "$T/mbox" && reply o1 v1-1 "$RITA" "Reviewed-by: $RITA" && reply o2 v1-3 "$RITA" "Reviewed-by: $RITA" && reply o3 v1-0 "$JOE" "Acked-by: $JOE" && reply o4 v1-0 "$BEA" "Tested-by: $BEA"; } >"$T/older" &&
	fresh && "$SERIES" am "$T/older" >../out && trailers 2 >../got && lines "Signed-off-by: Wendy Writer <wendy@example.org>" "Reviewed-by: $RITA" "Acked-by: $JOE" >../want && test_cmp ../want ../got &&
	trailers 0 >../got && lines "Signed-off-by: Wendy Writer <wendy@example.org>" >../want && test_cmp ../want ../got &&
	test_grep "^not taken: Reviewed-by: $RITA for 3/3 (given to v1, and the patch has changed since)" ../out && test_grep "^not taken: Tested-by: $BEA for 1/3 (given to v1, and the series has changed since)" ../out &&
	fresh && git config series.tags.changed keep && "$SERIES" am "$T/older" && trailers 0 | grep -qx "Reviewed-by: $RITA" && git config --unset series.tags.changed &&
	fresh && "$SERIES" am --take RITA@Example.org "$T/older" 2>&1 && ! trailers 0 | grep -qx "Reviewed-by: $RITA" && fresh && "$SERIES" am --take rita@example.org "$T/older" && trailers 0 | grep -qx "Reviewed-by: $RITA" && ! trailers 0 | grep -q "Tested-by"
'
test_expect_success "what something speaks against is listed and left out, robots are not heard" '
	{ cat "$T/mbox" && reply d1 v2-1 "$RITA" "With the typo fixed you can add:\nReviewed-by: $RITA" && reply d2 v2-1 "$BEA" "For the arm64 bits:\nAcked-by: $BEA" && reply d3 v2-1 "$JOE" "Acked-by: Ann Other <ann@example.org>" &&
	  reply d4 v2-2 "$RITA" "Reported-by: $RITA" && reply d5 v2-2 "Wendy Writer <wendy@example.org>" "Tested-by: Wendy Writer <wendy@example.org>" && reply d6 v2-2 "$JOE" "Acked-by: $JOE" && reply d7 d6 "$JOE" "Please drop my Acked-by, I was too fast." &&
	  reply d8 v2-3 "kernel test robot <lkp@intel.com>" "Reviewed-by: kernel test robot <lkp@intel.com>"; } >"$T/doubts" && fresh && "$SERIES" am "$T/doubts" >../out && commits origin/main..HEAD >../got &&
	fresh && "$SERIES" am --no-tags "$T/doubts" >../quiet && commits origin/main..HEAD >../want && test_cmp ../want ../got && test_nogrep "not taken" ../quiet &&
	test_grep "^not taken: Reviewed-by: $RITA for 1/3 (conditional: " ../out && test_grep "^not taken: Acked-by: $BEA for 1/3 (for a part: " ../out && test_grep "^not taken: Acked-by: Ann Other <ann@example.org> for 1/3 (somebody else sent it)" ../out &&
	test_grep "^not taken: Reported-by: $RITA for 2/3 (offered in a reply)" ../out && test_grep "^not taken: Tested-by: Wendy Writer <wendy@example.org> for 2/3 (the author" ../out && test_grep "^not taken: Acked-by: $JOE for 2/3 (taken back)" ../out && test_nogrep robot ../out
'
test_expect_success "a person is asked about them" '
	fresh && python3 "$SRCDIR/tests/helper/terminal.py" "[y/N]" "y\n" "[y/N]" "n\n" "[y/N]" "\n" "[y/N]" "\n" "[y/N]" "\n" -- "$SERIES" am "$T/doubts" >../out; cat ../out; trailers 2 >../got &&
	lines "Signed-off-by: Wendy Writer <wendy@example.org>" "Reviewed-by: $RITA" >../want && test_cmp ../want ../got
'
test_expect_success "a NAK is an error, unless it is said to be known; one of an older patch is told" '
	{ cat "$T/mbox" && reply n1 v2-2 "$JOE" "NAK, this breaks my board."; } >"$T/nak" && fresh && test_status 1 "$SERIES" am "$T/nak" 2>err && test_grep "NAK from Joe Doe for 2/3.*n1@example.org.*--nak-ok" err && [ "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)" ] &&
	"$SERIES" am --nak-ok "$T/nak" >../out && test_grep "^NAK from Joe Doe for 2/3" ../out && [ "$(git rev-list --count origin/main..HEAD)" = 3 ] &&
	{ cat "$T/mbox" && reply n2 v1-3 "$JOE" "Nacked-by: $JOE"; } >"$T/nak1" && fresh && "$SERIES" am "$T/nak1" >../out && test_grep "^NAK from Joe Doe for 3/3 (of v1)" ../out &&
	{ cat "$T/mbox" && reply n3 v2-3 "$JOE" "Nacked-by: $JOE" && reply n4 v1-3 "$JOE" "Nacked-by: $JOE"; } >"$T/nak2" && fresh && test_status 1 "$SERIES" am "$T/nak2" 2>err && test_grep "n3@example.org.*--nak-ok" err
'
test_expect_success "--link and --msgid, by the settings, off by default, never twice" '
	fresh && git config b4.linkmask https://b4.example.org/%s && "$SERIES" am --link "$T/mbox" && trailers 0 >../got && lines "Signed-off-by: Wendy Writer <wendy@example.org>" "Link: https://b4.example.org/v2-3@example.org" >../want && test_cmp ../want ../got &&
	git config series.linkmask https://series.example.org/%s && fresh && "$SERIES" am -s --link "$T/tags" && trailers 2 >../got && lines "Signed-off-by: Wendy Writer <wendy@example.org>" "Reviewed-by: $RITA" "Tested-by: $BEA # on a board" "Acked-by: $JOE" "Link: https://series.example.org/v2-1@example.org" "Signed-off-by: Mara Maintainer <mara@example.org>" >../want && test_cmp ../want ../got &&
	fresh && "$SERIES" am --msgid "$T/mbox" && trailers 0 >../got && lines "Signed-off-by: Wendy Writer <wendy@example.org>" "Message-ID: <v2-3@example.org>" >../want && test_cmp ../want ../got &&
	fresh && test_status 129 "$SERIES" am --link --msgid "$T/mbox" && sed "s,^Signed-off-by: W.*,&\nLink: https://series.example.org/v2-3@example.org," "$T"/v2/*-0003-*.patch >"$T/linked" && mbox "$T"/v2/*-000[012]-*.patch "$T/linked" >"$T/linkedbox" &&
	"$SERIES" am --link "$T/linkedbox" && [ "$(trailers 0 | grep -c Link:)" = 1 ]
'
test_expect_success "a partial reroll is put together with the version before" '
	sed "s/^Subject: .*/Subject: [PATCH v3 3\/3] letters: change line 40/; s/^Message-ID: .*/Message-ID: <v3-3@example.org>/; s/^In-Reply-To: .*/In-Reply-To: <v2-3@example.org>/; s/+FORTY/+forty!/; s/14 Mar/15 Mar/" "$T"/v2/*0003*.patch >"$T/reroll" &&
	git_am_of origin/main "$T"/v2/*-000[12]-*.patch "$T/reroll" && { cat "$T/mbox" && mbox "$T/reroll"; } >"$T/rerolled" && "$SERIES" am "$T/rerolled" >../out && commits origin/main..HEAD >../got && test_cmp ../want ../got && test_grep "^v3: " ../out && test_grep "^note: v3 is a reroll" ../out &&
	{ cat "$T/rerolled" && reply p1 v2-1 "$RITA" "Reviewed-by: $RITA" && reply p3 v2-3 "$RITA" "Reviewed-by: $RITA"; } >"$T/rerolled2" && fresh && "$SERIES" am "$T/rerolled2" && trailers 2 | grep -qx "Reviewed-by: $RITA" && ! trailers 0 | grep -q Reviewed-by
'
test_expect_success "several series: each is named; none: said" '
	mkdir -p "$T/w" &&
	for f in "$T"/v2/*.patch; do sed "s/v2-\([0-9]\)@/w1-\1@/g; s/numbers: words/letters: more/; s/^From: Wendy Writer <wendy/From: Will Other <will/; s/\[PATCH v2/[PATCH/; s/^\(Subject.*\)numbers: change/\1bumpers: turn/; s/^\(Subject.*\)letters: change/\1setters: turn/; s/one$/won/; s/twenty/zwanzig/; s/FORTY/vierzig/" "$f" >"$T/w/${f##*/}" || return 1; done &&
	{ cat "$T/mbox" && mbox "$T"/w/*.patch; } >"$T/two" && fresh && test_status 129 "$SERIES" am "$T/two" 2>err && test_grep "2 series in it.*numbers: words.*v2-0@example.org.*letters: more.*w1-0@example.org" err &&
	git_am_of origin/main "$T"/w/*-000[123]-*.patch && "$SERIES" am "$T/two" w1-2@example.org && commits origin/main..HEAD >../got && test_cmp ../want ../got && fresh && test_status 1 "$SERIES" am "$T/two" nobody@example.org 2>err && test_grep "is not in" err &&
	reply x nobody "$JOE" "Hello" >"$T/none" && test_status 1 "$SERIES" am "$T/none" 2>err && test_grep "no patches were posted" err
'
test_done
