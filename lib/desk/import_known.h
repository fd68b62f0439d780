/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_known.h - is what somebody posted a series of this repository already?
 */
#ifndef DESK_IMPORT_KNOWN_H
#define DESK_IMPORT_KNOWN_H

#include "series/import_posted.h"

/*
 * By the Message-IDs of its mails: E_EXISTS names the series that has one of them, and
 * what to do. Series that cannot be read are passed over.
 */
int import_known(struct repo *r, const struct config *c,
		 const struct import_posted_opts *o, struct err *err);

#endif
