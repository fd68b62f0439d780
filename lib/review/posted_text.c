// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_text.c - what the text of a cover or patch says of its series: the diff, the
 * change-id, the Message-IDs of earlier versions.
 */
#include "posted_priv.h"
#include "series/mailinfo.h"
#include "series/mem.h"

static bool id_char(char c)
{
	return !str_space(c) && !strchr("<>()[]\"',;", c);
}

static void push_decoded(struct strvec *ids, struct str s)
{
	struct buf id _cleanup_buf_ = BUF_INIT;

	while (s.len && strchr(".:*", s.p[s.len - 1]))
		s.len--;
	for (size_t i = 0; i < s.len; i++) {
		int hi = i + 2 < s.len && s.p[i] == '%' ? hex_digit(s.p[i + 1]) : -1;
		int lo = hi >= 0 ? hex_digit(s.p[i + 2]) : -1;

		buf_putc(&id, lo < 0 ? s.p[i] : (char)(hi << 4 | lo));
		i += lo < 0 ? 0 : 2;
	}
	strvec_push_str(ids, buf_str(&id));
}

/*
 * Words with an "@" or "%40" in them; of a link the part of its path that has it. An
 * address of a person does no harm: no mail has it as its id.
 */
static void line_ids(struct str line, struct strvec *ids)
{
	while (line.len) {
		size_t n = 0;
		struct str word, part;
		bool link;

		if (!id_char(line.p[0])) {
			line = str_n(line.p + 1, line.len - 1);
			continue;
		}
		while (n < line.len && id_char(line.p[n]))
			n++;
		word = str_n(line.p, n);
		line = str_n(line.p + n, line.len - n);
		link = str_find(word, "://") >= 0;
		while (str_cut(&word, link ? '/' : '\0', &part))
			if (str_chr(part, '@') > 0 || str_find(part, "%40") > 0)
				push_decoded(ids, part);
	}
}

/* Is there a word that begins so? */
static bool has(struct str line, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= line.len; i++)
		if ((line.p[i] | 0x20) == word[0] &&
		    (!i || (line.p[i - 1] | 0x20) < 'a' ||
		     (line.p[i - 1] | 0x20) > 'z') &&
		    str_istarts(str_n(line.p + i, line.len - i), word))
			return true;
	return false;
}

/* Does the line speak of an earlier version ("v1:", "Previous version", "RFC:")? */
static bool tells_version(struct str line)
{
	for (size_t i = 0; i + 1 < line.len; i++)
		if ((line.p[i] | 0x20) == 'v' && line.p[i + 1] >= '0' &&
		    line.p[i + 1] <= '9' &&
		    (!i || !id_char(line.p[i - 1]) || strchr("/-([", line.p[i - 1])))
			return true;
	return has(line, "version") || has(line, "previous") || has(line, "rfc") ||
	       has(line, "supersedes") || has(line, "obsoletes") || has(line, "revision");
}

/* What a series stands on is none of its versions. */
static bool tells_base(struct str line)
{
	return has(line, "depend") || has(line, "prerequisite") ||
	       has(line, "based on") || has(line, "on top of") ||
	       has(line, "applies on") || has(line, "requires");
}

/* "change-id: ID" and nothing else; "prerequisite-change-id:" is another's. */
static void take_change_id(struct item *it, struct str line)
{
	struct str id = line;

	if (it->change_id || !str_skip(&id, "change-id:"))
		return;
	id = str_trim(id);
	if (id.len && str_chr(id, ' ') < 0)
		it->change_id = str_dup(id);
}

static void take_patch_id(struct item *it, struct str text)
{
	struct buf plain _cleanup_buf_ = BUF_INIT;
	struct str rest = text, line;

	if (diff_patch_id(text, it->patch_id))
		return;
	/* A plain diff has no "diff" line, and git sees nothing in it. */
	while (str_line(&rest, &line)) {
		if (!str_starts(line, "--- ") || !str_starts(rest, "+++ "))
			continue;
		buf_puts(&plain, "diff -u\n");
		buf_addstr(&plain, str_n(line.p, text.len - (size_t)(line.p - text.p)));
		diff_patch_id(buf_str(&plain), it->patch_id);
		return;
	}
}

void read_text(struct item *it, struct str text, bool patch_id)
{
	struct str rest = text, line, before = STR_NULL;

	it->diff = false;
	while (str_line(&rest, &line)) {
		line = str_trim_end(line);
		if (str_starts(line, "@@ -") || str_starts(line, "diff --git ") ||
		    str_starts(line, "GIT binary patch") ||
		    str_starts(line, "Binary files "))
			it->diff = true;
		/* A patch ends what people wrote; in a cover a diff may be quoted. */
		if (it->diff && !it->cover)
			break;
		if (str_starts(line, ">"))
			continue;
		take_change_id(it, line);
		if ((str_chr(line, '@') >= 0 || str_find(line, "%40") >= 0) &&
		    (tells_version(line) || tells_version(before)) && !tells_base(line) &&
		    !tells_base(before))
			line_ids(line, &it->named);
		if (line.len)
			before = line;
	}
	if (patch_id && it->diff && !it->cover)
		take_patch_id(it, text);
}

void find_obsoleted(struct finder *f, size_t mail, size_t item)
{
	const struct mail *m = &f->t->v[mail].mail;
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	if (item == NONE || !memmem(m->body.p, m->body.len, "bsoleted-by:", 12))
		return;
	mail_text(m, &text);
	rest = buf_str(&text);
	while (str_line(&rest, &line)) {
		struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

		if (!str_istarts(line, "obsoleted-by:"))
			continue;
		line_ids(line, &ids);
		for (size_t i = 0; i < ids.n; i++) {
			vec_grow(f->obsoleted, f->n_obsoleted, f->cap_obsoleted);
			f->obsoleted[f->n_obsoleted++] =
				(struct obsoleted){ item, xstrdup(ids.v[i]) };
		}
	}
}
