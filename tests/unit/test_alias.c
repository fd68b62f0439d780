// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Alias files, each format as its own program documents it. What git makes of the same
 * files is compared end to end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "series/alias.h"
#include "series/mem.h"

/* Addresses that a name stands for, joined by " | ". */
static void expect(const char *type, const char *text, const char *list, const char *want)
{
	struct aliases a _cleanup_aliases_ = ALIASES_INIT;
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;
	struct err e _cleanup_err_ = ERR_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;

	assert_int_equal(aliases_parse(&a, type, str_c(text), "file", &e), 0);
	if (aliases_expand(&a, list, &got, &e))
		fail_msg("%s", err_msg(&e));
	for (size_t i = 0; i < got.n; i++) {
		buf_puts(&b, i ? " | " : "");
		addr_show(&got.v[i], &b);
	}
	assert_string_equal(buf_cstr(&b), want);
}

static void refuses(const char *type, const char *text, const char *list,
		    const char *named)
{
	struct aliases a _cleanup_aliases_ = ALIASES_INIT;
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;
	struct err e _cleanup_err_ = ERR_INIT;

	assert_int_equal(aliases_parse(&a, type, str_c(text), "file", &e), 0);
	assert_int_equal(aliases_expand(&a, list, &got, &e), E_USAGE);
	assert_non_null(strstr(err_msg(&e), named));
	assert_int_equal(got.n, 0);
}

static void mutt(void **state)
{
	const char *text = "set from=x@example.org\n"
			   "alias ann Ann Other <ann@example.org> # the boss\n"
			   "  alias -group team -group all bob bob@example.org\n"
			   "alias both ann, bob\n"
			   "alias q \\\"Doe, Jane\\\" <jane@example.org>\n"
			   "alias ann2 \"Doe, A\" <a2@example.org>,bob\n"
			   "aliases nobody <n@example.org>\n"
			   "alias empty\n"
			   "# alias hidden h@example.org\n";

	expect("mutt", text, "ann", "Ann Other <ann@example.org>");
	expect("mutt", text, "bob", "bob@example.org");
	expect("mutt", text, "both, z@example.org",
	       "Ann Other <ann@example.org> | bob@example.org | z@example.org");
	expect("mutt", text, "q", "\"Doe, Jane\" <jane@example.org>");
	expect("mutt", text, "ann2", "\"Doe, A\" <a2@example.org> | bob@example.org");
	refuses("mutt", text, "nobody", "'nobody'");
	refuses("mutt", text, "hidden", "'hidden'");
	refuses("mutt", text, "empty", "'empty'");
}

static void mailrc(void **state)
{
	const char *text =
		"set x\n"
		"alias ann ann@example.org\n"
		"alias team  ann   'Bob B <bob@example.org>' \"c@example.org\" \n"
		" alias not n@example.org\n";

	expect("mailrc", text, "team",
	       "ann@example.org | Bob B <bob@example.org> | c@example.org");
	refuses("mailrc", text, "not", "'not'");
}

static void pine(void **state)
{
	const char *text = "ann\tOther, Ann\tann@example.org\n"
			   "team\tThe team\t(ann,\n"
			   "   Bob <bob@example.org>)\t\tcomment\n"
			   "\tNo nick\tn@example.org\n";

	expect("pine", text, "ann", "ann@example.org");
	expect("pine", text, "team", "ann@example.org | Bob <bob@example.org>");
}

static void elm(void **state)
{
	const char *text = "ann = Ann Other = ann@example.org\n"
			   "team = The team; all = ann,bob@example.org\n"
			   "bad = only@example.org\n";

	expect("elm", text, "ann", "ann@example.org");
	expect("elm", text, "team", "ann@example.org | bob@example.org");
	refuses("elm", text, "bad", "'bad'");
}

static void gnus(void **state)
{
	const char *text = "(setq x 1)\n(define-mail-alias \"ann\" \"ann@example.org\")\n"
			   "  (define-mail-alias  \"bob\"  \"bob@example.org\") ; him\n";

	expect("gnus", text, "ann, bob", "ann@example.org | bob@example.org");
}

static void sendmail(void **state)
{
	const char *text = "# comment\n\nann: ann@example.org\n"
			   "team: ann,\n\tbob@example.org\n"
			   "more: ann, \\\nc@example.org\n"
			   "file: /var/mail/x\n"
			   "list: :include:/etc/list\n"
			   "q: \"Q, Q\" <q@example.org>\n"
			   "what is this\n"
			   "last: l@example.org";
	struct aliases a _cleanup_aliases_ = ALIASES_INIT;

	expect("sendmail", text, "team", "ann@example.org | bob@example.org");
	expect("sendmail", text, "more", "ann@example.org | c@example.org");
	expect("sendmail", text, "last", "l@example.org");
	assert_int_equal(aliases_parse(&a, "sendmail", str_c(text), "file", NULL), 0);
	assert_int_equal(a.notes.n, 4);
	assert_non_null(strstr(a.notes.v[0], "file:8: "));
}

static void stand_for_others(void **state)
{
	const char *text = "alias a b, x@example.org\nalias b c\nalias c c@example.org\n"
			   "alias loop loop2\nalias loop2 x@example.org, loop\n"
			   "alias x@example.org y@example.org\n"
			   "alias twice c, c\nalias a2 c\nalias a2 b\n";

	/* A name may look like an address, as it may for git. */
	expect("mutt", text, "a", "c@example.org | y@example.org");
	expect("mutt", text, "grp: a, c;",
	       "c@example.org | y@example.org | c@example.org");
	expect("mutt", text, "twice", "c@example.org | c@example.org");
	expect("mutt", text, "A <x@example.org>", "A <x@example.org>");
	refuses("mutt", text, "c, loop", "stands for itself");
	refuses("mutt", "alias me me", "me", "'me' stands for itself");
}

static void unknown_type(void **state)
{
	struct aliases a _cleanup_aliases_ = ALIASES_INIT;
	struct err e _cleanup_err_ = ERR_INIT;

	assert_int_equal(aliases_parse(&a, "notmuch", STR_LIT("x"), "f", &e), E_USAGE);
	assert_non_null(strstr(err_msg(&e), "mutt, mailrc, pine, elm"));
	assert_int_equal(aliases_read(&a, "mutt", "/nonexistent/file", &e), E_NOTFOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutt),
		cmocka_unit_test(mailrc),
		cmocka_unit_test(pine),
		cmocka_unit_test(elm),
		cmocka_unit_test(gnus),
		cmocka_unit_test(sendmail),
		cmocka_unit_test(stand_for_others),
		cmocka_unit_test(unknown_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
