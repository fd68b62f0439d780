#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What update says when it has the wrong mails, no server, or a state that is damaged; and
# what of it the other commands say.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# stored PATH FILE: the file becomes this document of the state
stored() {
	GIT_INDEX_FILE=$T/idx git read-tree refs/series/topic/state && blob=$(git hash-object -w "$2") &&
	GIT_INDEX_FILE=$T/idx git update-index --add --cacheinfo "100644,$blob,$1" &&
	commit=$(git commit-tree -p refs/series/topic/state -m edited "$(GIT_INDEX_FILE=$T/idx git write-tree)") &&
	git update-ref refs/series/topic/state "$commit"
}
cover_id() {
	git show "refs/series/topic/state:versions/1.json" | python3 -c "
import json, sys
print(json.load(sys.stdin)['postings'][0]['message_id'])"
}
# mail ID PARENT TEXT
mail() {
	printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: Rita Reader <rita@example.org>\nSubject: Re: [PATCH 0/2] numbers\nMessage-ID: <%s@example.org>\nIn-Reply-To: <%s>\nDate: Fri, 20 Nov 2026 10:00:00 +0000\n\n%s\n\n" "$@"
}

test_expect_success "a source without any mail is an error and named" '
	make_series r 2 && sink s1 && "$SERIES" send --yes && kill "$sink_pid" && mkdir -p ../dir/cur ../dir/new ../dir/tmp && : >../none && gzip -k ../none &&
	git rev-parse refs/series/topic/state >../state && for from in ../none ../none.gz ../dir; do
		test_status 1 "$SERIES" update --from $from >out 2>err && test_grep "^series: $from: there is no mail in it; an mbox, a Maildir or a mirror" err && [ ! -s out ] || return 1
		test_status 1 "$SERIES" show $from 2>err && test_grep "^series: $from: there is no mail in it" err || return 1
	done && test_status 1 "$SERIES" update --from - </dev/null 2>err && test_grep "^series: standard input: there is no mail" err &&
	git rev-parse refs/series/topic/state | cmp - ../state
'
test_expect_success "mails of which none belongs to the series: how many, and what was looked for" '
	cd r && { mail a x@example.org "Reviewed-by: Rita Reader <rita@example.org>"; mail b a@example.org "Why?"; } >../others && "$SERIES" update --from ../others >out && cat >../want <<-E && test_cmp ../want out &&
	../others: 2 mails were read, and none is of series topic or replies to it
	looked for the Message-IDs of its mails: v1 <$(cover_id)> and those below
	E
	"$SERIES" update --from ../others --json >json && python3 -c "
import json
d = json.load(open(\"json\"))
assert (d[\"read\"], d[\"found\"], d[\"tags\"]) == (2, 0, 0), d" && git rev-parse refs/series/topic/state | cmp - ../state
'
test_expect_success "with one of ours among them it is as ever, also when nothing is new" '
	cd r && { cat ../others; mail c "$(cover_id)" "Reviewed-by: Rita Reader <rita@example.org>"; mail d "$(cover_id)" "Why is that so?"; } >../mixed && "$SERIES" update --from ../mixed >out &&
	test_grep "^1 new tag, 1 new remark" out && "$SERIES" update --from ../mixed >out && test_grep "^nothing new" out && test_nogrep "looked for" out && "$SERIES" update --from ../mixed --json >json &&
	python3 -c "
import json
d = json.load(open(\"json\"))
assert (d[\"read\"], d[\"found\"]) == (4, 2), d"
'

test_expect_success "a dead server: the same words from all that ask it: URL, what failed, remedy" '
	cd r && port=$(sh "$SRCDIR/tests/helper/public-inbox.sh" port) && git config series.midmask "http://user:secret@127.0.0.1:$port/all/%s" && id=$(cover_id) && for run in "update" "update --from" show import "diff" am check; do
		case $run in update) arg= ;; *) arg=$id ;; esac
		test_status 1 "$SERIES" $run $arg >out 2>err && sed "s/^series: //; s/^v1: //; s/ after [0-9]* ms//" err >../got.$(echo $run | tr " " -) || return 1
	done && grep "^http://127.0.0.1:$port/all/$id/t.mbox.gz: [^;]*connect[^;]*; is the server up, and the port right? (another server can be named in series.midmask, and an mbox does as well)$" ../got.show &&
	for got in ../got.*; do test_cmp ../got.show $got || return 1; done && test_nogrep secret ../got.show
'

# broken PATH TEXT
broken() {
	printf "%s" "$2" >../broken && stored "$1" ../broken && git rev-parse refs/series/topic/state >../state
}
test_expect_success "a damaged document of review: status and log go on and name it, update refuses and loses nothing" '
	cd r && tag=$(git ls-tree --name-only refs/series/topic/state review/tags/) && whole=$(git rev-parse refs/series/topic/state) && tail -n +1 ../mixed >../more && mail e "$(cover_id)" "Acked-by: Ann Acker <ann@example.org>" >>../more &&
	for text in "{\"schema\": 1, " "junk" "{\"schema\": 1, \"kind\": \"none\"}" ""; do
		broken "$tag" "$text" && test_status 0 "$SERIES" status >out 2>err && grep "refs/series/topic/state:$tag" out && test_grep "1 remark is without an answer" out && test_nogrep "not in the commits" out &&
		"$SERIES" log >out 2>err && test_grep "^v1" out && test_grep "$tag.*git update-ref refs/series/topic/state COMMIT~1 goes back" err &&
		test_status 1 "$SERIES" update --from ../more >out 2>err && test_grep "refs/series/topic/state:$tag.*; git log -p refs/series/topic/state -- $tag shows the commit" err &&
		git rev-parse refs/series/topic/state | cmp - ../state && test_status 1 "$SERIES" tags 2>err && test_grep "$tag" err && git update-ref refs/series/topic/state $whole || return 1
	done
'
test_expect_success "what it says brings it back, and what came since is found again" '
	cd r && broken "$tag" junk && commit=$(git log --format=%H -1 refs/series/topic/state -- "$tag") && git update-ref refs/series/topic/state "$commit~1" &&
	"$SERIES" update --from ../more >out && test_grep "^1 new tag (" out && "$SERIES" status >out && test_nogrep "state:review" out
'
test_expect_success "one of a newer program is none to go back from" '
	cd r && broken "$tag" "{\"schema\": 99}" && "$SERIES" status >out && test_grep "$tag: written by a newer version of series" out && test_nogrep "update-ref" out &&
	test_status 1 "$SERIES" update --from ../more 2>err && test_grep "update the program" err && test_nogrep "update-ref" err
'
test_done
