#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# status: what is built, posted and stale, and what to do next, from documents of the state
# that were written by hand in the form of the design.
. "${SRCDIR:-.}/tests/helper/tap.sh"

next_is() {
	"$SERIES" status >"$T/status" && test_grep "^next: $1" "$T/status"
}
# put PATH <CONTENT: a file in the state of the series topic
put() {
	blob=$(git hash-object -w --stdin) && GIT_INDEX_FILE=$T/idx git read-tree refs/series/topic/state &&
	GIT_INDEX_FILE=$T/idx git update-index --add --cacheinfo "100644,$blob,$1" &&
	tree=$(GIT_INDEX_FILE=$T/idx git write-tree) && rm "$T/idx" &&
	commit=$(git commit-tree -p refs/series/topic/state -m put "$tree") &&
	git update-ref refs/series/topic/state "$commit"
}
# build HASH REV ARCH OUTCOME
build() {
	put "build/$1.json" <<-E
	{"schema": 1, "arch": "$3", "commit": "$(git rev-parse "$2")", "outcome": "$4",
	 "tree": "$(git rev-parse "$2^{tree}")", "warnings": []}
	E
}
patch_id() {
	git diff-tree -p "$1" | git patch-id --stable | cut -d" " -f1
}
# version N STATE REV...
version() {
	n=$1 state=$2
	shift 2
	list= k=0
	for rev; do
		k=$((k + 1))
		list="$list${list:+,}{\"n\":$k,\"commit\":\"$(git rev-parse "$rev")\",\"patch_id\":\"$(patch_id "$rev")\",\"subject\":\"$(git log -1 --format=%s "$rev")\",\"message_id\":\"v$n-$k@example.org\"}"
	done
	put "versions/$n.json" <<-E
	{"schema": 1, "n": $n, "base": "$(git rev-parse main)", "head": "$(git rev-parse HEAD)",
	 "postings": [{"state": "$state", "date": 1700000000, "prefix": "PATCH v$n", "message_id": "v$n-0@example.org", "resend": false}],
	 "patches": [$list], "to": [], "cc": []}
	E
}

test_expect_success 'without a series, bare series is the help and status says what to do' '
	git init -q r && cd r && test_commit a 1 u1 && git switch -q -c topic && "$SERIES" >out &&
	test_grep "usage" out && test_status 1 "$SERIES" status 2>err && test_grep "series init" err
'

test_expect_success 'no patches yet' '
	cd r && "$SERIES" init --base main && next_is "commit patches" && "$SERIES" status --json >j &&
	python3 -c "import json; d=json.load(open(\"j\")); assert d[\"patches\"]==[] and d[\"state\"]==\"preparing\""
'

test_expect_success 'next leads from the cover to the build' '
	cd r && test_commit a 2 "mm: one" && test_commit a 3 "mm: two" && test_commit a 4 "mm: three" &&
	next_is "series cover --edit" && printf "*** SUBJECT HERE ***\n" | "$SERIES" cover -F - &&
	next_is "series cover --edit" && printf "mm: title\n\nText.\n" | "$SERIES" cover -F - &&
	next_is "series build"
'

test_expect_success 'builds are found by tree, the worst outcome of an arch is shown' '
	cd r && build 01 main arm64 pass && build 02 HEAD~2 arm64 pass && build 03 HEAD~1 arm64 pass &&
	build 04 HEAD~1 arm64 warn && build 05 HEAD arm64 pass && build 06 HEAD x86_64 pass &&
	"$SERIES" status >out && test_grep "arm64  x86_64" out && test_grep "base  *pass  *-" out &&
	test_grep "1  mm: one  *pass  *-" out && test_grep "2  mm: two  *warn  *-" out &&
	test_grep "3  mm: three  *pass  *pass" out && test_grep "warning: patch 2/3" out
'

test_expect_success 'a patch that fails comes first in next' '
	cd r && build 07 HEAD~1 x86_64 fail && next_is "repair patch 2 for x86_64" &&
	test_grep "error: patch 2/3" ../status && build 07 HEAD~1 x86_64 pass
'

test_expect_success 'a reworded commit keeps its build, a changed one loses it' '
	cd r && git commit -q --amend -m "mm: three, reworded" && "$SERIES" status >out &&
	test_grep "3  mm: three, reworded  *pass" out && git tag good && test_commit a 5 "mm: four" &&
	next_is "series build --arch arm64 --each" && git reset -q --hard good
'

test_expect_success 'a wanted benchmark without results is next, then recipients, then send' '
	cd r && printf "mm: title\n\nText.\n@bench swapout\n" | "$SERIES" cover -F - &&
	next_is "series bench swapout" && printf "mm: title\n\nText.\n" | "$SERIES" cover -F - &&
	next_is "series recipients --add-to" && "$SERIES" recipients --add-to linux-mm@example.org &&
	next_is "series send"
'

test_expect_success 'sent and unchanged: wait; a changed patch is called so' '
	cd r && version 1 sent HEAD~2 HEAD~1 HEAD && next_is "v1 is out" && test_grep "v2 sent" ../status &&
	test_grep "v1  2023-11-14 sent, 3 patches  <v1-0@example.org>" ../status &&
	echo 9 >a && git commit -q -a --amend --no-edit && "$SERIES" status >out &&
	test_grep "3  mm: three, reworded.*changed" out && test_grep "v2 preparing" out &&
	"$SERIES" status --json >j && python3 -c "
import json; d=json.load(open(\"j\")); p=d[\"patches\"]
assert d[\"draft\"]==2 and d[\"state\"]==\"preparing\"
assert [x[\"changed\"] for x in p]==[False,False,True]
assert [x[\"since\"] for x in p]==[1,1,2]
assert d[\"versions\"]==[{\"n\":1,\"state\":\"sent\",\"date\":\"2023-11-14T22:13:20Z\",\"message_id\":\"v1-0@example.org\",\"patches\":3}]"
'

test_expect_success 'log shows what was posted' '
	cd r && "$SERIES" log >out && test_grep "^v1  3 patches" out && test_grep "2023-11-14 sent \[PATCH v1\] <v1-0@example.org>" out &&
	test_grep "2 mm: two" out && "$SERIES" list >out && test_grep "topic  v1  *sent" out
'

test_expect_success 'half of a version out: nothing but going on is advised' '
	cd r && version 2 partial HEAD~2 HEAD~1 HEAD && next_is "series send --resume" && test_grep "v3 partial" ../status
'

test_expect_success 'behind is counted, and a base ref that is gone is no error' '
	cd r && git switch -q main && test_commit z 1 u2 && git switch -q topic && "$SERIES" status >out &&
	test_grep "(main, 1 behind)" out && git branch -q -D main && "$SERIES" status
'

test_expect_success 'status NAME, -s NAME and bare series from a subdirectory are the same' '
	cd r && "$SERIES" status topic >one && "$SERIES" status -s topic >two && test_cmp one two &&
	mkdir -p sub && cd sub && "$SERIES" >../three && test_cmp ../one ../three
'

test_expect_success 'a gone branch is told' '
	cd r && git switch -q --detach && git branch -q -D topic && "$SERIES" status topic >out && test_grep "(gone)" out &&
	test_status 1 "$SERIES" status nosuch 2>err && test_grep "no series \"nosuch\"" err
'

test_expect_success 'escape sequences of a subject do not reach the terminal' '
	cd r && git switch -q -c evil && printf "x" >e && git add e &&
	git commit -q -m "$(printf "mm: \033[31mred\033[0m end")" && "$SERIES" init --base HEAD~1 >out &&
	! grep "$(printf "\033")" out && "$SERIES" status >out && ! grep "$(printf "\033")" out && test_grep "mm: red end" out
'

test_done
