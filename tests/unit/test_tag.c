// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_tag.c - tags in texts and in threads. What each mail means was written down by
 * hand, as a person would read it; real kinds, invented people.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/tag.h"

#define A "Ada Able <ada@example.org>"

/*
 * Tags as text, one a line: "LINE KIND TYPE: VALUE", then what there is of " note: ...",
 * " misspelt", " if: CONDITION", " for: WORDS" (of the series " series", of patches
 * " patches 1 2").
 */
static void show(const struct tags *tags, struct buf *out)
{
	static const char *const kinds[] = { "takes", "offers", "nak", "shows", "drops" };

	for (size_t i = 0; i < tags->n; i++) {
		const struct tag *t = &tags->v[i];

		buf_printf(out, "%s%zu %s %s: %s", i ? "\n" : "", t->line, kinds[t->kind],
			   t->type, t->value);
		if (t->note)
			buf_printf(out, " note: %s", t->note);
		buf_puts(out, t->misspelt ? " misspelt" : "");
		if (t->condition)
			buf_printf(out, " if: %s", t->condition);
		if (t->scope == SCOPE_PART)
			buf_printf(out, " for: %s", t->scope_words);
		buf_puts(out, t->scope == SCOPE_SERIES ? " series" : "");
		buf_puts(out, t->scope == SCOPE_PATCHES ? " patches" : "");
		for (size_t k = 0; k < t->n_scope_patches; k++)
			buf_printf(out, " %zu", t->scope_patches[k]);
	}
}

struct row {
	const char *text, *tags;
};

static void check(const struct row *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tags tags _cleanup_tags_ = { 0 };
		struct buf is _cleanup_buf_ = BUF_INIT;

		tags_find(str_c(r[i].text), &tags);
		show(&tags, &is);
		if (strcmp(buf_cstr(&is), r[i].tags))
			print_message("# in: %s\n", r[i].text);
		assert_string_equal(buf_cstr(&is), r[i].tags);
	}
}

#define CHECK(rows) check(rows, ARRAY_SIZE(rows))

static void test_lines(void **state)
{
	static const struct row rows[] = {
		{ "Looks good.\n\nReviewed-by: " A "\n", "3 takes Reviewed-by: " A },
		{ "Acked-by: " A "\nTested-by: " A "\n",
		  "1 takes Acked-by: " A "\n2 takes Tested-by: " A },
		/* no line end, CRLF, case, blanks and tabs in front and before the colon
		 */
		{ "ACKED-BY: " A, "1 takes Acked-by: " A },
		{ "reviewed-by: " A "\r\n", "1 takes Reviewed-by: " A },
		{ "  Reviewed-By: " A "\n", "1 takes Reviewed-by: " A },
		{ "\tAcked-by:" A "\n", "1 takes Acked-by: " A },
		{ "Reviewed-by : " A "\n", "1 takes Reviewed-by: " A },
		{ "Reviewed by: " A "\n", "1 takes Reviewed-by: " A },
		/* quoted, a signature, what stands below it */
		{ "> Reviewed-by: " A "\n", "" },
		{ " >> Reviewed-by: " A "\n", "" },
		{ "ab> Reviewed-by: " A "\n", "" },
		{ "Hi\n-- \nReviewed-by: " A "\n", "" },
		{ "--\nReviewed-by: " A "\n", "2 takes Reviewed-by: " A },
		{ "--\nAda\n\n> x\nReviewed-by: " A "\n", "5 takes Reviewed-by: " A },
		/* a diff with a tag in a context line, and what follows it */
		{ "@@ -1,2 +1,3 @@\n Acked-by: " A "\n+Acked-by: " A "\n x\n"
		  "\nReviewed-by: " A "\n",
		  "6 takes Reviewed-by: " A },
		{ "@@ -1 +1 @@\n-a\n+b\n Acked-by: " A "\n", "4 takes Acked-by: " A },
		{ "@@ -1,9 +1,9 @@\nReviewed-by: " A "\n", "2 takes Reviewed-by: " A },
		/* other mails and patches in it */
		{ "Acked-by: " A "\n-- 8< --\nSubject: x\n\nReviewed-by: " A "\n",
		  "1 takes Acked-by: " A },
		{ "Fine.\n-----Original Message-----\nReviewed-by: " A "\n", "" },
		{ "Fine.\n\n---------- Forwarded Message ----------\nFrom: " A
		  "\n\nHi,\n> x\nReviewed-by: " A "\n",
		  "" },
		{ "-----Original Message-----\nFrom: " A "\nSent: Monday\nTo: x\n\n> x\n"
		  "Reviewed-by: " A "\n",
		  "7 takes Reviewed-by: " A },
		{ "Fine.\n\nFrom: " A
		  "\nSent: Monday\nTo: x\nSubject: y\n\nReviewed-by: " A "\n",
		  "" },
		/* other trailers are shown, fields of mails are nothing */
		{ "Signed-off-by: " A "\nFixes: 0123456789ab (\"x\")\nCc: " A
		  "\nLink: https://example.org/r/1@host\nDebugged-by: " A "\n",
		  "1 shows Signed-off-by: " A "\n2 shows Fixes: 0123456789ab (\"x\")\n"
		  "3 shows Cc: " A "\n4 shows Link: https://example.org/r/1@host\n"
		  "5 shows Debugged-by: " A },
		{ "Message-ID: <x@example.org>\nbase-commit: 0123456789ab\nDate: Mon\n"
		  "change-id: 20240101-x\nSubject: x <a@example.org>\n",
		  "" },
		{ "Reported-by: " A "\nSuggested-by: " A "\n",
		  "1 offers Reported-by: " A "\n2 offers Suggested-by: " A },
		{ "Nacked-by: " A "\n", "1 nak Nacked-by: " A },
		/* a key must be ASCII */
		{ "R\xc3\xa9viewed-by: " A "\n", "" },
		{ "Von: " A "\n", "" },
		{ "", "" },
	};

	CHECK(rows);
}

static void test_people(void **state)
{
	static const struct row rows[] = {
		/* kept byte for byte */
		{ "Acked-by: \"Able, Ada\" <ada@example.org>\n",
		  "1 takes Acked-by: \"Able, Ada\" <ada@example.org>" },
		{ "Acked-by: Able, Ada <ada@example.org>\n",
		  "1 takes Acked-by: Able, Ada <ada@example.org>" },
		{ "Acked-by: Ada \"AA\" Able (Corp, Inc.)  <ada@example.org>  \n",
		  "1 takes Acked-by: Ada \"AA\" Able (Corp, Inc.)  <ada@example.org>" },
		{ "Acked-by: Ada Able <ada@example.org\n",
		  "1 takes Acked-by: Ada Able <ada@example.org" },
		{ "Acked-by: Xi <xi@example.org>\n",
		  "1 takes Acked-by: Xi <xi@example.org>" },
		{ "Acked-by: ada@example.org\n", "1 takes Acked-by: ada@example.org" },
		{ "Acked-by: <ada@example.org>\n",
		  "1 takes Acked-by: <ada@example.org>" },
		{ "Acked-by: able [at home] <ada@example.org>\n",
		  "1 takes Acked-by: able [at home] <ada@example.org>" },
		{ "Acked-by: " A " # mm parts\n", "1 takes Acked-by: " A " # mm parts" },
		{ "Tested-by: " A " #arm64\n", "1 takes Tested-by: " A " #arm64" },
		{ "Acked-by: " A "\n[for the code in foo.h]\n",
		  "1 takes Acked-by: " A " note: [for the code in foo.h]" },
		{ "Acked-by: " A "\n[for the code\n in foo.h]\n",
		  "1 takes Acked-by: " A " note: [for the code in foo.h]" },
		{ "Tested-by: " A "\n[executed on arm64]\n",
		  "1 takes Tested-by: " A " note: [executed on arm64]" },
		{ "Acked-by: " A "\n[ snip ]\n", "1 takes Acked-by: " A },
		{ "Acked-by: " A "\n[...]\n", "1 takes Acked-by: " A },
		{ "Acked-by: " A "\n[1] https://example.org/\n", "1 takes Acked-by: " A },
		/* broken by a mailer: one line */
		{ "Acked-by: Ada Able\n<ada@example.org>\n", "1 takes Acked-by: " A },
		{ "Acked-by: Ada Able\n  <ada@example.org>\n", "1 takes Acked-by: " A },
		{ "Acked-by: Ada\n Able <ada@example.org>\n", "1 takes Acked-by: " A },
		{ "Acked-by:\n" A "\n", "1 takes Acked-by: " A },
		{ "Acked-by: Ada Able <ada@\nexample.org>\n", "1 takes Acked-by: " A },
		{ "Acked-by: Ada Able\nTested-by: " A "\n",
		  "1 takes Acked-by: Ada Able\n2 takes Tested-by: " A },
		{ "Acked-by: Ada Able\n> <ada@example.org>\n",
		  "1 takes Acked-by: Ada Able" },
		/* no address */
		{ "Tested-by: Klara Klee\n", "1 takes Tested-by: Klara Klee" },
		{ "Acked-by: Ada\n", "1 takes Acked-by: Ada" },
		{ "Acked-by: Jan van der Berg\n", "1 takes Acked-by: Jan van der Berg" },
		{ "Acked-by: \xc3\x89mile Z.\n", "1 takes Acked-by: \xc3\x89mile Z." },
		/* nobody */
		{ "Reviewed-by: when sending out the next version.\n", "" },
		{ "Reviewed-by: is not needed, but\n", "" },
		{ "Reviewed-by: Not yet.\n", "" },
		{ "Reviewed-by: a <b@example.org> tag from last time <c@example.org>\n",
		  "" },
		{ "Tested-by: validation person # who wrote it\n", "" },
		{ "Tested-by: 2 machines\n", "" },
		{ "Reviewed-by:\n", "" },
		{ "Reviewed-by: https://example.org/@ada\n", "" },
		{ "Some-url-by: https://example.org/r/1@host\n", "" },
		/* programs that review */
		{ "Reviewed-by: claude-opus-9[1m]\n", "" },
		{ "Reviewed-by: Claude Opus 9 <noreply@example.org>\n", "" },
		{ "Reviewed-by: ChatGPT <chat@example.org>\n", "" },
		{ "Reviewed-by: Gemini 9 Pro\n", "" },
		{ "Reviewed-by: Claude Able <claude@example.org>\n",
		  "1 takes Reviewed-by: Claude Able <claude@example.org>" },
	};

	CHECK(rows);
}

static void test_names(void **state)
{
	static const struct {
		const char *word, *type;
		bool misspelt;
	} rows[] = {
		{ "Reviewed-by", "Reviewed-by", false },
		{ "ACKED-BY", "Acked-by", false },
		{ "Reviewed by", "Reviewed-by", false },
		{ "Reviewed-by ", "Reviewed-by", false },
		{ "Reviwed-by", "Reviewed-by", true },
		{ "Revieved-by", "Reviewed-by", true },
		{ "Reveiwed-by", "Reviewed-by", true },
		{ "Rewieved-by", "Reviewed-by", true },
		{ "Review-by", "Reviewed-by", true },
		{ "Reviewd-by", "Reviewed-by", true },
		{ "Revieweed-by", "Reviewed-by", true },
		{ "Test-by", "Tested-by", true },
		{ "Tesetd-by", "Tested-by", true },
		{ "Asked-by", "Acked-by", true },
		{ "Acekd-by", "Acked-by", true },
		{ "Singed-off-by", "Signed-off-by", true },
		{ "Nak-by", "Nacked-by", true },
		{ "Fixs", "Fixes", true },
		{ "Reported-and-Tested-by", "Reported-and-tested-by", false },
		{ "Reviewed-and-tested-by", "Reviewed-and-tested-by", false },
		{ "Acked-by/Tested-by", "Acked-and-tested-by", false },
		{ "Tested & Reviewed by", "Tested-and-reviewed-by", false },
		{ "Suggested-by", "Suggested-by", false },
		{ "Co-developed-by", "Co-developed-by", false },
		/* prose and other words */
		{ "Test", NULL, false },
		{ "Tested", NULL, false },
		{ "Suggest", NULL, false },
		{ "Review", NULL, false },
		{ "Backed-by", NULL, false },
		{ "Stand-by", NULL, false },
		{ "near by", NULL, false },
		{ "Revised-by", "Revised-by", false },
		{ "Fixes", "Fixes", false },
		{ "by", NULL, false },
		{ "", NULL, false },
		{ "https", NULL, false },
		{ "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-by",
		  NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool misspelt = false;
		const char *type = tag_type(str_c(rows[i].word), &misspelt);

		if (!type || !rows[i].type)
			assert_ptr_equal(type, rows[i].type);
		else
			assert_string_equal(type, rows[i].type);
		assert_int_equal(misspelt, rows[i].misspelt);
		assert_ptr_equal(type, tag_type(str_c(rows[i].word), NULL));
	}
}

/* What is no tag though it looks like one, and what is one though it does not. */
static void test_odd_lines(void **state)
{
	static const struct row rows[] = {
		{ "Test: make check\nTest : x\nSuggest: use a <b@example.org>\n", "" },
		{ "Fixed: add_part() takes a handle.\n", "" },
		{ "Fixes: target would be the first commit\n", "" },
		{ "Fixed: 0123456789ab (\"x\")\n",
		  "1 shows Fixes: 0123456789ab (\"x\") misspelt" },
		{ "Test-by: " A "\n", "1 takes Tested-by: " A " misspelt" },
		{ "Asked-by: " A "\n", "1 takes Acked-by: " A " misspelt" },
		{ "Test-by: running it\n", "" },
		{ "- Collect Acked-by and Reviewed-by tags. Thanks Ada.\n", "" },
		{ "* Add Reviewed-by " A ".\n", "" },
		{ "- Reviewed-by: " A "\n", "" },
		{ "Queued with Ada's Reviewed-by, thanks!\n", "" },
		{ "You dropped my Reviewed-by: " A "\n", "" },
		{ "Reported-and-Tested-by: " A "\n",
		  "1 takes Reported-and-tested-by: " A },
		/* behind the end of a clause, with an address */
		{ "Looks good, Reviewed-by: " A "\n", "1 takes Reviewed-by: " A },
		{ "Please add Acked-by: " A ".\n", "1 takes Acked-by: " A "." },
		{ "Looks good, Reviewed-by: Ada\n", "" },
	};

	CHECK(rows);
}

static void test_conditions(void **state)
{
#define R	      "Reviewed-by: " A "\n"
#define R_IF(line, c) line " takes Reviewed-by: " A " if: " c
	static const struct row rows[] = {
		{ "With that fixed:\n" R, R_IF("2", "With that fixed") },
		{ "> int i;\n\nNit: a blank here.\n\nWith this nit,\n\n" R,
		  R_IF("7", "With this nit") },
		{ "It is good. With the above changes:\n" R,
		  R_IF("2", "With the above changes") },
		{ "With that, and Bo's comments addressed:\n" R,
		  R_IF("2", "With that, and Bo's comments addressed") },
		{ "With that,\n" R, R_IF("2", "With that") },
		{ "With that,\n-----\n" R, R_IF("3", "With that") },
		{ "With that renamed, it looks good! I look forward\nto it. :)\n\n" R,
		  R_IF("4", "With that renamed, it looks good!") },
		{ "Once the changelog is fixed,\n" R,
		  R_IF("2", "Once the changelog is fixed") },
		{ "Assuming that it is called with the lock held:\n\n" R,
		  R_IF("3", "Assuming that it is called with the lock held") },
		{ "Provided the log is extended\nto say so:\n" R,
		  R_IF("3", "Provided the log is extended to say so") },
		{ "You can add my ack once the issues are\nfixed.\n\n" R,
		  R_IF("4", "You can add my ack once the issues are fixed") },
		{ "If you fix the typo, feel free to add\n" R,
		  R_IF("2", "If you fix the typo, feel free to add") },
		{ "Please fix that up and then feel free to add:\n" R,
		  R_IF("2", "Please fix that up and then feel free to add") },
		{ "Can you rename it to foo()? Feel free to add:\n" R,
		  R_IF("2", "Can you rename it to foo()?") },
		{ "With a better name:\n" R, R_IF("2", "With a better name") },
		{ "After cleanup you can add:\n" R,
		  R_IF("2", "After cleanup you can add") },
		{ "You can add:\n" R "\n...after that re-org.\n",
		  R_IF("2", "...after that re-org") },
		{ "Reviewed-by: " A " after incorporating Bo's suggestion.\n",
		  "1 takes Reviewed-by: " A
		  " after incorporating Bo's suggestion. if: after "
		  "incorporating Bo's suggestion" },
		{ "with that fixed, Reviewed-by: " A "\n", R_IF("1", "with that fixed") },
		{ "With that fixed:\n\nThanks!\n\n" R, R_IF("5", "With that fixed") },
		{ R "\nonce the nits are fixed.\n",
		  R_IF("1", "once the nits are fixed") },
		{ "Reviewed-by: " A " (with the nit fixed)\n",
		  "1 takes Reviewed-by: " A " (with the nit fixed) if: (with the nit "
		  "fixed)" },
		/* quoted text between: it leads to something else */
		{ "With that fixed it works.\n\n> x\n\n" R, "5 takes Reviewed-by: " A },
		/* no condition */
		{ "Looks good to me.\n" R, "2 takes Reviewed-by: " A },
		{ "Feel free to add:\n" R, "2 takes Reviewed-by: " A },
		{ "> x\n\nSorry to be late. Please, feel free to add\n" R,
		  "4 takes Reviewed-by: " A },
		{ "With or without the nits fixed,\n" R, "2 takes Reviewed-by: " A },
		{ R "\nnit: it says if the lock is removed by this patch\n",
		  "1 takes Reviewed-by: " A },
		{ "With that being said, it is fine.\n" R, "2 takes Reviewed-by: " A },
		{ "Other than that it looks good.\n" R, "2 takes Reviewed-by: " A },
		{ "If you need to send a new version, you can add\n" R,
		  "2 takes Reviewed-by: " A },
		{ "Tested with this series applied on arm64.\nTested-by: " A "\n",
		  "2 takes Tested-by: " A },
		{ "With this patch it boots again.\nTested-by: " A "\n",
		  "2 takes Tested-by: " A },
		{ "I am fine with the change, but know that.\n" R,
		  "2 takes Reviewed-by: " A },
		{ "With best regards,\n" R, "2 takes Reviewed-by: " A },
		{ "With qemu 9:\nTested-by: " A "\n", "2 takes Tested-by: " A },
		{ "After testing it on arm64 you can add:\n" R,
		  "2 takes Reviewed-by: " A },
		{ "Once again, thanks.\n" R, "2 takes Reviewed-by: " A },
	};

	CHECK(rows);
}

static void test_scopes(void **state)
{
#define K(line, rest) line " takes Acked-by: " A rest
#define ACK	      "Acked-by: " A "\n"
	static const struct row rows[] = {
		{ "For the series:\n" ACK, K("2", " series") },
		{ "Looks good. For the entire patchset:\n\n" ACK, K("3", " series") },
		{ "for the series\n\n\t" ACK, K("3", " series") },
		{ "So you can add for the whole series:\n" ACK, K("2", " series") },
		{ "The whole series looks good.\n" ACK, K("2", " series") },
		{ ACK "\nto all three patches.\n", K("1", " series") },
		{ "Acked-by: " A " # for the series\n",
		  "1 takes Acked-by: " A " # for the series series" },
		{ "Feel free to add mine to the series.\n\n" ACK, K("3", " series") },
		{ ACK "to each patch.\n", K("1", " series") },
		{ ACK "\nto 1/3 and 2/3.\n", K("1", " patches 1 2") },
		{ ACK "for this part, thank you!\n", K("1", " for: for this part") },
		{ "From cgroup POV:\n" ACK, K("2", " for: From cgroup POV") },
		{ "From my side:\n" ACK, K("2", "") },
		{ "For patches 1-3:\n" ACK, K("2", " patches 1 2 3") },
		{ "For patches 1, 3 and 5,\n" ACK, K("2", " patches 1 3 5") },
		{ "For patch 2/7 and 4/7:\n" ACK, K("2", " patches 2 4") },
		{ "For patches 2 through 4:\n" ACK, K("2", " patches 2 3 4") },
		{ "For 1-2:\n" ACK, K("2", " patches 1 2") },
		{ "For the first two patches:\n" ACK, K("2", " patches 1 2") },
		{ "For the arm64 bits:\n\n" ACK, K("3", " for: For the arm64 bits") },
		{ "For FPGA part,\n" ACK, K("2", " for: For FPGA part") },
		{ "For erofs part, it looks good to me,\n" ACK,
		  K("2", " for: For erofs part") },
		{ "The mm bits look good to me.\n" ACK, K("2", " for: The mm bits") },
		{ "For XFS:\n" ACK, K("2", " for: For XFS") },
		{ "With that fixed, for the whole series:\n" ACK,
		  K("2", " if: With that fixed, for the whole series series") },
		/* none */
		{ "Thanks for the series!\n" ACK, K("2", "") },
		{ "For what it's worth:\n" ACK, K("2", "") },
		{ "For this patch:\n" ACK, K("2", "") },
		{ "For 2 reasons I like it.\n" ACK, K("2", "") },
		{ "The first patch could go alone.\n" ACK, K("2", "") },
	};

	CHECK(rows);
}

static void test_informal(void **state)
{
	static const struct row rows[] = {
		{ "NAK.\n", "1 nak Nacked-by: NAK" },
		{ "Hi,\n\nNACK!\n\nNo.\n", "3 nak Nacked-by: NACK!" },
		{ "NAK to this.\n", "1 nak Nacked-by: NAK to this" },
		{ "Nack - please see:\n", "1 nak Nacked-by: Nack - please see" },
		{ "Sorry, NAK from me.\n", "1 nak Nacked-by: Sorry, NAK from me" },
		{ "So this is a NACK from me.\n",
		  "1 nak Nacked-by: So this is a NACK from me" },
		{ "I am inclined to\nNAK this revert.\n",
		  "1 nak Nacked-by: I am inclined to NAK this revert" },
		{ "Nack for bpf bits.\nIt is ugly.\n",
		  "1 nak Nacked-by: Nack for bpf bits for: for bpf bits" },
		/* none */
		{ "NACK first and ask second, right Andy?\n", "" },
		{ "The device sends a NAK when it is busy.\n", "" },
		{ "Why the NAK?\n", "" },
		{ "NAK is sent by the host.\n", "" },
		{ "nack:\n\treturn 0;\n", "" },
		{ "> NAK.\n", "" },
		{ "-- \nNAK.\n", "" },
		/* taken back */
		{ "I revoke my Ack.  Please do not.\n",
		  "1 drops Acked-by: I revoke my Ack" },
		{ "Anyways, you can remove my \"Tested-by\" ;-)\n",
		  "1 drops Tested-by: Anyways, you can remove my \"Tested-by\"" },
		{ "Please drop my Reviewed-by then.\n",
		  "1 drops Reviewed-by: Please drop my Reviewed-by then" },
		{ "Hi,\n\nI have to take my R-b\nback.\n",
		  "3 drops Reviewed-by: I have to take my R-b back" },
		{ "I withdraw my NAK.\n", "1 drops Nacked-by: I withdraw my NAK" },
		{ "Please remove my tags.\n", "1 drops : Please remove my tags" },
		{ "Can you drop my Acked-by?\n",
		  "1 drops Acked-by: Can you drop my Acked-by?" },
		{ "If it changes much, please drop my R-b.\n",
		  "1 drops Reviewed-by: If it changes much, please drop my R-b if: If it "
		  "changes much, please drop my R-b" },
		{ "please remove my Sob and you can add\nReviewed-by: " A "\n",
		  "1 drops Signed-off-by: please remove my Sob and you can add\n"
		  "2 takes Reviewed-by: " A },
		/* kept */
		{ "No need to remove my Reviewed-by just for that.\n", "" },
		{ "Don't drop my Acked-by.\n", "" },
		{ "Why did you drop my Acked-by?\n", "" },
		{ "You dropped my Acked-by.\n", "" },
		{ "it went in without my review!\n", "" },
		{ "Feel free to ignore my review comments.\n", "" },
		{ "Please take my ack.\n", "" },
	};

	CHECK(rows);
}

/* More tags and NAKs than a mail has, and a paragraph without end: found up to a bound.
 */
static void test_bounds(void **state)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct tags tags _cleanup_tags_ = { 0 };

	for (int i = 0; i < 50000; i++)
		buf_puts(&text, "NAK. ");
	buf_puts(&text, "\n\n");
	for (int i = 0; i < 20000; i++)
		buf_puts(&text, "Acked-by: " A "\n");
	tags_find(buf_str(&text), &tags);
	assert_in_range(tags.n, 200, 400);
}

/* A mail whose whole length would be read for each tag or line takes no time. */
static void test_long_lines(void **state)
{
	static const struct {
		const char *first, *again, *last, *tags;
	} rows[] = {
		/* text below, above, before and behind tags; one paragraph; fields */
		{ "", "", "but with ab ", "Acked-by: " A "\n" },
		{ "Acked-by: " A "\n", "", "", NULL },
		{ "", "ab cd ", ", Acked-by: " A "\n", NULL },
		{ "Acked-by: " A " # ", "ab cd ", "\n", NULL },
		{ "my nack ", "ab cd my nack\n", "\n", NULL },
		{ "To: a\n", "To: a\n", "Acked-by: " A "\n", NULL },
	};
	clock_t start = clock();

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf text _cleanup_buf_ = BUF_INIT;
		struct tags tags _cleanup_tags_ = { 0 };

		for (int k = 0; rows[i].tags && k < 200; k++)
			buf_puts(&text, rows[i].tags);
		buf_puts(&text, rows[i].first);
		if (rows[i].tags)
			buf_puts(&text, rows[i].last);
		while (text.len < 4 << 20)
			buf_puts(&text, *rows[i].again ? rows[i].again : "ab cd ");
		buf_puts(&text, rows[i].tags ? "\n" : rows[i].last);
		for (int k = 0; i == 1 && k < 200; k++)
			buf_puts(&text, k ? "Acked-by: " A "\n" : "\n");
		tags_find(buf_str(&text), &tags);
		assert_int_equal(tags.n, i < 1 ? 200 : i < 2 ? 200 : i == 4 ? 0 : 1);
	}
	assert_in_range((clock() - start) / CLOCKS_PER_SEC, 0, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	   cmocka_unit_test(test_people),
		cmocka_unit_test(test_names),	   cmocka_unit_test(test_odd_lines),
		cmocka_unit_test(test_conditions), cmocka_unit_test(test_scopes),
		cmocka_unit_test(test_informal),   cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_long_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
