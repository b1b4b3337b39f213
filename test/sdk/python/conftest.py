from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from onward import Onward
from proxy import Proxy


@dataclass(frozen=True)
class Service:
    base_url: str
    client_id: str
    client_secret: str

    def client(self, base_url: str | None = None, **settings: object) -> Onward:
        return Onward(
            base_url=base_url or self.base_url,
            client_id=self.client_id,
            client_secret=self.client_secret,
            **settings,
        )


@pytest.fixture(scope="session")
def service() -> Service:
    """The running service, with a client that may do everything."""
    return Service(
        os.environ["ONWARD_BASE_URL"],
        os.environ["ONWARD_CLIENT_ID"],
        os.environ["ONWARD_CLIENT_SECRET"],
    )


@pytest.fixture(scope="session")
def onward(service: Service) -> Iterator[Onward]:
    with service.client() as client:
        yield client


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    proxy = Proxy(service.base_url)
    yield proxy
    proxy.close()
