#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Branches that b4 itself prepared and sent become series and go back: cover, change-id,
# versions, Message-IDs and recipients are those that b4 tells; patches stay as they are.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

command -v b4 >/dev/null || test_skip_all "no b4"
command -v git-filter-repo >/dev/null || test_skip_all "no git-filter-repo, which b4 prep needs"

q="'"

# b4_cover <TEXT: write it by way of b4's editor
b4_cover() {
	cat >"$T/cover.in" &&
	printf '#!/bin/sh\ncp "%s/cover.in" "$1"\n' "$T" >"$T/editor" && chmod +x "$T/editor" &&
	EDITOR=$T/editor b4 -q prep --edit-cover
}
# b4_new NAME STRATEGY: a branch b4/NAME from main with its cover commit or description
b4_new() {
	git checkout -q main && git config b4.prep-cover-strategy "$2" &&
	b4 -q prep -n "$1" && git config --unset b4.prep-cover-strategy
}
# b4_post NAME: the mails are in $T/NAME
b4_post() {
	sink "$1" && echo | b4 send --no-sign && kill "$sink_pid"
}
patch() {
	sed "$1s/.*/line $1 $2/" numbers >new && cat new >numbers && rm new && git commit -q -a -s -m "$2" \
		-m "Line $1 says so." --author "$3"
}
# b4_enroll NAME STRATEGY: a branch NAME with two patches that b4 takes in
b4_enroll() {
	git checkout -q -b "$1" main && patch 21 "numbers: $1 one" "Ada <ada@example.org>" &&
	patch 23 "numbers: $1 two" "Jörg Müller <jm@example.org>" &&
	git config b4.prep-cover-strategy "$2" && b4 -q prep -e main && git config --unset b4.prep-cover-strategy
}
# info BRANCH KEY: what b4 prep --show-info says
info() {
	git checkout -q "$1" && b4 prep --show-info 2>/dev/null | sed -n "s/^$2: //p"
}
# what RANGE: the patches, all but their names
what() {
	git log --reverse --no-show-signature --format="%T %an <%ae> %ad %cn %cd%n%B" "$@"
}
# doc NAME FILE: a document of the series
doc() {
	git show "refs/series/$1/state:$2"
}
# js EXPRESSION <JSON: of the object d
js() {
	python3 -c "import json, sys
d = json.load(sys.stdin)
print($1)"
}
before() {
	git rev-parse "$1" >"$T/before.$2" && info "$1" change-id >"$T/id.$2" && git checkout -q main
}
# same_tree BRANCH: index and work tree see no change
same_tree() {
	[ "$(git status --porcelain --untracked-files=no)" = "$1" ]
}

test_expect_success "set up: a base" '
	git init -q k && cd k && seq 1 60 >numbers && git add numbers &&
	git -c user.name=Olaf -c user.email=olaf@example.org commit -q -m base &&
	git commit -q --allow-empty -m "second of main"
'

test_expect_success "b4 prepares: strategy commit, nothing sent" '
	cd k && b4_new one commit && patch 3 "numbers: three" "Ada <ada@example.org>" &&
	patch 5 "numbers: fünf" "Jörg Müller <jm@example.org>" &&
	patch 7 "numbers: seven" "Ada <ada@example.org>" && b4_cover <<-\EOF && before b4/one one
	numbers: better lines

	# A note to myself.
	Three lines are not what they should be.

	@wendy asked for it.

	Signed-off-by: Wendy Writer <wendy@example.org>
	To: Mara Maintainer <mara@example.org>
	To: list@example.org
	Cc: Doe, Jane <jane@example.org>
	Cc: Müller, Jörg <jm@example.org>
	Cc: nobody in particular

	---
	Not yet tested on real numbers.
	EOF
'

test_expect_success "a branch whose name a shell would read otherwise: what is to be pasted is quoted" '
	cd k && odd="b4/it${q}s;\$(x)" && git branch "$odd" b4/one && git checkout -q "$odd" && for c in "init --base main" import; do
		test_status 1 "$SERIES" $c 2>err && sed -n "s/.*: series import/import/p" err >args && test -s args &&
		eval "set -- $(cat args)" && for a; do :; done && [ "$a" = "$odd" ] || return 1
	done && git checkout -q b4/one && git branch -q -D "$odd"
'

test_expect_success "init sends who has such a branch to import" '
	cd k && git checkout -q b4/one && test_status 1 "$SERIES" init --base main 2>err &&
	test_grep "series import b4/one" err && ! git rev-parse -q --verify refs/series/b4-one/state
'

test_expect_success "without a terminal it says what it would do, and does nothing" '
	cd k && git for-each-ref >refs && test_status 1 "$SERIES" import 2>err &&
	test_grep "series import --yes b4/one" err && git for-each-ref | test_cmp refs - &&
	test_status 1 git config branch.b4/one.series
'

test_expect_success "commit: taken over; the work tree is not touched, not even a dirty one" '
	cd k && cover=$(git log --format=%H --grep="^--- b4-submit" -1) && what "$cover"..b4/one >want &&
	echo dirty >>numbers && cp numbers was && "$SERIES" import --yes >out &&
	test_cmp was numbers && same_tree " M numbers" && git checkout -q numbers &&
	what main..b4/one >got && test_cmp want got && [ "$(git rev-list --count main..b4/one)" = 3 ] &&
	test_grep "refs/series/one/b4" out && test_grep "nobody in particular" out &&
	[ "$(git rev-parse refs/series/one/b4)" = "$(cat "$T/before.one")" ] && git fsck --strict
'

test_expect_success "commit: cover, recipients, change-id and draft are those of b4" '
	cd k && doc one cover.txt >got && cat >want <<-\EOF && test_cmp want got &&
	numbers: better lines

	Three lines are not what they should be.

	 @wendy asked for it.

	Signed-off-by: Wendy Writer <wendy@example.org>
	---
	Not yet tested on real numbers.
	EOF
	doc one series.json | js "d[\"change_id\"], d[\"first_version\"], d[\"base\"][\"ref\"]" >got &&
	echo "$(cat "$T/id.one") 1 main" | test_cmp - got &&
	doc one series.json | js "*d[\"to\"], \"cc\", *d[\"cc\"], sep=\"\\n\"" >got && cat >want <<-\EOF && test_cmp want got
	Mara Maintainer <mara@example.org>
	list@example.org
	cc
	"Doe, Jane" <jane@example.org>
	"Müller, Jörg" <jm@example.org>
	EOF
'

test_expect_success "commit: --undo right away gives back the very branch; import does the same again" '
	cd k && imported=$(git rev-parse b4/one) && "$SERIES" import --undo >out &&
	[ "$(git rev-parse b4/one)" = "$(cat "$T/before.one")" ] && same_tree "" &&
	[ -z "$(git for-each-ref refs/series refs/series-undone)" ] &&
	test_status 1 git config branch.b4/one.series &&
	[ "$(b4 prep --show-info | sed -n "s/^change-id: //p")" = "$(cat "$T/id.one")" ] &&
	"$SERIES" import --yes && [ "$(git rev-parse b4/one)" = "$imported" ] &&
	test_status 1 "$SERIES" import --yes 2>err && test_grep "has the series \"one\" already" err
'

test_expect_success "commit: --undo after more work keeps the work, and what was written" '
	cd k && patch 9 "numbers: nine" "Ada <ada@example.org>" && what main..b4/one >want &&
	make_cover "numbers: even better" "Four lines." && "$SERIES" import --undo >out &&
	git log -1 --format=%B "b4/one~4" >got && git log -1 --format=%B "$(cat "$T/before.one")~3" | test_cmp - got &&
	what b4/one~4..b4/one >got && test_cmp want got && same_tree "" &&
	[ "$(git rev-parse b4/one~5)" = "$(git rev-parse main)" ] &&
	git show refs/series-undone/one:cover.txt | test_grep "even better" - &&
	b4 prep --show-info >info && [ "$(grep -c "^commit-" info)" = 4 ] &&
	test_grep "change-id: $(cat "$T/id.one")" info && test_grep "cover-subject: numbers: better lines" info
'

test_expect_success "b4 sends v1 and v2 with strategy commit, and v3 is begun" '
	cd k && git config b4.linkmask "https://lists.example.org/m/%s" && b4_new two commit &&
	patch 11 "numbers: eleven" "Ada <ada@example.org>" && patch 13 "numbers: thirteen" "Ada <ada@example.org>" &&
	b4_cover <<-\EOF && b4_post two-1 &&
	numbers: two lines

	Two lines.

	To: list@example.org
	Cc: mara@example.org
	EOF
	patch 15 "numbers: fifteen" "Ada <ada@example.org>" && git log -1 --grep="^--- b4-submit" --format=%B >msg &&
	sed -n "/^numbers/,/^--- b4/{/^--- b4/!p}" msg | sed "s/^- EDITME: describe.*/- a third line (thanks Mara)/;/EDITME/d" | b4_cover &&
	b4_post two-2 && before b4/two two && git tag -l "sent/*" >got &&
	printf "sent/two-v1\nsent/two-v2\n" | test_cmp - got
'

# versions NAME MAILS...: each version of the state against the mails that were sent
version_is() {
	doc "$1" "versions/$2.json" >"$T/doc" && git rev-parse "refs/series/$1/v$2" >got &&
	git rev-parse "$3^{commit}" | test_cmp - got && js "d[\"head\"]" <"$T/doc" | test_cmp got - &&
	js "d[\"postings\"][0][\"message_id\"], *[p[\"message_id\"] for p in d[\"patches\"]], sep=\"\\n\"" <"$T/doc" >got &&
	{ [ "$(ls "$T/$4" | grep -c "eml$")" -gt 1 ] || ids "$T/$4"/*.eml; ids "$T/$4"/*.eml; } | tr -d "<>" | test_cmp - got &&
	git log --reverse --format="%H %T %an %ae %s" "$5..$3" >want &&
	js "*[\" \".join(p[k] for k in (\"commit\", \"tree\", \"author_name\", \"author_email\", \"subject\")) for p in d[\"patches\"]], sep=\"\\n\"" \
		<"$T/doc" >got && test_cmp want got &&
	git diff-tree -p "$3" | git patch-id --stable | cut -d" " -f1 >want && js "d[\"patches\"][-1][\"patch_id\"]" <"$T/doc" | test_cmp want - &&
	js "d[\"postings\"][0][\"date\"], d[\"postings\"][0][\"state\"], d[\"base\"]" <"$T/doc" >got &&
	echo "$(git for-each-ref --format="%(taggerdate:unix)" "refs/tags/$3") sent $(git rev-parse "$5")" | test_cmp - got
}

test_expect_success "commit, sent: versions, Message-IDs and dates are those of tags and mails" '
	cd k && git checkout -q b4/two && what "$(git log --format=%H --grep="^--- b4-submit" -1)"..b4/two >want &&
	b4 prep --show-revision >rev 2>&1 && test_grep "^v3" rev && "$SERIES" import --yes >out &&
	what main..b4/two >got && test_cmp want got &&
	version_is two 1 sent/two-v1 two-1 main && version_is two 2 sent/two-v2 two-2 main &&
	doc two versions/2.json | js "d[\"to\"], d[\"cc\"], d[\"postings\"][0][\"prefix\"]" >got &&
	echo "[\"list@example.org\"] [\"mara@example.org\"] PATCH v2" | tr "\"" "\047" | test_cmp - got &&
	doc two changes/v2.txt >got && echo "- a third line (thanks Mara)" | test_cmp - got &&
	test_status 128 doc two changes/v3.txt && test_status 128 doc two changes/v1.txt
'

test_expect_success "what series writes next is v3 with the same change-id and links to v1 and v2" '
	cd k && rm -rf ../mails && "$SERIES" format -o ../mails && c=$(ls ../mails/*0000* ../mails/v3-0000* 2>/dev/null | head -n 1) &&
	test_grep "^Subject: \[PATCH v3 0/3\] numbers: two lines" "$c" &&
	test_grep "^change-id: $(cat "$T/id.two")$" "$c" && test_grep "^base-commit: $(git rev-parse main)" "$c" &&
	test_grep "v1: https://lists.example.org/m/$(ids "$T/two-1/0001.eml" | tr -d "<>")$" "$c" &&
	test_grep "v2: https://lists.example.org/m/$(ids "$T/two-2/0001.eml" | tr -d "<>")$" "$c" &&
	test_grep "^- a third line" "$c" && test_nogrep EDITME "$c" && [ "$(grep -c lists.example.org "$c")" = 2 ] &&
	"$SERIES" diff v1 v2 >out && test_grep "fifteen" out && "$SERIES" send --dry-run >out &&
	test_grep "v3" out
'

test_expect_success "tip-commit, sent and changed: the cover commit at the tip goes, patches keep their names" '
	cd k && b4_enroll tip tip-commit && [ "$(info tip cover-strategy)" = tip-commit ] &&
	printf "numbers: at the tip\n\nAbove all.\n\nTo: list@example.org\n" | b4_cover && b4_post tip-1 &&
	git log -1 --format=%B | grep -q "^Changes in v2" && before tip tip && git checkout -q tip &&
	"$SERIES" import --yes >out && [ "$(git rev-parse tip)" = "$(git rev-parse "$(cat "$T/before.tip")^")" ] &&
	version_is tip 1 sent/tip-v1 tip-1 main && [ "$(doc tip series.json | js "d[\"base\"][\"commit\"]")" = "$(git rev-parse main)" ] &&
	[ "$(git rev-list --count main..tip)" = 2 ] && doc tip series.json | js "d[\"change_id\"]" | test_cmp "$T/id.tip" - &&
	rm -rf ../mails && test_status 2 "$SERIES" format -o ../mails >err && test_grep "v1 was sent already" err &&
	cat ../mails/*0000* >c && test_grep "^Subject: \[PATCH v2 0/2\] numbers: at the tip" c &&
	test_grep "v1: https://lists.example.org/m/$(ids "$T/tip-1/0001.eml" | tr -d "<>")$" c
'

test_expect_success "tip-commit: --undo after a reworked patch puts the cover commit at the tip again" '
	cd k && patch 25 "numbers: tip three" "Ada <ada@example.org>" && "$SERIES" import --undo >out &&
	git log -1 --format=%B tip >got && git log -1 --format=%B "$(cat "$T/before.tip")" | test_cmp - got &&
	[ "$(git rev-list --count main..tip)" = 4 ] && same_tree "" && [ "$(info tip revision)" = 2 ] &&
	[ "$(info tip change-id)" = "$(cat "$T/id.tip")" ]
'

test_expect_success "branch-description: taken over without a question, and the branch does not move" '
	cd k && b4_enroll desc branch-description && [ "$(info desc cover-strategy)" = branch-description ] &&
	printf "numbers: described\n\nAs settings.\n\nTo: list@example.org\n" | b4_cover && b4_post desc-1 &&
	before desc desc && git checkout -q desc && git config --get-regexp "^branch\.desc\." >was &&
	test_status 1 "$SERIES" init --base main 2>err && test_grep "series import desc" err &&
	"$SERIES" import >out && [ "$(git rev-parse desc)" = "$(cat "$T/before.desc")" ] &&
	version_is desc 1 sent/desc-v1 desc-1 main && doc desc series.json | js "d[\"change_id\"]" | test_cmp "$T/id.desc" - &&
	printf "numbers: described\n\nAs settings.\n" >want && doc desc cover.txt | test_cmp want - &&
	[ "$(doc desc series.json | js "d[\"base\"][\"commit\"]")" = "$(git rev-parse main)" ] &&
	"$SERIES" import --undo && git config --get-regexp "^branch\.desc\." | test_cmp was - &&
	[ "$(git rev-parse desc)" = "$(cat "$T/before.desc")" ] && [ "$(info desc revision)" = 2 ]
'

test_expect_success "prefixes, RFC and odd names" '
	cd k && b4_new "Odd_Näme.x" commit && git branch -m "b4/Odd_Näme.x" && patch 31 "numbers: odd" "Ada \"The\" O, Jr. <ada@example.org>" &&
	b4 -q prep --set-prefixes RFC "net-next v5" PATCH mm && b4_cover <<-\EOF && before "b4/Odd_Näme.x" odd &&
	[PATCH RFC wip] numbers: Ödd, with “quotes”

	Only one.

	Cc: "O, Jr., Ada" <ada@example.org>, list@example.org
	cc: Björn <bjorn@example.org>
	EOF
	git checkout -q "b4/Odd_Näme.x" && "$SERIES" import --yes "b4/Odd_Näme.x" odd-name >out &&
	doc odd-name series.json | js "*d[\"prefixes\"], *d[\"cc\"], d[\"change_id\"], d[\"branch\"], sep=\"\\n\"" >got && cat >want <<-EOF &&
	RFC
	net-next
	mm
	wip
	"O, Jr., Ada" <ada@example.org>
	list@example.org
	Björn <bjorn@example.org>
	$(cat "$T/id.odd")
	b4/Odd_Näme.x
	EOF
	test_cmp want got && test_grep "\"v5\" is not taken over" out && test_grep "\"PATCH\" is not taken over" out &&
	doc odd-name cover.txt >got && printf "numbers: Ödd, with “quotes”\n\nOnly one.\n" | test_cmp - got
'

# refused STATUS PATTERN ARGUMENT...: an error with these words, and not one ref or setting changed
refused() {
	want=$1 pattern=$2
	shift 2
	git for-each-ref >refs && git config --list --local >conf && cp .git/HEAD head &&
	test_status "$want" "$SERIES" import --yes "$@" 2>err && test_grep "$pattern" err &&
	git for-each-ref | test_cmp refs - && git config --list --local | test_cmp conf - && test_cmp head .git/HEAD
}

test_expect_success "what it cannot take is named, and nothing changes" '
	cd k && git checkout -q -b plain main && patch 41 "numbers: plain" "Ada <ada@example.org>" &&
	refused 1 "plain was not prepared by b4.*series init" plain && refused 1 "no branch nowhere" nowhere &&
	refused 1 "no patches were posted there" numbers &&
	git checkout -q --detach && refused 1 "HEAD is detached" &&
	git checkout -q -b merged b4/one && git merge -q --no-ff -m "merged in" plain && refused 1 "merge" merged &&
	git checkout -q -b again b4/one && git config branch.again.b4-prep-cover-strategy tag &&
	refused 1 "branch.again.b4-prep-cover-strategy = tag: expected commit" again &&
	git config branch.again.b4-prep-cover-strategy branch-description && refused 1 "branch.again.b4-tracking is not set" again &&
	git config branch.again.b4-tracking "{\"series\": {\"revision\": 1" && refused 1 "branch.again.b4-tracking" again &&
	git config branch.again.b4-tracking "{\"series\": {\"revision\": 0, \"change-id\": \"a-b\"}}" && refused 1 "revision" again &&
	git config branch.again.b4-tracking "{\"series\": {\"revision\": 2}}" && refused 1 "change-id" again &&
	git config branch.again.b4-tracking "{\"series\": {\"revision\": 2, \"change-id\": \"a-b\", \"base-branch\": \"gone\"}}" &&
	refused 1 "gone" again
'

test_expect_success "a cover commit with damaged JSON, one that changes files, and a rebase that goes on" '
	cd k && git checkout -q -b bad main && printf "t\n\nb\n\n--- b4-submit-tracking ---\n# x\n{\"series\": \n" |
		git commit -q --allow-empty -F - && patch 51 "numbers: bad" "Ada <ada@example.org>" &&
	refused 1 "cover letter commit $(git rev-parse --short=12 bad^)" bad &&
	git checkout -q -b full main && seq 1 61 >numbers && printf "t\n\n--- b4-submit-tracking ---\n{}\n" | git commit -q -a -F - &&
	refused 1 "changes files" full && git checkout -q -b busy b4/one &&
	test_status 1 env GIT_SEQUENCE_EDITOR="sed -i 1ibreak" git rebase -q -i --exec false main 2>&1 | cat &&
	[ -d .git/rebase-merge ] && refused 1 "being rebased" busy && git rebase --abort
'

test_expect_success "a version whose tag is gone is named and left; a lost signature is told, git notes follow" '
	cd k && git checkout -q b4/two && "$SERIES" import --undo && git tag -d sent/two-v1 &&
	git cat-file commit HEAD | sed "/^committer/a\\gpgsig -----BEGIN SSH SIGNATURE-----\n QUJD\n -----END SSH SIGNATURE-----" >raw &&
	git update-ref HEAD "$(git hash-object -t commit -w raw)" && git config notes.rewriteRef "refs/notes/*" &&
	git notes add -m "for the reviewers" && what -1 >want && "$SERIES" import --yes >out &&
	what -1 >got && test_cmp want got && [ "$(git notes show)" = "for the reviewers" ] &&
	git cat-file commit HEAD >raw && test_nogrep SIGNATURE raw && test_grep "signatures of commits are lost" out && test_grep "v1 was sent, but its tag sent/two-v1 is not here" out &&
	test_status 128 doc two versions/1.json && doc two changes/v2.txt >got &&
	test_grep "Link to v1: https://lists.example.org/m/$(ids "$T/two-1/0001.eml" | tr -d "<>")" got &&
	"$SERIES" format -o ../m2 && grep -h "^Subject" ../m2/*0000* >got && test_grep "v3 0/3" got
'

test_expect_success "no way back by --undo once series has posted" '
	cd k && sink ours && "$SERIES" send --yes && kill "$sink_pid" && git rev-parse b4/two >was &&
	test_status 1 "$SERIES" import --undo 2>err && test_grep "has posted v3 since the import" err &&
	git rev-parse b4/two | test_cmp was - && [ "$(doc two versions/3.json | js "d[\"n\"]")" = 3 ] &&
	test_grep "^Subject: \[PATCH v3 0/3\]" "$T/ours/0001.eml" && test_grep "^change-id: $(cat "$T/id.two")" "$T/ours/0001.eml" &&
	eval "$(sed -n "s/.*all the same: //p" err)" && [ "$(b4 prep --show-info | sed -n "s/^revision: //p")" = 4 ]
'

test_expect_success "control characters in a letter of b4 are left out, and that is said" '
	cd "$T/k" && git checkout -q main && b4_new ctl commit && patch 9 "numbers: nine" "Ada <ada@example.org>" &&
	printf "numbers: red\n\nA \033[31mred\033[0m word\nand a bell\001.\n" | b4_cover && git log --format=%B main..HEAD >log && grep -q "$(printf "\033")" log &&
	"$SERIES" import --yes b4/ctl >out 2>&1 && test_grep "the cover letter has control characters.*(line 3 is the first)" out &&
	doc ctl cover.txt >got && printf "numbers: red\n\nA red word\nand a bell.\n" >want && test_cmp want got
'

test_done
