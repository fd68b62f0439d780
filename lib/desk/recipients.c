// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recipients.c - who gets the mails and why, and the series' own lists.
 */
#include <strings.h>
#include "series/mem.h"
#include "series/post.h"
#include "series/store.h"

void recipients_release(struct recipients *r)
{
	addrs_release(&r->to);
	addrs_release(&r->cc);
	strvec_release(&r->why_to);
	strvec_release(&r->why_cc);
}

/* One mailbox list from one place. */
static int take_list(struct recipients *r, bool cc, const char *list, const char *why,
		     struct err *err)
{
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;
	int rc = addrs_parse(&got, list, err);

	if (rc)
		return err_context(err, "%s", why);
	for (size_t i = 0; i < got.n; i++) {
		const char *email = got.v[i].email;

		if (addrs_find(&r->to, email) || addrs_find(&r->cc, email))
			continue;
		addrs_add(cc ? &r->cc : &r->to, got.v[i].name, email);
		strvec_push(cc ? &r->why_cc : &r->why_to, why);
	}
	return 0;
}

static int take_all(struct recipients *r, bool cc, const struct strvec *lists,
		    const char *why, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; lists && i < lists->n && !rc; i++)
		rc = take_list(r, cc, lists->v[i], why, err);
	return rc;
}

static int take_config(struct recipients *r, bool cc, const struct config *c,
		       const char *key, struct err *err)
{
	struct strvec lists _cleanup_strvec_ = STRVEC_INIT;

	config_get_all(c, key, &lists);
	return take_all(r, cc, &lists, key, err);
}

static int take_side(struct recipients *r, bool cc, const struct series *s,
		     const struct config *c, const struct strvec *given, struct err *err)
{
	static const char *const keys[2][3] = {
		{ "sendemail.to", "format.to", "b4.send-series-to" },
		{ "sendemail.cc", "format.cc", "b4.send-series-cc" },
	};
	int rc = take_all(r, cc, cc ? &s->cc : &s->to, "series", err);

	if (!rc)
		rc = take_all(r, cc, given, cc ? "--cc" : "--to", err);
	for (size_t i = 0; i < 3 && !rc; i++)
		rc = take_config(r, cc, c, keys[cc][i], err);
	return rc;
}

int recipients_collect(const struct series *s, const struct config *c,
		       const struct strvec *to, const struct strvec *cc,
		       struct recipients *ret, struct err *err)
{
	struct recipients r = { 0 };
	int rc = take_side(&r, false, s, c, to, err);

	if (!rc)
		rc = take_side(&r, true, s, c, cc, err);
	if (rc)
		recipients_release(&r);
	else
		*ret = r;
	return rc;
}

/* Parse stored or given lists into one. */
static int parse_into(struct addrs *a, const struct strvec *lists, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < lists->n && !rc; i++)
		rc = addrs_parse(a, lists->v[i], err);
	return rc;
}

static bool remove_addr(struct addrs *a, const char *email)
{
	for (size_t i = 0; i < a->n; i++) {
		if (strcasecmp(a->v[i].email, email))
			continue;
		free(a->v[i].name);
		free(a->v[i].email);
		memmove(&a->v[i], &a->v[i + 1], (a->n - i - 1) * sizeof(*a->v));
		a->n--;
		return true;
	}
	return false;
}

static int drop_all(struct addrs *to, struct addrs *cc, const struct strvec *drop,
		    struct err *err)
{
	struct addrs gone _cleanup_addrs_ = ADDRS_INIT;
	int rc = parse_into(&gone, drop, err);

	for (size_t i = 0; i < gone.n && !rc; i++) {
		bool was = remove_addr(to, gone.v[i].email);

		if (!remove_addr(cc, gone.v[i].email) && !was)
			rc = err_set(err, E_NOTFOUND,
				     "recipients: %s is not among the series' own; "
				     "'series recipients --why' says where it comes from",
				     gone.v[i].email);
	}
	return rc;
}

/* Add what is new; an address that is in the other list moves. */
static int add_all(struct addrs *to, struct addrs *other, const struct strvec *add,
		   struct err *err)
{
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;
	int rc = parse_into(&got, add, err);

	for (size_t i = 0; i < got.n && !rc; i++) {
		remove_addr(other, got.v[i].email);
		if (!addrs_find(to, got.v[i].email))
			addrs_add(to, got.v[i].name, got.v[i].email);
	}
	return rc;
}

static void to_strings(const struct addrs *a, struct strvec *out)
{
	for (size_t i = 0; i < a->n; i++)
		strvec_take(out, addr_show_dup(&a->v[i]));
}

static int store_lists(struct series *s, const struct addrs *to, const struct addrs *cc,
		       struct err *err)
{
	struct strvec to_v _cleanup_strvec_ = STRVEC_INIT,
			   cc_v _cleanup_strvec_ = STRVEC_INIT;
	struct store *t _cleanup_store_ = NULL;
	struct json *doc _cleanup_json_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = store_begin(s->repo, s->name, false, &t, err);

	if (!rc)
		rc = store_get(t, "series.json", &text, err);
	if (!rc)
		rc = json_parse_schema(buf_str(&text), "series.json", 1, &doc, err);
	if (rc)
		return rc;
	to_strings(to, &to_v);
	to_strings(cc, &cc_v);
	json_set_strvec(doc, "to", &to_v);
	json_set_strvec(doc, "cc", &cc_v);
	store_put_json(t, "series.json", doc);
	rc = store_commit(t, "recipients", err);
	if (rc)
		return rc;
	strvec_release(&s->to);
	strvec_release(&s->cc);
	strvec_extend(&s->to, &to_v);
	strvec_extend(&s->cc, &cc_v);
	return 0;
}

int recipients_edit(struct series *s, const struct strvec *add_to,
		    const struct strvec *add_cc, const struct strvec *drop,
		    struct err *err)
{
	struct addrs to _cleanup_addrs_ = ADDRS_INIT, cc _cleanup_addrs_ = ADDRS_INIT;
	int rc = parse_into(&to, &s->to, err);

	if (!rc)
		rc = parse_into(&cc, &s->cc, err);
	if (!rc)
		rc = drop_all(&to, &cc, drop, err);
	if (!rc)
		rc = add_all(&to, &cc, add_to, err);
	if (!rc)
		rc = add_all(&cc, &to, add_cc, err);
	return rc ? rc : store_lists(s, &to, &cc, err);
}
