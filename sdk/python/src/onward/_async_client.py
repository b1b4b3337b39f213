"""The client whose calls are awaited."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

import httpx

from ._base import BaseClient, ContentType, content_type_of, timeout_of
from ._core import Answer, Authorize, Options, Send, Sleep, Steps
from ._generated.resources import AsyncNamespaces
from ._waiting import has_ended, lookup_of, pause_before, timed_out

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._generated import models as m

T = TypeVar("T")

PIECE = 256 * 1024


class AsyncOnward(BaseClient, AsyncNamespaces):
    """A client of Onward whose calls are awaited.

    `await onward.contacts.create({...})`, `async for contact in onward.contacts.list(): ...`
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
        http: httpx.AsyncClient | None = None,
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
        AsyncNamespaces.__init__(self, self)
        self._http = http or httpx.AsyncClient()
        self._owns_http = http is None
        self._lock = asyncio.Lock()

    async def call(
        self,
        operation_id: str,
        *path: str,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        options: Options | None = None,
    ) -> Answer:
        """Any operation by its id, such as `getContact`, with the status and headers."""
        return await self._run(self._steps(operation_id, path, body, query, options))

    async def wait_for(self, resource: T, *, timeout: float = 600.0) -> T:
        """The execution, batch, export, erasure or replay once it has ended."""
        until = time.monotonic() + timeout
        known = cast("Mapping[str, Any]", resource)
        answer: Answer | None = None
        poll = 0
        while not has_ended(known):
            pause = pause_before(poll, answer)
            if time.monotonic() + pause > until:
                raise timed_out(known, timeout)
            await asyncio.sleep(pause)
            poll += 1
            operation_id, path = lookup_of(known)
            answer = await self.call(operation_id, *path)
            known = answer.data
        return cast("T", known)

    async def upload_file(
        self, path: str | os.PathLike[str], *, content_type: ContentType | None = None
    ) -> m.Upload:
        """Uploads a CSV or NDJSON file piece by piece, for a batch operation."""
        with open(path, "rb") as file:
            return await self.uploads.create(
                file, content_type=content_type or content_type_of(path)
            )

    async def run_file(
        self, path: str | os.PathLike[str], batch: m.BatchOperationCreate, **options: Unpack[Options]
    ) -> m.BatchOperation:
        """Uploads a file of records, CSV or NDJSON, and starts a batch of it."""
        upload = await self.upload_file(path)
        return await self.batch_operations.create({**batch, "upload_id": upload["id"]}, **options)

    async def aclose(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncOnward:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _run(self, steps: Steps) -> Answer:
        try:
            step = next(steps)
            while True:
                try:
                    result = await self._take(step)
                except httpx.TransportError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
        except StopIteration as end:
            return cast("Answer", end.value)

    async def _take(self, step: Authorize | Send | Sleep) -> Any:
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Authorize):
            return self._given_token() or await self._renew(step.refused)
        content, headers = step.content, step.headers
        if content is not None and not isinstance(content, bytes):
            headers = {**headers, "content-length": str(_size_of(content))}
        return await self._http.request(
            step.verb,
            step.url,
            headers=headers,
            content=content if content is None or isinstance(content, bytes) else _pieces(content),
            timeout=timeout_of(step),
        )

    async def _renew(self, refused: str | None) -> str:
        # Tasks that find the token expired wait for the first of them.
        async with self._lock:
            cached = self._cached_token(refused)
            return cached or self._keep_token(await self._run(self._token_steps()))


def _size_of(file: BinaryIO) -> int:
    at = file.tell()
    end = file.seek(0, os.SEEK_END)
    file.seek(at)
    return end - at


async def _pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(file.read, PIECE):
        yield piece
