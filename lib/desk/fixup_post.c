// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fixup_post.c - the mail of a fix: one patch in reply to the posted mail of the patch
 * that it is to be folded into.
 *
 * The subject is "[PATCH mm v2 6/5] mm/rmap: batch unmap fix": one number more than the
 * version has patches, as lists know it, so that b4 takes it behind the others, and a
 * title from which a tree of quilt patches makes "mm-rmap-batch-unmap-fix.patch".
 */
#include "check_priv.h"
#include "prep.h"
#include "series/mem.h"
#include "series/time.h"

/* --- the text --- */

void fix_text(struct str given, struct buf *text, struct strvec *trailers)
{
	struct buf clean _cleanup_buf_ = BUF_INIT;
	struct str line, rest;
	size_t at;

	while (str_line(&given, &line)) {
		while (line.len && strchr(" \t\r", line.p[line.len - 1]))
			line.len--;
		if (!line.len && (!clean.len || str_ends(buf_str(&clean), "\n\n")))
			continue;
		buf_addstr(&clean, line);
		buf_putc(&clean, '\n');
	}
	at = trailers_at(buf_str(&clean));
	rest = str_n(clean.p + at, clean.len - at);
	while (str_line(&rest, &line)) {
		char *trailer _cleanup_free_ = str_dup(line);

		if (line.len && !strvec_has(trailers, trailer))
			strvec_push(trailers, trailer);
	}
	while (at && clean.p[at - 1] == '\n')
		at--;
	if (at)
		buf_printf(text, "%s%.*s\n", text->len ? "\n" : "", (int)at, clean.p);
}

void fix_text_end(struct buf *text, const struct strvec *trailers)
{
	for (size_t i = 0; i < trailers->n; i++)
		buf_printf(text, "%s%s\n", i || !text->len ? "" : "\n", trailers->v[i]);
}

bool fix_text_ok(struct str given)
{
	struct strvec trailers _cleanup_strvec_ = STRVEC_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;

	fix_text(given, &text, &trailers);
	return text.len > 0;
}

static bool signed_by(const struct strvec *trailers, const struct addr *who)
{
	for (size_t i = 0; i < trailers->n; i++) {
		struct addrs a _cleanup_addrs_ = ADDRS_INIT;
		struct str value;

		if (trailer_is(str_c(trailers->v[i]), "Signed-off-by", &value) &&
		    addr_trailer(value, &a, NULL) && addrs_find(&a, who->email))
			return true;
	}
	return false;
}

static void make_message(const struct prep *q, struct buf *out)
{
	struct strvec trailers _cleanup_strvec_ = STRVEC_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *me _cleanup_free_ = addr_show_dup(&q->p->from);

	fix_text(str_c(q->o->message), &text, &trailers);
	if (!signed_by(&trailers, &q->p->from))
		strvec_pushf(&trailers, "Signed-off-by: %s", me);
	buf_printf(out, "%s\n\n", q->o->fix->title);
	fix_text_end(&text, &trailers);
	buf_addstr(out, buf_str(&text));
}

/* What robots need to rebuild the tree: the base, then what is on it. */
static void put_ids(const struct prep *q, struct buf *out)
{
	const struct version *v = q->o->fix->v;
	bool same_base = !strcmp(v->base, q->s->base);

	buf_printf(out, "base-commit: %s\n",
		   same_base ? series_public_base(q->s) : v->base);
	for (size_t i = 0; same_base && i < q->s->prerequisites.n; i++) {
		const char *line = q->s->prerequisites.v[i];

		buf_printf(out, "%s%s\n",
			   strchr(line, ':') ? "" : "prerequisite-patch-id: ", line);
	}
	for (size_t i = 0; i < v->n_patches; i++)
		buf_printf(out, "prerequisite-patch-id: %s\n", v->patches[i].patch_id);
	for (size_t i = 0; i < v->n_fixups; i++)
		buf_printf(out, "prerequisite-patch-id: %s\n", v->fixups[i].patch_id);
}

/* Below the dashes: what it belongs to, and what it applies on. */
static void put_notes(const struct prep *q, const char *parent, struct buf *out)
{
	const struct fix *f = q->o->fix;
	const struct version *v = f->v;

	buf_puts(out, "A fix for ");
	if (v->n_patches > 1)
		buf_printf(out, "patch %d/%zu of v%d", f->patch, v->n_patches, v->n);
	else
		buf_printf(out, "v%d", v->n);
	buf_printf(out, ", to be folded into it:\n\"%s\"\n",
		   v->patches[f->patch - 1].subject);
	changes_link(q->c, parent, out);
	buf_printf(out, "\n\nIt applies on top of v%d", v->n);
	if (v->n_fixups == 1)
		buf_puts(out, " and the fix for it so far");
	else if (v->n_fixups)
		buf_printf(out, " and the %zu fixes for it so far", v->n_fixups);
	buf_puts(out, ".\n\n");
	put_ids(q, out);
	buf_putc(out, '\n');
}

/* --- the posting --- */

/* The posted mail that it answers. */
static int find_parent(struct prep *q, struct err *err)
{
	const struct fix *f = q->o->fix;
	const char *id = f->v->patches[f->patch - 1].message_id;

	int rc = prep_reply_id(q, err);

	if (rc || q->in_reply_to)
		return rc;
	if (!id)
		return err_set(err, E_NOTFOUND,
			       "the Message-ID of patch %d of v%d is not known here: say "
			       "which mail to answer, --in-reply-to ID",
			       f->patch, f->v->n);
	q->in_reply_to = xstrdup(id);
	return 0;
}

static int take_recipients(struct prep *q, struct err *err)
{
	int rc = prep_preview(q, err);

	if (!rc && !q->p->to.to.n)
		rc = recipients_of(q->s, q->c, q->o->fix->v, q->o->to, q->o->cc,
				   &q->p->to, err);
	if (!rc && !q->p->to.to.n && !q->o->reflect)
		findings_add(&q->p->findings, "no-recipients", SEVERITY_ERROR, "",
			     "send --to ADDRESS", "there is nobody to send it to");
	return rc;
}

/* The prefix of the version, as it was posted first: "PATCH mm v2". */
static int make_prefix_again(struct prep *q, struct err *err)
{
	const struct version *v = q->o->fix->v;
	const char *was = v->n_postings ? v->postings[0].prefix : NULL;

	q->p->prefix = was	  ? xstrdup(was)
		       : v->n > 1 ? xasprintf("PATCH v%d", v->n)
				  : xstrdup("PATCH");
	return prep_check_prefix(q->p->prefix, err);
}

static int fill_version(struct prep *q, const char *commit, struct err *err)
{
	const struct fix *f = q->o->fix;
	struct outbox *o = q->p->outbox;
	struct fixup *mine;

	version_copy(f->v, &o->version);
	o->fixup = true;
	mine = version_add_fixup(&o->version);
	mine->patch = f->patch;
	memcpy(mine->commit, commit, OID_HEX);
	mine->subject = xstrdup(f->title);
	strvec_extend(&mine->parts, &f->parts);
	mine->posting.state = xstrdup("sending");
	mine->posting.prefix = xstrdup(q->p->prefix);
	mine->posting.date = q->now;
	mine->posting.message_id =
		message_id(q->now, q->random, f->v->n,
			   f->v->n_patches + f->v->n_fixups + 1, q->p->from.email);
	prep_show_recipients(q, &mine->posting.to, &mine->posting.cc);
	if (!q->o->reflect) {
		strvec_extend(&o->to, &mine->posting.to);
		strvec_extend(&o->cc, &mine->posting.cc);
	}
	return repo_patch_id(q->s->repo, commit, mine->patch_id, err);
}

static int make_mail(struct prep *q, struct str body, struct buf *ret, struct err *err)
{
	const struct fix *f = q->o->fix;
	const struct version *v = f->v;
	const struct posting *p = outbox_posting(q->p->outbox);
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	char *tag _cleanup_free_ =
		xasprintf("[%s %zu/%zu]", q->p->prefix, v->n_patches + v->n_fixups + 1,
			  v->n_patches);
	char *subject _cleanup_free_ = xasprintf("%s %s", tag, f->title);
	struct mail_spec m = { .from = &q->p->from,
			       .to = &q->p->to.to,
			       .cc = &q->p->to.cc,
			       .tag = tag,
			       .title = str_c(f->title),
			       .body = body,
			       .message_id = p->message_id,
			       .in_reply_to = q->in_reply_to,
			       .references = &refs,
			       .date = q->now };
	int rc;

	if (!q->o->in_reply_to && version_link(v) &&
	    strcmp(version_link(v), q->in_reply_to))
		strvec_push(&refs, version_link(v));
	strvec_push(&refs, q->in_reply_to);
	if (q->o->keep_dates)
		m.date_text = q->patches.mails[0].date;
	rc = mail_compose(&m, ret, err);
	if (!rc)
		outbox_add(q->p->outbox, m.message_id, subject, buf_str(ret));
	return rc;
}

/* As with other patches: what git am makes of it is looked at. */
static int write_mail(struct prep *q, struct err *err)
{
	struct letter l = { .series = q->s,
			    .config = q->c,
			    .patches = &q->patches,
			    .version = q->o->fix->v->n,
			    .from = &q->p->from };
	const struct patch_mail *m = &q->patches.mails[0];
	struct buf body _cleanup_buf_ = BUF_INIT, mail _cleanup_buf_ = BUF_INIT;
	struct findings *found = &q->p->findings;
	size_t before = found->n;
	int rc = patchset_parse(q->s, &q->patches, found, err);

	if (!rc)
		rc = patchset_check(q->s, &q->patches, 0, found, err);
	if (rc)
		return rc;
	letter_message(&l, 0, &body);
	buf_puts(&body, "---\n");
	put_notes(q, q->in_reply_to, &body);
	buf_addstr(&body, m->notes);
	buf_addstr(&body, m->rest);
	if (!m->rest.len || m->rest.p[m->rest.len - 1] != '\n')
		buf_putc(&body, '\n');
	rc = make_mail(q, buf_str(&body), &mail, err);
	if (!rc && found->n == before)
		rc = patchset_verify(q->s, &q->patches, 0, buf_str(&body), buf_str(&mail),
				     found, err);
	for (size_t i = before; i < found->n; i++) {
		if (!strstr(found->v[i].remedy, "rebase "))
			continue;
		free(found->v[i].remedy);
		found->v[i].remedy = xstrdup(FIX_REMEDY);
	}
	return rc;
}

static void take_findings(struct prep *q)
{
	const struct findings *f = &q->o->fix->findings;

	for (size_t i = 0; i < f->n; i++)
		findings_add(&q->p->findings, f->v[i].id, f->v[i].severity, f->v[i].where,
			     f->v[i].remedy, "%s", f->v[i].message);
}

static int make_commit(struct prep *q, char ret[OID_HEX], struct err *err)
{
	struct fix *f = q->o->fix;
	const char *sig = config_get(q->c, "format.signature");
	struct buf message _cleanup_buf_ = BUF_INIT, random _cleanup_buf_ = BUF_INIT;
	struct patch_range r = { q->s->repo, f->tip, ret,
				 !q->o->no_signature && !(sig && !*sig) };
	int rc;

	q->now = time_now();
	rand_letters(&random, 8);
	q->random = buf_take(&random);
	make_message(q, &message);
	rc = fix_commit(f, &q->p->from, buf_cstr(&message), ret, err);
	return rc ? rc : patchset_read(&r, &q->p->from, &q->patches, err);
}

int fixup_prepare(struct prep *q, struct err *err)
{
	char commit[OID_HEX];
	int rc = prep_sender(q, err);

	if (!rc)
		rc = find_parent(q, err);
	if (!rc)
		rc = take_recipients(q, err);
	if (!rc)
		rc = prep_envelope(q, err);
	if (!rc)
		rc = make_prefix_again(q, err);
	if (rc)
		return rc;
	prep_settings(q);
	take_findings(q);
	q->p->base_name = letter_base_name(q->s, q->c);
	rc = make_commit(q, commit, err);
	if (!rc)
		rc = fill_version(q, commit, err);
	return rc ? rc : write_mail(q, err);
}
