"""Receives webhooks: verifies each, accepts it once, answers, and works afterwards."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Lock, Thread

from standardwebhooks import Webhook, WebhookVerificationError

MAX_BYTES = 1_000_000
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
port = int(os.environ.get("PORT", "4000"))
# In production: a table with a unique key, in the transaction that stores the work.
accepted = set()
lock = Lock()
work = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers.get("Content-Length", 0))
        if size > MAX_BYTES:
            return self.answer(400)
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = webhook.verify(self.rfile.read(size), headers)
        except WebhookVerificationError as error:
            print("refused:", error, flush=True)
            return self.answer(400)
        with lock:
            is_new = headers["webhook-id"] not in accepted
            accepted.add(headers["webhook-id"])
        self.answer(204)
        if is_new:
            work.put(event)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


def handle():
    while True:
        print("handled", json.dumps(work.get(), separators=(",", ":")), flush=True)


Thread(target=handle, daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
print("listening on", port, flush=True)
server.serve_forever()
