#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Mails to read for tests/perf/mail.sh.

	mails.py make N FILE		an mbox of N mails as a list has them, 2.4 KB on average
	mails.py large BYTES KIND FILE	one mail: plain, base64 (UTF-8), latin1 (quoted-printable) or koi8 (base64)
	mails.py read heads|bodies FILE	as b4 0.12 does: email.message_from_bytes(); with text, its LoreMessage too
	mails.py race ROUNDS DUMP GMIME FOLDER	all of them on the same mails, with the goals; GMIME may be ""

A race counts CPU time of one process, medians of ROUNDS, so that a busy machine does little to it.
"""
import base64, email, os, random, statistics, sys

WORDS = "fix the folio lock when swapping out a page of memory that nobody maps while reclaim runs".split()
HEAD = """From mboxrd@z Thu Jan  1 00:00:00 1970
Received: from mx.example.org (mx.example.org [192.0.2.%d])
\tby list.example.org (Postfix) with ESMTPS id %08X
\tfor <list@example.org>; Mon,  5 Jan 2026 09:%02d:%02d +0000 (UTC)
From: %s <%s@example.org>
To: list@example.org
Cc: Anna Author <a@example.org>, Ben Builder <b@example.org>,
\tCora Coverer <c@example.org>
Subject: %s
Date: Mon, 5 Jan 2026 09:%02d:%02d +0100
Message-ID: <%d.patch@example.org>
In-Reply-To: <%d.cover@example.org>
References: <%d.cover@example.org>
List-Id: <list.example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: %s

"""


def make(count, path):
    r = random.Random(1)
    with open(path, "wb") as f:
        for n in range(count):
            encoding = r.choice(["8bit"] * 7 + ["quoted-printable"] * 2 + ["base64"])
            name = r.choice(["Wendy Writer", "=?utf-8?q?J=C3=BCrgen?= Patcher", "Anna Author"])
            title = r.choice(["[PATCH v2 %d/9] mm: " % (n % 9 + 1), "Re: [PATCH] mm: "]) + " ".join(r.choices(WORDS, k=6))
            body = "".join(" ".join(r.choices(WORDS, k=9)) + r.choice(["\n", "\n", " é\n", "\n> quoted\n"]) for _ in range(r.randint(8, 54)))
            raw = body.encode()
            if encoding == "base64":
                raw = base64.encodebytes(raw)
            elif encoding == "quoted-printable":
                raw = raw.replace(b"=", b"=3D").replace("é".encode(), b"=C3=A9").replace(b" that", b" =\nthat")
            f.write((HEAD % (n % 250, n, n % 60, n % 60, name, "w%d" % (n % 99), title, n % 60, n % 60, n, n, n, encoding)).encode())
            f.write(raw + b"\n")


def large(size, kind, path):
    charset = {"latin1": "iso-8859-1", "koi8": "koi8-r"}.get(kind, "utf-8")
    encoding = {"plain": "8bit", "latin1": "quoted-printable"}.get(kind, "base64")
    line = "a line with \xe9 in it, of some length, as they are\n".encode("latin-1" if kind != "plain" and kind != "base64" else "utf-8")
    chunk = line * 5130
    if encoding == "base64":
        chunk = base64.encodebytes(chunk[:len(chunk) // 57 * 57])
    elif encoding == "quoted-printable":
        chunk = chunk.replace(b"\xe9", b"=E9")
    with open(path, "wb") as f:
        f.write(b"Subject: large\nContent-Type: text/plain; charset=%s\nContent-Transfer-Encoding: %s\n\n" % (charset.encode(), encoding.encode()))
        while f.tell() < size:
            f.write(chunk)


def read(what, path):
    import b4
    size = 0
    with open(path, "rb") as f:
        mails = f.read().split(b"\nFrom mboxrd@z Thu Jan  1 00:00:00 1970\n")
    for raw in mails:
        msg = email.message_from_bytes(raw)
        if what == "bodies":
            size += len(b4.LoreMessage(msg).body)
        else:
            size += sum(len(str(msg[name] or "")) for name in ("Subject", "From", "Message-ID", "In-Reply-To", "References", "Date"))
    print(len(mails))


def run(argv):
    """Seconds of CPU, kilobytes of memory, what it printed."""
    r, w = os.pipe()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, w, 1), (os.POSIX_SPAWN_CLOSE, r)])
    os.close(w)
    with os.fdopen(r) as f:
        said = f.read()
    _, status, use = os.wait4(pid, 0)
    if status:
        sys.exit("%s: status %d" % (" ".join(argv), os.waitstatus_to_exitcode(status)))
    return use.ru_utime + use.ru_stime, use.ru_maxrss, said


def goal(text, value, limit, most=False):
    met = value <= limit if most else value >= limit
    print("  %-52s %8.1f  goal %s %s: %s" % (text, value, "<=" if most else ">=", limit, "met" if met else "MISSED"))


def race(rounds, dump, gmime, folder):
    many, few = os.path.join(folder, "mails.mbox"), os.path.join(folder, "few.mbox")
    rate = {}
    for what in ("heads", "bodies"):
        rows = [("series", [dump, "--" + what, many]), ("b4", [sys.executable, __file__, "read", what, few])]
        rows += [("GMime", [gmime, what, many])] if gmime else []
        took = {name: [] for name, _ in rows}
        for i in range(rounds + 1):
            for name, argv in rows:
                cpu, _, said = run(argv)
                if i:
                    took[name].append(int(said) / cpu)
        for name, values in took.items():
            rate[what, name] = statistics.median(values)
    size = os.path.getsize(many)
    print("%-42s %12s %12s" % ("%d MB of mails, per second of CPU" % (size >> 20), "fields", "text too"))
    for name in ("series", "b4", "GMime"):
        if ("heads", name) in rate:
            print("%-42s %12.0f %12.0f" % (name, rate["heads", name], rate["bodies", name]))
    goal("fields, 1000 mails/s", rate["heads", "series"] / 1000, 100)
    goal("with text, 1000 mails/s", rate["bodies", "series"] / 1000, 20)
    for what in ("heads", "bodies"):
        goal("%s: series / b4's parser" % what, rate[what, "series"] / rate[what, "b4"], 50)
        if gmime:
            goal("%s: series / GMime" % what, rate[what, "series"] / rate[what, "GMime"], 2)
    for kind in ("plain", "base64", "latin1", "koi8"):
        path = os.path.join(folder, "large-%s.eml" % kind)
        limit = 1.5 * os.path.getsize(path) / 1e6 + 20
        goal("a mail of %.0f MB, %s: MB of memory" % (os.path.getsize(path) / 1e6, kind), run([dump, "--bodies", path])[1] / 1e3, limit, True)


if sys.argv[1] == "make":
    make(int(sys.argv[2]), sys.argv[3])
elif sys.argv[1] == "large":
    large(int(sys.argv[2]), sys.argv[3], sys.argv[4])
elif sys.argv[1] == "race":
    race(int(sys.argv[2]), *sys.argv[3:])
else:
    read(sys.argv[2], sys.argv[3])
