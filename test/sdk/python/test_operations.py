"""Every operation of the document is a method, and the service understands what it sends."""

from __future__ import annotations

import inspect
import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from onward import Onward, OnwardError
from onward._core import Operation
from onward._generated.operations import operations
from onward._generated.resources import AsyncNamespaces, Namespaces

DOCUMENT = json.loads((Path(__file__).parents[2] / "contract" / "openapi.json").read_text())
DOCUMENTED = {
    operation["operationId"]: (verb.upper(), path, operation)
    for path, item in DOCUMENT["paths"].items()
    for verb, operation in item.items()
}
# Mistakes in the route or in the form of a request.
MISTAKES = {
    *("route_not_found", "method_not_allowed", "not_acceptable", "unsupported_media_type"),
    *("invalid_json", "invalid_request", "invalid_query_parameter", "invalid_filter_field"),
    *("invalid_filter_op", "invalid_filter_value", "invalid_sort_field", "invalid_include"),
    *("invalid_page_params", "invalid_page_size", "invalid_meta", "idempotency_key_invalid"),
    *("idempotency_key_required", "token_missing", "unexpected_answer", "connection_failed"),
    *("internal_error", "invalid_period"),
}
# They take the token of a recipient, and would end the token of this client.
RECIPIENTS = {"token_missing", "token_invalid", "token_kind_not_allowed"}


def methods_of(namespaces: Any) -> dict[str, Any]:
    found = {}
    for resource in vars(namespaces(None)).values():
        for name, method in inspect.getmembers(resource, inspect.ismethod):
            if name.startswith("_"):
                continue
            operation_id = re.findall(r"\(`(\w+)`\)$", method.__doc__ or "")
            assert len(operation_id) == 1, f"{name} names no operation"
            found[operation_id[0]] = method
    return found


def test_every_operation_is_a_method_of_both_clients() -> None:
    blocking, awaited = methods_of(Namespaces), methods_of(AsyncNamespaces)
    assert set(blocking) == set(awaited) == set(operations) == set(DOCUMENTED)
    for operation_id, method in blocking.items():
        other = awaited[operation_id]
        assert method.__name__ == other.__name__
        assert str(inspect.signature(method).parameters) == str(
            inspect.signature(other).parameters
        )
    for operation_id, (verb, path, _) in DOCUMENTED.items():
        found: Operation = operations[operation_id]
        assert (found.verb, found.path) == (verb, path)


def example_of(operation: dict[str, Any]) -> tuple[Any, str | None]:
    for content_type, content in operation.get("requestBody", {}).get("content", {}).items():
        [example] = list(content["examples"].values())[:1]
        if "$ref" in example:
            example = DOCUMENT["components"]["examples"][example["$ref"].split("/")[-1]]
        return example["value"], content_type
    return None, None


# `{id}` is one that nothing has, so that no other test loses what it works with.
PATH_VALUES = {"channel": "email", "operation_kind": "contacts.upsert", "version": "1"}


@pytest.mark.parametrize("operation_id", DOCUMENTED)
def test_the_service_understands(onward: Onward, operation_id: str) -> None:
    _, path, operation = DOCUMENTED[operation_id]
    body, content_type = example_of(operation)
    if operation_id == "revokeAccessToken":
        body = {"token": "unknown"}
    query = {
        one["name"]: one.get("example", "last_30_days")
        for one in operation.get("parameters", [])
        if one["in"] == "query" and one.get("required")
    }
    names = re.findall(r"\{(\w+)\}", path)
    values = [PATH_VALUES.get(name, str(uuid.uuid4())) for name in names]
    options: Any = {"max_retries": 1}
    if content_type is not None:
        options["content_type"] = content_type
    try:
        answer = onward.call(operation_id, *values, body=body, query=query, options=options)
    except OnwardError as error:
        assert error.code not in MISTAKES - RECIPIENTS, error
        if error.code in RECIPIENTS:
            assert path.startswith("/v2/widget/"), error
        for problem in error.problems:
            assert problem["meta"].get("rule") not in ("unknown_field", "type", "required"), error
    else:
        assert 200 <= answer.status < 300
