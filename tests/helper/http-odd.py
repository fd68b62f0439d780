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
    /CODE/...      that status
Each request is a line of LOG: method, path, User-Agent."""
import http.server, os, ssl, sys, threading, time

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

    def do_GET(self):
        with open(log, "a") as f:
            f.write("%s %s %s\n" % (self.command, self.path, self.headers.get("User-Agent")))
        part = self.path.split("/")
        what = part[1]
        if what == "good":
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

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 4:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(portfile + ".tmp", "w") as f:
    f.write("%d\n" % server.server_address[1])
os.rename(portfile + ".tmp", portfile)
server.serve_forever()
