#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tag-gold.py TAG-DUMP GOLD.TSV: what lib/review finds in mails, beside what people said is
in them. Columns: file (below the folder "tricky" beside the table, or beside it), label,
detail, subject, evidence (a line or two of the mail). Prints agreement by label and each
disagreement; ends with "N of M labels right". Status 1 below 95 in a hundred."""
import collections, json, os, re, subprocess, sys

dump, gold = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(gold))
rows = []
for line in open(gold, encoding="utf-8"):
    row = line.rstrip("\n").split("\t")
    if len(row) >= 5 and row[0] != "file":
        rows.append(row)

def path(name):
    for base in (os.path.join(here, "tricky"), here):
        if os.path.exists(os.path.join(base, name)):
            return os.path.join(base, name)
    return None

files = sorted({path(r[0]) for r in rows} - {None})
out = subprocess.run([dump] + files, stdout=subprocess.PIPE, check=True, text=True).stdout
mails = {}
for line in out.splitlines():
    m = json.loads(line)
    mails.setdefault(m["file"], m)

def bare(s):
    return re.sub(r"<?<addr>>?", "", s).strip(" \t>")

# Tags that were taken from a line that begins as the evidence does.
def from_line(mail, evidence):
    lines = mail["text"].split("\n")
    want = re.sub(r"\s+", " ", bare(evidence))[:40]
    return [t for t in mail["tags"]
            if want and want in re.sub(r"\s+", " ", " ".join(lines[t["line"] - 1:t["line"] + 1]))]

def right(label, detail, evidence, mail):
    tags = mail["tags"]
    some = lambda *ok: any(all(f(t) for f in ok) for t in tags)
    kind = lambda *k: lambda t: t["kind"] in k
    types = re.findall(r"([A-Za-z]+(?:-[A-Za-z]+)*-[Bb]y) ?:", evidence)
    typed = lambda t: not types or t["type"].lower() == types[-1].lower()
    if label == "tag-conditional":
        return some(kind("collected"), typed, lambda t: t["condition"])
    if label in ("tag-scope-series", "tag-scope-part"):
        return some(kind("collected"), typed, lambda t: t["scope"] == label[10:])
    if label == "tag-misspelt":
        meant = re.sub("^meant |:$", "", detail)
        return some(lambda t: t["misspelt"] and t["type"] == meant)
    if label == "tag-nonperson":
        return not some(kind("collected"))
    if label.startswith("tag-valid"):
        return any(t["kind"] == "collected" and not t["misspelt"] for t in from_line(mail, evidence))
    if label == "tag-retracted":
        return some(kind("retraction"), lambda t: not t["condition"])
    if label == "tag-replaced":
        return some(kind("retraction"), lambda t: t["type"] == "Signed-off-by") and some(kind("collected"))
    if label == "nak-informal":
        return some(kind("nak"), lambda t: t["informal"])
    if label == "nak-trailer":
        return some(kind("nak"), lambda t: not t["informal"])
    if label == "nak-scope-part":
        return some(kind("nak"), lambda t: t["scope"] == "part")
    if label == "not-a-nak":
        return not some(kind("nak"))
    if label == "tag-kept":
        return not some(kind("retraction"))
    if label in ("not-a-tag", "no-tag", "no-drop", "author-dropped-tags"):
        return not from_line(mail, evidence) and not some(kind("retraction"))
    if label == "fixes-nonstandard":
        return some(lambda t: t["type"] == "Fixes")
    sys.exit("tag-gold.py: a label that is not known: " + label)

good, total = collections.Counter(), collections.Counter()
for name, label, detail, subject, evidence in (r[:5] for r in rows):
    total[label] += 1
    mail = mails.get(path(name))
    if mail and right(label, detail, evidence, mail):
        good[label] += 1
        continue
    print("DIFFERS %s %s: %s" % (label, name, evidence[:160]))
    for t in (mail or {"tags": []})["tags"]:
        print("    has line %d %s %s: %s%s%s" % (t["line"], t["kind"], t["type"], t["value"][:60],
              " if: " + t["condition"] if t["condition"] else "",
              " for: " + (t["scope_words"] or "") if t["scope"] != "here" else ""))
for label in sorted(total):
    print("%-22s %3d of %3d" % (label, good[label], total[label]))
n = sum(good.values())
print("%d of %d labels right" % (n, len(rows)))
sys.exit(n * 100 < len(rows) * 95)
