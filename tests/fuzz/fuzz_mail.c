// SPDX-License-Identifier: GPL-2.0-or-later
/* fuzz_mail.c - a mail: fields, parts, text, the commit in it, and there and back as
 * mbox. */
#include "fuzz.h"
#include "series/mailinfo.h"
#include "series/mailsrc.h"
#include "series/utf8.h"

static void check_parts(const struct mail *m)
{
	struct mail_parts parts _cleanup_mail_parts_;
	const char *end = m->raw.p + m->raw.len;

	mail_parts(m, &parts);
	FUZZ_CHECK(parts.n >= 1 && parts.n <= PARTS_MAX);
	for (size_t i = 0; i < parts.n; i++) {
		const struct mail_part *p = &parts.v[i];
		struct buf text _cleanup_buf_ = BUF_INIT;

		FUZZ_CHECK(p->parent <= i && p->depth <= PARTS_DEPTH);
		FUZZ_CHECK(p->body.p >= m->raw.p && p->body.p + p->body.len <= end);
		FUZZ_CHECK(p->head.p >= m->raw.p && p->head.p + p->head.len <= end);
		part_text(m, p, mail_sink_buf, &text);
		FUZZ_CHECK(utf8_valid(buf_str(&text)));
	}
}

/* What goes into an mbox comes out of it, but for the line end at its end. */
static void check_mbox(const struct mail *m)
{
	struct buf box _cleanup_buf_ = BUF_INIT, raw _cleanup_buf_ = BUF_INIT;
	struct buf back _cleanup_buf_ = BUF_INIT;
	struct mail again;
	struct mbox b;

	mail_raw(m, mail_sink_buf, &raw);
	mail_mboxrd(m, mail_sink_buf, &box);
	b = (struct mbox){ buf_str(&box), FROM_MBOXRD };
	FUZZ_CHECK(mbox_next(&b, &again, NULL));
	if (again.raw.p != box.p + strlen("From mboxrd@z Thu Jan  1 00:00:00 1970\n"))
		return; /* white space or a second From_ line at its start is passed over
			 */
	mail_raw(&again, mail_sink_buf, &back);
	if (raw.len && raw.p[raw.len - 1] != '\n')
		buf_putc(&raw, '\n');
	FUZZ_CHECK(str_eq(buf_str(&raw), buf_str(&back)));
	FUZZ_CHECK(!mbox_next(&b, &again, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mailinfo info _cleanup_mailinfo_ = { 0 };
	struct mail m;

	if (!size)
		return 0;
	mail_scan(str_n((const char *)data + 1, size - 1), data[0] % 3, &m);
	check_parts(&m);
	mailinfo_read(&m, &info);
	FUZZ_CHECK(utf8_valid(str_c(info.name)) && utf8_valid(str_c(info.subject)));
	FUZZ_CHECK(utf8_valid(buf_str(&info.message)));
	check_mbox(&m);
	return 0;
}
