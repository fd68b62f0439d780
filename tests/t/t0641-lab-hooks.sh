#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of templates/host/hooks.conf as they stand there, against a lab that is not there:
# programs of the names that labs use, which take what the real ones take and act on a fake machine.
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
git config --global include.path "$SRCDIR/templates/host/hooks.conf"
for h in bmc pdu labgrid lava; do
	git config --global series.host.$h.dir "$FH/dir" && git config --global series.host.$h.timeout 5
done
ID=abcdefabcdefabcdefabcdefabcdefabcdefabcd
printf 'run one 1 20 /bin/echo hello\ndone\n' >job

# lab PROGRAM USAGE ACTION: PROGRAM acts when it is called with USAGE, a pattern of case, and is as
# unkind as the real one otherwise. Words are joined by blanks.
mkdir lab
lab() {
	first=$(echo "$2" | sed 's/ /\\ /g') second=$(echo "$4" | sed 's/ /\\ /g')
	cat >"lab/$1" <<-L
	#!/bin/sh
	echo "$1 \$*" >>$T/lab.log
	case "\$*" in
	$first) $3 ;;
	$second) $5 ;;
	*) echo "$1: usage" >&2; exit 2 ;;
	esac
	L
	chmod +x "lab/$1"
}
console='printf "[    9.0] Kernel panic - not syncing: seen by %s\n" $(basename $0); exec sleep 100'
lab ipmitool "-I lanplus -H *.example.org -U admin -f /*.pw chassis power cycle" "$FH/machine power" \
	"-I lanplus -H *.example.org -U admin -f /*.pw sol activate" "$console"
lab pduclient "--daemon *.example.org --hostname pdu1 --port 3 --command reboot --delay 5" "$FH/machine power" x false
lab nc "-d lab.example.org 7003" "$console" x false
lab labgrid-client "-p board1 power cycle" "$FH/machine power" "-p board1 console --listenonly" "$console"
PATH=$T/lab:$PATH

boot() {
	"$BUILD/tests/boot-job" $A "@$1" kernel job "$2" 60 $ID >out 2>err
}
state() { test_grep "\"state\": \"$1\"" out; }
at_home() { test "$(tail -n 1 "$FH/history")" = "own ok" && test ! -e "$XDG_DATA_HOME/series/hosts/$1.json"; }

test_expect_success 'every host of the examples is one that series takes' '
	series host list >list && for h in bmc pdu labgrid; do test_grep "^$h  *ssh  *any arch  *kexec" list || return 1; done &&
	test_grep "^lava  *ssh  *any arch  *hook" list && test_nogrep "cannot be used" list
'

for h in bmc pdu labgrid; do
	test_expect_success "$h: a kernel that hangs is brought home, its console is read" '
		fakehost_kernel kernel $ID hang && : >"$FH/history" && boot $h b-$h &&
		state CRASHED && test_grep "seen by" out && test_grep "hook power" "$FH/history" && at_home $h
	'
done

test_expect_success 'bmc: the reset that this BMC does not know was tried before' '
	test_grep "chassis power reset" lab.log && test_grep "reset hook: .*ipmitool: usage" b-bmc/host.log
'

# LAVA: jobs are files; one runs a moment after it was submitted, and boots the machine.
cat >lab/lavacli <<L
#!/bin/sh
echo "lavacli \$*" >>$T/lab.log
case "\$1 \$2" in
"jobs submit") cp "\$3" $T/lava.job; echo Scheduled >$T/lava.state; echo 1234
	(sleep 1; echo Running >$T/lava.state; cp $T/www/lava-kernel $FH/dir/kernel; $FH/machine kexec) >/dev/null 2>&1 & ;;
"jobs show") echo "id          : \$3"; echo "state       : \$(cat $T/lava.state)" ;;
"jobs cancel") echo Finished >$T/lava.state; $FH/machine power ;;
*) exit 2 ;;
esac
L
# scp to the web server's folder; all else is the fake host's
cat >lab/scp <<L
#!/bin/sh
case "\$*" in
*:/srv/www/series/*) exec cp "\$2" $T/www/\${3##*/} ;;
esac
exec $FH/bin/scp "\$@"
L
chmod +x lab/lavacli lab/scp
mkdir www
cat >lava-job.yaml <<'L'
actions:
- deploy: { kernel: { url: "@KERNEL@", type: image } }
- boot: { extra_kernel_args: "@CMDLINE@" }
L
# where the file and the script are is the user's; the rest of the line is the example's
fix() {
	v=$(git config series.host.lava.$1 | sed "s|/etc/series/lava-job.yaml|$T/lava-job.yaml|; s|lava\.sh|$SRCDIR/templates/host/lava.sh|") &&
	git config --global series.host.lava.$1 "$v"
}
export XDG_RUNTIME_DIR=$T LAVA_WAIT=0.2

test_expect_success 'lava: the kernel is handed in as a job, which ends when the host shall go home' '
	fix bootHook && fix powerHook && fakehost_kernel kernel $ID stuck && : >lab.log &&
	boot lava b-lava && state OK && at_home lava &&
	test_grep "url: \"http://lava.example.org/series/lava-kernel\"" lava.job &&
	test_grep "extra_kernel_args: \"root=/dev/fake0 quiet panic=10 " lava.job &&
	test_grep "jobs cancel 1234" lab.log && test -z "$(ls -A "$T" | grep series-lava)"
'

test_expect_success 'lava: a job that LAVA does not take is not the kernel'\''s fault' '
	printf "#!/bin/sh\necho no such device >&2\nexit 1\n" >lab/lavacli && boot lava b-no &&
	state INFRA_FAIL && test_grep "bootHook" out && test_grep "the job was not taken" out
'
test_done
