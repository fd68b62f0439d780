// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - the files and hunks of a unified diff.
 *
 * A hunk's lines are counted, so that a removed line "-- x", which looks like the start
 * of a file ("--- x"), is none.
 */
#include "series/diff.h"
#include "series/buf.h"
#include "series/mem.h"

struct cursor {
	struct str rest;
	size_t line; /* number of the line that comes next, from 1 */
	struct diff *d;
	bool git;  /* the file that is open began with "diff --git" */
	bool open; /* a file is, and may get more header lines and hunks */
};

static struct diff_file *last(struct cursor *c)
{
	return &c->d->file[c->d->n_files - 1];
}

static struct str chomp(struct str line)
{
	while (line.len && (line.p[line.len - 1] == '\n' || line.p[line.len - 1] == '\r'))
		line.len--;
	return line;
}

/* A path in git's C quoting ("a\303\274b\t"), at a quote. Fresh memory. */
static char *unquote_path(struct str s)
{
	static const char marks[] = "abtnvfr\"\\", bytes[] = "\a\b\t\n\v\f\r\"\\";
	struct buf out = BUF_INIT;

	for (size_t i = 1; i < s.len && s.p[i] != '"'; i++) {
		const char *mark;
		int value = 0, n = 0;

		if (s.p[i] != '\\' || i + 1 == s.len) {
			buf_putc(&out, s.p[i]);
			continue;
		}
		i++;
		while (n < 3 && i < s.len && s.p[i] >= '0' && s.p[i] <= '7') {
			value = value * 8 + (s.p[i++] - '0');
			n++;
		}
		if (n) {
			buf_putc(&out, (char)value);
			i--;
			continue;
		}
		mark = s.p[i] ? strchr(marks, s.p[i]) : NULL;
		buf_putc(&out, mark ? bytes[mark - marks] : s.p[i]);
	}
	return buf_take(&out);
}

/* Path of a "---", "+++" or "rename" line; without its first folder if strip. NULL:
 * /dev/null. */
static char *take_path(struct str s, bool strip)
{
	char *path;
	struct str p;
	ptrdiff_t slash, tab;

	s = chomp(s);
	tab = str_chr(s, '\t');
	if (str_starts(s, "\"")) {
		path = unquote_path(s);
	} else {
		/* diff -u puts a time behind a tab. */
		path = str_dup(tab >= 0 ? str_n(s.p, (size_t)tab) : s);
	}
	p = str_c(path);
	slash = str_chr(p, '/');
	if (str_eqc(p, "/dev/null")) {
		free(path);
		return NULL;
	}
	if (strip && slash >= 0) {
		char *shorter = xstrdup(path + slash + 1);

		free(path);
		path = shorter;
	}
	return path;
}

static void open_file(struct cursor *c, bool git)
{
	vec_grow(c->d->file, c->d->n_files, c->d->cap_files);
	c->d->file[c->d->n_files++] = (struct diff_file){ .hunk = c->d->n_hunks };
	c->git = git;
	c->open = true;
}

/* "diff --git a/x b/x": both are one name, unless later lines say other. */
static void git_names(struct cursor *c, struct str names)
{
	struct diff_file *f = last(c);
	size_t half;

	names = chomp(names);
	if (str_starts(names, "\"")) {
		f->old_path = take_path(names, true);
		f->new_path = xstrdup_null(f->old_path);
		return;
	}
	half = names.len / 2;
	if (names.len % 2 && names.p[half] == ' ') {
		f->old_path = take_path(str_n(names.p, half), true);
		f->new_path = take_path(str_n(names.p + half + 1, half), true);
	}
}

static void set_path(char **path, char *take)
{
	free(*path);
	*path = take;
}

/* A line between "diff --git" and the first hunk; false when it is none. */
static bool git_header(struct cursor *c, struct str line)
{
	struct diff_file *f = last(c);

	if (str_skip(&line, "rename from ") || str_skip(&line, "copy from ")) {
		set_path(&f->old_path, take_path(line, false));
	} else if (str_skip(&line, "rename to ")) {
		f->kind = DIFF_RENAMED;
		set_path(&f->new_path, take_path(line, false));
	} else if (str_skip(&line, "copy to ")) {
		f->kind = DIFF_COPIED;
		set_path(&f->new_path, take_path(line, false));
	} else if (str_starts(line, "new file mode ")) {
		f->kind = DIFF_ADDED;
		set_path(&f->old_path, NULL);
	} else if (str_starts(line, "deleted file mode ")) {
		f->kind = DIFF_DELETED;
		set_path(&f->new_path, NULL);
	} else if (str_starts(line, "old mode ") || str_starts(line, "new mode ")) {
		f->mode_changed = true;
	} else if (str_starts(line, "GIT binary patch")) {
		f->binary = true;
	} else if (str_starts(line, "Binary files ")) {
		f->binary = f->no_content = true;
	} else {
		return str_starts(line, "index ") ||
		       str_starts(line, "similarity index ") ||
		       str_starts(line, "dissimilarity index ");
	}
	return true;
}

/* "--- x" with "+++ y" below it. */
static bool names_pair(struct cursor *c, struct str line)
{
	struct str rest = c->rest, next;
	struct diff_file *f;

	if (!str_skip(&line, "--- ") || !str_line(&rest, &next) ||
	    !str_skip(&next, "+++ "))
		return false;
	/* A git file has one such pair; in plain diffs each begins a file. */
	if (!c->open || !c->git || last(c)->n_hunks)
		open_file(c, false);
	f = last(c);
	set_path(&f->old_path, take_path(line, true));
	set_path(&f->new_path, take_path(next, true));
	if (!f->old_path)
		f->kind = DIFF_ADDED;
	else if (!f->new_path)
		f->kind = DIFF_DELETED;
	c->rest = rest;
	c->line++;
	return true;
}

/* "12,3" or "12" */
static bool take_range(struct str *s, int64_t *ret_start, int64_t *ret_lines)
{
	size_t n = 0;
	struct str range, start;

	while (n < s->len && s->p[n] != ' ')
		n++;
	range = str_n(s->p, n);
	*s = str_n(s->p + n, s->len - n);
	str_cut(&range, ',', &start);
	*ret_lines = 1;
	return str_to_i64(start, 0, INT32_MAX, ret_start) &&
	       (!range.p || str_to_i64(range, 0, INT32_MAX, ret_lines));
}

static bool hunk_header(struct str line, struct diff_hunk *h)
{
	line = chomp(line);
	if (!str_skip(&line, "@@ -") ||
	    !take_range(&line, &h->old_start, &h->old_lines) || !str_skip(&line, " +") ||
	    !take_range(&line, &h->new_start, &h->new_lines) || !str_skip(&line, " @@"))
		return false;
	str_skip(&line, " ");
	h->func = line;
	return true;
}

/* The lines of a hunk, as many as it says it has. */
static void hunk_lines(struct cursor *c, struct diff_hunk *h)
{
	int64_t old = h->old_lines, new = h->new_lines;
	const char *from = c->rest.p;
	struct str before = c->rest, line;

	while ((old > 0 || new > 0) && str_line(&c->rest, &line)) {
		/* Mail clients cut the blank of an empty line of context. */
		char mark = chomp(line).len ? line.p[0] : ' ';

		if ((mark != ' ' && mark != '-' && mark != '+' && mark != '\\') ||
		    (mark == ' ' && (!old || !new)) || (mark == '-' && !old) ||
		    (mark == '+' && !new)) {
			c->rest = before;
			break;
		}
		old -= mark == ' ' || mark == '-';
		new -= mark == ' ' || mark == '+';
		last(c)->removed += mark == '-';
		last(c)->added += mark == '+';
		before = c->rest;
		c->line++;
	}
	if (str_starts(c->rest, "\\ ") && str_line(&c->rest, &line))
		c->line++;
	h->cut = old || new;
	h->lines = str_n(from, (size_t)(c->rest.p - from));
}

static bool take_hunk(struct cursor *c, struct str line)
{
	struct diff_hunk h = { .file = c->d->n_files - 1, .line = c->line - 1 };

	if (!c->open || !hunk_header(line, &h))
		return false;
	hunk_lines(c, &h);
	vec_grow(c->d->hunk, c->d->n_hunks, c->d->cap_hunks);
	c->d->hunk[c->d->n_hunks++] = h;
	last(c)->n_hunks++;
	return true;
}

void diff_read(struct str text, struct diff *ret)
{
	struct cursor c = { .rest = text, .line = 1, .d = ret };
	struct str line;

	*ret = (struct diff){ 0 };
	while (str_line(&c.rest, &line)) {
		struct str names = line;

		c.line++;
		if (str_skip(&names, "diff --git ")) {
			open_file(&c, true);
			git_names(&c, names);
		} else if (names_pair(&c, line) || take_hunk(&c, line)) {
			continue;
		} else if (c.open &&
			   (!c.git || last(&c)->n_hunks || !git_header(&c, line))) {
			/* A binary patch's lines are of no interest. */
			c.open = c.git && last(&c)->binary;
		}
	}
}

void diff_release(struct diff *d)
{
	for (size_t i = 0; i < d->n_files; i++) {
		free(d->file[i].old_path);
		free(d->file[i].new_path);
	}
	free(d->file);
	free(d->hunk);
	*d = (struct diff){ 0 };
}

const char *diff_path(const struct diff_file *f)
{
	return f->new_path ? f->new_path : f->old_path ? f->old_path : "";
}
