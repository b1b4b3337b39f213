"""What a call does, without input or output: the two clients drive the same steps.

`run_call` is a generator. It yields the steps (authorize, send, sleep), and the client passes their
results back in.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypedDict, Union

import httpx

from ._encoding import read_body, write_body, write_path, write_query
from ._errors import ConnectionFailed, OnwardError, TimedOut, error_of
from ._version import __version__

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

UploadBody: TypeAlias = "str | bytes | BinaryIO"
"""A file that is opened in binary mode is sent piece by piece."""

FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
LONGEST_PAUSE = 60.0
"""A service that asks for a longer pause is left to the caller."""


class Options(TypedDict, total=False):
    """What every call takes besides its own arguments."""

    idempotency_key: str
    """For all tries of this call. By default, a random one for each call that changes something."""
    if_match: str
    """`ETag` of the version that the call expects; another one is refused with 412."""
    timeout: float
    """Seconds for each try; 30 by default, and none for uploads."""
    max_retries: int
    """Tries after the first; 4 by default."""
    access_token: str
    """Instead of the token of the client, such as the token of a widget."""
    content_type: str
    """Of the body, where an operation takes several: `text/csv`, `application/x-ndjson`, …"""
    headers: Mapping[str, str]
    """Sent as they are, such as `{"Prefer": "respond-async"}`."""


class Operation(NamedTuple):
    """An operation of the service: one line of the generated table."""

    id: str
    verb: str
    path: str
    flags: str


@dataclass(frozen=True)
class Answer:
    """An answer with its status and headers."""

    data: Any
    status: int
    headers: Mapping[str, str]

    @property
    def etag(self) -> str | None:
        """The version of the resource, for `if_match`."""
        return self.headers.get("etag")

    @property
    def request_id(self) -> str | None:
        return self.headers.get("x-request-id")


@dataclass(frozen=True)
class Authorize:
    """Asks the client for a token other than the one that was refused."""

    refused: str | None


@dataclass(frozen=True)
class Send:
    verb: str
    url: str
    headers: Mapping[str, str]
    content: bytes | BinaryIO | None
    timeout: float | None

    def with_token(self, token: str) -> Send:
        return replace(self, headers={**self.headers, "authorization": f"Bearer {token}"})


@dataclass(frozen=True)
class Sleep:
    seconds: float


Step = Union[Authorize, Send, Sleep]
Steps = Generator[Step, Any, Answer]


@dataclass(frozen=True)
class Settings:
    base_url: str
    timeout: float
    max_retries: int


def run_call(
    settings: Settings,
    operation: Operation,
    path: Sequence[str],
    query: Mapping[str, Any] | None,
    body: Any,
    options: Options,
) -> Steps:
    """The steps of one call with all of its tries."""
    send = _first_try(settings, operation, path, query, body, options)
    file = None if isinstance(send.content, bytes) else send.content
    start = 0 if file is None else file.tell()
    is_safe = operation.verb == "GET" or "idempotency-key" in send.headers
    retries = options.get("max_retries", settings.max_retries)
    token = options.get("access_token")
    renews = token is None and "t" in operation.flags
    refused: str | None = None
    retry = 0
    while True:
        if renews:
            token = yield Authorize(refused)
        if file is not None:
            file.seek(start)
        asked: float | None = None
        try:
            response: httpx.Response = yield send if token is None else send.with_token(token)
        except httpx.TransportError as error:
            failure: OnwardError = _failure_of(error, operation.id)
            is_worth = is_safe or isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
        else:
            if response.is_success:
                return Answer(read_body(response), response.status_code, response.headers)
            failure = error_of(response, operation.id)
            if renews and refused is None and failure.code in ("token_expired", "token_invalid"):
                refused = token
                continue
            asked = read_retry_after(response.headers.get("retry-after"))
            is_worth = is_worth_repeating(failure, is_safe)
        retry += 1
        seconds = delay_before(retry, asked)
        if retry > retries or not is_worth or seconds is None:
            raise failure
        yield Sleep(seconds)


def _first_try(
    settings: Settings,
    operation: Operation,
    path: Sequence[str],
    query: Mapping[str, Any] | None,
    body: Any,
    options: Options,
) -> Send:
    url = settings.base_url + write_path(operation.path, path)
    if query and (written := write_query(query)):
        url = f"{url}?{written}"
    content, content_type = write_body(operation.flags, body, options.get("content_type"))
    headers = {
        "accept": "application/json, */*;q=0.5",
        "user-agent": f"onward-python/{__version__}",
        **{name.lower(): value for name, value in options.get("headers", {}).items()},
    }
    if content_type is not None:
        headers["content-type"] = content_type
    if "if_match" in options:
        headers["if-match"] = options["if_match"]
    if "k" in operation.flags:
        headers["idempotency-key"] = options.get("idempotency_key") or str(uuid.uuid4())
    timeout = options.get("timeout", None if "u" in operation.flags else settings.timeout)
    return Send(operation.verb, url, headers, content, timeout)


def _failure_of(error: httpx.TransportError, operation_id: str) -> ConnectionFailed:
    if isinstance(error, httpx.TimeoutException):
        failure: ConnectionFailed = TimedOut(
            "timed_out", f"{operation_id} was not answered in time", operation_id=operation_id
        )
    else:
        failure = ConnectionFailed(
            "connection_failed",
            f"{operation_id} got no answer: {error or type(error).__name__}",
            operation_id=operation_id,
        )
    failure.__cause__ = error
    return failure


def is_worth_repeating(failure: OnwardError, is_safe: bool) -> bool:
    """Whether another try may help, and does no harm."""
    # Statuses after which the service has done nothing.
    if failure.status in (429, 503):
        return True
    # The try before is still at work.
    if failure.code == "idempotency_in_progress":
        return True
    return is_safe and failure.status in (408, 500, 502, 504)


def delay_before(retry: int, asked: float | None) -> float | None:
    """Seconds before the next try; None where the service asks for too long a pause."""
    if asked is not None:
        # Jitter after what the service asks for, never before.
        return None if asked > LONGEST_PAUSE else asked + random.random() * 0.25
    return float(min(FIRST_DELAY * 2 ** (retry - 1), LONGEST_DELAY) * (0.5 + random.random() / 2))


def read_retry_after(text: str | None) -> float | None:
    """Seconds of `Retry-After`, which is a number or a date."""
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
