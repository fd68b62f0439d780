#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A thread of 500 mails to versions, tags and remarks, beside b4 am and b4 trailers on the same file:
# review.sh. RUNS=15 rounds. What is found is compared with what was written.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dump=$here/../../build/${VARIANT:-release}/tests/review-dump
mails=500
for p in git b4 python3; do
	command -v $p >/dev/null || { echo "review: $p is missing (make deps)" >&2; exit 1; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TERM=dumb NO_COLOR=1 PAGER=cat
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME GIT_CONFIG_GLOBAL GIT_DIR GIT_WORK_TREE
mkdir "$HOME" "$tmp/am"

python3 "$here/review.py" $mails "$tmp"
"$dump" "$tmp/thread.mbox" | diff "$tmp/want" - || { echo "review: not what was written" >&2; exit 1; }

# For b4: a repository with the last version applied, as its author has it. b4 trailers rewrites
# the branch, so each round begins as it was.
git config --global user.name "Wendy Writer"
git config --global user.email wendy@example.org
git config --global init.defaultBranch main
git config --global b4.attestation-policy off
git init -q "$tmp/repo"
cd "$tmp/repo"
cp -r "$tmp/files/mm" .
# not one of hers: of a branch whose first commit is, b4 trailers falls over
git add . && git -c user.email=mara@example.org commit -q -m "base"
git am -q "$tmp/last.mbox"
git tag applied

id=20261101.3-0@example.org
b4="b4 --offline-mode --no-interactive"
cat >"$tmp/table" <<END
series	$dump $tmp/thread.mbox
am	$b4 am -o $tmp/am -m $tmp/thread.mbox $id
trailers	$b4 trailers -u -F $id -m $tmp/thread.mbox	git reset -q --hard applied
END
python3 "$here/clock.py" "${RUNS:-15}" <"$tmp/table" >"$tmp/got"
python3 - "$tmp/got" "$tmp/want" <<'END'
import sys

got = {row[0]: (float(row[1]), float(row[2])) for row in (line.split("\t") for line in open(sys.argv[1]))}
print(open(sys.argv[2]).read().strip() + " of one mbox")
print("%-42s %12s %12s" % ("", "wall ms", "CPU ms"))
for name, what in (("series", "series: versions, tags, remarks"), ("am", "b4 am"), ("trailers", "b4 trailers")):
    print("%-42s %12.1f %12.1f" % (what, *got[name]))


def goal(text, value, limit, met):
    print("  %-52s %8.1f  goal %s: %s" % (text, value, limit, "met" if met else "MISSED"))


goal("CPU ms", got["series"][1], "<= 50", got["series"][1] <= 50)
for name in ("am", "trailers"):
    for i, what in enumerate(("wall", "CPU")):
        ratio = got[name][i] / got["series"][i]
        goal("b4 %s / series, %s" % (name, what), ratio, ">= 50", ratio >= 50)
END
