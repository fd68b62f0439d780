// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fixup.c - see fixup.h. What the branch has for each posted patch is in fixup_look.c.
 *
 * Two trees say what changed in patch K: B, where K was posted and its fixes so far are
 * folded in, and N, where K as it is now and its fixup! commits stand on what was posted
 * before K. From B to N is the change; it is merged onto the tip. Where the fixup!
 * commits cannot be folded that far down, they are taken as they are, onto the tip.
 */
#include "fixup_priv.h"
#include "series/mem.h"

void fix_release(struct fix *f)
{
	free(f->title);
	strvec_release(&f->parts);
	buf_release(&f->text);
	free(f->author.name);
	free(f->author.email);
	findings_release(&f->findings);
	trial_close(&f->room);
	*f = (struct fix){ 0 };
}

static int tree_of(const struct look *q, const char *commit, char ret[OID_HEX],
		   struct err *err)
{
	struct commit c;
	int rc = repo_commit(q->s->repo, commit, &c, err);

	if (rc)
		return err_context(err, "a commit of v%d is not here", q->v->n);
	memcpy(ret, c.tree, OID_HEX);
	commit_release(&c);
	return 0;
}

static int parent_of(const struct look *q, const char *commit, char ret[OID_HEX],
		     struct err *err)
{
	struct commit c;
	int rc = repo_commit(q->s->repo, commit, &c, err);

	if (rc)
		return err_context(err, "a commit of v%d is not here", q->v->n);
	memcpy(ret, c.parent, OID_HEX);
	commit_release(&c);
	return *ret ? 0
		    : err_set(err, E_CORRUPT,
			      "commit %.12s, of v%d or the branch, has no parent", commit,
			      q->v->n);
}

/* Patch k as it was posted, its fixes so far folded in; *files when they cannot be. */
static int posted_tree(struct look *q, int k, char ret[OID_HEX], struct strvec *files,
		       struct err *err)
{
	int rc = tree_of(q, q->v->patches[k - 1].commit, ret, err);

	for (size_t i = 0; i < q->v->n_fixups && !rc && !files->n; i++) {
		const struct fixup *f = &q->v->fixups[i];
		char parent[OID_HEX];

		if (f->patch != k)
			continue;
		rc = parent_of(q, f->commit, parent, err);
		if (!rc)
			rc = trial_pick(q->f->room, parent, f->commit, ret, files, err);
	}
	return rc;
}

/*
 * Patch k as it is now, on what was posted before it. A branch that is on top of the
 * posted patches does not have it: then it is as it was posted.
 */
static int amended_tree(struct look *q, int k, char ret[OID_HEX], struct strvec *files,
			struct err *err)
{
	const char *posted = q->v->patches[k - 1].commit;
	const char *now = look_commit(q, k);
	struct strvec lost _cleanup_strvec_ = STRVEC_INIT;
	char before[OID_HEX], parent[OID_HEX];
	int rc;

	if (!now)
		return posted_tree(q, k, ret, &lost, err);
	if (!strcmp(now, posted))
		return tree_of(q, posted, ret, err);
	rc = parent_of(q, posted, before, err);
	if (!rc)
		rc = tree_of(q, before, ret, err);
	if (!rc)
		rc = parent_of(q, now, parent, err);
	return rc ? rc : trial_pick(q->f->room, parent, now, ret, files, err);
}

/* The fixup! commits for patch k onto the tree; *ret_at: the one that *files is about. */
static int add_fixups(struct look *q, int k, char tree[OID_HEX], struct strvec *files,
		      size_t *ret_at, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < q->s->n_patches && !rc && !files->n; i++) {
		char parent[OID_HEX];

		if (q->target[i] != k)
			continue;
		*ret_at = i;
		rc = parent_of(q, q->s->patches[i].commit, parent, err);
		if (!rc)
			rc = trial_pick(q->f->room, parent, q->s->patches[i].commit, tree,
					files, err);
	}
	return rc;
}

/* What leads from one tree to another, merged onto the tip. */
static int onto_tip(struct look *q, const char *from, const char *to, char ret[OID_HEX],
		    struct strvec *files, struct err *err)
{
	char a[OID_HEX], b[OID_HEX];
	struct trial_commit first = { .parent = q->v->head,
				      .tree = from,
				      .message = "-" };
	struct trial_commit then = { .parent = a, .tree = to, .message = "-" };
	int rc = trial_commit(q->f->room, &first, a, err);

	if (!rc)
		rc = trial_commit(q->f->room, &then, b, err);
	memcpy(ret, q->tip_tree, OID_HEX);
	return rc ? rc : trial_pick(q->f->room, a, b, ret, files, err);
}

static int say_conflict(const struct look *q, int k, const struct strvec *files,
			const char *what, const char *remedy, struct err *err)
{
	char *names _cleanup_free_ = strvec_join(files, ", ");

	return err_set(err, E_FAIL, "patch %d '%s': %s (conflict in %s); %s, or post v%d",
		       k, q->v->patches[k - 1].subject, what, names, remedy,
		       series_draft(q->s));
}

/* The change where it stands in the branch: K's own, then its fixup! commits. */
static int unfolded(struct look *q, int k, const char *amended, char ret[OID_HEX],
		    struct err *err)
{
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	char was[OID_HEX];
	size_t at = 0;
	int rc = tree_of(q, q->v->patches[k - 1].commit, was, err);

	if (!rc)
		rc = onto_tip(q, was, amended, ret, &files, err);
	if (!rc && files.n)
		return say_conflict(
			q, k, &files,
			"what changed in it does not apply on top of what was "
			"posted, where later patches change the same lines",
			"make the change on top of the branch: git commit "
			"--fixup",
			err);
	if (!rc)
		rc = add_fixups(q, k, ret, &files, &at, err);
	if (!rc && files.n) {
		char *what _cleanup_free_ = xasprintf("its fixup! commit %.12s does not "
						      "apply on top of what was posted",
						      q->s->patches[at].commit);

		return say_conflict(q, k, &files, what,
				    "take out of it what is for other commits of the "
				    "branch",
				    err);
	}
	return rc;
}

int look_changed(struct look *q, int k, bool *ret, struct err *err)
{
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	struct strvec lost _cleanup_strvec_ = STRVEC_INIT;
	char was[OID_HEX], amended[OID_HEX], now[OID_HEX];
	size_t at;
	int rc = posted_tree(q, k, was, &lost, err);

	if (!rc)
		rc = amended_tree(q, k, amended, &files, err);
	memcpy(now, amended, OID_HEX);
	if (!rc && !files.n && !lost.n)
		rc = add_fixups(q, k, now, &lost, &at, err);
	if (rc)
		return rc;
	if (!files.n && lost.n) /* its fixes are not folded there, but on the tip */
		*ret = unfolded(q, k, amended, now, NULL) || strcmp(now, q->tip_tree);
	else
		*ret = files.n || strcmp(was, now);
	return 0;
}

/* Whoever folds it in must know that it does not go there as it is. */
static int try_fold(struct look *q, int k, const char *posted, struct err *err)
{
	struct trial_commit fix = { .parent = q->f->tip,
				    .tree = q->f->tree,
				    .message = "-" };
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	char commit[OID_HEX], tree[OID_HEX];
	char *names _cleanup_free_ = NULL;
	int rc = trial_commit(q->f->room, &fix, commit, err);

	memcpy(tree, posted, OID_HEX);
	if (!rc)
		rc = trial_pick(q->f->room, q->f->tip, commit, tree, &files, err);
	if (rc || !files.n)
		return rc;
	names = strvec_join(&files, ", ");
	findings_add(
		&q->f->findings, "fixup-fold", SEVERITY_WARNING, q->f->title,
		"say so in the message, or post a new version",
		"it applies on top of the posted patches, and not on patch %d itself: "
		"later ones change the same lines (%s)",
		k, names);
	return 0;
}

/* f->tree: the tip with the change. */
static int find_tree(struct look *q, int k, struct err *err)
{
	struct strvec lost _cleanup_strvec_ = STRVEC_INIT;
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	char posted[OID_HEX], amended[OID_HEX], now[OID_HEX];
	size_t at;
	int rc;

	if (!look_commit(q, k) && !look_has_fixups(q, k))
		return look_nothing(q, k, err);
	rc = posted_tree(q, k, posted, &lost, err);
	if (!rc)
		rc = amended_tree(q, k, amended, &files, err);
	if (!rc && files.n)
		return say_conflict(
			q, k, &files,
			"as it is now it does not apply on the patches before "
			"it as they were posted",
			"make the change on top of the posted commits", err);
	memcpy(now, amended, OID_HEX);
	if (!rc && !lost.n)
		rc = add_fixups(q, k, now, &lost, &at, err);
	if (!rc && !lost.n && !strcmp(posted, now))
		return look_nothing(q, k, err);
	if (!rc && !lost.n)
		rc = onto_tip(q, posted, now, q->f->tree, &lost, err);
	if (!rc && lost.n)
		rc = unfolded(q, k, amended, q->f->tree, err);
	if (rc)
		return rc;
	if (!strcmp(q->f->tree, q->tip_tree))
		return look_nothing(q, k, err);
	return try_fold(q, k, posted, err);
}

/* The posted head, and on it the fixes so far; those of another machine are merged. */
static int find_tip(struct look *q, struct err *err)
{
	struct fix *f = q->f;
	int rc = tree_of(q, q->v->head, q->tip_tree, err);

	memcpy(f->tip, q->v->head, OID_HEX);
	for (size_t i = 0; i < q->v->n_fixups && !rc; i++) {
		const char *commit = q->v->fixups[i].commit;
		struct strvec files _cleanup_strvec_ = STRVEC_INIT;
		struct trial_commit both = { .tree = q->tip_tree, .message = "fixes\n" };
		char parent[OID_HEX], before[OID_HEX];

		rc = parent_of(q, commit, parent, err);
		if (!rc && !strcmp(parent, f->tip)) {
			memcpy(f->tip, commit, OID_HEX);
			rc = tree_of(q, commit, q->tip_tree, err);
			continue;
		}
		if (!rc)
			rc = trial_pick(f->room, parent, commit, q->tip_tree, &files,
					err);
		if (!rc && files.n)
			return err_set(
				err, E_CONFLICT,
				"two fixes of v%d, posted from two places, change the "
				"same lines (%s): post v%d",
				q->v->n, files.v[0], series_draft(q->s));
		memcpy(before, f->tip, OID_HEX);
		both.parent = before;
		if (!rc)
			rc = trial_commit(f->room, &both, f->tip, err);
	}
	return rc;
}

static int choose(struct look *q, int k, struct err *err)
{
	const struct version *v = series_last(q->s);
	const char *state = v ? version_state(v) : NULL;
	bool busy = v && (!state || !strcmp(state, "sending"));

	if (!v)
		return err_set(
			err, E_USAGE,
			"--fixup: nothing was posted yet; git rebase -i --autosquash "
			"%.12s puts the change into the draft",
			q->s->base);
	if (k < 1 || (size_t)k > v->n_patches)
		return err_set(err, E_USAGE,
			       "--fixup=%d: v%d has %zu patch%s; series log shows them",
			       k, v->n, v->n_patches, v->n_patches == 1 ? "" : "es");
	for (size_t i = 0; i < v->n_fixups; i++)
		busy |= !strcmp(v->fixups[i].posting.state, "sending");
	if (busy)
		return err_set(
			err, E_CONFLICT,
			"v%d, or a fix for it, is still being posted, by another clone "
			"it seems; wait for its end, then fetch the state",
			v->n);
	q->v = q->f->v = v;
	q->f->patch = k;
	return 0;
}

static void make_title(struct fix *f)
{
	const struct version *v = f->v;

	f->nth = 1;
	for (size_t i = 0; i < v->n_fixups; i++)
		f->nth += v->fixups[i].patch == f->patch;
	f->title = f->nth > 1 ? xasprintf("%s fix %zu", v->patches[f->patch - 1].subject,
					  f->nth)
			      : xasprintf("%s fix", v->patches[f->patch - 1].subject);
}

int fix_find(struct series *s, int k, struct fix *ret, struct err *err)
{
	struct fix f _cleanup_fix_ = { 0 };
	struct look q _cleanup_(look_release) = { .s = s, .f = &f };
	int rc = choose(&q, k, err);

	if (rc)
		return rc;
	make_title(&f);
	rc = trial_open(s->repo, &f.room, err);
	if (!rc)
		rc = find_tip(&q, err);
	if (!rc)
		rc = look_at_branch(&q, err);
	if (!rc)
		rc = find_tree(&q, k, err);
	if (!rc)
		rc = look_at_parts(&q, k, err);
	if (!rc)
		rc = look_at_others(&q, k, err);
	if (rc)
		return rc;
	*ret = f;
	f = (struct fix){ 0 };
	return 0;
}

int fix_diff(struct fix *f, struct buf *out, struct err *err)
{
	char *args[] = { "diff-tree", "-p",    "--no-color", "--no-ext-diff",
			 f->tip,      f->tree, NULL };

	return trial_git(f->room, args, STR_NULL, out, err);
}

int fix_commit(struct fix *f, const struct addr *sender, const char *message,
	       char ret[OID_HEX], struct err *err)
{
	struct trial_commit c = { .parent = f->tip,
				  .tree = f->tree,
				  .author = f->author.name ? &f->author : sender,
				  .committer = sender,
				  .message = message };
	int rc = trial_commit(f->room, &c, ret, err);

	return rc ? rc : trial_keep(f->room, ret, f->v->head, err);
}
