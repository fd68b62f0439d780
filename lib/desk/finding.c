// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * finding.c - lists of findings, as text and as JSON.
 */
#include "series/finding.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/series.h"

const char *severity_name(enum severity s)
{
	return s == SEVERITY_ERROR ? "error" : "warning";
}

void findings_add(struct findings *f, const char *id, enum severity s, const char *where,
		  const char *remedy, const char *message, ...)
{
	struct finding *e;
	va_list ap;

	vec_grow(f->v, f->n, f->cap);
	e = &f->v[f->n++];
	e->id = xstrdup(id);
	e->severity = s;
	e->where = xstrdup(where ? where : "");
	e->remedy = xstrdup(remedy ? remedy : "");
	va_start(ap, message);
	e->message = xvasprintf(message, ap);
	va_end(ap);
}

char *remedy_rebase(const char *base, const char *command, size_t patch, const char *more)
{
	return xasprintf("git rebase -i %.12s  # \"%s\" patch %zu%s%s", base, command,
			 patch, more[0] ? "; " : "", more);
}

void findings_on_branch(struct findings *f, const struct series *s)
{
	char *now _cleanup_free_ = NULL, *word _cleanup_free_ = shell_word(s->branch);

	if (!repo_branch(s->repo, &now, NULL) && !strcmp(now, s->branch))
		return;
	for (size_t i = 0; i < f->n; i++) {
		char *remedy = f->v[i].remedy;

		if (!str_starts(str_c(remedy), "git rebase "))
			continue;
		f->v[i].remedy = xasprintf("git switch %s && %s", word, remedy);
		free(remedy);
	}
}

size_t findings_count(const struct findings *f, enum severity s)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->v[i].severity == s;
	return n;
}

void findings_show(const struct findings *f, struct buf *out)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *e = &f->v[i];
		bool last = i + 1 == f->n || strcmp(e->remedy, e[1].remedy) != 0;

		buf_printf(out, "%s: %s%s%s\n", severity_name(e->severity), e->where,
			   e->where[0] ? ": " : "", e->message);
		if (e->remedy[0] && last)
			buf_printf(out, "    %s\n", e->remedy);
	}
}

struct json *findings_json(const struct findings *f)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < f->n; i++) {
		struct json *o = json_obj();

		json_set_str(o, "id", f->v[i].id);
		json_set_str(o, "severity", severity_name(f->v[i].severity));
		json_set_str(o, "where", f->v[i].where);
		json_set_str(o, "message", f->v[i].message);
		json_set_str(o, "remedy", f->v[i].remedy);
		json_push(arr, o);
	}
	return arr;
}

void findings_release(struct findings *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->v[i].id);
		free(f->v[i].where);
		free(f->v[i].message);
		free(f->v[i].remedy);
	}
	free(f->v);
	*f = (struct findings)FINDINGS_INIT;
}
