// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intake.c - see intake.h.
 */
#include <string.h>
#include "intake.h"
#include "series/fs.h"
#include "series/sanitize.h"
#include "series/utf8.h"

static bool has_line(struct str text, struct str wanted)
{
	struct str line;

	while (str_line(&text, &line))
		if (str_eq(line, wanted))
			return true;
	return false;
}

int intake_check(const char *title, struct str text, struct str known, struct err *err)
{
	struct str line;

	for (size_t n = 1; str_line(&text, &line); n++) {
		bool valid = utf8_valid(line);
		int c = control_in(line);

		if ((valid && c < 0) || has_line(known, line))
			continue;
		if (!valid)
			return err_set(err, E_FAIL,
				       "%s: line %zu is not UTF-8; save the text in that "
				       "encoding (iconv -f latin1)",
				       title, n);
		return err_set(err, E_FAIL,
			       "%s: line %zu has the control character 0x%02x, "
			       "which a mail should not carry; take it out",
			       title, n, (unsigned)c);
	}
	return 0;
}

int intake_file(const char *title, const char *path, size_t max, struct buf *ret,
		struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = fs_read(strcmp(path, "-") ? path : "/dev/stdin", max, &text, err);

	if (!rc)
		rc = intake_check(title, buf_str(&text), STR_LIT(""), err);
	if (!rc)
		buf_addstr(ret, buf_str(&text));
	return rc;
}

void intake_strip(struct str text, struct str form, struct buf *ret)
{
	struct str line;

	while (str_line(&text, &line)) {
		if (line.len && line.p[0] == '#' && has_line(form, line))
			continue;
		buf_addstr(ret, line);
		buf_putc(ret, '\n');
	}
}
