// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remote.c - hosts of type ssh: their settings, what is sent to them, and their check.
 *The boot itself is trip.c, the way back home.c.
 *
 *	[series "host.NAME"]
 *		type = ssh
 *		ssh = DESTINATION	# default NAME
 *		boot = kexec|grub|bootctl|hook
 *		allow-reboot = true	# without it nothing is booted
 *		dir = /var/tmp/series	# there
 *		initrd = auto|none|FILE
 *		cmdline = PARAMETERS
 *		timeout = SECONDS	# for the host to come up
 *		powerHook, resetHook, consoleHook, bootHook = PROGRAM [ARGUMENT]...
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "remote.h"
#include "series/fs.h"
#include "series/mem.h"

/* For the process of a boot, which asks the host to go home before it ends. */
#define GRACE_MS      15000
#define PROBE_MS      60000
#define WANT_FREE_MIB 512

const char *host_hook_name(enum host_hook h)
{
	static const char *const names[] = {
		[HOOK_CONSOLE] = "consoleHook",
		[HOOK_RESET] = "resetHook",
		[HOOK_POWER] = "powerHook",
		[HOOK_BOOT] = "bootHook",
	};

	return names[h];
}

/* --- settings --- */

/* It stands in command lines of other machines: nothing that a shell would look at. */
static int check_dir(const struct host *h, struct err *err)
{
	const char *d = h->dir;

	if (d[0] == '/' && d[1] && !strstr(d, "/../"))
		while (*d && (isalnum((unsigned char)*d) || strchr("/._+-", *d)))
			d++;
	return *d ? err_set(err, E_USAGE,
			    "series.host.%s.dir is '%s'; expected an absolute path of "
			    "letters, digits and ._+-",
			    h->name, h->dir)
		  : 0;
}

static int read_hooks(const struct config *c, struct host *h, struct err *err)
{
	for (int i = 0; i < HOOK_N; i++) {
		const char *v = host_setting(c, h, host_hook_name(i));

		if (v && strvec_words(&h->hooks[i], str_c(v)))
			return err_set(err, E_USAGE,
				       "series.host.%s.%s: a quote is not closed: %s",
				       h->name, host_hook_name(i), v);
	}
	if (!strcmp(h->boot, "hook") && !h->hooks[HOOK_BOOT].n)
		return err_set(err, E_USAGE,
			       "series.host.%s.boot is hook, but bootHook is not set",
			       h->name);
	return 0;
}

static int read_ssh(const struct config *c, struct host *h, struct err *err)
{
	static const char *const boots[] = { "kexec", "grub", "bootctl", "hook", NULL };
	char *allow _cleanup_free_ = xasprintf("series.host.%s.allow-reboot", h->name);
	const char *to = host_setting(c, h, "ssh"), *dir = host_setting(c, h, "dir");
	const char *initrd = host_setting(c, h, "initrd");
	int r = host_choice(c, h, "boot", boots, &h->boot, err);

	h->accel = xstrdup("hardware");
	h->destination = xstrdup(to ? to : h->name);
	h->dir = xstrdup(dir ? dir : "/var/tmp/series");
	h->cmdline = xstrdup_null(host_setting(c, h, "cmdline"));
	h->initrd = initrd ? path_expand_home(initrd) : xstrdup("auto");
	h->allow_reboot = c && config_get_bool(c, allow, false);
	if (!r && h->destination[0] == '-')
		r = err_set(err, E_USAGE, "series.host.%s.ssh is '%s': not a destination",
			    h->name, h->destination);
	if (!r)
		r = check_dir(h, err);
	if (!r)
		r = host_int_setting(c, h, "timeout", 5, 86400, 300, &h->timeout_s, err);
	return r ? r : read_hooks(c, h, err);
}

/* --- a boot --- */

/* Everything in one folder, as it shall lie on the host; scp follows the links. */
static int stage(const struct boot_request *q, const char *agent, const char *dir,
		 struct err *err)
{
	const char *initrd = q->host->initrd;
	bool named = strcmp(initrd, "auto") && strcmp(initrd, "none");
	const char *const links[][2] = {
		{ "agent", agent },
		{ "kernel", q->image },
		{ "initrd", named ? initrd : NULL },
		{ "modules.tar", q->modules },
	};
	int r = fs_mkdirs(dir, err);

	if (!r)
		r = job_stage(q, dir, err);
	for (size_t i = 0; i < ARRAY_SIZE(links) && !r; i++) {
		char *to _cleanup_free_ = path_join(dir, links[i][0]);
		char *from _cleanup_free_ = NULL;

		if (!links[i][1])
			continue;
		/* from where the link lies, a relative path would lead elsewhere */
		from = realpath(links[i][1], NULL);
		if (!from)
			return err_set(err, E_NOTFOUND, "%s: no such file (%s)",
				       links[i][1], links[i][0]);
		if (symlink(from, to))
			r = err_errno(err, errno, "%s", to);
	}
	return r;
}

static int may_boot(const struct host *h, struct err *err)
{
	if (h->allow_reboot)
		return 0;
	return err_set(
		err, E_USAGE,
		"host %s may not be rebooted: git config series.host.%s.allow-reboot "
		"true, if it is yours to reboot",
		h->name, h->name);
}

static int start_ssh(struct boot *b, const struct boot_request *q, struct err *err)
{
	char *agent _cleanup_free_ = NULL;
	char *send _cleanup_free_ = path_join(q->dir, "send");
	char *argv[] = { (char *)"host", NULL };
	struct trip_arg arg = { .q = q, .paths = &b->paths };
	struct proc_opts o = { .argv = argv,
			       .run = trip_main,
			       .run_arg = &arg,
			       .out = PROC_FILE,
			       .err = PROC_FILE,
			       .out_path = b->paths.log,
			       .err_path = b->paths.log,
			       .grace_ms = GRACE_MS };
	int r = may_boot(q->host, err);

	if (!r)
		r = fs_rmtree(send, err);
	if (!r)
		r = lab_agent(q->host->config, q->arch, &agent, err);
	if (!r)
		r = stage(q, agent, send, err);
	if (r)
		return r;
	boot_start_clock(b, q);
	return proc_start(&o, &b->proc, err);
}

/* What the process of the boot wrote as its last word; NULL when it wrote none. */
static struct json *last_word(const struct boot *b)
{
	char *path _cleanup_free_ = path_join(b->dir, TRIP_FILE);
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j = NULL;

	if (!fs_read(path, (size_t)1 << 20, &text, NULL))
		json_parse(buf_str(&text), path, &j, NULL);
	return j;
}

static void explain_ssh(const struct boot *b, const struct proc_result *pr,
			struct boot_result *ret)
{
	struct json *j _cleanup_json_ = last_word(b);
	enum boot_state state;

	if (boot_state_find(json_get_str(j, "state"), &state) && state != BOOT_OK)
		boot_say(ret, state, "%s", json_get_str(j, "why"));
	else if (pr->signal)
		boot_say(ret, BOOT_VOID, "the process of the boot was killed (signal %d)",
			 pr->signal);
	else
		boot_say(ret, BOOT_INFRA_FAIL, "the boot ended without a word; see %s",
			 b->paths.log);
}

static void notes_ssh(const struct boot *b, struct strvec *ret)
{
	struct json *j _cleanup_json_ = last_word(b);

	json_get_strvec(j, "notes", ret);
}

static void clean_ssh(const struct boot *b)
{
	char *send _cleanup_free_ = path_join(b->dir, "send");

	fs_rmtree(send, NULL);
}

int host_ask_arch(const char *destination, const struct arch **ret, struct err *err)
{
	struct host h = { .name = (char *)destination,
			  .destination = (char *)destination };
	struct ssh s = { .host = NULL };
	struct buf out _cleanup_buf_ = BUF_INIT;
	char *machine _cleanup_free_ = NULL;
	int r = destination[0] == '-'
			? err_set(err, E_USAGE, "'%s' is no destination", destination)
			: ssh_open(&s, &h, err);

	if (!r)
		r = ssh_command(&s, "uname -m", STR_NULL, PROBE_MS, &out, err);
	ssh_close(&s);
	if (r)
		return r;
	machine = str_dup(str_trim(buf_str(&out)));
	r = arch_find(machine, ret, err);
	return r ? err_context(err, "%s", destination) : 0;
}

int host_shell(const struct host *h, struct strvec *ret_argv, struct err *err)
{
	if (!strcmp(h->type, "ssh"))
		strvec_pushl(ret_argv, "ssh", "--", h->destination, NULL);
	else
		return err_set(err, E_USAGE,
			       "host %s is of type %s: there is no shell to log in to",
			       h->name, h->type);
	return 0;
}

/* --- check --- */

static void need(bool have, const char *ok, const char *problem, struct host_check *ret)
{
	strvec_push(have ? &ret->ok : &ret->problems, have ? ok : problem);
}

static void check_kexec(const struct buf *out, struct host_check *ret)
{
	char *program _cleanup_free_ = ssh_value(out, "kexec");
	char *disabled _cleanup_free_ = ssh_value(out, "kexec_disabled");
	char *lockdown _cleanup_free_ = ssh_value(out, "lockdown");
	char *secure _cleanup_free_ = ssh_value(out, "secureboot");

	need(program && !strcmp(program, "yes"), "kexec: there",
	     "kexec not found there: install kexec-tools, or set boot to grub or bootctl",
	     ret);
	if (!disabled || !strcmp(disabled, "unsupported"))
		strvec_push(&ret->problems, "its kernel has no kexec (CONFIG_KEXEC): set "
					    "boot to grub or bootctl");
	else if (strcmp(disabled, "0"))
		strvec_push(&ret->problems, "kexec is switched off until it restarts "
					    "(kernel.kexec_load_disabled is 1)");
	if (lockdown && *lockdown && strcmp(lockdown, "none"))
		strvec_pushf(&ret->problems,
			     "its kernel is locked down (%s): kexec takes only signed "
			     "kernels; switch Secure Boot or lockdown off",
			     lockdown);
	else if (secure && !strcmp(secure, "1"))
		strvec_push(&ret->problems, "Secure Boot is on: kernels of ours are not "
					    "signed; switch it off in the firmware");
}

static void check_grub(const struct buf *out, struct host_check *ret)
{
	char *program _cleanup_free_ = ssh_value(out, "grub");
	char *once _cleanup_free_ = ssh_value(out, "grub_once");

	need(program && *program, "grub-reboot: there",
	     "neither grub-reboot nor grub2-reboot is there: set boot to kexec", ret);
	need(once && *once, "grub.cfg: an entry can be started once",
	     "its grub.cfg knows no next_entry: set GRUB_DEFAULT=saved and run "
	     "update-grub",
	     ret);
}

static void check_bootctl(const struct buf *out, struct host_check *ret)
{
	char *v _cleanup_free_ = ssh_value(out, "bootctl");

	need(v && !strcmp(v, "yes"), "systemd-boot: installed",
	     "systemd-boot does not boot it: set boot to kexec or grub", ret);
}

static void check_boot(const struct host *h, const struct buf *out,
		       struct host_check *ret)
{
	static const struct {
		const char *boot;
		void (*check)(const struct buf *out, struct host_check *ret);
	} table[] = {
		{ "kexec", check_kexec },
		{ "grub", check_grub },
		{ "bootctl", check_bootctl },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(h->boot, table[i].boot))
			table[i].check(out, ret);
}

static int64_t value_int(const struct buf *out, const char *key)
{
	char *v _cleanup_free_ = ssh_value(out, key);
	int64_t n = -1;

	if (!v || !str_to_i64(str_c(v), 0, INT64_MAX, &n))
		return -1;
	return n;
}

/* What it can do, apart from booting. */
static void check_fitness(const struct host *h, const struct buf *out,
			  struct host_check *ret)
{
	char *zram _cleanup_free_ = ssh_value(out, "zram");
	char *rw _cleanup_free_ = ssh_value(out, "modules_rw");
	char *fs _cleanup_free_ = ssh_value(out, "fs");
	char *dog _cleanup_free_ = ssh_value(out, "watchdog");
	int64_t room = value_int(out, "free_mib"), mem = value_int(out, "memory_mib");

	need(zram && !strcmp(zram, "yes"), "zram: there",
	     "its kernel has no zram: what pages out to it cannot be measured", ret);
	need(rw && !strcmp(rw, "yes"), "/lib/modules: can be written",
	     "/lib/modules cannot be written: kernels with modules cannot boot there",
	     ret);
	if (fs && !strcmp(fs, "tmpfs"))
		strvec_pushf(&ret->problems,
			     "%s there is in memory and does not survive a restart: set "
			     "series.host.%s.dir",
			     h->dir, h->name);
	if (room >= 0 && room < WANT_FREE_MIB)
		strvec_pushf(&ret->problems,
			     "%lld MiB are free in %s there: make room "
			     "for %d",
			     (long long)room, h->dir, WANT_FREE_MIB);
	else
		strvec_pushf(&ret->ok, "disk: %lld MiB free in %s", (long long)room,
			     h->dir);
	strvec_pushf(&ret->ok, "memory: %lld MiB available", (long long)mem);
	strvec_pushf(&ret->ok, "watchdog: %s",
		     dog && !strcmp(dog, "yes") ? "there"
						: "none, so a hang in a job lasts");
}

static void check_recovery(const struct host *h, struct host_check *ret)
{
	struct host_state st = HOST_STATE_INIT;
	struct err e _cleanup_err_ = ERR_INIT;

	need(h->allow_reboot, "may be rebooted",
	     "may not be rebooted: set allow-reboot to true, if it is yours to reboot",
	     ret);
	if (h->hooks[HOOK_POWER].n || h->hooks[HOOK_RESET].n)
		strvec_push(&ret->ok, "a kernel that hangs: ended by hook");
	else
		strvec_push(&ret->ok,
			    "a kernel that hangs: no powerHook or resetHook, so "
			    "somebody must walk there");
	if (host_state(h, &st, &e))
		strvec_pushf(&ret->problems, "%s", err_msg(&e));
	else if (st.quarantine)
		strvec_pushf(&ret->problems,
			     "in quarantine: it %s; 'series host reset %s' lifts it",
			     st.quarantine, h->name);
	else if (st.away)
		strvec_pushf(&ret->problems,
			     "it was left in %s: 'series host reset %s' brings it home",
			     st.away, h->name);
	host_state_release(&st);
}

static int check_ssh(const struct host *h, const struct arch *a, struct host_check *ret,
		     struct err *err)
{
	struct ssh s = { .host = h };
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct err e _cleanup_err_ = ERR_INIT;
	char *machine _cleanup_free_ = NULL, *release _cleanup_free_ = NULL;
	const struct arch *there = NULL;
	int r = ssh_open(&s, h, err);

	if (r)
		return r;
	check_agent(h, a, NULL, ret);
	check_recovery(h, ret);
	r = remote_dir(&s, &e);
	if (!r)
		r = ssh_script(&s, "probe", NULL, PROBE_MS, &out, &e);
	ssh_close(&s);
	if (r == E_INTR)
		return err_set(err, r, "%s", err_msg(&e));
	if (r) {
		strvec_push(&ret->problems, err_msg(&e));
		return 0;
	}
	machine = ssh_value(&out, "machine");
	release = ssh_value(&out, "release");
	strvec_pushf(&ret->ok, "%s answers: %s, %s", h->destination,
		     release ? release : "?", machine ? machine : "?");
	if (!machine || arch_find(machine, &there, NULL) || there != a)
		strvec_pushf(&ret->problems, "it is %s, not %s: set series.host.%s.arch",
			     machine ? machine : "of unknown arch", a->name, h->name);
	check_boot(h, &out, ret);
	check_fitness(h, &out, ret);
	return 0;
}

const struct driver driver_ssh = {
	.type = "ssh",
	.boots = true,
	.log = "host.log",
	.read = read_ssh,
	.start = start_ssh,
	.own_limits = true,
	.explain = explain_ssh,
	.check = check_ssh,
	.notes = notes_ssh,
	.clean = clean_ssh,
};
