# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of posting, sourced behind tap.sh: a repository with a series, and servers.
# shellcheck shell=sh disable=SC2034

# What series check says of invented commits is the business of its own script.
cat >>"$GIT_CONFIG_GLOBAL" <<EOF
[series "check"]
	signed-off-author = off
	signed-off-sender = off
	author-address = off
	subject-prefix = off
	subject-dot = off
	subject-long = off
	message-body = off
	duplicate-patch = off
	whitespace = off
	base-unreachable = off
	build-missing = off
	cover-width = off
	changelog-missing = off
	recipient-missing = off
	recipients-shrunk = off
	prefix-changed = off
	too-soon = off
EOF

# make_base DIR: a repository with one file on main; the tests work in it.
make_base() {
	git init -q "$1" && cd "$1" && seq 1 60 >numbers && git add numbers &&
	git commit -q -m "base" && git checkout -q -b topic
}

# make_cover TITLE TEXT: store a cover letter by way of the editor.
make_cover() {
	printf '%s\n\n%s\n' "$1" "$2" >"$T/cover.in" &&
	printf '#!/bin/sh\ncp "%s/cover.in" "$1"\n' "$T" >"$T/editor" &&
	chmod +x "$T/editor" && GIT_EDITOR=$T/editor EDITOR=$T/editor VISUAL=$T/editor \
		"$SERIES" cover --edit
}

# make_series DIR N: N patches, a cover letter and a recipient.
make_series() {
	make_base "$1" || return 1
	for i in $(seq 1 "$2"); do
		sed "${i}s/.*/line $i/" numbers >new && mv new numbers &&
		git commit -q -a -s -m "numbers: change line $i" || return 1
	done
	"$SERIES" init --base main && make_cover "numbers: words" "Better lines." &&
	"$SERIES" recipients --add-to list@example.org
}

# sink NAME [KEY=VALUE...]: a server that fails on demand; its files are in $T/NAME. The
# repository at hand sends there.
sink() {
	sink_dir=$T/$1
	shift
	python3 "$SRCDIR/tests/helper/smtp-sink.py" "$sink_dir" "$@" >"$T/sink.err" 2>&1 &
	sink_pid=$!
	test_pid $sink_pid
	test_wait 60 test -s "$sink_dir/port" || { cat "$T/sink.err"; return 1; }
	use_server "$(cat "$sink_dir/port")"
}

use_server() {
	git config sendemail.smtpserver 127.0.0.1 &&
	git config sendemail.smtpserverport "$1"
}

# ids FILE...: Message-IDs of mails, one a line, in the order of the files.
ids() {
	for f in "$@"; do
		sed -n '/^$/q;s/^Message-I[Dd]: *//p' "$f"
	done
}

# posting_state N: what the state says of version N.
posting_state() {
	git show "refs/series/topic/state:versions/$1.json" |
		sed -n 's/^ *"state": "\(.*\)".*/\1/p'
}

# exim_start [PORT...]: a real server, mails in $T/exim/mail/new; skips the script if there
# is none. Without ports it has one, $exim_port.
exim_start() {
	cache=${SERIES_EXIM_CACHE:-$SRCDIR/build/cache/exim}
	mkdir -p "${cache%/*}"
	sh "$SRCDIR/tests/helper/exim.sh" unpack "$cache" 2>"$T/exim.err" ||
		test_skip_all "no exim: $(tail -n 1 "$T/exim.err")"
	[ $# -gt 0 ] || set -- "$(sh "$SRCDIR/tests/helper/exim.sh" port)"
	exim_port=$1
	sh "$SRCDIR/tests/helper/exim.sh" run "$cache" "$T/exim" "$@" \
		>"$T/exim.log" 2>&1 &
	exim_pid=$!
	test_pid $exim_pid
	sh "$SRCDIR/tests/helper/exim.sh" wait "$exim_port" $exim_pid ||
		test_skip_all "exim does not run here: $(tail -n 1 "$T/exim.log")"
}

# received N: wait until N mails lie in the maildir.
received() {
	test_wait 60 sh -c "[ \$(ls '$T/exim/mail/new' 2>/dev/null | wc -l) -ge $1 ]"
}

# inbox_start [LIST...]: a real list archive with these lists (default: list), in $T/inbox;
# $inbox_url is its address. Skips the script if public-inbox is not here.
inbox_start() {
	inbox_sh=$SRCDIR/tests/helper/public-inbox.sh
	sh "$inbox_sh" check 2>"$T/inbox.err" ||
		test_skip_all "no public-inbox: $(tail -n 1 "$T/inbox.err")"
	inbox_port=$(sh "$inbox_sh" port)
	inbox_url=http://127.0.0.1:$inbox_port
	export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
	sh "$inbox_sh" init "$T/inbox" "$inbox_port" "${@:-list}" || return 1
	sh "$inbox_sh" run "$T/inbox" >"$T/inbox.log" 2>&1 &
	inbox_pid=$!
	test_pid $inbox_pid
	sh "$inbox_sh" wait "$T/inbox" $inbox_pid
}

# inbox_inject LIST FILE...: mails, or maildirs, into a list.
inbox_inject() {
	sh "$inbox_sh" inject "$T/inbox" "$@"
}

# inbox_b4 LIST: b4 in the repository at hand reads this list.
inbox_b4() {
	git config b4.midmask "$inbox_url/$1/%s" && git config b4.linkmask "$inbox_url/$1/%s" &&
	git config b4.searchmask "$inbox_url/$1/?x=m&t=1&q=%s" &&
	git config b4.attestation-policy off
}
