#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What we post is read from a real archive by b4: versions are found, applied and compared,
# tags are collected, links lead to what they name.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

command -v b4 >/dev/null || test_skip_all "no b4"
v1= v2= v3= rfc=
inbox_start list || test_skip_all "public-inbox does not run here: $(tail -n 1 "$T/inbox.log")"

# post NAME TIME [OPTION...]: send from $T/author, put what the server got into the archive,
# keep it in $T/NAME; $id is the Message-ID of the first mail.
post() {
	posted=$T/$1
	cd "$T/author" && sink "$1" && SERIES_TEST_NOW=$2 && export SERIES_TEST_NOW || return 1
	shift 2
	"$SERIES" send --yes "$@" && unset SERIES_TEST_NOW && kill $sink_pid &&
	inbox_inject list "$posted"/*.eml && id=$(ids "$posted/0001.eml" | tr -d "<>")
}

# subjects FILE...: one a line, unfolded, as Python reads them.
subjects() {
	python3 -c 'import email, email.policy, sys
for f in sys.argv[1:]:
    print(email.message_from_binary_file(open(f, "rb"), policy=email.policy.default)["Subject"])' "$@"
}

# mails URL: the Message-IDs of a thread in the archive, sorted.
thread() {
	python3 -c 'import sys, gzip, urllib.request, re
data = gzip.decompress(urllib.request.urlopen(sys.argv[1]).read())
for part in re.split(rb"^From mboxrd@z.*\n", data, flags=re.M)[1:]:
    print(re.search(rb"^Message-ID: *(\S+)", part, re.M | re.I).group(1).decode())' "$1" | sort
}

# b4am ID [OPTION...]: what b4 says is in $T/said, its mails are in $T/am/*.mbx.
b4am() {
	cd "$T/maintainer" && rm -rf "$T/am" && mkdir "$T/am" &&
	b4 am -o "$T/am" "$@" >"$T/said" 2>&1 || { cat "$T/said"; return 1; }
}

# applied N: git am of what b4 made, on the base that it names, is version N of the branch:
# the same trees, authors and messages.
applied() {
	cd "$T/maintainer" &&
	base=$(sed -n "s/^ Base: using specified base-commit \([0-9a-f]*\)\$/\1/p" "$T/said") &&
	[ "$base" ] && git checkout -q "$base" && git am -q "$T"/am/*.mbx &&
	git log --reverse --format="%T %an <%ae>%n%B" "$base"..HEAD >"$T/got" &&
	git -C "$T/author" log --reverse --format="%T %an <%ae>%n%B" "$base..$1" >"$T/want" &&
	[ -s "$T/want" ] && test_cmp "$T/want" "$T/got" && git checkout -q main
}

# no_complaint FILE: b4 found all there is to find.
no_complaint() {
	test_nogrep "ERROR\|WARNING\|CRITICAL\|issing\|incomplete\|Unable\|not known\|not specified" "$1"
}

files() {
	for f in mm/one mm/two mm/three mm/four; do
		seq 1 60 | sed "s,^,$f ," >$f || return 1
	done
}

edit() {
	sed "$2s/.*/$3/" "$1" >new && mv new "$1"
}

author_is() {
	git commit -q -a -s -m "$1

$2" --author="Wendy Writer <wendy@example.org>"
}

test_expect_success "set up: an author, who posts, and a maintainer, who reads" '
	git init -q author && cd author && mkdir mm && files && git add mm &&
	git -c user.name=Mara -c user.email=mara@example.org commit -q -m "base" &&
	git clone -q . "$T/maintainer" && git checkout -q -b topic &&
	edit mm/one 5 alpha && author_is "mm/one: know alpha" "It was not known." &&
	edit mm/two 5 beta && author_is "mm/two: know beta" "For the same reason." &&
	edit mm/three 5 gamma && edit mm/three 50 epsilon &&
	author_is "mm/three: know gamma and epsilon" "Two in one." &&
	edit mm/four 5 delta && author_is "mm/four: know delta" "Perhaps." &&
	git config format.subjectprefix "PATCH mm" &&
	git config series.linkmask "$inbox_url/list/%s" &&
	"$SERIES" init --base main && "$SERIES" recipients --add-to list@example.org &&
	make_cover "mm: know the alphabet" "Letters are missing.  Add them." &&
	inbox_b4 list && cd "$T/maintainer" && inbox_b4 list &&
	git config user.name "Mara Maintainer" && git config user.email mara@example.org
'

test_expect_success "v1 is a thread of its own: cover and four patches" '
	post v1 1700000000 && v1=$id && git rev-parse refs/series/topic/v1 >"$T/v1.head" &&
	subjects "$T"/v1/*.eml >got && cat >want <<-\EOF &&
	[PATCH mm 0/4] mm: know the alphabet
	[PATCH mm 1/4] mm/one: know alpha
	[PATCH mm 2/4] mm/two: know beta
	[PATCH mm 3/4] mm/three: know gamma and epsilon
	[PATCH mm 4/4] mm/four: know delta
	EOF
	test_cmp want got && ids "$T"/v1/*.eml | sort >want &&
	for i in $(ids "$T"/v1/*.eml | tr -d "<>"); do
		thread "$inbox_url/list/$i/t.mbox.gz" >got && test_cmp want got || return 1
	done
'

test_expect_success "b4 am of v1: complete, with its cover, on its base" '
	b4am "$v1" && test_grep "Total patches: 4" "$T/said" && no_complaint "$T/said" &&
	test_grep "Letters are missing" "$T"/am/*.cover && applied refs/series/topic/v1
'

test_expect_success "b4 am finds the series from any of its patches" '
	b4am "$(ids "$T/v1/0004.eml" | tr -d "<>")" && no_complaint "$T/said" &&
	test_grep "Total patches: 4" "$T/said" && applied refs/series/topic/v1
'

# reply N K FROM TAGS: an answer to mail K of version N, as people write them.
reply() {
	to=$(ids "$T/v$1/000$2.eml")
	cat >"$T/reply.eml" <<-EOF
	From: $3
	To: Wendy Writer <wendy@example.org>
	Cc: list@example.org
	Subject: Re: $(subjects "$T/v$1/000$2.eml")
	Date: $(date -u -R -d @1700003600)
	Message-ID: <reply-$1-$2@example.org>
	In-Reply-To: $to
	References: $to

	On that day, Wendy Writer wrote:
	> a line

	Looks fine to me.

	$4
	EOF
	inbox_inject list "$T/reply.eml"
}

test_expect_success "b4 puts tags from replies on the patches they were given to" '
	reply 1 3 "Rita Reviewer <rita@example.org>" "Reviewed-by: Rita Reviewer <rita@example.org>" &&
	reply 1 1 "Anna Acker <anna@example.org>" "Acked-by: Anna Acker <anna@example.org>" &&
	b4am --no-cache "$v1" && test_nogrep "mismatch" "$T/said" &&
	test_grep "NOTE: Some trailers were sent to the cover letter:" "$T/said" &&
	grep -h "^Subject:\|^Reviewed-by:\|^Acked-by:" "$T"/am/*.mbx >got && cat >want <<-\EOF &&
	Subject: [PATCH 1/4] mm/one: know alpha
	Subject: [PATCH 2/4] mm/two: know beta
	Reviewed-by: Rita Reviewer <rita@example.org>
	Subject: [PATCH 3/4] mm/three: know gamma and epsilon
	Subject: [PATCH 4/4] mm/four: know delta
	EOF
	test_cmp want got && b4am --no-cache -t "$v1" &&
	[ "$(grep -c "^Acked-by: Anna" "$T"/am/*.mbx)" = 4 ]
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
	author_is "mm/three: know gamma" "One of two." &&
	edit mm/three 50 epsilon && author_is "mm/three: know epsilon" "Two of two." &&
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
	test_cmp want got && ids "$T"/v2/*.eml | sort >want &&
	thread "$inbox_url/list/$v2/t.mbox.gz" >got && test_cmp want got
'

test_expect_success "b4 am of v2" '
	b4am "$v2" && no_complaint "$T/said" && test_grep "Total patches: 4" "$T/said" &&
	ls "$T"/am/v2_*.mbx "$T"/am/v2_*.cover && applied refs/series/topic/v2
'

test_expect_success "asked for v1, b4 am -c finds v2 although title and patches differ" '
	b4am -c "$v1" && test_grep "Added from v2: 5 patches" "$T/said" &&
	test_grep "Will use the latest revision: v2" "$T/said" && no_complaint "$T/said" &&
	[ "$(grep -h "^Subject:\|^Reviewed-by:" "$T"/am/*.mbx | sed -n 2p)" = \
		"Reviewed-by: Rita Reviewer <rita@example.org>" ] &&
	b4am --no-add-trailers -c "$v1" && applied refs/series/topic/v2
'

test_expect_success "... and -v 1 still is v1" '
	b4am --no-add-trailers -c -v 1 "$v1" && no_complaint "$T/said" && applied refs/series/topic/v1
'

test_expect_success "b4 diff is git range-diff of the two versions" '
	cd author && base=$(git rev-parse main) &&
	git range-diff --no-color $base..refs/series/topic/v1 $base..refs/series/topic/v2 >"$T/want" &&
	cd "$T/maintainer" && b4 diff -o "$T/got" "$v2" >"$T/said" 2>&1 &&
	test_grep "Diffing v1 and v2" "$T/said" && no_complaint "$T/said" &&
	for f in "$T/want" "$T/got"; do
		sed "/^ *[0-9-]*:  /s/[0-9a-f]\{7,\}/HASH/g" "$f" >"$f.x" || return 1
	done && test_cmp "$T/want.x" "$T/got.x" && grep "^ *[0-9-]*:  " "$T/got.x" >"$T/rows" &&
	cat >"$T/hand" <<-\EOF && test_cmp "$T/hand" "$T/rows"
	2:  HASH = 1:  HASH mm/two: know beta
	1:  HASH = 2:  HASH mm/one: know alpha
	3:  HASH ! 3:  HASH mm/three: know gamma and epsilon
	4:  HASH < -:  ------- mm/four: know delta
	-:  ------- > 4:  HASH mm/three: know epsilon
	EOF
'

test_expect_success "the cover of v2 links to v1, and the link leads to it" '
	url=$(sed -n "s/^v1: //p" "$T/v2/0001.eml") && [ "$url" = "$inbox_url/list/$v1" ] &&
	curl -sfL "$url/raw" >"$T/raw" && [ "$(subjects "$T/raw")" = "[PATCH mm 0/4] mm: know the alphabet" ]
'

test_expect_success "b4 mbox: the mails of a version, byte for byte" '
	cd "$T/maintainer" && rm -rf "$T/mbox" "$T/split" && mkdir "$T/mbox" "$T/split" &&
	b4 mbox -n v2 -o "$T/mbox" "$v2" >"$T/said" 2>&1 && test_grep "5 messages in the thread" "$T/said" &&
	git mailsplit --mboxrd -o"$T/split" "$T/mbox/v2" >/dev/null &&
	for f in "$T"/v2/*.eml; do
		grep -l "^$(sed -n "/^Message-ID/p" "$f")" "$T"/split/* >which &&
		sed "1,/^\$/d" "$f" >want && sed "1,/^\$/d" "$(cat which)" | sed "\$d" >got &&
		test_cmp want got || return 1
	done
'

test_expect_success "b4 am to standard output and b4 shazam apply v2" '
	cd "$T/maintainer" && git checkout -q -b out main && b4 am -o - "$v2" 2>"$T/said" | git am -q &&
	[ "$(git rev-parse HEAD^{tree})" = "$(git -C "$T/author" rev-parse refs/series/topic/v2^{tree})" ] &&
	git checkout -q -b shazam main && b4 shazam "$v2" >"$T/said" 2>&1 &&
	[ "$(git rev-parse HEAD^{tree})" = "$(git rev-parse out^{tree})" ] && git checkout -q main &&
	b4 shazam -H "$v2" >"$T/said" 2>&1 && no_complaint "$T/said" &&
	[ "$(git rev-parse FETCH_HEAD^{tree})" = "$(git rev-parse out^{tree})" ] &&
	test_grep "^Merge patch series \"mm: learn letters\"" .git/b4-cover &&
	test_grep "^Letters are missing.  Add them.$" .git/b4-cover &&
	test_nogrep "Applies on\|change-id\|files changed" .git/b4-cover
'

test_expect_success "b4 trailers -u puts the tags of v1 into the commits of v2" '
	cd "$T/author" && git checkout -q -b tagged topic && b4 trailers -u -F "$v1" >"$T/said" 2>&1 &&
	git log --reverse --format="%s%n%(trailers:key=Reviewed-by,key=Acked-by)" main.. |
		sed "/^\$/d" >got && cat >want <<-\EOF && test_cmp want got
	mm/two: know beta
	Reviewed-by: Rita Reviewer <rita@example.org>
	Acked-by: Anna Acker <anna@example.org>
	mm/one: know alpha
	Acked-by: Anna Acker <anna@example.org>
	mm/three: know gamma
	mm/three: know epsilon
	EOF
	git checkout -q topic && git branch -q -D tagged
'

test_done
