#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A mail server that only takes mails, as fast as python can: sink.py OUTDIR

OUTDIR/port has its port. OUTDIR/log gets a line per connection: the mails it brought and the
seconds from its beginning to its end. Nothing is stored: no disk counts for either client.
"""
import os
import socket
import sys
import time

out = sys.argv[1]
srv = socket.socket()
srv.bind(("127.0.0.1", 0))
srv.listen(8)
with open(f"{out}/port.tmp", "w") as f:
    f.write(f"{srv.getsockname()[1]}\n")
os.rename(f"{out}/port.tmp", f"{out}/port")

while True:
    sock, _ = srv.accept()
    begin = time.monotonic()
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    mails = 0
    with sock, sock.makefile("rb") as f:
        sock.sendall(b"220 sink.example.org ESMTP\r\n")
        for line in f:
            word = line[:4].upper()
            if word == b"EHLO":
                sock.sendall(b"250-sink.example.org\r\n250 8BITMIME\r\n")
            elif word == b"DATA":
                sock.sendall(b"354 go on\r\n")
                while f.readline() not in (b".\r\n", b""):
                    pass
                mails += 1
                sock.sendall(b"250 2.0.0 taken\r\n")
            elif word == b"QUIT":
                sock.sendall(b"221 2.0.0 bye\r\n")
                break
            else:
                sock.sendall(b"250 2.0.0 ok\r\n")
    with open(f"{out}/log", "a") as log:
        log.write(f"{mails} {time.monotonic() - begin:.6f}\n")
