// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_landed.c - which series are in a branch that takes them: git log, beside us, and
 * what its commits say of the mails they came from.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "series/fetch.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"
#include "triage_priv.h"

struct triage_landing {
	struct proc *proc;
	char *dir, *out;
};

void triage_landing_free(struct triage_landing *l)
{
	if (!l)
		return;
	proc_free(l->proc);
	if (l->dir)
		fs_rmtree(l->dir, NULL);
	free(l->dir);
	free(l->out);
	free(l);
}

static int64_t oldest(const struct triage *t)
{
	int64_t first = t->now;

	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].l->posted && t->row[i].l->posted < first)
			first = t->row[i].l->posted;
	return first;
}

int triage_landing_begin(struct triage *t, const struct config *c,
			 struct triage_landing **ret, struct err *err)
{
	struct strvec branches _cleanup_strvec_ = STRVEC_INIT,
			       argv _cleanup_strvec_ = STRVEC_INIT;
	struct triage_landing *l;
	struct proc_opts o = { .out = PROC_FILE, .err = PROC_NULL };
	int rc;

	*ret = NULL;
	if (c)
		config_get_all(c, "series.triage.branch", &branches);
	if (!branches.n || !t->repo || !t->n)
		return 0;
	l = xcalloc(1, sizeof(*l));
	rc = fs_tmpdir("series-landed", &l->dir, err);
	if (!rc) {
		l->out = path_join(l->dir, "log");
		strvec_pushl(&argv, "git", "log", "--no-merges", "--no-show-signature",
			     "--format=%x01%ae%x02%B", NULL);
		strvec_pushf(&argv, "--since=@%lld", (long long)oldest(t));
		strvec_push(&argv, "--ignore-missing");
		strvec_extend(&argv, &branches);
		strvec_push(&argv, "--");
		o.argv = strvec_argv(&argv);
		o.cwd = repo_git_dir(t->repo);
		o.out_path = l->out;
		rc = proc_start(&o, &l->proc, err);
	}
	if (rc)
		triage_landing_free(l);
	else
		*ret = l;
	return rc;
}

/* "Link: https://lore.kernel.org/r/ID", "Message-ID: <ID>". */
static void take_link(struct str line, struct strvec *ids)
{
	char *value _cleanup_free_ = NULL, *id;

	if (!str_istarts(line, "Link:") && !str_istarts(line, "Message-ID:") &&
	    !str_istarts(line, "Patch-mainline-link:"))
		return;
	while (line.len && *line.p != ':')
		line = str_n(line.p + 1, line.len - 1);
	value = str_dup(str_trim(str_n(line.p + 1, line.len - 1)));
	id = fetch_message_id(value);
	if (id)
		strvec_take(ids, id);
}

static void take_commit(struct triage *t, struct str commit)
{
	struct str email, title, line;

	if (!str_cut(&commit, '\2', &email) || !str_line(&commit, &title))
		return;
	strvec_pushf(&t->landed_titles, STR_FMT "\t" STR_FMT, STR_ARG(title),
		     STR_ARG(email));
	while (str_line(&commit, &line))
		take_link(line, &t->landed_ids);
}

bool triage_landing_poll(struct triage_landing *l, struct triage *t, int wait_ms)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str rest, commit;

	if (!proc_poll(l->proc, wait_ms, &res))
		return false;
	strvec_release(&t->landed_ids);
	strvec_release(&t->landed_titles);
	t->landed_ids = t->landed_titles = (struct strvec)STRVEC_INIT;
	/* A branch that is not here has nothing. */
	if (fs_read(l->out, 0, &b, NULL))
		return true;
	rest = buf_str(&b);
	while (str_cut(&rest, '\1', &commit))
		take_commit(t, commit);
	strvec_sort(&t->landed_ids);
	strvec_sort(&t->landed_titles);
	return true;
}

static int by_string(const void *key, const void *element)
{
	return strcmp(key, *(char *const *)element);
}

static bool is_in(const struct strvec *v, const char *s)
{
	return v->n && bsearch(s, v->v, v->n, sizeof(*v->v), by_string);
}

/* Each patch by its mail; a single one also by title and author. */
bool triage_has_landed(const struct triage *t, const struct listed *l)
{
	char *title _cleanup_free_ = NULL;
	size_t i = 0;

	if (!t->landed_titles.n || !l->mail_ids.n || l->missing)
		return false;
	while (i < l->mail_ids.n && is_in(&t->landed_ids, l->mail_ids.v[i]))
		i++;
	if (i == l->mail_ids.n)
		return true;
	if (l->total != 1)
		return false;
	title = xasprintf("%s\t%s", l->title, l->email);
	return is_in(&t->landed_titles, title);
}
