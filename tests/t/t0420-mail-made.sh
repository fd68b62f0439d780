#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Mails made up from a seed, and those of mail-broken.py that break the rules: lib/mail says
# what Python's email package, git mailsplit and git mailinfo say, or their difference is of a
# kind that tests/helper/mailjudge.py proves. Real mail is compared too:
#	MAIL_DATA=FOLDER sh tests/t/t0420-mail-made.sh
# MAIL_N and MAIL_SEED make other mails.
. "${SRCDIR:-.}/tests/helper/tap.sh"

compare() {
	python3 "$SRCDIR/tests/helper/mail-compare.py" "$BUILD/tests/mail-dump" "$@"
}

test_expect_success "mails from a seed" '
	python3 "$SRCDIR/tests/helper/mail-make.py" "${MAIL_SEED:-1}" "${MAIL_N:-5000}" made &&
	compare made >out; rc=$?; tail -n 100 out; cp out "$T/kinds"; [ $rc = 0 ] && rm -rf made/repo &&
	test_grep "^${MAIL_N:-5000} mails compared, 0 " out
'
sed 's/^/# /' "$T/kinds"

test_expect_success "mails that are broken" '
	python3 "$SRCDIR/tests/helper/mail-broken.py" broken && compare broken >out; rc=$?; cat out; [ $rc = 0 ]
'

if [ "${MAIL_DATA:-}" ]; then
	test_expect_success "$MAIL_DATA" 'compare "$MAIL_DATA" >out; rc=$?; cat out; cp out "$T/kinds"; [ $rc = 0 ]'
	sed 's/^/# /' "$T/kinds"
fi

test_done
