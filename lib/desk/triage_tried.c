// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_tried.c - which series apply to the configured base. It is kept in
 * series/applies below the repository: the commit of the base, then a line a series,
 * "MESSAGE-ID STATE WHY", of its newest version; another commit, and all of it is void.
 */
#include <stdlib.h>
#include <string.h>

#include "series/fs.h"
#include "series/mem.h"
#include "triage_priv.h"

#define KEPT_MOST ((size_t)16 << 20)

struct tried_one {
	char *id, *why;
	enum triage_applies applies;
};

struct tried {
	char *base, *path;
	char commit[OID_HEX];
	struct tried_one *v; /* sorted by id */
	size_t n, cap;
};

static const struct {
	const char *name, *mark;
} words[] = {
	[APPLIES_UNKNOWN] = { "unknown", "" },
	[APPLIES_YES] = { "yes", "+" },
	[APPLIES_NO] = { "no", "-" },
	[APPLIES_FAILED] = { "failed", "?" },
};

const char *triage_applies_mark(enum triage_applies a)
{
	return words[a].mark;
}

const char *triage_applies_name(enum triage_applies a)
{
	return words[a].name;
}

const char *triage_base(const struct triage *t)
{
	return t->tried ? t->tried->base : NULL;
}

static void forget(struct tried *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->v[i].id);
		free(d->v[i].why);
	}
	d->n = 0;
}

void tried_free(struct tried *d)
{
	if (!d)
		return;
	forget(d);
	free(d->v);
	free(d->base);
	free(d->path);
	free(d);
}

/* Where the id is, or would stand. */
static size_t place_of(const struct tried *d, const char *id)
{
	size_t lo = 0, hi = d->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(d->v[mid].id, id) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool is_at(const struct tried *d, size_t at, const char *id)
{
	return at < d->n && !strcmp(d->v[at].id, id);
}

static void put(struct tried *d, const char *id, enum triage_applies a, const char *why)
{
	size_t at = place_of(d, id);

	if (!is_at(d, at, id)) {
		vec_grow(d->v, d->n, d->cap);
		memmove(&d->v[at + 1], &d->v[at], (d->n - at) * sizeof(*d->v));
		d->n++;
		d->v[at] = (struct tried_one){ .id = xstrdup(id) };
	}
	free(d->v[at].why);
	d->v[at].why = why && *why ? xstrdup(why) : NULL;
	d->v[at].applies = a;
}

static void read_line(struct tried *d, struct str line)
{
	struct str id, word;
	char *name _cleanup_free_ = NULL, *why _cleanup_free_ = NULL;

	if (!str_cut(&line, ' ', &id) || !id.len || !str_cut(&line, ' ', &word))
		return;
	name = str_dup(id);
	why = str_dup(line.p ? line : STR_LIT(""));
	for (size_t i = APPLIES_YES; i < ARRAY_SIZE(words); i++)
		if (str_eqc(word, words[i].name))
			put(d, name, (enum triage_applies)i, why);
}

/* What cannot be read is nothing: it is found out again. */
static void read_kept(struct tried *d)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	if (fs_read(d->path, KEPT_MOST, &text, NULL))
		return;
	rest = buf_str(&text);
	if (!str_line(&rest, &line) || !str_eqc(line, d->commit))
		return;
	while (str_line(&rest, &line))
		read_line(d, line);
}

int triage_tried(struct triage *t, const struct config *c, struct err *err)
{
	const char *base = c ? config_get(c, "series.triage.base") : NULL;
	struct tried *d;
	int rc;

	tried_free(t->tried);
	t->tried = NULL;
	if (!base || !*base || !t->repo)
		return 0;
	d = xcalloc(1, sizeof(*d));
	rc = repo_resolve(t->repo, base, d->commit, err);
	if (rc) {
		free(d);
		return err_context(err, "series.triage.base");
	}
	d->base = xstrdup(base);
	d->path = path_join(repo_common_dir(t->repo), "series/applies");
	read_kept(d);
	t->tried = d;
	return 0;
}

void tried_set(const struct tried *d, struct triage_row *row)
{
	size_t at;

	row->applies = APPLIES_UNKNOWN;
	row->applies_why = NULL;
	if (!d)
		return;
	at = place_of(d, row->l->message_id);
	if (!is_at(d, at, row->l->message_id))
		return;
	row->applies = d->v[at].applies;
	row->applies_why = d->v[at].why;
}

static int keep(const struct tried *d, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *dir _cleanup_free_ = path_dir(d->path);
	int rc = fs_mkdirs(dir, err);

	buf_printf(&text, "%s\n", d->commit);
	for (size_t i = 0; i < d->n; i++) {
		buf_printf(&text, "%s %s ", d->v[i].id, words[d->v[i].applies].name);
		for (const char *p = d->v[i].why ? d->v[i].why : ""; *p; p++)
			buf_putc(&text, *p == '\n' ? ' ' : *p);
		buf_putc(&text, '\n');
	}
	return rc ? rc : fs_write_atomic(d->path, text.p, text.len, 0666, err);
}

int triage_note_tried(struct triage *t, struct triage_row *row, enum triage_applies a,
		      const char *why, struct err *err)
{
	struct tried *d = t->tried;

	/* An id with a blank in it could not be read back. */
	if (!d || !*row->l->message_id || strpbrk(row->l->message_id, " \n"))
		return 0;
	put(d, row->l->message_id, a, why);
	tried_set(d, row);
	return keep(d, err);
}
