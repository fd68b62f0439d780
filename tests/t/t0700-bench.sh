#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series bench and series report, the whole path: a small tree built by its own make, a QEMU
# that does the guest's job at once, and everything that can go wrong between the two.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "$SRCDIR/tests/helper/fakekernel.sh"

for p in gcc make readelf flex bison python3; do
	command -v $p >/dev/null || test_skip_all "$p is not here"
done

export FAKEGUEST=$T/guest
mkdir -p "$FAKEGUEST" tiny

cat >tiny/bench.conf <<'EOF'
[bench]
	name = tiny
	summary = a tiny one
	source = tiny.c
	cases = big small
	runs = 5
	warmup = 1
	blocks = 3
	timeout = 10
	memory = 64
[metric "took"]
	pattern = ^took_ns ([0-9]+)$
	unit = ns
	better = lower
[counter "pages"]
	path = /proc/vmstat
	key = pswpout
[case "big"]
	fill = page
	args = -m 4
	proof = pages >= 99% of 65536
[case "small"]
	fill = page
	proof = pages >= 99% of 65536
EOF
echo 'int main(void) { return 0; }' >tiny/tiny.c

# rules LINE...: what the fake does wrong from now on; the count of boots begins anew.
rules() {
	rm -f "$FAKEGUEST/boots"
	printf '%s\n' "$@" | sed '/^$/d' >"$FAKEGUEST/rules"
}

# bench ARGUMENT...: in the tree, on arm64; output in out, news in news.
bench() {
	(cd linux && "$SERIES" bench ../tiny --arch arm64 "$@") >out 2>news
}

boots() {
	grep -c "^$1 " "$FAKEGUEST/boots"
}

# samples: how many runs the newest session has, warm-ups included.
newest() {
	(cd linux && "$SERIES" report --json) >report.json &&
	python3 -c '
import json, sys
d = json.load(open("report.json"))["sessions"][0]
s, b = d["samples"], d["session"]["boots"]
keys = [(b[x]["kernel"], b[x]["block"], c, r) for x, c, r in zip(s["boot"], s["case"], s["run"])]
print(len(keys), len(set(keys)), sum(v > 0 for v in s["value"]))'
}

sessions() {
	git -C linux ls-tree -r --name-only refs/series/topic/state | grep -c summary.json || :
}

begun() {
	ls linux/.git/series/bench 2>/dev/null | wc -l
}

test_expect_success 'a series of two patches, the second of which is fast' '
	fake_kernel linux &&
	ln -s "$SRCDIR/templates/guest" "$SRCDIR/templates/bench" "$SERIES_TEMPLATES" &&
	printf "#!/bin/sh\nexec python3 \"%s/tests/helper/fakeguest.py\" \"\$@\"\n" "$SRCDIR" \
		>bin/qemu-system-aarch64 && chmod +x bin/qemu-system-aarch64 &&
	cd linux && git checkout -q -b topic &&
	echo "int one;" >>mm/rmap.c && git commit -q -s -a -m "mm: one" &&
	echo "const char speed[] = \"SWAPFAST\";" >>mm/swap.c && git commit -q -s -a -m "mm: two" &&
	"$SERIES" init --base main
'

test_expect_success 'bench without a benchmark names those there are' '
	(cd linux && test_status 129 "$SERIES" bench) 2>news && test_grep swapout news
'

test_expect_success 'a session: table, verdicts, and one commit in the state' '
	rules && before=$(git -C linux rev-list --count refs/series/topic/state) &&
	bench &&
	test_grep "^big  *1.0000  *0.8000  *-20.00 % .* fewer instructions" out &&
	test_grep "^small  *2.0000  *2.0000  *0.00 % .* same instructions" out &&
	test_grep "Emulated" out &&
	test_grep "in all 24 runs" out &&
	[ "$(boots base)" = 3 ] && [ "$(boots patched)" = 3 ] &&
	[ "$(sessions)" = 1 ] && [ "$(begun)" = 0 ] &&
	git -C linux log --format=%s refs/series/topic/state >log && test_grep "^bench: tiny$" log
'

test_expect_success 'every run is there once: 6 boots, 2 cases, a warm-up and 2 runs' '
	[ "$(newest)" = "36 36 36" ]
'

test_expect_success 'the same session gives the same bytes' '
	cd linux && "$SERIES" report tiny >../one && "$SERIES" report tiny >../two &&
	test_cmp ../one ../two && test_grep "fresh" ../one && sed -n "3,\$p" ../one >../table &&
	test_cmp ../out ../table
'

test_expect_success 'styles, formats and raw runs' '
	cd linux && "$SERIES" report --style mean >../o && test_grep "Patched - Mean: 800" ../o &&
	"$SERIES" report --format csv >../o && test_grep "tiny" ../o &&
	"$SERIES" report --raw >../o && [ "$(grep -c " OK$" ../o)" = 36 ] &&
	"$SERIES" report --case big >../o && test_nogrep "^small" ../o &&
	test_status 129 "$SERIES" report --style fancy &&
	test_status 1 "$SERIES" report nosuch
'

test_expect_success 'list and show' '
	cd linux && "$SERIES" bench --list >../o && test_grep "swapout" ../o && test_grep "tiny, measured" ../o &&
	"$SERIES" bench --show ../tiny >../o && test_grep "pages >= 99% of 65536" ../o
'

test_expect_success 'another message changes nothing' '
	cd linux && git commit -q --amend -m "mm: two, better said" &&
	"$SERIES" report >../o && test_grep ": fresh$" ../o
'

test_expect_success 'another base is said' '
	cd linux && git checkout -q main && echo more >>Documentation/mm.rst &&
	git commit -q -a -m "doc: more" && git checkout -q topic && git rebase -q main &&
	"$SERIES" base --set main >/dev/null &&
	"$SERIES" report >../o && test_grep "other base" ../o
'

test_expect_success 'other code is stale' '
	cd linux && echo "int three;" >>mm/rmap.c && git commit -q -a --amend --no-edit &&
	"$SERIES" report >../o && test_grep "stale, patch 2 has changed" ../o
'

test_expect_success 'a boot that was lost is repeated, and no run is missing' '
	rules "base 2 void" &&
	bench && test_grep "base: VOID" news && [ "$(boots base)" = 4 ] && [ "$(newest)" = "36 36 36" ]
'

test_expect_success 'a boot lost three times takes its block with it' '
	git -C linux config series.host.qemu.accel tcg &&
	rules "base 2 void" "base 3 void" "base 4 void" &&
	bench --runs 2 && test_grep "block 2: dropped" news && test_grep "1 void block dropped" out &&
	[ "$(boots base)" = 5 ] && git -C linux config --unset series.host.qemu.accel
'

test_expect_success 'a panic with the patches alone is a finding, and nothing is thrown away' '
	rules "patched 2 panic" &&
	test_status 2 bench && test_grep "FINDING: crashed, patched in 1 of 3 boots, never base" out &&
	test_grep "patched 20\|p2: CRASHED" news && test_grep "Fatal exception" news &&
	[ "$(boots patched)" = 3 ] && [ "$(newest)" = "31 31 31" ]
'

test_expect_success 'a panic before init, a warning, a run that fails' '
	rules "patched 1 dead" && test_status 2 bench && test_grep "FINDING: crashed" out &&
	rules "patched 3 warn" && test_status 2 bench && test_grep "FINDING: WARNING, patched in 1" out &&
	rules "patched 3 fail" && test_status 2 bench && test_grep "FINDING: failed run, patched in 1" out
'

test_expect_success 'what base has too is an outcome, not a finding' '
	rules "base 1 warn" "patched 2 warn" && bench && test_grep "Outcome: WARNING, base in 1" out
'

test_expect_success 'a proof that does not hold is marked' '
	rules "patched * unproven" && test_status 2 bench &&
	test_grep "PROOF NOT MET: big" out && test_grep "FINDING: proof not met" out &&
	test_grep "pages is 0, expected >= 99% of 65536" news
'

test_expect_success 'counters that are not there prove nothing' '
	rules "base * nocounter" "patched * nocounter" && bench && test_grep "Not proven: big" out
'

test_expect_success 'a kernel that does not boot twice does not boot' '
	rules "patched * silent" && test_status 2 bench &&
	test_grep "FINDING: did not boot, patched in 3 of 3" out && [ "$(boots patched)" = 6 ]
'

test_expect_success 'a base that does not boot blames nobody' '
	n=$(sessions) && rules "base * silent" && test_status 1 bench &&
	test_grep "base does not boot on host qemu" news && [ "$(sessions)" = "$n" ] && [ "$(begun)" = 0 ]
'

test_expect_success 'a host that loses everything is the trouble, and says so' '
	rules "base * void" "patched * void" && test_status 1 bench &&
	test_grep "no boot succeeded" news && [ "$(begun)" = 0 ]
'

test_expect_success 'a wrong kernel is an error; --resume goes on' '
	rules "base 3 wrong" && test_status 1 bench && test_grep "expected build-id" news &&
	test_grep "series bench .* --resume. goes on" news && [ "$(begun)" = 1 ] &&
	rules && bench --resume && test_grep "going on with session" news && [ "$(begun)" = 0 ] &&
	[ "$(newest)" = "36 36 36" ]
'

test_expect_success 'nothing to go on with: a new session' '
	bench --resume && test_grep "no unfinished session" news && [ "$(newest)" = "36 36 36" ]
'

test_expect_success 'a case or a setting that is wrong' '
	test_status 129 bench --case huge && test_grep "big, small" news &&
	git -C linux config series.instrument.icount.delta lots && test_status 129 bench &&
	test_grep "series.instrument.icount.delta" news &&
	git -C linux config --unset series.instrument.icount.delta
'

test_expect_success 'base against itself' '
	rules && bench --aa && [ "$(boots base)" = 6 ] && test_grep "^big .*fewer" out && test_nogrep VOID out
'

test_expect_success 'every patch: one more kernel, and a row of steps' '
	rules && bench --each && [ "$(boots base)" = 6 ] && [ "$(boots patched)" = 3 ] &&
	test_grep "After patch 2" out
'

# guests: fake guests that are still running.
guests() {
	! pgrep -f "$T/home.*fakeguest\|fakeguest.py.*$T" >/dev/null
}

started() {
	cat "$FAKEGUEST/boots" 2>/dev/null | wc -l
}

# Another guest has started, or the program has ended.
moved() {
	[ "$(started)" -gt "$1" ] || ! kill -0 "$2" 2>/dev/null
}

# interrupt SIGNAL SECONDS ARGUMENT...: a session cut off so long after a boot began.
interrupt() {
	sig=$1 after=$2 had=$(started)
	shift 2
	(cd linux && exec "$SERIES" bench ../tiny --arch arm64 "$@") >out 2>news &
	pid=$!
	test_wait 120 moved "$had" $pid
	sleep "$after"
	kill -"$sig" $pid 2>/dev/null
	wait $pid
	status=$?
	grep -h "going on" news >>went_on
	return 0
}

# Boots take .48 s, two at a time: the first cut is in the first, the others in later ones.
for sig in INT KILL; do
	test_expect_success "SIG$sig again and again: --resume loses no run and doubles none" '
		rules && export FAKEGUEST_DELAY=0.08 && n=$(sessions) && : >went_on &&
		interrupt $sig 0.3 &&
		{ [ $sig = KILL ] || { [ $status = 130 ] && test_grep "boots are done.*goes on" news; }; } &&
		interrupt $sig 0.65 --resume && interrupt $sig 0.1 --resume &&
		interrupt $sig 0.6 --resume &&
		{ [ "$(sessions)" -gt "$n" ] || bench --resume; } &&
		[ "$(wc -l <went_on)" -ge 2 ] && [ "$(sessions)" = $((n + 1)) ] && [ "$(begun)" = 0 ] &&
		test_wait 5 guests &&
		[ "$(newest)" = "36 36 36" ] && unset FAKEGUEST_DELAY
	'
done

test_expect_success 'an unfinished session is named when a new one begins' '
	rules "patched 2 wrong" && test_status 1 bench && [ "$(begun)" -ge 1 ] &&
	rules && bench && test_grep "is unfinished .* boots done" news && test_grep "This is a new one" news &&
	(cd linux && "$SERIES" bench --list) >o && test_grep "^Begun:" o
'

test_expect_success 'a record that was cut off is cut away' '
	dir=$(ls -d linux/.git/series/bench/*) && [ -d "$dir" ] &&
	printf "%s" "{\"t\":\"run\",\"case\":0,\"ru" >>"$dir/runs.jsonl" &&
	bench --resume && test_grep "going on with session" news && [ "$(newest)" = "36 36 36" ]
'

# unfinished: one session with a boot missing, its folder in dir.
unfinished() {
	rm -rf linux/.git/series/bench && rules "patched 2 wrong" && test_status 1 bench &&
	rules && dir=$(ls -d "$PWD"/linux/.git/series/bench/*)
}

test_expect_success 'the command to go on with is one that can be typed' '
	unfinished && test_grep "series bench \.\./tiny --arch arm64 --resume. goes on" news
'

test_expect_success 'two that go on with one session: the second is told, not given another' '
	flock -F "$dir/lock" sleep 60 & pid=$!
	test_wait 10 sh -c "! flock -n \"$dir/lock\" true" && n=$(sessions) &&
	test_status 1 bench --resume && test_grep "is being measured by another process" news &&
	(cd linux && "$SERIES" bench --list) >o && test_grep ": running" o
	rc=$?
	kill $pid
	[ $rc = 0 ] && [ "$(sessions)" = "$n" ] && [ "$(begun)" = 1 ]
'

test_expect_success 'a session of a case that is no more is not gone on with' '
	test_grep "\"name\": \"small\"" "$dir/session.json" &&
	sed -i "s/\"name\": \"small\"/\"name\": \"tall\"/" "$dir/session.json" &&
	bench --resume && test_grep "no unfinished session" news
'

test_expect_success 'a session that cannot be read is named, and keeps nobody from measuring' '
	echo "{\"schema\":1,\"blocks\":[[]],\"kernels\":\"x\"}" >"$dir/session.json" &&
	(cd linux && "$SERIES" bench --list) >o && test_grep "cannot be read: .*; remove /" o &&
	bench --resume --blocks 1 && test_grep "passed over" news &&
	test_grep "One boot of each kernel: numbers, no verdict" out && rm -r "$dir"
'

test_expect_success 'several hosts at once: one that fails does not stop the others' '
	rules && git config --global series.host.one.alias "first lab" && git config --global series.host.two.accel icount &&
	git config --global series.host.no.accel kvm && n=$(sessions) &&
	test_status 2 bench --host one --host no --host two --blocks 1 && test_grep "^host one$" out && test_grep "^host two$" out &&
	[ "$(grep -c "^big .*-20.0 %" out)" = 2 ] && test_grep "no: .*kvm runs only" news &&
	test_grep "bench: 1 finding: no failed: .*kvm runs only" news && [ "$(sessions)" = $((n + 2)) ] &&
	test_status 2 bench --host one --host two --host no --blocks 1 --json && python3 -c "
import json
d = json.load(open(\"out\"))
assert len(d[\"sessions\"]) == 2 and len(d[\"findings\"]) == 1, d[\"findings\"]" &&
	test_status 129 bench --host no --blocks 1 && test_status 129 bench --host one --host one && test_grep "named twice" news &&
	test_status 1 bench --host one --host nowhere && test_grep "no host .nowhere" news
'

test_done
