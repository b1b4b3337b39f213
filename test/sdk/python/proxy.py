"""Stands between the SDK and the service, and fails where a test says so."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

Refusal = tuple[int, dict[str, str], bytes]


@dataclass
class Seen:
    verb: str
    path: str
    headers: dict[str, str]


@dataclass
class Proxy:
    """Forwards every request; the next ones to a path are cut off or refused."""

    base: str
    seen: list[Seen] = field(default_factory=list)
    _plans: dict[tuple[str, str], list[Refusal | None]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def cut(self, verb: str, path: str) -> None:
        """The next such request reaches the service, and its answer is lost."""
        self._plans.setdefault((verb, path), []).append(None)

    def refuse(self, verb: str, path: str, status: int, **headers: str) -> None:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self._plans.setdefault((verb, path), []).append((status, names, b"<p>from a proxy</p>"))

    def of(self, verb: str, path: str) -> list[Seen]:
        return [one for one in self.seen if (one.verb, one.path) == (verb, path)]

    def note(self, seen: Seen) -> Refusal | None | bool:
        """The plan for a request; False where there is none."""
        with self._lock:
            self.seen.append(seen)
            plans = self._plans.get((seen.verb, seen.path))
            return plans.pop(0) if plans else False


def _handler_of(proxy: Proxy) -> Callable[..., BaseHTTPRequestHandler]:
    target = urlsplit(proxy.base)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            plan = proxy.note(Seen(self.command, urlsplit(self.path).path, headers))
            if isinstance(plan, tuple):
                return self._answer(*plan)
            upstream = http.client.HTTPConnection(target.hostname or "", target.port, timeout=30)
            upstream.request(self.command, self.path, body or None, {**headers, "host": target.netloc})
            response = upstream.getresponse()
            content = response.read()
            upstream.close()
            if plan is None:
                self.close_connection = True
                return self.connection.shutdown(socket.SHUT_RDWR)
            self._answer(response.status, dict(response.getheaders()), content)

        def _answer(self, status: int, headers: dict[str, str], content: bytes) -> None:
            self.send_response_only(status)
            for name, value in headers.items():
                if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _forward

        def log_message(self, *_: object) -> None:
            pass

    return Handler
