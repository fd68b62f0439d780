#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A mail server that fails on demand: smtp-sink.py OUTDIR [PORT] [KEY=VALUE...]

Accepted mails become OUTDIR/0001.eml ... (LF line ends, dots unstuffed), the dialogue goes
to OUTDIR/log, the port to OUTDIR/port once it listens. Mails are counted over all
connections, by their MAIL command; N names one of them:

  drop_mail=N   close at MAIL            later_mail=N  451 at MAIL, from N on
  drop_rcpt=N   close after RCPT         later_end=N   451 after the final dot
  drop_data=N   close in the text        refuse_end=N  550 after the final dot
  keep_end=N    store it, close without a reply
  lose_end=N    forget it, close without a reply
  session=N     421 after N mails on one connection
  slow=MS       wait before every reply
  pause=N       before reply N make OUTDIR/paused, and wait until OUTDIR/go is there
  auth=A,B      offer these ways to log in; XOAUTH2 and OAUTHBEARER work (RFC 7628)
  token=TEXT    and this is the token they want
  say_end=TEXT  the reply after the final dot, behind "250 "; %d is the number of the mail
Recipients bad@... get 550, grey@... get 450."""
import base64, os, socket, sys, threading, time

out = sys.argv[1]
args = sys.argv[2:]
port = int(args.pop(0)) if args and args[0].isdigit() else 0
opt = {k: int(v) if v.isdigit() else v for k, v in (a.split("=", 1) for a in args)}
lock = threading.Lock()
count = {"mail": 0, "stored": 0, "reply": 0}
os.makedirs(out, exist_ok=True)
log = open(os.path.join(out, "log"), "a", buffering=1)


class Gone(Exception):
    pass


def store(data):
    with lock:
        count["stored"] += 1
        name = os.path.join(out, "%04d.eml" % count["stored"])
        with open(name + ".tmp", "wb") as f:
            f.write(data)
        os.rename(name + ".tmp", name)


class Session:
    def __init__(self, sock):
        self.sock, self.f = sock, sock.makefile("rb")
        self.n = self.here = self.good = 0

    def say(self, text):
        if "slow" in opt:
            time.sleep(opt["slow"] / 1000)
        with lock:
            count["reply"] += 1
            pause = count["reply"] == opt.get("pause")
        if pause:
            open(os.path.join(out, "paused"), "w").close()
            while not os.path.exists(os.path.join(out, "go")):
                time.sleep(0.01)
        log.write("S %s\n" % text)
        self.sock.sendall(text.encode() + b"\r\n")

    def at(self, key):
        return opt.get(key) == self.n

    def line(self):
        data = self.f.readline()
        if not data:
            raise Gone
        return data

    def mail(self):
        if "session" in opt and self.here >= opt["session"]:
            self.say("421 4.7.0 too many mails in one session")
            raise Gone
        with lock:
            count["mail"] += 1
            self.n = count["mail"]
        self.here += 1
        self.good = 0
        if self.at("drop_mail"):
            raise Gone
        if self.n >= opt.get("later_mail", 1 << 30):
            return self.say("451 4.3.0 later, please")
        self.say("250 2.1.0 ok")

    def rcpt(self, line):
        if b"<bad@" in line:
            return self.say("550 5.1.1 no such user")
        if b"<grey@" in line:
            return self.say("450 4.2.0 greylisted")
        self.good += 1
        self.say("250 2.1.5 ok")
        if self.at("drop_rcpt"):
            raise Gone

    def data(self):
        self.say("354 go on")
        lines = []
        while True:
            line = self.line()
            if self.at("drop_data"):
                raise Gone
            if line == b".\r\n":
                break
            if not line.endswith(b"\r\n") or b"\r" in line[:-2]:
                log.write("E bare CR or LF in mail %d\n" % self.n)
            if line.startswith(b"."):
                line = line[1:]
            lines.append(line[:-2] + b"\n")
        if self.at("later_end"):
            return self.say("451 4.3.0 later, please")
        if self.at("refuse_end"):
            return self.say("550 5.7.1 not this one")
        if self.at("lose_end"):
            raise Gone
        store(b"".join(lines))
        if self.at("keep_end"):
            raise Gone
        self.say("250 " + opt.get("say_end", "2.0.0 taken as %d").replace("%d", str(self.n)))

    def auth(self, words):
        if len(words) < 3:
            self.say("334 ")
            words.append(self.line().strip())
        got = base64.b64decode(words[2]).split(b"\x01")
        log.write("- login %r\n" % got)
        if b"auth=Bearer " + str(opt.get("token")).encode() in got:
            return self.say("235 2.7.0 welcome")
        self.say("334 " + base64.b64encode(b'{"status":"401"}').decode())
        self.line()
        self.say("535 5.7.8 not with this token")

    def run(self):
        self.say("220 sink.example.org ESMTP")
        while True:
            line = self.line()
            log.write("C %s\n" % line.decode("latin-1").rstrip())
            word = line[:4].upper()
            if word in (b"EHLO", b"HELO"):
                log.write("- connection\n")
                self.say("250-sink.example.org")
                if "auth" in opt:
                    self.say("250-AUTH " + opt["auth"].replace(",", " "))
                self.say("250 8BITMIME")
            elif word == b"AUTH":
                self.auth(line.split())
            elif word == b"MAIL":
                self.mail()
            elif word == b"RCPT":
                self.rcpt(line)
            elif word == b"DATA":
                self.data() if self.good else self.say("503 5.5.1 nobody to send it to")
            elif word == b"QUIT":
                self.say("221 2.0.0 bye")
                raise Gone
            else:
                self.say("250 2.0.0 ok")


def serve(sock):
    s = Session(sock)
    try:
        s.run()
    except (Gone, OSError):
        pass
    finally:
        s.f.close()
        sock.close()


srv = socket.socket()
srv.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
srv.bind(("127.0.0.1", port))
srv.listen(50)
with open(os.path.join(out, "port.tmp"), "w") as f:
    f.write("%d\n" % srv.getsockname()[1])
os.rename(os.path.join(out, "port.tmp"), os.path.join(out, "port"))
while True:
    conn, _ = srv.accept()
    threading.Thread(target=serve, args=(conn,), daemon=True).start()
