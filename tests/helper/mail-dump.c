// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mail-dump.c - what lib/mail reads, one JSON document a mail, for mail-compare.py.
 *
 *	mail-dump [--mboxo|--mboxrd|--count|--heads|--bodies] FILE...
 *
 * --count, --heads and --bodies print only how many mails there are, after reading
 *nothing more, the fields, or all text: what `make bench` measures.
 */
#include <stdio.h>
#include "series/json.h"
#include "series/mailinfo.h"
#include "series/mailsrc.h"
#include "series/mem.h"
#include "series/sha256.h"

static void put_field(struct json *j, const char *key, struct str value)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (!value.p)
		return;
	field_text(value, &text);
	json_set_strn(j, key, buf_str(&text));
}

static void put_ids(struct json *j, const char *key, struct str value)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

	if (value.p)
		field_ids(value, &ids);
	json_set_strvec(j, key, &ids);
}

/* Those of a leaf, as a hash: an attachment may be anything. */
static void put_bytes(struct json *j, const struct mail *m, const struct mail_part *p)
{
	struct buf bytes _cleanup_buf_ = BUF_INIT;
	char hash[SHA256_HEX];

	part_bytes(m, p, mail_sink_buf, &bytes);
	sha256_hex(buf_cstr(&bytes), bytes.len, hash);
	json_set_str(j, "sha256", hash);
}

static struct json *part_json(const struct mail *m, const struct mail_part *p)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j = json_obj();

	json_set_str(j, "type", p->type);
	json_set_str(j, "charset", p->charset);
	json_set_str(j, "filename", p->filename);
	json_set_int(j, "depth", p->depth);
	json_set_bool(j, "flowed", p->flowed);
	json_set_bool(j, "is_text", part_is_text(p));
	if (part_is_text(p) || !strcmp(p->type, "text/html")) {
		json_set_int(j, "flags", part_text(m, p, mail_sink_buf, &text));
		json_set_strn(j, "text", buf_str(&text));
	}
	if (!str_starts(str_c(p->type), "multipart/"))
		put_bytes(j, m, p);
	return j;
}

/* What git mailinfo is asked for; a patch as its hash, for it may hold any bytes. */
static struct json *mailinfo_json(const struct mail *m)
{
	struct mailinfo i _cleanup_mailinfo_;
	struct json *j = json_obj();
	char hash[SHA256_HEX];

	mailinfo_read(m, &i);
	json_set_str(j, "name", i.name);
	json_set_str(j, "email", i.email);
	json_set_str(j, "subject", i.subject);
	json_set_str(j, "date", i.date);
	json_set_strn(j, "message", buf_str(&i.message));
	sha256_hex(buf_cstr(&i.patch), i.patch.len, hash);
	json_set_str(j, "patch", hash);
	json_set_int(j, "patch_bytes", (int64_t)i.patch.len);
	return j;
}

static void dump(const char *file, const struct mail *m)
{
	static const char *const names[] = { "Subject",	    "From",	  "Message-ID",
					     "In-Reply-To", "References", "Date" };
	struct str v[ARRAY_SIZE(names)];
	struct mail_parts parts _cleanup_mail_parts_;
	struct json *j _cleanup_json_ = json_obj(), *list = json_arr();
	struct buf out _cleanup_buf_ = BUF_INIT;
	int64_t date;
	int zone;

	field_get_all(m->head, names, ARRAY_SIZE(names), v);
	put_field(j, "subject", v[0]);
	put_field(j, "from", v[1]);
	put_ids(j, "id", v[2]);
	put_ids(j, "in_reply_to", v[3]);
	put_ids(j, "references", v[4]);
	if (v[5].p && field_date(v[5], &date, &zone)) {
		json_set_int(j, "date", date);
		json_set_int(j, "zone", zone);
	}
	json_set_str(j, "file", file);
	mail_parts(m, &parts);
	for (size_t i = 0; i < parts.n; i++)
		json_push(list, part_json(m, &parts.v[i]));
	json_set(j, "parts", list);
	json_set(j, "mailinfo", mailinfo_json(m));
	json_dump_line(j, &out);
	buf_putc(&out, 10);
	fwrite(out.p, 1, out.len, stdout);
}

static void nothing(void *arg, struct str piece)
{
	*(size_t *)arg += piece.len;
}

static void read_bodies(const struct mail *m)
{
	struct mail_parts parts _cleanup_mail_parts_;
	size_t bytes = 0;

	mail_parts(m, &parts);
	for (size_t i = 0; i < parts.n; i++)
		if (part_is_text(&parts.v[i]))
			part_text(m, &parts.v[i], nothing, &bytes);
}

static void read_head(const struct mail *m)
{
	static const char *const names[] = { "Subject",	    "From",	  "Message-ID",
					     "In-Reply-To", "References", "Date" };
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct str v[ARRAY_SIZE(names)];
	int64_t date;

	field_get_all(m->head, names, ARRAY_SIZE(names), v);
	field_text(v[0], &text);
	field_text(v[1], &text);
	for (size_t i = 2; i < 5; i++)
		field_ids(v[i], &ids);
	field_date(v[5], &date, NULL);
}

int main(int argc, char **argv)
{
	enum from_quoting quoting = FROM_MBOXRD;
	enum { DUMP, COUNT, HEADS, BODIES } what = DUMP;
	struct err err _cleanup_err_ = ERR_INIT;
	size_t n = 0;
	int bad = 0;

	for (int i = 1; i < argc; i++) {
		struct mailsrc *src _cleanup_mailsrc_ = NULL;
		struct mail m;
		int rc;

		if (!strcmp(argv[i], "--mboxo") || !strcmp(argv[i], "--mboxrd")) {
			quoting = argv[i][6] == 'o' ? FROM_MBOXO : FROM_MBOXRD;
			continue;
		}
		if (argv[i][0] == '-' && argv[i][1]) {
			what = argv[i][2] == 'c'   ? COUNT
			       : argv[i][2] == 'h' ? HEADS
						   : BODIES;
			continue;
		}
		rc = mailsrc_open(argv[i], quoting, &src, &err);
		while (rc >= 0 && (rc = mailsrc_next(src, &m, &err)) > 0) {
			n++;
			if (what == DUMP)
				dump(argv[i], &m);
			else if (what == HEADS)
				read_head(&m);
			else if (what == BODIES)
				read_bodies(&m);
		}
		if (rc < 0) {
			fprintf(stderr, "mail-dump: %s\n", err_msg(&err));
			err_release(&err);
			bad = 1;
		}
	}
	if (what != DUMP)
		printf("%zu\n", n);
	return bad;
}
