#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Mails by a program that is called like sendmail: its arguments are those that git
# send-email gives, and its exit status decides what is known.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# A program that stores its arguments and the mail, does what $T/do says and exits.
mkdir -p "$T/bin" && cat >"$T/bin/mailer" <<EOF
#!/bin/sh
mkdir -p "$T/box"
n=\$(ls "$T/box" | grep -c eml)
n=\$((n + 1))
printf '%s\n' "\$@" >"$T/box/\$n.args"
cat >"$T/box/\$n.eml"
[ ! -e "$T/do" ] || . "$T/do"
EOF
chmod +x "$T/bin/mailer"

# fresh NAME N: a series that is sent by the program.
fresh() {
	rm -rf "$T/box" "$T/do" && cd "$T" && make_series "$1" "$2" &&
	git config sendemail.smtpserver "$T/bin/mailer"
}

test_expect_success "a program gets the mails, with the recipients as arguments" '
	fresh plain 2 && "$SERIES" send --yes --cc c@example.org >out &&
	test_grep "3 mails to program mailer" out && [ "$(ls "$T"/box/*.eml | wc -l)" = 3 ] &&
	printf "%s\n" -i list@example.org c@example.org >want && test_cmp want "$T/box/1.args" &&
	for i in 0 1 2; do
		git show refs/series/topic/state:sent/v1/000$i.eml >mail &&
		test_cmp mail "$T/box/$((i + 1)).eml" || return 1
	done && [ "$(posting_state 1)" = sent ]
'

test_expect_success "the arguments are those of git send-email(1): options, -f, -i" '
	fresh args 1 && git config sendemail.envelopesender "Bounces <bounce@example.org>" &&
	git config --add sendemail.smtpserveroption --account=work &&
	git config --add sendemail.smtpserveroption --verbose &&
	"$SERIES" send --yes && printf "%s\n" --account=work --verbose -f bounce@example.org -i list@example.org >want &&
	test_cmp want "$T/box/1.args"
'

test_expect_success "sendmailCmd is a shell command and goes before smtpServer" '
	fresh cmd 1 && git config sendemail.smtpserver /nowhere &&
	git config sendemail.sendmailcmd "V=1 $T/bin/mailer --tag \"two words\"" &&
	"$SERIES" send --yes >out && test_grep "to sendmailCmd" out &&
	printf "%s\n" --tag "two words" -i list@example.org >want && test_cmp want "$T/box/1.args" &&
	git show refs/series/topic/state:versions/1.json >doc && test_nogrep "two words" doc
'

test_expect_success "an identity goes before the rest" '
	fresh identity 1 && git config sendemail.identity work &&
	git config sendemail.work.sendmailcmd "$T/bin/mailer --work" &&
	git config sendemail.sendmailcmd false && "$SERIES" send --yes && test_grep "^--work" "$T/box/1.args"
'

test_expect_success "without a server a sendmail on PATH is taken" '
	fresh path 1 && git config --unset sendemail.smtpserver && ln -sf "$T/bin/mailer" "$T/bin/sendmail" &&
	if [ -e /usr/sbin/sendmail ] || [ -e /usr/lib/sendmail ]; then return 0; fi &&
	PATH=$T/bin:$PATH "$SERIES" send --yes && test -e "$T/box/1.eml" &&
	fresh none 1 && git config --unset sendemail.smtpserver && test_status 129 "$SERIES" send --yes 2>err &&
	test_grep "no mail server is set; run git config sendemail.smtpServer" err && test ! -e "$T/box"
'

test_expect_success "the journal has the end of a mail before the program has a byte of it" '
	fresh journal 1 && printf "cp $T/journal/.git/series/outbox/2*/journal $T/seen\n" >"$T/do" &&
	"$SERIES" send --yes && test_grep "end" "$T/seen" && test_nogrep "ok" "$T/seen"
'

for status in 64 69 77 78; do
	test_expect_success "exit status $status is a no: the number is free, the next try sends all" '
		fresh no$status 1 && echo "echo account has no server >&2; exit $status" >"$T/do" &&
		test_status 1 "$SERIES" send --yes 2>err &&
		test_grep "nothing was sent: mail 1/1 .*exit status $status: account has no server" err &&
		test_grep "sendemail.smtpServer" err &&
		test_status 1 git rev-parse -q --verify refs/series/topic/v1 && rm "$T/do" &&
		"$SERIES" send --yes && [ "$(ls "$T"/box/*.eml | wc -l)" = 2 ]
	'
done

for how in "exit 1" "exit 63" "exit 75" "exit 67" "exit 74" "kill -KILL \$\$" "exit 255"; do
	test_expect_success "$how: unsure, and only --unsure goes on" '
		fresh "unsure-$tap_n" 1 && echo "$how" >"$T/do" && test_status 1 "$SERIES" send --yes 2>err &&
		test_grep "1 of 1 mails of v1 may or may not have arrived" err && test_grep "program mailer" err &&
		rm "$T/do" && test_status 1 "$SERIES" send --yes && [ "$(ls "$T"/box/*.eml | wc -l)" = 1 ] &&
		"$SERIES" send --yes --unsure=resend && [ "$(ids "$T"/box/*.eml | sort -u | wc -l)" = 1 ] &&
		[ "$(ls "$T"/box/*.eml | wc -l)" = 2 ]
	'
done

test_expect_success "killed while the program runs: unsure" '
	fresh killed 1 && echo "touch $T/paused; sleep 60" >"$T/do" || return 1
	"$SERIES" send --yes >out 2>err &
	p=$!
	test_pid $p
	test_wait 60 test -e "$T/paused" && kill -KILL $p && { wait $p; true; } && rm "$T/do" &&
	test_status 1 "$SERIES" send --yes 2>err && test_grep "may or may not have arrived" err
'

test_expect_success "the second mail is refused: the first is not sent again" '
	fresh second 2 && echo "[ \$n != 2 ] || exit 69" >"$T/do" &&
	test_status 1 "$SERIES" send --yes 2>err && test_grep "1 of 3 mails were accepted" err &&
	rm "$T/do" && "$SERIES" send --yes && ids "$T"/box/*.eml | sort | uniq -c >got &&
	[ "$(wc -l <got)" = 3 ] && [ "$(ls "$T"/box/*.eml | wc -l)" = 4 ]
'

test_expect_success "a program that is not there is said before anything is written" '
	fresh gone 1 && git config sendemail.smtpserver /nowhere/msmtp &&
	test_status 129 "$SERIES" send --yes 2>err && test_grep "there is no program /nowhere/msmtp" err &&
	test ! -e .git/series/outbox || test -z "$(ls .git/series/outbox/ | grep 2)" &&
	git config --unset sendemail.smtpserver && git config sendemail.sendmailcmd no-such-mailer &&
	test_status 1 "$SERIES" send --yes 2>err && test_grep "exit status 127: .*no-such-mailer.*not found" err &&
	test_grep "nothing was sent" err
'

test_expect_success "what a program writes does not reach the terminal as it is" '
	fresh escape 1 && printf "printf \"\\\\033[31mred\\\\033[0m\\\\n\"; exit 69\n" >"$T/do" &&
	test_status 1 "$SERIES" send --yes 2>err && test_grep "exit status 69: red" err &&
	test_nogrep "$(printf "\\033")" err
'

test_expect_success "no recipient becomes an option" '
	fresh option 1 && test_status 129 "$SERIES" send --yes --cc -oQ/tmp@example.org 2>err &&
	test_grep "would read this recipient as an option" err && test ! -e "$T/box" &&
	test_status 1 git rev-parse -q --verify refs/series/topic/v1
'

test_expect_success "a batch ends with a pause" '
	fresh batch 3 && git config sendemail.smtpbatchsize 2 && git config sendemail.smtprelogindelay 2 &&
	start=$(date +%s%N) && "$SERIES" send --yes 2>err && [ $(($(date +%s%N) - start)) -ge 2000000000 ] &&
	test_grep "waiting for 2 seconds" err && [ "$(grep -c waiting err)" = 1 ] &&
	git config --unset sendemail.smtpbatchsize && git commit -q --amend -m again &&
	test_status 129 "$SERIES" send --yes 2>err && test_grep "they go together" err
'

test_done
