"""A client that holds every answer of the API against the OpenAPI document."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from django.test import Client

from dashboard.api import urls  # noqa: F401 - declares the operations
from dashboard.api.site import api

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = api.get_openapi_schema(path_prefix="/api/v1/")
    return found


def operation(method: str, path: str) -> dict[str, Any] | None:
    """Return what is promised of an address, None where it is no operation."""
    for template, methods in document()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            found: dict[str, Any] | None = methods.get(method.lower())
            return found
    return None


def broken_promises(method: str, path: str, status: int, kind: str, read: Any) -> list[str]:
    """Return how an answer differs from what is promised; `read` is a JSON answer's content."""
    promised = operation(method, path)
    if promised is None:
        return []
    if str(status) not in {str(each) for each in promised["responses"]}:
        return [f"{method} {path} promises no {status}"]
    content = {str(each): found for each, found in promised["responses"].items()}[str(status)].get("content")
    if content is None:
        return []
    if kind not in content:
        return [f"{method} {path} promises no {kind}"]
    if kind != "application/json":
        return []
    schema = {**content[kind]["schema"], "components": document()["components"]}
    wrong = [str(error) for error in jsonschema_rs.validator_for(schema).iter_errors(read)]
    named = document()["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], {})
    wrong += [f"{field} is not in the document" for field in set(read) - set(named.get("properties", read))]
    return wrong


class HoldingClient(Client):
    """Asks as Django's client does, and accepts no answer that the OpenAPI document does not describe."""

    def request(self, **request: Any) -> Any:
        response: Any = super().request(**request)
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        read = response.json() if kind == "application/json" else None
        wrong = broken_promises(request["REQUEST_METHOD"], request["PATH_INFO"], response.status_code, kind, read)
        assert wrong == []
        return response


@pytest.fixture
def signed_in_client(user: User) -> Client:
    client = HoldingClient()
    client.force_login(user)
    return client
