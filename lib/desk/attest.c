// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * attest.c - see attest.h. What patatt says is that of patatt 0.6: "PASS | WHO, SUBJECT".
 */
#include <stdlib.h>
#include "series/attest.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"

#define PATATT_MS 60000

void attestations_release(struct attestations *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free(a->v[i].field);
		free(a->v[i].who);
		free(a->v[i].verdict);
	}
	free(a->v);
	*a = (struct attestations){ 0 };
}

static void add(struct attestations *a, const char *field, const char *who,
		const char *verdict, bool bad)
{
	for (size_t i = 0; i < a->n; i++) {
		struct attested *e = &a->v[i];

		if (!strcmp(e->field, field) && !strcmp(e->who, who) &&
		    !strcmp(e->verdict, verdict)) {
			e->mails++;
			return;
		}
	}
	vec_grow(a->v, a->n, a->cap);
	a->v[a->n++] = (struct attested){ xstrdup(field), xstrdup(who), xstrdup(verdict),
					  bad, 1 };
}

/* The value of a tag in "v=1; d=example.org; ..."; "" if there is none. Fresh memory. */
static char *tag_value(struct str list, const char *tag)
{
	struct str piece;

	while (str_cut(&list, ';', &piece)) {
		struct str name;

		str_cut(&piece, '=', &name);
		if (str_ieqc(str_trim(name), tag))
			return str_dup(str_trim(piece));
	}
	return xstrdup("");
}

/* "  PASS | wendy@example.org, [PATCH] ...": the word, in ours. */
static const char *in_words(struct str said, bool *ret_bad)
{
	static const struct {
		const char *word, *means;
		bool bad;
	} words[] = {
		{ "PASS", "valid, says patatt", false },
		{ "NOKEY", "not verified: patatt has no key for it", false },
		{ "NOSIG", "not verified: patatt sees no signature", false },
		{ "BADSIG", "BAD, says patatt", true },
		{ "ERROR", "an error, says patatt", true },
	};
	struct str line, word;

	while (str_line(&said, &line))
		if (str_word(&line, &word))
			for (size_t i = 0; i < ARRAY_SIZE(words); i++)
				if (str_eqc(word, words[i].word)) {
					*ret_bad = words[i].bad;
					return words[i].means;
				}
	return "not verified: patatt says nothing that is known";
}

/* What patatt says of one mail, which it reads from an mbox. Static. */
static int ask_patatt(const struct mail *m, const char *program, const char **ret,
		      bool *ret_bad, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *dir = NULL, *path _cleanup_free_ = NULL;
	char *argv[] = { (char *)program, "validate", NULL, NULL };
	struct proc_opts o = { .argv = argv,
			       .input = STR_NULL,
			       .err = PROC_MERGE,
			       .timeout_ms = PATATT_MS };
	int rc = fs_tmpdir("series-patatt", &dir, err);

	*ret = "not verified: patatt does not run";
	if (rc)
		return rc;
	mail_mboxrd(m, mail_sink_buf, &text);
	rc = fs_write_below(dir, "mbox", buf_str(&text), err);
	argv[2] = path = path_join(dir, "mbox");
	if (!rc)
		rc = proc_run(&o, &res, err);
	if (!rc)
		*ret = in_words(buf_str(&res.out), ret_bad);
	else if (rc != E_INTR)
		err_release(err);
	fs_rmtree(dir, NULL);
	free(dir);
	return rc == E_INTR ? rc : 0;
}

static int read_mail(const struct mail *m, const char *patatt, struct attestations *a,
		     struct err *err)
{
	struct str rest = m->head;
	struct mail_field f;
	int rc = 0;

	while (!rc && field_next(&rest, &f)) {
		bool dkim = str_ieqc(f.name, "DKIM-Signature"), bad = false;
		char *who _cleanup_free_ = NULL;
		const char *verdict =
			dkim ? "not verified" : "not verified: patatt is not installed";

		if (!dkim && !str_ieqc(f.name, "X-Developer-Signature"))
			continue;
		who = tag_value(f.value, dkim ? "d" : "i");
		if (!dkim && patatt)
			rc = ask_patatt(m, patatt, &verdict, &bad, err);
		if (!rc)
			add(a, dkim ? "DKIM-Signature" : "X-Developer-Signature", who,
			    verdict, bad);
	}
	return rc;
}

int attest_read(const struct thread *t, const size_t *mails, size_t n,
		struct attestations *ret, struct err *err)
{
	struct attestations a _cleanup_attestations_ = { .mails = n };
	char *patatt _cleanup_free_ = fs_find_program("patatt");

	for (size_t i = 0; i < n; i++) {
		int rc = read_mail(&t->v[mails[i]].mail, patatt, &a, err);

		if (rc)
			return rc;
	}
	*ret = a;
	a = (struct attestations){ 0 };
	return 0;
}
