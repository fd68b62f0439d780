#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# TLS, certificates and logins, against a real server with an authority of our own.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
command -v openssl >/dev/null || test_skip_all "no openssl"

port() { sh "$SRCDIR/tests/helper/exim.sh" port; }

# cert PORT NAME DAYS [self]: $T/certs/PORT.pem for a host, by our authority or by itself.
cert() {
	openssl req -new -newkey rsa:2048 -nodes -keyout key -out req -subj "/CN=$2" || return 1
	printf 'subjectAltName=DNS:%s\n' "$2" >ext
	if [ "${4:-}" ]; then
		openssl x509 -req -in req -signkey key -days "$3" -extfile ext -out crt
	else
		openssl x509 -req -in req -CA "$T/ca.pem" -CAkey "$T/ca.key" -CAcreateserial \
			-days "$3" -extfile ext -out crt
	fi && cat crt key >"$T/certs/$1.pem" && chmod 644 "$T/certs/$1.pem"
}

# An expired certificate needs "openssl ca", which takes dates.
cert_expired() {
	: >index && echo 01 >serial && cat >ca.cnf <<-EOF &&
	[ca]
	default_ca = c
	[c]
	database = index
	serial = serial
	new_certs_dir = .
	default_md = sha256
	policy = p
	[p]
	commonName = supplied
	EOF
	openssl req -new -newkey rsa:2048 -nodes -keyout key -out req -subj /CN=localhost &&
	printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' >ext &&
	openssl ca -batch -config ca.cnf -in req -cert "$T/ca.pem" -keyfile "$T/ca.key" -extfile ext \
		-startdate 20200101000000Z -enddate 20210101000000Z -notext -out crt &&
	cat crt key >"$T/certs/$1.pem" && chmod 644 "$T/certs/$1.pem"
}

good=$(port) ssl=$(port) self=$(port) old=$(port) other=$(port) plain=$(port)
chmod 755 "$T"
mkdir -p "$T/certs" "$T/make" && chmod 755 "$T/certs" && {
	cd "$T/make" && openssl req -x509 -newkey rsa:2048 -nodes -keyout "$T/ca.key" -out "$T/ca.pem" \
		-days 30 -subj "/CN=An authority" && cert $good localhost 30 && cert $ssl localhost 30 &&
	cert $self localhost 30 self && cert $other mail.example.org 30 && cert_expired $old
} >"$T/certs.log" 2>&1 || { cat "$T/certs.log"; test_skip_all "no certificates could be made"; }
cd "$T" || exit 1
export EXIM_CERTS="$T/certs" EXIM_SSL="$ssl" EXIM_LOGIN="wendy@example.org:pass=word 1"
exim_start $good $ssl $self $old $other $plain

# fresh NAME PORT ENCRYPTION: a series of one patch for that port; the maildir is empty.
fresh() {
	rm -f "$T/exim/mail/new"/* && cd "$T" && make_series "$1" 1 && use_server "$2" &&
	git config sendemail.smtpserver localhost && git config sendemail.smtpencryption "$3" &&
	git config sendemail.smtpsslcertpath "$T/ca.pem" && git config sendemail.smtpuser wendy@example.org
}
password() { git config sendemail.smtppass "pass=word 1"; }
nothing_went() {
	test_grep "nothing was sent" err && test_status 1 git rev-parse -q --verify refs/series/topic/v1 &&
	[ -z "$(ls "$T/exim/mail/new" 2>/dev/null)" ]
}

# A helper that logs what it is asked, knows what is in $T/known and looks for the secret
# where everybody could see it.
cat >"$T/helper" <<EOF
#!/bin/sh
cat >"$T/in"
{ echo "\$1"; cat "$T/in"; } >>"$T/helper.log"
[ "\$1" = get ] && [ -e "$T/known" ] && echo "password=\$(cat "$T/known")"
[ "\$1" = erase ] && rm -f "$T/known"
for f in /proc/[0-9]*/cmdline; do tr '\0' ' ' <\$f; echo; done >>"$T/cmdlines" 2>/dev/null
exit 0
EOF
chmod +x "$T/helper"
use_helper() {
	rm -f "$T/helper.log" "$T/cmdlines" && git config credential.helper "$T/helper" &&
	printf %s "$1" >"$T/known"
}

test_expect_success "STARTTLS and a login: the mail arrives" '
	fresh starttls $good tls && password && "$SERIES" send --yes >out && received 1 &&
	test_grep "1 mail to smtp://localhost:$good" out &&
	test_grep "with esmtpsa" "$T"/exim/mail/new/* && test_grep "A=plain:plain-wendy@example.org" "$T/exim/log/mainlog"
'

test_expect_success "TLS from the start, and its default name in the record" '
	fresh ssl $ssl ssl && password && "$SERIES" send --yes >out && received 1 &&
	test_grep "smtps://localhost:$ssl" out && test_grep "X=TLS" "$T/exim/log/mainlog"
'

test_expect_success "smtpAuth chooses: LOGIN" '
	fresh login $good tls && password && git config sendemail.smtpauth LOGIN && "$SERIES" send --yes &&
	received 1 && test_grep "A=login:login-wendy@example.org" "$T/exim/log/mainlog"
'

test_expect_success "a directory of authorities" '
	fresh dir $good tls && password && mkdir "$T/cas" && cp "$T/ca.pem" "$T/cas" && openssl rehash "$T/cas" &&
	git config sendemail.smtpsslcertpath "$T/cas" && "$SERIES" send --yes && received 1
'

test_expect_success "the path of the certificates may begin with ~/, and must exist" '
	fresh tilde $good tls && password && cp "$T/ca.pem" "$HOME" &&
	git config sendemail.smtpsslcertpath "~/ca.pem" && "$SERIES" send --yes && received 1 &&
	fresh nopath $good tls && git config sendemail.smtpsslcertpath /nowhere.pem &&
	test_status 129 "$SERIES" send --yes 2>err && test_grep "smtpSSLCertPath: there is no /nowhere.pem" err
'

test_expect_success "a self-signed certificate is not trusted; the remedy, pasted, works" '
	fresh selfsigned $self tls && password && git config --unset sendemail.smtpsslcertpath &&
	test_status 1 "$SERIES" send --yes 2>err && nothing_went && test_grep "smtp://localhost:$self: .*self.signed" err &&
	sed -n "s/.*trust it: \(openssl.*mail-server.pem\).*/\1/p" err >remedy && test -s remedy &&
	sh remedy && "$SERIES" send --yes && received 1 && git config --global --unset sendemail.smtpsslcertpath
'

test_expect_success "an expired certificate" '
	fresh expired $old tls && password && test_status 1 "$SERIES" send --yes 2>err && nothing_went &&
	test_grep "expired" err && test_grep "clock" err
'

test_expect_success "a certificate for another host" '
	fresh wrong $other tls && password && test_status 1 "$SERIES" send --yes 2>err && nothing_went &&
	test_grep "the certificate is for another name than localhost: set sendemail.smtpServer" err
'

test_expect_success "an empty smtpSSLCertPath switches the check off, as with git" '
	fresh nocheck $other tls && password && git config sendemail.smtpsslcertpath "" && "$SERIES" send --yes && received 1
'

test_expect_success "TLS that is demanded and not offered: nothing goes out" '
	fresh notls $plain tls && password && test_status 1 "$SERIES" send --yes 2>err && nothing_went &&
	test_grep "the server offers no STARTTLS" err && test_grep "sendemail.smtpEncryption" err
'

test_expect_success "TLS from the start where the server waits for STARTTLS" '
	fresh mixed $good ssl && password && test_status 1 "$SERIES" send --yes 2>err && nothing_went &&
	test_grep "sendemail.smtpEncryption tls" err
'

test_expect_success "a user, and no login offered: no mail without login" '
	fresh nologin $plain none && password && test_status 1 "$SERIES" send --yes 2>err && nothing_went &&
	test_grep "offers no login" err && test_grep "smtpEncryption tls" err
'

test_expect_success "no user, and a login demanded" '
	fresh nouser $good tls && git config --unset sendemail.smtpuser && test_status 1 "$SERIES" send --yes 2>err &&
	nothing_went && test_grep "530" err
'

test_expect_success "a wrong smtpPass: who, where, and what to look at" '
	fresh badpass $good tls && git config sendemail.smtppass wrong-secret && test_status 1 "$SERIES" send --yes 2>err &&
	nothing_went && test_grep "smtp://localhost:$good: 535" err && test_grep "user wendy@example.org" err &&
	test_grep "sendemail.smtpPass" err && test_nogrep "wrong-secret" err
'

test_expect_success "git credential: asked as git send-email asks, told that it was right" '
	fresh fill $good tls && use_helper "pass=word 1" && "$SERIES" send --yes >out 2>err && received 1 &&
	printf "get\nprotocol=smtp\nhost=localhost:$good\nusername=wendy@example.org\n" >want &&
	printf "store\nprotocol=smtp\nhost=localhost:$good\nusername=wendy@example.org\npassword=pass=word 1\n" >>want &&
	test_cmp want "$T/helper.log"
'

test_expect_success "the password is in no argument, no output and no file of the state" '
	fresh leak $good tls && use_helper "pass=word 1" && "$SERIES" send --yes >out 2>err &&
	test_nogrep "pass=word 1" out && test_nogrep "pass=word 1" err && test -s "$T/cmdlines" &&
	test_nogrep "pass=word 1" "$T/cmdlines" && git log -p --all >all && test_nogrep "pass=word 1" all &&
	! grep -r "pass=word 1" .git
'

test_expect_success "a refused login: the helper forgets, the next try asks again" '
	fresh forget $good tls && use_helper "an old one" && test_status 1 "$SERIES" send --yes 2>err && nothing_went &&
	test_grep "535" err && test_grep "told to forget" err && test_nogrep "an old one" err && test ! -e "$T/known" &&
	grep -c "^erase" "$T/helper.log" >n && echo 1 >want && test_cmp want n && test_nogrep "^store" "$T/helper.log" &&
	printf "pass=word 1" >"$T/known" && "$SERIES" send --yes && received 1 && test_grep "^store" "$T/helper.log"
'

test_expect_success "no password to be had: said once, with what to do" '
	fresh nopass $good tls && test_status 1 "$SERIES" send --yes 2>err && nothing_went &&
	test_grep "no password for user wendy@example.org at smtp://localhost:$good" err &&
	test_grep "credential.helper" err
'

test_expect_success "at a terminal git asks for the password" '
	fresh tty $good tls && python3 - "$SERIES" send --yes <<-\EOF && received 1
	import os, pty, select, sys, time
	pid, fd = pty.fork()
	if not pid:
	    os.environ["GIT_TERMINAL_PROMPT"] = "1"
	    os.execvp(sys.argv[1], sys.argv[1:])
	seen, told, end = b"", False, time.time() + 60
	while time.time() < end:
	    try:
	        if select.select([fd], [], [], 1)[0]:
	            seen += os.read(fd, 4096)
	    except OSError:
	        break
	    if b"Password for" in seen and not told:
	        time.sleep(0.2)
	        os.write(fd, b"pass=word 1\n")
	        told = True
	status = os.waitpid(pid, 0)[1]
	print(seen.decode())
	sys.exit(0 if told and status == 0 and b"pass=word" not in seen else 1)
	EOF
'

test_expect_success "an identity has settings of its own" '
	fresh identity 1 none && git config sendemail.identity work && git config sendemail.work.smtpserverport $good &&
	git config sendemail.work.smtpencryption tls && git config sendemail.work.smtppass "pass=word 1" &&
	"$SERIES" send --yes && received 1
'

for way in XOAUTH2 OAUTHBEARER; do
	test_expect_success "$way: the password is the token" '
		cd "$T" && make_series $way 2 && sink $way.out auth=PLAIN,$way token=ya29.x &&
		git config sendemail.smtpuser wendy@example.org && git config sendemail.smtpauth $way &&
		git config sendemail.smtppass ya29.x && "$SERIES" send --yes && test -e "$T/$way.out/0003.eml" &&
		grep -c "^- login" "$T/$way.out/log" >n && echo 1 >want && test_cmp want n &&
		test_grep "login .*wendy@example.org.*auth=Bearer ya29.x" "$T/$way.out/log"
	'
	test_expect_success "$way: a token that is over is forgotten" '
		git -C $way commit -q --amend -m again && cd $way && use_helper ya28 && git config --unset sendemail.smtppass &&
		test_status 1 "$SERIES" send --yes 2>err && test_grep "token" err && test_nogrep ya28 err &&
		test_grep "^erase" "$T/helper.log" && test ! -e "$T/known"
	'
done

test_expect_success "no way to log in that may be used" '
	cd "$T" && make_series gssapi 1 && sink gssapi.out auth=XOAUTH2 token=x && git config sendemail.smtpuser w &&
	git config sendemail.smtppass p && git config sendemail.smtpauth PLAIN && test_status 1 "$SERIES" send --yes 2>err &&
	test_grep "(XOAUTH2) may be used" err && test_grep "sendemail.smtpAuth" err && test ! -e "$T/gssapi.out/0001.eml" &&
	git config sendemail.smtpauth "FOO BAR" && test_status 129 "$SERIES" send --yes 2>err &&
	test_grep "names no mechanism" err && git config sendemail.smtpauth none && "$SERIES" send --yes &&
	test -e "$T/gssapi.out/0001.eml"
'

test_expect_success "smtpBatchSize: a new connection, and a new login, after every second mail" '
	cd "$T" && make_series batch 4 && sink batch.out auth=XOAUTH2 token=x && git config sendemail.smtpuser w &&
	git config sendemail.smtppass x && git config sendemail.smtpauth XOAUTH2 &&
	git config sendemail.smtpbatchsize 2 && "$SERIES" send --yes && test -e "$T/batch.out/0005.eml" &&
	[ "$(grep -c "^- connection" "$T/batch.out/log")" = 3 ] && [ "$(grep -c "^- login" "$T/batch.out/log")" = 3 ] &&
	[ "$(grep -c "^C QUIT" "$T/batch.out/log")" = 3 ]
'

test_expect_success "smtpDomain is the name in EHLO" '
	cd "$T" && make_series domain 1 && sink domain.out && git config sendemail.smtpdomain desk.example.org &&
	"$SERIES" send --yes && test_grep "^C EHLO desk.example.org" "$T/domain.out/log"
'

test_expect_success "a name that does not resolve, and a server that is not there" '
	cd "$T" && make_series resolve 1 && use_server 25 && git config sendemail.smtpserver nowhere.invalid &&
	test_status 1 "$SERIES" send --yes 2>err && test_grep "smtp://nowhere.invalid:25: .*resolve" err &&
	test_grep "look at sendemail.smtpServer" err && use_server 1 && test_status 1 "$SERIES" send --yes 2>err &&
	test_grep "smtp://127.0.0.1:1: " err && test_grep "sendemail.smtpServerPort" err &&
	git config sendemail.smtpserver localhost:25 && test_status 129 "$SERIES" send --yes 2>err &&
	test_grep "a port goes into sendemail.smtpServerPort" err
'

test_done
