/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal.h - records of a fixed size on preallocated space, each with its checksum.
 *
 * A record is one line of 256 bytes: number, kind, subject number, text, checksum. The
 * first one that does not check out is the end of the journal; a good one behind it means
 * that the file was damaged. If it was written to its end and does not check out, then a
 * word is lost: the reader gets the record "lost" and takes the worst for true.
 */
#ifndef SERIES_JOURNAL_H
#define SERIES_JOURNAL_H

#include "series/err.h"
#include "series/str.h"

struct journal;

/* Make the file at path with space for that many records. */
int journal_create(const char *path, size_t records, struct err *err);
/*
 * Open and hand each record, oldest first, to on_record; its error stops. E_CORRUPT when
 * the file is missing or has not even the space for the records it was created with.
 */
int journal_open(const char *path, size_t records,
		 int (*on_record)(const char *kind, size_t k, const char *text, void *arg,
				  struct err *err),
		 void *arg, struct journal **ret, struct err *err);
/* Make sure that n more records have their space on disk. */
int journal_reserve(struct journal *j, size_t n, struct err *err);
/*
 * Append; kind has at most four letters. With sync it and all before it are on disk when
 * this returns; without, a loss of power may take it, and only it.
 */
int journal_append(struct journal *j, const char *kind, size_t k, const char *text,
		   bool sync, struct err *err);
void journal_close(struct journal *j);

#endif
