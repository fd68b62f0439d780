#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Searches on a list's archive: a real public-inbox finds what it should, and only that. By
# search-dump, for no command does yet.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

search=$BUILD/tests/search-dump
[ -x "$search" ] || test_skip_all "no search-dump: make check builds it"

# mail ID SUBJECT HOUR [PARENT]
mail() {
	cat <<-EOF
	Received: from a.example.org by list.example.org; Mon, 5 Jan 2026 $3:00:00 +0000
	From: A U Thor <a+b@example.org>
	To: list@example.org
	Subject: $2
	Date: Mon, 5 Jan 2026 $3:00:00 +0000
	Message-ID: <$1@example.org>
	EOF
	[ -z "${4:-}" ] || echo "In-Reply-To: <$4@example.org>"
	printf "\nText.\n"
}

mail c "[PATCH 0/1] demo: zebra" 09 >1
mail p+1 "[PATCH 1/1] demo: one & two" 10 c >2
mail r "Re: [PATCH 1/1] demo: one & two" 11 p+1 >3
mail o "other" 12 >4
inbox_start list bare
inbox_inject list 1 2 3 4
git config --global series.midmask "$inbox_url/list/%s"

# finds WANT ARG...: those mails in any order
finds() {
	want=$1
	shift
	"$search" "$@" >out 2>err && [ "$(grep -v "^kept\|^passing" out | sort | tr "\n" " ")" = "$want" ] ||
		{ echo "got:"; cat out err; return 1; }
}

test_expect_success "by subject, by person, by id, by two words of which one must be" '
	finds "<c@example.org> " "s:zebra" && finds "<o@example.org> " "s:other" &&
	finds "<p+1@example.org> " "m:p+1@example.org" && finds "<c@example.org> <o@example.org> " "s:zebra OR s:other" &&
	finds "<c@example.org> <o@example.org> <p+1@example.org> <r@example.org> " "f:a+b@example.org" &&
	finds "nothing " "s:nonesuch"
'

test_expect_success "with their threads" '
	finds "<c@example.org> <p+1@example.org> <r@example.org> " --threads "s:zebra"
'

test_expect_success "since a time, to the second, alone and with a query" '
	at=$(date -u -d "2026-01-05 11:00" +%s) && finds "<o@example.org> <r@example.org> " --since $at &&
	finds "<o@example.org> " --since $((at + 1)) && finds "<o@example.org> " --since $at "s:zebra OR s:other" &&
	finds "nothing " --since $((at + 7200)) && [ "$(tail -n 1 out)" = nothing ] &&
	{ "$search" " " 2>err; [ $? = 1 ]; } && test_grep "needs a query or a time" err
'

test_expect_success "what is asked without a time is kept for when the server is away" '
	finds "<c@example.org> " "s:zebra" && tail -n 1 out | grep kept && ls "$XDG_CACHE_HOME/series/mail" >before &&
	mkdir passing && TMPDIR=$PWD/passing finds "<o@example.org> " --since $((at + 1)) && tail -n 1 out | grep passing &&
	ls "$XDG_CACHE_HOME/series/mail" | test_cmp before - && [ -z "$(ls passing)" ] && ! grep "gz[.]" before && finds "<c@example.org> " --offline "s:zebra" &&
	{ "$search" --offline "s:never" 2>err; [ $? = 1 ]; } && test_grep "http.*: it was never fetched; without --offline" err
'

test_expect_success "a list without an index, an address that is no list, no server" '
	sh "$inbox_sh" do "$T/inbox" git config -f "$T/inbox/config" publicinbox.bare.indexlevel basic &&
	rm -rf "$T"/inbox/bare/xap* && sh "$inbox_sh" inject "$T/inbox" bare 1 && kill -HUP $inbox_pid && sleep 1 &&
	git config --global series.midmask "$inbox_url/bare/%s" && { "$search" "s:zebra" >out 2>err; [ $? = 1 ]; } &&
	test_grep "cannot be searched; the list has no index" err
'

{ echo "From mboxrd@z Thu Jan  1 00:00:00 1970"; cat 1; echo; } | gzip >one.gz
python3 "$SRCDIR/tests/helper/http-odd.py" port web.log one.gz &
test_pid $!
for i in $(seq 100); do [ -s port ] && break; sleep 0.1; done

test_expect_success "a redirect keeps the question a POST, a page is no answer" '
	git config --global series.midmask "http://127.0.0.1:$(cat port)/moved/%s" && finds "<c@example.org> " "a+b & c" &&
	grep "^POST /good/?x=m&q=a%2Bb%20%26%20c " web.log && git config --global series.midmask "http://127.0.0.1:$(cat port)/html/%s" &&
	{ "$search" "s:zebra" >out 2>err; [ $? = 1 ]; } && test_grep "sends text/html, no gzipped mbox" err
'

test_expect_success "a dead server is told, and the copy taken" '
	kill $inbox_pid && wait $inbox_pid; git config --global series.midmask "$inbox_url/list/%s" &&
	"$search" "s:zebra" >out && grep "^why: .*is the server up" out && grep "^<c@example.org>" out &&
	{ "$search" --since 5 >out 2>err; [ $? = 1 ]; } && test_grep "is the server up" err
'

test_done
