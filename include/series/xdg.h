/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xdg.h - where our files live (XDG base directory specification 0.8).
 */
#ifndef SERIES_XDG_H
#define SERIES_XDG_H

/* $XDG_CACHE_HOME/series/SUB or ~/.cache/series/SUB in fresh memory; sub may be NULL. */
char *xdg_cache(const char *sub);
char *xdg_data(const char *sub);
char *xdg_config(const char *sub);
/*
 * Templates: $SERIES_TEMPLATES, else PREFIX/share/series, else "templates" beside the
 * binary's source tree; joined with sub. NULL if sub is in none of them.
 */
char *xdg_template(const char *sub);

#endif
