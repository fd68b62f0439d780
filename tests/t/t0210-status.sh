#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# status: what is built, posted and stale, and what to do next, from documents of the state
# that were written by hand in the form of the design.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

next_is() {
	"$SERIES" status >"$T/status" && test_grep "^next: $1" "$T/status"
}
# build HASH REV ARCH OUTCOME
build() {
	put "build/$1.json" <<-E
	{"schema": 1, "arch": "$3", "commit": "$(git rev-parse "$2")", "outcome": "$4",
	 "tree": "$(git rev-parse "$2^{tree}")", "warnings": []}
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

# session HASH: six blocks of base and tip, the tip at half the time, 1 % more or less by turns.
# By hand: mean of the logs ln .5 - .00005, sd .010955, t(.975, 5) = 2.5706: -50.0 [-50.6, -49.4].
session() {
	BASE=$(git rev-parse "main^{tree}") TIP=$(git rev-parse "HEAD^{tree}") \
	IDS=$(for c in HEAD~2 HEAD~1 HEAD; do patch_id $c; done | xargs) \
	KB=$(git rev-parse main) KT=$(git rev-parse HEAD) python3 - <<-\E
	import json, os
	e = os.environ
	boots, col = [], {k: [] for k in ("boot", "case", "run", "value", "proven")}
	for b in range(6):
	    for k in range(2):
	        boots.append({"kernel": k, "block": b + 1, "order": k + 1, "boot_id": "b%d%d" % (b, k),
	                      "build_id": "00", "state": "OK", "why": None, "notes": [], "wall_ms": 1})
	        v = 100000000 if k == 0 else 50500000 if b % 2 else 49500000
	        for n, x in (("boot", len(boots) - 1), ("case", 0), ("run", 1), ("value", v), ("proven", 1)):
	            col[n].append(x)
	json.dump({"schema": 1, "id": "20261130T120000-abcdef", "bench": "swapout", "host": "box", "arch": "arm64",
	  "accel": "kvm", "instrument": "real", "delta_ppb": 10000000, "floor_ppb": 2000000, "q_ppb": 0, "version": 1,
	  "seed": 1, "blocks": 6, "runs": 1, "date": 1796000000, "metric": "pageout", "unit": "ns", "better": "lower",
	  "setup": "", "complete": True, "facts": None,
	  "key": {"base_tree": e["BASE"], "tip_tree": e["TIP"], "patch_ids": e["IDS"].split(), "config": "0" * 64,
	          "compiler": "gcc", "bench_hash": e.get("BENCH_HASH", ""), "host_class": "box"},
	  "cases": [{"name": "64K", "command": "swapout", "proof": ""}],
	  "kernels": [{"label": "base", "commit": e["KB"], "tree": e["BASE"], "build_id": "00", "release": "6.12"},
	              {"label": "p3", "commit": e["KT"], "tree": e["TIP"], "build_id": "00", "release": "6.12"}],
	  "boots": boots}, open("summary", "w"))
	json.dump(dict(col, counters={}, schema=1), open("samples", "w"))
	E
	put "bench/$1/summary.json" <summary && put "bench/$1/samples.json" <samples
}

test_expect_success 'a stored session is judged, and called stale when the branch changes' '
	cd r && session 0123456789abcdef && "$SERIES" status >out &&
	test_grep "swapout  64K  box/arm64  -50.0 % \[-50.6, -49.4\]  faster" out && test_nogrep STALE out &&
	printf "mm: title\n\nText.\n@bench swapout\n" | "$SERIES" cover -F - && next_is "series send" &&
	test_commit a 6 "mm: four" && "$SERIES" status >out && test_grep "faster  STALE" out &&
	build 08 HEAD arm64 pass && next_is "series bench swapout --arch arm64" &&
	"$SERIES" status --json >j && python3 -c "
import json; b=json.load(open(\"j\"))[\"bench\"][0]
assert abs(b[\"effect\"]-.499975)<1e-5 and abs(b[\"ci\"][0]-.494260)<1e-5 and b[\"fresh\"] is False, b" &&
	git reset -q --hard HEAD~1
'

test_expect_success 'a session of another version of the benchmark is stale' '
	cd r && git config branch.topic.series >name && cp -r . ../other && cd ../other &&
	BENCH_HASH=$(printf %064d 1) session 0123456789abcdef && "$SERIES" status >out &&
	test_grep "faster  STALE" out
'

test_expect_success 'sent and unchanged: wait; a changed patch is called so' '
	cd r && version 1 sent HEAD~2 HEAD~1 HEAD && next_is "series update, or series update --from MBOX: what came back for v1" && test_grep "  v1 sent, branch" ../status &&
	test_grep "v1  2023-11-14 sent, 3 patches  <v1-0@example.org>" ../status &&
	echo 9 >a && git commit -q -a --amend --no-edit && "$SERIES" status >out &&
	test_grep "3  mm: three, reworded.*changed" out && test_grep "v2 preparing" out &&
	next_is "series changes --edit" && echo "- louder" | put changes/v2.txt && next_is "series b" && echo | put changes/v2.txt && next_is "series changes --edit" &&
	"$SERIES" status --json >j && python3 -c "
import json; d=json.load(open(\"j\")); p=d[\"patches\"]
assert d[\"draft\"]==2 and d[\"state\"]==\"preparing\"
assert [x[\"changed\"] for x in p]==[False,False,True]
assert [x[\"since\"] for x in p]==[1,1,2]
assert d[\"versions\"]==[{\"n\":1,\"id\":\"v1\",\"state\":\"sent\",\"date\":\"2023-11-14T22:13:20Z\",\"message_id\":\"v1-0@example.org\",\"patches\":3,\"fixups\":0}]"
'

test_expect_success 'log shows what was posted' '
	cd r && "$SERIES" log >out && test_grep "^v1  3 patches" out && test_grep "2023-11-14 sent \[PATCH v1\] <v1-0@example.org>" out &&
	test_grep "2 mm: two" out && "$SERIES" list >out && test_grep "topic  *v1  *sent" out
'

test_expect_success 'half of a version out and given up: both ways on are named' '
	cd r && version 2 partial HEAD~2 HEAD~1 HEAD && next_is "v2 went out in part: series send posts v3, series send --resend posts v2 whole" &&
	test_grep "  v2 partial, branch" ../status
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
