// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * settings.c - the table of our keys in git's configuration.
 */
#include <ctype.h>
#include <string.h>
#include "series/mem.h"
#include "series/opt.h"
#include "series/settings.h"

#define OURS "series."

static const struct setting table[] = {
	{ "arch.*.config", "CONFIG",
	  "configuration of builds for this architecture; see "
	  "series-build(1)" },
	{ "arch.*.cross", "PREFIX", "prefix of its cross compiler, instead of Debian's" },
	{ "arch.*.make", "ARGS", "more arguments for make, such as LLVM=1" },
	{ "baseCandidate", "BRANCH",
	  "branch that base --suggest tries; any number of them" },
	{ "bench", "NAME",
	  "benchmark that bench runs when none is named; any number of them" },
	{ "benchDeadline", "SECONDS", "longest time of one boot of bench" },
	{ "buildLimit", "SIZE", "room that build --gc leaves to builds (default 20g)" },
	{ "ccache", "BOOL", "build with ccache where it is installed (default true)" },
	{ "changelog", "changes|arrow",
	  "style of a changelog: \"Changes in v2:\" or "
	  "\"v1 -> v2:\"" },
	{ "changelog.patches", "patches|cover|both",
	  "where the changelog of a single patch goes" },
	{ "check.days", "N", "days that should pass between two versions (default 1)" },
	{ "check.*", "off|warn|error", "what a check of series-check(1) is taken for" },
	{ "config", "CONFIG", "configuration of builds (default vm)" },
	{ "coverTemplate", "NAME", "template of a new cover letter: a name or a file" },
	{ "email", "ADDRESS", "one more address of yours; any number of them" },
	{ "host.*.accel", "auto|kvm|tcg|icount", "how QEMU runs the guest" },
	{ "host.*.alias", "TEXT", "name of the host that mail may show" },
	{ "host.*.allow-reboot", "BOOL", "an ssh host may be rebooted (default no)" },
	{ "host.*.arch", "ARCH", "the only architecture that it boots" },
	{ "host.*.boot", "kexec|grub|bootctl|hook", "how an ssh host is booted once" },
	{ "host.*.bootHook", "PROGRAM", "boots the kernel of $SERIES_KERNEL" },
	{ "host.*.cmdline", "PARAMETERS", "more kernel parameters on an ssh host" },
	{ "host.*.consoleHook", "PROGRAM", "prints the console of an ssh host" },
	{ "host.*.cpu", "NAME", "CPU of the guest, instead of the table's" },
	{ "host.*.cpus", "N", "CPUs of the guest (default 1)" },
	{ "host.*.dir", "PATH", "folder on an ssh host (default /var/tmp/series)" },
	{ "host.*.extra", "ARG", "one more argument for QEMU; any number of them" },
	{ "host.*.initrd", "auto|none|FILE", "initramfs for an ssh host" },
	{ "host.*.machine", "NAME", "machine of QEMU, instead of the table's" },
	{ "host.*.memory", "MIB", "memory of the guest in MiB (default 1024)" },
	{ "host.*.powerHook", "PROGRAM", "switches an ssh host off and on" },
	{ "host.*.resetHook", "PROGRAM", "restarts an ssh host that does not answer" },
	{ "host.*.ssh", "DESTINATION", "where ssh finds the host (default its name)" },
	{ "host.*.timeout", "SECONDS", "for an ssh host to come up (default 300)" },
	{ "host.*.type", "qemu|ssh|local", "kind of the host; see series-host(1)" },
	{ "instrument.*.delta", "FRACTION",
	  "change that counts as one, for the clock (real) "
	  "or counted instructions (icount)" },
	{ "instrument.*.floor", "FRACTION", "noise that is always there" },
	{ "instrument.*.q", "FRACTION", "share of false findings that is put up with" },
	{ "key.*", "KEY...", "keys of an action of triage; its help (?) has the names" },
	{ "linkMask", "URL",
	  "address of a mail, %s for its Message-ID, in changelogs and "
	  "Link:" },
	{ "midMask", "URL",
	  "archive from which mails are fetched, %s for the Message-ID" },
	{ "tags.changed", "ask|keep|drop",
	  "what becomes of tags of a patch that changed "
	  "since" },
	{ "tags.trailer-order", "LIST", "order of trailers, as b4.trailer-order" },
	{ "thanks.tree", "NAME", "name of the tree in the mails of thank" },
	{ "thanks.url", "URL", "address of a commit in them, %s for its id" },
	{ "thread", "new|reply",
	  "is a new version a thread of its own, or a reply to the one "
	  "before (default new)" },
	{ "triage.base", "BRANCH",
	  "triage tries in the background which series apply to it" },
	{ "triage.branch", "BRANCH",
	  "branch that takes patches: what is in it has landed; any "
	  "number of them" },
	{ "triage.browser", "COMMAND", "program that opens an address" },
	{ "triage.days", "N", "how far back triage looks (default 90)" },
	{ "triage.me", "ADDRESS",
	  "whose turn \"waits for me\" means; any number of them" },
};

const struct setting *setting_at(size_t i)
{
	return i < ARRAY_SIZE(table) ? &table[i] : NULL;
}

/* The text before the "*" of a pattern and the text behind it; false: it has none. */
static bool split(const struct setting *s, struct str *head, struct str *tail)
{
	struct str key = str_c(s->key);
	ptrdiff_t star = str_chr(key, '*');

	if (star < 0)
		return false;
	*head = str_n(key.p, (size_t)star);
	*tail = str_n(key.p + star + 1, key.len - (size_t)star - 1);
	return true;
}

static bool matches(const struct setting *s, struct str key)
{
	struct str head, tail, any;

	if (!split(s, &head, &tail))
		return str_ieqc(key, s->key);
	if (key.len <= head.len + tail.len)
		return false;
	any = str_n(key.p + head.len, key.len - head.len - tail.len);
	/* A "*" at the end is the last part of a key, which has no dot. */
	return str_ieq(str_n(key.p, head.len), head) &&
	       str_ieq(str_n(any.p + any.len, tail.len), tail) &&
	       (tail.len || str_chr(any, '.') < 0);
}

const struct setting *setting_find(const char *key)
{
	struct str k = str_c(key);

	if (!str_skip(&k, OURS))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (matches(&table[i], k))
			return &table[i];
	return NULL;
}

/* The key that the row would mean here: the middle part of the typed one in place of "*".
 */
static char *as_typed(const struct setting *s, struct str typed)
{
	struct str head, tail, rest = typed, part;
	ptrdiff_t dot;

	if (!split(s, &head, &tail))
		return xstrdup(s->key);
	if (!str_cut(&rest, '.', &part))
		return NULL;
	if (!tail.len && str_chr(rest, '.') >= 0)
		return NULL;
	dot = tail.len ? (ptrdiff_t)rest.len : -1;
	while (dot > 0 && rest.p[dot - 1] != '.')
		dot--;
	if (tail.len)
		rest.len = dot > 0 ? (size_t)dot - 1 : 0;
	return xasprintf(STR_FMT STR_FMT STR_FMT, STR_ARG(head), STR_ARG(rest),
			 STR_ARG(tail));
}

/* How far apart they are; git lists most parts of a key in lower case. */
static size_t score(struct str typed, const char *name)
{
	char *a _cleanup_free_ = str_dup(typed), *b _cleanup_free_ = xstrdup(name);

	for (char *p = a; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	for (char *p = b; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return nearest_score(str_c(a), b);
}

char *setting_near(const char *key)
{
	struct str typed = str_c(key);
	size_t least = NEAREST_NONE;
	char *best = NULL;

	if (!str_skip(&typed, OURS))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		char *name _cleanup_free_ = as_typed(&table[i], typed);
		size_t far = name ? score(typed, name) : NEAREST_NONE;

		if (far >= least)
			continue;
		least = far;
		free(best);
		best = xasprintf(OURS "%s", name);
	}
	return best;
}

bool setting_allows(const struct setting *s, const char *value)
{
	struct str rest = str_c(s->arg), one;

	if (str_chr(rest, '|') < 0)
		return true;
	while (str_cut(&rest, '|', &one))
		if (str_eqc(one, value))
			return true;
	return false;
}
