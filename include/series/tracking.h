/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracking.h - what b4 send says of a series in the mails themselves.
 */
#ifndef SERIES_TRACKING_H
#define SERIES_TRACKING_H

#include "series/mail.h"

/*
 * Append the Message-IDs of earlier versions that X-B4-Tracking names: "v=1; b=" and
 * base64 of gzip of JSON {"series": {"history": {"v1": [ID, ...]}}} (b4 0.12, ez.py).
 * One that is damaged gives none.
 */
void tracking_ids(const struct mail *m, struct strvec *ret);
/* "change-id" of it, else the header X-Change-ID; NULL, or the caller frees. */
char *tracking_change_id(const struct mail *m);

#endif
