# SPDX-License-Identifier: GPL-2.0-or-later
# An entry of GRUB's for the kernel in DIR, started once. The default stays the host's own.
# CMDLINE: its parameters.
PATH=$PATH:/usr/sbin:/sbin
set -e
for g in grub grub2; do
	command -v $g-reboot >/dev/null && test -d /boot/$g && break
done
command -v $g-reboot >/dev/null || { echo "neither grub-reboot nor grub2-reboot is here" >&2; exit 1; }
mkdir -p /boot/series
cp "$DIR/kernel" /boot/series/kernel.new
mv /boot/series/kernel.new /boot/series/kernel
rm -f /boot/series/initrd
test ! -e "$DIR/initrd" || cp "$DIR/initrd" /boot/series/initrd
path=$($g-mkrelpath /boot/series)
custom=/boot/$g/custom.cfg
# only what is between our marks is ours
test ! -e $custom || sed -i '/^# series begin$/,/^# series end$/d' $custom
{
	echo '# series begin'
	echo "menuentry 'series' --id series {"
	echo "	search --no-floppy --fs-uuid --set=root $($g-probe --target=fs_uuid /boot)"
	echo "	linux $path/kernel $CMDLINE"
	test ! -e /boot/series/initrd || echo "	initrd $path/initrd"
	echo '}'
	echo '# series end'
} >>$custom
$g-reboot series
sync
(sleep 1; systemctl reboot || reboot) >/dev/null 2>&1 </dev/null &
