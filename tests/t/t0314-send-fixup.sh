#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A fix for one patch of a version that a tree has taken: one mail, whose patch, applied on
# what was posted, gives the tree that git commands by hand give.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

git config --global format.signature "2.39"

# header NAME FILE: the value of a header line, unfolded.
header() {
	sed '/^$/q' "$2" | sed -e ':a' -e 'N;$!ba' -e 's/\n[ \t]/ /g' | sed -n "s/^$1: *//p"
}
body() {
	sed '1,/^$/d' "$1"
}
# line N TEXT: replace a line of the file.
line() {
	sed "$1s/.*/$2/" numbers >new && mv new numbers
}
# posted DIR: three patches, 1 on line 10, 2 on line 30, 3 on line 50; v1 is sent, and
# mm-unstable has it on another base.
posted() {
	make_base "$T/$1" && line 10 ten && git commit -q -a -s -m "numbers: say ten" &&
	line 30 thirty && git commit -q -a -s -m "numbers: say thirty" &&
	line 50 fifty && git commit -q -a -s -m "numbers: say fifty" &&
	"$SERIES" init --base main && make_cover "numbers: words" "Better lines." &&
	"$SERIES" recipients --add-to list@example.org --add-cc Rita@example.org &&
	sink "$1.out" && "$SERIES" send --yes && git tag posted &&
	git switch -q -c mm-unstable main && seq 1 9 >other && git add other &&
	git commit -q -m "other: new" && git am -q "$T/$1.out"/000[234].eml &&
	git switch -q topic && git config series.baseCandidate mm-unstable
}
# am FILE TREE-ISH: the tree that git am of the mail gives there.
am() {
	rm -rf "$T/am" && git worktree prune && git worktree add -q --detach "$T/am" "$2" &&
	git -C "$T/am" am -q "$1" && git -C "$T/am" rev-parse "HEAD^{tree}" &&
	git worktree remove --force "$T/am"
}
# tree_of REV LINE TEXT...: by hand: the file there with these lines.
tree_of() {
	git show "$1:numbers" >hand && rev=$1 && shift &&
	while [ $# -gt 0 ]; do sed "$1s/.*/$2/" hand >new && mv new hand && shift 2; done &&
	export GIT_INDEX_FILE="$T/idx" && git read-tree "$rev" &&
	git update-index --cacheinfo "100644,$(git hash-object -w hand),numbers" &&
	git write-tree; unset GIT_INDEX_FILE; rm -f "$T/idx" hand
}
mails() {
	find "$T/$1" -name "*.eml" | wc -l
}
id() {
	header Message-ID "$1"
}
# log_json EXPRESSION: of v, the versions of "series log --json".
log_json() {
	"$SERIES" log --json | python3 -c 'import json,sys
v = json.load(sys.stdin)["versions"]
print('"$1"')'
}
patch_id() {
	git diff-tree -p "$1" | git patch-id --stable | cut -d" " -f1
}

test_expect_success "a fixup! commit: the mail, word by word" '
	posted one && line 30 "thirty, in words" && line 31 thirty-one &&
	git commit -q -a --fixup=posted~1 -m "A robot says that thirty is too short.
It also wants 31.

Reported-by: Rob Robot <rob@example.org>
Closes: https://example.org/1" &&
	"$SERIES" send --fixup=2 --yes --cc rob@example.org >out && test_nogrep "warning" out &&
	test_grep "^the fix for patch 2 of v1 sent: 1 mail to" out &&
	[ "$(mails one.out)" = 5 ] && m=$T/one.out/0005.eml &&
	echo "[PATCH 4/3] numbers: say thirty fix" >want && header Subject "$m" >got && test_cmp want got &&
	id "$T/one.out/0003.eml" >want && header In-Reply-To "$m" >got && test_cmp want got &&
	echo "$(id "$T/one.out/0001.eml") $(cat want)" >want && header References "$m" >got && test_cmp want got &&
	echo list@example.org >want && header To "$m" >got && test_cmp want got &&
	echo "Rita@example.org, rob@example.org" >want && header Cc "$m" >got && test_cmp want got &&
	body "$m" | sed "/^diff/,\$d" >got && cat >want <<-EOF &&
	A robot says that thirty is too short.
	It also wants 31.

	Reported-by: Rob Robot <rob@example.org>
	Closes: https://example.org/1
	Signed-off-by: Wendy Writer <wendy@example.org>
	---
	A fix for patch 2/3 of v1, to be folded into it:
	"numbers: say thirty"
	https://lore.kernel.org/r/$(id "$T/one.out/0003.eml" | tr -d "<>")

	It applies on top of v1.

	base-commit: $(git rev-parse main)
	prerequisite-patch-id: $(patch_id posted~2)
	prerequisite-patch-id: $(patch_id posted~1)
	prerequisite-patch-id: $(patch_id posted)

	 numbers | 4 ++--
	 1 file changed, 2 insertions(+), 2 deletions(-)

	EOF
	test_cmp want got
'

test_expect_success "git am of it, on the posted patches and in the queue" '
	cd one && m=$T/one.out/0005.eml && tree_of posted 30 "thirty, in words" 31 thirty-one >want &&
	am "$m" posted >got && test_cmp want got && git rev-parse topic^{tree} >got && test_cmp want got &&
	tree_of mm-unstable 30 "thirty, in words" 31 thirty-one >want && am "$m" mm-unstable >got && test_cmp want got &&
	git switch -q --detach posted && git am -q "$m" && git log -1 --format="%an <%ae>%n%s" >got &&
	printf "Wendy Writer <wendy@example.org>\nnumbers: say thirty fix\n" >want && test_cmp want got &&
	git rev-parse HEAD^{tree} >got && git rev-parse refs/series/topic/v1.fix1^{tree} >want && test_cmp want got &&
	git switch -q topic
'

test_expect_success "it is no version: the draft stays, log, status and the state know it" '
	cd one && "$SERIES" status >out && test_grep "v2 preparing" out && test_grep "^v1  .*3 patches, 1 fix " out &&
	"$SERIES" log >out && test_grep "sent \[PATCH\] (fix for patch 2) $(id "$T/one.out/0005.eml")" out &&
	log_json "v[0][\"fixups\"][0][\"patch\"], v[0][\"fixups\"][0][\"state\"], v[0][\"fixups\"][0][\"subject\"], len(v)" >got &&
	echo "2 sent numbers: say thirty fix 1" >want && test_cmp want got &&
	log_json "v[0][\"fixups\"][0][\"patch_id\"]" >got && patch_id topic >want && test_cmp want got &&
	git rev-parse posted >want && git rev-parse refs/series/topic/v1.fix1^ >got && test_cmp want got &&
	git rev-parse refs/series/topic/v1 >got && test_cmp want got && posting_state 1 >got && printf "sent\nsent\n" >want && test_cmp want got &&
	dir=sent/v1/fix-$(id "$T/one.out/0005.eml" | sed "s/^<//;s/-series.*//") &&
	git show refs/series/topic/state:$dir/0000.eml >got && test_cmp "$T/one.out/0005.eml" got &&
	git log -2 --format=%s refs/series/topic/state >got && printf "send v1.fix1\nsending v1.fix1\n" >want && test_cmp want got &&
	test ! -e .git/series/outbox/2*
'

test_expect_success "the same is not sent twice" '
	cd one && test_status 1 "$SERIES" send --fixup=2 --yes 2>err &&
	test_grep "patch 2 .numbers: say thirty. is as it was with its last fix" err && [ "$(mails one.out)" = 5 ]
'

test_expect_success "the second fix of the patch: what is new in it, on top of the first" '
	cd one && line 30 "thirty, in good words" && git commit -q -a --fixup=posted~1 -m "Better words." &&
	"$SERIES" send --fixup=2 --yes && m=$T/one.out/0006.eml &&
	echo "[PATCH 5/3] numbers: say thirty fix 2" >want && header Subject "$m" >got && test_cmp want got &&
	body "$m" | sed -n 1,2p >got && printf "Better words.\n\n" >want && test_cmp want got &&
	test_grep "^It applies on top of v1 and the fix for it so far.$" "$m" &&
	tree_of posted 30 "thirty, in good words" 31 thirty-one >want && am "$m" refs/series/topic/v1.fix1 >got && test_cmp want got &&
	git rev-parse refs/series/topic/v1.fix1 >want && git rev-parse refs/series/topic/v1.fix2^ >got && test_cmp want got &&
	log_json "[f[\"patch\"] for f in v[0][\"fixups\"]]" >got && echo "[2, 2]" >want && test_cmp want got
'

test_expect_success "a fix for another patch: numbers go on, its own name does not" '
	cd one && line 10 "ten, too" && git commit -q -a --fixup=posted~2 -m "And ten." &&
	"$SERIES" send --fixup=1 --yes && echo "[PATCH 6/3] numbers: say ten fix" >want &&
	header Subject "$T/one.out/0007.eml" >got && test_cmp want got &&
	test_grep "and the 2 fixes for it so far" "$T/one.out/0007.eml" &&
	am "$T/one.out/0007.eml" refs/series/topic/v1.fix2 >got && git rev-parse topic^{tree} >want && test_cmp want got
'

test_expect_success "v2 with the fixes folded in goes on as ever; its changelog knows them" '
	cd one && "$SERIES" send --resend --dry-run >out && test_grep "warning: v1 goes out as it was, without the 3 fixes posted for it" out &&
	git -c sequence.editor=: rebase -q -i --autosquash main && "$SERIES" changes --suggest >out && tr -s "\n " " " <out >words &&
	for n in 5 6 7; do test_grep "folded in the fix posted as https://lore.kernel.org/r/$(id "$T/one.out/000$n.eml" | tr -d "<>")" words || return 1; done &&
	"$SERIES" send --yes && [ "$(mails one.out)" = 11 ] &&
	header Subject "$T/one.out/0008.eml" >got && echo "[PATCH v2 0/3] numbers: words" >want && test_cmp want got &&
	log_json "[len(x[\"fixups\"]) for x in v]" >got && echo "[0, 3]" >want && test_cmp want got &&
	test_status 1 "$SERIES" send --fixup=2 --yes -m x 2>err && test_grep "is as it was posted" err
'

# The base moves, patches 2 and 3 are amended, and patch 1 is reworded.
test_expect_success "a patch amended in its place, on a base that moved; others are named" '
	posted two && git switch -q main && line 1 one && git commit -q -a -m "moved" && git switch -q topic &&
	git rebase -q main && git reset -q --hard topic~2 && git commit -q --amend -m "numbers: say ten

In other words." && git cherry-pick posted~1 >/dev/null && line 32 thirty-two && git commit -q -a --amend --no-edit &&
	git cherry-pick posted >/dev/null && line 52 fifty-two && git commit -q -a --amend --no-edit &&
	line 60 sixty && git commit -q -a -m "numbers: say sixty" &&
	"$SERIES" send --fixup=2 --yes -m "32 was forgotten." >out && m=$T/two.out/0005.eml &&
	test_grep "warning: numbers: say thirty fix: what changed in patch 3 is not in it: .numbers: say fifty." out &&
	test_grep "series send --fixup=3" out && test_grep "a new commit is not in it: .numbers: say sixty." out &&
	test_nogrep "patch 1" out && tree_of posted 32 thirty-two >want && am "$m" posted >got && test_cmp want got &&
	tree_of mm-unstable 32 thirty-two >want && am "$m" mm-unstable >got && test_cmp want got &&
	body "$m" | head -n 1 >got && echo "32 was forgotten." >want && test_cmp want got &&
	[ "$(git diff-tree --numstat -r posted refs/series/topic/v1.fix1)" = "1	1	numbers" ]
'

test_expect_success "then patch 3; what went out for patch 2 is not named again" '
	cd two && "$SERIES" send --fixup=3 --yes -m "52 as well." >out && test_nogrep "patch 2" out &&
	tree_of posted 32 thirty-two 52 fifty-two >want && am "$T/two.out/0006.eml" refs/series/topic/v1.fix1 >got &&
	test_cmp want got && echo "[PATCH 5/3] numbers: say fifty fix" >want && header Subject "$T/two.out/0006.eml" >got && test_cmp want got
'

test_expect_success "only the message changed, or nothing: refused, with what to do" '
	cd two && test_status 1 "$SERIES" send --fixup=1 --yes -m x 2>err &&
	test_grep "only the message of patch 1 .numbers: say ten. changed.*reply to its mail.*post v2" err &&
	posted same && test_status 1 "$SERIES" send --fixup=1 --yes -m x 2>err &&
	test_grep "patch 1 .numbers: say ten. is as it was posted; amend its commit, or git commit --fixup" err &&
	line 50 FIFTY && git commit -q -a --amend --no-edit && test_status 1 "$SERIES" send --fixup=1 --yes -m x 2>err &&
	test_grep "what changed is patch 3: series send --fixup=3" err && [ "$(mails same.out)" = 4 ]
'

test_expect_success "other refusals" '
	cd same && test_status 129 "$SERIES" send --fixup=4 --yes -m x 2>err && test_grep "v1 has 3 patches" err &&
	test_status 129 "$SERIES" send --fixup=0 --yes 2>err &&
	for more in --resend --rfc "-v 2" --no-prefix "--prefix=mm" --resume --give-up; do
		test_status 129 "$SERIES" send --fixup=3 --yes -m x $more 2>err || return 1
	done && test_status 129 "$SERIES" send -m x 2>err && test_grep "fixup=K" err &&
	for text in "" "  " "Signed-off-by: Wendy Writer <wendy@example.org>"; do
		test_status 1 "$SERIES" send --fixup=3 --yes -m "$text" 2>err && test_grep "nothing says what was wrong" err || return 1
	done && test_status 1 "$SERIES" send --fixup=3 --yes 2>err && test_grep "nothing says what was wrong.*--message" err &&
	git reset -q --hard topic~1 && test_status 1 "$SERIES" send --fixup=3 --yes -m x 2>err &&
	test_grep "patch 3 .numbers: say fifty. is no longer in the branch.*post v2" err && [ "$(mails same.out)" = 4 ] &&
	make_series never 2 && test_status 129 "$SERIES" send --fixup=1 --yes -m x 2>err && test_grep "nothing was posted yet" err
'

# said: what the mail of "send --fixup=2 -n OPTION..." says above its dashes
said() {
	"$SERIES" send --fixup=2 --dry-run "$@" >mail && sed '1,/^Content-Transfer/d;/^---$/,$d' mail | sed 1d >got
}
test_expect_success "what is text and what is a trailer; one long line of --message is a paragraph" '
	posted words && line 30 alpha && git commit -q -a --fixup=posted~1 -m "Reported-by: Rob Robot <rob@example.org>
Closes: https://example.org/1" && me="Signed-off-by: Wendy Writer <wendy@example.org>" &&
	said -m "rmap: fix the build" && cat >want <<-EOF && test_cmp want got &&
	rmap: fix the build

	Reported-by: Rob Robot <rob@example.org>
	Closes: https://example.org/1
	$me
	EOF
	said -m "Oops.
Tested-by: Tess <tess@example.org>
$me" && cat >want <<-EOF && test_cmp want got &&
	Oops.

	Reported-by: Rob Robot <rob@example.org>
	Closes: https://example.org/1
	Tested-by: Tess <tess@example.org>
	$me
	EOF
	said -m "A line of the option that goes on and on until it is too long for what the lists like to read." &&
	head -n 2 got >first && cat >want <<-EOF && test_cmp want first &&
	A line of the option that goes on and on until it is too long for what
	the lists like to read.
	EOF
	said -m "A line of the option that goes on and on until it is too long for what the lists like to read.
As it is with two." && test_grep "^A line .* like to read.$" got &&
	for text in "Tested-by: Tess <tess@example.org>" "Fixes: 123456789012 (\"x\")" "$me"; do
		test_status 1 "$SERIES" send --fixup=2 -n -m "$text" 2>err && test_grep "nothing says what was wrong" err || return 1
	done
'

test_expect_success "what no mail should carry is refused, from the option and from a commit" '
	cd words && test_status 1 "$SERIES" send --fixup=2 --yes -m "$(printf "caf\351")" 2>err && test_grep "the text of the fix: line 1 is not UTF-8" err &&
	test_status 1 "$SERIES" send --fixup=2 --yes -m "$(printf "a\n\n\033[31mred")" 2>err && test_grep "line 3 has the control character 0x1b" err &&
	printf "fixup! numbers: say thirty\n\ncaf\351\n" >msg && git -c i18n.commitEncoding=ISO-8859-1 commit -q --amend -F msg &&
	said && head -n 1 got >first && printf "caf\303\251\n" >want && test_cmp want first &&
	printf "fixup! numbers: say thirty\n\n\033[31mred\n" >msg && git commit -q --amend -F msg &&
	test_status 1 "$SERIES" send --fixup=2 --yes 2>err && test_grep "line 1 has the control character 0x1b" err && [ "$(mails words.out)" = 4 ]
'

test_expect_success "an amend! commit that changes the message alone" '
	cd words && git reset -q --hard posted && printf "amend! numbers: say thirty\n\nnumbers: say thirty\n\nIn other words.\n" >msg &&
	git commit -q --allow-empty -F msg && test_status 1 "$SERIES" send --fixup=2 --yes -m x 2>err &&
	test_grep "only the message of patch 2 .numbers: say thirty. changed" err &&
	{ printf "amend! numbers: say thirty\n\n" && git log -1 --format=%B posted~1; } >msg && git commit -q --allow-empty --amend -F msg &&
	test_status 1 "$SERIES" send --fixup=2 --yes -m x 2>err && test_grep "is as it was posted" err
'

# Patch 1 writes the line that patch 2 writes anew.
test_expect_success "a later patch has the lines: refused where it must be, told where not" '
	make_base "$T/over" && line 10 ten && git commit -q -a -s -m "numbers: one" && line 10 TEN &&
	git commit -q -a -s -m "numbers: two" && git tag posted && "$SERIES" init --base main &&
	make_cover "numbers: words" "Better." && "$SERIES" recipients --add-to list@example.org && sink over.out &&
	"$SERIES" send --yes && git reset -q --hard main && line 10 tenth && git commit -q -a -s -m "numbers: one" &&
	line 10 TEN && git commit -q -a -s -m "numbers: two" && test_status 1 "$SERIES" send --fixup=1 --yes -m x 2>err &&
	test_grep "patch 1 .numbers: one.: .*later patches change the same lines (conflict in numbers).*git commit --fixup.*post v2" err &&
	git reset -q --hard posted && line 10 "TEN!" && git commit -q -a --fixup=posted~1 -m "Loud." &&
	"$SERIES" send --fixup=1 --yes >out && test_grep "warning: numbers: one fix: it applies on top of the posted patches, and not on patch 1" out &&
	tree_of posted 10 "TEN!" >want && am "$T/over.out/0004.eml" posted >got && test_cmp want got
'

test_expect_success "such a fix that went out is not named again, and a second one stands on it" '
	cd over && line 20 twenty && git commit -q -a --fixup=posted -m "And 20." && "$SERIES" send --fixup=2 --dry-run >out &&
	test_nogrep "what changed in patch" out && line 10 "TEN!!" && git commit -q -a --fixup=posted~1 -m "Louder." &&
	"$SERIES" send --fixup=2 --dry-run >out && test_grep "what changed in patch 1 is not in it" out &&
	"$SERIES" send --fixup=1 --yes && tree_of posted 10 "TEN!!" >want && git rev-parse refs/series/topic/v1.fix2^{tree} >got && test_cmp want got &&
	body "$T/over.out/0005.eml" | head -n 1 >got && echo "Louder." >want && test_cmp want got
'

# The first fix is folded into the patch, which is amended once more, on a base that moved.
test_expect_success "folded in already and amended: the second fix is what is new" '
	posted folded && line 30 alpha && git commit -q -a --fixup=posted~1 -m "First." && "$SERIES" send --fixup=2 --yes &&
	git switch -q main && line 1 one && git commit -q -a -m "moved" && git switch -q topic &&
	git -c sequence.editor=: rebase -q -i --autosquash main && git reset -q --hard topic~1 && line 32 beta && git commit -q -a --amend --no-edit &&
	git cherry-pick posted >/dev/null && "$SERIES" send --fixup=2 --yes -m "Second." >out && test_nogrep "warning" out &&
	tree_of posted 30 alpha 32 beta >want && am "$T/folded.out/0006.eml" refs/series/topic/v1.fix1 >got && test_cmp want got &&
	[ "$(git diff-tree --numstat -r refs/series/topic/v1.fix1 refs/series/topic/v1.fix2)" = "1	1	numbers" ]
'

test_expect_success "the patches before it changed the same lines: refused" '
	cd over && git reset -q --hard main && line 9 nine && line 10 ten && git commit -q -a -s -m "numbers: one" && line 10 TENTH &&
	line 9 NINE && git commit -q -a -s -m "numbers: two" && test_status 1 "$SERIES" send --fixup=2 --yes -m x 2>err &&
	test_grep "patch 2 .numbers: two.: as it is now it does not apply on the patches before it as they were posted" err
'

test_expect_success "--dry-run, --reflect and --preview-to record nothing" '
	posted shown && line 30 alpha && git commit -q -a --fixup=posted~1 -m "For show." && git for-each-ref >before &&
	"$SERIES" send --fixup=2 --dry-run >out && test_grep "^Subject: \[PATCH 4/3\] numbers: say thirty fix" out &&
	[ "$(mails shown.out)" = 4 ] && "$SERIES" send --fixup=2 --reflect --yes && [ "$(mails shown.out)" = 5 ] &&
	header To "$T/shown.out/0005.eml" >got && echo list@example.org >want && test_cmp want got &&
	grep "RCPT" "$T/shown.out/log" | tail -n 1 >got && test_grep wendy@example.org got && test_nogrep list@ got &&
	"$SERIES" send --fixup=2 --preview-to eve@example.org --yes && header To "$T/shown.out/0006.eml" >got &&
	echo eve@example.org >want && test_cmp want got && [ -z "$(header Cc "$T/shown.out/0006.eml")" ] &&
	git for-each-ref >after && test_cmp before after && test ! -e .git/series/outbox/2* &&
	test_status 1 "$SERIES" send --fixup=2 2>err && test_grep "no terminal" err && git for-each-ref >after && test_cmp before after
'

test_expect_success "format --fixup writes it for git am" '
	cd shown && "$SERIES" format --fixup=2 -o "$T/files" >out && ls "$T/files" >got && echo 0001-numbers-say-thirty-fix.patch >want &&
	test_cmp want got && tree_of posted 30 alpha >want && am "$T/files/0001-numbers-say-thirty-fix.patch" posted >got && test_cmp want got &&
	test_status 129 "$SERIES" format --fixup=2 --rfc 2>err && "$SERIES" format -o "$T/files2" >out; ls "$T/files2" >got && [ "$(wc -l <got)" = 5 ]
'

test_expect_success "the queue has the lines otherwise: an error, but for --no-verify" '
	cd shown && git branch queue-as-it-was mm-unstable && git switch -q mm-unstable && line 30 other &&
	git commit -q -a -m "numbers: by others" && git switch -q topic && test_status 1 "$SERIES" send --fixup=2 --yes >out 2>err &&
	test_grep "error: .*: mm-unstable has the patch, and the fix does not apply there (conflict in numbers)" out &&
	[ "$(mails shown.out)" = 6 ] && git config series.check.fixup-queue warn && "$SERIES" send --fixup=2 --dry-run >out &&
	test_grep "warning: .*mm-unstable has the patch" out && git config --unset series.check.fixup-queue && git branch -q -f mm-unstable queue-as-it-was &&
	git switch -q mm-unstable && line 30 alpha && git commit -q -a -m "numbers: folded" && git switch -q topic &&
	test_status 1 "$SERIES" send --fixup=2 --yes >out 2>err && test_grep "mm-unstable has the change of this fix already" out &&
	git branch -q -f mm-unstable main && test_status 0 "$SERIES" send --fixup=2 --dry-run >out &&
	test_grep "warning: no branch here has patch 2 of v1" out && "$SERIES" send --fixup=2 --yes --no-verify >out && test_nogrep "warning" out
'

test_expect_success "on a branch on top of the queue, where the patches are below the base" '
	posted above && git reset -q --hard mm-unstable && line 30 "on top" && git commit -q -a --fixup=HEAD~1 -m "Found in the queue." &&
	"$SERIES" base --set mm-unstable && "$SERIES" send --fixup=2 --yes >out && test_nogrep warning out &&
	tree_of posted 30 "on top" >want && am "$T/above.out/0005.eml" posted >got && test_cmp want got &&
	line 31 more && git commit -q -a --fixup=HEAD~2 -m "More." && "$SERIES" send --fixup=2 --yes &&
	tree_of posted 30 "on top" 31 more >want && am "$T/above.out/0006.eml" refs/series/topic/v1.fix1 >got && test_cmp want got
'

test_expect_success "refused for now: the same command goes on, with the same Message-ID" '
	posted later && line 30 alpha && git commit -q -a --fixup=posted~1 -m "Later." && sink later2 later_end=1 &&
	test_status 1 "$SERIES" send --fixup=2 --yes 2>err && test_grep "nothing was sent" err &&
	test_status 1 git rev-parse -q --verify refs/series/topic/v1.fix1 && log_json "len(v[0][\"fixups\"])" >got && echo 0 >want && test_cmp want got &&
	sink later3 keep_end=1 && test_status 1 "$SERIES" send --fixup=2 --yes 2>err && test_grep "1 of 1 mails of the fix for patch 2 of v1 may or may not have arrived" err &&
	log_json "v[0][\"fixups\"][0][\"state\"]" >got && echo partial >want && test_cmp want got &&
	git rev-parse -q --verify refs/series/topic/v1.fix1 && test_status 1 "$SERIES" send --fixup=2 --yes 2>err && test_grep "the fix for patch 2 of v1 is on its way" err &&
	sink later4 && "$SERIES" send --unsure=resend && id "$T/later3/0001.eml" >want && id "$T/later4/0001.eml" >got && test_cmp want got &&
	log_json "[f[\"state\"] for f in v[0][\"fixups\"]]" >got && echo "[\"sent\"]" | tr \" "\047" >want && test_cmp want got &&
	am "$T/later4/0001.eml" posted >got && git rev-parse topic^{tree} >want && test_cmp want got
'

test_expect_success "while a version is half sent there is no fix for it" '
	make_series half 3 && sink half.out later_end=3 && test_status 1 "$SERIES" send --yes && git commit -q --allow-empty -m x &&
	test_status 1 "$SERIES" send --fixup=1 --yes -m x 2>err && test_grep "v1 is on its way (2 of 4 mails were accepted)" err &&
	"$SERIES" send --give-up && line 1 again && git commit -q -a --fixup=HEAD~3 -m "Again." && sink half2 &&
	"$SERIES" send --fixup=1 --yes && [ "$(mails half2)" = 1 ]
'

test_expect_success "a single patch: number 2 of 1" '
	make_base "$T/single" && line 10 ten && git commit -q -a -s -m "numbers: say ten" && git tag posted && "$SERIES" init --base main &&
	"$SERIES" recipients --add-to list@example.org && sink single.out && "$SERIES" send --yes && line 10 TEN &&
	git commit -q -a --amend --no-edit && "$SERIES" send --fixup=1 --yes -m "Loud." && m=$T/single.out/0002.eml &&
	echo "[PATCH 2/1] numbers: say ten fix" >want && header Subject "$m" >got && test_cmp want got &&
	id "$T/single.out/0001.eml" >want && header References "$m" >got && test_cmp want got && header In-Reply-To "$m" >got && test_cmp want got &&
	am "$m" posted >got && git rev-parse topic^{tree} >want && test_cmp want got && test_grep "^A fix for v1, to be folded into it:" "$m"
'

test_expect_success "v2, with a prefix; resent since; the fix answers the mail of v2" '
	cd single && git reset -q --hard posted && git commit -q --amend -m "numbers: say ten

v2" && sink s2 && "$SERIES" send --yes --prefix mm && "$SERIES" send --resend --yes && line 11 eleven &&
	git commit -q -a --amend --no-edit && "$SERIES" send --fixup=1 --yes -m "More." && m=$T/s2/0003.eml &&
	echo "[PATCH mm v2 2/1] numbers: say ten fix" >want && header Subject "$m" >got && test_cmp want got &&
	id "$T/s2/0001.eml" >want && header In-Reply-To "$m" >got && test_cmp want got &&
	log_json "len(v[0][\"postings\"]), len(v[0][\"fixups\"])" >got && echo "2 1" >want && test_cmp want got &&
	"$SERIES" send --resend --yes && log_json "len(v[0][\"postings\"]), len(v[0][\"fixups\"])" >got && echo "3 1" >want && test_cmp want got
'

test_expect_success "an RFC and its fix step aside together" '
	make_base "$T/rfc" && line 10 ten && git commit -q -a -s -m "numbers: say ten" && "$SERIES" init --base main &&
	"$SERIES" recipients --add-to list@example.org && sink rfc.out && "$SERIES" send --yes --rfc && line 10 TEN && git commit -q -a --amend --no-edit &&
	"$SERIES" send --fixup=1 --yes -m "Loud." && header Subject "$T/rfc.out/0002.eml" >got && echo "[RFC PATCH 2/1] numbers: say ten fix" >want &&
	test_cmp want got && git rev-parse refs/series/topic/v1.fix1 >want && "$SERIES" send --yes -v 1 &&
	git rev-parse refs/series/topic/rfc1.fix1 >got && test_cmp want got && test_status 1 git rev-parse -q --verify refs/series/topic/v1.fix1 &&
	git ls-tree -r --name-only refs/series/topic/state | grep -c "^sent/rfc1/fix-" >got && echo 1 >want && test_cmp want got
'

test_expect_success "two machines: each sends a fix, both are known after sync, and a third stands on both" '
	posted here && git init -q --bare "$T/hub.git" && git remote add hub "$T/hub.git" && git push -q hub main topic && "$SERIES" sync --yes hub &&
	git clone -q -o hub "$T/hub.git" "$T/there" && cd "$T/there" && "$SERIES" sync --yes hub && git switch -q topic && "$SERIES" sync hub &&
	use_server "$(git -C "$T/here" config sendemail.smtpserverport)" && line 10 "ten there" && git commit -q -a --fixup=HEAD~2 -m "There." &&
	"$SERIES" send --fixup=1 --yes && cd "$T/here" && line 50 "fifty here" && git commit -q -a --fixup=HEAD -m "Here." &&
	"$SERIES" send --fixup=3 --yes && "$SERIES" sync hub >out && test_nogrep "changed on both sides" out && cd "$T/there" && "$SERIES" sync hub >out && cd "$T/here" && "$SERIES" sync hub &&
	log_json "sorted(f[\"patch\"] for f in v[0][\"fixups\"])" >got && echo "[1, 3]" >want && test_cmp want got &&
	[ "$(git rev-parse refs/series/topic/state)" = "$(git -C "$T/there" rev-parse refs/series/topic/state)" ] &&
	git for-each-ref --format="%(objectname) %(refname)" refs/series/topic/v1.fix1 refs/series/topic/v1.fix2 >here && [ "$(wc -l <here)" = 2 ] &&
	git -C "$T/there" for-each-ref --format="%(objectname) %(refname)" refs/series/topic/v1.fix1 refs/series/topic/v1.fix2 >there && test_cmp here there &&
	git -C "$T/hub.git" for-each-ref --format="%(objectname) %(refname)" refs/series/topic/v1.fix1 refs/series/topic/v1.fix2 >hub && test_cmp here hub &&
	line 30 "thirty here" && git commit -q -a --fixup=HEAD~2 -m "On both." && "$SERIES" send --fixup=2 --yes && n=$(mails here.out) &&
	tree_of posted 10 "ten there" 50 "fifty here" 30 "thirty here" >want && git rev-parse refs/series/topic/v1.fix3^{tree} >got && test_cmp want got &&
	tree_of posted 30 "thirty here" >want && am "$T/here.out/000$n.eml" posted >got && test_cmp want got
'

test_expect_success "the editor: a template with the diff, and a text that is kept until it went out" '
	posted edited && line 30 alpha && git commit -q -a --fixup=posted~1 && cat >"$T/ed" <<-\EOF && chmod +x "$T/ed" &&
	#!/bin/sh
	cp "$1" "$T/template" && { echo "Written by hand."; cat "$T/template"; } >"$1"
	EOF
	cat >"$T/term.py" <<-\EOF &&
	import os, pty, sys
	data = sys.argv[1].encode() + b"\n"
	sent = [False]
	def read(fd):
	    out = os.read(fd, 4096)
	    if b"[y/N]" in out and not sent[0]:
	        sent[0] = True
	        os.write(fd, data)
	    return out
	sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read, lambda fd: b"")))
	EOF
	export T && GIT_EDITOR=$T/ed test_status 1 python3 "$T/term.py" n "$SERIES" send --fixup=2 >out && test_grep "nothing was sent" out &&
	test_grep "^# What was wrong with patch 2 of v1" "$T/template" && test_grep "^#   numbers: say thirty$" "$T/template" &&
	test_grep "^# +alpha$" "$T/template" && test_grep "the text is kept in" out && [ "$(mails edited.out)" = 4 ] &&
	GIT_EDITOR=true python3 "$T/term.py" y "$SERIES" send --fixup=2 >out && test_grep "taking up the text" out &&
	body "$T/edited.out/0005.eml" | head -n 1 >got && echo "Written by hand." >want && test_cmp want got && test ! -e .git/series/topic.fixup-2.txt
'

test_done
