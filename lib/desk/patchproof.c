// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchproof.c - does git am of a patch give its commit again? First by what the commit
 * itself holds, then by what git mailinfo reads from the finished mail.
 */
#include "patchset.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/utf8.h"

#define TEXT_MAX ((size_t)256 << 20)

#define AUTHOR "then git commit --amend --author='NAME <EMAIL>'"

/* The patch that is looked at, and where what is found goes. */
struct proof {
	const struct series *s;
	const struct commit *c;
	size_t patch; /* from 1 */
	char *where;
	struct findings *f;
};

static void proof_release(struct proof *p)
{
	free(p->where);
}

static struct proof proof_of(const struct series *s, const struct patchset *p, size_t i,
			     struct findings *f)
{
	const struct commit *c = &p->commits[i];

	return (struct proof){ s, c, i + 1,
			       xasprintf("patch %zu/%zu '%s'", i + 1, p->n, c->subject),
			       f };
}

/* An error whose remedy is to do this to the commit in a rebase, and then more. */
static void found(struct proof *p, const char *id, const char *verb, const char *more,
		  const char *message)
{
	char *remedy _cleanup_free_ = remedy_rebase(p->s->base, verb, p->patch, more);

	findings_add(p->f, id, SEVERITY_ERROR, p->where, remedy, "%s", message);
}

/* Of a text that ends where the last of them is cut off. */
static size_t lines_of(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static int check_commit(struct proof *p, struct err *err)
{
	char *encoding _cleanup_free_ = NULL, *message _cleanup_free_ = NULL;
	enum commit_defect d;
	int rc = repo_commit_defect(p->s->repo, p->c->id, &d, &encoding, err);

	if (rc)
		return rc;
	if (d == COMMIT_AUTHOR)
		found(p, "author-lost", "edit", AUTHOR,
		      "the author's name or address begins or ends with a blank or a "
		      "mark (. , : ; < > \" \\ '): git am takes it off");
	if (d == COMMIT_NUL) {
		message = xasprintf("line %zu of the message has a NUL: git shows and "
				    "sends nothing behind it",
				    lines_of(p->c->message));
		found(p, "message-nul", "reword", "", message);
	}
	if (d == COMMIT_NOT_UTF8)
		found(p, "message-encoding", "edit",
		      "then say which encoding it is in: git -c "
		      "i18n.commitEncoding=ISO-8859-1 commit --amend --no-edit; or "
		      "reword it in UTF-8",
		      "its message or author is not valid UTF-8, and the commit names no "
		      "encoding: no reader could tell what it says");
	if (d == COMMIT_BAD_ENCODING) {
		message = xasprintf("the commit says that it is in '%s', and its message "
				    "or author is not, or that encoding is not known "
				    "here",
				    encoding);
		found(p, "message-encoding", "reword", "", message);
	}
	return 0;
}

static bool has_diff(struct str rest)
{
	return str_find(rest, "\ndiff --git ") >= 0 || str_starts(rest, "diff --git ");
}

int patchset_check(const struct series *s, const struct patchset *p, size_t i,
		   struct findings *f, struct err *err)
{
	struct proof proof _cleanup_(proof_release) = proof_of(s, p, i, f);
	char *cut _cleanup_free_ = message_cut(proof.c->message);
	int rc = check_commit(&proof, err);

	if (rc)
		return rc;
	if (cut)
		found(&proof, "message-cut", "reword",
		      "below the title, a blank in front of the line helps", cut);
	if (!str_trim(str_c(proof.c->message)).len)
		found(&proof, "message-empty", "reword", "", "has no message");
	else if (!has_diff(p->mails[i].rest))
		found(&proof, "patch-empty", "drop",
		      "what it says may stand in the cover letter",
		      "changes nothing; git am refuses it");
	return 0;
}

/*
 * --numstat reads the diffs and applies nothing. Status 0, or *res says what is wrong.
 * White space is not, whatever apply.whitespace says.
 */
static int run_apply(const struct series *s, struct str diffs, struct proc_result *res,
		     struct err *err)
{
	char *args[] = { "apply", "--numstat", "--whitespace=nowarn", NULL };

	return git_run(s->repo, args, diffs, res, err);
}

static int parse_one(const struct series *s, const struct patchset *p, size_t i,
		     struct findings *f, struct err *err)
{
	struct proof proof _cleanup_(proof_release) = proof_of(s, p, i, f);
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	char *what _cleanup_free_ = NULL;
	int rc = run_apply(s, p->mails[i].rest, &res, err);

	if (rc || !res.status)
		return rc;
	what = xasprintf("git cannot read the diff that it made (" STR_FMT
			 "): a file name in it is not clear",
			 STR_ARG(git_words(&res.err)));
	found(&proof, "patch-unreadable", "edit",
	      "give the file another name, or change its content in the same commit",
	      what);
	return 0;
}

int patchset_parse(const struct series *s, const struct patchset *p, struct findings *f,
		   struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf all _cleanup_buf_ = BUF_INIT;
	int rc;

	for (size_t i = 0; i < p->n; i++)
		if (has_diff(p->mails[i].rest))
			buf_addstr(&all, p->mails[i].rest);
	if (!all.len)
		return 0;
	rc = run_apply(s, buf_str(&all), &res, err);
	for (size_t i = 0; !rc && res.status && i < p->n; i++)
		if (has_diff(p->mails[i].rest))
			rc = parse_one(s, p, i, f, err);
	return rc;
}

/* What git mailinfo made of a mail. */
struct reading {
	struct buf info, message, patch;
};

static void reading_release(struct reading *r)
{
	buf_release(&r->info);
	buf_release(&r->message);
	buf_release(&r->patch);
}

/* Value of "KEY: ..." in what git mailinfo printed. */
static struct str info_line(const struct reading *r, const char *key)
{
	struct str info = buf_str(&r->info), line;

	while (str_line(&info, &line))
		if (str_skip(&line, key))
			return line;
	return STR_LIT("");
}

/* The settings of this user do not hold: others read the mail. */
static int run_mailinfo(const struct proof *p, bool scissors, struct str mail,
			struct reading *ret, struct err *err)
{
	char *dir _cleanup_free_ = NULL, *m _cleanup_free_ = NULL,
		  *t _cleanup_free_ = NULL;
	int rc = fs_tmpdir("series-post", &dir, err);

	if (rc)
		return rc;
	m = path_join(dir, "message");
	t = path_join(dir, "patch");
	char *args[] = { "-c",
			 "mailinfo.quotedCr=nowarn",
			 "mailinfo",
			 scissors ? "--scissors" : "--no-scissors",
			 "--encoding=UTF-8",
			 m,
			 t,
			 NULL };

	rc = git_check(p->s->repo, args, mail, &ret->info, err);
	if (!rc)
		rc = fs_read(m, TEXT_MAX, &ret->message, err);
	if (!rc)
		rc = fs_read(t, TEXT_MAX, &ret->patch, err);
	fs_rmtree(dir, NULL);
	return rc;
}

static void verify_author(struct proof *p, const struct reading *r)
{
	struct str name = info_line(r, "Author: "), email = info_line(r, "Email: ");
	char *what _cleanup_free_ = NULL;

	if (str_eqc(name, "Mail System Internal Data")) {
		found(p, "author-lost", "edit", AUTHOR,
		      "git am skips mails of that author");
		return;
	}
	if (str_eqc(name, p->c->author_name) && str_eqc(email, p->c->author_email))
		return;
	what = xasprintf("git am would read the author as '" STR_FMT " <" STR_FMT
			 ">', not '%s <%s>'%s",
			 STR_ARG(name), STR_ARG(email), p->c->author_name,
			 p->c->author_email,
			 strlen(p->c->author_name) > 60
				 ? "; it takes no name of more than 60 bytes"
				 : "");
	found(p, "author-lost", "edit", AUTHOR, what);
}

static void verify_message(struct proof *p, const struct reading *r)
{
	struct str subject = info_line(r, "Subject: ");
	struct buf back _cleanup_buf_ = BUF_INIT;
	char *change _cleanup_free_ = NULL, *what _cleanup_free_ = NULL;

	message_read_back(subject, buf_str(&r->message), &back);
	change = message_change(p->c->message, buf_str(&back));
	if (!change)
		return;
	if (!message_same(p->c->message, subject, buf_str(&r->message))) {
		what = xasprintf("git am would not give the message of the commit back, "
				 "from %s on",
				 change);
		found(p, "message-lost", "reword", "", what);
		return;
	}
	what = xasprintf("git am would change the white space of the message, from %s on",
			 change);
	found(p, "message-blanks", "reword",
	      "git asks for a title on one line, single blanks in it, a blank line below "
	      "it, no blanks at line ends, no double blank lines",
	      what);
}

/* Marks of scissors (git-mailinfo(1)): would who reads with --scissors lose something? */
static int verify_scissors(struct proof *p, const struct reading *r, struct str mail,
			   struct err *err)
{
	struct reading cut _cleanup_(reading_release) = { 0 };
	const char *m = p->c->message;
	int rc;

	if (!strstr(m, ">8") && !strstr(m, "8<") && !strstr(m, ">%") && !strstr(m, "%<"))
		return 0;
	rc = run_mailinfo(p, true, mail, &cut, err);
	if (!rc && !str_eq(buf_str(&cut.message), buf_str(&r->message)))
		findings_add(
			p->f, "message-scissors", SEVERITY_WARNING, p->where,
			"reword it if that is not meant",
			"the message has a line of scissors: git am --scissors takes "
			"off what stands above it");
	return rc;
}

/* All from the dashes on is the patch for git mailinfo. */
static bool patch_arrived(struct str body, struct str patch)
{
	return patch.len <= body.len && str_starts(patch, "---\n") &&
	       !memcmp(body.p + body.len - patch.len, patch.p, patch.len);
}

int patchset_verify(const struct series *s, const struct patchset *p, size_t i,
		    struct str body, struct str mail, struct findings *f, struct err *err)
{
	struct proof proof _cleanup_(proof_release) = proof_of(s, p, i, f);
	struct reading r _cleanup_(reading_release) = { 0 };
	int rc = run_mailinfo(&proof, false, mail, &r, err);

	if (rc)
		return rc;
	verify_author(&proof, &r);
	verify_message(&proof, &r);
	if (!patch_arrived(body, buf_str(&r.patch)))
		findings_add(
			f, "patch-lost", SEVERITY_ERROR, proof.where,
			"series format writes the mail, to look at; please report it",
			"git mailinfo reads another patch from the mail than was put "
			"into it");
	if (!utf8_valid(p->mails[i].rest))
		findings_add(
			f, "patch-not-utf8", SEVERITY_WARNING, proof.where,
			"git am takes it as it is; who is to apply it by b4 needs it "
			"from a branch",
			"the patch holds bytes that are not UTF-8: b4 and web "
			"archives replace them");
	return verify_scissors(&proof, &r, mail, err);
}
