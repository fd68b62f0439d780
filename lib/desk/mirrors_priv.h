/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirrors_priv.h - what mirrors.c and mirrors_fetch.c share. */
#ifndef DESK_MIRRORS_PRIV_H
#define DESK_MIRRORS_PRIV_H

#include "series/mirrors.h"

/*
 * Fetch all epochs; finds out m->form when it is NULL. E_NOTFOUND: there is no list at
 * the source.
 */
int mirrors_fetch(struct mirror_conf *m, struct err *err);
/* Seconds since 1970 of a date as git knows them; E_USAGE. */
int mirrors_date(const char *text, int64_t *ret, struct err *err);

#endif
