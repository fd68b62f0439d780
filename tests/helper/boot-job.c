// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * boot-job.c - boot one kernel with a job, print what came as JSON.
 *
 * usage: boot-job ARCH ACCEL|@HOST IMAGE JOB DIR SECONDS [BUILD_ID|-] [GUEST=FILE]...
 *
 * ACCEL: on the host "qemu", with this accelerator; @HOST: on a host of the
 * configuration, with $RELEASE and $MODULES if they are set. FILE ending in .c is
 * compiled for the guest first. Exit status 0 whatever the state.
 */
#include <stdio.h>
#include <string.h>
#include "series/fs.h"
#include "series/intr.h"
#include "series/lab.h"
#include "series/mem.h"

static int fail(struct err *e)
{
	fprintf(stderr, "boot-job: %s\n", err_msg(e));
	return 1;
}

static void print(const struct boot_result *r)
{
	struct json *j _cleanup_json_ = json_obj();
	struct buf b _cleanup_buf_ = BUF_INIT, recs _cleanup_buf_ = BUF_INIT;

	json_set_str(j, "state", boot_state_name(r->state));
	json_set_str(j, "why", r->why);
	json_set_str(j, "boot_id", r->boot_id);
	json_set_str(j, "build_id", r->build_id);
	json_set_str(j, "release", r->release);
	json_set_str(j, "accel", r->accel);
	json_set_int(j, "wall_ms", r->wall_ms);
	json_set_strvec(j, "tail", &r->console_tail);
	json_set_strvec(j, "notes", &r->notes);
	json_set_str(j, "log", r->log_path);
	json_dump_line(j, &b);
	puts(buf_cstr(&b));
	for (size_t i = 0; i < json_len(r->records); i++) {
		buf_reset(&recs);
		json_dump_line(json_at(r->records, i), &recs);
		puts(buf_cstr(&recs));
	}
}

static int run(const struct boot_request *q, struct err *err)
{
	struct boot_result res = { .state = BOOT_VOID };
	struct boot *b = NULL;
	int r = boot_start(q, &b, err);

	if (r)
		return r;
	while (!boot_poll(b, 1000, &res))
		;
	boot_free(b);
	print(&res);
	boot_result_release(&res);
	return 0;
}

/* GUEST=FILE arguments into files. */
static int add_files(char **argv, int n, struct host *h, const struct arch *a,
		     struct boot_file *files, struct err *err)
{
	for (int i = 0; i < n; i++) {
		char *eq = strchr(argv[i], '=');
		char *built = NULL;
		int r;

		if (!eq)
			return err_set(err, E_USAGE, "%s: expected GUEST=FILE", argv[i]);
		*eq = '\0';
		files[i] = (struct boot_file){ .guest_path = argv[i],
					       .path = eq + 1,
					       .mode = 0755 };
		if (!str_ends(str_c(eq + 1), ".c"))
			continue;
		r = lab_compile(h->config, a, eq + 1, &built, NULL, err);
		if (r)
			return r;
		files[i].path = built; /* kept until the end */
	}
	return 0;
}

/* "@NAME": of the configuration; otherwise an accelerator for the host "qemu". */
static int find_host(const char *arg, struct config **ret_config, struct host **ret,
		     struct err *err)
{
	int r = config_load(NULL, ret_config, err);

	if (r || arg[0] == '@')
		return r ? r : host_find(*ret_config, arg + 1, ret, err);
	r = host_find(NULL, "qemu", ret, err);
	if (r)
		return r;
	free((*ret)->accel);
	(*ret)->accel = xstrdup(arg);
	return 0;
}

int main(int argc, char **argv)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf job _cleanup_buf_ = BUF_INIT;
	struct boot_file *files _cleanup_free_ = NULL;
	struct host *h _cleanup_host_ = NULL;
	struct config *c = NULL;
	const struct arch *a = NULL;
	struct boot_request q = { .release = getenv("RELEASE"),
				  .modules = getenv("MODULES") };
	int r;

	if (argc < 7) {
		fprintf(stderr, "usage: boot-job ARCH ACCEL|@HOST IMAGE JOB DIR SECONDS "
				"[BUILD_ID|-] [GUEST=FILE]...\n");
		return 129;
	}
	intr_install();
	if (arch_find(argv[1], &a, &err) || find_host(argv[2], &c, &h, &err) ||
	    fs_read(argv[4], 0, &job, &err))
		return fail(&err);
	files = xcalloc((size_t)argc, sizeof(*files));
	if (argc > 8 && add_files(argv + 8, argc - 8, h, a, files, &err))
		return fail(&err);
	q.host = h;
	q.arch = a;
	q.image = argv[3];
	q.job = buf_cstr(&job);
	q.dir = argv[5];
	q.deadline_ms = atoll(argv[6]) * 1000;
	q.build_id = argc > 7 && strcmp(argv[7], "-") ? argv[7] : NULL;
	q.files = files;
	q.n_files = argc > 8 ? (size_t)argc - 8 : 0;
	r = run(&q, &err) ? fail(&err) : 0;
	config_free(c);
	return r;
}
