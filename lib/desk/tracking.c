// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracking.c - see tracking.h.
 */
#include <ctype.h>
#include <sys/mman.h>
#include <unistd.h>
#include "series/compose.h"
#include "series/gzip.h"
#include "series/json.h"
#include "series/mem.h"
#include "series/tracking.h"

#define JSON_MAX ((size_t)1 << 20)

/* gzip in memory; false when it is none, damaged or too much. */
static bool unpack(const struct buf *packed, struct buf *out)
{
	int from = memfd_create("packed", MFD_CLOEXEC),
	    to = memfd_create("json", MFD_CLOEXEC);
	bool good = from >= 0 && to >= 0 &&
		    write(from, packed->p, packed->len) == (ssize_t)packed->len &&
		    !lseek(from, 0, SEEK_SET) &&
		    !gzip_copy(from, to, "X-B4-Tracking", NULL);
	off_t len = good ? lseek(to, 0, SEEK_END) : 0;

	good = len > 0 && (size_t)len <= JSON_MAX;
	if (good) {
		char *p = xcalloc(1, (size_t)len);

		good = pread(to, p, (size_t)len, 0) == len;
		if (good)
			buf_add(out, p, (size_t)len);
		free(p);
	}
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return good;
}

static void take_history(const struct json *history, struct strvec *ret)
{
	struct strvec keys _cleanup_strvec_ = STRVEC_INIT;

	json_keys(history, &keys);
	for (size_t i = 0; i < keys.n; i++) {
		const struct json *ids = json_get(history, keys.v[i]);

		for (size_t k = 0; k < json_len(ids); k++) {
			const char *id = json_value_str(json_at(ids, k));

			if (id && message_id_ok(id))
				strvec_push(ret, id);
		}
	}
}

/* The inner object's document; NULL. Free with json_free(). */
static struct json *read_tracking(const struct mail *m)
{
	struct str value = field_get(m->head, "X-B4-Tracking");
	ptrdiff_t at = value.p ? str_find(value, "b=") : -1;
	struct mail plain = { .quoting = FROM_PLAIN };
	struct mail_part part = { .encoding = ENC_BASE64 };
	struct buf packed _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT;
	struct json *doc = NULL;

	if (at < 0 || !str_starts(str_trim(value), "v=1;") || value.len > JSON_MAX)
		return NULL;
	part.body = str_n(value.p + at + 2, value.len - (size_t)at - 2);
	part_bytes(&plain, &part, mail_sink_buf, &packed);
	if (!packed.len || !unpack(&packed, &text) ||
	    json_parse(buf_str(&text), "X-B4-Tracking", &doc, NULL))
		return NULL;
	return doc;
}

void tracking_ids(const struct mail *m, struct strvec *ret)
{
	struct json *doc _cleanup_json_ = read_tracking(m);

	if (doc)
		take_history(json_get(json_get(doc, "series"), "history"), ret);
}

char *tracking_change_id(const struct mail *m)
{
	struct json *doc _cleanup_json_ = read_tracking(m);
	const char *tracked =
		doc ? json_get_str(json_get(doc, "series"), "change-id") : NULL;
	struct str id =
		tracked ? str_c(tracked) : str_trim(field_get(m->head, "X-Change-ID"));

	if (!id.len || id.len > 200)
		return NULL;
	/* It goes into covers and onto terminals. */
	for (size_t i = 0; i < id.len; i++)
		if (!isgraph((unsigned char)id.p[i]))
			return NULL;
	return str_dup(id);
}
