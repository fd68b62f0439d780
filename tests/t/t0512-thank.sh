#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What series am applied is written down; series thank finds the commits and tells the author.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/am.sh"

id() {
	git log -1 --format=%H "$1"
}
# listed: ids of the list
listed() {
	"$SERIES" thank --json "$@" | python3 -c "
import json, sys
d = json.load(sys.stdin)
assert d[\"schema\"] == 1
for t in d[\"taken\"]: print(t[\"id\"])"
}

test_expect_success "a series is applied, and waits for thanks" '
	am_people && git switch -q -c topic && edit numbers 1 one && c "numbers: change line 1" && edit numbers 20 twenty && c "numbers: change line 20" && edit letters 40 forty && c "letters: change line 40" && mails 1 main..topic && mbox "$T"/v1/*.patch >"$T/mbox" &&
	fresh && test_status 0 "$SERIES" thank >../out && test_grep "nothing was applied here that waits for thanks" ../out && "$SERIES" am --check "$T/mbox" >/dev/null && [ -z "$(listed)" ] && "$SERIES" am "$T/mbox" && "$SERIES" thank >../out && cat ../out &&
	test_grep "^[0-9a-f]\{8\}  $(date -u +%F)  main  3/3 .*v1: numbers: words (Wendy Writer)" ../out && "$SERIES" thank --json >../json && python3 -c "
import json
t = json.load(open(\"../json\"))[\"taken\"][0]
assert t[\"message_id\"] == \"v1-0@example.org\" and t[\"found\"] == 3 and t[\"thanked\"] is None and t[\"branch\"] == \"main\", t
assert [p[\"commit\"] for p in t[\"patches\"]] == \"$(git rev-list --reverse origin/main..HEAD | tr "\n" " ")\".split(), t
assert [p[\"message_id\"] for p in t[\"patches\"]] == [\"v1-%d@example.org\" % k for k in (1, 2, 3)], t"
'
test_expect_success "the mail: to the author and the others, the head quoted, each patch with its commit" '
	cd r && "$SERIES" thank --dry-run v1-2@example.org >../out && sed -n "/^On /,\$p" ../out >../got && cat >../want <<-EOF &&
	On Sat, 7 Mar 2026 07:00:00 +0000, Wendy Writer wrote:
	> Better lines.
	>
	> Wendy Writer (3):
	>   numbers: change line 1
	>   numbers: change line 20
	>   letters: change line 40
	> [...]

	Applied to main, thanks!

	[1/3] numbers: change line 1
	      commit: $(id HEAD~2)
	[2/3] numbers: change line 20
	      commit: $(id HEAD~1)
	[3/3] letters: change line 40
	      commit: $(id HEAD)

	EOF
	test_cmp ../want ../got && test_grep "^Subject: Re: \[PATCH v1 0/3\] numbers: words" ../out && test_grep "^To: Wendy Writer <wendy@example.org>" ../out && test_grep "^In-Reply-To: <v1-0@example.org>" ../out && test_grep "^References: <v1-0@example.org>" ../out && test_grep "^From: Mara Maintainer <mara@example.org>" ../out && test_grep "^Cc: .*list@example.org" ../out && [ -n "$(listed)" ]
'
test_expect_success "settings: the tree, links to commits, of b4 as well" '
	cd r && git config b4.thanks-treename "mm/mm.git (mm-unstable)" && git config b4.thanks-commit-url-mask "https://git.example.org/c/%.12s" && "$SERIES" thank -n v1-0@example.org >../out && test_grep "^Applied to mm/mm.git (mm-unstable), thanks!" ../out && test_grep "^      commit: https://git.example.org/c/$(id HEAD | cut -c 1-12)\$" ../out &&
	git config series.thanks.tree numbers.git && git config series.thanks.url "https://x.example.org/?id=%s;" && "$SERIES" thank -n v1-0@example.org >../out && test_grep "^Applied to numbers.git, thanks!" ../out && test_grep "^      commit: https://x.example.org/?id=$(id HEAD);\$" ../out && git config --remove-section b4 && git config --remove-section series.thanks
'
test_expect_success "it is sent once, and the list has it no longer" '
	cd r && sink one && one=$(listed) && test_status 1 "$SERIES" thank "$one" 2>../err && test_grep "no terminal to ask on" ../err && [ "$(listed)" = "$one" ] && ! ls ../one/*.eml 2>/dev/null && test_status 129 "$SERIES" thank --yes && "$SERIES" thank --yes "$one" >../out && test_grep "^the thanks to .*Wendy.* sent: 1 mail" ../out && [ -z "$(listed)" ] && [ "$(listed --thanked)" = "$one" ] &&
	test_grep "^Applied to main, thanks!" ../one/0001.eml && test_grep "^Subject: Re: \[PATCH v1 0/3\] numbers: words" ../one/0001.eml && test_status 1 "$SERIES" thank --yes "$one" 2>../err && test_grep "thanked already" ../err && [ "$(ls ../one/*.eml | wc -l)" = 1 ] && [ ! -d .git/series/outbox ] || [ -z "$(ls .git/series/outbox | grep -v lock)" ]
'
test_expect_success "after a rebase and a changed message the commits are found again; a dropped one is told" '
	kill $sink_pid; fresh && rm -r .git/series/taken && "$SERIES" am "$T/mbox" && git branch -q was && edit numbers 60 sixty && git commit -q -a -m "mine" && git reset -q --hard origin/main && edit numbers 59 other && git commit -q -a -m upstream && git cherry-pick was~2 was~1 >/dev/null && git commit -q --amend -m "numbers: another title for line 20" && new=$(id HEAD) &&
	"$SERIES" thank >../out && test_grep "  2/3  not all there" ../out && "$SERIES" thank -n "$(listed)" >../out && test_grep "^      commit: $new\$" ../out && grep -A1 "^\[3/3\]" ../out | grep -q "(not applied)" && "$SERIES" thank --all --yes >../out && test_grep "nothing was applied here that waits" ../out &&
	"$SERIES" thank --branch was -n "$(listed)" >../out && test_grep "^Applied to was, thanks!" ../out && ! grep -q "not applied" ../out && test_status 1 "$SERIES" thank --branch nowhere -n "$(listed)" 2>../err && test_grep "there is no branch nowhere" ../err &&
	git reset -q --hard origin/main && test_status 1 "$SERIES" thank -n "$(listed)" 2>../err && test_grep "none of its commits is on main; --branch" ../err && "$SERIES" thank --forget "$(listed)" && [ -z "$(listed)" ] && git branch -q -D was
'
test_expect_success "a conflict that was resolved with git am --continue is thanked for, too; an aborted one is not there" '
	fresh && edit numbers 20 other && git commit -q -a -m upstream && up=$(id HEAD) && test_status 1 "$SERIES" am --here "$T/mbox" && git am --abort && "$SERIES" thank >../out && test_grep "  0/3  not all there" ../out && test_status 1 "$SERIES" am --here "$T/mbox" && printf "resolved\n" >numbers && git add numbers && git am --continue >/dev/null && "$SERIES" thank >../out && cat ../out && test_grep "  3/3  " ../out && [ "$(listed | wc -l)" = 1 ] &&
	"$SERIES" thank -n "$(listed)" >../out && test_grep "commit: $(id HEAD~1)" ../out
'
test_expect_success "the text can be written in the editor; what was not sent is kept" '
	cd r && printf "#!/bin/sh\nsed \"s/, thanks!/. Well done./\" \"\$1\" >\"\$1.new\" && cat \"\$1.new\" >\"\$1\" && rm \"\$1.new\"\n" >"$T/editor" && chmod +x "$T/editor" && sink two && GIT_EDITOR="$T/editor" "$SERIES" thank --edit --yes "$(listed)" && test_grep "^Applied to main. Well done." ../two/0001.eml && [ -z "$(listed)" ] && ! ls .git/series/*thanks-* 2>/dev/null; rc=$?; kill $sink_pid; return $rc
'
test_expect_success "a server that is away loses nothing; a mail that may have arrived is not sent twice" '
	fresh && rm -r .git/series/taken && "$SERIES" am "$T/mbox" && git config sendemail.smtpserver 127.0.0.1 && git config sendemail.smtpserverport 1 && test_status 1 "$SERIES" thank --all --yes 2>../err && test_grep "nothing was sent" ../err && [ -n "$(listed)" ] &&
	sink three keep_end=1 && test_status 1 "$SERIES" thank --all --yes 2>../err && test_grep "may or may not have arrived" ../err && test_grep "series thank --unsure=skip" ../err && [ -n "$(listed)" ] && test_status 1 "$SERIES" thank --all --yes 2>../err && test_grep "on its way; end that first: series thank --resume" ../err &&
	test_status 1 "$SERIES" thank --resume && "$SERIES" thank --resume --unsure=skip && [ -z "$(listed)" ] && [ "$(ls ../three/*.eml | wc -l)" = 1 ]
'
test_expect_success "several at once; records that cannot be read are named; half a file is none" '
	kill $sink_pid; fresh && rm -rf .git/series/taken .git/series/outbox && "$SERIES" am -P 1 "$T/mbox" && git switch -q -c other origin/main && "$SERIES" am -P 2,3 "$T/mbox" && [ "$(listed | wc -l)" = 2 ] && sink four && "$SERIES" thank --all --yes && [ "$(ls ../four/*.eml | wc -l)" = 2 ] && [ -z "$(listed)" ] && test_grep "^Applied to other" ../four/0002.eml &&
	echo "{" >.git/series/taken/0123456789abcdef.json && test_status 1 "$SERIES" thank 2>../err && test_grep "taken/0123456789abcdef.json" ../err && rm .git/series/taken/0123456789abcdef.json && echo x >.git/series/taken/0123456789abcdef.json.tmp && "$SERIES" thank >/dev/null && git switch -q main && git branch -q -D other; kill $sink_pid
'
test_done
