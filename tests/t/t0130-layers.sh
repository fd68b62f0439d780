#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-layers finds what it is there for: planted in a small tree of its own.
. "${SRCDIR:-.}/tests/helper/tap.sh"

check() {
	(cd tree && python3 "$SRCDIR/tests/helper/check-layers.py" "$@") >out
}
# file PATH <content, compiled
file() {
	mkdir -p "tree/$(dirname "$1")" "tree/o/$(dirname "$1")" && cat >"tree/$1" &&
	case $1 in *.c) (cd tree && gcc -Iinclude -Icmd -c -o "o/${1%.c}.o" "$1") ;; esac
}
start() {
	rm -rf tree && file include/series/series.h <<-'E' && file lib/series/names.c <<-'E'
	int series_name_ok(const char *name);
	E
	#include "series/series.h"
	int series_name_ok(const char *name) { return !!name; }
	E
}

test_expect_success 'a clean tree passes' 'start && check o'

test_expect_success 'an include to the right' '
	start && echo "#include \"series/series.h\"" | file lib/base/a.c && test_status 1 check o &&
	test_grep "lib/base/a.c:1: .*may not include series/series.h" out
'

test_expect_success 'a call to the right behind a declaration by hand' '
	start && echo "int series_name_ok(const char *); int a(void) { return series_name_ok(\"\"); }" |
		file lib/git/a.c && check && test_status 1 check o &&
	test_grep "lib/git/a.c.*may not use series_name_ok (series)" out
'

test_expect_success 'a call to a neighbour' '
	start && echo "int n(void); int n(void) { return 0; }" | file lib/lab/n.c &&
	echo "int n(void); int a(void) { return n(); }" | file lib/build/a.c && test_status 1 check o &&
	test_grep "lib/build/a.c.*may not use n (lab)" out
'

test_expect_success 'a library outside its room' '
	start && echo "int git_libgit2_init(void); int a(void) { return git_libgit2_init(); }" |
		file lib/series/a.c && echo "#include <jansson.h>" | file lib/series/b.c && test_status 1 check o &&
	test_grep "lib/series/a.c.*git_libgit2_init belongs to lib/git" out && test_grep "lib/series/b.c:1: jansson.h" out
'

test_expect_success 'a header of cmd/ below lib/, and an object that is missing' '
	start && echo | file cmd/cmd.h && echo "#include \"cmd.h\"" | file lib/desk/a.c && echo | file lib/desk/b.c &&
	rm tree/o/lib/desk/b.o && test_status 1 check o && test_grep "lib/desk/a.c:1: private header" out &&
	test_grep "lib/desk/b.c.*no object" out
'

test_expect_success 'a file that is too long, and a command that is' '
	start && yes "" | head -601 | file lib/series/long.c && yes "" | head -300 | file cmd/cmd_fits.c && yes "" | head -301 | file cmd/cmd_long.c && test_status 1 check &&
	test_grep "lib/series/long.c:601: 601 lines; at most 600" out && test_grep "cmd/cmd_long.c:301: 301 lines; at most 300" out && test_nogrep cmd_fits out
'

test_done
