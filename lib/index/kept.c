// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kept.c - texts of mails that were read in this update, so that they need not be
 * unpacked again when their family is looked at: as many as KEPT_BYTES hold, the first
 * ones.
 *
 * Texts are added by one thread while nobody looks, and looked at by all when none is
 * added.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/mem.h"

static size_t slot_of(const struct kept *k, const unsigned char *blob)
{
	size_t hash; /* names of objects are as even as a hash */

	memcpy(&hash, blob, sizeof(hash));
	return hash & (k->slots - 1);
}

/* Where the blob is, or the free place for it. */
static struct kept_text *find(const struct kept *k, const unsigned char *blob)
{
	size_t i = slot_of(k, blob);

	while (k->v[i].text && memcmp(k->v[i].blob, blob, OID_BYTES))
		i = (i + 1) & (k->slots - 1);
	return &k->v[i];
}

static void grow(struct kept *k)
{
	struct kept old = *k;

	k->slots = old.slots ? 2 * old.slots : 1024;
	k->v = xcalloc(k->slots, sizeof(*k->v));
	for (size_t i = 0; i < old.slots; i++)
		if (old.v[i].text)
			*find(k, old.v[i].blob) = old.v[i];
	free(old.v);
}

bool kept_wants(const struct kept *k)
{
	return k->bytes < KEPT_BYTES;
}

void kept_add(struct kept *k, const unsigned char *blob, char *text_take, size_t len)
{
	struct kept_text *t;

	if (2 * k->n >= k->slots)
		grow(k);
	t = find(k, blob);
	if (t->text) {
		free(text_take);
		return;
	}
	memcpy(t->blob, blob, OID_BYTES);
	t->text = text_take;
	t->len = len;
	k->n++;
	k->bytes += len;
}

bool kept_get(const struct kept *k, const unsigned char *blob, struct str *ret)
{
	const struct kept_text *t = k->slots ? find(k, blob) : NULL;

	if (!t || !t->text)
		return false;
	*ret = str_n(t->text, t->len);
	return true;
}

void kept_release(struct kept *k)
{
	for (size_t i = 0; i < k->slots; i++)
		free(k->v[i].text);
	free(k->v);
	*k = (struct kept){ .n = 0 };
}
