#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A real list archive on loopback, private to whoever starts it: public-inbox with its
# configuration, inboxes and HOME below one folder. Lists are v2 inboxes with a full index.
#
#	public-inbox.sh check			status 77 and a reason on stderr when it is
#						not installed
#	public-inbox.sh port			a port that nobody listens on
#	public-inbox.sh init DIR PORT LIST...	make DIR with inboxes LIST@example.org, to be
#						read at http://127.0.0.1:PORT/LIST/; a further
#						call adds lists (before the server starts)
#	public-inbox.sh inject DIR LIST FILE...	add mails, before or while the server runs; FILE
#						is one mail, or a maildir whose mails come in
#						the order of their Date. What public-inbox does
#						not take (a Message-ID that it has with the same
#						text) is named, and the status is 1. A new epoch begins
#						when the last one has $ROTATE_BYTES (else 1 GB)
#	public-inbox.sh all DIR			search over all lists, at /all/; call it again
#						after inject, and before the server starts
#	public-inbox.sh run DIR			serve in the foreground until killed; answers
#						are logged in DIR/access, complaints in DIR/err
#	public-inbox.sh wait DIR [PID]		until the server answers (or PID is gone): 20 s
#	public-inbox.sh stop PID		end the server and wait for it
#	public-inbox.sh do DIR COMMAND...	run e.g. public-inbox-purge on these inboxes
#
# A git mirror of a list is cloned from http://127.0.0.1:PORT/LIST/0. b4 reads the server with
#	b4.midmask, b4.linkmask		http://127.0.0.1:PORT/LIST/%s
#	b4.searchmask			http://127.0.0.1:PORT/LIST/?x=m&t=1&q=%s
#	b4.attestation-policy		off
# In tests, tests/helper/mail.sh has inbox_start, inbox_inject and inbox_b4 for all of this.
set -eu

die() {
	echo "public-inbox.sh: $1" >&2
	exit "${2:-1}"
}

check() {
	for c in public-inbox-init public-inbox-index public-inbox-httpd; do
		command -v $c >/dev/null || die "$c is not installed" 77
	done
	perl -MPublicInbox::InboxWritable -MDBD::SQLite -MPublicInbox::Search -MPlack \
		-e 'PublicInbox::Search::load_xapian() or die "no Xapian\n"' 2>/dev/null ||
		die "public-inbox is here without SQLite, Xapian or Plack for Perl" 77
}

# enter DIR: nothing of the caller's own configuration is read or written from here on.
enter() {
	[ -d "$1" ] || die "no folder $1; make it with public-inbox.sh init"
	DIR=$(cd "$1" && pwd)
	export HOME="$DIR/home" PI_CONFIG="$DIR/config" GIT_CONFIG_NOSYSTEM=1
	export GIT_CONFIG_GLOBAL="$DIR/home/.gitconfig"
	unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_AUTHOR_DATE GIT_COMMITTER_DATE PERL_INLINE_DIRECTORY \
		XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
}

init() {
	dir=$1 port=$2
	shift 2
	[ $# -gt 0 ] || die "init: name a list" 129
	mkdir -p "$dir/home"
	enter "$dir"
	[ -e "$HOME/.gitconfig" ] || cat >"$HOME/.gitconfig" <<-EOF
	[user]
		name = Archive
		email = archive@example.org
	[core]
		fsync = none
	[gc]
		auto = 0
	EOF
	echo "$port" >"$DIR/port"
	for list; do
		public-inbox-init -V2 -L full "$list" "$DIR/$list" \
			"http://127.0.0.1:$port/$list/" "$list@example.org" >"$DIR/err" 2>&1 ||
			die "public-inbox-init failed: $(tail -n 1 "$DIR/err")"
	done
	git config -f "$PI_CONFIG" publicinbox.wwwlisting all
	git config -f "$PI_CONFIG" publicinbox.grokmanifest all
}

inject() {
	enter "$1"
	shift
	perl -w - "$@" <<'EOF'
use strict;
use PublicInbox::Config;
use PublicInbox::InboxWritable;
use PublicInbox::Eml;
use PublicInbox::MsgTime qw(msg_datestamp);
my $list = shift;
my $ibx = PublicInbox::Config->new->lookup_name($list) or die "inject: no list $list\n";
sub slurp { local $/; open my $fh, "<", $_[0] or die "$_[0]: $!\n"; my $s = <$fh>; \$s }
sub mail { my $e = PublicInbox::Eml->new(slurp($_[0])); [$_[0], $e, msg_datestamp($e)] }
my @mails;
for my $f (@ARGV) {
	if (!-d $f) { push @mails, mail($f); next }
	push @mails, sort { $a->[2] <=> $b->[2] or $a->[0] cmp $b->[0] }
		map { mail($_) } glob("'$f'/{new,cur}/*");
}
PublicInbox::InboxWritable->new($ibx);
my ($im, $bad) = ($ibx->importer(0), 0);
$im->{rotate_bytes} = $ENV{ROTATE_BYTES} if $ENV{ROTATE_BYTES};
for my $m (@mails) {
	next if $im->add($m->[1]);
	warn "inject: not taken: $m->[0]\n";
	$bad = 1;
}
$im->done;
exit $bad;
EOF
}

all() {
	enter "$1"
	git config -f "$PI_CONFIG" extindex.all.topdir "$DIR/all"
	git config -f "$PI_CONFIG" extindex.all.url "http://127.0.0.1:$(cat "$DIR/port")/all/"
	public-inbox-extindex --all "$DIR/all" 2>"$DIR/err" ||
		die "public-inbox-extindex failed: $(tail -n 1 "$DIR/err")"
}

run() {
	enter "$1"
	# One process, so that whoever kills it has killed all of it.
	exec public-inbox-httpd -W0 -l "http://127.0.0.1:$(cat "$DIR/port")" \
		-1 "$DIR/access" -2 "$DIR/err" </dev/null
}

answers() {
	python3 - "$1" <<'EOF'
import sys, urllib.request
try:
    r = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
        "http://127.0.0.1:%s/" % sys.argv[1], timeout=5)
    sys.exit(0 if r.status == 200 else 1)
except OSError:
    sys.exit(1)
EOF
}

wait_for() {
	end=$(($(date +%s) + 20))
	until answers "$(cat "$1/port")"; do
		[ -z "${2:-}" ] || kill -0 "$2" 2>/dev/null ||
			die "the server ended: $(tail -n 1 "$1/err" 2>/dev/null)"
		[ "$(date +%s)" -lt $end ] || die "no answer on port $(cat "$1/port")"
		sleep 0.2
	done
}

stop() {
	kill "$1" 2>/dev/null || return 0
	for i in $(seq 100); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	die "process $1 does not end"
}

case ${1:-} in
check) check ;;
port) python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' ;;
init | inject)
	[ $# -ge 4 ] || die "$1 needs more arguments; see the head of $0" 129
	what=$1
	shift
	$what "$@"
	;;
all | run | stop)
	[ $# = 2 ] || die "$1 needs one argument; see the head of $0" 129
	"$1" "$2"
	;;
wait) wait_for "$2" "${3:-}" ;;
do)
	enter "$2"
	shift 2
	exec "$@"
	;;
*)
	sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2
	exit 129
	;;
esac
