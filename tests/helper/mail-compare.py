#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mail-compare.py DUMP FILE...: read each mbox, gzipped mbox or mail with Python's email
package and with build/*/tests/mail-dump, and print where they differ.

Python is asked for: the number of mails (git mailsplit's, given --split), Subject, From,
Message-ID, In-Reply-To, References, and the text of each text part. Only white space at
folds and line ends is made the same first."""
import email, email.header, email.utils, gzip, hashlib, json, os, re, subprocess, sys, tempfile

def split(data):
    """git mailsplit's mails of an mbox; a single mail stays whole."""
    with tempfile.TemporaryDirectory() as d:
        box = os.path.join(d, "box")
        open(box, "wb").write(data)
        out = os.path.join(d, "out")
        os.mkdir(out)
        n = subprocess.run(["git", "mailsplit", "--keep-cr", "--mboxrd", "-b", "-o" + out, box],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if n.returncode:
            return None
        return [open(os.path.join(out, f), "rb").read() for f in sorted(os.listdir(out))]

def header(msg, name):
    value = msg.get(name)
    if value is None:
        return None
    value = str(value).encode("utf-8", "surrogateescape")
    try:
        value = value.decode("utf-8")
    except UnicodeDecodeError:
        value = value.decode("cp1252", "replace")
    value = re.sub(r"[ \t]*\r?\n[ \t]*", " ", value)
    out = ""
    try:
        for part, charset in email.header.decode_header(value):
            if isinstance(part, bytes):
                try:
                    part = part.decode(charset or "utf-8", "strict")
                except (LookupError, ValueError):
                    try:
                        part = part.decode("utf-8")
                    except UnicodeDecodeError:
                        part = part.decode("cp1252", "replace")
            out += part
    except Exception as e:
        return "python: " + str(e)
    return out

def squeeze(s):
    return None if s is None else re.sub(r"\s+", " ", s).strip()

def ids(s):
    return re.findall(r"<([^<>]+)>", s or "")

def texts(msg):
    for part in msg.walk():
        if part.is_multipart() or part.get_content_maintype() != "text":
            continue
        raw = part.get_payload(decode=True)
        if raw is None:
            continue
        charset = part.get_content_charset()
        yield part.get_content_type(), raw, charset

def text_of(raw, charset):
    for c in [charset, "utf-8", "cp1252"]:
        try:
            return raw.decode(c or "utf-8")
        except (LookupError, ValueError):
            pass
    return raw.decode("latin-1")

def lines(s):
    return s.replace("\r\n", "\n")

differ = 0
def say(path, n, what, ours, theirs):
    global differ
    differ += 1
    print("%s mail %d: %s\n  series %r\n  python %r" % (path, n, what, ours, theirs))

def unquote(raw):
    return re.sub(rb"(?m)^>(>*From )", rb"\1", raw)

def mailinfo(raw):
    """What git mailinfo says: name, email, subject, date, message, hash and size of the patch."""
    with tempfile.TemporaryDirectory() as d:
        p = subprocess.run(["git", "mailinfo", d + "/msg", d + "/patch"], input=raw,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if p.returncode:
            return {"error": p.stderr.decode("utf-8", "replace").strip()}
        out = dict(l.split(": ", 1) if ": " in l else (l.rstrip(":"), "")
                   for l in p.stdout.decode("utf-8", "replace").split("\n") if l)
        patch = open(d + "/patch", "rb").read()
        return {"name": out.get("Author", ""), "email": out.get("Email", ""),
                "subject": out.get("Subject", ""), "date": out.get("Date", ""),
                "message": open(d + "/msg", "rb").read().decode("utf-8", "replace"),
                "patch": hashlib.sha256(patch).hexdigest(), "patch_bytes": len(patch)}

mails = 0
for path in sys.argv[2:]:
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    mine = subprocess.run([sys.argv[1], path], stdout=subprocess.PIPE).stdout
    mine = [json.loads(l) for l in mine.decode().split("\n") if l.strip()]
    box = data.startswith(b"From ")
    theirs = split(data) if box else [data]
    if theirs is None or len(mine) != len(theirs):
        say(path, 0, "count", len(mine), None if theirs is None else len(theirs))
        continue
    for n, (m, raw) in enumerate(zip(mine, theirs)):
        mails += 1
        if box:
            raw = raw.split(b"\n", 1)[1] if raw.startswith(b"From ") else raw
            # The empty line before the next From_ line is the box's.
            if raw.endswith(b"\n\n"):
                raw = raw[:-1]
        msg = email.message_from_bytes(raw.lstrip())
        for key, name in (("subject", "Subject"), ("from", "From")):
            a, b = squeeze(m.get(key)), squeeze(header(msg, name))
            if a != b:
                say(path, n, key, a, b)
        for key, name in (("id", "Message-ID"), ("references", "References"), ("in_reply_to", "In-Reply-To")):
            a, b = m.get(key), ids(squeeze(str(msg.get(name) or "")))
            b = [re.sub(r"\s+", "", x) for x in b]
            if a != b:
                say(path, n, key, a, b)
        info = mailinfo(raw)
        if "error" in info:
            say(path, n, "git mailinfo", m["mailinfo"]["name"], info["error"])
        for key in info:
            if key != "error" and info[key] != m["mailinfo"][key]:
                say(path, n, "mailinfo " + key, m["mailinfo"][key], info[key])
        if "date" in m:
            t = email.utils.parsedate_tz(str(msg.get("Date")))
            try:
                t = email.utils.mktime_tz(t) if t else None
            except (OverflowError, ValueError):
                t = None
            if t != m["date"]:
                say(path, n, "date %s" % msg.get("Date"), m["date"], t)
        elif msg.get("Date"):
            say(path, n, "date", None, msg.get("Date"))
        a = [(p["type"], p["text"]) for p in m["parts"] if "text" in p and p["type"].startswith("text/") and not p["flowed"]]
        b = [(t, lines(text_of(r, c))) for t, r, c in texts(msg)]
        flowed = [p for p in m["parts"] if p["flowed"]]
        if flowed:
            continue
        if [t for t, _ in a] != [t for t, _ in b]:
            say(path, n, "parts", [t for t, _ in a], [t for t, _ in b])
            continue
        for (t, x), (_, y) in zip(a, b):
            if x != y:
                i = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
                say(path, n, "text of %s at %d of %d/%d" % (t, i, len(x), len(y)), x[max(0, i - 30):i + 40], y[max(0, i - 30):i + 40])
print("%d mails compared, %d differences" % (mails, differ))
sys.exit(differ > 0)
