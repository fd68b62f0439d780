// SPDX-License-Identifier: GPL-2.0-or-later
/* fuzz_field.c - the value of a field: as text, ids, a date, people; as a name for git.
 */
#include "fuzz.h"
#include "series/addr.h"
#include "series/mailinfo.h"
#include "series/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str value = str_n((const char *)data, size);
	struct buf text _cleanup_buf_ = BUF_INIT, subject _cleanup_buf_ = BUF_INIT;
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct addrs people = ADDRS_INIT;
	char *name, *email;
	int64_t date;

	field_text(value, &text);
	FUZZ_CHECK(utf8_valid(buf_str(&text)));
	field_ids(value, &ids);
	for (size_t i = 0; i < ids.n; i++)
		FUZZ_CHECK(ids.v[i][0] && !strpbrk(ids.v[i], " \t\r\n"));
	field_date(value, &date, NULL);
	mailinfo_subject(buf_str(&text), &subject);
	mailinfo_author(buf_str(&text), &name, &email);
	if (!addrs_parse(&people, buf_cstr(&text), NULL))
		for (size_t i = 0; i < people.n; i++)
			FUZZ_CHECK(people.v[i].email[0]);
	addrs_release(&people);
	free(name);
	free(email);
	return 0;
}
