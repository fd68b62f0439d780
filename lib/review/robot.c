// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * robot.c - see robot.h. A program is known by its name or address, by what its subject
 * says, or by the field that RFC 3834 has for it; a person who passes on what a program
 * found writes under an own name and is none.
 */
#include <ctype.h>
#include "replylines.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/robot.h"
#include "tag_priv.h"

static const char lkp[] = "kernel test robot", syzbot[] = "syzbot", ai[] = "AI review",
		  patchwork[] = "patchwork", stable[] = "stable queue", tip[] = "tip",
		  pulls[] = "pull request tracker", bugs[] = "bugzilla",
		  mm_queue[] = "-mm queue", ci[] = "CI", other[] = "robot";

/* How a name or an address begins. The first that fits counts. */
static const struct {
	const char *name, *email, *robot;
} senders[] = {
	{ "kernel test robot", "lkp@", lkp },
	{ "kbuild test robot", "kbuild-all@", lkp },
	{ "kbuild robot", "fengguang.wu+lkp@", lkp },
	{ "syzbot", "syzbot", syzbot },
	{ "syzkaller", "syzkaller", syzbot },
	{ "sashiko", "sashiko", ai },
	{ "bpf-ci", "bot+bpf-ci@", ai },
	{ "patchwork-bot", "patchwork-bot", patchwork },
	{ "patchwork", "patchwork@", patchwork },
	{ "pr-tracker-bot", "pr-tracker-bot@", pulls },
	{ "tip-bot", "tip-bot", tip },
	{ "tip-bot2", "tipbot@", tip },
	{ "kernel.org bugbot", "bugbot@", bugs },
	{ "bugzilla", "bugzilla-daemon@", bugs },
	{ "kernelci", "bot@kernelci", ci },
	{ "patchew", "no-reply@patchew", ci },
	{ "linux kernel functional testing", "lkft@", ci },
};

/* Fields that are asked for, in this order. */
enum { FROM, SUBJECT, AUTO, N_FIELDS };

static void read_fields(const struct mail *m, struct str *ret)
{
	static const char *const names[N_FIELDS] = { "From", "Subject",
						     "Auto-Submitted" };

	field_get_all(m->head, names, N_FIELDS, ret);
}

static const char *by_sender(struct str name, struct str email)
{
	ptrdiff_t at = str_chr(email, '@');
	struct str local = str_n(email.p, at < 0 ? email.len : (size_t)at);

	for (size_t i = 0; i < ARRAY_SIZE(senders); i++)
		if (str_istarts(name, senders[i].name) ||
		    str_istarts(email, senders[i].email))
			return senders[i].robot;
	if (person_is_model(name, email))
		return ai;
	return str_ends(local, "-bot") || str_ends(local, "[bot]") ||
			       str_eqc(local, "bot") || str_starts(local, "bot+") ||
			       str_ends(name, "[bot]")
		       ? other
		       : NULL;
}

/* What queues write in the name of who keeps them. */
static const char *by_subject(struct str s)
{
	if ((str_starts(s, "Patch \"") && str_find(s, "has been added to the") > 0) ||
	    (str_starts(s, "FAILED: patch \"") && str_find(s, "failed to apply") > 0) ||
	    str_starts(s, "[PATCH AUTOSEL "))
		return stable;
	if ((str_starts(s, "+ ") && str_find(s, ".patch added to ") > 0) ||
	    (str_starts(s, "[") && str_find(s, ".patch removed from -mm tree") > 0))
		return mm_queue;
	return NULL;
}

static const char *robot_of(const struct str *field, struct str subject)
{
	char *name _cleanup_free_ = NULL, *email _cleanup_free_ = NULL;
	struct buf from _cleanup_buf_ = BUF_INIT;
	const char *robot;

	if (field[FROM].p)
		field_text(field[FROM], &from);
	mailinfo_author(buf_str(&from), &name, &email);
	robot = by_sender(str_c(name), str_c(email));
	if (!robot)
		robot = by_subject(subject);
	if (!robot && field[AUTO].p && !str_istarts(str_trim(field[AUTO]), "no"))
		robot = other;
	return robot;
}

const char *robot_name(const struct mail *m)
{
	struct buf subject _cleanup_buf_ = BUF_INIT;
	struct str field[N_FIELDS];

	read_fields(m, field);
	if (field[SUBJECT].p)
		field_text(field[SUBJECT], &subject);
	return robot_of(field, buf_str(&subject));
}

/* The first line of own text that holds one of words (a list closed by NULL). */
static struct str line_with(const struct lines *l, const char *const *words)
{
	for (size_t i = 0; i < l->n; i++)
		for (const char *const *w = words; *w; w++)
			if (l->v[i].kind != LINE_QUOTED &&
			    str_find(l->v[i].text, *w) >= 0)
				return str_trim(l->v[i].text);
	return STR_NULL;
}

/* The first line of own text, below the first quoted one or not. */
static struct str first_line(const struct lines *l, bool below_quoted)
{
	bool on = !below_quoted;

	for (size_t i = 0; i < l->n; i++) {
		struct str s = str_trim(l->v[i].text);

		on = on || l->v[i].kind == LINE_QUOTED;
		if (on && l->v[i].kind == LINE_TEXT && isalpha((unsigned char)s.p[0]))
			return s;
	}
	return STR_NULL;
}

/* ">> mm/x.c:1:2: error: y": lkp marks what is new. */
static struct str marked_line(const struct lines *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct str s = l->v[i].text;

		if (str_skip(&s, ">> "))
			return str_trim(s);
	}
	return STR_NULL;
}

static struct str lkp_summary(const struct lines *l)
{
	static const char *const lines[] = { ": error:", ": warning:", NULL };
	static const char *const words[] = { "robot noticed ", "[auto build test ",
					     NULL };
	struct str s = marked_line(l);
	ptrdiff_t at;

	if (!s.p)
		s = line_with(l, lines);
	if (!s.p)
		s = line_with(l, words);
	at = s.p ? str_find(s, "robot noticed ") : -1;
	return at < 0 ? s : str_n(s.p + at + 14, s.len - (size_t)at - 14);
}

static struct str ai_summary(const struct lines *l)
{
	static const char *const words[] = { "- [", "[Severity", NULL };
	struct str s = line_with(l, words);

	if (!s.p)
		s = first_line(l, true);
	if (!s.p)
		s = first_line(l, false);
	str_skip(&s, "- ");
	return s;
}

static bool says(struct str text, const char *const *words)
{
	for (; *words; words++)
		if (str_find(text, *words) >= 0)
			return true;
	return false;
}

bool robot_read(const struct mail *m, struct robot_report *ret)
{
	static const char *const bad[] = { "BUG: ",
					   "WARNING: ",
					   "WARNING in ",
					   "KASAN: ",
					   "KMSAN: ",
					   "KCSAN: ",
					   "UBSAN: ",
					   "INFO: ",
					   "possible deadlock",
					   "memory leak in ",
					   "general protection fault",
					   NULL };
	static const char *const well[] = { "BUILD SUCCESS",	    "did not trigger any",
					    "No issues found",	    "no issues found",
					    "found 0 potential",    "found no issues",
					    "No regressions found", NULL };
	struct buf subject _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT;
	struct lines l _cleanup_lines_ = { 0 };
	struct str field[N_FIELDS], s = STR_NULL;
	struct robot_report r = { 0 };

	read_fields(m, field);
	if (field[SUBJECT].p)
		field_text(field[SUBJECT], &subject);
	r.robot = robot_of(field, buf_str(&subject));
	/* by the week, about everything */
	if (!r.robot || str_find(buf_str(&subject), "Monthly ") >= 0)
		return false;
	mail_text(m, &text);
	lines_read(buf_str(&text), &l);
	r.good = says(buf_str(&subject), well) || says(buf_str(&text), well) ||
		 r.robot == patchwork || r.robot == tip || r.robot == pulls ||
		 (r.robot == mm_queue && str_starts(buf_str(&subject), "+ ")) ||
		 (r.robot == stable && str_starts(buf_str(&subject), "Patch "));
	if (!r.good && r.robot == lkp)
		s = lkp_summary(&l);
	else if (!r.good && r.robot == syzbot)
		s = line_with(&l, bad);
	else if (!r.good && r.robot == ai)
		s = ai_summary(&l);
	else if (r.robot == patchwork)
		s = line_with(&l, (const char *const[]){ " was applied to ", NULL });
	r.summary = str_dup(s.len ? s : buf_str(&subject));
	*ret = r;
	return true;
}

void robot_report_release(struct robot_report *r)
{
	free(r->summary);
	*r = (struct robot_report){ 0 };
}
