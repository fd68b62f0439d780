#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A series that was posted by other means becomes one of ours: by git format-patch and by
# hand, from a file and from an archive.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# mails N [OPTION...]: the branch as version N in $T/vN, with Message-IDs vN-K@example.org
mails() {
	n=$1 && shift && rm -rf "$T/v$n" && git format-patch -q -o "$T/v$n" -v "$n" --cover-letter --thread=shallow "$@" main &&
	python3 - "$T/v$n" "$n" "${cover:-}" <<-\E
	import glob, re, sys
	folder, n, cover = sys.argv[1:]
	for k, path in enumerate(sorted(glob.glob(folder + "/*.patch"))):
	    t = open(path).read()
	    t = re.sub(r"(?m)^Message-Id: .*", "Message-ID: <v%s-%d@example.org>" % (n, k), t)
	    t = re.sub(r"(?m)^(In-Reply-To|References): .*\n", "", t)
	    head = "To: list@example.org\nCc: Mara Maintainer <mara@example.org>\n"
	    if k:
	        head += "In-Reply-To: <v%s-0@example.org>\n" % n
	    t = t.replace("MIME-Version", head + "MIME-Version", 1) if "MIME-Version" in t.split("\n\n")[0] else t.replace("\n\n", "\n" + head + "\n", 1)
	    t = re.sub(r"(?m)^Date: .*", "Date: Mon, %d Mar 2026 09:%02d:00 +0200" % (int(n) * 7, k), t)
	    if not k:
	        t = t.replace("*** SUBJECT HERE ***", "numbers: words").replace("*** BLURB HERE ***", cover or "Better lines.")
	    open(path, "w").write(t)
	E
}
mbox() {
	for file; do
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970" && sed "1{/^From [0-9a-f]\{40\} /d}; s/^>*From />&/" "$file" && echo || return 1
	done
}
line() {
	sed "$1s/.*/$2/" numbers >new && mv new numbers
}
trees() {
	git log --reverse --format="%T %an <%ae>%n%B" "$1"
}
# am_of BASE FILE...: what git am makes of the mails
am_of() {
	git switch -q --detach "$1" && shift && git am -q --keep-cr "$@" && trees main..HEAD >"$T/want" && git switch -q main
}
stored() {
	git show "refs/series/$1/state:$2"
}

test_expect_success "two versions were posted" '
	make_base r && seq 1 60 >numbers && line 1 one && git commit -q -a -s -m "numbers: change line 1" --author "Zoë Author <zoe@example.org>" &&
	line 20 twenty && git commit -q -a -s -m "numbers: change line 20" -m "Some words.

-- between two dashes." && line 40 forty && git commit -q -a -s -m "numbers: change line 40" && mails 1 --base=main && git tag was1 &&
	git reset -q --hard HEAD~1 && line 40 FORTY && git commit -q -a -s -m "numbers: change line 40" &&
	cover="Better lines.

---
Changes in v2:
- line 40 in capitals" mails 2 --base=main && git tag was2 && git switch -q main && git branch -q -D topic && mbox "$T"/v1/*.patch "$T"/v2/*.patch >"$T/mbox"
'
test_expect_success "from an mbox: a branch is made, the commits are those of git am, the work tree is left alone" '
	cd r && echo dirty >numbers && "$SERIES" import "$T/mbox" >../out && test_grep "^series numbers-words: branch numbers-words made, base $(git rev-parse main | cut -c 1-12), draft v3" ../out &&
	test_grep "^  v1: 3 patches, v1-0@example.org" ../out && test_grep "^  v2: 3 patches, v2-0@example.org" ../out &&
	[ "$(git symbolic-ref --short HEAD)" = main ] && [ "$(cat numbers)" = dirty ] && git checkout -q numbers &&
	trees main..numbers-words >"$T/got" && am_of main "$T"/v2/*-000[123]-*.patch && test_cmp "$T/want" "$T/got" &&
	[ "$(git log -1 --format=%aI numbers-words)" = 2026-03-14T09:03:00+02:00 ] && [ "$(git log -1 --format=%an numbers-words~2)" = "Zoë Author" ]
'
test_expect_success "status, log, diff and what is sent next know of both versions" '
	cd r && git switch -q numbers-words && "$SERIES" log >../log && test_grep "v1-0@example.org" ../log && test_grep "v2-0@example.org" ../log &&
	"$SERIES" diff v1 v2 --summary >../diff && test_grep "^3 ! 3 " ../diff && stored numbers-words cover.txt >../cover && printf "numbers: words\n\nBetter lines.\n" >../want && test_cmp ../want ../cover &&
	stored numbers-words changes/v2.txt >../changes && test_grep "line 40 in capitals" ../changes &&
	stored numbers-words sent/v2/0003.eml >../mail && test_grep "^Message-ID: <v2-3@example.org>" ../mail &&
	"$SERIES" status --json >../json && python3 -c "
import json
d = json.load(open(\"../json\"))
assert d[\"draft\"] == 3 and [v[\"n\"] for v in d[\"versions\"]] == [1, 2], d
assert [p[\"changed\"] for p in d[\"patches\"]] == [False] * 3" && "$SERIES" recipients >../to && test_grep "mara@example.org" ../to
'
test_expect_success "replies to it are known, and go into the commits" '
	cd r && printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: Rita Reader <rita@example.org>\nSubject: Re: [PATCH v1 1/3] numbers: change line 1\nDate: Mon, 9 Mar 2026 10:00:00 +0000\nMessage-ID: <r1@example.org>\nIn-Reply-To: <v1-1@example.org>\n\nReviewed-by: Rita Reader <rita@example.org>\n\n" >../replies &&
	"$SERIES" update --from ../replies && "$SERIES" tags --apply && git log -1 --format=%B HEAD~2 | grep -qx "Reviewed-by: Rita Reader <rita@example.org>"
'
test_expect_success "the same again: the series is named, and what to do; with a version that it lacks, too" '
	cd r && git for-each-ref >../before && for with in "" "--branch other"; do
		test_status 1 "$SERIES" import $with "$T/mbox" 2>err && test_grep "this is series numbers-words: it has <v1-0@example.org> already; series update -s numbers-words fetches" err && test_nogrep "lacks" err || return 1
	done && mbox "$T"/v2/*-000[23]-* >../without && test_status 1 "$SERIES" import --branch other ../without 2>err && test_grep "it has <v2-2@example.org> already" err &&
	{ mbox "$T"/v1/* "$T"/v2/*; for f in "$T"/v2/*; do
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970" && sed "1{/^From [0-9a-f]\{40\} /d}; s/\[PATCH v2/[PATCH v3/; s/v2-\([0-3]@\)/v3-\1/; s/^Date: .*/Date: Sun, 22 Mar 2026 09:00:00 +0000/" "$f" && echo; done; } >../with3 &&
	test_status 1 "$SERIES" import --branch other ../with3 2>err && test_grep "[.] It lacks v3: series import --undo numbers-words forgets it" err && git for-each-ref >../after && test_cmp ../before ../after &&
	git switch -q main && "$SERIES" import --undo numbers-words && "$SERIES" import --branch other ../with3 other >out && test_grep "^  v3: 3 patches" out && "$SERIES" import --undo other
'
test_expect_success "the branch that has the patches becomes the series" '
	cd r && git switch -q -c mine was2 && old=$(git rev-parse HEAD) && test_status 0 "$SERIES" import "$T/mbox" mine >../out && test_grep "branch mine as it is" ../out &&
	[ "$(git rev-parse mine)" = "$old" ] && git show refs/series/mine/state:series.json >/dev/null
'
test_expect_success "a partial reroll is put together, an incomplete version is left out" '
	cd r && git switch -q main && sed "s/^Subject: .*/Subject: [PATCH v3 3\/3] numbers: change line 40/; s/^Message-ID: .*/Message-ID: <v3-3@example.org>/; s/^In-Reply-To: .*/In-Reply-To: <v2-3@example.org>/; s/+FORTY/+forty!/; s/14 Mar/15 Mar/" "$T"/v2/*0003*.patch >"$T/reroll" &&
	mbox "$T"/v1/*000[013]*.patch "$T"/v2/*.patch "$T/reroll" >"$T/mbox3" && "$SERIES" import --undo mine && "$SERIES" import --branch rerolled "$T/mbox3" >../out && cat ../out &&
	test_grep "not taken over: v1 is not complete: patch 2 of 3 is not here" ../out && git show rerolled:numbers | grep -qx "forty!" && [ "$(git rev-list --count main..rerolled)" = 3 ]
'
test_expect_success "errors name the thing and the remedy, and leave nothing" '
	cd r && "$SERIES" import --undo rerolled && git for-each-ref >../before && test_status 1 "$SERIES" import "$T/mbox" 2>err && test_grep "there is a branch numbers-words already.*--branch" err &&
	mbox "$T"/v1/*000[013]*.patch >"$T/half" && test_status 1 "$SERIES" import --branch half "$T/half" 2>err && test_grep "v1 is not complete: patch 2" err &&
	test_status 1 "$SERIES" import --branch x --base main~99 "$T/mbox" 2>err && test_grep "main~99" err &&
	printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: a <a@example.org>\nSubject: hello\nMessage-ID: <h@example.org>\n\nHello\n\n" >"$T/none" && test_status 1 "$SERIES" import "$T/none" 2>err && test_grep "no patches" err &&
	test_status 129 "$SERIES" import --branch x main 2>err && git for-each-ref >../after && test_cmp ../before ../after
'
inbox_start list
# to_list LIST FILE...: as a list gets them
to_list() {
	list=$1 && shift && rm -rf "$T/in" && mkdir "$T/in" && for file; do
		sed "1{/^From [0-9a-f]\{40\} /d}" "$file" >"$T/in/$(echo "$file" | tr / _)" || return 1
	done && inbox_inject "$list" "$T"/in/*
}
test_expect_success "from an archive: versions that the cover links to come along" '
	cd r && sed "s,^Better lines.\$,&\n\n- Link to v1: $inbox_url/list/v1-0@example.org/," "$T"/v2/*-0000-*.patch >"$T/cover" &&
	to_list list "$T"/v1/*.patch "$T"/v2/*-000[123]-*.patch "$T/cover" && git config series.midmask "$inbox_url/list/%s" && "$SERIES" import --branch far v2-2@example.org far >../out &&
	test_grep "^  v1: 3 patches" ../out && test_grep "^  v2: 3 patches" ../out && trees main..far >../got && trees main..was2 >../want && test_cmp ../want ../got
'
test_expect_success "and those that b4 keeps in the mail itself; a damaged one says nothing" '
	cd r && "$SERIES" import --undo far && mkdir "$T/b" && for n in 1 2; do
		for file in "$T"/v$n/*.patch; do sed "s/v\([12]\)-\([0-3]\)@example/b\1-\2@example/g" "$file" >"$T/b/${file##*/}" || return 1; done
	done && head=$(python3 -c "
import base64, gzip, json
j = {\"series\": {\"revision\": 2, \"change-id\": \"20260301-words-0123456789ab\", \"history\": {\"v1\": [\"b1-0@example.org\"]}}}
print(base64.b64encode(gzip.compress(json.dumps(j).encode())).decode())") &&
	sed "1a X-B4-Tracking: v=1; b=$(echo "$head" | cut -c 1-60)\n $(echo "$head" | cut -c 61-)" "$T"/b/v2-0000-*.patch >"$T/b/cover" && to_list list "$T"/b/v1-*.patch "$T"/b/v2-000[123]-*.patch "$T/b/cover" &&
	"$SERIES" import --branch tracked b2-1@example.org tracked >../out && test_grep "^  v1: 3 patches, b1-0@example.org" ../out &&
	sed "s/b=H4s/b=H4x/; s/@example/@x.example/" "$T/b/cover" >"$T/b/broken" && sed "s/@example/@x.example/" "$T"/b/v2-0001-*.patch >"$T/b/b1" && to_list list "$T/b/broken" "$T/b/b1" && "$SERIES" import --undo tracked && test_status 1 "$SERIES" import --branch broken b2-0@x.example.org 2>err && test_grep "v2 is not complete" err
'
test_done
