"""What the client that blocks and the one that is awaited share."""

from __future__ import annotations

import base64
import os
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import httpx

from ._core import Answer, Options, Send, Settings, Steps, run_call
from ._errors import CredentialsMissing
from ._generated.operations import operations

ContentType = Literal["text/csv", "application/x-ndjson"]

RENEWAL = 60.0
"""Seconds before a token expires in which it is renewed already."""
_CONNECT_TIMEOUT = 30.0


_LOOPBACK = re.compile(r"localhost|.+\.localhost|127(\.\d+){3}|::1")


def _check_address(address: str, allow_http: bool) -> None:
    """Refuses an address to which a secret would travel in the clear."""
    parts = urlsplit(address)
    if parts.scheme != "http" or allow_http or _LOOPBACK.fullmatch(parts.hostname or ""):
        return
    raise ValueError(
        f"http://{parts.hostname} would get the secret without TLS. Use https://, "
        "or set allow_http in a private network."
    )


class BaseClient:
    """What both clients know."""

    def __init__(
        self,
        base_url: str | None,
        client_id: str | None,
        client_secret: str | None,
        scope: str | None,
        access_token: str | Callable[[], str] | None,
        timeout: float,
        max_retries: int,
        allow_http: bool,
    ) -> None:
        address = base_url or os.environ.get("ONWARD_BASE_URL")
        if not address:
            raise ValueError("base_url is missing; ONWARD_BASE_URL sets it too")
        _check_address(address, allow_http)
        self._settings = Settings(address.rstrip("/"), timeout, max_retries)
        self._client_id = client_id or os.environ.get("ONWARD_CLIENT_ID")
        self._client_secret = client_secret or os.environ.get("ONWARD_CLIENT_SECRET")
        self._scope = scope
        self._access_token = access_token
        self._cached: tuple[str, float] | None = None

    def _steps(
        self,
        operation_id: str,
        path: tuple[str, ...],
        body: Any,
        query: Mapping[str, Any] | None,
        options: Options | None,
    ) -> Steps:
        operation, chosen = operations[operation_id], options or Options()
        if "f" in operation.flags and self._client_id and "client_id" not in (body or {}):
            # Forms of the authorization server name the client.
            pair = f"{self._client_id}:{self._client_secret}".encode()
            basic = {"authorization": f"Basic {base64.b64encode(pair).decode()}"}
            chosen = Options(**{**chosen, "headers": {**basic, **chosen.get("headers", {})}})
        return run_call(self._settings, operation, path, query, body, chosen)

    def _given_token(self) -> str | None:
        given = self._access_token
        return given() if callable(given) else given

    def _cached_token(self, refused: str | None) -> str | None:
        if self._cached is None:
            return None
        token, expires_at = self._cached
        return None if token == refused or time.monotonic() >= expires_at else token

    def _token_steps(self) -> Steps:
        if not self._client_id or not self._client_secret:
            raise CredentialsMissing(
                "credentials_missing",
                "client_id and client_secret are missing;"
                " ONWARD_CLIENT_ID and ONWARD_CLIENT_SECRET set them too",
            )
        form = {
            "grant_type": "client_credentials",
            "client_id": self._client_id,
            "client_secret": self._client_secret,
            "scope": self._scope,
        }
        return self._steps("createToken", (), form, None, None)

    def _keep_token(self, answer: Answer) -> str:
        token, lifetime = answer.data["access_token"], answer.data["expires_in"]
        leeway = min(RENEWAL, lifetime / 10)
        self._cached = (token, time.monotonic() + lifetime - leeway)
        return cast("str", token)


def timeout_of(send: Send) -> httpx.Timeout:
    return httpx.Timeout(send.timeout, connect=send.timeout or _CONNECT_TIMEOUT)


def content_type_of(path: str | os.PathLike[str]) -> ContentType:
    is_json = Path(path).suffix.lower() in (".ndjson", ".jsonl")
    return "application/x-ndjson" if is_json else "text/csv"
