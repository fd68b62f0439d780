#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""qemu-system-* for tests of "series bench": does the job of its initramfs as the guest's init
would, in no time, with values that depend on the kernel and the run alone.

$FAKEGUEST is a folder. "boots" there gets a line "KERNEL N" for every start; KERNEL is
"patched" when the image holds the text SWAPFAST, else "base". "rules" has lines
"KERNEL N WHAT" (N: which boot of that kernel, or *):
  panic       panics behind the first run
  dead        panics before init speaks
  void        is killed from outside
  silent      goes down before init speaks
  wrong       another build-id
  unproven    the counter "pages" says 0
  nocounter   the counter "pages" is not there
  fail        the program exits with 1
  warn        a WARNING on the console
$FAKEGUEST_DELAY: seconds for each run."""
import json, os, re, shlex, signal, subprocess, sys, time, uuid, fcntl

if "--version" in sys.argv:
    print("QEMU emulator version 7.2.0")
    sys.exit(0)

home = os.environ["FAKEGUEST"]
delay = float(os.environ.get("FAKEGUEST_DELAY", "0"))
arg = dict(zip(sys.argv, sys.argv[1:]))
path = {}
for a in sys.argv:
    m = re.match(r"file,id=(console|job),path=(.*)$", a)
    if m:
        path[m.group(1)] = m.group(2)
console = open(path["console"], "a")
port = open(path["job"], "a")
image = open(arg["-kernel"], "rb").read()
kernel = "patched" if b"SWAPFAST" in image else "base"


def say(text):
    console.write(text + "\n")
    console.flush()


def record(**r):
    port.write(json.dumps(r, sort_keys=True) + "\n")
    port.flush()


def job():
    data = open(arg["-initrd"], "rb").read()
    at = 0
    while True:
        field = lambda i: int(data[at + 6 + 8 * i:at + 14 + 8 * i], 16)
        size, nlen = field(6), field(11)
        name = data[at + 110:at + 110 + nlen - 1].decode()
        start = at + (110 + nlen + 3) // 4 * 4
        if name == "job":
            return data[start:start + size].decode()
        if name == "TRAILER!!!":
            sys.exit("no job in the archive")
        at = start + (size + 3) // 4 * 4


with open(home + "/boots", "a+") as f:
    fcntl.flock(f, fcntl.LOCK_EX)
    f.seek(0)
    n = 1 + sum(1 for l in f if l.split()[0] == kernel)
    f.write("%s %d\n" % (kernel, n))
what = set()
if os.path.exists(home + "/rules"):
    for l in open(home + "/rules"):
        k, which, w = l.split()
        if k == kernel and which in ("*", str(n)):
            what.add(w)

say("[    0.000000] Booting Linux")
if "void" in what:
    os.kill(os.getpid(), signal.SIGKILL)
if "silent" in what:
    sys.exit(0)
if "dead" in what:
    say("[    0.100000] Kernel panic - not syncing: VFS: Unable to mount root fs")
    sys.exit(0)
notes = subprocess.run(["readelf", "-n", arg["-kernel"]], capture_output=True, text=True).stdout
build_id = re.search(r"Build ID: ([0-9a-f]+)", notes).group(1)
if "wrong" in what:
    build_id = "0" * 40
record(t="hello", boot_id=str(uuid.uuid4()), build_id=build_id, release="6.0.0-series",
       cpu="fake cpu", cpus=1, memory_kib=1000000, page_size=4096, cmdline=arg["-append"])
if "warn" in what:
    say("[    0.500000] WARNING: CPU: 0 PID: 1 at mm/swap.c:7 swap+0x1/0x2")
counters = []
for line in job().splitlines():
    w = shlex.split(line)
    if w[0] == "counter":
        counters.append(w[1])
    elif w[0] == "run":
        time.sleep(delay)
        case, run = w[1], int(w[2])
        # base 1000000 and 2000000 ns; patched 20 % less in the case "big" alone
        value = {"big": 1000000, "small": 2000000}.get(case, 500000)
        if kernel == "patched" and case == "big":
            value = value * 8 // 10
        value += {0: 5000}.get(run, run)
        delta = {c: 65536 for c in counters}
        if "unproven" in what and "pages" in delta:
            delta["pages"] = 0
        if "nocounter" in what and "pages" in delta:
            delta["pages"] = None
        bad = 1 if "fail" in what else 0
        record(t="run", case=case, run=run, rc=bad, signal=0, timed_out=False, lost=0, ms=1,
               out="" if bad else "took_ns %d\n" % value, counters=delta, taint=0, dmesg=[])
        if "panic" in what:
            say("[    1.000000] Kernel panic - not syncing: Fatal exception")
            sys.exit(0)
    elif w[0] == "done":
        record(t="done")
