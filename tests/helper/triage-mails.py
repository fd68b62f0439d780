#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""triage-mails.py [N]: an mbox of series on an invented list, for the tests of triage; with N
that many plain series of one patch instead. Now is 2027-01-10 00:00 UTC; the days below are
days before it."""
import sys
from email.header import Header
from email.utils import formatdate

NOW = 1799539200
ADA, BEA = "Ada Author <ada@example.org>", "Bea Reader <bea@example.org>"
CY, EVE = "Cy Coder <cy@example.org>", "Eve Editor <eve@example.org>"
WENDY = "Wendy Writer <wendy@example.org>"
out = sys.stdout.buffer
tick = 0


def mail(mid, parent, day, sender, subject, text, to="list@example.org"):
    global tick
    tick += 1
    name, addr = sender.rsplit(" <", 1)
    plain = name.isascii() and "\033" not in name
    head = [b"From mboxrd@z Thu Jan  1 00:00:00 1970",
            b"From: " + (name if plain else Header(name, "utf-8", 400).encode()).encode() + b" <" + addr.encode(),
            b"To: " + to.encode(),
            b"Message-ID: <" + mid.encode() + b"@example.org>",
            b"Date: " + formatdate(NOW - int(day * 86400) - 3600 + tick).encode()]
    if parent:
        head.append(b"In-Reply-To: <" + parent.encode() + b"@example.org>")
    if subject.isascii() and "\033" not in subject and len(subject) < 900:
        head.append(b"Subject: " + subject.encode())
    else:
        bracket, title = subject.split("] ", 1)
        head.append(b"Subject: " + bracket.encode() + b"] " +
                    Header(title, "utf-8", 400).encode(linesep="\n").encode())
    head += [b"Content-Type: text/plain; charset=utf-8", b"Content-Transfer-Encoding: 8bit", b""]
    out.write(b"\n".join(head) + b"\n" + text.replace("\nFrom ", "\n>From ").encode() + b"\n\n")


def patch(mid, parent, day, sender, subject, file="mm/rmap.c", func="unmap", line="n = 1;", more=""):
    mail(mid, parent, day, sender, subject, f"""Because of {mid}.

Signed-off-by: {sender}
---
 {file} | 1 +

diff --git a/{file} b/{file}
index 1111111..2222222 100644
--- a/{file}
+++ b/{file}
@@ -10,3 +10,4 @@ static int {func}(int n)
 {{
 \tn++;
+\t{line}{more}
 }}
-- 
2.39
""")


def many(n):
    for i in range(n):
        who = f"Person {i % 97} <p{i % 97}@example.org>"
        patch(f"m{i}", None, 1 + i % 60, who, f"[PATCH] mm/part{i % 500}: change number {i}",
              f"mm/part{i % 500}.c", f"fun{i % 7}", f"n = {i};")


def fixed():
    # Ready: two versions, both patches reviewed in a reply to the cover.
    mail("a1-0", None, 9, ADA, "[PATCH 0/2] mm: count pages", "Counted.\n")
    patch("a1-1", "a1-0", 9, ADA, "[PATCH 1/2] mm: count one", line="n = 1;")
    patch("a1-2", "a1-0", 9, ADA, "[PATCH 2/2] mm: count two", "mm/two.c", "two")
    mail("a1-r", "a1-1", 8, BEA, "Re: [PATCH 1/2] mm: count one",
         "> +\tn = 1;\n\nWhy not two?\n\n-- \nBea\n")
    mail("a2-0", None, 5, ADA, "[PATCH v2 0/2] mm: count pages",
         "Counted.\n\nChanges in v2:\n- two, as Bea asked\n\nv1: https://lore.kernel.org/r/a1-0@example.org/\n")
    patch("a2-1", "a2-0", 5, ADA, "[PATCH v2 1/2] mm: count one", line="n = 2;")
    patch("a2-2", "a2-0", 5, ADA, "[PATCH v2 2/2] mm: count two", "mm/two.c", "two")
    quoted = "".join(f"> line {i} of what was said\n" for i in range(1, 13))
    mail("a2-r", "a2-0", 3, BEA, "Re: [PATCH v2 0/2] mm: count pages",
         quoted + "\nThanks!\n\nReviewed-by: " + BEA + "\n")
    # Needs review; the function that the first one touches.
    patch("b1", None, 2, CY, "[PATCH] mm: walk tables", line="n = 3;")
    # Waits for the author: one of two is missing.
    patch("c2", None, 4, "Dan Drifter <dan@example.org>", "[PATCH 2/2] fs: cache more", "fs/c.c", "cache")
    # Waits for me: I asked, the author answered.
    patch("d1", None, 6, EVE, "[PATCH] net: loop less", "net/l.c", "loop")
    mail("d1-r", "d1", 5.5, WENDY, "Re: [PATCH] net: loop less", "> +\tn = 1;\n\nIs one enough?\n")
    mail("d1-a", "d1-r", 5, EVE, "Re: [PATCH] net: loop less", "> Is one enough?\n\nYes.\n")
    # Hostile: a title with escapes, a bidi override and 10,000 letters.
    evil = "\033]0;owned\007\033[2J\033[31mevil\u202e" + "long" * 2500
    mail("e1", None, 1, "Mal\033[5mlory <mal@example.org>", "[PATCH] " + evil,
         "\033[2J\033]52;c;ZXZpbA==\007 hostile text\n---\n x | 1 +\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n"
         "@@ -1 +1,2 @@ \033[7mfun\n a\n+b \033[31m\u202eb\n-- \n2\n")
    # Wide and combining characters.
    patch("f1", None, 7, "\u5c71\u7530 \u592a\u90ce <yamada@example.org>",
          "[PATCH] docs: \u65e5\u672c\u8a9e\u306e\u6587\u66f8\u3092\u66f4\u65b0\u3059\u308b cafe\u0301 \u30c6\u30b9\u30c8\u30c6\u30b9\u30c8\u30c6\u30b9\u30c8",
          "docs/j.c", "j")
    # A NAK, and a robot that found something.
    patch("g1", None, 20, CY, "[RFC PATCH] x86: be faster", "x86/f.c", "fast")
    mail("g1-r", "g1", 19, BEA, "Re: [RFC PATCH] x86: be faster", "Nacked-by: " + BEA + "\n")
    patch("h1", None, 12, EVE, "[PATCH] arm: build", "arm/b.c", "build")
    mail("h1-r", "h1", 11, "kernel test robot <lkp@intel.com>", "Re: [PATCH] arm: build",
         "Hi Eve,\n\nkernel test robot noticed the following build errors:\n\nAll errors (new ones prefixed by >>):\n\n"
         ">> arm/b.c:12:2: error: use of undeclared identifier 'n'\n")
    # Nobody spoke of it for long.
    patch("i1", None, 200, CY, "[PATCH] old: forgotten", "old/o.c", "old")


if len(sys.argv) > 1:
    many(int(sys.argv[1]))
else:
    fixed()
