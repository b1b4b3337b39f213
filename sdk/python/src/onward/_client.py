"""The client that blocks."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import httpx

from ._base import BaseClient, ContentType, content_type_of, timeout_of
from ._core import Answer, Authorize, Options, Send, Sleep, Steps
from ._generated.resources import Namespaces
from ._waiting import has_ended, lookup_of, pause_before, timed_out

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._generated import models as m

T = TypeVar("T")


class Onward(BaseClient, Namespaces):
    """A client of Onward that blocks. It may be shared by threads.

    `onward.contacts.create({...})`, `for contact in onward.contacts.list(): ...`
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        scope: str | None = None,
        access_token: str | Callable[[], str] | None = None,
        timeout: float = 30.0,
        max_retries: int = 4,
        allow_http: bool = False,
        http: httpx.Client | None = None,
    ) -> None:
        BaseClient.__init__(
            self,
            base_url,
            client_id,
            client_secret,
            scope,
            access_token,
            timeout,
            max_retries,
            allow_http,
        )
        Namespaces.__init__(self, self)
        self._http = http or httpx.Client()
        self._owns_http = http is None
        self._lock = threading.Lock()

    def call(
        self,
        operation_id: str,
        *path: str,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        options: Options | None = None,
    ) -> Answer:
        """Any operation by its id, such as `getContact`, with the status and headers."""
        return self._run(self._steps(operation_id, path, body, query, options))

    def wait_for(self, resource: T, *, timeout: float = 600.0) -> T:
        """The execution, batch, export, erasure or replay once it has ended."""
        until = time.monotonic() + timeout
        known = cast("Mapping[str, Any]", resource)
        answer: Answer | None = None
        poll = 0
        while not has_ended(known):
            pause = pause_before(poll, answer)
            if time.monotonic() + pause > until:
                raise timed_out(known, timeout)
            time.sleep(pause)
            poll += 1
            operation_id, path = lookup_of(known)
            answer = self.call(operation_id, *path)
            known = answer.data
        return cast("T", known)

    def upload_file(
        self, path: str | os.PathLike[str], *, content_type: ContentType | None = None
    ) -> m.Upload:
        """Uploads a CSV or NDJSON file piece by piece, for a batch operation."""
        with open(path, "rb") as file:
            return self.uploads.create(file, content_type=content_type or content_type_of(path))

    def run_file(
        self, path: str | os.PathLike[str], batch: m.BatchOperationCreate, **options: Unpack[Options]
    ) -> m.BatchOperation:
        """Uploads a file of records, CSV or NDJSON, and starts a batch of it."""
        upload = self.upload_file(path)
        return self.batch_operations.create({**batch, "upload_id": upload["id"]}, **options)

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Onward:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _run(self, steps: Steps) -> Answer:
        try:
            step = next(steps)
            while True:
                try:
                    result = self._take(step)
                except httpx.TransportError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
        except StopIteration as end:
            return cast("Answer", end.value)

    def _take(self, step: Authorize | Send | Sleep) -> Any:
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Authorize):
            return self._given_token() or self._renew(step.refused)
        return self._http.request(
            step.verb,
            step.url,
            headers=step.headers,
            content=step.content,
            timeout=timeout_of(step),
        )

    def _renew(self, refused: str | None) -> str:
        # Threads that find the token expired wait for the first of them.
        with self._lock:
            return self._cached_token(refused) or self._keep_token(self._run(self._token_steps()))
