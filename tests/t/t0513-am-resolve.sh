#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series am --resolve: a conflict in a work tree apart, and what was resolved comes back.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"
. "${SRCDIR:-.}/tests/helper/am.sh"

# apart: the path of the work tree that series am --resolve named
apart() {
	sed -n "s/.*in a work tree apart: cd \([^ ]*\)\. When.*/\1/p" "$T/err"
}
trees() {
	git worktree list | wc -l
}

test_expect_success "patches for some folders, of which one conflicts" '
	am_people && mkdir -p mm fs/ext4 net && seq 1 40 >mm/rmap.c && seq 1 40 >fs/ext4/inode.c && seq 1 40 >net/core.c && git add . && git commit -q -m folders && git -C "$T/r" pull -q && git switch -q -c topic && edit mm/rmap.c 1 one && c "mm: change line 1" && edit mm/rmap.c 20 twenty && c "mm: change line 20" && edit fs/ext4/inode.c 9 nine && echo new >fs/new && git add fs/new && c "fs: change line 9" && mails 1 main..topic && mbox "$T"/v1/*.patch >"$T/mbox" &&
	fresh && edit mm/rmap.c 20 other && git commit -q -a -m upstream && git branch -q up
'
test_expect_success "it is left in a work tree apart with these folders alone; the user has changes meanwhile" '
	cd r && edit net/core.c 1 dirty && git config --list --local >../config && test_status 1 "$SERIES" am -s --resolve "$T/mbox" >../out 2>../err && cat ../err && test_grep "git am stopped at patch 2/3" ../err && a=$(apart) && [ -d "$a/mm" ] && [ -d "$a/fs/ext4" ] && [ ! -e "$a/net" ] && [ -f "$a/numbers" ] && grep -q "^<<<<<<<" "$a/mm/rmap.c" &&
	[ "$(git rev-parse HEAD)" = "$(git rev-parse up)" ] && [ "$(git status --porcelain)" = " M net/core.c" ] && [ ! -d .git/rebase-apply ] && git config --list --local >../after && test_cmp ../config ../after
'
test_expect_success "another cannot begin, and what is not at its end does not come back" '
	cd r && test_status 1 "$SERIES" am --resolve "$T/mbox" 2>../err2 && test_grep "a conflict is being resolved in $(apart)" ../err2 && test_status 1 "$SERIES" am --continue 2>../err2 && test_grep "git am is not at its end" ../err2 && [ "$(git rev-parse HEAD)" = "$(git rev-parse up)" ]
'
test_expect_success "git am --continue there, series am --continue here: all commits, signed, and the work tree is gone" '
	cd r && a=$(apart) && (cd "$a" && sed "s/^20$/resolved/; /^<<<<<<<\|^|||||||\|^=======\|^>>>>>>>/d; /^other$/d; /^twenty$/d" mm/rmap.c >../x && cp ../x mm/rmap.c && git add mm/rmap.c && git am --continue && [ -z "$(git status --porcelain)" ]) && "$SERIES" am --continue >../out && test_grep "^applied 3 patches" ../out && [ "$(git rev-list --count up..main)" = 3 ] && [ "$(git log --format=%B up..main | grep -c "^Signed-off-by: Mara")" = 3 ] &&
	[ ! -e "$a" ] && [ "$(trees)" = 1 ] && [ "$(git status --porcelain)" = " M net/core.c" ] && [ "$(cat fs/new)" = new ] && test_status 1 "$SERIES" am --continue 2>../err2 && test_grep "no conflict of series am --resolve is waiting" ../err2 && "$SERIES" thank >../out && test_grep "  main  3/3  " ../out
'
test_expect_success "--abort throws it away; a branch that moved is told how to go on" '
	git -C r checkout -q net/core.c; fresh up && test_status 1 "$SERIES" am --resolve "$T/mbox" 2>../err && a=$(apart) && "$SERIES" am --abort >../out && test_grep "is gone" ../out && [ ! -e "$a" ] && [ "$(trees)" = 1 ] && test_status 1 "$SERIES" am --abort 2>/dev/null && [ "$(git rev-parse HEAD)" = "$(git rev-parse up)" ] &&
	test_status 1 "$SERIES" am --resolve "$T/mbox" 2>../err && a=$(apart) && (cd "$a" && git am --skip) && edit net/core.c 3 three && git commit -q -a -m moved && test_status 1 "$SERIES" am --continue 2>../err2 && test_grep "HEAD has moved since; git cherry-pick" ../err2 && [ -d "$a" ] && git switch -q -c elsewhere && test_status 1 "$SERIES" am --continue 2>../err2 && test_grep "for main, and this is elsewhere" ../err2 &&
	git switch -q main && git reset -q --hard up && git branch -q -D elsewhere && "$SERIES" am --continue >../out && test_grep "^note: there are 2 commits of 3 patches" ../out
'
test_expect_success "without a conflict it is as without --resolve; a folder that somebody removed can be forgotten" '
	fresh && "$SERIES" am --resolve "$T/mbox" >../out && test_grep "^applied 3 patches" ../out && [ "$(trees)" = 1 ] && fresh up && test_status 1 "$SERIES" am --resolve "$T/mbox" 2>../err && rm -rf "$(apart)" && "$SERIES" am --abort && [ "$(trees)" = 1 ] && test_status 129 "$SERIES" am && test_status 129 "$SERIES" am --continue "$T/mbox" && test_status 129 "$SERIES" am --resolve --here "$T/mbox"
'
test_done
