# SPDX-License-Identifier: GPL-2.0-or-later
# For tests that read with b4 what we post, sourced behind tap.sh and mail.sh. An author posts
# from $T/author, a maintainer reads in $T/maintainer from the list in a real archive.
# shellcheck shell=sh disable=SC2034,SC2154

# b4_start: the archive; skips the script where b4 or public-inbox is missing.
b4_start() {
	command -v b4 >/dev/null || test_skip_all "no b4"
	inbox_start list ||
		test_skip_all "public-inbox does not run here: $(tail -n 1 "$T/inbox.log")"
	b4_url=$inbox_url/list
}

# b4_people FILE...: both repositories, with one commit of files of 60 lines on main. The
# maintainer has nothing but main.
b4_people() {
	git init -q "$T/author" && cd "$T/author" && inbox_b4 list &&
	for f in "$@"; do
		mkdir -p "$(dirname "$f")" && seq 1 60 | sed "s,^,$f ," >"$f" || return 1
	done && git add . && b4_as_maintainer commit -q -m "base" &&
	git config series.linkmask "$b4_url/%s" && git clone -q . "$T/maintainer" &&
	cd "$T/maintainer" && inbox_b4 list &&
	git config user.name "Mara Maintainer" && git config user.email mara@example.org &&
	cd "$T/author"
}

b4_as_maintainer() {
	git -c user.name="Mara Maintainer" -c user.email=mara@example.org "$@"
}

# edit FILE LINE TEXT
edit() {
	sed "$2s/.*/$3/" "$1" >"$T/edited" && cat "$T/edited" >"$1"
}

# c SUBJECT BODY [OPTION...]: commit what was edited.
c() {
	b4_msg=$1$(printf '\n\n_')
	b4_msg=${b4_msg%_}$2
	shift 2
	git commit -q -a -s -m "$b4_msg" "$@"
}

# get URL: what it leads to.
get() {
	python3 -c 'import sys, urllib.request
sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1], timeout=20).read())' "$1"
}

# searched ID: the archive's search knows the mail by now.
searched() {
	python3 -c 'import sys, urllib.parse, urllib.request
url = "%s/?x=m&q=%s" % (sys.argv[1], urllib.parse.quote("m:" + sys.argv[2]))
urllib.request.urlopen(urllib.request.Request(url, data=b""), timeout=20)' "$b4_url" "$1"
}

# post NAME TIME [OPTION...]: send, put what the server got into the archive and keep it in
# $T/NAME; $id is the Message-ID of its first mail.
post() {
	posted=$T/$1 b4_now=$2
	shift 2
	cd "$T/author" && sink "${posted##*/}" &&
	SERIES_TEST_NOW=$b4_now "$SERIES" send --yes "$@" && kill "$sink_pid" &&
	inbox_inject list "$posted"/*.eml && id=$(id_of "$posted/0001.eml") &&
	test_wait 30 searched "$id"
}

# id_of FILE: its Message-ID without brackets.
id_of() {
	ids "$1" | tr -d '<>'
}

# subjects FILE...: one a line, unfolded and decoded, as Python reads them.
subjects() {
	python3 -c 'import email, email.policy, sys
for f in sys.argv[1:]:
    print(email.message_from_binary_file(open(f, "rb"), policy=email.policy.default)["Subject"])' "$@"
}

# thread ID: the Message-IDs of a thread in the archive, sorted.
thread() {
	python3 -c 'import sys, gzip, urllib.request, re
data = gzip.decompress(urllib.request.urlopen(sys.argv[1]).read())
for part in re.split(rb"^From mboxrd@z.*\n", data, flags=re.M)[1:]:
    print(re.search(rb"^Message-ID: *(\S+)", part, re.M | re.I).group(1).decode())' \
		"$b4_url/$1/t.mbox.gz" | sort
}

# thread_is NAME: each mail of a posting leads to the mails of that posting, and no others.
thread_is() {
	ids "$T/$1"/*.eml | sort >"$T/want"
	for i in $(tr -d '<>' <"$T/want"); do
		thread "$i" >"$T/got" && test_cmp "$T/want" "$T/got" || return 1
	done
}

# reply ID MAIL FROM TEXT: an answer to a mail of ours, as people write them.
reply() {
	cat >"$T/reply.eml" <<-EOF
	From: $3
	To: Wendy Writer <wendy@example.org>
	Cc: list@example.org
	Subject: Re: $(subjects "$2")
	Date: $(date -u -R -d @1700003600)
	Message-ID: <$1@example.org>
	In-Reply-To: $(ids "$2")
	References: $(ids "$2")

	On that day, Wendy Writer wrote:
	> a line

	Looks fine to me.

	$4
	EOF
	inbox_inject list "$T/reply.eml"
}

# b4_forget: what it keeps of the archive. Of a search that is kept, b4 0.12 takes the first
# mail only.
b4_forget() {
	rm -rf "$XDG_CACHE_HOME/b4"
}

# b4am ID [OPTION...]: what b4 says is in $T/said, its mails are in $T/am/*.mbx.
b4am() {
	cd "$T/maintainer" && rm -rf "$T/am" && mkdir "$T/am" &&
	b4 am --no-cache -o "$T/am" "$@" >"$T/said" 2>&1 || { cat "$T/said"; return 1; }
}

# applied REF: git am of what b4 made, on the base that b4 names, is this commit of the
# author and those below it: trees, authors and messages.
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

# b4diff OLD NEW BASE-OF-OLD BASE-OF-NEW ID [OPTION...]: what b4 diff says of two versions is
# what git range-diff says of the author's commits. The rows are left in $T/rows.
b4diff() {
	git -C "$T/author" range-diff --no-color "$3..$1" "$4..$2" >"$T/want" || return 1
	shift 4
	b4_forget && cd "$T/maintainer" && b4 diff --no-cache -o "$T/got" "$@" >"$T/said" 2>&1 ||
		{ cat "$T/said"; return 1; }
	for f in "$T/want" "$T/got"; do
		sed "/^ *[0-9-]*:  /s/[0-9a-f]\{7,\}/HASH/g" "$f" >"$f.x" || return 1
	done
	no_complaint "$T/said" && test_cmp "$T/want.x" "$T/got.x" &&
	grep "^ *[0-9-]*:  " "$T/got.x" >"$T/rows"
}
