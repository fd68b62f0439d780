#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The repository that "make bench" works on, made once: tree.sh DIR PORT [FILES COMMITS]
#
# DIR/linux: the history of tree.py in one pack with a commit graph, as a clone that git
# maintains has it, and checked out. Branch topic: nine patches on an older commit of main,
# tracked by series, v1 sent to 127.0.0.1:PORT, one patch reworded since. Branch b4-topic:
# the same patches in b4's hands. DIR/mails: what git send-email is to send.
# A few minutes and 1 GB. DIR/stamp names the generator; another one makes it anew.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1
port=$2
files=${3:-87000}
commits=${4:-400000}
stamp="$(cat "$here/tree.py" "$here/tree.sh" | sha256sum | cut -c1-32) $files $commits"
if [ "$(cat "$dir/stamp" 2>/dev/null)" = "$stamp" ]; then
	exit 0
fi

say() {
	echo "bench: $*" >&2
}

rm -rf "$dir/stamp" "$dir/linux" "$dir/mails"
mkdir -p "$dir"
git init -q -b main "$dir/linux"
cd "$dir/linux"
git config user.name "Wendy Writer"
git config user.email wendy@example.org

say "$files files and $commits commits: takes minutes, once"
# malloc would give the top of the heap back and take it again for every tree.
python3 "$here/tree.py" "$files" "$commits" |
	MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_TOP_PAD_=67108864 \
	git -c core.compression=1 fast-import --quiet
git pack-refs --all
git commit-graph write --reachable --no-progress
say "checking out"
git reset -q --hard main

say "patches"
back=$((commits / 133))
git checkout -q -b topic "main~$back"
for i in 1 2 3 4 5 6 7 8 9; do
	f=$(git ls-files mm | sed -n "$((i * 5))p")
	printf '\nint new_%d(int x)\n{\n\treturn x * %d;\n}\n' $i $i >>"$f"
	git commit -q -a -s -m "mm: add new_$i" \
		-m "The function new_$i() multiplies by $i. Its callers come with a later series."
done
git branch b4-topic
printf '%s\n\n%s\n' "mm: new functions" "They multiply, each by a number of its own." >"$dir/cover"
printf '#!/bin/sh\ncp "%s/cover" "$1"\n' "$dir" >"$dir/editor"
chmod +x "$dir/editor"
series init --base main >/dev/null
GIT_EDITOR=$dir/editor EDITOR=$dir/editor VISUAL=$dir/editor series cover --edit >/dev/null
series recipients --add-to linux-mm@example.org --add-cc reviewer@example.org >/dev/null
git config sendemail.to linux-mm@example.org
git config sendemail.cc reviewer@example.org
git config sendemail.suppresscc all
git config sendemail.confirm never
git config sendemail.smtpserver 127.0.0.1
git config sendemail.smtpserverport "$port"
series send --yes >/dev/null
git commit -q --amend -s -m "mm: add new_9" -m "The function new_9() multiplies by nine."
git for-each-ref --format='create %(refname) %(objectname)' refs/series >"$dir/refs"
git format-patch -q -v2 -o "$dir/mails" --cover-letter "main~$back..topic"
sed -i "s/\*\*\* SUBJECT HERE \*\*\*/mm: new functions/; s/\*\*\* BLURB HERE \*\*\*/They multiply./" \
	"$dir"/mails/*cover-letter.patch

# b4 looks for the fork point in the reflog of main, which knows nothing of the past here.
git branch b4-base "main~$back"
git checkout -q b4-topic
b4 prep -e b4-base >/dev/null 2>&1
git checkout -q topic
git status >/dev/null
printf '%s\n' "$stamp" >"$dir/stamp"
