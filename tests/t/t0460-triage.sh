#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series triage without a screen: rows as text and JSON, queries, order, what is noted of a
# series and where that is kept. Mails by tests/helper/triage-mails.py; rows by hand.
. "${SRCDIR:-.}/tests/helper/tap.sh"

export SERIES_TEST_NOW=1799539200 # 2027-01-10 00:00 UTC
python3 "$SRCDIR/tests/helper/triage-mails.py" >"$T/list.mbox"
long=evil$(printf 'long%.0s' 1 2 3 4 5 6 7)

# ids QUERY...: Message-IDs of the rows, one a line, without the host
ids() {
	"$SERIES" triage list.mbox --json "$@" |
		python3 -c 'import json,sys
for s in json.load(sys.stdin)["series"]: print(s["group"], s["message_id"].split("@")[0])'
}

test_expect_success "where all is too old, that is said" '
	now=$SERIES_TEST_NOW && export SERIES_TEST_NOW=1900000000 && "$SERIES" triage list.mbox >got && echo "no series in the last 90 days; --all shows older ones" >want && test_cmp want got &&
	"$SERIES" triage --days 30 -q author:cy list.mbox >got && echo "no series in the last 30 days; --all shows older ones" >want && test_cmp want got &&
	"$SERIES" triage --all -q author:nobody list.mbox >got && echo "no series" >want && test_cmp want got; rc=$?
	export SERIES_TEST_NOW=$now; return $rc
'
test_expect_success "rows stand in groups, the youngest first" '
	cat >expected <<-TEXT &&
	Ready (1)
	    AGE VER    COVER R/A/T AGNST  L AUTHOR     SUBJECT
	     3d v2+1     2/2 1/0/0        R Ada Author mm: count pages

	Needs review (3)
	    AGE VER    COVER R/A/T AGNST  L AUTHOR     SUBJECT
	    24h v1       0/1 0/0/0        A Mallory    ${long}~
	     2d v1       0/1 0/0/0        A Cy Coder   mm: walk tables
	     7d v1       0/1 0/0/0        A 山田 太郎  docs: 日本語の文書を更新する caf~

	Waits for me (1)
	    AGE VER    COVER R/A/T AGNST  L AUTHOR     SUBJECT
	     5d v1       0/1 0/0/0        A Eve Editor net: loop less

	Waits for the author (3)
	    AGE VER    COVER R/A/T AGNST  L AUTHOR     SUBJECT
	     4d v1     0/2-1 0/0/0        A Dan Drift~ fs: cache more
	    12d v1       0/1 0/0/0 b1     A Eve Editor arm: build
	    19d rfc1     0/1 0/0/0 N1     R Cy Coder   x86: be faster
	TEXT
	"$SERIES" triage list.mbox >rows && test_cmp expected rows &&
	test "$(wc -L <rows)" = 80
'

# cover COUNT PATCHES: a cover that an Acked-by answers, and the first of its patches.
cover() {
	for n in 0 1 2; do
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970" && echo "From: $(test $n = 2 && echo "Bea Reader <bea" || echo "Ada Author <ada")@example.org>" &&
		echo "Message-ID: <w$1-$n@example.org>" && echo "Date: Fri, 8 Jan 2027 00:00:0$n +0000" || return 1
		test $n = 0 || echo "In-Reply-To: <w$1-0@example.org>"
		case $n in
		0) printf "Subject: [PATCH 0/$1] mm: wide $1\n\nMany.\n\n" ;;
		1) printf "Subject: [PATCH 1/$1] mm: first of $1\n\nWhy.\n---\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b$1\n\n" ;;
		2) test "$2" = acked && printf "Subject: Re: [PATCH 0/$1] mm: wide $1\n\nAcked-by: Bea Reader <bea@example.org>\n\n" || printf "Subject: Re: [PATCH 0/$1] mm: wide $1\n\nThanks!\n\n" ;;
		esac
	done
}
test_expect_success "how much is covered is never cut to another number" '
	{ cover 46 no; cover 150 no; cover 151 acked; cover 9 no; } >wide.mbox && "$SERIES" triage wide.mbox >rows && cat rows &&
	test_grep "v1     0/9-8 .*wide 9$" rows && test_grep "v1     0/46- .*wide 46$" rows && test_grep "v1     0/150 .*wide 150$" rows && test_grep "v1      100% .*wide 151$" rows && test_nogrep "~" rows
'

test_expect_success "nothing of a mail reaches the terminal raw" '
	"$SERIES" --color=always triage list.mbox >all && test_grep evillong all &&
	python3 - <<-CHECK
	import re
	text = re.sub("\x1b\\\\[[0-9;]*m", "", open("all", encoding="utf-8").read())
	bad = [c for c in text if ord(c) < 32 and c != "\n" or 0x7f <= ord(c) < 0xa0 or c in "\u202e"]
	assert not bad, bad
	CHECK
'

test_expect_success "queries choose, and what is older than 90 days is asked for" '
	printf "%s\n" "needs-review b1" >expected && ids -q "subject:walk" >is && test_cmp expected is &&
	printf "%s\n" "ready a2-0" "needs-review b1" >expected && ids -q "file:mm/rmap.c" >is && test_cmp expected is &&
	ids -q "file:mm/rmap.c -is:whole" >is && test_cmp /dev/null is &&
	ids -q "author:cy is:rfc" >is && echo "waits-author g1" >expected && test_cmp expected is &&
	ids -q "forgotten" >is && test_cmp /dev/null is &&
	echo "needs-review i1" >expected && ids -q forgotten --all >is && test_cmp expected is &&
	ids -q forgotten --days 201 >is && test_cmp expected is &&
	git config --global series.triage.days 201 && ids -q forgotten >is && test_cmp expected is &&
	git config --global --unset series.triage.days &&
	test_status 129 "$SERIES" triage list.mbox -q "colour:red" 2>err && test_grep "colour.* is nothing to ask for" err
'

test_expect_success "the order is what was asked for, within groups" '
	printf "%s\n" "needs-review b1" "needs-review f1" "needs-review e1" >expected &&
	ids --sort author -q group:needs-review >is && cat is && sed -n 1p is | grep "b1" &&
	ids --sort=-age -q group:waits-author >is &&
	printf "%s\n" "waits-author g1" "waits-author h1" "waits-author c2" >expected && test_cmp expected is &&
	ids --sort=-nak,subject -q group:waits-author >is &&
	printf "%s\n" "waits-author g1" "waits-author h1" "waits-author c2" >expected && test_cmp expected is &&
	test_status 129 "$SERIES" triage list.mbox --sort colour 2>err && test_grep "no column" err
'

test_expect_success "JSON has all of a row" '
	"$SERIES" triage list.mbox --json -q subject:count >doc && python3 - <<-CHECK
	import json
	d = json.load(open("doc"))
	assert d["schema"] == 1 and d["groups"]["ready"] == 1 and d["groups"]["waits-me"] == 0
	s, = d["series"]
	assert s["label"] == "v2" and s["versions"] == 2 and s["patches"] == 2 and s["missing"] == 0
	assert s["author"] == {"name": "Ada Author", "email": "ada@example.org"}
	assert s["tags"]["reviewed"] == 1 and s["tags"]["covered"] == 2 and s["tags"]["naks"] == 0
	assert s["last"]["by"] == "reviewer" and s["last"]["message_id"] == "a2-r@example.org"
	assert s["files"] == ["mm/rmap.c", "mm/two.c"]
	assert s["overlaps"] == ["mm: walk tables: mm/rmap.c: unmap()"], s["overlaps"]
	assert s["mark"]["flagged"] is False and s["mark"]["note"] is None
	CHECK
'

test_expect_success "a pager or browser that fails is named, and no shell reads a Message-ID" '
	test_status 1 env -u GIT_PAGER PAGER="sh -c \"exit 3\"" "$SERIES" triage list.mbox --pager b1@example.org 2>err && echo "series: the pager ended with status 3" >expected && test_cmp expected err &&
	mkdir -p "a b" && printf "#!/bin/sh\nprintf \"<%%s>\" \"\$@\" >opened\n" >"a b/see" && chmod +x "a b/see" && git config --global series.triage.browser "\"$T/a b/see\"" &&
	sed "s/<b1@/<b1\$(touch\${IFS}pwned)@/" list.mbox >evil.mbox && "$SERIES" triage evil.mbox --browser "b1\$(touch\${IFS}pwned)@example.org" && git config --global --unset series.triage.browser &&
	grep "^<https://lore.kernel.org/r/b1.*@example.org>$" opened && test ! -e pwned
'

test_expect_success "what is noted is kept, and changes the groups" '
	"$SERIES" triage list.mbox --snooze b1@example.org --until 2027-02-01 >said &&
	echo "snoozed until 2027-02-01: v1 mm: walk tables" >expected && test_cmp expected said &&
	ids -q is:snoozed >is && echo "snoozed b1" >expected && test_cmp expected is &&
	SERIES_TEST_NOW=1801440000 ids -q walk >is && echo "needs-review b1" >expected && test_cmp expected is &&
	"$SERIES" triage list.mbox --flag a1-1@example.org --flag "<g1@example.org>" >said &&
	printf "%s\n" "flagged: v2 mm: count pages" "flagged: RFC v1 x86: be faster" >expected && test_cmp expected said &&
	"$SERIES" triage list.mbox --note a2-0@example.org --words "after -rc1" &&
	"$SERIES" triage list.mbox --assign f1@example.org --to WENDY@example.org &&
	"$SERIES" triage list.mbox --unflag g1@example.org &&
	ids -q is:flagged >is && echo "ready a2-0" >expected && test_cmp expected is &&
	ids -q group:waits-me >is && printf "%s\n" "waits-me d1" "waits-me f1" >expected && test_cmp expected is &&
	"$SERIES" triage list.mbox --json -q note:rc1 | grep "\"note\": \"after -rc1\"" &&
	"$SERIES" triage list.mbox --snooze b1@example.org --until "" >said && echo "awake: v1 mm: walk tables" >expected && test_cmp expected said &&
	ids -q is:snoozed >is && test_cmp /dev/null is
'

test_expect_success "a series sleeps until its version or a tag comes" '
	git init -q r && cd r && git commit -q --allow-empty -m one &&
	"$SERIES" triage ../list.mbox --snooze c2@example.org --until v2 &&
	"$SERIES" triage ../list.mbox --snooze b1@example.org --until v9-rc1 &&
	"$SERIES" triage ../list.mbox -q is:snoozed >rows && test_grep "walk tables" rows && test_grep "cache more" rows &&
	git tag v9-rc1 && "$SERIES" triage ../list.mbox -q is:snoozed >rows && test_nogrep "walk tables" rows &&
	sed -e "s/c2@/c3@/; s/PATCH 2.2/PATCH v2 2\/2/" ../list.mbox | sed -n "/c3@/,/^-- /p" >tail &&
	{ cat ../list.mbox; echo "From mboxrd@z Thu Jan  1 00:00:00 1970"; echo "From: Dan Drifter <dan@example.org>"; cat tail; echo; } >two.mbox &&
	"$SERIES" triage two.mbox -q cache >rows && test_grep "v2+1" rows && test_grep "Waits for the author" rows
'

test_expect_success "what a branch has taken has landed: by links of all patches, a single one by title and author" '
	rm -rf q && git init -q q && cd q && git commit -q --allow-empty -m base && git branch plain && git checkout -q -b taken &&
	git commit -q --allow-empty -m "mm: count one" -m "Link: https://lore.kernel.org/r/a2-1@example.org" &&
	git commit -q --allow-empty --author "Cy Coder <cy@example.org>" -m "mm: walk tables" &&
	git commit -q --allow-empty --author "Other <o@example.org>" -m "net: loop less" && git checkout -q plain &&
	"$SERIES" triage ../list.mbox >rows && test_nogrep Landed rows && git config series.triage.branch taken && git config --add series.triage.branch none-such &&
	"$SERIES" triage ../list.mbox -q is:landed >rows && test_grep "^Landed (1)" rows && test_grep "walk tables" rows &&
	git checkout -q taken && git commit -q --allow-empty -m "mm: count two" -m "Message-ID: <a2-2@example.org>" &&
	"$SERIES" triage ../list.mbox -q group:landed >rows && test_grep "^Landed (2)" rows && test_grep "mm: count pages" rows
'

test_expect_success "actions that miss something say what" '
	test_status 1 "$SERIES" triage list.mbox --flag nobody@example.org 2>err && test_grep "nobody@example.org: no series here" err &&
	test_status 129 "$SERIES" triage list.mbox --snooze b1@example.org 2>err && test_grep "wants --until" err &&
	test_status 129 "$SERIES" triage list.mbox --snooze b1@example.org --until tomorrow 2>err && test_grep "Expected a day" err &&
	test_status 129 "$SERIES" triage list.mbox --note b1@example.org 2>err && test_grep "wants --words" err
'

test_expect_success "damaged marks are named, left alone, and stop only what writes them" '
	db=$XDG_DATA_HOME/series/triage.db && cp "$db" kept && echo "no database, but words" >"$db" && cp "$db" bad &&
	"$SERIES" triage list.mbox >rows 2>err && test_grep "mm: count pages" rows && test_grep "triage.db: damaged" err &&
	test_status 1 "$SERIES" triage list.mbox --flag b1@example.org 2>err && test_grep "left as it is" err &&
	cmp bad "$db" && cp kept "$db" && ids -q is:flagged >is && echo "ready a2-0" >expected && test_cmp expected is
'

test_expect_success "several at once write their marks, and none is lost" '
	rm "$XDG_DATA_HOME/series/triage.db" &&
	for id in a2-0 b1 d1 f1 g1 h1; do "$SERIES" triage list.mbox --flag "$id@example.org" & done; wait
	ids -q is:flagged >is && test "$(wc -l <is)" = 6
'

# A program takes the mails: each is a file in out/.
posting() {
	mkdir -p "$T/out" && cat >"$T/take" <<-SH && chmod +x "$T/take"
	#!/bin/sh
	n=\$(ls "$T/out" | wc -l)
	echo "\$@" >"$T/out/args\$n" && cat >"$T/out/mail\$n"
	exit \${TAKE_STATUS:-0}
	SH
	git config --global sendemail.sendmailCmd "$T/take" && git config --global sendemail.confirm never
}

test_expect_success "a tag goes out as a reply: to the author, all others in copy, on the right mail" '
	posting && cd r &&
	"$SERIES" triage ../list.mbox --give-tag d1@example.org --type Acked-by --dry-run >shown && test_grep "^Acked-by: Wendy" shown &&
	test_status 0 ls "$T/out" && test -z "$(ls "$T/out")" &&
	"$SERIES" triage ../list.mbox --give-tag d1@example.org --type Acked-by --yes >said && test_grep "1 mail to" said &&
	cat "$T/out/mail0" && python3 - "$T/out/mail0" <<-CHECK
	import email, sys
	from email import policy
	m = email.message_from_file(open(sys.argv[1]), policy=policy.default)
	assert m["to"] == "Eve Editor <eve@example.org>", m["to"]
	assert m["cc"] == "list@example.org", m["cc"]
	assert m["from"] == "Wendy Writer <wendy@example.org>"
	assert m["subject"] == "Re: [PATCH] net: loop less"
	assert m["in-reply-to"] == "<d1@example.org>" and m["references"] == "<d1@example.org>"
	assert m.get_content() == """On Sun, 3 Jan 2027 23:00:11 +0000, Eve Editor wrote:
	> Because of d1.
	>
	> Signed-off-by: Eve Editor <eve@example.org>

	Acked-by: Wendy Writer <wendy@example.org>
	""".replace(chr(10) + chr(9), chr(10)), m.get_content()
	CHECK
'

test_expect_success "what went out is a tag for series, too" '
	{ cat list.mbox; echo "From mboxrd@z Thu Jan  1 00:00:00 1970"; cat out/mail0; echo; } >three.mbox &&
	"$SERIES" triage three.mbox --json -q "subject:loop" | grep "\"acked\": 1"
'

test_expect_success "tags for several patches are a mail each, of others series an error" '
	cd r && rm -f "$T"/out/* && "$SERIES" triage ../list.mbox --give-tag a2-1@example.org --give-tag a2-2@example.org --yes &&
	test_grep "^In-Reply-To: <a2-1@example.org>" "$T/out/mail0" && test_grep "^In-Reply-To: <a2-2@example.org>" "$T/out/mail2" &&
	test_grep "^References: <a2-0@example.org> <a2-1@example.org>\|^References: <a2-0@example.org>" "$T/out/mail0" &&
	test_status 1 "$SERIES" triage ../list.mbox --give-tag a2-1@example.org --give-tag b1@example.org --yes 2>err && test_grep "no patch or cover of this series" err &&
	test_status 1 "$SERIES" triage ../list.mbox --give-tag a2-r@example.org --yes 2>err && test_grep "no patch or cover" err
'

test_expect_success "a reply is written in the editor; without a line of ones own nothing goes out" '
	cd r && rm -f "$T"/out/* && echo "#!/bin/sh
	grep -v \"^# \" \"\$1\" >new; { cat new; echo; echo \"Yes, two are better.\"; } >\"\$1\"" >"$T/ed" && chmod +x "$T/ed" &&
	GIT_EDITOR=$T/ed "$SERIES" triage ../list.mbox --reply a1-r@example.org --yes &&
	test_grep "^To: Bea Reader <bea@example.org>" "$T/out/mail0" && test_grep "^> Why not two?" "$T/out/mail0" && test_grep "^Yes, two are better.$" "$T/out/mail0" &&
	test_grep "^Subject: Re: .PATCH 1/2. mm: count one" "$T/out/mail0" && test_nogrep "^#" "$T/out/mail0" &&
	rm -f "$T"/out/* && test_status 1 env GIT_EDITOR=true "$SERIES" triage ../list.mbox --reply a1-r@example.org --yes 2>err && test_grep "no line of yours" err && test -z "$(ls "$T/out")"
'

test_expect_success "a reply of which nobody knows stops the next one, until it is decided" '
	cd r && rm -f "$T"/out/* && export TAKE_STATUS=71 && test_status 1 "$SERIES" triage ../list.mbox --give-tag b1@example.org --yes 2>err && test_grep "series triage --unsure=skip" err &&
	test_status 1 "$SERIES" triage ../list.mbox --give-tag b1@example.org --yes 2>err && test_grep "end that first: series triage --resume" err &&
	unset TAKE_STATUS && rm -f "$T"/out/* && "$SERIES" triage --unsure=resend && test -s "$T/out/mail0" &&
	test_status 1 "$SERIES" triage --resume 2>err && "$SERIES" triage ../list.mbox --give-tag b1@example.org --yes
'

test_expect_success "outside of a repository, and without a name, the reason is said" '
	test_status 1 "$SERIES" triage list.mbox --give-tag b1@example.org --yes 2>err && test_grep "outbox of a repository" err
'

# A mirror of a list that another machine has.
mirror() {
	mkdir -p split "lists/$1/git" && rm -f split/* && git mailsplit -d4 -osplit "$2" &&
	/usr/bin/python3 -B "$SRCDIR/tests/helper/mirror-make.py" "lists/$1/git/0.git" $(ls split/* | sed "s/^/m:/") &&
	"$SERIES" mirror add "$1" "$T/lists/$1"
}

test_expect_success "without mirrors and without mails the way to some is said" '
	test_status 1 "$SERIES" triage 2>err && test_grep "series mirror add NAME URL" err
'

test_expect_success "rows of a mirror are those of its mails, with its name" '
	rm -f "$XDG_DATA_HOME/series/triage.db" && mirror mm list.mbox && "$SERIES" triage list.mbox --json >files.json && "$SERIES" triage --json >index.json &&
	sed "s/\"list\": \"mm\"/\"list\": null/" index.json >same.json && test_cmp files.json same.json && test_grep "\"list\": \"mm\"" index.json &&
	"$SERIES" triage --list mm -q list:mm >rows && test_grep "mm: count pages" rows && test_nogrep forgotten rows &&
	"$SERIES" triage --all >rows && test_grep forgotten rows
'

test_expect_success "one mirror of several, and one that is none" '
	python3 "$SRCDIR/tests/helper/triage-mails.py" 3 >few.mbox && mirror few few.mbox && "$SERIES" triage --list few >rows && test_grep "change number 2" rows && test_nogrep "count pages" rows &&
	"$SERIES" triage >rows && test_grep "change number 2" rows && test_grep "count pages" rows &&
	test_status 1 "$SERIES" triage --list none 2>err && test_grep "no mirror .none" err &&
	test_status 129 "$SERIES" triage --list few list.mbox 2>err && test_grep "not about files" err
'

test_expect_success "actions find a series of a mirror by any of its mails" '
	"$SERIES" triage --flag a1-r@example.org --flag i1@example.org >said && printf "%s\n" "flagged: v2 mm: count pages" "flagged: v1 old: forgotten" >expected && test_cmp expected said &&
	cd r && rm -f "$T"/out/* && "$SERIES" triage --give-tag a2-1@example.org --yes && test_grep "^In-Reply-To: <a2-1@example.org>" "$T/out/mail0" && test_grep "^> Because of a2-1" "$T/out/mail0"
'

test_expect_success "a mirror without an index says what makes one" '
	rm "$XDG_CACHE_HOME/series/index/few.db" && "$SERIES" triage >rows 2>err && test_grep "few has no index.*series mirror update few" err && test_grep "count pages" rows
'

test_done
