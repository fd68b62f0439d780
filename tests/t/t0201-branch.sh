#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The series is found again: renamed and copied branches, rebases, rebuilt bases, linked work
# trees, a detached HEAD.
. "${SRCDIR:-.}/tests/helper/tap.sh"

upstream_commit() {
	GIT_COMMITTER_NAME=Ursula GIT_COMMITTER_EMAIL=ursula@example.org test_commit "$@"
}
# base_is REV N: the series of HEAD starts at REV and has N patches.
base_is() {
	"$SERIES" base >"$T/base.out" && test_grep "^base $(git rev-parse --short=12 "$1")" "$T/base.out" &&
	test_grep "^$2 patch" "$T/base.out"
}

test_expect_success 'setup' '
	git init -q r && cd r && upstream_commit a 1 u1 && upstream_commit a 2 u2 &&
	git switch -q -c topic && test_commit p 1 "p: one" && test_commit q 1 "q: two" &&
	"$SERIES" init --base main && base_is main 2
'

test_expect_success 'amend, reorder and drop keep the base' '
	cd r && git commit -q --amend -m "q: two, better" && base_is main 2 &&
	GIT_SEQUENCE_EDITOR="sed -i \"1{h;d};2G\"" git rebase -q -i main && base_is main 2 &&
	git log -1 --format=%s >s && test_grep "p: one" s
'

test_expect_success 'a base ref that moves on does not move the base, and behind is counted' '
	cd r && git switch -q main && upstream_commit a 3 u3 && upstream_commit a 4 u4 && git switch -q topic &&
	base_is main~2 2 && "$SERIES" base >out && test_grep "2 commits ahead" out
'

test_expect_success 'a rebase onto it is followed although the old base is an ancestor still' '
	cd r && git rebase -q main && base_is main 2
'

test_expect_success 'a rebuilt base ref is followed by its reflog' '
	cd r && git branch -q old main && git switch -q main && git reset -q --hard old~3 &&
	upstream_commit z 1 x1 && upstream_commit z 2 x2 &&
	git rebase -q --onto main old topic && git branch -q -D old && base_is main 2 &&
	git switch -q main && git branch -q keep && git reset -q --hard HEAD~2 && upstream_commit y 1 y1 &&
	git switch -q topic && base_is keep 2
'

test_expect_success 'a renamed branch keeps its series' '
	cd r && git branch -m topic better && "$SERIES" list >out && test_grep "^\*  topic  better" out &&
	base_is keep 2
'

test_expect_success 'a new branch of the old name has none' '
	cd r && git switch -q -c topic && test_status 1 "$SERIES" log 2>err && test_grep "has no series" err &&
	git switch -q better && git branch -q -D topic
'

test_expect_success 'a copied branch is told apart and gets a series of its own' '
	cd r && git branch -c better copy && git switch -q copy && test_status 1 "$SERIES" log 2>err &&
	test_grep "copy of better" err && "$SERIES" init --base main copied && "$SERIES" list >out &&
	test_grep "^\*  copied  copy" out && git switch -q better &&
	"$SERIES" list >out && test_grep "^\*  topic   better" out && base_is keep 2
'

test_expect_success 'a branch whose setting got lost is known by the document' '
	cd r && "$SERIES" base --set keep && git config --unset branch.better.series && base_is keep 2
'

test_expect_success 'a linked work tree sees the same series' '
	cd r && git worktree add -q ../linked copy && cd ../linked && "$SERIES" log -s topic >out &&
	test_grep "nothing was posted" out && "$SERIES" list >out && test_grep "^\*  copied" out &&
	printf "mm: from linked\n" | "$SERIES" cover -F - && cd ../r && "$SERIES" cover -s copied >out &&
	test_grep "from linked" out
'

test_expect_success 'while it is rebased the branch is named, and git switch, which git refuses, is not' '
	cd r && git switch -q better && GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/" git rebase -q -i HEAD~1 &&
	test_status 1 "$SERIES" log 2>err && test_grep "while branch better is rebased: git rebase --continue" err &&
	test_nogrep "git switch" err && "$SERIES" log -s topic && git rebase --abort
'

test_expect_success 'a detached HEAD asks for -s' '
	cd r && git switch -q --detach && test_status 1 "$SERIES" log 2>err && test_grep "detached" err &&
	"$SERIES" log -s topic && git switch -q better
'

test_expect_success 'a merge in the series is named; documents and base --set still work' '
	cd r && git switch -q better && git merge -q -s ours -m "by accident" main &&
	test_status 1 "$SERIES" base 2>err && test_grep "by accident" err &&
	"$SERIES" log && "$SERIES" cover -F - <<-E && git reset -q --hard HEAD~1 && base_is keep 2
		a title
	E
'

test_expect_success 'a gone branch leaves the series listed and its log readable' '
	cd r && git worktree remove --force ../linked && git branch -q -D copy && "$SERIES" list >out &&
	test_grep "copied .*gone" out && "$SERIES" log copied
'

test_expect_success 'extensions that git has and that do no harm are let in' '
	git init -q ext && cd ext && upstream_commit a 1 u1 && git switch -q -c t && test_commit a 2 "t: x" &&
	git config core.repositoryFormatVersion 1 && git config extensions.worktreeConfig true &&
	git config --worktree series.x y && "$SERIES" init --base main && base_is main 1
'

test_expect_success 'a SHA-256 repository is refused and called so' '
	git init -q --object-format=sha256 sha && cd sha && test_status 1 "$SERIES" list 2>err &&
	test_grep "SHA-256" err
'

test_expect_success 'a partial clone gets the blobs it needs from its remote' '
	git -C r config uploadpack.allowFilter true && git -C r config uploadpack.allowAnySHA1InWant true &&
	git -C r switch -q better && git clone -q --filter=blob:none --no-checkout "file://$T/r" partial && cd partial &&
	git switch -q --no-guess -c better --no-track origin/better 2>/dev/null ||
	git update-ref refs/heads/better origin/better && git symbolic-ref HEAD refs/heads/better &&
	"$SERIES" init --base HEAD~2 && base_is HEAD~2 2 &&
	git diff-tree -p --full-index HEAD | git patch-id --stable | cut -d" " -f1 >want &&
	grep "^$(git rev-parse HEAD) " .git/series/patch-ids | cut -d" " -f2 >got && test_cmp want got
'

test_expect_success 'GIT_DIR is obeyed, from anywhere' '
	mkdir -p away && cd away && GIT_DIR=../r/.git "$SERIES" list >out && test_grep "topic" out
'

if [ "$(id -u)" = 0 ]; then
	test_expect_success 'a repository of another user needs safe.directory, as git has it' '
		cp -r r foreign && chown -R 12345 foreign && cd foreign && test_status 1 "$SERIES" list 2>err &&
		test_grep "safe.directory" err && git config --global safe.directory "*" && "$SERIES" list >out &&
		test_grep topic out && git config --global --unset-all safe.directory
	'
else
	test_skip 'a repository of another user needs safe.directory' 'only root can make one'
fi

test_done
