#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mail-make.py SEED N DIR: N hostile but valid mails, the same for the same seed, as mboxrd
files (the last one gzipped) in DIR.

What can go wrong with a mail is drawn one by one: charset and its label, transfer encoding,
shape of the parts, line ends, folding, encoded words, forms of addresses, what the text is.
Patches are git format-patch's, of a repository that is made in DIR."""
import base64, gzip, os, quopri, random, re, subprocess, sys
from email.header import Header
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

# label, what the bytes are in, letters that it has
CHARSETS = [
    ("us-ascii", "ascii", "abc"), (None, "ascii", "xyz"), (None, "utf-8", "äß€"),
    ("utf-8", "utf-8", "äöü€…“”—日本🐧"), ("UTF8", "utf-8", "ñçé"), ("UTF-8", "utf-8", "Øæå"),
    ("iso-8859-1", "latin-1", "äöüßéñ"), ("ISO-8859-15", "iso8859-15", "äöü€"),
    ("windows-1252", "cp1252", "äö€“”–"), ("iso-8859-1", "cp1252", "“”…€"),
    ("iso-8859-2", "iso8859-2", "łśźčř"), ("windows-1250", "cp1250", "łśźčř"),
    ("koi8-r", "koi8-r", "привет"), ("windows-1251", "cp1251", "привет"), ("iso-8859-5", "iso8859-5", "мир"),
    ("gb2312", "gb2312", "中文补丁"), ("GBK", "gbk", "中文補丁"), ("gb18030", "gb18030", "中文補丁€"),
    ("big5", "big5", "中文補丁"), ("euc-jp", "euc-jp", "日本語かな"), ("shift_jis", "shift_jis", "日本語かな"),
    ("iso-2022-jp", "iso-2022-jp", "日本語かな"), ("ISO-2022-JP", "iso-2022-jp", "修正"),
    ("euc-kr", "euc-kr", "한국어"), ("utf-7", "utf-7", "äö€"), ("iso-8859-7", "iso8859-7", "αβγ"),
    # labels that lie, and none that anybody knows
    ("us-ascii", "utf-8", "äöü€"), ("iso-8859-1", "utf-8", "äöü…"), ("windows-1252", "utf-8", "łé"),
    ("utf-8", "latin-1", "äöüé"), ("us-ascii", "latin-1", "äöü"), (None, "latin-1", "éèà"),
    ("gb2312", "utf-8", "äö中"), ("euc-kr", "latin-1", "äöü"),
    ("x-unknown", "utf-8", "äö€"), ("y", "utf-8", "äö"), ("unknown-8bit", "latin-1", "äöü"), ("8bit", "ascii", "abc"),
]
WORDS = "fix the folio lock when swapping out a page of memory that nobody maps while reclaim runs".split()
NAMES = ["Anna Author", "J. Doe", "Bo", "X", "Dörte Müller", "Łukasz Żak", "山田 太郎", "Ó Sé, Máire", "O'Neil \"Q\" Ray",
         "Иван Петров", "A very long name that goes on and on and on and on and on and on up to its end", "a@b"]

# those whose label is the truth
GOOD = [c for c in CHARSETS if c[0] and c[0].lower().replace("utf8", "utf-8") in (c[1], "us-ascii", c[1].replace("iso8859", "iso-8859"),
        c[1].replace("latin-1", "iso-8859-1"), c[1].replace("cp125", "windows-125")) and not (c[0] == "us-ascii" and c[1] != "ascii")]


class Make:
    def __init__(self, seed, folder):
        self.r = random.Random(seed)
        self.patches = patches(self.r, folder)
        self.serial = 0

    def chance(self, percent):
        return self.r.randrange(100) < percent

    def words(self, letters, n=None):
        out = []
        for _ in range(n or self.r.randint(1, 12)):
            w = self.r.choice(WORDS)
            if self.chance(25):
                w += "".join(self.r.choice(letters) for _ in range(self.r.randint(1, 4)))
            out.append(w)
        return " ".join(out)

    # ---- text ----
    def text(self, letters, codec):
        """Lines with LF between; what people and mailers write."""
        r = self.r
        kind = r.choice(["patch"] * 5 + ["reply", "empty", "blank", "long", "short", "cut", "froms", "dashes", "odd"])
        if codec == "utf-7" and kind == "patch":
            kind = "reply"  # git writes the first line of such a patch in UTF-8, the others in UTF-7
        message = "\n".join(self.words(letters) for _ in range(r.randint(1, 8))) + "\n"
        if kind == "patch":
            head = r.choice(["", "", "From: %s <in@example.org>\n\n" % r.choice(NAMES[:4] if codec == "big5" else NAMES),
                             "From: In Body <in@example.org>\nSubject: in-body %s\n\n" % self.words(letters, 3),
                             "Subject: [x] folded %s\n %s\n\n" % (self.words(letters, 3), self.words(letters, 2)),
                             "\n\nDate: Mon, 5 Jan 2026 10:00:00 +0100\nFrom: b@example.org\n\n",
                             "[PATCH] a title in the text\n\n", "From: not a field because\ntext follows\n"])
            mark = r.choice(["---\n", "---\n", "--- \n", "", "---\nnotes %s\n" % self.words(letters, 2)])
            return head + message + "\nSigned-off-by: A <a@example.org>\n" + mark + r.choice(self.patches)
        if kind == "reply":
            return "On Monday, A wrote:\n> %s\n>\n> > %s\n>>From here\n\n%s\n-- \nAnna\n" % (
                self.words(letters), self.words(letters), message)
        return {"empty": "", "blank": "\n" * r.randint(1, 4), "long": self.words(letters, 700) + "\n",
                "short": self.words(letters, 1), "cut": message[:-1],
                "froms": "From the start\n>From here\n>>From there\nFrom x@y Mon Jan  5 10:00:00 2026\nFrom\n" + message,
                "dashes": "--\n--b\n --b1\n--b1y\n-- \n--- a\n=3D =\n=ZZ .\n..\n" + message,
                "odd": "tab\there\x0c\x0b form feed\n trailing \t \n\n\n%s%s\n" % ("" if "日" in letters or "修" in letters else "\x1b[1m", message)}[kind]

    def flow(self, text):
        """Soft breaks (RFC 3676), for a text that is no patch."""
        out = []
        for line in text.split("\n"):
            if line == ">" and self.chance(50):
                line = "> "  # stuffed, as Thunderbird has it
            if re.match(r" |From |>", line) and not line.startswith(">"):
                line = " " + line
            while len(line) > 40 and line.find(" ", 30) > 0 and not line.startswith(">"):
                at = line.find(" ", 30) + 1
                out.append(line[:at])
                line = line[at:]
                if re.match(r" |From |>", line):
                    line = " " + line
            out.append(line)
        return "\n".join(out)

    # ---- transfer encodings ----
    def encode(self, raw, nl):
        """Body and name of the encoding; raw has LF line ends."""
        r = self.r
        how = r.choice(["8bit", "8bit", "none", "7bit", "binary"] * 2 + ["qp", "qp", "QP", "b64", "b64"] * 2 + ["qp-all", "b64-odd", "b64-one"])
        if how.startswith("b64"):
            if self.chance(20):
                raw = raw.replace(b"\n", b"\r\n")
            width = {"b64": r.choice([76, 72, 60, 4]), "b64-odd": r.choice([75, 61, 33, 7]), "b64-one": 1 << 30}[how]
            if len(raw) > 3000 and width < 30:
                width = 64
            text = base64.b64encode(raw)
            text = nl.join(text[i:i + width] for i in range(0, len(text), width)) + nl
            return text if self.chance(80) else text.rstrip(), r.choice(["base64"] * 5 + ["BASE64"] * 4 + ["Base64 "])
        if how == "qp-all":
            text = b"".join(b"=%02x" % b if self.chance(20) and b != 10 else (b"=3D" if b == 61 else bytes([b])) for b in raw)
            return text.replace(b"\n", nl), "quoted-printable"
        if how in ("qp", "QP"):
            text = quopri.encodestring(raw)
            text = re.sub(rb"(?m)^From ", b"From=20", text)
            return text.replace(b"\n", nl), "quoted-printable" if how == "qp" else "Quoted-Printable"
        return raw.replace(b"\n", nl), {"none": None}.get(how, how)

    # ---- parts: each a list of fields and a body ----
    def leaf(self, nl, what="text/plain"):
        r = self.r
        label, codec, letters = r.choice(CHARSETS if self.chance(30) else GOOD)
        text = self.text(letters, codec)
        params = []
        if what == "text/plain" and self.chance(8) and "diff --git" not in text and codec in ("ascii", "utf-8"):
            text = self.flow(text)
            params += [b"format=flowed"] + ([b"delsp=yes"] if self.chance(30) else [])
        raw = text.encode(codec, "replace")
        body, cte = self.encode(raw, nl)
        if label:
            value = label.encode()
            params.insert(r.randint(0, len(params)), b"charset=" + r.choice([value, b'"%s"' % value, value.upper()]))
        fields = []
        if what != "text/plain" or params or self.chance(50):
            sep = r.choice([b"; ", b";", b";" + nl + b" ", b" ;" + nl + b"\t"])
            fields.append(b"Content-Type: " + sep.join([r.choice([what, what.title()]).encode()] + params))
        if cte:
            fields.append(r.choice([b"Content-Transfer-Encoding: ", b"content-transfer-encoding:"]) + cte.encode())
        r.shuffle(fields)
        return fields, body

    def attachment(self, nl):
        r = self.r
        fields, body = self.leaf(nl, r.choice(["text/x-patch", "text/x-diff", "text/plain", "text/csv"] * 3 +
                                              ["application/octet-stream", "application/pgp-signature", "text/html", "image/png"]))
        name = r.choice([b'filename="0001-x.patch"', b"filename=plain.txt", b"filename*=utf-8''%C3%A4%20b.patch",
                         b"filename*0*=iso-8859-1'de'%E4;" + nl + b" filename*1=\"b c\";" + nl + b" filename*2*=%20d.diff",
                         b'filename="=?utf-8?q?=C3=A4.patch?="', b'filename="a;b\\"c.txt"', b"filename*1=second; filename*0=first.",
                         b'filename=""'])
        fields.append(b"Content-Disposition: " + r.choice([b"attachment", b"inline"]) + b"; " + name)
        return fields, body

    def join(self, kind, kids, nl, boundary=None):
        r = self.r
        self.serial += 1
        b = boundary or r.choice([b"b%d", b"----=_Part_%d.x", b"=_%d'()+_,-./:?", b"b b %d", b"b b %d=" if self.chance(90) else b"=?%d", b"0%d"]) % self.serial
        quoted = b'"%s"' % b if re.search(rb"[^\w.-]", b) or self.chance(60) else b
        more = b'; protocol="application/pgp-signature"; micalg=pgp-sha256' if kind == "signed" else b""
        sep = r.choice([b"; ", b";" + nl + b"\t", b";" + nl + b" "])
        fields = [b"Content-Type: multipart/" + kind.encode() + (more + sep if self.chance(50) else sep) + b"boundary=" + quoted]
        body = r.choice([b"", b"", b"This is a MIME mail." + nl, nl])
        for kid_fields, kid_body in kids:
            blank = r.choice([b"", b"", b"", b" ", b"\t "])
            body += b"--" + b + blank + nl + b"".join(f + nl for f in kid_fields) + nl + kid_body + nl
        body += b"--" + b + b"--" + r.choice([nl, nl, b"", nl + b"epilogue" + nl])
        return fields, body

    def mail_part(self, nl):
        return [b"Content-Type: message/rfc822"], nl.join([b"From: in@example.org", b"Subject: inner", b"", b"inner text", b""])

    def parts(self, nl):
        r = self.r
        shape = r.choice(["single"] * 8 + ["mixed", "mixed", "alternative", "signed", "related", "nested", "prefix", "digest",
                                           "empty", "rfc822", "deep", "html", "package"])
        leaf, att, join = self.leaf, self.attachment, self.join
        if shape == "single":
            return leaf(nl)
        if shape == "mixed":
            return join("mixed", [leaf(nl)] + [att(nl) for _ in range(r.randint(0, 3))], nl)
        if shape == "alternative":
            return join("alternative", [leaf(nl), leaf(nl, "text/html")], nl)
        if shape == "signed":
            return join("signed", [leaf(nl), ([b"Content-Type: application/pgp-signature; name=s.asc"], b"-----BEGIN x" + nl)], nl)
        if shape == "related":
            return join("related", [join("alternative", [leaf(nl), leaf(nl, "text/html")], nl), att(nl)], nl)
        if shape == "nested":
            return join("mixed", [join("mixed", [leaf(nl), leaf(nl)], nl), leaf(nl), join("signed", [leaf(nl)], nl)], nl)
        if shape == "prefix":
            b = [b"b1", b"b1x"] if self.chance(50) else [b"b1x", b"b1"]
            return join("mixed", [leaf(nl), join("mixed", [leaf(nl), leaf(nl)], nl, b[1]), leaf(nl)], nl, b[0])
        if shape == "digest":
            return join("digest", [([], b"From: d@example.org" + nl + nl + b"text" + nl), leaf(nl)], nl)
        if shape == "empty":
            return join("mixed", [([], b""), leaf(nl), ([b"Content-Type: text/plain"], b"")], nl)
        if shape == "rfc822":
            return join("mixed", [leaf(nl), self.mail_part(nl), att(nl)], nl)
        if shape == "html":
            return leaf(nl, "text/html")
        if shape == "package":
            return self.package(nl)
        part = leaf(nl)
        for _ in range(r.randint(2, 4)):  # git follows five
            part = join("mixed", [part] + ([leaf(nl)] if self.chance(30) else []), nl)
        return part

    def package(self, nl):
        """As Python's email package makes it."""
        r = self.r
        codec, letters = r.choice([("utf-8", "äö€中"), ("iso-8859-1", "äöü"), ("iso-2022-jp", "日本"), ("us-ascii", "abc")])
        m = MIMEMultipart(r.choice(["mixed", "alternative"]), boundary="===============%d==" % self.r.randrange(1 << 60))
        m.attach(MIMEText(self.text(letters, codec).encode(codec, "replace").decode(codec), "plain", codec))
        if self.chance(50):
            a = MIMEApplication(b"\0\1binary", "octet-stream")
            a.add_header("Content-Disposition", "attachment", filename=("utf-8", "", "näme.bin"))
            m.attach(a)
        if self.chance(50):
            m.attach(MIMEText(r.choice(self.patches), "x-patch", "utf-8"))
        head, body = m.as_bytes().split(b"\n\n", 1)
        return [f.replace(b"\n", nl) for f in re.split(rb"\n(?![ \t])", head)], body.replace(b"\n", nl)

    # ---- fields ----
    def word(self, text, codec, label, kind, cut):
        """Encoded words of text; cut: between any two bytes."""
        raw = text.encode(codec, "replace")
        if cut and codec != "iso-2022-jp":
            at = self.r.randint(1, max(1, len(raw) - 1))
            pieces = [p for p in (raw[:at], raw[at:]) if p]
        else:
            pieces = [raw]
        out = []
        for p in pieces:
            if kind == "b":
                p = base64.b64encode(p)
            else:
                p = b"".join(bytes([c]) if chr(c).isalnum() and c < 128 else b"_" if c == 32 else b"=%02X" % c for c in p)
            out.append(b"=?%s?%s?%s?=" % (label.encode(), self.r.choice([kind, kind.upper()]).encode(), p))
        return out

    def unstructured(self, nl):
        r = self.r
        how = r.choice(["plain", "word", "words", "mixed", "raw", "header"] * 3 + ["glued", "open"])
        known = [c for c in CHARSETS if c[0] and c[1] != "utf-7"]
        label, codec, letters = r.choice(known)
        gap = r.choice([b" ", nl + b" ", nl + b"\t", b"  ", nl + b"   "])
        if how == "plain":
            return gap.join(self.words("abc").encode() for _ in range(r.randint(1, 5)))
        if how in ("word", "words"):
            out = self.word(self.words(letters, 4), codec, label, r.choice("qb"), self.chance(40))
            if how == "words":
                label, codec, letters = r.choice(known)
                out += self.word(self.words(letters, 2), codec, label, r.choice("qb"), False)
            return gap.join(out)
        if how == "mixed":
            return gap.join([b"plain"] + self.word(self.words("äé", 1), "utf-8", "utf-8", "q", False) + [b"plain  again"] +
                            self.word("ü", "latin-1", "iso-8859-1", "b", False))
        if how == "raw":
            return self.words("äö€").encode() if self.chance(70) else self.words("äöé").encode("latin-1")
        if how == "header":
            return Header(self.words("äö€中", 12), "utf-8", header_name="Subject").encode(linesep=nl.decode()).encode()
        if how == "glued":
            return b"a=?utf-8?q?=C3=A4?=b =?utf-8?q?=C3=A4?=c"
        return b"=?utf-8?q?never ends and =? x ?= =?= ??"

    def address(self, nl):
        r = self.r
        name = r.choice(NAMES)
        ascii = all(ord(c) < 128 for c in name)
        mail = r.choice(["a.b+c@example.org", "x@mail.example.org", "A-B@EXAMPLE.org"]).encode()
        how = r.choice(["name", "name", "name", "comment", "bare", "angle", "quoted", "folded"])
        if how == "bare":
            return mail
        if how == "angle":
            return b"<" + mail + b">"
        if how == "comment" and ascii and not re.search('[()"\'@,]', name):
            return mail + b" (" + name.encode() + b")"
        if not ascii:
            if self.chance(25):
                return name.replace(",", "").encode() + b" <" + mail + b">"
            return (nl + b" ").join(self.word(name, "utf-8", "utf-8", r.choice("qb"), self.chance(30))) + b" <" + mail + b">"
        quoted = '"%s"' % name.replace("\\", "\\\\").replace('"', '\\"')
        use = quoted if how == "quoted" or re.search('[",.@]', name) else name
        return use.encode() + r.choice([b" ", b" ", nl + b" ", b"  "]) + b"<" + mail + b">"

    def date(self):
        return self.r.choice(["Mon, 5 Jan 2026 09:00:00 +0100", "5 Jan 2026 09:00:00 -0730", "Mon, 05 Jan 26 9:00:00 GMT",
                              "Mon,  5 Jan 2026 09:00 +0000", "Mon, 5 Jan 2026 09:00:00 +0100 (CET)", "Tue, 29 Feb 2000 23:59:60 +0000",
                              "Mon, 5 Jan 2026 09:00:00 EST", "Mon, 05 Jan 2026 09:00:00 -0000"]).encode()

    def mail(self, n):
        r = self.r
        nl = b"\r\n" if self.chance(20) else b"\n"
        ids = [b"<%d.%d@example.org>" % (n, i) for i in range(r.randint(0, 12))]
        title = r.choice([b"", b"[PATCH] ", b"[PATCH v2 03/10] ", b"Re: [PATCH] ", b"re: RE: ", b"[RFC][PATCH] ", b"[unclosed "])
        fields = [b"From:" + r.choice([b" ", b"", b"\t"]) + self.address(nl), b"Subject: " + title + self.unstructured(nl),
                  b"Date: " + self.date(), r.choice([b"Message-ID: <%d@example.org>", b"Message-Id:" + nl + b" <%d@example.org>"]) % n]
        if ids:
            fields.append(b"References: " + r.choice([b" ", nl + b" ", nl + b"\t", b""]).join(ids))
            fields.append(b"In-Reply-To: " + r.choice([ids[-1], b'"A\'s message" ' + ids[-1], ids[-1] + b" (A's message of Monday)"]))
        if self.chance(30):
            fields.append(b"X-Long: " + (nl + b" ").join(b"v%d" % i * r.randint(1, 30) for i in range(r.randint(1, 40))))
        if self.chance(10):
            fields.append(b"X-Empty:")
        part_fields, body = self.parts(nl)
        if self.chance(70):
            fields.append(b"MIME-Version: 1.0")
        fields = [f for f in fields if not f.startswith(b"MIME") or not any(p.startswith(b"MIME") for p in part_fields)]
        fields += part_fields
        r.shuffle(fields)
        return nl.join(fields) + nl + nl + body


def patches(r, folder):
    """Diffs of git format-patch, from below its "---" on: all kinds of content."""
    repo = os.path.join(folder, "repo")
    when = {"GIT_AUTHOR_DATE": "1767600000 +0000", "GIT_COMMITTER_DATE": "1767600000 +0000"}

    def git(*args):
        return subprocess.run(["git", "-C", repo, *args], check=True, stdout=subprocess.PIPE, env={**os.environ, **when}).stdout
    subprocess.run(["git", "init", "-q", repo], check=True)
    git("config", "user.name", "Anna Author")
    git("config", "user.email", "a@example.org")
    steps = [{"a.txt": "one\ntwo\nthree\n"}, {"a.txt": "one\n2\nthree\n"}, {"a.txt": "one\n2\nthree"}, {"b.txt": "x\r\ny\r\n"},
             {"b.txt": "x\r\nz\r\n"}, {"from.txt": "From me\n>From you\nFrom x Mon Jan  5 10:00:00 2026\n"},
             {"long.txt": "l" * 2500 + "\n"}, {"dash.txt": "-- \n--\n---\n--b1y\n"}, {"bin": "\0\1\2" * 50}, {"empty": ""},
             {"ü ä.txt": "naïve — “text”\n"}, {"white.txt": "  \n\t\n x \n\x0c\n"}, {"a.txt": "".join("%d\n" % i for i in range(80))}]
    for i, step in enumerate(steps):
        for name, content in step.items():
            with open(os.path.join(repo, name), "w", newline="", encoding="utf-8") as f:
                f.write(content)
        git("add", "-A")
        git("-c", "core.autocrlf=false", "commit", "-q", "-m", "step %d" % i)
    git("mv", "a.txt", "renamed.txt")
    git("commit", "-q", "-m", "rename")
    out = []
    for extra in ([], ["--no-signature", "-U1"], ["--no-renames", "-U0"]):
        text = git("format-patch", "--stdout", "--root", "--binary", *extra, "HEAD").decode()
        mails = re.split(r"(?m)^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001\n", text)[1:]
        out += [m.split("\n---\n", 1)[1] for m in mails]
    return out


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    make = Make(seed, folder)
    per_box = max(1, (count + 9) // 10)
    for first in range(0, count, per_box):
        last = first + per_box >= count
        name = os.path.join(folder, "made-%05d.mbox" % first + (".gz" if last else ""))
        with (gzip.open if last else open)(name, "wb") as f:
            for n in range(first, min(first + per_box, count)):
                f.write(b"From mboxrd@z Thu Jan  1 00:00:00 1970\n")
                mail = re.sub(rb"(?m)^(>*From )", rb">\1", make.mail(n))
                # An mbox needs a line end there, and an empty line of its own.
                f.write(mail + (b"\n" if mail.endswith(b"\n") else b"\n\n"))


if __name__ == "__main__":
    main()
