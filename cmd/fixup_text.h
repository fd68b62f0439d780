/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixup_text.h - the fix for a patch, and the text that says what was wrong: given, or
 * from the fixup! commits, or from the user's editor.
 */
#ifndef CMD_FIXUP_TEXT_H
#define CMD_FIXUP_TEXT_H

#include "cmd.h"
#include "series/fixup.h"

typedef int fixup_use(struct ctx *c, struct fix *f, const char *message, void *arg,
		      struct err *err);
/*
 * Find the fix for patch k of the last version, and its text; then call use(). given: the
 * text in place of that of the fixup! commits, whose trailers stay; or NULL. A text that
 * was written in the editor is kept for the next time unless use() ends well, and in a
 * rehearsal anyway. E_FAIL when a mail should not carry it (intake.h).
 */
int fixup_with_text(struct ctx *c, int k, const char *given, bool rehearsal,
		    fixup_use *use, void *arg, struct err *err);

#endif
