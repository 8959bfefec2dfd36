"""A client of a relay, without `createRelayClient`: Python's standard library alone.

It logs in for a person who has signed in to an app, answers what the bank asks, and lists where the session can transfer to. A
response that is lost is asked for; nothing is sent twice. Its settings are variables:

    RELAY_URL, APP_TOKEN    the address of the relay, and the token that your back end has issued to the app
"""

import base64
import json
import os
import secrets
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

RELAY_URL = os.environ["RELAY_URL"]
HEADERS = {"X-Ventanilla": "1", "Authorization": f"Bearer {os.environ['APP_TOKEN']}"}


def send(method, path, headers, form=None):
    """Sends one request. Returns the HTTP code, the headers and the body of the relay's response; None if it is lost."""
    data = None if form is None else urlencode(form).encode()
    try:
        response = urlopen(Request(RELAY_URL + path, data, {**HEADERS, **headers}, method=method), timeout=100)
    except HTTPError as refusal:
        response = refusal
    except (OSError, HTTPException):
        return None
    with response:
        # One without this header is a proxy's.
        if "X-Ventanilla" not in response.headers:
            return None
        try:
            return response.status, response.headers, json.load(response)
        except (OSError, ValueError, HTTPException):
            return None


def is_open(result):
    """Whether a submit has no result yet: its response is lost, it is still under way, or the relay can't say."""
    return result is None or (result[0] in (429, 503) and "X-Ventanilla-Submit" not in result[1])


class Login:
    """One login: from its form to its end."""

    def __init__(self, provider):
        self.provider = provider
        self.step = None
        self.number = 1
        self.id = str(uuid.uuid4())
        # A secret: keep it where the app keeps its other secrets, and out of each log.
        self.token = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()

    def headers(self, **more):
        named = {"X-Ventanilla-Login": self.id, "X-Ventanilla-Token": self.token}
        return named | ({"X-Session-Key": self.step} if self.step else {}) | more

    def submit(self, method, path, form=None):
        """Sends something once, and asks how it has ended if the response does not say it."""
        numbered = self.headers(**{"X-Ventanilla-Submit": str(self.number)})
        end = time.monotonic() + 240
        result = send(method, path, numbered, form)
        while is_open(result):
            if time.monotonic() > end:
                raise SystemExit("The relay does not say how the login has ended. The bank may have got it.")
            time.sleep(int(result[1]["Retry-After"] or 3) if result else 3)
            result = send("GET", "/submit/", numbered)
        _, headers, body = result
        # As the relay says it: another screen of the same login may have been faster.
        self.number = int(headers["X-Ventanilla-Submit"] or self.number - 1) + 1
        self.step = body.get("key") or self.step
        return body

    def log_in(self, username, password):
        form = {"provider": self.provider, "username": username, "password": password}
        return self.submit("POST", "/login/", form)

    def answer(self, field, text):
        return self.submit("POST", "/login/", {"provider": self.provider, field: text})

    def list_destinations(self):
        response = send("GET", "/transfer/destinations", self.headers())
        return [destination["name"] for destination in response[2]["destinations"]] if response else []

    def cancel(self):
        """Ends the login at the relay. A session at the bank stays open."""
        send("POST", "/cancel/", self.headers())


def main():
    login = Login("test")
    body = login.log_in("12345otp", "asdfg")
    while body.get("status") == "interaction_required":
        if body.get("repeat"):
            login.cancel()
            return print("The bank has not accepted the answer")
        print("The bank asks:", body["context"], flush=True)
        body = login.answer(body["field"], "8888")  # in production: ask the person
    if body.get("status") == "unknown_submit":
        return print("Nothing was sent")
    print(body.get("status") or body.get("error"))
    if body.get("status") == "logged_in":
        for name in login.list_destinations():
            print("Can transfer to", name)


if __name__ == "__main__":
    main()
