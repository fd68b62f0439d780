// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judgecache.c - see judgecache.h.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "judgecache.h"
#include "series/fs.h"
#include "series/mem.h"

#define MAX_BYTES (1 << 20)

static bool take_oid(struct str *line, char ret[OID_HEX])
{
	struct str word;

	if (!str_word(line, &word) || word.len != OID_HEX - 1)
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (hex_digit(word.p[i]) < 0)
			return false;
	memcpy(ret, word.p, word.len);
	ret[word.len] = '\0';
	return true;
}

static bool take_number(struct str *line, size_t *ret)
{
	struct str word;
	int64_t n;

	if (!str_word(line, &word) || !str_to_i64(word, 0, INT32_MAX, &n))
		return false;
	*ret = (size_t)n;
	return true;
}

void judge_cache_read(struct repo *r, struct judge_cache *ret)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str rest, line, word;

	*ret = (struct judge_cache){
		.path = path_join(repo_common_dir(r), "series/tags-judged"),
	};
	if (fs_read(ret->path, MAX_BYTES, &b, NULL))
		return;
	rest = buf_str(&b);
	while (str_line(&rest, &line)) {
		struct judge_fact f = { 0 };

		/* A line that is not whole is passed over. */
		if (!str_word(&line, &word) || word.len != 1 ||
		    !take_oid(&line, f.from) || !take_oid(&line, f.to) ||
		    !take_number(&line, &f.a) || !take_number(&line, &f.b) ||
		    !str_eqc(str_trim(line), "."))
			continue;
		f.what = word.p[0];
		vec_grow(ret->v, ret->n, ret->cap);
		ret->v[ret->n++] = f;
	}
}

void judge_cache_release(struct judge_cache *c)
{
	free(c->path);
	free(c->v);
	*c = (struct judge_cache){ NULL };
}

const struct judge_fact *judge_cache_find(const struct judge_cache *c, char what,
					  const char *from, const char *to)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct judge_fact *f = &c->v[i];

		if (f->what == what && !strcmp(f->from, from) && !strcmp(f->to, to))
			return f;
	}
	return NULL;
}

void judge_cache_add(struct judge_cache *c, char what, const char *from, const char *to,
		     size_t a, size_t b)
{
	char *line _cleanup_free_ =
		xasprintf("%c %s %s %zu %zu .\n", what, from, to, a, b);
	char *dir _cleanup_free_ = path_dir(c->path);
	int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC;
	int fd _cleanup_close_ = -1;
	struct judge_fact f = { .what = what, .a = a, .b = b };

	memcpy(f.from, from, OID_HEX);
	memcpy(f.to, to, OID_HEX);
	vec_grow(c->v, c->n, c->cap);
	c->v[c->n++] = f;
	if (fs_size(c->path) > MAX_BYTES - (int64_t)strlen(line))
		flags |= O_TRUNC;
	if (fs_mkdirs(dir, NULL))
		return;
	fd = open(c->path, flags, 0666);
	if (fd >= 0 && write(fd, line, strlen(line)) < 0)
		return; /* it is found out again next time */
}
