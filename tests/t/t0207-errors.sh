#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What goes wrong around the program: repositories it cannot use, full and read-only disks,
# locks, closed outputs, kills. Each is one clear message with a remedy, the right exit
# status, and nothing is lost.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# Every command that acts on a series of the repository, and those that need only that.
on_series="status base cover cover_--edit recipients log format send build bench report"
on_repo="list init"

# each COMMANDS STATUS PATTERN [OPTION...]: each command says this in one line.
each() {
	commands=$1 status=$2 pattern=$3
	shift 3
	for c in $commands; do
		test_status "$status" "$SERIES" $(echo $c | tr _ " ") "$@" >out 2>err && test_grep "$pattern" err &&
		[ "$(grep -c . err)" = 1 ] || { echo "command: $c"; cat err; return 1; }
	done
}
# remedy AFTER: the command that the message names behind these words.
remedy() {
	sed -n "s/^series: .*$1//p" err
}
export GIT_CEILING_DIRECTORIES=$T

test_expect_success 'setup' '
	make_series r 2 && git branch fresh && git branch -q other main && cd .. && mkdir none && printf "title\n\ntext\n" >in
'

test_expect_success 'not a repository' '
	cd none && each "$on_series $on_repo" 1 "none is not in a git repository; .* use -C DIR" && cd .. &&
	"$SERIES" -C r status >out && "$SERIES" help >out && test_status 129 "$SERIES" nix 2>err
'

test_expect_success 'a bare repository works' '
	git clone -q --bare r bare.git && cd bare.git && git fetch -q ../r "refs/series/*:refs/series/*" &&
	git symbolic-ref HEAD refs/heads/topic && for c in status list base cover recipients log "base --set main" "cover -F ../in" "format -o out"; do
		"$SERIES" $c >o 2>err || { echo $c; cat err; return 1; }
	done && test_status 0 "$SERIES" init -h >o && git symbolic-ref HEAD refs/heads/fresh && "$SERIES" init --base main >o
'

test_expect_success 'SHA-256, reftable and unknown extensions' '
	git init -q --object-format=sha256 sha && cd sha && each "$on_series $on_repo" 1 "uses SHA-256 object names.*use a SHA-1 repository" &&
	cp -r ../r ../ext && cd ../ext && git config core.repositoryFormatVersion 1 && cp .git/config ../config.1 &&
	printf "[extensions]\n\trefStorage = reftable\n" >>.git/config &&
	each "$on_series $on_repo" 1 "as reftable.*git refs migrate --ref-format=files" && cp ../config.1 .git/config &&
	printf "[extensions]\n\tmagicStore = true\n" >>.git/config && each "$on_series $on_repo" 1 "magicstore; update this program" &&
	cp ../config.1 .git/config && "$SERIES" status >out
'

if [ "$(id -u)" = 0 ]; then
	test_expect_success 'a repository of another user: the command that is named helps' '
		cp -r r "own er" && chown -R 12345 "own er" && mkdir "own er/sub" && cd "own er/sub" &&
		for c in $on_series $on_repo; do
			test_status 1 "$SERIES" $(echo $c | tr _ " ") >../../out 2>../../err && test_grep "belongs to another user" ../../err || return 1
		done && cd ../.. && cmd=$(remedy "trust it: ") && eval "$cmd" && "$SERIES" -C "own er/sub" status >out
	'
else
	test_skip 'a repository of another user' 'only root can give a file away'
fi

test_expect_success 'no series on the branch; the branch is gone from HEAD; no commit yet' '
	cd r && git switch -q other && each "$on_series" 1 "branch other has no series; series init makes one" &&
	git switch -q --detach topic && each "$on_series" 1 "HEAD is detached.*say -s NAME or git switch BRANCH" &&
	each init 1 "HEAD is detached.*git switch BRANCH" && "$SERIES" status -s topic >out && "$SERIES" cover -s topic >out &&
	git switch -q topic && git init -q ../unborn && cd ../unborn &&
	each "$on_series init" 1 "no branch main, or it has no commit yet.*needs a branch with commits" && "$SERIES" list >out
'

test_expect_success 'a name that is none' '
	cd r && each "$on_series" 1 "no series \"nix\" here; series list shows them" -s nix &&
	each "$on_series" 129 "\"N/X\" is no name of a series" -s N/X
'

test_expect_success 'a merge in the series is named by all that list the patches' '
	cp -r r merge && cd merge && git switch -q -c side main && test_commit s 1 side && git switch -q topic && git merge -q -m "my merge" side &&
	m=$(git rev-parse --short=12 HEAD) && each "status base send format build bench" 1 "$m (\"my merge\") is a merge.*rebase" &&
	"$SERIES" cover --show >out && "$SERIES" log >out
'

test_expect_success 'a dirty tree is fine and stays as it is' '
	cd r && echo dirt >>numbers && echo new >untracked && git add untracked && git diff HEAD >../before && cp .git/index ../index &&
	for c in status list base cover log recipients "format -o ../mails" "cover -F ../in" "base --set main"; do
		"$SERIES" $c >../out 2>&1 || { cat ../out; return 1; }
	done && git diff HEAD | cmp - ../before && cmp .git/index ../index && git reset -q --hard && : >.git/index.lock &&
	"$SERIES" cover -F ../in >../out && "$SERIES" status >../out && rm .git/index.lock
'

test_expect_success 'a cover that is missing, empty, or the frame it started from' '
	cp -r r nocover && cd nocover && git switch -q fresh && git reset -q --hard topic && "$SERIES" init --base main >out && "$SERIES" recipients --add-to list@example.org >out &&
	each cover 1 "no cover letter yet; series cover --edit writes one" && test_status 1 "$SERIES" send --yes >out 2>err &&
	test_grep "no cover letter" out && test_grep "series cover --edit" out && test_grep "nothing was sent: 1 error" err && each cover 1 "the cover letter is empty" -F /dev/null &&
	GIT_EDITOR=: && export GIT_EDITOR && each cover_--edit 1 "was not written, nothing stored"
'

test_expect_success 'what is mistyped is a usage error with the nearest name' '
	cd r && test_status 129 "$SERIES" stauts 2>err && test_grep "did you mean .status" err && test_status 129 "$SERIES" base --sett x 2>err &&
	test_grep "did you mean --set" err && test_status 129 "$SERIES" base --set 2>err && test_grep "expected REF" err &&
	test_status 129 "$SERIES" log a b c 2>err && test_grep "usage: series log" err
'

test_expect_success 'settings that git cannot read: the file and the line, once' '
	cd r && cp .git/config ../config && echo "[broken" >>.git/config && n=$(wc -l <.git/config) &&
	each "$on_series $on_repo" 1 ".git/config:$n); correct that line" && cp ../config .git/config &&
	(GIT_CONFIG_GLOBAL=$T/global && export GIT_CONFIG_GLOBAL && echo "[broken" >$T/global &&
		each "$on_series $on_repo" 1 "line 1 in file $T/global; correct that file" && rm $T/global && mkdir $T/global &&
		each "$on_series $on_repo" 1 "$T/global.*; correct that file") && "$SERIES" status >out
'

test_expect_success 'without HOME, the XDG folders and TERM' '
	cd r && git config user.name W && git config user.email wendy@example.org &&
	for c in status list base cover recipients log "cover -F ../in" "format -o ../mails2"; do
		env -u HOME -u XDG_CACHE_HOME -u XDG_DATA_HOME -u XDG_CONFIG_HOME -u GIT_CONFIG_GLOBAL -u TERM "$SERIES" $c >out 2>&1 || { echo $c; cat out; return 1; }
	done
'

test_expect_success 'output that cannot be written is an error; a reader that has enough is none of ours' '
	cd r && for c in status list base cover recipients log "status --json"; do
		test_status 1 "$SERIES" $c >&- 2>err && test_grep "standard output: Bad file" err || return 1
		[ ! -e /dev/full ] || { test_status 1 "$SERIES" $c >/dev/full 2>err && test_grep "standard output: No space" err; } || return 1
		"$SERIES" $c 2>err | true; [ ! -s err ] || { cat err; return 1; }
	done && for i in 1 2 3; do "$SERIES" status <&- >out 2>&- || return 1; done &&
	old=$(git rev-parse refs/series/topic/state) && echo closed | "$SERIES" cover -F - >&- 2>&-;
	[ "$(git log -1 --format=%s refs/series/topic/state)" = cover ] && git fsck --strict >out 2>&1 && "$SERIES" cover --show >out && test_grep closed out
'

test_expect_success 'a lock that a dead process left, on our file, the ref and the index, does not block' '
	cd r && echo "99999 gone 2020-01-01T00:00:00Z write" >.git/series/topic.lock && : >.git/index.lock &&
	: >.git/refs/series/topic/state.lock && touch -d "1 hour ago" .git/refs/series/topic/state.lock &&
	"$SERIES" cover -F ../in >out && rm .git/index.lock && [ ! -e .git/refs/series/topic/state.lock ]
'

test_expect_success 'a lock that a process holds: named with its process, status 1, nothing changed' '
	command -v flock >/dev/null || return 0
	cd r && old=$(git rev-parse refs/series/topic/state) && mkfifo hold && (flock 9; echo "$$ here 2026-01-01T00:00:00Z write" >.git/series/topic.lock; read x <hold) 9>>.git/series/topic.lock &
	p=$! && test_pid $p && cd r && test_wait 10 grep -q here .git/series/topic.lock &&
	each "cover" 1 "locked by process [0-9]* on here (write, since 2026.*); wait until it ends" -F ../in &&
	old=$(git rev-parse refs/series/topic/state) && "$SERIES" status >out && echo >hold && wait $p && rm hold && "$SERIES" cover -F ../in
'

for sig in TERM KILL; do
	test_expect_success "cover --edit killed by SIG$sig: the text is taken up by the next one" '
		cd r && printf "#!/bin/sh\necho precious $sig >\"\$1\"\n: >../editing\nsleep 30\n" >../ed && chmod +x ../ed && rm -f ../editing &&
		old=$(git rev-parse refs/series/topic/state) || return 1
		GIT_EDITOR=../ed "$SERIES" cover --edit >out 2>err &
		p=$!
		test_pid $p
		test_wait 20 test -e ../editing && kill -$sig $p || return 1
		wait $p
		[ "$(git rev-parse refs/series/topic/state)" = $old ] && test_grep "precious $sig" .git/series/topic.cover.txt &&
		GIT_EDITOR=: "$SERIES" cover --edit >out 2>err && test_grep "taking up the text.*cover.txt" err && "$SERIES" cover --show >out && test_grep "precious $sig" out
	'
done

# What follows needs a file system of its own.
if ! unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
	test_skip 'full and read-only disks' 'no user and mount namespaces here'
	test_done
fi
export T SERIES
cat >lib.sh <<'E2'
set -u
mkdir -p "$T/d" && mount -t tmpfs -o size=3m none "$T/d" || exit 9
die() {
	echo "pages left $pages: $*"; cat "$T/err"; exit 1
}
# fresh PAGES [BRANCH]: a copy of the repository on a disk with so many pages left.
fresh() {
	pages=$1; rm -rf "$T"/d/*; cp -a "$T/r" "$T/d/r" && cd "$T/d/r" && git switch -q "${2:-topic}" || exit 9
	dd if=/dev/zero of="$T/d/fill" bs=4k >/dev/null 2>&1; truncate -s -$((pages * 4096)) "$T/d/fill"
}
# full: the command failed for want of space and says so; a whole repository is left.
full() {
	grep -q "No space left on device; free space" "$T/err" || die "no remedy"
	[ "$(grep -c ^series: "$T/err")" = 1 ] || die "not one message"
	rm "$T/d/fill"; git fsck --strict >"$T/out" 2>&1 || { cat "$T/out"; die fsck; }
}
E2

test_expect_success 'full disk: init, at each write; the same command again does it' '
	cat >init.sh <<-\E2
		. "$T/lib.sh"
		failed=0
		for k in 0 1 2 3 4 5 6 7 8 12; do
			fresh $k fresh
			"$SERIES" init --base main >"$T/out" 2>"$T/err" || {
				failed=$((failed + 1)); full
				"$SERIES" init --base main >"$T/out" 2>"$T/err" || die "again"
			}
			[ "$(git config branch.fresh.series)" = fresh ] && "$SERIES" status >"$T/out" 2>"$T/err" || die status
		done
		[ $failed -ge 5 ] || die "only $failed failed"
	E2
	unshare -rm sh init.sh
'

test_expect_success 'full disk: cover --edit, at each write; the text is kept where the message says' '
	printf "#!/bin/sh\n[ \"\${NOWRITE:-}\" ] || seq 1 600 >\"\$1\"\n" >ed && chmod +x ed && seq 1 600 >want && cat >cover.sh <<-\E2
		. "$T/lib.sh"
		failed=0
		export GIT_EDITOR=$T/ed
		for k in 0 1 2 3 4 5 6 7 8 12; do
			fresh $k; old=$(git rev-parse refs/series/topic/state)
			"$SERIES" cover --edit >"$T/out" 2>"$T/err" || {
				failed=$((failed + 1)); full
				[ "$(git rev-parse refs/series/topic/state)" = "$old" ] || die "moved"
				kept=$(sed -n "s/^the text is kept in //p" "$T/err")
				if [ "$kept" ]; then
					cmp "$kept" "$T/want" || die "text"
					NOWRITE=1 "$SERIES" cover --edit >"$T/out" 2>"$T/err" || die "again"
				else
					"$SERIES" cover --edit >"$T/out" 2>"$T/err" || die "again"
				fi
			}
			"$SERIES" cover --show >"$T/out" && [ "$(grep -c "^[0-9]*$" "$T/out")" -ge 600 ] || die "stored"
		done
		[ $failed -ge 4 ] || die "only $failed failed"
	E2
	unshare -rm sh cover.sh
'

test_expect_success 'full disk: send, at each write; each mail once' '
	(cd r && sink snk) && git -C r config sendemail.smtpserver 127.0.0.1 && git -C r config sendemail.smtpserverport "$(cat snk/port)" && cat >send.sh <<-\E2
		. "$T/lib.sh"
		failed=0
		for k in 0 1 2 3 4 5 6 7 8 9 10 12 14 16 18 20 22 24 26 40; do
			fresh $k; rm -f "$T"/snk/*.eml
			"$SERIES" send --yes >"$T/out" 2>"$T/err" || {
				failed=$((failed + 1)); full
				"$SERIES" send --yes >"$T/out" 2>"$T/err" || die "again"
			}
			got=$(cat "$T"/snk/*.eml | sed -n "s/^Message-I[Dd]: .*-v1-\(.\)@.*/\1/p" | tr -d "\n")
			[ "$got" = 012 ] || die "mails: $got"
			git show refs/series/topic/state:versions/1.json | grep -q "\"state\": \"sent\"" || die "state"
			[ "$(ls -d .git/series/outbox/2* 2>/dev/null)" = "" ] || die "outbox left"
		done
		[ $failed -ge 10 ] || die "only $failed failed"
	E2
	unshare -rm sh send.sh
'

test_expect_success 'full disk: import of what was posted, at each write; no version is left out for it' '
	(cd r && for v in 1 2; do
		git format-patch -q -v $v --base=main --thread --stdout main..topic | sed "s/^Message-I[dD]: <\(....\).*/Message-ID: <$v.\1@example.org>/; s/^\(In-Reply-To\|References\): <\(....\).*/\1: <$v.\2@example.org>/" || exit 1
	done) >mbox && sed -i "s/^From [0-9a-f]\{40\}/From mboxrd@z/" mbox && cat >import.sh <<-\E2
		. "$T/lib.sh"
		failed=0
		for k in 0 1 2 3 4 5 6 7 8 10 12 14 16 18 20 24 28 40; do
			fresh $k main
			"$SERIES" import --branch posted "$T/mbox" >"$T/out" 2>"$T/err" || {
				failed=$((failed + 1)); full
				git rev-parse -q --verify refs/heads/posted && die "a branch is left"
				"$SERIES" import --branch posted "$T/mbox" >"$T/out" 2>"$T/err" || die "again"
			}
			grep "not taken" "$T/out" && die "left out"
			git switch -q posted && "$SERIES" log >"$T/out" && [ "$(grep -c "^v[12]" "$T/out")" = 2 ] || { cat "$T/out"; die "versions"; }
		done
		[ $failed -ge 10 ] || die "only $failed failed"
	E2
	unshare -rm sh import.sh
'

test_expect_success 'a read-only file system: reading works, writing says so' '
	cat >ro.sh <<-\E2
		. "$T/lib.sh"
		fresh 0; rm "$T/d/fill"; mount -o remount,ro "$T/d" || exit 9
		for c in status list base cover recipients log; do
			"$SERIES" $c >"$T/out" 2>"$T/err" || die "$c"
		done
		for c in "base --set main" "cover -F $T/in" "cover --edit" "recipients --add-to b@example.org" "send --yes"; do
			"$SERIES" $c >"$T/out" 2>"$T/err" && die "$c works"
			grep -q "Read-only file system; mount it writable" "$T/err" || die "$c: no remedy"
			grep -q "another process" "$T/err" && die "$c: nobody else is there"
		done
		exit 0
	E2
	pages=0 GIT_EDITOR=$T/ed unshare -rm sh ro.sh
'

test_done
