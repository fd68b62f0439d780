// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_letter.c - see import_letter.h.
 */
#include <ctype.h>
#include "b4prep.h"
#include "import_letter.h"
#include "series/covertext.h"
#include "series/mem.h"
#include "series/sanitize.h"

/* "Ann Author (3):" of a shortlog, titles below it. */
static bool is_shortlog(struct str line, struct str rest)
{
	ptrdiff_t open = str_find(line, " (");
	struct str next;

	return open > 0 && str_ends(line, "):") &&
	       isdigit((unsigned char)line.p[open + 2]) && str_line(&rest, &next) &&
	       str_starts(next, "  ") && str_trim(next).len;
}

/* " mm/rmap.c | 12 ++--" of a diffstat; " 2 files changed" stands below one. */
static bool is_diffstat(struct str line)
{
	ptrdiff_t bar = str_find(line, " | ");

	return str_starts(line, " ") && bar > 0 &&
	       (isdigit((unsigned char)str_trim(
				str_n(line.p + bar + 3, line.len - (size_t)bar - 3))
				.p[0]) ||
		str_find(line, " | Bin ") > 0);
}

/* From here on git and b4 wrote it. */
static bool is_tail(struct str line, struct str rest)
{
	return str_eqc(line, "-- ") || str_starts(line, "base-commit:") ||
	       str_starts(line, "change-id:") || is_shortlog(line, rest) ||
	       is_diffstat(line);
}

/* Digits at the start of *s. */
static bool number(struct str *s, int64_t *ret)
{
	size_t n = 0;
	bool ok;

	while (n < s->len && isdigit((unsigned char)s->p[n]))
		n++;
	ok = str_to_i64(str_n(s->p, n), 1, SERIES_MAX_VERSION, ret);
	*s = str_n(s->p + n, s->len - n);
	return ok;
}

/*
 * "Changes in v3:", "Changes since v2", "v2 -> v3:", "v3:": which version the lines below
 * are of; 0: none.
 */
static int heading(struct str line)
{
	static const char *const since[] = { "changes since v", "changes from v" };
	int64_t n = 0, to = 0;

	line = str_trim(line);
	for (size_t i = 0; i < ARRAY_SIZE(since); i++)
		if (str_istarts(line, since[i])) {
			line = str_n(line.p + strlen(since[i]),
				     line.len - strlen(since[i]));
			if (!number(&line, &n) || (line.len && !str_eqc(line, ":")))
				return 0;
			return (int)n + 1;
		}
	if (str_istarts(line, "changes in v"))
		line = str_n(line.p + 12, line.len - 12);
	else if (!str_skip(&line, "v"))
		return 0;
	else if (!str_ends(line, ":"))
		return 0;
	if (!number(&line, &n))
		return 0;
	line = str_trim(line);
	if (str_skip(&line, "->")) {
		line = str_trim(line);
		if (!str_skip(&line, "v") || !number(&line, &to))
			return 0;
		n = to;
	}
	return !line.len || str_eqc(line, ":") ? (int)n : 0;
}

/* Is this, below an empty line, still of a changelog? */
static bool goes_on(struct str line)
{
	return !line.len || str_space(line.p[0]) || strchr("-*+", line.p[0]) ||
	       str_istarts(line, "patch ") || str_istarts(line, "link to v");
}

/* b4's reader of covers takes lines with "#" for notes to oneself. */
static void put_line(struct str line, struct buf *out)
{
	if (line.len && line.p[0] == '#')
		buf_putc(out, ' ');
	sanitize(line, out);
	buf_putc(out, '\n');
}

/* What is below "---", where b4's reader looks for changelogs; most people have none. */
struct below {
	bool begun, log, blank; /* in a changelog, and behind an empty line */
};

static void put_rule(struct below *b, struct buf *out)
{
	buf_puts(out, "\n---\n");
	*b = (struct below){ .begun = true };
}

static void take_line(struct below *b, struct str line, struct buf *out)
{
	int n = heading(line);

	if (n && !b->begun)
		put_rule(b, out);
	if (n) {
		buf_printf(out, "Changes in v%d:\n", n);
		b->log = true;
	} else if (str_eqc(line, "---")) {
		put_rule(b, out);
	} else {
		if (b->log && b->blank && !goes_on(line))
			put_rule(b, out);
		put_line(line, out);
	}
	b->blank = !line.len;
}

void import_letter(const struct thread *t, const struct posted_version *v, int n,
		   struct store *store)
{
	struct buf own _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT,
		       out _cleanup_buf_ = BUF_INIT;
	struct str rest = thread_text(t, v->cover, &own), line;
	struct b4cover cover _cleanup_b4cover_ = { 0 };
	struct covertext letter;
	struct below below = { .begun = false };

	put_line(str_c(v->title), &text);
	buf_putc(&text, '\n');
	while (str_line(&rest, &line) && !is_tail(line, rest))
		take_line(&below, str_trim_end(line), &text);
	b4cover_parse(buf_str(&text), NULL, 0, &cover);
	letter = (struct covertext){ cover.title, cover.body, cover.notes };
	covertext_format(&letter, &out);
	store_put(store, COVERTEXT_FILE, out.p, out.len);
	for (size_t i = 0; i < cover.n_changes; i++) {
		char *path _cleanup_free_ =
			xasprintf("changes/v%d.txt", cover.changes[i].n);
		char *block _cleanup_free_ =
			covertext_block(buf_str(&cover.changes[i].text));

		if (*block && cover.changes[i].n <= n)
			store_put(store, path, block, strlen(block));
	}
}
