/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor_priv.h - what the files of doctor share.
 */
#ifndef DESK_DOCTOR_PRIV_H
#define DESK_DOCTOR_PRIV_H

#include "series/doctor.h"

void doctor_add(struct doctor *d, const char *id, enum doctor_state state,
		char *what_take, char *remedy_take);
/* Remotes whose push or fetch would delete or overwrite refs/series. */
void doctor_remotes(struct doctor *d, const struct config *c);
/* Keys below series.* that nothing reads, and values that no command takes. */
void doctor_settings(struct doctor *d, const struct config *c);
/* What killed processes left in the repository. */
void doctor_leftovers(struct doctor *d, struct repo *r);

#endif
