// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series recipients: who gets the mails, and why.
 */
#include "cmd.h"
#include "series/post.h"

struct recipients_opts {
	struct strvec add_to, add_cc, drop;
	bool why;
};

static void print_side(struct ctx *c, const char *head, const struct addrs *a,
		       const struct strvec *why, bool with_why)
{
	for (size_t i = 0; i < a->n; i++) {
		struct buf line _cleanup_buf_ = BUF_INIT;

		buf_printf(&line, "%s: ", head);
		addr_show(&a->v[i], &line);
		if (with_why)
			buf_printf(&line, "  (%s)", why->v[i]);
		buf_putc(&line, '\n');
		out_foreign(&c->out, buf_str(&line));
	}
}

static struct json *side_json(const struct addrs *a, const struct strvec *why)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < a->n; i++) {
		struct json *o = json_obj();

		json_set_str(o, "name", a->v[i].name);
		json_set_str(o, "email", a->v[i].email);
		json_set_str(o, "why", why->v[i]);
		json_push(arr, o);
	}
	return arr;
}

static int run_recipients(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct recipients_opts *q = opts;
	struct recipients r _cleanup_recipients_ = { 0 };
	int rc = 0;

	if (q->add_to.n || q->add_cc.n || q->drop.n)
		rc = recipients_edit(c->series, &q->add_to, &q->add_cc, &q->drop, err);
	if (!rc)
		rc = recipients_collect(c->series, c->config, NULL, NULL, &r, err);
	if (rc)
		return rc;
	if (c->json) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set(c->out.json, "to", side_json(&r.to, &r.why_to));
		json_set(c->out.json, "cc", side_json(&r.cc, &r.why_cc));
		return 0;
	}
	print_side(c, "To", &r.to, &r.why_to, q->why);
	print_side(c, "Cc", &r.cc, &r.why_cc, q->why);
	if (!r.to.n && !r.cc.n)
		out_puts(&c->out, "nobody yet: series recipients --add-to ADDRESS\n");
	return 0;
}

static const struct opt options[] = {
	{ .name = "add-to", .kind = OPT_LIST,
	  .offset = offsetof(struct recipients_opts, add_to), .arg = "ADDRESS",
	  .help = "send it to this address" },
	{ .name = "add-cc", .kind = OPT_LIST,
	  .offset = offsetof(struct recipients_opts, add_cc), .arg = "ADDRESS",
	  .help = "send copies to this address" },
	{ .name = "drop", .kind = OPT_LIST, .offset = offsetof(struct recipients_opts, drop),
	  .arg = "ADDRESS", .help = "take it off the series' lists" },
	{ .name = "why", .kind = OPT_FLAG, .offset = offsetof(struct recipients_opts, why),
	  .help = "say where each address comes from" },
	OPT_END,
};

const struct cmd cmd_recipients = {
	.name = "recipients",
	.group = "prepare",
	.summary = "who gets the mails, and why",
	.synopsis = "",
	.about = "The series has lists of its own, kept with its state and changed with "
		 "--add-to, --add-cc and --drop. sendemail.to and sendemail.cc (and format.to, "
		 "format.cc, b4.send-series-to, b4.send-series-cc) of the git configuration "
		 "come on top; --why says which is which. Each address is used once.",
	.examples = "series recipients --add-to 'Linux MM <linux-mm@kvack.org>'\n"
		    "\tRemember a list for every version\n",
	.opts = options,
	.opts_size = sizeof(struct recipients_opts),
	.flags = CMD_SERIES | CMD_JSON,
	.run = run_recipients,
};
