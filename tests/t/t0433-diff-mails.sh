#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# diff of what was posted, from mails: which patch became which, by hand and by git
# range-diff of the branches that the mails were made from.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# A file of C: functions of some lines each, so that hunks have names.
c_file() {
	for f in $(seq 1 "$1"); do
		printf 'static int fun%s(int x)\n{\n' "$f"
		for l in 1 2 3 4 5 6 7 8 9; do printf '\tx += fun%s_%s(x);\n' "$f" "$l"; done
		printf 'out:\n\treturn x;\n}\n\n'
	done
}
# line FILE FUNCTION LINE TEXT
line() {
	sed "s/^	x += fun$2_$3(x);\$/	$4/" "$1" >new && cat new >"$1" && rm new
}
take() {
	git add -A && git commit -q -s -m "$1" -m "Because of $1."
}

base() {
	git init -q r && cd r && mkdir mm && c_file 9 >mm/a.c && c_file 4 >mm/b.c && seq 40 >doc && printf 'no end' >end &&
	echo "#!/bin/sh" >run && printf '\0\1\2' >bin && seq 500 540 >gone && seq 700 760 >"odd name" && take base
}

# Nine patches of every kind; the second on top of what the first made.
first() {
	git switch -q -c one main &&
	line mm/a.c 2 5 "x = 2;" && take "mm: two" && line mm/a.c 2 6 "x = 3;" && line mm/a.c 7 1 "x = 7;" && take "mm: three, seven" &&
	git mv mm/b.c mm/c.c && take "mm: move b" && line mm/c.c 3 3 "x = 33;" && git mv doc words && take "mm: c, words" &&
	chmod +x run && echo "exit 1" >>run && take "run: exit" && printf 'no end\nno more' >end && take "end: more" &&
	printf '\0\1\3' >bin && take "bin: three" && git rm -q gone && seq 20 >fresh && take "gone: fresh" &&
	sed s/730/x/ "odd name" >new && mv new "odd name" && take "odd: x"
}

# One is as it was, one has other code, one another message, one is gone, one new, two moved.
second() {
	git switch -q -c two main &&
	line mm/a.c 2 5 "x = 2;" && take "mm: two" && chmod +x run && echo "exit 1" >>run && take "run: exit" &&
	line mm/a.c 2 6 "x = 3;" && line mm/a.c 7 1 "x = 77;" && take "mm: three, seven" && line mm/a.c 9 4 "x = 9;" && take "mm: nine" &&
	git mv mm/b.c mm/c.c && take "mm: move b" && line mm/c.c 3 3 "x = 33;" && git mv doc words && take "mm: c, more words" &&
	printf '\0\1\4' >bin && take "bin: three" && git rm -q gone && seq 20 >fresh && take "gone: fresh" &&
	sed s/730/x/ "odd name" >new && mv new "odd name" && take "odd: x"
}

# post BRANCH VERSION [OPTION...]: its mails
post() {
	branch=$1 v=$2 && shift 2
	git format-patch -q --stdout --thread -M --cover-letter -v "$v" --subject-prefix=PATCH "$@" main.."$branch" |
		sed -e "s/\*\*\* SUBJECT HERE \*\*\*/demo: all/" -e "s/^\(Message-I[dD]: \|In-Reply-To: \|References: \)</&v$v./"
}
# rows: "1 = 1" of what series prints
rows() {
	sed -n "s/^ *\([0-9-]* [=!<>] *[0-9-]*\)  .*/\1/p" | tr -s " "
}
# range A B: the same of git range-diff
range() {
	git range-diff -s --no-color "main..$1" "main..$2" | sed -E "s/^ *([0-9-]+): *[0-9a-f-]+ ([=!<>]) *([0-9-]+): .*/\1 \2 \3/"
}

test_expect_success "two versions in a file: rows by hand" '
	base && first && second && { post one 1; post two 2; } >../box && cd .. && cat >want <<-\EOF &&
	v1 -> v2: 5 unchanged, 3 changed, 1 dropped, 1 new, 1 moved
	1 = 1  unchanged         mm: two
	5 = 2  unchanged, moved  run: exit
	2 ! 3  changed           mm: three, seven
	- > 4  new               mm: nine
	3 = 5  unchanged         mm: move b
	4 ! 6  same code         mm: c, more words (was: mm: c, words)
	6 < -  dropped           end: more
	7 ! 7  changed           bin: three
	8 = 8  unchanged         gone: fresh
	9 = 9  unchanged         odd: x
	EOF
	mkdir outside && cd outside && "$SERIES" diff --summary ../box | sed "s/^ //; s/^\([^ ]* .\)  /\1 /" | sort >got && sort ../want >sorted && diff -u sorted got
'

test_expect_success "the marks of git range-diff on the branches" '
	cd r && range one two | sort >want && "$SERIES" diff --summary ../box | rows | sort >got && [ "$(wc -l <want)" = 10 ] &&
	sed "s/^7 = 7\$/7 ! 7/" want >"$T/marks" && diff -u "$T/marks" got
'

test_expect_success "below a changed patch stands what git range-diff has there" '
	cd r && git range-diff --no-color main..one main..two | grep "^    " >want &&
	"$SERIES" diff ../box | grep "^    " >got && diff -u want got
'

# git format-patch of other minds: another algorithm, more context, no renames found
test_expect_success "whatever options the mails were made with, and two files outside of a repository" '
	cd r && post one 1 --patience -U6 --no-indent-heuristic >../m1 && post two 2 --histogram -U4 >../m2 && range one two | sort >../want && cd .. &&
	"$SERIES" -C / diff --summary "$PWD/m1" "$PWD/m2" | rows | sort >got && sed "s/^7 = 7\$/7 ! 7/" want >"$T/marks" && diff -u "$T/marks" got
'

test_expect_success "what series format wrote, against the branch and against each other" '
	cd r && for b in one two; do
		git switch -q $b && "$SERIES" init --base main >/dev/null && make_cover "demo: all" "Of it." >/dev/null &&
		"$SERIES" format -v $([ $b = one ] && echo 1 || echo 2) -o ../out-$b >said 2>&1 || { cat said; return 1; }; rm said
	done && cat ../out-one/* >../f1 && cat ../out-two/* >../f2 && range one two | sed "s/^7 = 7\$/7 ! 7/" | sort >want &&
	"$SERIES" diff --summary ../f1 ../f2 | rows | sort >got && diff -u want got &&
	"$SERIES" diff --summary ../f1 branch | rows | sort >got && diff -u want got &&
	"$SERIES" diff --summary ../f1 >out && rows <out | sort >got && diff -u want got && head -1 out | grep "^v1 -> the branch: 5 unchanged" &&
	"$SERIES" diff --summary main..one ../f2 | rows | sort >got && diff -u want got &&
	"$SERIES" diff --summary ../f2 | sed 1d | grep -v " = \| 7 ! 7 " >out; diff -u /dev/null out
'

test_expect_success "--json: numbers of the posting, no commits that are gone, what is missing" '
	cd r && sed "/^Subject:.*3\/9\]/,/^-- /d" ../f1 >cut && "$SERIES" diff --json cut branch >j && python3 - <<-\EOF
	import json
	d = json.load(open("j"))
	assert d["notes"] == ["v1: patch 3/9 is not among the mails"], d["notes"]
	assert d["from"]["base"] is None and d["from"]["name"] == "v1" and len(d["to"]["tip"]) == 40
	by = {p["from"]: p for p in d["patches"]}
	assert by[4]["to"] == 6 and by[9]["to"] == 9 and 3 not in by
	assert by[4]["from_commit"] is None and len(by[4]["to_commit"]) == 40
	assert by[2]["places"] == ["mm/a.c: fun7()"], by[2]["places"]
	EOF
'

mails() {
	printf "From: A <a@example.org>\nMessage-ID: <m@example.org>\nDate: Mon, 5 Jan 2026 09:00:00 +0000\nSubject: [PATCH] x: y\n\nWhy.\n\nSigned-off-by: A <a@example.org>\n---\n\n"
	cat
}
test_expect_success "what cannot be read is said, and who it was" '
	cd r && printf -- "--- a/x\n+++ b/x\n@@ -1,3 +1,9 @@\n one\n+two\n" | mails >short && "$SERIES" diff --summary short branch >out &&
	sed -n 2p out >got && echo "v1: patch 1/1: the diff of x is cut short" >want && diff -u want got &&
	printf "diff --git a/../x b/../x\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-one\n+two\n" | mails >out-of && "$SERIES" diff --summary out-of branch >out &&
	sed -n 2p out >got && echo "v1: patch 1/1: git has no such path: ../x" >want && diff -u want got &&
	printf "diff --git a/i b/i\nindex 1..2 100644\nBinary files a/i and b/i differ\n" | mails >pic && "$SERIES" diff --summary pic branch >out &&
	sed -n 2p out >got && echo "v1: patch 1/1: what i becomes is not in the mail" >want && diff -u want got &&
	echo hello >text && test_status 1 "$SERIES" diff text branch 2>err && test_grep "text: there is no patch in it" err &&
	git switch -q main && test_status 1 "$SERIES" diff short 2>err && test_grep "there is no version before v1 in it; name both" err &&
	test_status 1 "$SERIES" diff short branch 2>err && test_grep "the branch here is no series" err &&
	test_status 129 "$SERIES" diff - - </dev/null 2>err && test_grep "read once" err
'

# Of a whole file git takes other lines as changed than of a hunk alone: "{" stands often in it.
test_expect_success "a patch is what its own mail says, in a file where one line stands often" '
	git init -q often && cd often && c_file 200 >a.c && take base && git switch -q -c topic &&
	python3 - <<-\EOF && take "a: gap" && "$SERIES" init --base main >/dev/null &&
	t = open("a.c").read()
	a = "static int fun50(int x)\n{\n"
	assert a in t
	t = t.replace(a, "static int gap(int x)\n{\n\tput(x);\n\tx = 0;\n}\n\n/* Why. */\nstatic int begin(int x, int y)\n{\n")
	t = t.replace("\tx += fun50_1(x);", "\tx += begin(x, y);")
	open("a.c", "w").write(t)
	EOF
	post topic 1 >../often.mbox && "$SERIES" diff ../often.mbox branch >out && printf "v1 -> the branch: 1 unchanged\n1 = 1  unchanged  a: gap\n" >want && diff -u want out
'

# What was fetched before is in the cache, by the address.
test_expect_success "by Message-ID: with the branch, and without a series with the version before" '
	cd r && cache=$XDG_CACHE_HOME/series/mail && mkdir -p "$cache" && id=$(sed -n "s/^Message-I[dD]: <\(v2.*\)>\$/\1/p" ../box | sed -n 3p) &&
	name=$(printf %s "https://lore.kernel.org/all/$id/t.mbox.gz" | sha256sum | cut -c1-16) && gzip -c ../box >"$cache/$name.mbox.gz" &&
	"$SERIES" diff --summary ../box >want && "$SERIES" diff --summary --offline "$id" >got && diff -u want got &&
	"$SERIES" diff --summary --offline "https://lore.kernel.org/r/$id" >got; git switch -q one &&
	range two one | sed "s/^7 = 7\$/7 ! 7/" | sort >want && "$SERIES" diff --summary --offline "$id" | rows | sort >got && diff -u want got
'

test_expect_success "nothing stays: no object in the repository, no folder" '
	cd r && git count-objects -v >before && mkdir tmp && TMPDIR=$PWD/tmp "$SERIES" diff ../f1 ../f2 >out && git count-objects -v >after &&
	diff -u before after && [ -z "$(ls tmp)" ]
'
test_done
