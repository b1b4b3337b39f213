"""Verifies webhooks by Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ._errors import WebhookInvalid

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

    from ._generated.models import CustomEvent, Event

TOLERANCE = 300.0
"""Seconds by which the time of an attempt may differ from the clock of the receiver."""


def verify(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = TOLERANCE,
) -> Event:
    """The event of a webhook, or `WebhookInvalid`.

    `body` is what was sent, before any JSON parser. `secret` is `whsec_…`, or the public key `whpk_…`
    of a subscription with asymmetric signing, or several of them while one is rotated.
    """
    content = body.encode() if isinstance(body, str) else bytes(body)
    names = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in _HEADERS if not names.get(name)]
    if missing:
        raise _invalid(f"The header {missing[0]} is missing.")
    message_id, timestamp, signatures = (names[name] for name in _HEADERS)
    _check_time(timestamp, tolerance)
    secrets = [secret] if isinstance(secret, str) else secret
    signed = f"{message_id}.{timestamp}.".encode() + content
    entries = [entry.partition(",") for entry in signatures.split(" ")]
    if not any(
        _is_signed_by(one, version, signature, signed)
        for one in secrets
        for version, _, signature in entries
    ):
        raise _invalid("No signature was made with this secret.")
    try:
        event: Any = json.loads(content)
    except ValueError:
        raise _invalid("The body is not JSON.") from None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise _invalid("The body is no event.")
    return cast("Event", event)


def is_thin(event: Event) -> bool:
    """Whether `data` has only `id` and `type`, since it is too large or the subscription may not read
    it; read the resource then."""
    return cast("Mapping[str, Any]", event["data"]).get("truncated") is True


def is_custom(event: Event | CustomEvent) -> TypeGuard[CustomEvent]:
    """Whether the type of an event is one that the team has defined: `custom.…`."""
    return event["type"].startswith("custom.")


def sign(body: bytes | str, secret: str, *, message_id: str, timestamp: int) -> dict[str, str]:
    """The headers of a webhook; for tests, and for services that forward webhooks."""
    content = body.encode() if isinstance(body, str) else body
    signature = _signature(secret, f"{message_id}.{timestamp}.".encode() + content)
    return dict(zip(_HEADERS, (message_id, str(timestamp), f"v1,{signature}"), strict=True))


_HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


def _check_time(timestamp: str, tolerance: float) -> None:
    if not timestamp.isdecimal():
        raise _invalid("webhook-timestamp is no time in seconds.")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise _invalid(f"webhook-timestamp is off by more than {tolerance:g} seconds.")


def _is_signed_by(secret: str, version: str, signature: str, signed: bytes) -> bool:
    if secret.startswith("whpk_"):
        return version == "v1a" and _is_signed_by_pair(secret, signature, signed)
    expected = _signature(secret, signed)
    return version == "v1" and hmac.compare_digest(expected.encode(), signature.encode())


def _signature(secret: str, signed: bytes) -> str:
    key = _key_of(secret, "whsec_")
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _is_signed_by_pair(public_key: str, signature: str, signed: bytes) -> bool:
    # An extra of the package: `pip install onward[asymmetric]`.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    key = Ed25519PublicKey.from_public_bytes(_key_of(public_key, "whpk_"))
    try:
        key.verify(base64.b64decode(signature), signed)
    except (InvalidSignature, binascii.Error):
        return False
    return True


def _key_of(secret: str, prefix: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(prefix), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError(f"The secret is not {prefix} and base64")
    return key


def _invalid(message: str) -> WebhookInvalid:
    return WebhookInvalid("webhook_invalid", message)
