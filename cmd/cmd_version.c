// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series version: which program this is.
 */
#include "cmd.h"

static int run_version(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	if (c->json) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set_str(c->out.json, "version", cmd_version_string());
		return 0;
	}
	out_printf(&c->out, "series %s\n", cmd_version_string());
	return 0;
}

const struct cmd cmd_version = {
	.name = "version",
	.group = "other",
	.summary = "print the version of the program",
	.about = "Prints the version of the program, as --version does.",
	.flags = CMD_JSON,
	.run = run_version,
};
