#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A series that series itself has posted, taken over elsewhere: what it had written by
# itself is not taken for words of a person, so that the next posting says all once, as
# the next posting of the clone that it came from does.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

body() {
	sed "1,/^$/d" "$1"
}
change() {
	sed "$1s/.*/$2/" numbers >new && mv new numbers && git commit -q -a -s -m "numbers: change line $1"
}
again() {
	sed "$1s/.*/$2/" numbers >new && mv new numbers && git commit -q -a -s --amend --no-edit
}
# mbox_of NAME: all mails that its sink got
mbox_of() {
	for file in "$T/$1"-sink/*.eml; do
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970" && tr -d "\r" <"$file" && echo || return 1
	done
}
# once PATTERN FILE
once() {
	[ "$(grep -c "$1" "$2")" = 1 ] || { echo "not once: $1" && cat "$2" && return 1; }
}
# posted NAME PATCHES STYLE WHERE COVER: v1 and v2 are out, v3 has another line
posted() {
	make_base "$T/$1" && git config series.changelog "$3" && git config series.changelog.patches "$4" && git config sendemail.to list@example.org || return 1
	for i in $(seq 1 "$2"); do change "$i" "line $i" || return 1; done
	"$SERIES" init --base main || return 1
	[ "$5" = no ] || make_cover "numbers: words" "Better lines.

With a list:
- one
---
Only for those who like words." || return 1
	sink "$1-sink" && "$SERIES" send --yes && again "$2" "line two" && "$SERIES" changes --add "rewritten (thanks Rita Reader)" &&
	"$SERIES" changes --add "line $2 says more,
and more" --patch "$2" && "$SERIES" send --yes && again "$2" "line three" && "$SERIES" changes --add "for v3" && kill "$sink_pid"
}
# taken NAME: the same from the mails, in a clone
taken() {
	mbox_of "$1" >"$T/$1.mbox" && git clone -q --branch main "$T/$1" "$T/$1-clone" && cd "$T/$1-clone" && cp "$T/$1/.git/config" .git/config && git config --remove-section branch.topic; git branch -q -f main origin/main
	"$SERIES" import --base main "$T/$1.mbox" && git switch -q "$(git for-each-ref --format="%(refname:short)" refs/heads | grep -v main)" && again "$2" "line three" && "$SERIES" changes --add "for v3"
}
# same NAME: what both would send as v3
same() {
	"$SERIES" -C "$T/$1" format -o "$T/$1-a" && "$SERIES" -C "$T/$1-clone" format -o "$T/$1-b" || return 1
	for file in "$T/$1-a"/*; do
		body "$file" | sed "s/^index .*/index/" >want && body "$T/$1-b/${file##*/}" | sed "s/^index .*/index/" >got && test_cmp want got || return 1
	done
}

for style in changes arrow; do
	for where in patches cover both; do
		name=$style-$where
		test_expect_success "three patches with a cover letter: changelogs as $style, those of patches in $where" '
			posted $name 3 $style $where yes && taken $name 3 && same $name && cover=$(ls "$T/$name-b"/*0000*) && once "^Applies on" "$cover" && once "v1: https" "$cover" &&
			once "v2: https" "$cover" && once "^Better lines" "$cover" && once "^---$" "$cover" && once "^Only for those" "$cover" && grep -q "rewritten (thanks Rita Reader)" "$cover"
		'
	done
	test_expect_success "a single patch: $style" '
		posted $style-1 1 $style patches no && taken $style-1 1 && same $style-1 && mail=$(ls "$T/$style-1-b"/*) && once "^Applies on" "$mail" && once "v1: https" "$mail" && grep -q "line 1 says more" "$mail" &&
		! git show refs/series/numbers-change-line-1/state:cover.txt 2>/dev/null
	'
	test_expect_success "a single patch that has words of a cover letter: $style" '
		posted $style-2 1 $style patches yes && taken $style-2 1 && same $style-2 && mail=$(ls "$T/$style-2-b"/*) && once "^Better lines" "$mail" && once "^Only for those" "$mail"
	'
done
test_expect_success "what is below the dashes of patches is kept for the next version, links to what is not here too" '
	cd "$T" && posted notes 2 changes patches yes && cd "$T" && sed "s/^---$/&\nNot for stable./" "$(ls "$T"/notes-sink/*.eml | tail -n 1)" >last && cp last "$(ls "$T"/notes-sink/*.eml | tail -n 1)" &&
	cd "$T/notes-sink" && rm $(grep -l "^Subject: \[PATCH [0-9]" *.eml) && taken notes 2 && git show "refs/series/$(git config "branch.$(git symbolic-ref --short HEAD).series")/state:notes.txt" >got && cat got &&
	printf "patch 2: numbers: change line 2\nNot for stable.\n" >want && test_cmp want got && "$SERIES" format -o "$T/notes-b" && once "Link to v1: https" "$T"/notes-b/*0000*
'
# bare NAME PATCHES COVER: two versions are out of which nothing was said
bare() {
	make_base "$T/$1" && git config sendemail.to list@example.org || return 1
	for i in $(seq 1 "$2"); do change "$i" "line $i" || return 1; done
	"$SERIES" init --base main || return 1
	[ "$3" = no ] || make_cover "numbers: words" "Better lines." || return 1
	sink "$1-sink" && "$SERIES" send --yes && again "$2" "line two" && "$SERIES" send --yes && again "$2" "line three" && "$SERIES" changes --add "for v3" && kill "$sink_pid"
}
for form in 2-yes 1-no 1-yes; do
	test_expect_success "links without a heading: patches and cover $form" '
		bare bare-$form ${form%-*} ${form#*-} && grep -h "Link to" "$T/bare-$form-sink"/*.eml && taken bare-$form ${form%-*} && same bare-$form && mail=$(ls "$T/bare-$form-b"/* | head -n 1) && once "Link to v1: https" "$mail" && once "Link to v2: https" "$mail"
	'
done
test_expect_success "links in a letter that has neither dashes nor headings" '
	cd "$T" && bare plain 2 yes && cd "$T/plain-sink" && for file in $(grep -l "^Subject: .* 0/2" *.eml); do
		sed "/^---.\{0,1\}$/d; /^Applies on/d; s/^- Link to v1: \(.*\)/v1: \1/" $file >"$T/x" && cp "$T/x" $file && ! grep -q "^---.\{0,1\}$" $file || return 1
	done && grep -h "^v1: http" *.eml && taken plain 2 && same plain
'
test_done
