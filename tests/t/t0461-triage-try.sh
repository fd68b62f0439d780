#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What series triage finds out of a series beside its mails: whether it applies to a base, what
# it claims, who signed it; and what is run with it: pager, mutt, browser, builds.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "$SRCDIR/tests/helper/fakekernel.sh"

export SERIES_TEST_NOW=1799539200 # 2027-01-10 00:00 UTC
T0=1799500000

# mail ID PARENT SUBJECT [FIELD]: a mail of Ada; text from standard input
mail() {
	printf 'From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: Ada Author <ada@example.org>\nTo: list@example.org\nMessage-ID: <%s@example.org>\nDate: %s\nSubject: %s\n' "$1" "$(LC_ALL=C date -u -R -d @$((T0 = T0 + 60)))" "$3"
	[ "$2" = - ] || echo "In-Reply-To: <$2@example.org>"
	[ -z "${4:-}" ] || echo "$4"
	echo && cat && echo
}
# ids QUERY...
ids() {
	"$SERIES" triage --ids "$@" ../list.mbox | sort | xargs
}

# Three series on a small kernel: one fits, one is of another file, one lacks a patch.
test_expect_success "set up a tree and what was posted for it" '
	fake_kernel k && cd k && git checkout -q -b topic &&
	sed -i "s/return pages;/return pages + 1;/" mm/rmap.c && git commit -q -s -a -m "mm: count one more" &&
	sed -i "s/return pages;/return pages + 2;/" mm/swap.c && git commit -q -s -a -m "mm: count two more" && git format-patch -q -o ../p main && git checkout -q main &&
	{
	printf "It is 33%% faster.\n\nBefore:\nreal 0m2.0s\nAfter:\nreal 0m1.0s\n" | mail a0 - "[PATCH 0/2] mm: count more" "DKIM-Signature: v=1; d=example.org; b=x" &&
	sed "1,/^$/d" ../p/0001* | mail a1 a0 "[PATCH 1/2] mm: count one more" "X-Developer-Signature: v=1; b=y
DKIM-Signature: v=1; d=example.org; b=x" &&
	sed "1,/^$/d" ../p/0002* | mail a2 a0 "[PATCH 2/2] mm: count two more" "DKIM-Signature: v=1; d=example.org; b=x" &&
	sed "1,/^$/d; s/return pages;/return papers;/" ../p/0001* | mail b1 - "[PATCH] mm: count papers" &&
	sed "1,/^$/d" ../p/0002* | mail c2 - "[PATCH 2/2] mm: half of it" | sed "s/^From: .*/From: Cy Coder <cy@example.org>/"
	} >../list.mbox && cd ..
'

test_expect_success "claims and signatures of the newest version are in the rows" '
	cd k && "$SERIES" triage --json ../list.mbox | python3 -c "
import json, sys
rows = {s[\"message_id\"]: s for s in json.load(sys.stdin)[\"series\"]}
a, b = rows[\"a0@example.org\"], rows[\"b1@example.org\"]
assert (a[\"claims\"], a[\"claim\"]) == (2, \"-50 %\"), a
assert a[\"signed\"] == {\"mails\": 3, \"dkim\": 3, \"developer\": 1}, a[\"signed\"]
assert (b[\"claims\"], b[\"claim\"], b[\"applies\"]) == (0, None, None), b" &&
	[ "$(ids -q "claims>1")" = a0@example.org ] && [ "$(ids -q "dkim=100")" = a0@example.org ] && [ "$(ids -q "signed>0")" = a0@example.org ] &&
	COLUMNS=120 "$SERIES" triage --text ../list.mbox >rows && test_grep "dS   -50%  *A .*mm: count more" rows && test_nogrep " AP " rows
'

test_expect_success "what applies to the base is found out, kept, and void on another base" '
	cd k && test_status 129 "$SERIES" triage --try ../list.mbox 2>e && test_grep "series.triage.base" e &&
	git config series.triage.base main && "$SERIES" triage ../list.mbox >rows && test_grep "AGNST  A L" rows && [ "$(ids -q applies:unknown)" = "a0@example.org b1@example.org c2@example.org" ] &&
	"$SERIES" triage --try ../list.mbox >rows && test_grep "  + A Ada Author mm: count more" rows && test_grep "  - A Ada Author mm: count papers" rows && test_grep "  ? A Cy Coder   mm: half of it" rows &&
	[ "$(ids -q applies:yes)" = a0@example.org ] && [ "$(ids -q applies:no)" = b1@example.org ] && [ "$(ids -q applies:failed)" = c2@example.org ] &&
	[ "$(head -1 .git/series/applies)" = "$(git rev-parse main)" ] && test_grep "^b1@example.org no patch 1: .*mm/rmap.c" .git/series/applies && git status --porcelain >st && grep -v "^?? \(rows\|st\|e\)$" st | test_cmp /dev/null - &&
	ls -la .git/series/applies >then && "$SERIES" triage --try ../list.mbox >rows && ls -la .git/series/applies >now && test_cmp then now &&
	git commit -q --allow-empty -m "another one" && [ "$(ids -q applies:unknown)" = "a0@example.org b1@example.org c2@example.org" ] &&
	echo junk >.git/series/applies && [ "$(ids -q applies:yes)" = "" ] && git config series.triage.base no-such && test_status 1 "$SERIES" triage ../list.mbox 2>e && test_grep "series.triage.base.*no-such" e && git config series.triage.base main
'

test_expect_success "am --check --base tries it there" '
	cd k && git checkout -q -b other && git rm -q mm/rmap.c && git commit -q -m "no rmap" && sed -n "1,/^-- $/p" ../list.mbox >/dev/null &&
	test_status 2 "$SERIES" am --check ../list.mbox b1@example.org --base main >out 2>e; test_grep "main (" out && test_status 129 "$SERIES" am ../list.mbox b1@example.org --base main 2>e && test_grep "with --check" e && git checkout -q main
'

test_expect_success "pager, mutt and browser from the command line" '
	cd k && printf "#!/bin/sh\ngrep -c ^Subject: \"\$2\" >\"$T/paged\"; echo \"\$1\" >>\"$T/paged\"\n" >"$T/bin/page" && printf "#!/bin/sh\necho \"\$@\" >\"$T/mutted\"; grep -c \"^From \" \"\$3\" >>\"$T/mutted\"\n" >"$T/bin/mutt" &&
	printf "#!/bin/sh\necho \"\$@\" >\"$T/opened\"\n" >"$T/bin/look" && chmod +x "$T/bin/page" "$T/bin/mutt" "$T/bin/look" &&
	git config core.pager "page \"an arg\"" && git config series.triage.browser look &&
	"$SERIES" triage --pager a1@example.org ../list.mbox && printf "3\nan arg\n" | test_cmp - ../paged &&
	"$SERIES" triage --mutt "<a0@example.org>" ../list.mbox && test_grep "^-R -f .*mails.mbox" ../mutted && test_grep "^3$" ../mutted &&
	"$SERIES" triage --browser a2@example.org ../list.mbox && test_grep "a2@example.org$" ../opened &&
	test_status 1 "$SERIES" triage --mutt nobody@example.org ../list.mbox 2>e && test_grep "nobody@example.org.*--ids" e && test_status 129 "$SERIES" triage --mutt a0@example.org --pager a0@example.org ../list.mbox 2>e && test_grep "one at a time" e &&
	printf "#!/bin/sh\nexit 3\n" >"$T/bin/mutt" && test_status 1 "$SERIES" triage --mutt a0@example.org ../list.mbox 2>e && test_grep "ended with status 3" e && test -z "$(ls "$TMPDIR")"
'

for p in gcc make readelf flex bison; do command -v $p >/dev/null || missing=$p; done
# The small kernel is of arm64: another machine's base fails, and the objects are judged.
[ "${missing:-}" ] || test_expect_success "a build is of a branch of its own, and takes what is there the second time" '
	cd k && git config series.config vm && head=$(git rev-parse HEAD) && printf "# nothing\n" >"$T/templates/kconfig/vm-$(uname -m).config" &&
	{ "$SERIES" triage --build a0@example.org ../list.mbox >out 2>&1; rc=$?; cat out; [ $rc = 0 ] || [ $rc = 2 ]; } && test_grep "^p2 *pass *mm: count two more" out &&
	[ "$(git rev-parse HEAD)" = "$head" ] && [ "$(git branch --show-current)" = main ] && git log --format=%s main..triage/mm-count-more >log && printf "%s\n" "mm: count two more" "mm: count one more" | test_cmp - log &&
	git rev-parse triage/mm-count-more >tip && { "$SERIES" triage --build a0@example.org ../list.mbox >out 2>&1; rc=$?; [ $rc = 0 ] || [ $rc = 2 ]; } && test_grep "^p2 *pass" out && git rev-parse triage/mm-count-more | test_cmp tip - &&
	sed "/^Message-ID/s/<a/<d/; /^In-Reply-To/s/<a/<d/; /^Subject/s/PATCH /PATCH v2 /" ../list.mbox | sed -n "1,/<b1@/p" | sed "\$d" | sed "s/pages + 2/pages + 3/" >new && cat ../list.mbox new >../both.mbox &&
	{ "$SERIES" triage --build d0@example.org ../both.mbox >out 2>&1; rc=$?; cat out; [ $rc = 0 ] || [ $rc = 2 ]; } && git show triage/mm-count-more | grep "pages + 3" && ! git rev-parse triage/mm-count-more | cmp -s tip - &&
	test_status 129 "$SERIES" -C "$T" triage --build d0@example.org both.mbox 2>e && test_grep "in the repository of the kernel" e
'
test_done
