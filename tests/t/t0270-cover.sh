#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cover: templates, the editor's round trip, notes of single patches, and the shortlog and
# diffstat of git format-patch.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# editor SCRIPT: what git's editor does; $1 is the file
editor() {
	printf '#!/bin/sh\n%s\n' "$1" >"$T/editor" && chmod +x "$T/editor" && export GIT_EDITOR="$T/editor"
}
# title N: of words that differ, for half of them would do
title() {
	sed -n "$1p" <<-\E
	mm: count pages
	swap: batch the slots
	ksm: merge zeros
	E
}
# repo DIR N: a series of N patches without a letter
repo() {
	make_base "$1" && for i in $(seq 1 "$2"); do
		echo "line $i" >"f$i" && git add "f$i" && git commit -q -s -m "$(title $i)" -m "Words on $i." || return 1
	done && "$SERIES" init --base main && "$SERIES" recipients --add-to list@example.org
}
stored() {
	git show "refs/series/topic/state:$1"
}
# below MAIL: what stands between the first "---" and the diffstat
below() {
	sed '1,/^---$/d' "$1" | sed '/^ [^ ].*|  *[0-9]/,$d'
}

test_expect_success "the template fits the series, and an unedited one is not stored" '
	repo "$T/many" 3 && editor "cp \"\$1\" ../seen" && test_status 1 "$SERIES" cover --edit 2>err &&
	test_grep "was not written" err && test_cmp "$SRCDIR/templates/cover/default.txt" ../seen &&
	test_nogrep "is kept in" err && test_status 128 stored cover.txt &&
	repo "$T/one" 1 && test_status 1 "$SERIES" cover --edit && test_cmp "$SRCDIR/templates/cover/single.txt" ../seen &&
	git config series.coverTemplate mm && test_status 1 "$SERIES" cover --edit &&
	test_cmp "$SRCDIR/templates/cover/mm.txt" ../seen
'

test_expect_success "instructions go, lines of the user that begin with # stay" '
	cd many && editor "sed -i \"s/EDITME/done/; s/^@bench.*/# echo 1 >knob/\" \"\$1\"" && "$SERIES" cover --template mm &&
	stored cover.txt >got && cat >want <<-\E && test_cmp want got
	mm: done what the series does

	done the problem.

	done what is done about it.

	Patches 1-done prepare, and change nothing by themselves.
	Patch done is the change.

	done what the benchmark does, and on which machine.

	# echo 1 >knob

	done what it costs.
	---
	done mm-selftests pass with base and patches (run_vmtests.sh on EDITME).
	E
	cp want ../many-cover
'

test_expect_success "a letter in which an EDITME is left is not sent" '
	cd many && test_status 2 "$SERIES" format -o out >out.txt 2>&1 && test_grep "cover.txt:16: the cover letter is still the template" out.txt &&
	test_status 129 "$SERIES" cover --template single 2>err && test_grep "series topic has one" err &&
	editor "sed -i s/EDITME/arm64/ \"\$1\"" && "$SERIES" cover --edit && "$SERIES" format -o out && rm -r out out.txt &&
	for t in default mm single; do
		cp "$SRCDIR/templates/cover/$t.txt" t && sed -i "/^#/d" t && "$SERIES" cover -F t &&
		test_status 2 "$SERIES" format -o out >out.txt 2>&1 && test_grep "still the template" out.txt || return 1
	done
'

test_expect_success "a file is a template; a name that is none lists those that are" '
	repo "$T/own" 2 && printf "# mine\n# my own\nTitle EDITME\n" >../own.txt && editor "sed -i \"s/EDITME/x/; s/^# mine/# kept/\" \"\$1\"" &&
	test_status 1 "$SERIES" cover --edit --template nosuch 2>err && test_grep "default, mm, single" err &&
	"$SERIES" cover --template ../own.txt && stored cover.txt >got && printf "# kept\n\nTitle x\n" >want && test_cmp want got &&
	"$SERIES" --complete=cover-template >got && printf "default\nmm\nsingle\n" >want && test_cmp want got &&
	test_status 129 "$SERIES" cover --template mm --show
'

test_expect_success "an editor that fails loses nothing: the text is taken up again" '
	repo "$T/edit" 3 && editor "printf \"My title\n\nMy words\n\" >\"\$1\"; exit 3" && test_status 1 "$SERIES" cover -e 2>err &&
	test_grep "status 3" err && test_grep "is kept in .*topic.cover.txt" err && test_status 128 stored cover.txt &&
	editor "cat \"\$1\" >../seen" && "$SERIES" cover -e 2>err && test_grep "taking up the text" err &&
	printf "My title\n\nMy words\n" >want && test_cmp want ../seen && stored cover.txt >got && test_cmp want got &&
	test_status 1 test -e .git/series/topic.cover.txt
'

test_expect_success "so does a text that is refused" '
	cd edit && editor "printf \"\n \n\" >\"\$1\"" && test_status 1 "$SERIES" cover -e 2>err && test_grep "is empty; its first line is the title" err &&
	test_grep "is kept in" err && stored cover.txt >got && test_cmp want got &&
	editor "printf \"Again\n\" >>\"\$1\"" && "$SERIES" cover -e && stored cover.txt >got && echo Again >want && test_cmp want got
'

test_expect_success "letters and notes are UTF-8 without control characters, whoever wrote them" '
	cd edit && for what in "cover" "cover -p 1" "cover -p all"; do
		printf "Title\n\nwords\0more\n" | test_status 1 "$SERIES" $what -F - 2>err && test_grep "line 3 has the control character 0x00" err &&
		printf "Title\n\ncaf\351\n" | test_status 1 "$SERIES" $what -F - 2>err && test_grep "line 3 is not UTF-8" err || return 1
	done && editor "printf \"\033x\" >>\"\$1\"" && test_status 1 "$SERIES" cover -e 2>err && test_grep "has the control character 0x1b" err &&
	rm .git/series/topic.cover.txt* && stored cover.txt >got && echo Again >want && test_cmp want got
'

test_expect_success "two editors at once, and a letter that changed under one" '
	cd edit && editor "\"$SERIES\" cover -e 2>../second; echo \$? >../rc; echo First >\"\$1\"" && "$SERIES" cover -e &&
	test_grep "the cover letter is open in another editor" ../second && echo 1 >want && test_cmp want ../rc &&
	stored cover.txt >got && echo First >want && test_cmp want got &&
	editor "echo Other | \"$SERIES\" cover -F -; echo Mine >\"\$1\"" && test_status 1 "$SERIES" cover -e 2>err &&
	test_grep "changed by somebody else meanwhile" err && test_grep "is kept in" err && stored cover.txt >got && echo Other >want &&
	test_cmp want got && editor "cp \"\$1\" ../seen" && test_status 1 "$SERIES" cover -e 2>err && test_grep "the cover letter has changed since" err &&
	printf "<<<<<<< cover.txt\nOther\n=======\nMine\n>>>>>>> cover.txt.kept\n" >want && test_cmp want ../seen && test_grep "decide what stays" err &&
	editor "sed -i \"/^[<=]/d\" \"\$1\"" && test_status 1 "$SERIES" cover -e 2>err && test_grep "the line .>>>>>>> cover.txt.kept" err &&
	editor "sed -i \"/^>/d\" \"\$1\"" && "$SERIES" cover -e && printf "Other\n\nMine\n" >want && stored cover.txt >got && test_cmp want got &&
	test_status 2 ls .git/series/topic.cover.txt .git/series/topic.cover.txt+start
'

test_expect_success "a template that is taken up loses its instructions, whatever the template of today" '
	repo "$T/again" 3 && editor "sed -i \"s/EDITME/done/; s/^@bench.*/# echo 1 >knob/\" \"\$1\"; exit 3" && test_status 1 "$SERIES" cover --template mm &&
	editor : && "$SERIES" cover -e && stored cover.txt >got && test_cmp ../many-cover got &&
	repo "$T/late" 3 && editor "sed -i \"s/EDITME/done/\" \"\$1\"; exit 3" && test_status 1 "$SERIES" cover -e --template mm &&
	echo Other | "$SERIES" cover -F - && editor "cp \"\$1\" ../seen; exit 1" && test_status 1 "$SERIES" cover -e &&
	test_nogrep "^#" ../seen && test_grep "^Other" ../seen && test_grep "^done" ../seen
'

test_expect_success "a form in which nobody wrote is no text to take up" '
	repo "$T/killed" 3 && editor "kill -9 \$(cut -d\" \" -f4 /proc/\$PPID/stat)" && test_status 137 "$SERIES" cover --template mm && ls .git/series/topic.cover.txt &&
	editor "cp \"\$1\" ../seen" && test_status 1 "$SERIES" cover -e 2>err && test_grep "was not written" err && test_nogrep "taking up" err &&
	test_cmp "$SRCDIR/templates/cover/default.txt" ../seen && test_status 2 ls .git/series/topic.cover.txt
'

test_expect_success "notes of patches go below their own dashes and no other" '
	repo "$T/notes" 3 && "$SERIES" cover -F - <<-\E && printf "Not for stable.\n\npatch 9: is no heading\n" | "$SERIES" cover --patch 2 -F - &&
	Title

	Words.
	E
	editor "echo \"Of three.\" >\"\$1\"" && "$SERIES" cover -p 3 --edit && stored notes.txt >got && cat >want <<-\E && test_cmp want got &&
	patch 2: swap: batch the slots
	Not for stable.

	\patch 9: is no heading

	patch 3: ksm: merge zeros
	Of three.
	E
	printf "Not for stable.\n\npatch 9: is no heading\n" >want && "$SERIES" cover --patch 2 >got && test_cmp want got &&
	"$SERIES" cover --patch 2 --show >got && test_cmp want got && "$SERIES" format -o out && below out/0002* >got &&
	echo >>want && test_cmp want got && below out/0003* >got && printf "Of three.\n\n" >want && test_cmp want got &&
	below out/0001* >got && test_cmp /dev/null got && test_nogrep "Of three" out/0000* && git switch -q -c am main && git am -q out/000[123]* &&
	git diff --exit-code am topic && git log --format=%B main..am >log && test_nogrep "Of three" log && git switch -q topic
'

test_expect_success "they stand behind the changelog, and a single patch has its own too" '
	cd notes && git tag v1 && . "$SRCDIR/tests/helper/state.sh" && version 1 sent HEAD~2 HEAD~1 HEAD && echo more >>f3 && git commit -q -a --amend --no-edit &&
	"$SERIES" changes --add "louder" --patch 3 && rm -r out && "$SERIES" format -o out && below out/*0003* >got &&
	printf "Changes in v2:\n- louder\n\nOf three.\n\n" >want && test_cmp want got &&
	cd ../one && printf "Title\n\nThe letter.\n" | "$SERIES" cover -F - && echo "The note." | "$SERIES" cover -p 1 -F - && "$SERIES" format -o out &&
	below out/0001* | sed "/^base-commit\|^change-id/d" >got &&
	printf "The letter.\n\nApplies on main (%s)\n\nThe note.\n\n\n" $(git rev-parse main | cut -c1-12) >want && test_cmp want got
'

test_expect_success "a note follows its patch, and outlives it" '
	cd notes && git reset -q --hard main && for i in 3 2 1; do git cherry-pick v1~$((3 - i)) >/dev/null || return 1; done &&
	"$SERIES" cover --patch 1 >got && echo "Of three." >want && test_cmp want got && "$SERIES" cover --patch 2 >got && test_grep "Not for stable" got &&
	git reset -q --hard HEAD~2 && git cherry-pick v1~2 >/dev/null && git log --format=%s main.. >log && test_nogrep swap log &&
	rm -r out && test_status 2 "$SERIES" format -o out >text 2>&1 &&
	test_grep "patch 2: swap: batch the slots. is none of the 2 patches" text && test_grep "series cover --patch all --edit" text &&
	echo "A new one." | "$SERIES" cover -p 2 -F - && "$SERIES" cover --patch all >got && cat >want <<-\E && test_cmp want got &&
	patch 1: ksm: merge zeros
	Of three.

	patch 2: mm: count pages
	A new one.

	patch 2: swap: batch the slots
	Not for stable.

	\patch 9: is no heading
	E
	editor "sed -i \"s/^patch 2: swap: batch the slots/patch 2:/\" \"\$1\"" && "$SERIES" cover --patch all --edit && "$SERIES" cover -p 2 >got &&
	printf "A new one.\n\nNot for stable.\n\npatch 9: is no heading\n" >want && test_cmp want got && "$SERIES" format -o out &&
	"$SERIES" cover -p 2 --json >j && python3 -c "
import json; d=json.load(open(\"j\"))
assert d[\"notes\"]==[{\"patch\":2,\"subject\":\"mm: count pages\",\"text\":open(\"want\").read(),\"found\":True}]"
'

test_expect_success "what git am would cut is refused, numbers out of range too; empty text removes" '
	cd notes && printf "diff --git a/x b/x\n" | "$SERIES" cover -p 1 -F - && rm -r out && test_status 2 "$SERIES" format -o out >text 2>&1 &&
	test_grep "series cover --patch 1 --edit" text && "$SERIES" cover -p 1 -F - </dev/null >text && test_grep "note of patch 1 removed" text &&
	test_status 129 "$SERIES" cover -p 3 2>err && test_grep "from 1 to 2 or all" err && test_status 129 "$SERIES" cover -p 1 --prefix mm &&
	"$SERIES" cover -p all -F - </dev/null && stored series.json >/dev/null && test_status 128 stored notes.txt
'

test_expect_success "a note is kept when its editor fails" '
	cd notes && editor "echo words >\"\$1\"; exit 1" && test_status 1 "$SERIES" cover -p 1 -e 2>err && test_grep "is kept in" err &&
	editor : && "$SERIES" cover -p 2 -e && "$SERIES" cover -p 1 -e && "$SERIES" cover -p 1 >got && echo words >want && test_cmp want got &&
	"$SERIES" cover -p 2 >got && test_cmp /dev/null got
'

test_expect_success "a kept note is that of its title, in any script" '
	make_base "$T/script" && for w in 修正 增加; do echo $w >>n && git add n && git commit -q -s -m "$w" -m "Words." || return 1; done && "$SERIES" init --base main &&
	editor "echo one >\"\$1\"; exit 1" && test_status 1 "$SERIES" cover -p 1 -e && editor "cp \"\$1\" ../seen; echo two >\"\$1\"" && "$SERIES" cover -p 2 -e &&
	test_cmp /dev/null ../seen && editor : && "$SERIES" cover -p 1 -e && "$SERIES" cover -p 1 >got && echo one >want && test_cmp want got
'

test_expect_success "a single patch does not lose its letter without a word" '
	repo "$T/alone" 1 && printf "Title\n\nWords.\n\nEDITME\n" | "$SERIES" cover -F - && "$SERIES" format -o out >text 2>&1 &&
	test_grep "cover.txt:5: the cover letter is still the template, so the mail goes without it" text && test_nogrep EDITME out/0001*
'

test_expect_success "a note that was stored while another text was kept is not written over" '
	cd notes && echo base | "$SERIES" cover -p 1 -F - && editor "echo mine >>\"\$1\"; exit 1" && test_status 1 "$SERIES" cover -p 1 -e &&
	printf "theirs\nbase\n" | "$SERIES" cover -p 1 -F - && editor : && "$SERIES" cover -p 1 -e 2>err && test_grep "has changed since" err &&
	"$SERIES" cover -p 1 >got && printf "theirs\nbase\nmine\n" >want && test_cmp want got
'

test_expect_success "shortlog and diffstat are those of git format-patch" '
	make_base "$T/stat" && git switch -q main && mkdir -p mm/deep && for f in a b c; do seq 1 80 | sed "s/^/$f /" >mm/$f.c; done && head -c 3000 /dev/zero >blob && git add . &&
	git commit -q -m more && git switch -q -C topic main && git mv mm/a.c mm/deep/moved.c && git commit -q -m "mm: move it" --author "Žofie Müller <zofie@example.org>" &&
	git mv mm/b.c lib.c && sed -i "s/b 5/b five/" lib.c && git commit -q -a -m "mm: move and change" --author "李 雷 <lei@example.org>" &&
	seq 1 400 >>mm/c.c && git commit -q -a -m "mm: grow, with a title that is so long that a shortlog has to break it into two lines" --author "Ann Other <ann@example.org>" &&
	chmod +x numbers && git commit -q -a -m "numbers: run" --author "Žofie Müller <zofie@example.org>" && git rm -q blob && printf "\0\1" >bin && git add bin && git commit -q -m "blob: replace" &&
	long=mm/deep/$(printf "name%.0s" $(seq 1 24)).c && echo 1 >$long && echo 2 >"ünïcode" && git add . && git commit -q -m "mm: längere Namen" --author "Ann Other <ann@example.org>" &&
	"$SERIES" init --base main && printf "Title\n\nWords\n" | "$SERIES" cover -F - && "$SERIES" recipients --add-to list@example.org && "$SERIES" format -o out &&
	git format-patch -q --cover-letter -o want main..topic && python3 -c "
import sys, email, email.policy
for src, dst in ((sys.argv[1], \"a\"), (sys.argv[2], \"b\")):
    m = email.message_from_binary_file(open(src, \"rb\"))
    open(dst, \"wb\").write(m.get_payload(decode=True) or b\"\")
" want/0000* out/0000* && sed -n "/^Ann Other (/,/^ [0-9]* files changed/p;/^ create mode\|^ rename\|^ delete\|^ mode/p" a >want.txt &&
	sed -n "/^Ann Other (/,/^ [0-9]* files changed/p;/^ create mode\|^ rename\|^ delete\|^ mode/p" b >got && test_cmp want.txt got &&
	[ "$(grep -c "^ rename" got)" = 2 ] && test_grep "^Žofie Müller (2):" got && test_grep "^李 雷 (1):" got && test_grep "Bin 3000 -> 0" got
'

# interrupted WORDS: cover --edit in a process group of its own, whose members all get ^C
# while the editor is open, as from a terminal; the editor does WORDS in python.
interrupted() {
	printf '%s\n' "import os, signal, sys, time" "def say(n): open(sys.argv[1], 'w').write('On $1\\n\\nText.\\n'); sys.exit(n)" \
		"signal.signal(signal.SIGINT, $2)" "os.killpg(0, signal.SIGINT); time.sleep(0.2)" "say(0)" >"$T/edit.py" &&
	GIT_EDITOR="python3 -S '$T/edit.py'" setsid -w "$SERIES" cover --edit
}
test_expect_success '^C in an editor that takes it for itself changes nothing; one that it ends is status 130' '
	cd many && interrupted one signal.SIG_IGN && stored cover.txt >got && test_grep "^On one" got &&
	interrupted two "lambda *a: None" && stored cover.txt >got && test_grep "^On two" got &&
	test_status 130 interrupted three signal.SIG_DFL 2>err && test_grep "^series: the editor was interrupted$" err &&
	test_status 1 interrupted four "lambda *a: say(3)" 2>err && test_grep "the editor ended with status 3" err && rm -f .git/series/*.txt*
'

test_done
