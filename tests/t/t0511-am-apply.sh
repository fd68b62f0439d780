#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series am where patches do not simply apply: what refuses, what is said, what is left.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/am.sh"
RITA="Rita Reader <rita@example.org>"

# untouched: HEAD, index and files are those of before
untouched() {
	[ "$(git rev-parse HEAD)" = "$(git rev-parse "${1:-origin/main}")" ] && [ -z "$(git status --porcelain -uno)" ] && [ ! -d .git/rebase-apply ]
}
# main moves on: COMMAND changes something, on top of the author's main
upstream() {
	fresh && eval "$1" && git commit -q -a -m "upstream" && up=$(git rev-parse HEAD)
}

test_expect_success "a series is posted" '
	am_people && git switch -q -c topic && edit numbers 1 one && c "numbers: change line 1" && edit numbers 20 twenty && c "numbers: change line 20" &&
	echo new >fresh && git add fresh && edit letters 40 forty && c "letters: change line 40, add fresh" && mails 1 main..topic && { mbox "$T"/v1/*.patch && reply t1 v1-2 "$RITA" "Reviewed-by: $RITA"; } >"$T/mbox"
'
test_expect_success "staged changes, changed files of the patches and files in their way are named; others do not matter" '
	fresh && edit numbers 60 sixty && git add numbers && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "staged changes (numbers)" ../err && git reset -q && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "^series: numbers has changes that are not committed" ../err &&
	git checkout -q numbers && echo mine >fresh && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "^series: fresh is in the way" ../err && [ "$(cat fresh)" = mine ] && rm fresh && untouched &&
	echo other >other && git add other && git commit -q -m other && echo more >other && echo notes >notes && "$SERIES" am "$T/mbox" >../out && [ "$(cat other notes)" = "more
notes" ] && [ "$(git rev-list --count origin/main..HEAD)" = 4 ]
'
test_expect_success "an am, a rebase or a merge in progress is named" '
	upstream "edit numbers 20 other" && ! git am "$T"/v1/*-0002-*.patch 2>/dev/null && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "git am is not at its end.*git am --abort" ../err && git am --abort &&
	git switch -q -c side && edit numbers 21 side && git commit -q -a -m side && git switch -q main && edit numbers 21 main && git commit -q -a -m main && ! git rebase side >/dev/null 2>&1 && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "being rebased; first: git rebase --continue" ../err && git rebase --abort &&
	! git merge side >/dev/null 2>&1 && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "git merge is not at its end" ../err && git merge --abort && fresh && git branch -q -D side
'
test_expect_success "lines that moved are no conflict; a merge needs objects that are here" '
	upstream "edit numbers 30 \"30\\n30a\\n30b\"" && git am -q -3 "$T"/v1/*-000[123]-*.patch && git log --format="%T %s" "$up"..HEAD >../want && git reset -q --hard "$up" && "$SERIES" am --no-tags "$T/mbox" && git log --format="%T %s" "$up"..HEAD >../got && test_cmp ../want ../got &&
	upstream "edit numbers 22 other" && git am -q -3 "$T"/v1/*-000[123]-*.patch && git log --format="%T %s" "$up"..HEAD >../want && git reset -q --hard "$up" && "$SERIES" am --no-tags "$T/mbox" && git log --format="%T %s" "$up"..HEAD >../got && test_cmp ../want ../got
'
test_expect_success "it applies elsewhere: nothing is begun, and that place is named" '
	upstream "edit numbers 20 other" && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "patch 2/3 \"numbers: change line 20\" does not apply on main ($(git rev-parse HEAD | cut -c 1-12)): .*numbers:1.*All apply on origin/main ($(git rev-parse origin/main | cut -c 1-12)): -b BRANCH" ../err && untouched "$up" &&
	test_status 2 "$SERIES" am --check "$T/mbox" >../out && test_grep "^does not apply on main.*patch 2/3" ../out && test_grep "^applies on " ../out && untouched "$up" &&
	test_status 2 "$SERIES" am --check --json "$T/mbox" >../json && python3 -c "
import json
d = json.load(open(\"../json\"))
assert d[\"schema\"] == 1 and d[\"applies\"][\"ok\"] is False and d[\"applies\"][\"patch\"] == 2, d
assert d[\"base\"][\"commit\"] == \"$(git rev-parse origin/main)\", d"
'
test_expect_success "-b makes a branch there, or where it is told to" '
	cd r && "$SERIES" am -b taken "$T/mbox" >../out && [ "$(git symbolic-ref --short HEAD)" = taken ] && [ "$(git rev-parse HEAD~3)" = "$(git rev-parse origin/main)" ] && [ "$(git rev-parse main)" = "$up" ] &&
	git switch -q main && test_status 1 "$SERIES" am -b taken "$T/mbox" 2>../err && test_grep "there is a branch taken already" ../err && test_status 1 "$SERIES" am -b more --base main "$T/mbox" 2>../err && test_grep "patch 2/3 .* does not apply on main: " ../err && ! git rev-parse -q --verify more &&
	"$SERIES" am -b more --base origin/main -P 1 "$T/mbox" && [ "$(git rev-parse HEAD~1)" = "$(git rev-parse origin/main)" ] && git switch -q main && git branch -q -D more taken && test_status 129 "$SERIES" am --base main "$T/mbox"
'
test_expect_success "a conflict is left as git am leaves it, and goes on with the tags" '
	cd r && untouched "$up" && test_status 1 "$SERIES" am --here "$T/mbox" >../out 2>../err && cat ../err && test_grep "git am stopped at patch 2/3 \"numbers: change line 20\", which conflicts in numbers; .*git am --continue, or git am --abort" ../err &&
	[ -f .git/rebase-apply/applying ] && grep -q "^<<<<<<<" numbers && sed "/^<<<<<<<\|^|||||||\|^=======\|^>>>>>>>/d; /^other$/d; /^20$/d" numbers >../n && cp ../n numbers && git add numbers && git am --continue && [ "$(git rev-list --count "$up"..HEAD)" = 3 ] && git log -1 --format=%B HEAD~1 | grep -qx "Reviewed-by: $RITA" &&
	git reset -q --hard "$up" && test_status 1 "$SERIES" am --here "$T/mbox" && git am --abort && untouched "$up"
'
test_expect_success "where it applies nowhere, objects that are missing are named" '
	git init -q "$T/other" && cd "$T/other" && seq 1 60 | sed "s/^20$/else/" >numbers && seq 1 60 | sed "s/^/letter /" >letters && git add . && git commit -q -m "without those objects" && blob=$(git -C "$T/author" rev-parse topic~2:numbers | cut -c 1-7) &&
	test_status 1 "$SERIES" am "$T/mbox" >../out 2>../err && test_grep "^does not apply on main.*patch 2/3" ../out && test_grep "objects that are not here: numbers ($blob" ../out && test_grep "git am stopped at patch 2/3" ../err && git am --abort && [ "$(git rev-list --count HEAD)" = 1 ]
'
# git am -3 merges when the patches were made where they apply: what is said before agrees with that.
test_expect_success "objects that a merge needs, and where they come from" '
	git clone -q --no-local --single-branch -b main "$T/author" "$T/local" && cd "$T/local" && edit numbers 20 other && git commit -q -a -m "a local change" && ! git cat-file -e "$blob" 2>/dev/null &&
	test_status 2 "$SERIES" am --check "$T/mbox" >../out && test_grep "^  a merge needs objects that are not here: numbers ($blob[0-9a-f]*)\$" ../out && test_grep "^applies on .*; --here and --resolve make these objects of it, and merge\$" ../out && ! git cat-file -e "$blob" 2>/dev/null &&
	test_status 1 "$SERIES" am --here "$T/mbox" >../out 2>../err && test_nogrep "not here" ../out && test_grep "git am stopped at patch 2/3.*which conflicts in numbers;" ../err && grep -q "^<<<<<<<" numbers && git am --abort
'
test_expect_success "what a patch before makes is not missing, and what is no number is not asked for" '
	cd "$T/author" && git switch -q -c both main && edit numbers 1 uno && c "numbers: change line 1" && edit numbers 20 venti && edit letters 40 quaranta && c "both: change lines" && git switch -q topic && mails 5 main..both && mbox "$T"/v5/*.patch >"$T/bothbox" &&
	git init -q "$T/half" && cd "$T/half" && cp "$T/other/letters" . && seq 1 60 >numbers && edit letters 40 else && git add . && git commit -q -m "without letters" && test_status 2 "$SERIES" am --check "$T/bothbox" >../out && cat ../out &&
	test_grep "^  a merge needs objects that are not here: letters ($(git -C "$T/author" rev-parse main:letters | cut -c 1-7))\$" ../out &&
	sed "s/^index $(git -C "$T/author" rev-parse main:letters | cut -c 1-7)\.\./index --batch../" "$T/bothbox" >"$T/optionbox" && grep -q "^index --batch" "$T/optionbox" && test_status 2 "$SERIES" am --check "$T/optionbox" >../out && test_grep "^does not apply" ../out && test_nogrep "batch" ../out
'
test_expect_success "what is there already is named and left out; all of it is an error" '
	fresh && git am -q "$T"/v1/*-0002-*.patch && up=$(git rev-parse HEAD) && "$SERIES" am "$T/mbox" >../out && test_grep "2/3  numbers: change line 20  (is there already, left out)" ../out && test_grep "^applied 2 patches" ../out && [ "$(git rev-list --count "$up"..HEAD)" = 2 ] &&
	git rev-parse "HEAD^{tree}" >../got && git -C ../author rev-parse "topic^{tree}" >../want && test_cmp ../want ../got && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "nothing was applied: all that the patches change is in main" ../err &&
	test_status 2 "$SERIES" am --check "$T/mbox" >../out && [ "$(grep -c "is there already" ../out)" = 3 ]
'
# git am -3 passes over a patch when a merge shows that it is there: the trial must not miss it.
test_expect_success "so is what only a merge shows to be there" '
	fresh && git am -q "$T"/v1/*-0002-*.patch && edit numbers 23 other && git commit -q -a -m other && up=$(git rev-parse HEAD) && "$SERIES" am "$T/mbox" >../out && test_grep "2/3 .*is there already" ../out && [ "$(git rev-list --count "$up"..HEAD)" = 2 ]
'
# A git that leaves out the last mail stands for whatever may lose a patch on its way.
test_expect_success "fewer commits than patches: what is missing is named" '
	mkdir -p "$T/lossy" && cat >"$T/lossy/git" <<-\EOF &&
	#!/bin/sh
	case " $* " in *" am -q -3 "*) n=$#; i=0; for a; do i=$((i + 1)); [ $i = 1 ] && set --; [ $i = $n ] || set -- "$@" "$a"; done ;; esac
	PATH=${PATH#*:} exec git "$@"
	EOF
	chmod +x "$T/lossy/git" && fresh && PATH=$T/lossy:$PATH test_status 1 "$SERIES" am "$T/mbox" 2>../err && cat ../err && test_grep "git am made 2 commits of 3 patches; 3/3 \"letters: change line 40, add fresh\" was left out.*git reset --keep $(git rev-parse origin/main | cut -c 1-12)" ../err && git reset -q --keep origin/main
'
test_expect_success "--check applies nothing, also in a bare repository and with a dirty tree" '
	fresh && edit numbers 1 dirty && "$SERIES" am --check "$T/mbox" >../out && test_grep "^applies on main" ../out && [ "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)" ] && git count-objects -v | sed "/^count/!d" >../before && "$SERIES" am --check "$T/mbox" && git count-objects -v | sed "/^count/!d" >../after && test_cmp ../before ../after &&
	git clone -q --bare . "$T/bare" && cd "$T/bare" && "$SERIES" am --check "$T/mbox" >../out && test_grep "^applies on main" ../out && test_status 1 "$SERIES" am "$T/mbox" 2>../err && test_grep "no work tree" ../err && test_status 129 "$SERIES" am --json "$T/mbox"
'
# The patatt is a stand-in that says what it is told, also what no signature leads to; below is the
# real one. DKIM is never verified by series.
test_expect_success "--check shows whose signatures there are, and claims nothing that was not verified" '
	fresh && "$SERIES" am --check "$T/mbox" >../out && test_grep "^no signatures in the mails" ../out && for k in 0 1 2 3; do
		sed "1a DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org;\n s=x; bh=AAAA=; b=BBBB" "$T"/v1/*-000$k-*.patch >"$T/s$k" || return 1
	done && sed -i "1a X-Developer-Signature: v=1; a=ed25519-sha256; t=1; l=9;\n i=wendy@example.org; h=from:subject; bh=AAAA; b=CCCC" "$T"/s[12] && mbox "$T"/s[0123] >"$T/signed" && PATH=$BUILD:/usr/bin:/bin "$SERIES" am --check "$T/signed" >../out && cat ../out &&
	test_grep "^DKIM-Signature of example.org on 4 of 4 mails: not verified\$" ../out && test_grep "^X-Developer-Signature of wendy@example.org on 2 of 4 mails: not verified" ../out && mkdir -p "$T/bin" &&
	printf "#!/bin/sh\n[ \"\$1\" = validate ] && grep -q ^X-Developer-Signature: \"\$2\" && cat \"$T/verdict\"\n" >"$T/bin/patatt" && chmod +x "$T/bin/patatt" && echo "  PASS | wendy@example.org, x" >"$T/verdict" && PATH=$T/bin:$PATH "$SERIES" am --check "$T/signed" >../out && test_grep "^X-Developer-Signature of wendy@example.org on 2 of 4 mails: valid, says patatt" ../out &&
	echo "BADSIG | wendy@example.org, x" >"$T/verdict" && PATH=$T/bin:$PATH test_status 2 "$SERIES" am --check "$T/signed" >../out && test_grep "on 2 of 4 mails: BAD, says patatt" ../out && echo nonsense >"$T/verdict" && PATH=$T/bin:$PATH "$SERIES" am --check --json "$T/signed" >../json && python3 -c "
import json
s = json.load(open(\"../json\"))[\"signatures\"]
assert [(x[\"field\"], x[\"mails\"], x[\"bad\"]) for x in s] == [(\"DKIM-Signature\", 4, False), (\"X-Developer-Signature\", 2, False)], s
assert \"not verified\" in s[1][\"verdict\"], s"
'
if command -v patatt >/dev/null && command -v gpg >/dev/null; then
# A home of its own with keys made here: no agent of it outlives the test.
test_expect_success "patatt itself: good signatures of both kinds, a changed mail, a key that is not known" '
	home=$T/pat && mkdir -m 700 -p "$home" && (
	HOME=$home; export HOME; unset XDG_DATA_HOME XDG_CONFIG_HOME GNUPGHOME
	git config --global user.name "Wendy Writer" && git config --global user.email wendy@example.org && cd "$T" && patatt genkey -n one >out 2>&1 &&
	gpg --batch -q --passphrase "" --quick-gen-key "Wendy Writer <wendy@example.org>" ed25519 sign 2>out && pgp=$(gpg --list-keys --with-colons 2>out | awk -F: "/^fpr/{print \$10; exit}") || exit 1
	sign() { git config --global patatt.signingkey "$1" && for k in 1 2 3; do sed 1d "$T"/v1/*-000$k-*.patch >"$T/g$k" && (cd "$T/author" && patatt sign "$T/g$k") && sed -i "1i From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001" "$T/g$k" || return 1; done && mbox "$T"/g[123] >"$T/$2"; }
	look() { fresh && "$SERIES" am --check "$T/$1" >"$T/said"; rc=$?; cat "$T/said"; return $rc; }
	sign ed25519:one ed && look ed && test_grep "^X-Developer-Signature of wendy@example.org on 3 of 3 mails: valid, says patatt" "$T/said" || exit 1
	sed "s/change line 40/change line 41/" "$T/ed" >"$T/changed" && ! look changed && test_grep "on 1 of 3 mails: BAD, says patatt" "$T/said" && test_grep "on 2 of 3 mails: valid" "$T/said" || exit 1
	sign "openpgp:$pgp" pgp && look pgp && test_grep "on 3 of 3 mails: valid, says patatt" "$T/said" || exit 1
	mv "$home/.local/share/patatt/public" "$T/public" && look ed && test_grep "on 3 of 3 mails: not verified: patatt has no key" "$T/said" || exit 1
	); rc=$?; HOME=$home gpgconf --kill all; return $rc
'
fi
test_expect_success "in a linked work tree, below a folder, on a detached HEAD" '
	fresh && git worktree add -q -b linked "$T/linked" && mkdir -p "$T/linked/sub" && cd "$T/linked/sub" && "$SERIES" am "$T/mbox" && [ "$(git rev-list --count origin/main..linked)" = 3 ] && [ "$(git rev-parse main)" = "$(git rev-parse origin/main)" ] &&
	cd "$T/linked" && git switch -q --detach origin/main && "$SERIES" am "$T/mbox" && [ "$(git rev-list --count origin/main..HEAD)" = 3 ] && git reset -q --hard origin/main && edit numbers 20 other && git commit -q -a -m other && test_status 1 "$SERIES" am --here "$T/mbox" && git am --abort && cd "$T/r" && git worktree remove --force "$T/linked" && git branch -q -D linked
'
test_expect_success "hooks run" '
	fresh && mkdir -p .git/hooks && printf "#!/bin/sh\necho ran >>\"$T/hook\"\n" >.git/hooks/applypatch-msg && chmod +x .git/hooks/applypatch-msg && "$SERIES" am "$T/mbox" && [ "$(wc -l <"$T/hook")" = 3 ] && rm .git/hooks/applypatch-msg
'
# A hook of the second patch waits until SIGINT goes to the whole group, as ^C at a terminal does.
test_expect_success "^C while git am runs: what is half done is said, and is on the list of series thank" '
	cat >"$T/intr.py" <<-\EOF &&
	import os, signal, subprocess, sys, time
	p = subprocess.Popen(sys.argv[2:], start_new_session=True)
	for i in range(200):
	    if os.path.exists(sys.argv[1]) or p.poll() is not None:
	        break
	    time.sleep(0.05)
	os.killpg(p.pid, signal.SIGINT)
	sys.exit(p.wait())
	EOF
	fresh && printf "#!/bin/sh\necho >>\"$T/runs\"; [ \$(wc -l <\"$T/runs\") = 2 ] && echo >\"$T/now\" && sleep 5; exit 0\n" >.git/hooks/applypatch-msg && chmod +x .git/hooks/applypatch-msg && rm -rf .git/series/taken &&
	test_status 130 python3 "$T/intr.py" "$T/now" "$SERIES" am "$T/mbox" 2>../err && test_grep "git am was interrupted and is half done; git am --abort takes all back" ../err && [ "$(git rev-list --count origin/main..HEAD)" = 1 ] && [ -f .git/rebase-apply/applying ] && "$SERIES" thank | grep -q "numbers: words" &&
	git am --abort && untouched && rm -f "$T/runs" "$T/now" && upstream "edit letters 40 other" &&
	test_status 130 python3 "$T/intr.py" "$T/now" "$SERIES" am --resolve "$T/mbox" 2>../err && test_grep "^series: git am was interrupted" ../err && test_grep "That is in a work tree apart: cd .*series am --abort forgets" ../err && "$SERIES" am --abort && [ "$(git worktree list | wc -l)" = 1 ] && untouched "$up" && rm .git/hooks/applypatch-msg
'
test_expect_success "odd bytes, whatever the settings of the user do to CRs: CRLF files, lines like From, in patches and messages" '
	cd author && git switch -q -c odd main && printf "a\r\nb\r\n" >crlf && printf "From nobody Mon Sep 17 00:00:00 2001\nx\n" >mails && git add . && c "odd: files
" -m "From: somebody who is in the message
>From here" && git switch -q topic && cd "$T/author" && mails 3 main..odd --from --force-in-body-from && fresh && git am -q --keep-cr "$T"/v3/*-0001-*.patch && commits origin/main..HEAD >../want && mbox "$T"/v3/*.patch >"$T/oddbox" && fresh && "$SERIES" am "$T/oddbox" && commits origin/main..HEAD >../got && test_cmp ../want ../got &&
	for keep in true false; do fresh && git config am.keepcr $keep && git config mailinfo.quotedCr strip && "$SERIES" am "$T/oddbox" && commits origin/main..HEAD >../got && test_cmp ../want ../got || return 1; done && git config --unset mailinfo.quotedCr && git config --unset am.keepcr
'
e=$(printf "\033")
test_expect_success "escapes in names, titles and conditions reach no terminal" '
	sed "s/^Subject: \(.*\)numbers: change line 1\$/Subject: \1numbers: change ${e}[31mline${e}]0;x 1/; s/^From: Wendy Writer/From: Wen${e}[2Jdy/" "$T"/v1/*-0001-*.patch >"$T/esc" && { mbox "$T"/v1/*-000[023]-*.patch "$T/esc" && reply e1 v1-1 "R${e}[31mita <rita@example.org>" "With ${e}[31mthis fixed:\nReviewed-by: R${e}[31mita <rita@example.org>"; } >"$T/escbox" && fresh && "$SERIES" am "$T/escbox" >../out 2>&1 && test_nogrep "$e" ../out && test_grep "conditional: With this fixed" ../out &&
	fresh && test_status 2 "$SERIES" am --check "$T/escbox" >../out 2>&1 && test_nogrep "$e" ../out
'
# git am wants --quoted-cr=strip for it.
test_expect_success "paths that lead out of the tree or into .git are refused" '
	for p in ../away/x .git/hooks/post-commit .GIT/config "git~1/x"; do
		sed "s,a/fresh b/fresh,a/$p b/$p,; s,^+++ b/fresh,+++ b/$p," "$T"/v1/*-0003-*.patch >"$T/evil" && grep -qF "+++ b/$p" "$T/evil" && mbox "$T"/v1/*-000[012]-*.patch "$T/evil" >"$T/evilbox" && fresh && test_status 1 "$SERIES" am "$T/evilbox" >../out 2>../err && cat ../err &&
		{ git am --abort 2>/dev/null || :; } && untouched && [ ! -e "$T/away" ] && [ ! -e .git/hooks/post-commit ] && test_nogrep "literal-pathspecs (" ../err || return 1
	done
'
test_expect_success "a patch in base64 with CRLF line ends is applied without them, and that is said" '
	python3 - "$T" <<-\EOF &&
	import base64, glob, sys
	t = sys.argv[1]
	text = open(glob.glob(t + "/v1/*-0001-*.patch")[0]).read()
	head, body = text.split("\n\n", 1)
	b = base64.encodebytes(body.replace("\n", "\r\n").encode()).decode()
	open(t + "/b64", "w").write(head + "\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: base64\n\n" + b)
	EOF
	mbox "$T"/v1/*-000[023]-*.patch "$T/b64" >"$T/crbox" && git_am_of origin/main --quoted-cr=strip "$T/b64" "$T"/v1/*-000[23]-*.patch && "$SERIES" am --no-tags "$T/crbox" >../out && test_grep "1/3  numbers: change line 1  (without the CRs" ../out && commits origin/main..HEAD >../got && test_cmp ../want ../got
'
test_expect_success "a mail without a diff stops before anything is touched; damaged patches too" '
	sed "/^diff --git/,\$d; /^---\$/,\$d" "$T"/v1/*-0002-*.patch >"$T/empty" && mbox "$T"/v1/*-000[013]-*.patch "$T/empty" >"$T/emptybox" && fresh && test_status 1 "$SERIES" am "$T/emptybox" 2>../err && cat ../err && untouched
'
test_done
