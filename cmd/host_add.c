// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * host_add.c - a new host: asked for, looked at, written into git's configuration.
 */
#include <ctype.h>
#include <string.h>

#include "ask.h"
#include "host_add.h"
#include "series/lab.h"
#include "series/mem.h"
#include "series/proc.h"

/* Settings in the order they are written: key, value, key, value. */
struct answers {
	struct strvec kv;
	const char *type; /* in kv */
};

static const char *set(struct answers *a, const char *key, const char *value)
{
	strvec_push(&a->kv, key);
	return strvec_push(&a->kv, value);
}

/* The value of an option, or an answer; the default is not written. */
static int want(struct answers *a, const char *key, const char *given,
		const char *question, const char *dflt, bool always, struct err *err)
{
	char *v _cleanup_free_ = given ? xstrdup(given) : ask_line(question, dflt);

	if (!v && !ask_possible())
		return err_set(err, E_USAGE,
			       "nobody can be asked here: say --%s, as 'series host -h' "
			       "has it",
			       key);
	if (!v)
		return err_set(err, E_INTR, "interrupted; nothing was written");
	if (always || !dflt || strcmp(v, dflt))
		set(a, key, v);
	return 0;
}

/* Which arch it is, it knows best; and it is seen at once whether it can be reached. */
static int add_ssh(struct answers *a, const char *name, const struct host_new *n,
		   struct err *err)
{
	const struct arch *there = NULL;
	const char *to = name;
	struct buf none _cleanup_buf_ = BUF_INIT;
	int rc = want(a, "ssh", n->ssh, "Where does ssh find it?", name, false, err);

	if (rc)
		return rc;
	for (size_t i = 0; i + 1 < a->kv.n; i += 2)
		if (!strcmp(a->kv.v[i], "ssh"))
			to = a->kv.v[i + 1];
	if (n->arch)
		rc = arch_find(n->arch, &there, err);
	else
		rc = host_ask_arch(to, &there, err);
	if (rc)
		return n->arch ? rc
			       : err_context(err, "its arch could not be asked for (with "
						  "--arch nothing is asked)");
	set(a, "arch", there->name);
	rc = want(a, "boot", n->boot, "Boot kernels by kexec, grub, bootctl or hook?",
		  "kexec", false, err);
	if (!rc && (n->allow_reboot ||
		    ask_yes(&none, "May series reboot it whenever it measures?")))
		set(a, "allow-reboot", "true");
	return rc;
}

static int add_qemu(struct answers *a, const struct host_new *n, struct err *err)
{
	const struct arch *arch = NULL;
	int rc = 0;

	if (n->arch)
		rc = arch_find(n->arch, &arch, err);
	if (!rc && arch)
		set(a, "arch", arch->name);
	return rc ? rc
		  : want(a, "memory", NULL, "MiB of memory of a guest?", "1024", false,
			 err);
}

static int git_config(struct ctx *c, const struct host_new *n, const char *a,
		      const char *b, struct err *err)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .timeout_ms = 30000, .max_output = 65536 };

	strvec_pushl(&argv, "git", "config", n->local ? "--local" : "--global", NULL);
	strvec_pushl(&argv, a, b, NULL);
	if (n->local)
		o.cwd = repo_common_dir(c->repo);
	o.argv = strvec_argv(&argv);
	return proc_check(&o, NULL, err);
}

/* All, and then as the reader sees it; what it does not like goes again. */
static int write_all(struct ctx *c, const char *name, const struct host_new *n,
		     const struct answers *a, struct err *err)
{
	char *section _cleanup_free_ = xasprintf("series.host.%s", name);
	struct config *now = NULL;
	struct host *h _cleanup_host_ = NULL;
	struct err e _cleanup_err_ = ERR_INIT;
	int rc = 0;

	for (size_t i = 0; i + 1 < a->kv.n && !rc; i += 2) {
		char *key _cleanup_free_ = xasprintf("%s.%s", section, a->kv.v[i]);

		rc = git_config(c, n, key, a->kv.v[i + 1], err);
	}
	if (!rc)
		rc = config_load(c->repo ? repo_common_dir(c->repo) : NULL, &now, err);
	if (!rc)
		rc = host_find(now, name, &h, err);
	if (rc)
		git_config(c, n, "--remove-section", section, &e);
	config_free(now);
	return rc;
}

static int check_name(struct ctx *c, const char *name, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("._-", *p))
			return err_set(err, E_USAGE,
				       "'%s' is no name for a host: letters, digits and "
				       "._- are",
				       name);
	host_names(c->config, &names);
	if (strvec_has(&names, name))
		return err_set(err, E_EXISTS,
			       "there is a host %s already; git config --edit changes it",
			       name);
	return 0;
}

int host_add(struct ctx *c, const char *name, const struct host_new *n, struct err *err)
{
	struct answers a = { STRVEC_INIT, NULL };
	int rc = check_name(c, name, err);

	if (!rc && n->local && !c->repo)
		rc = err_set(err, E_USAGE, "--local wants a repository");
	if (!rc)
		rc = want(&a, "type", n->type, "What is it: ssh, qemu or local?",
			  n->ssh ? "ssh" : NULL, true, err);
	if (!rc) {
		a.type = a.kv.v[1];
		if (!strcmp(a.type, "ssh"))
			rc = add_ssh(&a, name, n, err);
		else if (!strcmp(a.type, "qemu"))
			rc = add_qemu(&a, n, err);
	}
	if (!rc)
		rc = want(&a, "alias", n->alias, "Its name in mail and results?", name,
			  false, err);
	if (!rc)
		rc = write_all(c, name, n, &a, err);
	if (!rc) {
		for (size_t i = 0; i + 1 < a.kv.n; i += 2) {
			out_printf(&c->out, "series.host.%s.%s = ", name, a.kv.v[i]);
			out_foreign(&c->out, str_c(a.kv.v[i + 1]));
			out_puts(&c->out, "\n");
		}
		out_printf(&c->out, "'series host check %s' says what it can do\n", name);
	}
	strvec_release(&a.kv);
	return rc;
}
