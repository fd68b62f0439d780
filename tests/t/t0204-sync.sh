#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two machines and a bare repository between them: what is new, what both changed, what only
# a person can decide, and a remote that holds anything.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

ref=refs/series/topic/state
# on NAME COMMAND...: in the clone NAME, as the machine of that name would.
on() { (cd "$T/$1" && shift && "$@"); }
state() { git -C "$T/$1" rev-parse $ref; }
# doc CLONE FILE: as it is in the state of topic there.
doc() { git -C "$T/$1" cat-file -p "$ref:$2"; }
# same_state: all three have it.
same_state() { [ "$(state a)" = "$(state b)" ] && [ "$(state a)" = "$(state hub.git)" ]; }
# put CLONE REF FILE [MESSAGE]: standard input as a file of the state REF, as somebody's program would.
put() {
	(cd "$T/$1" && blob=$(git hash-object -w --stdin) && rm -f "$T/idx" && export GIT_INDEX_FILE="$T/idx" &&
	if git rev-parse -q --verify "$2" >/dev/null; then git read-tree "$2" && parent="-p $2"; else parent=; fi &&
	git update-index --add --cacheinfo "100644,$blob,$3" && tree=$(git write-tree) &&
	git update-ref "$2" "$(git commit-tree $parent -m "${4:-put}" "$tree")")
}
# field CLONE FILE KEY: a value of a JSON document.
field() { doc "$1" "$2" | python3 -c "import json,sys; print(json.dumps(json.load(sys.stdin).get('$3')))"; }
count_parents() { git -C "$T/$1" rev-list --min-parents=2 --count $ref; }

test_expect_success 'setup: a kernel tree on a hub, a series on machine a, one version sent' '
	git init -q --bare hub.git && make_series a 2 && git remote add hub "file://$T/hub.git" &&
	git push -q hub main && sink sent.a && "$SERIES" send --yes
'

test_expect_success 'nothing happens without a yes, and the refspec it would add is named' '
	cd a && cp .git/config before && test_status 1 series sync 2>err && test_grep "\-\-yes" err &&
	test_grep "+refs/series/\*:refs/series-remote/hub/\*" err && test_cmp before .git/config &&
	git -C ../hub.git for-each-ref refs/series >out && [ ! -s out ]
'

test_expect_success 'the first sync pushes state and heads and remembers the remote' '
	cd a && series sync --yes >out && test_grep "^sent  *topic$" out && git config remote.hub.series >v && test_grep true v &&
	git config --get-all remote.hub.fetch >v && test_grep "^+refs/series/\*:refs/series-remote/hub/\*$" v &&
	[ "$(wc -l <v)" = 2 ] && [ "$(git -C ../hub.git rev-parse refs/series/topic/v1)" = "$(git rev-parse topic)" ] &&
	[ "$(state a)" = "$(state hub.git)" ] && series sync >out && test_grep "^1 series the same" out &&
	git config --get-all remote.hub.fetch >v && [ "$(wc -l <v)" = 2 ]
'

test_expect_success 'a plain clone has nothing; sync brings the series and says how to get its branch' '
	git clone -q "file://$T/hub.git" b -o hub && cd b && series list >out && test_grep "^no series" out &&
	series sync --yes >out && test_grep "^new  *topic$" out && test_grep "git switch -c topic refs/series/topic/v1" out &&
	series list >out && test_grep "topic  *topic (gone)  *v1  *sent" out && git switch -q -c topic refs/series/topic/v1 && series status >out && test_grep "^topic  v1 sent, branch topic" out &&
	series sync >out && [ "$(git config branch.topic.series)" = topic ] &&
	same_state
'

test_expect_success 'a plain git fetch brings news and never moves the state' '
	echo "from a" | on a "$SERIES" cover -F - && on a series sync && cd b && old=$(state b) && git fetch -q hub &&
	[ "$(git rev-parse refs/series-remote/hub/topic/state)" = "$(state a)" ] && [ "$(state b)" = "$old" ] &&
	git fetch -q --all --prune && [ "$(state b)" = "$old" ] && series sync >out && test_grep "^updated  *topic$" out && same_state
'

test_expect_success 'both changed other things: one merge, with two parents, and nothing lost' '
	on a "$SERIES" recipients --add-cc ann@example.org && on b "$SERIES" recipients --add-cc bob@example.org &&
	on b "$SERIES" recipients --drop list@example.org && on a series sync && on b series sync >out &&
	test_grep "^merged  *topic, and sent" out && test_nogrep "changed on both sides" out &&
	field b series.json to >to && echo "[]" | cmp - to &&
	field b series.json cc >cc && python3 -c "
import json; assert sorted(json.load(open(\"cc\")))==[\"ann@example.org\",\"bob@example.org\"]" &&
	[ "$(count_parents b)" = 1 ] && on a series sync >out && test_grep "^updated" out && same_state &&
	[ "$(count_parents a)" = 1 ] && git -C a log -1 --format=%s $ref >s && echo "merge hub" | cmp - s
'

test_expect_success 'two values of one field: the newer stays, a line says which went' '
	cd a && doc a series.json | sed "s/\"first_version\": 1/\"first_version\": 3/" >doc &&
	GIT_COMMITTER_DATE="2030-01-02 00:00 +0000" put a $ref series.json <doc && cd ../b &&
	doc b series.json | sed "s/\"first_version\": 1/\"first_version\": 2/" >doc &&
	GIT_COMMITTER_DATE="2030-01-01 00:00 +0000" put b $ref series.json <doc && on a series sync && on b series sync >../out &&
	cd .. && test_grep "first_version. was changed on both sides.*this one had 2" out &&
	field b series.json first_version >v && echo 3 | cmp - v && on a series sync && same_state
'

test_expect_success 'files: one side, both the same, removed there, removed here and changed there' '
	for f in same gone stays old; do echo one | put a $ref notes/$f || return 1; done && on a series sync && on b series sync &&
	echo 2 | put a $ref notes/same && echo 2 | put b $ref notes/same && echo a | put a $ref notes/a && echo b | put b $ref notes/b &&
	cd a && rm -f ../idx && for f in gone stays; do GIT_INDEX_FILE=../idx git read-tree $ref && GIT_INDEX_FILE=../idx git rm -q --cached notes/$f &&
		git update-ref $ref "$(git commit-tree -p $ref -m rm "$(GIT_INDEX_FILE=../idx git write-tree)")" || return 1; done && cd .. &&
	echo changed | put b $ref notes/stays && on a series sync && on b series sync >out &&
	test_grep "notes/stays was removed on one side and changed on the other: it stays" out && on a series sync && same_state &&
	git -C a ls-tree -r --name-only $ref notes >got && printf "notes/%s\n" a b old same stays >want && test_cmp want got &&
	doc a notes/stays >got && echo changed | cmp - got
'

test_expect_success 'a file that a newer program knows is kept from both sides' '
	printf "a\000x" | put a $ref future.bin && printf "b\000x" | put b $ref future.bin && on a series sync && on b series sync >out &&
	test_grep "future.bin was changed on both sides: the other one is kept as future.bin.theirs" out && on a series sync &&
	same_state && doc b future.bin | cmp - "$(printf "b\000x" >w; echo w)" && doc b future.bin.theirs | cmp - "$(printf "a\000x" >w2; echo w2)"
'

test_expect_success 'a changelog has the lines of both' '
	printf "old entry\n" | put a $ref changes/v2.txt && on a series sync && on b series sync &&
	printf "old entry\nfrom a\n" | put a $ref changes/v2.txt && printf "old entry\nfrom b\n" | put b $ref changes/v2.txt &&
	on a series sync && on b series sync >out && test_grep "changes/v2.txt.*lines of both" out && doc b changes/v2.txt | sort >got &&
	printf "from a\nfrom b\nold entry\n" | cmp - got && on a series sync && same_state
'

test_expect_success 'two covers: both kept, a finding, and cover --edit makes one of them' '
	echo "title of a" | on a "$SERIES" cover -F - && echo "title of b" | on b "$SERIES" cover -F - && on a series sync && on b series sync >out &&
	test_grep "cover.txt.theirs" out && doc b cover.txt >got && echo "title of b" | cmp - got && doc b cover.txt.theirs >got &&
	echo "title of a" | cmp - got && on a series sync && same_state && cd a && series status >out && test_grep "^error: cover.txt" out &&
	test_grep "^next: series cover --edit" out && series status --json | grep -q cover-conflict &&
	series send --dry-run >out 2>&1; test_grep "two machines wrote a cover" out &&
	GIT_EDITOR=: test_status 1 series cover --edit 2>err && test_grep "of a merge" err &&
	GIT_EDITOR="f() { cp \$1 ../seen; echo \"title of both\" >\$1; }; f" series cover --edit && series status >out &&
	test_nogrep "cover-conflict\|two machines" out && printf "%s\n" "<<<<<<< cover.txt" "title of b" ======= "title of a" ">>>>>>> cover.txt.theirs" >want &&
	test_cmp want ../seen && doc a cover.txt >got && echo "title of both" | cmp - got &&
	git ls-tree --name-only $ref >files && test_nogrep "cover.txt.theirs" files && cd .. && on a series sync && on b series sync && same_state
'

test_expect_success 'postings of one version: the further state stays, added ones are united' '
	doc a versions/1.json >v && [ "$(grep -c "\"sent\"" v)" = 1 ] &&
	sed "s/\"state\": \"sent\"/\"state\": \"sending\"/" v | put a $ref versions/1.json && on a series sync && on b series sync &&
	post() { python3 -c "
import json,sys; d=json.load(sys.stdin); p=dict(d[\"postings\"][0]); p.update(message_id=\"$1\",date=$2,state=\"sent\",resend=True)
if \"$3\": d[\"postings\"][0][\"state\"]=\"$3\"
d[\"postings\"].append(p); json.dump(d,sys.stdout)"; } &&
	doc a versions/1.json | post a@example.org 5 sent | put a $ref versions/1.json &&
	doc b versions/1.json | post b@example.org 6 partial | put b $ref versions/1.json && on a series sync && on b series sync >out &&
	test_grep "^merged" out && test_nogrep "both sides" out && doc b versions/1.json >v && python3 -c "
import json; p=json.load(open(\"v\"))[\"postings\"]
assert [x[\"state\"] for x in p]==[\"sent\"]*3, p
assert sorted(x[\"message_id\"] for x in p)[:2]==[\"a@example.org\",\"b@example.org\"] or sorted(x[\"message_id\"] for x in p[1:])==[\"a@example.org\",\"b@example.org\"], p" &&
	on a series sync && same_state
'

test_expect_success 'setup: both post a v4' '
	on a "$SERIES" recipients --add-to list@example.org && on a series sync && on b series sync && same_state &&
	cd a && git config --unset-all sendemail.smtpserverport && sink out.a && git commit -q --amend -s -m "numbers: as a has it" && series send -v 4 --yes &&
	cd ../b && sink out.b && git commit -q --amend -s -m "numbers: as b has it" && series send -v 4 --yes && cd .. && rm -rf keep && mkdir keep &&
	for d in a b hub.git; do cp -r $d keep/$d || return 1; done
'

# version_id CLONE: Message-ID of its v4.
version_id() { doc "$1" versions/4.json | python3 -c 'import json,sys; print(json.load(sys.stdin)["postings"][0]["message_id"])'; }

test_expect_success 'two postings of v4: named with both Message-IDs, nothing changed, others go on' '
	ida=$(version_id a) && idb=$(version_id b) && [ "$ida" != "$idb" ] && on a series sync && old=$(state b) &&
	(cd b && git switch -q -c second main && echo s >s && git add s && git commit -q -m "s: second" && "$SERIES" init --base main) &&
	test_status 2 on b series sync >out 2>err && test_grep "^conflict  *topic" out && test_grep "v4 was posted from two places" out &&
	test_grep "$ida" out && test_grep "$idb" out && test_grep "series sync --ours topic hub" out && test_grep "series sync --theirs topic hub" out &&
	test_grep "^sent  *second" out && [ "$(state b)" = "$old" ] && [ "$(state hub.git)" = "$(state a)" ] &&
	git -C hub.git rev-parse -q --verify refs/series/second/state
'

test_expect_success '--theirs: their v4, ours kept in the chain and below lost/' '
	ida=$(version_id a) && mine=$(git -C b rev-parse refs/series/topic/v4) && old=$(state b) && on b series sync --theirs topic hub >out &&
	test_grep "^merged  *topic, and sent" out && [ "$(version_id b)" = "$ida" ] &&
	[ "$(git -C b rev-parse refs/series/topic/v4)" = "$(git -C a rev-parse refs/series/topic/v4)" ] &&
	git -C b merge-base --is-ancestor "$old" $ref && kept=refs/series/topic/lost/v4-$(echo $mine | cut -c1-12) &&
	[ "$(git -C b rev-parse $kept)" = "$mine" ] && [ "$(git -C hub.git rev-parse $kept)" = "$mine" ] &&
	git -C b ls-tree -r --name-only $ref sent/v4 >got && git -C a ls-tree -r --name-only $ref sent/v4 >want && test_cmp want got &&
	doc b sent/v4/0001.eml >got && doc a sent/v4/0001.eml | cmp - got &&
	on a series sync && same_state && on b series sync >out && test_grep "2 series the same" out
'

test_expect_success '--ours: our v4, on the other machine too' '
	rm -rf a b hub.git && mv keep/a keep/b keep/hub.git . && on a series sync && theirs=$(git -C a rev-parse refs/series/topic/v4) &&
	idb=$(version_id b) && test_status 2 on b series sync && on b series sync --ours topic >out && [ "$(version_id b)" = "$idb" ] &&
	kept=refs/series/topic/lost/v4-$(echo $theirs | cut -c1-12) && [ "$(git -C hub.git rev-parse $kept)" = "$theirs" ] &&
	on a series sync >out && test_grep "^updated" out && same_state && [ "$(version_id a)" = "$idb" ] &&
	[ "$(git -C a rev-parse refs/series/topic/v4)" = "$(git -C b rev-parse refs/series/topic/v4)" ] && [ "$(git -C a rev-parse $kept)" = "$theirs" ]
'

test_expect_success 'another machine that is faster: fetched, merged, pushed again' '
	cat >hub.git/hooks/pre-receive <<-H && chmod +x hub.git/hooks/pre-receive &&
		#!/bin/sh
		[ -e "$T/raced" ] && exit 0
		touch "$T/raced"
		cd "$T/a" && unset GIT_DIR GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
		series sync >"$T/race.out" 2>&1
	H
	on a "$SERIES" recipients --add-cc raa@example.org && on b "$SERIES" recipients --add-cc rab@example.org && on b series sync >out &&
	test_grep "^sent" race.out && test_grep "^merged  *topic, and sent" out && rm hub.git/hooks/pre-receive && on a series sync && same_state &&
	field a series.json cc >cc && test_grep "raa@" cc && test_grep "rab@" cc
'

test_expect_success 'a remote that refuses: its words, nothing lost, no endless try' '
	printf "#!/bin/sh\necho no pushes on sundays >&2\nexit 1\n" >hub.git/hooks/pre-receive && chmod +x hub.git/hooks/pre-receive &&
	echo "refused" | on a "$SERIES" cover -F - && test_status 1 on a series sync 2>err && test_grep "cannot push to hub" err &&
	rm hub.git/hooks/pre-receive && on a series sync && on b series sync && same_state
'

test_expect_success '--fetch pushes nothing, --push takes nothing' '
	echo "more of a" | on a "$SERIES" cover -F - && hub=$(state hub.git) && on a series sync --fetch && [ "$(state hub.git)" = "$hub" ] &&
	on a series sync --push >out && test_grep "^sent  *topic" out && old=$(state b) && test_status 2 on b series sync --push >out 2>err &&
	test_grep "^behind  *topic" out && [ "$(state b)" = "$old" ] && on b series sync --fetch >out && test_grep "^updated" out && same_state &&
	test_status 129 on b series sync --push --fetch
'

test_expect_success 'a head that got lost here comes back and is never deleted there' '
	v1=$(git -C a rev-parse refs/series/topic/v1) && git -C a update-ref -d refs/series/topic/v1 && echo t | on a "$SERIES" cover -F - && on a series sync &&
	[ "$(git -C hub.git rev-parse refs/series/topic/v1)" = "$v1" ] && [ "$(git -C a rev-parse refs/series/topic/v1)" = "$v1" ] && on b series sync
'

test_expect_success 'two series of one name: told apart, and --rename settles it' '
	(cd a && git switch -q -c twin main && echo a >t && git add t && git commit -q -m "t: a" && "$SERIES" init --base main) && on a series sync &&
	(cd b && git switch -q -c twin main && echo b >t && git add t && git commit -q -m "t: b" && "$SERIES" init --base main) &&
	test_status 2 on b series sync >out 2>err && test_grep "^conflict  *twin" out && test_grep "two series of one name" out &&
	cmd=$(sed -n "s/^ *\(series sync --rename.*\)/\1/p" out) && echo "$cmd" >got && echo "series sync --rename twin:twin-2 hub" | cmp - got &&
	on b sh -c "$cmd" >out && test_grep "^new  *twin" out && test_grep "^sent  *twin-2" out && [ "$(git -C b config branch.twin.series)" = twin-2 ] &&
	on b series list >out && test_grep "^\*  twin-2  twin " out && git -C b rev-parse refs/series/twin/state >x && git -C a rev-parse refs/series/twin/state | cmp - x &&
	git -C b switch -q topic && git -C a switch -q topic
'

test_expect_success 'a hostile hub: odd names, no states, odd trees are named and left out; the rest goes on' '
	cd hub.git && head=$(git rev-parse main) && for n in UPPER/state "\$(id)/state" nested/a/b/state good/evil -x/state; do
		git update-ref "refs/series/$n" $head || return 1; done &&
	git update-ref refs/series/kernel/state $head && git update-ref refs/series/blob/state "$(echo x | git hash-object -w --stdin)" &&
	mk() { tree=$(git mktree) && git update-ref refs/series/$1/state "$(git commit-tree -m x $tree)"; } &&
	good=$(git rev-parse $ref:series.json) && link=$(printf ../../x | git hash-object -w --stdin) &&
	printf "120000 blob $link\tlink\n100644 blob $good\tseries.json\n" | mk link &&
	printf "160000 commit $head\tsub\n100644 blob $good\tseries.json\n" | mk sub &&
	printf "100644 blob $link\tseries.json\n" | mk text &&
	printf "100644 blob $(echo "{\"schema\": 1}" | git hash-object -w --stdin)\tseries.json\n" | mk noid &&
	t=$(printf "100644 blob $link\tf\n" | git mktree) && for i in 1 2 3 4 5 6 7; do t=$(for j in 0 1 2 3 4 5 6 7 8 9; do printf "040000 tree $t\t$j\n"; done | git mktree); done &&
	printf "040000 tree $t\tbomb\n100644 blob $good\tseries.json\n" | mk bomb &&
	for i in 1 2 3 4 5 6 7 8 9; do t=$(printf "040000 tree $t\td\n" | git mktree); done && printf "040000 tree $t\td\n100644 blob $good\tseries.json\n" | mk deep &&
	git cat-file -p $ref:series.json | sed "s/\"schema\": 1/\"schema\": 2/" >../doc && printf "100644 blob $(git hash-object -w ../doc)\tseries.json\n" | mk newer &&
	cd .. && echo "goes on" | on a "$SERIES" cover -F - && test_status 2 on a series sync >out 2>err && test_grep "^sent  *topic" out &&
	for n in refs/series/UPPER/state "refs/series/.(id)/state" refs/series/nested/a/b/state refs/series/good/evil refs/series/-x/state kernel blob link sub text noid bomb deep newer; do
		test_grep "^left out *$n\$" out || return 1; done && test_grep "link. is no plain file" out && test_grep "sub. is no plain file" out &&
	test_grep "more than .* files" out && test_grep "levels of folders" out && grep -A1 "^left out newer" out >w && test_grep "newer\|update" w &&
	series -C a list >out && [ "$(wc -l <out)" = 4 ] && test_nogrep "newer\|link\|bomb" out
'

test_expect_success 'a newer state of a series that is here: refused on both sides, the hub keeps it' '
	cd a && put a $ref series.json <../doc && new=$(state a) && git push -q hub $ref:$ref && test_status 2 series sync >out 2>err && test_grep "^left out *topic" out &&
	[ "$(state hub.git)" = "$new" ] && cd ../b && old=$(state b) && test_status 2 series sync >out 2>err && test_grep "^left out *topic" out && [ "$(state b)" = "$old" ]
'

test_expect_success 'which remote: none, several, no such one' '
	git init -q lone && cd lone && test_status 129 series sync 2>err && test_grep "git remote add" err && git remote add x "file://$T/gone" && git remote add y "file://$T/gone" &&
	test_status 129 series sync 2>err && test_grep "x, y" err && test_status 129 series sync z 2>err && test_grep "no remote" err &&
	test_status 1 series sync --yes x 2>err && test_grep "cannot fetch from x" err && test_status 129 series sync -- -x 2>err
'

test_done
