#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The inputs of the fuzz targets, whole, cut off and with bits flipped: "make fuzz" goes on.
. "${SRCDIR:-.}/tests/helper/tap.sh"

for source in "$SRCDIR"/tests/fuzz/fuzz_*.c; do
	name=${source##*/fuzz_}
	name=${name%.c}
	test_expect_success "the corpus of $name" '
		"$BUILD/tests/fuzz_$name" "$SRCDIR/tests/fuzz/corpus/$name" >out && cat out &&
		runs=$(sed -n "s/ runs$//p" out) && [ "$runs" -gt 100 ]
	'
done

test_done
