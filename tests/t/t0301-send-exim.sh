#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a real server received, applied by git am, is the branch again: trees, authors,
# messages; with everything in it that mail is known to spoil.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

exim_start

# c SUBJECT-AND-BODY [GIT OPTIONS]: commit all there is.
c() {
	msg=$1
	shift
	git add -A && printf '%s\n' "$msg" | git commit -q -F - "$@"
}

torture() {
	make_base torture &&
	printf 'one\n' >lf && printf 'a\r\nb\r\n' >crlf && printf '\001\000\377bin' >bin &&
	printf 'x\n' >old-name && cp lf script && git add -A && git commit -q -m files &&
	git branch -f main && git checkout -q -B topic &&

	printf 'grün\nŽluťoučký\n' >utf8 &&
	c "mm: grüße für alle

Text with ünïcödé, and a very long line of words that goes on and on so that somebody might fold it, but must not.

Signed-off-by: Wendy Writer <wendy@example.org>" --author='Žofie Nováková, Jr. <zofie@example.org>' &&

	printf 'From the start\nFrom: nobody\n>From x\n.\n..\n.dot\n' >froms &&
	c "mm: lines that mail systems love

From here on it matters.
>From there too.
.
.leading dot
..two

Signed-off-by: Wendy Writer <wendy@example.org>" &&

	printf 'a\r\nc\r\n' >crlf && printf 'tab\there \n trailing \t\n' >tabs &&
	printf 'no newline at the end' >nonl && c "mm: CRLF, tabs, blanks, no newline" &&
	printf '\000\001\002\377\376new' >bin && c "mm: binary" &&
	git mv old-name new-name && c "mm: rename" &&
	chmod +x script && c "mm: mode" &&
	ln -s lf link && c "mm: symlink" &&
	: >empty && c "mm: empty file" &&
	awk 'BEGIN { for (i = 0; i < 3000; i++) printf "0123456789"; print "" }' >long &&
	printf '=3D soft=\n=\n' >>long && c "mm: lines of 30000 characters" &&
	printf 'caf\351 latin1\n' >latin1 && c "mm: bytes that are not UTF-8" &&
	git rm -q lf && c "mm: remove

A paragraph.

- list
  -- not a signature
-- 
neither is this

Reported-by: \"Doe, J.\" <doe@example.org> # with a comment
Signed-off-by: Wendy Writer <wendy@example.org>" --author='A "quoted" (name) <q@example.org>' &&
	c "mm: a title that is so long that it has to be folded, and it says grüße und küsse at its end, twice: grüße" --allow-empty-message --author='O. N. E. <one@example.org>' --allow-empty ||
		return 1
	# The last one changed nothing: replace it by a change.
	echo last >last && git add -A && git commit -q --amend --no-edit
}

# The authors of a range, and its messages, as one text.
authors() { git log --reverse --format='%an <%ae>' "$1"; }
messages() { git log --reverse --format='%B%x00' "$1" | tr '\0' '='; }
trees() { git log --reverse --format=%T "$1"; }

test_expect_success "a series of everything arrives" '
	torture && "$SERIES" init --base main &&
	make_cover "mm: äll of it" "Hello.
From the top.
.
" &&
	"$SERIES" recipients --add-to "\"Líst, The\" <list@example.org>" --add-cc "b@example.org" &&
	use_server $exim_port && "$SERIES" send --yes && received 13
'

test_expect_success "one file a mail, whoever gets copies" '
	[ "$(ls "$T/exim/mail/new" | wc -l)" = 13 ]
'

test_expect_success "git am --keep-cr gives the branch again" '
	cd torture && for f in "$T"/exim/mail/new/*; do
		id=$(sed -n "/^\$/q;s/^Message-ID:.*-series-v1-\([0-9]*\)@.*/\1/p" "$f") &&
		cp "$f" "$T/$(printf %04d "$id").eml" || return 1
	done && rm "$T/0000.eml" && git checkout -q -b again main &&
	git am -q --keep-cr "$T"/0*.eml &&
	[ "$(git rev-parse again^{tree})" = "$(git rev-parse topic^{tree})" ]
'

test_expect_success "every tree, author and message is the same" '
	cd torture && for what in trees authors messages; do
		$what main..topic >want && $what main..again >got && test_cmp want got || return 1
	done
'

test_expect_success "Python reads the same headers" '
	python3 - "$T"/exim/mail/new/* <<-\EOF
	import email, email.policy, sys
	seen = 0
	for path in sys.argv[1:]:
	    m = email.message_from_binary_file(open(path, "rb"), policy=email.policy.default)
	    to = m["To"].addresses[0]
	    assert (to.display_name, to.addr_spec) == ("Líst, The", "list@example.org"), to
	    assert m["Cc"].addresses[0].addr_spec == "b@example.org"
	    assert m["From"].addresses[0].display_name == "Wendy Writer"
	    assert m.get_content_charset() == "utf-8"
	    if m["Subject"] == "[PATCH 00/12] mm: äll of it":
	        seen += 1
	        assert m["In-Reply-To"] is None
	        assert m.get_content().startswith("Hello.\nFrom the top.\n.\n")
	    else:
	        assert m["In-Reply-To"].endswith("-series-v1-0@example.org>")
	        assert m["References"] == m["In-Reply-To"]
	    for line in open(path, "rb").read().split(b"\n\n", 1)[0].split(b"\n"):
	        assert len(line) <= 998 and (len(line) <= 78 or line[:1] not in b"TCFS"), line
	    seen += m["Subject"] == "[PATCH 12/12] mm: a title that is so long that it has to be folded, and it says grüße und küsse at its end, twice: grüße"
	assert seen == 2, seen
	EOF
'

test_expect_success "the cover letter ends as git and b4 write it" '
	cd torture && f=$(grep -l "^Subject: .PATCH 00/12" "$T"/exim/mail/new/*) &&
	python3 -c "
import email, email.policy, sys
m = email.message_from_binary_file(open(sys.argv[1], \"rb\"), policy=email.policy.default)
sys.stdout.write(m.get_content())" "$f" >body &&
	test_grep "^Applies on main ($(git rev-parse main | cut -c1-12))\$" body &&
	test_grep "^base-commit: $(git rev-parse main)\$" body &&
	test_grep "^change-id: [0-9]\{8\}-topic-[0-9a-f]\{12\}\$" body &&
	git shortlog -w72,2,4 main..topic >short &&
	git diff --stat=72 --summary main topic >>short &&
	sed -n "/^A \"quoted\"/,/^base-commit/p" body | sed "/^base-commit/d" | sed "\$d" >got &&
	test_cmp short got && tail -n 3 body | head -n 2 >end &&
	printf -- "-- \n%s\n" "$(git version | cut -d" " -f3)" >want && test_cmp want end
'

test_expect_success "a fix for the first patch: git am of it gives the tree and the words" '
	cd torture && git checkout -q topic && printf "grün\nfrüh\nFrom x\n.\n" >utf8 && printf "\003\000bin" >bin2 &&
	git add utf8 bin2 && git commit -q --fixup=topic~11 -m "From here on: früher.
.
" && "$SERIES" send --fixup=1 --yes && received 14 && f=$(grep -l "^Subject: .PATCH 13/12" "$T"/exim/mail/new/*) &&
	git checkout -q again && git am -q --keep-cr "$f" && [ "$(git rev-parse again^{tree})" = "$(git rev-parse topic^{tree})" ] &&
	git log -1 --format=%B >got && printf "%s\n" "mm: grüße für alle fix" "" "From here on: früher." . "" \
		"Signed-off-by: Wendy Writer <wendy@example.org>" "" >want && test_cmp want got
'

test_expect_success "dates are a second apart and end now" '
	for i in 01 02 12; do
		date -d "$(sed -n "/^\$/q;s/^Date: //p" "$T/00$i.eml")" +%s || return 1
	done >"$T/dates" && set -- $(cat "$T/dates") &&
	[ $(($2 - $1)) = 1 ] && [ $(($3 - $1)) = 11 ] && now=$(date +%s) &&
	[ $((now - $3)) -lt 600 ] && [ $((now - $3)) -ge 0 ]
'

test_expect_success "the server puts a mail off after its text; the rest goes later" '
	rm -f "$T"/exim/mail/new/* && cd "$T" && make_series defer 2 && use_server $exim_port &&
	make_cover "defer-me" "x" && test_status 1 "$SERIES" send --yes 2>err &&
	test_grep "451 4.3.0 try again later" err && make_cover "words" "x" &&
	"$SERIES" send --yes && received 3
'

test_done
