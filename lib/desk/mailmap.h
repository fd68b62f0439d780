/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mailmap.h - two addresses of one person.
 */
#ifndef DESK_MAILMAP_H
#define DESK_MAILMAP_H

#include <stdbool.h>

/* A same_person (tag.h) that asks git's mailmap; repo is a struct repo. */
bool same_by_mailmap(void *repo, const char *a, const char *b);

#endif
