#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Git mirrors of lists: what git log and public-inbox say is in them, new mails alone, epochs
# that were written anew, damage. Read by mirror-dump, for no command does yet.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

dump=$BUILD/tests/mirror-dump
[ -x "$dump" ] || test_skip_all "no mirror-dump: make check builds it"

# mail N: a mail in a file of that name
mail() {
	cat >"mail$1" <<-EOF
	From: A U Thor <author@example.org>
	To: list@example.org
	Subject: mail $1
	Date: Mon, 5 Jan 2026 09:00:0$1 +0000
	Message-ID: <$1@example.org>
	List-Id: <list.example.org>

	Text of $1.
	From here on.
	EOF
}

fetch() {
	for e in "$T"/inbox/list/git/*.git; do
		n=$(basename "$e") && if [ -d "m/git/$n" ]; then git -C "m/git/$n" fetch -q; else
			git clone -q --mirror "$inbox_url/list/${n%.git}" "m/git/$n"; fi || return 1
	done
}

# Every mail of an epoch as git log has it: what, commit, blob.
by_git() {
	git -C "$1" log --reverse --first-parent --raw --no-abbrev --root --no-renames --format=%H HEAD |
		awk '/^[0-9a-f]/ { c = $1 } /^:/ && $5 != "D" { print $6, c, $4 }'
}

subjects() {
	awk '$1 == "m" || $1 == "d" { print $1, $3 }' "$1" | while read -r what blob; do
		echo "$what $(git -C "$2" cat-file -p "$blob" | sed -n 's/^Subject: //p')"
	done
}

last() {
	awk '{ c = $2 } END { print c }' "$1"
}

inbox_start list
for n in 1 2 3 4 5; do mail $n; done
mkdir -p m/git
inbox_inject list mail1 mail2 mail3

test_expect_success "all mails of an epoch, each byte, as git has them" '
	fetch && "$dump" m >got && [ "$(sed -n 1p got)" = "epoch 0.git" ] && sed 1d got | cut -d" " -f1-3 >is &&
	by_git m/git/0.git >want && test_cmp want is && awk "/^m/ && \$3 != \$5 { bad = 1 } END { exit bad || NR != 4 }" got &&
	subjects got m/git/0.git >is && printf "m mail %s\n" 1 2 3 | test_cmp - is &&
	"$dump" m/git/0.git >got2 && test_cmp got got2 && cp -r m/git plain && "$dump" plain >got2 && test_cmp got got2
'

test_expect_success "only what is new since a commit, a mail that was taken out" '
	seen=$(last got) && "$dump" --since $seen m >got && echo "epoch 0.git" | test_cmp - got && inbox_inject list mail4 &&
	sh "$inbox_sh" do "$T/inbox" public-inbox-learn rm --all <mail2 && fetch &&
	"$dump" --since $seen m >got && sed -n 1p got >is && echo "epoch 0.git" | test_cmp - is &&
	subjects got m/git/0.git >is && printf "%s\n" "m mail 4" "d mail 2" | test_cmp - is
'

test_expect_success "a purge and an edit write the epoch anew, which is said, and all comes again" '
	"$dump" m >got && seen=$(last got) && sh "$inbox_sh" do "$T/inbox" public-inbox-purge --all <mail3 && fetch &&
	"$dump" --since $seen m >got && [ "$(sed -n 1p got)" = "epoch 0.git rewritten" ] &&
	subjects got m/git/0.git | grep "^m" >is && printf "m mail %s\n" 1 2 4 | test_cmp - is &&
	seen=$(last got) && MAIL_EDITOR="sed -i s/Text/Other/" sh "$inbox_sh" do "$T/inbox" public-inbox-edit --raw -m 4@example.org --all &&
	fetch && "$dump" --since $seen m >got && [ "$(sed -n 1p got)" = "epoch 0.git rewritten" ] &&
	git -C m/git/0.git cat-file -p "$(awk "/^m/ { b = \$3 } END { print b }" got)" | grep "Other of 4" &&
	seen=$(git -C m/git/0.git rev-parse HEAD~1) && "$dump" --since $seen m >got && [ "$(wc -l <got)" = 2 ] &&
	"$dump" --since "$(echo gone | git hash-object --stdin)" m >got && [ "$(sed -n 1p got)" = "epoch 0.git rewritten" ] &&
	"$dump" --since nonsense m >got && [ "$(sed -n 1p got)" = "epoch 0.git rewritten" ]
'

test_expect_success "a second epoch, and ten after it, come in the order of their numbers" '
	ROTATE_BYTES=1 inbox_inject list mail5 && fetch && [ -d m/git/1.git ] && "$dump" m >got && sed -n "/1.git/,\$p" got >one &&
	subjects one m/git/1.git >is && echo "m mail 5" | test_cmp - is &&
	head=$(git -C m/git/0.git rev-parse HEAD) && "$dump" --since $head m >got && { echo "epoch 0.git"; cat one; } | test_cmp - got &&
	cp -r m/git/1.git m/git/10.git && cp -r m/git/1.git m/git/2.git && git init -q --bare m/git/3.git &&
	mkdir m/git/4.git m/git/x.git && "$dump" m >got && grep "^epoch" got | sort -t" " -k2n -c &&
	grep "^epoch" got | tail -n 1 | grep "epoch 10.git" && grep "epoch 3.git" got && ! grep "epoch [4x].git" got
'

test_expect_success "a shallow mirror begins where it begins" '
	url=file://$T/inbox/list/git/0.git && git clone -q --mirror --depth 2 "$url" shallow.git && "$dump" shallow.git >got &&
	[ "$(wc -l <got)" = 3 ] && "$dump" --since "$(git -C shallow.git rev-parse HEAD)" shallow.git >got && [ "$(wc -l <got)" = 1 ]
'

test_expect_success "a mail that is missing or damaged is one broken mail, a missing commit an error" '
	git clone -q --mirror "$inbox_url/list/0" b.git && cd b.git && mv objects/pack/*.pack ../all.pack && rm -f objects/pack/* &&
	git unpack-objects -q <../all.pack && "$dump" . >../got && n=$(wc -l <../got) &&
	blob=$(awk "NR == 2 { print \$3 }" ../got) && f=objects/$(echo $blob | sed "s/../&\//") && cp $f ../good && rm -f $f &&
	"$dump" . >../got && [ "$(wc -l <../got)" = $n ] && test_grep "^b .* $blob" ../got && [ "$(grep -c "^b" ../got)" = 1 ] &&
	echo garbage >$f && "$dump" . >../got && [ "$(grep -c "^b" ../got)" = 1 ] && rm -f $f && cp ../good $f &&
	tree=$(git rev-parse HEAD^{tree}) && rm -f objects/$(echo $tree | sed "s/../&\//") && "$dump" . >../got &&
	[ "$(grep -c "^b" ../got)" = 1 ] && commit=$(git rev-parse HEAD~1) && rm -f objects/$(echo $commit | sed "s/../&\//") &&
	{ "$dump" . >../got 2>../err; [ $? = 1 ]; } && cd .. && test_grep "commit $commit cannot be read" err && test_grep "clone it again" err
'

test_expect_success "what is no mirror" '
	mkdir empty && { "$dump" empty 2>err; [ $? = 1 ]; } && test_grep "empty is no mirror of a list" err &&
	{ "$dump" nowhere 2>err; [ $? = 1 ]; } && test_grep "nowhere is no mirror" err &&
	git init -q src && git -C src commit -q --allow-empty -m x && git clone -q --mirror src src.git &&
	{ "$dump" src.git 2>err; [ $? = 1 ]; } && test_grep "no public-inbox mirror of version 2" err
'

test_done
