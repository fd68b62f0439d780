# SPDX-License-Identifier: GPL-2.0-or-later
# Branches of a long series for the repository of tree.sh, as a stream for git fast-import:
#
#	python3 long.py BACK | git fast-import		(in the repository)
#
# long-v1: 100 patches on main~BACK, most to mm/ and fs/, each with a new function and a
# changed line. long: the same reworked: every eighth patch changed, two swapped, one
# retitled, one dropped, one new. mm-unstable: 300 commits on main, the first ten patches of
# long-v1 among them. all-next: 5,000 commits on main. other: five commits on main~BACK/2.
import subprocess
import sys

WHEN = 1790000000
back = int(sys.argv[1])


def git(*args, text=None):
    return subprocess.run(("git",) + args, input=text, stdout=subprocess.PIPE, check=True).stdout


class Branch:
    """Commits on top of a start, whose files are read when they are first touched."""

    def __init__(self, name, start):
        self.name, self.start, self.files, self.n = name, git("rev-parse", start).decode().strip(), {}, 0

    def read(self, names):
        names = [n for n in names if n not in self.files]
        out = git("cat-file", "--batch", text="".join(f"{self.start}:{n}\n" for n in names).encode())
        for n in names:
            head, out = out.split(b"\n", 1)
            size = int(head.split()[2])
            self.files[n], out = out[:size].decode(), out[size + 1:]

    def commit(self, who, title, files):
        message = f"{title}\n\nIts callers come later.\n\nSigned-off-by: {who}\n"
        self.files.update(files)
        when = WHEN + 60 * self.n
        out = [f"commit refs/heads/{self.name}\nauthor {who} {when} +0000\n"
               f"committer {who} {when} +0000\ndata {len(message.encode())}\n{message}\n"]
        if not self.n:
            out.append(f"from {self.start}\n")
        for path, body in files.items():
            out.append(f"M 100644 inline {path}\ndata {len(body.encode())}\n{body}\n")
        self.n += 1
        sys.stdout.write("".join(out) + "\n")


ME = "Wendy Writer <wendy@example.org>"
names = git("ls-tree", "-r", "--name-only", f"main~{back}").decode().split("\n")[:-1]
near = [n for n in names if n.startswith(("mm/", "fs/")) and n.endswith((".c", ".h"))]


def patch(branch, i, factor, title):
    """Patch i: a new function at the end of one file, a comment at the top of another."""
    one, two = near[i * 7 % 600], near[600 + i * 11 % 500]
    branch.read([one, two])
    body = "".join(f"\tx += step_{i}(x, {k * factor});\n" for k in range(12))
    branch.commit(ME, title, {one: branch.files[one] + f"\nint long_{i}(int x)\n{{\n{body}\treturn x;\n}}\n",
                              two: f"/* Step {i} is taken by long_{i}(). */\n" + branch.files[two]})


def title(i):
    return f"{near[i * 7 % 600].rsplit('/', 1)[0]}: add long_{i}"


def others(branch, number, paths):
    paths = [paths[i * 131 % len(paths)] for i in range(number)]
    branch.read(set(paths))
    for i, path in enumerate(paths):
        branch.commit("Olga Other <olga@example.org>", f"{path}: one more line {i}",
                      {path: branch.files[path] + f"/* {branch.name} {i} */\n"})


v1, v2 = Branch("long-v1", f"main~{back}"), Branch("long", f"main~{back}")
order = list(range(100))
order[40], order[41] = order[41], order[40]
order[70] = 100
for n in range(100):
    patch(v1, n, 1, title(n))
for n in order:
    patch(v2, n, 3 if n % 8 == 3 else 1, title(n) + (", which steps" if n == 50 else ""))
unstable = Branch("mm-unstable", "main")
others(unstable, 150, [n for n in names if n.startswith("mm/") and n not in near[:600]])
for n in range(10):
    patch(unstable, n, 1, title(n))
others(unstable, 140, [n for n in names if n.startswith("mm/") and n not in near[:600]])
others(Branch("all-next", "main"), 5000, [n for n in names if n.endswith(".c") and n not in near[:1100]])
others(Branch("other", f"main~{back // 2}"), 5, near[1100:])
