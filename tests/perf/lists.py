#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A list of invented mails, as large as one likes.

	lists.py make N DIR [EPOCH]	DIR/git/K.git: N mails in epochs of EPOCH (250,000) mails
	lists.py more N DIR		N more on top of the last epoch
	lists.py maildir DIR OUT	the same mails as files
	lists.py race DUMP CACHE N...	first index, notmuch new, updates, rows; with the goals

Series of 1 to 12 patches in 1 to 4 versions with diffs, replies that quote and some with
tags, talk that is no series: half of the mails are patches, as on a list of the kernel. The
threads overlap in time. A mail has 3.3 KB on average. Always the same for the same N."""
import fcntl, os, pty, random, select, shutil, struct, subprocess, sys, tempfile, termios, time

WORDS = "fix the folio lock when swapping out a page of memory that nobody maps while reclaim runs again and pages of the node are dirty or under writeback so that batch after batch is put on one list".split()
NAMES = [("Anna Author", "anna"), ("Ben Builder", "ben"), ("Cora Coverer", "cora"), ("=?utf-8?q?J=C3=BCrgen?= Patcher", "juergen"), ("Rita Reader", "rita"), ("Tom Tester", "tom")]
FUNCS = ["shrink_folio_list", "try_to_unmap_one", "folio_add_lru", "swap_writepage", "do_anonymous_page"]
START = 1500000000


class List:
    def __init__(self, seed, start):
        self.r = random.Random(seed)
        self.t = start
        self.n = 0
        self.seed = seed

    def words(self, n):
        return " ".join(self.r.choices(WORDS, k=n))

    def text(self, lines, prefix=""):
        return "".join(prefix + self.words(11) + "\n" for _ in range(lines))

    def person(self):
        name, user = self.r.choice(NAMES)
        k = self.r.randrange(300)
        return "%s %d" % (name, k), "%s%d@example.org" % (user, k)

    def mail(self, who, subject, refs, body):
        self.n += 1
        self.t += self.r.randint(1, 300)
        mid = "%d.%d.%s" % (self.seed, self.n, who[1])
        h = "Received: from mx.example.org (mx.example.org [192.0.2.7])\n\tby list.example.org (Postfix) with ESMTPS id %08X\n\tfor <list@example.org>; %s\n" % (self.n, self.t)
        h += "From: %s <%s>\nTo: list@example.org\nCc: %s@example.org, %s@example.org\nSubject: %s\n" % (who[0], who[1], self.r.choice(NAMES)[1], self.r.choice(NAMES)[1], subject)
        h += "Date: %s\nMessage-ID: <%s>\n" % (date(self.t), mid)
        if refs:
            h += "In-Reply-To: <%s>\nReferences: %s\n" % (refs[-1], "\n ".join("<%s>" % x for x in refs))
        h += "List-Id: <list.example.org>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n"
        return mid, self.t, (h + body).encode()

    def diff(self, seed, size):
        r = random.Random(seed)
        out = ""
        for _ in range(r.randint(1, 3)):
            f = "mm/%s%d.c" % (r.choice(WORDS), r.randrange(40))
            out += "diff --git a/%s b/%s\nindex 0123456789ab..ba9876543210 100644\n--- a/%s\n+++ b/%s\n" % (f, f, f, f)
            for _ in range(r.randint(1, 3)):
                out += "@@ -%d,7 +%d,%d @@ static int %s(struct folio *folio)\n" % (r.randint(1, 3000), r.randint(1, 3000), 6 + size, r.choice(FUNCS))
                for mark in "   -" + "+" * size + "   ":
                    out += "%s\t%s\n" % (mark, " ".join(r.choices(WORDS, k=6)))
        return out

    def replies(self, root, refs, subject, depth=0):
        """Answers below one mail, with its words quoted."""
        for _ in range(self.r.choice([0, 0, 1, 1, 2]) if depth < 4 else 0):
            who = self.person()
            body = "On Mon, somebody wrote:\n" + self.text(self.r.randint(2, 14), "> ") + "\n" + self.text(self.r.randint(1, 8)) + "\n"
            if self.r.random() < .3:
                body += "%s: %s <%s>\n" % (self.r.choice(["Reviewed-by", "Acked-by", "Tested-by"]), who[0], who[1])
            m = self.mail(who, "Re: " + subject, refs, body)
            yield m
            yield from self.replies(root, refs + [m[0]], subject, depth + 1)

    def series(self):
        who, patches = self.person(), self.r.choice([1, 1, 1, 2, 3, 4, 6, 9, 12])
        title = "mm: " + self.words(6)
        titles = ["mm/%s: %s" % (self.r.choice(WORDS), self.words(6)) for _ in range(patches)]
        seeds = [self.r.randrange(1 << 40) for _ in range(patches)]
        for v in range(1, self.r.choice([1, 1, 2, 3, 4]) + 1):
            label = "PATCH" if v == 1 else "PATCH v%d" % v
            refs = []
            if patches > 1:
                s = "[%s 0/%d] %s" % (label, patches, title)
                m = self.mail(who, s, [], self.text(20) + "\n" + self.text(9) + "\nchange-id: 20260101-s%d-%d-0123456789ab\n" % (self.seed, seeds[0]))
                yield m
                refs = [m[0]]
                yield from self.replies(m[0], refs, s)
            for k in range(patches):
                s = "[%s %d/%d] %s" % (label, k + 1, patches, titles[k]) if patches > 1 else "[%s] %s" % (label, titles[0])
                m = self.mail(who, s, refs, self.text(7) + "\nSigned-off-by: %s <%s>\n---\n mm/x.c | 2 +-\n\n" % who + self.diff(seeds[k] + (v if self.r.random() < .5 else 0), 4 + seeds[k] % 9) + "-- \n2.39\n")
                yield m
                yield from self.replies(m[0], refs + [m[0]], s)
            self.t += self.r.randint(0, 5 * 86400)

    def talk(self):
        s = self.words(5)
        m = self.mail(self.person(), s, [], self.text(18))
        yield m
        yield from self.replies(m[0], [m[0]], s)

    def all(self):
        """Some twenty threads at a time take turns."""
        open_now = []
        while True:
            while len(open_now) < 20:
                open_now.append(self.series() if self.r.random() < .8 else self.talk())
            i = self.r.randrange(len(open_now))
            for _ in range(self.r.randint(1, 6)):
                m = next(open_now[i], None)
                if m is None:
                    del open_now[i]
                    break
                yield m


DAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def date(t):
    g = time.gmtime(t)
    return "%s, %d %s %d %02d:%02d:%02d +0000" % (DAYS[t // 86400 % 7], g.tm_mday, MONTHS[g.tm_mon - 1], g.tm_year, g.tm_hour, g.tm_min, g.tm_sec)


def write(path, mails, n):
    """n mails to an epoch, whose mails a list packs well only later: fast-import does not."""
    new = not os.path.isdir(path)
    if new:
        subprocess.run(["git", "init", "-q", "--bare", path], check=True)
    head = subprocess.run(["git", "-C", path, "symbolic-ref", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    p = subprocess.Popen(["git", "-C", path, "-c", "core.fsync=none", "fast-import", "--quiet", "--force", "--depth=5"], stdin=subprocess.PIPE)
    for i in range(n):
        _, when, raw = next(mails)
        c = "commit %s\ncommitter L <l@example.org> %d +0000\ndata 1\nx\n" % (head, when)
        if not i and not new:
            c += "from %s^0\n" % head
        p.stdin.write(c.encode() + b"M 100644 inline m\ndata %d\n" % len(raw) + raw + b"\n")
    p.stdin.close()
    if p.wait():
        sys.exit("git fast-import failed")


def make(n, folder, size):
    mails = List(1, START).all()
    os.makedirs(os.path.join(folder, "git"), exist_ok=True)
    for e in range((n + size - 1) // size):
        write(os.path.join(folder, "git", "%d.git" % e), mails, min(size, n - e * size))


def last_epoch(folder):
    return os.path.join(folder, "git", "%d.git" % max(int(x[:-4]) for x in os.listdir(os.path.join(folder, "git"))))


def more(n, folder):
    path = last_epoch(folder)
    seed = int(subprocess.run(["git", "-C", path, "rev-list", "--count", "HEAD"], check=True, capture_output=True, text=True).stdout) + 7
    mails = List(seed, START + 8 * 365 * 86400).all()
    write(path, mails, n)


def maildir(folder, out):
    for d in ("cur", "new", "tmp"):
        os.makedirs(os.path.join(out, d), exist_ok=True)
    count = 0
    for e in sorted(os.listdir(os.path.join(folder, "git"))):
        path = os.path.join(folder, "git", e)
        ids = subprocess.run(["git", "-C", path, "log", "--format=%H:m"], check=True, capture_output=True).stdout
        p = subprocess.Popen(["git", "-C", path, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for name in ids.splitlines():
            p.stdin.write(name + b"\n")
            p.stdin.flush()
            size = int(p.stdout.readline().split()[2])
            with open(os.path.join(out, "cur", "%d:2,S" % count), "wb") as f:
                f.write(p.stdout.read(size))
            p.stdout.read(1)
            count += 1
        p.stdin.close()
        p.wait()
    print(count)


def run(argv, **kw):
    """Seconds of wall and CPU, MB of memory at most, what it printed."""
    start = time.monotonic()
    p = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **kw)
    said = p.stdout.read()
    _, status, use = os.wait4(p.pid, 0)
    if status:
        sys.exit("%s: status %d" % (" ".join(argv), os.waitstatus_to_exitcode(status)))
    return time.monotonic() - start, use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, said


def goal(text, value, limit, most=True):
    print("  %-58s %10.3f  goal %s %s: %s" % (text, value, "<=" if most else ">=", limit, "met" if (value <= limit if most else value >= limit) else "MISSED"))


def notmuch(mail, work):
    conf = os.path.join(work, "notmuch")
    db = os.path.join(work, "mail")
    os.mkdir(db)
    os.symlink(os.path.abspath(os.path.join(mail, "cur")), os.path.join(db, "cur"))
    with open(conf, "w") as f:
        f.write("[database]\npath=%s\n[user]\nname=X\nprimary_email=x@example.org\n" % db)
    return run(["notmuch", "new", "--quiet", "--no-hooks"], env=dict(os.environ, NOTMUCH_CONFIG=conf))


def raw_bytes(folder):
    total = 0
    for e in os.listdir(os.path.join(folder, "git")):
        p = subprocess.run(["git", "-C", os.path.join(folder, "git", e), "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objecttype) %(objectsize)"], capture_output=True, check=True)
        total += sum(int(line[5:]) for line in p.stdout.splitlines() if line.startswith(b"blob "))
    return total


class Screen:
    """series on a terminal of 24 by 80 of its own; what it draws is timed to the last byte."""
    def __init__(self, argv, env):
        self.start = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if not self.pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
            os.execvpe(argv[0], argv, env)

    def drawn(self, text=b"", quiet=.3):
        """Milliseconds until the last byte before it was quiet, with text in it, and the bytes."""
        last, out = self.start, b""
        while select.select([self.fd], [], [], quiet if out and text in out.upper() else 30)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                break
            if not data:
                break
            last = time.perf_counter()
            out += data
        return (last - self.start) * 1000, out

    def settle(self):
        """Read on until nothing has come for half a second."""
        while select.select([self.fd], [], [], .5)[0]:
            os.read(self.fd, 65536)

    def key(self, keys):
        self.start = time.perf_counter()
        os.write(self.fd, keys)
        return self.drawn()

    def end(self):
        os.kill(self.pid, 15)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def screens(series, work, folder, db, n):
    """The first screen of all series of the list, and the keys of a search in it."""
    env = dict(os.environ, XDG_DATA_HOME=os.path.join(work, "data"), XDG_CACHE_HOME=os.path.join(work, "cache"), HOME=work, TERM="xterm-256color", GIT_CONFIG_NOSYSTEM="1", LC_ALL="C.UTF-8")
    mirror, index = os.path.join(work, "data/series/mirrors/list"), os.path.join(work, "cache/series/index")
    os.makedirs(mirror)
    os.makedirs(index)
    os.symlink(os.path.abspath(os.path.join(folder, "git")), os.path.join(mirror, "git"))
    with open(os.path.join(mirror, "config.json"), "w") as f:
        f.write('{"schema": 1, "source": "%s", "form": "git/%%d.git", "since": 0}\n' % folder)
    os.rename(db, os.path.join(index, "list.db"))
    first, keys = [], []
    for _ in range(5):
        s = Screen([series, "-C", work, "triage", "--all", "--list", "list"], env)
        # What comes a little later, when rows are whole, is no first screen any more.
        ms, out = s.drawn(b"SUBJECT", .02)
        if b"SUBJECT" not in out.upper() or len(out) < 1000:
            sys.exit("triage drew no rows: %r" % out[-500:])
        first.append(ms)
        s.settle()
        s.key(b"/")
        keys += [s.key(c)[0] for c in (b"f", b"o", b"l", b"i", b"o")]
        s.end()
    goal("first screen of triage, ms", sorted(first)[2], 100 if n <= 100000 else 250)
    goal("a key of its search, ms (the worst of 25)", max(keys), 50)
    shutil.rmtree(os.path.join(work, "data"))
    shutil.rmtree(os.path.join(work, "cache"))


def race(dump, cache, sizes):
    series = os.path.join(os.path.dirname(dump), "..", "series")
    with tempfile.TemporaryDirectory(dir=cache) as work:
        wall, cpu, _, _ = run([dump, "update", os.path.join(work, "x.db"), os.path.join(cache, "20000")])
        print("%-60s %8.1f s, %8.1f s of CPU" % ("20,000 mails: series", wall, cpu))
        if shutil.which("notmuch"):
            nwall, ncpu, _, _ = notmuch(os.path.join(cache, "mail"), work)
            print("%-60s %8.1f s, %8.1f s of CPU" % ("20,000 mails: notmuch new", nwall, ncpu))
            goal("notmuch new / first index", nwall / wall, 50, False)
        for n in sizes:
            folder, db = os.path.join(cache, str(n)), os.path.join(work, "%d.db" % n)
            wall, cpu, mem, _ = run([dump, "update", db, folder])
            print("%-60s %8.1f s, %8.1f s of CPU" % ("%d mails" % n, wall, cpu))
            goal("first index, 1000 mails/s", n / wall / 1000, 4.5, False)
            goal("memory, MB", mem, 300)
            goal("index / mails, %", 100 * os.path.getsize(db) / raw_bytes(folder), 35)
            part = os.path.join(work, "part")
            shutil.copytree(folder, part, copy_function=os.link)
            path = last_epoch(part)
            head = subprocess.run(["git", "-C", path, "symbolic-ref", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
            ids = subprocess.run(["git", "-C", path, "rev-parse", "HEAD", "HEAD~100"], check=True, capture_output=True, text=True).stdout.split()
            took = []
            for _ in range(3):
                # As if the last 100 had come only now: they go, and come again.
                subprocess.run(["git", "-C", path, "update-ref", head, ids[1]], check=True)
                os.remove(db) if not took and n <= 200000 else None
                if not took and n <= 200000:
                    run([dump, "update", db, part])
                    shutil.copy(db, db + ".old")
                elif not took:
                    break
                else:
                    shutil.copy(db + ".old", db)
                subprocess.run(["git", "-C", path, "update-ref", head, ids[0]], check=True)
                took.append(run([dump, "update", db, part])[0])
            if not took:
                subprocess.run(["git", "-C", path, "update-ref", head, ids[0]], check=True)
                more(100, part)
                took.append(run([dump, "update", db, part])[0])
            goal("100 more, s", sorted(took)[len(took) // 2], .3)
            shutil.rmtree(part)
            rows = [run([dump, "brief", db, "0"])[3].split() for _ in range(5)]
            goal("all %s rows, ms" % rows[0][0], sorted(int(r[2]) for r in rows)[2] / 1000, 100 if n <= 100000 else 250)
            screens(series, work, folder, db, n)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 250000)
    elif sys.argv[1] == "more":
        more(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == "race":
        race(sys.argv[2], sys.argv[3], [int(x) for x in sys.argv[4:]])
    elif sys.argv[1] == "maildir":
        maildir(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
