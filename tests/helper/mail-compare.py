#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mail-compare.py DUMP PATH...: read mails with build/*/tests/mail-dump, with Python's email
package, git mailsplit and git mailinfo, and print where they differ.

PATH: an mbox (mboxrd, may be gzipped), a mail, a bundle of a public-inbox mirror, or a
folder with any of them. Compared are the number of mails, Subject, From, Message-ID,
References, In-Reply-To, Date, the text of each text part, and all that git am would take.
With MAIL_KEEP=DIR mails that nothing explains are left there. A difference that mailjudge.py explains is counted by its kind; another one is printed and
makes the status 1."""
import collections, gzip, json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
import mailjudge as judge

# As git mailsplit has it: with a time. "From nobody" begins no mbox, but a mail.
FROM_LINE = re.compile(rb"From .*\d:\d\d.* \d{4}")


def split(data):
    """git mailsplit's mails of an mbox, None if it finds none."""
    with tempfile.TemporaryDirectory() as d:
        box, out = os.path.join(d, "box"), os.path.join(d, "out")
        with open(box, "wb") as f:
            f.write(data)
        os.mkdir(out)
        n = subprocess.run(["git", "mailsplit", "--keep-cr", "--mboxrd", "-b", "-o" + out, box], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        mails = [open(os.path.join(out, f), "rb").read() for f in sorted(os.listdir(out), key=int)]
        return None if n.returncode else mails


def without_from(raw):
    if raw.startswith(b"From "):
        raw = raw.split(b"\n", 1)[1] if b"\n" in raw else b""
    # The empty line before the next From_ line is the box's.
    for nl in (b"\n", b"\r\n"):
        if raw.endswith(nl + nl):
            return raw[:-len(nl)]
    return raw


def dump(program, paths):
    """What mail-dump says, by path."""
    said = {p: [] for p in paths}
    for i in range(0, len(paths), 500):
        p = subprocess.run([program] + paths[i:i + 500], stdout=subprocess.PIPE)
        for line in p.stdout.split(b"\n"):
            if line:
                j = json.loads(line)
                said[j["file"]].append(j)
    return said


def files_of(paths, tmp):
    """Files below the paths; of a bundle, one for each of its mails."""
    for path in paths:
        if path.endswith(".bundle"):
            yield from mirror(path, tmp)
        elif os.path.isdir(path):
            for folder, subs, names in os.walk(path):
                subs.sort()
                yield from files_of([os.path.join(folder, n) for n in sorted(names)
                                     if n.endswith((".mbox", ".mbox.gz", ".mboxrd", ".eml", ".bundle"))], tmp)
        else:
            yield path


def mirror(bundle, tmp):
    """The mails of a public-inbox v2 epoch, each commit's blob m."""
    d = tempfile.mkdtemp(dir=tmp)
    repo = os.path.join(d, "git")
    if subprocess.run(["git", "clone", "-q", "--mirror", bundle, repo], stderr=subprocess.DEVNULL).returncode:
        print("%s: passed over, for it is no whole repository" % bundle)
        return
    commits = subprocess.run(["git", "-C", repo, "rev-list", "--all"], check=True, stdout=subprocess.PIPE).stdout.split()
    cat = subprocess.run(["git", "-C", repo, "cat-file", "--batch"], check=True, stdout=subprocess.PIPE,
                         input=b"".join(c + b":m\n" for c in commits)).stdout
    at = 0
    for c in commits:
        line = cat[at:cat.index(b"\n", at)]
        at += len(line) + 1
        if line.endswith(b"missing"):
            continue
        size = int(line.split()[2])
        path = os.path.join(d, c.decode())
        with open(path, "wb") as f:
            f.write(cat[at:at + size])
        at += size + 1
        yield path


def decided_for(path):
    """What somebody decided by hand about a mail that breaks the rules: decided.json beside it."""
    table = os.path.join(os.path.dirname(path), "decided.json")
    if not os.path.exists(table):
        return {}
    with open(table) as f:
        return json.load(f).get(os.path.basename(path), {})


def one(args):
    """Differences of a mail that nothing explains, and the kinds of those that are."""
    raw, ours, decided = args
    bad = [("decided", k, judge.field(ours, k), v) for k, v in decided.items() if k != "*" and judge.field(ours, k) != v]
    kinds = ["decided by hand"] if decided else []
    if "*" in decided:
        return bad, kinds
    for who, mine, says, fixes in (("python", judge.series_says(ours), judge.python_says, judge.PYTHON_FIXES),
                                   ("git", ours["mailinfo"], judge.git_says, judge.GIT_FIXES)):
        theirs = says(raw)
        keys = [k for k in judge.differ(mine, theirs) if k not in decided and (k != "patch" or "patch_bytes" not in decided)]
        if not keys:
            continue
        try:
            why = judge.explain(raw, mine, says, fixes)
        except (ValueError, LookupError, TypeError) as e:
            why = None
            print("%s: %s" % (type(e).__name__, e))
        if why:
            kinds += [who + ": " + k for k in why]
        else:
            bad += [(who, k, mine.get(k), theirs[k]) for k in keys]
    return bad, kinds


def short(a, b):
    """Both from shortly before they part."""
    if isinstance(a, list) and isinstance(b, list):
        pair = next(((x, y) for x, y in zip(a, b) if x != y), None)
        if len(a) != len(b) or not pair or pair[0][0] != pair[1][0]:
            return [x[0] for x in a] if a and isinstance(a[0], tuple) else a, [x[0] for x in b] if b and isinstance(b[0], tuple) else b
        a, b = (pair[0][1], pair[1][1]) if isinstance(pair[0], tuple) else pair
    if not isinstance(a, str) or not isinstance(b, str):
        return a, b
    i = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return a[max(0, i - 30):i + 50], b[max(0, i - 30):i + 50]


def main():
    program, kinds, work, bad = sys.argv[1], collections.Counter(), [], 0
    with tempfile.TemporaryDirectory() as tmp:
        paths = list(files_of(sys.argv[2:], tmp))
        said = dump(program, paths)
        for path in paths:
            with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
                data = f.read()
            box = FROM_LINE.match(data)
            theirs = split(data) if box else [data] if data else []
            if theirs is None or len(said[path]) != len(theirs):
                bad += 1
                print("%s: %d mails, git mailsplit finds %s" % (path, len(said[path]), theirs and len(theirs)))
                continue
            for n, (ours, raw) in enumerate(zip(said[path], theirs)):
                work.append(("%s mail %d" % (path, n), without_from(raw) if box else raw, ours, decided_for(path)))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for (where, raw, _, _), (wrong, why) in zip(work, pool.map(one, (w[1:] for w in work))):
                kinds.update(why)
                for who, key, mine, theirs in wrong:
                    print("%s: %s\n  series %r\n  %s %r" % ((where, key) + (short(mine, theirs)[0], who, short(mine, theirs)[1])))
                bad += bool(wrong)
                if wrong and os.environ.get("MAIL_KEEP"):
                    with open(os.path.join(os.environ["MAIL_KEEP"], "%d.eml" % bad), "wb") as f:
                        f.write(raw)
    for kind, n in sorted(kinds.items()):
        print("explained: %6d  %s" % (n, kind))
    print("%d mails compared, %d that nothing explains" % (len(work), bad))
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
