// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * host_print.c - a host in lines and in JSON.
 */
#include <string.h>

#include "series/mem.h"
#include "series/time.h"
#include "host_print.h"

struct json *host_json(const struct host *h)
{
	struct json *o = json_obj();
	struct host_state st = HOST_STATE_INIT;
	struct err e _cleanup_err_ = ERR_INIT;

	json_set_str(o, "name", h->name);
	json_set_str(o, "alias", h->alias);
	json_set_str(o, "type", h->type);
	json_set_str(o, "arch", h->arch ? h->arch->name : NULL);
	json_set_str(o, "accel", h->accel);
	if (h->memory_mib) {
		json_set_int(o, "memory_mib", h->memory_mib);
		json_set_int(o, "cpus", h->cpus);
	}
	if (h->destination) {
		json_set_str(o, "ssh", h->destination);
		json_set_str(o, "boot", h->boot);
		json_set_bool(o, "allow_reboot", h->allow_reboot);
	}
	if (host_state(h, &st, &e))
		json_set_str(o, "problem", err_msg(&e));
	json_set_str(o, "quarantine", st.quarantine);
	json_set_str(o, "away", st.away);
	host_state_release(&st);
	return o;
}

/* "in quarantine since 2 days ago: it did not come back ..." */
static void print_state(struct out *o, const struct host *h)
{
	struct host_state st = HOST_STATE_INIT;
	struct err e _cleanup_err_ = ERR_INIT;
	struct buf when _cleanup_buf_ = BUF_INIT;

	if (host_state(h, &st, &e)) {
		out_color(o, "31", "  %s", err_msg(&e));
		out_puts(o, "\n");
	} else if (st.quarantine || st.away) {
		time_ago(st.since, &when);
		out_color(o, "31",
			  "  %s since %s: ", st.quarantine ? "in quarantine" : "away",
			  buf_cstr(&when));
		out_foreign(o, str_c(st.quarantine ? st.quarantine : st.away));
		out_puts(o, "\n");
	}
	host_state_release(&st);
}

static void host_line(struct out *o, const struct host *h)
{
	out_printf(o, "%-16s %-6s %-10s ", h->name, h->type,
		   h->arch ? h->arch->name : "any arch");
	if (h->destination)
		out_printf(o, "%-7s %s%s", h->boot, h->destination,
			   h->allow_reboot ? "" : ", may not be rebooted");
	else if (h->memory_mib)
		out_printf(o, "%-7s %d MiB, %d CPU%s", h->accel, h->memory_mib, h->cpus,
			   h->cpus == 1 ? "" : "s");
	else
		out_puts(o, "never booted");
	if (strcmp(h->alias, h->name)) {
		out_puts(o, ", in mail: ");
		out_foreign(o, str_c(h->alias));
	}
	out_puts(o, "\n");
	print_state(o, h);
}

/* Settings that cannot be: the host is there, and so are the others. */
static void broken(struct ctx *c, const char *name, const char *why, struct json *all)
{
	if (c->json) {
		struct json *o = json_obj();

		json_set_str(o, "name", name);
		json_set_str(o, "problem", why);
		json_push(all, o);
		return;
	}
	out_printf(&c->out, "%-16s ", name);
	out_color(&c->out, "31", "cannot be used: ");
	out_foreign(&c->out, str_c(why));
	out_puts(&c->out, "\n");
}

int host_print_list(struct ctx *c, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct json *all = json_arr();

	host_names(c->config, &names);
	for (size_t i = 0; i < names.n; i++) {
		struct host *h _cleanup_host_ = NULL;
		struct err e _cleanup_err_ = ERR_INIT;

		if (host_find(c->config, names.v[i], &h, &e))
			broken(c, names.v[i], err_msg(&e), all);
		else if (c->json)
			json_push(all, host_json(h));
		else
			host_line(&c->out, h);
	}
	if (!c->json) {
		json_free(all);
		return 0;
	}
	c->out.json = json_obj();
	json_set_int(c->out.json, "schema", 1);
	json_set(c->out.json, "hosts", all);
	return 0;
}

static void check_lines(struct out *o, const struct strvec *v, const char *word,
			const char *sgr)
{
	for (size_t i = 0; i < v->n; i++) {
		out_color(o, sgr, "%-8s", word);
		out_puts(o, " ");
		out_foreign(o, str_c(v->v[i]));
		out_puts(o, "\n");
	}
}

void host_print_check(struct ctx *c, const struct host *h, const struct arch *a,
		      const struct host_check *res)
{
	if (c->json) {
		c->out.json = host_json(h);
		json_set_int(c->out.json, "schema", 1);
		json_set_str(c->out.json, "arch", a->name);
		json_set_strvec(c->out.json, "ok", &res->ok);
		json_set_strvec(c->out.json, "problems", &res->problems);
		return;
	}
	check_lines(&c->out, &res->ok, "ok", "32");
	check_lines(&c->out, &res->problems, "problem", "31");
}
