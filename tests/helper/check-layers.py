#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-layers.py [BUILD]: prove the layers from includes and, with the folder of the
objects (build/release), from their symbols: a room uses only rooms to the left of it, never
its neighbours, and each third-party library stays in the room it belongs to."""
import glob, os, re, subprocess, sys

# Rank of each room; rooms of one rank are neighbours.
RANK = {"base": 0, "stat": 1, "diff": 1, "git": 2, "mail": 2, "net": 2, "review": 3,
        "index": 4, "series": 5, "engine": 6, "build": 7, "lab": 7, "bench": 8, "desk": 9}
CMD = 10
# Headers of include/series/ that do not have the name of their room.
ROOM = {h: "base" for h in ("mem err buf str strvec fs lock proc intr time json sha256 sanitize "
                            "xdg progress table out opt utf8 gzip sha1 mapped workers").split()}
ROOM.update({"stat": "stat", "diff": "diff", "git": "git", "rangediff": "git", "pick": "git", "mirror": "git", "series": "series", "store": "series", "prefix": "series",
             "outbox": "series", "merge": "series", "changelog": "series", "changes": "desk", "sync": "desk", "covertext": "series", "patchnotes": "series", "doctor": "desk", "settings": "desk", "status": "desk", "report": "bench", "finding": "desk", "fixup": "desk", "reply": "desk", "am": "desk", "taken": "desk", "attest": "desk", "thank": "desk", "check": "desk", "compare": "desk", "rebuild": "desk", "suggest_base": "desk", "post": "desk", "cover": "desk", "arch": "engine", "engine": "engine", "build": "build",
             "lab": "lab", "bench": "bench", "verdict": "bench", "benchtab": "bench", "benchrun": "bench", "benchdef": "bench",
             "smtp": "net", "http": "net", "sendmail": "net", "credential": "git", "transport": "desk", "fetch": "desk",
             "compose": "mail", "mail": "mail", "mailsrc": "mail", "mailinfo": "mail", "trailer": "mail", "thread": "review", "subject": "review", "posted": "review", "listed": "review", "tag": "review", "robot": "review", "remark": "review", "hints": "review", "claim": "review", "listindex": "index", "marks": "index", "triage": "desk", "mirrors": "desk", "answer": "desk", "reviewdoc": "series", "addr": "mail", "alias": "mail", "recipients": "desk", "import": "desk", "import_posted": "desk", "tracking": "desk", "tagapply": "desk", "tagjudge": "desk", "update": "desk", "desk": "desk"})
HOME = {"git2.h": "lib/git/", "git2/": "lib/git/", "curl/": "lib/net/", "jansson.h": "lib/base/json.c", "zlib.h": "lib/base/gzip.c",
        "sqlite3.h": "lib/index/", "ncurses.h": "cmd/tui/", "curses.h": "cmd/tui/"}

bad = 0
def say(path, line, text):
    global bad
    bad += 1
    print("%s:%d: %s" % (path, line, text))

def rank(room):
    return CMD if room == "cmd" else RANK.get(room)

files = sorted(glob.glob("lib/*/*.[ch]") + glob.glob("cmd/*.[ch]") + glob.glob("cmd/*/*.[ch]") +
               glob.glob("include/series/*.h"))
for path in files:
    if path.startswith("include/"):
        name = os.path.basename(path)[:-2]
        room = ROOM.get(name)
        if room is None:
            say(path, 1, "header of no known room: add it to ROOM in tests/helper/check-layers.py")
            continue
    else:
        room = path.split("/")[1] if path.startswith("lib/") else "cmd"
    if rank(room) is None:
        say(path, 1, "no such room: " + room)
        continue
    for i, line in enumerate(open(path, encoding="utf-8", errors="replace"), 1):
        m = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
        if not m:
            continue
        inc = m.group(1)
        for pat, home in HOME.items():
            if (inc == pat or (pat.endswith("/") and inc.startswith(pat))) and not path.startswith(home):
                say(path, i, "%s belongs to %s" % (inc, home))
        if inc.startswith("series/"):
            target = ROOM.get(inc[7:-2])
            if target is None:
                say(path, i, "unknown header " + inc)
            elif target != room and rank(target) >= rank(room):
                say(path, i, "%s (%s) may not include %s (%s)" % (path, room, inc, target))
        elif '"' in line and (path.startswith("include/") or
                              not os.path.exists(os.path.join(os.path.dirname(path), inc))):
            say(path, i, "private header of another room: " + inc)

# What grows longer is more than one thing.
LIMIT = [("cmd/cmd_*.c", 300), ("lib/*/*.[ch]", 600), ("cmd/*.[ch]", 600), ("cmd/*/*.[ch]", 600),
         ("include/series/*.h", 600), ("tests/*/*.[ch]", 600)]
for pattern, most in LIMIT:
    for path in sorted(glob.glob(pattern)):
        n = sum(1 for _ in open(path, encoding="utf-8", errors="replace"))
        if n > most:
            say(path, n, "%d lines; at most %d are allowed: move a part of it" % (n, most))

# Symbols: a declaration written by hand gets past the includes, a call does not.
SYMBOLS = {"git_": "lib/git/", "mbedtls_": "lib/git/", "curl_": "lib/net/",
           "sqlite3_": "lib/index/", "json": "lib/base/json.c"}

# One nm for all: {object: (defined, used)}.
def symbols(objects):
    out = subprocess.run(["nm", "-A"] + objects, stdout=subprocess.PIPE, check=True, text=True).stdout
    found = {obj: (set(), set()) for obj in objects}
    for line in out.splitlines():
        obj, row = line.split(":", 1)
        row = row.split()
        if len(row) == 3 and row[1] in "TDBRVWC":
            found[obj][0].add(row[2])
        elif len(row) == 2 and row[0] == "U":
            found[obj][1].add(row[1])
    return found

if len(sys.argv) > 1:
    sources = [f for f in files if f.endswith(".c")]
    objects = {path: os.path.join(sys.argv[1], path[:-2] + ".o") for path in sources}
    for path, obj in objects.items():
        if not os.path.exists(obj):
            say(path, 1, "no object %s: run make first" % obj)
    there = {path: obj for path, obj in objects.items() if os.path.exists(obj)}
    found = symbols(list(there.values()))
    table = {path: found[obj] for path, obj in there.items()}
    home = {}
    for path, (defined, _) in table.items():
        room = path.split("/")[1] if path.startswith("lib/") else "cmd"
        for name in defined:
            if home.setdefault(name, (room, path))[1] != path:
                say(path, 1, "%s is defined in %s too" % (name, home[name][1]))
    for path, (_, used) in table.items():
        room = path.split("/")[1] if path.startswith("lib/") else "cmd"
        for name in sorted(used):
            target = home.get(name, (None,))[0]
            if target and target != room and rank(target) >= rank(room):
                say(path, 1, "%s (%s) may not use %s (%s)" % (path, room, name, target))
            for pat, owner in SYMBOLS.items():
                if not target and name.startswith(pat) and not path.startswith(owner):
                    say(path, 1, "%s belongs to %s" % (name, owner))
sys.exit(1 if bad else 0)
