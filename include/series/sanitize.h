/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sanitize.h - foreign text made fit for a terminal.
 *
 * What came from mail, a host or a log may hold escape sequences, C0 and C1 controls,
 * bidirectional overrides and invalid UTF-8. Printers pass all of it through here.
 */
#ifndef SERIES_SANITIZE_H
#define SERIES_SANITIZE_H

#include "series/buf.h"
#include "series/utf8.h"

/*
 * Append s without escape sequences (ECMA-48 CSI, OSC, ...), controls other than LF and
 * TAB, DEL, C1 controls and bidi controls (U+202A-202E, U+2066-2069, U+200E-200F, U+061C);
 * invalid UTF-8 becomes U+FFFD. The text inside OSC, DCS, SOS, PM and APC strings goes
 * too, but never more than to the end of its line: an open string hides nothing below.
 */
void sanitize(struct str s, struct buf *out);
/* The same on one line: LF, CR and TAB become a blank. */
void sanitize_line(struct str s, struct buf *out);
/* In fresh memory. */
char *sanitize_dup(const char *s);
char *sanitize_line_dup(const char *s);
/*
 * The first control character of a line (C0 or DEL) that is no tab, or -1. CR may stand at
 * its end.
 */
int control_in(struct str line);
/*
 * s as one word of a shell, for commands that a person pastes: as it is when it is plain
 * (letters, digits, "._/+@%:,-", no dash in front), else in single quotes. Fresh memory.
 */
char *shell_word(const char *s);

#endif
