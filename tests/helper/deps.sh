#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Install what building, checking and the demo need, with the distribution's own package
# manager: apt, dnf or pacman. As root or by sudo; otherwise the command is printed.
#
# A row: how to see that it is there | Debian | Fedora | Arch. A test is a program name, or
# pkg:NAME for pkg-config, file:PATH, git:COMMAND or perl:MODULE. "-" means the distribution has none.
set -u

table='
gcc			gcc			gcc			gcc
file:/usr/include/stdio.h libc6-dev		glibc-devel		glibc
make			make			make			make
git			git			git			git
pkg-config		pkg-config		pkgconf-pkg-config	pkgconf
python3			python3			python3			python
perl			perl			perl			perl
prove			perl			perl-Test-Harness	perl
pkg:libgit2		libgit2-dev		libgit2-devel		libgit2
pkg:libcurl		libcurl4-openssl-dev	libcurl-devel		curl
pkg:jansson		libjansson-dev		jansson-devel		jansson
pkg:zlib		zlib1g-dev		zlib-devel		zlib
pkg:sqlite3		libsqlite3-dev		sqlite-devel		sqlite
pkg:ncursesw		libncurses-dev		ncurses-devel		ncurses
pkg:cmocka		libcmocka-dev		libcmocka-devel		cmocka
openssl			openssl			openssl			openssl
pkg:openssl		libssl-dev		openssl-devel		openssl
pkg:libelf		libelf-dev		elfutils-libelf-devel	libelf
flex			flex			flex			flex
bison			bison			bison			bison
bc			bc			bc			bc
xz			xz-utils		xz			xz
readelf			binutils		binutils		binutils
ccache			ccache			ccache			ccache
aarch64-linux-gnu-gcc	gcc-aarch64-linux-gnu	gcc-aarch64-linux-gnu	aarch64-linux-gnu-gcc
file:/usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross - aarch64-linux-gnu-glibc
qemu-system-aarch64	qemu-system-arm		qemu-system-aarch64-core qemu-system-aarch64
qemu-system-x86_64	qemu-system-x86		qemu-system-x86-core	qemu-system-x86
mandoc			mandoc			mandoc			mandoc
tmux			tmux			tmux			tmux
b4			b4			b4			b4
patatt			patatt			patatt			-
gpg			gnupg			gnupg2			gnupg
git-filter-repo		git-filter-repo		git-filter-repo		git-filter-repo
notmuch			notmuch			notmuch			notmuch
strace			strace			strace			strace
pgrep			procps			procps-ng		procps-ng
ssh			openssh-client		openssh-clients		openssh
git:send-email		git-email		git-email		git
perl:Mail::Address	libmailtools-perl	perl-MailTools		perl-mailtools
public-inbox-httpd	public-inbox		-			-
file:/usr/src/linux-source-6.12.tar.xz linux-source-6.12 -	-
'

have() {
	case $1 in
	pkg:*) pkg-config --exists "${1#pkg:}" 2>/dev/null ;;
	file:*) [ -e "${1#file:}" ] ;;
	git:*) [ -e "$(git --exec-path 2>/dev/null)/git-${1#git:}" ] ;;
	perl:*) perl -M"${1#perl:}" -e 1 2>/dev/null ;;
	*) command -v "$1" >/dev/null 2>&1 ;;
	esac
}

if command -v apt-get >/dev/null 2>&1; then
	column=2
elif command -v dnf >/dev/null 2>&1; then
	column=3
elif command -v pacman >/dev/null 2>&1; then
	column=4
else
	column=0
fi

# missing COLUMN: packages of the rows whose test fails, each once.
missing() {
	printf '%s' "$table" | while read -r test deb fed arch; do
		[ "$test" ] || continue
		have "$test" && continue
		case $1 in
		2) p=$deb ;; 3) p=$fed ;; 4) p=$arch ;; *) p=$test ;;
		esac
		[ "$p" = - ] || printf '%s\n' "$p"
	done | sort -u | tr '\n' ' '
}

want=$(missing $column)
[ "$want" ] || exit 0
if [ $column = 0 ]; then
	echo "deps: neither apt-get, dnf nor pacman is here; install: $want" >&2
	exit 1
fi
case $column in
2) install="apt-get -o DPkg::Lock::Timeout=500 install -y --no-install-recommends $want" ;;
3) install="dnf install -y $want" ;;
4) install="pacman -S --needed --noconfirm $want" ;;
esac
if [ "$(id -u)" = 0 ]; then
	as=
elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
	as=sudo
else
	echo "deps: missing: $want" >&2
	echo "deps: run as root: $install" >&2
	exit 1
fi
echo "deps: installing $want"
if [ $column = 2 ]; then
	# The list may be old or absent on a fresh machine.
	$as env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=500 update -q >/dev/null ||
		echo "deps: apt-get update failed; going on with the lists that are here" >&2
	$as env DEBIAN_FRONTEND=noninteractive $install -q || exit 1
else
	$as $install || exit 1
fi
left=$(missing $column)
[ -z "$left" ] || { echo "deps: still missing after the installation: $left" >&2; exit 1; }
