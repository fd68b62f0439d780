// SPDX-License-Identifier: GPL-2.0-or-later
/* fuzz_mbox.c - an mbox, and the thread of its mails. */
#include "fuzz.h"
#include "series/thread.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mbox b = { str_n((const char *)data, size), FROM_MBOXRD };
	struct thread t _cleanup_thread_ = { 0 };
	const char *last = b.rest.p;
	struct mail m;
	size_t n = 0;

	while (mbox_next(&b, &m, NULL)) {
		FUZZ_CHECK(m.raw.p >= last &&
			   m.raw.p + m.raw.len <= (const char *)data + size);
		last = m.raw.p + m.raw.len;
		thread_add(&t, &m);
	}
	thread_link(&t);
	for (size_t i = 0; i < t.n; i++) {
		const struct thread_mail *mail = &t.v[t.order[i]];

		FUZZ_CHECK(
			mail->depth ==
			(mail->parent == t.order[i] ? 0 : t.v[mail->parent].depth + 1));
		n += t.order[i] + 1;
	}
	FUZZ_CHECK(n == t.n * (t.n + 1) / 2);
	return 0;
}
