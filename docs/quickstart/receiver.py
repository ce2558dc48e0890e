"""Receives webhooks on this machine and verifies each one."""
import hashlib, hmac, json, queue, re, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

def is_genuine(secret: str, header: str, body: bytes, now: float | None = None) -> bool:
    now = time.time() if now is None else now
    key = secret.removeprefix("whsec_")
    parts = [part.strip() for part in header.split(",")]
    t = next((part[2:] for part in parts if part.startswith("t=")), "")
    if not key or not re.fullmatch("[0-9]{1,12}", t) or abs(now - int(t)) > 300:
        return False
    digest = hmac.new(key.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    expected = f"v1={digest}".encode()
    return any(hmac.compare_digest(part.encode(), expected) for part in parts)

MAX_BODY = 1_000_000  # bytes

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch("[0-9]{1,7}", length) or int(length) > MAX_BODY:
            return self.respond(413 if length.isdigit() else 400)
        body = self.rfile.read(int(length))
        if len(body) < int(length):  # the client closed before the end of the body
            return self.respond(400)
        genuine = is_genuine(self.server.secret, self.headers.get("x-webhook-signature", ""), body)
        if genuine:
            self.server.received(json.loads(body))
        self.respond(204 if genuine else 401)

    def respond(self, status: int):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass

class Receiver(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # connections of a burst that wait; 5 by default

    def __init__(self, port: int):
        super().__init__(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/hooks"
        self.secret = ""
        self.events = queue.Queue()
        self.ids = set()

    def listen(self, secret: str):
        self.secret = secret
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def received(self, event: dict):
        if event["event_id"] not in self.ids:  # a delivery can arrive more than once
            self.ids.add(event["event_id"])
            self.events.put(event)

    def next_event(self, submission_id: str, seconds: float = 30) -> dict:
        """Returns the next event of the submission. Raises queue.Empty after `seconds` without an event."""
        while True:
            event = self.events.get(timeout=seconds)
            if event["data"]["submission_id"] == submission_id:
                return event
