// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * update_sieve.c - see update_sieve.h.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "update_sieve.h"

/* Replies may come before what they reply to; of other threads there are many more. */
#define LATER_MAX 5000

/* --- ids that are known, and grow with each mail that speaks of one --- */

static size_t hash_of(const char *s)
{
	size_t h = 1469598103934665603u;

	while (*s)
		h = (h ^ (unsigned char)*s++) * 1099511628211u;
	return h;
}

/* Where it stands or belongs; cap is a power of two and never full. */
static size_t slot_of(const struct idset *s, const char *id)
{
	size_t i = hash_of(id) & (s->cap - 1);

	while (s->slot[i] && strcmp(s->slot[i], id) != 0)
		i = (i + 1) & (s->cap - 1);
	return i;
}

static void idset_add(struct idset *s, const char *id)
{
	size_t i;

	if (2 * s->n >= s->cap) {
		struct idset more = { .cap = s->cap ? 2 * s->cap : 256, .n = s->n };

		more.slot = xcalloc(more.cap, sizeof(char *));
		for (i = 0; i < s->cap; i++)
			if (s->slot[i])
				more.slot[slot_of(&more, s->slot[i])] = s->slot[i];
		free(s->slot);
		*s = more;
	}
	i = slot_of(s, id);
	if (!s->slot[i]) {
		s->slot[i] = xstrdup(id);
		s->n++;
	}
}

static bool idset_has(const struct idset *s, const char *id)
{
	return s->cap && s->slot[slot_of(s, id)];
}

static void idset_release(struct idset *s)
{
	for (size_t i = 0; i < s->cap; i++)
		free(s->slot[i]);
	free(s->slot);
}

/* --- the sieve --- */

void sieve_release(struct sieve *s)
{
	idset_release(&s->ours);
	idset_release(&s->seen);
	thread_release(&s->later);
	free(s->later_taken);
}

/* Ids that a mail has or names; its own comes first, "" when it has none. */
static void ids_of(const struct mail *m, struct strvec *ret)
{
	static const char *const names[] = { "Message-ID", "In-Reply-To", "References" };
	struct str value[ARRAY_SIZE(names)];

	field_get_all(m->head, names, ARRAY_SIZE(names), value);
	if (value[0].p)
		field_ids(value[0], ret);
	if (!ret->n)
		strvec_push(ret, "");
	for (size_t i = 1; i < ARRAY_SIZE(names); i++)
		if (value[i].p)
			field_ids(value[i], ret);
}

/* Is it one of ours, or does it reply to one? Then so is what replies to it. */
static bool is_ours(struct sieve *s, const struct strvec *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		if (idset_has(&s->ours, ids->v[i])) {
			if (*ids->v[0])
				idset_add(&s->ours, ids->v[0]);
			return true;
		}
	return false;
}

void sieve_know(struct sieve *s, const char *id)
{
	idset_add(&s->ours, id);
}

enum sieved sieve_mail(struct sieve *s, const struct mail *m, size_t *ret_later)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	bool open = false;

	s->n++;
	ids_of(m, &ids);
	for (size_t i = 1; i < ids.n; i++)
		open |= !idset_has(&s->seen, ids.v[i]);
	if (*ids.v[0])
		idset_add(&s->seen, ids.v[0]);
	if (is_ours(s, &ids)) {
		thread_add(s->t, m);
		return SIEVE_TAKEN;
	}
	if (!open || s->later.n >= LATER_MAX)
		return SIEVE_LEFT;
	if (ret_later)
		*ret_later = s->later.n;
	thread_add(&s->later, m);
	return SIEVE_WAITS;
}

void sieve_end(struct sieve *s)
{
	bool *taken = xcalloc(s->later.n + 1, sizeof(*taken)), more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < s->later.n; i++) {
			struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

			if (taken[i])
				continue;
			ids_of(&s->later.v[i].mail, &ids);
			taken[i] = is_ours(s, &ids);
			if (taken[i])
				thread_add(s->t, &s->later.v[i].mail);
			more |= taken[i];
		}
	}
	s->later_taken = taken;
}
