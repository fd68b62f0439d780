// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_mails.c - see check_mails.h.
 */
#include "check_mails.h"
#include "series/check.h"
#include "series/mem.h"
#include "series/posted.h"

struct job {
	struct ctx *c;
	const struct strvec *only;
	struct thread t;
	struct posted p;
	struct json *list; /* with --json: one for each version */
	size_t errors;
};

/* "v2 of "mm: count", 3 patches by Ada Author" */
static void print_head(struct ctx *c, const struct posted_version *v)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	buf_printf(&b, "%s of \"%s\", %zu patch%s by %s\n", v->label, v->title, v->total,
		   v->total == 1 ? "" : "es", *v->name ? v->name : v->email);
	out_foreign(&c->out, buf_str(&b));
}

static struct json *version_findings(const struct job *j, const struct posted_version *v,
				     const struct findings *f, const struct checks *all)
{
	struct json *o = json_obj();
	size_t first = v->cover != NO_MAIL ? v->cover
		       : v->total	   ? v->patch[0].mail
					   : NO_MAIL;

	json_set_str(o, "title", v->title);
	json_set_str(o, "version", v->label);
	json_set_str(o, "name", v->name);
	json_set_str(o, "email", v->email);
	json_set_str(o, "message_id", first < j->t.n ? j->t.v[first].id : NULL);
	json_set_int(o, "patches", (int64_t)v->total);
	json_set(o, "findings", findings_json(f));
	json_set(o, "checks", checks_json(all));
	return o;
}

static int look(struct job *j, size_t version, struct err *err)
{
	const struct posted_version *v = &j->p.v[version];
	struct findings found _cleanup_findings_ = FINDINGS_INIT;
	struct checks all _cleanup_checks_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	size_t errors, passed = 0;
	int rc = check_posted(&j->t, &j->p, version, j->c->config, j->only, &found, &all,
			      err);

	if (rc)
		return rc;
	errors = findings_count(&found, SEVERITY_ERROR);
	j->errors += errors;
	if (j->list) {
		json_push(j->list, version_findings(j, v, &found, &all));
		return 0;
	}
	print_head(j->c, v);
	findings_show(&found, &text);
	out_foreign(&j->c->out, buf_str(&text));
	for (size_t i = 0; i < all.n; i++)
		passed += all.v[i].outcome == CHECK_PASSED;
	out_printf(&j->c->out, "%zu errors, %zu warnings; %zu checks passed\n", errors,
		   findings_count(&found, SEVERITY_WARNING), passed);
	return 0;
}

/* The version that was asked for, or the newest of every series. */
static int look_at_all(struct job *j, const char *arg, const char *id, struct err *err)
{
	struct place at;
	size_t mail = id ? thread_find(&j->t, id) : j->t.n;
	int rc = 0;

	if (!j->p.n)
		return err_set(err, E_NOTFOUND, "%s: there is no patch in it", arg);
	if (mail < j->t.n && posted_target(&j->t, j->p.place, mail, &at))
		return look(j, at.version, err);
	for (size_t i = 0; i < j->p.n_series && !rc; i++)
		rc = look(j, posted_newest(&j->p, i), err);
	return rc;
}

static void job_release(struct job *j)
{
	thread_release(&j->t);
	posted_release(&j->p);
	json_free(j->list);
}

int check_mails(struct ctx *c, const char *arg, const struct strvec *only, bool offline,
		struct err *err)
{
	struct job j _cleanup_(job_release) = { .c = c, .only = only };
	struct source_opts o = { .offline = offline };
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	char *id _cleanup_free_ = NULL;
	int rc = source_open(c, &o, arg, &src, &id, err);

	if (!rc)
		rc = thread_read(&j.t, src, err);
	if (rc)
		return rc;
	thread_link(&j.t);
	posted_find(&j.t, &j.p);
	j.list = c->json ? json_arr() : NULL;
	rc = look_at_all(&j, arg, id, err);
	if (rc)
		return rc;
	if (c->json) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set(c->out.json, "posted", j.list);
		j.list = NULL;
	}
	return j.errors ? err_set(err, E_FINDINGS, "%zu error%s", j.errors,
				  j.errors == 1 ? "" : "s")
			: 0;
}
