// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series format: the mails as files, nothing sent.
 */
#include <ctype.h>
#include <string.h>

#include "cmd.h"
#include "fixup_text.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/post.h"

#define NAME_COLUMNS 52 /* of the title in a file's name, as git format-patch cuts it */

struct format_opts {
	const char *dir;
	bool rfc, no_prefix, no_signature;
	int version, fixup;
	const char *in_reply_to, *message;
	struct strvec to, cc, prefixes;
};

/* "0001-mm-unmap-in-batches.patch" from "[PATCH 1/3] mm: unmap in batches". */
static char *file_name(size_t number, const char *subject)
{
	struct buf b = BUF_INIT;
	const char *title = strstr(subject, "] ");
	size_t start;

	buf_printf(&b, "%04zu-", number);
	start = b.len;
	for (title = title ? title + 2 : subject; *title; title++) {
		unsigned char ch = *title;

		if (isalnum(ch) || ch == '_' || (ch == '.' && b.p[b.len - 1] != '.'))
			buf_putc(&b, (char)ch);
		else if (b.p[b.len - 1] != '-')
			buf_putc(&b, '-');
	}
	if (b.len > start + NAME_COLUMNS)
		buf_truncate(&b, start + NAME_COLUMNS);
	while (b.len > start && strchr("-.", b.p[b.len - 1]))
		buf_truncate(&b, b.len - 1);
	buf_puts(&b, b.len > start ? ".patch" : "patch.patch");
	return buf_take(&b);
}

/* One file that git am takes: a From line like git's, then the mail. */
static int write_mail(struct ctx *c, const char *dir, const struct outbox *o, size_t i,
		      struct err *err)
{
	const struct version *v = &o->version;
	bool cover = !o->fixup && o->n_mails > v->n_patches;
	size_t n = cover ? i : i + 1;
	char *name _cleanup_free_ =
		n ? file_name(n, o->mails[i].subject) : xstrdup("0000-cover-letter.patch");
	char *path _cleanup_free_ = path_join(dir, name);
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc;

	buf_printf(&text, "From %s Mon Sep 17 00:00:00 2001\n",
		   o->fixup ? v->fixups[v->n_fixups - 1].commit
		   : n	    ? v->patches[n - 1].commit
			    : v->head);
	buf_addstr(&text, buf_str(&o->mails[i].data));
	rc = fs_write_atomic(path, text.p, text.len, 0644, err);
	if (!rc)
		out_printf(&c->out, "%s\n", path);
	return rc;
}

static int format(struct ctx *c, struct fix *fix, const char *message, void *arg,
		  struct err *err)
{
	const struct format_opts *q = arg;
	struct post_opts o = { .to = &q->to, .cc = &q->cc, .rfc = q->rfc,
			       .version = q->version, .in_reply_to = q->in_reply_to,
			       .allow_emulated = true, .keep_dates = true,
			       .no_signature = q->no_signature,
			       .fix = fix, .message = message };
	const char *dir = q->dir ? q->dir : ".";
	struct post *p _cleanup_post_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc;

	if (q->prefixes.n || q->no_prefix)
		o.prefixes = &q->prefixes;
	rc = post_prepare(c->series, c->config, &o, &p, err);
	if (!rc && p->outbox->n_mails)
		rc = fs_mkdirs(dir, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < p->outbox->n_mails && !rc; i++)
		rc = write_mail(c, dir, p->outbox, i, err);
	if (rc)
		return rc;
	findings_show(&p->findings, &text);
	out_foreign(&c->out, buf_str(&text));
	if (!p->outbox->n_mails)
		return err_set(err, E_FAIL, "there is nothing to write");
	for (size_t i = 0; i < p->findings.n; i++)
		if (p->findings.v[i].severity == SEVERITY_ERROR &&
		    strcmp(p->findings.v[i].id, "no-recipients"))
			return err_set(err, E_FINDINGS, "these mails would not be sent");
	return 0;
}

static int run_format(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct format_opts *q = opts;

	if (q->prefixes.n && q->no_prefix)
		return err_set(err, E_USAGE, "--prefix and --no-prefix exclude each other");
	if (q->message && !q->fixup)
		return err_set(err, E_USAGE,
			       "--message is the text of a fix: it goes with --fixup=K");
	if (q->fixup && (q->rfc || q->version || q->prefixes.n || q->no_prefix))
		return err_set(err, E_USAGE,
			       "--fixup is for a version as it was posted: --rfc, --prefix "
			       "and --version do not go with it");
	if (q->fixup)
		return fixup_with_text(c, q->fixup, q->message, true, format, opts, err);
	return format(c, NULL, NULL, opts, err);
}

static const struct opt options[] = {
	{ .name = "output", .letter = 'o', .kind = OPT_STRING,
	  .offset = offsetof(struct format_opts, dir), .arg = "DIR", .complete = "dir",
	  .help = "write the files there (default: here)" },
	{ .name = "rfc", .kind = OPT_FLAG, .offset = offsetof(struct format_opts, rfc),
	  .help = "RFC in front of PATCH" },
	{ .name = "prefix", .kind = OPT_LIST,
	  .offset = offsetof(struct format_opts, prefixes), .arg = "WORD",
	  .help = "a word behind PATCH instead of the stored ones" },
	{ .name = "no-prefix", .kind = OPT_FLAG,
	  .offset = offsetof(struct format_opts, no_prefix),
	  .help = "none of the stored words" },
	{ .name = "no-signature", .kind = OPT_FLAG,
	  .offset = offsetof(struct format_opts, no_signature),
	  .help = "no signature, whatever format.signature says" },
	{ .name = "version", .letter = 'v', .kind = OPT_INT, .lo = 1, .hi = 9999,
	  .offset = offsetof(struct format_opts, version), .arg = "N",
	  .help = "number of the version (default: the draft's)" },
	{ .name = "fixup", .kind = OPT_INT, .lo = 1, .hi = SERIES_MAX_PATCHES,
	  .complete = "posted", .offset = offsetof(struct format_opts, fixup), .arg = "K",
	  .help = "the mail of a fix for patch K of the last version" },
	{ .name = "message", .letter = 'm', .kind = OPT_STRING,
	  .offset = offsetof(struct format_opts, message), .arg = "TEXT",
	  .help = "what the fix says" },
	{ .name = "in-reply-to", .kind = OPT_STRING,
	  .offset = offsetof(struct format_opts, in_reply_to), .arg = "ID",
	  .help = "answer this mail instead of starting a thread" },
	{ .name = "to", .kind = OPT_LIST, .offset = offsetof(struct format_opts, to),
	  .arg = "ADDRESS", .help = "one more recipient" },
	{ .name = "cc", .kind = OPT_LIST, .offset = offsetof(struct format_opts, cc),
	  .arg = "ADDRESS", .help = "one more recipient of copies" },
	OPT_END,
};

const struct cmd cmd_format = {
	.name = "format",
	.group = "post",
	.summary = "write the mails, send nothing",
	.synopsis = "",
	.about = "Writes what send would send, a file a mail, in the form of git "
		 "format-patch: git am takes them. The patches keep the dates of their "
		 "authors. What would stop send is shown and gives exit status 2.",
	.findings = "The mails are written, but check has errors about them: send would "
		    "stop.",
	.examples = "series format -o /tmp/v2\n\tThe mails of the draft, to look at\n",
	.opts = options,
	.opts_size = sizeof(struct format_opts),
	.flags = CMD_SERIES,
	.run = run_format,
};
