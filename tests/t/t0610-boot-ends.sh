#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever becomes of the tool, its QEMU ends with it; a full disk is not the kernel's fault.
# QEMU is a script that writes what the test says, first on PATH. What goes before "&" in an and-list
# runs behind it too: the wait would see the last test's file, and the signal find a shell that drops it.
. "${SRCDIR:-.}/tests/helper/tap.sh"

case $(uname -m) in
x86_64) A=x86_64 Q=qemu-system-x86_64 ;;
aarch64) A=arm64 Q=qemu-system-aarch64 ;;
*) test_skip_all "no fake for $(uname -m)" ;;
esac
mkdir bin
cat >"bin/$Q" <<'EOS'
#!/bin/sh
for a; do case $a in
file,id=console,path=*) C=${a#*path=} ;;
file,id=job,path=*) J=${a#*path=} ;;
esac; done
eval "$SCENARIO"
EOS
chmod +x "bin/$Q"
PATH=$T/bin:$PATH
echo done >job
HELLO='{"t":"hello","boot_id":"11111111-2222-3333-4444-555555555555","build_id":"ab"}'
export HELLO
BOOT="$BUILD/tests/boot-job $A icount /bin/sh $T/job"

gone() { ! kill -0 "$(cat "$T/pid")" 2>/dev/null; }

test_expect_success 'SIGKILL: qemu is gone too, and the next boot in that folder is good' '
	SCENARIO="echo \$\$ >$T/pid.new; mv $T/pid.new $T/pid; exec sleep 1000" \
		$BOOT $T/boot 60 >out 2>&1 &
	tool=$! && test_pid $tool &&
	test_wait 30 test -s pid && kill -KILL $tool && test_wait 10 gone &&
	SCENARIO="echo \"\$HELLO\" >\$J; echo {\\\"t\\\":\\\"done\\\"} >>\$J" $BOOT $T/boot 60 >out &&
	test_grep "\"state\": \"OK\"" out && test ! -e boot/initramfs.cpio
'
test_expect_success 'SIGINT: the boot is void, qemu is gone, the archive too' '
	rm -f pid || return 1
	SCENARIO="echo \$\$ >$T/pid.new; mv $T/pid.new $T/pid; exec sleep 1000" \
		$BOOT $T/boot 60 >out 2>&1 &
	tool=$! && test_pid $tool &&
	test_wait 30 test -s pid && kill -TERM $tool && wait $tool &&
	gone && test_grep "\"state\": \"VOID\"" out && test ! -e boot/initramfs.cpio
'
if unshare -rm true 2>/dev/null; then
	test_expect_success 'a disk that fills up under qemu is named' '
		mkdir full &&
		SCENARIO="echo \"\$HELLO\" >\$J; head -c 9000000 /dev/zero >>\$C; exit 0" \
			unshare -rm sh -c "mount -t tmpfs -o size=3m none full &&
				$BOOT full/boot 60 && ls full/boot" >out 2>&1 &&
		test_grep "INFRA_FAIL.*no space left" out
	'
	test_expect_success 'a disk too full for the archive is named' '
		unshare -rm sh -c "mount -t tmpfs -o size=100k none full; $BOOT full/boot 60" \
			>out 2>&1; test $? = 1 &&
		test_grep "initramfs.cpio.*No space left" out
	'
else
	test_skip 'full disks' 'no user namespaces for a small tmpfs'
fi
test_done
