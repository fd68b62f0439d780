/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remote.h - a machine that is sent into another kernel and brought back. Private to
 * lib/lab: remote.c is the driver, trip.c one boot, home.c the way back.
 */
#ifndef LAB_REMOTE_H
#define LAB_REMOTE_H

#include "lab_priv.h"
#include "ssh.h"

/* Who answers: from the agent's hello. */
struct seen {
	char *boot_id, *build_id, *release, *machine, *line;
};
void seen_release(struct seen *s);
#define _cleanup_seen_ __attribute__((cleanup(seen_release)))
/* Ask the agent there; E_TIMEOUT when the host does not answer. *ret is overwritten. */
int remote_ask(struct ssh *s, struct seen *ret, struct err *err);
/*
 * Make the host's folder, which must be the login's own and nobody else's to write to: what
 * lies in it is run as root. Frees the agent's name there.
 */
int remote_dir(struct ssh *s, struct err *err);
/* boot_id of what runs there, without an agent; fresh memory. */
int remote_boot_id(struct ssh *s, char **ret, struct err *err);
/* Run a hook to its end; 0 when it succeeded. E_NOTFOUND when there is none. */
int hook_run(struct ssh *s, enum host_hook which, char *const *env, int64_t timeout_ms,
	     struct err *err);

enum home_how {
	HOME_WAIT, /* all of it */
	HOME_NOW,  /* it was waited for already: hooks at once where it does not answer */
	HOME_HURRY, /* only ask it */
};
/*
 * Bring a host that is away back to its own kernel: ask it to restart, or wait for it to
 * come by itself, reset hook, power hook; then it is in quarantine. *st is what is
 * remembered, and is saved as it changes.
 */
int go_home(struct ssh *s, struct host_state *st, enum home_how how, struct err *err);

/* One boot, in a process of its own; writes TRIP_FILE into q->dir. */
struct trip_arg {
	const struct boot_request *q;
	const struct boot_paths *paths;
	const char *agent; /* for the host's arch */
};
int trip_main(void *arg);
#define TRIP_FILE "trip.json"

#endif
