// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series recipients: who gets the mails, and why.
 */
#include "cmd.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/recipients.h"
#include "series/sanitize.h"

struct recipients_opts {
	struct strvec add_to, add_cc, drop;
	bool find, why;
};

static void print_side(struct ctx *c, const char *head, const struct addrs *a,
		       const struct reasons *w, bool with_why)
{
	for (size_t i = 0; i < a->n; i++) {
		struct buf line _cleanup_buf_ = BUF_INIT;

		buf_printf(&line, "%s: ", head);
		addr_show(&a->v[i], &line);
		buf_putc(&line, '\n');
		for (size_t k = 0; with_why && k < w->v[i].n; k++)
			buf_printf(&line, "\t%s\n", w->v[i].v[k]);
		out_foreign(&c->out, buf_str(&line));
	}
}

static struct json *addrs_json(const struct addrs *a, const struct reasons *w)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < a->n; i++) {
		struct json *o = json_obj();

		json_set_str(o, "name", a->v[i].name);
		json_set_str(o, "email", a->v[i].email);
		if (w)
			json_set_strvec(o, "why", &w->v[i]);
		json_push(arr, o);
	}
	return arr;
}

static void print_json(struct ctx *c, const struct recipients *r,
		       const struct strvec *dropped, const struct recipients_news *news)
{
	struct json *j = c->out.json = json_obj();

	json_set_int(j, "schema", 1);
	json_set(j, "to", addrs_json(&r->to, &r->why_to));
	json_set(j, "cc", addrs_json(&r->cc, &r->why_cc));
	json_set(j, "bcc", addrs_json(&r->bcc, &r->why_bcc));
	json_set_strvec(j, "dropped", dropped);
	if (!news)
		return;
	json_set(j, "added", addrs_json(&news->added, NULL));
	json_set(j, "gone", addrs_json(&news->gone, NULL));
	json_set_strvec(j, "notes", &news->notes);
}

static void print_news(struct ctx *c, const struct recipients_news *n)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	buf_printf(&b, "%zu added", n->added.n);
	if (n->dropped.n)
		buf_printf(&b, ", %zu left out (dropped before)", n->dropped.n);
	buf_putc(&b, '\n');
	for (size_t i = 0; i < n->gone.n; i++) {
		char *word _cleanup_free_ = shell_word(n->gone.v[i].email);

		buf_printf(&b,
			   "%s was found before and is not now; it stays until: series "
			   "recipients --drop %s\n",
			   n->gone.v[i].email, word);
	}
	out_foreign(&c->out, buf_str(&b));
}

/* Changes before anything is shown: found ones first, for --drop may name one of them. */
static int change(struct ctx *c, const struct recipients_opts *q,
		  struct recipients_news *news, struct strvec *notes, struct err *err)
{
	const struct recipients_change what = { &q->add_to, &q->add_cc, &q->drop };
	int rc = 0;

	if (q->find)
		rc = recipients_auto(c->series, c->config, news, err);
	if (!rc && (q->add_to.n || q->add_cc.n || q->drop.n))
		rc = recipients_edit(c->series, c->config, &what, notes, err);
	for (size_t i = 0; i < news->notes.n; i++)
		progress_note("%s", news->notes.v[i]);
	for (size_t i = 0; i < notes->n; i++)
		progress_note("%s", notes->v[i]);
	return rc;
}

static void print_text(struct ctx *c, const struct recipients *r, bool with_why)
{
	print_side(c, "To", &r->to, &r->why_to, with_why);
	print_side(c, "Cc", &r->cc, &r->why_cc, with_why);
	print_side(c, "Bcc", &r->bcc, &r->why_bcc, with_why);
	if (!r->to.n && !r->cc.n)
		out_puts(&c->out, "nobody yet: series recipients --auto, or --add-to "
				  "ADDRESS\n");
}

static int run_recipients(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct recipients_opts *q = opts;
	struct recipients r _cleanup_recipients_ = { 0 };
	struct strvec notes _cleanup_strvec_ = STRVEC_INIT;
	struct strvec dropped _cleanup_strvec_ = STRVEC_INIT;
	struct recipients_news news = { 0 };
	int rc = change(c, q, &news, &notes, err);

	if (!rc)
		rc = recipients_collect(c->series, c->config, NULL, NULL, &r, err);
	if (!rc)
		rc = recipients_dropped(c->series, &dropped, err);
	if (!rc && c->json)
		print_json(c, &r, &dropped, q->find ? &news : NULL);
	else if (!rc)
		print_text(c, &r, q->why);
	if (!rc && q->find && !c->json)
		print_news(c, &news);
	recipients_news_release(&news);
	return rc;
}

static const struct opt options[] = {
	{ .name = "auto",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct recipients_opts, find),
	  .help = "add those whom the patches concern" },
	{ .name = "why",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct recipients_opts, why),
	  .help = "say where each address comes from" },
	{ .name = "add-to",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct recipients_opts, add_to),
	  .arg = "ADDRESS",
	  .help = "send it to this address" },
	{ .name = "add-cc",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct recipients_opts, add_cc),
	  .arg = "ADDRESS",
	  .help = "send copies to this address" },
	{ .name = "drop",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct recipients_opts, drop),
	  .arg = "ADDRESS",
	  .help = "leave it out, wherever it comes from",
	  .also = "remove delete rm del exclude forget" },
	OPT_END,
};

const struct cmd cmd_recipients = {
	.name = "recipients",
	.group = "prepare",
	.summary = "who gets the mails, and why",
	.synopsis = "",
	.about =
		"The series has lists of its own, kept with its state. --auto fills "
		"them: it "
		"runs the base commit's own scripts/get_maintainer.pl on the patches, "
		"puts "
		"people into To and mailing lists into Cc, and adds to Cc the authors "
		"and "
		"whom the commits name in Cc: and ...-by: lines, and who commented on a "
		"version (series update knows). Run again after a "
		"rework it "
		"adds who is new, says who is not found any more, and takes nobody "
		"off.\n\n"
		"--drop leaves an address out wherever it comes from, also when --auto "
		"finds "
		"it again; --add-to and --add-cc take that back, and move an address "
		"from one "
		"list to the other.\n\n"
		"The git configuration comes on top: sendemail.to, cc, bcc (of the "
		"identity), "
		"toCmd and ccCmd (run for each patch, their answers for all mails), "
		"format.to "
		"and cc, b4.send-series-to and send-series-cc, the last two also from "
		".b4-config in the base's tree. Short names of sendemail.aliasesFile "
		"stand "
		"wherever an address may. sendemail.suppressCc, suppressFrom and "
		"signedOffByCc hold for --auto and ccCmd. b4.send-auto-to-cmd and "
		"send-auto-cc-cmd stand in for the script. Each address is used once: To "
		"before Cc before Bcc, and Bcc is in no mail, only in the envelope.",
	.examples = "series recipients --auto --why\n"
		    "\tFind maintainers and lists; show everybody with the reasons\n"
		    "series recipients --add-to 'Linux MM <linux-mm@kvack.org>'\n"
		    "\tRemember a list for every version\n"
		    "series recipients --drop linux-kernel@vger.kernel.org\n"
		    "\tNot to this one, whoever names it\n",
	.opts = options,
	.opts_size = sizeof(struct recipients_opts),
	.flags = CMD_SERIES | CMD_JSON,
	.run = run_recipients,
};
