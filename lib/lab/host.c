// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * host.c - which hosts there are: "qemu", always, and those of the configuration.
 *
 *	[series "host.NAME"]
 *		type = qemu|ssh|local
 *		arch = arm64		# it boots only this one
 *		alias = some name	# what mail may show
 *
 * What else there is to set depends on the type, whose driver reads it.
 */
#include <string.h>
#include "lab_priv.h"
#include "series/mem.h"

#define DEFAULT_HOST "qemu"

static const struct driver *const drivers[] = { &driver_qemu, &driver_ssh,
						&driver_local };

const struct driver *host_driver(const struct host *h)
{
	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		if (!strcmp(h->type, drivers[i]->type))
			return drivers[i];
	return drivers[0]; /* not reached: host_find() knows the types */
}

bool host_boots(const struct host *h)
{
	return host_driver(h)->boots;
}

/* Instructions do not depend on load. */
bool host_shares(const struct host *h)
{
	return !strcmp(h->accel, "icount");
}

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

const char *host_setting(const struct config *c, const struct host *h, const char *key)
{
	char *k _cleanup_free_ = xasprintf("series.host.%s.%s", h->name, key);

	return c ? config_get(c, k) : NULL;
}

int host_int_setting(const struct config *c, const struct host *h, const char *key,
		     int lo, int hi, int dflt, int *ret, struct err *err)
{
	char *k _cleanup_free_ = xasprintf("series.host.%s.%s", h->name, key);
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

/* "auto, kvm, tcg or icount" */
static void name_choices(const char *const *names, struct buf *ret)
{
	for (size_t i = 0; names[i]; i++)
		buf_printf(ret, "%s%s", !i ? "" : names[i + 1] ? ", " : " or ", names[i]);
}

int host_choice(const struct config *c, const struct host *h, const char *key,
		const char *const *names, char **ret, struct err *err)
{
	const char *v = host_setting(c, h, key);
	struct buf list _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; names[i]; i++)
		if (!v || !strcmp(v, names[i])) {
			*ret = xstrdup(names[i]);
			return 0;
		}
	name_choices(names, &list);
	return err_set(err, E_USAGE, "series.host.%s.%s is '%s'; expected %s", h->name,
		       key, v, buf_cstr(&list));
}

static int fill(const struct config *c, const char *name, struct host *h, struct err *err)
{
	const char *types[ARRAY_SIZE(drivers) + 1] = { NULL };
	const char *arch, *alias;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		types[i] = drivers[i]->type;
	h->config = c;
	h->name = xstrdup(name);
	arch = host_setting(c, h, "arch");
	alias = host_setting(c, h, "alias");
	h->alias = xstrdup(alias ? alias : name);
	r = host_choice(c, h, "type", types, &h->type, err);
	if (!r && arch) {
		r = arch_find(arch, &h->arch, err);
		if (r)
			err_context(err, "series.host.%s.arch", name);
	}
	return r ? r : host_driver(h)->read(c, h, err);
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
			       "no host '%s'; there are: %s ('series host add %s' makes "
			       "one)",
			       name, list, name);
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
	free(h->destination);
	free(h->boot);
	free(h->dir);
	free(h->cmdline);
	free(h->initrd);
	for (size_t i = 0; i < HOOK_N; i++)
		strvec_release(&h->hooks[i]);
	free(h);
}

void host_freep(struct host **h)
{
	host_free(*h);
	*h = NULL;
}
