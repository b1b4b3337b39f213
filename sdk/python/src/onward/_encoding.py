"""Paths, queries and bodies as the service reads them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timezone
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    import httpx


def write_path(path: str, values: Sequence[str]) -> str:
    """`/v2/partner/contacts/{id}` with its parameters."""
    parts = path.split("{")
    written = [parts[0]]
    for part, value in zip(parts[1:], values, strict=True):
        name, _, rest = part.partition("}")
        if value == "":
            raise ValueError(f"{name} is empty in {path}")
        written += [quote(str(value), safe=""), rest]
    return "".join(written)


def write_query(query: Mapping[str, Any]) -> str:
    """`{"filter": {"email": {"in": [a, b]}}}` is `filter[email][in]=a,b`."""
    pairs: list[tuple[str, str]] = []

    def append(name: str, value: Any) -> None:
        if value is None:
            return
        if isinstance(value, Mapping):
            for key, inner in value.items():
                append(f"{name}[{key}]", inner)
        elif isinstance(value, (list, tuple, set, frozenset)):
            texts = (_text_of(one).replace("\\", "\\\\").replace(",", "\\,") for one in value)
            pairs.append((name, ",".join(texts)))
        else:
            pairs.append((name, _text_of(value)))

    for name, value in query.items():
        append(name, value)
    return urlencode(pairs)


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _date_text(value) if isinstance(value, date) else str(value)


def _date_text(value: date) -> str:
    if not isinstance(value, datetime):
        return value.isoformat()
    if value.tzinfo is None:
        raise ValueError("A time needs its timezone, such as datetime.now(timezone.utc)")
    return value.astimezone(timezone.utc).isoformat()


def write_body(
    flags: str, body: Any, content_type: str | None
) -> tuple[bytes | BinaryIO | None, str | None]:
    """The bytes of a body and their content type."""
    if body is None:
        return None, None
    if isinstance(body, str):
        return write_body(flags, body.encode(), content_type)
    if isinstance(body, bytes) or hasattr(body, "read"):
        usual = "text/csv" if "u" in flags else "application/json"
        return body, content_type or usual
    if "f" in flags or content_type == "application/x-www-form-urlencoded":
        form = urlencode({name: value for name, value in body.items() if value is not None})
        return form.encode(), "application/x-www-form-urlencoded"
    text = json.dumps(body, default=_plain, ensure_ascii=False, separators=(",", ":"))
    return text.encode(), content_type or "application/json"


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return _date_text(value)
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, (Mapping, set, frozenset, tuple)):
        return dict(value) if isinstance(value, Mapping) else list(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def read_body(response: httpx.Response) -> Any:
    """JSON as it is, and the bytes of anything else; None where there is no body."""
    if response.status_code == 204 or not response.content:
        return None
    content_type = response.headers.get("content-type", "")
    if content_type.startswith("application/json"):
        return response.json()
    return response.content
