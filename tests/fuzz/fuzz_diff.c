// SPDX-License-Identifier: GPL-2.0-or-later
/* fuzz_diff.c - a unified diff and its patch-id. */
#include "fuzz.h"
#include "series/diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_n((const char *)data, size);
	struct diff d _cleanup_diff_;
	char id[PATCH_ID_HEX];
	size_t hunks = 0;

	diff_read(text, &d);
	for (size_t i = 0; i < d.n_files; i++) {
		FUZZ_CHECK(diff_path(&d.file[i]));
		FUZZ_CHECK(!d.file[i].n_hunks || d.file[i].hunk == hunks);
		hunks += d.file[i].n_hunks;
	}
	FUZZ_CHECK(hunks == d.n_hunks);
	for (size_t i = 0; i < d.n_hunks; i++) {
		const struct diff_hunk *h = &d.hunk[i];

		FUZZ_CHECK(h->file < d.n_files);
		FUZZ_CHECK(h->lines.p >= text.p &&
			   h->lines.p + h->lines.len <= text.p + size);
	}
	if (diff_patch_id(text, id))
		FUZZ_CHECK(strlen(id) == PATCH_ID_HEX - 1);
	return 0;
}
