// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trailer.c - see trailer.h.
 */
#include <ctype.h>
#include "series/mem.h"
#include "series/trailer.h"

bool trailer_read(struct str line, struct str *ret_key, struct str *ret_value)
{
	ptrdiff_t colon = str_chr(line, ':');

	if (colon < 1 || ((size_t)colon + 1 < line.len && line.p[colon + 1] != ' ' &&
			  line.p[colon + 1] != '\t'))
		return false;
	for (ptrdiff_t i = 0; i < colon; i++)
		if (!isalnum((unsigned char)line.p[i]) && line.p[i] != '-')
			return false;
	*ret_key = str_n(line.p, colon);
	*ret_value = str_trim(str_n(line.p + colon + 1, line.len - colon - 1));
	return true;
}

bool trailer_is(struct str line, const char *word, struct str *ret_value)
{
	size_t len = strlen(word);

	if (!str_istarts(line, word) || line.len <= len || line.p[len] != ':')
		return false;
	*ret_value = str_trim(str_n(line.p + len + 1, line.len - len - 1));
	return true;
}

bool trailer_is_person(struct str line)
{
	struct str key, value;

	return trailer_read(line, &key, &value) && key.len > 3 &&
	       str_ieqc(str_n(key.p + key.len - 3, 3), "-by");
}

bool trailer_is_known(struct str line)
{
	static const char *const words[] = {
		"Bug",	     "BugLink",	   "Bugzilla",	    "Cc",
		"Change-Id", "Closes",	   "Depends-on",    "Fixes",
		"Link",	     "Message-ID", "Patchwork",	    "Ref",
		"Reference", "References", "Stable-dep-of", "To",
	};
	struct str key, value;

	if (!trailer_read(line, &key, &value))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_ieqc(key, words[i]))
			return true;
	return trailer_is_person(line);
}

size_t trailers_at(struct str text)
{
	/* Where the paragraph begins, and where the known ones at its end do. */
	size_t block = text.len, run = text.len, paragraphs = 0;
	bool blank = true, all = false, known = false;
	struct str rest = text, line, key, value;

	while (str_line(&rest, &line)) {
		size_t at = (size_t)(line.p - text.p);
		bool goes_on =
			!blank && (str_starts(line, " ") || str_starts(line, "\t") ||
				   str_starts(line, "["));

		if (!str_trim(line).len) {
			blank = true;
			continue;
		}
		if (blank) {
			block = at;
			run = text.len;
			all = true;
			known = blank = false;
			paragraphs++;
		}
		if (goes_on)
			continue;
		all = all && trailer_read(line, &key, &value);
		if (!trailer_is_known(line)) {
			run = text.len;
			continue;
		}
		known = true;
		run = MIN(run, at);
	}
	return all && known && paragraphs > 1 ? block : run;
}
