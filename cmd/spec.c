// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Everything people and programs read about a command, derived from its row: usage, -h,
 * the overview and the JSON from which man pages and completions are generated.
 */
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "series/check.h"
#include "series/json.h"
#include "series/mem.h"
#include "series/settings.h"
#include "spec.h"

static const char *const color_choices[] = { "auto", "always", "never", NULL };

const struct opt global_options[] = {
	{ .name = "directory", .letter = 'C', .kind = OPT_STRING, .arg = "DIR",
	  .offset = offsetof(struct global_opts, dir), .complete = "dir",
	  .help = "run as if started in DIR" },
	{ .name = "no-pager", .kind = OPT_FLAG,
	  .offset = offsetof(struct global_opts, no_pager),
	  .help = "never page long output" },
	{ .name = "color", .kind = OPT_CHOICE, .arg = "WHEN", .choices = color_choices,
	  .offset = offsetof(struct global_opts, color),
	  .help = "colour the output: auto, always or never" },
	{ .name = "version", .kind = OPT_FLAG,
	  .offset = offsetof(struct global_opts, version),
	  .help = "print the version of the program" },
	{ .name = "help", .letter = 'h', .kind = OPT_FLAG,
	  .offset = offsetof(struct global_opts, help),
	  .help = "print this help, or the help of a command" },
	{ .name = "dump-spec", .kind = OPT_FLAG,
	  .offset = offsetof(struct global_opts, dump_spec),
	  .help = "print all commands and options as JSON" },
	{ .name = "complete", .kind = OPT_STRING, .arg = "KIND",
	  .offset = offsetof(struct global_opts, complete),
	  .help = "print the candidates for a completion (series, arch, version, remark, ...)" },
	OPT_END
};

static const struct opt name_option = {
	.name = "series", .letter = 's', .kind = OPT_STRING, .arg = "NAME",
	.offset = offsetof(struct common_opts, name), .complete = "series",
	.help = "act on this series instead of the branch's"
};
static const struct opt json_option = {
	.name = "json", .kind = OPT_FLAG, .offset = offsetof(struct common_opts, json),
	.help = "print the answer as one JSON document"
};

static const struct {
	const char *group, *title;
} groups[] = {
	{ "prepare", "Prepare a series" },
	{ "build", "Build kernels" },
	{ "measure", "Measure" },
	{ "post", "Post" },
	{ "follow", "Follow the review" },
	{ "maintain", "Maintain" },
	{ "other", "Other" },
};

struct opt *spec_options(const struct cmd *c, size_t *ret_common, size_t *ret_size)
{
	size_t n = 0, at = (c->opts_size + 15) & ~(size_t)15;

	while (c->opts && c->opts[n].name)
		n++;
	struct opt *all = xcalloc(n + 3, sizeof(*all));

	for (size_t i = 0; i < n; i++)
		all[i] = c->opts[i];
	if (c->flags & (CMD_SERIES | CMD_DOCS)) {
		all[n] = name_option;
		all[n++].offset += at;
	}
	if (c->flags & CMD_JSON) {
		all[n] = json_option;
		all[n++].offset += at;
	}
	*ret_common = at;
	*ret_size = at + sizeof(struct common_opts);
	return all;
}

void spec_usage(const struct cmd *c, struct buf *out)
{
	size_t common, size;
	_cleanup_free_ struct opt *all = spec_options(c, &common, &size);

	buf_printf(out, "usage: series %s%s%s%s\n", c->name, all[0].name ? " [options]" : "",
		   c->synopsis && *c->synopsis ? " " : "", c->synopsis ? c->synopsis : "");
}

void spec_help(const struct cmd *c, struct buf *out)
{
	size_t common, size;
	_cleanup_free_ struct opt *all = spec_options(c, &common, &size);

	spec_usage(c, out);
	buf_printf(out, "\n%c%s.\n", toupper((unsigned char)c->summary[0]), c->summary + 1);
	if (all[0].name) {
		buf_puts(out, "\n");
		opt_help(all, out);
	}
	buf_printf(out, "\nThe manual has more: man series-%s\n", c->name);
}

void spec_overview(struct buf *out)
{
	buf_puts(out, "usage: series [-C DIR] [--no-pager] [--color=WHEN] COMMAND [options]\n");
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++) {
		bool any = false;

		for (size_t i = 0; commands[i]; i++) {
			if (strcmp(commands[i]->group, groups[g].group))
				continue;
			if (!any)
				buf_printf(out, "\n%s\n", groups[g].title);
			any = true;
			buf_printf(out, "  %-11s %s\n", commands[i]->name,
				   commands[i]->summary);
		}
	}
	buf_puts(out, "\n\"series help COMMAND\" explains one; every command has -h.\n");
}

static const char *const kind_names[] = {
	[OPT_FLAG] = "flag", [OPT_STRING] = "string", [OPT_LIST] = "list",
	[OPT_INT] = "int", [OPT_CHOICE] = "choice", [OPT_OPTIONAL] = "optional",
};

static struct json *options_json(const struct opt *o)
{
	struct json *arr = json_arr();

	for (; o->name; o++) {
		struct json *j = json_obj();
		char letter[2] = { o->letter, '\0' };

		json_set_str(j, "name", o->name);
		json_set_str(j, "letter", o->letter ? letter : NULL);
		json_set_str(j, "kind", kind_names[o->kind]);
		json_set_str(j, "arg", o->arg);
		json_set_str(j, "help", o->help);
		json_set_str(j, "complete", o->complete);
		json_set_bool(j, "negatable", o->negatable);
		if (o->choices) {
			struct json *c = json_arr();

			for (size_t i = 0; o->choices[i]; i++)
				json_push_str(c, o->choices[i]);
			json_set(j, "choices", c);
		}
		json_push(arr, j);
	}
	return arr;
}

static struct json *command_json(const struct cmd *c)
{
	size_t common, size;
	_cleanup_free_ struct opt *all = spec_options(c, &common, &size);
	struct json *j = json_obj();

	json_set_str(j, "name", c->name);
	json_set_str(j, "group", c->group);
	json_set_str(j, "summary", c->summary);
	json_set_str(j, "synopsis", c->synopsis);
	json_set_str(j, "about", c->about);
	json_set_str(j, "findings", c->findings);
	json_set_str(j, "examples", c->examples);
	json_set_str(j, "complete", c->complete);
	json_set(j, "options", options_json(all));
	return j;
}

/* The table of "series check": its manual page has them all. */
static struct json *checks_spec(void)
{
	_cleanup_checks_ struct checks all = { 0 };

	check_list(NULL, NULL, &all, NULL);
	return checks_json(&all);
}

static struct json *settings_spec(void)
{
	struct json *arr = json_arr();
	const struct setting *s;

	for (size_t i = 0; (s = setting_at(i)); i++) {
		struct json *j = json_obj();

		json_set_str(j, "key", s->key);
		json_set_str(j, "arg", s->arg);
		json_set_str(j, "help", s->help);
		json_push(arr, j);
	}
	return arr;
}

struct json *spec_json(void)
{
	struct json *j = json_obj(), *arr = json_arr(), *gr = json_arr();

	json_set_int(j, "schema", 1);
	json_set_str(j, "version", cmd_version_string());
	json_set(j, "options", options_json(global_options));
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		struct json *g = json_obj();

		json_set_str(g, "name", groups[i].group);
		json_set_str(g, "title", groups[i].title);
		json_push(gr, g);
	}
	json_set(j, "groups", gr);
	for (size_t i = 0; commands[i]; i++)
		json_push(arr, command_json(commands[i]));
	json_set(j, "commands", arr);
	json_set(j, "checks", checks_spec());
	json_set(j, "settings", settings_spec());
	return j;
}
