#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series check of mails: what is said of a posted series that breaks rules, and of one that
# does not. Outside any repository.
. "${SRCDIR:-.}/tests/helper/tap.sh"

# mail ID K SUBJECT PARENT: of Ada's, the text from standard input
mail() {
	printf 'From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: %s\nMessage-ID: <%s@example.org>\n%sSubject: %s\nDate: Fri, 5 Jan 2024 09:00:0%s +0000\n\n' \
		"${from:-Ada Author <ada@example.org>}" "$1" "${4:+In-Reply-To: <$4@example.org>
}" "$3" "$2"
	cat
	echo
}
diff_of() {
	printf -- "---\n a | 1 +\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -%s,0 +%s,1 @@\n+line %s\n-- \n2.39\n" "$1" "$1" "$1"
}
sob="Signed-off-by: Ada Author <ada@example.org>"
good() {
	mail c 0 "[PATCH ${1:-}0/2] a: words" <<-E
	Better words.
	E
	{ printf "Because.\n\n%s\n" "$sob" && diff_of 1; } | mail 1 1 "[PATCH ${1:-}1/2] a: one" c
	{ printf "Because.\n\n%s\n" "$sob" && diff_of 2; } | mail 2 2 "[PATCH ${1:-}2/2] a: two" c
}
# found BOX: "ID WHERE" of each finding
found() {
	"$SERIES" check "$1" --json >json 2>err
	echo "status $?" && python3 -c "
import json
for v in json.load(open('json'))['posted']:
    print(v['version'], v['title'], v['patches'])
    for f in v['findings']:
        assert not f['remedy'], f
        print(f['id'], f['where'])"
}

test_expect_success "a good series has no findings" '
	good >box && found box >got && printf "status 0\nv1 a: words 2\n" >want && test_cmp want got && "$SERIES" check - <box >out &&
	test_grep "^v1 of \"a: words\", 2 patches by Ada Author$" out && test_grep "^0 errors, 0 warnings; 1[0-9] checks passed$" out
'

test_expect_success "each rule that mails can show broken" '
	{ mail c 0 "[PATCH 0/6] a: words" </dev/null
	{ printf "Because.\n" && diff_of 1; } | mail 1 1 "[PATCH 1/6] a: no sign-off" c
	{ printf "Because.\n\nReported-by: Rob <rob@example.org>\n%s\n" "$sob" && diff_of 2; } | mail 2 2 "[PATCH 2/6] a: with a full stop." c
	{ printf "%s\n" "$sob" && diff_of 3; } | mail 3 3 "[PATCH 3/6] says nothing" c
	{ printf "Because.\n\nCo-developed-by: Rob <rob@example.org>\n%s\nSigned-off-by: Eve <eve@example.org>\n" "$sob" && diff_of 3; } | mail 4 4 "[PATCH 4/6] fixup! a: this is a subject" c
	{ printf "Be\033cause.\n\nAcked-by: Rob <rob@example.org>\n\nMore.\n\n%s\n" "$sob" && diff_of 5; } | mail 5 5 "[PATCH 5/6] a: this is a subject that goes on and on until it is longer than 75 columnss" c; } >bad &&
	found bad | tr "\047" Q >got && cat >want <<-\EOF && test_cmp want got
	status 2
	v1 a: words 6
	patch-missing 
	signed-off-author patch 1 Qa: no sign-offQ
	signed-off-sender patch 4 Qfixup! a: this is a subjectQ
	reported-by patch 2 Qa: with a full stop.Q
	co-developed-by patch 4 Qfixup! a: this is a subjectQ
	trailers-split patch 5 Qa: this is a subject that goes on and on until it is longer than 75 columnssQ
	subject-dot patch 2 Qa: with a full stop.Q
	subject-prefix patch 3 Qsays nothingQ
	subject-long patch 5 Qa: this is a subject that goes on and on until it is longer than 75 columnssQ
	message-body patch 3 Qsays nothingQ
	control-bytes patch 5 Qa: this is a subject that goes on and on until it is longer than 75 columnssQ
	fixup-left patch 4 Qfixup! a: this is a subjectQ
	duplicate-patch patch 4 Qfixup! a: this is a subjectQ
	EOF
'

test_expect_success "the newest version of each series, or the one that a mail is of" '
	{ good && good "v2 " | sed "s/<\([c12]\)@/<v2\1@/g;s/ 5 Jan/ 6 Jan/" | sed "s/^Because/Because/;s/^$sob/Signed-off-by: Ada/"; } >two && found two >got &&
	sed -n 2p got >line && echo "v2 a: words 2" >want && test_cmp want line && test_grep "^status 2" got && test_grep "^signed-off-author patch 2" got
'

test_expect_success "a list that hides its senders hides no sign-off" '
	good | sed "s/^From: Ada Author <.*/From: Q.Ada Author. via list <list@example.org>/;s/Q\.Ada Author\./\x27Ada Author\x27/" >list && test_grep "via list" list && found list >got &&
	printf "status 0\nv1 a: words 2\n" >want && test_cmp want got
'

test_expect_success "settings and --only hold; no patches are said" '
	git config --global series.check.subject-dot error && "$SERIES" check bad --only subject-dot --json >json; test $? = 2 && test_grep "\"id\": \"subject-dot\"" json &&
	git config --global series.check.subject-dot off && found bad >got && test_nogrep "subject-dot" got && git config --global --unset series.check.subject-dot &&
	echo "hello" | mail x 1 "hello" >none && test_status 1 "$SERIES" check none 2>err && test_grep "no patch in it" err &&
	test_status 1 "$SERIES" check nothing 2>err && test_grep "no file" err
'

test_done
