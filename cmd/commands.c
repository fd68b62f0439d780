// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of commands, in the order of the help. A command's row is at the end of its
 * own file, cmd_NAME.c.
 */
#include <string.h>

#include "cmd.h"

extern const struct cmd cmd_am;
extern const struct cmd cmd_base;
extern const struct cmd cmd_bench;
extern const struct cmd cmd_build;
extern const struct cmd cmd_changes;
extern const struct cmd cmd_check;
extern const struct cmd cmd_cover;
extern const struct cmd cmd_diff;
extern const struct cmd cmd_doctor;
extern const struct cmd cmd_format;
extern const struct cmd cmd_help;
extern const struct cmd cmd_host;
extern const struct cmd cmd_import;
extern const struct cmd cmd_init;
extern const struct cmd cmd_list;
extern const struct cmd cmd_log;
extern const struct cmd cmd_mirror;
extern const struct cmd cmd_recipients;
extern const struct cmd cmd_remarks;
extern const struct cmd cmd_report;
extern const struct cmd cmd_send;
extern const struct cmd cmd_show;
extern const struct cmd cmd_status;
extern const struct cmd cmd_sync;
extern const struct cmd cmd_tags;
extern const struct cmd cmd_triage;
extern const struct cmd cmd_thank;
extern const struct cmd cmd_update;
extern const struct cmd cmd_version;

const struct cmd *const commands[] = {
	/* prepare */
	&cmd_init,
	&cmd_import,
	&cmd_list,
	&cmd_status,
	&cmd_cover,
	&cmd_changes,
	&cmd_base,
	&cmd_recipients,
	&cmd_diff,
	&cmd_log,
	&cmd_check,
	/* build */
	&cmd_build,
	/* measure */
	&cmd_host,
	&cmd_bench,
	&cmd_report,
	/* post */
	&cmd_format,
	&cmd_send,
	/* follow */
	&cmd_update,
	&cmd_tags,
	&cmd_remarks,
	/* maintain */
	&cmd_mirror,
	&cmd_triage,
	&cmd_show,
	&cmd_am,
	&cmd_thank,
	/* other */
	&cmd_sync,
	&cmd_doctor,
	&cmd_help,
	&cmd_version,
	NULL,
};

const struct cmd *cmd_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

int cmd_unknown(const char *name, struct err *err)
{
	const struct cmd *best = NULL;
	size_t least = NEAREST_NONE;

	for (size_t i = 0; commands[i]; i++) {
		size_t score = nearest_score(str_c(name), commands[i]->name);

		if (score < least) {
			least = score;
			best = commands[i];
		}
	}
	if (best)
		return err_set(err, E_USAGE, "'%s' is not a command; did you mean '%s'?",
			       name, best->name);
	return err_set(err, E_USAGE, "'%s' is not a command; 'series help' lists them", name);
}

const char *cmd_version_string(void)
{
	return SERIES_VERSION;
}
