/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gzip.h - gzip files (RFC 1952) unpacked; the only door to zlib.
 */
#ifndef SERIES_GZIP_H
#define SERIES_GZIP_H

#include "series/err.h"

/*
 * Copy what is left of the file `from` to `to`, unpacked when it is gzip (several members
 * behind each other are one), as it is when not. Neither is closed. name is for messages.
 * E_CORRUPT: it ends early or is damaged; what was good before that has been written.
 * E_FAIL also when more than 256 MB come of less than a fiftieth, or more than 4 GB of what
 * is no regular file: the disk would be full. E_INTR.
 */
int gzip_copy(int from, int to, const char *name, struct err *err);

#endif
