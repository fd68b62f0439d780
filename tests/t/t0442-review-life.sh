#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Four versions of a series and sixty replies of every kind, from a real list archive, its
# git mirror and an mbox. tests/data/review has the replies, and what each step is to give,
# written by hand before the program was run.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
inbox_start list
D=$SRCDIR/tests/data/review

# on DAY: the clock of git and series.
on() {
	SERIES_TEST_NOW=$(date -u -d "$1 09:00:00" +%s) GIT_AUTHOR_DATE="$SERIES_TEST_NOW +0000"
	GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE && export SERIES_TEST_NOW GIT_AUTHOR_DATE GIT_COMMITTER_DATE
}
# change FILE PYTHON: with its text as t
change() {
	python3 -c "import sys
t = open(sys.argv[1]).read()
b = t
$2
assert t != b
open(sys.argv[1], 'w').write(t)" "$1"
}
p1() {
	change mm/slots.c "t = t.replace('return -1;\n\ts->', 'return -ENOSPC;\n\ts->')" &&
	git commit -q -a -s -m "slots: return -ENOSPC when all are taken" -m "A bare -1 is -EPERM for whoever shows it."
}
p2() {
	change mm/slots.c "t = t.replace('s->map[i] = 1;\n', 's->map[i] = 1;\n\ts->users++;\n').replace('\ts->map[i] = 0;\n', '$1')" &&
	git commit -q -a -s -m "slots: count the users" -m "Others want to know how many there are."
}
p3() {
	change mm/slots.c "t += '''
/* $1 */
void slots_reset(struct slots *s)
{
	memset(s->map, 0, sizeof(s->map));
$2}
'''" && git commit -q -a -s -m "slots: forget all at once" -m "A device that went away gives nothing back."
}
p4() {
	printf "Slots\n=====\n\nSlots are numbers from 0 to NR_SLOTS - 1.\n" >Documentation/slots.rst && git add Documentation && git commit -q -s -m "$1" -m "$2"
}

# posted N
posted() {
	sink "v$1" && "$SERIES" send --yes && kill "$sink_pid" && inbox_inject list "$T/v$1"/*.eml
}
# replies N DAY: they come in
replies() {
	mkdir "$T/replies$1" && on "$2" && python3 "$SRCDIR/tests/helper/review-mails.py" "$T" "v$1" "$D/v$1" "$SERIES_TEST_NOW" "$T/replies$1" &&
	inbox_inject list "$T/replies$1"/*.eml
}
# known N: tags and remarks are those written by hand
known() {
	"$SERIES" tags --json >../tags.json && "$SERIES" remarks --all --json >../remarks.json && python3 - <<-\E &&
	import json
	def rows(name, lines):
	    open("../" + name, "w").write("".join(sorted(l + "\n" for l in lines)))
	doc = json.load(open("../tags.json"))
	rows("tags", ("%d %s %s %s %s" % (n, t["type"], t["email"], t["label"], t["detail"])
	              for n, tags in [(p["n"], p["tags"]) for p in doc["patches"]] + [(0, doc["others"])] for t in tags))
	rows("remarks", ("%d %s %s %s" % (r["patch"], r["email"], r["label"], r["state"])
	                 for r in json.load(open("../remarks.json"))["remarks"]))
	E
	for what in tags remarks; do
		LC_ALL=C sort "$D/v$1.$what" >../want && test_cmp ../want ../$what || return 1
	done
}
test_expect_success "v1 is posted, and twenty-four reply" '
	on 2026-03-01 && git config --global user.name "Paul Author" && git config --global user.email paul@example.org &&
	git init -q r && cd r && mkdir mm Documentation && cp "$D/slots.c" mm && echo "Index" >Documentation/index.rst && git add . && git commit -q -m "Slots" &&
	git switch -q -c topic && on 2026-03-02 && p1 && p2 "\ts->map[i] = 0;\n\ts->users--;\n" && p3 "Forget all slots." "" && p4 "Documentation: describe the slots" "Nobody knows what they are for." &&
	"$SERIES" init --base main && make_cover "Slots that say what is wrong" "Errors, numbers and words for the slots." && "$SERIES" recipients --add-to list@example.org &&
	git config series.midmask "$inbox_url/list/%s" && posted 1 && replies 1 2026-03-03
'
# id_of ADDRESS: of the first tag of this person that does not hold
id_of() {
	"$SERIES" tags --json | python3 -c "
import json, sys
print(next(t['id'] for p in json.load(sys.stdin)['patches'] for t in p['tags'] if t['email'] == '$1' and t['state'] != 'holds'))"
}
remark_of() {
	"$SERIES" remarks --all --json | python3 -c "
import json, sys
print(next(r['id'] for r in json.load(sys.stdin)['remarks'] if r['email'] == '$1'))"
}
# in_commits N: titles and trailers of the branch, written by hand
in_commits() {
	git log --reverse --format=%B main..topic | grep "^slots: \|^Documentation: \|-by: \|^\[" >../got && test_cmp "$D/v$1.commits" ../got
}
message() {
	git log -1 --format=%B | sed -e "$1" >../message && git commit -q --amend -F ../message
}

test_expect_success "what they said is known, and holds for the draft of v2 where it does" '
	cd r && git reset -q --hard topic~3 && on 2026-03-09 && p2 "\tif (s->map[i])\n\t\ts->users--;\n\ts->map[i] = 0;\n" && p3 "Forget all slots, for a device that went away." "" &&
	p4 "Documentation: describe the slots" "Nobody knows what they are for, and what to do with them." && "$SERIES" update >../said && known 1 &&
	state=$(git rev-parse refs/series/topic/state) && "$SERIES" update >../said && [ "$state" = "$(git rev-parse refs/series/topic/state)" ]
'
test_expect_success "v2 goes out with what holds, and with what the author decides to keep" '
	cd r && "$SERIES" tags --keep "$(id_of dee@example.org)" --reason "v2 looks first" && tree=$(git rev-parse topic^{tree}) &&
	"$SERIES" tags --apply && in_commits 2 && [ "$tree" = "$(git rev-parse topic^{tree})" ] && posted 2
'
test_expect_success "v3: a late tag for v1, one that is taken back, context and a title" '
	cd r && replies 2 2026-03-10 && on 2026-03-16 && git switch -q main && change mm/slots.c "t = t.replace(\"int i = slots_find(s);\\n\\n\", \"int i = slots_find(s);\\n\")" &&
	git commit -q -a -m "slots: no blank line" && git switch -q topic && git rebase -q main && git tag v3-was && git reset -q --hard topic~2 &&
	p3 "Forget all slots, for a device that went away." "\ts->users = 0;\n" && git cherry-pick v3-was >/dev/null && message "1s/.*/Documentation: describe the slots of a device/" &&
	"$SERIES" update >../said && known 2 && "$SERIES" remarks --done "$(remark_of wim@example.org)" && "$SERIES" tags --keep "$(id_of wim@example.org)" &&
	"$SERIES" tags --apply && in_commits 3 && posted 3
'
test_expect_success "v4: a patch is gone, another is new" '
	cd r && replies 3 2026-03-17 && on 2026-03-23 && git reset -q --hard topic~1 && change mm/slots.c "t += \"\\n/* How many sots are taken. */\\nunsigned int slots_count(struct slots *s)\\n{\\n\\treturn s->users;\\n}\\n\"" &&
	git commit -q -a -s -m "slots: say how many are in use" -m "The count is of use for others." && "$SERIES" update >../said && known 3 && "$SERIES" tags --apply && in_commits 4 && posted 4
'
test_expect_success "v5: a comment is all that changed, so that what was tested is tested" '
	cd r && replies 4 2026-03-24 && on 2026-03-30 && change mm/slots.c "t = t.replace(\"sots\", \"slots\")" && git commit -q -a --amend --no-edit &&
	"$SERIES" update >../said && known 4 && "$SERIES" tags --apply && in_commits 5 && posted 5
'
# The same mails from elsewhere, into the state as it was before any came in.
for from in mirror mbox; do
	test_expect_success "the same from $from" '
		cd r && if [ $from = mirror ]; then
			git clone -q --mirror "$inbox_url/list/0" ../mirror && source=../mirror
		else
			for file in "$T"/v[1-5]/*.eml "$T"/replies*/*.eml; do
				echo "From mboxrd@z Thu Jan  1 00:00:00 1970" && sed "s/^>*From />&/" "$file" && echo || return 1
			done >../mbox && source=../mbox
		fi && git ls-tree -r refs/series/topic/state review >../want &&
		git read-tree --index-output="$T/idx" refs/series/topic/state && GIT_INDEX_FILE=$T/idx git rm -rqf --cached review &&
		commit=$(git commit-tree -p refs/series/topic/state -m "without" "$(GIT_INDEX_FILE=$T/idx git write-tree)") && git update-ref refs/series/topic/state $commit &&
		"$SERIES" update --from "$source" >../said && git ls-tree -r refs/series/topic/state review >../got &&
		cut -f 2 ../want >../want.names && cut -f 2 ../got >../got.names && test_cmp ../want.names ../got.names
	'
done
test_done
