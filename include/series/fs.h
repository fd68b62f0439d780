/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fs.h - files: read whole, written whole or not at all.
 *
 * Errors name the path. What is written by fs_write_atomic() is, after a crash, either
 * the old file or the new one.
 */
#ifndef SERIES_FS_H
#define SERIES_FS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/strvec.h"

/* "a/b" in fresh memory; a slash at the end of a is not doubled. */
char *path_join(const char *a, const char *b);
/* Part behind the last slash. Borrowed from path. */
const char *path_base(const char *path);
/* Part before the last slash in fresh memory, "." when there is none. */
char *path_dir(const char *path);

/* Append the file to *ret. E_NOTFOUND if missing; E_FAIL beyond max bytes (0: BUF_MAX). */
int fs_read(const char *path, size_t max, struct buf *ret, struct err *err);
/* Last max bytes of a file appended to *ret. */
int fs_read_tail(const char *path, size_t max, struct buf *ret, struct err *err);
/* Temporary file beside path, write, fsync, rename, fsync of the directory. */
int fs_write_atomic(const char *path, const void *data, size_t len, mode_t mode,
		    struct err *err);
/* Write everything to fd; path is for the message. */
int fs_write_fd(int fd, const void *data, size_t len, const char *path, struct err *err);
/* Copy the bytes of one file to a new one (through a temporary, with the same mode). */
int fs_copy(const char *from, const char *to, struct err *err);
int fs_fsync_dir(const char *path, struct err *err);
/* mkdir -p with mode 0777 less umask. */
int fs_mkdirs(const char *path, struct err *err);
/* rm -rf; a missing path is no error. Never follows links. */
int fs_rmtree(const char *path, struct err *err);
/* unlink; a missing path is no error. */
int fs_unlink(const char *path, struct err *err);
/* New private directory in $TMPDIR (or /tmp): path in fresh memory. */
int fs_tmpdir(const char *prefix, char **ret, struct err *err);
bool fs_exists(const char *path);
bool fs_is_dir(const char *path);
bool fs_is_exec(const char *path);
/* Size in bytes or -1. */
int64_t fs_size(const char *path);
/* Names in a directory without . and .., sorted by byte. E_NOTFOUND if missing. */
int fs_list(const char *path, struct strvec *ret, struct err *err);
/* Sum of st_blocks below path in bytes, 0 if missing. */
int64_t fs_tree_bytes(const char *path);
/* Whole path of a program on PATH in fresh memory, NULL if there is none. */
char *fs_find_program(const char *name);

#endif
