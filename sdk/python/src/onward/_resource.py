"""What the generated namespaces stand on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from ._core import Answer, Options
from ._cursor import AsyncCursor, Cursor

T = TypeVar("T")
Query = Mapping[str, Any]


class Caller(Protocol):
    def call(
        self,
        operation_id: str,
        *path: str,
        body: Any = None,
        query: Query | None = None,
        options: Options | None = None,
    ) -> Answer: ...


class AsyncCaller(Protocol):
    async def call(
        self,
        operation_id: str,
        *path: str,
        body: Any = None,
        query: Query | None = None,
        options: Options | None = None,
    ) -> Answer: ...


class Resource:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    # The generated method says what the answer is.
    def _call(
        self,
        operation_id: str,
        path: tuple[str, ...],
        options: Options,
        body: Any = None,
        query: Query | None = None,
    ) -> T:  # type: ignore[type-var]
        answer = self._caller.call(
            operation_id, *path, body=body, query=query, options=options
        )
        data: T = answer.data
        return data

    def _run(
        self, operation_id: str, path: tuple[str, ...], options: Options, body: Any = None
    ) -> None:
        self._caller.call(operation_id, *path, body=body, options=options)

    def _list(
        self, operation_id: str, path: tuple[str, ...], options: Options, query: Query
    ) -> Cursor[T]:  # pyright: ignore[reportInvalidTypeVarUse]
        def fetch(page_query: Query) -> Mapping[str, Any]:
            return self._call(operation_id, path, options, query=page_query)

        return Cursor(fetch, query)


class AsyncResource:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def _call(
        self,
        operation_id: str,
        path: tuple[str, ...],
        options: Options,
        body: Any = None,
        query: Query | None = None,
    ) -> T:  # pyright: ignore[reportInvalidTypeVarUse]
        answer = await self._caller.call(
            operation_id, *path, body=body, query=query, options=options
        )
        data: T = answer.data
        return data

    async def _run(
        self, operation_id: str, path: tuple[str, ...], options: Options, body: Any = None
    ) -> None:
        await self._caller.call(operation_id, *path, body=body, options=options)

    def _list(
        self, operation_id: str, path: tuple[str, ...], options: Options, query: Query
    ) -> AsyncCursor[T]:  # pyright: ignore[reportInvalidTypeVarUse]
        async def fetch(page_query: Query) -> Mapping[str, Any]:
            return await self._call(operation_id, path, options, query=page_query)

        return AsyncCursor(fetch, query)
