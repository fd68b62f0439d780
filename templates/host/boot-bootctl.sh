# SPDX-License-Identifier: GPL-2.0-or-later
# An entry of systemd-boot's for the kernel in DIR, started once. The default stays the
# host's own. CMDLINE: its parameters.
PATH=$PATH:/usr/sbin:/sbin
set -e
boot=$(bootctl -x)
mkdir -p "$boot/series" "$boot/loader/entries"
cp "$DIR/kernel" "$boot/series/kernel.efi"
rm -f "$boot/series/initrd"
test ! -e "$DIR/initrd" || cp "$DIR/initrd" "$boot/series/initrd"
{
	echo 'title series'
	echo 'linux /series/kernel.efi'
	test ! -e "$boot/series/initrd" || echo 'initrd /series/initrd'
	echo "options $CMDLINE"
} >"$boot/loader/entries/series.conf"
bootctl set-oneshot series.conf
sync
(sleep 1; systemctl reboot || reboot) >/dev/null 2>&1 </dev/null &
