# SPDX-License-Identifier: GPL-2.0-or-later
# Before the boot, on the host's own kernel: the modules of the kernel in DIR take their
# place in one rename, and get an initramfs that holds them. RELEASE: of the kernel; INITRD:
# auto, none, sent. Prints the parameters of the running kernel that the new one gets, too.
PATH=$PATH:/usr/sbin:/sbin
: "${MODULES:=/lib/modules}"
set -e
line=
for w in $(cat /proc/cmdline); do
	case $w in
	BOOT_IMAGE=* | initrd=* | panic=* | oops=*) ;;
	*) line="$line$w " ;;
	esac
done
echo "cmdline=$line"
if test -e "$DIR/modules.tar"; then
	# in the same file system as the place they go to, or it is no rename
	new=$MODULES/.series-new
	rm -rf "$new"
	mkdir -p "$new"
	tar -xof "$DIR/modules.tar" -C "$new"
	"$DIR/agent" exchange "$new" "$MODULES/$RELEASE"
	rm -rf "$new" "$MODULES/$RELEASE.old"
	test -e "$MODULES/$RELEASE/modules.dep" || depmod "$RELEASE"
fi
test "$INITRD" = sent || rm -f "$DIR/initrd"
test "$INITRD" = auto && test -e "$DIR/modules.tar" || exit 0
if command -v mkinitramfs >/dev/null; then
	mkinitramfs -o "$DIR/initrd" "$RELEASE" >&2
elif command -v dracut >/dev/null; then
	dracut --force "$DIR/initrd" "$RELEASE" >&2
else
	echo "initramfs=none: neither mkinitramfs nor dracut is here"
fi
