# SPDX-License-Identifier: GPL-2.0-or-later
"""mailjudge.py - what Python's email package and git mailinfo say of a mail, and why that is
not what lib/mail says.

A difference is never waved through. Each kind that is known takes its cause out of the mail
(fix_NAME: the text/html part goes, base64 is wrapped anew, a label says what the bytes are)
and the other program is asked again: when it now says what lib/mail said of the mail as it
came, that was the cause. The fewest fixes that do are the explanation."""
import base64, codecs, email, email.errors, email.header, email.utils, hashlib, os, quopri, re, subprocess, tempfile
from itertools import combinations

LARGER = {"iso-8859-1": "cp1252", "iso8859-1": "cp1252", "latin1": "cp1252", "windows-1252": "cp1252", "gb2312": "gb18030",
          "gbk": "gb18030", "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "shift_jis": "cp932", "big5": "cp950",
          "tis-620": "cp874", "windows-874": "cp874", "iso-8859-9": "cp1254"}
ASCII = ("us-ascii", "ascii", "ansi_x3.4-1968")


# ---- bytes to text, by the rules that include/series/mail.h states ----
def as_utf8(raw):
    """UTF-8; single bytes that are none are Windows-1252, or Latin-1 where that has none."""
    out = ""
    while raw:
        try:
            return out + raw.decode("utf-8")
        except UnicodeDecodeError as e:
            out += raw[:e.start].decode("utf-8")
            for b in raw[e.start:e.end]:
                one = bytes([b])
                try:
                    out += one.decode("cp1252")
                except UnicodeDecodeError:
                    out += one.decode("latin-1")
            raw = raw[e.end:]
    return out


def one_by_one(e):
    """For what a codec does not take: one byte as Windows-1252."""
    return as_utf8(e.object[e.start:e.start + 1]), e.start + 1


codecs.register_error("one_by_one", one_by_one)


def fits(raw, codec):
    try:
        return raw.decode(codec)
    except (LookupError, ValueError):
        return None


def known(charset):
    """Python's codec for a declared charset; None: nothing is declared or nobody knows it."""
    name = LARGER.get((charset or "").lower(), charset or "")
    try:
        return codecs.lookup(name).name if "/" not in name and codecs.lookup(name)._is_text_encoding else None
    except (LookupError, ValueError):
        return None


def text_of(raw, charset):
    codec = known(charset)
    if not codec or codec in ("utf-8", "ascii"):
        return as_utf8(raw)
    if codec == "cp1252":
        if any(b > 127 for b in raw) and fits(raw, "utf-8") is not None:
            return raw.decode("utf-8")
        return "".join(fits(bytes([b]), "cp1252") or chr(b) for b in raw)
    text = fits(raw, codec)
    if text is None and any(b > 127 for b in raw):
        text = fits(raw, "utf-8")
    return text if text is not None else raw.decode(codec, "one_by_one")


def unbase64(text):
    """Garbage is passed over; but what is no base64 behind the padding is text again."""
    plain = re.search(rb"=[A-Za-z0-9+/=\s]*?(?=[^A-Za-z0-9+/=\s])", text)
    tail = text[plain.end():] if plain else b""
    out = b""
    for run in (text[:plain.end()] if plain else text).split(b"="):
        run = re.sub(rb"[^A-Za-z0-9+/]", b"", run)
        run = run[:-1] if len(run) % 4 == 1 else run
        out += base64.b64decode(run + b"=" * (-len(run) % 4))
    return out + tail


# ---- a mail as a tree whose pieces, put together, are the mail again ----
FIELD_LINE = re.compile(rb"[^:\s\x00-\x20\x7f-\xff]*:|[ \t]|>?From ")


class Node:
    def __init__(self, raw, kind="text/plain"):
        at, lines = 0, raw.splitlines(keepends=True) if b"\r" not in raw else re.findall(rb"[^\n]*\n|[^\n]+", raw)
        for i, line in enumerate(lines):
            if not FIELD_LINE.match(line) or (not i and line[:1] in b" \t"):
                break
            at += len(line)
        self.head = raw[:at]
        blank = re.match(rb"\r?\n", raw[at:])
        self.blank = blank.group() if blank else b""
        self.body = raw[at + len(self.blank):]
        self.kids, self.tail = [], b""
        self.fields = email.message_from_bytes(self.head)
        self.fields.set_default_type(kind)
        boundary = self.fields.get_boundary() if self.multipart() else None
        if boundary:
            self.split(boundary.encode("utf-8", "surrogateescape"))

    def multipart(self):
        return self.fields.get_content_maintype() == "multipart"

    def split(self, boundary):
        inside = "message/rfc822" if self.fields.get_content_subtype() == "digest" else "text/plain"
        marks = list(re.finditer(rb"(?m)(?:\A|(?<=\n))--%s(--)?[ \t]*\r?(?:\n|\Z)" % re.escape(boundary), self.body))
        for i, m in enumerate(marks):
            if m.group(1):
                marks = marks[:i + 1]
                break
        if not marks or marks[0].group(1):
            return
        body, self.boundary = self.body, boundary
        self.body = body[:marks[0].start()]
        for m, after in zip(marks, marks[1:] + [None]):
            if m.group(1):
                self.tail = self.tail + body[m.start():]
                break
            inner = body[m.end():after.start() if after else len(body)]
            end = re.search(rb"\r?\n\Z", inner) if after else None
            self.kids.append([m.group(), Node(inner[:end.start()] if end else inner, inside), end.group() if end else b""])

    def raw(self):
        return self.head + self.blank + self.body + b"".join(m + k.raw() + e for m, k, e in self.kids) + self.tail

    def set(self, name, value):
        """Another field, or none, in the place of all of that name."""
        pattern = rb"(?mi)^%s:(?:[^\n]*\n[ \t])*[^\n]*\n?" % name.encode()
        self.head = re.sub(pattern, b"", self.head)
        if value is not None:
            if self.head and not self.head.endswith(b"\n"):
                self.head += b"\n"
            nl = b"\r\n" if self.head.endswith(b"\r\n") else b"\n"
            self.head += name.encode() + b": " + value + nl
            self.blank = self.blank or nl
        self.fields = email.message_from_bytes(self.head)

    def leaves(self):
        if not self.kids:
            yield self
        for _, k, _ in self.kids:
            yield from k.leaves()

    def all(self):
        yield self
        for _, k, _ in self.kids:
            yield from k.all()

    def encoding(self):
        cte = str(self.fields.get("Content-Transfer-Encoding", "")).lower()
        return "base64" if "base64" in cte else "qp" if "quoted-printable" in cte else ""

    def bytes(self):
        if self.encoding() == "base64":
            return unbase64(self.body)
        return quopri.decodestring(self.body) if self.encoding() == "qp" else self.body

    def put(self, raw):
        """Other bytes, in the encoding that it has."""
        if self.encoding() == "base64":
            self.body = base64.encodebytes(raw)
        elif self.encoding() == "qp":
            plain = rb"[^!-<>-~ \t\r\n]" if b"\r\n" in self.body else rb"[^!-<>-~ \t\n]"
            self.body = re.sub(plain, lambda m: b"=%02X" % m.group()[0], raw)
        else:
            self.body = raw

    def is_text(self):
        kind = self.fields.get_content_type()
        name = WORDS.sub(lambda m: decoded(m.group()).encode(), (self.fields.get_filename() or "").encode("utf-8", "replace"))
        name = name.decode("utf-8", "replace")
        if kind.startswith("text/"):
            return kind != "text/html"
        return kind.startswith("application/") and (re.search("(patch|diff)$", kind) or re.search(r"\.(patch|diff)$", name))


# ---- what the others say ----
def header(value):
    if value is None:
        return None
    value = str(value).encode("utf-8", "surrogateescape")
    value = re.sub(r"[ \t]*\r?\n[ \t]*", " ", as_utf8(value))
    out = ""
    try:
        parts = email.header.decode_header(value)
    except email.errors.HeaderParseError as e:
        return "%s: %s" % (e, value)
    for part, charset in parts:
        out += text_of(part, charset) if isinstance(part, bytes) else part
    return out


def squeeze(s):
    return None if s is None else re.sub(r"\s+", " ", s).strip()


def ids(value):
    value = squeeze(str(value or "")).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [re.sub(r"\s+", "", x) for x in re.findall(r"<([^<>]+)>", value)]


def unflow(text, delsp):
    """RFC 3676 section 4.2 to 4.4."""
    out, soft, was = [], False, 0
    lines = text.split("\n")
    last = lines.pop()
    for line in lines + ([last] if last else []):
        body = line.lstrip(">")
        depth = len(line) - len(body)
        if body.startswith(" "):
            body = body[1:]
        signature = body == "-- "
        if soft and depth == was and not signature:
            out[-1] += body
        else:
            out.append(">" * depth + (" " if depth and body else "") + body)
        soft, was = body.endswith(" ") and not signature, depth
        if soft and delsp:
            out[-1] = out[-1][:-1]
    return "\n".join(out) + ("" if out and last else "\n" if out else "")


def leaves(msg):
    """Those of a Python message; mails in it stay closed."""
    if msg.get_content_maintype() != "multipart":
        yield msg
    elif msg.is_multipart():
        for part in msg.get_payload():
            yield from leaves(part)


def leaf_of(part):
    """Type, file name and bytes, whatever it is; of a mail in a mail Python keeps no bytes."""
    kind, raw = part.get_content_type(), part.get_payload(decode=True)
    return [kind, header(part.get_filename()), kind.startswith("message/") or hashlib.sha256(raw).hexdigest()]


def python_says(raw):
    msg = email.message_from_bytes(raw.lstrip())

    def get(name):
        return next((v for k, v in msg.raw_items() if k.lower() == name), None)
    said = {"subject": squeeze(header(get("subject"))), "from": squeeze(header(get("from"))),
            "id": ids(get("message-id")), "references": ids(get("references")), "in_reply_to": ids(get("in-reply-to"))}
    when = email.utils.parsedate_tz(str(get("date")))
    try:
        said["date"] = email.utils.mktime_tz(when) if when else None
    except (OverflowError, ValueError):
        said["date"] = None
    said["text"] = []
    said["leaves"] = [leaf_of(part) for part in leaves(msg)]
    for part in leaves(msg):
        if part.get_content_maintype() != "text":
            continue
        text = text_of(part.get_payload(decode=True), part.get_content_charset()).replace("\r\n", "\n")
        flowed = part.get_content_type() == "text/plain" and str(part.get_param("format")).lower() == "flowed"
        if flowed:
            text = unflow(text, str(part.get_param("delsp")).lower() == "yes")
        said["text"].append((part.get_content_type(), text))
    return said


def git_says(raw):
    """What git am would take: name, email, subject, date, message, hash and size of the patch."""
    if raw.split(b"\n", 1)[0].endswith(b"\r"):
        # The CRs of the wire, which git mailsplit takes away unless it is told --keep-cr.
        raw = raw.replace(b"\r\n", b"\n")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as d:
        p = subprocess.run(["git", "mailinfo", d + "/msg", d + "/patch"], input=raw, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, close_fds=False)
        if p.returncode:
            return {"error": p.stderr.decode("utf-8", "replace").strip() or "status %d" % p.returncode}
        out = dict(l.split(": ", 1) if ": " in l else (l.rstrip(":"), "")
                   for l in p.stdout.decode("utf-8", "replace").split("\n") if l)
        # The line end of a Date in the text is a blank to git.
        patch = open(d + "/patch", "rb").read()
        return {"name": out.get("Author", ""), "email": out.get("Email", ""), "subject": out.get("Subject", ""),
                "date": out.get("Date", "").rstrip(), "message": open(d + "/msg", "rb").read().decode("utf-8", "replace"),
                "patch": hashlib.sha256(patch).hexdigest(), "patch_bytes": len(patch)}


def series_says(ours):
    """The same as python_says(), of what mail-dump printed."""
    said = {k: ours.get(k) for k in ("id", "references", "in_reply_to", "date")}
    said["subject"], said["from"] = squeeze(ours.get("subject")), squeeze(ours.get("from"))
    said["text"] = [(p["type"], p["text"]) for p in ours["parts"] if "text" in p and p["type"].startswith("text/")]
    said["leaves"] = [[p["type"], p["filename"], p["type"].startswith("message/") or p["sha256"]] for p in ours["parts"] if "sha256" in p]
    return said


def field(ours, key):
    """One thing that lib/mail says, as python_says() and git_says() name it."""
    said = {**ours["mailinfo"], **series_says(ours)}
    if key == "text":
        return [list(t) for t in said[key]]
    return said.get(key)


def differ(a, b):
    return [k for k in b if a.get(k) != b[k]]


# ---- causes ----
PATCH_BEGINS = re.compile(rb"diff -|Index: |---[ \t\r]*\n?\Z|--- [^ \t\r\n]")


def fix_flowed_encoded(top):
    """Git takes a soft line that came encoded twice through its rules, unless all came on one."""
    done = False
    for leaf in top.leaves():
        if leaf.encoding() and str(leaf.fields.get_param("format")).lower() == "flowed":
            raw = leaf.bytes()
            if leaf.encoding() == "base64":
                leaf.body = base64.b64encode(raw) + b"\n"
                done = done or bool(raw)
                continue
            leaf.body = raw
            leaf.set("Content-Transfer-Encoding", b"8bit")
            done = True
    return done


def fix_other_parts(top):
    """Git takes every part as text: text/html, signatures, pictures, mails."""
    done = False
    if not top.kids and not top.is_text():
        done, top.body = bool(top.body), b""
    for node in top.all():
        keep = []
        for kid in node.kids:
            if kid[1].kids or kid[1].is_text():
                keep.append(kid)
            elif kid[1].body or kid[1].head:
                # Its place stays, for each part puts a line end of its own.
                done = True
        node.kids = keep
    return done


def fix_in_body_charset(top):
    """Git does not convert the fields in the text: all above the patch becomes UTF-8."""
    fields = rb"(?mi)^(From|Subject|Date):|^\[PATCH\]"
    return any(re.search(fields, leaf.bytes()) for leaf in top.leaves() if leaf.is_text()) and fix_charset(top, True)


def fix_charset(top, in_body=False):
    """A label that nobody knows or that lies: the text above the patch becomes UTF-8."""
    done, in_patch = False, False
    for leaf in top.leaves():
        if in_patch or not leaf.is_text():
            continue
        charset, raw = leaf.fields.get_content_charset(), leaf.bytes()
        codec = known(charset)
        lines, at = re.findall(rb"[^\n]*\n|[^\n]+", raw), 0
        while at < len(lines) and not in_patch:
            in_patch = bool(PATCH_BEGINS.match(lines[at]))
            at += not in_patch
        above = b"".join(lines[:at])
        # The whole part decides whether it is UTF-8 under a wrong name.
        wrong = codec == "cp1252" or (codec and fits(raw, codec) is None)
        if wrong and any(b > 127 for b in raw) and fits(raw, "utf-8") is not None:
            above_text = above.decode("utf-8")
        else:
            above_text = text_of(above, charset)
        utf8 = above_text.encode() + b"".join(lines[at:])
        believed = charset and codec and charset not in LARGER and fits(above, charset) == above_text and fits(raw, codec) is not None
        if (believed or (not charset and fits(above, "utf-8") is not None)) != in_body:
            continue
        done = True
        leaf.put(utf8)
        leaf.set("Content-Type", b"%s; charset=utf-8%s" % (leaf.fields.get_content_type().encode(),
                 b"; format=flowed" + (b"; delsp=yes" if leaf.fields.get_param("delsp") else b"")
                 if str(leaf.fields.get_param("format")).lower() == "flowed" else b""))
    return done


def fix_base64_lines(top):
    """Git and base64 whose lines are no multiple of four digits; both and garbage in it."""
    done = False
    for leaf in top.leaves():
        if leaf.encoding() == "base64" and (any(len(l.strip()) % 4 for l in leaf.body.split(b"\n")) or
                                            re.search(rb"[^A-Za-z0-9+/=\s]", leaf.body)):
            leaf.put(leaf.bytes())
            done = True
    return done


def fix_boundary_prefix(top):
    """Git takes a line that only begins with a boundary for one."""
    raw, done = top.raw(), False
    for i, node in enumerate(n for n in top.all() if n.kids):
        line = re.escape(b"--" + node.boundary)
        if not re.search(rb"(?m)^%s(?!(--)?[ \t\r]*$)" % line, raw):
            continue
        done = True
        rename(node, b"boundary-of-its-own-%d" % i)
    return done


WORD = rb"=\?([^?\s]+)\?([bBqQ])\?(.*?)\?="
WORDS = re.compile(WORD + rb"(?:\s+" + WORD + rb")*")


def utf8_word(text):
    return b"=?utf-8?b?" + base64.b64encode(text.encode()) + b"?="


def decoded(words):
    """Text of encoded words side by side; those in one charset are joined first."""
    out, was, raw = "", None, b""
    for charset, kind, text in re.findall(WORD, words):
        charset = charset.split(b"*")[0].decode("latin-1").lower()
        if charset != was:
            out, raw = out + text_of(raw, was), b""
        was = charset
        raw += quopri.decodestring(text, header=True) if kind in b"qQ" else \
            unbase64(text)
    return out + text_of(raw, was)


def each_field(node, names, change):
    """change() the value of fields; True when one was another then."""
    def one(m):
        return m.group(1) + change(m.group(2)) + m.group(3)
    pattern = rb"(?mi)^((?:%s):)((?:[^\n]*\n[ \t])*[^\r\n]*)(\r?\n?)" % b"|".join(names)
    head = re.sub(pattern, one, node.head)
    done, node.head = head != node.head, head
    return done


def fix_words(top):
    """Encoded words in an unknown charset, that lie, that cut a character in two, or base64 with a digit too many."""
    def change(value):
        def one(m):
            for charset, kind, text in re.findall(WORD, m.group()):
                alone = decoded(b"=?%s?%s?%s?=" % (charset, kind, text))
                codec = known(charset.decode("latin-1"))
                raw = quopri.decodestring(text, header=True) if kind in b"qQ" else unbase64(text)
                digits = len(re.sub(rb"[^A-Za-z0-9+/]", b"", text)) if kind in b"bB" else 0
                if not codec or fits(raw, charset.decode("latin-1")) != alone or codec == "cp1252" or digits % 4 == 1:
                    return utf8_word(decoded(m.group()))
            return m.group()
        return WORDS.sub(one, value)
    return each_field(top, [b"From", b"Subject"], change)


def fix_raw_letters(top):
    """Letters in fields that are neither encoded nor UTF-8."""
    def change(value):
        return value if fits(value, "utf-8") is not None else as_utf8(value).encode()
    return each_field(top, [b"From", b"Subject", b"Date"], change)


def fix_no_word(top):
    """Git fails on "=?" that begins no encoded word."""
    def change(value):
        if b"=?" not in WORDS.sub(b"", value):
            return value
        text, at = "", 0
        for m in WORDS.finditer(value):
            text += as_utf8(value[at:m.start()]) + decoded(m.group())
            at = m.end()
        return b" " + utf8_word(re.sub(r"\s*\n\s*", " ", text + as_utf8(value[at:])).strip())

    def mark(value):
        """Of an address only the "=?"."""
        at, out = 0, b""
        for m in list(WORDS.finditer(value)) + [None]:
            out += value[at:m.start() if m else None].replace(b"=?", b"=?utf-8?q?=3D=3F?=") + (m.group() if m else b"")
            at = m.end() if m else 0
        return out
    done = each_field(top, [b"Subject"], change) | each_field(top, [b"From"], mark)
    for i, node in enumerate(n for n in top.all() if n.kids and b"=?" in n.boundary):
        rename(node, b"no-word-%d" % i)
        done = True
    return done


def rename(node, other):
    """Another boundary."""
    node.set("Content-Type", b"%s; boundary=%s" % (node.fields.get_content_type().encode(), other))
    node.kids = [[b"--%s\n" % other, k, e] for _, k, e in node.kids]
    node.tail = re.sub(rb"\A--" + re.escape(node.boundary), b"--" + other, node.tail)


def fix_encoding_name(top):
    """Python and blanks behind the name of an encoding."""
    values = [(leaf, str(leaf.fields.get("Content-Transfer-Encoding", ""))) for leaf in top.leaves()]
    odd = [(leaf, value) for leaf, value in values if value != value.strip()]
    for leaf, value in odd:
        leaf.set("Content-Transfer-Encoding", value.strip().encode())
    return bool(odd)


def fix_qp_twice(top):
    """Python takes "==" for one "=" that is encoded, even when the second one ends the line."""
    odd = [leaf for leaf in top.leaves() if leaf.encoding() == "qp" and b"==" in leaf.body]
    for leaf in odd:
        leaf.body = re.sub(rb"=(?==)", b"=3D", leaf.body)
    return bool(odd)


def fix_nested(top):
    """
    In a multipart within another git takes what stands above its first boundary for text, and
    that boundary too when it is the first line. Its parts become the outer one's.
    """
    done = False
    for node in top.all():
        kids = []
        for mark, kid, end in node.kids:
            if not kid.kids:
                kids.append([mark, kid, end])
                continue
            fix_nested(kid)
            done = True
            kids += [[mark, k, end or b"\n"] for _, k, _ in kid.kids]
            # The empty line that git has for the end of a multipart.
            last = [k for _, k, _ in kids if k.is_text()][-1:]
            if kid.tail and last:
                last[0].put(last[0].bytes() + b"\n")
        node.kids = kids
    return done


def fix_empty_part(top):
    """Git takes a boundary for text where it stands for the empty line below a part's fields."""
    bare = [kid for node in top.all() for _, kid, end in node.kids if end and not kid.blank and not kid.body]
    for kid in bare:
        kid.blank = b"\n\n" if kid.head and not kid.head.endswith(b"\n") else b"\n"
    return bool(bare)


def fix_no_parts(top):
    """A multipart in which nothing begins: git and Python find no text, and there is some."""
    bare = [node for node in top.all() if node.multipart() and not node.kids]
    for node in bare:
        node.set("Content-Type", b"text/plain")
    return bool(bare)


def fix_unfinished(top):
    """Of a multipart without its end Python takes the last line end for that of a boundary."""
    open_ones = [node for node in top.all() if node.kids and not node.tail and not node.kids[-1][1].kids]
    for node in open_ones:
        node.kids[-1][2], node.tail = b"\n", b"--" + node.boundary + b"--\n"
    return bool(open_ones)


def fix_type_end(top):
    """A NUL ends a type; to Python it is a letter."""
    return any([each_field(node, [b"Content-Type"], lambda value: value.split(b"\0")[0]) for node in top.all()])


def fix_time(top):
    """In a Date whose time is none Python finds no day, or takes 904070804030804 for seconds."""
    def change(value):
        words = value.split()
        bad = [i for i, w in enumerate(words) if b":" in w and not re.fullmatch(rb"\d\d?:\d\d?(:\d\d?)?", w)]
        return b" " + b" ".join(words[:bad[0]]) + b" 00:00:00 +0000" if bad else value
    return each_field(top, [b"Date"], change)


GIT_FIXES = [fix_no_parts, fix_empty_part, fix_base64_lines, fix_boundary_prefix, fix_nested, fix_flowed_encoded, fix_words,
             fix_raw_letters, fix_no_word, fix_other_parts, fix_charset, fix_in_body_charset]
PYTHON_FIXES = [fix_base64_lines, fix_words, fix_encoding_name, fix_qp_twice, fix_no_parts, fix_unfinished, fix_type_end, fix_time]


def explain(raw, ours, says, fixes):
    """Names of fixes with which the other program says what ours does, none of them idle; None."""
    def mend(some):
        """The mail after some fixes, and those that did something, some only behind others."""
        top, did = Node(raw), []
        for fix in some:
            if fix(top):
                top = Node(top.raw())
                did.append(fix)
        return top.raw(), did

    def helps(some):
        return not differ(ours, says(mend(some)[0]))
    useful = mend(fixes)[1]
    if Node(raw).raw() != raw or not useful or not helps(useful):
        return None
    for fix in list(useful) if len(useful) > 1 else []:
        fewer = [f for f in useful if f != fix]
        if fewer and helps(fewer):
            useful = fewer
    return [fix.__name__[4:] for fix in useful]
