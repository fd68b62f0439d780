// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * letter.c - see letter.h.
 */
#include <ctype.h>
#include "letter.h"
#include "series/mem.h"
#include "series/store.h"

#define SHORT_ID 12 /* digits, as the kernel's Fixes: lines have them */

char *letter_base_name(const struct series *s, const struct config *c)
{
	struct str ref = str_c(s->base_ref ? s->base_ref : "");
	struct strvec remotes _cleanup_strvec_ = STRVEC_INIT;
	bool tracking = str_skip(&ref, "refs/remotes/");
	ptrdiff_t slash;

	if (!ref.len)
		return NULL;
	str_skip(&ref, "refs/");
	if (!str_skip(&ref, "heads/"))
		str_skip(&ref, "tags/");
	slash = str_chr(ref, '/');
	config_subsections(c, "remote", "", &remotes);
	/* What a remote is called here means nothing to others. */
	if (slash > 0) {
		char *first _cleanup_free_ = str_dup(str_n(ref.p, slash));

		if (tracking || strvec_has(&remotes, first))
			ref = str_n(ref.p + slash + 1, ref.len - slash - 1);
	}
	return str_dup(ref);
}

static void put_base_line(const struct letter *l, struct buf *out)
{
	char *name _cleanup_free_ = letter_base_name(l->series, l->config);

	if (name)
		buf_printf(out, "Applies on %s (%.*s)\n\n", name, SHORT_ID,
			   l->series->base);
	else
		buf_printf(out, "Applies on %.*s\n\n", SHORT_ID, l->series->base);
}

/* Does this version count as an RFC that v1 came after? */
static bool set_aside_now(const struct letter *l, const struct version *v)
{
	return v->rfc || l->restart;
}

static void put_links(const struct letter *l, struct buf *out)
{
	bool any = false;

	if (l->changes && l->changes->links)
		return;
	for (size_t i = l->series->n_versions; i-- > 0;) {
		const struct version *v = &l->series->versions[i];
		const char *id = version_link(v);
		bool rfc = set_aside_now(l, v);

		if (!id || (!rfc && v->n >= l->version))
			continue;
		buf_printf(out, "%sv%d: ", rfc ? "RFC " : "", v->n);
		changes_link(l->config, id, out);
		buf_putc(out, '\n');
		any = true;
	}
	if (any)
		buf_putc(out, '\n');
}

static void put_block(struct str text, struct buf *out)
{
	if (!text.len)
		return;
	buf_addstr(out, text);
	buf_putc(out, '\n');
}

static void put_ids(const struct letter *l, struct buf *out)
{
	buf_printf(out, "base-commit: %s\n", series_public_base(l->series));
	if (l->series->change_id)
		buf_printf(out, "change-id: %s\n", l->series->change_id);
	for (size_t i = 0; i < l->series->prerequisites.n; i++) {
		const char *line = l->series->prerequisites.v[i];

		buf_printf(out, "%s%s\n",
			   strchr(line, ':') ? "" : "prerequisite-patch-id: ", line);
	}
}

int letter_cover(const struct letter *l, struct buf *out, struct err *err)
{
	struct str sig = l->patches->signature;

	put_block(buf_str(&l->cover->body), out);
	buf_puts(out, "---\n");
	put_block(buf_str(&l->cover->notes), out);
	put_base_line(l, out);
	if (l->changes)
		buf_addstr(out, buf_str(&l->changes->cover));
	put_links(l, out);
	buf_addstr(out, buf_str(&l->patches->shortlog));
	buf_addstr(out, buf_str(&l->patches->stat));
	buf_putc(out, '\n');
	put_ids(l, out);
	if (sig.len) {
		buf_puts(out, "-- \n");
		buf_addstr(out, sig);
		buf_puts(out, "\n\n");
	}
	return 0;
}

/* Letters, digits, dots and blanks, and what is beyond ASCII. */
static bool name_is_simple(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < 0x80 && !isalnum((unsigned char)*name) &&
		    !strchr(" .-_'", *name))
			return false;
	return true;
}

/*
 * Does git am need the author's name in the text? When another one sends; when encoded
 * words hide quotes, for it decodes them first and then takes quotes and brackets of the
 * name for syntax; and to keep the first line of the text from being read as a header.
 */
static bool needs_author(const struct letter *l, const struct commit *c)
{
	return strcmp(l->from->name, c->author_name) ||
	       strcmp(l->from->email, c->author_email) ||
	       !name_is_simple(c->author_name) ||
	       message_header_like(message_body(c->message));
}

/* "From: NAME <EMAIL>", as git writes it where git am and mail readers agree on that. */
static void put_author(const struct commit *c, struct buf *out)
{
	struct addr author = { c->author_name, c->author_email };
	struct buf shown _cleanup_buf_ = BUF_INIT;
	/* Without an '@' git am looks for no quotes. */
	bool simple = name_is_simple(author.name) || !strchr(author.email, '@');

	buf_puts(out, "From: ");
	if (strstr(author.name, "=?")) {
		/* git decodes it before it takes the quotes off, so they are inside. */
		addr_show(&author, &shown);
		buf_truncate(&shown, shown.len - strlen(author.email) - 3);
		rfc2047_encode(buf_str(&shown), 6, out);
		buf_printf(out, " <%s>", author.email);
	} else if (simple) {
		buf_printf(out, "%s%s<%s>", author.name, author.name[0] ? " " : "",
			   author.email);
	} else {
		addr_show(&author, out);
	}
	buf_puts(out, "\n\n");
}

void letter_message(const struct letter *l, size_t i, struct buf *out)
{
	const struct commit *c = &l->patches->commits[i];
	struct str body = message_body(c->message);

	if (needs_author(l, c))
		put_author(c, out);
	buf_addstr(out, body);
	if (body.len)
		buf_putc(out, '\n');
}

static void put_note(const struct letter *l, size_t i, struct buf *out)
{
	const struct patchnote *n =
		l->notes ? patchnotes_get(l->notes, (int)i + 1) : NULL;

	if (n)
		put_block(str_c(n->text), out);
}

int letter_patch(const struct letter *l, size_t i, struct buf *out, struct err *err)
{
	const struct patch_mail *m = &l->patches->mails[i];

	letter_message(l, i, out);
	buf_puts(out, "---\n");
	if (l->patches->n == 1) {
		if (l->cover) {
			put_block(buf_str(&l->cover->body), out);
			put_block(buf_str(&l->cover->notes), out);
		}
		put_base_line(l, out);
		if (l->changes)
			buf_addstr(out, buf_str(&l->changes->cover));
		put_links(l, out);
		put_note(l, i, out);
		put_ids(l, out);
		buf_putc(out, '\n');
	} else {
		if (l->changes && i < l->changes->n)
			buf_addstr(out, buf_str(&l->changes->patches[i]));
		put_note(l, i, out);
	}
	buf_addstr(out, m->notes);
	buf_addstr(out, m->rest);
	if (!m->rest.len || m->rest.p[m->rest.len - 1] != '\n')
		buf_putc(out, '\n');
	return 0;
}
