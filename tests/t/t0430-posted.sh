#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What was posted in a thread: series, versions, partial rerolls. Mails by this script,
# the answers by hand.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

DUMP=$BUILD/tests/posted-dump
AUTHOR="A U Thor <a@example.org>"
READER="Bea Reader <b@example.org>"

# mail ID PARENT DAY SUBJECT [FROM]: text on standard input; a mail of an mbox.
mail() {
	echo "From mboxrd@z Thu Jan  1 00:00:00 1970"
	echo "From: ${5:-$AUTHOR}"
	echo "Message-ID: <$1@example.org>"
	[ "$2" = - ] || echo "In-Reply-To: <$2@example.org>"
	echo "Date: $3 Jan 2024 12:00:0$((n = (n + 1) % 10)) +0000"
	echo "Subject: $4"
	echo
	cat
	echo
}

# patch ID PARENT DAY SUBJECT LINE
patch() {
	mail "$1" "$2" "$3" "$4" <<-PATCH
	Because.

	Signed-off-by: A U Thor <a@example.org>
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
	echo "All of it." | mail c1 - 1 "[RFC PATCH 0/3] demo: all of it"
	patch p11 c1 1 "[RFC PATCH 1/3] demo: one" 1
	patch p12 c1 1 "[RFC PATCH 2/3] demo: two" 2
	patch p13 c1 1 "[RFC PATCH 3/3] demo: three" 3
	printf "v1: https://lists.example.org/r/c1@example.org\n" |
		mail c2 - 5 "[PATCH v2 0/3] demo: all of it"
	patch p21 c2 5 "[PATCH v2 1/3] demo: one" 11
	patch p22 c2 5 "[PATCH v2 2/3] demo: two" 12
	patch p23 c2 5 "[PATCH v2 3/3] demo: three" 13
	echo "No." | mail r p22 6 "Re: [PATCH v2 2/3] demo: two" "$READER"
	patch p22x r 7 "[PATCH v2.1 2/3] demo: two" 14
	echo "Again." | mail c3 - 20 "[PATCH v3 0/4] demo: more of it"
	patch p31 c3 20 "[PATCH v3 1/4] demo: one" 21
	patch p34 c3 20 "[PATCH v3 4/4] demo: four" 24
	patch f p31 21 "[PATCH] demo: one fix" 31
	echo "Once more." | mail c3r - 28 "[PATCH v3 RESEND 0/4] demo: more of it"
	patch p31r c3r 28 "[PATCH v3 RESEND 1/4] demo: one" 21
}

test_expect_success "versions, links, what a partial reroll takes, what came again" '
	series >box &&
	cat >want <<-\EOF &&
	series 1
	RFC v1 first 2024-01-01 A U Thor: demo: all of it
	  cover c1@example.org
	  1 p11@example.org
	  2 p12@example.org
	  3 p13@example.org
	v2 named 2024-01-05 A U Thor: demo: all of it
	  cover c2@example.org
	  1 p21@example.org
	  2 p22@example.org
	  3 p23@example.org
	v2.1 named 2024-01-07 A U Thor: demo: two
	  1 p21@example.org of v2
	  2 p22x@example.org
	  3 p23@example.org of v2
	v3 title 2024-01-20 A U Thor: demo: more of it
	  cover c3@example.org
	  1 p31@example.org
	  2 missing
	  3 missing
	  4 p34@example.org
	  again c3r@example.org
	  again p31r@example.org
	series 2
	v1 first 2024-01-21 A U Thor: demo: one fix
	  1 f@example.org
	EOF
	"$DUMP" box >got && diff -u want got
'

test_expect_success "show: what was posted stands above the mails" '
	cat >want <<-\EOF &&
	demo: more of it  A U Thor
	  RFC v1  2024-01-01  3 patches
	  v2      2024-01-05  3 patches
	  v2.1    2024-01-07  patch 2; 1, 3 of v2
	  v3      2024-01-20  2 of 4 patches, without 2, 3, 2 mails again  uncertain
	  v2.1 2/3  demo: two
	       1 remark before v2.1
	         (v2) Bea Reader: No.
	demo: one fix  A U Thor
	  v1  2024-01-21  1 patch
	EOF
	"$SERIES" show box >out && sed "/^\$/q" out | sed "\$d" >got && diff -u want got &&
	"$SERIES" show --tree box >out && ! grep uncertain out
'

test_expect_success "show --json: the same, in full" '
	"$SERIES" show --json box >j && python3 - <<-\EOF
	import json
	d = json.load(open("j"))
	assert len(d["mails"]) == 16
	s = d["series"]
	assert [v["label"] for v in s[0]["versions"]] == ["RFC v1", "v2", "v2.1", "v3"]
	assert s[0]["newest"] == "v2.1"
	v = s[0]["versions"][2]
	assert v["partial"] and v["missing"] == 0 and v["cover"] is None
	assert v["follows"] == "v2" and v["linked_by"] == "named" and not v["uncertain"]
	assert [(p["message_id"], p["posted_in"]) for p in v["patches"]] == [
	    ("p21@example.org", "v2"), ("p22x@example.org", "v2.1"), ("p23@example.org", "v2")]
	v = s[0]["versions"][3]
	assert v["uncertain"] and v["missing"] == 2 and v["date"].startswith("2024-01-20")
	assert v["repeated"] == ["c3r@example.org", "p31r@example.org"]
	assert v["patches"][1]["message_id"] is None and v["patches"][1]["posted_in"] is None
	assert v["from"] == {"name": "A U Thor", "email": "a@example.org"}
	assert d["possible"] == []
	EOF
'

# git patch-id sees what we see.
test_expect_success "patch-ids are those of git" '
	patch x - 1 "[PATCH] demo: one" 1 >one &&
	git patch-id --stable <one >id && read -r want rest <id &&
	"$SERIES" show --json one >j &&
	python3 -c "import json, sys; print(json.load(open(\"j\"))[\"series\"][0][\"versions\"][0][\"patches\"][0][\"patch_id\"])" >got &&
	[ "$(cat got)" = "$want" ]
'

test_expect_success "replies with a patch are named; no terminal gets control bytes" '
	{ patch a - 1 "[PATCH] demo: a" 1; patch b a 2 "Re: [PATCH] demo: a" 2; } >box2 &&
	"$SERIES" show box2 >out && grep "^replies with a patch: mail 2\$" out &&
	{ patch a - 1 "[PATCH] demo: =?utf-8?q?=1b[31m?= a" 1; echo x | mail r a 2 "Re: x"; } >box3 &&
	"$SERIES" show box3 >out && sed "/^\$/q" out >top && [ -s top ] &&
	! grep "$(printf "\033")" top
'

test_expect_success "nothing was posted: nothing stands above the mails" '
	{ echo hello | mail a - 1 hello; echo you | mail b a 2 "Re: hello"; } >box4 &&
	"$SERIES" show box4 >out && head -1 out | grep "hello"
'

test_done
