"""The error that every failed call raises."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import httpx

    from ._generated.models import ErrorItem


class OnwardError(Exception):
    """A call failed. Each code of the service has a class of its own in `onward.errors`.

    Codes of failures without an answer of the service: `connection_failed`, `timed_out`,
    `wait_timed_out`, `unexpected_answer`, `credentials_missing`, `webhook_invalid`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        problems: Sequence[ErrorItem] = (),
        request_id: str | None = None,
        operation_id: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """`contact_merged`, `rate_limited`, …"""
        self.status = status
        """HTTP status; None without an answer."""
        self.problems = tuple(problems)
        """Everything that the answer names, such as each invalid field."""
        self.request_id = request_id
        """`X-Request-Id`: support finds the request by it."""
        self.operation_id = operation_id
        self.headers = headers if headers is not None else {}


class ConnectionFailed(OnwardError):
    """The service cannot be reached, or the connection broke."""


class TimedOut(ConnectionFailed):
    """The service did not answer within `timeout`."""


class WaitTimedOut(OnwardError):
    """What `wait_for` waits for has not ended within its time; it goes on."""


class UnexpectedAnswer(OnwardError):
    """The answer is not one of the service; a proxy may have sent it."""


class CredentialsMissing(OnwardError):
    """The call needs a client id and secret, or an access token."""


class WebhookInvalid(OnwardError):
    """The webhook was not signed with this secret, is too old, or is no event."""


def error_of(response: httpx.Response, operation_id: str) -> OnwardError:
    """The error that an answer stands for."""
    from ._generated.errors import classes

    request_id = response.headers.get("x-request-id")
    where = "" if request_id is None else f" (request {request_id})"
    problems = _problems_of(response.content)
    status, headers = response.status_code, response.headers
    if not problems:
        return UnexpectedAnswer(
            "unexpected_answer",
            f"{operation_id} was answered {status} in an unknown form{where}",
            status=status,
            request_id=request_id,
            operation_id=operation_id,
            headers=headers,
        )
    code = problems[0]["code"]
    return classes.get(code, OnwardError)(
        code,
        f"{code}: {problems[0]['detail']}{where}",
        status=status,
        problems=problems,
        request_id=request_id,
        operation_id=operation_id,
        headers=headers,
    )


def _problems_of(content: bytes) -> list[ErrorItem]:
    try:
        body: Any = json.loads(content)
        errors = body["errors"]
        return [one for one in errors if isinstance(one["code"], str) and "detail" in one]
    except (ValueError, TypeError, KeyError):
        return []
