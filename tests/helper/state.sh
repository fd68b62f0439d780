# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, sourced behind tap.sh: documents of the series "topic" ($state_of, if that is
# set) written by hand, in the form of the design.
# shellcheck shell=sh

# put PATH <CONTENT: a file in its state
put() {
	ref=refs/series/${state_of:-topic}/state
	blob=$(git hash-object -w --stdin) && GIT_INDEX_FILE=$T/idx git read-tree "$ref" &&
	GIT_INDEX_FILE=$T/idx git update-index --add --cacheinfo "100644,$blob,$1" &&
	tree=$(GIT_INDEX_FILE=$T/idx git write-tree) && rm "$T/idx" &&
	commit=$(git commit-tree -p "$ref" -m put "$tree") &&
	git update-ref "$ref" "$commit"
}
# put_state PATH TEXT
put_state() {
	printf "%s\n" "$2" | put "$1"
}
patch_id() {
	git diff-tree -p --full-index --no-renames "$1" | git patch-id --stable | cut -d" " -f1
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
# session HASH ACCEL [NS...]: three blocks of base and tip of the branch on a host of that
# kind; nanoseconds of base, tip, base, tip, base, tip.
session() {
	hash=$1 accel=$2 && shift 2
	values=${*:-200000000 100000000 200000001 100000001 200000002 100000002}
	ids=$(for rev in $(git rev-list --reverse main..HEAD); do patch_id "$rev"; done)
	T=$T ACCEL=$accel BASE=$(git rev-parse "main^{tree}") TIP=$(git rev-parse "HEAD^{tree}") \
	IDS=$ids NS="$values" \
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
	                     ("value", int(e["NS"].split()[2 * b + k])), ("proven", 1)):
	            col[n].append(x)
	json.dump({"schema": 1, "id": "20261130T120000-abcdef", "bench": "swapout", "host": "box", "arch": "arm64",
	  "accel": e["ACCEL"], "instrument": "real" if real else "icount", "delta_ppb": 10000000,
	  "floor_ppb": 2000000, "q_ppb": 0 if real else 100000, "version": 1,
	  "seed": 1, "blocks": 3, "runs": 1, "date": 1796000000, "metric": "pageout", "unit": "ns", "better": "lower",
	  "setup": "", "complete": True, "facts": None,
	  "key": {"base_tree": e["BASE"], "tip_tree": e["TIP"], "patch_ids": e["IDS"].split(), "config": "0" * 64,
	          "compiler": "gcc", "bench_hash": "", "host_class": "box"},
	  "cases": [{"name": "64K", "command": "swapout", "proof": ""}],
	  "kernels": [{"label": "base", "commit": e["KB"], "tree": e["BASE"], "build_id": "00", "release": "6.12"},
	              {"label": "p%d" % len(e["IDS"].split()), "commit": e["KT"], "tree": e["TIP"], "build_id": "00", "release": "6.12"}],
	  "boots": boots}, open(e["T"] + "/summary", "w"))
	json.dump(dict(col, counters={}, schema=1), open(e["T"] + "/samples", "w"))
	E
	put "bench/$hash/summary.json" <"$T/summary" && put "bench/$hash/samples.json" <"$T/samples"
}
