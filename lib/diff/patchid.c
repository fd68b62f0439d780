// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchid.c - "git patch-id --stable" of a diff in a text, by builtin/patch-id.c of
 * git 2.39: per file a SHA-1 over the lines without white space, line numbers and the
 * index line; the sums are added byte by byte with carry. A binary file's content is its
 * index line.
 *
 * For commits lib/git has one that needs no text.
 */
#include "series/diff.h"
#include "series/sha1.h"

struct hasher {
	struct patch_sum sum;
	size_t bytes;	       /* of text */
	int64_t before, after; /* lines that the hunk still has; -1: within a header */
	bool binary;
	struct str old_blob, new_blob;
};

/* "index 0123..4567 100644" */
static void take_blobs(struct hasher *h, struct str line)
{
	ptrdiff_t dots = str_find(line, ".."), end;

	if (dots < 0)
		return;
	h->old_blob = str_n(line.p, (size_t)dots);
	line = str_n(line.p + dots + 2, line.len - (size_t)dots - 2);
	end = str_chr(line, ' ');
	h->new_blob = end < 0 ? line : str_n(line.p, (size_t)end);
}

static bool take_count(struct str *s, int64_t *ret)
{
	size_t n = 0, comma = 0;

	while (n < s->len &&
	       ((s->p[n] >= '0' && s->p[n] <= '9') || (s->p[n] == ',' && !comma))) {
		if (s->p[n] == ',')
			comma = n + 1;
		n++;
	}
	if (!str_to_i64(str_n(s->p + comma, n - comma), 0, INT32_MAX, ret))
		return false;
	/* git reads the start as the count when there is no other: so do we. */
	*s = str_n(s->p + n, s->len - n);
	return true;
}

static void take_ranges(struct hasher *h, struct str line)
{
	int64_t before, after;

	if (str_skip(&line, "@@ -") && take_count(&line, &before) &&
	    str_skip(&line, " +") && take_count(&line, &after)) {
		h->before = before;
		h->after = after;
	}
}

static bool is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

enum step { STEP_HASH, STEP_SKIP, STEP_END };

static enum step header_line(struct hasher *h, struct str line)
{
	struct str index = line;

	if (str_starts(line, "GIT binary patch") || str_starts(line, "Binary files")) {
		h->binary = true;
		h->before = 0;
		sha1_add(&h->sum.sha, h->old_blob.p, h->old_blob.len);
		sha1_add(&h->sum.sha, h->new_blob.p, h->new_blob.len);
		patch_sum_flush(&h->sum);
		return STEP_SKIP;
	}
	if (str_skip(&index, "index ")) {
		take_blobs(h, index);
		return STEP_SKIP;
	}
	if (str_starts(line, "--- "))
		h->before = h->after = 1;
	else if (!line.len || !is_alpha(line.p[0]))
		return STEP_END;
	return STEP_HASH;
}

static enum step take_line(struct hasher *h, struct str line)
{
	if (str_starts(line, "\\ ") && line.len > 11)
		return STEP_SKIP;
	if (!h->bytes && !str_starts(line, "diff "))
		return STEP_SKIP;
	if (h->before == -1) {
		enum step step = header_line(h, line);

		if (step != STEP_HASH)
			return step;
	}
	if (h->binary) {
		if (str_starts(line, "diff ")) {
			h->binary = false;
			h->before = -1;
		}
		return STEP_SKIP;
	}
	if (!h->before && !h->after) {
		if (str_starts(line, "@@ -")) {
			take_ranges(h, line);
			return STEP_SKIP;
		}
		if (!str_starts(line, "diff "))
			return STEP_END;
		patch_sum_flush(&h->sum);
		h->before = h->after = -1;
	}
	if (line.len && (line.p[0] == '-' || line.p[0] == ' '))
		h->before--;
	if (line.len && (line.p[0] == '+' || line.p[0] == ' '))
		h->after--;
	return STEP_HASH;
}

bool diff_patch_id(struct str text, char ret[PATCH_ID_HEX])
{
	struct hasher h = { .before = -1, .after = -1 };
	struct str line;

	patch_sum_init(&h.sum);
	while (str_line(&text, &line)) {
		enum step step = take_line(&h, line);

		if (step == STEP_END)
			break;
		if (step == STEP_HASH)
			h.bytes += patch_sum_text(&h.sum, line);
	}
	if (!h.bytes)
		return false;
	patch_sum_end(&h.sum, ret);
	return true;
}
