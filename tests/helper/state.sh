# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, sourced behind tap.sh: documents of the series "topic" written by hand, in the
# form of the design.
# shellcheck shell=sh

# put PATH <CONTENT: a file in the state of the series topic
put() {
	blob=$(git hash-object -w --stdin) && GIT_INDEX_FILE=$T/idx git read-tree refs/series/topic/state &&
	GIT_INDEX_FILE=$T/idx git update-index --add --cacheinfo "100644,$blob,$1" &&
	tree=$(GIT_INDEX_FILE=$T/idx git write-tree) && rm "$T/idx" &&
	commit=$(git commit-tree -p refs/series/topic/state -m put "$tree") &&
	git update-ref refs/series/topic/state "$commit"
}
# put_state PATH TEXT
put_state() {
	printf "%s\n" "$2" | put "$1"
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
# session HASH ACCEL: three blocks of base and tip on a host of that kind, one patch.
session() {
	ACCEL=$2 BASE=$(git rev-parse "main^{tree}") TIP=$(git rev-parse "HEAD^{tree}") \
	ID=$(git diff-tree -p HEAD | git patch-id --stable | cut -d" " -f1) \
	KB=$(git rev-parse main) KT=$(git rev-parse HEAD) python3 - <<-\E
	import json, os
	e = os.environ
	real = e["ACCEL"] == "kvm"
	boots, col = [], {k: [] for k in ("boot", "case", "run", "value", "proven")}
	for b in range(3):
	    for k in range(2):
	        boots.append({"kernel": k, "block": b + 1, "order": k + 1, "boot_id": "b%d%d" % (b, k),
	                      "build_id": "00", "state": "OK", "why": None, "notes": [], "wall_ms": 1})
	        for n, x in (("boot", len(boots) - 1), ("case", 0), ("run", 1),
	                     ("value", (200000000, 100000000)[k] + b), ("proven", 1)):
	            col[n].append(x)
	json.dump({"schema": 1, "id": "20261130T120000-abcdef", "bench": "swapout", "host": "box", "arch": "arm64",
	  "accel": e["ACCEL"], "instrument": "real" if real else "icount", "delta_ppb": 10000000,
	  "floor_ppb": 2000000, "q_ppb": 0 if real else 100000, "version": 1,
	  "seed": 1, "blocks": 3, "runs": 1, "date": 1796000000, "metric": "pageout", "unit": "ns", "better": "lower",
	  "setup": "", "complete": True, "facts": None,
	  "key": {"base_tree": e["BASE"], "tip_tree": e["TIP"], "patch_ids": [e["ID"]], "config": "0" * 64,
	          "compiler": "gcc", "bench_hash": "", "host_class": "box"},
	  "cases": [{"name": "64K", "command": "swapout", "proof": ""}],
	  "kernels": [{"label": "base", "commit": e["KB"], "tree": e["BASE"], "build_id": "00", "release": "6.12"},
	              {"label": "p1", "commit": e["KT"], "tree": e["TIP"], "build_id": "00", "release": "6.12"}],
	  "boots": boots}, open("../summary", "w"))
	json.dump(dict(col, counters={}, schema=1), open("../samples", "w"))
	E
	put "bench/$1/summary.json" <../summary && put "bench/$1/samples.json" <../samples
}
