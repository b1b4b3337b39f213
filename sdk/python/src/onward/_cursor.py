"""Lists, page by page or item by item."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    data: list[Item]
    next_cursor: str | None
    prev_cursor: str | None
    has_more: bool
    size: int
    count: int | None
    """Items of all pages, where `meta="count"` asks for them."""
    count_is_lower_bound: bool


def page_of(body: Mapping[str, Any]) -> Page[Any]:
    page, meta = body["page"], body.get("meta", {})
    return Page(
        data=body["data"],
        next_cursor=page["next_cursor"],
        prev_cursor=page["prev_cursor"],
        has_more=page["has_more"],
        size=page["size"],
        count=meta.get("count"),
        count_is_lower_bound=meta.get("count_is_lower_bound", False),
    )


class _Direction:
    """Where the next page is: backwards where the list began with `page={"before": …}`."""

    def __init__(self, query: Mapping[str, Any]) -> None:
        self.query = query

    def first(self) -> Mapping[str, Any]:
        return self.query

    def after(self, page: Page[Any]) -> Mapping[str, Any] | None:
        asked = dict(self.query.get("page") or {})
        goes_back = "before" in asked
        cursor = page.prev_cursor if goes_back else page.next_cursor
        if cursor is None or not page.has_more:
            return None
        asked["before" if goes_back else "after"] = cursor
        return {**self.query, "page": asked}


class Cursor(Generic[Item]):
    """Every item of a list, fetched as it is read: `for contact in onward.contacts.list()`.

    A list that changes meanwhile shows no item twice and leaves out none that was there all the
    time.
    """

    def __init__(
        self, fetch: Callable[[Mapping[str, Any]], Mapping[str, Any]], query: Mapping[str, Any]
    ) -> None:
        self._fetch = fetch
        self._direction = _Direction(query)

    def page(self) -> Page[Item]:
        """The first page only."""
        return page_of(self._fetch(self._direction.first()))

    def pages(self) -> Iterator[Page[Item]]:
        """This page and those after it."""
        query: Mapping[str, Any] | None = self._direction.first()
        while query is not None:
            page = page_of(self._fetch(query))
            yield page
            query = self._direction.after(page)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data


class AsyncCursor(Generic[Item]):
    """Every item of a list, fetched as it is read: `async for contact in onward.contacts.list()`."""

    def __init__(
        self,
        fetch: Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]],
        query: Mapping[str, Any],
    ) -> None:
        self._fetch = fetch
        self._direction = _Direction(query)

    async def page(self) -> Page[Item]:
        """The first page only."""
        return page_of(await self._fetch(self._direction.first()))

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """This page and those after it."""
        query: Mapping[str, Any] | None = self._direction.first()
        while query is not None:
            page = page_of(await self._fetch(query))
            yield page
            query = self._direction.after(page)

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item
