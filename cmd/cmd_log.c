// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series log: the versions that were posted, newest first.
 */
#include "series/mem.h"
#include "series/progress.h"
#include "series/reviewdoc.h"
#include "series/time.h"
#include "cmd.h"

/* fixup: the one that this posting is of, or NULL. */
static void print_posting(struct ctx *c, const struct posting *p,
			  const struct fixup *fixup)
{
	struct buf date _cleanup_buf_ = BUF_INIT;

	time_iso(p->date, &date);
	out_printf(&c->out, "  %.10s %s", buf_cstr(&date), p->state);
	if (p->prefix) {
		out_puts(&c->out, " [");
		out_foreign(&c->out, str_c(p->prefix));
		out_puts(&c->out, "]");
	}
	if (p->resend)
		out_puts(&c->out, " (resent)");
	if (fixup)
		out_printf(&c->out, " (fix for patch %d)", fixup->patch);
	if (p->message_id) {
		out_puts(&c->out, " <");
		out_foreign(&c->out, str_c(p->message_id));
		out_puts(&c->out, ">");
	}
	out_puts(&c->out, "\n");
}

/* Given to that version, and not taken back. */
static bool is_tag_of(const struct review_tag *t, const char *label)
{
	return (t->kind == TAG_COLLECTED || t->kind == TAG_NAK) && !t->retracted &&
	       !strcmp(t->label, label);
}

static bool same_giver(const struct review_tag *a, const struct review_tag *b)
{
	return !strcmp(a->type, b->type) && !strcmp(a->email, b->email);
}

/* "Acked-by: Ann Other (1, 3)": one line for each person and type. */
static void print_tags(struct ctx *c, const struct review *r, const char *label)
{
	for (size_t i = 0; i < r->n_tags; i++) {
		const struct review_tag *t = &r->tags[i];
		struct buf line _cleanup_buf_ = BUF_INIT;
		bool first = is_tag_of(t, label);

		for (size_t k = 0; k < i && first; k++)
			first = !is_tag_of(&r->tags[k], label) ||
				!same_giver(&r->tags[k], t);
		if (!first)
			continue;
		buf_printf(&line, "  %s: %s (", t->type, *t->name ? t->name : t->email);
		for (size_t k = i; k < r->n_tags; k++) {
			if (!is_tag_of(&r->tags[k], label) || !same_giver(&r->tags[k], t))
				continue;
			buf_puts(&line, k > i ? ", " : "");
			if (r->tags[k].patch)
				buf_printf(&line, "%zu", r->tags[k].patch);
			else
				buf_puts(&line, "all");
		}
		buf_puts(&line, ")\n");
		out_foreign(&c->out, buf_str(&line));
	}
}

static void print_version(struct ctx *c, const struct version *v, const struct review *r)
{
	char *label _cleanup_free_ = version_label(v);

	out_color(&c->out, "1", "%s", label);
	out_printf(&c->out, "  %zu patch%s, %.12s..%.12s\n", v->n_patches,
		   v->n_patches == 1 ? "" : "es", v->base, v->head);
	for (size_t i = 0; i < v->n_postings; i++)
		print_posting(c, &v->postings[i], NULL);
	for (size_t i = 0; i < v->n_fixups; i++)
		print_posting(c, &v->fixups[i].posting, &v->fixups[i]);
	for (size_t i = 0; i < v->n_patches; i++) {
		out_printf(&c->out, "  %2d ", v->patches[i].n);
		out_foreign(&c->out, str_c(v->patches[i].subject));
		out_puts(&c->out, "\n");
	}
	print_tags(c, r, label);
}

static struct json *tags_json(const struct review *r, const char *label)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < r->n_tags; i++) {
		const struct review_tag *t = &r->tags[i];
		struct json *o;

		if (!is_tag_of(t, label))
			continue;
		o = json_obj();
		json_set_str(o, "type", t->type);
		json_set_str(o, "name", t->name);
		json_set_str(o, "email", t->email);
		json_set_str(o, "message_id", t->message_id);
		json_set_int(o, "patch", (int64_t)t->patch);
		json_push(arr, o);
	}
	return arr;
}

static struct json *postings_json(const struct version *v)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < v->n_postings; i++) {
		const struct posting *p = &v->postings[i];
		struct buf date _cleanup_buf_ = BUF_INIT;
		struct json *o = json_obj();

		time_iso(p->date, &date);
		json_set_str(o, "date", buf_cstr(&date));
		json_set_str(o, "state", p->state);
		json_set_str(o, "prefix", p->prefix);
		json_set_str(o, "message_id", p->message_id);
		json_set_bool(o, "resend", p->resend);
		json_set_strvec(o, "patch_message_ids", &p->ids);
		json_push(arr, o);
	}
	return arr;
}

static struct json *fixups_json(const struct version *v)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < v->n_fixups; i++) {
		const struct fixup *f = &v->fixups[i];
		struct buf date _cleanup_buf_ = BUF_INIT;
		struct json *o = json_obj();

		time_iso(f->posting.date, &date);
		json_set_int(o, "patch", f->patch);
		json_set_str(o, "date", buf_cstr(&date));
		json_set_str(o, "state", f->posting.state);
		json_set_str(o, "prefix", f->posting.prefix);
		json_set_str(o, "message_id", f->posting.message_id);
		json_set_str(o, "subject", f->subject);
		json_set_str(o, "commit", f->commit);
		json_set_str(o, "patch_id", f->patch_id);
		json_push(arr, o);
	}
	return arr;
}

static struct json *version_as_json(const struct version *v, const struct review *r)
{
	struct json *o = json_obj(), *patches = json_arr();
	char *label _cleanup_free_ = version_label(v);

	json_set_int(o, "n", v->n);
	json_set_str(o, "id", label);
	json_set_str(o, "base", v->base);
	json_set_str(o, "head", v->head);
	json_set_str(o, "transport", v->transport);
	json_set_strvec(o, "to", &v->to);
	json_set_strvec(o, "cc", &v->cc);
	json_set(o, "postings", postings_json(v));
	json_set(o, "fixups", fixups_json(v));
	json_set(o, "tags", tags_json(r, label));
	for (size_t i = 0; i < v->n_patches; i++) {
		const struct patch *p = &v->patches[i];
		struct json *k = json_obj();

		json_set_int(k, "n", p->n);
		json_set_str(k, "commit", p->commit);
		json_set_str(k, "patch_id", p->patch_id);
		json_set_str(k, "subject", p->subject);
		json_set_str(k, "message_id", p->message_id);
		json_push(patches, k);
	}
	json_set(o, "patches", patches);
	return o;
}

static int run_log(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct series *s = c->series;
	struct review r _cleanup_review_ = { .n_tags = 0 };
	struct strvec bad _cleanup_strvec_ = STRVEC_INIT;
	int rc = review_load_good(s, &r, &bad, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < bad.n; i++)
		progress_note("%s", bad.v[i]);
	if (c->json) {
		struct json *arr = json_arr();

		for (size_t i = s->n_versions; i-- > 0;)
			json_push(arr, version_as_json(&s->versions[i], &r));
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set_str(c->out.json, "name", s->name);
		json_set_str(c->out.json, "change_id", s->change_id);
		json_set(c->out.json, "versions", arr);
		return 0;
	}
	for (size_t i = s->n_versions; i-- > 0;)
		print_version(c, &s->versions[i], &r);
	if (!s->n_versions)
		out_printf(&c->out,
			   "series %s: nothing was posted yet; the draft is v%d\n",
			   s->name, series_draft(s));
	return 0;
}

const struct cmd cmd_log = {
	.name = "log",
	.group = "prepare",
	.summary = "show the versions that were posted",
	.synopsis = "[NAME]",
	.about = "The versions of a series, newest first: when each was posted and "
		 "whether all mails went out (sent), some (partial) or none yet "
		 "(sending), the Message-ID of its first mail, its fixes, its "
		 "patches, and who tagged which of them.",
	.flags = CMD_REPO | CMD_DOCS | CMD_NAME_ARG | CMD_JSON,
	.max_args = 1,
	.complete = "series",
	.run = run_log,
};
