#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A remote host, whatever becomes of it: every way a boot can end, and the way back from each.
# The machine is a fake (tests/helper/fakehost.sh); a real one is booted by make check-kernel.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "$SRCDIR/tests/helper/fakehost.sh"

fakehost_possible || test_skip_all "no namespaces of one's own (unshare -rm)"
case $(uname -m) in
x86_64) A=x86_64 ;;
aarch64) A=arm64 ;;
*) test_skip_all "no fake for $(uname -m)" ;;
esac
FH=$T/fh
fakehost_make "$FH"
g() { git config --global "series.host.far.$1" "$2"; }
g type ssh && g allow-reboot true && g dir "$FH/dir" && g timeout 5
ID=abcdefabcdefabcdefabcdefabcdefabcdefabcd
printf 'run one 1 20 /bin/echo hello\ndone\n' >job
HOSTS=$XDG_DATA_HOME/series/hosts

# boot DIR [JOB] [SECONDS] [ID]: boot ./kernel there; what came is in ./out.
boot() {
	"$BUILD/tests/boot-job" $A @far kernel "${2:-job}" "$1" "${3:-60}" "${4:-$ID}" >out 2>err
}
state() { test_grep "\"state\": \"$1\"" out; }
# The machine runs its own kernel, and nothing is remembered against it.
runs_own() { test "$(tail -n 1 "$FH/history")" = "own ok"; }
at_home() { runs_own && test ! -e "$HOSTS/far.json"; }

test_expect_success 'a whole round: boot, job, home' '
	fakehost_kernel kernel $ID ok &&
	boot b1 && state OK && test_grep "\"build_id\": \"$ID\"" out && test_grep "\"out\": *\"hello" out &&
	test "$(cat "$FH/history" | cut -d" " -f1 | tr "\n" " ")" = "own kernel own " && at_home
'

test_expect_success 'parameters: those of the host, less what is replaced, and ours' '
	test_grep "command-line=root=/dev/fake0 quiet panic=10 oops=panic softlockup_panic=1" "$FH/tool.log" &&
	g cmdline "maxcpus=1 it'\''s" && boot b2 && state OK &&
	test_grep "softlockup_panic=1 maxcpus=1 it.s" "$FH/tool.log" && git config --global --unset series.host.far.cmdline
'

test_expect_success 'a kernel that panics at boot comes home by itself; the patch is to blame' '
	fakehost_kernel kernel $ID panic &&
	boot b3 && state BOOT_FAIL && test_grep "came back with its own" out && at_home
'

test_expect_success 'another build-id than expected' '
	fakehost_kernel kernel 1111111111111111111111111111111111111111 ok &&
	boot b4 && state WRONG_KERNEL && test_grep "expected build-id $ID" out && at_home &&
	test_nogrep "\"out\": *\"hello" out
'

test_expect_success 'a kernel that hangs, and no hook: quarantine, which says why' '
	fakehost_kernel kernel $ID hang &&
	boot b5 && state BOOT_FAIL && test_grep "did not come up within 5 s" out &&
	test_grep "is in quarantine" out && test -e "$HOSTS/far.json" &&
	series host list >list && test_grep "in quarantine since .*did not come back" list &&
	series host list --json >list && test_grep "\"quarantine\": \"did not come back" list
'

test_expect_success 'in quarantine nothing is booted, and nothing is said of the kernel' '
	"$FH/machine" power && fakehost_kernel kernel $ID ok &&
	boot b6 && state INFRA_FAIL && test_grep "series host reset far" out
'

test_expect_success 'reset: it is home, and is used again' '
	series host reset far 2>err && test_grep "quarantine is lifted" err && at_home &&
	boot b7 && state OK && at_home
'

test_expect_success 'a kernel that hangs: the reset hook before the power hook' '
	g resetHook "$FH/machine reset" && g powerHook "$FH/machine power" && : >"$FH/history" &&
	fakehost_kernel kernel $ID hang &&
	boot b8 && state BOOT_FAIL && test_grep "hook reset" "$FH/history" &&
	test_nogrep "hook power" "$FH/history" && at_home
'

test_expect_success 'the power hook when the reset did not help' '
	printf "#!/bin/sh\necho no reset here >&2\nexit 3\n" >noreset && chmod +x noreset &&
	g resetHook "$T/noreset" && : >"$FH/history" && boot b9 && state BOOT_FAIL &&
	test_grep "hook power" "$FH/history" && at_home && test_grep "no reset here" b9/host.log
'

test_expect_success 'a kernel that does not restart when it is asked to: hooks' '
	fakehost_kernel kernel $ID stuck && : >"$FH/history" &&
	boot b10 && state OK && test_grep "hook power" "$FH/history" && at_home
'

test_expect_success 'a crash in the middle of the job' '
	fakehost_kernel kernel $ID ok && printf "run one 1 20 %s crash\nrun two 1 20 /bin/sleep 9\ndone\n" "$FH/machine" >crash &&
	boot b11 crash && state CRASHED && test_grep "went down in the middle" out && at_home
'

test_expect_success 'a machine that stops answering in the middle of the job' '
	printf "run one 1 20 %s freeze\nrun two 1 20 /bin/sleep 9\ndone\n" "$FH/machine" >freeze && : >"$FH/history" &&
	boot b12 freeze && state HUNG && test_grep "does not answer any more" out &&
	test_grep "hook power" "$FH/history" && at_home
'

test_expect_success 'a job that does not end' '
	printf "run one 1 100 /bin/sleep 50\ndone\n" >long &&
	boot b13 long 4 && state HUNG && test_grep "did not end within 4" out && at_home
'

test_expect_success 'a connection that is lost is not a crash: nothing of the job is lost' '
	printf "run one 1 20 /bin/echo before\nrun cut 1 20 /bin/sh -c \"sleep 3; setsid %s cut 1 >/dev/null 2>&1 & sleep 6\"\nrun two 1 20 /bin/echo behind\ndone\n" "$FH/machine" >cut &&
	boot b14 cut && state OK && test_grep "connection lost" b14/host.log &&
	test "$(grep -c "\"t\":\"run\"" b14/job.jsonl)" = 3 && test "$(grep -c "\"t\":\"hello\"" b14/job.jsonl)" = 1 && at_home
'

test_expect_success 'a job command that fails is not the kernel'\''s fault' '
	printf "write /nowhere/x 1\ndone\n" >bad &&
	boot b15 bad && state INFRA_FAIL && test_grep "job line 1 (write)" out && at_home
'

test_expect_success 'kexec_file_load that is refused is tried the old way; both: nothing is booted' '
	touch "$FH/kexec_s_fails" && boot b16 && state OK && at_home && touch "$FH/kexec_fails" &&
	boot b17 && state INFRA_FAIL && test_grep "kexec cannot load the kernel: kexec_load failed" out &&
	rm "$FH"/kexec_*fails && at_home
'

test_expect_success 'interrupted: the host is asked to go home, and the next boot finds it' '
	{ "$BUILD/tests/boot-job" $A @far kernel long b18 60 $ID >out 2>err & } && pid=$! &&
	test_wait 20 grep -q "\"t\":\"hello\"" b18/job.jsonl && kill -TERM $pid && wait $pid
	state VOID && test_wait 10 runs_own &&
	boot b19 && state OK && at_home
'

test_expect_success 'killed: what was left away is brought home before anything else' '
	{ "$BUILD/tests/boot-job" $A @far kernel long b20 60 $ID >out 2>err & } && pid=$! &&
	test_wait 20 grep -q "\"t\":\"hello\"" b20/job.jsonl && child=$(pgrep -P $pid | head -n 1) &&
	kill -KILL $pid $child && rm -rf "$TMPDIR"/series-ssh-* && test -e "$HOSTS/far.json" &&
	series host list >list && test_grep "away since" list &&
	boot b21 && state OK && test_grep "it was left in a kernel under test" b21/host.log && at_home
'

test_expect_success 'a host that may not be rebooted, cannot be reached, or is not known' '
	g allow-reboot false && test_status 1 boot b22 && test_grep "may not be rebooted" err && g allow-reboot true &&
	touch "$FH/refuse" && boot b23 && state INFRA_FAIL && test_grep "connect once by hand" out && rm "$FH/refuse" &&
	"$FH/machine" off && boot b24 && state INFRA_FAIL && test_grep "No route to host" out && "$FH/machine" on && at_home
'

test_expect_success 'a folder there that somebody else could write to is not used: root runs what is in it' '
	mkdir other && g dir "$T/other" && if test "$(id -u)" = 0; then chmod 777 other && chown 12345 other; else false; fi || { rmdir other; g dir "$FH/dir"; return 0; }
	boot b29 && state INFRA_FAIL && test_grep "own: set series.host.far.dir" out && test -z "$(ls -A other)" &&
	rmdir other && g dir "$FH/dir"
'

test_expect_success 'modules take their place in one rename, as root'\''s files' '
	mkdir -p m/kernel && touch m/kernel/x.ko m/modules.dep && tar -C m -cf m.tar . &&
	mkdir -p "$FH/modules/6.0-series" && touch "$FH/modules/6.0-series/old" &&
	RELEASE=6.0-series MODULES=m.tar boot b25 && state OK &&
	test -e "$FH/modules/6.0-series/kernel/x.ko" && test ! -e "$FH/modules/6.0-series/old" &&
	test "$(ls -A "$FH/modules")" = 6.0-series
'

test_expect_success 'two boots at once wait for each other' '
	{ "$BUILD/tests/boot-job" $A @far kernel job b26 60 $ID >out1 2>&1 & } && pid=$! &&
	boot b27 && state OK && wait $pid && test_grep "\"state\": \"OK\"" out1 && at_home
'

test_expect_success 'a boot hook, with the kernel in its environment; the console hook' '
	cat >hook <<-H &&
	#!/bin/sh
	echo "\$SERIES_HOST \$SERIES_RELEASE \$SERIES_CMDLINE" >$T/hook.env
	cp "\$SERIES_KERNEL" $FH/dir/kernel && (setsid $FH/machine kexec >/dev/null 2>&1 &)
	H
	cat >console <<-H &&
	#!/bin/sh
	printf "[    1.0] BUG: sleeping function called\n"
	exec sleep 100
	H
	chmod +x hook console && g boot hook && g bootHook "$T/hook" && g consoleHook "$T/console" &&
	RELEASE=6.0-series boot b28 && state OK && at_home && test_grep "^far 6.0-series root=/dev/fake0" hook.env &&
	test_grep "BUG: sleeping function called" out && test_grep "BUG: sleeping" b28/console.log &&
	git config --global --unset series.host.far.consoleHook && git config --global --unset series.host.far.boot
'

test_expect_success 'nothing of the machine is left running, and no socket lies about' '
	test_wait 10 sh -c "! pgrep -f \"^$T/console\"" && test -z "$(ls "$TMPDIR")"
'

test_done
