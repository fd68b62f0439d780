#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch-kernel.sh DIR: Debian's prebuilt 6.12 cloud kernel for arm64 into DIR: Image, the
# modules that a zram needs (*.ko), their order in "modules", and "release". Done once.
#
# A private apt root is used, with the Debian sources of this machine, so that neither the
# system's package lists nor its architectures are touched. Status 1 and a reason on stderr
# when it cannot be had.
set -eu
dir=$1
[ -e "$dir/release" ] && exit 0
fail() { echo "fetch-kernel: $1" >&2; exit 1; }
for p in apt-get apt-cache dpkg-deb xz; do
	command -v $p >/dev/null || fail "no $p here (not a Debian?)"
done
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
w=$dir/work.$$
trap 'rm -rf "$w"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "$w/lists/partial" "$w/cache/archives/partial" "$w/etc/sources.list.d"
: >"$w/status"
: >"$w/etc/sources.list"
cp /etc/apt/sources.list.d/debian* "$w/etc/sources.list.d/" 2>/dev/null || :
[ ! -e /etc/apt/sources.list ] || cp /etc/apt/sources.list "$w/etc/sources.list"

apt() {
	tool=$1
	shift
	"apt-$tool" -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
		-o Dir::State="$w" -o Dir::State::lists="$w/lists" \
		-o Dir::State::status="$w/status" -o Dir::Cache="$w/cache" \
		-o Dir::Etc::SourceList="$w/etc/sources.list" \
		-o Dir::Etc::SourceParts="$w/etc/sources.list.d" \
		-o Acquire::Languages=none -o Acquire::Retries=2 -o Acquire::http::Timeout=30 \
		-o APT::Sandbox::User="$(id -un)" "$@"
}

apt get update >"$w/log" 2>&1 || fail "apt-get update: $(tail -n 1 "$w/log")"
pkg=$(apt cache search --names-only '^linux-image-6[.]12[.].*-cloud-arm64-unsigned$' |
	cut -d' ' -f1 | sort -V | tail -n 1)
[ "$pkg" ] || fail "no linux-image-6.12*-cloud-arm64-unsigned in this machine's sources"
(cd "$w" && apt get download "$pkg") >"$w/log" 2>&1 || fail "$pkg: $(tail -n 1 "$w/log")"
dpkg-deb -x "$w/$pkg"_*.deb "$w/x"
release=${pkg#linux-image-}
release=${release%-unsigned}
: >"$w/modules"
# Before what needs them; what is built in has no file.
for m in zsmalloc lzo_compress lz4_compress lz4hc_compress zram; do
	f=$(find "$w/x/lib/modules" -name "$m.ko.xz" | head -n 1)
	[ "$f" ] || continue
	xz -dc "$f" >"$dir/$m.ko"
	echo "$m.ko" >>"$w/modules"
done
grep -q zram "$w/modules" || fail "$pkg has no zram module"
mv "$w/x/boot/vmlinuz-$release" "$dir/Image"
mv "$w/modules" "$dir/modules"
echo "$release" >"$w/release"
mv "$w/release" "$dir/release"
