#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No byte of a patch is lost: what mail is known to spoil arrives, or is refused by name.
# TORTURE_SEED and TORTURE_COMMITS choose other repositories by chance.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

torture() { python3 "$SRCDIR/tests/helper/torture.py" "$@"; }

exim_start

test_expect_success "a commit of every kind is sent" '
	n=$(torture kinds kinds) && echo $n >kinds.n && cd kinds && "$SERIES" init --base main &&
	make_cover "mm: all of it" "Hello." &&
	"$SERIES" recipients --add-to list@example.org && use_server $exim_port &&
	"$SERIES" send --yes && received $((n + 1))
'

test_expect_success "git am --keep-cr gives every tree, author and message" '
	n=$(cat kinds.n) && mkdir mails && for f in exim/mail/new/*; do
		id=$(sed -n "/^\$/q;s/^Message-ID:.*-series-v1-\([0-9]*\)@.*/\1/p" "$f") &&
		cp "$f" "mails/$(printf %04d "$id").eml" || return 1
	done && rm mails/0000.eml && [ "$(ls mails | wc -l)" = "$n" ] && cd kinds &&
	git checkout -q -f -b again main && git am -q --keep-cr ../mails/*.eml &&
	torture compare . topic again
'

test_expect_success "numbers have leading zeros, and the dates of the mails are the dates of the commits" '
	n=$(cat kinds.n) && grep -h "^Subject: .PATCH" mails/*.eml | sed "s/\].*//" >got &&
	for i in $(seq 1 $n); do printf "Subject: [PATCH %03d/%d\n" $i $n; done >want &&
	test_cmp want got && git -C kinds log --reverse --format=%at main..again >dates &&
	first=$(head -n 1 dates) && seq $first $((first + n - 1)) >want && test_cmp want dates
'

test_expect_success "each kind that no mail carries is refused by name" '
	torture refused refused && cd refused && "$SERIES" init --base main &&
	make_cover "mm: nothing of it" "Hello." &&
	"$SERIES" recipients --add-to list@example.org && use_server $exim_port &&
	rm -f "$T"/exim/mail/new/* && test_status 1 "$SERIES" send --yes >out 2>err &&
	test_grep "nothing was sent" err && torture named out &&
	[ -z "$(ls "$T"/exim/mail/new)" ]
'

test_expect_success "by chance: what is not refused arrives, what is refused would not" '
	seed=${TORTURE_SEED:-20} && torture random chance $seed ${TORTURE_COMMITS:-60} &&
	cd chance && "$SERIES" init --base main && echo "seed $seed" &&
	{ "$SERIES" format -o ../out >../findings 2>../err || test $? = 2; } &&
	torture judge . ../findings ../out/*.patch
'

test_done
