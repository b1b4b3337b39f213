"""Tokens, tries, lists and errors, against a service that runs."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from datetime import datetime, timedelta, timezone

import httpx
import onward
import pytest
from conftest import Service
from onward import AsyncOnward, Onward, OnwardError, errors
from onward.testing import FakeService, failure
from proxy import Proxy

CONTACTS = "/v2/partner/contacts"
TEAM = "/v2/partner/team"


def new_id() -> str:
    return f"python-{uuid.uuid4()}"


def test_threads_share_one_token(service: Service, proxy: Proxy) -> None:
    with service.client(proxy.url) as onward:
        threads = [threading.Thread(target=onward.team.get) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(proxy.of("GET", TEAM)) == 6
    assert len(proxy.of("POST", "/oauth2/token")) == 1


def test_a_revoked_token_is_renewed(service: Service, proxy: Proxy) -> None:
    with service.client(proxy.url) as onward:
        onward.team.get()
        first = proxy.of("GET", TEAM)[0].headers["authorization"]
        onward.access.revoke_access_token({"token": first.removeprefix("Bearer ")})
        until = time.monotonic() + 15
        while proxy.of("GET", TEAM)[-1].headers["authorization"] == first:
            assert time.monotonic() < until, "The token works on"
            onward.team.get()
    assert len(proxy.of("POST", "/oauth2/token")) == 2


def test_a_token_is_renewed_before_it_expires() -> None:
    fake = FakeService()
    lives = {"access_token": "short", "expires_in": 0}
    fake.on("POST", "/oauth2/token", lives, {"access_token": "long", "expires_in": 3600})
    fake.on("GET", "/v2/meta/capabilities", {})
    onward = fake.client()
    for _ in range(3):
        onward.meta.get_capabilities()
    sent = [one.headers.get("authorization") for one in fake.requests if one.method == "GET"]
    assert sent == ["Bearer short", "Bearer long", "Bearer long"]


def test_wrong_credentials_and_none(service: Service) -> None:
    with pytest.raises(errors.InvalidClient) as caught:
        Onward(base_url=service.base_url, client_id="nobody", client_secret="x").team.get()
    assert caught.value.status == 401
    onward = Onward(base_url=service.base_url, access_token="given")
    with pytest.raises(errors.TokenInvalid):
        onward.team.get()


@pytest.mark.parametrize("status", [429, 503])
def test_a_refusal_is_tried_again_after_the_pause_it_asks_for(
    service: Service, proxy: Proxy, status: int
) -> None:
    proxy.refuse("POST", CONTACTS, status, retry_after="1")
    started = time.monotonic()
    with service.client(proxy.url) as onward:
        contact = onward.contacts.create({"unique_id": new_id()})
    assert time.monotonic() - started >= 1
    keys = [one.headers["idempotency-key"] for one in proxy.of("POST", CONTACTS)]
    assert len(keys) == 2 and keys[0] == keys[1]
    assert contact["type"] == "contact"


def test_a_call_whose_answer_is_lost_has_one_effect(service: Service, proxy: Proxy) -> None:
    tag = f"cut-{uuid.uuid4()}"
    proxy.cut("POST", CONTACTS)
    with service.client(proxy.url) as onward:
        contact = onward.contacts.create({"tags": [tag], "unique_id": new_id()})
        found = list(onward.contacts.list(filter={"tags": {"contains": tag}}))
    assert [one["id"] for one in found] == [contact["id"]]
    assert len(proxy.of("POST", CONTACTS)) == 2


def test_a_call_without_a_key_is_not_repeated_where_it_may_have_had_an_effect() -> None:
    fake = FakeService()
    path = "/v2/widget/bootstrap"
    fake.on("POST", path, httpx.ReadError("cut"))
    with pytest.raises(errors.ConnectionFailed):
        fake.client().recipients.bootstrap_widget({})
    assert len([one for one in fake.requests if one.url.path == path]) == 1


def test_tries_end(service: Service) -> None:
    fake = FakeService()
    fake.on("GET", "/v2/meta/time", failure(503, "unavailable", retry_after="0"))
    with pytest.raises(errors.Unavailable) as caught:
        fake.client(max_retries=2).meta.get_time()
    assert caught.value.status == 503 and len(fake.requests) == 3
    fake.on("GET", TEAM, failure(429, "quota_exceeded", retry_after="3600"))
    with pytest.raises(errors.QuotaExceeded):
        fake.client().team.get()
    nobody = Onward(base_url="http://127.0.0.1:9", client_id="a", client_secret="b", max_retries=0)
    with pytest.raises(errors.ConnectionFailed):
        nobody.team.get()


def test_a_call_names_the_package_and_sends_headers_as_they_are() -> None:
    fake = FakeService()
    fake.on("GET", "/v2/meta/time", {})
    fake.client().meta.get_time()
    fake.client().meta.get_time(headers={"User-Agent": "crm/2", "X-Request-Id": "4711"})
    sent = [(one.headers["user-agent"], one.headers.get("x-request-id")) for one in fake.requests]
    assert sent == [(f"onward-python/{onward.__version__}", None), ("crm/2", "4711")]


def test_a_call_ends_in_time() -> None:
    fake = FakeService()
    fake.on("GET", "/v2/meta/time", httpx.ReadTimeout("slow"))
    with pytest.raises(errors.TimedOut) as caught:
        fake.client(max_retries=1).meta.get_time(timeout=0.2)
    assert caught.value.code == "timed_out" and caught.value.operation_id == "getTime"
    assert fake.requests[0].extensions["timeout"]["read"] == 0.2


def test_errors_have_their_codes(onward: Onward) -> None:
    unique_id = new_id()
    contact = onward.contacts.create({"unique_id": unique_id})
    with pytest.raises(errors.UniqueIdTaken) as taken:
        onward.contacts.create({"unique_id": unique_id})
    error = taken.value
    assert (error.code, error.status) == ("unique_id_taken", 409)
    assert error.problems[0]["meta"]["id"] == contact["id"]
    assert error.request_id == error.problems[0]["meta"]["request_id"]
    with pytest.raises(errors.NotFound):
        onward.contacts.get(str(uuid.uuid4()))
    with pytest.raises(errors.ValidationFailed) as invalid:
        onward.contacts.create({"email": "nobody", "locale": "?"})
    assert {one["meta"]["pointer"] for one in invalid.value.problems} == {"/email", "/locale"}


def test_an_answer_of_a_proxy_is_said_to_be_none_of_the_service() -> None:
    fake = FakeService()
    fake.on("GET", "/v2/meta/time", httpx.Response(404, text="<h1>Not here</h1>"))
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        fake.client().meta.get_time()
    assert caught.value.status == 404


def test_a_list_under_writes_shows_each_row_once(onward: Onward) -> None:
    tag = f"list-{uuid.uuid4()}"
    there = [onward.contacts.create({"tags": [tag], "unique_id": new_id()})["id"] for _ in range(7)]
    seen: list[str] = []
    for contact in onward.contacts.list(
        filter={"tags": {"contains": tag}}, sort="-inserted_at", page={"size": 2}
    ):
        seen.append(contact["id"])
        if len(seen) == 3:
            onward.contacts.create({"tags": [tag], "unique_id": new_id()})
            onward.contacts.delete(there[0])
    assert len(seen) == len(set(seen))
    assert set(there[1:]) <= set(seen) <= set(there)


def test_pages_and_counts(onward: Onward) -> None:
    tag = f"pages, {uuid.uuid4()}"
    for _ in range(3):
        onward.contacts.create({"tags": [tag], "unique_id": new_id()})
    listed = onward.contacts.list(filter={"tags": tag}, meta="count", page={"size": 2})
    assert [len(page.data) for page in listed.pages()] == [2, 1]
    first = listed.page()
    assert (first.count, first.has_more, first.prev_cursor) == (3, True, None)
    assert first.next_cursor is not None
    last = onward.contacts.list(filter={"tags": tag}, page={"size": 2, "after": first.next_cursor})
    rest = last.page()
    assert rest.prev_cursor is not None
    back = onward.contacts.list(filter={"tags": tag}, page={"size": 2, "before": rest.prev_cursor})
    assert [one["id"] for one in back] == [one["id"] for one in first.data]


def test_values_with_commas_and_times_reach_a_filter(onward: Onward) -> None:
    unique_id = f"a,b\\c & {uuid.uuid4()}"
    created = onward.contacts.create({"unique_id": unique_id})
    hour = timedelta(hours=1)
    now = datetime.now(timezone.utc)
    found = onward.contacts.list(
        filter={
            "unique_id": {"in": [unique_id, "another"]},
            "inserted_at": {"gte": now - hour, "lt": now + hour},
            "email": {"present": False},
        }
    )
    assert [one["id"] for one in found] == [created["id"]]
    assert onward.contacts.get(f"unique_id:{unique_id}")["id"] == created["id"]


def test_a_version_that_has_changed_is_refused(onward: Onward) -> None:
    contact = onward.contacts.create({"first_name": "Ada", "unique_id": new_id()})
    etag = onward.call("getContact", contact["id"]).etag
    assert etag is not None
    onward.contacts.update(contact["id"], {"first_name": "Grace"}, if_match=etag)
    with pytest.raises(errors.PreconditionFailed):
        onward.contacts.update(contact["id"], {"first_name": "Mary"}, if_match=etag)
    assert onward.contacts.delete(contact["id"]) is None  # type: ignore[func-returns-value]


def test_the_awaited_client_does_the_same(service: Service, proxy: Proxy) -> None:
    async def story() -> None:
        proxy.cut("POST", CONTACTS)
        settings = {"client_id": service.client_id, "client_secret": service.client_secret}
        async with AsyncOnward(base_url=proxy.url, **settings) as onward:
            tag = f"async-{uuid.uuid4()}"
            first = await onward.contacts.create({"tags": [tag], "unique_id": new_id()})
            bodies = [{"tags": [tag], "unique_id": new_id()} for _ in range(2)]
            await asyncio.gather(*(onward.contacts.create(body) for body in bodies))
            listed = onward.contacts.list(filter={"tags": tag}, page={"size": 2})
            found = [one["id"] async for one in listed]
            assert first["id"] in found and len(set(found)) == 3
            with pytest.raises(errors.NotFound):
                await onward.contacts.get(str(uuid.uuid4()))
            await onward.contacts.delete(first["id"])

    asyncio.run(story())
    assert len(proxy.of("POST", "/oauth2/token")) == 1


def test_an_error_of_a_code_that_is_not_known_yet_is_an_onward_error() -> None:
    fake = FakeService()
    fake.on("GET", "/v2/meta/time", failure(418, "invented_later", "Tea"))
    with pytest.raises(OnwardError, match="invented_later: Tea") as caught:
        fake.client().meta.get_time()
    assert type(caught.value) is OnwardError


def test_the_http_client_of_a_caller_stays_open() -> None:
    own = httpx.Client()
    with Onward(base_url="http://127.0.0.1:9", client_id="a", client_secret="b", http=own):
        pass
    assert not own.is_closed
    own.close()
