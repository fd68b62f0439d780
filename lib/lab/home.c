// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * home.c - the way back: a host that runs a kernel under test returns to its own,
 * whatever that kernel did to it. Each rung of the ladder is tried, and waited for,
 * before the next.
 */
#include <stdio.h>
#include <string.h>
#include "hoststate.h"
#include "remote.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/time.h"

#define SEC	 ((int64_t)1000000000)
#define ASK_MS	 30000
#define HOOK_MS	 300000
#define LOOK_MS	 1000
#define HURRY_MS 8000
#define FORCE_S	 60 /* a shutdown that takes longer is cut short */

void seen_release(struct seen *s)
{
	free(s->boot_id);
	free(s->build_id);
	free(s->release);
	free(s->machine);
	free(s->line);
	*s = (struct seen){ NULL, NULL, NULL, NULL, NULL };
}

int remote_ask(struct ssh *s, struct seen *ret, struct err *err)
{
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	int r = ssh_agent(s, "hello", ASK_MS, &out, err);

	*ret = (struct seen){ NULL, NULL, NULL, NULL, NULL };
	if (!r)
		r = json_parse(str_trim(buf_str(&out)), "the agent's hello", &j, err);
	if (r)
		return r;
	ret->boot_id = xstrdup_null(json_get_str(j, "boot_id"));
	ret->build_id = xstrdup_null(json_get_str(j, "build_id"));
	ret->release = xstrdup_null(json_get_str(j, "release"));
	ret->machine = xstrdup_null(json_get_str(j, "machine"));
	ret->line = str_dup(str_trim(buf_str(&out)));
	if (ret->boot_id && ret->build_id)
		return 0;
	seen_release(ret);
	return err_set(err, E_CORRUPT, "%s: the agent's hello has no boot_id or build_id",
		       s->host->destination);
}

int remote_dir(struct ssh *s, struct err *err)
{
	/* a program that runs cannot be written to, so its name is freed */
	static const char script[] =
		"mkdir -p \"$DIR\" && test -w \"$DIR\" || "
		"{ echo \"$DIR cannot be written\" >&2; exit 1; }\n"
		"test -O \"$DIR\" && chmod 755 \"$DIR\" || "
		"{ echo \"$DIR is not this login's own: set series.host.$NAME.dir\" >&2; "
		"exit 1; }\n"
		"rm -f \"$DIR/agent\"\n";
	struct buf text _cleanup_buf_ = BUF_INIT;

	ssh_set(&text, "DIR", s->host->dir);
	ssh_set(&text, "NAME", s->host->name);
	buf_puts(&text, script);
	return ssh_command(s, "sh -s", buf_str(&text), ASK_MS, NULL, err);
}

int remote_boot_id(struct ssh *s, char **ret, struct err *err)
{
	struct buf out _cleanup_buf_ = BUF_INIT;
	int r = ssh_command(s, "cat /proc/sys/kernel/random/boot_id", STR_NULL, ASK_MS,
			    &out, err);

	if (!r)
		*ret = str_dup(str_trim(buf_str(&out)));
	return r;
}

int hook_run(struct ssh *s, enum host_hook which, char *const *env, int64_t timeout_ms,
	     struct err *err)
{
	const struct host *h = s->host;
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .timeout_ms = timeout_ms, .max_output = 65536 };
	int r;

	if (!h->hooks[which].n)
		return err_set(err, E_NOTFOUND, "series.host.%s.%s is not set", h->name,
			       host_hook_name(which));
	strvec_extend(&argv, &h->hooks[which]);
	strvec_pushf(&all, "SERIES_HOST=%s", h->name);
	strvec_pushf(&all, "SERIES_DESTINATION=%s", h->destination);
	for (; env && *env; env++)
		strvec_push(&all, *env);
	o.argv = strvec_argv(&argv);
	o.env = strvec_argv(&all);
	ssh_note(s, "%s: %s", host_hook_name(which), argv.v[0]);
	r = proc_check(&o, NULL, err);
	return r ? err_context(err, "series.host.%s.%s", h->name, host_hook_name(which))
		 : 0;
}

/*
 * Does the host answer with its own kernel? In the boot it was sent from it may be on its
 * way out still, so that one does not count; nor does the one under test, which may be
 * the same kernel.
 */
static bool is_home(struct ssh *s, const struct host_state *st)
{
	struct seen who _cleanup_seen_ = { NULL, NULL, NULL, NULL, NULL };
	char *id _cleanup_free_ = NULL;

	if (remote_boot_id(s, &id, NULL)) {
		ssh_drop(s);
		return false;
	}
	if ((st->home_boot_id && !strcmp(id, st->home_boot_id)) ||
	    (st->away_boot_id && !strcmp(id, st->away_boot_id)))
		return false;
	if (remote_ask(s, &who, NULL))
		return false;
	return st->home_build_id && !strcmp(who.build_id, st->home_build_id);
}

static int wait_home(struct ssh *s, const struct host_state *st, int seconds,
		     struct err *err)
{
	int64_t until = time_mono_ns() + seconds * SEC;

	do {
		int r = intr_check(err);

		if (r)
			return r;
		if (is_home(s, st))
			return 0;
		time_sleep_ms(LOOK_MS);
	} while (time_mono_ns() < until);
	return err_set(err, E_TIMEOUT, "not back within %d s", seconds);
}

/* --- the rungs: each returns 0 when it is worth waiting after it --- */

static int ask_it(struct ssh *s, int64_t timeout_ms, struct err *err)
{
	struct buf vars _cleanup_buf_ = BUF_INIT;
	char within[16];
	int r;

	snprintf(within, sizeof(within), "%d", FORCE_S);
	ssh_set(&vars, "WITHIN", within);
	r = ssh_script(s, "home", &vars, timeout_ms, NULL, err);
	ssh_drop(s);
	return r;
}

static int by_asking(struct ssh *s, struct err *err)
{
	return ask_it(s, ASK_MS, err);
}

/* A panic restarts it (panic=10), a watchdog does, or somebody who walks there. */
static int by_itself(struct ssh *s, struct err *err)
{
	return 0;
}

static int by_reset(struct ssh *s, struct err *err)
{
	return hook_run(s, HOOK_RESET, NULL, HOOK_MS, err);
}

static int by_power(struct ssh *s, struct err *err)
{
	return hook_run(s, HOOK_POWER, NULL, HOOK_MS, err);
}

static const struct rung {
	const char *name;
	int (*act)(struct ssh *s, struct err *err);
	bool passive; /* only where the one before could not even be asked */
} rungs[] = {
	{ "asked to restart", by_asking, false },
	{ "waited for", by_itself, true },
	{ "reset hook", by_reset, false },
	{ "power hook", by_power, false },
};

static bool has_hooks(const struct host *h)
{
	return h->hooks[HOOK_RESET].n || h->hooks[HOOK_POWER].n;
}

static int came_home(struct ssh *s, struct host_state *st, const char *how,
		     struct err *err)
{
	ssh_note(s, "home again: %s", how);
	free(st->away);
	free(st->home_boot_id);
	free(st->home_build_id);
	free(st->away_boot_id);
	st->away = st->home_boot_id = st->home_build_id = st->away_boot_id = NULL;
	return host_state_save(s->host, st, err);
}

int go_home(struct ssh *s, struct host_state *st, enum home_how how, struct err *err)
{
	const struct host *h = s->host;
	struct buf tried _cleanup_buf_ = BUF_INIT;
	bool asked = false;

	if (!st->away)
		return 0;
	if (is_home(s, st))
		return came_home(s, st, "it came by itself", err);
	if (how == HOME_HURRY)
		return ask_it(s, HURRY_MS, err);
	for (size_t i = 0; i < ARRAY_SIZE(rungs); i++) {
		struct err e _cleanup_err_ = ERR_INIT;
		int r;

		if (rungs[i].passive && (asked || (how == HOME_NOW && has_hooks(h))))
			continue;
		r = rungs[i].act(s, &e);
		if (!r) {
			asked = true;
			ssh_note(s, "%s; waiting", rungs[i].name);
			r = wait_home(s, st, h->timeout_s, &e);
		}
		if (!r)
			return came_home(s, st, rungs[i].name, err);
		if (r == E_INTR)
			return err_set(err, E_INTR, "%s", err_msg(&e));
		ssh_note(s, "%s: %s", rungs[i].name, err_msg(&e));
		if (r != E_NOTFOUND)
			buf_printf(&tried, "%s%s (%s)", tried.len ? ", " : "",
				   rungs[i].name, err_msg(&e));
	}
	free(st->quarantine);
	st->quarantine =
		xasprintf("did not come back from %s: %s", st->away, buf_cstr(&tried));
	st->since = time_now();
	host_state_save(h, st, NULL);
	return err_set(
		err, E_FAIL,
		"host %s is in quarantine: it %s; look after it, then 'series host "
		"reset %s'",
		h->name, st->quarantine, h->name);
}

/*
 * Back to its own kernel. Where it answers, but with a kernel that is not the one it was
 * sent from (it may have been updated meanwhile), that is its own from now on: whoever
 * resets a host has looked at it.
 */
static int reset_ssh(struct ssh *s, struct host_state *st, struct err *err)
{
	struct seen who _cleanup_seen_ = { NULL, NULL, NULL, NULL, NULL };
	int r;

	if (!st->away)
		return 0;
	r = go_home(s, st, HOME_WAIT, err);
	if (!r || r == E_INTR || remote_ask(s, &who, NULL))
		return r;
	err_release(err);
	ssh_note(s, "it runs %s, which is taken for its own kernel from now on",
		 who.release ? who.release : "a kernel");
	return came_home(s, st, "as it was found", err);
}

int host_reset(const struct host *h, void (*say)(const char *line, void *arg), void *arg,
	       struct err *err)
{
	struct host_state st = HOST_STATE_INIT;
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	char *lock_path _cleanup_free_ = host_lock_path(h);
	struct ssh s = { .say = say, .say_arg = arg };
	int r = lock_take(&lock, lock_path, "reset", 0, err);

	if (!r)
		r = host_state(h, &st, err);
	if (r == E_CORRUPT) {
		/* what cannot be read is no reason to be locked out */
		err_release(err);
		r = 0;
	}
	if (!r)
		r = ssh_open(&s, h, err);
	if (!r && !strcmp(h->type, "ssh"))
		r = reset_ssh(&s, &st, err);
	if (!r) {
		ssh_note(&s, "%s",
			 st.quarantine ? "the quarantine is lifted"
				       : "there was no quarantine");
		free(st.quarantine);
		st.quarantine = NULL;
		r = host_state_save(h, &st, err);
	}
	ssh_close(&s);
	host_state_release(&st);
	return r;
}
