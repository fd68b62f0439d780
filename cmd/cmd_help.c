// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series help [COMMAND]: the manual page when there is one, else what -h prints.
 */
#include "series/proc.h"
#include "spec.h"

/* The installed manual page, on a terminal only; false when man has none. */
static bool show_manual(struct ctx *c, const char *command)
{
	_cleanup_strvec_ struct strvec argv = STRVEC_INIT;
	_cleanup_proc_ struct proc_result r = PROC_RESULT_INIT;

	if (!c->out.tty)
		return false;
	strvec_pushl(&argv, "man", NULL);
	strvec_pushf(&argv, "series-%s", command);
	struct proc_opts o = { .argv = strvec_argv(&argv), .out = PROC_INHERIT,
			       .err = PROC_NULL, .inherit_stdin = true, .foreground = true };

	return !proc_run(&o, &r, NULL) && !r.status;
}

static int run_help(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	if (!args->n) {
		spec_overview(&c->out.text);
		return 0;
	}
	const struct cmd *cmd = cmd_find(args->v[0]);

	if (!cmd)
		return cmd_unknown(args->v[0], err);
	if (!show_manual(c, cmd->name))
		spec_help(cmd, &c->out.text);
	return 0;
}

const struct cmd cmd_help = {
	.name = "help",
	.group = "other",
	.summary = "list the commands, or explain one",
	.synopsis = "[COMMAND]",
	.about = "Without an argument the commands are listed by group. With one its manual "
		 "page is shown, or the text of -h where the page is not installed.",
	.max_args = 1,
	.complete = "command",
	.run = run_help,
};
