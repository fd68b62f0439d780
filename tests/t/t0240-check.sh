#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series check: for each check a branch that trips it and one that does not, and remedies
# that do what they say.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/check.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

test_expect_success "a good branch: warnings of what is to come, exit 0; each check has one row" '
	make_series good 1 && message "$good" && "$SERIES" check >answer && test_grep "^0 errors, 1 warning;" answer &&
	test_grep "^warning: the patches were not built" answer && "$SERIES" check --list >list &&
	cut -d" " -f1 list | sort | uniq -d >twice && test ! -s twice && "$SERIES" check --json >json && python3 -c "
import json
d = json.load(open(\"json\"))
assert d[\"schema\"] == 1 and d[\"name\"] == \"topic\" and d[\"draft\"] == 1
assert [c[\"id\"] for c in d[\"checks\"]] == [l.split()[0] for l in open(\"list\")]
f, = d[\"findings\"]
assert (f[\"id\"], f[\"severity\"], f[\"remedy\"]) == (\"build-missing\", \"warning\", \"series build --each\"), f" &&
	git status --porcelain >st && test_nogrep numbers st
'

test_expect_success "--only and the settings: off, warn, error; what is none is refused" '
	cd good && test_status 129 "$SERIES" check --only nothing 2>err && test_grep "no check .nothing." err &&
	git config series.check.build-missing error && test_status 2 "$SERIES" check >answer 2>err &&
	test_grep "^error: the patches were not built" answer && test_grep "1 error would stop send" err &&
	git config series.check.build-missing off && "$SERIES" check >answer && test_grep "^0 errors, 0 warnings; .* 1 off" answer &&
	has build-missing 1 && test "$(field severity)" = warning &&
	git config series.check.build-missing loud && test_status 129 "$SERIES" check 2>err && test_grep "off, warn or error" err &&
	git config --unset series.check.build-missing && git config series.check.no-recipients off &&
	test_status 129 "$SERIES" check 2>err && test_grep "git config --unset series.check.no-recipients" err &&
	git config --unset series.check.no-recipients && lacks no-recipients && lacks message-cut
'

test_expect_success "sign-offs: of the author, of who sends, with the same address" '
	make_series sign 1 && lacks signed-off-author && lacks signed-off-sender && lacks author-address &&
	message "numbers: x" && has signed-off-author 1 && remedy && lacks signed-off-author && lacks signed-off-sender &&
	message "$good
Signed-off-by: Other One <other@example.org>" && lacks signed-off-author && has signed-off-sender 1 && remedy &&
	lacks signed-off-sender && git log -1 --format=%B | tail -n 2 | head -n 1 >last && echo "$sob" >wanted && test_cmp wanted last &&
	git commit -q --amend --author="Other One <other@example.org>" -m "numbers: x

$sob" && has signed-off-author 1 && lacks signed-off-sender &&
	git commit -q --amend --author="Wendy Writer <old@example.org>" --no-edit && has author-address 1 && lacks signed-off-author &&
	git config sendemail.from "Wendy at Work <work@example.org>" && has signed-off-sender 1 && remedy && lacks signed-off-sender &&
	git log -1 --format=%B | tail -n 2 | head -n 1 >last && echo "Signed-off-by: Wendy at Work <work@example.org>" >wanted && test_cmp wanted last
'

test_expect_success "Fixes: form, unknown, no ancestor, another subject" '
	make_series fixes 2 && id=$(git rev-parse main) && short=$(echo $id | cut -c1-12) &&
	message "numbers: x

Fixes: $short (\"base\")
$sob" && for c in fixes-form fixes-unknown fixes-ancestor fixes-subject; do lacks $c || return 1; done &&
	message "numbers: x

Fixes: $(echo $id | cut -c1-8) (\"base\")
Fixes: $short (base)
Fixes: $short
Fixes: the other day
$sob" && has fixes-form 4 && field remedy | grep "\"reword\" patch 2; Fixes: $short (\"base\")\$" && lacks fixes-subject &&
	message "numbers: x

Fixes: $short (\"bass\")
$sob" && has fixes-subject 1 && lacks fixes-form &&
	message "numbers: x

Fixes: 0123456789ab (\"base\")
$sob" && has fixes-unknown 1 && field remedy >cmd && sh cmd >line && echo "Fixes: $(git log -1 --abbrev=12 --format=%h main) (\"base\")" >wanted &&
	test_cmp wanted line && message "numbers: x

Fixes: $(git log -1 --abbrev=12 --format="%h (\"%s\")" HEAD~1)
$sob" && has fixes-ancestor 1 && lacks fixes-subject
'

# Names that git would take for the commit, and that nobody else can look up.
test_expect_success "Fixes: an annotated tag, a branch like a number, words that git and stable tools read otherwise" '
	cd fixes && git tag -a -m note note main && git branch deadbeefcafe main && id=$(git rev-parse --short=12 main) &&
	message "numbers: x

Fixes: $(git rev-parse note | cut -c1-12) (\"base\")
Fixes: deadbeefcafe (\"base\")
$sob" && has fixes-unknown 2 && message "numbers: x

Fixes: commit $id (\"base\")
Fixes:$id (\"base\")
fixes: $id (\"base\")
Fixes $id (\"base\")
$sob" && has fixes-form 4 && field remedy | grep "; Fixes: $id (\"base\")\$" && remedy "numbers: x

Fixes: $id (\"base\")
$sob" && message "numbers: x

This
fixes 100000 of them, as 123456789012 did, and
fixes: the rest.

Fixes: $(echo $id | tr a-f A-F) (\"base\")
Fixes: $id (\"base\") # v5.10
$sob" && has fixes-form 1 && field message | grep "the rest" && lacks fixes-unknown && lacks fixes-subject
'

test_expect_success "Reported-by with Closes, Co-developed-by with its Signed-off-by" '
	make_series people 1 && message "numbers: x

Reported-by: Rita <rita@example.org>
Closes: https://example.org/1
Reported-by: Rob <rob@example.org>
Link: https://example.org/2
Co-developed-by: Carl Co <carl@example.org>
Signed-off-by: Carl Co <carl@example.org>
$sob" && lacks reported-by && lacks co-developed-by && message "numbers: x

Reported-by: Rita <rita@example.org>
Reported-by: Rob <rob@example.org>
Closes: https://example.org/1
Co-developed-by: Carl Co <carl@example.org>
Reported-and-tested-by: Rosa <rosa@example.org>
$sob" && has reported-by 1 && has co-developed-by 1 && message "numbers: x

Reported-and-tested-by: Rosa <rosa@example.org>
Closes: https://example.org/1
$sob" && lacks reported-by
'

# Objects with the same first digits are found by trying.
test_expect_success "Fixes: a tree, a blob, digits that are not enough: it says what they are" '
	cd fixes && tree=$(git rev-parse main^{tree} | cut -c1-12) && blob=$(git rev-parse main:numbers | cut -c1-12) &&
	message "numbers: x

Fixes: $tree (\"base\")
Fixes: $blob (\"base\")
Fixes: $(git rev-parse note | cut -c1-12) (\"base\")
$sob" && has fixes-unknown 3 && python3 -c "
import json, sys
m = [f[\"message\"] for f in json.load(open(sys.argv[1]))[\"findings\"]]
assert m == [\"Fixes: %s is a %s here, no commit\" % k for k in zip(sys.argv[2:5], (\"tree\", \"blob\", \"tag\"))], m" "$T/json" $tree $blob $(git rev-parse note | cut -c1-12) &&
	seq 1 2000 | python3 -c "
import hashlib, sys
seen = {}
for n in sys.stdin.read().split():
    d = hashlib.sha1((\"blob %d\\0\" % len(n) + n).encode()).hexdigest()
    if d[:4] in seen:
        print(seen[d[:4]][0], n, d[:4], seen[d[:4]][1], d); break
    seen[d[:4]] = (n, d)" >pair && read -r a b four one two <pair && printf %s $a | git hash-object -w --stdin >got && printf %s $b | git hash-object -w --stdin >>got &&
	printf "%s\n" $one $two >wanted && test_cmp wanted got && message "numbers: x

Fixes: $four (\"base\")
$sob" && has fixes-unknown 1 && field message >got && test_grep "^Fixes: $four is not clear: 2 objects here begin so (blob " got && test_grep "12 digits are enough" got
'

# A mail carries them encoded and git am gives them back; nobody wants them in git log.
test_expect_success "control characters: the commit and the line are named, NUL is an error, the others come back" '
	make_series control 2 && lacks control-bytes && message "numbers: x

A$(printf "\033")[31mred word.
A tab	and
a bell$(printf "\001").

$sob" && has control-bytes 2 && field where | grep "^patch 2/2 .numbers: x.\$" && field message >got && echo "line 3 of the message has the control character 0x1b" >wanted &&
	test_cmp wanted got && "$SERIES" check --only message-lost,message-blanks,message-cut >out && "$SERIES" format -o m >out &&
	git log -1 --format=%B >wanted && git switch -q --detach main && git am -q m/000[12]* &&
	git log -1 --format=%B >got && git switch -q topic && test_cmp wanted got && remedy "$good" &&
	git commit -q --amend --no-edit --author="Wen$(printf "\002")dy <wendy@example.org>" && has control-bytes 1 && field message | grep "author.s name has the control character 0x02" &&
	git commit -q --amend --no-edit --author="Wendy Writer <wendy@example.org>" && lacks control-bytes && lacks message-nul &&
	nul=$(git cat-file commit HEAD | sed "s/Because/Be@cause/" | tr @ "\000" | git hash-object -t commit -w --stdin --literally) && git reset -q --hard $nul &&
	has message-nul 1 && field message | grep "^line 3 of the message has a NUL"
'

test_expect_success "a message of words in front of colons is none of trailers" '
	make_series colons 1 && message "numbers: x

Problem: lines are bad
Solution: better lines
$sob" && lacks message-body && message "numbers: x

Link: https://example.org/1
Fixes: $(git rev-parse main | cut -c1-12) (\"base\")
Reviewed-by: Jane Doe <jane@example.org>
$sob" && has message-body 1
'

test_expect_success "-s NAME from another branch: the rebase begins with git switch" '
	make_series away 1 && message "numbers: x" && git switch -q -c other main && has message-body 1 -s topic &&
	test "$(field remedy)" = "git switch topic && git rebase -i $(git rev-parse main | cut -c1-12)  # \"reword\" patch 1" &&
	has signed-off-author 1 -s topic && field remedy | grep "^git switch topic && git rebase --signoff" && git switch -q --detach main &&
	has message-body 1 -s topic && field remedy | grep "^git switch topic && git rebase -i" && git switch -q topic &&
	has message-body 1 && field remedy | grep "^git rebase -i"
'

# split: are there trailers of persons that git does not see?
split() {
	test "$(git log -1 --format=%B | grep -c "^[A-Z][a-z-]*-by: ")" != "$(git log -1 --format="%(trailers:only)" | grep -c -e "-by: ")"
}

test_expect_success "trailers in two paragraphs, of which git sees the last" '
	make_series apart 2 && message "numbers: x

Because.

Reviewed-by: Rita <rita@example.org>

$sob" && split && has trailers-split 1 && test "$(field severity)" = warning && field where | grep "patch 2/2" &&
	field message | grep "^.Reviewed-by: Rita <rita@example.org>. is not in the last paragraph" && remedy "numbers: x

Because.

Reviewed-by: Rita <rita@example.org>
$sob" && ! split && message "numbers: x

Cc: Carl <carl@example.org>
acked-by: Alma of a long
  name <alma@example.org>

Link: https://example.org/1

Because." && has trailers-split 1 && message "numbers: x

Signed-off-by: Rita <rita@example.org>

Because.

$sob" && split && has trailers-split 1 && for text in "Link: https://example.org/1" "As the commit says:

    Reviewed-by: Rita <rita@example.org>" "Found out by: looking" "This was
Suggested-by: Rita, in a way"; do message "numbers: x

$text

$sob" && lacks trailers-split || return 1; done && message "numbers: x

$sob" && lacks trailers-split && message "numbers: x" && lacks trailers-split
'

test_expect_success "subjects and bodies" '
	make_series words 1 && for c in subject-long subject-prefix subject-dot; do lacks $c || return 1; done &&
	has message-body 1 && message "$good" && lacks message-body && message "numbers: $(printf "%066d" 0)" && lacks subject-long &&
	message "numbers: $(printf "%067d" 0)" && has subject-long 1 &&
	test "$(field remedy)" = "git rebase -i $(git rev-parse main | cut -c1-12)  # \"reword\" patch 1" && remedy "$good" && message "change it." && has subject-prefix 1 && has subject-dot 1 &&
	message "numbers: wait..." && lacks subject-dot && message "numbers: lines, words, etc." && lacks subject-dot
'

test_expect_success "a remedy for several findings in a row stands below the last of them" '
	make_series row 2 && message "change it all." && "$SERIES" check --only subject-prefix,subject-dot,message-body >answer &&
	base=$(git rev-parse main | cut -c1-12) && cat >wanted <<-EOF && test_cmp wanted answer
	warning: patch 2/2 ${q}change it all.$q: the subject does not begin with a subsystem ("mm: ...")
	warning: patch 2/2 ${q}change it all.$q: the subject ends with a full stop
	    git rebase -i $base  # "reword" patch 2
	warning: patch 1/2 ${q}numbers: change line 1$q: below its title the message says nothing: why is this wanted?
	    git rebase -i $base  # "reword" patch 1
	warning: patch 2/2 ${q}change it all.$q: below its title the message says nothing: why is this wanted?
	    git rebase -i $base  # "reword" patch 2
	0 errors, 4 warnings; 0 checks passed, $(($("$SERIES" check --list | wc -l) - 3)) off
	EOF
'

test_expect_success "commits for autosquash, and patches that are one" '
	make_series left 2 && lacks fixup-left && lacks duplicate-patch && echo x >>numbers && git commit -q -a -s --fixup HEAD~1 &&
	has fixup-left 1 && remedy && lacks fixup-left && test "$(git rev-list --count main..)" = 2 && git reset -q --hard HEAD~1 &&
	git revert --no-edit HEAD >/dev/null && git cherry-pick HEAD~1 >/dev/null && has duplicate-patch 1 && field where | grep "patch 3/3" && remedy
'

test_expect_success "conflict markers, and white space without a checkpatch" '
	make_series marks 1 && lacks conflict-marker && lacks whitespace && printf "a \n<<<<<<< HEAD\nb\n=======\n>>>>>>> x\n" >f && git add f &&
	git commit -q -s -m "numbers: f" && has conflict-marker 3 && test "$(field where)" = "patch 2/2, f:2" && has whitespace 1 &&
	test "$(field where)" = "patch 2/2, f:1" && git config log.showSignature true && has whitespace 1
'

test_expect_success "a line of seven equal signs below a heading is no conflict marker" '
	make_series heading 1 && mkdir "a: b" && printf "Locking\n=======\n\nTake it.\n" >"a: b/x:1.rst" && git add . &&
	git commit -q -s -m "numbers: a text" && lacks conflict-marker && printf "<<<<<<< x\na\n" | cat - "a: b/x:1.rst" >new &&
	mv new "a: b/x:1.rst" && git commit -q -a -s -m "numbers: half a conflict" && has conflict-marker 1 &&
	test "$(field where)" = "patch 3/3, a: b/x:1.rst:1" && git reset -q --soft HEAD~2 && git commit -q -s -m "numbers: both" && has conflict-marker 2
'

test_expect_success "the base is one that others can have" '
	make_series base 1 && lacks base-unreachable && git checkout -q main && git commit -q --amend --allow-empty -m other &&
	git checkout -q topic && has base-unreachable 1 && git tag there HEAD~1 && lacks base-unreachable && git tag -d there &&
	git update-ref refs/remotes/origin/x HEAD~1 && lacks base-unreachable
'

test_expect_success "the cover letter: 78 columns, but for tables, links and quoted text" '
	make_series wide 2 && make_cover "numbers: words" "$(printf "%078d" 0)
| $(printf "%080d" 0) | 1 |
see https://example.org/$(printf "%080d" 0)
> $(printf "%080d" 0)
case  $(printf "%040d" 0)  $(printf "%040d" 0)" && lacks cover-width && make_cover "numbers: words" "$(printf "%079d" 0)" &&
	has cover-width 1 && test "$(field where)" = cover.txt:3 && remedy "numbers: words

$(printf "%078d" 0)"
'

test_expect_success "people of trailers and authors get a copy, unless they were dropped" '
	make_series rcpt 1 && lacks recipient-missing && message "numbers: x

Reviewed-by: \"Doe, Jane\" <jane@example.org>
$sob" && has recipient-missing 1 && remedy && lacks recipient-missing && "$SERIES" recipients --drop jane@example.org &&
	lacks recipient-missing && git commit -q --amend --no-edit --author="Al <al@example.org>" && has recipient-missing 1
'

test_expect_success "a shallow clone: what it does not have is no wrong Fixes:" '
	make_series whole 1 && message "numbers: x

Fixes: $(git log -1 --abbrev=12 --format="%h (\"%s\")" main)
$sob" && git checkout -q main && git commit -q --allow-empty -m two &&
	git commit -q --allow-empty -m three && git checkout -q topic && git rebase -q main && cd .. &&
	git clone -q --depth 2 --no-single-branch "file://$PWD/whole" shallow && cd shallow && git checkout -q topic &&
	"$SERIES" init --base origin/main && has fixes-unknown 1 && test "$(field remedy)" = "git fetch --unshallow" && remedy && lacks fixes-unknown &&
	lacks fixes-ancestor
'

# post N: send the draft to nowhere.
post() {
	printf "#!/bin/sh\ncat >/dev/null\n" >"$T/sendmail" && chmod +x "$T/sendmail" &&
	git config sendemail.smtpserver "$T/sendmail" && "$SERIES" send --yes
}

test_expect_success "against the last version: recipients, prefix, days, changelog" '
	make_series again 2 && message "$good" && "$SERIES" recipients --add-cc cc@example.org && post && echo x >>numbers && git commit -q -a --amend --no-edit &&
	lacks recipients-shrunk && lacks prefix-changed && has too-soon 1 && sent=$("$SERIES" log --json | python3 -c "import json, sys; print(json.load(sys.stdin)[\"versions\"][0][\"postings\"][0][\"date\"])") &&
	field remedy >got && test_grep "^wait until $(date -u -d "$sent + 1 day" +%FT%TZ); " got && test_grep "git config series.check.days 0.*git config series.check.too-soon off" got && git config series.check.days 3 && has too-soon 1 &&
	field remedy >got && test_grep "^wait until $(date -u -d "$sent + 3 days" +%FT%TZ); " got && rm got && git config series.check.too-soon off && "$SERIES" check >out && test_nogrep "went out" out && rm out && git config --unset series.check.too-soon &&
	git config series.check.days 0 && lacks too-soon && git config series.check.days 1 && SERIES_TEST_NOW=$(($(date +%s) + 86460)) && export SERIES_TEST_NOW && lacks too-soon && unset SERIES_TEST_NOW &&
	git config sendemail.cc extra@example.org && lacks recipients-shrunk && "$SERIES" cover --prefix mm && has prefix-changed 1 && remedy && lacks prefix-changed &&
	has changelog-missing 1 && test "$(field message)" = "v2 does not say what changed: its changes/v2.txt is empty" && remedy "- one more line"
'

# said NAME EMAIL: one remark and one tag of them about v1, by hand.
said() {
	put_state review/remarks/0123456789abcdef.json "{\"schema\": 1, \"version\": 1, \"label\": \"v1\", \"patch\": 1, \"name\": \"$1\", \"email\": \"$2\", \"text\": \"Why?\", \"done_in\": ${3:-0}}" &&
	put_state review/tags/fedcba9876543210.json "{\"schema\": 1, \"kind\": \"${4:-collected}\", \"type\": \"Acked-by\", \"line\": \"Acked-by: Tom <tom@example.org>\", \"version\": 1, \"label\": \"v1\", \"patch\": 1, \"name\": \"Tom\", \"email\": \"tom@example.org\", \"doubtful\": ${5:-false}}"
}
test_expect_success "what reviewers said is answered, and they get the next version" '
	cd again && lacks remarks-open && lacks commenter-missing && said "Rita Reader" rita@example.org && has remarks-open 1 && has commenter-missing 2 &&
	test_grep "rita@example.org commented on v1" "$T/json" && said Tom tom@example.org 2 && has commenter-missing 1 && remedy && "$SERIES" recipients --why >got && test_grep "^Cc: Tom <tom@example.org>" got && test_grep "^	commented on v1\$" got && test "$(grep -c commented got)" = 1 && rm got &&
	"$SERIES" recipients --drop tom@example.org && lacks commenter-missing && said "Rita Reader" rita@example.org && has commenter-missing 1 &&
	test_grep "rita@example.org commented" "$T/json" && remedy && "$SERIES" recipients --drop rita@example.org && "$SERIES" recipients --add-cc rita@example.org && said "Rita Reader" rita@example.org 2 shown && lacks commenter-missing && lacks remarks-open &&
	said "Rita Reader" rita@example.org 0 collected true && lacks commenter-missing && has remarks-open && said Wendy wendy@example.org 2 nak && lacks commenter-missing
'

# acked PATCH MORE: an Acked-by of Tom for that patch of v1
acked() {
	put_state review/tags/fedcba9876543210.json "{\"schema\": 1, \"kind\": \"collected\", \"type\": \"Acked-by\", \"line\": \"Acked-by: Tom <tom@example.org>\", \"version\": 1, \"label\": \"v1\", \"patch\": $1, \"name\": \"Tom\", \"email\": \"tom@example.org\"$2}"
}
test_expect_success "log: who tagged a version, and which patches" '
	cd again && state=$(git rev-parse refs/series/topic/state) && acked 2 "" && "$SERIES" log >out && test_grep "^  Acked-by: Tom (2)\$" out &&
	"$SERIES" log --json | python3 -c "import json, sys; print([(t[\"type\"], t[\"email\"], t[\"patch\"]) for t in json.load(sys.stdin)[\"versions\"][0][\"tags\"]])" >out && test_grep "^.(.Acked-by., .tom@example.org., 2)\]\$" out &&
	acked 2 ", \"retracted\": true" && "$SERIES" log >out && test_nogrep Tom out && rm out && git update-ref refs/series/topic/state "$state"
'

test_expect_success "tags in the commits are those that hold" '
	cd again && git branch -f untagged && lacks tag-stale && acked 1 "" && has tag-missing 1 && remedy && lacks tag-missing && lacks tag-stale &&
	acked 1 ", \"retracted\": true" && has tag-stale 1 && test_grep "does not hold: taken back" "$T/json" && git branch -f acked && remedy && lacks tag-stale && git reset -q --hard acked && acked 1 ", \"decision\": \"drop\", \"reason\": \"his words\"" && has tag-stale 1 && test_grep "dropped: his words" "$T/json" &&
	git reset -q --hard untagged && acked 2 "" && lacks tag-missing && git commit -q --amend --no-edit --trailer "Acked-by: Tom <tom@example.org>" && has tag-stale 1 &&
	test_grep "may not hold: 1 line changed since v1" "$T/json" && "$SERIES" tags --keep fedcba98 && lacks tag-stale && git reset -q --hard untagged &&
	said Wendy wendy@example.org 2 nak && has nak-open 1 && "$SERIES" tags --drop fedcba98 --reason "settled" && lacks nak-open &&
	acked 0 "" && state=$(git show refs/series/topic/state:review/tags/fedcba9876543210.json | sed "s/collected/nak/") && put_state review/tags/fedcba9876543210.json "$state" && has nak-open 1 &&
	"$SERIES" tags --drop fedcba98 --reason "settled" && lacks nak-open
'

test_expect_success "the changelog tells of no patch that range-diff finds unchanged" '
	cd again && put_state changes/v2.txt "- one more line (thanks Jane)
- patch 2: write x" && lacks changelog-missing && lacks changelog-denied &&
	put_state changes/v2.txt "patch 1: numbers: change line 1
- rewritten

patch 2: numbers: change line 2
- write x" && has changelog-denied 1 && field message | grep "of patch 1, which is as it was in v1" &&
	remedy "patch 2: numbers: change line 2
- write x" && put_state changes/v2.txt "- patch 1: rewritten" && has changelog-denied 1 && put_state changes/v2.txt "- patch 1: no changes" && lacks changelog-denied
'

test_expect_success "who got the last version and would not get this" '
	make_series shrunk 1 && git config sendemail.cc gone@example.org && post && lacks recipients-shrunk && git config --unset sendemail.cc &&
	has recipients-shrunk 1 && test "$(field remedy)" = "series recipients --add-cc gone@example.org" && remedy && lacks recipients-shrunk
'

test_expect_success "builds: missing for a configured architecture, failed, with warnings" '
	make_series built 2 && git config series.arch.riscv64.config tinyconfig && has build-missing 1 && test "$(field remedy)" = "series build --arch riscv64 --each" &&
	i=0 && for c in HEAD~1 HEAD; do i=$((i + 1)) && put_state build/$i.json "{\"schema\": 1, \"arch\": \"riscv64\", \"outcome\": \"pass\", \"tree\": \"$(git rev-parse "$c^{tree}")\"}" || return 1; done &&
	lacks build-missing && lacks build-fails && lacks build-warns && lacks build-unreadable &&
	put_state build/2.json "{\"schema\": 1, \"arch\": \"riscv64\", \"outcome\": \"fail\", \"tree\": \"$(git rev-parse "HEAD^{tree}")\"}" && has build-fails 1 &&
	put_state build/1.json "{\"schema\": 1, \"arch\": \"riscv64\", \"outcome\": \"warn\", \"tree\": \"$(git rev-parse "HEAD~1^{tree}")\"}" && has build-warns 1 &&
	field where | grep "patch 1/2" && put_state build/1.json nonsense && has build-unreadable 1
'

test_expect_success "what making the mails finds is there once, with its id and setting" '
	make_series cut 2 && lacks message-cut && message "numbers: x

--- a
$sob" && has message-cut 1 && remedy "$good" && message "numbers: x

--- a
$sob" && has message-cut 1 && "$SERIES" check >answer 2>err; test "$(grep -c "git am" answer)" = 1 && test_grep "^error: patch 2/2" answer &&
	git config series.check.message-cut warn && has message-cut 1 && test "$(field severity)" = warning && lacks cover-missing &&
	make_base nocover && seq 3 >a && git add a && git commit -q -s -m "a: a" && seq 4 >a && git commit -q -a -s -m "a: b" && "$SERIES" init --base main &&
	has no-recipients 1 && has cover-missing 1 && remedy "a: words

Text."
'

test_expect_success "am-proof: renames, modes, binaries, a file for a folder; nothing of the user is touched" '
	make_series proof 1 && mkdir dir && seq 9 >dir/a && printf "\000\001" >bin && git add . && git commit -q -s -m "numbers: dir" &&
	git rm -q -r dir && seq 8 >dir && git mv numbers renamed && git add dir && git commit -q -s -m "numbers: file for a folder" &&
	chmod +x dir && printf "\002\000" >bin && ln -s dir link && git add . && git commit -q -s -m "numbers: modes" && printf "a\r\n" >cr && git add cr &&
	git commit -q -s -m "numbers: cr" && echo dirt >>dir && git update-index --refresh >/dev/null; cp .git/index index.before &&
	git count-objects -v >before && lacks am-proof && git count-objects -v >after && test_cmp before after && cmp .git/index index.before &&
	echo "*.c whitespace=-all" >.git/info/attributes && git config apply.whitespace fix && printf "b \n" >ws.c && git add ws.c && git commit -q -s -m "numbers: ws" && lacks am-proof &&
	git config apply.whitespace error && lacks am-proof && lacks patch-unreadable
'

# A git whose format-patch loses an added line of the last patch, which no look at the text shows.
test_expect_success "am-proof: mails that give another tree, and mails that do not apply" '
	make_series lossy 2 && mkdir bin && real=$(command -v git) && cat >bin/git <<-EOF &&
	#!/bin/sh
	dir= prev=
	for a; do [ "\$prev" = -o ] && dir=\$a; prev=\$a; done
	"$real" "\$@"
	rc=\$?
	case " \$* " in *" format-patch "*) [ "\$dir" ] && sed -i "\$(cat "$T/lossy/edit")" "\$dir"/0002* ;; esac
	exit \$rc
	EOF
	chmod +x bin/git && echo "s/^+line 2/+line two/" >edit && PATH=$PWD/bin:$PATH && has am-proof 1 && field message | grep "another tree" &&
	test "$(field remedy)" = "series format -o DIR && rm -f DIR/*0000-* && git switch --detach $(git rev-parse main | cut -c1-12) && git am DIR/*" &&
	echo "s/^ line 1/ line one/" >edit && has am-proof 1 && field message | grep "does not apply\|patch failed" && field where | grep "patch 2/2" &&
	PATH=${PATH#*:} && lacks am-proof
'

test_expect_success "checkpatch of the base: parsed, cached, never that of the branch" '
	make_series cp 1 && git checkout -q main && mkdir scripts && cat >scripts/checkpatch.pl <<-\EOF &&
	my $text = join("", <STDIN>);
	open(my $log, ">>", "$ENV{CP_LOG}"); print $log "asked\n";
	print "n.c:3: ERROR:BAD: too bad\nn.c:4: CHECK:MINOR: never mind\n:7: WARNING:WORDS: of the message\n" if $text =~ /^\+line 2/m;
	exit($text =~ /line 2/ ? 1 : 0);
	EOF
	git add scripts && git commit -q -m base2 && git checkout -q topic && git rebase -q main && sed "2s/.*/line 2/" numbers >new && mv new numbers &&
	echo "print qq{evil\n}" >scripts/checkpatch.pl && git commit -q -a -s -m "numbers: line 2" && export CP_LOG="$T/cp.log" && has checkpatch 2 &&
	test "$(field where)" = "patch 2/2, n.c:3" && test "$(field message)" = "checkpatch: ERROR:BAD: too bad" && test "$(field severity)" = warning &&
	test "$(wc -l <"$T/cp.log")" = 2 && has checkpatch 2 && test "$(wc -l <"$T/cp.log")" = 2 && git commit -q --amend -m "numbers: other" -s &&
	has checkpatch 2 && test "$(wc -l <"$T/cp.log")" = 3 && lacks whitespace && git config series.check.checkpatch error && has checkpatch 2 &&
	git reset -q --hard HEAD~1 && lacks checkpatch
'

test_expect_success "checkpatch: what a check of ours says is left out, what none says is not" '
	make_series said 1 && git checkout -q main && mkdir scripts && cat >scripts/checkpatch.pl <<-\EOF &&
	my $text = join("", <STDIN>);
	print ":9: WARNING:BAD_SIGN_OFF: Co-developed-by: must be immediately followed by Signed-off-by:\n";
	print ":9: WARNING:BAD_SIGN_OFF: Co-developed-by: should not be used to attribute nominal patch author 'W'\n";
	exit(1);
	EOF
	git add scripts && git commit -q -m base2 && git checkout -q topic && git rebase -q main && message "numbers: x

Co-developed-by: Wendy Writer <wendy@example.org>
$sob" && has checkpatch 1 && field message | grep "nominal patch author"
'

# checkpatch TEXT: the base has a script of this text, and the branch one patch.
checkpatch() {
	git checkout -q main && mkdir -p scripts && printf "%s\n" "$1" >scripts/checkpatch.pl && git add scripts &&
	git commit -q --allow-empty -m script && git checkout -q topic && git rebase -q main
}

test_expect_success "checkpatch: of each type the first five, and how many more" '
	make_series many 1 && checkpatch "print qq{f.c:\$_: WARNING:LONG_LINE: long\n}, qq{f.c:\$_: ERROR:SPACING: blank\n} for 1..7; print qq{f.c:8: WARNING:OTHER: x: y\n}; exit 1;" &&
	has checkpatch 13 && "$SERIES" check --only checkpatch >answer && test "$(grep -c "LONG_LINE: long" answer)" = 5 && cat >wanted <<-EOF &&
	warning: patch 1/1 ${q}numbers: change line 1$q: checkpatch: WARNING:LONG_LINE: 2 more of these
	warning: patch 1/1 ${q}numbers: change line 1$q: checkpatch: ERROR:SPACING: 2 more of these
	    scripts/checkpatch.pl -g $(git rev-parse HEAD | cut -c1-12)
	EOF
	grep -A1 "more of these" answer >got && test_cmp wanted got
'

test_expect_success "checkpatch that does not run is a warning, and the other checks are there" '
	make_series broken 1 && checkpatch "die qq{no such module\n};" && message "change it

$sob" && "$SERIES" check >answer && test_grep "does not begin with a subsystem" answer &&
	test_grep "^warning: the base.s checkpatch does not run: perl ended with status .*: no such module" answer && has checkpatch 1 && field remedy | sh &&
	"$SERIES" check >answer && test_nogrep "does not run" answer && git config --unset series.check.checkpatch && checkpatch "kill 9, \$\$;" && has checkpatch 1
'

test_expect_success "send runs the checks: errors stop it, warnings do not with --yes, --no-verify leaves them out" '
	make_series sends 1 && message "numbers: x" && test_status 1 "$SERIES" send --yes >out 2>err && test_grep "no Signed-off-by: Wendy" out &&
	test_grep "1 error" err && "$SERIES" send --dry-run --no-verify >out && test_nogrep "Signed-off-by" out && message "$good" && post >out &&
	test_grep "^warning: the patches were not built" out && test_grep "^v1 sent: 1 mail" out &&
	"$SERIES" send --resend --dry-run >out && test_nogrep "were not built" out
'

test_expect_success "a posting that has not ended" '
	make_series stuck 2 && lacks mail-partial && lacks mail-unsure &&
	git config sendemail.smtpserver "$T/stuck.sh" && printf "#!/bin/sh\ncat >/dev/null\n[ -e %s/second ] && exit 69\n: >%s/second\n" "$T" "$T" >"$T/stuck.sh" &&
	chmod +x "$T/stuck.sh" && test_status 1 "$SERIES" send --yes && has mail-partial 1 && test "$(field remedy)" = "series send --resume" &&
	rm "$T/second" && sed -i "s/exit 69/exit 0/" "$T/stuck.sh" && remedy && lacks mail-partial
'

# Whatever the sources of lib/desk find has a row, or no setting holds for it.
test_expect_success "every id of a finding about a posting is in the table" '
	cd good && "$SERIES" check --list | cut -d" " -f1 | sort >listed && python3 - "$SRCDIR" <<-\EOF >used && comm -13 listed used >lost && test ! -s lost
	import glob, re, sys
	ids = set()
	for f in glob.glob(sys.argv[1] + "/lib/desk/*.c"):
	    if "/status" in f or "/sync" in f:
	        continue
	    for m in re.finditer(r"\b(?:findings_add|error_finding|found|complain|check_add)\(([^;]{0,300})", open(f).read()):
	        first = re.findall(r"\"([^\"]*)\"", m.group(1))[:1]
	        ids.update(i for i in first if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", i))
	assert "message-cut" in ids and "am-proof" in ids and "cover-missing" in ids
	print("\n".join(sorted(ids)))
	EOF
'

test_expect_success "each check was tripped, and each missed; remedies that are commands were run" '
	cd good && check_proof t0241-check-mails.sh "
recipient-lost t0241-check-mails.sh who got v1
build-missing - builds
build-fails - builds
build-warns - builds
build-unreadable - builds
base-unreachable - suggests
resend-fixes t0314-send-fixup.sh without the 3 fixes posted for it
fixup-queue t0314-send-fixup.sh and the fix does not apply there
fixup-unqueued t0314-send-fixup.sh no branch here has patch 2 of v1
patch-missing t0446-check-posted.sh patch-missing
fixup-fold t0314-send-fixup.sh it applies on top of the posted patches, and not on patch 1
fixup-others t0314-send-fixup.sh what changed in patch 3 is not in it
"
'

test_done
