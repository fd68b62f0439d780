// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * post.c - from the draft to finished mails, and what speaks against sending them.
 */
#include "letter.h"
#include "series/compose.h"
#include "series/mem.h"
#include "series/post.h"
#include "series/store.h"
#include "series/time.h"

/* Everything that post_prepare() works with. */
struct prep {
	struct series *s;
	const struct config *c;
	const struct post_opts *o;
	struct post *p;
	struct patchset patches;
	struct cover cover;
	bool has_cover; /* the user wrote one */
	char *in_reply_to, *cover_id;
	char *random;
	int64_t now;
};

void post_free(struct post *p)
{
	if (!p)
		return;
	free(p->from.name);
	free(p->from.email);
	free(p->prefix);
	free(p->base_name);
	recipients_release(&p->to);
	findings_release(&p->findings);
	outbox_free(p->outbox);
	free(p);
}

void post_freep(struct post **p)
{
	post_free(*p);
	*p = NULL;
}

static void prep_release(struct prep *q)
{
	patchset_release(&q->patches);
	cover_release(&q->cover);
	free(q->in_reply_to);
	free(q->cover_id);
	free(q->random);
	post_free(q->p);
}

static void error_finding(struct prep *q, const char *id, const char *message,
			  const char *remedy)
{
	findings_add(&q->p->findings, id, SEVERITY_ERROR, "", remedy, "%s", message);
}

/* sendemail.from, else user.name and user.email. */
static int find_sender(struct prep *q, struct err *err)
{
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;
	const char *from = sendemail_get(q->c, "from"), *name, *email;
	int rc = 0;

	if (from) {
		rc = addrs_parse(&got, from, err);
		if (!rc && got.n != 1)
			rc = err_set(err, E_USAGE, "'%s': one address is expected", from);
		if (rc)
			return err_context(err, "sendemail.from");
	} else {
		name = config_get(q->c, "user.name");
		email = config_get(q->c, "user.email");
		if (!name || !email)
			return err_set(
				err, E_USAGE,
				"who sends? run git config user.name 'YOUR NAME' and "
				"git config user.email YOU@HOST");
		addrs_add(&got, name, email);
		if (!addr_ok(&got.v[0]))
			return err_set(err, E_USAGE,
				       "user.name '%s' and user.email '%s' make no mail "
				       "address; set them with git config",
				       name, email);
	}
	q->p->from.name = xstrdup(got.v[0].name);
	q->p->from.email = xstrdup(got.v[0].email);
	return 0;
}

/* sendemail.envelopeSender, with a name or not, else the address of From. */
static int envelope_sender(const struct prep *q, char **ret, struct err *err)
{
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;
	const char *v = sendemail_get(q->c, "envelopesender");
	int rc = 0;

	if (v && strcmp(v, "auto")) {
		rc = addrs_parse(&got, v, err);
		if (!rc && got.n != 1)
			rc = err_set(err, E_USAGE, "'%s': one address is expected", v);
	}
	if (rc)
		return err_context(err, "sendemail.envelopeSender");
	*ret = xstrdup(got.n ? got.v[0].email : q->p->from.email);
	return 0;
}

/* "RFC PATCH mm v2": RFC and RESEND in front as git has them, other prefixes behind. */
static char *make_prefix(const struct prep *q, int version)
{
	const char *base = config_get(q->c, "format.subjectprefix");
	struct buf b = BUF_INIT;
	const struct strvec *pre = &q->s->prefixes;

	if (!base)
		base = "PATCH";
	if ((q->o->rfc || strvec_has(pre, "RFC")) && !strstr(base, "RFC"))
		buf_puts(&b, "RFC ");
	buf_puts(&b, base);
	for (size_t i = 0; i < pre->n; i++)
		if (strcmp(pre->v[i], "RFC"))
			buf_printf(&b, " %s", pre->v[i]);
	if (version > 1)
		buf_printf(&b, " v%d", version);
	return buf_take(&b);
}

/* It stands in the subject as it is: format.subjectPrefix may hold anything. */
static int check_prefix(const struct prep *q, struct err *err)
{
	for (const char *s = q->p->prefix; *s; s++)
		if ((unsigned char)*s < 0x20 || (unsigned char)*s >= 0x7f || *s == '[' ||
		    *s == ']')
			return err_set(err, E_USAGE,
				       "'%s' cannot be the prefix of a subject: it is to "
				       "be of ASCII letters, without brackets and line "
				       "ends; look at format.subjectPrefix",
				       q->p->prefix);
	return 0;
}

/* "[PREFIX 03/12]": as many digits as the last number has; none for a single patch. */
static char *make_tag(const struct prep *q, size_t k)
{
	size_t n = q->patches.n;
	int digits = n > 999 ? 4 : n > 99 ? 3 : n > 9 ? 2 : 1;

	if (n == 1)
		return xasprintf("[%s]", q->p->prefix);
	return xasprintf("[%s %0*zu/%zu]", q->p->prefix, digits, k, n);
}

static int read_cover(struct prep *q, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	bool single = q->patches.n == 1;
	int rc = store_read(q->s->repo, q->s->name, "cover.txt", &text, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		if (!single)
			error_finding(q, "cover-missing", "there is no cover letter",
				      "write it: series cover --edit");
		return 0;
	}
	if (rc)
		return rc;
	if (cover_is_template(buf_str(&text))) {
		if (!single)
			error_finding(q, "cover-template",
				      "the cover letter is still the template",
				      "write it: series cover --edit");
		return 0;
	}
	rc = cover_render(q->s, q->c, buf_str(&text), &q->cover, &q->p->findings, err);
	if (rc)
		return rc;
	q->has_cover = true;
	if (!single && !q->cover.title[0])
		error_finding(q, "cover-title", "the cover letter has no title",
			      "its first line is the title: series cover --edit");
	if (q->cover.emulated && !q->o->allow_emulated)
		error_finding(
			q, "bench-emulated",
			"the cover letter holds results of an emulated machine: they "
			"see no cache, TLB or contention",
			"measure on hardware, or send with --allow-emulated");
	return 0;
}

static void check_notes(struct prep *q)
{
	char *cut _cleanup_free_ = NULL;

	if (q->patches.n != 1 || !q->has_cover)
		return;
	cut = notes_cut(buf_str(&q->cover.body));
	if (!cut)
		cut = notes_cut(buf_str(&q->cover.notes));
	if (cut)
		findings_add(&q->p->findings, "notes-cut", SEVERITY_ERROR, "cover.txt",
			     "indent the line", "%s", cut);
}

/* Message-IDs and everything that versions/N.json will say. */
static void fill_version(struct prep *q, int n)
{
	struct version *v = &q->p->outbox->version;
	const struct series *s = q->s;
	struct posting *post = xcalloc(1, sizeof(*post));

	v->n = n;
	memcpy(v->base, s->base, OID_HEX);
	memcpy(v->head, s->head, OID_HEX);
	v->patches = xcalloc(s->n_patches + 1, sizeof(*v->patches));
	for (size_t i = 0; i < s->n_patches; i++) {
		struct patch *d = &v->patches[v->n_patches++];

		*d = s->patches[i];
		d->subject = xstrdup(s->patches[i].subject);
		d->author_name = xstrdup_null(s->patches[i].author_name);
		d->author_email = xstrdup_null(s->patches[i].author_email);
		d->message_id = message_id(q->now, q->random, n, i + 1, q->p->from.email);
	}
	q->cover_id = v->n_patches == 1
			      ? xstrdup(v->patches[0].message_id)
			      : message_id(q->now, q->random, n, 0, q->p->from.email);
	for (size_t i = 0; i < q->p->to.to.n; i++)
		strvec_take(&v->to, addr_show_dup(&q->p->to.to.v[i]));
	for (size_t i = 0; i < q->p->to.cc.n; i++)
		strvec_take(&v->cc, addr_show_dup(&q->p->to.cc.v[i]));
	for (size_t i = 0; i < q->p->to.bcc.n; i++)
		strvec_push(&q->p->outbox->bcc, q->p->to.bcc.v[i].email);
	post->state = xstrdup("sending");
	post->prefix = xstrdup(q->p->prefix);
	post->message_id = xstrdup(q->cover_id);
	post->date = q->now;
	v->postings = post;
	v->n_postings = 1;
}

/* Mail k of the posting (0: the cover) with this body into the outbox. */
static int add_mail(struct prep *q, size_t k, struct str body, struct buf *ret_mail,
		    struct err *err)
{
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	const struct version *v = &q->p->outbox->version;
	const char *title = k ? q->patches.commits[k - 1].subject : q->cover.title;
	bool first = k == 0 || q->patches.n == 1;
	char *tag _cleanup_free_ = make_tag(q, k);
	char *subject _cleanup_free_ = xasprintf("%s %s", tag, title);
	struct mail_spec m = {
		.from = &q->p->from,
		.to = &q->p->to.to,
		.cc = &q->p->to.cc,
		.tag = tag,
		.title = str_c(title),
		.body = body,
		.message_id = k ? v->patches[k - 1].message_id : q->cover_id,
		.in_reply_to = first ? q->in_reply_to : q->cover_id,
		.references = &refs,
		/* As git send-email: one second apart, the last one now. */
		.date = q->now - (int64_t)(q->patches.n - k),
	};
	int rc;

	if (q->in_reply_to)
		strvec_push(&refs, q->in_reply_to);
	if (!first)
		strvec_push(&refs, q->cover_id);
	if (q->o->keep_dates && k)
		m.date_text = q->patches.mails[k - 1].date;
	rc = mail_compose(&m, ret_mail, err);
	if (!rc)
		outbox_add(q->p->outbox, m.message_id, subject, buf_str(ret_mail));
	return rc;
}

static int make_mails(struct prep *q, int version, struct err *err)
{
	struct letter l = { q->s, q->c, q->has_cover ? &q->cover : NULL, &q->patches,
			    version, &q->p->from };
	int rc = 0;

	if (q->patches.n > 1 && q->has_cover) {
		struct buf body _cleanup_buf_ = BUF_INIT, mail _cleanup_buf_ = BUF_INIT;

		rc = letter_cover(&l, &body, err);
		if (!rc)
			rc = add_mail(q, 0, buf_str(&body), &mail, err);
	}
	if (!rc)
		rc = patchset_parse(q->s, &q->patches, &q->p->findings, err);
	for (size_t i = 0; i < q->patches.n && !rc; i++) {
		struct buf body _cleanup_buf_ = BUF_INIT, mail _cleanup_buf_ = BUF_INIT;
		size_t before = q->p->findings.n;

		rc = patchset_check(q->s, &q->patches, i, &q->p->findings, err);
		if (!rc)
			rc = letter_patch(&l, i, &body, err);
		if (!rc)
			rc = add_mail(q, i + 1, buf_str(&body), &mail, err);
		if (!rc && q->p->findings.n == before)
			rc = patchset_verify(q->s, &q->patches, i, buf_str(&body),
					     buf_str(&mail), &q->p->findings, err);
	}
	return rc;
}

/* --in-reply-to without its brackets. */
static int take_reply_id(struct prep *q, struct err *err)
{
	struct str id = str_trim(str_c(q->o->in_reply_to ? q->o->in_reply_to : ""));

	if (!q->o->in_reply_to)
		return 0;
	if (str_skip(&id, "<") && id.len && id.p[id.len - 1] == '>')
		id.len--;
	q->in_reply_to = str_dup(id);
	if (!strchr(q->in_reply_to, '@') || strpbrk(q->in_reply_to, " \t\r\n<>"))
		return err_set(err, E_USAGE, "--in-reply-to: '%s' is no Message-ID",
			       q->o->in_reply_to);
	return 0;
}

static int choose_version(const struct prep *q, int *ret, struct err *err)
{
	int n = q->o->version ? q->o->version : series_draft(q->s);
	const struct version *v = series_version(q->s, n);

	if (v)
		return err_set(err, E_EXISTS,
			       "v%d was posted already (%s); the draft is v%d", n,
			       version_state(v) ? version_state(v) : "recorded",
			       series_draft(q->s));
	*ret = n;
	return 0;
}

/* The very commits that went out last need a word from the user to go out again. */
static void check_news(struct prep *q)
{
	const struct version *v = series_last(q->s);
	const char *state = v ? version_state(v) : NULL;
	char *what _cleanup_free_ = NULL, *remedy _cleanup_free_ = NULL;

	if (q->o->version || !state || strcmp(state, "sent") ||
	    strcmp(v->head, q->s->head) || strcmp(v->base, q->s->base))
		return;
	what = xasprintf("v%d was sent already, and the branch is the same since", v->n);
	remedy = xasprintf("change the branch, or post these commits again: --version=%d",
			   series_draft(q->s));
	error_finding(q, "sent-already", what, remedy);
}

static int prepare(struct prep *q, struct err *err)
{
	struct buf random _cleanup_buf_ = BUF_INIT;
	int version = 0, rc = choose_version(q, &version, err);

	if (!rc)
		rc = find_sender(q, err);
	if (!rc)
		rc = take_reply_id(q, err);
	if (!rc)
		rc = recipients_collect(q->s, q->c, q->o->to, q->o->cc, &q->p->to, err);
	if (rc)
		return rc;
	q->now = time_now();
	rand_letters(&random, 8);
	q->random = buf_take(&random);
	q->p->prefix = make_prefix(q, version);
	q->p->base_name = letter_base_name(q->s, q->c);
	q->p->outbox = outbox_new(q->s->name);
	rc = envelope_sender(q, &q->p->outbox->sender, err);
	if (!rc)
		rc = check_prefix(q, err);
	if (rc)
		return rc;
	if (!q->p->to.to.n)
		error_finding(q, "no-recipients", "there is nobody to send it to",
			      "series recipients --add-to ADDRESS, or send --to ADDRESS");
	if (!q->s->n_patches) {
		error_finding(q, "no-commits", "there are no commits above the base",
			      "commit something, or set the base: series base --set REF");
		return 0;
	}
	check_news(q);
	rc = patchset_read(q->s, &q->p->from, &q->patches, err);
	if (!rc)
		rc = read_cover(q, err);
	if (rc)
		return rc;
	check_notes(q);
	fill_version(q, version);
	return make_mails(q, version, err);
}

int post_prepare(struct series *s, const struct config *c, const struct post_opts *o,
		 struct post **ret, struct err *err)
{
	struct prep q = { .s = s, .c = c, .o = o, .p = xcalloc(1, sizeof(*q.p)) };
	int rc = prepare(&q, err);

	if (!rc) {
		*ret = q.p;
		q.p = NULL;
	}
	prep_release(&q);
	return rc;
}
