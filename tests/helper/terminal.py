#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py [TEXT KEYS]... -- COMMAND...: run it on a terminal of 24 by 80 of its own.

As soon as TEXT stands in what it wrote since the last keys, KEYS are typed (C escapes: \\x03
is ^C); the words "hang up" as KEYS take the terminal away. What it wrote goes to stdout,
with LF line ends; the exit status is its own, 128 + N after signal N, 99 after a minute.
Signals are what a login shell leaves them, also below nohup."""
import fcntl, os, pty, select, signal, struct, sys, termios, time

cut = sys.argv.index("--")
steps = sys.argv[1:cut]
steps = [(t.encode(), k if k == "hang up" else k.encode().decode("unicode_escape").encode())
         for t, k in zip(steps[::2], steps[1::2])]
pid, fd = pty.fork()
if not pid:
    for s in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP:
        signal.signal(s, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    os.execvp(sys.argv[cut + 1], sys.argv[cut + 1:])
since, all, end, gone = b"", b"", time.time() + 60, False
while not gone:
    if time.time() > end:
        os.kill(pid, 9)
        sys.stdout.buffer.write(all)
        sys.exit(99)
    if not select.select([fd], [], [], 0.2)[0]:
        continue
    try:
        data = os.read(fd, 65536)
    except OSError:
        data = b""
    gone = not data
    since += data
    all += data
    if steps and steps[0][0] in since:
        keys = steps.pop(0)[1]
        since = b""
        if keys == "hang up":
            os.close(fd)
            break
        os.write(fd, keys)
sys.stdout.buffer.write(all.replace(b"\r\n", b"\n"))
sys.stdout.flush()
status = os.waitpid(pid, 0)[1]
sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
