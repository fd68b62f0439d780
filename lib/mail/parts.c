// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parts.c - a mail's parts (RFC 2046 section 5.1), in one pass over its lines.
 *
 * A stack holds the multiparts that are open. A line that is a boundary of one of them
 * ends all that were opened in it: what lacks its end is read as far as it goes. Whole
 * lines are compared, so that one boundary may be the beginning of another.
 */
#include "mime.h"
#include "series/mem.h"

struct open_part {
	size_t index;
	char *boundary;
	size_t len;
	bool digest;
};

struct walk {
	struct mail_parts *parts;
	struct open_part stack[PARTS_DEPTH];
	size_t depth;
	bool in_leaf;	 /* the last part is a leaf that is still open */
	const char *end; /* of the mail */
};

static char *param_of(struct str type, const char *name)
{
	return type.p ? mime_param(type, name) : NULL;
}

static bool param_is(struct str type, const char *name, const char *value)
{
	char *v _cleanup_free_ = param_of(type, name);

	return v && str_ieqc(str_c(v), value);
}

static void read_head(struct mail_part *p, bool in_digest)
{
	static const char *const names[] = { "Content-Type", "Content-Transfer-Encoding",
					     "Content-Disposition" };
	struct str v[ARRAY_SIZE(names)];

	field_get_all(p->head, names, ARRAY_SIZE(names), v);
	p->type = mime_type(v[0]);
	if (!p->type[0]) {
		free(p->type);
		p->type = xstrdup(in_digest ? "message/rfc822" : "text/plain");
	}
	p->encoding = v[1].p ? mime_encoding(v[1]) : ENC_PLAIN;
	p->charset = param_of(v[0], "charset");
	p->attachment = v[2].p && str_istarts(v[2], "attachment");
	p->filename = param_of(v[2], "filename");
	if (!p->filename)
		p->filename = param_of(v[0], "name");
	if (!strcmp(p->type, "text/plain")) {
		p->flowed = param_is(v[0], "format", "flowed");
		p->delsp = param_is(v[0], "delsp", "yes");
	}
}

/* Is the part, whose head is read, a multipart that can be opened? Then it is. */
static bool open_multipart(struct walk *w, size_t index)
{
	struct mail_part *p = &w->parts->v[index];
	struct open_part *o = &w->stack[w->depth];
	char *boundary;

	if (!str_starts(str_c(p->type), "multipart/"))
		return false;
	if (w->depth == PARTS_DEPTH) {
		w->parts->too_many = true;
		return false;
	}
	boundary = param_of(field_get(p->head, "Content-Type"), "boundary");
	if (!boundary || !boundary[0]) {
		free(boundary);
		return false;
	}
	o->index = index;
	o->boundary = boundary;
	o->len = strlen(boundary);
	o->digest = !strcmp(p->type, "multipart/digest");
	w->depth++;
	return true;
}

static void add_part(struct walk *w, struct str head, bool in_digest)
{
	struct mail_parts *ps = w->parts;
	size_t index = ps->n;

	vec_grow(ps->v, ps->n, ps->cap);
	ps->v[ps->n++] = (struct mail_part){
		.head = head,
		.body = str_n(head.p + head.len, 0),
		.depth = (int)w->depth,
		.parent = w->depth ? w->stack[w->depth - 1].index : index,
	};
	read_head(&ps->v[index], in_digest);
	w->in_leaf = !open_multipart(w, index);
}

/* Level of the open multipart whose boundary the line is, or -1. */
static int boundary_level(const struct walk *w, struct str line, bool *ret_last)
{
	if (!str_starts(line, "--"))
		return -1;
	line = str_n(line.p + 2, line.len - 2);
	while (line.len && strchr(" \t\r", line.p[line.len - 1]) && line.p[line.len - 1])
		line.len--;
	for (size_t i = w->depth; i-- > 0;) {
		const struct open_part *o = &w->stack[i];

		if (line.len < o->len || memcmp(line.p, o->boundary, o->len))
			continue;
		*ret_last = line.len == o->len + 2 && !memcmp(line.p + o->len, "--", 2);
		if (*ret_last || line.len == o->len)
			return (int)i;
	}
	return -1;
}

/* The leaf that is open ends here. */
static void close_leaf(struct walk *w, const char *end)
{
	struct mail_part *p = &w->parts->v[w->parts->n - 1];

	if (w->in_leaf)
		p->body.len = (size_t)(end - p->body.p);
	w->in_leaf = false;
}

/* Multiparts end here until only `depth` are open; those above `level` lack their end. */
static void close_multiparts(struct walk *w, size_t depth, int level, const char *end)
{
	while (w->depth > depth) {
		struct open_part *o = &w->stack[--w->depth];
		struct mail_part *p = &w->parts->v[o->index];

		p->body.len = (size_t)(end - p->body.p);
		p->unfinished = (int)w->depth > level;
		free(o->boundary);
	}
}

/* Start of the line end before the boundary at `at`, which belongs to it. */
static const char *before_line_end(const char *start, const char *at)
{
	if (at > start && at[-1] == '\n')
		at--;
	return at > start && at[-1] == '\r' ? at - 1 : at;
}

/*
 * The fields of a part that begins at `rest`; where its body begins is returned. A
 * boundary may look like a field ("--a:b").
 */
static struct str part_head(const struct walk *w, struct str rest, struct str *ret_head)
{
	size_t len = head_length(rest), at = 0;
	struct str fields = str_n(rest.p, len), line;
	bool last;

	for (; str_line(&fields, &line); at = (size_t)(fields.p - rest.p))
		if (boundary_level(w, line, &last) >= 0) {
			*ret_head = str_n(rest.p, at);
			return str_n(rest.p + at, rest.len - at);
		}
	*ret_head = str_n(rest.p, len);
	rest = str_n(rest.p + len, rest.len - len);
	len = empty_line_length(rest);
	return str_n(rest.p + len, rest.len - len);
}

/* rest stands at the start of a line. */
static void walk_lines(struct walk *w, struct str rest)
{
	struct str line, head, body;

	while (w->depth && rest.len) {
		const char *at = rest.p, *before;
		bool last;
		int level;

		if (!str_starts(rest, "--")) {
			at = memmem(rest.p, rest.len, "\n--", 3);
			if (!at)
				break;
			at++;
			rest = str_n(at, (size_t)(w->end - at));
		}
		str_line(&rest, &line);
		level = boundary_level(w, line, &last);
		/* An end before the first part would hide what follows. */
		if (level < 0 || (last && w->parts->n - 1 == w->stack[level].index))
			continue;
		if (!last && w->parts->n == PARTS_MAX) {
			w->parts->too_many = true;
			break;
		}
		before = before_line_end(w->parts->v[w->parts->n - 1].body.p, at);
		close_leaf(w, before);
		close_multiparts(w, (size_t)level + !last, level, before);
		if (last)
			continue;
		body = part_head(w, rest, &head);
		add_part(w, head, w->stack[level].digest);
		w->parts->v[w->parts->n - 1].body = str_n(body.p, 0);
		rest = body;
	}
}

/* A multipart in which no boundary was found hides text: it is read as that. */
static void unhide(struct mail_parts *ps)
{
	for (size_t i = 0; i < ps->n; i++) {
		struct mail_part *p = &ps->v[i];
		bool empty = i + 1 == ps->n || ps->v[i + 1].parent != i;

		if (!str_starts(str_c(p->type), "multipart/") || !empty)
			continue;
		free(p->type);
		p->type = xstrdup("text/plain");
	}
}

void mail_parts(const struct mail *m, struct mail_parts *ret)
{
	struct walk w = { .parts = ret, .end = m->body.p + m->body.len };

	*ret = (struct mail_parts){ 0 };
	add_part(&w, m->head, false);
	ret->v[0].body = str_n(m->body.p, 0);
	walk_lines(&w, m->body);
	close_leaf(&w, w.end);
	close_multiparts(&w, 0, -1, w.end);
	unhide(ret);
}

void mail_parts_release(struct mail_parts *ps)
{
	for (size_t i = 0; i < ps->n; i++) {
		free(ps->v[i].type);
		free(ps->v[i].charset);
		free(ps->v[i].filename);
	}
	free(ps->v);
	*ps = (struct mail_parts){ 0 };
}

bool part_is_text(const struct mail_part *p)
{
	struct str type = str_c(p->type), file = str_c(p->filename);

	if (str_starts(type, "text/"))
		return !str_eqc(type, "text/html");
	/* Some clients know no better type for a patch. */
	return str_starts(type, "application/") &&
	       (str_ends(type, "patch") || str_ends(type, "diff") ||
		str_ends(file, ".patch") || str_ends(file, ".diff"));
}
