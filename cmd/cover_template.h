/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cover_template.h - what a new cover letter begins with: templates/cover/NAME.txt, or a
 * file of the user's.
 */
#ifndef SERIES_CMD_COVER_TEMPLATE_H
#define SERIES_CMD_COVER_TEMPLATE_H

#include "cmd.h"

/*
 * The template name (NULL: series.coverTemplate, else "single" for one patch and
 * "default" for more) appended to *ret. E_NOTFOUND lists those that there are.
 */
int cover_template_read(struct ctx *c, const char *name, struct buf *ret,
			struct err *err);
/* Names of the templates that come with the program, for completion. */
int cover_template_names(struct strvec *ret, struct err *err);

#endif
