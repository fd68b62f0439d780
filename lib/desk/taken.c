// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * taken.c - the records of what was applied: made, written, read. See taken.h.
 */
#include <stdlib.h>
#include "am_priv.h"
#include "series/addr.h"
#include "series/fs.h"
#include "series/json.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/sha256.h"
#include "series/taken.h"
#include "series/time.h"

#define FILE_MAX ((size_t)4 << 20)
#define TEXT_MAX ((size_t)16 << 10) /* of the mail that is answered */

static void taken_release(struct taken *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->patch[i].title);
		free(t->patch[i].message_id);
		free(t->patch[i].author_email);
	}
	free(t->patch);
	free(t->branch);
	free(t->label);
	free(t->title);
	free(t->name);
	free(t->email);
	free(t->subject);
	free(t->message_id);
	free(t->text);
	strvec_release(&t->to);
	strvec_release(&t->cc);
	strvec_release(&t->references);
	*t = (struct taken){ .id = "" };
}

void takens_release(struct takens *t)
{
	for (size_t i = 0; i < t->n; i++)
		taken_release(&t->v[i]);
	free(t->v);
	*t = (struct takens){ NULL, 0, 0 };
}

static char *taken_dir(struct repo *r)
{
	return path_join(repo_common_dir(r), "series/taken");
}

static char *taken_path(struct repo *r, const char *id)
{
	return xasprintf("%s/series/taken/%s.json", repo_common_dir(r), id);
}

/* ---- made ---- */

static void take_addrs(const struct mail *m, const char *field, struct strvec *ret)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;

	field_text(field_get(m->head, field), &text);
	if (!text.len || addrs_parse(&a, buf_cstr(&text), NULL))
		return;
	for (size_t i = 0; i < a.n; i++)
		if (addr_ok(&a.v[i]))
			strvec_take(ret, addr_show_dup(&a.v[i]));
}

/* What a reply to this mail needs. */
static void take_mail(const struct thread *t, size_t mail, struct taken *ret)
{
	const struct thread_mail *m = &t->v[mail];
	struct buf own _cleanup_buf_ = BUF_INIT, subject _cleanup_buf_ = BUF_INIT,
		       from _cleanup_buf_ = BUF_INIT;
	struct str text = thread_text(t, mail, &own);

	field_text(field_get(m->mail.head, "Subject"), &subject);
	field_text(field_get(m->mail.head, "From"), &from);
	mailinfo_author(buf_str(&from), &ret->name, &ret->email);
	ret->subject = buf_take(&subject);
	ret->message_id = xstrdup(m->id ? m->id : "");
	ret->sent = m->date;
	ret->text = str_dup(str_n(text.p, MIN(text.len, TEXT_MAX)));
	take_addrs(&m->mail, "To", &ret->to);
	take_addrs(&m->mail, "Cc", &ret->cc);
	field_ids(field_get(m->mail.head, "References"), &ret->references);
}

static int take_patch(const struct am *a, const struct am_patch *p, const char *commit,
		      struct taken_patch *ret, struct err *err)
{
	const struct thread_mail *m = &a->thread->v[p->mail];
	struct mailinfo i _cleanup_mailinfo_;

	mailinfo_read(&m->mail, &i);
	*ret = (struct taken_patch){ .n = p->n,
				     .title = xstrdup(i.subject),
				     .message_id = xstrdup(m->id ? m->id : ""),
				     .author_email = xstrdup(i.email),
				     .author_time = m->date };
	field_date(str_c(i.date), &ret->author_time, NULL);
	memcpy(ret->patch_id, am_version(a)->patch[p->n - 1].patch_id, OID_HEX);
	if (!commit)
		return 0;
	memcpy(ret->commit, commit, OID_HEX);
	return repo_patch_id(a->repo, commit, ret->patch_id, err);
}

/* The same version on the same branch is the same record. */
static void make_id(struct taken *t)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	char sum[SHA256_HEX];

	buf_printf(&b, "%s\n%s\n", t->message_id, t->branch ? t->branch : "");
	sha256_hex(b.p, b.len, sum);
	memcpy(t->id, sum, TAKEN_ID - 1);
}

int taken_record(const struct am *a, const struct am_result *r, struct err *err)
{
	struct taken t _cleanup_(taken_release) = { .date = time_now() };
	const struct posted_version *v = am_version(a);
	int rc = 0;

	if (repo_branch(a->repo, &t.branch, NULL))
		t.branch = NULL;
	memcpy(t.base, r->base, OID_HEX);
	t.label = xstrdup(v->label);
	t.title = xstrdup(v->title);
	t.total = v->total;
	t.patch = xcalloc(a->n_patches + 1, sizeof(*t.patch));
	take_mail(a->thread, v->cover != NO_MAIL ? v->cover : a->patch[0].mail, &t);
	for (size_t i = 0; i < a->n_patches && !rc; i++) {
		const char *commit = r->commit ? r->commit[i] : NULL;

		if (!a->patch[i].there && (commit || r->stopped))
			rc = take_patch(a, &a->patch[i], commit, &t.patch[t.n++], err);
	}
	make_id(&t);
	if (!t.n)
		return rc;
	if (!rc)
		rc = taken_write(a->repo, &t, err);
	return rc ? err_context(err, "what was applied could not be written down") : 0;
}

/* ---- written and read ---- */

static struct json *patch_json(const struct taken_patch *p)
{
	struct json *j = json_obj();

	json_set_int(j, "n", (int64_t)p->n);
	json_set_str(j, "title", p->title);
	json_set_str(j, "message_id", p->message_id);
	json_set_str(j, "author_email", p->author_email);
	json_set_int(j, "author_time", p->author_time);
	json_set_str(j, "patch_id", p->patch_id);
	json_set_str(j, "commit", p->commit);
	return j;
}

int taken_write(struct repo *r, const struct taken *t, struct err *err)
{
	char *name _cleanup_free_ = xasprintf("series/taken/%s.json", t->id);
	struct json *j _cleanup_json_ = json_obj();
	struct json *patches = json_arr();
	struct buf out _cleanup_buf_ = BUF_INIT;

	json_set_int(j, "schema", 1);
	json_set_int(j, "date", t->date);
	json_set_str(j, "branch", t->branch);
	json_set_str(j, "base", t->base);
	json_set_str(j, "label", t->label);
	json_set_str(j, "title", t->title);
	json_set_int(j, "total", (int64_t)t->total);
	json_set_str(j, "name", t->name);
	json_set_str(j, "email", t->email);
	json_set_str(j, "subject", t->subject);
	json_set_str(j, "message_id", t->message_id);
	json_set_str(j, "text", t->text);
	json_set_int(j, "sent", t->sent);
	json_set_int(j, "thanked", t->thanked);
	json_set_strvec(j, "to", &t->to);
	json_set_strvec(j, "cc", &t->cc);
	json_set_strvec(j, "references", &t->references);
	for (size_t i = 0; i < t->n; i++)
		json_push(patches, patch_json(&t->patch[i]));
	json_set(j, "patches", patches);
	json_dump(j, &out);
	return fs_write_below(repo_common_dir(r), name, buf_str(&out), err);
}

static void get_oid(const struct json *j, const char *key, char ret[OID_HEX])
{
	const char *s = json_get_str(j, key);

	if (s && strlen(s) == OID_HEX - 1 && strspn(s, "0123456789abcdef") == OID_HEX - 1)
		memcpy(ret, s, OID_HEX);
}

static char *get_str(const struct json *j, const char *key)
{
	const char *s = json_get_str(j, key);

	return xstrdup(s ? s : "");
}

static void read_patches(const struct json *arr, struct taken *t)
{
	t->patch = xcalloc(json_len(arr) + 1, sizeof(*t->patch));
	for (size_t i = 0; i < json_len(arr); i++) {
		const struct json *j = json_at(arr, i);
		struct taken_patch *p = &t->patch[t->n++];

		p->n = (size_t)json_get_int(j, "n", 0);
		p->title = get_str(j, "title");
		p->message_id = get_str(j, "message_id");
		p->author_email = get_str(j, "author_email");
		p->author_time = json_get_int(j, "author_time", 0);
		get_oid(j, "patch_id", p->patch_id);
		get_oid(j, "commit", p->commit);
	}
}

static int read_one(const char *path, struct taken *t, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	int rc = fs_read(path, FILE_MAX, &text, err);

	if (!rc)
		rc = json_parse_schema(buf_str(&text), path, 1, &j, err);
	if (rc)
		return rc;
	t->date = json_get_int(j, "date", 0);
	t->branch = xstrdup_null(json_get_str(j, "branch"));
	get_oid(j, "base", t->base);
	t->label = get_str(j, "label");
	t->title = get_str(j, "title");
	t->total = (size_t)json_get_int(j, "total", 0);
	t->name = get_str(j, "name");
	t->email = get_str(j, "email");
	t->subject = get_str(j, "subject");
	t->message_id = get_str(j, "message_id");
	t->text = get_str(j, "text");
	t->sent = json_get_int(j, "sent", 0);
	t->thanked = json_get_int(j, "thanked", 0);
	json_get_strvec(j, "to", &t->to);
	json_get_strvec(j, "cc", &t->cc);
	json_get_strvec(j, "references", &t->references);
	read_patches(json_get(j, "patches"), t);
	return 0;
}

static int by_date(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->id, y->id);
}

int takens_read(struct repo *r, struct takens *ret, struct err *err)
{
	struct takens all _cleanup_takens_ = { NULL, 0, 0 };
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	char *dir _cleanup_free_ = taken_dir(r);
	int rc = fs_list(dir, &names, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	for (size_t i = 0; i < names.n && !rc; i++) {
		char *path _cleanup_free_ = path_join(dir, names.v[i]);
		struct str id = str_c(names.v[i]);

		/* What a process that was killed began is another name. */
		if (!str_ends(id, ".json") || id.len != TAKEN_ID - 1 + strlen(".json"))
			continue;
		vec_grow(all.v, all.n, all.cap);
		all.v[all.n] = (struct taken){ .id = "" };
		memcpy(all.v[all.n].id, id.p, TAKEN_ID - 1);
		rc = read_one(path, &all.v[all.n++], err);
	}
	if (rc)
		return rc;
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_date);
	*ret = all;
	all = (struct takens){ NULL, 0, 0 };
	return 0;
}

int taken_forget(struct repo *r, const struct taken *t, struct err *err)
{
	char *path _cleanup_free_ = taken_path(r, t->id);

	return fs_unlink(path, err);
}
