// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series host: which hosts there are, and whether one can be used.
 */
#include <string.h>

#include "series/lab.h"
#include "series/mem.h"
#include "cmd.h"

struct host_opts {
	const char *arch;
};

static const struct opt host_options[] = {
	{ .name = "arch",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct host_opts, arch),
	  .arg = "ARCH",
	  .help = "check for this architecture (default: the host's, else this "
		  "machine's)",
	  .complete = "arch" },
	OPT_END
};

static struct json *host_json(const struct host *h)
{
	struct json *o = json_obj();

	json_set_str(o, "name", h->name);
	json_set_str(o, "alias", h->alias);
	json_set_str(o, "type", h->type);
	json_set_str(o, "arch", h->arch ? h->arch->name : NULL);
	json_set_str(o, "accel", h->accel);
	json_set_int(o, "memory_mib", h->memory_mib);
	json_set_int(o, "cpus", h->cpus);
	return o;
}

static void host_line(struct out *o, const struct host *h)
{
	out_printf(o, "%-16s %-6s %-10s %-7s %d MiB, %d CPU%s", h->name, h->type,
		   h->arch ? h->arch->name : "any arch", h->accel, h->memory_mib, h->cpus,
		   h->cpus == 1 ? "" : "s");
	if (strcmp(h->alias, h->name)) {
		out_puts(o, ", in mail: ");
		out_foreign(o, str_c(h->alias));
	}
	out_puts(o, "\n");
}

static int list(struct ctx *c, const struct config *config, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct json *all _cleanup_json_ = json_arr();

	host_names(config, &names);
	for (size_t i = 0; i < names.n; i++) {
		struct host *h _cleanup_host_ = NULL;
		int r = host_find(config, names.v[i], &h, err);

		if (r)
			return r;
		if (c->json)
			json_push(all, host_json(h));
		else
			host_line(&c->out, h);
	}
	if (c->json) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set(c->out.json, "hosts", all);
		all = NULL;
	}
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

static int check(struct ctx *c, const struct config *config, const char *name,
		 const char *arch_name, struct err *err)
{
	struct host *h _cleanup_host_ = NULL;
	struct host_check res = { STRVEC_INIT, STRVEC_INIT };
	const struct arch *a = NULL;
	int r = host_find(config, name, &h, err);

	if (!r && arch_name)
		r = arch_find(arch_name, &a, err);
	if (!r && !a)
		a = h->arch ? h->arch : arch_native();
	if (!r)
		r = host_check(h, a, &res, err);
	if (r)
		return r;
	if (c->json) {
		c->out.json = host_json(h);
		json_set_int(c->out.json, "schema", 1);
		json_set_str(c->out.json, "arch", a->name);
		json_set_strvec(c->out.json, "ok", &res.ok);
		json_set_strvec(c->out.json, "problems", &res.problems);
	} else {
		check_lines(&c->out, &res.ok, "ok", "32");
		check_lines(&c->out, &res.problems, "problem", "31");
	}
	if (res.problems.n)
		r = err_set(err, E_FINDINGS, "host %s, %s: %zu problem%s", h->name,
			    a->name, res.problems.n, res.problems.n == 1 ? "" : "s");
	host_check_release(&res);
	return r;
}

static int run_host(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct host_opts *o = opts;

	if (!strcmp(args->v[0], "list") && args->n == 1 && !o->arch)
		return list(c, c->config, err);
	if (!strcmp(args->v[0], "check"))
		return check(c, c->config, args->n > 1 ? args->v[1] : NULL, o->arch, err);
	return err_set(err, E_USAGE,
		       "host: expected \"list\" or \"check [NAME] [--arch ARCH]\"");
}

const struct cmd cmd_host = {
	.name = "host",
	.group = "measure",
	.summary = "list test hosts and check whether one can be used",
	.synopsis = "list | check [NAME]",
	.about = "A host is a place where a kernel boots and a benchmark runs. The host "
		 "\"qemu\" "
		 "is there without any configuration; more are made with git config: "
		 "series.host.NAME.type (qemu), .arch (it boots only this one), .alias "
		 "(what mail "
		 "may show), .accel (auto, kvm, tcg, icount), .machine, .cpu, .memory "
		 "(MiB), "
		 ".cpus, .extra (one argument for QEMU each). The name qemu takes them "
		 "too.\n"
		 "\n"
		 "With auto, KVM is used only after a kernel really booted with it; "
		 "otherwise QEMU "
		 "counts instructions (icount): what is measured then repeats itself, "
		 "but it is "
		 "instructions on an emulated machine.\n"
		 "\n"
		 "host check looks for QEMU, compiles the guest's init, and looks at "
		 "accelerator, "
		 "memory and disk; each problem comes with its remedy. Problems give "
		 "exit status 2.",
	.findings = "host check: such kernels cannot boot on this host.",
	.examples = "series host check --arch arm64\n"
		    "\tCan the host \"qemu\" boot arm64 kernels?\n"
		    "git config series.host.big.memory 4096\n"
		    "\tAnother host, whose guests have more memory\n",
	.opts = host_options,
	.opts_size = sizeof(struct host_opts),
	.flags = CMD_MAYBE_REPO | CMD_JSON,
	.min_args = 1,
	.max_args = 2,
	.complete = "host-word",
	.run = run_host,
};
