// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * apart.c - see apart.h.
 */
#include "apart.h"
#include "series/fs.h"
#include "series/mem.h"

/* Alternates are separated by colons, and quoted when there is one in them. */
static char *alternates(const char *objects)
{
	const char *more = getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES");
	struct buf b = BUF_INIT;

	buf_puts(&b, "GIT_ALTERNATE_OBJECT_DIRECTORIES=");
	if (strpbrk(objects, ":\"\\")) {
		buf_putc(&b, '"');
		for (; *objects; objects++) {
			if (*objects == '"' || *objects == '\\')
				buf_putc(&b, '\\');
			buf_putc(&b, *objects);
		}
		buf_putc(&b, '"');
	} else {
		buf_puts(&b, objects);
	}
	if (more && *more)
		buf_printf(&b, ":%s", more);
	return buf_take(&b);
}

static void put_objects(struct apart *a, struct repo *r)
{
	const char *mine = getenv("GIT_OBJECT_DIRECTORY");
	char *shared _cleanup_free_ =
		mine ? xstrdup(mine) : path_join(repo_common_dir(r), "objects");

	strvec_pushf(&a->env, "GIT_OBJECT_DIRECTORY=%s", a->objects);
	strvec_take(&a->env, alternates(shared));
}

int apart_open(struct repo *r, const char *name, enum apart_objects objects,
	       struct apart *ret, struct err *err)
{
	struct apart a _cleanup_(apart_release) = { .env = STRVEC_INIT };
	int rc = fs_tmpdir(name, &a.dir, err);

	if (rc)
		return rc;
	a.tree = path_join(a.dir, "tree");
	a.index = path_join(a.dir, "index");
	strvec_pushf(&a.env, "GIT_DIR=%s", repo_git_dir(r));
	strvec_pushf(&a.env, "GIT_WORK_TREE=%s", a.tree);
	strvec_pushf(&a.env, "GIT_INDEX_FILE=%s", a.index);
	rc = fs_mkdirs(a.tree, err);
	if (!rc && objects == OBJECTS_APART) {
		a.objects = path_join(a.dir, "objects");
		put_objects(&a, r);
		rc = fs_mkdirs(a.objects, err);
	}
	if (rc)
		return rc;
	*ret = a;
	a = (struct apart){ .env = STRVEC_INIT };
	return 0;
}

void apart_release(struct apart *a)
{
	if (a->dir)
		fs_rmtree(a->dir, NULL);
	free(a->dir);
	free(a->tree);
	free(a->index);
	free(a->objects);
	strvec_release(&a->env);
	*a = (struct apart){ .env = STRVEC_INIT };
}

int apart_run(const struct apart *a, char *const *args, const struct strvec *more_env,
	      struct str input, struct proc_result *ret, struct err *err)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT,
			   env _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .cwd = a->tree, .input = input };

	strvec_pushl(&argv, "git", "-c", "core.hooksPath=/dev/null", "-c",
		     "core.sparseCheckout=false", "-c", "index.sparse=false", "-c",
		     "core.splitIndex=false", "-c", "core.fsmonitor=false", "-c",
		     "core.untrackedCache=false", "-c", "apply.whitespace=nowarn", "-c",
		     "apply.ignoreWhitespace=no", "-c", "mailinfo.quotedCr=nowarn", "-c",
		     "core.protectHFS=true", "-c", "core.protectNTFS=true", NULL);
	if (!a->objects)
		strvec_pushl(&argv, "-c", "core.fsync=all", NULL);
	for (; *args; args++)
		strvec_push(&argv, *args);
	strvec_extend(&env, &a->env);
	if (more_env)
		strvec_extend(&env, more_env);
	o.argv = strvec_argv(&argv);
	o.env = strvec_argv(&env);
	return proc_run(&o, ret, err);
}
