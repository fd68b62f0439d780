# SPDX-License-Identifier: GPL-2.0-or-later
# Load the kernel in DIR and start it past the firmware. CMDLINE: its parameters. Returns
# before the machine goes down.
PATH=$PATH:/usr/sbin:/sbin
set -- --command-line="$CMDLINE"
test -e "$DIR/initrd" && set -- "$@" --initrd="$DIR/initrd"
# the new system call first: it is the one that a locked down kernel allows for signed images
kexec -s -l "$DIR/kernel" "$@" 2>"$DIR/kexec.log" || kexec -c -l "$DIR/kernel" "$@" 2>>"$DIR/kexec.log" ||
	{ echo "kexec cannot load the kernel: $(tail -n 1 "$DIR/kexec.log")" >&2; exit 1; }
sync
if test -d /run/systemd/system; then
	# stops what runs, unmounts, then starts what is loaded
	(sleep 1; systemctl kexec) >/dev/null 2>&1 </dev/null &
else
	(sleep 1; sync; kexec -e) >/dev/null 2>&1 </dev/null &
fi
