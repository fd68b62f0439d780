# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of "series check", sourced behind mail.sh: findings looked for by id, remedies
# pasted, and the proof that no check was left out.
# shellcheck shell=sh disable=SC2034
git config --global --remove-section series.check

# has ID [COUNT [OPTION...]]: the check finds that (many times), an error gives status 2;
# lacks ID [OPTION...]: it does not. The answer is in $T/json. Both keep book in $T.
has() {
	check_id=$1
	check_count=${2:-}
	shift $(($# > 1 ? 2 : 1))
	"$SERIES" check --only "$check_id" --json "$@" >"$T/json" 2>"$T/err"
	got=$?
	echo "$check_id" >>"$T/found"
	python3 - "$check_id" "$check_count" "$got" "$T/json" "$T/pasteable" <<-\EOF
	import json, re, sys
	d = json.load(open(sys.argv[4]))
	ours = [f for f in d["findings"] if f["id"] == sys.argv[1]]
	assert ours, "no finding of " + sys.argv[1]
	assert len(ours) == len(d["findings"]), d["findings"]
	assert not sys.argv[2] or len(ours) == int(sys.argv[2]), ours
	assert [c["state"] for c in d["checks"] if c["id"] == sys.argv[1]] == ["found"]
	errors = [f for f in ours if f["severity"] == "error"]
	assert int(sys.argv[3]) == (2 if errors else 0), sys.argv[3]
	# A command, "why: command" too; no COMMIT to fill in and no words behind it.
	for f in ours:
	    m = re.fullmatch(r"(?:[a-z ,]+: )?((?:git|series) [^,;:#]*)", f["remedy"])
	    if m and not re.search(r"\b[A-Z]{3,}\b", re.sub(r"'[^']*'", "", m[1])):
	        open(sys.argv[5], "a").write(f"{f['id']}\n")
	EOF
}
lacks() {
	lacks_id=$1
	shift
	"$SERIES" check --only "$lacks_id" --json "$@" >"$T/json" 2>"$T/err" || { cat "$T/json" "$T/err"; return 1; }
	echo "$lacks_id" >>"$T/absent"
	python3 - "$lacks_id" "$T/json" <<-\EOF
	import json, sys
	d = json.load(open(sys.argv[2]))
	assert d["findings"] == [], d["findings"]
	assert [c["state"] for c in d["checks"] if c["id"] == sys.argv[1]] == ["passed"], d["checks"]
	EOF
}
# field NAME: of the first finding of the last answer. remedy [TEXT]: pasted into a shell,
# whose editor writes TEXT, it takes what has() found last away. Of git rebase -i its comment
# says which patch gets which command.
field() {
	python3 -c 'import json, sys; print(json.load(open(sys.argv[2]))["findings"][0][sys.argv[1]])' "$1" "$T/json"
}
remedy() {
	field remedy | sed "s/^[a-z ,]*: \(git\|series\)/\1/" >"$T/remedy.sh" && printf "%s\n" "${1:-}" >"$T/remedy.in" &&
	printf '#!/bin/sh\n[ ! -s "%s" ] || cat "%s" >"$1"\n' "$T/remedy.text" "$T/remedy.in" >"$T/remedy.ed" &&
	printf "%s" "${1:-}" >"$T/remedy.text" && chmod +x "$T/remedy.ed" &&
	remedy_todo=$(sed -n "s/.*# .\([a-z]*\). patch \([0-9]*\).*/\2s,pick,\1,/p" "$T/remedy.sh") &&
	GIT_EDITOR=$T/remedy.ed EDITOR=$T/remedy.ed VISUAL=$T/remedy.ed GIT_SEQUENCE_EDITOR="sed -i ${remedy_todo:-1s,^,,}" PATH=$BUILD:$PATH \
		sh -e "$T/remedy.sh" >"$T/remedy.out" 2>&1 || { cat "$T/remedy.sh" "$T/remedy.out"; return 1; }
	lacks "$check_id" && echo "$check_id" >>"$T/cured"
}
# message TEXT: of the last commit.
message() {
	printf "%s\n" "$1" | git commit -q --amend --allow-empty -F -
}
q="'"
sob="Signed-off-by: Wendy Writer <wendy@example.org>"
good="numbers: change line 2

Because it reads better.

$sob"

# check_proof OTHER TABLE: each id of the table of checks was found here by has() and missed
# by lacks(), or the script OTHER does that, or TABLE has "ID SCRIPT WORDS" and that script
# looks for those words. What was found here with a remedy that is a command had that run, or
# TABLE has "ID - why not".
check_proof() {
	"$SERIES" check --list | cut -d" " -f1 >"$T/listed"
	printf "%s\n" "$2" >"$T/elsewhere"
	python3 - "$T" "$SRCDIR/tests/t" "$1" <<-\EOF
	import os, re, sys
	top, scripts, other = sys.argv[1:]
	def lines(name):
	    path = os.path.join(top, name)
	    return open(path).read().splitlines() if os.path.exists(path) else []
	ids, found, absent = lines("listed"), set(lines("found")), set(lines("absent"))
	table = [l.split(None, 2) for l in lines("elsewhere") if l.strip()]
	text = open(os.path.join(scripts, other)).read()
	loops = " ".join(re.findall(r"for \w+ in ([^;]*); do", text))
	def there(word, i):
	    return re.search(rf"\b{word} {i}(?![\w-])", text) or word == "lacks" and re.search(rf"(?<![\w-]){i}(?![\w-])", loops)
	elsewhere = {i for i, script, words in table if script != "-" and words in open(os.path.join(scripts, script)).read()}
	assert len(ids) > 50 and found <= set(ids), found - set(ids)
	lost = [i for i in ids if i not in elsewhere and not (i in found or there("has", i))]
	lost += ["not " + i for i in ids if i not in elsewhere and not (i in absent or there("lacks", i))]
	lost += ["remedy of " + i for i in set(lines("pasteable")) - set(lines("cured")) - {i for i, script, _ in table if script == "-"}]
	assert not lost, lost
	EOF
}
