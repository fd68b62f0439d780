#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What series list says of the tags of each series: people by type, told from documents
# that are written by hand.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/state.sh"

n=0
# tag VERSION PATCH KIND TYPE PERSON [MORE]: in the order of time
tag() {
	n=$((n + 1))
	put "review/tags/$(printf "%016x" $n).json" <<-E
	{"schema": 1, "type": "$4", "line": "$4: $5 <$5@example.org>", "name": "$5", "email": "$5@example.org",
	 "message_id": "m$n@example.org", "date": $((1700000000 + n)), "version": $1, "label": "v$1", "patch": $2,
	 "kind": "$3"${6:+, $6}}
	E
}
# counts NAME: "REVIEWED ACKED TESTED DOUBTFUL NAKS"
counts() {
	"$SERIES" list --json | python3 -c "
import json, sys
for s in json.load(sys.stdin)['series']:
    t = s['tags']
    if s['name'] == '$1':
        print(t and ' '.join(str(t[k]) for k in ('reviewed', 'acked', 'tested', 'doubtful', 'naks')))"
}
is() {
	[ "$(counts topic)" = "$1" ] || { counts topic && return 1; }
}

test_expect_success "a series that nobody has tagged" '
	git init -q r && cd r && git commit -q --allow-empty -m base && git switch -q -c topic && git commit -q --allow-empty -m "one" && git commit -q --allow-empty -m "two" &&
	"$SERIES" init --base main && is "0 0 0 0 0" && "$SERIES" list >out && test_grep "^\*  *topic  *topic  *-  *preparing  *-  *" out
'
test_expect_success "a person counts once a type, for whatever patches and versions" '
	cd r && tag 1 1 collected Reviewed-by rita && tag 1 2 collected reviewed-by rita && tag 2 0 collected Reviewed-by rita && tag 2 0 collected Acked-by rita &&
	tag 1 1 collected Reviewed-by anton && tag 1 1 collected Tested-by theo && is "2 1 1 0 0" && "$SERIES" list >out && test_grep "  R2 A1 T1  " out
'
test_expect_success "what has a condition or is of somebody else is to be decided, once a person; another type and a mere mention are none" '
	cd r && tag 1 1 collected Reviewed-by cleo "\"condition\": \"with that fixed\"" && tag 1 2 collected Reviewed-by cleo "\"scope\": \"for arm64\"" &&
	tag 1 1 collected Acked-by dora "\"doubtful\": true" && tag 1 1 offered Suggested-by sven && tag 1 1 shown Fixes fred && is "2 1 1 2 0" && "$SERIES" list >out && test_grep "  R2 A1 T1 ?2  " out
'
test_expect_success "a clear word, or a decision, takes the place of a doubtful one" '
	cd r && tag 2 2 collected Reviewed-by cleo && is "3 1 1 1 0" && tag 1 2 collected Acked-by dora "\"doubtful\": true, \"decision\": \"keep\"" && is "3 2 1 0 0"
'
test_expect_success "what was dropped or taken back is gone: of a patch what was said of it, of the cover all; not what came later" '
	cd r && tag 1 1 collected Tested-by dirk "\"decision\": \"drop\"" && tag 1 1 collected Tested-by ralf "\"retracted\": true" && is "3 2 1 0 0" &&
	tag 2 0 retraction Reviewed-by anton && is "2 2 1 0 0" && tag 2 1 retraction "" theo && is "2 2 1 0 0" && tag 1 1 retraction "" theo && is "2 2 0 0 0" &&
	tag 1 1 collected Tested-by theo && is "2 2 1 0 0"
'
test_expect_success "a NAK stands until it is acknowledged" '
	cd r && tag 1 1 nak "" nina && tag 1 2 nak Nacked-by nora && is "2 2 1 0 2" && "$SERIES" list >out && test_grep "  R2 A2 T1 N2  " out &&
	tag 2 0 nak "" olga "\"decision\": \"drop\"" && is "2 2 1 0 2"
'
test_expect_success "tags that cannot be read hide nothing else" '
	cd r && git branch -q other main && git switch -q other && git commit -q --allow-empty -m three && "$SERIES" init --base main && put_state review/tags/ffff000000000001.json "{\"schema\": 1}" &&
	test_status 2 "$SERIES" list >out 2>err && test_grep "topic  *topic  *-  *preparing  *unreadable  *" out && test_grep "other  *other  *-  *preparing  *-  *" out && test_grep "review/tags/ffff000000000001.json" err &&
	[ "$(counts topic)" = None ]
'
test_done
