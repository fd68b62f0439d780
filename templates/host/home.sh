# SPDX-License-Identifier: GPL-2.0-or-later
# Restart into what the host boots by itself; if its system does not get there within WITHIN seconds,
# the kernel restarts at once.
PATH=$PATH:/usr/sbin:/sbin
sync
"$DIR/agent" restart "$WITHIN"
if test -d /run/systemd/system; then
	(sleep 1; systemctl reboot) >/dev/null 2>&1 </dev/null &
else
	(sleep 1; reboot || reboot -f) >/dev/null 2>&1 </dev/null &
fi
