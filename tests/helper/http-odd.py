#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""http-odd.py PORTFILE LOG FILE [CERT]: a web server on loopback that does what real ones do at
their worst. The first part of the path says what; FILE is a gzipped mbox, CERT a file with
certificate and key for https.

    /good/...      FILE                /busy/N/...   503 with Retry-After: 1, N times, then FILE
    /cut/...       half of FILE, then the connection ends     /silent/... takes the request, says nothing
    /html/...      a page with 200     /loop/...     a redirect to itself
    /moved/...     a redirect to /good/...           /down/...     a redirect to file:///etc/passwd
    /many/...      429 without end     /truncated/... a gzip that ends early, whole for HTTP
    /later/VALUE/...  503 with that Retry-After      /empty/...    200 with nothing in it
    /bomb/...      600 MB of zeros, gzipped          /text/...     text, gzipped
    /short/...     a Content-Length that is too small    /old/...   FILE in HTTP/1.0, closed at its end
    /turns/...     FILE, then half of it as in truncated, in turns
    /type/...      a Content-Type with an escape sequence
    /endless/CODE/...  that status, and a body without end        /heads/...    fields without end
    /drip/N/...    FILE, N bytes a second
    /CODE/...      that status
Each request is a line of LOG: method, path, User-Agent."""
import gzip, http.server, os, ssl, sys, threading, time, zlib

portfile, log, name = sys.argv[1:4]
data = open(name, "rb").read()
seen = {}

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, code, body=b"", kind="application/gzip", **more):
        self.send_response(code)
        for key, value in more.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def begin(self, code, **more):
        self.send_response(code)
        for key, value in more.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        self.close_connection = True

    def bomb(self):
        pack, zeros = zlib.compressobj(9, zlib.DEFLATED, 31), bytes(1 << 20)
        return b"".join(pack.compress(zeros) for i in range(600)) + pack.flush()

    def odd(self, what, part):
        if what == "later":
            self.answer(503, b"later", "text/plain", Retry_After=part[2].replace("_", " "))
        elif what == "empty":
            self.answer(200)
        elif what == "bomb":
            self.answer(200, self.bomb())
        elif what == "text":
            self.answer(200, gzip.compress(b"<html>no mbox\n"))
        elif what == "short":
            self.begin(200, Content_Type="application/gzip", Content_Length=str(len(data) // 2))
            self.wfile.write(data)
        elif what == "drip":
            self.begin(200, Content_Type="application/gzip", Content_Length=str(len(data)))
            for at in range(0, len(data), int(part[2])):
                self.wfile.write(data[at:at + int(part[2])])
                time.sleep(1)
        elif what == "old":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: application/gzip\r\n\r\n" + data)
            self.close_connection = True
        elif what == "turns":
            n = seen[self.path] = seen.get(self.path, 0) + 1
            self.answer(200, data if n % 2 else data[:len(data) // 2])
        elif what == "type":
            self.answer(200, b"x", "text/\033[31mred")
        elif what == "endless":
            self.begin(int(part[2]), Content_Type="application/gzip", Location="/good/x")
            while True:
                self.wfile.write(bytes(1 << 20))
        elif what == "heads":
            self.send_response(200)
            self.flush_headers()
            while True:
                self.wfile.write(b"X-More: and more of them\r\n" * 1000)
        else:
            return False
        return True

    def do_POST(self):
        self.do_GET()

    def do_GET(self):
        with open(log, "a") as f:
            f.write("%s %s %s\n" % (self.command, self.path, self.headers.get("User-Agent")))
        part = self.path.split("/")
        what = part[1]
        if self.odd(what, part):
            pass
        elif what == "good":
            self.answer(200, data)
        elif what == "busy":
            n = seen[self.path] = seen.get(self.path, 0) + 1
            if n <= int(part[2]):
                self.answer(503, b"later", "text/plain", Retry_After="1")
            else:
                self.answer(200, data)
        elif what == "many":
            self.answer(429, b"slow down", "text/plain", Retry_After="1")
        elif what == "cut":
            self.send_response(200)
            self.send_header("Content-Type", "application/gzip")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[:len(data) // 2])
            self.close_connection = True
        elif what == "truncated":
            self.answer(200, data[:len(data) // 2])
        elif what == "silent":
            time.sleep(300)
        elif what == "html":
            self.answer(200, b"<html>", "text/html; charset=UTF-8")
        elif what == "loop":
            self.answer(302, Location=self.path)
        elif what == "moved":
            self.answer(301, Location=self.path.replace("/moved/", "/good/", 1))
        elif what == "down":
            self.answer(302, Location="file:///etc/passwd")
        else:
            self.answer(int(what), b"no", "text/plain")

class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *args):
        pass                    # who hangs up in the middle of a body is right to do so

server = Server(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 4:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(portfile + ".tmp", "w") as f:
    f.write("%d\n" % server.server_address[1])
os.rename(portfile + ".tmp", portfile)
server.serve_forever()
