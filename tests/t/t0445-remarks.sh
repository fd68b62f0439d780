#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The life of remarks: listed, shown, decided, answered by mail. Documents are written by
# hand; ids are made by Python from what reviewdoc.h says makes them.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

# editor SCRIPT: what git's editor does; $1 is the file
editor() {
	printf '#!/bin/sh\n%s\n' "$1" >"$T/editor" && chmod +x "$T/editor" && export GIT_EDITOR="$T/editor"
}
# remark NAME MESSAGE-ID PATCH LINE JSON-FIELDS: its id goes to $T/NAME
remark() {
	python3 -c "
import hashlib, sys
print(hashlib.sha256(b''.join(p.encode() + b'\0' for p in ('remark', '$2', 'v1', '$4 $3'))).hexdigest()[:16])" >"$T/$1" &&
	put_state "review/remarks/$(cat "$T/$1").json" "{\"schema\": 1, \"message_id\": \"$2\", \"version\": 1, \"label\": \"v1\", \"patch\": $3, \"line\": $4, $5}"
}
# states: "NAME STATE" of all, as the document has them
states() {
	"$SERIES" remarks --all --json | python3 -c "
import json, sys
names = {open('$T/' + n).read().strip(): n for n in ('why', 'test', 'what')}
for m in json.load(sys.stdin)['remarks']:
    print(names[m['id']], m['state'], m['done_in'], m['answer'])" | sort >"$T/states"
	printf "%s\n" "$@" | sort >"$T/want" && test_cmp "$T/want" "$T/states"
}
# fields FILE: the header of a mail, unfolded
fields() {
	python3 -c "
import email, email.policy, sys
m = email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=email.policy.default)
for k in ('From', 'To', 'Cc', 'Subject', 'In-Reply-To', 'References'):
    print(k + ':', m[k])
print(); print(m.get_content(), end='')" "$1"
}
rita='"name": "Rita Reader", "email": "rita@example.org", "subject": "Re: [PATCH 1/2] numbers: change line 1", "date": 1700000100, "to": ["Wendy Writer <wendy@example.org>"], "cc": ["list@example.org", "Carl Copy <carl@example.org>", "Rita Reader <rita@example.org>"], "references": ["cover@example.org", "patch@example.org"]'

test_expect_success "nothing was said, nothing was posted" '
	make_series r 2 && for what in remarks tags; do
		"$SERIES" $what >out && test_grep "^no $what yet: nothing was posted; series send posts it$" out || return 1
	done && sink r.out && "$SERIES" send --yes && for what in remarks tags; do
		"$SERIES" $what >out && test_grep "^no $what yet: series update, or series update --from MBOX, looks for them$" out || return 1
	done && "$SERIES" status >out && test_grep "^next: series update, or series update --from MBOX: what came back for v1$" out
'

test_expect_success "open remarks by patch, the first line of each" '
	cd r && remark why r1@example.org 1 9 "$rita, \"quoted\": \"@@ -1,3 +1,3 @@\n+line 1\", \"text\": \"Why 1?\nIt was fine.\", \"question\": true, \"file\": \"numbers\", \"code\": \"line 1\", \"file_line\": 1" &&
	remark test r1@example.org 1 20 "$rita, \"quoted\": \" 2\", \"text\": \"Please \u001b[31mtest it.\", \"file\": \"numbers\"" &&
	remark what b1@example.org 0 3 "\"name\": \"\", \"email\": \"bob@example.org\", \"subject\": \"[PATCH 0/2]\", \"date\": 1700000050, \"quoted\": \"\", \"text\": \"\nWhat is this for?\"" &&
	"$SERIES" remarks >../out && cat >../want <<-E &&
	v1 the cover letter
	  $(cut -c1-8 ../what)  open  bob@example.org    What is this for?
	v1 1/2 numbers: change line 1
	  $(cut -c1-8 ../why)  open  Rita Reader  numbers:1  Why 1?
	  $(cut -c1-8 ../test)  open  Rita Reader  numbers    Please test it.
	3 open of 3
	E
	test_cmp ../want ../out && states "why open 0 None" "test open 0 None" "what open 0 None"
'

test_expect_success "a shell is offered their ids, versions and patches, and nothing where there is no series" '
	cd r && "$SERIES" --complete=remark | sort >../got && for n in why test what; do cut -c1-8 ../$n; done | sort >../want && test_cmp ../want ../got &&
	[ "$("$SERIES" --complete=version)" = v1 ] && [ "$("$SERIES" --complete=number)" = 1 ] && [ "$("$SERIES" --complete=posted | xargs)" = "1 2" ] &&
	[ "$("$SERIES" --complete=patch | xargs)" = "1 2" ] && git commit -q --allow-empty -m "numbers: one more" && [ "$("$SERIES" --complete=patch | xargs)" = "1 2 3" ] && git reset -q --soft HEAD^ &&
	bash -c ". \"$SRCDIR/completions/series.bash\"; COMP_WORDS=(series remarks --done \"$(cut -c1-3 ../why)\"); COMP_CWORD=3; compopt() { :; }; series() { \"$SERIES\" \"\$@\"; }; _series; echo \${COMPREPLY[0]}" >../got &&
	cut -c1-8 ../why >../want && test_cmp ../want ../got &&
	git checkout -q --detach && for kind in remark tag version number posted patch; do "$SERIES" --complete=$kind >../got && test_cmp /dev/null ../got || return 1; done && git checkout -q topic
'
test_expect_success "one of them whole, without what would paint the terminal" '
	cd r && "$SERIES" remarks --show "$(cat ../why)" "$(cut -c1-9 ../test)" >../out && cat >../want <<-E &&
	Remark: $(cut -c1-8 ../why) (open)
	From: Rita Reader <rita@example.org>
	Date: Tue, 14 Nov 2023 22:15:00 +0000
	Subject: Re: [PATCH 1/2] numbers: change line 1
	Message-ID: <r1@example.org>
	Patch: 1 of v1, numbers: change line 1
	Line: numbers:1

	> @@ -1,3 +1,3 @@
	> +line 1

	Why 1?
	It was fine.

	E
	head -n 14 ../out >../got && test_cmp ../want ../got && test_grep "^Please test it" ../out && test_nogrep "$(printf "\033")" ../out
'

test_expect_success "decisions are commits of the state, and can be taken back" '
	cd r && "$SERIES" remarks --done "$(cat ../why)" "$(cat ../what)" >../out && test_grep "^remarks: .* done in v2" ../out &&
	states "why done 2 None" "test open 0 None" "what done 2 None" && "$SERIES" remarks >../out && test_grep "^1 open of 3; --all" ../out &&
	git log -1 --format=%s refs/series/topic/state >../got && echo "remarks: $(cut -c1-8 ../why) $(cut -c1-8 ../what) done in v2" >../want && test_cmp ../want ../got &&
	"$SERIES" remarks --answered "$(cat ../what)" --open "$(cat ../why)" 2>../err || test_grep "exclude each other" ../err &&
	"$SERIES" remarks --open "$(cat ../what)" --open "$(cat ../why)" && "$SERIES" remarks --answered "$(cat ../what)" && "$SERIES" remarks --done --in v1 "$(cat ../test)" "$(cat ../what)" && states "why open 0 None" "test done 1 None" "what done 1 None" &&
	"$SERIES" remarks --open "$(cat ../what)" && "$SERIES" remarks --answered "$(cat ../what)" && "$SERIES" remarks --done "$(cat ../test)" --in v7 &&
	states "why open 0 None" "test done 7 None" "what answered 0 None" && "$SERIES" remarks --open "$(cat ../what)" "$(cat ../test)"
'

test_expect_success "what is done in the draft is proposed for its changelog, with thanks" '
	cd r && "$SERIES" remarks --done "$(cat ../why)" "$(cat ../what)" "$(cat ../test)" && echo x >>numbers && git commit -q -a --amend --no-edit && "$SERIES" changes --json >../json && python3 - ../json >../got <<-\EOF &&
	import json, sys
	for s in json.load(open(sys.argv[1]))["suggestions"]:
	    if "thanks" in s["text"]:
	        print(s["patch"], s["text"])
	EOF
	cat >../want <<-\EOF && test_cmp ../want ../got && "$SERIES" remarks --open "$(cat ../what)" "$(cat ../why)" "$(cat ../test)" && "$SERIES" remarks --answered "$(cat ../why)" && "$SERIES" changes --json >../json && test_nogrep thanks ../json && "$SERIES" remarks --open "$(cat ../why)" && git reset -q --hard HEAD@{1}
	None addressed the remark on the cover letter (thanks bob@example.org)
	1 addressed the remarks on numbers (thanks Rita Reader)
	EOF
'

test_expect_success "what a mail with a NAK says is counted once: as the NAK, and as remarks when that is settled" '
	cd r && whole=$(git rev-parse refs/series/topic/state) && "$SERIES" status >../out && test_grep "3 remarks are without an answer" ../out &&
	put_state review/tags/aaaa000000000001.json "{\"schema\": 1, \"type\": \"\", \"line\": \"\", \"name\": \"Rita Reader\", \"email\": \"rita@example.org\", \"message_id\": \"r1@example.org\", \"date\": 1700000100, \"version\": 1, \"label\": \"v1\", \"patch\": 1, \"kind\": \"nak\"}" &&
	"$SERIES" status >../out && test_grep "Rita Reader is against it (v1)" ../out && test_grep "1 remark is without an answer" ../out && test_grep "change line 1 *N1$" ../out &&
	"$SERIES" check --only remarks-open >../out && test_grep "a remark of bob@example.org on v1 has no answer" ../out && "$SERIES" tags --drop aaaa --reason "settled by phone" &&
	"$SERIES" status >../out && test_grep "3 remarks are without an answer" ../out && test_nogrep "against it" ../out && "$SERIES" check --only remarks-open >../out && test_grep "3 remarks have no answer" ../out &&
	git update-ref refs/series/topic/state "$whole"
'

test_expect_success "what is no remark is said" '
	cd r && git rev-parse refs/series/topic/state >../before && test_status 1 "$SERIES" remarks --done 0123456789abcdef 2>../err && test_grep "no remark has the id" ../err &&
	test_status 1 "$SERIES" remarks --done "$(cat ../why)" 0123456789abcdef 2>../err && test_status 1 "$SERIES" remarks --done "" 2>../err &&
	test_status 129 "$SERIES" remarks "$(cat ../why)" 2>../err && test_grep "stands in front" ../err && test_status 129 "$SERIES" remarks --done "$(cat ../why)" --in two 2>../err &&
	test_status 129 "$SERIES" remarks --in v2 2>../err && test_status 129 "$SERIES" remarks --reply "$(cat ../why)" "$(cat ../what)" 2>../err && test_grep "two mails" ../err &&
	test_status 1 "$SERIES" remarks --resume 2>../err && git rev-parse refs/series/topic/state >../after && test_cmp ../before ../after
'

test_expect_success "without a terminal and --yes nothing is sent, and the text stays" '
	cd r && editor "cp \"\$1\" \"$T/form\"; echo \"Because of 2.\" >>\"\$1\"" && test_status 1 "$SERIES" remarks --reply "$(cat ../test)" "$(cat ../why)" 2>../err &&
	test_grep "no terminal" ../err && test_grep "text is kept in" ../err && cat >../want <<-E &&
	# A reply to Rita Reader <rita@example.org>, and to whom that mail went:
	# To: Wendy Writer <wendy@example.org>
	# Cc: list@example.org
	# Cc: Carl Copy <carl@example.org>
	# Cc: Rita Reader <rita@example.org>
	# These lines go. Without a line of yours nothing is sent.
	On Tue, 14 Nov 2023 22:15:00 +0000, Rita Reader wrote:
	> > @@ -1,3 +1,3 @@
	> > +line 1
	>
	> Why 1?
	> It was fine.

	> >  2
	>
	> Please test it.

	E
	test_cmp ../want ../form && ! ls "$T/r.out/0004.eml" 2>../err
'

test_expect_success "an editor in which nothing is written sends nothing" '
	cd r && editor ":" && test_status 1 "$SERIES" remarks --yes --reply "$(cat ../what)" 2>../err && test_grep "no line of yours" ../err &&
	test ! -e ".git/series/topic.reply-$(cat ../what).txt" && editor "exit 3" && test_status 1 "$SERIES" remarks --yes --reply "$(cat ../what)" 2>../err && test_grep "status 3" ../err &&
	states "why open 0 None" "test open 0 None" "what open 0 None"
'

test_expect_success "no server: the text stays and nothing is on its way" '
	cd r && use_server 1 && editor "sed -i \"s/^Because.*/Because of two./\" \"\$1\"" && test_status 1 "$SERIES" remarks --yes --reply "$(cat ../why)" "$(cat ../test)" 2>../err &&
	test_grep "nothing was sent" ../err && test_grep "kept in" ../err && ! ls -d .git/series/outbox/2* 2>../err && states "why open 0 None" "test open 0 None" "what open 0 None"
'

test_expect_success "--dry-run shows the mail and keeps the text" '
	cd r && editor ":" && "$SERIES" remarks --dry-run --reply "$(cat ../why)" "$(cat ../test)" >../out 2>../err && test_grep "^Subject: Re: .PATCH 1/2. numbers: change line 1" ../out &&
	test_grep "^Because of two" ../out && test_grep "kept in" ../err
'

test_expect_success "the reply goes to the reviewer and to all who got his mail, in the thread" '
	cd r && sink r2.out && editor ":" && "$SERIES" remarks --yes --reply "$(cat ../why)" "$(cat ../test)" >../out 2>../err && test_grep "^the reply to Rita Reader .* sent: 1 mail" ../out &&
	fields "$T/r2.out/0001.eml" >../got && cat >../want <<-E &&
	From: Wendy Writer <wendy@example.org>
	To: Rita Reader <rita@example.org>
	Cc: list@example.org, Carl Copy <carl@example.org>
	Subject: Re: [PATCH 1/2] numbers: change line 1
	In-Reply-To: <r1@example.org>
	References: <cover@example.org> <patch@example.org> <r1@example.org>

	On Tue, 14 Nov 2023 22:15:00 +0000, Rita Reader wrote:
	> > @@ -1,3 +1,3 @@
	> > +line 1
	>
	> Why 1?
	> It was fine.

	> >  2
	>
	> Please test it.

	Because of two.
	E
	test_cmp ../want ../got && test_grep "RCPT TO:<carl@example.org>" "$T/r2.out/log" && test_nogrep "RCPT TO:<wendy@" "$T/r2.out/log" &&
	id=$(ids "$T/r2.out/0001.eml" | tr -d "<>") && states "why answered 0 $id" "test answered 0 $id" "what open 0 None" &&
	git ls-tree -r --name-only refs/series/topic/state sent/v1/ | grep "/reply-" >../got && git show "refs/series/topic/state:$(cat ../got)" >../mail && test_cmp ../mail "$T/r2.out/0001.eml" &&
	! ls .git/series/topic.reply-* 2>../err && ! ls -d .git/series/outbox/2* 2>../err && test_status 1 "$SERIES" remarks --open "$(cat ../why)" 2>../err && test_grep "stays said" ../err
'

test_expect_success "a reply that may have arrived is said, holds up no posting, and ends by a word" '
	cd r && sink r3.out keep_end=1 && editor "echo \"For fun.\" >>\"\$1\"" && test_status 1 "$SERIES" remarks --yes --reply "$(cat ../what)" 2>../err &&
	test_grep "series remarks --unsure=skip" ../err && states "why answered 0 $(ids "$T/r2.out/0001.eml" | tr -d "<>")" "test answered 0 $(ids "$T/r2.out/0001.eml" | tr -d "<>")" "what open 0 None" &&
	test_status 1 "$SERIES" remarks --yes --reply "$(cat ../what)" 2>../err && test_grep "on its way; end that first" ../err && "$SERIES" send --version=2 --dry-run >../out && ls .git/series/topic.reply-* >../got &&
	test_status 1 "$SERIES" remarks --resume 2>../err && "$SERIES" remarks --unsure=skip && "$SERIES" remarks --all --json >../out && test_grep "$(ids "$T/r3.out/0001.eml" | tr -d "<>")" ../out &&
	"$SERIES" remarks >../out && test_grep "^0 open of 3" ../out && ls "$T"/r3.out/*.eml >../got && test "$(wc -l <../got)" = 1 && ! ls .git/series/topic.reply-* 2>../err
'

# From replies as they came to the list.
test_expect_success "update finds remarks, a reply to one goes to all, and its own mail answers it" '
	cd "$T" && make_series u 2 && sink u.out && "$SERIES" send --yes && p1=$(ids "$T/u.out/0002.eml" | tr -d "<>") && c=$(ids "$T/u.out/0001.eml" | tr -d "<>") &&
	cat "$T"/u.out/*.eml >/dev/null && { for m in "$T"/u.out/000?.eml; do echo "From m Thu Jan  1 00:00:00 1970" && cat "$m" && echo || return 1; done
	cat <<-E
	From m Thu Jan  1 00:00:00 1970
	From: Rita Reader <rita@example.org>
	To: Wendy Writer <wendy@example.org>
	Cc: list@example.org,
	 "Copy, Carl" <carl@example.org>
	Message-ID: <rita@r.example.org>
	In-Reply-To: <$p1>
	References: <$c>
	 <$p1>
	Subject: Re: [PATCH 1/2] numbers: change line 1
	Date: Tue, 14 Nov 2030 22:15:00 +0000

	Hi Wendy,

	On Tue, Wendy Writer wrote:
	> -1
	> +line 1

	Why not line 0?

	> --
	> 2.39

	Thanks,
	Rita

	E
	} >box && "$SERIES" update --from box >../out && "$SERIES" remarks >../out && test_grep "  open  Rita Reader  numbers:1  Why not line 0?$" ../out && test_grep "^1 open of 1$" ../out &&
	id=$("$SERIES" remarks --json | sed -n "s/.*\"id\": \"\(.*\)\".*/\1/p") && editor "echo \"Lines begin at 1.\" >>\"\$1\"" && "$SERIES" remarks --yes --reply "$id" &&
	fields "$T/u.out/0004.eml" >../got && cat >../want <<-E &&
	From: Wendy Writer <wendy@example.org>
	To: Rita Reader <rita@example.org>
	Cc: list@example.org, "Copy, Carl" <carl@example.org>
	Subject: Re: [PATCH 1/2] numbers: change line 1
	In-Reply-To: <rita@r.example.org>
	References: <$c> <$p1> <rita@r.example.org>

	On Thu, 14 Nov 2030 22:15:00 +0000, Rita Reader wrote:
	> > -1
	> > +line 1
	>
	> Why not line 0?

	Lines begin at 1.
	E
	test_cmp ../want ../got && "$SERIES" remarks >../out && test_grep "^0 open of 1" ../out && { echo "From m Thu Jan  1 00:00:00 1970" && cat "$T/u.out/0004.eml" && echo; } >>box &&
	git rev-parse refs/series/topic/state >../before && "$SERIES" update --from box && git rev-parse refs/series/topic/state >../after && test_cmp ../before ../after
'

test_expect_success "an answer that was written elsewhere is found" '
	cd u && sed "/^From m/,\$!d" box >box2 && put_state review/remarks/$("$SERIES" remarks --all --json | sed -n "s/.*\"id\": \"\(.*\)\".*/\1/p").json "$(git show refs/series/topic/state:review/remarks/$("$SERIES" remarks --all --json | sed -n "s/.*\"id\": \"\(.*\)\".*/\1/p").json | sed "s/\"answer\": \".*\"/\"answer\": null/")" &&
	"$SERIES" remarks >../out && test_grep "^1 open of 1" ../out && "$SERIES" update --from box2 && "$SERIES" remarks >../out && test_grep "^0 open of 1" ../out
'

test_done
