// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tag-dump.c - what lib/review finds in mails, one JSON document a mail or a tag: for
 * t0435-tags.sh, tag-gold.py and tag-landed.py.
 *
 *	tag-dump FILE...		each mail by itself
 *	tag-dump --thread FILE...	tags of each file as one thread
 */
#include <stdio.h>
#include "series/json.h"
#include "series/mailsrc.h"
#include "series/mem.h"
#include "series/robot.h"
#include "series/tag.h"

static struct json *tag_json(const struct tag *t)
{
	static const char *const kinds[] = { "collected", "offered", "nak", "shown",
					     "retraction" };
	static const char *const scopes[] = { "here", "series", "patches", "part" };
	struct json *j = json_obj(), *list = json_arr();

	json_set_str(j, "kind", kinds[t->kind]);
	json_set_str(j, "type", t->type);
	json_set_str(j, "value", t->value);
	json_set_str(j, "note", t->note);
	json_set_str(j, "name", t->name);
	json_set_str(j, "email", t->email);
	json_set_int(j, "line", (int64_t)t->line);
	json_set_bool(j, "misspelt", t->misspelt);
	json_set_bool(j, "informal", t->informal);
	json_set_str(j, "condition", t->condition);
	json_set_str(j, "scope", scopes[t->scope]);
	json_set_str(j, "scope_words", t->scope_words);
	for (size_t i = 0; i < t->n_scope_patches; i++)
		json_push_int(list, (int64_t)t->scope_patches[i]);
	json_set(j, "scope_patches", list);
	return j;
}

static void put(const struct json *j)
{
	struct buf out _cleanup_buf_ = BUF_INIT;

	json_dump_line(j, &out);
	buf_putc(&out, '\n');
	fwrite(out.p, 1, out.len, stdout);
}

static void dump_mail(const char *file, const struct mail *m)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct tags tags _cleanup_tags_ = { 0 };
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct str id = field_get(m->head, "Message-ID");
	struct robot_report robot;
	struct json *j _cleanup_json_ = json_obj(), *list = json_arr();

	mail_text(m, &text);
	tags_find(buf_str(&text), &tags);
	for (size_t i = 0; i < tags.n; i++)
		json_push(list, tag_json(&tags.v[i]));
	if (robot_read(m, &robot)) {
		json_set_str(j, "robot", robot.robot);
		json_set_str(j, "summary", robot.summary);
		json_set_bool(j, "good", robot.good);
		robot_report_release(&robot);
	}
	if (id.p)
		field_ids(id, &ids);
	json_set_str(j, "id", ids.n ? ids.v[0] : NULL);
	json_set_str(j, "file", file);
	json_set_strn(j, "text", buf_str(&text));
	json_set(j, "tags", list);
	put(j);
}

/* Message-IDs of the patches that a tag on the cover is for. */
static void put_patches(struct json *j, const struct thread *t,
			const struct posted_version *v)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

	for (size_t i = 0; i < v->total; i++)
		if (v->patch[i].mail < t->n && t->v[v->patch[i].mail].id)
			strvec_push(&ids, t->v[v->patch[i].mail].id);
	json_set_strvec(j, "patches", &ids);
}

/* Message-ID of a mail, or null. */
static void put_id(struct json *j, const char *key, const struct thread *t, size_t mail)
{
	json_set_str(j, key, mail < t->n ? t->v[mail].id : NULL);
}

static void dump_thread(const struct thread *t)
{
	struct posted p _cleanup_posted_ = { 0 };
	struct tags tags _cleanup_tags_ = { 0 };

	posted_find(t, &p);
	tags_collect(t, &p, NULL, NULL, &tags);
	for (size_t i = 0; i < tags.n; i++) {
		const struct tag *g = &tags.v[i];
		const struct posted_version *v = &p.v[g->version];
		struct json *j _cleanup_json_ = tag_json(g);

		put_id(j, "mail", t, g->mail);
		put_id(j, "target", t, g->patch ? v->patch[g->patch - 1].mail : v->cover);
		put_id(j, "proposal", t, g->proposal);
		put_id(j, "retracted_by", t, g->retracted_by);
		if (!g->patch)
			put_patches(j, t, v);
		json_set_int(j, "patch", (int64_t)g->patch);
		json_set_bool(j, "by_sender", g->by_sender);
		json_set_bool(j, "by_author", g->by_author);
		json_set_str(j, "version", v->label);
		put(j);
	}
}

static int dump_file(const char *file, bool whole)
{
	struct mailsrc *s _cleanup_mailsrc_ = NULL;
	struct thread t _cleanup_thread_ = { 0 };
	struct err err _cleanup_err_ = { 0 };
	struct mail m;
	int rc = mailsrc_open(file, FROM_MBOXRD, &s, &err);

	while (rc >= 0 && (rc = mailsrc_next(s, &m, &err)) > 0) {
		if (whole)
			thread_add(&t, &m);
		else
			dump_mail(file, &m);
	}
	if (rc < 0) {
		fprintf(stderr, "tag-dump: %s\n", err_msg(&err));
		return 1;
	}
	thread_link(&t);
	dump_thread(&t);
	return 0;
}

int main(int argc, char **argv)
{
	bool whole = argc > 1 && !strcmp(argv[1], "--thread");
	int bad = 0;

	for (int i = 1 + whole; i < argc; i++)
		bad |= dump_file(argv[i], whole);
	return bad;
}
