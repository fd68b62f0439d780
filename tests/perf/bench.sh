#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# "make bench": series beside git, b4 and git send-email, on a tree as large as the kernel; with
# series of 10 and of 100 patches.
#
#	RUNS=15				rounds; in each, every command runs once
#	COLD=1				with the caches dropped too, which root may do
#	SERIES_BENCH_CACHE=DIR		where the tree is kept (build/cache/bench)
#	SERIES_BENCH_TREE="FILES COMMITS"
#
# Medians; CPU time is of the command and its children. A goal that
# is missed is printed and is no failure: the numbers are of the machine as it was. On a busy
# one, "chrt -r 1 make bench" (root) puts the others off.
set -eu
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
here=$srcdir/tests/perf
PATH=$srcdir/build/${VARIANT:-release}:$PATH
runs=${RUNS:-15}
cache=${SERIES_BENCH_CACHE:-$srcdir/build/cache/bench}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
export HOME="$cache/home" GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TERM=dumb NO_COLOR=1 PAGER=cat
export SERIES_TEMPLATES="$srcdir/templates"
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME GIT_CONFIG_GLOBAL GIT_DIR GIT_WORK_TREE
mkdir -p "$HOME"

for p in git b4 python3 series; do
	command -v $p >/dev/null || { echo "bench: $p is missing (make deps)" >&2; exit 1; }
done

tmp=$(mktemp -d)
sink=
trap '[ -z "$sink" ] || kill $sink 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP
python3 "$here/sink.py" "$tmp" &
sink=$!
i=0
until [ -s "$tmp/port" ]; do
	[ $((i += 1)) -lt 300 ] || { echo "bench: no mail sink" >&2; exit 1; }
	sleep 0.1
done
port=$(cat "$tmp/port")

# shellcheck disable=SC2086
sh "$here/tree.sh" "$cache" "$port" ${SERIES_BENCH_TREE:-}
sh "$here/long.sh" "$cache" "$port"
cd "$cache/linux"
git config sendemail.smtpserverport "$port"

# As after the tree was made, whatever an earlier run left.
cat >"$tmp/restore" <<END
#!/bin/sh
cd "$cache/linux" || exit 1
rm -rf .git/series/outbox
git for-each-ref --format='delete %(refname)' refs/series >"$tmp/delete"
git update-ref --stdin <"$tmp/delete" && git update-ref --stdin <"$cache/refs"
END
# A posting with its mails on disk, cut off before the first one went out: the server takes
# the connection and says nothing, and the sender is killed.
stop_before_sending() {
	python3 -c 'import socket, sys, time
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
c = s.accept()
print("here", flush=True)
time.sleep(600)' >"$tmp/mute" &
	mute=$!
	until [ -s "$tmp/mute" ]; do sleep 0.1; done
	git config sendemail.smtpserverport "$(head -n 1 "$tmp/mute")"
	series send --yes >/dev/null 2>&1 &
	sender=$!
	until grep -q here "$tmp/mute"; do
		kill -0 $sender 2>/dev/null || { echo "bench: series send ended early" >&2; exit 1; }
		sleep 0.1
	done
	kill -9 $sender $mute 2>/dev/null || :
	wait $sender $mute 2>/dev/null || :
	git config sendemail.smtpserverport "$port"
	cp -a .git/series/outbox "$tmp/outbox"
	git for-each-ref --format='create %(refname) %(objectname)' refs/series >"$tmp/cut"
}
sed -e "s|$cache/refs|$tmp/cut|" "$tmp/restore" >"$tmp/restore-cut"
printf '%s\n' "cp -a '$tmp/outbox' .git/series/outbox" >>"$tmp/restore-cut"
cat >"$tmp/prepared" <<END
#!/bin/sh
exec git send-email --quiet $cache/mails/*.patch
END
cat >"$tmp/patch-and-send" <<END
#!/bin/sh
rm -rf "$tmp/new"
git format-patch -q -v2 -o "$tmp/new" --cover-letter b4-base..topic &&
sed -i 's/[*][*][*].*[*][*][*]/words/' "$tmp"/new/*cover-letter.patch &&
exec git send-email --quiet "$tmp"/new/*.patch
END
chmod +x "$tmp/restore" "$tmp/restore-cut" "$tmp/prepared" "$tmp/patch-and-send"
"$tmp/restore"
git checkout -q topic

say() {
	awk -F'\t' -v head="$1" -v more="${2:-}" 'BEGIN { printf "%-42s %9s %9s%s\n", head, "wall ms",
		"CPU ms", more ? sprintf(" %13s", more) : "" }
		{ printf "%-42s %9.1f %9.1f%s\n", $1, $2, $3, more ? sprintf(" %13.1f", $4) : "" }'
}

# value FILE NAME COLUMN
value() {
	awk -F'\t' -v n="$2" -v c="$3" '$1 == n { print $c }' "$1"
}

# goal TEXT VALUE "<="|">=" LIMIT
goal() {
	awk -v t="$1" -v v="$2" -v op="$3" -v lim="$4" 'BEGIN {
		met = op == "<=" ? v + 0 <= lim + 0 : v + 0 >= lim + 0
		printf "  %-52s %8.1f  goal %s %s: %s\n", t, v, op, lim, met ? "met" : "MISSED" }'
}

ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

read -r load _ </proc/loadavg
echo "$(git ls-files | wc -l) files, $(git rev-list --count main) commits; $(nproc) CPUs, load $load; medians of $runs"
echo
{
	# First what nobody looks at: behind a checkout the processor's caches are full of it.
	printf 'git --version\tgit --version\tgit checkout -q topic\n'
	printf 'series status\tseries status\n'
	printf 'git status\tgit status\n'
	printf 'series list\tseries list\n'
	printf 'series log\tseries log\n'
	printf 'series base\tseries base\n'
	printf 'b4 prep --show-info\tb4 prep --show-info\tgit checkout -q b4-topic\n'
} | python3 "$here/clock.py" "$runs" >"$tmp/look"
git checkout -q topic
say "looking, warm" <"$tmp/look"
s=$(value "$tmp/look" "series status" 2)
goal "series status, wall ms" "$s" "<=" 50
goal "git status / series status, wall" "$(ratio "$(value "$tmp/look" "git status" 2)" "$s")" ">=" 1
goal "b4 prep --show-info / series status, wall" \
	"$(ratio "$(value "$tmp/look" "b4 prep --show-info" 2)" "$s")" ">=" 10

# Cold only where the caches are ours to drop.
cold=
if [ "$(id -u)" = 0 ] && [ "${COLD:-0}" = 1 ] && sh -c 'echo 1 >/proc/sys/vm/drop_caches' 2>/dev/null; then
	cold=1
	printf '#!/bin/sh\nsync; echo 3 >/proc/sys/vm/drop_caches\n' >"$tmp/drop"
	chmod +x "$tmp/drop"
	printf 'series status\tseries status\t%s\ngit status\tgit status\t%s\n' "$tmp/drop" "$tmp/drop" |
		python3 "$here/clock.py" 3 >"$tmp/cold"
	echo
	say "cold (caches dropped), medians of 3" <"$tmp/cold"
	goal "series status, wall ms" "$(value "$tmp/cold" "series status" 2)" "<=" 300
fi

# A long series against the one that was sent, and the editor of who is content with what
# is suggested.
start=$(git merge-base main long)
printf '#!/bin/sh\necho >>"$1"\n' >"$tmp/content"
chmod +x "$tmp/content"
export GIT_EDITOR="$tmp/content" EDITOR="$tmp/content" VISUAL="$tmp/content"
range_diff="git range-diff --no-color $start..long-v1 $start..long"
beyond="series diff beyond git range-diff, wall ms"
beyond() {
	awk -v a="$(value "$1" "series diff" 2)" -v b="$(value "$1" "git range-diff" 2)" 'BEGIN { print a - b }'
}
echo
git checkout -q long
{
	printf 'git range-diff\t%s\n' "$range_diff"
	printf 'series diff\tseries diff\n'
	printf 'series changes --edit\tseries changes --edit\t%s\n' "$tmp/restore"
	printf 'git format-patch\tgit format-patch -q --stdout %s..long\t%s\n' "$start" "$tmp/restore"
	printf 'series check\tseries check\n'
	printf 'series base --suggest, 4 branches\tseries base --suggest\n'
} | python3 "$here/clock.py" $(((runs + 2) / 3)) >"$tmp/long"
say "100 patches, v1 and the branch" <"$tmp/long"
goal "$beyond" "$(beyond "$tmp/long")" "<=" 1000
if [ "$cold" ]; then
	printf 'git range-diff\t%s\t%s\nseries diff\tseries diff\t%s\n' "$range_diff" "$tmp/drop" "$tmp/drop" |
		python3 "$here/clock.py" 3 >"$tmp/long-cold"
	say "cold" <"$tmp/long-cold"
	goal "$beyond" "$(beyond "$tmp/long-cold")" "<=" 1000
fi
echo
git checkout -q ten
printf 'series check\tseries check\nseries base --suggest, 4 branches\tseries base --suggest\n' |
	python3 "$here/clock.py" $(((runs + 2) / 3)) >"$tmp/ten"
say "10 patches" <"$tmp/ten"
goal "series base --suggest, wall ms" "$(value "$tmp/ten" "series base --suggest, 4 branches" 2)" "<=" 2000
git checkout -q topic

echo
stop_before_sending
{
	printf 'series send --resume, made before\tseries send --resume\t%s\n' "$tmp/restore-cut"
	printf 'series send --yes (makes and sends)\tseries send --yes\t%s\n' "$tmp/restore"
	printf 'git send-email of mails made before\t%s\n' "$tmp/prepared"
	printf 'git format-patch, git send-email\t%s\n' "$tmp/patch-and-send"
} | python3 "$here/clock.py" "$runs" --sink "$tmp/log" >"$tmp/send"
"$tmp/restore"
awk '$1 != 10 { bad = 1 } END { exit bad }' "$tmp/log" || { echo "bench: not always 10 mails" >&2; exit 1; }
say "10 mails to the same sink" "connection ms" <"$tmp/send"
made="series send --resume, made before"
all="series send --yes (makes and sends)"
git_made="git send-email of mails made before"
git_all="git format-patch, git send-email"
# slower COLUMN GIT-ROW SERIES-ROW: how many times longer git takes
slower() {
	ratio "$(value "$tmp/send" "$2" "$1")" "$(value "$tmp/send" "$3" "$1")"
}
goal "mails made before: git send-email / series, wall" "$(slower 2 "$git_made" "$made")" ">=" 10
printf '  %-52s %8.1f\n' "while connected, x" "$(slower 4 "$git_made" "$made")" \
	"making and sending: git / series, x" "$(slower 2 "$git_all" "$all")"
