#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A long series in the repository of tree.sh, made once: long.sh DIR PORT
#
# The branches of long.py. long is tracked, long-v1 was sent as its v1 to 127.0.0.1:PORT;
# ten, the first ten patches of long, likewise. series.baseCandidate names the branches
# that a maintainer's repository would have. DIR/long-stamp names the generator.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1
port=$2
stamp="$(cat "$here/long.py" "$here/long.sh" | sha256sum | cut -c1-32) $(cat "$dir/stamp")"
if [ "$(cat "$dir/long-stamp" 2>/dev/null)" = "$stamp" ]; then
	exit 0
fi
rm -f "$dir/long-stamp"
cd "$dir/linux"
git config sendemail.smtpserverport "$port"
git config series.check.too-soon off
git checkout -q topic
for b in long ten long-v1 mm-unstable all-next other; do
	git update-ref -d "refs/heads/$b"
	git for-each-ref --format='delete %(refname)' "refs/series/$b" | git update-ref --stdin
	git config --remove-section "branch.$b" 2>/dev/null || :
done
rm -rf .git/series/outbox
python3 "$here/long.py" $(($(git rev-list --count main) / 133)) |
	git -c core.compression=1 fast-import --quiet
git branch -f -q ten long-v1~90
printf '#!/bin/sh\ncp "%s/cover" "$1"\n' "$dir" >"$dir/editor"
sent() {
	git checkout -q -B "$1" "$2"
	series init --base main >/dev/null
	GIT_EDITOR=$dir/editor EDITOR=$dir/editor VISUAL=$dir/editor series cover --edit >/dev/null
	series recipients --add-to linux-mm@example.org --add-cc reviewer@example.org >/dev/null
	series send --yes --no-verify >/dev/null
	git reset -q --hard "$3"
}
now=$(git rev-parse long)
sent long long-v1 "$now"
sent ten long-v1~90 "$now~90"
git config --replace-all series.baseCandidate 'mm-unstable'
git config --add series.baseCandidate '*-next'
git config --add series.baseCandidate other
git checkout -q topic
git commit-graph write --reachable --no-progress
git for-each-ref --format='create %(refname) %(objectname)' refs/series >"$dir/refs"
printf '%s\n' "$stamp" >"$dir/long-stamp"
