/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tagtext.h - tags put into the message of a commit.
 */
#ifndef DESK_TAGTEXT_H
#define DESK_TAGTEXT_H

#include "series/git.h"
#include "series/strvec.h"

/* How trailers are put. */
struct tag_style {
	struct strvec own; /* addresses of the sender */
	/*
	 * As b4.trailer-order: patterns of fnmatch(3) on names in lower case, with commas
	 * between, for what stands below the last Signed-off-by of somebody else and what
	 * is new; "*": as they come.
	 */
	const char *order;
};
/* series.tags.trailer-order, else b4's setting, else "*". Borrowed. */
const char *trailer_order(const struct config *c);

/*
 * The message with these trailers ("Reviewed-by: A B <a@example.org>", lines of a note
 * below it) in front of the sender's Signed-off-by, which goes to the end with the
 * Co-developed-by: that belongs to it. What the message has already (the same type and
 * address) is left out. Everything else stays byte for byte. Returns how many came; with
 * 0 *out has the message as it was. Text below what git am cuts ("---", a diff) is none
 * of the message.
 */
size_t tagtext_add(struct str message, const struct strvec *lines,
		   const struct tag_style *style, struct buf *out);
/*
 * The message without the trailers of these lines: same type and address, with what they
 * go on in and the note that the line has below it. Trailers alone are looked at, in
 * whatever paragraphs at the end; one that is left empty goes. Everything else stays byte
 * for byte. Returns how many of the lines were found.
 */
size_t tagtext_remove(struct str message, const struct strvec *lines, struct buf *out);
/*
 * Does it have a trailer of that type for this address? In whatever paragraph: people put
 * blank lines between them, and a tag is never doubled.
 */
bool tagtext_has(struct str message, const char *type, const char *email);

#endif
