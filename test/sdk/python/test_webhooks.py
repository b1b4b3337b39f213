"""Verification of webhooks, with the library of Standard Webhooks as somebody else's."""

from __future__ import annotations

import base64
import http.server
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone

import pytest
import standardwebhooks
from onward import Onward, errors, verify_webhook
from onward.testing import SECRET, sign_event
from onward.webhooks import is_custom, is_thin

OTHER = "whsec_" + base64.b64encode(b"another secret of a webhook").decode()
DATA = {"id": "1", "type": "contact", "email": "ada@example.com", "first_name": "Åda"}


def test_a_signed_event_is_verified() -> None:
    webhook = sign_event("contact.created", DATA)
    event = verify_webhook(webhook.body, webhook.headers, SECRET)
    assert event["type"] == "contact.created"
    if event["type"] == "contact.created":
        assert event["data"]["email"] == "ada@example.com"
    assert not is_thin(event) and not is_custom(event)
    shouted = {name.upper(): value for name, value in webhook.headers.items()}
    assert verify_webhook(webhook.body.decode(), shouted, SECRET)["id"] == event["id"]
    assert standardwebhooks.Webhook(SECRET).verify(webhook.body.decode(), dict(webhook.headers))


def test_what_the_library_signs_is_verified() -> None:
    body = '{"type":"contact.created","data":{}}'
    now = time.time()
    at = datetime.fromtimestamp(now, timezone.utc)
    signature = standardwebhooks.Webhook(SECRET).sign("message", at, body)
    headers = {
        "webhook-id": "message",
        "webhook-timestamp": str(int(now)),
        "webhook-signature": signature,
    }
    assert verify_webhook(body, headers, SECRET)["type"] == "contact.created"


def test_a_wrong_secret_is_refused() -> None:
    webhook = sign_event("contact.created", DATA)
    with pytest.raises(errors.WebhookInvalid, match="No signature"):
        verify_webhook(webhook.body, webhook.headers, OTHER)
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(webhook.body, webhook.headers, "")


@pytest.mark.parametrize("seconds", [-301, 302])
def test_an_old_webhook_and_one_from_the_future_are_refused(seconds: int) -> None:
    webhook = sign_event("contact.created", DATA, timestamp=time.time() + seconds)
    with pytest.raises(errors.WebhookInvalid, match="300 seconds"):
        verify_webhook(webhook.body, webhook.headers, SECRET)
    assert verify_webhook(webhook.body, webhook.headers, SECRET, tolerance=400)


def test_a_changed_body_and_missing_headers_are_refused() -> None:
    webhook = sign_event("contact.created", DATA)
    with pytest.raises(errors.WebhookInvalid):
        verify_webhook(webhook.body + b" ", webhook.headers, SECRET)
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        less = {key: value for key, value in webhook.headers.items() if key != name}
        with pytest.raises(errors.WebhookInvalid, match=name):
            verify_webhook(webhook.body, less, SECRET)
    with pytest.raises(errors.WebhookInvalid):
        verify_webhook(webhook.body, {**webhook.headers, "webhook-timestamp": "soon"}, SECRET)


def test_either_secret_verifies_while_one_is_rotated() -> None:
    old = sign_event("contact.created", DATA)
    new = sign_event("contact.created", DATA, secret=OTHER)
    assert verify_webhook(new.body, new.headers, [SECRET, OTHER])
    assert verify_webhook(old.body, old.headers, [SECRET, OTHER])


@dataclass
class Receiver:
    url: str = ""
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def wait(self, count: int) -> tuple[dict[str, str], bytes]:
        until = time.monotonic() + 20
        while len(self.received) < count:
            assert time.monotonic() < until, "No webhook came"
            time.sleep(0.05)
        return self.received[count - 1]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.received.append((dict(self.headers.items()), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found.url = f"http://127.0.0.1:{server.server_port}/hook"
    yield found
    server.shutdown()


def test_webhooks_of_the_service_are_verified_through_a_rotation(
    onward: Onward, receiver: Receiver
) -> None:
    subscription = onward.webhook_subscriptions.create(
        {"target_url": receiver.url, "event_types": ["contact.created"]}
    )
    old = subscription["signing_secret"]
    settings = onward.webhook_subscriptions.update_delivery_settings(
        subscription["id"], {"asymmetric_signing": True}
    )
    public_key = settings["public_key"]
    contact = onward.contacts.create({"email": "grace@example.com"})
    headers, body = receiver.wait(1)
    event = verify_webhook(body, headers, old)
    assert event["type"] == "contact.created" and event["data"]["id"] == contact["id"]
    assert verify_webhook(body, headers, public_key)
    with pytest.raises(errors.WebhookInvalid):
        verify_webhook(body + b" ", headers, public_key)

    new = onward.webhook_subscriptions.rotate_secret(subscription["id"], {})["signing_secret"]
    onward.contacts.create({"email": "mary@example.com"})
    headers, body = receiver.wait(2)
    assert verify_webhook(body, headers, old) and verify_webhook(body, headers, new)
    with pytest.raises(errors.WebhookInvalid):
        verify_webhook(body, headers, OTHER)
    onward.webhook_subscriptions.delete(subscription["id"])
