// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_control.c - control characters in messages and names. A mail carries them encoded
 * and git am gives them back, but they act on the terminal of whoever reads git log.
 */
#include "check_priv.h"
#include "series/sanitize.h"

static void look_at_author(struct check_ctx *x, size_t i)
{
	const struct commit *c = &x->commits[i];
	int name = control_in(str_c(c->author_name)), address;
	char *where _cleanup_free_ = check_where(x, i), *remedy _cleanup_free_ = NULL;

	address = control_in(str_c(c->author_email));
	if (name < 0 && address < 0)
		return;
	remedy = remedy_rebase(x->base, "edit", i + 1,
			       "then git commit --amend --author='NAME <EMAIL>'");
	check_add(x, "control-bytes", where, remedy,
		  "the author's %s has the control character 0x%02x",
		  name < 0 ? "address" : "name", (unsigned)(name < 0 ? address : name));
}

int check_control(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		char *where _cleanup_free_ = check_where(x, i);
		char *remedy _cleanup_free_ = check_rebase(x, i, "reword");
		struct str rest = str_c(x->commits[i].message), line;

		look_at_author(x, i);
		for (size_t n = 1; str_line(&rest, &line); n++) {
			int c = control_in(line);

			if (c >= 0)
				check_add(x, "control-bytes", where, remedy,
					  "line %zu of the message has the control "
					  "character 0x%02x",
					  n, (unsigned)c);
		}
	}
	return 0;
}
