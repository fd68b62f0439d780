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
test_expect_success "an older version that was asked for: the newer one is taken where it is known, and said" '
	fresh && "$SERIES" am v1-0@example.org >../out && test_grep "^v1: " ../out && sed "s/^Message-ID: <v2-\(.\)@/Message-ID: <w2-\1@/; s/^In-Reply-To: .*/In-Reply-To: <v1-0@example.org>/; s/TWENTY/Twenty/" "$T"/v2/*-0001-*.patch >"$T/w1" && sed "s/^Message-ID: <v2-\(.\)@/Message-ID: <w2-\1@/; s/^In-Reply-To: .*/In-Reply-To: <v1-0@example.org>/; s/TWENTY/Twenty/" "$T"/v2/*-0002-*.patch >"$T/w2" && to_list "$T/w1" "$T/w2" &&
	fresh && "$SERIES" am v1-2@example.org >../out && cat ../out && test_grep "^v2: " ../out && test_grep "^note: the mail that was asked for is of v1; v2 is newer" ../out && fresh && "$SERIES" am -v 1 v1-2@example.org >../out && test_grep "^v1: " ../out
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
