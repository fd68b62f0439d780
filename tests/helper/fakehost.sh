# SPDX-License-Identifier: GPL-2.0-or-later
# A machine that is not there: ssh and scp, first on PATH, run what they are told in namespaces of
# their own in which this machine's boot_id, build-id and parameters are the fake's. Its
# "kernels" are files that say how they behave. The agent, the scripts of templates/host and the
# driver are the real ones.
#
#	fakehost_make DIR	make it, running its own kernel
#	fakehost_kernel FILE ID BEHAVIOUR	BEHAVIOUR: ok, panic (comes home by itself), hang
#			(until it is reset), stuck (does not restart when asked)
#	fakehost_do DIR COMMAND	what a hook or the machine itself does: reset, power, crash, cut
#			(the connection is lost), break (nothing brings it back), mend
# shellcheck shell=sh

fakehost_possible() {
	unshare -rm sh -c 'mount --bind /etc/hostname /proc/sys/kernel/random/boot_id' 2>/dev/null
}

fakehost_kernel() {
	printf 'id=%s\nbehaves=%s\n' "$2" "$3" >"$1"
}

fakehost_make() {
	fh=$1
	mkdir -p "$fh/bin" "$fh/dir" "$fh/modules"
	printf 'root=/dev/fake0 quiet BOOT_IMAGE=/vmlinuz panic=5\n' >"$fh/cmdline"
	fakehost_kernel "$fh/own" 0123456789abcdef0123456789abcdef01234567 ok
	sed "s|@FH@|$fh|" >"$fh/machine" <<'M'
#!/bin/sh
# machine COMMAND: what happens to it. One thing at a time.
F=@FH@
notes() { # the note that /sys/kernel/notes would have
	printf '\004\000\000\000\024\000\000\000\003\000\000\000GNU\000'
	echo "$1" | sed 's/../\\\\x&/g' | xargs -n 1 printf '%b'
}
down() {
	rm -f $F/up
	for p in $F/conn/*; do test -e "$p" && kill -KILL -- "-${p##*/}" 2>/dev/null; rm -f "$p"; done
	pkill -KILL -f "^$F/dir/agent (start|hello|follow|restart)"
	return 0
}
up() { # KERNEL
	. "$1"
	notes "$id" >$F/notes.new && mv $F/notes.new $F/notes
	cat /proc/sys/kernel/random/uuid >$F/boot_id
	echo "$behaves" >$F/running
	echo "$(basename $1) $behaves" >>$F/history
	touch $F/up
}
boot() { # KERNEL
	. "$1"
	case $behaves in
	panic) sleep 1; echo "panic $id" >>$F/history; up $F/own ;;
	hang) echo "hang $id" >>$F/history ;;
	*) up "$1" ;;
	esac
}
mkdir -p $F/conn
case $1 in
on) up $F/own ;;
off) down ;;
kexec) down; sleep 0.3; boot $F/dir/kernel ;;
reboot) test "$(cat $F/running)" = stuck || { down; sleep 0.3; boot $(cat $F/once 2>/dev/null || echo $F/own); rm -f $F/once; } ;;
crash) down; sleep 0.5; up $F/own ;;
freeze) down ;;
reset | power) echo "hook $1" >>$F/history; test -e $F/broken && exit 0; down; up $F/own ;;
cut) touch $F/cut; for p in $F/conn/*; do kill -KILL -- "-${p##*/}" 2>/dev/null; rm -f "$p"; done
	sleep "${2:-1}"; rm -f $F/cut ;;
esac
M
	cat >"$fh/bin/ssh" <<S
#!/bin/bash
F=$fh
while test \$# -gt 0; do case \$1 in
-o) shift 2 ;;
-O) exit 0 ;;
--) break ;;
*) shift ;;
esac; done
shift; dest=\$1; shift
S
	cat >>"$fh/bin/ssh" <<'S'
echo "$dest: $*" >>$F/calls
if test -e $F/refuse; then echo "Host key verification failed." >&2; exit 255; fi
if ! test -e $F/up || test -e $F/cut; then echo "ssh: connect to host $dest port 22: No route to host" >&2; exit 255; fi
cat >$F/stdin.$$
# a process group of its own, which goes when the machine or the connection does
set -m
unshare -rm sh -c '
	mount --bind $1/boot_id /proc/sys/kernel/random/boot_id && mount --bind $1/notes /sys/kernel/notes &&
	mount --bind $1/cmdline /proc/cmdline || exit 255
	export PATH=$1/tools:$PATH MODULES=$1/modules
	exec sh -c "$2"' sh "$F" "$*" <$F/stdin.$$ &
pid=$!
touch $F/conn/$pid
wait $pid
rc=$?
rm -f $F/stdin.$$
test -e $F/conn/$pid || { echo "Connection to $dest closed by remote host." >&2; exit 255; }
rm -f $F/conn/$pid
exit $rc
S
	cat >"$fh/bin/scp" <<S
#!/bin/bash
F=$fh
S
	cat >>"$fh/bin/scp" <<'S'
test -e $F/up || { echo "ssh: connect to host: No route to host" >&2; exit 255; }
from=()
while test $# -gt 1; do case $1 in
-o) shift 2 ;;
-*) shift ;;
*) from+=("$1"); shift ;;
esac; done
test "${from[*]}" || exit 0
exec cp -rL "${from[@]}" "${1#*:}"
S
	mkdir "$fh/tools"
	# what the scripts of templates/host call there; the machine acts a moment later
	sed "s|@FH@|$fh|" >"$fh/tools/kexec" <<'K'
#!/bin/sh
F=@FH@
echo "kexec $*" >>$F/tool.log
case " $* " in
*" -s "*) test ! -e $F/kexec_s_fails || { echo "kexec_file_load failed: Operation not permitted" >&2; exit 1; } ;;
esac
case " $* " in
*" -l "*) test ! -e $F/kexec_fails || { echo "kexec_load failed: Operation not permitted" >&2; exit 1; } ;;
*" -e "*) setsid $F/machine kexec >/dev/null 2>&1 & ;;
esac
exit 0
K
	sed "s|@FH@|$fh|" >"$fh/tools/reboot" <<'K'
#!/bin/sh
F=@FH@
echo "reboot $*" >>$F/tool.log
setsid $F/machine reboot >/dev/null 2>&1 &
K
	sed "s|@FH@|$fh|" >"$fh/tools/systemctl" <<'K'
#!/bin/sh
F=@FH@
echo "systemctl $*" >>$F/tool.log
setsid $F/machine $1 >/dev/null 2>&1 &
K
	chmod +x "$fh/machine" "$fh"/bin/* "$fh"/tools/*
	PATH=$fh/bin:$PATH
	"$fh/machine" on
}
