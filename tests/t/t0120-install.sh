#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# make install puts everything in place, the installed program finds its templates, and make
# uninstall leaves nothing behind.
. "${SRCDIR:-.}/tests/helper/tap.sh"

make_in_source() {
	make -s -C "$SRCDIR" VARIANT="$VARIANT" "$@"
}

test_expect_success 'install into a DESTDIR' '
	make_in_source install DESTDIR=$T/root &&
	test -x root/usr/local/bin/series &&
	test -f root/usr/local/share/man/man1/series.1 &&
	test -f root/usr/local/share/man/man1/series-build.1 &&
	test -f root/usr/local/share/bash-completion/completions/series &&
	test -f root/usr/local/share/zsh/site-functions/_series &&
	test -f root/usr/local/share/fish/vendor_completions.d/series.fish &&
	test -f root/usr/local/share/series/bench/swapout/bench.conf &&
	test -f root/usr/local/share/series/kconfig/vm.config &&
	test -f root/usr/local/share/series/guest/init.c
'

test_expect_success 'the installed program runs' '
	root/usr/local/bin/series version && root/usr/local/bin/series help >h && test_grep status h
'

test_expect_success 'uninstall leaves no file' '
	make_in_source uninstall DESTDIR=$T/root &&
	find root -type f >left && test_cmp /dev/null left
'

test_done
