#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tag-landed.py TAG-DUMP TRUTH.TSV MAIL...: are the tags found that landed? TRUTH.TSV has a
line a patch, with its columns named in the first: patch_msgid, patch_reply_tags,
cover_reply_tags, landed_tags; tags are "Type:HASH" with commas between, HASH the first eight
digits of the sha1 of the address in small letters, "-" for none. A patch that stands in a
reply, of a thread whose beginning is not there, is passed over. MAIL are files of mail,
folders of them, and git repositories of public-inbox. Of each patch that is in the mail the
tags that a reply gave and that landed must be found; prints each that is not and each that
was found and did not land. Ends with "N of M patches"; status 1 below 98 in a hundred."""
import collections, csv, glob, gzip, hashlib, json, os, re, subprocess, sys, tempfile

dump, truth = sys.argv[1:3]
with open(truth, encoding="utf-8") as f:
    head = f.readline().rstrip("\n").split("\t")
    rows = {}
    for line in f:
        row = dict(zip(head, line.rstrip("\n").split("\t")))
        rows[row["patch_msgid"]] = row

def split(tags):
    return set() if tags == "-" else set(tags.split(","))

# Its own first, then the one it answers.
def ids_of(head):
    fields = re.findall(rb"(?im)^(Message-ID|In-Reply-To|References):((?:.*\n[ \t])*.*)", head + b"\n")
    fields.sort(key=lambda f: [b"message-id", b"in-reply-to", b"references"].index(f[0].lower()))
    return [i.decode(errors="replace") for f in fields for i in re.findall(rb"<([^>\s]+)>", f[1])]

# Threads of a repository of public-inbox in which such a patch is, each as an mbox.
def inbox(repo, folder):
    revs = subprocess.run(["git", "-C", repo, "rev-list", "--reverse", "--all"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.split()
    data = subprocess.run(["git", "-C", repo, "cat-file", "--batch"], check=True, stdout=subprocess.PIPE,
                          input="".join(r + ":m\n" for r in revs).encode()).stdout
    at, up, mails = 0, {}, []
    def root(x):
        while up.setdefault(x, x) != x:
            up[x] = x = up[up[x]]
        return x
    while at < len(data):
        end = data.index(b"\n", at)
        words = data[at:end].split()
        at = end + 1
        if words[-1] == b"missing":
            continue
        raw = data[at:at + int(words[2])]
        at += int(words[2]) + 1
        ids = ids_of(raw.split(b"\n\n", 1)[0])
        mails.append((ids, raw))
        for i in ids[1:]:
            up[root(i)] = root(ids[0])
    wanted = {root(i) for i in rows if i in up}
    for ids, raw in mails:
        if not ids or root(ids[0]) not in wanted:
            continue
        name = hashlib.sha1((repo + root(ids[0])).encode()).hexdigest() + ".mbox"
        with open(os.path.join(folder, name), "ab") as out:
            out.write(b"From mboxrd@z Thu Jan  1 00:00:00 1970\n" +
                      re.sub(rb"(?m)^(>*From )", rb">\1", raw).rstrip(b"\n") + b"\n\n")

files, scratch = [], tempfile.TemporaryDirectory()
names = sys.argv[3:] + [scratch.name]
for name in names[:-1]:
    if os.path.isdir(name) and os.path.exists(os.path.join(name, "objects")):
        inbox(name, scratch.name)
for name in names:
    if os.path.isdir(name) and not os.path.exists(os.path.join(name, "objects")):
        files += [p for p in glob.glob(os.path.join(glob.escape(name), "**"), recursive=True) if os.path.isfile(p)]
    elif os.path.isfile(name):
        files.append(name)

# Only files that name such a patch; a patch counts when its own mail is there.
here, use, parent = set(), [], {}
for name in files:
    data = (gzip.open if name.endswith(".gz") else open)(name, "rb").read()
    ids = {i.decode(errors="replace") for i in
           re.findall(rb"(?im)^Message-ID:\s*<([^>\s]+)>", data)}
    if ids & rows.keys():
        here |= ids & rows.keys()
        use.append(name)
        for head in re.findall(rb"(?ms)(?:\A|^From [^\n]*\n)(.*?)\n\r?\n", data):
            own = ids_of(head) + [None]
            parent[own[0]] = own[1] if re.search(rb"(?im)^Subject:\s*Re:", head) else own[0]

def torn_off(msgid):
    while msgid in parent and parent[msgid] != msgid:
        msgid = parent[msgid]
    return msgid not in parent

torn = {i for i in here if torn_off(i)}
for msgid in sorted(torn):
    print("NOT WHOLE %s: the patch it is a reply to is not there" % msgid)
here -= torn

found = collections.defaultdict(dict)
for line in subprocess.run([dump, "--thread"] + use, check=True, stdout=subprocess.PIPE,
                           text=True).stdout.splitlines():
    t = json.loads(line)
    if t["kind"] not in ("collected", "offered"):
        continue
    tag = t["type"] + ":" + hashlib.sha1(t["email"].lower().encode()).hexdigest()[:8]
    for target in [t["proposal"]] + ([t["target"]] if t["patch"] else t["patches"]):
        if target in rows:
            found[target].setdefault(tag, t)

right, missed, more, n_tags = 0, 0, collections.Counter(), 0
for msgid in sorted(here):
    row = rows[msgid]
    landed = split(row["landed_tags"])
    want = (split(row["patch_reply_tags"]) | split(row["cover_reply_tags"])) & landed
    lost = want - found[msgid].keys()
    n_tags += len(want)
    right += not lost
    for tag in sorted(lost):
        print("MISSED %s %s" % (msgid, tag))
    for tag, t in sorted(found[msgid].items()):
        if tag in landed:
            continue
        why = ("retracted" if t["retracted_by"] else "conditional" if t["condition"] else
               "not by its sender" if not t["by_sender"] else
               "another type by this person" if any(l.split(":")[1] == tag.split(":")[1] for l in landed) else
               "for a patch in a reply" if t["proposal"] else
               "to a part" if t["scope"] == "part" else
               "on the cover" if not t["patch"] else t["kind"])
        more[why] += 1
        print("MORE %s %s %s (%s)" % (msgid, tag, t["value"], why))
for why, n in more.most_common():
    print("proposed and not landed: %4d %s" % (n, why))
print("%d tags that landed were given in replies" % n_tags)
print("%d of %d patches" % (right, len(here)))
sys.exit(not here or right * 100 < len(here) * 98)
