#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The life of a series as b4 reads it from a real archive: versions are found, applied and
# compared, tags are collected, links lead to what they name.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/b4.sh"

v1='' v2='' v3='' base=''
b4_start

test_expect_success "set up: an author, who posts, and a maintainer, who reads" '
	b4_people mm/one mm/two mm/three mm/four && git checkout -q -b topic &&
	edit mm/one 5 alpha && c "mm/one: know alpha" "It was not known." &&
	edit mm/two 5 beta && c "mm/two: know beta" "For the same reason." &&
	edit mm/three 5 gamma && edit mm/three 50 epsilon &&
	c "mm/three: know gamma and epsilon" "Two in one." &&
	edit mm/four 5 delta && c "mm/four: know delta" "Perhaps." &&
	git config format.subjectprefix "PATCH mm" &&
	"$SERIES" init --base main && "$SERIES" recipients --add-to list@example.org &&
	make_cover "mm: know the alphabet" "Letters are missing.  Add them." &&
	base=$(git rev-parse main)
'

test_expect_success "v1 is a thread of its own: cover and four patches" '
	post v1 1700000000 && v1=$id && subjects "$T"/v1/*.eml >got && cat >want <<-\EOF &&
	[PATCH mm 0/4] mm: know the alphabet
	[PATCH mm 1/4] mm/one: know alpha
	[PATCH mm 2/4] mm/two: know beta
	[PATCH mm 3/4] mm/three: know gamma and epsilon
	[PATCH mm 4/4] mm/four: know delta
	EOF
	test_cmp want got && thread_is v1
'

test_expect_success "b4 am of v1: complete, with its cover, on its base" '
	b4am "$v1" && test_grep "Total patches: 4" "$T/said" && no_complaint "$T/said" &&
	test_grep "Letters are missing" "$T"/am/*.cover && applied refs/series/topic/v1
'

test_expect_success "b4 am finds the series from any of its patches" '
	b4am "$(id_of "$T/v1/0004.eml")" && no_complaint "$T/said" &&
	test_grep "Total patches: 4" "$T/said" && applied refs/series/topic/v1
'

test_expect_success "b4 puts tags from replies on the patches they were given to" '
	reply r1 "$T/v1/0003.eml" "Rita Reviewer <rita@example.org>" \
		"Reviewed-by: Rita Reviewer <rita@example.org>" &&
	reply r2 "$T/v1/0001.eml" "Anna Acker <anna@example.org>" \
		"Acked-by: Anna Acker <anna@example.org>" &&
	b4am "$v1" && test_nogrep "mismatch" "$T/said" &&
	test_grep "NOTE: Some trailers were sent to the cover letter:" "$T/said" &&
	grep -h "^Subject:\|^Reviewed-by:\|^Acked-by:" "$T"/am/*.mbx >got && cat >want <<-\EOF &&
	Subject: [PATCH 1/4] mm/one: know alpha
	Subject: [PATCH 2/4] mm/two: know beta
	Reviewed-by: Rita Reviewer <rita@example.org>
	Subject: [PATCH 3/4] mm/three: know gamma and epsilon
	Subject: [PATCH 4/4] mm/four: know delta
	EOF
	test_cmp want got && b4am -t "$v1" && [ "$(grep -c "^Acked-by: Anna" "$T"/am/*.mbx)" = 4 ]
'

# The rebase that makes v2: two before one, three in two halves, four dropped.
second_version() {
	cat >"$T/todo" <<-\EOF
	#!/bin/sh
	set -- $(sed -n "s/^pick \([0-9a-f]*\).*/\1/p" "$1") "$1"
	printf "pick %s\npick %s\nedit %s\ndrop %s\n" $2 $1 $3 $4 >"$5"
	EOF
	chmod +x "$T/todo" && GIT_SEQUENCE_EDITOR=$T/todo git rebase -q -i main &&
	git reset -q HEAD^ && edit mm/three 50 "mm\/three 50" &&
	c "mm/three: know gamma" "One of two." &&
	edit mm/three 50 epsilon && c "mm/three: know epsilon" "Two of two." &&
	git rebase --continue
}

test_expect_success "v2 after rebase -i: reordered, split, one dropped; the title is another one" '
	cd author && second_version && git log --reverse --format=%s main.. >got &&
	printf "%s\n" "mm/two: know beta" "mm/one: know alpha" "mm/three: know gamma" \
		"mm/three: know epsilon" >want && test_cmp want got &&
	make_cover "mm: learn letters" "Letters are missing.  Add them." &&
	post v2 1700600000 && v2=$id && subjects "$T"/v2/*.eml >got && cat >want <<-\EOF &&
	[PATCH mm v2 0/4] mm: learn letters
	[PATCH mm v2 1/4] mm/two: know beta
	[PATCH mm v2 2/4] mm/one: know alpha
	[PATCH mm v2 3/4] mm/three: know gamma
	[PATCH mm v2 4/4] mm/three: know epsilon
	EOF
	test_cmp want got && thread_is v2
'

test_expect_success "b4 am of v2" '
	b4am "$v2" && no_complaint "$T/said" && test_grep "Total patches: 4" "$T/said" &&
	ls "$T"/am/v2_*.mbx "$T"/am/v2_*.cover && applied refs/series/topic/v2
'

test_expect_success "asked for v1, b4 am -c finds v2 although title and patches differ" '
	b4am -c "$v1" && test_grep "Added from v2: 5 patches" "$T/said" &&
	test_grep "Will use the latest revision: v2" "$T/said" && no_complaint "$T/said" &&
	b4am --no-add-trailers -c "$v1" && applied refs/series/topic/v2
'

test_expect_success "... and the tag of a patch that is the same in v2" '
	b4am -c "$v1" && grep -h "^Subject:\|^Reviewed-by:" "$T"/am/*.mbx >got &&
	cat >want <<-\EOF && test_cmp want got
	Subject: [PATCH v2 1/4] mm/two: know beta
	Reviewed-by: Rita Reviewer <rita@example.org>
	Subject: [PATCH v2 2/4] mm/one: know alpha
	Subject: [PATCH v2 3/4] mm/three: know gamma
	Subject: [PATCH v2 4/4] mm/three: know epsilon
	EOF
'

test_expect_success "... and -v 1 still is v1" '
	b4am --no-add-trailers -c -v 1 "$v1" && no_complaint "$T/said" &&
	applied refs/series/topic/v1
'

test_expect_success "b4 diff is git range-diff of the two versions" '
	b4diff refs/series/topic/v1 refs/series/topic/v2 $base $base "$v2" &&
	test_grep "Diffing v1 and v2" "$T/said" && cat >"$T/want" <<-\EOF && test_cmp "$T/want" "$T/rows"
	2:  HASH = 1:  HASH mm/two: know beta
	1:  HASH = 2:  HASH mm/one: know alpha
	3:  HASH ! 3:  HASH mm/three: know gamma and epsilon
	4:  HASH < -:  ------- mm/four: know delta
	-:  ------- > 4:  HASH mm/three: know epsilon
	EOF
'

test_expect_success "the cover of v2 links to v1, and the link leads to it" '
	url=$(sed -n "s/^- Link to v1: //p" "$T/v2/0001.eml") && [ "$url" = "$b4_url/$v1" ] &&
	get "$url/raw" >"$T/raw" &&
	[ "$(subjects "$T/raw")" = "[PATCH mm 0/4] mm: know the alphabet" ]
'

test_expect_success "b4 mbox: the mails of a version, byte for byte" '
	cd "$T/maintainer" && rm -rf "$T/mbox" "$T/split" && mkdir "$T/mbox" "$T/split" &&
	b4 mbox -n v2 -o "$T/mbox" "$v2" >"$T/said" 2>&1 &&
	test_grep "5 messages in the thread" "$T/said" &&
	git mailsplit --mboxrd -o"$T/split" "$T/mbox/v2" >/dev/null &&
	for f in "$T"/v2/*.eml; do
		grep -l "^$(sed -n "/^Message-ID/p" "$f")" "$T"/split/* >which &&
		sed "1,/^\$/d" "$f" >want && sed "1,/^\$/d" "$(cat which)" | sed "\$d" >got &&
		test_cmp want got || return 1
	done
'

test_expect_success "b4 am to standard output, and b4 shazam" '
	cd "$T/maintainer" && git checkout -q -b out main &&
	b4 am -o - "$v2" 2>"$T/said" | git am -q &&
	tree=$(git -C "$T/author" rev-parse refs/series/topic/v2^{tree}) &&
	[ "$(git rev-parse HEAD^{tree})" = "$tree" ] && git checkout -q -b shazam main &&
	b4 shazam "$v2" >"$T/said" 2>&1 && [ "$(git rev-parse HEAD^{tree})" = "$tree" ]
'

test_expect_success "b4 shazam makes a merge of it, with our words and none of the footers" '
	cd "$T/maintainer" && git checkout -q main && b4 shazam -H "$v2" >"$T/said" 2>&1 &&
	no_complaint "$T/said" &&
	[ "$(git rev-parse FETCH_HEAD^{tree})" = "$(git rev-parse out^{tree})" ] &&
	cat -s .git/b4-cover >got && cat >want <<-EOF && test_cmp want got
	Merge patch series "mm: learn letters"

	Wendy Writer <wendy@example.org> says:

	Letters are missing.  Add them.

	Link: $b4_url/$v2
	EOF
'

test_expect_success "b4 trailers -u puts the tags of v1 into the commits of v2" '
	cd "$T/author" && git checkout -q -b tagged topic &&
	b4 trailers -u -F "$v1" >"$T/said" 2>&1 &&
	git log --reverse --format="%s%n%(trailers:key=Reviewed-by,key=Acked-by)" main.. |
		sed "/^\$/d" >got && cat >want <<-\EOF && test_cmp want got &&
	mm/two: know beta
	Reviewed-by: Rita Reviewer <rita@example.org>
	Acked-by: Anna Acker <anna@example.org>
	mm/one: know alpha
	Acked-by: Anna Acker <anna@example.org>
	mm/three: know gamma
	mm/three: know epsilon
	EOF
	git checkout -q topic
'

third_version() {
	git checkout -q main && edit mm/two 40 "moved" &&
	b4_as_maintainer commit -q -a -m "mm/two: somebody else" &&
	git push -q "$T/maintainer" main:refs/heads/next && git checkout -q topic &&
	git rebase -q main && edit mm/three 51 "zeta" &&
	git commit -q -a --amend --no-edit
}

test_expect_success "v3 on a base that moved: the base is the new one, links newest first" '
	cd author && third_version && post v3 1701200000 && v3=$id &&
	[ "$(subjects "$T/v3/0001.eml")" = "[PATCH mm v3 0/4] mm: learn letters" ] &&
	thread_is v3 && grep "^- Link to " "$T/v3/0001.eml" >got &&
	printf -- "- Link to v%d: %s\n" 2 "$b4_url/$v2" 1 "$b4_url/$v1" >want && test_cmp want got &&
	grep "^base-commit: " "$T/v3/0001.eml" >got &&
	echo "base-commit: $(git rev-parse main)" >want && test_cmp want got &&
	b4am "$v3" && no_complaint "$T/said" && applied refs/series/topic/v3
'

test_expect_success "b4 diff of v2 and v3, and of v1 and v3" '
	next=$(git -C author rev-parse main) &&
	b4diff refs/series/topic/v2 refs/series/topic/v3 $base $next "$v3" &&
	cat >"$T/want" <<-\EOF && test_cmp "$T/want" "$T/rows" &&
	1:  HASH = 1:  HASH mm/two: know beta
	2:  HASH = 2:  HASH mm/one: know alpha
	3:  HASH = 3:  HASH mm/three: know gamma
	4:  HASH ! 4:  HASH mm/three: know epsilon
	EOF
	b4diff refs/series/topic/v1 refs/series/topic/v3 $base $next "$v3" -v 1 3 &&
	test_grep "^2:  HASH = 1:  HASH mm/two: know beta" "$T/rows"
'

test_expect_success "v3 RESEND: the branch has moved on, the mails are v3 once more" '
	cd author && edit mm/one 9 later && c "mm/one: later" "For v4." &&
	v3_head=$(git rev-parse refs/series/topic/v3) && post again 1701800000 --resend &&
	[ "$(git rev-parse refs/series/topic/v3)" = "$v3_head" ] &&
	subjects "$T"/again/*.eml >got && cat >want <<-\EOF && test_cmp want got && thread_is again &&
	[RESEND PATCH mm v3 0/4] mm: learn letters
	[RESEND PATCH mm v3 1/4] mm/two: know beta
	[RESEND PATCH mm v3 2/4] mm/one: know alpha
	[RESEND PATCH mm v3 3/4] mm/three: know gamma
	[RESEND PATCH mm v3 4/4] mm/three: know epsilon
	EOF
	b4am "$id" && no_complaint "$T/said" && test_grep "Total patches: 4" "$T/said" &&
	applied refs/series/topic/v3
'

test_expect_success "a fix for patch 2 of v3: b4 takes it behind the others, from any of the mails" '
	cd author && edit mm/one 30 alef && git commit -q -a --fixup=":/^mm/one: know alpha" -m "Alef was missing." &&
	post fix 1701900000 --fixup=2 && subjects "$T"/fix/*.eml >got && cat >want <<-\EOF && test_cmp want got &&
	[PATCH mm v3 5/4] mm/one: know alpha fix
	EOF
	for m in "$v3" "$id"; do
		b4am "$m" && no_complaint "$T/said" && test_grep "Total patches: 5" "$T/said" &&
		applied refs/series/topic/v3.fix1 || return 1
	done
'

test_done
