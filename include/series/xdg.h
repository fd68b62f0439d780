/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xdg.h - where our files live (XDG base directory specification 0.8).
 */
#ifndef SERIES_XDG_H
#define SERIES_XDG_H

/*
 * $XDG_CACHE_HOME/series/SUB or ~/.cache/series/SUB in fresh memory; sub may be NULL. A
 * relative $XDG_... is ignored, as the specification asks. Without $HOME the home of the
 * user database counts. Nothing is created.
 */
char *xdg_cache(const char *sub);
char *xdg_data(const char *sub);
/*
 * A template: sub below the first of $SERIES_TEMPLATES, PREFIX/share/series (SERIES_DATADIR
 * of the Makefile) and the "templates" of the source tree the binary was built in that
 * has it; in fresh memory. NULL sub: the folder itself. NULL if sub is in none of them.
 */
char *xdg_template(const char *sub);

#endif
