#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The full-screen view of series triage in tmux: every view, every action, other sizes, other
# terminals, signals and crashes. Mails by tests/helper/triage-mails.py; screens by hand.
. "${SRCDIR:-.}/tests/helper/tap.sh"
command -v tmux >/dev/null || test_skip_all "tmux is not installed"

export SERIES_TEST_NOW=1799539200 # 2027-01-10 00:00 UTC
unset NO_COLOR TMUX
python3 "$SRCDIR/tests/helper/triage-mails.py" >"$T/list.mbox"
mkdir bin && PATH=$T/bin:$PATH
cat >bin/xdg-open <<-'SH'
#!/bin/sh
echo "$1" >"$HOME/opened"
SH
cat >bin/mutt <<-'SH'
#!/bin/sh
echo "$@" >"$HOME/mutted"
grep -c "^From mboxrd" "$3" >>"$HOME/mutted"
SH
cat >bin/page <<-'SH'
#!/bin/sh
grep -c "^Subject:" "$1" >"$HOME/paged"
exit 0
SH
chmod +x bin/*

tm_n=0
tm() {
	TMUX_TMPDIR=$T tmux -L "series-$$-$tm_n" -f /dev/null "$@"
}
tm_end() {
	tm kill-server 2>/dev/null
	tap_exit
}
trap tm_end EXIT
# new WIDTH HEIGHT COMMAND: a terminal of its own; the one before goes.
new() {
	tm kill-server 2>/dev/null
	tm_n=$((tm_n + 1))
	rm -f ended stty pid
	tm new-session -d -x "$1" -y "$2" "cd '$T'; $3"
}
# start WIDTH HEIGHT ARGUMENT...: the view; "ended" says its status, "stty" what it left.
start() {
	w=$1 h=$2 && shift 2
	new "$w" "$h" "sh -c 'echo \$\$ >pid; TERM=${TERMINAL:-screen} exec \"$SERIES\" triage ${*:-list.mbox}'
		echo status \$? >>ended; stty -a >stty; exec cat"
}
keys() {
	tm send-keys "$@"
}
has() {
	tm capture-pane -p >screen && grep -q -e "$1" screen
}
# see PATTERN: soon; nosee: soon no more
see() {
	test_wait 10 has "$1" || { cat screen; return 1; }
}
hasnot() {
	! has "$1"
}
nosee() {
	test_wait 10 hasnot "$1" || { cat screen; return 1; }
}
ended() {
	test_wait 10 grep -q . ended 2>/dev/null && test_grep "status $1" ended
}
# The list anew, the cursor at the first row.
begin() {
	start 80 24 && see "^Ready (1)" && see_here "count pages"
}
# The line that keys are about: in reverse video, and neither the title nor the bar.
here() {
	tm capture-pane -p -e | sed 1d | sed "$(($(tm display -p "#{window_height}") - 3)),\$d" |
		grep "$(printf '\033')\[\([0-9;]*;\)\{0,1\}7\(;[0-9;]*\)\{0,1\}m" | grep -q -e "$1"
}
see_here() {
	test_wait 10 here "$1" || { tm capture-pane -p -e | cat -v; return 1; }
}

test_expect_success "the list stands in groups at 80 by 24" '
	start 80 24 && see "^Ready (1)" && see "^Needs review (3)" && see "^Waits for me (1)" && see "^Waits for the author (3)" &&
	see "^     3d v2+1     2/2 1/0/0        R Ada Author mm: count pages" &&
	see "overlaps with 1: mm: walk tables: mm/rmap.c:" && see "^series triage: 8 series"
'

test_expect_success "titles with escapes, bidi overrides and 10,000 letters, wide and combining ones keep their place" '
	tm capture-pane -p >screen && grep "24h v1       0/1 0/0/0        A Mallory    evillong" screen &&
	grep "A 山田 太郎  docs: 日本語の文書を更新する caf" screen && ! grep owned screen && test "$(wc -L <screen)" = 80
'

test_expect_success "keys move, also by groups and pages" '
	see_here "count pages" && keys j && see_here "Needs review" && keys j j && see_here "walk tables" &&
	keys k && see_here "evillong" && keys G && see_here "be faster" && keys g && see_here "Ready" &&
	keys Tab && see_here "evillong" && keys Tab && see_here "loop less" && keys C-b && see_here "Ready" && keys Enter && nosee "count pages" && see "^Ready (1) +" && keys Enter && see "count pages" && keys Down && see_here "count pages"
'

test_expect_success "search goes as it is typed, and on with n and N" '
	keys / && keys "build" && see "^/build" && see_here "arm: build" && keys Enter && keys g && keys / && keys "author:cy" Enter &&
	see_here "walk tables" && keys n && see_here "be faster" && keys N && see_here "walk tables" &&
	keys / && keys "nowhere" Enter && see "not found: nowhere" && keys / Escape && nosee "^/" &&
	see_here "walk tables" && keys / && keys "arm" && see_here "arm: build" && keys Escape && see_here "walk tables" &&
	keys / && keys "mm: count" Enter && see_here "mm: count pages" && nosee "not found"
'

test_expect_success "the list is limited, sorted, and told what is wrong" '
	keys l && see "^limit to:" && keys "group:waits-author" Enter && see "3 series, limited to group:waits-author" && nosee "Ready" &&
	keys o && see "^sort by:" && keys -- "-age" Enter && keys g j && see_here "be faster" &&
	keys l C-u && keys "colour:x" Enter && see "is nothing to ask for" && see "3 series" &&
	keys l C-u Enter && see "8 series" && keys o C-u && keys "age" Enter && keys g j && see_here "count pages"
'

test_expect_success "tagged series are acted on together" '
	keys T && see "^tag what is:" && keys "author:cy" Enter && see "2 tagged" && see "^\* " &&
	keys F && see "flagged: 2 series" && keys U && nosee "tagged" && test "$(grep -c "^\! " screen)" = 2 &&
	keys t && see "1 tagged" && keys C-t && nosee "tagged" &&
	"$SERIES" triage list.mbox -q is:flagged >rows && test_grep "walk tables" rows && test_grep "be faster" rows && test_nogrep "count" rows
'

test_expect_success "snooze, note, assign: shown, stored, taken back" '
	keys g j && see_here "count pages" && keys s && see "^snooze until" && keys "2027-02-01" Enter && see "snoozed until 2027-02-01" &&
	see "^Snoozed (1)" && nosee "^Ready" && keys G && see_here "count pages" &&
	keys e && see "^note:" && keys "wait for Bea" Enter && see "note: wait for Bea" &&
	keys a && see "^assign to" && keys C-u && keys "bea@example.org" Enter && see "assigned to bea@example.org" &&
	"$SERIES" triage list.mbox --json -q is:snoozed >doc && test_grep "wait for Bea" doc && test_grep "2027-02-01T00:00:00Z" doc &&
	keys s Enter && see "^Ready (1)" && keys s && keys "some day" Enter && see "Expected a day" && keys a C-u Enter && see "nobody" &&
	keys e C-u Enter && see "note gone"
'
test_expect_success "what is put aside leaves the cursor at its neighbour, and the group in sight" '
	begin && keys / && keys "fs: cache" Enter && see_here "fs: cache more" && keys s && see "^snooze until" && keys "2027-02-01" Enter &&
	see "^Snoozed (1)" && see_here "arm: build" && keys s && see "^snooze until" && keys "2027-02-01" Enter && see "^Snoozed (2)" && see_here "x86: be faster" &&
	"$SERIES" triage list.mbox --json -q is:snoozed >doc && test_grep "fs: cache more" doc && test_grep "arm: build" doc &&
	keys / && keys "fs: cache" Enter && see_here "fs: cache" && keys s C-u Enter && see "^Snoozed (1)" && keys / && keys "arm: build" Enter && see_here "arm: build" && keys s C-u Enter && nosee "^Snoozed"
'

test_expect_success "a series shows its patches, versions, tags and remarks" '
	begin && keys Enter && see "^v2 mm: count pages, Ada Author" && see "^ 1/2 R1 *mm: count one" && see "^v1  2026-12-31  2 patches" &&
	see "Reviewed-by: Bea Reader" && keys j && see_here "count one" && see "1 remark before v2" && see "mm/rmap.c:12 (v1) Bea Reader: Why not two?" &&
	keys V && see "^v1 mm: count pages" && keys V && see "^v2 mm: count pages" && keys G Enter && see "^v1 mm: count pages"  && keys q && see "^series triage"
'

test_expect_success "mails: folded quotes, colours of a diff, mail by mail" '
	begin && keys v && see "^v2 mm: count pages: 8 mails" && see "^From: Ada Author" && keys G && see "+-- 12 quoted lines: > line 1" &&
	keys Enter G && see "> line 12 of" && keys z && see "+-- 12 quoted lines" && keys z G && see "> line 12 of" && keys g && keys "]" && see "PATCH 1/2. mm: count one" &&
	tm capture-pane -p -e >colors && grep -q "$(printf "\033")\[32m+.*n = 1;" colors && keys / && keys "line 7 of" Enter && see "line 7 of" && keys q && see "^series triage"
'

test_expect_success "a folded quote opens for what is searched in it" '
	begin && keys v && see "8 mails" && keys / && keys "line 11 of" Enter && see "line 11 of" && keys q && see "^series triage"
'

test_expect_success "the difference to the version before comes in the background" '
	begin && keys d && see "since the version before" && see "^v1 -> v2: " && see "count one" && keys q && see "^series triage" &&
	keys j j && see_here evil && keys d && see "there is no version before v1"
'

test_expect_success "whether it applies is tried in the background; applying asks first" '
	rm -rf k && git init -q k && cd k && mkdir mm && printf "%s\n" 1 2 3 4 5 6 7 8 9 "{" "	n++;" "}" >mm/rmap.c && cp mm/rmap.c mm/two.c && git add mm && git commit -q -m base && cd .. &&
	new 80 24 "cd k; $SERIES triage ../list.mbox; exec cat" && see "^Ready (1)" && see_here "count pages" && keys c && see "count pages: would it apply" && see "count one" && keys q && see "^series triage" &&
	keys P && see "^apply v2 .mm: count pages. to the branch here" && keys n && nosee "^apply" && test "$(git -C k log --oneline | wc -l)" = 1 &&
	keys P && see "^apply v2" && keys y && see "Enter goes back" && keys Enter && see "^series triage" && git -C k log --format=%s >log && test_grep "mm: count two" log && git -C k log -1 --format=%B | grep "Reviewed-by: Bea Reader" && keys q
'

test_expect_success "what applies to the base is tried while no keys come; C stops it; builds and benches are asked about" '
	git -C k reset -q --hard "$(git -C k rev-list --max-parents=0 HEAD)" && git -C k config series.triage.base HEAD && new 80 24 "cd k; $SERIES triage ../list.mbox; exec cat" && see "^Ready (1)" && see "3d v2+1     2/2 1/0/0        + R Ada Author" && see "2d v1       0/1 0/0/0        [-+?] A Cy Coder" &&
	see "4d v1     0/2-1 0/0/0        ? A Dan Drift" && keys C && see "nothing is tried any more" && keys C && see "trying what applies to HEAD" && keys g j && see_here "count pages" &&
	keys B && see "^build v2 .mm: count pages., as a branch triage" && keys n && nosee "^build" && keys M && see "^measure v2" && keys n && keys q && test "$(git -C k branch | wc -l)" = 1 && git -C k config --unset series.triage.base
'

test_expect_success "what has landed is found beside the screen" '
	git -C k config series.triage.branch main && git -C k commit -q --allow-empty -m "both" -m "Link: https://lore.kernel.org/r/a2-1@example.org
Link: https://lore.kernel.org/r/a2-2@example.org" && new 80 24 "cd k; $SERIES triage ../list.mbox; exec cat" && see "^Landed (1)" && nosee "^Ready" && keys q
'

test_expect_success "on the title of a group the cursor stays there when rows are drawn anew" '
	begin && see_here "count pages" && keys t && see_here "Needs review" && keys F U && see "^!  *3d v2" && see_here "Needs review" && keys j && see_here evil && keys k k && see_here "count pages" && keys F && nosee "^!  *3d v2" && keys q
'

test_expect_success "hostile text in a mail does nothing to the screen" '
	begin && keys j j && see_here evil && keys Enter && see "^v1 evillong" && keys Enter && see "hostile text" && see "@@ -1 +1,2 @@ fun" && see "^+b b$" && keys q q && see "^series triage"
'

test_expect_success "other programs get its mails, and the screen comes back" '
	git config --global core.pager page && begin && keys p && test_wait 10 test -s "$HOME/paged" && test "$(cat "$HOME/paged")" = 8 && see "^series triage" &&
	keys m && test_wait 10 test -s "$HOME/mutted" && test_grep "^-R -f .*mails.mbox" "$HOME/mutted" && test_grep "^8$" "$HOME/mutted" && see "^series triage" &&
	keys w && test_wait 10 test -s "$HOME/opened" && test_grep "lore.kernel.org.*a2-0@example.org" "$HOME/opened" && see "a2-0@example.org" &&
	keys y && see "copied: a2-0@example.org" && test -z "$(ls "$TMPDIR")"
'

# A program takes the mails, an editor adds a line.
mail_setup() {
	git init -q "$T/r" 2>/dev/null
	mkdir -p "$T/out" && cat >bin/take <<-SH && chmod +x bin/take
	#!/bin/sh
	cat >"$T/out/mail\$(ls "$T/out" | wc -l)"
	SH
	cat >bin/ed2 <<-SH && chmod +x bin/ed2
	#!/bin/sh
	echo "A line of mine." >>"\$1"
	SH
	git config --global sendemail.sendmailCmd "$T/bin/take" && git config --global core.editor "$T/bin/ed2"
}

test_expect_success "a tag for one patch, for several, for all: asked, sent, and the screen comes back" '
	mail_setup && unset GIT_EDITOR && new 80 24 "cd r; $SERIES triage ../list.mbox; exec cat" && see "^Ready (1)" &&
	keys A && see "^R: Reviewed-by" && keys a && see "^for patches (1,3-5, all): all" && keys Enter && see "Send 1 mail?" && see "Subject\|Re: .PATCH v2 0/2. mm: count pages" && keys y Enter &&
	see "Enter goes back" && keys Enter && see "Acked-by sent" && test_grep "^In-Reply-To: <a2-0@example.org>" out/mail0 && test_grep "^Acked-by: Wendy Writer" out/mail0 &&
	keys Enter && see "^v2 mm: count" && keys j j A && see "^R: Rev" && keys R && see "all): 2" && keys C-u && keys "1-2" Enter && see "Send 2 mails?" && keys y Enter && see "Enter goes" && keys Enter && see "Reviewed-by sent" &&
	test_grep "^In-Reply-To: <a2-1@example.org>" out/mail1 && test_grep "^In-Reply-To: <a2-2@example.org>" out/mail2 &&
	keys A T && see "all): 2" && keys C-u && keys "3" Enter && see "Enter goes" && keys Enter && see "expected patches of 1 to 2" && keys q
'

test_expect_success "a reply in the editor, to the mail at hand; what is not confirmed is not sent" '
	see "^series triage" && rm -f out/* && keys v && see "8 mails" && keys / && keys "Thanks!" Enter && see "Thanks!" && keys "]" "]" "]" "]" "]" "]" "]" r && see "Send 1 mail?" && keys n Enter && see "Enter goes" && keys Enter && see "nothing was sent" && test -z "$(ls out)" &&
	keys r && see "Send 1 mail?" && keys y Enter && see "Enter goes" && keys Enter && see "^sent" && test_grep "^A line of mine." out/mail0 && keys q && see "^series triage"
'

test_expect_success "help has the keys of the place" '
	begin && keys "?" && see "q, ^C  *quit" && keys / && keys "snooze" Enter && see "s  *snooze" && keys q && keys Enter "?" && see "^help" && keys / && keys "side-down" Enter && see "J, \]" && keys q q && see "^series triage"
'

test_expect_success "other sizes are drawn at once, wide and narrow" '
	begin && tm resize-window -x 140 -y 30 && see "LAST         AUTHOR" && see "R Bea Reader" && keys Enter && see "^v2 mm: count pages" && see "2/2 R1 .*Reviewed-by: Bea Reader\|1/2 R1 .*Reviewed-by\|0/2 R1 .*Reviewed-by" &&
	tm resize-window -x 60 -y 20 && see "tags and remarks" && keys q && see "^     3d v2+1    2/2       R Ada Aut~ mm: count pages" && tm capture-pane -p >screen && test "$(wc -L <screen)" -le 60 &&
	tm resize-window -x 20 -y 4 && see "series triage" && keys j k j && tm resize-window -x 80 -y 24 && see "^Waits for the author (3)"
'

test_expect_success "a mirror: its series are opened, read and compared; R reads what came meanwhile" '
	mkdir -p lists/git split && git mailsplit -d4 -osplit list.mbox && make="/usr/bin/python3 -B $SRCDIR/tests/helper/mirror-make.py lists/git/0.git" &&
	$make $(ls split/* | sed "/0009/d; s/^/m:/") && "$SERIES" mirror add mm "$T/lists" && new 80 24 "$SERIES triage; exec cat" && see "^Ready (1)" && see "7 series" && nosee "walk tables" &&
	keys Enter && see "^v2 mm: count pages, Ada" && see "1/2 R1" && keys Enter && see "^Counted" && keys q d && see "^v1 -> v2:" && keys q q && see "^series triage" &&
	$make m:"$(grep -l "^Subject:.*walk tables" split/*)" && "$SERIES" mirror update mm && keys R && see "8 series" && see "walk tables" && keys q &&
	new 80 24 "$SERIES triage; exec cat" && keys l "file:mm/rmap" Enter && see "limited to file" && see "walk tables" && see "count pages" && nosee "loop less" && keys g j && see "overlaps with 1: mm: walk tables: mm/rmap.c:" && keys q &&
	new 80 24 "$SERIES triage; exec cat" && see "^Ready (1)" && see "Waits for me (1)" && see "overlaps with 1: mm: walk tables: mm/rmap.c:" && keys q
'

test_expect_success "q leaves and the terminal is as it was" '
	begin && keys q && ended 0 && test_grep " echo " stty && test_grep " icanon" stty && test_grep "intr = ^C" stty
'

test_expect_success "SIGTERM and SIGHUP end it and give the terminal back" '
	for sig in TERM HUP; do
		start 80 24 && see "^Ready" && kill -s $sig "$(cat pid)" && ended 130 &&
		test_grep " echo " stty && test_grep " icanon" stty || return 1
	done
'

test_expect_success "a crash gives the terminal back, and is a crash all the same" '
	start 80 24 && see "^Ready" && kill -s SEGV "$(cat pid)" && ended 139 &&
	test_grep " echo " stty && test_grep " icanon" stty && test_grep "intr = ^C" stty && test "$(tm display -p "#{alternate_on}")" = 0
'

test_expect_success "^Z stops it, fg brings it back" '
	new 80 24 "PS1=\"shell> \" exec bash --norc -i" && see "shell>" &&
	keys "TERM=screen $SERIES triage list.mbox" Enter && see "^Ready" && keys C-z && see "Stopped" && keys "fg" Enter && see "^Ready" && keys q && nosee "^Ready (1)" && keys "exit" Enter
'

test_expect_success "keys are changed by git config; one that is none is named" '
	git config --global series.key.snooze "x f5" && git config --global series.key.quit Q && start 80 24 && see "^Ready" &&
	keys x && see "^snooze until" && keys Escape && keys F5 && see "^snooze until" && keys Escape && keys s && see "no such key here" && keys q && see "no such key" && keys Q && ended 0 &&
	git config --global series.key.snooze "no-key" && start 80 24 && ended 129 && see "series.key.snooze: .no-key. is no key" &&
	git config --global --unset series.key.snooze && git config --global --unset series.key.quit
'

test_expect_success "a terminal of 1978 and NO_COLOR do, an unknown one is named" '
	TERMINAL=vt100 start 80 24 && see "^Ready (1)" && keys Enter && see "^v2 mm" && keys q q && ended 0 &&
	export NO_COLOR=1 && start 80 24 && see "^Ready (1)" && tm capture-pane -p -e >colors && ! grep "$(printf "\033")\[3[1-6]m" colors && unset NO_COLOR &&
	TERMINAL=no-such start 80 24 && ended 1 && see "no terminal of type .no-such. is known"
'

test_done
