// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects of a partial clone (git clone --filter) that are not here yet. libgit2 calls
 * them missing; git fetches them from the promisor remote when asked. So the last place
 * where libgit2 looks for an object is git cat-file.
 */
#include <git2/sys/odb_backend.h>
#include <stdlib.h>
#include "internal.h"
#include "series/mem.h"

struct backend {
	git_odb_backend parent;
	struct repo *repo;
};

static git_object_t type_of(struct str word)
{
	return str_eqc(word, "commit") ? GIT_OBJECT_COMMIT
	       : str_eqc(word, "tree") ? GIT_OBJECT_TREE
	       : str_eqc(word, "blob") ? GIT_OBJECT_BLOB
	       : str_eqc(word, "tag")  ? GIT_OBJECT_TAG
				       : GIT_OBJECT_INVALID;
}

/* "OID TYPE SIZE", a newline, the content, a newline. */
static int backend_read(void **ret, size_t *ret_len, git_object_t *ret_type,
			git_odb_backend *base, const git_oid *oid)
{
	struct backend *b = (struct backend *)base;
	char *args[] = { "cat-file", "--batch", NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	char hex[OID_HEX];
	char *input _cleanup_free_ = NULL;
	struct str rest, head, word[3];
	git_object_t type;
	int64_t len;

	git_oid_tostr(hex, sizeof(hex), oid);
	input = xasprintf("%s\n", hex);
	if (git_run(b->repo, args, str_c(input), &res, NULL) || res.status)
		return GIT_ENOTFOUND;
	rest = buf_str(&res.out);
	if (!str_line(&rest, &head))
		return GIT_ENOTFOUND;
	for (size_t i = 0; i < ARRAY_SIZE(word); i++)
		if (!str_word(&head, &word[i]))
			return GIT_ENOTFOUND;
	type = type_of(word[1]);
	if (type == GIT_OBJECT_INVALID ||
	    !str_to_i64(word[2], 0, (int64_t)rest.len, &len))
		return GIT_ENOTFOUND;
	*ret = git_odb_backend_data_alloc(base, (size_t)len + 1);
	if (!*ret)
		return GIT_ERROR;
	memcpy(*ret, rest.p, (size_t)len);
	*ret_len = (size_t)len;
	*ret_type = type;
	return 0;
}

static void backend_free(git_odb_backend *base)
{
	free(base);
}

static bool is_partial(git_repository *g)
{
	git_config *c = NULL;
	git_config_iterator *it = NULL;
	git_config_entry *e;
	bool found = false;

	if (git_repository_config_snapshot(&c, g))
		return false;
	if (!git_config_iterator_glob_new(
		    &it, c, "^(remote\\..*\\.promisor|extensions\\.partialclone)$")) {
		found = !git_config_next(&e, it);
		git_config_iterator_free(it);
	}
	git_config_free(c);
	return found;
}

void promisor_attach(struct repo *r)
{
	struct backend *b;
	git_odb *odb = NULL;

	if (!is_partial(r->g) || git_repository_odb(&odb, r->g))
		return;
	b = xcalloc(1, sizeof(*b));
	git_odb_init_backend(&b->parent, GIT_ODB_BACKEND_VERSION);
	b->parent.read = backend_read;
	b->parent.free = backend_free;
	b->repo = r;
	/* Behind packs and loose files, and behind those of alternates. */
	if (git_odb_add_alternate(odb, &b->parent, 0))
		free(b);
	git_odb_free(odb);
}
