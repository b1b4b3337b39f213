"""Executions, batches and files, against a service that runs."""

from __future__ import annotations

import asyncio
import io
import uuid
from pathlib import Path

import httpx
import pytest
from conftest import Service
from onward import AsyncOnward, Onward, errors
from onward.testing import FakeService

UPSERT = "contacts.bulk_upsert"


def test_an_execution_is_waited_for(onward: Onward) -> None:
    execution = onward.operations.execute(
        "contacts.upsert",
        {"input": {"unique_id": f"python-{uuid.uuid4()}"}},
        headers={"Prefer": "respond-async"},
    )
    done = onward.wait_for(execution, timeout=30)
    assert done["status"] == "succeeded"
    # The report of an execution within the request has ended already.
    report = onward.operations.execute("contacts.upsert", {"input": {"unique_id": "python-1"}})
    assert onward.wait_for(report, timeout=0) == report


def test_a_file_becomes_a_batch(onward: Onward, tmp_path: Path) -> None:
    ids = [f"python-{uuid.uuid4()}" for _ in range(3)]
    path = tmp_path / "contacts.csv"
    path.write_text("unique_id,email\n" + "".join(f"{one},{one}@example.com\n" for one in ids))
    batch = onward.run_file(path, {"operation_kind": UPSERT})
    done = onward.wait_for(batch, timeout=30)
    assert done["status"] == "succeeded"
    items = list(onward.batch_operations.list_items(done["id"]))
    assert [item["status"] for item in items] == ["created"] * 3
    assert onward.contacts.get(f"unique_id:{ids[0]}")["email"] == f"{ids[0]}@example.com"
    assert onward.batch_operations.get_errors(done["id"]).startswith(b"index")


def test_uploads_take_text_bytes_and_files(onward: Onward) -> None:
    text = "unique_id\npython-upload\n"
    sizes = [
        onward.uploads.create(source)["size_bytes"]
        for source in (text, text.encode(), io.BytesIO(text.encode()))
    ]
    assert sizes == [len(text)] * 3
    lines = onward.uploads.create('{"unique_id":"a"}\n', content_type="application/x-ndjson")
    assert lines["type"] == "upload"


def test_a_file_is_sent_from_its_beginning_again() -> None:
    fake = FakeService()
    fake.on("POST", "/v2/batch/uploads", httpx.ReadError("reset"), {"id": "1"})
    file = io.BytesIO(b"skipped,unique_id\n1\n")
    file.seek(8)
    fake.client().uploads.create(file)
    bodies = [one.content for one in fake.requests if one.url.path == "/v2/batch/uploads"]
    assert bodies == [b"unique_id\n1\n"] * 2


def test_waiting_ends(onward: Onward) -> None:
    with pytest.raises(errors.WaitTimedOut) as caught:
        onward.wait_for({"type": "export", "id": "1", "status": "queued"}, timeout=0)
    assert caught.value.code == "wait_timed_out"
    with pytest.raises(TypeError, match="contact"):
        onward.wait_for({"type": "contact", "id": "1"}, timeout=5)


def test_an_awaited_client_uploads_and_waits(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "contacts.ndjson"
    path.write_text(f'{{"unique_id":"python-{uuid.uuid4()}"}}\n')

    async def story() -> None:
        settings = {"client_id": service.client_id, "client_secret": service.client_secret}
        async with AsyncOnward(base_url=service.base_url, **settings) as onward:
            batch = await onward.run_file(path, {"operation_kind": UPSERT})
            assert (await onward.wait_for(batch, timeout=30))["status"] == "succeeded"

    asyncio.run(story())
