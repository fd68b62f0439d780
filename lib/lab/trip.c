// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trip.c - one boot of a remote host, in a process of its own: what the kernel needs is
 * sent, the note "away" is written, the kernel is started and recognised by boot_id and
 * build-id, the job runs there by itself and is followed, and the host comes home. A
 * connection that is lost is not a crash: the boot_id tells.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "hoststate.h"
#include "remote.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/time.h"

#define SEC	  ((int64_t)1000000000)
#define MS	  ((int64_t)1000000)
#define SCRIPT_MS ((int64_t)120000)
#define UNPACK_MS ((int64_t)900000) /* an initramfs that is made there */
#define LOOK_MS	  1000
#define DYING_MS  2000
#define LOCK_MS	  3600000 /* another boot of ours on this host */
#define MAX_BYTES ((int64_t)256 << 20)
/* panic=10: time for the last words to get out, and then home by itself. */
#define CMDLINE "panic=10 oops=panic softlockup_panic=1"

struct trip {
	const struct boot_request *q;
	const struct boot_paths *paths;
	const struct host *host;
	const char *agent;
	struct ssh ssh;
	struct lock lock;
	struct host_state st;
	struct seen home;
	char *boot_id; /* of the kernel under test */
	char *cmdline; /* of the host's own kernel */
	struct proc *console;
	int job_fd, console_fd;
	int64_t job_bytes, kmsg_seq;
	bool last_word; /* "done" or "error" came */
	enum boot_state state;
};

static void log_line(const char *line, void *arg)
{
	struct buf when _cleanup_buf_ = BUF_INIT;

	time_iso(time_now(), &when);
	printf("%s %s\n", buf_cstr(&when), line);
	fflush(stdout);
}

/* --- at home --- */

static int take_host(struct trip *t, struct err *err)
{
	char *path _cleanup_free_ = host_lock_path(t->host);
	int r = lock_take(&t->lock, path, "boot", LOCK_MS, err);

	if (!r)
		r = host_state(t->host, &t->st, err);
	if (!r && t->st.quarantine)
		r = err_set(err, E_FAIL,
			    "host %s is in quarantine: it %s; look after it, then "
			    "'series host reset %s'",
			    t->host->name, t->st.quarantine, t->host->name);
	if (!r && t->st.away) {
		ssh_note(&t->ssh, "it was left in %s", t->st.away);
		r = go_home(&t->ssh, &t->st, HOME_WAIT, err);
	}
	return r;
}

/* The agent first: who the host is, is its to say. */
static int meet(struct trip *t, struct err *err)
{
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	char *agent _cleanup_free_ = path_join(t->q->dir, "send/agent");
	const struct arch *there = NULL;
	int r = remote_dir(&t->ssh, err);

	strvec_push(&paths, agent);
	if (!r)
		r = ssh_send(&t->ssh, &paths, err);
	if (!r)
		r = remote_ask(&t->ssh, &t->home, err);
	if (r)
		return r;
	if (arch_find(t->home.machine ? t->home.machine : "?", &there, NULL) ||
	    there != t->q->arch)
		return err_set(err, E_USAGE, "host %s is %s; the kernel is for %s",
			       t->host->name,
			       t->home.machine ? t->home.machine : "of unknown arch",
			       t->q->arch->name);
	ssh_note(&t->ssh, "at home: %s, boot %s", t->home.release, t->home.boot_id);
	return 0;
}

static int send_all(struct trip *t, struct err *err)
{
	char *dir _cleanup_free_ = path_join(t->q->dir, "send");
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	struct buf rm _cleanup_buf_ = BUF_INIT;
	int r = fs_list(dir, &names, err);

	for (size_t i = 0; i < names.n; i++)
		if (names.v[i][0] != '.' && strcmp(names.v[i], "agent"))
			strvec_take(&paths, path_join(dir, names.v[i]));
	/* what an earlier boot left there is not this one's */
	ssh_set(&rm, "DIR", t->host->dir);
	buf_puts(&rm,
		 "cd \"$DIR\" && rm -rf kernel initrd job job.jsonl files modules.tar\n");
	if (!r)
		r = ssh_command(&t->ssh,
				"sh -c 'test $(id -u) = 0 && exec sh -s || exec sudo -n "
				"sh -s'",
				buf_str(&rm), SCRIPT_MS, NULL, err);
	if (!r)
		r = ssh_send(&t->ssh, &paths, err);
	return r;
}

static int unpack(struct trip *t, struct err *err)
{
	struct buf vars _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	const char *initrd = t->host->initrd;
	bool named = strcmp(initrd, "auto") && strcmp(initrd, "none");
	int r;

	ssh_set(&vars, "RELEASE", t->q->release);
	ssh_set(&vars, "INITRD", named ? "sent" : initrd);
	r = ssh_script(&t->ssh, "unpack", &vars, UNPACK_MS, &out, err);
	if (!r)
		t->cmdline = ssh_value(&out, "cmdline");
	return r;
}

static void start_console(struct trip *t)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .out = PROC_FILE,
			       .err = PROC_NULL,
			       .out_path = t->paths->console };
	struct err e _cleanup_err_ = ERR_INIT;

	if (!t->host->hooks[HOOK_CONSOLE].n)
		return;
	strvec_extend(&argv, &t->host->hooks[HOOK_CONSOLE]);
	o.argv = strvec_argv(&argv);
	if (proc_start(&o, &t->console, &e))
		ssh_note(&t->ssh, "consoleHook: %s", err_msg(&e));
}

/* From here on somebody must bring it home: that is on disk before anything happens. */
static int note_away(struct trip *t, struct err *err)
{
	const char *id = t->q->build_id;

	t->st.away = xasprintf("%s (build-id %.12s)",
			       t->q->release ? t->q->release : "a kernel under test",
			       id ? id : "unknown");
	t->st.since = time_now();
	t->st.home_boot_id = xstrdup(t->home.boot_id);
	t->st.home_build_id = xstrdup(t->home.build_id);
	return host_state_save(t->host, &t->st, err);
}

static void forget_away(struct trip *t)
{
	host_state_release(&t->st);
	host_state_save(t->host, &t->st, NULL);
}

static int boot_by_hook(struct trip *t, const char *cmdline, struct err *err)
{
	char *kernel _cleanup_free_ = xasprintf("SERIES_KERNEL=%s", t->q->image);
	char *line _cleanup_free_ = xasprintf("SERIES_CMDLINE=%s", cmdline);
	char *release _cleanup_free_ =
		xasprintf("SERIES_RELEASE=%s", t->q->release ? t->q->release : "");
	char *env[] = { kernel, line, release, NULL };

	return hook_run(&t->ssh, HOOK_BOOT, env, UNPACK_MS, err);
}

static int go(struct trip *t, struct err *err)
{
	char *line _cleanup_free_ = xasprintf(
		"%s%s%s%s%s%s", t->cmdline ? t->cmdline : "", CMDLINE,
		t->host->cmdline ? " " : "", t->host->cmdline ? t->host->cmdline : "",
		t->q->cmdline ? " " : "", t->q->cmdline ? t->q->cmdline : "");
	char *name _cleanup_free_ = xasprintf("boot-%s", t->host->boot);
	struct buf vars _cleanup_buf_ = BUF_INIT;
	int r;

	start_console(t);
	r = note_away(t, err);
	if (r)
		return r;
	ssh_note(&t->ssh, "booting %s by %s", t->st.away, t->host->boot);
	if (!strcmp(t->host->boot, "hook"))
		return boot_by_hook(t, line, err);
	ssh_set(&vars, "CMDLINE", line);
	r = ssh_script(&t->ssh, name, &vars, SCRIPT_MS, NULL, err);
	/* the script itself said no: the machine stays where it is */
	if (r == E_FAIL)
		forget_away(t);
	return r;
}

/* --- in the kernel under test --- */

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Who came up? The kernel that was sent, the host's own, or somebody else. */
static int recognise(struct trip *t, struct err *err)
{
	struct seen who _cleanup_seen_ = { NULL, NULL, NULL, NULL, NULL };
	int r = remote_ask(&t->ssh, &who, err);

	if (r)
		return r;
	ssh_note(&t->ssh, "up: %s, build-id %.12s, boot %s", who.release, who.build_id,
		 who.boot_id);
	t->boot_id = xstrdup(who.boot_id);
	if (!t->q->build_id || same(who.build_id, t->q->build_id)) {
		t->st.away_boot_id = xstrdup(who.boot_id);
		return host_state_save(t->host, &t->st, err);
	}
	if (same(who.build_id, t->home.build_id)) {
		t->state = BOOT_FAIL;
		return err_set(err, E_FAIL,
			       "the kernel did not come up: the host came back with its "
			       "own (%s)",
			       who.release);
	}
	/* the judge names it: this is what the kernel said of itself */
	dprintf(t->job_fd, "%s\n", who.line);
	return err_set(err, E_FAIL, "another kernel than expected came up (%s)",
		       who.release);
}

static int wait_up(struct trip *t, struct err *err)
{
	int64_t until = time_mono_ns() + t->host->timeout_s * SEC;
	bool went = false;

	ssh_drop(&t->ssh);
	while (time_mono_ns() < until) {
		char *id _cleanup_free_ = NULL;
		struct err e _cleanup_err_ = ERR_INIT;
		int r = intr_check(err);

		if (r)
			return r;
		r = remote_boot_id(&t->ssh, &id, &e);
		if (!r && strcmp(id, t->home.boot_id)) {
			r = recognise(t, &e);
			if (r != E_TIMEOUT)
				return r ? err_set(err, r, "%s", err_msg(&e)) : 0;
		}
		if (r)
			went = true;
		ssh_drop(&t->ssh);
		time_sleep_ms(LOOK_MS);
	}
	if (!went) {
		t->state = BOOT_INFRA_FAIL;
		return err_set(err, E_TIMEOUT, "the host did not restart within %d s",
			       t->host->timeout_s);
	}
	return err_set(err, E_TIMEOUT, "the kernel did not come up within %d s",
		       t->host->timeout_s);
}

/* A machine may be gone before it can say that the job began: whoever follows finds out.
 */
static int start_job(struct trip *t, struct err *err)
{
	int r = ssh_agent(&t->ssh, "start \"$DIR/job\" \"$DIR/job.jsonl\"", SCRIPT_MS,
			  NULL, err);

	if (r == E_TIMEOUT) {
		err_release(err);
		r = 0;
	}
	return r;
}

/* A message of the kernel, as its console shows it; with a console hook it is there. */
static void keep_kmsg(struct trip *t, const struct json *j)
{
	int64_t us = json_get_int(j, "us", 0);
	const char *m = json_get_str(j, "m");

	t->kmsg_seq = json_get_int(j, "seq", t->kmsg_seq) + 1;
	if (!t->console && m)
		dprintf(t->console_fd, "[%5lld.%06lld] %s\n", (long long)(us / 1000000),
			(long long)(us % 1000000), m);
}

static void on_record(struct str line, void *arg)
{
	struct trip *t = arg;
	struct json *j _cleanup_json_ = NULL;
	const char *type;

	if (t->job_bytes > MAX_BYTES)
		return;
	if (str_starts(line, "{\"t\":\"kmsg\"")) {
		if (!json_parse(line, "kernel message", &j, NULL))
			keep_kmsg(t, j);
		return;
	}
	fs_write_fd(t->job_fd, line.p, line.len, t->paths->job, NULL);
	fs_write_fd(t->job_fd, "\n", 1, t->paths->job, NULL);
	t->job_bytes += (int64_t)line.len + 1;
	if (json_parse(line, "record", &j, NULL))
		return;
	type = json_get_str(j, "t");
	t->last_word = t->last_word || same(type, "done") || same(type, "error");
}

/* Is it still the boot that the job runs in? 0: the same boot answers again, and the job
 * goes on. */
static int find_again(struct trip *t, int64_t deadline_ns, struct err *err)
{
	int64_t until = MIN(deadline_ns, time_mono_ns() + t->host->timeout_s * SEC);

	do {
		char *id _cleanup_free_ = NULL;
		int r = intr_check(err);

		if (r)
			return r;
		ssh_drop(&t->ssh);
		if (!remote_boot_id(&t->ssh, &id, NULL)) {
			if (!strcmp(id, t->boot_id))
				return 0;
			t->state = BOOT_CRASHED;
			return err_set(err, E_FAIL,
				       "the host went down in the middle of the job");
		}
		time_sleep_ms(LOOK_MS);
	} while (time_mono_ns() < until);
	t->state = BOOT_HUNG;
	return err_set(err, E_TIMEOUT, "the host does not answer any more");
}

static int follow(struct trip *t, struct err *err)
{
	int64_t all = t->q->deadline_ms > 0 ? t->q->deadline_ms : 600000;
	int64_t deadline = time_mono_ns() + all * MS;
	struct buf took _cleanup_buf_ = BUF_INIT;

	for (;;) {
		int64_t left = (deadline - time_mono_ns()) / MS;
		char *args _cleanup_free_ =
			xasprintf("follow \"$DIR/job.jsonl\" %lld %lld",
				  (long long)t->job_bytes, (long long)t->kmsg_seq);
		struct err e _cleanup_err_ = ERR_INIT;
		int r = left > 0 ? ssh_follow(&t->ssh, args, left, on_record, t, &e)
				 : E_TIMEOUT;

		if (!r && t->last_word)
			return 0;
		if (!r) {
			/* somebody killed it, or all ends there: that is seen in a while
			 */
			time_sleep_ms(DYING_MS);
			r = find_again(t, deadline, err);
			if (r)
				return r;
			t->state = BOOT_INFRA_FAIL;
			return err_set(err, E_FAIL,
				       "the agent there ended without a last word");
		}
		if (r == E_INTR || r == E_FAIL)
			return err_set(err, r, "%s", err_msg(&e));
		if (time_mono_ns() >= deadline) {
			time_duration_ms(all, &took);
			t->state = BOOT_HUNG;
			return err_set(err, E_TIMEOUT, "the job did not end within %s",
				       buf_cstr(&took));
		}
		ssh_note(&t->ssh, "connection lost; looking for it");
		r = find_again(t, deadline, err);
		if (r)
			return r;
	}
}

/* --- all of it --- */

static const struct stage {
	const char *name;
	int (*run)(struct trip *t, struct err *err);
	enum boot_state on_failure; /* unless the stage says another */
} stages[] = {
	{ "lock", take_host, BOOT_INFRA_FAIL },
	{ "connect", meet, BOOT_INFRA_FAIL },
	{ "send", send_all, BOOT_INFRA_FAIL },
	{ "unpack", unpack, BOOT_INFRA_FAIL },
	{ "boot", go, BOOT_INFRA_FAIL },
	{ "come up", wait_up, BOOT_FAIL },
	{ "start the job", start_job, BOOT_INFRA_FAIL },
	{ "follow the job", follow, BOOT_INFRA_FAIL },
};

/* What the kernel under test left in persistent storage goes behind its console. */
static void fetch_pstore(struct trip *t, int64_t since)
{
	struct buf out _cleanup_buf_ = BUF_INIT, vars _cleanup_buf_ = BUF_INIT;
	char age[32];

	snprintf(age, sizeof(age), "%lld", (long long)(time_now() - since) / 60 + 1);
	ssh_set(&vars, "AGE", age);
	if (!ssh_script(&t->ssh, "pstore", &vars, SCRIPT_MS, &out, NULL) && out.len)
		fs_write_fd(t->console_fd, out.p, out.len, t->paths->console, NULL);
}

/* How it ended, for whoever waits for it. */
static void report(const struct trip *t, const char *why, const struct strvec *notes)
{
	char *path _cleanup_free_ = path_join(t->q->dir, TRIP_FILE);
	struct json *j _cleanup_json_ = json_obj();
	struct buf text _cleanup_buf_ = BUF_INIT;

	json_set_str(j, "state", boot_state_name(t->state));
	json_set_str(j, "why", why);
	json_set_strvec(j, "notes", notes);
	json_dump(j, &text);
	fs_write_atomic(path, text.p, text.len, 0600, NULL);
}

static int travel(struct trip *t, struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(stages) && !r; i++) {
		t->state = BOOT_RUNNING;
		r = stages[i].run(t, err);
		if (!r)
			continue;
		if (t->state == BOOT_RUNNING)
			t->state = r == E_INTR ? BOOT_VOID : stages[i].on_failure;
		ssh_note(&t->ssh, "%s: %s", stages[i].name, err_msg(err));
	}
	return r;
}

static void come_home(struct trip *t, int r, struct strvec *notes)
{
	struct err e _cleanup_err_ = ERR_INIT;
	bool hurry = r == E_INTR || intr_pending();
	int64_t since = t->st.since;

	/* Whoever interrupts us wants the host back all the same. */
	intr_hold();
	if (go_home(&t->ssh, &t->st,
		    hurry	     ? HOME_HURRY
		    : r == E_TIMEOUT ? HOME_NOW
				     : HOME_WAIT,
		    &e)) {
		ssh_note(&t->ssh, "%s", err_msg(&e));
		strvec_push(notes, err_msg(&e));
	} else if (r && !hurry) {
		fetch_pstore(t, since);
	}
	intr_unhold();
}

int trip_main(void *arg)
{
	const struct trip_arg *a = arg;
	struct trip t = { .q = a->q,
			  .paths = a->paths,
			  .host = a->q->host,
			  .agent = a->agent,
			  .lock = LOCK_INIT };
	struct strvec notes _cleanup_strvec_ = STRVEC_INIT;
	struct err err _cleanup_err_ = ERR_INIT;
	const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
	int r;

	intr_install();
	progress_quiet(true);
	t.ssh.say = log_line;
	t.job_fd = open(t.paths->job, flags, 0600);
	t.console_fd = open(t.paths->console, flags, 0600);
	r = ssh_open(&t.ssh, t.host, &err);
	if (!r)
		r = travel(&t, &err);
	if (t.st.away)
		come_home(&t, r, &notes);
	proc_free(t.console);
	if (!r)
		t.state = BOOT_OK;
	report(&t, err_msg(&err), &notes);
	ssh_close(&t.ssh);
	lock_release(&t.lock);
	host_state_release(&t.st);
	seen_release(&t.home);
	free(t.boot_id);
	free(t.cmdline);
	return r ? 1 : 0;
}
