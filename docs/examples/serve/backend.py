"""A back end without a page of its own, for `ventanilla serve`: Python's standard library alone.

It makes a session, prints the address for the person, waits for the signed webhook, takes the session key, and lists where the
session can transfer to. Its settings are variables:

    SERVE_URL, VENTANILLA_SERVE_KEY            where `ventanilla serve` listens, and its key
    VENTANILLA_WEBHOOK_SECRET, WEBHOOK_PORT    what signs the webhooks, and the port that --webhook names
    BANK_URL, BANK_API_KEY                     the service, as --base-url and VENTANILLA_API_KEY
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlencode
from urllib.request import Request, urlopen

SERVE_URL = os.environ["SERVE_URL"]
SERVE_KEY = os.environ["VENTANILLA_SERVE_KEY"]
WEBHOOK_KEY = base64.b64decode(os.environ["VENTANILLA_WEBHOOK_SECRET"].removeprefix("whsec_"))


def call(method, path, body=None, **more):
    """Calls the API of `ventanilla serve`."""
    headers = {"authorization": f"Bearer {SERVE_KEY}", "content-type": "application/json", **more}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(SERVE_URL + path, data, headers, method=method)) as response:
        return json.load(response)


def is_signed(headers, body):
    """Checks a webhook as Standard Webhooks say: it is ours, unchanged, and not older than five minutes."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = b".".join([message_id.encode(), timestamp.encode(), body])
    expected = base64.b64encode(hmac.digest(WEBHOOK_KEY, signed, hashlib.sha256)).decode()
    return any(hmac.compare_digest(one, f"v1,{expected}") for one in headers["webhook-signature"].split(" "))


class Webhooks(BaseHTTPRequestHandler):
    """Receives the ends of sessions. One may come twice: they are kept by their ids."""

    ends = {}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if not is_signed(self.headers, body):
            return self.respond(401)
        end = json.loads(body)["data"]
        self.ends[end["id"]] = end
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


def wait_for_end(server, session_id):
    """Waits for the webhook of a session."""
    while session_id not in Webhooks.ends:
        server.handle_request()
    return Webhooks.ends[session_id]


def list_destinations(key):
    """Asks the service (contract, section 4.4)."""
    url = f"{os.environ['BANK_URL']}/transfer/destinations?{urlencode({'key': key})}"
    with urlopen(Request(url, headers={"X-API-Key": os.environ["BANK_API_KEY"]})) as response:
        return [destination["name"] for destination in json.load(response)["destinations"]]


def main():
    with HTTPServer(("127.0.0.1", int(os.environ["WEBHOOK_PORT"])), Webhooks) as server:
        session = call("POST", "/sessions", {"user": "42", "provider": "test"})
        print("Log in at", session["url"], flush=True)
        end = wait_for_end(server, session["id"])
        print("Account", end["user"], end["status"])
        if end["status"] != "logged_in":
            return
        # Store it. Until then the same call gives it again, whatever becomes of a response.
        recipient = {"Idempotency-Key": f"store-key-of-{session['id']}"}
        key = call("POST", f"/sessions/{session['id']}/key", **recipient)["key"]
        for name in list_destinations(key):
            print("Can transfer to", name)


if __name__ == "__main__":
    main()
