// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * source.c - see source.h.
 */
#include "series/fetch.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/mirrors.h"
#include "series/progress.h"
#include "series/time.h"
#include "source.h"

/* What a mirror here has of it, as an mbox that is gone from the disk once it is open. */
static bool mirrored(const char *id, struct mailsrc **ret)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *name _cleanup_free_ = NULL, *dir _cleanup_free_ = NULL;
	char *path _cleanup_free_ = NULL;
	int rc = mirrors_thread(id, &t, &name, NULL);

	if (rc || fs_tmpdir("series-mirrored", &dir, NULL))
		return false;
	thread_link(&t);
	for (size_t i = 0; i < t.n; i++)
		mail_mboxrd(&t.v[t.order[i]].mail, mail_sink_buf, &text);
	path = path_join(dir, "mbox");
	rc = fs_write_atomic(path, text.p, text.len, 0600, NULL);
	if (!rc)
		rc = mailsrc_open(path, FROM_MBOXRD, ret, NULL);
	fs_rmtree(dir, NULL);
	if (rc)
		return false;
	progress_note("<%s> is from the mirror %s, as it is here", id, name);
	return true;
}

/* From the archive; a copy that is not of today's is told. */
static int fetch(struct ctx *c, bool offline, const char *id, struct mailsrc **ret,
		 struct err *err)
{
	struct fetched f _cleanup_fetched_ = { 0 };
	struct buf ago _cleanup_buf_ = BUF_INIT;
	int rc = fetch_thread(c->config, id, offline, &f, err);

	if (rc && rc != E_INTR && mirrored(id, ret)) {
		if (!offline)
			progress_note("%s", err_msg(err));
		err_release(err);
		return 0;
	}
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
