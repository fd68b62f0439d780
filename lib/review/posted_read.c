// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_read.c - which mails are covers and patches. A subject alone says too little:
 * people reply without "Re:", and post new versions with it.
 */
#include "posted_priv.h"
#include "series/mem.h"

/* Lists refuse a hundredth of it. */
#define BODY_MAX (16 << 20)

/* "@@ -", if it is asked for at the start of a line only. */
static bool has_hunk(struct str s, bool at_start)
{
	const char *end = s.p + s.len, *at = s.p;

	for (; at < end && (at = memchr(at, '@', (size_t)(end - at))); at++)
		if (str_starts(str_n(at, (size_t)(end - at)), "@@ -") &&
		    (!at_start || (at > s.p && at[-1] == '\n')))
			return true;
	return false;
}

static bool body_has(const struct mail *m, const char *word)
{
	return m->body.len && memmem(m->body.p, m->body.len, word, strlen(word));
}

/*
 * A look at the bytes, so that the text of most replies need not be made. In a reply the
 * whole line must stand there unquoted.
 */
static bool may_have_diff(const struct mail *m, bool reply)
{
	static const char *const names[] = { "Content-Transfer-Encoding",
					     "Content-Type" };
	struct str v[ARRAY_SIZE(names)];

	if (has_hunk(m->body, reply))
		return true;
	if (!reply && (body_has(m, "diff --git ") || body_has(m, "Binary files ")))
		return true;
	field_get_all(m->head, names, ARRAY_SIZE(names), v);
	return str_istarts(str_trim(v[0]), "base64") ||
	       (str_istarts(str_trim(v[1]), "multipart/") && body_has(m, "base64"));
}

static bool is_pull(const struct subject *s)
{
	for (size_t i = 0; i < s->words.n; i++)
		if (!s->patch && str_ieqc(str_c(s->words.v[i]), "pull"))
			return true;
	return false;
}

static bool same_place(const struct subject *a, const struct subject *b)
{
	return a->version == b->version && a->minor == b->minor && a->rfc == b->rfc &&
	       a->resend == b->resend && a->n == b->n && a->counted == b->counted &&
	       title_same(a->title, b->title);
}

static bool signed_off(struct str text)
{
	struct str line;

	while (str_line(&text, &line) && !str_starts(line, "diff --git ") &&
	       !str_starts(line, "--- "))
		if (str_istarts(line, "Signed-off-by:"))
			return true;
	return false;
}

void item_release(struct item *it)
{
	subject_release(&it->s);
	sender_release(&it->from);
	free(it->change_id);
	strvec_release(&it->named);
}

/* "Re:" with a whole patch below: a new version, or what a reviewer would write. */
static bool take_possible(struct finder *f, const struct item *it, struct str text)
{
	const struct thread_mail *m = &f->t->v[it->mail];

	if (!signed_off(text))
		return false;
	vec_grow(f->possible, f->n_possible, f->cap_possible);
	f->possible[f->n_possible++] = it->mail;
	if (it->s.counted && !it->s.n)
		return false;
	if (it->up == NONE)
		return !m->parents.n;
	return same_sender(&it->from, &f->v[it->up].from) &&
	       !same_place(&it->s, &f->v[it->up].s);
}

/* A mail that looks like a patch or cover and is none: a reply without "Re:". */
static bool is_answer(struct finder *f, const struct item *it)
{
	const struct item *up = it->up == NONE ? NULL : &f->v[it->up];

	if (it->cover || !it->diff) {
		if (up && same_place(&it->s, &up->s))
			return true;
		if (up && !it->cover && !same_sender(&it->from, &up->from))
			return true;
	}
	/* Without a diff only a numbered mail is a patch. */
	return !it->cover && !it->diff && !(it->s.patch && it->s.counted);
}

/*
 * "[PATCH v3 2/3 fix] TITLE", "[PATCH 2/3] TITLE (fix)": something small on top of a
 * patch, which does not replace it.
 */
static bool is_fix(const struct subject *s)
{
	static const char *const ends[] = { " fix", " (fix)", " fix 2", " fix 3",
					    " fixup" };

	for (size_t i = 0; i < s->words.n; i++)
		if (str_ieqc(str_c(s->words.v[i]), "fix"))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (str_ends(str_c(s->title), ends[i]))
			return true;
	return false;
}

static bool is_item(struct finder *f, struct item *it)
{
	const struct mail *m = &f->t->v[it->mail].mail;
	const struct subject *s = &it->s;
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str says;

	if (!(s->patch || s->counted || s->rfc || s->resend) || is_pull(s))
		return false;
	it->cover = s->counted && !s->n && !s->reply;
	if (!it->cover && !may_have_diff(m, s->reply) && !(s->counted && !s->reply))
		return false;
	it->fix = !it->cover && it->up != NONE && is_fix(s);
	if (m->body.len > BODY_MAX)
		return false;
	sender_read(m, &it->from);
	says = thread_text(f->t, it->mail, &text);
	read_text(it, says, !f->no_patch_ids);
	if (it->fix)
		it->s.counted = false;
	if (s->reply)
		return it->diff && take_possible(f, it, says);
	return !is_answer(f, it);
}

static void put_item(struct finder *f, struct item *it)
{
	it->person = it->posting = NONE;
	vec_grow(f->v, f->n, f->cap);
	f->item_of[it->mail] = f->n;
	f->v[f->n++] = *it;
}

static void supersedes(struct finder *f, struct item *it)
{
	struct str value = field_get(f->t->v[it->mail].mail.head, "Supersedes");

	if (value.p)
		field_ids(value, &it->named);
}

static void start_item(struct finder *f, size_t mail, struct item *it)
{
	const struct thread_mail *m = &f->t->v[mail];
	struct buf subject _cleanup_buf_ = BUF_INIT;
	struct str value = field_get(m->mail.head, "Subject");

	*it = (struct item){ .mail = mail, .date = m->date, .up = f->up_of[mail] };
	if (value.p)
		field_text(value, &subject);
	subject_read(buf_str(&subject), &it->s);
}

static void find_up(struct finder *f, size_t mail)
{
	size_t parent = f->t->v[mail].parent;

	if (parent != mail)
		f->up_of[mail] = f->item_of[parent] != NONE ? f->item_of[parent]
							    : f->up_of[parent];
}

void find_ups(struct finder *f)
{
	for (size_t i = 0; i < f->t->n; i++) {
		size_t mail = f->t->order[i];

		find_up(f, mail);
		if (f->item_of[mail] != NONE)
			f->v[f->item_of[mail]].up = f->up_of[mail];
	}
}

void find_items(struct finder *f)
{
	const struct thread *t = f->t;

	for (size_t i = 0; i < t->n; i++)
		f->item_of[i] = f->up_of[i] = NONE;
	for (size_t i = 0; i < t->n; i++) {
		size_t mail = t->order[i];
		struct item it;

		find_up(f, mail);
		start_item(f, mail, &it);
		if (is_item(f, &it)) {
			supersedes(f, &it);
			put_item(f, &it);
		} else {
			find_obsoleted(f, mail, it.up);
			item_release(&it);
		}
	}
}

size_t add_cover(struct finder *f, size_t mail)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct item it;

	start_item(f, mail, &it);
	it.cover = true;
	sender_read(&f->t->v[mail].mail, &it.from);
	read_text(&it, thread_text(f->t, mail, &text), true);
	supersedes(f, &it);
	put_item(f, &it);
	return f->n - 1;
}
