"""For tests of your own code: signed webhooks, and a service that answers what you say."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Union

import httpx

from . import webhooks
from ._async_client import AsyncOnward
from ._client import Onward

SECRET = "whsec_b253YXJkLXRlc3Qtc2VjcmV0LW9ud2FyZA=="
"""A secret for tests only."""


@dataclass(frozen=True)
class SignedWebhook:
    """What a receiver gets."""

    body: bytes
    headers: Mapping[str, str]


def sign_event(
    event_type: str,
    data: Mapping[str, Any],
    *,
    secret: str = SECRET,
    timestamp: float | None = None,
    **fields: Any,
) -> SignedWebhook:
    """A webhook as the service sends it, signed with `secret`."""
    at = time.time() if timestamp is None else timestamp
    message_id = str(uuid.uuid4())
    event = {
        "id": message_id,
        "type": event_type,
        "timestamp": datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds"),
        "team_id": str(uuid.uuid4()),
        "api_version": "v2",
        "sequence": 1,
        "data": dict(data),
        **fields,
    }
    body = json.dumps(event).encode()
    headers = webhooks.sign(body, secret, message_id=message_id, timestamp=int(at))
    return SignedWebhook(body, {"content-type": "application/json", **headers})


Reply = Union[Mapping[str, Any], httpx.Response, Exception]


@dataclass
class FakeService:
    """Answers calls from memory: `service.on("GET", "/v2/partner/contacts/1", {"id": "1"})`.

    Replies to the same address are given in turn, and the last one again. `requests` has what was
    sent. Tokens are given out without being asked for.
    """

    requests: list[httpx.Request] = field(default_factory=list)
    _replies: dict[tuple[str, str], list[Reply]] = field(default_factory=dict)

    def on(self, verb: str, path: str, *replies: Reply | Callable[[], Reply]) -> None:
        known = self._replies.setdefault((verb, path), [])
        known.extend(reply() if callable(reply) else reply for reply in replies)

    def client(self, **settings: Any) -> Onward:
        return Onward(
            base_url="https://onward.test",
            client_id="test",
            client_secret="test",
            http=httpx.Client(transport=httpx.MockTransport(self._answer)),
            **settings,
        )

    def async_client(self, **settings: Any) -> AsyncOnward:
        return AsyncOnward(
            base_url="https://onward.test",
            client_id="test",
            client_secret="test",
            http=httpx.AsyncClient(transport=httpx.MockTransport(self._answer)),
            **settings,
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        key = (request.method, request.url.path)
        replies = self._replies.get(key)
        if not replies:
            if key == ("POST", "/oauth2/token"):
                return httpx.Response(200, json={"access_token": "test", "expires_in": 3600})
            return failure(404, "not_found", f"FakeService has no reply to {key[0]} {key[1]}")
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, httpx.Response) else httpx.Response(200, json=reply)


def failure(status: int, code: str, detail: str = "", **headers: str) -> httpx.Response:
    """The answer of a failed call: `failure(429, "rate_limited", retry_after="1")`."""
    item = {"code": code, "title": code, "detail": detail, "meta": {"request_id": "", "docs_url": ""}}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"errors": [item]}, headers=names)
