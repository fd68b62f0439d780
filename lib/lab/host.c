// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * host.c - which hosts there are: "qemu", always, and those of the configuration.
 *
 *	[series "host.NAME"]
 *		type = qemu
 *		arch = arm64		# it boots only this one
 *		alias = some name	# what mail may show
 *		accel = auto|kvm|tcg|icount
 *		machine, cpu, memory (MiB), cpus
 *		extra = -device		# one argument for qemu, any number of times
 */
#include <string.h>
#include "lab_priv.h"
#include "series/mem.h"

#define DEFAULT_HOST "qemu"

void host_names(const struct config *c, struct strvec *ret)
{
	struct strvec subs _cleanup_strvec_ = STRVEC_INIT;

	if (c)
		config_subsections(c, "series", "host.", &subs);
	strvec_push(ret, DEFAULT_HOST);
	for (size_t i = 0; i < subs.n; i++) {
		const char *name = subs.v[i];

		if (!strncmp(name, "host.", 5))
			name += 5;
		if (*name && !strvec_has(ret, name))
			strvec_push(ret, name);
	}
}

/* Value of series.host.NAME.KEY, or NULL. */
static const char *setting(const struct config *c, const char *name, const char *key)
{
	char *k _cleanup_free_ = xasprintf("series.host.%s.%s", name, key);

	return c ? config_get(c, k) : NULL;
}

static int int_setting(const struct config *c, const char *name, const char *key, int lo,
		       int hi, int dflt, int *ret, struct err *err)
{
	char *k _cleanup_free_ = xasprintf("series.host.%s.%s", name, key);
	int64_t v = dflt;
	int r = c ? config_get_int(c, k, dflt, &v, err) : 0;

	if (r)
		return r;
	if (v < lo || v > hi)
		return err_set(err, E_USAGE, "%s is %lld; expected %d to %d", k,
			       (long long)v, lo, hi);
	*ret = (int)v;
	return 0;
}

static int check_accel(const struct host *h, struct err *err)
{
	static const char *const known[] = { "auto", "kvm", "tcg", "icount" };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(h->accel, known[i]))
			return 0;
	return err_set(err, E_USAGE,
		       "series.host.%s.accel is '%s'; expected auto, kvm, tcg or icount",
		       h->name, h->accel);
}

static int fill(const struct config *c, const char *name, struct host *h, struct err *err)
{
	const char *arch = setting(c, name, "arch");
	const char *alias = setting(c, name, "alias");
	const char *type = setting(c, name, "type");
	const char *accel = setting(c, name, "accel");
	char *extra _cleanup_free_ = xasprintf("series.host.%s.extra", name);
	int r;

	h->config = c;
	h->name = xstrdup(name);
	h->alias = xstrdup(alias ? alias : name);
	h->type = xstrdup(type ? type : "qemu");
	h->accel = xstrdup(accel ? accel : "auto");
	h->machine = xstrdup_null(setting(c, name, "machine"));
	h->cpu = xstrdup_null(setting(c, name, "cpu"));
	if (c)
		config_get_all(c, extra, &h->extra);
	if (strcmp(h->type, "qemu"))
		return err_set(err, E_USAGE,
			       "series.host.%s.type is '%s'; this version knows qemu",
			       name, h->type);
	r = check_accel(h, err);
	if (!r && arch) {
		r = arch_find(arch, &h->arch, err);
		if (r)
			err_context(err, "series.host.%s.arch", name);
	}
	if (!r)
		r = int_setting(c, name, "memory", 64, 1 << 20, 1024, &h->memory_mib,
				err);
	if (!r)
		r = int_setting(c, name, "cpus", 1, 512, 1, &h->cpus, err);
	return r;
}

int host_find(const struct config *c, const char *name, struct host **ret,
	      struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct host *h _cleanup_host_ = NULL;
	int r;

	host_names(c, &names);
	if (!name)
		name = DEFAULT_HOST;
	if (!strvec_has(&names, name)) {
		char *list _cleanup_free_ = strvec_join(&names, ", ");

		return err_set(err, E_NOTFOUND,
			       "no host '%s'; there are: %s (git config "
			       "series.host.NAME.type qemu makes one)",
			       name, list);
	}
	h = xcalloc(1, sizeof(*h));
	r = fill(c, name, h, err);
	if (r)
		return r;
	*ret = h;
	h = NULL;
	return 0;
}

void host_free(struct host *h)
{
	if (!h)
		return;
	free(h->name);
	free(h->alias);
	free(h->type);
	free(h->accel);
	free(h->machine);
	free(h->cpu);
	strvec_release(&h->extra);
	free(h);
}

void host_freep(struct host **h)
{
	host_free(*h);
	*h = NULL;
}
