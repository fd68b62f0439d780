# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of what a maintainer does with posted series, sourced behind tap.sh and mail.sh.
# Wendy Writer posts from $T/author; Mara Maintainer's tree is $T/r.
# shellcheck shell=sh disable=SC2154

# am_people: both repositories with one commit on main: the files numbers and letters.
am_people() {
	git init -q "$T/author" && cd "$T/author" && seq 1 60 >numbers && seq 1 60 | sed "s/^/letter /" >letters &&
	git add . && git commit -q -m "base" && git clone -q . "$T/r" && git -C "$T/r" config user.name "Mara Maintainer" &&
	git -C "$T/r" config user.email mara@example.org
}

# edit FILE LINE TEXT, in the repository at hand
edit() {
	sed "$2s/.*/$3/" "$1" >"$T/edited" && cat "$T/edited" >"$1"
}

# c SUBJECT [OPTION...]: commit what was edited
c() {
	am_subject=$1 && shift && git commit -q -a -s -m "$am_subject" "$@"
}

# mails N RANGE [OPTION...]: the commits as version N in $T/vN, with a cover and Message-IDs
# vN-K@example.org, a minute between them.
mails() {
	am_n=$1 am_range=$2 && shift 2 && rm -rf "$T/v$am_n" &&
	git -C "$T/author" format-patch -q -o "$T/v$am_n" -v "$am_n" --cover-letter --thread=shallow "$@" "$am_range" &&
	python3 - "$T/v$am_n" "$am_n" <<-\E
	import glob, re, sys
	folder, n = sys.argv[1:]
	for k, path in enumerate(sorted(glob.glob(folder + "/*.patch"))):
	    t = open(path).read()
	    t = re.sub(r"(?m)^Message-Id: .*", "Message-ID: <v%s-%d@example.org>" % (n, k), t, 1)
	    t = re.sub(r"(?m)^(In-Reply-To|References): .*\n", "", t)
	    head = "To: list@example.org\nCc: Rita Reader <rita@example.org>\n"
	    if k:
	        head += "In-Reply-To: <v%s-0@example.org>\n" % n
	    t = t.replace("\nSubject: ", "\n" + head + "Subject: ", 1)
	    t = re.sub(r"(?m)^Date: .*", "Date: Mon, %d Mar 2026 09:%02d:00 +0200" % (int(n) * 7, k), t, 1)
	    t = t.replace("*** SUBJECT HERE ***", "numbers: words").replace("*** BLURB HERE ***", "Better lines.")
	    open(path, "w").write(t)
	E
}

# mbox FILE...: as an mboxrd
mbox() {
	for file; do
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970" && sed "1{/^From [0-9a-f]\{40\} /d}; s/^>*From />&/" "$file" && echo || return 1
	done
}

am_minute=0
# reply ID PARENT FROM TEXT: a mail of an mbox; each is a minute later than the one before.
reply() {
	am_minute=$((am_minute + 1))
	printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: %s\nTo: list@example.org\nSubject: Re: something\nDate: Tue, 31 Mar 2026 10:%02d:00 +0000\nMessage-ID: <%s@example.org>\nIn-Reply-To: <%s@example.org>\n\n%b\n\n" \
		"$3" "$am_minute" "$1" "$2" "$4"
}

# log RANGE: what commits are, but for who made them, when, and their names
commits() {
	git log --reverse --format="%T %an <%ae> %aI%n%B" "$1"
}

# fresh [COMMIT]: Mara's main is that of the author again, without anything in progress.
fresh() {
	cd "$T/r" && { git am --abort 2>/dev/null || :; } && git switch -q -f main && git reset -q --hard "${1:-origin/main}" && git clean -q -f -d
}

# git_am_of BASE OPTIONS -- FILE...: what git am makes of the mails, in $T/want
git_am_of() {
	fresh "$1" && shift && git am -q "$@" && commits origin/main..HEAD >"$T/want" && fresh
}
