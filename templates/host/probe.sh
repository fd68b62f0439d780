# SPDX-License-Identifier: GPL-2.0-or-later
# What the host is and can do. Nothing is changed.
have() { command -v "$1" >/dev/null 2>&1; }
PATH=$PATH:/usr/sbin:/sbin
echo "boot_id=$(cat /proc/sys/kernel/random/boot_id)"
echo "release=$(uname -r)"
echo "machine=$(uname -m)"
echo "kexec=$(have kexec && echo yes || echo no)"
echo "kexec_disabled=$(cat /proc/sys/kernel/kexec_load_disabled 2>/dev/null || echo unsupported)"
echo "lockdown=$(sed -n 's/.*\[\(.*\)\].*/\1/p' /sys/kernel/security/lockdown 2>/dev/null)"
# the byte behind the four of attributes, in the variable that UEFI defines
echo "secureboot=$(od -An -t u1 -j 4 -N 1 /sys/firmware/efi/efivars/SecureBoot-* 2>/dev/null | tr -d ' \n')"
echo "grub=$(have grub-reboot && echo grub-reboot || { have grub2-reboot && echo grub2-reboot; })"
echo "grub_once=$(grep -ls next_entry /boot/grub/grub.cfg /boot/grub2/grub.cfg 2>/dev/null | head -n 1)"
echo "bootctl=$(have bootctl && bootctl is-installed 2>/dev/null | head -n 1)"
echo "zram=$(if test -e /sys/class/zram-control || test -e /sys/block/zram0 ||
	find "/lib/modules/$(uname -r)" -name 'zram.ko*' 2>/dev/null | grep -q .
	then echo yes; else echo no; fi)"
echo "memory_mib=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo | awk '{ print int($1 / 1024) }')"
echo "free_mib=$(df -Pm "$DIR" | awk 'NR == 2 { print $4 }')"
echo "fs=$(df -PT "$DIR" 2>/dev/null | awk 'NR == 2 { print $2 }')"
echo "modules_rw=$(test -w /lib/modules && echo yes || echo no)"
echo "initrd_tool=$(for t in mkinitramfs dracut; do have $t && echo $t && break; done)"
echo "watchdog=$(test -e /dev/watchdog && echo yes || echo no)"
echo "pstore=$(ls -d /sys/fs/pstore 2>/dev/null)"
