#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series am of what an archive has: by Message-ID, by link, and of a mail that is piped in.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/am.sh"
RITA="Rita Reader <rita@example.org>"
inbox_start list

# to_list FILE...: as a list gets them
to_list() {
	rm -rf "$T/in" && mkdir "$T/in" && for file; do
		sed "1{/^From [0-9a-f]\{40\} /d}" "$file" >"$T/in/$(echo "$file" | tr / _)" || return 1
	done && inbox_inject list "$T"/in/*
}
# mail ARGS OF REPLY: one mail, as a mail reader has it
mail() {
	reply "$@" | sed 1d
}

test_expect_success "two versions in two threads, with replies" '
	am_people && git switch -q -c topic && edit numbers 1 one && c "numbers: change line 1" && edit numbers 20 twenty && c "numbers: change line 20" && mails 1 main..topic && git reset -q --hard HEAD~1 && edit numbers 20 TWENTY && c "numbers: change line 20" && mails 2 main..topic &&
	sed "s,^Better lines.\$,&\n\n- Link to v1: $inbox_url/list/v1-0@example.org/," "$T"/v2/*-0000-*.patch >"$T/cover" && mail t1 v1-1 "$RITA" "Reviewed-by: $RITA" >"$T/t1" && mail t2 v2-2 "$RITA" "Acked-by: $RITA" >"$T/t2" &&
	to_list "$T"/v1/*.patch "$T"/v2/*-000[12]-*.patch "$T/cover" "$T/t1" "$T/t2" && git config --global series.midmask "$inbox_url/list/%s" && git_am_of origin/main "$T"/v2/*-000[12]-*.patch
'
test_expect_success "by Message-ID of any mail: the thread, and of the version that the cover links to its tags" '
	for id in v2-0 v2-2 t2; do
		fresh && "$SERIES" am "$id@example.org" >../out && [ "$(git rev-parse HEAD^{tree})" = "$(git -C ../author rev-parse topic^{tree})" ] && git log -1 --format=%B HEAD~1 | grep -qx "Reviewed-by: $RITA" && git log -1 --format=%B | grep -qx "Acked-by: $RITA" && test_grep "^v2: " ../out || return 1
	done && fresh && "$SERIES" am --no-tags "<v2-1@example.org>" && commits origin/main..HEAD >../got && test_cmp ../want ../got && fresh && "$SERIES" am --no-tags "$inbox_url/list/v2-0@example.org/T/#u" && commits origin/main..HEAD >../got && test_cmp ../want ../got
'
test_expect_success "an older version that was asked for: the newer one, a thread of its own that nothing of v1 links to, is searched for" '
	fresh && "$SERIES" am v1-0@example.org >../out && test_grep "^v2: " ../out && test_grep "^note: the mail that was asked for is of v1; v2 is newer" ../out && fresh && "$SERIES" am -v 1 v1-2@example.org >../out && test_grep "^v1: " ../out &&
	sed "s/v2-/x2-/; s/change line 1/change line 1 once more/; s/words/other words/" "$T"/v2/*-0001-*.patch >"$T/x1" && to_list "$T/x1" && fresh && "$SERIES" am --check v1-0@example.org >../out; test_grep "^v2: numbers: words" ../out
'
test_expect_success "an archive that cannot be searched: its thread alone, and that is said" '
	{ for f in "$T"/v1/*.patch; do echo "From mboxrd@z Thu Jan  1 00:00:00 1970" && sed "1{/^From [0-9a-f]\{40\} /d}" "$f" && echo || return 1; done; } | gzip >"$T/v1.mbox.gz" && cat >"$T/plain.py" <<-\E &&
	import http.server, sys
	class H(http.server.BaseHTTPRequestHandler):
	    def do_GET(self):
	        self.send_response(200); self.send_header("Content-Type", "application/gzip"); self.end_headers(); self.wfile.write(open(sys.argv[1], "rb").read())
	    def log_message(self, *a): pass
	s = http.server.HTTPServer(("127.0.0.1", 0), H); print(s.server_port, flush=True); s.serve_forever()
	E
	{ python3 "$T/plain.py" "$T/v1.mbox.gz" >"$T/port" & } && plain=$! && test_wait 10 test -s "$T/port" && fresh && git config series.midmask "http://127.0.0.1:$(cat "$T/port")/list/%s" &&
	"$SERIES" am v1-0@example.org >../out 2>../err; rc=$?; kill $plain; git config --unset series.midmask; cat ../err; [ $rc = 0 ] && test_grep "^v1: " ../out && test_grep "newer versions in other threads were not looked for: .*cannot be searched" ../err
'
test_expect_success "a mirror has what no archive is asked for: newer versions, and all where there is no archive" '
	mkdir -p "$T/lists/git" && for f in "$T"/v1/*.patch "$T"/v2/*-000[12]-*.patch "$T/cover" "$T/t1" "$T/t2"; do sed "1{/^From [0-9a-f]\{40\} /d}" "$f" >"$T/m-$(echo "$f" | tr / _)" || return 1; done &&
	/usr/bin/python3 -B "$SRCDIR/tests/helper/mirror-make.py" "$T/lists/git/0.git" $(ls "$T"/m-* | sed "s/^/m:/") && "$SERIES" mirror add words "$T/lists" && mv "$T/home/.cache/series/mail" "$T/kept" &&
	fresh && "$SERIES" am --offline v1-0@example.org >../out 2>../err && test_grep "^v2: " ../out && test_grep "is from the mirror words" ../err && git log -1 --format=%B | grep -qx "Acked-by: $RITA" &&
	"$SERIES" show --offline t2@example.org >../out && test_grep "^  v1 " ../out && test_grep "^  v2 " ../out && test_status 1 "$SERIES" show --offline nobody@example.org 2>../err && mv "$T/kept" "$T/home/.cache/series/mail" && "$SERIES" mirror drop words
'
test_expect_success "a mail that is piped in stands for its thread, be it a cover, a patch or a reply" '
	for f in "$T/cover" "$T"/v2/*-0002-*.patch "$T/t2"; do
		fresh && sed "1{/^From /d}" "$f" | "$SERIES" am --no-tags - >../out && commits origin/main..HEAD >../got && test_cmp ../want ../got || return 1
	done && fresh && cat "$T"/in/* >/dev/null && mbox "$T"/v2/*.patch | "$SERIES" am --no-tags - && commits origin/main..HEAD >../got && test_cmp ../want ../got
'
test_expect_success "where the archive is away, what was fetched before counts, and a whole patch is enough" '
	kill "$inbox_pid" && fresh && "$SERIES" am --offline --no-tags v2-0@example.org && commits origin/main..HEAD >../got && test_cmp ../want ../got && fresh && sed "s/^Subject: .*/Subject: [PATCH] numbers: change line 1/; s/^Message-ID: .*/Message-ID: <alone@example.org>/; /^In-Reply-To/d; 1{/^From /d}" "$T"/v2/*-0001-*.patch >"$T/alone" && "$SERIES" am --offline - <"$T/alone" >../out 2>../err && test_grep "this is the mail alone, without its thread" ../err && [ "$(git rev-list --count origin/main..HEAD)" = 1 ] &&
	rm -rf "$XDG_CACHE_HOME/series" && fresh && sed "1{/^From /d}" "$T"/v2/*-0002-*.patch | test_status 1 "$SERIES" am --offline - 2>../err && test_grep "v2 is not complete: patch 1 of 2 is not here" ../err && test_status 1 "$SERIES" am --offline nobody@example.org 2>../err
'
test_done
