// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchcode.c - see patchcode.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include "patchcode.h"
#include "series/mem.h"

/* What parts the commits: no line of a diff begins with it. */
#define START "\001"

void patchcodes_free(struct patchcode *v, size_t n)
{
	for (size_t i = 0; v && i < n; i++) {
		for (size_t k = 0; k < v[i].n; k++) {
			free(v[i].v[k].text);
			free(v[i].v[k].place);
		}
		free(v[i].v);
	}
	free(v);
}

/* One side of a hunk: its lines stand in functions of the old file, or of the new one. */
struct where {
	struct str heading; /* what the next line stands below; empty: nothing */
	int open;	    /* brackets of a heading that goes on in the next line */
	size_t since;	    /* the line that began it */
};

struct parse {
	struct patchcode *to;
	struct str file, index;
	size_t hunk,
		hunks; /* the number of this one, 0 in a header; how many there were */
	struct where old, now;
	/* The last heading that went, and the one in its place: git names hunks by the
	 * old file. */
	struct str gone, came;
};

/* "struct foo {" and "struct foo" alone. */
static char *type_name(struct str line)
{
	struct str word, name;
	bool type = str_word(&line, &word) &&
		    (str_eqc(word, "struct") || str_eqc(word, "union") ||
		     str_eqc(word, "enum"));

	if (!type || !str_word(&line, &name) || str_eqc(name, "{"))
		return NULL;
	line = str_trim(line);
	return !line.len || str_eqc(line, "{")
		       ? xasprintf(STR_FMT " " STR_FMT, STR_ARG(word), STR_ARG(name))
		       : NULL;
}

/*
 * "static int foo(struct x *y": "foo()". "SYSCALL_DEFINE3(mincore, ...": a macro, so with
 * its first argument. "struct foo {": as it stands. NULL for labels and data.
 */
char *patchcode_function(struct str line)
{
	ptrdiff_t paren = str_chr(line, '('), equal = str_chr(line, '=');
	struct str name, arg;
	bool upper = true;

	/* A prototype, EXPORT_SYMBOL(): the place is somewhere below it. */
	if (str_ends(str_trim(line), ";") || (equal >= 0 && equal < paren))
		return NULL;
	if (paren < 0)
		return type_name(line);
	name = str_trim(str_n(line.p, paren));
	for (size_t i = name.len; i-- > 0;)
		if (!isalnum((unsigned char)name.p[i]) && name.p[i] != '_') {
			name = str_n(name.p + i + 1, name.len - i - 1);
			break;
		}
	for (size_t i = 0; i < name.len; i++)
		upper = upper && !islower((unsigned char)name.p[i]);
	if (!name.len)
		return NULL;
	if (!upper)
		return xasprintf(STR_FMT "()", STR_ARG(name));
	line = str_n(line.p + paren + 1, line.len - paren - 1);
	if (!str_cut(&line, ',', &arg))
		return NULL;
	while (arg.len && strchr(" \t)", arg.p[arg.len - 1]))
		arg.len--;
	return xasprintf(STR_FMT "(" STR_FMT ")", STR_ARG(name), STR_ARG(arg));
}

/* Of what is written in C, or like it: elsewhere a line with brackets is no function. */
static bool has_functions(struct str file)
{
	static const char *const ends[] = { ".c", ".h", ".S", ".cc", ".cpp", ".rs" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (str_ends(file, ends[i]))
			return true;
	return false;
}

static char *place_of(struct str file, struct str heading)
{
	char *name _cleanup_free_ =
		has_functions(file) ? patchcode_function(heading) : NULL;

	return name ? xasprintf(STR_FMT ": %s", STR_ARG(file), name) : str_dup(file);
}

static void add_line(struct parse *p, char sign, struct str text, struct str heading)
{
	struct patchcode *c = p->to;

	vec_grow(c->v, c->n, c->cap);
	c->v[c->n++] =
		(struct codeline){ .text = xasprintf("%c" STR_FMT, sign, STR_ARG(text)),
				   .place = place_of(p->file, heading),
				   .hunk = p->hunk };
}

static int brackets(struct str line)
{
	int n = 0;

	for (size_t i = 0; i < line.len; i++)
		n += (line.p[i] == '(') - (line.p[i] == ')');
	return n;
}

/* A line at the margin: of a function, a type, data. Labels and # are none. */
static bool at_margin(struct str line)
{
	return line.len && (isalpha((unsigned char)line.p[0]) || line.p[0] == '_') &&
	       line.p[line.len - 1] != ':';
}

/* What began as a heading is a declaration: its lines stand in the file. */
static void take_back(struct parse *p, struct where *w, char sign)
{
	for (size_t i = w->since; i < p->to->n; i++) {
		struct codeline *l = &p->to->v[i];

		if (l->text[0] != sign)
			continue;
		free(l->place);
		l->place = str_dup(p->file);
	}
	w->heading = STR_LIT("");
}

static void code_line(struct parse *p, struct str line)
{
	char sign = line.p[0];
	struct where *w = sign == '-' ? &p->old : &p->now;
	struct str text = str_n(line.p + 1, line.len - 1), code = str_trim(text);
	bool begins = w->open <= 0 && at_margin(text);

	if (begins) {
		*(sign == '-' ? &p->gone : &p->came) = text;
		w->heading = text;
		w->since = p->to->n;
		w->open = 0;
	}
	add_line(p, sign, text, w->heading);
	if (begins || w->open > 0) {
		w->open += brackets(text);
		if (w->open <= 0 && str_ends(code, ";"))
			take_back(p, w, sign);
	} else if (str_starts(text, "}")) {
		w->heading = STR_LIT("");
	}
}

/* "@@ -1,2 +3 @@ static int f(void)" */
static void begin_hunk(struct parse *p, struct str line)
{
	ptrdiff_t end = str_find(str_n(line.p + 2, line.len - 2), "@@");
	struct str heading =
		end < 0 ? STR_LIT("") : str_n(line.p + end + 4, line.len - end - 4);

	heading = str_trim(heading);
	p->old = p->now = (struct where){ .heading = heading };
	if (heading.len && p->gone.len >= heading.len &&
	    !memcmp(p->gone.p, heading.p, heading.len))
		p->now.heading = p->came;
	else
		p->gone = p->came = STR_LIT("");
	p->hunk = ++p->hunks;
}

/*
 * "diff --git a/NAME b/NAME", with a quote in front of each where git has to; a renamed
 * file says its new name once more.
 */
static void begin_file(struct parse *p, struct str line)
{
	p->hunk = 0;
	p->index = p->gone = p->came = STR_LIT("");
	p->file = line;
	for (size_t i = line.len; i-- > strlen("diff --git ");) {
		if (strncmp(line.p + i - 2, "b/", 2) ||
		    (line.p[i - 3] != ' ' && strncmp(line.p + i - 4, " \"", 2)))
			continue;
		p->file = str_n(line.p + i, line.len - i);
		if (line.p[i - 3] == '"')
			p->file.len--;
		return;
	}
}

static void header_line(struct parse *p, struct str line)
{
	static const char *const said[] = { "new file mode ", "deleted file mode ",
					    "old mode ",      "new mode ",
					    "rename from ",   "copy from " };
	struct str name = line;

	if (str_skip(&name, "rename to ") || str_skip(&name, "copy to ")) {
		p->file = name;
	} else if (str_skip(&name, "index ")) {
		p->index = name;
	} else if (str_starts(line, "Binary files ")) {
		char *text _cleanup_free_ =
			xasprintf("binary " STR_FMT, STR_ARG(p->index));

		add_line(p, ' ', str_c(text), STR_LIT(""));
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(said); i++)
		if (str_starts(line, said[i]))
			add_line(p, ' ', line, STR_LIT(""));
}

static struct patchcode *find(struct patchcode *v, const struct strvec *ids,
			      struct str id)
{
	for (size_t i = 0; i < ids->n; i++)
		if (str_eqc(id, ids->v[i]))
			return &v[i];
	return NULL;
}

/* The output of git log -p, in the order of the ids, which git keeps. */
static void parse(struct str rest, const struct strvec *ids, struct patchcode *v)
{
	struct parse p = { .to = NULL };
	struct str line;

	while (str_line(&rest, &line)) {
		if (str_skip(&line, START)) {
			p = (struct parse){ .to = find(v, ids, line) };
		} else if (!p.to || !line.len) {
			continue;
		} else if (str_starts(line, "diff --git ")) {
			begin_file(&p, line);
		} else if (str_starts(line, "@@ ")) {
			begin_hunk(&p, line);
		} else if (!p.hunk) {
			header_line(&p, line);
		} else if (line.p[0] == '+' || line.p[0] == '-') {
			code_line(&p, line);
		}
	}
}

int patchcodes_read(struct repo *r, const struct strvec *ids, struct patchcode **ret,
		    struct err *err)
{
	char *argv[] = { "-c",
			 "log.showSignature=false",
			 "-c",
			 "core.quotePath=false",
			 "log",
			 "--no-walk=unsorted",
			 "--stdin",
			 "--format=" START "%H",
			 "-p",
			 "-U0",
			 "--inter-hunk-context=0",
			 "-M",
			 "--full-index",
			 "--src-prefix=a/",
			 "--dst-prefix=b/",
			 "--no-color",
			 "--no-ext-diff",
			 "--no-textconv",
			 "--no-notes",
			 "--no-relative",
			 NULL };
	char *input _cleanup_free_ = strvec_join(ids, "\n");
	struct buf out _cleanup_buf_ = BUF_INIT;
	int rc = ids->n ? git_check(r, argv, str_c(input), &out, err) : 0;

	if (rc)
		return rc;
	*ret = xcalloc(ids->n + 1, sizeof(**ret));
	parse(buf_str(&out), ids, *ret);
	return 0;
}

static int order(const struct codeline *a, const struct codeline *b)
{
	int c = strcmp(a->place, b->place);

	return c ? c : strcmp(a->text, b->text);
}

static int by_line(const void *a, const void *b)
{
	return order(*(struct codeline *const *)a, *(struct codeline *const *)b);
}

static struct codeline **sorted(struct patchcode *c)
{
	struct codeline **v = xcalloc(c->n + 1, sizeof(struct codeline *));

	for (size_t i = 0; i < c->n; i++) {
		v[i] = &c->v[i];
		v[i]->odd = false;
	}
	qsort(v, c->n, sizeof(struct codeline *), by_line);
	return v;
}

/* Set odd of the lines that only one has. */
static void mark_odd(struct patchcode *a, struct patchcode *b)
{
	struct codeline **va = sorted(a), **vb = sorted(b);
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		int c = i == a->n ? 1 : k == b->n ? -1 : order(va[i], vb[k]);

		if (c < 0)
			va[i]->odd = true;
		else if (c > 0)
			vb[k]->odd = true;
		i += c <= 0;
		k += c >= 0;
	}
	free(va);
	free(vb);
}

struct str patchcode_file(const char *place)
{
	ptrdiff_t colon = str_find(str_c(place), ": ");

	return colon < 0 ? str_c(place) : str_n(place, colon);
}

/* As git sorts files. */
static bool file_after(struct str a, struct str b)
{
	int c = memcmp(a.p, b.p, MIN(a.len, b.len));

	return c ? c > 0 : a.len > b.len;
}

/* Behind the last place of its file, or before the first file that comes after it. */
static void add_place(struct strvec *to, const char *place)
{
	struct str file = patchcode_file(place);
	char *last;
	size_t at;

	if (strvec_has(to, place))
		return;
	strvec_push(to, place);
	last = to->v[to->n - 1];
	for (at = to->n - 1; at > 0 && file_after(patchcode_file(to->v[at - 1]), file);
	     at--)
		to->v[at] = to->v[at - 1];
	to->v[at] = last;
}

/* Where a line was replaced by one that is odd, too, that one tells the place. */
static void forget_replaced(struct patchcode *c)
{
	size_t hunk = 0;

	for (size_t i = c->n; i-- > 0;) {
		struct codeline *l = &c->v[i];

		if (*l->text == '+' && l->odd)
			hunk = l->hunk;
		else if (*l->text == '-' && hunk && l->hunk == hunk)
			l->odd = false;
	}
}

static void add_odd(struct patchcode *c, struct strvec *places)
{
	const char *last = NULL;

	forget_replaced(c);
	for (size_t i = 0; i < c->n; i++) {
		const struct codeline *l = &c->v[i];

		if (l->odd && (!last || strcmp(last, l->place)))
			add_place(places, last = l->place);
	}
}

size_t patchcode_distance(struct patchcode *a, struct patchcode *b)
{
	size_t n = 0;

	mark_odd(a, b);
	for (size_t i = 0; i < a->n; i++)
		n += a->v[i].odd;
	for (size_t i = 0; i < b->n; i++)
		n += b->v[i].odd;
	for (size_t i = 0; !n && i < a->n; i++)
		if (order(&a->v[i], &b->v[i]))
			n = 1;
	return n;
}

bool patchcode_diff(struct patchcode *a, struct patchcode *b, struct strvec *places)
{
	size_t same = 0;

	while (same < MIN(a->n, b->n) && !order(&a->v[same], &b->v[same]))
		same++;
	if (same == a->n && same == b->n)
		return false;
	mark_odd(a, b);
	add_odd(b, places);
	add_odd(a, places);
	if (!places->n) /* the same lines in another order */
		add_place(places, b->v[same].place);
	return true;
}
