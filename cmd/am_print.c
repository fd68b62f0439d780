// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_print.c - see am_print.h.
 */
#include "am_print.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/time.h"

#define YELLOW "33"
#define RED    "31"
#define GREEN  "32"
#define BOLD   "1"

static const struct posted_version *version_of(const struct am *a)
{
	return &a->posted->v[a->version];
}

/* Who, with the type in front; of a NAK in words what was said. */
static void put_who(const struct tag *g, struct buf *out)
{
	char *line _cleanup_free_ = tag_line(g);

	if (g->kind != TAG_NAK)
		sanitize_line(str_c(line), out);
	else if (*g->name || *g->email)
		buf_printf(out, "NAK from %s", *g->name ? g->name : g->email);
	else
		buf_puts(out, "NAK");
}

void am_tag_line(const struct am *a, const struct am_tag *t, struct buf *out)
{
	struct buf text _cleanup_buf_ = BUF_INIT, why _cleanup_buf_ = BUF_INIT;

	put_who(t->tag, &text);
	if (t->patch)
		buf_printf(&text, " for %zu/%zu", t->patch, version_of(a)->total);
	am_tag_why(a, t, &why);
	if (why.len)
		buf_printf(&text, " (%s)", buf_cstr(&why));
	sanitize_line(buf_str(&text), out);
}

static void put_head(struct out *o, const struct am *a)
{
	const struct posted_version *v = version_of(a);
	struct buf line _cleanup_buf_ = BUF_INIT, date _cleanup_buf_ = BUF_INIT;

	if (v->date)
		time_iso(v->date, &date);
	buf_printf(&line, "%s: %s", v->label, v->title);
	out_color(o, BOLD, "%s", buf_cstr(&line));
	out_puts(o, "  ");
	out_foreign(o, str_c(*v->name ? v->name : v->email));
	out_printf(o, ", %.10s, %zu patch%s", buf_cstr(&date), v->total,
		   v->total == 1 ? "" : "es");
	if (a->n_patches < v->total)
		out_printf(o, ", %zu of them wanted", a->n_patches);
	out_puts(o, "\n");
}

static void put_patch(struct out *o, const struct am *a, const struct am_patch *p)
{
	struct buf line _cleanup_buf_ = BUF_INIT;

	buf_printf(&line, "  %zu/%zu  %s", p->n, version_of(a)->total, p->title);
	sanitize_line(buf_str(&line), &o->text);
	out_puts(o, p->there	  ? "  (is there already, left out)\n"
		    : p->strip_cr ? "  (without the CRs at the ends of its lines)\n"
				  : "\n");
	for (size_t i = 0; i < a->n_tags; i++) {
		const struct am_tag *t = &a->tag[i];
		struct buf tag _cleanup_buf_ = BUF_INIT;

		if (!t->take || t->patch != p->n)
			continue;
		put_who(t->tag, &tag);
		out_puts(o, "       ");
		out_color(o, GREEN, "%s", buf_cstr(&tag));
		out_puts(o, "\n");
	}
}

void am_print(struct out *o, const struct am *a)
{
	put_head(o, a);
	for (size_t i = 0; i < a->n_patches; i++)
		put_patch(o, a, &a->patch[i]);
	for (size_t i = 0; i < a->n_tags; i++) {
		const struct am_tag *t = &a->tag[i];
		struct buf line _cleanup_buf_ = BUF_INIT;

		if (t->take || a->opts->no_tags)
			continue;
		am_tag_line(a, t, &line);
		out_color(o, t->state == AM_TAG_NAK ? RED : YELLOW, "%s%s",
			  t->state == AM_TAG_NAK ? "" : "not taken: ", buf_cstr(&line));
		out_puts(o, "\n");
	}
	for (size_t i = 0; i < a->notes.n; i++) {
		out_puts(o, "note: ");
		out_foreign(o, str_c(a->notes.v[i]));
		out_puts(o, "\n");
	}
}

void am_print_trial(struct out *o, const struct am *a, const struct am_trial *t,
		    const char *where)
{
	const struct am_patch *p;
	struct buf line _cleanup_buf_ = BUF_INIT;

	if (t->fails == a->n_patches) {
		out_puts(o, "applies on ");
		out_foreign(o, str_c(where));
		out_puts(o, "\n");
		return;
	}
	p = &a->patch[t->fails];
	buf_printf(&line, "does not apply on %s: patch %zu/%zu \"%s\": %s", where, p->n,
		   version_of(a)->total, p->title, t->why);
	sanitize_line(buf_str(&line), &o->text);
	out_puts(o, "\n");
	for (size_t i = 0; i < t->missing.n; i++) {
		out_puts(o, i ? ", " : "  a merge needs objects that are not here: ");
		out_foreign(o, str_c(t->missing.v[i]));
	}
	out_puts(o, t->missing.n ? "\n" : "");
}

void am_print_signatures(struct out *o, const struct attestations *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct attested *e = &s->v[i];
		struct buf line _cleanup_buf_ = BUF_INIT;

		buf_printf(&line, "%s of %s on %zu of %zu mails: %s", e->field,
			   *e->who ? e->who : "nobody", e->mails, s->mails, e->verdict);
		if (e->bad)
			out_color(o, RED, "%s", buf_cstr(&line));
		else
			sanitize_line(buf_str(&line), &o->text);
		out_puts(o, "\n");
	}
	if (!s->n)
		out_puts(o, "no signatures in the mails\n");
}

/* ---- JSON ---- */

struct json *am_signatures_json(const struct attestations *s)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < s->n; i++) {
		struct json *j = json_obj();

		json_set_str(j, "field", s->v[i].field);
		json_set_str(j, "who", s->v[i].who);
		json_set_str(j, "verdict", s->v[i].verdict);
		json_set_bool(j, "bad", s->v[i].bad);
		json_set_int(j, "mails", (int64_t)s->v[i].mails);
		json_push(arr, j);
	}
	return arr;
}

static const char *id_of(const struct am *a, size_t mail)
{
	return mail == NO_MAIL ? NULL : a->thread->v[mail].id;
}

static struct json *tag_json(const struct am *a, const struct am_tag *t)
{
	static const char *const states[] = {
		[AM_TAG_TAKEN] = "taken",
		[AM_TAG_CHANGED] = "changed",
		[AM_TAG_CONDITIONAL] = "conditional",
		[AM_TAG_PART] = "part",
		[AM_TAG_PROPOSAL] = "proposal",
		[AM_TAG_OTHER] = "other",
		[AM_TAG_AUTHOR] = "author",
		[AM_TAG_OFFERED] = "offered",
		[AM_TAG_RETRACTED] = "retracted",
		[AM_TAG_NAK] = "nak",
	};
	char *line _cleanup_free_ = tag_line(t->tag);
	struct buf why _cleanup_buf_ = BUF_INIT;
	struct json *j = json_obj();

	am_tag_why(a, t, &why);
	json_set_int(j, "patch", (int64_t)t->patch);
	json_set_str(j, "type", *t->tag->type ? t->tag->type : "NAK");
	json_set_str(j, "line", line);
	json_set_str(j, "name", t->tag->name);
	json_set_str(j, "email", t->tag->email);
	json_set_str(j, "message_id", id_of(a, t->tag->mail));
	json_set_str(j, "version", a->posted->v[t->tag->version].label);
	json_set_str(j, "state", states[t->state]);
	json_set_str(j, "why", buf_cstr(&why));
	return j;
}

static struct json *patches_json(const struct am *a)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < a->n_patches; i++) {
		const struct am_patch *p = &a->patch[i];
		struct json *j = json_obj(), *tags = json_arr();

		for (size_t k = 0; k < a->n_tags; k++)
			if (a->tag[k].take && a->tag[k].patch == p->n)
				json_push(tags, tag_json(a, &a->tag[k]));
		json_set_int(j, "n", (int64_t)p->n);
		json_set_str(j, "title", p->title);
		json_set_str(j, "message_id", id_of(a, p->mail));
		json_set_bool(j, "there", p->there);
		json_set(j, "tags", tags);
		json_push(arr, j);
	}
	return arr;
}

struct json *am_json(const struct am *a)
{
	const struct posted_version *v = version_of(a);
	struct json *j = json_obj(), *from = json_obj(), *out = json_arr();

	for (size_t i = 0; i < a->n_tags; i++)
		if (!a->tag[i].take)
			json_push(out, tag_json(a, &a->tag[i]));
	json_set_str(from, "name", v->name);
	json_set_str(from, "email", v->email);
	json_set_int(j, "schema", 1);
	json_set_str(j, "version", v->label);
	json_set_str(j, "title", v->title);
	json_set(j, "from", from);
	json_set_str(j, "cover", id_of(a, v->cover));
	json_set_int(j, "total", (int64_t)v->total);
	json_set(j, "patches", patches_json(a));
	json_set(j, "left_out", out);
	json_set_strvec(j, "notes", &a->notes);
	return j;
}

struct json *am_trial_json(const struct am *a, const struct am_trial *t,
			   const char *where)
{
	bool ok = t->fails == a->n_patches;
	struct json *j = json_obj();

	json_set_str(j, "on", where);
	json_set_bool(j, "ok", ok);
	json_set_int(j, "patch", ok ? 0 : (int64_t)a->patch[t->fails].n);
	json_set_str(j, "title", ok ? NULL : a->patch[t->fails].title);
	json_set_str(j, "why", ok ? NULL : t->why);
	json_set_strvec(j, "missing", &t->missing);
	return j;
}
