#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: help, usage errors, and that everything derived from the option tables
# (-h, man pages, completions, --dump-spec) says the same.
. "${SRCDIR:-.}/tests/helper/tap.sh"

series --dump-spec >spec.json
# One line per option: COMMAND LETTER NAME KIND
spec_rows() {
	python3 - <<'P'
import json
for c in json.load(open("spec.json"))["commands"]:
    for o in c["options"]:
        print(c["name"], o["letter"] or "-", o["name"], o["kind"])
P
}
spec_commands() {
	python3 -c 'import json
for c in json.load(open("spec.json"))["commands"]: print(c["name"])'
}

test_expect_success 'the commands of this program are all there' '
	spec_commands >commands &&
	for c in init list status log base cover recipients build host bench report format \
		 send doctor help version; do
		grep -qx $c commands || { echo "no $c"; return 1; }
	done
'

test_expect_success 'the overview names every command' '
	series help >overview &&
	for c in $(spec_commands); do grep -q "^  $c " overview || { echo $c; return 1; }; done
'

test_expect_success 'bare series outside a repository prints the overview' '
	mkdir outside && cd outside && GIT_CEILING_DIRECTORIES=$T series >../bare && cd .. &&
	test_cmp overview bare
'

# What looks at no series works in a plain folder and on a branch without one, and has the
# settings that hold there.
test_expect_success 'lists that need no series work anywhere' '
	GIT_CEILING_DIRECTORIES=$T && export GIT_CEILING_DIRECTORIES && git init -q norepo/bare &&
	git -C norepo/bare commit -q --allow-empty -m x && mkdir -p norepo/plain &&
	git config --global series.check.too-soon error && git config --global series.host.mine.type qemu &&
	git -C norepo/bare config series.check.subject-dot off &&
	for d in plain bare; do
		(cd norepo/$d && series check --list >../$d.list && series check --list --json >../$d.json &&
		 series check --list --only too-soon >/dev/null && series bench --list >../$d.bench &&
		 series bench --show swapout >/dev/null && series host list >../$d.host &&
		 series --complete=host >../$d.hosts && grep -qx mine ../$d.hosts &&
		 test_status 1 series bench 2>../$d.err) || return 1
		test_grep "^too-soon  *error " norepo/$d.list && test_grep "^am-proof  *error " norepo/$d.list &&
		test_grep "^  swapout " norepo/$d.bench && test_grep "^mine " norepo/$d.host || return 1
	done &&
	test_grep "^subject-dot  *warning " norepo/plain.list && test_grep "^subject-dot  *off " norepo/bare.list &&
	python3 -c "
import json
plain, bare = ({c[\"id\"]: c for c in json.load(open(f\"norepo/{d}.json\"))[\"checks\"]} for d in (\"plain\", \"bare\"))
assert plain[\"too-soon\"][\"severity\"] == bare[\"too-soon\"][\"severity\"] == \"error\"
assert plain[\"subject-dot\"][\"state\"] == \"passed\" and bare[\"subject-dot\"][\"state\"] == \"off\"
assert plain[\"cover-missing\"][\"fixed\"] and not plain[\"too-soon\"][\"fixed\"]
" && test_status 129 series -C norepo/plain check --list --only nothing 2>e && test_grep nothing e &&
	git config --global series.check.too-soon loud && test_status 129 series -C norepo/plain check --list 2>e &&
	test_grep "off, warn or error" e && git config --global --remove-section series.check &&
	git config --global --remove-section series.host.mine
'

test_expect_success '-h, --help and help show each option of each command' '
	for c in $(spec_commands); do
		series $c -h >h1 && series $c --help >h2 && series help $c >h3 &&
		test_cmp h1 h2 && test_cmp h1 h3 &&
		head -1 h1 | grep -q "^usage: series $c" || return 1
	done &&
	spec_rows | while read -r c letter name kind; do
		series $c -h >h && grep -q -e "--\(\[no-\]\)\?$name" h || { echo "$c $name"; return 1; }
		[ "$letter" = - ] || grep -q -e "-$letter," h || { echo "$c -$letter"; return 1; }
	done
'

test_expect_success 'man pages: one for each command, each option in it' '
	spec_rows >rows &&
	while read -r c letter name kind; do
		page=$SRCDIR/templates/man/series-$c.1
		[ -e $page ] || { echo "no $page"; return 1; }
		# roff writes a hyphen as \-
		want=$(printf %s "$name" | sed "s/-/\\\\\\\\-/g")
		grep -q "$want" $page || { echo "$c $name"; return 1; }
	done <rows &&
	for c in $(spec_commands); do grep -q "^.BR series.*-$c" $SRCDIR/templates/man/series.1 || return 1; done
'

# Hyphens are \- there.
test_expect_success 'the manual of check has every check with its severity' '
	series check --list >list && test "$(wc -l <list)" -gt 50 &&
	sed "s/\\\\//g" $SRCDIR/templates/man/series-check.1 >page &&
	while read -r id severity about; do
		grep -A1 "^.BR $id \" ($severity\(, fixed\)\?)\"$" page | tail -n 1 >line &&
		grep -qix "$(printf %s "$about" | sed "s/[][\\.*^$]/\\\\&/g")\." line || { echo "$id"; cat line; return 1; }
	done <list
'

test_expect_success 'man pages are sound' '
	if command -v mandoc >/dev/null; then
		for p in $SRCDIR/templates/man/*.1; do mandoc -T lint -W error $p || return 1; done
	fi
'

test_expect_success 'what is generated is what is committed' '
	mkdir gen && python3 $SRCDIR/templates/generate.py gen <spec.json &&
	diff -r gen/completions $SRCDIR/completions && diff -r gen/templates/man $SRCDIR/templates/man
'

# What bash would offer for the words given, the last one being completed.
bash_offers() {
	bash -c '
		. "$1"; shift
		COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
		compopt() { :; }
		_series
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$SRCDIR/completions/series.bash" "$@"
}

test_expect_success 'bash completes commands, options, choices and arches' '
	bash_offers series st >o && grep -qx status o && ! grep -qx send o &&
	bash_offers series build --ar >o && grep -qx -e "--arch=" o &&
	bash_offers series build --arch "" >o && grep -qx arm64 o && grep -qx x86_64 o &&
	bash_offers series build --arch = ar >o && grep -qx arm64 o && ! grep -qx x86_64 o &&
	bash_offers series -C /tmp --color a >o && grep -qx always o &&
	bash_offers series help b >o && grep -qx build o &&
	bash_offers series host "" >o && grep -qx list o && grep -qx check o && grep -qx qemu o &&
	bash_offers series cover --template s >o && echo single | cmp - o
'

test_expect_success 'bash completes one id and the next ones behind commas' '
	series check --list | cut -d" " -f1 >ids && bash_offers series check --only "" >o && test_cmp ids o &&
	bash_offers series check --only fixes-s >o && echo fixes-subject | cmp - o &&
	bash_offers series check --only = am-proof,fixes-s >o && echo am-proof,fixes-subject | cmp - o &&
	bash_offers series check --only am-proof,a >o && printf "am-proof,%s\n" author-address am-proof author-lost >want &&
	test_cmp want o
'

test_expect_success 'bash does not run what a branch is called' '
	git init -q evil && cd evil && test_commit a 1 one &&
	git update-ref "refs/heads/\$(touch\${IFS}ran)" HEAD && git update-ref "refs/heads/plain/x;y" HEAD &&
	bash_offers series base --set "" >o && [ ! -e ran ] &&
	grep -qxF "\\\$\(touch\\\$\{IFS\}ran\)" o && grep -qxF "plain/x\;y" o && grep -qx main o &&
	bash_offers series base --set "ma" >o && echo main | cmp - o
'

test_expect_success 'zsh and fish take their completions' '
	if command -v zsh >/dev/null; then zsh -n $SRCDIR/completions/_series || return 1; fi &&
	if command -v fish >/dev/null; then fish -n $SRCDIR/completions/series.fish || return 1; fi
'

test_expect_success 'an unknown command, option or argument is a usage error' '
	test_status 129 series frobnicate 2>e && test_grep "frobnicate.*not a command" e &&
	test_status 129 series doctor --jsn 2>e && test_grep "jsn" e &&
	test_status 129 series --colour 2>e && test_grep colour e &&
	test_status 129 series version extra 2>e && test_grep "too many arguments" e &&
	test_status 129 series --color=mauve version 2>e && test_grep "auto" e &&
	test_status 129 series --complete=nothing 2>e && test_grep nothing e
'

test_expect_success 'an unknown command with control bytes does not reach the terminal' '
	test_status 129 series "$(printf "a\033]0;x\007b")" 2>e &&
	! grep -q "$(printf "\033")" e
'

test_expect_success '-C changes the folder, and says when it cannot' '
	git init -q repo && test_status 1 series -C nowhere version 2>e && test_grep nowhere e &&
	series -C repo doctor --json >d.json; grep -q "\"repository\"" d.json && grep -q "repo/.git" d.json
'

test_expect_success 'a full disk is an error' '
	[ -e /dev/full ] || return 0
	test_status 1 sh -c "series help >/dev/full" 2>e && test_grep "standard output" e
'

test_expect_success 'doctor: missing programs are named with their package, status 2' '
	mkdir bin && ln -s "$(command -v git)" bin/git &&
	(PATH=$T/bin test_status 2 "$SERIES" doctor) >d 2>e &&
	test_grep "make is missing" d && test_grep "apt-get install make" d &&
	test_grep "qemu-system-arm" d
'

test_expect_success 'doctor: mistyped settings, values that nothing takes, with what was meant' '
	git init -q set && (cd set && git config series.checkpatch.x 1 && git config series.covertempalte x && git config series.check.no-such-id off &&
	git config series.host.big.Memroy 1 && git config series.changelog arow && git config --add series.xyzzyplugh 1 && git config series.host.a.b.memory 64 &&
	git config series.check.days 3 && git config series.check.too-soon off && git config series.arch.arm64.CROSS x- && git config series.changelog.patches both) &&
	series -C set doctor >d; sed -n "/^warning  *series\./{N;s/\n  */ | /;s/^warning  *//;p;}" d | sort >got && cat >want <<-\E && test_cmp want got
	series.changelog is '\''arow'\''; it may be changes|arrow | git config series.changelog VALUE
	series.check.no-such-id is set, and there is no such check | series check --list has them; git config --unset-all series.check.no-such-id
	series.checkpatch.x is set, and nothing reads it | git config --unset-all series.checkpatch.x; man series has all keys
	series.covertempalte is set, and nothing reads it | did you mean series.coverTemplate? git config --unset-all series.covertempalte takes this one away
	series.host.big.memroy is set, and nothing reads it | did you mean series.host.big.memory? git config --unset-all series.host.big.memroy takes this one away
	series.xyzzyplugh is set, and nothing reads it | git config --unset-all series.xyzzyplugh; man series has all keys
	E
'

test_expect_success 'every key of ours that the code reads is in the manual' '
	cat "$SRCDIR"/lib/*/*.c "$SRCDIR"/cmd/*.c "$SRCDIR"/cmd/tui/*.c | tr "\n\t" "  " |
		grep -o "\(config_get[a-z_]*([^\"]*\|xasprintf(\)\"series\.[a-zA-Z0-9.%-]*\"" | sed "s/.*\"series\.//; s/\"//; s/%s/*/g" | sort -u >read &&
	test_grep "^midmask$" read && test_grep "^host.\*.extra$" read && grep -v "^[a-z]*\.\*\(\.\*\)\{0,1\}$" read >keys &&
	series --dump-spec | python3 -c "
import json, sys
have = {s[\"key\"].lower() for s in json.load(sys.stdin)[\"settings\"]}
missing = [k.strip() for k in open(\"keys\") if k.strip().lower() not in have]
assert not missing, missing"
'

test_expect_success 'doctor: a folder of templates that has none' '
	(SERIES_TEMPLATES=$T/bin series doctor) >d; test_grep "^warning  *SERIES_TEMPLATES is $T/bin, and .*templates" d &&
	series doctor >d; test_nogrep SERIES_TEMPLATES d && test_grep "^ok .*templates" d
'

test_expect_success 'no command has two options of one name or letter' '
	series --dump-spec | python3 -c "
import json, sys
for c in json.load(sys.stdin)[\"commands\"]:
    for key in \"name\", \"letter\":
        seen = [o[key] for o in c[\"options\"] if o[key]]
        twice = {x for x in seen if seen.count(x) > 1}
        assert not twice, (c[\"name\"], twice)
"
'

test_expect_success 'version' '
	series version >v1 && series --version >v2 && test_cmp v1 v2 && grep -qx "series [0-9.]*" v1
'

test_done
