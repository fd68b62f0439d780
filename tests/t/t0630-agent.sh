#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The agent of a host (templates/guest/hosted.c) on this machine: records, what it kills,
# what it puts back, and how it is followed and stopped.
. "${SRCDIR:-.}/tests/helper/tap.sh"

gcc -std=gnu11 -D_GNU_SOURCE -O1 -static -o agent "$SRCDIR"/templates/guest/*.c || exit 1
A=$PWD/agent

# job FILE: the job on standard input, run to its end for this shell; records in FILE.
job() {
	cat >"$1.job" && rm -f "$1" && "$A" run "$1.job" "$1" $$
}

test_expect_success 'hello is of this boot and this kernel' '
	"$A" hello >hello &&
	grep -q "\"boot_id\":\"$(cat /proc/sys/kernel/random/boot_id)\"" hello &&
	grep -q "\"release\":\"$(uname -r)\"" hello && test "$(wc -l <hello)" = 1
'

test_expect_success 'how it is called' '
	test_status 2 "$A" 2>usage && grep -q "^agent run JOB RECORDS OWNER$" usage &&
	test_status 2 "$A" run 2>/dev/null &&
	test_status 1 "$A" run nothing records $$ 2>err && grep -q "^nothing: No such" err
'

test_expect_success 'a job: hello, run with its output, done' '
	job records <<-\J &&
	fact limit /proc/sys/kernel/pid_max
	run one 1 20 /bin/echo hello there
	done
	J
	test "$(wc -l <records)" = 4 && sed -n 2p records | grep -q "\"value\":\"$(cat /proc/sys/kernel/pid_max)\"" &&
	sed -n 3p records | grep -q "\"case\":\"one\",\"run\":1,.*\"rc\":0,.*\"out\":\"hello there" &&
	test "$(sed -n 4p records)" = "{\"t\":\"done\"}"
'

test_expect_success 'only what the job started is killed, orphans of orphans included' '
	sleep 300 & other=$! &&
	job records <<-\J &&
	run one 1 20 /bin/sh -c "(setsid sh -c \"sleep 301 & sleep 302\" &) ; exit 3"
	done
	J
	grep -q "\"rc\":3" records && kill -0 $other && kill $other &&
	! pgrep -f "^sleep 30[12]$"
'

test_expect_success 'a run that takes too long' '
	job records <<-\J &&
	run one 1 1 /bin/sh -c "sleep 303 & sleep 304"
	done
	J
	grep -q "\"signal\":9,\"timed_out\":true" records && ! pgrep -f "^sleep 30[34]$" &&
	grep -q "\"t\":\"done\"" records
'

test_expect_success 'what was written is as it was, the first text of each file' '
	echo "always [madvise] never" >choice && echo 60 >number &&
	job records <<-J &&
	write $PWD/choice never
	write $PWD/number 10
	write $PWD/number 20
	run one 1 5 /bin/cat $PWD/choice $PWD/number
	done
	J
	grep -q "\"out\":\"never.*20" records &&
	case "$(cat choice)" in madvise*) ;; *) false ;; esac && case "$(cat number)" in 60*) ;; *) false ;; esac
'

test_expect_success 'also when the job fails, and a device of the host is not overwritten' '
	echo 60 >number &&
	job records <<-J &&
	write $PWD/number 10
	mkswap /dev/null
	done
	J
	grep -q "\"t\":\"error\",\"line\":2,\"cmd\":\"mkswap\",\"msg\":\"/dev/null is not ours" records &&
	! grep -q "\"t\":\"done\"" records && case "$(cat number)" in 60*) ;; *) false ;; esac
'

test_expect_success 'told to stop it ends the run, puts back, and says so' '
	echo 60 >number &&
	cat >stop.job <<-J &&
	write $PWD/number 10
	run one 1 100 /bin/sleep 305
	run two 1 100 /bin/sleep 306
	done
	J
	{ "$A" run stop.job stopped $$ & } && pid=$! && test_wait 20 grep -q 10 number &&
	test_wait 20 pgrep -f "^/bin/sleep 305" >/dev/null && kill -TERM $pid && wait $pid
	grep -q "\"msg\":\"stopped from outside\"" stopped && ! grep -q "\"case\":\"two\"" stopped &&
	! pgrep -f "^/bin/sleep 30[56]" && case "$(cat number)" in 60*) ;; *) false ;; esac
'

test_expect_success 'told to stop by a file beside the job, where no signal reaches it' '
	mkdir dir && cp stop.job dir/job && { "$A" run dir/job dir/records $$ & } && pid=$! &&
	test_wait 20 pgrep -f "^/bin/sleep 305" >/dev/null && touch dir/stop && wait $pid
	grep -q "stopped from outside" dir/records && ! pgrep -f "^/bin/sleep 305"
'

test_expect_success 'it does not outlive the one it works for' '
	sleep 100 & boss=$! &&
	{ "$A" run stop.job orphan $boss & } && pid=$! &&
	test_wait 20 pgrep -f "^/bin/sleep 305" >/dev/null && kill $boss && wait $pid
	grep -q "stopped from outside" orphan && ! pgrep -f "^/bin/sleep 305"
'

test_expect_success 'in the background, followed, left and followed again from there' '
	cat >bg.job <<-\J &&
	run one 1 20 /bin/echo first
	run two 2 20 /bin/sleep 2
	run three 3 20 /bin/echo last
	done
	J
	"$A" start bg.job bg </dev/null >/dev/null 2>&1 &&
	test_wait 20 grep -q first bg && { "$A" follow bg 0 0 >part1 & } && pid=$! &&
	test_wait 20 grep -q first part1 && kill $pid && { wait $pid || :; } &&
	grep -v "\"t\":\"kmsg\"" part1 >records1 && from=$(wc -c <records1) &&
	"$A" follow bg $from 0 | grep -v "\"t\":\"kmsg\"" >records2 &&
	cat records1 records2 >both && test_cmp bg both && tail -n 1 both | grep -q "\"t\":\"done\""
'

test_expect_success 'one job at a time writes a file of records' '
	"$A" start stop.job twice </dev/null >/dev/null 2>&1 && test_wait 20 test -s twice &&
	test_status 1 "$A" run bg.job twice $$ 2>err && grep -q "a job is running already" err &&
	test_wait 20 pgrep -f "start stop.job twice" >pid && kill $(cat pid) && "$A" follow twice 0 0 >/dev/null
'

test_expect_success 'two names change places' '
	mkdir new old && touch new/n old/o && "$A" exchange new old && test -e old/n && test -e new/o &&
	mkdir first && touch first/f && "$A" exchange first target && test -e target/f && ! test -e first
'

# As root, and with the driver there: a device that nobody uses, gone afterwards.
if test "$(id -u)" = 0 && test -e /sys/class/zram-control -o -e /sys/block/zram0; then
	test_expect_success 'zram: a free device, swapped to first, and given back' '
		ls -d /sys/block/zram* >before 2>/dev/null; cp /proc/swaps swaps &&
		job records <<-J &&
		zram 64M lzo-rle
		fact size /sys/block/zram0/disksize
		run one 1 5 /bin/cat /proc/swaps
		done
		J
		grep -q "\"name\":\"size\",\"value\":\"67108864\"" records &&
		grep -q "/dev/zram[0-9]* .*32767" records &&
		ls -d /sys/block/zram* >after 2>/dev/null; test_cmp before after && test_cmp swaps /proc/swaps
	'
fi

test_done
