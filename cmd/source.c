// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * source.c - see source.h.
 */
#include "series/fetch.h"
#include "series/fs.h"
#include "series/progress.h"
#include "series/time.h"
#include "source.h"

/* From the archive; a copy that is not of today's is told. */
static int fetch(struct ctx *c, bool offline, const char *id, struct mailsrc **ret,
		 struct err *err)
{
	struct fetched f _cleanup_fetched_ = { 0 };
	struct buf ago _cleanup_buf_ = BUF_INIT;
	int rc = fetch_thread(c->config, id, offline, &f, err);

	if (rc)
		return rc;
	if (f.why) {
		time_ago(f.kept_since, &ago);
		progress_note("%s", f.why);
		progress_note("this is the thread as it was fetched %s", buf_cstr(&ago));
	}
	rc = mailsrc_open(f.path, FROM_MBOXRD, ret, err);
	return rc ? err_context(err, "<%s>", id) : 0;
}

int source_open(struct ctx *c, const struct source_opts *o, const char *arg,
		struct mailsrc **ret, char **ret_id, struct err *err)
{
	char *id;

	if (!strcmp(arg, "-") || fs_exists(arg))
		return mailsrc_open(arg, o->mboxo ? FROM_MBOXO : FROM_MBOXRD, ret, err);
	id = fetch_message_id(arg);
	if (!id)
		return err_set(err, E_NOTFOUND,
			       "no file '%s', and no Message-ID either: that has an @",
			       arg);
	*ret_id = id;
	return fetch(c, o->offline, id, ret, err);
}
