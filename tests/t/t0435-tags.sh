#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tags in replies: mails of each kind, and what a person would say of each, written by hand.
# Real mails with labels are judged too, a table as tag-gold.py has it:
#	TAG_GOLD=FOLDER/gold.tsv sh tests/t/t0435-tags.sh
. "${SRCDIR:-.}/tests/helper/tap.sh"

A='Ada Able <ada@example.org>'

# mail LABEL DETAIL EVIDENCE: standard input is the text of a mail and belongs into the table.
n=0
mail() {
	n=$((n + 1))
	{ printf 'From: %s\nSubject: Re: [PATCH] x\nMessage-ID: <%s@example.org>\n\n' "$A" $n; cat; } >$n.eml
	printf '%s\t%s\t%s\tRe: [PATCH] x\t%s\n' $n.eml "$1" "$2" "$3" >>gold.tsv
}
judge() {
	python3 "$SRCDIR/tests/helper/tag-gold.py" "$BUILD/tests/tag-dump" "$@"
}

mail tag-conditional x "With that fixed: / Reviewed-by:" <<EOF
> int x;

A blank is missing here. With that fixed:

Reviewed-by: $A
EOF
mail tag-conditional x "Acked-by:" <<EOF
If you put that into a function of its own, feel free to add my

  Acked-by: $A
EOF
mail tag-scope-series x "For the series: / Acked-by:" <<EOF
For the series:

Acked-by: $A
EOF
mail tag-scope-part x "For the arm64 bits: / Acked-by:" <<EOF
For the arm64 bits:

Acked-by: $A
EOF
mail tag-misspelt "meant Reviewed-by" "Reveiwed-by:" <<EOF
Reveiwed-by: $A
EOF
mail tag-misspelt "meant Fixes:" "Fixs:" <<EOF
Fixs: 0123456789ab ("x")
EOF
mail tag-nonperson x "Reviewed-by: claude-opus-9" <<EOF
Reviewed-by: claude-opus-9[1m]
EOF
mail tag-valid-no-address x "Tested-by: Klara Klee" <<EOF
Tested-by: Klara Klee
EOF
mail tag-valid-nonstandard-spelling x "Acked-By:" <<EOF
Acked-By: $A
EOF
mail tag-retracted x "I revoke" <<EOF
I revoke my Ack.
EOF
mail tag-kept x "No need" <<EOF
No need to remove my Reviewed-by just for that.
EOF
mail nak-informal x "NAK." <<EOF
> int x;

NAK. Do it in user space.
EOF
mail nak-trailer x "Nacked-by:" <<EOF
Nacked-by: $A
EOF
mail nak-scope-part x "Nack for the bpf bits" <<EOF
Nack for the bpf bits.
EOF
mail not-a-nak x "NACK first" <<EOF
NACK first and ask later, right Bo?
EOF
mail not-a-tag x "Reviewed-by: when" <<EOF
Please add the
Reviewed-by: when sending out the next version.
EOF
mail not-a-tag x "Test: make check" <<EOF
Test: make check
EOF
mail author-dropped-tags x "- Dropped Bo's Reviewed-by" <<EOF
- Dropped Bo's Reviewed-by, for the code has changed
EOF
mail fixes-nonstandard x "Fixes: commit" <<EOF
Fixes: commit 0123456789ab (x)
EOF

test_expect_success "mails of each kind" '
	judge gold.tsv >out; rc=$?; cat out; test $rc = 0 && ! grep DIFFERS out &&
	test_grep "^19 of 19 labels right" out
'

test_expect_success "a label that is wrong is told" '
	sed -n "1s/tag-conditional/tag-scope-part/p" gold.tsv >wrong.tsv &&
	test_status 1 judge wrong.tsv >out && test_grep "^DIFFERS tag-scope-part 1.eml" out &&
	test_grep "^0 of 1 labels right" out
'

if [ "${TAG_GOLD:-}" ]; then
	test_expect_success "$TAG_GOLD" 'judge "$TAG_GOLD" >out; rc=$?; cat out; cp out "$T/kinds"; [ $rc = 0 ]'
	sed 's/^/# /' "$T/kinds"
fi

test_done
