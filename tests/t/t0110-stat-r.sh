#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t0110: lib/stat and R agree, on distributions, tests, the block model and corrections.

. "${SRCDIR:-.}/tests/helper/tap.sh"

command -v Rscript >/dev/null 2>&1 || test_skip_all "R is not installed (r-base-core)"

test_expect_success 'the same seed gives the same numbers' '
	"$BUILD/tests/stat-dump" >dump &&
	"$BUILD/tests/stat-dump" >again &&
	test_cmp dump again &&
	test "$(wc -l <dump)" -gt 400
'

Rscript --vanilla "$SRCDIR/tests/helper/stat-check.R" dump >out 2>err
sed 's/^/# /' err

for kind in pt qt welch fieller fieller-bounded paired blocks blocks-ratio steps permutation \
	    sign-flip holm ratio-limit; do
	test_expect_success "$kind as in R" 'test_grep "^ok [0-9]* - $kind:" out'
	sed -n "s/^.* - $kind:/#/p" out
done

# The check must be able to fail: a p value changed in its sixth digit is seen.
test_expect_success 'a wrong number is found' '
	awk "/^welch/ && !done { \$4 *= 1.000001; done = 1 } { print }" CONVFMT=%.17g dump >bad &&
	test_status 1 Rscript --vanilla "$SRCDIR/tests/helper/stat-check.R" bad >out2 &&
	test_grep "^not ok [0-9]* - welch:" out2 &&
	test_grep "^ok [0-9]* - paired:" out2
'

test_done
