// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * local.c - jobs run as processes of this machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "series/engine.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/time.h"

struct tee {
	const struct job *job;
	int fd;		/* log, or -1 */
	struct err err; /* first failure to write it */
};

/* A line of the job: into the log, then to whoever listens. */
static void tee_line(struct str line, void *arg)
{
	struct tee *t = arg;

	if (t->fd >= 0 && !t->err.code) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		buf_addstr(&b, line);
		buf_putc(&b, '\n');
		fs_write_fd(t->fd, b.p, b.len, t->job->log_path, &t->err);
	}
	t->job->on_line(line, t->job->arg);
}

int engine_run(const struct job *j, struct job_result *ret, struct err *err)
{
	struct tee tee = { j, -1, ERR_INIT };
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;
	int fd _cleanup_close_ = -1;
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct strvec env _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .cwd = j->cwd,
			       .timeout_ms = j->deadline_ms,
			       .keep = j->keep,
			       .n_keep = j->n_keep };
	int64_t start = time_mono_ns();
	int r;

	strvec_extend(&argv, &j->argv);
	strvec_extend(&env, &j->env);
	o.argv = strvec_argv(&argv);
	o.env = strvec_argv(&env);
	o.err = PROC_MERGE;
	if (j->on_line) {
		o.out = PROC_LINES;
		o.on_line = tee_line;
		o.arg = &tee;
		if (j->log_path) {
			fd = open(j->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
				  0666);
			if (fd < 0)
				return err_errno(err, errno, "%s", j->log_path);
			tee.fd = fd;
		}
	} else if (j->log_path) {
		o.out = PROC_FILE;
		o.out_path = j->log_path;
	} else {
		o.out = PROC_NULL;
	}
	r = proc_run(&o, &pr, err);
	if (tee.err.code) {
		r = err_set(err, tee.err.code, "%s", err_msg(&tee.err));
		err_release(&tee.err);
		return r;
	}
	if (r && r != E_TIMEOUT && r != E_INTR)
		return r;
	ret->state = r == E_INTR      ? JOB_INTERRUPTED
		     : r == E_TIMEOUT ? JOB_TIMEOUT
		     : pr.status      ? JOB_FAILED
				      : JOB_OK;
	ret->rc = pr.status;
	ret->wall_ms = (time_mono_ns() - start) / 1000000;
	if (err)
		err_release(err);
	return 0;
}
