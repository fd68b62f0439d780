// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of commands, in the order of the help. A command's row is at the end of its own
 * file, cmd_NAME.c.
 */
#include <string.h>

#include "cmd.h"

extern const struct cmd cmd_doctor, cmd_format, cmd_help, cmd_host, cmd_recipients, cmd_send,
	cmd_version;

const struct cmd *const commands[] = {
	/* measure */
	&cmd_host,
	/* post */
	&cmd_recipients,
	&cmd_format,
	&cmd_send,
	/* other */
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

const char *cmd_version_string(void)
{
	return SERIES_VERSION;
}
