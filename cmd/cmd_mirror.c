// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series mirror: local copies of mailing lists and their indexes.
 */
#include <string.h>

#include "series/http.h"
#include "series/mem.h"
#include "series/mirrors.h"
#include "series/progress.h"
#include "series/table.h"
#include "series/time.h"
#include "cmd.h"

struct mirror_opts {
	const char *since;
};

static const struct opt mirror_options[] = {
	{ .name = "since",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct mirror_opts, since),
	  .arg = "DATE",
	  .help = "add: leave out what was archived before (any date that git knows)" },
	OPT_END
};

/* "linux-mm: 120 new mails, 35,000 in all, 2,100 series" */
static void print_news(struct ctx *c, const char *name, const struct mirrored *m)
{
	if (m->anew || m->index.damaged)
		progress_note("%s: the index is made anew: %s", name,
			      m->anew ? m->anew : "it was damaged");
	if (m->index.rewritten)
		progress_note("%s: the list wrote %zu epoch%s anew; that was read again",
			      name, m->index.rewritten,
			      m->index.rewritten == 1 ? "" : "s");
	if (m->index.broken)
		progress_note("%s: %zu mail%s of the mirror cannot be read", name,
			      m->index.broken, m->index.broken == 1 ? "" : "s");
	out_printf(&c->out, "%s: %zu new mail%s", name, m->index.mails,
		   m->index.mails == 1 ? "" : "s");
	if (m->index.deleted)
		out_printf(&c->out, ", %zu taken out", m->index.deleted);
	out_printf(&c->out, ", %zu in all, %zu series\n", m->mails, m->series);
}

static int add(struct ctx *c, const struct mirror_opts *o, const struct strvec *args,
	       struct err *err)
{
	struct mirrored m _cleanup_mirrored_ = { .epochs = 0 };
	int rc;

	if (args->n != 3)
		return err_set(err, E_USAGE,
			       "mirror add wants a name and a URL, folder or bundle");
	rc = mirrors_add(args->v[1], args->v[2], o->since, &m, err);
	if (rc == E_INTR)
		return err_set(err, rc,
			       "interrupted; what was fetched is kept: series mirror "
			       "update %s goes on, unless there was nothing yet",
			       args->v[1]);
	if (rc)
		return rc;
	print_news(c, args->v[1], &m);
	return 0;
}

static int update(struct ctx *c, const struct strvec *args, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	size_t bad = 0;
	int rc = 0;

	for (size_t i = 1; i < args->n; i++)
		strvec_push(&names, args->v[i]);
	if (!names.n)
		rc = mirrors_names(&names, err);
	if (!rc && !names.n)
		return err_set(err, E_NOTFOUND,
			       "there is no mirror yet; series mirror add NAME URL");
	for (size_t i = 0; !rc && i < names.n; i++) {
		struct mirrored m _cleanup_mirrored_ = { .epochs = 0 };
		struct err why _cleanup_err_ = ERR_INIT;
		int one = mirrors_update(names.v[i], &m, &why);

		if (one == E_INTR || (one && names.n == 1))
			return err_set(err, one, "%s: %s", names.v[i], err_msg(&why));
		if (one)
			progress_note("series: %s: %s", names.v[i], err_msg(&why));
		else
			print_news(c, names.v[i], &m);
		bad += one != 0;
	}
	if (!rc && bad)
		rc = err_set(err, E_FAIL, "%zu of %zu mirrors could not be brought up",
			     bad, names.n);
	return rc;
}

struct line {
	struct mirror_conf conf;
	struct mirror_state state;
	struct err why; /* it cannot be read */
};

static void print_size(struct table *t, int64_t bytes)
{
	if (bytes < (int64_t)10 << 20)
		table_cellf(t, "%lld KB", (long long)(bytes + 1023) >> 10);
	else
		table_cellf(t, "%lld MB", (long long)bytes >> 20);
}

static void print_lines(struct ctx *c, const struct line *v, size_t n)
{
	static const enum table_align aligns[] = { TABLE_LEFT,	TABLE_RIGHT, TABLE_RIGHT,
						   TABLE_RIGHT, TABLE_RIGHT, TABLE_LEFT,
						   TABLE_FLEX };
	static const char *const heads[] = { "name", "epochs",	"mails", "series",
					     "disk", "updated", "from" };
	struct table *t _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);

	for (size_t i = 0; n && i < ARRAY_SIZE(heads); i++)
		table_cell(t, heads[i]);
	for (size_t i = 0; i < n; i++) {
		const struct mirror_state *s = &v[i].state;
		char *url _cleanup_free_ = url_public(v[i].conf.source);
		struct buf ago _cleanup_buf_ = BUF_INIT;

		if (s->updated)
			time_ago(s->updated, &ago);
		table_cell(t, v[i].conf.name);
		table_cellf(t, "%zu", s->epochs);
		table_cellf(t, "%zu", s->mails);
		table_cellf(t, "%zu", s->series);
		print_size(t, s->bytes);
		table_cell(t, s->updated ? buf_cstr(&ago) : "never");
		table_cell(t, url);
	}
	table_render(t, 0, c->out.width, c->out.color, &c->out.text);
	if (!n)
		out_puts(&c->out, "no mirror yet; series mirror add NAME URL\n");
}

static struct json *as_json(const struct line *v, size_t n)
{
	struct json *j = json_obj(), *arr = json_arr();

	for (size_t i = 0; i < n; i++) {
		const struct mirror_state *s = &v[i].state;
		struct json *o = json_obj();
		char *url _cleanup_free_ = url_public(v[i].conf.source);
		struct buf when _cleanup_buf_ = BUF_INIT;

		time_iso(s->updated, &when);
		json_set_str(o, "name", v[i].conf.name);
		json_set_str(o, "url", url);
		json_set_str(o, "dir", v[i].conf.dir);
		json_set_int(o, "epochs", (int64_t)s->epochs);
		json_set_int(o, "mails", (int64_t)s->mails);
		json_set_int(o, "series", (int64_t)s->series);
		json_set_int(o, "bytes", s->bytes);
		json_set_str(o, "updated", s->updated ? buf_cstr(&when) : NULL);
		json_push(arr, o);
	}
	json_set_int(j, "schema", 1);
	json_set(j, "mirrors", arr);
	return j;
}

/* One that cannot be read must not hide the others. */
static int list(struct ctx *c, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct line *v;
	size_t n = 0, bad = 0;
	int rc = mirrors_names(&names, err);

	if (rc)
		return rc;
	v = xcalloc(names.n + 1, sizeof(*v));
	for (size_t i = 0; i < names.n; i++) {
		struct err why _cleanup_err_ = ERR_INIT;

		rc = mirrors_load(names.v[i], &v[n].conf, &why);
		if (!rc)
			rc = mirrors_look(&v[n].conf, &v[n].state, &why);
		if (rc)
			progress_note("series: %s: %s", names.v[i], err_msg(&why));
		bad += rc != 0;
		n += v[n].conf.name != NULL;
	}
	if (c->json)
		c->out.json = as_json(v, n);
	else
		print_lines(c, v, n);
	for (size_t i = 0; i < n; i++)
		mirror_conf_release(&v[i].conf);
	free(v);
	return bad ? err_set(err, E_FAIL, "%zu of %zu mirrors cannot be read", bad,
			     names.n)
		   : 0;
}

static int drop(struct ctx *c, const struct strvec *args, struct err *err)
{
	int rc;

	if (args->n != 2)
		return err_set(err, E_USAGE, "mirror drop wants the name of one mirror");
	rc = mirrors_drop(args->v[1], err);
	if (!rc)
		out_printf(&c->out, "%s: mirror and index are gone\n", args->v[1]);
	return rc;
}

static int run_mirror(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct mirror_opts *o = opts;
	const char *what = args->n ? args->v[0] : "list";

	if (o->since && strcmp(what, "add") != 0)
		return err_set(err, E_USAGE, "--since is for mirror add");
	if (!strcmp(what, "add"))
		return add(c, o, args, err);
	if (!strcmp(what, "update"))
		return update(c, args, err);
	if (!strcmp(what, "drop"))
		return drop(c, args, err);
	if (!strcmp(what, "list") && args->n <= 1)
		return list(c, err);
	return err_set(err, E_USAGE,
		       "mirror: expected add NAME URL, update [NAME]..., list or drop "
		       "NAME");
}

const struct cmd cmd_mirror = {
	.name = "mirror",
	.group = "maintain",
	.summary = "keep local copies of mailing lists, and an index of their series",
	.synopsis = "[list] | add NAME URL | update [NAME]... | drop NAME",
	.about =
		"A mirror is what public-inbox calls one, version 2: git repositories "
		"0.git, "
		"1.git ... (epochs) with a commit for each mail. lore.kernel.org has one "
		"for "
		"each list. URL is the address of the list there, or of such "
		"repositories "
		"anywhere else, a folder with them, one epoch, or a git bundle of it. "
		"NAME "
		"is "
		"yours to choose.\n"
		"\n"
		"add fetches all of it by git, and makes the index: which series there "
		"are, "
		"their versions, tags, remarks, and whom they wait for. With --since "
		"older "
		"mails are neither fetched, where the server can do that, nor looked at. "
		"update brings mirrors, all when none is named, and their indexes up to "
		"what "
		"the lists have; mails that a list took out go, and an epoch that it "
		"wrote "
		"anew is read again. Interrupted or killed, update goes on where it "
		"was.\n"
		"\n"
		"Mirrors lie below $XDG_DATA_HOME/series/mirrors/, indexes below "
		"$XDG_CACHE_HOME/series/index/: those can be removed at any time, and "
		"are "
		"made again. drop removes both.",
	.examples =
		"series mirror add mm https://lore.kernel.org/linux-mm --since '1 year "
		"ago'\n"
		"\tThe last year of linux-mm\n"
		"series mirror update\n"
		"\tWhat is new on all lists\n",
	.opts = mirror_options,
	.opts_size = sizeof(struct mirror_opts),
	.flags = CMD_JSON,
	.min_args = 0,
	.max_args = -1,
	.complete = "mirror-word",
	.run = run_mirror,
};
