#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a posting says and which posting it is: versions, RFC, RESEND, prefixes, threads,
# and mails that only the sender looks at. The cover letters are written out by hand.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# header NAME FILE: the value of a header line, unfolded.
header() {
	sed '/^$/q' "$2" | sed -e ':a' -e 'N;$!ba' -e 's/\n[ \t]/ /g' | sed -n "s/^$1: *//p"
}

# subjects DIR: of all mails of a sink, in order.
subjects() {
	for f in "$T/$1"/*.eml; do header Subject "$f"; done
}

# body FILE: behind the header.
body() {
	sed '1,/^$/d' "$1"
}

# id FILE and parent FILE: Message-IDs.
id() {
	header Message-ID "$1"
}
parent() {
	header In-Reply-To "$1"
}

# field NAME: of series.json.
field() {
	git show refs/series/topic/state:series.json | sed -n "s/.*\"$1\": \"\(.*\)\".*/\1/p"
}

# log_json EXPRESSION: a python expression over the answer of "series log --json".
log_json() {
	"$SERIES" log --json -s topic | python3 -c 'import json,sys
v = json.load(sys.stdin)["versions"]
print('"$1"')'
}

# changes N TEXT: what the changelog of version N will say.
changes() {
	blob=$(printf '%s\n' "$2" | git hash-object -w --stdin) &&
	GIT_INDEX_FILE=$T/index git read-tree refs/series/topic/state &&
	GIT_INDEX_FILE=$T/index git update-index --add --cacheinfo "100644,$blob,changes/v$1.txt" &&
	tree=$(GIT_INDEX_FILE=$T/index git write-tree) &&
	git update-ref refs/series/topic/state \
		"$(git commit-tree -p refs/series/topic/state -m changes "$tree")"
}

git config --global format.signature "2.39"

test_expect_success "v1: the whole cover letter, and the patches reply to it" '
	make_base "$T/life" && for i in 1 2 3; do
		sed "${i}0s/.*/line ${i}0/;${i}1s/.*/line ${i}1/" numbers >new && mv new numbers &&
		git commit -q -a -s -m "numbers: change line $i" || return 1
	done && "$SERIES" init --base main && make_cover "numbers: words" "Better lines." &&
	"$SERIES" recipients --add-to list@example.org && sink v1 && "$SERIES" send --yes &&
	printf "%s\n" "[PATCH 0/3] numbers: words" "[PATCH 1/3] numbers: change line 1" \
		"[PATCH 2/3] numbers: change line 2" "[PATCH 3/3] numbers: change line 3" >want &&
	subjects v1 >got && test_cmp want got && body "$T/v1/0001.eml" >got && cat >want <<-EOF2 &&
	Better lines.

	---
	Applies on main ($(git rev-parse main | cut -c1-12))

	Wendy Writer (3):
	  numbers: change line 1
	  numbers: change line 2
	  numbers: change line 3

	 numbers | 12 ++++++------
	 1 file changed, 6 insertions(+), 6 deletions(-)

	base-commit: $(git rev-parse main)
	change-id: $(field change_id)
	-- 
	2.39

	EOF2
	test_cmp want got && test_nogrep "^In-Reply-To" "$T/v1/0001.eml" || return 1
	for k in 2 3 4; do
		[ "$(parent "$T/v1/000$k.eml")" = "$(id "$T/v1/0001.eml")" ] &&
		[ "$(header References "$T/v1/000$k.eml")" = "$(id "$T/v1/0001.eml")" ] || return 1
	done
'

# 3 comes before 2, 2 becomes two, 1 is dropped.
test_expect_success "v2 after a rebase -i that reorders, splits and drops" '
	cd life && git tag v1-head && sink v2 && cat >"$T/todo" <<-EOF2 &&
	pick $(git rev-parse topic)
	edit $(git rev-parse topic~1)
	EOF2
	GIT_SEQUENCE_EDITOR="cp $T/todo" git rebase -q -i main && git reset -q HEAD^ && cp numbers "$T/both" &&
	git checkout -q numbers && sed "20s/.*/line 20/" numbers >new && mv new numbers &&
	git commit -q -a -s -m "numbers: change line 2, first half" && cp "$T/both" numbers &&
	git commit -q -a -s -m "numbers: change line 2, second half" && git rebase --continue &&
	[ "$(git rev-list --count main..topic)" = 3 ] &&
	changes 2 "- line 1 stays as it was
- patch 2 was split" && "$SERIES" send --yes && cat >want <<-\EOF2 &&
	[PATCH v2 0/3] numbers: words
	[PATCH v2 1/3] numbers: change line 3
	[PATCH v2 2/3] numbers: change line 2, first half
	[PATCH v2 3/3] numbers: change line 2, second half
	EOF2
	subjects v2 >got && test_cmp want got && body "$T/v2/0001.eml" >got && cat >want <<-EOF2 &&
	Better lines.

	---
	Applies on main ($(git rev-parse main | cut -c1-12))

	Changes in v2:
	- line 1 stays as it was
	- patch 2 was split
	- Link to v1: https://lore.kernel.org/r/$(id "$T/v1/0001.eml" | tr -d "<>")

	Wendy Writer (3):
	  numbers: change line 3
	  numbers: change line 2, first half
	  numbers: change line 2, second half

	 numbers | 8 ++++----
	 1 file changed, 4 insertions(+), 4 deletions(-)

	base-commit: $(git rev-parse main)
	change-id: $(field change_id)
	-- 
	2.39

	EOF2
	test_cmp want got && test_nogrep "^In-Reply-To" "$T/v2/0001.eml"
'

test_expect_success "-v goes on, and never back" '
	cd life && git commit -q --amend -m "numbers: change line 2, the rest" &&
	test_status 1 "$SERIES" send --yes -v 2 2>err && test_grep "v2 was posted already" err &&
	"$SERIES" send --dry-run -v 5 >out && test_grep "^Subject: \[PATCH v5 0/3\]" out &&
	sink v4 && "$SERIES" send --yes -v 4 && header Subject "$T/v4/0001.eml" >got &&
	echo "[PATCH v4 0/3] numbers: words" >want && test_cmp want got &&
	test_status 129 "$SERIES" send --yes -v 3 2>err && test_grep "v3 would come before v4" err
'

test_expect_success "links: one line a version, newest first; changelogs of all, as arrows" '
	cd life && git commit -q --amend -m "numbers: change line 2, what is left" && changes 5 "- a title" &&
	git config series.changelog arrow && sink v5 && "$SERIES" send --yes &&
	body "$T/v5/0001.eml" | sed -n "/^v4->v5/,/^v1:/p" >got && cat >want <<-EOF2 &&
	v4->v5:
	 - a title

	v1->v2:
	 - line 1 stays as it was
	 - patch 2 was split

	v4: https://lore.kernel.org/r/$(id "$T/v4/0001.eml" | tr -d "<>")
	v2: https://lore.kernel.org/r/$(id "$T/v2/0001.eml" | tr -d "<>")
	v1: https://lore.kernel.org/r/$(id "$T/v1/0001.eml" | tr -d "<>")
	EOF2
	test_cmp want got
'

test_expect_success "RESEND: same text and patches, new ids, own thread, another posting" '
	cd life && "$SERIES" cover --file - <<-\EOF2 &&
	another title

	Another text.
	EOF2
	git commit -q --amend -m "numbers: something else" && git config series.changelog changes &&
	git config format.signature other && sink again && "$SERIES" send --yes --resend >out &&
	test_grep "^v5 sent again: 4 mails" out && cat >want <<-\EOF2 &&
	[RESEND PATCH v5 0/3] numbers: words
	[RESEND PATCH v5 1/3] numbers: change line 3
	[RESEND PATCH v5 2/3] numbers: change line 2, first half
	[RESEND PATCH v5 3/3] numbers: change line 2, what is left
	EOF2
	subjects again >got && test_cmp want got || return 1
	for k in 1 2 3 4; do
		body "$T/v5/000$k.eml" >want && body "$T/again/000$k.eml" >got && test_cmp want got &&
		[ "$(id "$T/v5/000$k.eml")" != "$(id "$T/again/000$k.eml")" ] || return 1
	done
	test_nogrep "^In-Reply-To" "$T/again/0001.eml" &&
	[ "$(parent "$T/again/0003.eml")" = "$(id "$T/again/0001.eml")" ]
'

test_expect_success "the state knows both postings, their ids and their mails" '
	cd life && log_json "[(p[\"state\"], p[\"resend\"], p[\"prefix\"]) for p in v[0][\"postings\"]]" >got &&
	echo "[('\''sent'\'', False, '\''PATCH v5'\''), ('\''sent'\'', True, '\''RESEND PATCH v5'\'')]" >want &&
	test_cmp want got && for p in 0 1; do
		[ $p = 0 ] && dir=v5 || dir=again
		log_json "\"\\n\".join(\"<%s>\" % i for i in [v[0][\"postings\"][$p][\"message_id\"]] + v[0][\"postings\"][$p][\"patch_message_ids\"])" >got &&
		ids "$T/$dir"/*.eml >want && test_cmp want got || return 1
	done && git show refs/series/topic/state:sent/v5/0002.eml >got && test_cmp "$T/v5/0003.eml" got &&
	git show refs/series/topic/state:sent/v5/resend-$(id "$T/again/0001.eml" | sed "s/^<\([^-]*\)-.*/\1/")/0002.eml >got && test_cmp "$T/again/0003.eml" got &&
	[ "$(git rev-parse refs/series/topic/v5)" != "$(git rev-parse topic)" ] &&
	git log -2 --format=%s refs/series/topic/state >got &&
	printf "send v5 again\nsending v5 again\n" >want && test_cmp want got
'

test_expect_success "an older version, by name, while the branch is gone" '
	cd life && git checkout -q --detach && git branch -q -D topic && sink older &&
	"$SERIES" send -s topic --yes --resend=v1 && subjects older >got && cat >want <<-\EOF2 &&
	[RESEND PATCH 0/3] numbers: words
	[RESEND PATCH 1/3] numbers: change line 1
	[RESEND PATCH 2/3] numbers: change line 2
	[RESEND PATCH 3/3] numbers: change line 3
	EOF2
	test_cmp want got && for k in 1 2 3 4; do
		body "$T/v1/000$k.eml" >want && body "$T/older/000$k.eml" >got && test_cmp want got || return 1
	done && git checkout -q -b am main && git am -q "$T"/older/000[234].eml &&
	[ "$(git rev-parse am^{tree})" = "$(git rev-parse v1-head^{tree})" ] &&
	test_status 1 "$SERIES" send -s topic --yes --resend=v3 2>err && test_grep "no such version" err
'

test_expect_success "a draft whose branch is gone says so" '
	cd life && test_status 1 "$SERIES" send -s topic --dry-run >out 2>err &&
	test_grep "the branch topic is gone" out && test_nogrep "no commits above" out &&
	test_grep "git branch topic [0-9a-f]\{12\}" out && test_grep "send --resend" out &&
	test_status 1 "$SERIES" format -s topic -o gone >out && test_grep "the branch topic is gone" out &&
	git branch topic v1-head && git checkout -q topic
'

test_expect_success "who would miss a RESEND is named; a new address changes the From: line" '
	cd life && "$SERIES" recipients --add-to other@example.org --drop list@example.org &&
	git config user.email wendy@new.example.org && "$SERIES" send --resend=v1 --dry-run >out &&
	test_grep "warning: list@example.org got v1" out &&
	test_grep "^From: Wendy Writer <wendy@example.org>\$" out &&
	test_grep "^From: Wendy Writer <wendy@new.example.org>\$" out &&
	git config --unset user.email && "$SERIES" recipients --add-to list@example.org --drop other@example.org
'

test_expect_success "a RESEND of which nothing left leaves no trace" '
	cd life && git rev-parse refs/series/topic/state:versions >before && use_server 1 &&
	test_status 1 "$SERIES" send --yes --resend=v2 2>err && test_grep "nothing was sent" err &&
	git rev-parse refs/series/topic/state:versions >after && test_cmp before after &&
	[ "$(git rev-parse refs/series/topic/v2)" != "" ]
'

test_expect_success "a RESEND cut short goes on; nothing else begins meanwhile" '
	cd life && sink cut later_end=3 && test_status 1 "$SERIES" send --yes --resend=v2 &&
	"$SERIES" status >out && test_grep "2 of 4 mails were accepted" out && test_grep "next: series send --resume" out &&
	test_status 1 "$SERIES" send --yes --resend=v4 2>err && test_grep "v2 is on its way (2 of 4" err &&
	"$SERIES" send --yes && ids "$T"/cut/*.eml | sort -u | wc -l >got && echo 4 >want && test_cmp want got &&
	[ "$(log_json "v[2][\"postings\"][1][\"state\"]")" = sent ]
'

test_expect_success "RFC: once, then as v2; -v 1 begins again" '
	make_series "$T/rfc" 2 && sink rfc.1 && "$SERIES" send --yes --rfc &&
	header Subject "$T/rfc.1/0001.eml" >got && echo "[RFC PATCH 0/2] numbers: words" >want && test_cmp want got &&
	git commit -q --amend -m "numbers: second" && changes 2 "- in the RFC" && sink rfc.2 &&
	"$SERIES" send --yes --rfc && header Subject "$T/rfc.2/0001.eml" >got &&
	echo "[RFC PATCH v2 0/2] numbers: words" >want && test_cmp want got &&
	rfc1=$(git rev-parse refs/series/topic/v1) && git commit -q --amend -m "numbers: third" && sink rfc.3 &&
	"$SERIES" send --yes -v 1 && subjects rfc.3 >got && cat >want <<-\EOF2 &&
	[PATCH 0/2] numbers: words
	[PATCH 1/2] numbers: change line 1
	[PATCH 2/2] numbers: third
	EOF2
	test_cmp want got && body "$T/rfc.3/0001.eml" | sed -n "/^Changes\|^- Link/,/RFC v1:/p" >got && cat >want <<-EOF2 &&
	- Link to RFC v2: https://lore.kernel.org/r/$(id "$T/rfc.2/0001.eml" | tr -d "<>")

	Changes in RFC v2:
	- in the RFC
	- Link to RFC v1: https://lore.kernel.org/r/$(id "$T/rfc.1/0001.eml" | tr -d "<>")
	EOF2
	test_cmp want got && [ "$(git rev-parse refs/series/topic/rfc1)" = $rfc1 ] &&
	[ "$(git rev-parse refs/series/topic/v1)" = "$(git rev-parse topic)" ] &&
	test_status 1 git rev-parse -q --verify refs/series/topic/v2
'

test_expect_success "what was set aside stays readable, and the draft is v2" '
	cd rfc && [ "$(log_json "[x[\"id\"] for x in v]")" = "['\''v1'\'', '\''rfc2'\'', '\''rfc1'\'']" ] &&
	git ls-tree -r --name-only refs/series/topic/state | grep -v series.json >got && cat >want <<-\EOF2 &&
	changes/rfc2.txt
	cover.txt
	sent/rfc1/0000.eml
	sent/rfc1/0001.eml
	sent/rfc1/0002.eml
	sent/rfc2/0000.eml
	sent/rfc2/0001.eml
	sent/rfc2/0002.eml
	sent/v1/0000.eml
	sent/v1/0001.eml
	sent/v1/0002.eml
	versions/1.json
	versions/rfc1.json
	versions/rfc2.json
	EOF2
	test_cmp want got && "$SERIES" list >out && test_grep "topic  *v1  *sent" out &&
	"$SERIES" status >out && test_grep "^rfc2 " out && test_grep "v1 sent" out &&
	git commit -q --amend -m "numbers: fourth" && sink rfc.4 && "$SERIES" send --yes &&
	header Subject "$T/rfc.4/0001.eml" >got && echo "[PATCH v2 0/2] numbers: words" >want && test_cmp want got &&
	body "$T/rfc.4/0001.eml" | grep -c "^- Link to v1: \|^- Link to RFC v[12]: " >got && echo 3 >want && test_cmp want got &&
	test_status 1 "$SERIES" send --yes -v 1 2>err && test_grep "v1 was posted already" err
'

test_expect_success "a restart of which nothing left: the RFCs stay aside, v1 is free" '
	make_series "$T/rfc2" 1 && sink rfc2.1 && "$SERIES" send --yes --rfc && use_server 1 &&
	test_status 1 "$SERIES" send --yes -v 1 && sink rfc2.2 && "$SERIES" send --yes &&
	header Subject "$T/rfc2.2/0001.eml" >got && echo "[PATCH] numbers: change line 1" >want && test_cmp want got &&
	[ "$(log_json "[x[\"id\"] for x in v]")" = "['\''v1'\'', '\''rfc1'\'']" ]
'

# Before "send -v 1" the draft has two numbers, and one changelog.
test_expect_success "v1 after RFCs: the draft's changelog is v1's, whichever number it was written for" '
	make_series "$T/rfc3" 2 && "$SERIES" changes --add "of RFC v1" >/dev/null && sink rfc3.1 && "$SERIES" send --yes --rfc &&
	git commit -q --amend -m "numbers: second" -m "Why." -s && "$SERIES" changes --add "of RFC v2" && sink rfc3.2 && "$SERIES" send --yes --rfc &&
	sed "9s/.*/line nine/" numbers >new && mv new numbers && git commit -q -a --amend --no-edit &&
	"$SERIES" changes -v 1 >out && test_grep "v1 has no entries; series changes -v 1 --edit begins with" out &&
	"$SERIES" changes -v 1 --suggest >out && cat >want <<-E && test_cmp want out &&
	patch 2: numbers: second
	- changed numbers
	E
	"$SERIES" changes --add "of v3, or v1" && "$SERIES" changes -v 1 --add "line nine" --patch 2 >out &&
	test_grep "changelog of v1 stored" out && git show refs/series/topic/state:changes/v3.txt >got && cat >want <<-E && test_cmp want got &&
	- of v3, or v1

	patch 2: numbers: second
	- line nine
	E
	cat >want <<-E && "$SERIES" changes -v 1 >out && sed -n "/^Changes/,\$p" out >got && test_cmp want got &&
	Changes in v1:
	- of v3, or v1
	- Link to RFC v2: https://lore.kernel.org/r/$(id "$T/rfc3.2/0001.eml" | tr -d "<>")

	Changes in RFC v2:
	- of RFC v2
	- Link to RFC v1: https://lore.kernel.org/r/$(id "$T/rfc3.1/0001.eml" | tr -d "<>")

	Changes in RFC v1:
	- of RFC v1

	Patch 1/2: numbers: change line 1
	---
	(no changes since RFC v1)

	Patch 2/2: numbers: second
	---
	Changes in v1:
	- line nine

	E
	sink rfc3.3 && "$SERIES" send --yes -v 1 && body "$T/rfc3.3/0001.eml" | sed -n "/^Changes in v1/,/of RFC v1/p" >got &&
	sed -n "1,/of RFC v1/p" want >want2 && test_cmp want2 got &&
	git ls-tree -r --name-only refs/series/topic/state changes/ >got && printf "changes/%s.txt\n" rfc1 rfc2 v1 >want && test_cmp want got &&
	"$SERIES" changes >out && test_grep "^v2 has no entries" out && "$SERIES" changes -v 1 >out && test_grep "of v3, or v1" out
'

test_expect_success "a number is left out: the changelog goes with the draft, and back when nothing left" '
	cd "$T/rfc3" && git commit -q --amend -m "numbers: other" -s && "$SERIES" changes --add "of the next" && use_server 1 &&
	test_status 1 "$SERIES" send --yes -v 5 && git ls-tree -r --name-only refs/series/topic/state changes/ >got &&
	printf "changes/%s.txt\n" rfc1 rfc2 v1 v2 >want && test_cmp want got && sink rfc3.4 && "$SERIES" send --yes -v 5 &&
	body "$T/rfc3.4/0001.eml" | sed -n "/^Changes in v5/,/^- of v3/p" >got && cat >want <<-E && test_cmp want got &&
	Changes in v5:
	- of the next
	- Link to v1: https://lore.kernel.org/r/$(id "$T/rfc3.3/0001.eml" | tr -d "<>")

	Changes in v1:
	- of v3, or v1
	E
	git ls-tree -r --name-only refs/series/topic/state changes/ >got && printf "changes/%s.txt\n" rfc1 rfc2 v1 v5 >want && test_cmp want got
'

test_expect_success "prefixes: stored, for one posting, none; the same on all mails" '
	make_base "$T/pre" && for i in 1 2; do seq $i 50 >numbers && git commit -q -a -s -m "numbers: $i" || return 1; done &&
	"$SERIES" init --base main --prefix mm --prefix 6.12 && make_cover "numbers" "Text." &&
	"$SERIES" recipients --add-to list@example.org && sink pre.out && "$SERIES" send --yes &&
	subjects pre.out >got && printf "%s\n" "[PATCH mm 6.12 0/2] numbers" "[PATCH mm 6.12 1/2] numbers: 1" \
		"[PATCH mm 6.12 2/2] numbers: 2" >want && test_cmp want got &&
	git commit -q --amend -m "numbers: two" && tag() { sed -n "s/^Subject: \(\[.*0\/2\]\).*/\1/p" out; } &&
	"$SERIES" send --dry-run --prefix net-next >out && [ "$(tag)" = "[PATCH net-next v2 0/2]" ] &&
	"$SERIES" send --dry-run --no-prefix >out && [ "$(tag)" = "[PATCH v2 0/2]" ] &&
	"$SERIES" cover --prefix RFC --prefix bpf-next && "$SERIES" send --dry-run >out &&
	[ "$(tag)" = "[RFC PATCH bpf-next v2 0/2]" ] &&
	"$SERIES" send --dry-run --prefix RESEND --prefix rfc >out && [ "$(tag)" = "[RESEND RFC PATCH v2 0/2]" ] &&
	"$SERIES" cover --no-prefix && "$SERIES" send --dry-run >out && [ "$(tag)" = "[PATCH v2 0/2]" ] &&
	git config format.subjectprefix "PATCH mm" && "$SERIES" send --dry-run --prefix mm >out &&
	[ "$(tag)" = "[PATCH mm v2 0/2]" ]
'

test_expect_success "what is no prefix is refused before anything happens" '
	cd pre && git rev-parse refs/series/topic/state >before &&
	for bad in PATCH patch v2 V3 1/3 "a b" "a]" "m\303\266" "" RESEND; do
		test_status 129 "$SERIES" cover --prefix "$(printf "$bad")" 2>err && test_grep "prefix" err || return 1
	done && test_status 129 "$SERIES" send --yes --prefix v2 2>err && test_grep "anyway" err &&
	git rev-parse refs/series/topic/state >after && test_cmp before after &&
	git checkout -q -b other main && git commit -q --allow-empty -m x &&
	test_status 129 "$SERIES" init --base main --prefix PATCH && test_status 1 "$SERIES" status -s other &&
	git checkout -q topic
'

test_expect_success "a single patch: cover, changelog, links and ids below its own dashes" '
	make_series "$T/single" 1 && make_cover "not used" "Why it is good." && sink single.1 && "$SERIES" send --yes &&
	git commit -q --amend -s -m "numbers: one" && changes 2 "- a better title" && sink single.2 && "$SERIES" send --yes &&
	body "$T/single.2/0001.eml" | sed -n "/^---\$/,/^ numbers |/p" >got && cat >want <<-EOF2 &&
	---
	Why it is good.

	Applies on main ($(git rev-parse main | cut -c1-12))

	Changes in v2:
	- a better title
	- Link to v1: https://lore.kernel.org/r/$(id "$T/single.1/0001.eml" | tr -d "<>")

	base-commit: $(git rev-parse main)
	change-id: $(field change_id)

	 numbers | 2 +-
	EOF2
	test_cmp want got && sink single.3 && git commit -q --amend -s -m "numbers: changed" && "$SERIES" send --yes --resend &&
	header Subject "$T/single.3/0001.eml" >got && echo "[RESEND PATCH v2] numbers: one" >want && test_cmp want got &&
	body "$T/single.2/0001.eml" >want && body "$T/single.3/0001.eml" >got && test_cmp want got
'

test_expect_success "--reflect: only to me, with the addresses as they will be; nothing recorded" '
	make_series "$T/look" 2 && "$SERIES" recipients --add-cc boss@example.org && git for-each-ref >before &&
	sink look.out && "$SERIES" send --yes --reflect >out && git for-each-ref >after && test_cmp before after &&
	[ "$(grep -c "RCPT TO:<wendy@example.org>" "$T/look.out/log")" = 3 ] &&
	[ "$(grep -c "RCPT TO" "$T/look.out/log")" = 3 ] && test_grep "^To: list@example.org" "$T/look.out/0001.eml" &&
	test_grep "^Cc: boss@example.org" "$T/look.out/0001.eml" && test_nogrep "Message-ID" out &&
	header Subject "$T/look.out/0001.eml" >got && echo "[PATCH 0/2] numbers: words" >want && test_cmp want got &&
	! ls .git/series/outbox | grep "^2"
'

test_expect_success "--preview-to: only to them, and only they stand in the header" '
	cd look && sink view.out && "$SERIES" send --yes --preview-to "A B <ab@example.org>" --preview-to c@example.org >out &&
	git for-each-ref >after && test_cmp before after && [ "$(grep -c "RCPT TO" "$T/view.out/log")" = 6 ] &&
	header To "$T/view.out/0002.eml" >got && echo "A B <ab@example.org>, c@example.org" >want && test_cmp want got &&
	test_nogrep "^Cc:" "$T/view.out/0002.eml" && test_nogrep "list@example.org" "$T/view.out/log" &&
	test_status 129 "$SERIES" send --reflect --preview-to c@example.org
'

test_expect_success "a rehearsal that fails leaves nothing, also beside a posting on its way" '
	cd look && sink fail.out later_end=2 && test_status 1 "$SERIES" send --yes --reflect 2>err &&
	! ls .git/series/outbox | grep "^2" && git for-each-ref >after && test_cmp before after &&
	sink half.out later_end=2 && test_status 1 "$SERIES" send --yes && sink ok.out &&
	"$SERIES" send --yes --reflect && test_grep "^To: list" "$T/ok.out/0001.eml" &&
	ls -d .git/series/outbox/2* | wc -l >got && echo 1 >want && test_cmp want got &&
	"$SERIES" send --yes && [ "$(posting_state 1)" = sent ]
'

test_expect_success "threads: reply to the version before, a chain, or --in-reply-to" '
	make_series "$T/thread" 3 && sink th.1 && "$SERIES" send --yes && git config series.thread reply &&
	git config sendemail.chainreplyto true && git commit -q --amend -m "numbers: x" && sink th.2 && "$SERIES" send --yes &&
	[ "$(parent "$T/th.2/0001.eml")" = "$(id "$T/th.1/0001.eml")" ] &&
	[ "$(parent "$T/th.2/0002.eml")" = "$(id "$T/th.2/0001.eml")" ] &&
	[ "$(parent "$T/th.2/0004.eml")" = "$(id "$T/th.2/0003.eml")" ] &&
	header References "$T/th.2/0004.eml" >got && echo "$(id "$T/th.1/0001.eml") $(id "$T/th.2/0001.eml") $(id "$T/th.2/0002.eml") $(id "$T/th.2/0003.eml")" >want &&
	test_cmp want got && git commit -q --amend -m "numbers: y" && git config --unset sendemail.chainreplyto &&
	sink th.3 && "$SERIES" send --yes --in-reply-to "<mine@example.org>" &&
	[ "$(parent "$T/th.3/0001.eml")" = "<mine@example.org>" ] && [ "$(parent "$T/th.3/0004.eml")" = "$(id "$T/th.3/0001.eml")" ] &&
	sink th.4 && "$SERIES" send --yes --resend && test_nogrep "^In-Reply-To" "$T/th.4/0001.eml" &&
	git config series.thread odd && test_status 129 "$SERIES" send --dry-run 2>err && test_grep "series.thread" err
'

test_expect_success "no signature: by option, by an empty setting; a removed line is none" '
	make_base "$T/sig" && printf "a\n- \nb\n" >dash && git add dash && git commit -q -m dash && git branch -f main &&
	for i in 1 2; do sed -i "\$d" dash && git commit -q -a -s -m "dash: $i" || return 1; done &&
	"$SERIES" init --base main && make_cover "dash" "Text." && "$SERIES" recipients --add-to l@example.org &&
	"$SERIES" format -o with >/dev/null && test_grep "^-- \$" with/0000* && test_grep "^2.39\$" with/0000* &&
	"$SERIES" format --no-signature -o without >/dev/null && test_nogrep "^-- \$" without/0000* && test_nogrep "^2.39" without/0002* &&
	git config format.signature "" && "$SERIES" format -o empty >/dev/null && test_nogrep "^-- \$" empty/0000* &&
	git config --unset format.signature && git config --global --unset format.signature && printf "W.\nof X\n" >"$T/sigfile" &&
	git config format.signaturefile "$T/sigfile" && "$SERIES" format -o file >/dev/null && tail -n 4 file/0000* >got &&
	printf -- "-- \nW.\nof X\n\n" >want && test_cmp want got
'

test_expect_success "prerequisites go out in their order, a bare hash as a patch-id" '
	cd sig && h=0123456789abcdef0123456789abcdef01234567 && git show refs/series/topic/state:series.json |
		python3 -c "import json,sys
j = json.load(sys.stdin)
j[\"prerequisites\"] = [\"prerequisite-message-id: <a@example.org>\", \"$h\", \"prerequisite-change-id: 20260101-x-0123456789ab:v2\"]
json.dump(j, sys.stdout)" >new.json && blob=$(git hash-object -w new.json) && rm new.json &&
	GIT_INDEX_FILE=$T/index git read-tree refs/series/topic/state &&
	GIT_INDEX_FILE=$T/index git update-index --cacheinfo "100644,$blob,series.json" &&
	git update-ref refs/series/topic/state "$(git commit-tree -p refs/series/topic/state -m x "$(GIT_INDEX_FILE=$T/index git write-tree)")" &&
	"$SERIES" format -o prereq >/dev/null && sed -n "/^change-id/,/^-- /p" prereq/0000* | sed 1d >got && cat >want <<-EOF2 &&
	prerequisite-message-id: <a@example.org>
	prerequisite-patch-id: $h
	prerequisite-change-id: 20260101-x-0123456789ab:v2
	-- 
	EOF2
	test_cmp want got
'

test_expect_success "--dry-run names who, by which server; settings that do not apply are said" '
	cd look && git config sendemail.annotate true && git config sendemail.thread false && git commit -q --amend -m "numbers: z" &&
	"$SERIES" send --dry-run >out && sed -n "/^From: /,/^\$/p;/^From [^:]/q" out | head -n 5 >got && cat >want <<-\EOF2 &&
	From: Wendy Writer <wendy@example.org>
	To: list@example.org
	Cc: boss@example.org
	Sent by: smtp://127.0.0.1:PORT (not encrypted)
	
	EOF2
	sed "s/^[ \t]*\$//;s/PORT/$(git config sendemail.smtpserverport)/" want >want2 && test_cmp want2 got && [ "$(grep -c "sendemail.annotate is set" out)" = 1 ] &&
	[ "$(grep -c "sendemail.thread is off" out)" = 1 ]
'

test_expect_success "a damaged outbox of one series does not stop another" '
	make_series "$T/two" 1 && sink dam.out later_end=1 && git checkout -q -b second main && seq 2 60 >numbers && git commit -q -a -s -m "numbers: b" &&
	"$SERIES" init --base main second && "$SERIES" recipients -s second --add-to l@example.org && git checkout -q topic &&
	sink dam2.out lose_end=1 && test_status 1 "$SERIES" send --yes && : >"$(echo .git/series/outbox/2*)/manifest.json" &&
	git checkout -q second && sink dam3.out && "$SERIES" send --yes && test_grep "numbers: b" "$T/dam3.out/0001.eml" &&
	git checkout -q topic && test_status 1 "$SERIES" send --yes 2>err && test_grep "manifest.json" err
'

test_expect_success "killed while unsure: status, log and list say what is on its way" '
	make_series "$T/killed" 2 && sink killed.out pause=7 || return 1
	"$SERIES" send --yes >out 2>&1 &
	p=$!
	test_wait 60 test -e "$T/killed.out/paused" && kill -KILL $p; wait $p; touch "$T/killed.out/go"
	[ "$(posting_state 1)" = sending ] && "$SERIES" list >out && test_grep "sending" out &&
	"$SERIES" log >out && test_grep "sending" out && "$SERIES" status >out && test_grep "next: series send --resume" out &&
	test_grep "of 3 mails" out
'

test_expect_success "given up: the next step is a new version or a RESEND, which is whole" '
	make_series "$T/part" 2 && sink part.out later_end=2 && test_status 1 "$SERIES" send --yes && "$SERIES" send --give-up &&
	"$SERIES" status >out && test_grep "next: v1 went out in part: series send posts v2" out && sink whole.out &&
	"$SERIES" send --yes --resend && subjects whole.out >got && printf "%s\n" "[RESEND PATCH 0/2] numbers: words" \
		"[RESEND PATCH 1/2] numbers: change line 1" "[RESEND PATCH 2/2] numbers: change line 2" >want && test_cmp want got &&
	body "$T/part.out/0001.eml" >want && body "$T/whole.out/0001.eml" >got && test_cmp want got
'

test_done
