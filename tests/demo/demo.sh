#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# make demo: the main job on a real kernel. A topic branch with three patches is built, booted,
# measured, judged and posted, with series itself doing all of it. Everything is kept in
# $XDG_CACHE_HOME/series/demo; every step is skipped when it is done already, so an
# interrupted run goes on where it stopped.
set -eu
SRCDIR=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$SRCDIR/build/${VARIANT:-release}:$PATH
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/series
DEMO=$CACHE/demo
LINUX=$DEMO/linux
BRANCH=swapout-batch
ARCH=arm64
BLOCKS=${SERIES_DEMO_BLOCKS:-3}
START=$(date +%s)
mkdir -p "$DEMO"

# The user's own git configuration neither helps nor hurts here.
export GIT_CONFIG_GLOBAL="$DEMO/gitconfig" GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
export SERIES_TEMPLATES="$SRCDIR/templates" PAGER=cat LC_ALL=C.UTF-8

say() {
	now=$(($(date +%s) - START))
	printf '\n== %d:%02d  %s\n' $((now / 60)) $((now % 60)) "$*"
}

die() {
	echo "demo: $*" >&2
	exit 1
}

run() {
	printf '$ %s\n' "$*"
	"$@"
}

exim_pid=
finish() {
	rc=$?
	if [ "$exim_pid" ]; then
		kill "$exim_pid" 2>/dev/null || :
		wait "$exim_pid" 2>/dev/null || :
	fi
	[ $rc = 0 ] || echo "demo: stopped (status $rc); 'make demo' goes on where it was" >&2
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

# One demo at a time: its repository and maildir are shared.
exec 9>"$DEMO/lock"
flock -n 9 || die "another demo is running (it holds $DEMO/lock)"

cat >"$GIT_CONFIG_GLOBAL" <<C
[user]
	name = Dana Developer
	email = dana@example.org
[sendemail]
	to = Mm List <linux-mm@lists.example.org>
	cc = Marta Maintainer <marta@example.org>
[gc]
	auto = 0
[advice]
	detachedHead = false
C

kernel_repository() {
	[ -e "$LINUX/.git/complete" ] && return
	say "kernel source: one git repository, one commit (about 2 minutes)"
	sh "$SRCDIR/tests/helper/kernel-tree.sh" "$LINUX" 9>&-
}

topic_branch() {
	cd "$LINUX"
	# A finished demo starts over: same kernels, new measurement, new mails.
	if [ -e "$DEMO/finished" ]; then
		say "an earlier demo is finished: the same kernels, measured and posted anew"
		git for-each-ref --format='delete %(refname)' refs/series | git update-ref --stdin
		git config --unset "branch.$BRANCH.series" 2>/dev/null || :
		rm -rf .git/series "$DEMO/finished" "$DEMO/server"
	fi
	git am --abort 2>/dev/null || :
	git reset -q --hard
	if [ "$(git rev-list --count "main..$BRANCH" 2>/dev/null || echo 0)" != 3 ]; then
		say "topic branch $BRANCH: three patches on mm/"
		git checkout -q -B "$BRANCH" main
		git am -q --committer-date-is-author-date "$SRCDIR"/tests/demo/patches/*.patch
	fi
	git checkout -q "$BRANCH"
	git --no-pager log --oneline main..
}

series_of_branch() {
	cd "$LINUX"
	series status >/dev/null 2>&1 && return
	say "series init"
	run series init --base main "$BRANCH"
	run series cover --file "$SRCDIR/tests/demo/cover.txt"
}

# A real mail server, unpacked into the cache; what it takes lands in $DEMO/server/mail.
EXIM=$SRCDIR/tests/helper/exim.sh
post() {
	cd "$LINUX"
	sh "$EXIM" unpack "$CACHE/exim"
	port=$(sh "$EXIM" port)
	sh "$EXIM" run "$CACHE/exim" "$DEMO/server" "$port" >"$DEMO/exim.log" 2>&1 9>&- &
	exim_pid=$!
	sh "$EXIM" wait "$port" $exim_pid
	git config sendemail.smtpserver 127.0.0.1
	git config sendemail.smtpserverport "$port"
	run series send --yes --allow-emulated
}

compare() {
	cd "$LINUX"
	rm -rf "$DEMO/am"
	git worktree prune
	git worktree add -q --no-checkout --detach "$DEMO/am" main
	cd "$DEMO/am"
	git sparse-checkout set mm >/dev/null
	git checkout -q
	# Patches in order of their subject's number; the cover is no patch.
	for f in "$DEMO"/server/mail/new/*; do
		n=$(sed -n 's/^Subject: \[PATCH[^]]* \([0-9]*\)\/[0-9]*\].*/\1/p' "$f" | head -1)
		[ "${n:-0}" = 0 ] && { cp "$f" "$DEMO/cover.eml"; continue; }
		cp "$f" "$DEMO/am.$n.eml"
	done
	git am -q --keep-cr "$DEMO"/am.[0-9]*.eml
	rm -f "$DEMO"/am.[0-9]*.eml
	ours=$(git rev-parse 'HEAD^{tree}')
	theirs=$(git rev-parse "$BRANCH^{tree}")
	cd "$LINUX"
	git worktree remove --force "$DEMO/am"
	[ "$ours" = "$theirs" ] || die "git am of the received mails gave tree $ours, expected $theirs"
	echo "git am of the received mails gives the tip's tree: $ours"
}

kernel_repository
topic_branch
series_of_branch
say "build: base and after every patch, $ARCH"
cd "$LINUX"
run series build --arch $ARCH --each
if ! [ -e "$DEMO/measured" ] || [ "$(cat "$DEMO/measured")" != "$(git rev-parse HEAD)" ]; then
	say "bench: swapout, base and tip, $BLOCKS blocks on the host qemu"
	# 2: a case needs more with the patches. That is a result like any other here.
	run series bench swapout --arch $ARCH --blocks "$BLOCKS" --resume || { rc=$?; [ $rc = 2 ] || exit $rc; }
	git rev-parse HEAD >"$DEMO/measured"
fi
say "send: to a private mail server on the loopback interface"
post
say "the received mails"
compare
say "the received cover letter"
cat "$DEMO/cover.eml"
say "series status"
run series status
rm -f "$DEMO/measured"
touch "$DEMO/finished"
say "done; everything is kept in $DEMO"
