#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# diff: which patch became which, in words, as text and as JSON. What git range-diff prints
# is the measure for the differences themselves.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

# edit FROM TO SUBJECT: a line of numbers replaced, committed; indented, so that git does not
# take it for the name of a function
edit() {
	sed "s/^$1\$/ $2/" numbers >new && mv new numbers && git commit -q -a -m "$3"
}

setup() {
	git init -q r && cd r && seq 1 90 >numbers && git add numbers && git commit -q -m base &&
	git switch -q -c topic && edit 10 ten "numbers: ten" && edit 30 thirty "numbers: thirty" &&
	edit 50 fifty "numbers: fifty" && edit 70 seventy "numbers: seventy" && git tag one &&
	"$SERIES" init --base main &&
	version 1 sent one~3 one~2 one~1 one
}

# v2: thirty with another word, fifty dropped, seventy first, ten as it was, a new one
rework() {
	git reset -q --hard main && edit 70 seventy "numbers: seventy" &&
	edit 10 ten "numbers: ten" && edit 30 THIRTY "numbers: louder thirty" &&
	edit 85 more "numbers: more"
}

test_expect_success "nothing posted yet" '
	git init -q n && cd n && test_commit a 1 u1 && git switch -q -c topic && test_commit b 1 u2 &&
	"$SERIES" init --base main && test_status 1 "$SERIES" diff 2>err && test_grep "no version was posted yet" err
'

test_expect_success "the branch as it was posted" '
	setup && "$SERIES" diff >out && head -n 1 out >head &&
	echo "v1 -> the branch: 4 unchanged" >want && test_cmp want head && [ "$(wc -l <out)" = 5 ]
'

test_expect_success "reworked: each change has its word" '
	cd r && rework && "$SERIES" diff --summary >out && cat >want <<-\E &&
	v1 -> the branch: 2 unchanged, 1 changed, 1 dropped, 1 new, 1 moved
	E
	head -n 1 out >head && test_cmp want head &&
	test_grep "^4 = 1  unchanged, moved  numbers: seventy\$" out &&
	test_grep "^1 = 2  unchanged         numbers: ten\$" out &&
	test_grep "^2 ! 3  changed           numbers: louder thirty (was: numbers: thirty)\$" out &&
	test_grep "^3 < -  dropped           numbers: fifty\$" out &&
	test_grep "^- > 4  new               numbers: more\$" out && [ "$(wc -l <out)" = 6 ]
'

test_expect_success "the differences are those of git range-diff" '
	cd r && "$SERIES" diff | grep "^    " >got &&
	git range-diff --no-color main..one main..topic | grep "^    " >want && test_cmp want got
'

test_expect_success "two versions need no branch, in either direction" '
	cd r && version 2 sent topic~3 topic~2 topic~1 topic && git switch -q main &&
	git branch -q -D topic && "$SERIES" diff -s topic --summary v1 v2 >out &&
	[ "$(wc -l <out)" = 6 ] && "$SERIES" diff -s topic --summary v2 1 >out &&
	head -n 1 out >head && cat >want <<-\E && test_cmp want head &&
	v2 -> v1: 2 unchanged, 1 changed, 1 dropped, 1 new, 1 moved
	E
	test_status 1 "$SERIES" diff -s topic 2>err && test_grep "its branch topic is gone" err
'

test_expect_success "a message alone is no change of the code" '
	setup2() { git init -q m && cd m && seq 9 >numbers && git add . && git commit -q -m base &&
		git switch -q -c topic && edit 3 three "numbers: three" && git tag one &&
		"$SERIES" init --base main && version 1 sent one; } && setup2 &&
	git commit -q --amend -m "numbers: three, and why" && "$SERIES" diff >out &&
	test_grep "^1 ! 1  same code  numbers: three, and why (was: numbers: three)\$" out &&
	"$SERIES" diff --json >j && python3 - <<-\E
	import json
	d = json.load(open("j"))
	p, = d["patches"]
	assert (d["from"]["version"], d["to"]["version"]) == (1, None), d
	assert (d["changed"], d["new"], d["moved"]) == (1, 0, 0), d
	assert p["places"] == ["Commit message"] and p["retitled"] and not p["code_changed"], p
	assert p["change"] == "changed" and "numbers: three, and why" in p["diff"], p
	E
'

test_expect_success "wrong names say what there is" '
	cd m && test_status 1 "$SERIES" diff v7 2>err && test_grep "v7: no version of the series topic; there is v1" err &&
	test_status 1 "$SERIES" diff v1 main..nowhere 2>err && test_grep nowhere err &&
	test_status 1 "$SERIES" diff topic..main topic 2>err &&
	test_status 129 "$SERIES" diff v1 v1 v1 2>err
'

test_expect_success "v1..v2 are two versions, and an RFC before v1 has its name" '
	git init -q f && cd f && seq 9 >numbers && git add . && git commit -q -m base && git switch -q -c topic &&
	edit 3 three "numbers: three" && "$SERIES" init --base main && version 1 sent HEAD && git show refs/series/topic/state:versions/1.json >v1 &&
	sed "s/\"n\": 1,/& \"rfc\": true,/" v1 | put versions/rfc1.json && git commit -q --amend -m "numbers: 3" && version 1 sent HEAD &&
	for args in "rfc1 v1" rfc1..v1 rfc1..1; do
		"$SERIES" diff --summary $args >out && echo "rfc1 -> v1: 1 changed" >want && head -n 1 out >head && test_cmp want head || return 1
	done && "$SERIES" diff --summary v1..branch >out && test_grep "^v1 -> the branch: 1 unchanged" out &&
	"$SERIES" diff --summary main..branch >out 2>err; test_grep "no commit .branch" err &&
	test_status 1 "$SERIES" diff rfc2 2>err && test_grep "there is rfc1, v1, .branch" err &&
	test_status 1 "$SERIES" diff v0 2>err && test_status 1 "$SERIES" diff v1..v7 2>err && test_grep "v7: no version of the series topic" err &&
	"$SERIES" diff v1 v1 >out && test_grep "^v1 -> v1: 1 unchanged" out
'

# What git calls a dropped and a new patch; v1 has two patches of one title, v2 one.
test_expect_success "a patch that git does not pair has changed when the title is the same, as changes says" '
	git init -q u && cd u && seq 9 >numbers && git add . && git commit -q -m base && git switch -q -c topic &&
	edit 3 three "numbers: one line" && seq 40 >rewritten && git add . && git commit -q -m "rewritten: add" -m "$(seq -f "Why %g" 9)" &&
	seq 7 >twice && git add . && git commit -q -m "twice" && seq 50 80 >twice && git commit -q -a -m "twice" &&
	"$SERIES" init --base main && version 1 sent $(git rev-list --reverse main..) && git tag one && git reset -q --hard main &&
	seq 900 940 >other && git add . && git commit -q -m "rewritten: add" -m "Now another way." &&
	edit 7 "seven, not three" "numbers: one line" && seq 300 340 >twice && git add . && git commit -q -m "twice" &&
	git range-diff -s main..one main..topic | grep -c "[<>]" >loose && [ "$(cat loose)" = 7 ] &&
	"$SERIES" diff >out && grep -v "^    " out >rows && cat >want <<-\E && test_cmp want rows &&
	v1 -> the branch: 3 changed, 1 dropped, 1 moved
	4 < -  dropped         twice
	2 ! 1  changed, moved  rewritten: add
	1 ! 2  changed         numbers: one line
	3 ! 3  changed         twice
	E
	for pair in "one~2 topic~2" "one~3 topic~1" "one~1 topic"; do
		git range-diff --creation-factor=999 ${pair% *}~1..${pair% *} ${pair#* }~1..${pair#* } | grep "^    " || return 1
	done >want && grep "^    " out >got && test_cmp want got && "$SERIES" diff --json >j && python3 - <<-\E &&
	import json
	d = json.load(open("j"))
	assert (d["changed"], d["dropped"], d["new"], d["moved"]) == (3, 1, 0, 1), d
	p = [p for p in d["patches"] if p["to"] == 2][0]
	assert p["from"] == 1 and p["change"] == "changed" and p["code_changed"] and not p["retitled"], p
	assert p["places"] == ["numbers"] and "seven, not three" in p["diff"], p
	E
	"$SERIES" changes --suggest >out && test_grep "changed" out && test_nogrep "new patch" out && [ "$(grep -c "dropped patch" out)" = 1 ]
'

test_expect_success "a range on either side, and colours on demand" '
	cd m && "$SERIES" diff v1 main..topic --summary >out 2>err && head -n 1 out >head &&
	echo "v1 -> main..topic: 1 changed" >want && test_cmp want head &&
	"$SERIES" --color=always diff >out && grep -q "$(printf "\033\\[33m")" out &&
	"$SERIES" diff >out && test_nogrep "$(printf "\033")" out
'

test_expect_success "a title with control bytes stays text" '
	cd m && printf "numbers: \033]0;pwned\007 three" | git commit -q --amend -F - && "$SERIES" diff >out &&
	test_grep "three" out && test_nogrep "$(printf "[\033\007]")" out
'

# kinds VERSION: a patch of every kind, each with a file of its own. In v2 all are other ones
# than in v1 but for the first.
kinds() {
	done_as() { git commit -q -a -m "$1" -m "$(seq -f "Reason %g of $1" 12)"; }
	sub() { sed "$1" "$2" >new && cat new >"$2"; }
	if [ $1 = 1 ]; then type=int arg= in=f a=a b=b; else type=long arg=" int n" in=g a=b b=a; fi
	sub "s/five/5/" ctx.c && done_as "ctx: five" &&
	sub "s/^int below/static $type above(int x)\n{\n	return x;\n}\n\n&/" above.c && done_as "above: a function above another" &&
	sub "s/^int two.*/&\nint three(struct long_name *name,\n	  struct other *other,$arg);/" head.h && done_as "head: declare" &&
	seq 20 >>run && { [ $1 = 1 ] || chmod +x run; } && done_as "run: mode" &&
	printf "\0$1" >picture && seq 20 >legend && git add picture legend && done_as "picture: binary" &&
	sub "/^int $in(/,/return/s/return/call();\n	return/" where.c && done_as "where: call" &&
	sub "s/return/$a();\n	$b();\n	return/" order.c && done_as "order: two" &&
	sub "s/^Text (one).*/&\n$1 more/" prose.rst && done_as "prose: more" &&
	{ seq 20; echo $1; } >"a \"b.c" && git add . && done_as "name: with a quote"
}

test_expect_success "where the code differs: functions of their own lines; context is no code" '
	git init -q k && cd k && fn() { printf "int %s(int x)\n{\n" $1; printf "\tx += %s;\n" one two three four five six seven eight nine; printf "\treturn x;\n}\n\n"; } &&
	fn ctx >ctx.c && { fn before; fn below; } >above.c && printf "struct s {\n	int x;\n};\n\nint one(int);\nint two(int);\n" >head.h &&
	echo run >run && echo other >other && { fn f; fn g; } >where.c && fn order >order.c && printf "Title\n=====\n\nText (one) and\ntwo\n" >prose.rst &&
	git add . && git commit -q -m base && git switch -q -c topic && echo new >.git/info/exclude && kinds 1 && "$SERIES" init --base main &&
	version 1 sent $(git rev-list --reverse main..HEAD) && git switch -q main && sed -i "s/four/4/" ctx.c && git commit -q -a -m four &&
	git switch -q -C topic main && kinds 2 && "$SERIES" diff --json >j && python3 - <<-\E &&
	import json
	got = [(p["to_subject"].split(":")[0], p["change"], p["code_changed"], p["places"]) for p in json.load(open("j"))["patches"]]
	want = [("ctx", "changed", False, []),
	        ("above", "changed", True, ["above.c: above()"]),
	        ("head", "changed", True, ["head.h"]),
	        ("run", "changed", True, ["run"]),
	        ("picture", "changed", True, ["picture"]),
	        ("where", "changed", True, ["where.c: g()", "where.c: f()"]),
	        ("order", "changed", True, ["order.c: order()"]),
	        ("prose", "changed", True, ["prose.rst"]),
	        ("name", "changed", True, ["a \\\"b.c"])]
	for g, w in zip(got, want):
	    assert g == w, (g, w)
	assert len(got) == len(want), got
	E
	"$SERIES" diff --summary >out && test_grep "^1 ! 1  same code  ctx: five\$" out && test_grep "^5 ! 5  changed    picture" out
'

test_expect_success "a hundred patches within a second of git itself" '
	git init -q h && cd h && seq 1 400 >numbers && git add . && git commit -q -m base &&
	git switch -q -c topic && for i in $(seq 1 100); do
		edit $((i * 3)) "line $i" "numbers: patch $i" || return 1
	done && git tag one && "$SERIES" init --base main && version 1 sent one &&
	GIT_SEQUENCE_EDITOR="sed -i 1,10s/^pick/reword/" GIT_EDITOR="sed -i s/patch/PATCH/" \
		git rebase -q -i main >/dev/null && "$SERIES" diff --summary >out && head -n 1 out >head &&
	echo "v1 -> the branch: 90 unchanged, 10 changed" >want && test_cmp want head &&
	test_grep "^ *10 ! *10  same code" out
'
test_done
