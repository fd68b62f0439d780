#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An invented thread for tests/perf/review.sh, three versions of twenty patches and what was said to them.

	review.py N FOLDER

Writes FOLDER/thread.mbox of N mails, FOLDER/files/ (what the patches are for), FOLDER/last.mbox (the patches of the
last version, for git am) and FOLDER/want: what there is in it, in the words of review-dump.
"""
import base64, difflib, os, quopri, random, sys

r = random.Random(1)
VERSIONS, PATCHES, LINES = 3, 20, 600
AUTHOR = ("Wendy Writer", "wendy@example.org")
PEOPLE = [("Ada Able", "ada@example.org"), ("Bo Büchner", "bo@example.org"), ("Cleo Clark", "cleo@example.org"),
          ("Dan Drake", "dan@example.org"), ("Eve Eklund", "eve@example.org"), ("Fay Fox", "fay@example.org")]
REMARKS = ["Does this hold when the folio was split in between? The caller dropped its lock two lines above,",
           "This counter wraps on 32 bit machines after some hours of reclaim.", "Why not do that in the loop below?",
           "Please move the barrier in front of the store, else a reader on another CPU sees the old flags.",
           "I would rather see a helper here, the same eight lines stand in mm/vmscan.c.\nIt could return the number of pages.",
           "The comment says pages while the code counts bytes."]
LEADS = ["Looks good to me, thanks.", "With that fixed, feel free to add:", "Thanks!", "", "For the series:", "LGTM."]
TAGS = ["Reviewed-by", "Acked-by", "Tested-by"]


def line(n, version=0):
    return "\tstate->value_%d = read_folio(folio, %d) + count[%d];\n" % (n, n * 7 + version, n % 16)


def name(k):
    return "mm/part%02d.c" % k


def diff(k, version):
    """Four changes to one file; the versions differ in their numbers."""
    old = [line(n) for n in range(LINES)]
    new = list(old)
    for at in range(500, 0, -140):
        new[at:at + 6] = ["\tif (folio_test_large(folio))\n"] + [line(n, version) for n in range(at + 1, at + 11)]
    d = list(difflib.unified_diff(old, new, "a/" + name(k), "b/" + name(k)))
    return ["diff --git a/%s b/%s\n" % (name(k), name(k))] + d


class Thread:
    def __init__(self, path):
        self.file, self.n = open(path, "wb"), 0

    def mail(self, sender, subject, up, refs, body, ident, encoding="8bit"):
        raw = body.encode()
        if encoding == "base64":
            raw = base64.encodebytes(raw)
        elif encoding == "quoted-printable":
            raw = quopri.encodestring(raw)
        who = sender[0] if sender[0].isascii() else "=?utf-8?q?%s?=" % "".join("=%02X" % c for c in sender[0].encode())
        t = self.n * 7 % 60, self.n % 60
        above = "In-Reply-To: <%s>\nReferences: %s\n" % (up, " ".join("<%s>" % i for i in refs + [up])) if up else ""
        head = ("From mboxrd@z Thu Jan  1 00:00:00 1970\nReceived: from mx.example.org (mx.example.org [192.0.2.1])\n"
                "\tby list.example.org (Postfix) with ESMTPS id %08X\n\tfor <list@example.org>; Mon, %d Nov 2026 09:%02d:%02d +0000\n"
                "From: %s <%s>\nTo: Wendy Writer <wendy@example.org>\nCc: list@example.org, Ada Able <ada@example.org>,\n"
                "\tCleo Clark <cleo@example.org>\nSubject: %s\nDate: Mon, %d Nov 2026 %02d:%02d:%02d +0000\nMessage-ID: <%s>\n%s"
                "List-Id: <list.example.org>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: %s\n\n"
                % (self.n, 2 + self.n // 60, *t, who, sender[1], subject, 2 + self.n // 60, 9 + self.n // 40, *t, ident, above, encoding))
        self.file.write(head.encode() + raw.replace(b"\nFrom ", b"\n>From ") + b"\n")
        self.n += 1


def post(t, version, last):
    """The cover and its patches: (subject, id, references, lines of the diff) of each."""
    mark = "PATCH v%d" % version if version > 1 else "PATCH"
    up = "20261101.%d-0@example.org" % (version - 1) if version > 1 else None
    cover = "20261101.%d-0@example.org" % version
    subject = "[%s 00/%d] mm: count what large folios cost" % (mark, PATCHES)
    text = "".join("It is about folios that are read and how they are counted, line %d.\n" % i for i in range(20))
    t.mail(AUTHOR, subject, up, [], text + "\nchange-id: 20261101-folio-cost-0123456789ab\n", cover)
    posted = [(subject, cover, [], text.splitlines(True))]
    for k in range(1, PATCHES + 1):
        subject = "[%s %02d/%d] mm: part %d: read large folios once" % (mark, k, PATCHES, k)
        ident, d = "20261101.%d-%d@example.org" % (version, k), diff(k, version)
        message = "Large folios are read for each page of them in part %d.\nOnce is enough.\n\nSigned-off-by: Wendy Writer <wendy@example.org>\n" % k
        body = message + "---\n %s | 44 +++++++++++++++++++-------\n 1 file changed\n\n%s-- \n2.39.5\n" % (name(k), "".join(d))
        t.mail(AUTHOR, subject, cover, [], body, ident)
        if last:
            last.mail(AUTHOR, subject, cover, [], body, ident)
        posted.append((subject, ident, [cover], message.splitlines(True) + d))
    return posted


def quote(lines, depth=1):
    return "".join("> " * depth + l for l in lines)


def review(patch, remarks, tag):
    """The text of a reply: pieces of the patch with remarks below them, and what leads to a tag and the tag."""
    lines, at, out = patch[3], 0, "On Mon, Nov 2, 2026 at 9:00 AM Wendy Writer wrote:\n"
    said = []
    for text in remarks:
        to = min(len(lines), at + r.randint(4, max(5, len(lines) // 2)))
        out += quote(lines[at:to] or lines[-1:]) + "\n" + text + "\n\n"
        said.append((lines[max(0, to - 3):to], text))
        at = to
    out += "" if remarks else quote(lines[:r.choice([8, 30, len(lines)])]) + "\n"
    return out + tag, said


def answer(said):
    out = "On Mon, Nov 2, 2026 at 10:00 AM a reviewer wrote:\n"
    for lines, text in said:
        out += quote(lines, 2) + ">\n" + quote((text + "\n").splitlines(True)) + "\nRight, it is another path that sleeps; I will do so in the next version.\n\n"
    return out


def main():
    n, folder = int(sys.argv[1]), sys.argv[2]
    t, last = Thread(folder + "/thread.mbox"), Thread(folder + "/last.mbox")
    os.makedirs(folder + "/files/mm", exist_ok=True)
    for k in range(1, PATCHES + 1):
        with open("%s/files/%s" % (folder, name(k)), "w") as f:
            f.writelines(line(i) for i in range(LINES))
    tags = remarks = answered = 0
    for version in range(1, VERSIONS + 1):
        posted, given, asked = post(t, version, last if version == VERSIONS else None), set(), []
        while t.n < (n * version // VERSIONS):
            encoding = r.choice(["8bit"] * 7 + ["quoted-printable"] * 2 + ["base64"])
            if len(asked) > 3 and r.random() < 0.25:
                patch, ident, said = asked.pop(r.randrange(len(asked)))
                t.mail(AUTHOR, "Re: " + patch[0], ident, patch[2] + [patch[1]], answer(said), "answer.%d@example.org" % t.n, encoding)
                answered += len(said)
                continue
            patch, who, tag, lead = r.choice(posted), r.choice(PEOPLE), r.choice(TAGS), r.choice(LEADS)
            # A person counts once.
            what = who, tag, version if "series" in lead or patch is posted[0] else patch[1]
            with_tag = r.random() < 0.55 and what not in given
            texts = r.sample(REMARKS, r.randint(0, 2) if with_tag else r.randint(1, 3))
            body, said = review(patch, texts, "%s\n\n%s: %s <%s>\n" % (lead, tag, *who) if with_tag else "")
            ident = "reply.%d@example.org" % t.n
            t.mail(who, "Re: " + patch[0], patch[1], patch[2], body, ident, encoding)
            if with_tag:
                given.add(what)
                tags += 1
            if said:
                asked.append((patch, ident, said))
            remarks += len(said)
    with open(folder + "/want", "w") as f:
        f.write("%d mails, %d versions, %d tags, %d remarks, %d answered\n" % (t.n, VERSIONS, tags, remarks, answered))


main()
