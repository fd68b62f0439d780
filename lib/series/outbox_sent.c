// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outbox_sent.c - mails of which the server changed the Message-ID: what later ones
 * answer, and what the state keeps.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/outbox.h"

const char *outbox_real_id(const struct outbox *o, const char *id)
{
	for (size_t i = 0; id && i < o->n_mails; i++)
		if (o->mails[i].new_id && !strcmp(o->mails[i].message_id, id))
			return o->mails[i].new_id;
	return id;
}

static void replace(char **id, const struct outbox *o)
{
	const char *real = outbox_real_id(o, *id);

	if (real != *id) {
		free(*id);
		*id = xstrdup(real);
	}
}

void outbox_real_version(const struct outbox *o, struct version *ret)
{
	struct posting *p;

	version_copy(&o->version, ret);
	p = o->fixup ? &ret->fixups[ret->n_fixups - 1].posting
		     : &ret->postings[ret->n_postings - 1];
	if (outbox_real_id(o, p->message_id) != p->message_id) {
		free(p->prepared_id);
		p->prepared_id = xstrdup(p->message_id);
	}
	replace(&p->message_id, o);
	for (size_t i = 0; i < p->ids.n; i++)
		replace(&p->ids.v[i], o);
	for (size_t i = 0; i < ret->n_patches; i++)
		replace(&ret->patches[i].message_id, o);
}

static void put_real(const struct outbox *o, struct str id, struct buf *out)
{
	char *old _cleanup_free_ = str_dup(id);

	buf_puts(out, outbox_real_id(o, old));
}

/* A line of a field that names mails, each "<ID>" of it as it is on the list. */
static void put_ids(const struct outbox *o, struct str line, struct buf *out)
{
	struct str id;

	while (line.len) {
		ptrdiff_t open = str_chr(line, '<'), close;

		close = open < 0 ? -1
				 : str_chr(str_n(line.p + open, line.len - open), '>');
		if (close < 0)
			break;
		id = str_n(line.p + open + 1, close - 1);
		buf_addstr(out, str_n(line.p, open + 1));
		put_real(o, id, out);
		buf_putc(out, '>');
		line = str_n(line.p + open + close + 1, line.len - open - close - 1);
	}
	buf_addstr(out, line);
}

int outbox_read_sent(const struct outbox *o, size_t k, struct buf *ret, struct err *err)
{
	struct buf data _cleanup_buf_ = BUF_INIT;
	struct str rest, line;
	bool names_mails = false;
	int rc = outbox_read(o, k, &data, err);

	if (rc)
		return rc;
	rest = buf_str(&data);
	while (str_line(&rest, &line) && line.len) {
		if (line.p[0] != ' ' && line.p[0] != '\t')
			names_mails = str_istarts(line, "Message-ID:") ||
				      str_istarts(line, "In-Reply-To:") ||
				      str_istarts(line, "References:");
		if (names_mails)
			put_ids(o, line, ret);
		else
			buf_addstr(ret, line);
		buf_putc(ret, '\n');
	}
	buf_putc(ret, '\n');
	buf_addstr(ret, rest);
	return 0;
}

int outbox_record_id(struct outbox *o, size_t k, const char *id, const char *reply,
		     struct err *err)
{
	char *text _cleanup_free_ = xasprintf("<%s> %s", id, reply);

	return outbox_record(o, REC_OKID, k, text, err);
}
