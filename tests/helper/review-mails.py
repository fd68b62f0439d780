#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""review-mails.py ROOT VERSION REPLIES DATE OUT: the replies of a file as mails.

REPLIES has each as a line "#ID NAME <ADDRESS> TARGET [HOW]" and its text. TARGET is
"cover", "pK", the same of an older version ("v1-p2") or the ID of another reply; the mails
that it names are ROOT/VERSION/0001.eml (the cover), 0002.eml ... The first is written at
DATE (seconds), each further one a minute later. HOW: html, base64, latin1. OUT gets one
file for each, ID.eml."""
import base64, email.header, email.utils, os, re, sys

root, version, replies, date, out = sys.argv[1:]


def posted(target):
    m = re.fullmatch(r"(?:(v\d+)-)?(?:(cover)|p(\d+))", target)
    path = "%s/%s/%04d.eml" % (root, m.group(1) or version, 1 if m.group(2) else 1 + int(m.group(3)))
    head = re.sub(r"\n[ \t]+", " ", open(path, encoding="utf-8").read().split("\n\n")[0])
    get = dict((k.lower(), v.strip()) for k, v in (l.split(":", 1) for l in head.split("\n")))
    return get["message-id"], get["subject"], get.get("references", "").split()


known = {}
for n, text in enumerate(re.split(r"^#(?=r)", open(replies, encoding="utf-8").read(), flags=re.M)[1:]):
    head, body = text.split("\n", 1)
    rid, name, address, target, how = re.fullmatch(r"(r\d+) (.*) <(.*)> (\S+) ?(\w*)", head).groups()
    parent, subject, refs = known[target] if target in known else posted(target)
    if not subject.startswith("Re: "):
        subject = "Re: " + subject
    mid = "<%s@example.org>" % rid
    known[rid] = mid, subject, refs + [parent]
    kind, charset, encoding, data = "text/plain", "utf-8", "8bit", body.encode()
    if how == "html":
        kind = "text/html"
    elif how == "base64":
        encoding, data = "base64", base64.encodebytes(body.replace("\n", "\r\n").encode())
    elif how == "latin1":
        charset, data = "iso-8859-1", body.encode("iso-8859-1")
    fields = [("From", email.utils.formataddr((str(email.header.Header(name)) if not name.isascii() else name, address))),
              ("To", "Paul Author <paul@example.org>"), ("Cc", "list@example.org"), ("Subject", subject),
              ("Date", email.utils.formatdate(int(date) + 60 * n)), ("Message-ID", mid), ("In-Reply-To", parent),
              ("References", " ".join(refs + [parent])), ("MIME-Version", "1.0"),
              ("Content-Type", "%s; charset=%s" % (kind, charset)), ("Content-Transfer-Encoding", encoding)]
    with open(os.path.join(out, rid + ".eml"), "wb") as f:
        f.write("".join("%s: %s\n" % p for p in fields).encode() + b"\n" + data)
