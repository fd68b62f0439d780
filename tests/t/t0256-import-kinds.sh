#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Kinds of series that were posted: with base-commit and without, a partial reroll, an RFC, from
# b4, from an mbox and from a real list archive. Trees, authors and messages are those that git am makes of them.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# on DAY: the clock of git
on() {
	GIT_AUTHOR_DATE="2026-10-$1 09:00:00 +0200" GIT_COMMITTER_DATE="2026-10-$1 09:00:00 +0200"
	export GIT_AUTHOR_DATE GIT_COMMITTER_DATE
}
# patch FILE LINE TEXT SUBJECT
patch() {
	sed "$2s/.*/$3/" "$1" >n && cat n >"$1" && rm n && git add "$1" && git commit -q -s -m "$4" \
		-m "Line $2 says so.
# as do others"
}
# mails DIR BASE [OPTION...]: of HEAD. git gives covers the time of now, as their date and in
# their Message-ID.
mails() {
	m_dir=$T/$1 m_base=$2
	shift 2
	git format-patch -q -o "$m_dir" --thread=shallow --to list@example.org --cc "Rita Reader <rita@example.org>" \
		"$@" "$m_base"..HEAD &&
	m_date=$(date -R -d "$GIT_AUTHOR_DATE") && sed -i "s/\.git\./.${m_dir##*/}./;s/^Date: .*+0000.*/Date: $m_date/" "$m_dir"/*
}
# cover DIR TITLE <TEXT
cover() {
	cat >"$T/text" && for f in "$T/$1"/*0000-*; do
		sed -e "s/\*\*\* SUBJECT HERE \*\*\*/$2/" -e "/\*\*\* BLURB HERE \*\*\*/{r $T/text
			d}" "$f" >"$T/f" && mv "$T/f" "$f" || return 1
	done
}
# what RANGE: what git am promises
what() {
	git log --reverse --format="%T %an <%ae> %ad%n%B" "$@"
}
# am BASE FILE...: git am of mails, on am
am() {
	git -C "$T/am" checkout -q "$1" && shift && git -C "$T/am" am -q --keep-cr "$@"
}
# version N KEY: of the state
version() {
	git show "refs/series/$1/state:versions/$2.json" |
		python3 -c "import json, sys; v = json.load(sys.stdin); print($3)"
}
# applied NAME N BASE FILE...: version N is what git am makes
applied() {
	a_name=$1 a_n=$2 a_base=$3
	shift 3
	am "$a_base" "$@" && git -C "$T/am" log --reverse --format="%T %an <%ae> %ad%n%B" "$a_base"..HEAD >"$T/want" &&
	what "$a_base..refs/series/$a_name/$a_n" >"$T/got" && [ -s "$T/want" ] && test_cmp "$T/want" "$T/got"
}

test_expect_success 'a developer posts v1 to v3 from another machine' '
	on 01 && git init -q up && cd up && for f in a b c; do seq 1 60 | sed "s/^/$f /" >$f; done && printf "one\r\ntwo\r\nthree\r\n" >crlf &&
	git add . && git commit -q -m base && git clone -q . "$T/dev" && on 02 && patch c 50 "upstream goes on" "c: go on" &&
	git tag later && on 09 && patch a 12 "another change" "a: get in the way" && cd "$T/dev" && git config user.name "Ada Author" && git config user.email ada@example.org &&
	on 03 && git switch -q -c topic && patch a 10 "ada 10" "a: change ten" && patch b 20 "ada 20" "b: change twenty" &&
	sed "s/two/TWO/" crlf >n && mv n crlf && git commit -q -a -s -m "crlf: shout" --author "Jörg Müller <jm@example.org>" &&
	mails v1 main --cover-letter --base main --subject-prefix "PATCH mm" && cover v1 "mm: better lines" <<-\E &&
	Lines are better when they are good.

	#include is no comment here.
	E
	on 04 && git fetch -q origin --tags && git reset -q --hard later && patch a 10 "ada ten" "a: change ten" && patch b 20 "ada 20" "b: change twenty" &&
	sed "s/two/TWO/" crlf >n && mv n crlf && git commit -q -a -s -m "crlf: shout" --author "Jörg Müller <jm@example.org>" &&
	mails v2 later --cover-letter -v2 --subject-prefix "PATCH mm" && cover v2 "mm: better lines" <<-E &&
	Lines are better when they are good.

	Changes in v2:
	- say ten in words (thanks Rita)

	v1: https://lore.example.org/r/$(ids "$T"/v1/*0000-* | tr -d "<>")
	E
	on 05 && git reset -q --hard HEAD~2 && patch b 20 "ada twenty" "b: change twenty" &&
	mails v3 HEAD~1 -v3 --subject-prefix "PATCH mm" --in-reply-to "$(ids "$T"/v2/*0002-*)" &&
	sed -i "s,^Subject: .PATCH mm v3. ,Subject: [PATCH mm v3 2/3] ," "$T"/v3/*.patch &&
	cat "$T"/v1/* "$T"/v2/* "$T"/v3/* >"$T/all.mbox" && git clone -q "$T/up" "$T/am"
'

test_expect_success 'from an mbox: versions, mails, texts; nothing is checked out' '
	git clone -q "$T/up" "$T/r" && cd "$T/r" && echo dirt >>a && git rev-parse HEAD >../head && "$SERIES" import ../all.mbox >../out &&
	cat ../out && git rev-parse HEAD >../head2 && test_cmp ../head ../head2 && git branch --list main | grep "\* main" && git diff --quiet -- b c && ! git diff --quiet -- a &&
	applied mm-better-lines v1 "$(git -C ../dev rev-parse origin/main~2)" ../v1/*000[123]-* &&
	applied mm-better-lines v2 later ../v2/*000[123]-* &&
	applied mm-better-lines v3 later ../v2/*0001-* ../v3/*.patch ../v2/*0003-* &&
	[ "$(git rev-parse mm-better-lines)" = "$(git rev-parse refs/series/mm-better-lines/v3)" ] &&
	[ "$(version mm-better-lines 1 "v[\"postings\"][0][\"prefix\"]")" = "PATCH mm" ] &&
	[ "$(version mm-better-lines 3 "v[\"postings\"][0][\"prefix\"]")" = "PATCH mm v3" ] &&
	[ "$(version mm-better-lines 3 "v[\"patches\"][1][\"message_id\"]")" = "$(ids ../v3/*.patch | tr -d "<>")" ] &&
	[ "$(version mm-better-lines 3 "v[\"patches\"][0][\"message_id\"]")" = "$(ids ../v2/*0001-* | tr -d "<>")" ] &&
	[ "$(version mm-better-lines 2 "v[\"postings\"][0][\"message_id\"]")" = "$(ids ../v2/*0000-* | tr -d "<>")" ] &&
	[ "$(version mm-better-lines 2 "v[\"cc\"]")" = "['"'Rita Reader <rita@example.org>'"']" ] &&
	sed "1d;\$d" ../v1/*0002-* >../want && git show refs/series/mm-better-lines/state:sent/v1/0002.eml >../got && test_cmp ../want ../got &&
	printf "mm: better lines\n\nLines are better when they are good.\n" >../want &&
	git show refs/series/mm-better-lines/state:cover.txt >../got && test_cmp ../want ../got &&
	echo "- say ten in words (thanks Rita)" >../want && git show refs/series/mm-better-lines/state:changes/v2.txt >../got && head -n 1 ../got >../got1 && test_cmp ../want ../got1 &&
	test_grep "note: .*series of Ada Author" ../out && test_grep "branch mm-better-lines made" ../out && test_grep "draft v4" ../out
'

test_expect_success 'status, log, diff, tags and update of it work' '
	cd "$T/r" && "$SERIES" status -s mm-better-lines >../out && test_grep "v3" ../out && "$SERIES" log -s mm-better-lines >../out && test_grep "v1" ../out && test_grep "v2" ../out &&
	"$SERIES" diff -s mm-better-lines v1 v2 >../out && test_grep "ada ten" ../out && "$SERIES" diff -s mm-better-lines v2 v3 >../out && test_grep "ada twenty" ../out &&
	cat >../reply <<-E &&
	From rita@example.org Thu Oct  8 09:00:00 2026
	From: Rita Reader <rita@example.org>
	Subject: Re: [PATCH mm v3 2/3] b: change twenty
	Date: Thu, 8 Oct 2026 09:00:00 +0000
	Message-ID: <r1@example.org>
	In-Reply-To: $(ids ../v3/*.patch)

	Reviewed-by: Rita Reader <rita@example.org>
	E
	cat ../all.mbox ../reply >../more && "$SERIES" update -s mm-better-lines --from ../more >../out && test_grep "1 new tag" ../out &&
	"$SERIES" tags -s mm-better-lines >../out && test_grep "Rita Reader" ../out
'

test_expect_success 'twice is refused; --undo forgets it and leaves the branch' '
	cd "$T/r" && test_status 1 "$SERIES" import ../all.mbox 2>../err && test_grep "this is series mm-better-lines: .*; series update -s mm-better-lines fetches" ../err &&
	"$SERIES" import --undo mm-better-lines >../out && git rev-parse -q --verify mm-better-lines && [ -z "$(git for-each-ref refs/series/)" ] && ! git config branch.mm-better-lines.series
'

test_expect_success 'a branch that has the patches becomes the series, and no commit is made' '
	cd "$T/dev" && git switch -q -C mine later && git am -q --keep-cr ../v2/*0001-* ../v3/*.patch ../v2/*0003-* && git rev-parse HEAD >../head && "$SERIES" import ../all.mbox mine >../out && git rev-parse HEAD >../got && test_cmp ../head ../got &&
	[ "$(git rev-parse refs/series/mine/v3)" = "$(cat ../head)" ] && [ "$(git config branch.mine.series)" = mine ] && test_nogrep "series of" ../out && test_nogrep "not checked out" ../out
'

test_expect_success 'errors name the remedy' '
	cd "$T/r" && git branch -q -D mm-better-lines && printf "From: a@example.org\nSubject: hello\nMessage-ID: <x@example.org>\n\nhello\n" >../none &&
	test_status 1 "$SERIES" import ../none 2>../err && test_grep "no patches were posted there" ../err &&
	cat ../v1/*000[012]-* >../part && test_status 1 "$SERIES" import ../part 2>../err && test_grep "v1 is not complete: patch 3 of 3 is not here; give a mailbox" ../err &&
	sed "s/better lines/worse lines/;s/change t/unchange t/;s/: shout/: whisper/;s/ada/ida/g;s/Ada Author/Ida Other/;s/^\(Message-Id\|Message-ID\|In-Reply-To\|References\): </\1: <o/I" ../v1/* >../other && cat ../all.mbox ../other >../both &&
	test_status 129 "$SERIES" import ../both 2>../err && test_grep "2 series in it" ../err && test_grep "mm: worse lines" ../err && test_grep "Message-ID" ../err &&
	sed "s/^-a 10/-x 10/;s/^base-commit: .*/base-commit: 1111111111111111111111111111111111111111/;s/^index [0-9a-f]*/index 1234567/" ../v1/* >../lost && test_status 1 "$SERIES" import ../lost 2>../err && test_grep "does not apply on" ../err && test_grep "base REF" ../err && test_grep "base-commit 1*1 is not here" ../err &&
	[ -z "$(git for-each-ref refs/series/)" ] && git branch --list >../got && [ "$(wc -l <../got)" = 1 ] && git branch taken && test_status 1 "$SERIES" import --branch taken ../all.mbox 2>../err && test_grep "a branch taken already" ../err && git branch -q -D taken
'

# evil PATH MODE LINE: a mail whose patch makes that file
evil() {
	cat <<-E
	From e@example.org Thu Oct  8 09:00:00 2026
	From: Eve Evil <eve@example.org>
	Subject: [PATCH] evil: a file
	Date: Thu, 8 Oct 2026 09:00:00 +0000
	Message-ID: <e1@example.org>

	Text.

	Signed-off-by: Eve Evil <eve@example.org>
	---
	diff --git "a/$1" "b/$1"
	new file mode $2
	index 0000000..1111111
	--- /dev/null
	+++ "b/$1"
	@@ -0,0 +1 @@
	+$3
	E
}
test_expect_success 'paths that git fsck refuses on any system get into no commit, and nothing outside is written' '
	git init -q evil && cd evil && test_commit a x base && git count-objects >../before || return 1
	while read -r path mode; do
		evil "$path" $mode "Subproject commit 1111111111111111111111111111111111111111" >../evil.mbox && test_status 1 "$SERIES" import ../evil.mbox 2>../err &&
		test_grep "does not apply on .*invalid path" ../err && [ "$(git for-each-ref)" = "$(git for-each-ref refs/heads/main)" ] || { echo "$path"; cat ../err; return 1; }
	done <<-E
	../escaped 100644
	d/../../escaped 100644
	$T/escaped 100644
	.git/config.evil 100644
	.GIT/config.evil 100644
	d/.git/hooks/evil 100755
	GIT~1/evil 100644
	.g\\342\\200\\214it/evil 100644
	.gitmodules 120000
	E
	[ ! -e "$T/escaped" ] && [ -z "$(find .git -name "*evil*")" ] && git status --porcelain >../out && [ ! -s ../out ]
'

test_expect_success 'RFC, then v1: the RFC is set aside' '
	cd "$T/r" && sed "s/\[PATCH mm v2/[RFC PATCH mm/;s/^Date: .*/Date: Fri, 2 Oct 2026 09:00:00 +0000/;s/^\(Message-I[Dd]\|In-Reply-To\|References\): </\1: <rfc/" ../v2/* >../rfc && cat ../rfc ../v1/* >../rfc.mbox &&
	"$SERIES" import --branch again ../rfc.mbox >../out && git rev-parse -q --verify refs/series/again/rfc1 && git rev-parse -q --verify refs/series/again/v1 && test_grep "draft v2" ../out &&
	"$SERIES" status -s again >/dev/null && "$SERIES" log -s again >../out && test_grep rfc1 ../out
'

test_expect_success 'headers of b4 give the change-id' '
	cd "$T/r" && python3 - ../v1/*0000-* <<-\E >../tracked &&
	import base64, gzip, json, sys
	j = {"series": {"revision": 1, "change-id": "20261003-fine-lines-0123456789ab", "prefixes": [], "history": {}}}
	b = base64.b64encode(gzip.compress(json.dumps(j).encode())).decode()
	rows = "\n ".join(b[i:i + 60] for i in range(0, len(b), 60))
	t = open(sys.argv[1]).read()
	print(t.replace("Subject:", "X-B4-Tracking: v=1; b=" + rows + "\nSubject:", 1), end="")
	E
	cat ../tracked ../v1/*000[123]-* >../tracked.mbox && "$SERIES" import --undo again && "$SERIES" import - <../tracked.mbox >../out && test_grep "change-id 20261003-fine-lines-0123456789ab" ../out && git rev-parse -q --verify fine-lines
'

command -v b4 >/dev/null && command -v git-filter-repo >/dev/null || test_skip "no b4, no git-filter-repo"
test_expect_success 'b4 sends it' '
	cd "$T/dev" && git switch -q main && b4 -q prep -n fine && patch a 30 "b4 30" "a: by b4" && patch b 40 "b4 40" "b: by b4" &&
	printf "fine: prepared\n\nText of it.\n\nTo: list@example.org\n" >../cover.in && printf "#!/bin/sh\ncp \"%s/cover.in\" \"\$1\"\n" "$T" >../editor && chmod +x ../editor &&
	EDITOR=$T/editor b4 -q prep --edit-cover && id=$(b4 prep --show-info | sed -n "s/^change-id: //p") && sink b4v1 && echo | b4 send --no-sign && kill "$sink_pid" && for f in ../b4v1/*.eml; do echo "From x Thu Oct  8 09:00:00 2026"; cat "$f"; echo; done | tr -d "\r" >../b4.mbox &&
	cd "$T/r" && "$SERIES" import ../b4.mbox >../out && cat ../out && test_grep "change-id $id" ../out && git -C ../dev log --reverse --format="%T %s" b4/fine~2..b4/fine >../want && git log --reverse --format="%T %s" fine~2..fine >../got && test_cmp ../want ../got &&
	printf "fine: prepared\n\nText of it.\n" >../want && git show refs/series/fine/state:cover.txt >../got && test_cmp ../want ../got
'

sh "$SRCDIR/tests/helper/public-inbox.sh" check 2>/dev/null || test_skip "no public-inbox"
test_expect_success 'from a server: the threads that a cover names come, too' '
	inbox_start list && inbox_inject list "$T"/v1/* "$T"/v2/* "$T"/v3/* && git clone -q "$T/up" "$T/s" && cd "$T/s" && inbox_b4 list &&
	id=$(ids ../v3/*.patch | tr -d "<>") && "$SERIES" import "$id" >../out && cat ../out && applied mm-better-lines v1 later~1 ../v1/*000[123]-* && applied mm-better-lines v3 later ../v2/*0001-* ../v3/*.patch ../v2/*0003-* &&
	"$SERIES" update -s mm-better-lines >../out && test_grep "nothing new" ../out && kill "$inbox_pid"
'

test_done
