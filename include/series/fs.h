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

/*
 * In fresh memory, with "~" and "~USER" at its start made the home directory, as git config
 * --type=path has it; as it is when there is no such home.
 */
char *path_expand_home(const char *path);

/*
 * Append the file to *ret, whatever size it claims (/proc). E_NOTFOUND if missing; E_FAIL
 * beyond max bytes (0: BUF_MAX) or beyond the ceiling of *ret, which then is as before.
 */
int fs_read(const char *path, size_t max, struct buf *ret, struct err *err);
/* Last max bytes of a file appended to *ret (max at most BUF_MAX / 4, which 0 means). */
int fs_read_tail(const char *path, size_t max, struct buf *ret, struct err *err);
/*
 * Temporary file beside path, write, fsync, rename, fsync of the directory. The mode is
 * less umask; a link at path is replaced, not followed. After a failure the temporary is
 * gone and path as before (only when the last fsync fails is it the new file).
 */
int fs_write_atomic(const char *path, const void *data, size_t len, mode_t mode,
		    struct err *err);
/* fs_write_atomic() of dir/path with mode 0644; the directories of path are made first. */
int fs_write_below(const char *dir, const char *path, struct str text, struct err *err);
/* Write everything to fd; path is for the message. */
int fs_write_fd(int fd, const void *data, size_t len, const char *path, struct err *err);
/* Copy the bytes of one file to a new one (through a temporary, with the same mode). */
int fs_copy(const char *from, const char *to, struct err *err);
int fs_fsync_dir(const char *path, struct err *err);
/* mkdir -p with mode 0777 less umask. E_EXISTS if something else has the name. */
int fs_mkdirs(const char *path, struct err *err);
/* rm -rf; a missing path is no error. Never follows links; refuses "/", "." and "..". */
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
/*
 * Whole path of a program on PATH in fresh memory, NULL if there is none. A name with a
 * slash stands for itself. Empty entries of PATH, which mean the current directory, are
 * passed over.
 */
char *fs_find_program(const char *name);
/* The same on another list of directories, separated by colons. */
char *fs_find_program_in(const char *search, const char *name);

#endif
