#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write epochs of a public-inbox mirror (version 2) by git fast-import, for tests.

	mirror-make.py EPOCH.git [--anew] [m:FILE|d:FILE|x]...

Each argument is a commit on top of what is there (--anew: of nothing, as a list does that
takes a mail out for good): a mail that comes, one that goes, or a commit without any. Its
time is the mail's Date."""
import email.utils, os, re, subprocess, sys

path, args = sys.argv[1], sys.argv[2:]
anew = "--anew" in args
if not os.path.isdir(path):
    subprocess.run(["git", "init", "-q", "--bare", path], check=True)
head = subprocess.run(["git", "-C", path, "symbolic-ref", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
old = subprocess.run(["git", "-C", path, "rev-parse", "-q", "--verify", "HEAD"], capture_output=True, text=True).stdout.strip()
out = []
for i, arg in enumerate(a for a in args if a != "--anew"):
    kind, _, name = arg.partition(":")
    raw = open(name, "rb").read() if name else b""
    m = re.search(rb"(?m)^Date: (.*)$", raw)
    when = int(email.utils.parsedate_to_datetime(m.group(1).decode()).timestamp()) if m else 0
    out.append(b"commit %s\ncommitter L <l@example.org> %d +0000\ndata 1\nx\n" % (head.encode(), when))
    if i == 0 and old and not anew:
        out.append(b"from %s\n" % old.encode())
    out.append(b"deleteall\n")
    if name:
        out.append(b"M 100644 inline %s\ndata %d\n" % (kind.encode(), len(raw)) + raw + b"\n")
if anew:
    subprocess.run(["git", "-C", path, "update-ref", "-d", head], check=True)
subprocess.run(["git", "-C", path, "fast-import", "--quiet", "--force"], input=b"".join(out), check=True)
