#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tags in replies: mails of each kind, and what a person would say of each, written by hand.
# Real mails with labels are judged too, a table as tag-gold.py has it:
#	TAG_GOLD=FOLDER/gold.tsv sh tests/t/t0435-tags.sh
# and so are the tags of patches that landed, as tag-landed.py has them:
#	TAG_LANDED=FOLDER/truth.tsv TAG_MAIL="FOLDER REPOSITORY..." sh tests/t/t0435-tags.sh
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

landed() {
	python3 "$SRCDIR/tests/helper/tag-landed.py" "$BUILD/tests/tag-dump" "$@"
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

# Two patches: Ada's tags are in replies, one to the cover; the truth says what landed.
test_expect_success "tags that landed" '
	mkdir landed && {
		printf "From a Mon Jan  1 00:00:00 2024\nFrom: Wendy <wendy@example.org>\nSubject: [PATCH 0/2] x\n" &&
		printf "Message-ID: <c@x>\n\nTwo.\n\n" &&
		for k in 1 2; do
			printf "From a Mon Jan  1 00:00:00 2024\nFrom: Wendy <wendy@example.org>\n" &&
			printf "Subject: [PATCH %d/2] x%d\nMessage-ID: <%d@x>\nIn-Reply-To: <c@x>\n\n" $k $k $k &&
			printf "Do.\n\n---\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b%d\n\n" $k
		done &&
		printf "From a Mon Jan  1 00:00:00 2024\nFrom: $A\nSubject: Re: [PATCH 0/2] x\nMessage-ID: <r@x>\n" &&
		printf "In-Reply-To: <c@x>\n\nAcked-by: $A\n\n" &&
		printf "From a Mon Jan  1 00:00:00 2024\nFrom: $A\nSubject: Re: [PATCH 1/2] x\nMessage-ID: <s@x>\n" &&
		printf "In-Reply-To: <1@x>\n\nTested-by: $A\n\n"
	} >landed/mbox && hash=$(printf ada@example.org | sha1sum | cut -c1-8) &&
	{
		printf "patch_msgid\tpatch_reply_tags\tcover_reply_tags\tlanded_tags\n" &&
		printf "1@x\tTested-by:$hash\tAcked-by:$hash\tTested-by:$hash\n" &&
		printf "2@x\t-\tAcked-by:$hash\tAcked-by:$hash\n"
	} >truth.tsv && landed truth.tsv landed >out && test_grep "^2 of 2 patches" out &&
	test_grep "not landed:    1 another type by this person" out &&
	sed "s/Tested-by/Reviewed-by/g" truth.tsv >wrong.tsv && test_status 1 landed wrong.tsv landed >out &&
	test_grep "^MISSED 1@x Reviewed-by:$hash" out && test_grep "^1 of 2 patches" out
'

if [ "${TAG_GOLD:-}" ]; then
	test_expect_success "$TAG_GOLD" 'judge "$TAG_GOLD" >out; rc=$?; cat out; cp out "$T/kinds"; [ $rc = 0 ]'
	sed 's/^/# /' "$T/kinds"
fi

if [ "${TAG_LANDED:-}" ]; then
	# shellcheck disable=SC2086 # a list
	test_expect_success "$TAG_LANDED" 'landed "$TAG_LANDED" $TAG_MAIL >out; rc=$?; cat out; cp out "$T/kinds"; [ $rc = 0 ]'
	sed 's/^/# /' "$T/kinds"
fi

test_done
