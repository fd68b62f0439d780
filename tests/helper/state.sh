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
