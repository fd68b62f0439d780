/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - mails that an argument names: a file, standard input, a thread of an archive.
 */
#ifndef CMD_SOURCE_H
#define CMD_SOURCE_H

#include "cmd.h"
#include "series/mailsrc.h"

struct source_opts {
	bool offline; /* ask no server */
	bool mboxo;   /* in a file ">From " stands for "From " */
};

/*
 * "-", a file, a Maildir, a Message-ID or link. *ret_id: the Message-ID, NULL for a file.
 * A thread that is a copy of before is told (progress_note()).
 */
int source_open(struct ctx *c, const struct source_opts *o, const char *arg,
		struct mailsrc **ret, char **ret_id, struct err *err);

#endif
