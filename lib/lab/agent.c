// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * agent.c - the program that does a job on a kernel (templates/guest: init of a guest,
 * agent of a host), and the folder that an agent works in.
 */
#include <string.h>
#include <sys/stat.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/xdg.h"

int lab_agent(const struct config *c, const struct arch *a, char **ret, struct err *err)
{
	char *source _cleanup_free_ = xdg_template("guest");

	if (!source)
		return err_set(err, E_NOTFOUND,
			       "templates/guest not found; set SERIES_TEMPLATES to the "
			       "folder \"templates\" of the source tree");
	return lab_compile(c, a, source, ret, NULL, err);
}

/* Files of the job where the agent looks for them: below files/ beside the job. */
int job_stage(const struct boot_request *q, const char *dir, struct err *err)
{
	char *job _cleanup_free_ = path_join(dir, "job");
	char *root _cleanup_free_ = path_join(dir, "files");
	int r = fs_write_atomic(job, q->job, strlen(q->job), 0600, err);

	for (size_t i = 0; i < q->n_files && !r; i++) {
		const struct boot_file *f = &q->files[i];
		char *to _cleanup_free_ = xasprintf("%s%s", root, f->guest_path);
		char *parent _cleanup_free_ = path_dir(to);

		r = fs_mkdirs(parent, err);
		if (!r)
			r = f->path ? fs_copy(f->path, to, err)
				    : fs_write_atomic(to, f->data, f->len, f->mode, err);
		if (!r && chmod(to, f->mode & 07777))
			r = err_set(err, E_FAIL, "%s: its mode cannot be set", to);
	}
	return r;
}
