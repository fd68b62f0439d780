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

/* b4's reader of covers takes lines with "#" for notes to oneself. */
static void put_line(struct str line, struct buf *out)
{
	if (line.len && line.p[0] == '#')
		buf_putc(out, ' ');
	sanitize(line, out);
	buf_putc(out, '\n');
}

void import_letter(const struct thread *t, const struct posted_version *v, int n,
		   struct store *store)
{
	struct buf own _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT,
		       out _cleanup_buf_ = BUF_INIT;
	struct str rest = thread_text(t, v->cover, &own), line;
	struct b4cover cover _cleanup_b4cover_ = { 0 };
	struct covertext letter;

	put_line(str_c(v->title), &text);
	buf_putc(&text, '\n');
	while (str_line(&rest, &line) && !is_tail(line, rest))
		put_line(line, &text);
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
