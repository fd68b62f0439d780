// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outcome.c: tells what is the kernel's doing from what is the host's. The kernel's is
 * counted and shown, the host's is repeated.
 */
#include "outcome.h"

#include <string.h>
#include "series/mem.h"

static const char *const names[OUTCOME_KINDS] = {
	[OUTCOME_CRASHED] = "crashed",
	[OUTCOME_HUNG] = "hung",
	[OUTCOME_NO_BOOT] = "did not boot",
	[OUTCOME_UNPROVEN] = "proof not met",
	[OUTCOME_RUN] = "failed run",
	[OUTCOME_TAINT] = "taint",
	[OUTCOME_LOCKUP] = "lockup",
	[OUTCOME_RCU] = "RCU stall",
	[OUTCOME_HUNG_TASK] = "hung task",
	[OUTCOME_OOM] = "out of memory",
	[OUTCOME_ALLOC] = "allocation failure",
	[OUTCOME_WARNING] = "WARNING",
	[OUTCOME_BUG] = "BUG",
	[OUTCOME_OTHER] = "kernel message of note",
};

/* The kernel's texts, the more special before the more general. */
static const struct {
	const char *text;
	enum outcome_kind kind;
} messages[] = {
	{ NOTE_RUN, OUTCOME_RUN },
	{ NOTE_PROOF, OUTCOME_UNPROVEN },
	{ NOTE_TAINT, OUTCOME_TAINT },
	{ "soft lockup", OUTCOME_LOCKUP },
	{ "hard LOCKUP", OUTCOME_LOCKUP },
	{ "rcu: INFO: ", OUTCOME_RCU },
	{ "self-detected stall", OUTCOME_RCU },
	{ "detected stalls on CPUs", OUTCOME_RCU },
	{ " blocked for more than ", OUTCOME_HUNG_TASK },
	{ "Out of memory", OUTCOME_OOM },
	{ "oom-killer", OUTCOME_OOM },
	{ "page allocation failure", OUTCOME_ALLOC },
	{ "WARNING", OUTCOME_WARNING },
	{ "BUG", OUTCOME_BUG },
};

bool outcome_counts(enum boot_state state)
{
	switch (state) {
	case BOOT_OK:
	case BOOT_FAIL:
	case BOOT_CRASHED:
	case BOOT_HUNG:
		return true;
	case BOOT_RUNNING:
	case BOOT_BUILD_FAIL:
	case BOOT_WRONG_KERNEL:
	case BOOT_INFRA_FAIL:
	case BOOT_VOID:
		break;
	}
	return false;
}

const char *outcome_name(enum outcome_kind kind)
{
	return names[kind];
}

static enum outcome_kind of_message(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		if (strstr(text, messages[i].text))
			return messages[i].kind;
	return OUTCOME_OTHER;
}

unsigned outcome_of_boot(const struct bench_boot *b)
{
	unsigned seen = 0;

	if (b->state == BOOT_CRASHED)
		seen |= 1u << OUTCOME_CRASHED;
	else if (b->state == BOOT_HUNG)
		seen |= 1u << OUTCOME_HUNG;
	else if (b->state == BOOT_FAIL)
		seen |= 1u << OUTCOME_NO_BOOT;
	for (size_t i = 0; i < b->notes.n; i++)
		seen |= 1u << of_message(b->notes.v[i]);
	return seen;
}
