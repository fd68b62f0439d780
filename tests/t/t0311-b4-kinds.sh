#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Other kinds of postings as b4 reads them: RFC, a single patch, an answer to a report, many
# patches, and texts that mail is known to spoil.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/b4.sh"

rfc='' one='' fix='' base=''
b4_start

# branch NAME: a new series on main.
branch() {
	cd "$T/author" && git checkout -q -b "$1" main
}

track() {
	"$SERIES" init --base main && "$SERIES" recipients --add-to list@example.org
}

test_expect_success "an RFC is v1, and b4 applies it" '
	b4_people mm/one mm/two && base=$(git rev-parse main) && branch idea &&
	edit mm/one 5 alpha && c "mm/one: alpha" "One." &&
	edit mm/two 5 beta && c "mm/two: beta" "Two." && track &&
	make_cover "mm: a thought" "What do you think?" && post rfc 1700000000 --rfc && rfc=$id &&
	subjects "$T"/rfc/*.eml >got && cat >want <<-\EOF && test_cmp want got && thread_is rfc &&
	[RFC PATCH 0/2] mm: a thought
	[RFC PATCH 1/2] mm/one: alpha
	[RFC PATCH 2/2] mm/two: beta
	EOF
	b4am "$rfc" && no_complaint "$T/said" && applied refs/series/idea/v1
'

test_expect_success "v2 is none any more, links to the RFC, and is found from it" '
	cd author && edit mm/two 6 gamma && git commit -q -a --amend --no-edit &&
	post idea2 1700600000 && [ "$(subjects "$T/idea2/0001.eml")" = "[PATCH v2 0/2] mm: a thought" ] &&
	[ "$(grep "Link to v1: " "$T/idea2/0001.eml")" = "- Link to v1: $b4_url/$rfc" ] && b4am -c "$rfc" &&
	test_grep "Added from v2: 3 patches" "$T/said" && no_complaint "$T/said" &&
	applied refs/series/idea/v2 &&
	b4diff refs/series/idea/v1 refs/series/idea/v2 $base $base "$id"
'

test_expect_success "a single patch: applied by b4 without what stands below its dashes" '
	branch single && edit mm/one 9 nine && c "mm/one: nine" "It counts." && track &&
	make_cover "unused" "Why it is good." && post one 1700000000 && one=$id &&
	[ "$(ls "$T/one" | grep -c eml)" = 1 ] && [ "$(subjects "$T/one/0001.eml")" = "[PATCH] mm/one: nine" ] &&
	thread_is one && b4am "$one" && test_grep "Total patches: 1" "$T/said" &&
	no_complaint "$T/said" && applied refs/series/single/v1
'

test_expect_success "... its v2 has another title, and is found by its change-id" '
	cd author && edit mm/one 9 IX && git commit -q -a --amend -s -m "mm/one: in Roman" -m "It counts." &&
	post one2 1700600000 && [ "$(subjects "$T/one2/0001.eml")" = "[PATCH v2] mm/one: in Roman" ] &&
	[ "$(grep "Link to v1: " "$T/one2/0001.eml")" = "- Link to v1: $b4_url/$one" ] && b4am -c "$one" &&
	test_grep "Added from v2: 1 patches" "$T/said" && no_complaint "$T/said" &&
	applied refs/series/single/v2 && b4diff refs/series/single/v1 refs/series/single/v2 $base $base "$id"
'

test_expect_success "tags given to a single patch are put on it" '
	reply s1 "$T/one2/0001.eml" "Rita Reviewer <rita@example.org>" \
		"Reviewed-by: Rita Reviewer <rita@example.org>" && b4am "$id" &&
	test_nogrep "NOTE" "$T/said" &&
	sed -n "/^Signed-off-by/,/^---\$/p" "$T"/am/*.mbx >got && cat >want <<-\EOF && test_cmp want got
	Signed-off-by: Wendy Writer <wendy@example.org>
	Reviewed-by: Rita Reviewer <rita@example.org>
	---
	EOF
'

test_expect_success "patches that answer a report are in its thread, and b4 finds them there" '
	cat >report.eml <<-\EOF && inbox_inject list report.eml && branch fixes &&
	From: Uwe User <uwe@example.org>
	To: list@example.org
	Subject: [REGRESSION] mm/two counts wrongly
	Date: Mon, 13 Nov 2023 10:00:00 +0000
	Message-ID: <report@example.org>

	It does.
	EOF
	edit mm/two 9 nine && c "mm/two: fix nine" "Nine." && edit mm/two 19 nineteen &&
	c "mm/two: fix nineteen" "Nineteen." && track && make_cover "mm: count well" "As you say." &&
	post fixes 1700000000 --in-reply-to "<report@example.org>" && fix=$id &&
	{ echo "<report@example.org>"; ids "$T"/fixes/*.eml; } | sort >want &&
	thread report@example.org >got && test_cmp want got &&
	python3 - "$T"/fixes/*.eml <<-\EOF &&
	import email, sys
	m = [email.message_from_binary_file(open(f, "rb")) for f in sys.argv[1:]]
	cover = m[0]["Message-ID"]
	assert m[0]["In-Reply-To"] == m[0]["References"] == "<report@example.org>"
	for x in m[1:]:
	    assert x["In-Reply-To"] == cover
	    assert x["References"].split() == ["<report@example.org>", cover]
	EOF
	b4am "$fix" && no_complaint "$T/said" && applied refs/series/fixes/v1 &&
	b4am report@example.org && no_complaint "$T/said" && applied refs/series/fixes/v1
'

many() {
	branch many && for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		edit mm/one $((i * 4)) "line $i" && c "mm/one: line $i" "Line $i." || return 1
	done
}

test_expect_success "twelve patches come in their order" '
	many && track && make_cover "mm: lines" "Twelve." && post many 1700000000 &&
	subjects "$T"/many/*.eml | sed -n "1p;2p;13p" >got && cat >want <<-\EOF &&
	[PATCH 00/12] mm: lines
	[PATCH 01/12] mm/one: line 1
	[PATCH 12/12] mm/one: line 12
	EOF
	test_cmp want got && b4am "$(id_of "$T/many/0007.eml")" && no_complaint "$T/said" &&
	applied refs/series/many/v1
'

# b4 0.12 itself fails at a comma in an author's name, loses quotes and brackets of one, and
# takes away the blank line that ends a binary patch; others than these are here.
odd() {
	branch odd && edit mm/one 5 "grün" &&
	c "mm: grüße für alle, in einer Zeile, die so lang ist, dass sie gefaltet wird: 漢字 auch" "Žluťoučký.

From here on it matters.
>From there too.
.
.dot
  -- no signature" --author="Žofie Nováková <zofie@example.org>" &&
	printf "From the start\nFrom: nobody\n>From x\n.\n..\n" >mm/froms && git add mm/froms &&
	c "mm: froms" "Lines." --author="O. N. E. <one@example.org>" &&
	printf "tab\there \n trailing \t\n=3D soft=\n" >mm/tabs && git add mm/tabs &&
	awk "BEGIN { for (i = 0; i < 300; i++) printf \"0123456789\"; print \"\" }" >mm/long &&
	git add mm/long && c "mm: tabs, and a line of 3000 characters" "Lines." &&
	git mv mm/two mm/second && c "mm: rename" "Name." && chmod +x mm/one && c "mm: mode" "Mode."
}

test_expect_success "odd names and texts come out of b4 as they went in" '
	odd && track && make_cover "mm: äll of it" "Grüße.

From here." && "$SERIES" recipients --add-cc "\"Líst, The\" <other@example.org>" &&
	post odd 1700000000 && b4am "$id" && no_complaint "$T/said" && applied refs/series/odd/v1 &&
	test_grep "^Grüße\.\$" "$T"/am/*.cover
'

test_done
