/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ssh.h - one connection to a host of type ssh. Private to lib/lab.
 */
#ifndef LAB_SSH_H
#define LAB_SSH_H

#include "series/buf.h"
#include "series/lab.h"

#define SSH_LOST 255 /* status of ssh when the connection, not the command, failed */

struct ssh {
	const struct host *host;
	char *dir; /* of the socket of the shared connection */
	/* Where lines of news go; NULL: nowhere. */
	void (*say)(const char *line, void *arg);
	void *say_arg;
};

int ssh_open(struct ssh *s, const struct host *h, struct err *err);
/* End the shared connection: the machine behind it is about to be another. */
void ssh_drop(struct ssh *s);
void ssh_close(struct ssh *s);
/*
 * All below: E_TIMEOUT when the connection failed or nothing came in time, E_FAIL when
 * the command did; timeout_ms of 0 is none. ret_out may be NULL.
 */
int ssh_command(struct ssh *s, const char *command, struct str input, int64_t timeout_ms,
		struct buf *ret_out, struct err *err);
/* NAME='VALUE' for a script, whatever the value has in it. */
void ssh_set(struct buf *script, const char *name, const char *value);
/* Run templates/host/NAME.sh there, as root, behind DIR=... and the variables. */
int ssh_script(struct ssh *s, const char *name, const struct buf *vars,
	       int64_t timeout_ms, struct buf *ret_out, struct err *err);
/* Run the agent there, as root. args are words for sh, "$DIR" is known. */
int ssh_agent(struct ssh *s, const char *args, int64_t timeout_ms, struct buf *ret_out,
	      struct err *err);
/* The same, each line of its output to on_line as it comes. */
int ssh_follow(struct ssh *s, const char *args, int64_t timeout_ms,
	       void (*on_line)(struct str line, void *arg), void *arg, struct err *err);
/* scp files and folders into the host's folder. */
int ssh_send(struct ssh *s, const struct strvec *paths, struct err *err);
/* A line of news, sanitised. */
void ssh_note(const struct ssh *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Value of KEY in lines KEY=VALUE, sanitised; fresh memory, NULL when it is not there. */
char *ssh_value(const struct buf *out, const char *key);

#endif
