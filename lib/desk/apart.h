/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart.h - git writes its objects apart: into a folder of ours, and reads the
 * repository's as well.
 */
#ifndef SERIES_APART_H
#define SERIES_APART_H

#include "series/git.h"

/* The two settings for the environment of git ("NAME=value"). The caller frees both. */
void objects_apart(struct repo *r, const char *objects, char *ret[2]);

#endif
