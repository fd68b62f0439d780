// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Warnings of a whole kernel, kept while only parts of it are compiled.
 *
 * make -Otarget keeps the lines of one step together behind its "  CC      OBJECT". The
 * list holds the warnings of each object's last compilation, so at any time it says what
 * a build from nothing would have said. On disk it is such output again, and a run that
 * was killed loses nothing: lines are appended as they come.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Of a line: a line of megabytes is no warning that anybody reads. */
#define LINE_KEPT ((size_t)1000)

void warndb_release(struct warndb *db)
{
	for (size_t i = 0; i < db->n; i++) {
		free(db->items[i].object);
		strvec_release(&db->items[i].lines);
	}
	free(db->items);
	free(db->current);
	memset(db, 0, sizeof(*db));
}

bool step_line(struct str line, struct str *ret_object)
{
	struct str tag, word, last = STR_NULL;

	if (line.len < 4 || memcmp(line.p, "  ", 2) != 0 || line.p[2] < 'A' ||
	    line.p[2] > 'Z' || !str_word(&line, &tag))
		return false;
	for (size_t i = 0; i < tag.len; i++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+", tag.p[i]))
			return false;
	while (str_word(&line, &word))
		if (!last.p || word.p[0] != '[')
			last = word;
	if (!last.len || last.p[0] == '[')
		return false;
	*ret_object = last;
	return true;
}

static bool is_warning(struct str line)
{
	return line.len && line.p[0] != ' ' &&
	       (str_find(line, ": warning: ") >= 0 || str_starts(line, "WARNING: ") ||
		str_starts(line, "warning: "));
}

static struct warndb_item *find(struct warndb *db, const char *object, bool add)
{
	for (size_t i = 0; i < db->n; i++)
		if (!strcmp(db->items[i].object, object))
			return &db->items[i];
	if (!add)
		return NULL;
	vec_grow(db->items, db->n, db->cap);
	db->items[db->n] = (struct warndb_item){ xstrdup(object), STRVEC_INIT };
	return &db->items[db->n++];
}

bool warndb_line(struct warndb *db, struct str line)
{
	struct str object;
	struct warndb_item *it;

	if (step_line(line, &object)) {
		free(db->current);
		db->current = str_dup(object);
		it = find(db, db->current, false);
		if (it) {
			strvec_release(&it->lines);
			memset(&it->lines, 0, sizeof(it->lines));
		}
		return true;
	}
	if (!is_warning(line))
		return false;
	/* "srctree := ..": paths start with the way from O= to the source. */
	while (str_skip(&line, "../"))
		;
	line.len = MIN(line.len, LINE_KEPT);
	it = find(db, db->current ? db->current : "-", true);
	if (it->lines.n < 1000)
		strvec_push_str(&it->lines, line);
	return true;
}

void warndb_dump(const struct warndb *db, struct buf *out)
{
	for (size_t i = 0; i < db->n; i++) {
		if (!db->items[i].lines.n)
			continue;
		buf_printf(out, "  CC      %s\n", db->items[i].object);
		for (size_t k = 0; k < db->items[i].lines.n; k++)
			buf_printf(out, "%s\n", db->items[i].lines.v[k]);
	}
}

static void unique(struct strvec *v)
{
	size_t n = 0;

	strvec_sort(v);
	for (size_t i = 0; i < v->n; i++) {
		if (n && !strcmp(v->v[n - 1], v->v[i])) {
			free(v->v[i]);
			continue;
		}
		v->v[n++] = v->v[i];
	}
	v->n = n;
	if (v->v)
		v->v[n] = NULL;
}

void warndb_all(const struct warndb *db, struct strvec *ret)
{
	for (size_t i = 0; i < db->n; i++)
		strvec_extend(ret, &db->items[i].lines);
	unique(ret);
}

/* The warning without what moves when lines above it change: ":12:3:", "+0x1f", "line 9".
 */
static char *essence(const char *line)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	bool number = false;

	for (const char *c = line; *c; c++) {
		bool digit = *c >= '0' && *c <= '9';
		bool hex = number && strchr("abcdefx", *c);

		if ((digit && c > line && strchr(":+ ", c[-1])) ||
		    (number && (digit || hex))) {
			number = true;
			continue;
		}
		number = false;
		buf_putc(&b, *c);
	}
	return buf_take(&b);
}

static void essences(const struct strvec *v, struct strvec *ret)
{
	for (size_t i = 0; i < v->n; i++)
		strvec_take(ret, essence(v->v[i]));
}

void warnings_new(const struct strvec *parent, const struct strvec *child,
		  struct strvec *ret)
{
	_cleanup_strvec_ struct strvec old = STRVEC_INIT, left = STRVEC_INIT;

	/* What stands at the same line is the same one; then each old one covers one
	 * more. */
	for (size_t i = 0; i < parent->n; i++)
		if (!strvec_has(child, parent->v[i]))
			strvec_push(&left, parent->v[i]);
	essences(&left, &old);
	for (size_t i = 0; i < child->n; i++) {
		size_t k = 0;

		if (strvec_has(parent, child->v[i]))
			continue;
		_cleanup_free_ char *key = essence(child->v[i]);

		while (k < old.n && strcmp(old.v[k], key))
			k++;
		if (k < old.n)
			strvec_remove(&old, k);
		else
			strvec_push(ret, child->v[i]);
	}
}
