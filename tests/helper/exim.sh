#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A real mail server on loopback, private to whoever starts it. Debian's exim is unpacked,
# never installed: installing it would replace the user's own server and start a daemon.
#
#	exim.sh unpack CACHE		make CACHE/usr/sbin/exim4 ready; status 77 and a
#					reason on stderr when it cannot be had
#	exim.sh run CACHE DIR PORT...	serve 127.0.0.1:PORT in the foreground until killed;
#					mails arrive in the maildir DIR/mail
#	exim.sh wait PORT [PID]		until the server answers (or PID is gone): 10 seconds
#	exim.sh port			a port that nobody listens on
#
# Addresses with a meaning: bad@ is refused (550), grey@ is put off (450); a subject with
# "defer-me" is put off after the text (451), one with "drop-me" loses its connection.
#
# In the environment of "run": EXIM_CERTS, a folder with a certificate and its key in
# PORT.pem for each port that has TLS; EXIM_SSL, those ports that speak it from the start;
# EXIM_LOGIN=USER:PASSWORD, without which nothing is taken (AUTH PLAIN and LOGIN, in TLS).
set -eu

die() {
	echo "exim.sh: $1" >&2
	exit "${2:-1}"
}

libs() {
	find "$1" -name '*.so.*' -exec dirname {} + | sort -u | tr '\n' ':'
}

missing() {
	LD_LIBRARY_PATH=$(libs "$1") ldd "$1/usr/sbin/exim4" 2>/dev/null |
		sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/\1/p'
}

package_of() {
	case $1 in
	libidn.so.12) echo libidn12 ;;
	libidn2.so.0) echo libidn2-0 ;;
	libdb-5.3.so) echo libdb5.3 ;;
	libgnutls-dane.so.0) echo libgnutls-dane0 ;;
	libgnutls.so.30) echo libgnutls30 ;;
	libunbound.so.8) echo libunbound8 ;;
	libevent-2.1.so.7) echo libevent-2.1-7 ;;
	libnsl.so.2) echo libnsl2 ;;
	libtirpc.so.3) echo libtirpc3 ;;
	libpcre2-8.so.0) echo libpcre2-8-0 ;;
	*) return 1 ;;
	esac
}

fetch() {
	(cd "$1/debs" && apt-get download "$2") >"$1/log" 2>&1 ||
		{ # A machine whose lists were removed, as container images do.
			[ "$(id -u)" = 0 ] && apt-get -q update >>"$1/log" 2>&1 &&
				(cd "$1/debs" && apt-get download "$2") >>"$1/log" 2>&1
		} ||
		die "apt-get download $2 failed: $(tail -n 1 "$1/log")" 77
	dpkg-deb -x "$1"/debs/"$2"_*.deb "$1"
}

# Exim looks its own user up before it reads any configuration, and that user exists only
# where exim is installed. A number in its place needs no such user.
name_user() {
	python3 - "$1" "$(run_as)" <<'EOF'
import sys
path, uid = sys.argv[1:]
data = open(path, "rb").read()
old, new = b"\0Debian-exim\0", b"\0" + uid.zfill(11).encode() + b"\0"
if old not in data:
    sys.exit(1)
open(path, "wb").write(data.replace(old, new))
EOF
}

# Whom it runs as: the caller, and nobody in the place of root.
run_as() {
	uid=$(id -u)
	[ "$uid" = 0 ] && uid=65534
	echo "$uid"
}

unpack() {
	cache=$1
	[ -e "$cache/ready" ] && return 0
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
		die "exim is unpacked from a Debian package, and apt is not here" 77
	new=$cache.new.$$
	rm -rf "$new"
	mkdir -p "$new/debs"
	trap 'rm -rf "$new"' EXIT
	fetch "$new" exim4-daemon-light
	for round in 1 2 3 4; do
		for lib in $(missing "$new"); do
			pkg=$(package_of "$lib") || die "exim needs $lib" 77
			fetch "$new" "$pkg"
		done
	done
	[ -z "$(missing "$new")" ] || die "exim needs $(missing "$new" | tr '\n' ' ')" 77
	name_user "$new/usr/sbin/exim4" || die "exim's own user is not where it was" 77
	rm -rf "$new/debs" "$new/log"
	touch "$new/ready"
	rm -rf "$cache"
	mv "$new" "$cache" 2>/dev/null || [ -e "$cache/ready" ]
	trap - EXIT
	rm -rf "$new"
}

# "1 2" as exim's list "1 : 2"
colons() {
	echo "$1" | sed 's/  */ : /g'
}

config_tls() {
	[ "${EXIM_CERTS:-}" ] || { echo "tls_advertise_hosts ="; return; }
	cat <<EOF
tls_advertise_hosts = \${if exists{$EXIM_CERTS/\$received_port.pem}{*}{}}
tls_certificate = $EXIM_CERTS/\$received_port.pem
tls_privatekey = $EXIM_CERTS/\$received_port.pem
tls_on_connect_ports = $(colons "${EXIM_SSL:-}")
EOF
}

config_demand() {
	[ "${EXIM_LOGIN:-}" ] || return 0
	printf '  deny message = 530 5.7.0 Authentication required\n       !authenticated = *\n'
}

config_login() {
	[ "${EXIM_LOGIN:-}" ] || return 0
	user=${EXIM_LOGIN%%:*} pass=${EXIM_LOGIN#*:}
	cat <<EOF
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{\$auth2}{$user}}{eq{\$auth3}{$pass}}}}
  server_set_id = plain-\$auth2
  server_advertise_condition = \${if def:tls_in_cipher}
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = \${if and{{eq{\$auth1}{$user}}{eq{\$auth2}{$pass}}}}
  server_set_id = login-\$auth1
  server_advertise_condition = \${if def:tls_in_cipher}
EOF
}

config() {
	cat <<EOF
exim_user = $3
exim_group = $4
trusted_users = $3
never_users =
keep_environment = LD_LIBRARY_PATH
deliver_drop_privilege = true
primary_hostname = mx.example.org
spool_directory = $1/spool
log_file_path = $1/log/%slog
pid_file_path = $1/exim.pid
daemon_smtp_ports = $(colons "$2")
local_interfaces = 127.0.0.1
smtp_accept_max_per_connection = 1000
smtp_accept_queue_per_connection = 0
message_size_limit = 100M
accept_8bitmime = true
chunking_advertise_hosts = *
$(config_tls)
host_lookup =
rfc1413_query_timeout = 0s
smtp_enforce_sync = false
recipients_max_reject = true
acl_smtp_rcpt = r
acl_smtp_data = d
begin acl
r:
$(config_demand)
  deny message = 550 5.1.1 no such user
       local_parts = bad
  defer message = 450 4.2.0 greylisted
       local_parts = grey
  accept
d:
  defer message = 451 4.3.0 try again later
        condition = \${if match{\$h_subject:}{defer-me}}
  drop  message = 421 4.3.0 bye
        condition = \${if match{\$h_subject:}{drop-me}}
  accept
begin routers
all:
  driver = accept
  transport = md
begin transports
md:
  driver = appendfile
  maildir_format
  directory = $1/mail
  create_directory
  batch_max = 1000
  user = $3
  group = $4
  envelope_to_add
  return_path_add
$(config_login)
EOF
}

run() {
	cache=$1 dir=$2
	shift 2
	mkdir -p "$dir/spool" "$dir/log" "$dir/mail"
	uid=$(run_as) gid=$(id -g) as=
	if [ "$(id -u)" = 0 ]; then
		# Exim delivers nothing as root: in a user namespace we are somebody else.
		gid=65534
		as="unshare --user --map-user=$uid --map-group=$gid"
		$as true 2>/dev/null || die "root cannot make a user namespace here" 77
	fi
	config "$dir" "$*" "$uid" "$gid" >"$dir/exim.conf"
	chmod 644 "$dir/exim.conf"
	LD_LIBRARY_PATH=$(libs "$cache")
	export LD_LIBRARY_PATH
	# shellcheck disable=SC2086
	exec $as "$cache/usr/sbin/exim4" -C "$dir/exim.conf" -bdf -q1m
}

answers() {
	python3 - "$1" <<'EOF'
import socket, sys
try:
    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 2)
    s.settimeout(5)
    ok = s.recv(4).startswith(b"220")
    s.sendall(b"QUIT\r\n")
    sys.exit(0 if ok else 1)
except OSError:
    sys.exit(1)
EOF
}

case ${1:-} in
unpack) unpack "$2" ;;
run)
	shift
	run "$@"
	;;
wait)
	for i in $(seq 100); do
		answers "$2" && exit 0
		[ -z "${3:-}" ] || kill -0 "$3" 2>/dev/null || die "the server did not start"
		sleep 0.1
	done
	die "no answer on port $2"
	;;
port) python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' ;;
*) sed -n '3,21s/^# \{0,1\}//p' "$0" >&2; exit 129 ;;
esac
