"""Which operation shows how far a resource is, and whether it has ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._core import Answer, read_retry_after
from ._errors import WaitTimedOut

ENDED = frozenset({"succeeded", "succeeded_with_errors", "failed", "canceled", "completed"})
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 10.0

# The operation by the type of the resource, and the fields of the parameters of its path.
_LOOKUPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "operation_execution": ("getExecution", ("id",)),
    "batch_operation": ("getBatchOperation", ("id",)),
    "export": ("getExport", ("id",)),
    "contact_erasure": ("getContactErasure", ("id",)),
    "webhook_replay": ("getWebhookReplay", ("subscription_id", "id")),
    "inbound_replay": ("getInboundReplay", ("receiver_id", "id")),
}


def has_ended(resource: Mapping[str, Any]) -> bool:
    """Also what needs no waiting, such as the report of an execution within the request."""
    return "type" not in resource or resource.get("status") in ENDED


def lookup_of(resource: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    kind = resource["type"]
    if kind not in _LOOKUPS:
        raise TypeError(f"wait_for does not know {kind}: {', '.join(_LOOKUPS)}")
    operation_id, fields = _LOOKUPS[kind]
    return operation_id, tuple(resource[field] for field in fields)


def pause_before(poll: int, answer: Answer | None) -> float:
    """Seconds before the next look: longer each time, and never less than the service asks for."""
    pause: float = min(FIRST_PAUSE * 2**poll, LONGEST_PAUSE)
    asked = None if answer is None else read_retry_after(answer.headers.get("retry-after"))
    return pause if asked is None else max(pause, asked)


def timed_out(resource: Mapping[str, Any], seconds: float) -> WaitTimedOut:
    return WaitTimedOut(
        "wait_timed_out",
        f"{resource['type']} {resource['id']} is {resource.get('status')} after {seconds:g} s",
    )
