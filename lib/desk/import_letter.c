// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_letter.c - see import_letter.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include "b4prep.h"
#include "import_letter.h"
#include "series/changelog.h"
#include "series/covertext.h"
#include "series/mem.h"
#include "series/patchnotes.h"
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
	       str_starts(line, "change-id:") || str_starts(line, "diff --git ") ||
	       is_shortlog(line, rest) || is_diffstat(line);
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

/* A version as people name it: "v2", "RFC v2". */
struct label {
	int n; /* 0: none */
	bool rfc;
};

static bool label(struct str *s, struct label *ret)
{
	int64_t n = 0;
	bool rfc = str_skip(s, "RFC ");

	if ((!str_skip(s, "v") && !str_skip(s, "V")) || !number(s, &n))
		return false;
	*ret = (struct label){ (int)n, rfc };
	return true;
}

static bool skip_word(struct str *s, const char *word)
{
	if (!str_istarts(*s, word))
		return false;
	*s = str_n(s->p + strlen(word), s->len - strlen(word));
	return true;
}

/*
 * "Changes in v3:", "Changes since v2", "v2 -> v3:", "RFC->v1:", "v3:": which version the
 * lines below are of.
 */
static struct label heading(struct str line)
{
	const struct label none = { 0, false };
	struct label at = none;
	bool words;

	line = str_trim(line);
	if (skip_word(&line, "changes since ") || skip_word(&line, "changes from ")) {
		if (!label(&line, &at) || (line.len && !str_eqc(line, ":")))
			return none;
		at.n++;
		return at;
	}
	words = skip_word(&line, "changes in ");
	if (!words && !str_ends(line, ":"))
		return none;
	if ((words || !str_skip(&line, "RFC->")) && label(&line, &at))
		line = str_trim(line);
	else if (words)
		return none;
	if (!at.n || str_skip(&line, "->")) {
		line = str_trim(line);
		if (!label(&line, &at))
			return none;
	}
	return !line.len || str_eqc(line, ":") ? at : none;
}

/* Is this, below an empty line, still of a changelog? */
static bool goes_on(struct str line)
{
	return !line.len || str_space(line.p[0]) || strchr("-*+", line.p[0]) ||
	       str_istarts(line, "patch ") || str_istarts(line, "link to ");
}

/* b4's reader of covers takes lines with "#" for notes to oneself. */
static void put_line(struct str line, struct buf *out)
{
	if (line.len && line.p[0] == '#')
		buf_putc(out, ' ');
	sanitize(line, out);
	buf_putc(out, '\n');
}

/* --- lines that series and b4 write, and will write again --- */

/* "Applies on mm-unstable (613d6607d74b)", "Applies on 613d6607d74b" */
static bool is_base_line(struct str line)
{
	ptrdiff_t open;

	if (!str_skip(&line, "Applies on "))
		return false;
	open = str_find(line, " (");
	if (open > 0 && str_ends(line, ")"))
		line = str_n(line.p + open + 2, line.len - (size_t)open - 3);
	return line.len == 12 && strspn(line.p, "0123456789abcdef") >= 12;
}

/* "(no changes since v2)" */
static bool is_unchanged(struct str line)
{
	struct label at;

	return str_skip(&line, "(no changes since ") && label(&line, &at) &&
	       str_eqc(line, ")");
}

/* "- Link to v2: https://...", "v2: https://...": the version that it leads to. */
static struct label link_of(struct str line)
{
	const struct label none = { 0, false };
	struct label at;
	struct str word;

	str_skip(&line, "- ");
	skip_word(&line, "link to ");
	if (!label(&line, &at) || !str_skip(&line, ":") || !str_word(&line, &word) ||
	    str_trim(line).len || str_find(word, "://") < 0)
		return none;
	return at;
}

static bool is_taken(const struct import_words *w, struct label at)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->versions[i].n == at.n && w->versions[i].rfc == at.rfc)
			return true;
	return false;
}

/* --- a mail's text taken apart --- */

struct section {
	struct label of;
	struct buf text;
};

struct words {
	struct buf text;   /* above the first "---" (one is put in), and notes below it */
	struct buf behind; /* notes behind the changelogs of a mail that series made */
	struct section *v;
	size_t n, cap;
	size_t at;	/* index of the section at hand; n: none */
	bool rule, ours; /* there was a "---", a line of series */
	bool blank, linked; /* the line before; a link came in this section */
};

static void words_release(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		buf_release(&w->v[i].text);
	free(w->v);
	buf_release(&w->text);
	buf_release(&w->behind);
}

#define _cleanup_words_ __attribute__((cleanup(words_release)))

static void put_rule(struct words *w)
{
	if (!w->rule)
		buf_puts(&w->text, "\n---\n");
	w->rule = true;
	w->at = w->n;
}

static void open_section(struct words *w, struct label of)
{
	put_rule(w);
	w->linked = false;
	for (w->at = 0; w->at < w->n; w->at++)
		if (w->v[w->at].of.n == of.n && w->v[w->at].of.rfc == of.rfc)
			return;
	vec_grow(w->v, w->n, w->cap);
	w->v[w->n++] = (struct section){ of, BUF_INIT };
}

/* Where does the changelog end, that an empty line stands in? */
static bool section_ends(const struct words *w, struct str line)
{
	if (!w->blank || !line.len)
		return false;
	return w->ours ? w->linked : !goes_on(line);
}

static void take_line(const struct import_words *of, struct words *w, struct str line)
{
	struct label at = heading(line), link = link_of(line);

	if (w->rule && is_base_line(line)) {
		w->ours = true;
		w->at = w->n;
	} else if (at.n) {
		open_section(w, at);
	} else if (str_eqc(line, "---")) {
		put_rule(w);
	} else if (w->rule && is_unchanged(line)) {
		w->at = w->n;
	} else if (link.n && is_taken(of, link)) {
		w->linked = true;
	} else {
		w->linked |= link.n > 0;
		if (w->at < w->n && section_ends(w, line))
			w->at = w->n;
		put_line(line, w->at < w->n	 ? &w->v[w->at].text
			       : w->ours && w->n ? &w->behind
						 : &w->text);
	}
	w->blank = !line.len;
}

/* patch: only what stands below the "---" of its message is a note. */
static void read_words(const struct import_words *of, size_t mail, bool patch,
		       struct words *w)
{
	struct buf own _cleanup_buf_ = BUF_INIT;
	struct str rest = thread_text(of->thread, mail, &own), line;

	while (patch && str_line(&rest, &line))
		if (str_eqc(str_trim_end(line), "---"))
			break;
	w->rule = patch;
	while (str_line(&rest, &line) && !is_tail(line, rest))
		take_line(of, w, str_trim_end(line));
}

/* --- what is stored --- */

static void put_cover(const char *title, const struct words *w, bool patch,
		      struct store *store)
{
	struct buf text _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	struct b4cover cover _cleanup_b4cover_ = { 0 };
	struct covertext letter;

	put_line(str_c(title), &text);
	buf_puts(&text, patch ? "\n---\n" : "\n");
	buf_addstr(&text, buf_str(&w->text));
	if (!patch)
		buf_addstr(&text, buf_str(&w->behind));
	b4cover_parse(buf_str(&text), NULL, 0, &cover);
	letter = (struct covertext){ cover.title, cover.body, cover.notes };
	covertext_format(&letter, &out);
	if (!patch || *cover.notes)
		store_put(store, COVERTEXT_FILE, out.p, out.len);
}

static struct str section_of(const struct words *w, const struct version *v)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].of.n == v->n && w->v[i].of.rfc == v->rfc)
			return buf_str(&w->v[i].text);
	return STR_LIT("");
}

static bool has_entry(const struct changelog *c, int k, const char *text)
{
	const struct changelog_part *p = changelog_part(c, k);

	for (size_t i = 0; p && i < p->n; i++)
		if (!strcmp(p->v[i].text, text))
			return true;
	return false;
}

/* What the mails of a version's patches say of it, which the cover may say as well. */
static bool add_patches(const struct import_words *of, size_t i, struct changelog *to)
{
	const struct posted_version *pv = of->posted[i];
	const struct version *v = &of->versions[i];
	bool any = false;

	for (size_t k = 0; v->n_patches > 1 && k < v->n_patches; k++) {
		struct words w _cleanup_words_ = { .n = 0 };
		struct changelog own _cleanup_changelog_ = { 0 };

		read_words(of, pv->patch[k].mail, true, &w);
		changelog_parse(section_of(&w, v), &own);
		for (size_t e = 0; e < own.v[0].n; e++) {
			const char *text = own.v[0].v[e].text;

			if (has_entry(to, (int)k + 1, text))
				continue;
			changelog_add(to, (int)k + 1, v->patches[k].subject, str_c(text));
			any = true;
		}
	}
	return any;
}

static void put_block(struct store *store, const char *path, struct str text)
{
	char *block _cleanup_free_ = covertext_block(text);

	if (*block)
		store_put(store, path, block, strlen(block));
}

/* Of a version that is here: with what its patches say, each by its title. */
static void put_changes(const struct import_words *of, size_t i, const struct words *w,
			struct store *store)
{
	const struct version *v = &of->versions[i];
	char *label _cleanup_free_ = version_label(v);
	char *path _cleanup_free_ = xasprintf("changes/%s.txt", label);
	struct changelog c _cleanup_changelog_ = { 0 };
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct str text = section_of(w, v);

	changelog_parse(text, &c);
	changelog_match(&c, v->patches, v->n_patches);
	if (add_patches(of, i, &c) || w->ours) {
		changelog_format(&c, &out);
		text = buf_str(&out);
	}
	put_block(store, path, text);
}

/* Of one that is not here, as its words stand. */
static void put_others(const struct import_words *of, const struct words *w,
		       struct store *store)
{
	for (size_t i = 0; i < w->n; i++) {
		struct label at = w->v[i].of;
		char *path _cleanup_free_ =
			xasprintf("changes/%s%d.txt", at.rfc ? "rfc" : "v", at.n);

		if (!is_taken(of, at) && at.n <= of->versions[of->n - 1].n)
			put_block(store, path, buf_str(&w->v[i].text));
	}
}

/* single: of the only patch, what is no part of the cover letter. */
static void put_notes(const struct import_words *of, const struct words *single,
		      struct store *store)
{
	const struct version *v = &of->versions[of->n - 1];
	struct patchnotes notes _cleanup_patchnotes_ = { NULL };
	struct buf out _cleanup_buf_ = BUF_INIT;

	for (size_t k = 0; k < v->n_patches; k++) {
		struct words w _cleanup_words_ = { .n = 0 };
		struct buf text _cleanup_buf_ = BUF_INIT;

		read_words(of, of->posted[of->n - 1]->patch[k].mail, true, &w);
		if (!single || !single->ours)
			buf_addstr(&text, buf_str(&w.text));
		buf_addstr(&text, buf_str(&w.behind));
		if (str_trim(buf_str(&text)).len)
			patchnotes_set(&notes, (int)k + 1, v->patches[k].subject,
				       buf_str(&text));
	}
	patchnotes_format(&notes, &out);
	if (out.len)
		store_put(store, PATCHNOTES_FILE, out.p, out.len);
}

void import_letter(const struct import_words *of, struct store *store)
{
	const struct posted_version *pv = of->letter;
	bool patch = pv->cover == NO_MAIL;
	bool single = patch && pv->total == 1 && pv->patch[0].mail != NO_MAIL;
	struct words w _cleanup_words_ = { .n = 0 };

	if (!patch || single)
		read_words(of, patch ? pv->patch[0].mail : pv->cover, patch, &w);
	if (!patch || (single && w.ours))
		put_cover(pv->title, &w, patch, store);
	for (size_t i = 0; i < of->n; i++)
		put_changes(of, i, &w, store);
	put_others(of, &w, store);
	put_notes(of, single ? &w : NULL, store);
}
