#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mail-broken.py DIR: mails that break the rules, one a file, each by hand; then large ones."""
import hashlib, json, os, sys

HEAD = b"From: Anna Author <a@example.org>\nSubject: [PATCH] broken\nDate: Mon, 5 Jan 2026 09:00:00 +0100\nMessage-ID: <1@example.org>\n"
PATCH = b"why\n\nSigned-off-by: A <a@example.org>\n---\n a | 1 +\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n-- \n2\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n"
B64 = HEAD + b"Content-Transfer-Encoding: base64\n\n"
QP = HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n"


def typed(value):
    return HEAD + b"Content-Type: " + value + b"\n\n" + PATCH


MAILS = {
    "no-end": MIXED + b"--b\n\n" + PATCH, "no-boundary": HEAD + b"Content-Type: multipart/mixed\n\n--b\n\n" + PATCH,
    "boundary-empty": HEAD + b'Content-Type: multipart/mixed; boundary=""\n\n--\n\n' + PATCH,
    "boundary-never-comes": MIXED + PATCH, "end-first": MIXED + b"--b--\n--b\n\n" + PATCH,
    "ends-in-head": MIXED + b"--b\nContent-Type: text/plain", "two-ends": MIXED + b"--b\n\n" + PATCH + b"--b--\n--b--\n",
    "inner-no-end": MIXED + b"--b\nContent-Type: multipart/mixed; boundary=i\n\n\n--i\n\nwhy\n--b\n\n" + PATCH + b"--b--\n",
    "same-boundary": MIXED + b"--b\nContent-Type: multipart/mixed; boundary=b\n\n\n--b\n\n" + PATCH + b"--b--\n",
    "part-without-blank": MIXED + b"--b\nContent-Type: text/plain\nno field here\n" + PATCH + b"--b--\n",
    "no-header": b"just text\n" + PATCH, "no-blank": HEAD + b"no field at all\n\n" + PATCH, "head-only": HEAD, "one-line": b"Subject: x",
    "begins-folded": b" folded: x\n" + HEAD + b"\n" + PATCH, "white-first": b"\n\n  \n" + HEAD + b"\n" + PATCH,
    "blank-in-name": HEAD + b"X Y: z\n\n" + PATCH, "colon-first": HEAD + b": nothing\n\n" + PATCH,
    "no-subject": b"From: a@example.org\n\n" + PATCH, "no-from": b"Subject: x\n\n" + PATCH, "empty-fields": b"From:\nSubject:\nDate:\n\n" + PATCH,
    "twice": HEAD + b"Subject: second\nFrom: Second <s@example.org>\n\n" + PATCH,
    "from-no-address": b"From: Nobody Known\nSubject: x\n\n" + PATCH, "from-at": b"From: @\nSubject: x\n\n" + PATCH,
    "from-open": b'From: "Open <a@example.org>\nSubject: x\n\n' + PATCH, "from-two": b"From: A <a@example.org>, B <b@example.org>\n\n" + PATCH,
    "nul-in-head": b"From: a@example.org\nSubject: a\0b\n\n" + PATCH, "nul-in-body": HEAD + b"\na\0b\n" + PATCH, "nul-in-patch": HEAD + b"\n" + PATCH + b"\0\n",
    "base64-cut": B64 + b"d2h5CgotLS0KZGlmZiAtYQ", "base64-one": B64 + b"d", "base64-garbage": B64 + b"d2h5!!Cg==\n", "base64-footer": B64 + b"d2h5Cg==\n__\nfooter\n",
    "base64-plain": B64 + PATCH, "qp-cut": QP + b"why=\n", "qp-equals": QP + b"a = b, c==\n=3\n=ZZ\n=", "qp-blanks": QP + b"a=  \nb \t\nc\n",
    "encoding-unknown": HEAD + b"Content-Transfer-Encoding: x-uuencode\n\n" + PATCH,
    "letters-in-head": b"From: J\xfcrgen <j@example.org>\nSubject: \xe4\xf6 and \xc3\xa4\n\n" + PATCH,
    "charset-nonsense": typed(b"text/plain; charset=\x22no such thing\x22"), "charset-slash": typed(b"text/plain; charset=UTF-8//IGNORE"),
    "charset-empty": typed(b'text/plain; charset=""'), "charset-twice": typed(b"text/plain; charset=utf-8; charset=koi8-r"),
    "charset-open": typed(b'text/plain; charset="utf-8'), "type-empty": typed(b""), "type-word": typed(b"text"), "type-only-params": typed(b"; charset=utf-8"),
    "utf8-cut": HEAD + b"\nwhy \xc3\n\xe2\x82\n\xf0\x9f\x90\n" + PATCH, "utf8-long": HEAD + b"\n\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80\n" + PATCH,
    "bare-cr": HEAD + b"\na\rb\r\rc\r\n" + PATCH, "cr-only": HEAD.replace(b"\n", b"\r") + b"\r" + PATCH.replace(b"\n", b"\r"),
    "mixed-ends": HEAD.replace(b"\n", b"\r\n", 2) + b"\r\n" + PATCH, "no-final-end": HEAD + b"\n" + PATCH[:-1], "no-final-end-crlf": (HEAD + b"\n" + PATCH)[:-1].replace(b"\n", b"\r\n"),
    "word-open": b"From: a@example.org\nSubject: =?utf-8?q?open\n\n" + PATCH, "word-empty": b"From: a@example.org\nSubject: =?utf-8?q??= x =?utf-8?b??=\n\n" + PATCH,
    "word-kind": b"From: a@example.org\nSubject: =?utf-8?x?abc?=\n\n" + PATCH, "word-base64": b"From: a@example.org\nSubject: =?utf-8?b?YWJ?= =?utf-8?b?Y!W==?=\n\n" + PATCH,
    "word-digit": b"From: =?utf-8?b?SsO8cmdlbg=?= <a@example.org>\nSubject: =?utf-8?b?YWJjZ?= x\n\n" + PATCH,
    "word-charset": b"From: =?no-such?q?=FC?= <a@example.org>\nSubject: =?nonsense?b?w6Q=?=\n\n" + PATCH,
    "flowed-patch": typed(b"text/plain; format=flowed"), "flowed-ends-soft": typed(b"text/plain; format=flowed")[:-3] + b"soft ",
    "flowed-quoted-signature": HEAD + b"Content-Type: text/plain; format=flowed\n\n>>   }\n>>   \n>> -- \n>> 2.25.1\n\n-- \nAnna\n",
    "only-end": MIXED + b"\n--b--\n\n", "empty-part": MIXED + b"--b\n\n--b\nX: y\n--b\n\n" + PATCH + b"--b--\n",
    "type-nul": HEAD + b"Content-Type: text/plain\0\0h: 13\n\n" + PATCH, "word-in-from": b"From: =?utf-8?~?J=C3=BC?= <j@example.org>\n\n" + PATCH,
    "charset-874": typed(b"text/plain; charset=windows-874").replace(b"why", b"fr\xfch, gr\xfc\xdfe"),
    "ids": HEAD + b"References: <a@b <c@d> e@f> <> < g@h > <\xff\xfe@\xe4>\nIn-Reply-To: word\n\n" + PATCH,
}
for i, date in enumerate([b"yesterday", b"Mon, 99 Foo 2026", b"32 Jan 2026 25:61:61 +9999", b"5 Jan 2026", b"Mon, 5 Jan 99999999999 09:00:00 +0100",
                          b"2026-01-05 09:00:00", b"", b"Mon, 5 Jan 2026 09:00:00 +", b"Mon, 5 Jan 2026 09:00:00 \xff",
                          b"Sun, 4 Jan 2026 23:22:904070804030804 +0100", b"Sun, 4 Jan 2026 23:20407080403080105:04 +0100", b"4 Jan 2026 16:49:3U -"]):
    MAILS["date-%d" % i] = b"From: a@example.org\nDate: " + date + b"\n\n" + PATCH

WHY = "why\n\nSigned-off-by: A <a@example.org>\n"


def only(text, **more):
    """One part, this text, is all that is in it."""
    return {"text": [["text/plain", text.decode()]], "leaves": [["text/plain", None, hashlib.sha256(text).hexdigest()]], **more}


# Where there is no right answer: what lib/mail says, and the others need not.
DECIDED = {
    "large-nested": {"*": "deeper than PARTS_DEPTH is text"}, "large-parts": {"*": "more than PARTS_MAX are text"},
    "cr-only": {"*": "without a line end all is one field"},
    # An end before the first part hides no text.
    "end-first": only(PATCH, message=WHY, patch_bytes=72),
    "part-without-blank": {"message": "no field here\n" + WHY}, "head-only": {"message": ""},
    # Midnight, a form without the day's name, and what is out of range.
    "date-2": {"date": None}, "date-3": {"date": 1767571200}, "date-5": {"date": 1767603600},
}


def nested(depth):
    out = HEAD
    for i in range(depth):
        out += b"Content-Type: multipart/mixed; boundary=n%d\n\n--n%d\n" % (i, i)
    return out + b"\n" + PATCH


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    MAILS["large-nested"] = nested(1000)
    MAILS["large-fields"] = HEAD + b"X: y\n" * 1000000 + b"\n" + PATCH
    MAILS["large-folds"] = HEAD + b"X: y\n" + b" z\n" * 200000 + b"\n" + PATCH
    MAILS["large-line"] = HEAD + b"\n" + b"x" * 5000000 + b"\n" + PATCH
    MAILS["large-parts"] = MIXED + b"--b\n\nx\n" * 3000 + b"--b--\n"
    with open(os.path.join(sys.argv[1], "decided.json"), "w") as f:
        json.dump({name + ".eml": what for name, what in DECIDED.items()}, f)
    for name, mail in MAILS.items():
        with open(os.path.join(sys.argv[1], name + ".eml"), "wb") as f:
            f.write(mail)


if __name__ == "__main__":
    main()
