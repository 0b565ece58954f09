"""The reference of the API as a page, made from its OpenAPI document; nothing of it is fetched from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.views.decorators.http import require_safe
from msgspec import Struct

import dashboard.api.urls  # noqa: F401 - declares all operations, of which none can be added once the document is made
from clusters.wording.api_answers import PARAMETERS_CAPTION
from dashboard.api.site import api

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.http import HttpResponse

    from dashboard.http import PageRequest


class Parameter(Struct, frozen=True):
    """What may be sent along: in the path, the query or the body."""

    name: str
    place: str
    kind: str
    required: bool
    words: str


class Operation(Struct, frozen=True):
    """One thing that can be asked."""

    name: str
    method: str
    path: str
    words: str
    parameters: tuple[Parameter, ...]
    answers: tuple[tuple[str, str], ...]

    @property
    def caption(self) -> str:
        """What its table is called; no two tables of a page have the same name."""
        return PARAMETERS_CAPTION(operation=self.name.replace("_", " "))


@require_safe
def reference(request: PageRequest) -> HttpResponse:
    """Show every operation with what it takes and answers."""
    document = api.get_openapi_schema(path_prefix="/api/v1/")
    groups: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            groups.setdefault(described["tags"][0], []).append(_operation(path, method, described, document))
    return render(request, "registration/api.html", {"groups": groups.items()})


def _operation(path: str, method: str, described: Mapping[str, Any], document: Mapping[str, Any]) -> Operation:
    answers = ((str(status), _name(each)) for status, each in described["responses"].items())
    return Operation(
        described["operationId"],
        method.upper(),
        path,
        described.get("description", ""),
        tuple(_parameters(described, document)),
        tuple(answers),
    )


def _parameters(described: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[Parameter]:
    for each in described.get("parameters", ()):
        schema = each["schema"]
        yield Parameter(
            each["name"], each["in"], _kind(schema), each.get("required", False), schema.get("description", "")
        )
    for content, body in described.get("requestBody", {}).get("content", {}).items():
        schema = body["schema"]
        named = document["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
        for name, part in named.get("properties", {}).items():
            yield Parameter(name, content, _kind(part), name in named.get("required", ()), part.get("description", ""))


def _kind(schema: Mapping[str, Any]) -> str:
    choices = [each.get("type", "") for each in schema.get("anyOf", ())]
    return " or ".join(choices) if choices else str(schema.get("type", "any"))


def _name(response: Mapping[str, Any]) -> str:
    """The name of an answer's form, empty where it has none."""
    content: Mapping[str, Any] = response.get("content", {})
    for each in content.values():
        return str(each.get("schema", {}).get("$ref", "")).rpartition("/")[2]
    return ""
