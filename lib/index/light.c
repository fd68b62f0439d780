// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * light.c - what of a mail makes its thread and family, as numbers.
 *
 * Ids and keys are 64-bit hashes: two that fall together by chance put two families into
 * one, which posted_find(), who compares the texts, tells apart again.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/hints.h"
#include "series/mem.h"

/* FNV-1a with the bits mixed at the end (splitmix64). */
static uint64_t hash_begin(uint64_t salt)
{
	return 14695981039346656037u ^ (salt * 0x9e3779b97f4a7c15u);
}

static uint64_t hash_add(uint64_t h, struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
	return (h ^ 0x100) * 1099511628211u;
}

/* Without white space, and letters of one case: see title_same(). */
static uint64_t hash_add_folded(uint64_t h, const char *s)
{
	for (; *s; s++)
		if (!str_space(*s))
			h = (h ^
			     (unsigned char)(*s >= 'A' && *s <= 'Z' ? *s | 0x20 : *s)) *
			    1099511628211u;
	return (h ^ 0x100) * 1099511628211u;
}

static int64_t hash_end(uint64_t h)
{
	h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
	h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
	h ^= h >> 31;
	return (int64_t)(h ? h : 1);
}

int64_t light_hash(enum key_kind kind, struct str text)
{
	return hash_end(hash_add(hash_begin((uint64_t)kind + 1), text));
}

/* A Message-ID is the same for all: what names one has KEY_NAMED of this hash. */
int64_t light_id(struct str message_id)
{
	return hash_end(hash_add(hash_begin(0), message_id));
}

static void put_hash(struct buf *keys, enum key_kind kind, int64_t hash)
{
	char b[KEY_BYTES] = { (char)kind };

	for (int i = 0; i < 8; i++)
		b[i + 1] = (char)((uint64_t)hash >> (8 * i));
	for (size_t at = 0; at < keys->len; at += KEY_BYTES)
		if (!memcmp(keys->p + at, b, KEY_BYTES))
			return;
	buf_add(keys, b, sizeof(b));
}

enum key_kind light_key(struct str keys, size_t i, int64_t *ret_hash)
{
	const unsigned char *p = (const unsigned char *)keys.p + i * KEY_BYTES;
	uint64_t hash = 0;

	for (int k = 7; k >= 0; k--)
		hash = hash << 8 | p[k + 1];
	*ret_hash = (int64_t)hash;
	return (enum key_kind)p[0];
}

/* The same for one person by address and by name: whichever stays the same finds it. */
static void put_person(struct buf *keys, enum key_kind kind, const struct hints *h,
		       uint64_t what)
{
	const char *const who[] = { h->email, h->name };

	for (size_t i = 0; i < ARRAY_SIZE(who); i++)
		if (*who[i])
			put_hash(keys, kind, hash_end(hash_add_folded(what, who[i])));
}

static uint64_t numbers(const struct subject *s)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	buf_printf(&b, "%d %d %d %d", s->version, s->minor, s->total, (int)s->rfc);
	return hash_add(hash_begin(KEY_HOUR + 1), buf_str(&b));
}

static void put_keys(const struct thread_mail *m, const struct hints *h, struct buf *keys)
{
	if (h->change_id)
		put_hash(keys, KEY_CHANGE_ID,
			 light_hash(KEY_CHANGE_ID, str_c(h->change_id)));
	for (size_t i = 0; i < h->named.n; i++)
		put_hash(keys, KEY_NAMED, light_id(str_c(h->named.v[i])));
	if (!h->item)
		return;
	if (!m->parents.n && h->subject.counted && h->subject.total > 1)
		put_person(keys, KEY_HOUR, h, numbers(&h->subject));
	if (h->first && *h->subject.title)
		put_person(keys, KEY_TITLE, h,
			   hash_add_folded(hash_begin(KEY_TITLE + 1), h->subject.title));
}

static void put_ids(const struct thread_mail *m, struct light *ret)
{
	if (m->id)
		ret->id = light_id(str_c(m->id));
	ret->refs = xcalloc(m->parents.n + 1, sizeof(*ret->refs));
	for (size_t i = 0; i < m->parents.n; i++)
		if (strchr(m->parents.v[i], '@'))
			ret->refs[ret->n_refs++] = light_id(str_c(m->parents.v[i]));
}

static void unhex(const char *hex, unsigned char *ret)
{
	for (size_t i = 0; i < OID_BYTES && hex[2 * i]; i++)
		ret[i] = (unsigned char)(hex_digit(hex[2 * i]) << 4 |
					 hex_digit(hex[2 * i + 1]));
}

void light_read(const struct epoch_mail *m, struct light *ret)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct hints h _cleanup_hints_ = { .item = false };
	struct mail mail;

	*ret = (struct light){ .what = m->what };
	unhex(m->blob, ret->blob);
	unhex(m->commit, ret->commit);
	ret->id = light_id(str_n((const char *)ret->blob, OID_BYTES));
	if (m->what == EPOCH_BROKEN)
		return;
	ret->size = (int64_t)m->raw.len;
	mail_scan(m->raw, FROM_PLAIN, &mail);
	thread_add(&t, &mail);
	thread_link(&t);
	put_ids(&t.v[0], ret);
	ret->date = t.v[0].date;
	if (m->what == EPOCH_DELETED)
		return;
	hints_read(&t, &h);
	ret->item = h.item;
	put_keys(&t.v[0], &h, &ret->keys);
}

void light_release(struct light *l)
{
	free(l->refs);
	buf_release(&l->keys);
	free(l->text);
}
