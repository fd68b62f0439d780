// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * post.c - from the draft to finished mails, and what speaks against sending them.
 */
#include <strings.h>
#include "prep.h"
#include "series/compose.h"
#include "series/covertext.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/store.h"
#include "series/time.h"

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
	changes_release(&q->changes);
	patchnotes_release(&q->notes);
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

/* A value of git's that is true or false: false, no, off, 0 and nothing are not. */
static bool config_truth(const char *v)
{
	return v && *v && strcasecmp(v, "false") && strcasecmp(v, "no") &&
	       strcasecmp(v, "off") && strcmp(v, "0");
}

/* Those that say how the mails are made, and do not hold. */
void prep_settings(struct prep *q)
{
	const char *thread = config_get(q->c, "format.thread");

	if (config_truth(sendemail_get(q->c, "annotate")))
		findings_add(&q->p->findings, "setting-ignored", SEVERITY_WARNING, "",
			     "series cover --edit, git rebase -i; series send --dry-run "
			     "shows the mails",
			     "sendemail.annotate is set, but mails are not edited here");
	if (sendemail_get(q->c, "thread") &&
	    !config_truth(sendemail_get(q->c, "thread")) &&
	    (!thread || !strcmp(thread, "false")))
		findings_add(&q->p->findings, "setting-ignored", SEVERITY_WARNING, "", "",
			     "sendemail.thread is off, but patches always reply to their "
			     "cover letter");
}

/* sendemail.from, else user.name and user.email. */
int prep_sender(struct prep *q, struct err *err)
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
int prep_envelope(struct prep *q, struct err *err)
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
	q->p->outbox->sender = xstrdup(got.n ? got.v[0].email : q->p->from.email);
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

/* The letter of a single patch may be left out, but not without a word. */
static void say_template(struct prep *q, struct str text, bool single)
{
	char *where _cleanup_free_ =
		xasprintf("%s:%zu", COVERTEXT_FILE, cover_template_line(text));

	findings_add(&q->p->findings, "cover-template",
		     single ? SEVERITY_WARNING : SEVERITY_ERROR, where,
		     "write it: series cover --edit",
		     "the cover letter is still the template%s",
		     single ? ", so the mail goes without it" : "");
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
		say_template(q, buf_str(&text), single);
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

/* The draft as versions/N.json will have it. */
static void fill_draft(struct prep *q, int n, struct version *v)
{
	const struct series *s = q->s;

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
		d->message_id = NULL;
	}
}

static void show_addrs(const struct addrs *a, struct strvec *out)
{
	for (size_t i = 0; i < a->n; i++)
		strvec_take(out, addr_show_dup(&a->v[i]));
}

/* One more posting of *v, with its Message-IDs. */
static struct posting *add_posting(struct prep *q, struct version *v)
{
	struct posting *p;

	v->postings = xreallocarray(v->postings, v->n_postings + 1, sizeof(*p));
	p = &v->postings[v->n_postings++];
	*p = (struct posting){ .date = q->now, .resend = q->again };
	for (size_t i = 0; i < v->n_patches; i++) {
		char *id = message_id(q->now, q->random, v->n, i + 1, q->p->from.email);

		if (!q->again)
			v->patches[i].message_id = xstrdup(id);
		strvec_take(&p->ids, id);
	}
	q->cover_id = v->n_patches == 1
			      ? xstrdup(p->ids.v[0])
			      : message_id(q->now, q->random, v->n, 0, q->p->from.email);
	p->state = xstrdup("sending");
	p->prefix = xstrdup(q->p->prefix);
	p->message_id = xstrdup(q->cover_id);
	return p;
}

void prep_show_recipients(struct prep *q, struct strvec *to, struct strvec *cc)
{
	struct outbox *o = q->p->outbox;

	show_addrs(&q->p->to.to, to);
	show_addrs(&q->p->to.cc, cc);
	for (size_t i = 0; i < q->p->to.bcc.n && !o->rehearsal; i++)
		strvec_push(&o->bcc, q->p->to.bcc.v[i].email);
	if (q->o->reflect)
		strvec_take(&o->to, addr_show_dup(&q->p->from));
}

/* Everything that versions/N.json will say, and who gets the mails. */
static void fill_version(struct prep *q, int n)
{
	struct outbox *o = q->p->outbox;
	struct version *v = &o->version;
	struct posting *p;

	if (q->again)
		version_copy(q->again, v);
	else
		fill_draft(q, n, v);
	p = add_posting(q, v);
	prep_show_recipients(q, q->again ? &p->to : &v->to, q->again ? &p->cc : &v->cc);
	if (q->again && !q->o->reflect) {
		/* Not the version's: it keeps those of its first posting. */
		strvec_extend(&o->to, &p->to);
		strvec_extend(&o->cc, &p->cc);
	}
}

/* What mail k answers: *ret_parent (NULL: nothing), and the chain up to it. */
static void find_parents(const struct prep *q, size_t k, const char **ret_parent,
			 struct strvec *refs)
{
	const struct version *v = &q->p->outbox->version;
	const struct strvec *ids = &v->postings[v->n_postings - 1].ids;
	bool first = k == 0 || q->patches.n == 1;

	*ret_parent = q->in_reply_to;
	if (q->in_reply_to)
		strvec_push(refs, q->in_reply_to);
	if (first)
		return;
	*ret_parent = strvec_push(refs, q->cover_id);
	for (size_t i = 0; q->deep && i + 1 < k; i++)
		*ret_parent = strvec_push(refs, ids->v[i]);
}

/* Mail k of the posting (0: the cover) with this body into the outbox. */
static int add_mail(struct prep *q, size_t k, struct str body, struct buf *ret_mail,
		    struct err *err)
{
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	const struct version *v = &q->p->outbox->version;
	const char *title = k ? q->patches.commits[k - 1].subject : q->cover.title;
	const char *parent;
	char *tag _cleanup_free_ = make_tag(q, k);
	char *subject _cleanup_free_ = xasprintf("%s %s", tag, title);
	struct mail_spec m = {
		.from = &q->p->from,
		.to = &q->p->to.to,
		.cc = &q->p->to.cc,
		.tag = tag,
		.title = str_c(title),
		.body = body,
		.message_id =
			k ? v->postings[v->n_postings - 1].ids.v[k - 1] : q->cover_id,
		.references = &refs,
		/* As git send-email: one second apart, the last one now. */
		.date = q->now - (int64_t)(q->patches.n - k),
	};
	int rc;

	find_parents(q, k, &parent, &refs);
	m.in_reply_to = parent;
	if (q->o->keep_dates && k)
		m.date_text = q->patches.mails[k - 1].date;
	rc = mail_compose(&m, ret_mail, err);
	if (!rc)
		outbox_add(q->p->outbox, m.message_id, subject, buf_str(ret_mail));
	return rc;
}

static int make_mails(struct prep *q, int version, struct err *err)
{
	struct letter l = { .series = q->s,
			    .config = q->c,
			    .cover = q->has_cover ? &q->cover : NULL,
			    .patches = &q->patches,
			    .version = version,
			    .from = &q->p->from,
			    .changes = &q->changes,
			    .notes = &q->notes,
			    .restart = q->p->outbox->restart };
	int rc = changes_make(q->s, q->c, version, l.restart, &q->changes,
			      &q->p->findings, err);

	if (!rc)
		rc = notes_make(q->s, !q->again, &q->notes, &q->p->findings, err);
	if (!rc && q->patches.n > 1 && q->has_cover) {
		struct buf body _cleanup_buf_ = BUF_INIT, mail _cleanup_buf_ = BUF_INIT;

		if (q->again)
			buf_addstr(&body, buf_str(&q->cover.body));
		else
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
			rc = q->again ? resend_patch(q, &l, i, &body, err)
				      : letter_patch(&l, i, &body, err);
		if (!rc)
			rc = add_mail(q, i + 1, buf_str(&body), &mail, err);
		if (!rc && q->p->findings.n == before)
			rc = patchset_verify(q->s, &q->patches, i, buf_str(&body),
					     buf_str(&mail), &q->p->findings, err);
	}
	return rc;
}

/*
 * series.thread: a new version is a new thread, or replies to the cover letter of the one
 * before. Within a thread patches reply to their cover, unless git is told otherwise.
 */
static int take_thread(struct prep *q, struct err *err)
{
	const char *how = config_get(q->c, "series.thread");
	const char *git = config_get(q->c, "format.thread");
	const struct version *last = series_last(q->s);

	q->deep = config_truth(sendemail_get(q->c, "chainreplyto")) ||
		  (git && !strcmp(git, "deep"));
	if (how && strcmp(how, "new") && strcmp(how, "reply"))
		return err_set(err, E_USAGE,
			       "series.thread: expected new or reply, not '%s'", how);
	if (how && !strcmp(how, "reply") && !q->again && last && version_link(last))
		q->in_reply_to = xstrdup(version_link(last));
	return 0;
}

int prep_reply_id(struct prep *q, struct err *err)
{
	struct str id = str_trim(str_c(q->o->in_reply_to ? q->o->in_reply_to : ""));

	if (!q->o->in_reply_to)
		return 0;
	if (str_skip(&id, "<") && id.len && id.p[id.len - 1] == '>')
		id.len--;
	q->in_reply_to = str_dup(id);
	if (!message_id_ok(q->in_reply_to))
		return err_set(err, E_USAGE, "--in-reply-to: '%s' is no Message-ID",
			       q->o->in_reply_to);
	return 0;
}

/* The very commits that went out last need a word from the user to go out again. */
static void check_news(struct prep *q)
{
	const struct version *v = series_last(q->s);
	const char *state = v ? version_state(v) : NULL;
	char *what _cleanup_free_ = NULL, *remedy _cleanup_free_ = NULL;

	if (q->o->version || q->p->outbox->rehearsal || !state || v->rfc ||
	    strcmp(state, "sent") || strcmp(v->head, q->s->head) ||
	    strcmp(v->base, q->s->base))
		return;
	what = xasprintf("v%d was sent already, and the branch is the same since", v->n);
	remedy = xasprintf("change the branch; or send v%d once more: --resend; or post the "
			   "same commits as a version of their own: --version=%d",
			   v->n, series_draft(q->s));
	error_finding(q, "sent-already", what, remedy);
}

int prep_preview(struct prep *q, struct err *err)
{
	const struct strvec *preview = q->o->preview;
	int rc = 0;

	for (size_t i = 0; preview && i < preview->n && !rc; i++)
		rc = addrs_parse(&q->p->to.to, preview->v[i], err);
	return rc ? err_context(err, "--preview-to") : 0;
}

/* Who is to get the mails: the recipients, or who looks at them beforehand. */
static int take_recipients(struct prep *q, struct err *err)
{
	int rc = prep_preview(q, err);

	return rc || q->p->to.to.n ? rc
				   : recipients_collect(q->s, q->c, q->o->to, q->o->cc,
							&q->p->to, err);
}

static void make_outbox(struct prep *q)
{
	bool rehearsal = q->o->reflect || (q->o->preview && q->o->preview->n);
	char *name _cleanup_free_ =
		rehearsal ? outbox_rehearsal_name(q->s->name) : xstrdup(q->s->name);

	q->p->outbox = outbox_new(name);
	q->p->outbox->rehearsal = rehearsal;
}

/* What speaks against it before any mail is made; false: there are none to make. */
static bool check_subject(struct prep *q)
{
	const struct version *last = series_last(q->s);
	char *remedy _cleanup_free_ = NULL, *what _cleanup_free_ = NULL,
		     *word _cleanup_free_ = NULL;

	if (!q->p->to.to.n && !q->o->reflect)
		error_finding(q, "no-recipients", "there is nobody to send it to",
			      "series recipients --add-to ADDRESS, or send --to ADDRESS");
	if (q->again) {
		resend_check_recipients(q);
		resend_check_fixes(q);
		return true;
	}
	if (!*q->s->head) {
		const char *branch = q->s->branch ? q->s->branch : "of the series";

		word = shell_word(q->s->branch ? q->s->branch : "NAME");
		what = xasprintf("the branch %s is gone", branch);
		remedy = xasprintf("bring it back: git branch %s %.12s%s", word,
				   last ? last->head : "COMMIT",
				   last ? "; or post that again: series send --resend"
					: "");
		error_finding(q, "branch-gone", what, remedy);
		return false;
	}
	if (!q->s->n_patches) {
		error_finding(q, "no-commits", "there are no commits above the base",
			      "commit something, or set the base: series base --set REF");
		return false;
	}
	check_news(q);
	return true;
}

static int read_patches(struct prep *q, struct err *err)
{
	const char *sig = config_get(q->c, "format.signature");
	const struct version *v = q->again;
	struct patch_range r = { q->s->repo, v ? v->base : q->s->base,
				 v ? v->head : q->s->head,
				 !q->o->no_signature && !(sig && !*sig) };
	int rc = patchset_read(&r, &q->p->from, &q->patches, err);

	if (rc && v)
		return err_context(err, "the commits of v%d", v->n);
	if (!rc && v && v->n_patches != q->patches.n)
		return err_set(err, E_CORRUPT,
			       "v%d has %zu patches, and %zu commits above its base",
			       v->n, v->n_patches, q->patches.n);
	return rc;
}

static int prepare(struct prep *q, struct err *err)
{
	struct buf random _cleanup_buf_ = BUF_INIT;
	int version = 0, rc;

	make_outbox(q);
	if (q->o->fix)
		return fixup_prepare(q, err);
	rc = q->o->resend ? resend_choose(q, err) : choose_version(q, &version, err);
	if (!rc)
		rc = prep_sender(q, err);
	if (!rc)
		rc = q->o->in_reply_to ? prep_reply_id(q, err) : take_thread(q, err);
	if (!rc)
		rc = take_recipients(q, err);
	if (!rc)
		rc = prep_envelope(q, err);
	if (!rc)
		rc = make_prefix(q, version, err);
	if (rc)
		return rc;
	prep_settings(q);
	q->now = time_now();
	rand_letters(&random, 8);
	q->random = buf_take(&random);
	q->p->base_name = letter_base_name(q->s, q->c);
	if (!check_subject(q))
		return 0;
	rc = read_patches(q, err);
	if (!rc)
		rc = q->again ? resend_cover(q, err) : read_cover(q, err);
	if (rc)
		return rc;
	if (!q->again)
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
		findings_on_branch(&q.p->findings, s);
		*ret = q.p;
		q.p = NULL;
	}
	prep_release(&q);
	return rc;
}
