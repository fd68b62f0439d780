#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Repositories full of what mail is known to spoil, and the comparison with what git am made.

    torture.py kinds DIR            one commit of every kind that must arrive, on branch topic
    torture.py refused DIR          one commit of every kind that no mail can carry
    torture.py named OUTPUT         does what series printed name each of those, with a remedy?
    torture.py random DIR SEED N    N commits by chance, on branch topic; most must arrive
    torture.py compare DIR A B [--dates]    trees, authors, messages of main..A and main..B
    torture.py judge DIR FINDINGS MAILS...  apply the mails by git am: those without a finding
                                    must give their commit, those with one must not

The commits are written by git fast-import, so that nothing is cleaned up on the way."""
import os, random, re, subprocess, sys

WENDY = (b"Wendy Writer", b"wendy@example.org")
EPOCH = 1700000000


def git(repo, *args, data=None, check=True):
    r = subprocess.run(["git", "-C", repo, *args], input=data, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    if check and r.returncode:
        sys.exit("git %s: %s" % (" ".join(args[:2]), r.stderr.decode("utf-8", "replace")))
    return r.stdout


def quote(path):
    out = b""
    for c in path:
        if c in b'"\\':
            out += b"\\" + bytes([c])
        elif c < 32 or c > 126:
            out += b"\\%03o" % c
        else:
            out += bytes([c])
    return b'"' + out + b'"'


class Stream:
    """A stream for git fast-import."""

    def __init__(self):
        self.out, self.n = [], 0

    def commit(self, message, ops, author=WENDY, when=None, zone=b"+0000", encoding=None,
               branch=b"topic"):
        self.n += 1
        when = EPOCH + 60 * self.n if when is None else when
        if isinstance(message, str):
            message = message.encode()
        o = self.out
        o.append(b"commit refs/heads/%s\n" % branch)
        if self.n > 1:
            o.append(b"mark :%d\n" % self.n)
        else:
            o.append(b"mark :1\n")
        o.append(b"author %s <%s> %d %s\n" % (*author, when, zone))
        o.append(b"committer %s <%s> %d +0000\n" % (*WENDY, EPOCH + 60 * self.n))
        if encoding:
            o.append(b"encoding %s\n" % encoding)
        o.append(b"data %d\n%s\n" % (len(message), message))
        if self.n > 1:
            o.append(b"from :%d\n" % (self.n - 1))
        for op in ops:
            if op[0] == "M":
                o.append(b"M %s inline %s\ndata %d\n%s\n" %
                         (op[1], quote(op[2]), len(op[3]), op[3]))
            elif op[0] == "S":
                o.append(b"M 160000 %s %s\n" % (op[2], quote(op[1])))
            elif op[0] == "D":
                o.append(b"D %s\n" % quote(op[1]))
            elif op[0] == "R":
                o.append(b"R %s %s\n" % (quote(op[1]), quote(op[2])))
            elif op[0] == "C":
                o.append(b"C %s %s\n" % (quote(op[1]), quote(op[2])))
        o.append(b"\n")

    def load(self, repo):
        subprocess.run(["git", "init", "-q", repo], check=True)
        git(repo, "fast-import", "--quiet", "--date-format=raw-permissive",
            data=b"".join(self.out))
        git(repo, "checkout", "-q", "-f", "topic")


def put(path, data, mode=b"100644"):
    return ("M", mode, path, data)


def lines(n, word=b"line"):
    return b"".join(b"%s %d\n" % (word, i) for i in range(1, n + 1))


LONG = b"0123456789" * 3000
NOISE = bytes((i * 7919 + (i >> 8) * 31) & 255 for i in range(3 * 1024 * 1024))


def base(s):
    s.commit("base\n", [put(b"text", lines(60)), put(b"crlf", b"a\r\nb\r\nc\r\n"),
                        put(b"bin", b"\0\1\2\377old"), put(b"tool", b"#!/bin/sh\n"),
                        put(b"old name", lines(40, b"old")), put(b"gone", b"gone\n"),
                        put(b"thing", lines(5)), put(b"copied", lines(30, b"copy")),
                        ("S", b"sub", b"1" * 40), put(b"nonl", b"no end"),
                        put(b".gitattributes", b"asis diff\n"), put(b"asis", b"x\0y\n"),
                        put(b"exe", b"exe\n", b"100755"), put(b"many", b"")],
             branch=b"main")


def change(i):
    """A small change of its own."""
    return [put(b"n/%d" % i, b"number %d\n" % i)]


NAMES = ["Al", "Nováková, Jr. Žofie", "J. R. Doe", 'The "quoted" one', "With (parens) in it",
         "back\\slash here", "semi;colon: and, more", "田中 太郎", "Љубица Ћирић",
         "שלום עולם", "مرحبا بالعالم", "e\u0301o\u0308 combining", "Party 🎉 Popper",
         "=?utf-8?q?look=20alike?=", 'Ünï "quoted" cödé', "Ö (parens) Ö", "ünterstrich_eins",
         "A B", "x" * 60, "a=b?c", "It's single", "ends in )", "Zoë [brackets]",
         "%s %n", "-dash first", "Ab\\\"Cd", "„deutsch“ «français»", "d'Ö\\Neill", "Q=C3=A4"]

TITLES = ["mm: grüße für alle", "mm: " + "words that go on and on " * 12 + "end",
          "中" * 100, "mm: =?utf-8?q?x?= is no encoded word", "mm: =?broken", "a" * 1000,
          "Ünï =?UTF-8?B?w6Q=?=", "mm: 100% [not] a prefix: Re: x", "x", "mm: e\u0301🎉 עברית",
          "=?=?=", "mm: under_score = ?", "mm: " + "ü" * 300, "Revert \"mm: x\"", "[mm no end",
          "re", "mm: \x01control\x7f", "mm: zero\u200bwidth\u00a0nbsp\u2028sep", "PATCH 1/2 x",
          "treewide: (.*) \\1 $HOME `x` \"y\" 'z'", "mm: ends in a dot.", "mm; a, b <c@example.org>"]

BODIES = [
    "From here on it matters.\n\n>From there too\n>>From\n.\n..\n.dot\n",
    "From: somebody\nSubject: else\n", "Date: Mon, 1 Jan 2001 00:00:00 +0000\n",
    ">From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n", "[PATCH] x\n",
    "Subject: a\n", "\n".join(["a", "-- ", "Wendy", "", "x"]).replace("-- ", "-- w") + "\n",
    "  indented first\n\ttab first\n\n  diff --git a/x b/x\n  ---\n  Index: x\n +++ b\n",
    "a\rlone CR\rin it\n", "form\ffeed\f\n\f\nU+2028\u2028here\u2029\u0085end\n", "x" * 998 + "\n",
    "x" * 999 + "\n", "ü" * 15000 + "\n", "=20 =3D soft=\n=\n=C3=A4\n", "----\n--\n---x\n-----\n",
    "Key: value\nOther-Key: value\n", "中文内容\n日本語\n한국어\nעברית\n🎉🎉\n",
    "Signed-off-by: \"Doe, J.\" <doe@example.org> # [comment]\nReviewed-by: nobody\nFixes: x\n",
    "\u0130\u00df\ufb03 \ufeffBOM\n", "a\tb\tc\n\td\n", "Content-Type: text/html\n\n<b>\n",
    "@@ -1 +1 @@\n-a\n+b\n+++ b/x\n", "Cc: x\n\n---- 8< ----\n", "\x01\x02\x7f\x1b[31mred\x1b[0m\n",
    "begin 644 x\nfoo\nend\n", "--=_boundary\nContent-Type: text/plain\n--=_boundary--\n",
    "%\n%%s\n\\n\\0\n", "Re: x\n", "on topic\n\n> quoted\n>> more\n", "From\n", "From:\n",
    "Author: x\nEmail: y\n", "Message-Id: <x@example.org>\n", "- list\n  -- not a signature\n"]

ENCODED = [("ISO-8859-1", "mm: grüße", "Füße", "Jürgen Müller"),
           ("EUC-JP", "mm: 日本語の題", "本文です。", "山田 太郎"),
           ("ISO-2022-JP", "mm: 日本語の題", "本文です。", "山田 太郎"),
           ("Shift_JIS", "mm: 日本語の題", "本文ソ能です。", "山田 太郎"),
           ("KOI8-R", "мм: тема", "Текст.", "Иван Иванов"),
           ("ISO-8859-15", "mm: 10 €", "œuvre", "Zoë"), ("GB18030", "mm: 中文", "内容", "王小明"),
           ("UTF-8", "mm: ünï", "cödé", "Ünï")]


def diffs():
    """Changes that diffs, mails and servers are known to have trouble with."""
    sub = b"2" * 40
    yield "From lines", [put(b"froms", b"From the start\nFrom: nobody\n>From x\n.\n..\n.dot\n")]
    yield "From lines changed", [put(b"froms", b"From here\n>From x\n.\n.dot\n")]
    yield "CRLF", [put(b"crlf", b"a\r\nB\r\nc\r\n")]
    yield "CRLF to LF", [put(b"crlf", b"a\nB\nc\n")]
    yield "lone CR", [put(b"cr", b"a\rb\rc\n\r\n\r")]
    yield "mixed ends", [put(b"cr", b"a\rb\nc\r\n\r\r\nx\r")]
    yield "tabs", [put(b"tabs", b"\t\ttab\t\n \t \n\n\f\n\x0b\n trailing  \n")]
    yield "no newline", [put(b"nonl", b"still no end")]
    yield "newline added", [put(b"nonl", b"still no end\n")]
    yield "newline removed", [put(b"nonl", b"an end no more")]
    yield "NUL", [put(b"bin", b"\0\1\2\377new\0")]
    yield "NUL as text", [put(b"asis", b"x\0z\n\0\0\n")]
    yield "NUL and CR as text", [put(b"asis", b"x\0\r\n\r\0\n")]
    yield "megabytes", [put(b"big", NOISE)]
    yield "megabytes changed", [put(b"big", NOISE[1000:] + b"end")]
    yield "pure rename", [("R", b"old name", b"new name")]
    yield "rename with edits", [("R", b"new name", b"third name"),
                                put(b"third name", lines(40, b"old").replace(b"old 7\n", b"x\n"))]
    yield "copy", [("C", b"copied", b"copy"), put(b"copied", lines(31, b"copy"))]
    yield "mode only", [put(b"tool", b"#!/bin/sh\n", b"100755")]
    yield "mode back", [put(b"exe", b"exe\n")]
    yield "symlink", [put(b"link", b"text", b"120000")]
    yield "symlink to file", [put(b"link", b"a file now\n")]
    yield "file to symlink", [put(b"link", b"nowhere/\xc3\xa4 x", b"120000")]
    yield "file to folder", [("D", b"thing"), put(b"thing/inside", b"x\n")]
    yield "folder to file", [("D", b"thing/inside"), put(b"thing", b"x\n")]
    yield "empty file", [put(b"empty", b"")]
    yield "empty file deleted", [("D", b"empty")]
    yield "empty file filled", [put(b"many", b"x\n")]
    yield "file emptied", [put(b"many", b"")]
    yield "submodule added", [("S", b"sub2", sub)]
    yield "submodule moved on", [("S", b"sub", sub)]
    yield "submodule removed", [("D", b"sub2")]
    yield "deleted", [("D", b"gone")]
    for i, name in enumerate([b"with blank", b" lead", b"trail ", b'quo"te', b"t\tab", b"new\nline",
                              "ünï/cödé".encode(), "日本".encode(), b"-dash", b"x b/y b/x",
                              b"back\\slash", b"lat\351in", b"a => b", b"{a => b}/c", b"dev/null",
                              b"a/b/a", b"b/b", b"\x01\x7f", b"x" * 200, b"*?[x]", b"~", b":x"]):
        yield "file name %d" % i, [put(name, b"")]
        yield "file name %d filled" % i, [put(name, b"x\n")]
        yield "file name %d mode" % i, [put(name, b"x\n", b"100755")]
    for name in (b" lead", b"trail ", b"new\nline", b"x b/y b/x"):
        yield "rename of a name", [("R", name, b"r/" + name)]
    for n in (996, 997, 998, 999, 30000):
        yield "line of %d" % n, [put(b"long", LONG[:n] + b"\n")]
    yield "soft ends", [put(b"long", b"=3D soft=\n=\n=20\n" + LONG + b"=\n")]
    yield "latin1", [put(b"latin1", b"caf\351\n")]
    yield "wrong UTF-8", [put(b"latin1", b"\xff\xfe\xc0\x80\xed\xa0\x80\n")]
    yield "noncharacters", [put(b"latin1", "\ufffe\ufdd0\u2028\u0085\n".encode())]
    yield "signatures", [put(b"sig", b"-- \n-- \nx\n- \n---\n--- a\n+++ b\n@@ -1 +1 @@\n")]
    yield "signature taken out", [put(b"sig", b"-- \nx\n- \n---\n+++ b\n")]
    yield "diffs in it", [put(b"sig", b"diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n")]
    yield "binary to text", [put(b"bin", b"text\n")]


def all_kinds():
    """Commits as keyword arguments of Stream.commit."""
    sign = "\n\nSigned-off-by: Wendy Writer <wendy@example.org>\n"
    for title, ops in diffs():
        yield dict(message="mm: %s%s" % (title, sign), ops=ops)
    i = 0
    for name in NAMES:
        i += 1
        yield dict(message="mm: author %d%s" % (i, sign), ops=change(i),
                   author=(name.encode(), b"author%d@example.org" % i))
    for title in TITLES:
        i += 1
        yield dict(message=title + "\n", ops=change(i))
        i += 1
        yield dict(message=title + sign, ops=change(i), author=(b"O. N. E", b"one@example.org"))
    for body in BODIES:
        i += 1
        yield dict(message="mm: body %d\n\n%s" % (i, body), ops=change(i))
        i += 1
        yield dict(message="mm: body %d\n\n%s" % (i, body), ops=change(i),
                   author=("Ö. N. E".encode(), b"one@example.org"))
    for enc, title, body, name in ENCODED:
        i += 1
        yield dict(message=("%s\n\n%s\n" % (title, body)).encode(enc), ops=change(i),
                   encoding=enc.encode(), author=(name.encode(enc), b"enc@example.org"))
    for when, zone in ((0, b"+0000"), (7200, b"-0030"), (EPOCH, b"+1345"), (EPOCH, b"-1200"),
                       (4102444800, b"+0530"), (99999999, b"+1400"), (2**33, b"+0000")):
        i += 1
        yield dict(message="mm: date %d%s" % (when, sign), ops=change(i), when=when, zone=zone)


# What must be said, and of which commit.
SAID = {"message-cut": "git am", "message-nul": "line 3 of the message has a NUL",
        "message-encoding": "encoding", "message-blanks": "white space of the message",
        "message-empty": "has no message", "author-lost": "author",
        "patch-empty": "changes nothing",
        "patch-unreadable": "cannot read the diff that it made"}
REFUSED = [
    ("message-cut", "mm: x\n\ntext\n---\nmore\n", {}),
    ("message-cut", "mm: x\n\n--- a/x\n", {}),
    ("message-cut", "mm: x\n\ndiff --git a/x b/x\n", {}),
    ("message-cut", "mm: x\n\nIndex: x\n", {}),
    ("message-cut", "[mm] x\n", {}),
    ("message-cut", "Re: mm: x\n", {}),
    ("message-cut", ": mm: x\n", {}),
    ("message-nul", b"mm: x\n\na\0b\n", {}),
    ("message-encoding", b"mm: caf\351\n", {}),
    ("message-encoding", "mm: nonchar \uffff\n", {}),
    ("message-encoding", b"mm: \377\n", {"encoding": b"EUC-JP"}),
    ("message-encoding", "mm: x ä\n", {"encoding": b"x-unknown"}),
    ("message-encoding", "mm: author\n", {"author": (b"Caf\351 Noir", b"cafe@example.org")}),
    ("message-blanks", "mm: two\nlines\n\ntext\n", {}),
    ("message-blanks", "mm: two  blanks\n", {}),
    ("message-blanks", "mm: tab\there\n", {}),
    ("message-blanks", " mm: blank in front\n", {}),
    ("message-blanks", "mm: blank behind \n", {}),
    ("message-blanks", "mm: x\n\ntext \n", {}),
    ("message-blanks", "mm: x\n\na\n\n\nb\n", {}),
    ("message-blanks", "mm: x\n\nCRLF\r\n", {}),
    ("message-blanks", "mm: C\rR\n", {}),
    ("message-empty", "", {}),
    ("author-lost", "mm: author\n", {"author": (b"Me @home", b"me@example.org")}),
    ("author-lost", "mm: author\n", {"author": (b"Doe, J.", b"doe@example.org")}),
    ("author-lost", "mm: author\n", {"author": (b"Doe 'JD'", b"doe@example.org")}),
    ("author-lost", "mm: author\n", {"author": (b" Blank", b"doe@example.org")}),
    ("author-lost", "mm: author\n", {"author": (b"\"Quoted\"", b"doe@example.org")}),
    ("author-lost", "mm: author\n", {"author": (b"two  blanks", b"doe@example.org")}),
    ("author-lost", "mm: author\n", {"author": (b"x" * 61, b"doe@example.org")}),
    ("author-lost", "mm: author\n", {"author": (b"(all in brackets)", b"al@example.org")}),
    ("author-lost", "mm: author\n", {"author": (b"Mail System Internal Data", b"m@example.org")}),
    ("patch-empty", "mm: nothing\n", {"ops": []}),
    ("patch-unreadable", "mm: name\n", {"ops": [put(b"folder /empty", b"")]}),
]


def make_kinds(repo):
    s = Stream()
    base(s)
    for c in all_kinds():
        s.commit(**c)
    s.load(repo)
    print(s.n - 1)


def make_refused(repo):
    s = Stream()
    base(s)
    for i, (_, message, more) in enumerate(REFUSED):
        s.commit(**{"message": message, "ops": change(i), **more})
    s.load(repo)


def check_named(output):
    said = open(output, encoding="utf-8").read().split("\n")
    bad = 0
    for i, (what, _, _) in enumerate(REFUSED):
        at = [k for k, l in enumerate(said) if l.startswith("error: patch %d/" % (i + 1))]
        if len(at) != 1 or SAID[what] not in said[at[0]] or "git rebase -i" not in said[at[0] + 1]:
            bad += 1
            print("patch %d: %s is not said: %s" % (i + 1, what, [said[k] for k in at]))
    sys.exit(1 if bad else 0)


# ---- by chance

PIECES = ["word", "Wörter", "中文", "🎉", "=?", "?=", "=?utf-8?q?x?=", "From ", ">From ", ".", "..",
          "---", "--", "-- ", "--- a/x", "diff --git a/x b/x", "diff -u", "Index: x", "[x]", "[", "]",
          "Re: ", "re:", ":", "From: x", "Subject: y", "Date: z", "[PATCH] ", "\t", "  ", " ", " ",
          "\r", "\f", "\v", "\u2028", "\u0085", "\ufeff", "\x01", "\x7f", "\"", "'", "\\", "(", ")",
          "<", ">", "@", ",", ";", "%s", "=20", "=", "_", "?", "@@ -1 +1 @@", "+++ b/x", "-", "+",
          "x" * 80, "ü" * 50, "8<", ">8 ----", "\ufffe", "e\u0301", "עברית", "a", "b", "c", "1",
          "Signed-off-by: A <a@example.org>", "> quoted", "#", "\x1b[1m"]


def words(r, most, sep=""):
    return sep.join(r.choice(PIECES) for _ in range(r.randint(1, most)))


def random_message(r):
    kind = r.random()
    if kind < 0.02:
        return b""
    wild = r.random() < 0.25
    title = words(r, 4, r.choice(["", " "])) if wild else \
        "mm: " + " ".join(words(r, 6, " ").replace("\ufffe", "").split())
    if r.random() < 0.3:
        return (title + "\n").encode()
    body = "\n".join("" if r.random() < 0.15 else words(r, 5, r.choice(["", " "]))
                     for _ in range(r.randint(1, 8)))
    if not wild:
        body = "\n".join(re.sub(r"^(---\s*$|--- \S|diff -|Index: )", r" \1", l)
                         for l in re.sub(r"[ \t\r]+\n", "\n", body).split("\n"))
        body = re.sub("\n\n+", "\n\n", body.replace("\ufffe", "")).strip("\n").rstrip(" \t\r")
    m = (title + ("\n" * r.choice([1, 2, 2, 3]) if wild else "\n\n") + body + r.choice(["\n", "\n", "\n", "", "\n\n"])).encode()
    if r.random() < 0.03:
        at = r.randrange(len(m))
        m = m[:at] + bytes([r.choice([0, 255, 128, 233])]) + m[at:]
    return m


def random_author(r):
    if r.random() < 0.4:
        return WENDY
    name = words(r, 4, r.choice(["", " ", " "])) if r.random() < 0.15 else r.choice(NAMES)
    name = re.sub(r"[<>\n\0]", "", name)
    email = r.choice(["a@example.org", "a@example.org", "A.B+c@example.org", "a", "ü@example.org",
                      "", "\"q q\"@example.org", "a@b@example.org", "x(y)@example.org"]) \
        if r.random() < 0.05 else "a%d@example.org" % r.randint(1, 99)
    return name.encode(), email.encode()


def random_line(r):
    k = r.random()
    if k < 0.05:
        return LONG[:r.choice([900, 990, 996, 997, 998, 999, 5000])]
    if k < 0.1:
        return bytes(r.choice([0, 13, 10, 9, 32, 61, 46, 255, 128, 65]) for _ in range(r.randint(0, 9)))
    if k < 0.4:
        return words(r, 5).encode()
    return b"line %d" % r.randint(1, 30)


def random_data(r, old=None):
    if old is not None and r.random() < 0.7:
        ls = old.split(b"\n")
        for _ in range(r.randint(1, 4)):
            at = r.randrange(len(ls) + 1)
            k = r.random()
            if k < 0.4:
                ls.insert(at, random_line(r))
            elif k < 0.7:
                del ls[at:at + r.randint(1, 3)]
            elif at < len(ls):
                ls[at] = random_line(r) + r.choice([b"", b"\r", b" ", b"\t"])
        return b"\n".join(ls)
    k = r.random()
    if k < 0.06:
        return b""
    if k < 0.12:
        return r.randbytes(r.randint(1, 3000))
    end = r.choice([b"\n", b"\n", b"\n", b"\r\n", b"\r"])
    return end.join(random_line(r) for _ in range(r.randint(1, 40))) + r.choice([end, end, b""])


def random_path(r, files):
    part = lambda: re.sub(r"[/\0]", "", words(r, 2))[:60].strip(".") or "f"
    while True:
        p = b"/".join((part() if r.random() < 0.5 else "f%d" % r.randint(1, 40)).encode()
                      for _ in range(r.choice([1, 1, 1, 2])))
        if r.random() < 0.03:
            p += b"\351"
        if any(f == p or f.startswith(p + b"/") or p.startswith(f + b"/") for f in files) or \
                any(x.lower() in (b".git", b"") for x in p.split(b"/")):
            continue
        return p


def random_ops(r, files):
    """Changes files ({path: (mode, data)}) and returns what was done."""
    ops = []
    for _ in range(r.choice([1, 1, 1, 2, 3, 5])):
        k, have = r.random(), sorted(files)
        path = r.choice(have) if have else None
        if path is None or k < 0.35:
            path = random_path(r, files)
            mode = r.choice([b"100644"] * 6 + [b"100755", b"120000", b"160000"])
            data = random_data(r)
        elif k < 0.65:
            mode, data = files[path][0], random_data(r, files[path][1])
        elif k < 0.72:
            mode = r.choice([b"100644", b"100755", b"120000"])
            data = files[path][1] if files[path][0] != b"160000" else random_data(r)
        elif k < 0.82:
            ops.append(("D", path))
            del files[path]
            continue
        elif k < 0.95:
            to = random_path(r, [f for f in files if f != path] + [path])
            mode, data = files.pop(path)
            ops.append(("D", path))
            path = to
            data = random_data(r, data) if r.random() < 0.3 and mode != b"160000" else data
        else:
            mode, data = files[path]
            path = random_path(r, files)
        if mode == b"160000":
            data = b"%040x" % r.getrandbits(160)
            ops.append(("S", path, data))
        else:
            if mode == b"120000":
                data = data.replace(b"\0", b"").replace(b"\n", b" ")[:200] or b"x"
            ops.append(("M", mode, path, data))
        files[path] = (mode, data)
    return ops


def make_random(repo, seed, n):
    r, s = random.Random(seed), Stream()
    files = {b"text": (b"100644", lines(60))}
    s.commit("base\n", [put(b"text", lines(60))], branch=b"main")
    for _ in range(n):
        when = r.choice([EPOCH, r.randrange(2**31), r.randrange(10**9)])
        enc, message, author = None, random_message(r), random_author(r)
        if r.random() < 0.1:
            enc, title, body, name = r.choice(ENCODED)
            message, author = ("%s\n\n%s\n" % (title, body)).encode(enc), \
                (name.encode(enc), b"e@example.org")
            enc = (enc if r.random() < 0.9 else r.choice(["UTF-8", "EUC-JP"])).encode()
        s.commit(message, random_ops(r, files), author, when,
                 r.choice([b"+0000", b"-0700", b"+1345", b"-0030"]), enc)
    s.load(repo)


# ---- what came of it

def commits(repo, revs, dates=False):
    """{tree, author, message[, date]} of every commit, oldest first."""
    form = "%T%x01%an%x01%ae%x01%B" + ("%x01%at" if dates else "") + "%x02"
    out = git(repo, "-c", "log.mailmap=false", "log", "--reverse", "--first-parent",
              "--encoding=UTF-8", "--format=" + form, revs)
    rows = []
    for rec in out.split(b"\x02\n")[:-1] if out.endswith(b"\x02\n") else out.split(b"\x02"):
        rows.append(rec)
    return rows


def fields(rec):
    tree, name, email, rest = rec.split(b"\x01", 3)
    return tree, name, email, rest.rstrip(b"\n")


def raw_fields(repo, rev):
    """The same of one commit, from the object: what git log repairs is seen."""
    raw = git(repo, "cat-file", "commit", rev)
    head, message = raw.split(b"\n\n", 1)
    get = lambda k: re.search(b"^" + k + b" (.*)$", head, re.M)
    enc = get(b"encoding")
    ident = re.match(rb"(.*?) ?<([^>]*)> ", get(b"author").group(1), re.S)
    out = [ident.group(1), ident.group(2), message.rstrip(b"\n")]
    if enc and enc.group(1) != b"UTF-8":
        try:
            out = [x.decode(enc.group(1).decode()).encode() for x in out]
        except (UnicodeError, LookupError):
            out[2] = b"what its encoding does not allow"
    return [get(b"tree").group(1)] + out


def compare(repo, a, b):
    def revs(x):
        return git(repo, "rev-list", "--reverse", "main.." + x).decode().split()
    ra, rb = revs(a), revs(b)
    if len(ra) != len(rb):
        sys.exit("%d commits in %s, %d in %s" % (len(ra), a, len(rb), b))
    bad = 0
    for i, (x, y) in enumerate(zip(ra, rb)):
        for what, p, q in zip(("tree", "name", "email", "message"), raw_fields(repo, x),
                              raw_fields(repo, y)):
            if p != q:
                bad += 1
                print("patch %d: %s: %.200r, not %.200r" % (i + 1, what, q, p))
    sys.exit(1 if bad else 0)


def judge(repo, findings, mails):
    """Apply the mails, starting again from the original commit at each one that was named."""
    revs = git(repo, "rev-list", "--reverse", "main..topic").decode().split()
    named = {}
    for line in open(findings, encoding="utf-8", errors="replace"):
        m = re.match(r"(error|warning): patch (\d+)/\d+ ", line)
        if m and m.group(1) == "error":
            named[int(m.group(2))] = line.strip()
    if len(revs) != len(mails):
        sys.exit("%d mails of %d commits" % (len(mails), len(revs)))
    git(repo, "checkout", "-q", "-f", "-B", "again", "main")
    bad, at = 0, 0

    def am(files):
        r = subprocess.run(["git", "-C", repo, "am", "-q", "--keep-cr", *files],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if r.returncode:
            git(repo, "am", "--abort", check=False)
        return r.returncode == 0, r.stdout.decode("utf-8", "replace").strip()

    def restart(i):
        git(repo, "checkout", "-q", "-f", "-B", "again", revs[i - 1] if i else "main")
        git(repo, "clean", "-q", "-f", "-f", "-d", "-x")

    def same(i, rev):
        return [(w, p, q) for w, p, q in zip(("tree", "name", "email", "message"),
                raw_fields(repo, revs[i]), raw_fields(repo, rev)) if p != q]

    while at < len(revs):
        end = at
        while end < len(revs) and end + 1 not in named:
            end += 1
        restart(at)
        if end > at:
            ok, said = am(mails[at:end])
            got = git(repo, "rev-list", "--reverse", (revs[at - 1] if at else "main") +
                      "..again").decode().split() if ok else []
            if not ok or len(got) != end - at:
                for i in range(at, end):  # one by one, to tell which
                    restart(i)
                    ok, said = am([mails[i]])
                    if not ok or same(i, "again"):
                        bad += 1
                        print("patch %d was not refused: %s %.300r" %
                              (i + 1, said, same(i, "again") if ok else ""))
            for i, rev in zip(range(at, end), got):
                for what, want, have in same(i, rev):
                    bad += 1
                    print("patch %d was not refused: %s is %.300r, not %.300r" %
                          (i + 1, what, have, want))
        if end < len(revs):
            restart(end)
            ok, said = am([mails[end]])
            if ok and "has no message" not in named[end + 1] and git(repo, "rev-list", "--count", (revs[end - 1] if end else "main") +
                          "..again").strip() == b"1" and not same(end, "again"):
                bad += 1
                print("patch %d was refused for nothing: %s" % (end + 1, named[end + 1]))
            end += 1
        at = end
    restart(len(revs))
    print("# %d commits, %d of them refused" % (len(revs), len(named)))
    sys.exit(1 if bad else 0)


def main(argv):
    if argv[1:2] == ["kinds"]:
        make_kinds(argv[2])
    elif argv[1:2] == ["refused"]:
        make_refused(argv[2])
    elif argv[1:2] == ["named"]:
        check_named(argv[2])
    elif argv[1:2] == ["random"]:
        make_random(argv[2], int(argv[3]), int(argv[4]))
    elif argv[1:2] == ["compare"]:
        compare(*argv[2:5])
    elif argv[1:2] == ["judge"]:
        judge(argv[2], argv[3], argv[4:])
    else:
        sys.exit(__doc__)


main(sys.argv)
