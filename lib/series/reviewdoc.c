// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reviewdoc.c - the documents of review: tags, remarks, reports, written and read back.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/mem.h"
#include "series/reviewdoc.h"
#include "series/sanitize.h"
#include "series/time.h"
#include "series/trailer.h"

#define TAGS	"review/tags"
#define REMARKS "review/remarks"
#define REPORTS "review/reports"

static const char *const states[] = {
	[TAG_HOLDS] = "holds",
	[TAG_CHANGED] = "changed",
	[TAG_CONDITIONAL] = "conditional",
	[TAG_DOUBTFUL] = "doubtful",
	[TAG_NAKED] = "nak",
	[TAG_RETRACTED] = "retracted",
	[TAG_DROPPED] = "dropped",
	[TAG_ONLY_SHOWN] = "shown",
};

static const char *const kinds[] = {
	[TAG_COLLECTED] = "collected", [TAG_OFFERED] = "offered",	[TAG_NAK] = "nak",
	[TAG_SHOWN] = "shown",	       [TAG_RETRACTION] = "retraction",
};

static const char *const decisions[] = {
	[DECIDED_NOT] = NULL,
	[DECIDED_KEEP] = "keep",
	[DECIDED_DROP] = "drop",
};

const char *tag_state_name(enum tag_state s)
{
	return states[s];
}

/* Index of a word in such a table, or -1. */
static int word_index(const char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; word && i < n; i++)
		if (words[i] && !strcmp(words[i], word))
			return (int)i;
	return -1;
}

void review_tag_release(struct review_tag *t)
{
	free(t->type);
	free(t->line);
	free(t->name);
	free(t->email);
	free(t->message_id);
	free(t->label);
	free(t->condition);
	free(t->scope);
	tag_decide(t, 0, DECIDED_NOT, NULL);
	free(t->each);
	*t = (struct review_tag){ .patch = 0 };
}

void review_remark_release(struct review_remark *r)
{
	free(r->name);
	free(r->email);
	free(r->message_id);
	free(r->subject);
	free(r->label);
	free(r->quoted);
	free(r->text);
	free(r->file);
	free(r->code);
	free(r->answer);
	strvec_release(&r->to);
	strvec_release(&r->cc);
	strvec_release(&r->references);
	*r = (struct review_remark){ .patch = 0 };
}

void review_report_release(struct review_report *r)
{
	free(r->robot);
	free(r->summary);
	free(r->message_id);
	free(r->label);
	*r = (struct review_report){ .patch = 0 };
}

void review_release(struct review *r)
{
	for (size_t i = 0; i < r->n_tags; i++)
		review_tag_release(&r->tags[i]);
	for (size_t i = 0; i < r->n_remarks; i++)
		review_remark_release(&r->remarks[i]);
	for (size_t i = 0; i < r->n_reports; i++)
		review_report_release(&r->reports[i]);
	free(r->tags);
	free(r->remarks);
	free(r->reports);
	*r = (struct review){ .n_tags = 0 };
}

bool remark_is_open(const struct review_remark *r)
{
	return !r->answer && !r->answered && !r->done_in;
}

struct json *review_row_json(const char *id, const char *message_id, int64_t date,
			     int version, const char *label)
{
	struct buf iso _cleanup_buf_ = BUF_INIT;
	struct json *j = json_obj();

	time_iso(date, &iso);
	json_set_str(j, "id", id);
	json_set_str(j, "message_id", message_id);
	json_set_str(j, "date", buf_cstr(&iso));
	json_set_int(j, "version", version);
	json_set_str(j, "label", label);
	return j;
}

/* --- written --- */

/* What every document of review says: which mail, and about which patch. */
static struct json *place_json(const char *message_id, int64_t date, int version,
			       const char *label, size_t patch)
{
	struct json *j = json_obj();

	json_set_int(j, "schema", 1);
	json_set_str(j, "message_id", message_id);
	json_set_int(j, "date", date);
	json_set_int(j, "version", version);
	json_set_str(j, "label", label);
	json_set_int(j, "patch", (int64_t)patch);
	return j;
}

static void put(struct store *s, const char *dir, const char *id, const struct json *j)
{
	char *path _cleanup_free_ = xasprintf("%s/%s.json", dir, id);

	store_put_json(s, path, j);
}

/* {"3": {"decision": "keep", "reason": "..."}}, by patch of the tag's version. */
static struct json *each_json(const struct review_tag *t)
{
	struct json *o = json_obj();

	for (size_t i = 0; i < t->n_each; i++) {
		char *patch _cleanup_free_ = xasprintf("%zu", t->each[i].patch);
		struct json *d = json_obj();

		json_set_str(d, "decision", decisions[t->each[i].decision]);
		json_set_str(d, "reason", t->each[i].reason);
		json_set(o, patch, d);
	}
	return o;
}

void review_put_tag(struct store *s, const struct review_tag *t)
{
	struct json *j _cleanup_json_ =
		place_json(t->message_id, t->date, t->version, t->label, t->patch);
	struct review_tag named = *t;

	if (!*named.id)
		review_tag_id(&named);
	json_set_str(j, "type", t->type);
	json_set_str(j, "line", t->line);
	json_set_str(j, "name", t->name);
	json_set_str(j, "email", t->email);
	json_set_str(j, "kind", kinds[t->kind]);
	json_set_str(j, "condition", t->condition);
	json_set_str(j, "scope", t->scope);
	json_set_bool(j, "doubtful", t->doubtful);
	json_set_bool(j, "retracted", t->retracted);
	json_set_bool(j, "misspelt", t->misspelt);
	json_set_str(j, "decision", decisions[t->decision]);
	json_set_str(j, "reason", t->reason);
	if (t->n_each)
		json_set(j, "decisions", each_json(t));
	put(s, TAGS, named.id, j);
}

void review_put_remark(struct store *s, const struct review_remark *r)
{
	struct json *j _cleanup_json_ =
		place_json(r->message_id, r->date, r->version, r->label, r->patch);
	struct review_remark named = *r;

	if (!*named.id)
		review_remark_id(&named);
	json_set_str(j, "name", r->name);
	json_set_str(j, "email", r->email);
	json_set_str(j, "subject", r->subject);
	json_set_int(j, "line", (int64_t)r->line);
	json_set_str(j, "quoted", r->quoted);
	json_set_str(j, "text", r->text);
	json_set_str(j, "file", r->file);
	json_set_str(j, "code", r->code);
	json_set_int(j, "file_line", r->file_line);
	json_set_bool(j, "question", r->question);
	json_set_str(j, "answer", r->answer);
	json_set_int(j, "done_in", r->done_in);
	json_set_bool(j, "answered", r->answered);
	json_set_strvec(j, "to", &r->to);
	json_set_strvec(j, "cc", &r->cc);
	json_set_strvec(j, "references", &r->references);
	put(s, REMARKS, named.id, j);
}

void review_put_report(struct store *s, const struct review_report *r)
{
	struct json *j _cleanup_json_ =
		place_json(r->message_id, r->date, r->version, r->label, r->patch);
	struct review_report named = *r;

	if (!*named.id)
		review_report_id(&named);
	json_set_str(j, "robot", r->robot);
	json_set_str(j, "summary", r->summary);
	json_set_int(j, "done_in", r->done_in);
	json_set_bool(j, "answered", r->answered);
	put(s, REPORTS, named.id, j);
}

/* --- read --- */

static char *text(const struct json *j, const char *key)
{
	const char *s = json_get_str(j, key);

	return xstrdup(s ? s : "");
}

static char *text_or_null(const struct json *j, const char *key)
{
	return xstrdup_null(json_get_str(j, key));
}

static size_t patch_number(const struct json *j)
{
	int64_t n = json_get_int(j, "patch", 0);

	return n > 0 && n <= SERIES_MAX_PATCHES ? (size_t)n : 0;
}

/* "review/tags/0123456789abcdef.json" has its id in its name; false: it has none. */
static bool path_id(const char *path, char ret[REVIEW_ID])
{
	const char *name = strrchr(path, '/') + 1;

	if (strlen(name) != REVIEW_ID - 1 + strlen(".json") ||
	    strspn(name, "0123456789abcdef") != REVIEW_ID - 1 ||
	    strcmp(name + REVIEW_ID - 1, ".json") != 0)
		return false;
	memcpy(ret, name, REVIEW_ID - 1);
	ret[REVIEW_ID - 1] = '\0';
	return true;
}

/*
 * A tag's line goes into commits, and may come from anybody: one line, below it a note
 * "[...]" if there is one, no control bytes.
 */
static char *trailer_line(const struct json *j)
{
	const char *whole = json_get_str(j, "line");
	struct str rest = str_c(whole ? whole : ""), line, note;
	struct buf out = BUF_INIT;

	if (str_line(&rest, &line))
		sanitize_line(line, &out);
	if (str_line(&rest, &note) && str_starts(note, "[") && str_ends(note, "]")) {
		buf_putc(&out, '\n');
		sanitize_line(note, &out);
	}
	return buf_take(&out);
}

/* One line, whatever an encoded word held. */
static char *clean_text(const struct json *j, const char *key)
{
	const char *s = json_get_str(j, key);

	return sanitize_line_dup(s ? s : "");
}

/* Lines of a mail, which go to terminals, editors, changelogs and into replies. */
static char *clean_lines(const struct json *j, const char *key)
{
	const char *s = json_get_str(j, key);

	return sanitize_dup(s ? s : "");
}

/* Each on one line. */
static void clean_list(const struct json *j, const char *key, struct strvec *ret)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;

	json_get_strvec(j, key, &all);
	for (size_t i = 0; i < all.n; i++)
		strvec_take(ret, sanitize_line_dup(all.v[i]));
}

/* Is it what it goes into commits as? What is only told may have no line. */
static bool line_fits(const struct review_tag *t)
{
	struct str line = str_c(t->line), value;

	if (t->kind != TAG_COLLECTED && t->kind != TAG_OFFERED)
		return true;
	line.len = strcspn(t->line, "\n");
	return *t->type && trailer_is(line, t->type, &value);
}

static enum decision parse_decision(const struct json *j)
{
	int d = word_index(decisions, ARRAY_SIZE(decisions), json_get_str(j, "decision"));

	return d < 0 ? DECIDED_NOT : (enum decision)d;
}

/* Those of single patches; documents written before have none. */
static void parse_each(const struct json *j, struct review_tag *t)
{
	const struct json *all = json_get(j, "decisions");
	struct strvec keys _cleanup_strvec_ = STRVEC_INIT;

	if (!json_is_obj(all))
		return;
	json_keys(all, &keys);
	for (size_t i = 0; i < keys.n; i++) {
		const struct json *one = json_get(all, keys.v[i]);
		int64_t patch;

		if (json_is_obj(one) &&
		    str_to_i64(str_c(keys.v[i]), 1, SERIES_MAX_PATCHES, &patch))
			tag_decide(t, (size_t)patch, parse_decision(one),
				   json_get_str(one, "reason"));
	}
}

static bool parse_tag(const struct json *j, const char *id, struct review *r)
{
	int kind = word_index(kinds, ARRAY_SIZE(kinds), json_get_str(j, "kind"));
	struct review_tag *t;

	if (kind < 0)
		return false;
	vec_grow(r->tags, r->n_tags, r->cap_tags);
	t = &r->tags[r->n_tags++];
	*t = (struct review_tag){ .kind = (enum tag_kind)kind };
	memcpy(t->id, id, REVIEW_ID);
	t->type = clean_text(j, "type");
	t->line = trailer_line(j);
	t->name = clean_text(j, "name");
	t->email = text(j, "email");
	t->message_id = text(j, "message_id");
	t->date = json_get_int(j, "date", 0);
	t->version = version_number(json_get_int(j, "version", 0));
	t->label = text(j, "label");
	t->patch = patch_number(j);
	t->condition = text_or_null(j, "condition");
	t->scope = text_or_null(j, "scope");
	t->doubtful = json_get_bool(j, "doubtful", false);
	t->retracted = json_get_bool(j, "retracted", false);
	t->misspelt = json_get_bool(j, "misspelt", false);
	t->decision = parse_decision(j);
	t->reason = text_or_null(j, "reason");
	parse_each(j, t);
	return line_fits(t);
}

static int64_t not_below_0(int64_t n)
{
	return n > 0 ? n : 0;
}

static bool parse_remark(const struct json *j, const char *id, struct review *r)
{
	struct review_remark *m;

	vec_grow(r->remarks, r->n_remarks, r->cap_remarks);
	m = &r->remarks[r->n_remarks++];
	*m = (struct review_remark){ .patch = patch_number(j) };
	memcpy(m->id, id, REVIEW_ID);
	m->name = clean_text(j, "name");
	m->email = clean_text(j, "email");
	m->message_id = clean_text(j, "message_id");
	m->subject = clean_text(j, "subject");
	m->date = json_get_int(j, "date", 0);
	m->version = version_number(json_get_int(j, "version", 0));
	m->label = text(j, "label");
	m->line = (size_t)not_below_0(json_get_int(j, "line", 0));
	m->quoted = clean_lines(j, "quoted");
	m->text = clean_lines(j, "text");
	m->file = json_get_str(j, "file") ? clean_text(j, "file") : NULL;
	m->code = json_get_str(j, "code") ? clean_lines(j, "code") : NULL;
	m->file_line = not_below_0(json_get_int(j, "file_line", 0));
	m->question = json_get_bool(j, "question", false);
	m->answer = text_or_null(j, "answer");
	m->done_in = version_number(json_get_int(j, "done_in", 0));
	m->answered = json_get_bool(j, "answered", false);
	clean_list(j, "to", &m->to);
	clean_list(j, "cc", &m->cc);
	clean_list(j, "references", &m->references);
	return true;
}

static bool parse_report(const struct json *j, const char *id, struct review *r)
{
	struct review_report *p;

	vec_grow(r->reports, r->n_reports, r->cap_reports);
	p = &r->reports[r->n_reports++];
	*p = (struct review_report){ .patch = patch_number(j) };
	memcpy(p->id, id, REVIEW_ID);
	p->robot = clean_text(j, "robot");
	p->summary = clean_text(j, "summary");
	p->message_id = clean_text(j, "message_id");
	p->date = json_get_int(j, "date", 0);
	p->version = version_number(json_get_int(j, "version", 0));
	p->label = text(j, "label");
	p->done_in = version_number(json_get_int(j, "done_in", 0));
	p->answered = json_get_bool(j, "answered", false);
	return true;
}

/* In the order they came; what came with one mail, in the order of patches, then ids. */
static int by_date(int64_t a, int64_t b, size_t pa, size_t pb, const char *ia,
		   const char *ib)
{
	if (a != b)
		return a < b ? -1 : 1;
	if (pa != pb)
		return pa < pb ? -1 : 1;
	return strcmp(ia, ib);
}

static int tag_order(const void *pa, const void *pb)
{
	const struct review_tag *a = pa, *b = pb;

	return by_date(a->date, b->date, a->patch, b->patch, a->id, b->id);
}

static int remark_order(const void *pa, const void *pb)
{
	const struct review_remark *a = pa, *b = pb;
	int mail = a->date != b->date ? (a->date < b->date ? -1 : 1)
				      : strcmp(a->message_id, b->message_id);

	if (mail)
		return mail;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return by_date(0, 0, a->patch, b->patch, a->id, b->id);
}

static int report_order(const void *pa, const void *pb)
{
	const struct review_report *a = pa, *b = pb;

	return by_date(a->date, b->date, a->patch, b->patch, a->id, b->id);
}

static const struct {
	const char *dir;
	bool (*parse)(const struct json *j, const char *id, struct review *r);
} folders[] = {
	/* first, for review_load_tags() */
	{ TAGS, parse_tag },
	{ REMARKS, parse_remark },
	{ REPORTS, parse_report },
};

/* Of a newer program: nothing is wrong with it. */
static bool is_newer(struct str text)
{
	struct json *j _cleanup_json_ = NULL;

	return !json_parse(text, "", &j, NULL) &&
	       json_get_int(j, "schema", 0) > STATE_SCHEMA;
}

/* What to do about a document that cannot be read stands behind what is wrong with it. */
static int damaged(const struct series *s, const char *path, struct err *err)
{
	struct err why _cleanup_err_ = *err;
	struct buf text _cleanup_buf_ = BUF_INIT;

	*err = (struct err)ERR_INIT;
	if (!repo_file(s->repo, s->state, path, &text, NULL) && is_newer(buf_str(&text)))
		return err_set(err, E_CORRUPT, "%s", err_msg(&why));
	return err_set(err, E_CORRUPT,
		       "%s; git log -p refs/series/%s/state -- %s shows the commit that "
		       "broke it, git update-ref refs/series/%s/state COMMIT~1 goes back "
		       "to before that",
		       err_msg(&why), s->name, path, s->name);
}

static int load_document(const struct series *s, size_t k, const char *path,
			 struct review *r, struct err *err)
{
	struct json *j _cleanup_json_ = NULL;
	char id[REVIEW_ID];
	size_t n_tags = r->n_tags;
	int rc = state_json(s->repo, s->name, s->state, path, &j, err);

	if (!rc && (!path_id(path, id) || !folders[k].parse(j, id, r)))
		rc = err_set(err, E_CORRUPT,
			     "refs/series/%s/state:%s: no document of review", s->name,
			     path);
	/* Half of a tag; of the others there is no half. */
	if (rc && r->n_tags > n_tags)
		review_tag_release(&r->tags[--r->n_tags]);
	return rc == E_CORRUPT ? damaged(s, path, err) : rc;
}

static int load_folder(const struct series *s, size_t k, struct review *r,
		       struct strvec *bad, struct err *err)
{
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	int rc = state_list(s->repo, s->state, folders[k].dir, &paths, err);

	for (size_t i = 0; i < paths.n && !rc; i++) {
		struct err why _cleanup_err_ = ERR_INIT;

		/* What a merge has set aside, for a person to look at. */
		if (!str_ends(str_c(paths.v[i]), ".json"))
			continue;
		rc = load_document(s, k, paths.v[i], r, &why);
		if (rc == E_CORRUPT && bad) {
			strvec_push(bad, err_msg(&why));
			rc = 0;
		}
		if (rc)
			err_set(err, rc, "%s", err_msg(&why));
	}
	return rc;
}

/* The first n folders. */
static int load(const struct series *s, size_t n, struct review *ret, struct strvec *bad,
		struct err *err)
{
	struct review r = { .n_tags = 0 };
	int rc = 0;

	for (size_t k = 0; k < n && !rc; k++)
		rc = load_folder(s, k, &r, bad, err);
	if (rc) {
		review_release(&r);
		return rc;
	}
	if (r.n_tags)
		qsort(r.tags, r.n_tags, sizeof(*r.tags), tag_order);
	if (r.n_remarks)
		qsort(r.remarks, r.n_remarks, sizeof(*r.remarks), remark_order);
	if (r.n_reports)
		qsort(r.reports, r.n_reports, sizeof(*r.reports), report_order);
	*ret = r;
	return 0;
}

int review_load(const struct series *s, struct review *ret, struct err *err)
{
	return load(s, ARRAY_SIZE(folders), ret, NULL, err);
}

int review_load_good(const struct series *s, struct review *ret, struct strvec *bad,
		     struct err *err)
{
	return load(s, ARRAY_SIZE(folders), ret, bad, err);
}

int review_load_tags(const struct series *s, struct review *ret, struct err *err)
{
	return load(s, 1, ret, NULL, err);
}
