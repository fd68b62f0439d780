# SPDX-License-Identifier: GPL-2.0-or-later
# A history of the size of the kernel's, as a stream for git fast-import on standard output:
#
#	python3 tree.py [FILES [COMMITS]] | git fast-import
#
# 87,000 files in about 5,000 directories as deep as the kernel's; 400,000 commits over 20
# years, each touching one file, and merges of two lines of work. Always the same bytes.
import random
import sys

START = 1113690036  # 2005
STEP = 1650  # seconds between two commits: 400,000 of them end in 2026
SIDE = 12  # commits between two merges
TOP = ("arch block crypto drivers fs include init ipc kernel lib mm net samples scripts "
       "security sound tools virt").split()
WEIGHT = {"drivers": 40, "arch": 20, "tools": 10, "include": 8, "sound": 6, "fs": 6, "net": 5}
WORDS = ("cache queue page folio ring probe clock timer irq bus hub link port node map lock "
         "list tree core mode rate size flag mask page slab zone swap file inode").split()
PEOPLE = [f"Writer {i:03d} <writer{i:03d}@example.org>" for i in range(400)]


def paths(rnd, n):
    """n file names; a directory has 18 files on the average, at most four above it."""
    dirs = [[t] for t in TOP]
    weights = [WEIGHT.get(t, 2) for t in TOP]
    while len(dirs) < max(len(TOP), n // 18):
        top = rnd.choices(TOP, weights)[0]
        depth = rnd.choices((2, 3, 4, 5), (20, 45, 25, 10))[0]
        up = [top] + [f"{rnd.choice(WORDS)}{rnd.randrange(12)}" for _ in range(depth - 1)]
        dirs.append(up)
    names = {".gitignore", "Makefile", "MAINTAINERS"}
    while len(names) < n:
        d = "/".join(rnd.choice(dirs))
        names.add(f"{d}/{rnd.choice(WORDS)}_{rnd.choice(WORDS)}{rnd.randrange(400)}."
                  f"{'ch'[rnd.random() < 0.3]}")
    return sorted(names)


def text(path, revision):
    if path == ".gitignore":
        return "".join(f"*.{w}{i}\n" for w in WORDS for i in range(4))
    lines = [f"/* {path} */", f"int revision = {revision};"]
    lines += [f"int {WORDS[i % len(WORDS)]}_{i}(int x)\n{{\n\treturn x + {i};\n}}"
              for i in range(sum(path.encode()) % 12)]
    return "\n".join(lines) + "\n"


class Stream:
    def __init__(self, out):
        self.out = out
        self.n = 0  # commits so far, which are the marks too

    def data(self, s):
        self.out.append(f"data {len(s.encode())}\n{s}\n")

    def commit(self, ref, message, files, merge=0):
        self.n += 1
        when = START + self.n * STEP
        who = PEOPLE[self.n * 7919 % len(PEOPLE)]
        self.out.append(f"commit {ref}\nmark :{self.n}\nauthor {who} {when} +0100\n"
                        f"committer {who} {when} +0100\n")
        self.data(message)
        if merge:
            self.out.append(f"merge :{merge}\n")
        for path, body in files.items():
            self.out.append(f"M 100644 inline {path}\n")
            self.data(body)
        self.out.append("\n")
        if len(self.out) > 4000:
            self.flush()

    def flush(self):
        sys.stdout.write("".join(self.out))
        self.out.clear()


def main(n_files=87000, n_commits=400000):
    rnd = random.Random(1)
    names = paths(rnd, n_files)
    s = Stream([])
    s.commit("refs/heads/main", "Begin", {p: text(p, 0) for p in names})
    s.out.append("reset refs/heads/side\nfrom :1\n\n")
    # Both lines go on for ever and take over what the other one did: fast-import keeps both
    # trees in memory, and need not read what it wrote.
    last, did = {"main": 1, "side": 1}, {"main": {}, "side": {}}
    while s.n < n_commits:
        for line, other in (("side", "main"), ("main", "side")):
            for _ in range(SIDE):
                path = names[int(rnd.random() * len(names))]
                did[line][path] = text(path, s.n)
                s.commit(f"refs/heads/{line}", f"{path.rsplit('/', 1)[0]}: set the revision to "
                         f"{s.n}\n\nIt was older.\n", {path: did[line][path]})
            last[line] = s.n
            s.commit(f"refs/heads/{line}", f"Merge the work of {other}\n", did[other],
                     merge=last[other])
            last[line] = s.n
            did[other] = {}
    s.out.append("reset refs/heads/side\nfrom 0000000000000000000000000000000000000000\n\n")
    s.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
