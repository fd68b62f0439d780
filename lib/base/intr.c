// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intr.c - SIGINT, SIGTERM and SIGHUP as a flag.
 */
#include <signal.h>
#include <stddef.h>
#include "series/intr.h"

static volatile sig_atomic_t count, ended;
static int held;

static void on_signal(int sig)
{
	ended = ended || sig != SIGINT;
	/* Somebody means it, and whatever runs does not look at the flag. */
	if (++count >= 3) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

void intr_install(void)
{
	/* No SA_RESTART: a prompt that waits for the person must come back. */
	struct sigaction act = { .sa_handler = on_signal }, old;

	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	/* nohup(1) ignores SIGHUP for us: leave it so. */
	if (!sigaction(SIGHUP, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &act, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
}

bool intr_pending(void)
{
	return count > 0 && !held;
}

void intr_hold(void)
{
	held++;
}

void intr_unhold(void)
{
	held--;
}

void intr_forget(void)
{
	if (!ended)
		count = 0;
}

int intr_check(struct err *err)
{
	return intr_pending() ? err_set(err, E_INTR, "interrupted") : 0;
}
