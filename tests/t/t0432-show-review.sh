#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What series show says of what came back for a posted series: tags, robots' reports and
# remarks, by patch. Mails by this script, what is to be shown by hand.
. "${SRCDIR:-.}/tests/helper/tap.sh"

ADA="Ada Author <ada@example.org>"
BEA="Bea Reader <bea@example.org>"
CY="Cy Tester <cy@example.org>"

# mail ID PARENT DAY SUBJECT FROM: text on standard input; a mail of an mbox.
mail() {
	echo "From mboxrd@z Thu Jan  1 00:00:00 1970"
	echo "From: $5"
	echo "Message-ID: <$1@example.org>"
	[ "$2" = - ] || echo "In-Reply-To: <$2@example.org>"
	echo "Date: $3 Jan 2024 12:00:0$((n = (n + 1) % 10)) +0000"
	echo "Subject: $4"
	echo
	cat
	echo
}

# patch ID PARENT DAY SUBJECT LINE [TAG]
patch() {
	mail "$1" "$2" "$3" "$4" "$ADA" <<-PATCH
	Because.

	Signed-off-by: $ADA${6:+
$6}
	---
	 a.c | 1 +

	diff --git a/a.c b/a.c
	--- a/a.c
	+++ b/a.c
	@@ -1,2 +1,3 @@
	 one
	+$5
	 two
	PATCH
}

series() {
	n=0
	echo "All of it." | mail c1 - 1 "[PATCH 0/3] demo: all of it" "$ADA"
	patch p11 c1 1 "[PATCH 1/3] demo: one" 1
	patch p12 c1 1 "[PATCH 2/3] demo: two" 2
	patch p13 c1 1 "[PATCH 3/3] demo: three" 3
	echo "Reviewed-by: $BEA" | mail r1 p11 2 "Re: [PATCH 1/3] demo: one" "$BEA"
	echo "Acked-by: $BEA" | mail r2 p13 2 "Re: [PATCH 3/3] demo: three" "$BEA"
	echo "Tested-by: $CY" | mail r3 p12 2 "Re: [PATCH 2/3] demo: two" "$BEA"
	# Answered, and the patch is gone in v2: not shown.
	printf "> Because.\n\nBecause of what?\n" | mail r9 p13 2 "Re: [PATCH 3/3] demo: three" "$BEA"
	printf "> Because of what?\n\nOf three.\n" | mail r10 r9 3 "Re: [PATCH 3/3] demo: three" "$ADA"
	printf "v1: https://lists.example.org/r/c1@example.org\n" |
		mail c2 - 5 "[PATCH v2 0/2] demo: all of it" "$ADA"
	patch p21 c2 5 "[PATCH v2 1/2] demo: two" 12
	patch p22 c2 5 "[PATCH v2 2/2] demo: one" 1 "Reviewed-by: $BEA"
	printf "For the series:\n\nAcked-by: $CY\n" | mail r4 c2 6 "Re: [PATCH v2 0/2] demo: all of it" "$CY"
	mail r5 p21 6 "Re: [PATCH v2 1/2] demo: two" "$BEA" <<-E
	> @@ -1,2 +1,3 @@
	>  one
	> +12

	Why not thirteen?

	>  two

	And what is two about?
	E
	mail r6 r5 7 "Re: [PATCH v2 1/2] demo: two" "$ADA" <<-E
	> And what is two about?

	About nothing.
	E
	mail r7 p21 7 "Re: [PATCH v2 1/2] demo: two" "$CY" <<-E
	Nacked-by: $CY
	E
	mail r8 p22 8 "Re: [PATCH v2 2/2] demo: one" "kernel test robot <lkp@intel.com>" <<-E
	Hi Ada,

	kernel test robot noticed the following build warnings:

	All warnings (new ones prefixed by >>):

	>> a.c:2:5: warning: unused variable 'one' [-Wunused-variable]
	E
}

test_expect_success "by patch of the newest version: tags, reports, remarks" '
	series >box && cat >want <<-\EOF &&
	demo: all of it  Ada Author
	  v1  2024-01-01  3 patches
	  v2  2024-01-05  2 patches
	  v2 0/2  demo: all of it
	       Acked-by: Cy Tester
	  v2 1/2  demo: two
	       Tested-by: Cy Tester (v1, sent by: Bea Reader)
	       Nacked-by: Cy Tester
	       1 remark open, 1 answered
	         a.c:2 Bea Reader: Why not thirteen?
	  v2 2/2  demo: one
	       Reviewed-by: Bea Reader (v1, in the patch)
	       kernel test robot: a.c:2:5: warning: unused variable Qone...
	  v1 3/3  demo: three
	       Acked-by: Bea Reader
	EOF
	"$SERIES" show box >out && sed "/^\$/q" out | sed "\$d" | tr "\047" Q |
		sed "s/\(warning: unused variable Qone\).*/\1.../" >got && diff -u want got
'

test_expect_success "nothing came: nothing stands below the versions" '
	series | sed "/^Message-ID: <r1@/,\$d" | sed "\$d" | sed "\$d" >bare && cat >want <<-\EOF &&
	demo: all of it  Ada Author
	  v1  2024-01-01  3 patches
	EOF
	"$SERIES" show bare >out && sed "/^\$/q" out | sed "\$d" >got && diff -u want got
'

test_expect_success "--json has each with the version it was said of" '
	"$SERIES" show --json box >j && python3 - <<-\EOF
	import json
	s, = json.load(open("j"))["series"]
	r = s["review"]
	assert r["label"] == "v2"
	by = {(p["label"], p["n"]): p for p in r["patches"]}
	assert list(by) == [("v2", 0), ("v2", 1), ("v2", 2), ("v1", 3)], list(by)
	t, = by["v2", 2]["tags"]
	assert (t["label"], t["patch"], t["type"], t["email"]) == ("v1", 1, "Reviewed-by", "bea@example.org")
	assert t["message_id"] == "r1@example.org" and t["by_sender"] and t["kind"] == "collected"
	f, = by["v2", 2]["reports"]
	assert f["robot"] == "kernel test robot" and not f["good"] and f["message_id"] == "r8@example.org"
	a, b = by["v2", 1]["remarks"]
	assert (a["file"], a["line"], a["answer"]) == ("a.c", 2, None) and a["question"]
	assert b["answer"] == "r6@example.org"
	assert [x["kind"] for x in by["v2", 1]["tags"]] == ["collected", "nak"]
	EOF
'

# Words that are wider than the terminal, and some that would paint it.
test_expect_success "lines are cut at 80 columns, and no terminal gets control bytes" '
	n=0 && { patch p - 1 "[PATCH] demo: one" 1 &&
	printf "> @@ -1,2 +1,3 @@\n>  one\n> +1\n\n\033[31mWhy %s?\n" "$(seq -s " " 60)" | mail r p 2 "Re: [PATCH] demo: one" "$BEA" &&
	printf "> +1\n\nShort: is it?\n" | mail q p 3 "Re: [PATCH] demo: one" "=?utf-8?q?Eve=1b[31m?= <eve@example.org>"; } >wide &&
	"$SERIES" show wide >out && sed "/^\$/q" out >top && ! grep "$(printf "\033")" top &&
	grep "^         a.c:2 Bea Reader: Why 1 2 3 .*\.\.\.\$" top && ! grep ".\{81\}" top && grep "Eve.*: Short: is it?" top
'

# conditional, part, misspelt, taken back; the newest of two that say the same counts
test_expect_success "marks of tags" '
	n=0 && { patch p - 1 "[PATCH] demo: one" 1 &&
	printf "With that fixed:\n\nReviewed-by: $BEA\n" | mail a p 2 "Re: [PATCH] demo: one" "$BEA" &&
	printf "For the arm64 bits:\n\nReveiwed-by: $CY\n" | mail b p 2 "Re: [PATCH] demo: one" "$CY" &&
	printf "Acked-by: Di Dee <di@example.org>\n" | mail c p 2 "Re: [PATCH] demo: one" "Di Dee <di@example.org>" &&
	printf "Please drop my Acked-by.\n" | mail d p 3 "Re: [PATCH] demo: one" "Di Dee <di@example.org>" &&
	patch p2 - 9 "[PATCH v2] demo: one" 2 &&
	printf "Acked-by: $CY\n" | mail e p2 10 "Re: [PATCH v2] demo: one" "$CY"; } >marks &&
	cat >want <<-\EOF &&
	  v2 1/1  demo: one
	       Reviewed-by: Bea Reader (v1, conditional: With that fixed)
	       Reviewed-by: Cy Tester (v1, part: For the arm64 bits, misspelt)
	       Acked-by: Di Dee (v1, taken back)
	       Acked-by: Cy Tester
	       1 remark before v2
	         (v1) Di Dee: Please drop my Acked-by.
	EOF
	"$SERIES" show marks >out && sed "/^\$/q" out | grep -v "20[0-9][0-9]-\|^demo:\|^\$" >got && diff -u want got
'

# What was fetched before is in the cache, by the address.
test_expect_success "a mail of an older version shows that version" '
	"$SERIES" --version >/dev/null && cache=$XDG_CACHE_HOME/series/mail && mkdir -p "$cache" &&
	name=$(printf %s "https://lore.kernel.org/all/r1@example.org/t.mbox.gz" | sha256sum | cut -c1-16) &&
	gzip -c box >"$cache/$name.mbox.gz" && cat >want <<-\EOF &&
	  v1 0/3  demo: all of it
	       Acked-by: Cy Tester (v2)
	  v1 1/3  demo: one
	       Reviewed-by: Bea Reader
	       kernel test robot (v2): a.c:2:5: warning: unused variable Qone...
	  v1 2/3  demo: two
	       Tested-by: Cy Tester (sent by: Bea Reader)
	       Nacked-by: Cy Tester (v2)
	       1 remark open, 1 answered
	         a.c:2 (v2) Bea Reader: Why not thirteen?
	  v1 3/3  demo: three
	       Acked-by: Bea Reader
	       1 remark answered
	EOF
	"$SERIES" show --offline r1@example.org >out && sed "/^\$/q" out | sed -n "4,16p" | tr "\047" Q |
		sed "s/\(warning: unused variable Qone\).*/\1.../" >got && diff -u want got
'
test_expect_success "what the mails of the newest version claim, with what can be computed, and no older ones" '
	{
	n=0; printf "It is 50%% faster.\n" | mail c1 - 1 "[PATCH 0/1] demo: fast" "$ADA" && patch p11 c1 1 "[PATCH 1/1] demo: one" 1 &&
	mail c2 - 5 "[PATCH v2 0/1] demo: fast" "$ADA" <<-\E && patch p21 c2 5 "[PATCH v2 1/1] demo: one" 2
	It is 33% faster, said \033]0;x\007 nobody.

	w/o patch:
	real	0m1.500s
	w/ patch:
	real	0m1.000s
	E
	} >fast && "$SERIES" show fast >out && test_grep "^       says 33%: It is 33% faster, said" out && test_grep "^       says real: 1.5 -> 1 s (-33.3 %)$" out && test_nogrep "50%: It" out &&
	test_nogrep "$(printf "\033")" out && "$SERIES" show --json fast | python3 -c "
import json, sys
spot = json.load(sys.stdin)[\"series\"][0][\"review\"][\"patches\"]
assert [(s[\"label\"], s[\"n\"], len(s[\"claims\"])) for s in spot] == [(\"v2\", 0, 2)], spot
said, pair = spot[0][\"claims\"]
assert (said[\"kind\"], said[\"value\"], said[\"unit\"], said[\"change\"]) == (\"said\", 33, \"%\", None), said
assert (pair[\"kind\"], pair[\"text\"], pair[\"before\"], pair[\"after\"], pair[\"p\"]) == (\"pair\", \"real\", 1.5, 1, None) and abs(pair[\"change\"] + 1 / 3) < 1e-9, pair"
'

test_done
