#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A mirror is read from where it ended the last time, and what was taken before counts with
# what comes: the same documents as from all of it.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# ours N: the Message-ID of patch N of v1 (0: the cover)
ours() {
	git -C "$T/r" show "refs/series/topic/state:versions/1.json" | python3 -c "
import json, sys
d = json.load(sys.stdin)
print(d['postings'][0]['message_id'] if $1 == 0 else d['patches'][$1 - 1]['message_id'])"
}
# arrive FILE...: the mails are in the mirror
arrive() {
	for file; do
		cp "$file" "$T/tree/m" && git -C "$T/tree" add m && git -C "$T/tree" commit -q -m mail || return 1
	done && git -C "$T/tree" push -q -f "$T/mirror/0.git" HEAD:master
}
# reply ID NAME PARENT: a mail in $T/ID, its text from standard input
reply() {
	{
		printf 'From: %s <%s@example.org>\nSubject: Re: [PATCH] numbers\nMessage-ID: <%s@example.org>\nIn-Reply-To: <%s>\nDate: Fri, 20 Nov 2026 10:00:00 +0000\n\n' "$2" "$(echo "$2" | tr "A-Z " "a-z.")" "$1" "$3"
		cat
	} >"$T/$1"
}
# read_is N FOUND: so many mails were read, and so many of them belong to it
read_is() {
	"$SERIES" update --from ../mirror --json >../json && python3 -c "
import json
d = json.load(open('../json'))
assert (d['read'], d['found']) == ($1, $2), d"
}
# marked N: as if so many had been read the last time; whoever reads all does not see it
marked() {
	sed -i 's/"read": *[0-9]*/"read": '"$1"'/' .git/series/topic.mirrors
}
# whole: what all of the mirror gives is what we have
whole() {
	git ls-tree -r refs/series/topic/state review >../got && rm .git/series/topic.mirrors && git clone -q . ../fresh && (cd ../fresh && git fetch -q origin "refs/series/*:refs/series/*") &&
	git -C ../fresh read-tree refs/series/topic/state && git -C ../fresh rm -rq --cached review &&
	git -C ../fresh update-ref refs/series/topic/state "$(git -C ../fresh commit-tree -p refs/series/topic/state -m bare "$(git -C ../fresh write-tree)")" &&
	"$SERIES" -C ../fresh update -s topic --from ../mirror && git -C ../fresh ls-tree -r refs/series/topic/state review >../want && rm -rf ../fresh && test_cmp ../want ../got
}

test_expect_success "the first time: all, and what replies to something unseen waits" '
	make_series r 2 && sink s1 && "$SERIES" send --yes && git init -q ../tree && git init -q --bare -b master ../mirror/0.git &&
	echo "Hello." | reply other1 "Olga Other" x@example.org && reply rita "Rita Reader" "$(ours 1)" <<-\E && reply late "Lena Late" early@example.org <<-\E2 &&
	> +line 1

	Why is that so?
	E
	Tested-by: Lena Late <lena.late@example.org>
	E2
	arrive ../s1/*.eml ../other1 ../rita ../late && "$SERIES" update --from ../mirror >../out && test_grep "^1 new remark (" ../out && [ -f .git/series/topic.mirrors ] && read_is 6 4
'
test_expect_success "then what is new alone, which meets what was there: an answer, a parent that comes later" '
	cd r && reply answer "Wendy Writer" rita@example.org <<-\E && echo "I thought so, too. But where?" | reply early "Erik Early" "$(ours 0)" && echo "Bye." | reply other2 "Olga Other" other1@example.org &&
	> Why is that so?

	Because lines have numbers.
	E
	arrive ../answer ../early ../other2 && marked 1000 && "$SERIES" update --from ../mirror >../out && cat ../out && test_grep "1 new tag" ../out && test_grep "Tested-by from Lena Late" ../out &&
	"$SERIES" remarks --all >../out && test_grep "answered.*Why is that so" ../out && read_is 1003 7 && whole
'
test_expect_success "everything, when the file is damaged, the list was written anew, or other mails are looked for" '
	cd r && read_is 9 7 && echo junk >.git/series/topic.mirrors && read_is 9 7 && marked 1000 && read_is 1000 7 &&
	git -C ../tree reset -q --hard HEAD~2 && arrive ../early && read_is 8 7 && marked 1000 && read_is 1000 7 &&
	sed "1s/.*/numbers/" numbers >n && mv n numbers && git commit -q -a --amend --no-edit && "$SERIES" send --yes && kill "$sink_pid" && read_is 8 7
'
test_done
