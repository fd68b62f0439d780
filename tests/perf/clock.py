#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Wall and CPU time of commands, alternating: clock.py RUNS [--sink LOG] < TABLE

A line of TABLE is NAME<TAB>COMMAND[<TAB>COMMAND TO RUN BEFORE, not measured]. Each round runs
every command once, so that a busy machine is as busy for all; the first round is not
counted. Printed is NAME<TAB>WALL<TAB>CPU<TAB>SINK per line, medians in milliseconds; CPU is of
the command and the children it waited for, SINK the time its connection was open.
A command that fails ends it all with status 1.
"""
import os
import shlex
import statistics
import sys
import tempfile
import time


def run(argv, said=tempfile.TemporaryFile()):
    said.seek(0)
    said.truncate()
    files = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
             (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
             (os.POSIX_SPAWN_DUP2, said.fileno(), 2)]
    begin = time.monotonic()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=files)
    _, status, use = os.wait4(pid, 0)
    wall = time.monotonic() - begin
    if status:
        said.seek(0)
        sys.stderr.write(said.read().decode(errors="replace"))
        sys.exit(f"clock: {shlex.join(argv)}: exit status {os.waitstatus_to_exitcode(status)}")
    return wall, use.ru_utime + use.ru_stime


def connection(log, seen):
    """Seconds of the one connection that came after line `seen` of the sink's log."""
    for _ in range(200):
        with open(log) as f:
            lines = f.read().splitlines()
        if len(lines) > seen:
            return float(lines[-1].split()[1])
        time.sleep(0.01)
    sys.exit("clock: no connection reached the sink")


def lines_of(log):
    if not os.path.exists(log):
        open(log, "w").close()
    with open(log) as f:
        return len(f.read().splitlines())


def main():
    rounds = int(sys.argv[1])
    log = sys.argv[3] if len(sys.argv) > 3 else None
    rows = [line.rstrip("\n").split("\t") for line in sys.stdin]
    got = {r[0]: [] for r in rows}
    for i in range(rounds + 1):
        for name, command, *before in rows:
            if before and before[0]:
                run(shlex.split(before[0]))
            seen = lines_of(log) if log else 0
            wall, cpu = run(shlex.split(command))
            open_for = connection(log, seen) if log else 0.0
            if i:
                got[name].append((wall, cpu, open_for))
    for name, values in got.items():
        print(name, *(f"{1000 * statistics.median(v):.1f}" for v in zip(*values)), sep="\t")


if __name__ == "__main__":
    main()
