// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cover_template.c - see cover_template.h.
 */
#include "cover_template.h"
#include "series/covertext.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/xdg.h"

#define SUFFIX ".txt"

int cover_template_names(struct strvec *ret, struct err *err)
{
	char *dir _cleanup_free_ = xdg_template("cover");
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	int rc = dir ? fs_list(dir, &files, err) : 0;

	for (size_t i = 0; i < files.n && !rc; i++) {
		struct str name = str_c(files.v[i]);

		if (str_ends(name, SUFFIX))
			strvec_take(ret,
				    str_dup(str_n(name.p, name.len - strlen(SUFFIX))));
	}
	return rc;
}

/* A name without '/' is one of ours; a file of that name is taken when there is none. */
static char *find(const char *name)
{
	char *sub _cleanup_free_ = xasprintf("cover/%s" SUFFIX, name);
	char *path = strchr(name, '/') ? NULL : xdg_template(sub);

	return path ? path : path_expand_home(name);
}

static const char *choose(struct ctx *c, const char *name)
{
	if (!name)
		name = config_get(c->config, "series.covertemplate");
	if (name && *name)
		return name;
	/* Without its patches the series has as many as it likes. */
	if (!series_find_patches(c->series, c->config, NULL) && c->series->n_patches == 1)
		return "single";
	return "default";
}

int cover_template_read(struct ctx *c, const char *name, struct buf *ret, struct err *err)
{
	const char *chosen = choose(c, name);
	char *path _cleanup_free_ = find(chosen), *all _cleanup_free_ = NULL;
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	if (fs_exists(path))
		return fs_read(path, COVER_MAX, ret, err);
	cover_template_names(&names, NULL);
	all = strvec_join(&names, ", ");
	return err_set(err, E_NOTFOUND,
		       "%s: no template and no file '%s'; there are %s, or give a path",
		       name ? "--template" : "series.coverTemplate", chosen,
		       *all ? all : "none");
}
