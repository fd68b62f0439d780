// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mirror-dump.c - what lib/git/mirror.c reads, for t0410-mirror.sh and for measuring.
 *
 *	mirror-dump [--count|--heads] [--since COMMIT]... DIR
 *
 * A line for each epoch ("epoch N.git", "epoch N.git rewritten"), below it one for each
 * mail: "m", "d" or "b" (broken), commit, blob, bytes, and the blob's name as computed
 *from the bytes. The first --since is that of the first epoch, "" for none. --count and
 *--heads print how many mails there are, after reading nothing more or their fields.
 */
#include <stdio.h>
#include <string.h>
#include "series/fs.h"
#include "series/mail.h"
#include "series/mirror.h"
#include "series/sha1.h"

static void print_hash(struct str raw)
{
	struct buf head _cleanup_buf_ = BUF_INIT;
	unsigned char hash[20];
	struct sha1 c;

	buf_printf(&head, "blob %zu", raw.len);
	sha1_init(&c);
	sha1_add(&c, head.p, head.len + 1);
	sha1_add(&c, raw.p, raw.len);
	sha1_end(&c, hash);
	for (int i = 0; i < 20; i++)
		printf("%02x", hash[i]);
	printf("\n");
}

static void dump(const struct epoch_mail *m)
{
	if (m->what == EPOCH_BROKEN) {
		printf("b %s %s %s\n", m->commit, m->blob, m->why);
		return;
	}
	printf("%c %s %s %zu ", m->what == EPOCH_MAIL ? 'm' : 'd', m->commit, m->blob,
	       m->raw.len);
	print_hash(m->raw);
}

static void read_head(struct str raw)
{
	static const char *const names[] = { "Subject", "From", "Message-ID", "Date" };
	struct str v[4];
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct mail m;
	int64_t date;

	mail_scan(raw, FROM_PLAIN, &m);
	field_get_all(m.head, names, 4, v);
	for (int i = 0; i < 3; i++)
		field_text(v[i], &text);
	field_date(v[3], &date, NULL);
}

int main(int argc, char **argv)
{
	struct strvec epochs _cleanup_strvec_ = STRVEC_INIT,
			     since _cleanup_strvec_ = STRVEC_INIT;
	struct err err _cleanup_err_ = ERR_INIT;
	bool count = false, heads = false;
	const char *dir = ".";
	size_t n = 0;
	int rc;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--since") && i + 1 < argc)
			strvec_push(&since, argv[++i]);
		else if (!strcmp(argv[i], "--count"))
			count = true;
		else if (!strcmp(argv[i], "--heads"))
			heads = true;
		else
			dir = argv[i];
	}
	rc = mirror_epochs(dir, &epochs, &err);
	for (size_t i = 0; !rc && i < epochs.n; i++) {
		struct epoch *e _cleanup_epoch_ = NULL;
		struct epoch_mail m;

		rc = epoch_open(epochs.v[i], i < since.n ? since.v[i] : NULL, &e, &err);
		if (!rc && !count && !heads)
			printf("epoch %s%s\n", path_base(epochs.v[i]),
			       epoch_rewritten(e) ? " rewritten" : "");
		while (!rc && (rc = epoch_next(e, &m, &err)) > 0) {
			n++;
			if (heads)
				read_head(m.raw);
			else if (!count)
				dump(&m);
			rc = 0;
		}
	}
	if (rc < 0)
		fprintf(stderr, "mirror-dump: %s\n", err_msg(&err));
	if (count || heads)
		printf("%zu\n", n);
	return rc < 0;
}
