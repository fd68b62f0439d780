// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series doctor: is everything here that the commands will need? Each line is a check with
 * its remedy; nothing is changed.
 */
#include <string.h>

#include "series/doctor.h"
#include "cmd.h"

static const struct {
	const char *word, *sgr;
} shown[] = {
	[DOCTOR_OK] = { "ok", "32" },
	[DOCTOR_WARN] = { "warning", "33" },
	[DOCTOR_BAD] = { "problem", "31" },
};

static void print_text(struct ctx *c, const struct doctor *d)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct doctor_item *it = &d->items[i];

		out_color(&c->out, shown[it->state].sgr, "%-8s", shown[it->state].word);
		out_puts(&c->out, " ");
		out_foreign(&c->out, str_c(it->what));
		out_puts(&c->out, "\n");
		if (it->remedy) {
			out_puts(&c->out, "         ");
			out_foreign(&c->out, str_c(it->remedy));
			out_puts(&c->out, "\n");
		}
	}
}

static struct json *as_json(const struct doctor *d)
{
	struct json *j = json_obj(), *arr = json_arr();

	json_set_int(j, "schema", 1);
	for (size_t i = 0; i < d->n; i++) {
		struct json *o = json_obj();

		json_set_str(o, "id", d->items[i].id);
		json_set_str(o, "state", shown[d->items[i].state].word);
		json_set_str(o, "what", d->items[i].what);
		json_set_str(o, "remedy", d->items[i].remedy);
		json_push(arr, o);
	}
	json_set(j, "checks", arr);
	return j;
}

static int run_doctor(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct doctor d = { 0 };
	size_t bad = 0;
	int rc = doctor_run(c->repo, c->config, &d, err);

	if (rc < 0)
		return rc;
	if (c->json)
		c->out.json = as_json(&d);
	else
		print_text(c, &d);
	for (size_t i = 0; i < d.n; i++)
		bad += d.items[i].state == DOCTOR_BAD;
	doctor_release(&d);
	return bad ? err_set(err, E_FINDINGS, "doctor: %zu problem%s", bad,
			     bad == 1 ? "" : "s") :
		     0;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.group = "other",
	.summary = "look whether everything the commands need is here",
	.about = "Looks for the programs that series runs (git, make, the compilers, QEMU, "
		 "readelf), at the settings that posting needs (user.name, user.email, "
		 "sendemail.smtpserver), at the repository (object format, mirrors that would "
		 "delete refs/series) and at the caches (space left). Nothing is changed. "
		 "Problems give exit status 2; warnings do not.",
	.findings = "Something is missing or wrong, and the line says what to do.",
	.flags = CMD_MAYBE_REPO | CMD_JSON,
	.run = run_doctor,
};
