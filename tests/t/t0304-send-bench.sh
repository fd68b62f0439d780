#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tables in what is sent: rendered from stored results, refused when emulated, asked about
# when stale; and the question itself, on a terminal.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

# answer WORD COMMAND...: run it on a terminal and say WORD when it asks.
answer() {
	python3 - "$@" <<-\E
	import os, pty, sys
	seen, said = b"", False
	pid, fd = pty.fork()
	if pid == 0:
	    os.execvp(sys.argv[2], sys.argv[2:])
	while True:
	    try:
	        got = os.read(fd, 4096)
	    except OSError:
	        break
	    if not got:
	        break
	    seen += got
	    if b"[y/N] " in seen and not said:
	        said = True
	        os.write(fd, sys.argv[1].encode() + b"\n")
	sys.stdout.write(seen.decode(errors="replace").replace("\r", ""))
	sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) if said else 99)
	E
}

test_expect_success "a table of real results goes out, the stored text stays" '
	make_series r 1 && make_cover "words" "Text.
@bench swapout style=mean" && git show refs/series/topic/state:cover.txt >"$T/before" &&
	session 0123456789abcdef kvm && sink real.out && "$SERIES" send --yes --dry-run >answer &&
	test_grep "Mean: 200000001 ns" answer && test_grep "Mean: 100000001 ns" answer &&
	test_nogrep "@bench" answer && test_nogrep "emulated" answer &&
	git show refs/series/topic/state:cover.txt >after && test_cmp "$T/before" after
'

test_expect_success "the same results give the same bytes" '
	cd r && for i in 1 2; do
		SERIES_TEST_NOW=1796046000 SERIES_TEST_SEED=1 "$SERIES" send --dry-run >dry$i || return 1
	done && cmp dry1 dry2
'

test_expect_success "emulated results are refused, whatever the server" '
	cp -r r emulated && cd emulated && session 0123456789abcdef icount &&
	test_status 1 "$SERIES" send --yes >answer && test_grep "emulated machine" answer &&
	test_grep "allow-emulated" answer && [ ! -e "$T/real.out/0001.eml" ]
'

test_expect_success "and go out, labelled, with --allow-emulated" '
	cd emulated && "$SERIES" send --yes --allow-emulated &&
	test_grep "emulated" "$T/real.out/0001.eml"
'

test_expect_success "stale results are a warning: without a terminal nothing is sent" '
	cp -r r stale && cd stale && sink stale.out && sed "s/line 1/line one/" numbers >new &&
	mv new numbers && git commit -q -a --amend --no-edit &&
	test_status 1 "$SERIES" send >answer 2>err && test_grep "no terminal" err &&
	"$SERIES" send --dry-run >answer && test_grep "^warning: cover.txt:4: .*not those of the draft" answer
'

test_expect_success "a no at the terminal sends nothing, and the warning was shown" '
	cd stale && test_status 1 answer n "$SERIES" send >answer &&
	test_grep "not those of the draft" answer && test_grep "^To: list@example.org" answer &&
	test_grep "Send 1 mail?" answer && [ ! -e "$T/stale.out/0001.eml" ] &&
	test_status 1 git rev-parse -q --verify refs/series/topic/v1 && test_status 1 answer "" "$SERIES" send
'

test_expect_success "a yes does" '
	cd stale && answer y "$SERIES" send >answer && test_grep "v1 sent: 1 mail" answer &&
	[ -e "$T/stale.out/0001.eml" ]
'

test_done
