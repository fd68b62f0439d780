#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series show: threads from files and from an archive, whatever their mails are made of.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# A thread by hand: cover, patch in latin1 and quoted-printable, a reply in base64.
cover() {
	cat <<-\EOF
	From: Cora Coverer <cora@example.org>
	To: list@example.org
	Subject: [PATCH 0/1] demo: two words
	Date: Mon, 5 Jan 2026 09:00:00 +0100
	Message-ID: <c@example.org>

	The why.
	EOF
}

patch() {
	cat <<-\EOF
	From: =?iso-8859-1?q?J=FCrgen?= Patcher <j@example.org>
	To: list@example.org
	Subject: [PATCH 1/1] demo: change =?utf-8?q?=C3=BC?=
	Date: Mon, 5 Jan 2026 09:00:01 +0100
	Message-ID: <p@example.org>
	In-Reply-To: <c@example.org>
	Content-Type: text/plain; charset=iso-8859-1
	Content-Transfer-Encoding: quoted-printable

	From =FC to =E4, and a long line that goes on and on and on and on and =
	on.

	Signed-off-by: J=FCrgen Patcher <j@example.org>
	---
	 a.txt | 2 +-
	 1 file changed, 1 insertion(+), 1 deletion(-)

	diff --git a/a.txt b/a.txt
	index 5626abf..f719efd 100644
	--- a/a.txt
	+++ b/a.txt
	@@ -1 +1 @@
	-one
	+two
	--=20
	2.39.5
	EOF
}

# "Looks good.\n\nReviewed-by: R Viewer <r@example.org>\n" and an escape sequence, by base64(1).
reply() {
	cat <<-\EOF
	From: R Viewer <r@example.org>
	Subject: Re: [PATCH 1/1] demo: change =?utf-8?q?=C3=BC?=
	Date: Tue, 6 Jan 2026 08:00:00 +0000
	Message-ID: <r@example.org>
	References: <c@example.org> <p@example.org>
	MIME-Version: 1.0
	Content-Type: multipart/mixed; boundary="b"

	--b
	Content-Type: text/plain; charset=utf-8
	Content-Transfer-Encoding: base64

	EOF
	printf 'Looks good.\033]0;owned\007\n\nReviewed-by: R Viewer <r@example.org>\n' | base64
	cat <<-\EOF

	--b
	Content-Type: image/png; name="=?utf-8?q?sh=C3=B6t?=.png"
	Content-Transfer-Encoding: base64

	AAAA
	--b--
	EOF
}

# The mails that are named, as git and public-inbox write mboxes.
mbox() {
	for m; do
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970"
		$m | sed 's/^>*From />&/'
		echo
	done
}

odd() {
	python3 "$SRCDIR/tests/helper/http-odd.py" "$T/$1.port" "$T/$1.log" "$T/good.gz" ${2:-} &
	test_pid $!
	for i in $(seq 100); do [ -s "$T/$1.port" ] && break; sleep 0.1; done
	eval "$1=127.0.0.1:\$(cat \"\$T/$1.port\")"
}

asks() {
	git config --global series.midmask "$1"
}

# The words with which the reply would paint a terminal are no praise: a remark.
test_expect_success "a thread from an mbox: the tree, then each mail as text" '
	mbox reply cover patch >box && "$SERIES" show box >got && cat >want <<-\EOF && test_cmp want got
	demo: two words  Cora Coverer
	  v1  2026-01-05  1 patch
	  v1 1/1  demo: change ü
	       Reviewed-by: R Viewer
	       1 remark open
	         R Viewer: Looks good.

	1  2026-01-05  [PATCH 0/1] demo: two words  Cora Coverer
	2  2026-01-05    ` [PATCH 1/1] demo: change ü  Jürgen Patcher
	3  2026-01-06      ` R Viewer

	mail 1 of 3
	From: Cora Coverer <cora@example.org>
	Date: Mon, 5 Jan 2026 09:00:00 +0100
	To: list@example.org
	Message-ID: <c@example.org>
	Subject: [PATCH 0/1] demo: two words

	The why.

	mail 2 of 3
	From: Jürgen Patcher <j@example.org>
	Date: Mon, 5 Jan 2026 09:00:01 +0100
	To: list@example.org
	Message-ID: <p@example.org>
	Subject: [PATCH 1/1] demo: change ü

	From ü to ä, and a long line that goes on and on and on and on and on.

	Signed-off-by: Jürgen Patcher <j@example.org>
	---
	 a.txt | 2 +-
	 1 file changed, 1 insertion(+), 1 deletion(-)

	diff --git a/a.txt b/a.txt
	index 5626abf..f719efd 100644
	--- a/a.txt
	+++ b/a.txt
	@@ -1 +1 @@
	-one
	+two
	-- 
	2.39.5

	mail 3 of 3
	From: R Viewer <r@example.org>
	Date: Tue, 6 Jan 2026 08:00:00 +0000
	Message-ID: <r@example.org>
	Subject: Re: [PATCH 1/1] demo: change ü

	Looks good.

	Reviewed-by: R Viewer <r@example.org>
	[image/png shöt.png, 4 bytes]
	EOF
'

test_expect_success "the same from gzip, a Maildir, standard input" '
	"$SERIES" show box >want && gzip -k box && "$SERIES" show box.gz >got && test_cmp want got &&
	"$SERIES" show - <box >got && test_cmp want got && cat box.gz | "$SERIES" show - >got && test_cmp want got &&
	mkdir -p dir/cur dir/new dir/tmp && reply >dir/new/9.a && cover >dir/cur/10.b:2,S && patch >dir/cur/8.c:2, &&
	"$SERIES" show dir >got && test_cmp want got &&
	patch >one.eml && "$SERIES" show one.eml >got && test_grep "^Subject: .PATCH 1/1. demo: change ü" got &&
	! grep "^mail" got
'

test_expect_success "--json: structure, text, attachments, what was guessed" '
	"$SERIES" show --json box >j && python3 - <<-\EOF
	import json
	d = json.load(open("j"))
	assert d["schema"] == 1
	m = d["mails"]
	assert [x["message_id"] for x in m] == ["c@example.org", "p@example.org", "r@example.org"]
	assert [x["depth"] for x in m] == [0, 1, 2]
	assert m[2]["parent"] == "p@example.org" and m[0]["parent"] is None
	assert m[1]["from"] == {"name": "Jürgen Patcher", "email": "j@example.org"}
	assert m[1]["date"] == "2026-01-05T08:00:01Z"
	assert m[2]["text"] == "Looks good.\x1b]0;owned\x07\n\nReviewed-by: R Viewer <r@example.org>\n"
	assert m[2]["attachments"] == [{"type": "image/png", "filename": "shöt.png", "bytes": 4}]
	assert m[1]["notes"] == [] and m[2]["notes"] == []
	EOF
'

test_expect_success "--raw gives mails back byte for byte, and git am takes them" '
	patch >want && "$SERIES" show --raw --single one.eml >got && test_cmp want got &&
	"$SERIES" show --raw box >all && mkdir parts && [ "$(git mailsplit --mboxrd -oparts all)" = 3 ] &&
	{ echo "From mboxrd@z Thu Jan  1 00:00:00 1970"; patch; echo; } >want && test_cmp want parts/0002 && git init -q repo && cd repo && echo one >a.txt && git add . && git commit -qm base &&
	"$SERIES" show --raw --single ../one.eml | git am -q && echo two | test_cmp - a.txt &&
	[ "$(git log -1 --format=%an)" = "Jürgen Patcher" ]
'

test_expect_success "lines that begin with From stand as the source has them" '
	{ cover; echo "From here on"; echo ">From there"; } >from.eml &&
	"$SERIES" show from.eml >got && test_grep "^From here on" got && test_grep "^>From there" got &&
	mailed() { cat from.eml; } && mbox mailed >rd && "$SERIES" show rd >got2 && test_cmp got got2 &&
	"$SERIES" show --mboxo rd >got3 && test_grep "^From here on" got3 && test_grep "^>>From there" got3
'

forger() {
	cat <<-\EOF
	From: =?utf-8?q?For=0Amail_2_of_9=0AGer?= <f@example.org>
	Subject: =?utf-8?q?a=0Amail_3_of_9=0D=0A?= =?utf-8?b?bWFpbCA0IG9mIDkKYg==?=
	Message-ID: <f@example.org>
	Content-Type: image/png; name="=?utf-8?q?x=0Amail_5_of_9=0A?="

	x
	EOF
}

test_expect_success "a line end in an encoded word makes no line" '
	mbox cover forger >forged && "$SERIES" show forged >got && [ "$(grep -c "^mail [0-9]" got)" = 2 ] &&
	test_grep "^From: For mail 2 of 9 Ger" got && test_grep "^Subject: a mail 3 of 9 .*mail 4 of 9 b" got &&
	test_grep "^.image/png x mail 5 of 9, 2 bytes" got && [ "$("$SERIES" show --tree forged | wc -l)" = 2 ]
'

test_expect_success "what cannot be shown is one line that names it" '
	expect() { "$SERIES" show "$1" >out 2>err; [ $? = "$2" ] && [ ! -s out ] && test_grep "$3" err && [ "$(wc -l <err)" = 1 ]; } &&
	expect nothing 1 "no file .nothing., and no Message-ID" && expect /dev/null 1 "there is no mail in it" &&
	mkdir plain && expect plain 1 "folder without cur/" && "$SERIES" show 2>err; [ $? = 129 ]
'

test_expect_success "what is no mail in a Maildir is passed over; what cannot be read is said in the end" '
	"$SERIES" show dir >want && mkfifo dir/cur/1.fifo && mkdir dir/new/2.dir && ln -s gone dir/cur/3.gone &&
	timeout 20 "$SERIES" show dir >got && test_cmp want got && ln -s 4.loop dir/cur/4.loop &&
	{ "$SERIES" show dir >got 2>err; [ $? = 1 ]; } && test_cmp want got && test_grep "cur/4.loop: " err &&
	{ timeout -s INT 1 "$SERIES" show dir/cur/1.fifo; [ $? = 124 ]; } &&
	{ "$SERIES" show dir/cur/1.fifo & } && pid=$! && sleep 0.5 && kill -INT $pid; wait $pid; [ $? = 130 ]
'

# peak LIMIT COMMAND...: the command needs at most LIMIT megabytes.
cat >peak <<'EOF'
import os, subprocess, sys
p = subprocess.Popen(sys.argv[2:], stdout=open("large.out", "wb"))
_, status, use = os.wait4(p.pid, 0)
print("%d MB, status %d" % (use.ru_maxrss >> 10, status))
sys.exit(status != 0 or use.ru_maxrss > int(sys.argv[1]) << 10)
EOF

test_expect_success "a mail of 30 MB needs half as much again and 20 MB at most, two of them in an mbox no copies" '
	python3 -c "print(\"Subject: large\n\n\" + \"a line, and one more\n>From a\n\" * 1080000, end=\"\")" >large.eml &&
	python3 "$T/peak" 65 series show --raw large.eml && cmp large.eml large.out &&
	python3 "$T/peak" 65 series show large.eml && python3 "$T/peak" 20 series show --tree large.eml &&
	{ echo "From a@b Thu Jan  1 00:00:00 2026"; sed "s/^>*From /\>&/" large.eml; echo; } >one.mbox &&
	{ cat one.mbox; sed "s/^Subject:/Message-ID: <2@example.org>\nSubject:/" one.mbox; } >two.mbox &&
	python3 "$T/peak" 80 series show --raw two.mbox && git mailsplit -o. --mboxrd large.out >n && test "$(cat n)" = 2 &&
	sed 1d 0001 >first && { cat large.eml; echo; } | cmp - first && rm -f large.* one.mbox two.mbox 0001 0002 first
'

test_expect_success "half a gzip shows what there is, and fails" '
	long() { patch; seq 3000; } && mbox cover reply long >large && gzip -k large &&
	head -c $(($(wc -c <large.gz) / 2)) large.gz >half.gz &&
	{ "$SERIES" show half.gz >out 2>err; [ $? = 1 ]; } && test_grep "^mail 3 of 3" out && test_grep "half.gz: the gzip data ends early" err
'

test_expect_success "a thread from public-inbox, by id, by link, again without a server" '
	mkdir box.d && cover >box.d/1 && patch >box.d/2 && reply >box.d/3 &&
	inbox_start list && inbox_inject list box.d/1 box.d/2 box.d/3 && asks "http://127.0.0.1:$inbox_port/list/%s" &&
	"$SERIES" show box >want && "$SERIES" show "<r@example.org>" >got && test_cmp want got &&
	"$SERIES" show "https://lore.kernel.org/r/c@example.org/T/#t" >got && test_cmp want got &&
	"$SERIES" show --raw --single p@example.org >got && patch | test_cmp - got &&
	{ "$SERIES" show gone@example.org >out 2>err; [ $? = 1 ]; } && test_grep "<gone@example.org> is not at http" err &&
	kill $inbox_pid && wait $inbox_pid; "$SERIES" show r@example.org >got 2>err && test_cmp want got &&
	test_grep "as it was fetched" err && "$SERIES" show --offline r@example.org >got 2>err && test_cmp want got &&
	[ ! -s err ] && { "$SERIES" show --offline new@example.org 2>err; [ $? = 1 ]; } && test_grep "was never fetched" err
'

mbox cover patch reply | gzip >good.gz
odd web

fails() {
	asks "http://$web/$1/%s"
	"$SERIES" show "$1-r@example.org" >out 2>err
	[ $? = 1 ] && [ ! -s out ] && test_grep "$2" err
}

test_expect_success "a server that is busy is asked again, three times at most" '
	"$SERIES" show box >want && asks "http://$web/busy/2/%s" && "$SERIES" show r@example.org >got 2>err &&
	test_cmp want got && test_grep "busy (503): asking again in 1 s" err &&
	fails many "is busy (429)" && [ "$(grep -c many web.log)" = 3 ] && test_grep "^GET .* series/" web.log
'

test_expect_success "redirects are followed, but not in circles, and to nothing but the web" '
	asks "http://$web/moved/%s" && "$SERIES" show r@example.org >got && test_cmp want got &&
	fails loop "redirect" && fails down "only http and https"
'

test_expect_success "pages, errors, halves and dead servers are told apart" '
	fails html "^series: http.*: it sends text/html, no gzipped mbox; is it" && fails 500 "^series: http.*/500/500-r@example.org/t.mbox.gz: it answers 500; .*try again later" && fails 403 "^series: http.*: it answers 403; is it a public-inbox server" && fails 300 "is not at" &&
	fails cut "cut off" && fails truncated "damaged or cut off" && fails short "damaged or cut off" &&
	fails empty "sends no mbox" && fails text "sends no mbox" && fails type "sends text/red, no gzipped" &&
	asks "http://$web/old/%s" && "$SERIES" show r@example.org >got && test_cmp want got &&
	port=$(sh "$SRCDIR/tests/helper/public-inbox.sh" port) && asks "http://127.0.0.1:$port/%s" &&
	{ "$SERIES" show d@example.org 2>err; [ $? = 1 ]; } && test_grep "is the server up" err &&
	asks "http://no.such.host.invalid/%s" && { "$SERIES" show d@example.org 2>err; [ $? = 1 ]; } &&
	test_grep "is the name right" err
'

test_expect_success "a server that wants to fill the disk, or never ends, is left" '
	for code in 200 404 302 503; do
		asks "http://$web/endless/$code/%s"
		timeout 60 "$SERIES" show r@example.org >out 2>err; rc=$?
		[ $rc = 1 ] || { [ $code = 302 ] && [ $rc = 0 ]; } || return 1
		case $code in
		200) test_grep "sends more than 256 MB" err ;;
		404) test_grep "is not at" err ;;
		302) test_cmp want out || test_grep "sends more than 256 MB" err ;;
		503) test_grep "is busy" err ;;
		esac || return 1
	done
	fails heads "oo large response header" && fails bomb "as if to fill the disk" &&
	[ -z "$(ls "$XDG_CACHE_HOME"/series/mail/*.gz.* 2>/dev/null)" ]
'

test_expect_success "Retry-After as a date, as nonsense, a number below zero, beyond patience" '
	asks "http://$web/later/Fri,_01_Jan_2100_00:00:00_GMT/%s" && { "$SERIES" show r@example.org 2>err; [ $? = 1 ]; } &&
	test_grep "is busy (503); try again in [0-9]* s" err && [ "$(grep -c later/Fri web.log)" = 1 ] &&
	asks "http://$web/later/4000000/%s" && { "$SERIES" show r@example.org 2>err; [ $? = 1 ]; } &&
	test_grep "http.*: the server is busy (503); try again in 4000000 s" err && asks "http://$web/later/-7/%s" &&
	{ timeout 2 "$SERIES" show r@example.org 2>err; test_grep "asking again in 5 s" err; }
'

test_expect_success "a good copy is not given up for a bad one" '
	asks "http://$web/turns/%s" && for i in 1 2 2; do "$SERIES" show r@example.org >got 2>err && test_cmp want got || return 1; done &&
	[ ! -s err ] && "$SERIES" show r@example.org >got 2>err && test_cmp want got && test_grep "damaged or cut off" err &&
	"$SERIES" show --offline r@example.org >got && test_cmp want got
'

test_expect_success "a cache that cannot be written, and what a killed one left in it" '
	cache=$XDG_CACHE_HOME/series/mail && asks "http://$web/good/%s" && touch -d "2 days ago" "$cache/x.mbox.gz.old" &&
	touch "$cache/x.mbox.gz.new" && "$SERIES" show r@example.org >got && test_cmp want got &&
	[ ! -e "$cache/x.mbox.gz.old" ] && rm "$cache/x.mbox.gz.new" &&
	touch -d "179 days ago" "$cache/young.mbox.gz" && touch -d "181 days ago" "$cache/old.mbox.gz" &&
	{ "$SERIES" show --offline no@example.org >/dev/null 2>&1; [ $? = 1 ]; } && [ -e "$cache/old.mbox.gz" ] &&
	"$SERIES" show r@example.org >got && [ -e "$cache/young.mbox.gz" ] && [ ! -e "$cache/old.mbox.gz" ] &&
	mkdir passing && TMPDIR=$PWD/passing XDG_CACHE_HOME=/dev/null/no "$SERIES" show new@example.org >got &&
	test_cmp want got && [ -z "$(ls passing)" ]
'

test_expect_success "an id with odd signs is one piece of the address" '
	asks "http://$web/good/%s" && "$SERIES" show "a/b?c%d@example.org" >got && test_cmp want got &&
	test_grep "GET /good/a%2Fb%3Fc%25d@example.org/t.mbox.gz" web.log &&
	"$SERIES" show "https://lore.kernel.org/r/a%2Fb%3Fc%25d%40example.org/?x=t#t" >got && test_cmp want got &&
	[ "$(grep -c "GET /good/a%2Fb%3Fc%25d@example.org/t.mbox.gz" web.log)" = 2 ] &&
	for bad in "https://me@example.org/" "https://lore.kernel.org/r/a%00b@example.org/" "$(printf "a\\nb@example.org")" \
		"$(seq -s . 999)@example.org"; do
		{ "$SERIES" show "$bad" 2>err; [ $? = 1 ]; } && test_grep "no Message-ID either" err || return 1
	done
'

test_expect_success "a certificate that nobody signed is refused, and taken when it is named" '
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
		-keyout key -out cert && cat cert key >both && odd tls both && asks "https://$tls/good/%s" &&
	{ "$SERIES" show r@example.org 2>err; [ $? = 1 ]; } && test_grep "http.sslCAInfo" err &&
	git config --global http.sslCAInfo "$T/cert" && "$SERIES" show r@example.org >got && test_cmp want got &&
	asks "https://localhost:${tls#*:}/good/%s" && { "$SERIES" show r@example.org 2>err; [ $? = 1 ]; } &&
	test_grep "certificate is another server" err
'

test_expect_success "a password in the address is in no message" '
	asks "http://joe:secret@$web/500/%s" && { "$SERIES" show r@example.org 2>err; [ $? = 1 ]; } && test_grep "answers 500" err &&
	! grep secret err && asks "http://joe:secret@$web/silent/%s" && { timeout -s INT 1 "$SERIES" show q@example.org 2>err; ! grep secret err; } &&
	asks "http://joe:secret@no.such.host.invalid/%s" && { "$SERIES" show r@example.org 2>err; [ $? = 1 ]; } && ! grep secret err
'

test_expect_success "interrupted while the server says nothing: status 130, nothing left behind" '
	asks "http://$web/silent/%s" && { "$SERIES" show s@example.org & } && pid=$! && sleep 1 && kill -INT $pid
	wait $pid; [ $? = 130 ] && ! ls "$XDG_CACHE_HOME"/series/mail/*.gz.* 2>/dev/null &&
	asks "http://joe:secret@$web/silent/%s" && test_status 130 python3 "$SRCDIR/tests/helper/terminal.py" "asking http://$web/silent/t@" "\\x03" -- "$SERIES" show t@example.org >out
'

test_done
