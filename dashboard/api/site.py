"""The API as one thing: who may ask, how errors are said, and what its document begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django.conf import settings
from ninja import NinjaAPI, Schema
from ninja.parser import Parser
from ninja.security import APIKeyCookie, HttpBearer
from pydantic import ConfigDict

from clusters.documents.writing import definitions
from dashboard.api.answering import handles_errors
from dashboard.api.documents.mirror import EXPLANATION, POD_GROUP, Error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.models import User
    from django.http import HttpRequest
    from ninja.openapi.schema import OpenAPISchema

    from dashboard.models import ApiToken


class StrictParser(Parser):
    """Reads JSON as its standard has it: no halves of surrogate pairs, no infinity, nothing nested without end."""

    def parse_body(self, request: HttpRequest) -> Any:
        read = orjson.loads(request.body)
        # It reads four times as deep as it writes; the interpreter would not come back from there.
        orjson.dumps(read)
        return read


class StrictSchema(Schema):
    """A body in which an unknown field is an error, so that a misspelt one is not ignored."""

    model_config = ConfigDict(extra="forbid")


class Token(HttpBearer):
    """A token in the header Authorization; the gate before every view has read it."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        return getattr(request, "api_token", None)


class Session(APIKeyCookie):
    """The cookie of somebody who is signed in; what changes anything carries the header X-CSRFToken, too."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:
        return request.user if request.user.is_authenticated else None


_COMPONENTS = "#/components/schemas/"
# What stands for a document until its schema is there.
_DOCUMENTS = {title: {"type": "object", "title": title} for title in (EXPLANATION, POD_GROUP)}
# So many answers that are no success every operation may give.
ERRORS: Mapping[int, Any] = {400: Error, 401: Error, 403: Error, 404: Error, 429: Error}


class ApiSite(NinjaAPI):
    """The API, with the schemas of explanations in its document."""

    def get_openapi_schema(self, **kwargs: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**kwargs)
        schema["components"]["schemas"] |= definitions(_COMPONENTS)
        _refer_to_documents(schema["components"]["schemas"])
        return schema


def _refer_to_documents(part: Any) -> None:
    """Let what is a document, as `documents.mirror` marks it, refer to its schema."""
    if isinstance(part, list):
        for each in part:
            _refer_to_documents(each)
    elif isinstance(part, dict):
        title = next((title for title, document in _DOCUMENTS.items() if part == document), None)
        if title is not None:
            part.clear()
            part["$ref"] = f"{_COMPONENTS}{title}"
        for each in part.values():
            _refer_to_documents(each)


api = ApiSite(
    title="Berth",
    version="1",
    description=(
        "Why each Kubernetes pod runs where it runs, or why it cannot, and what would happen if. Amounts are whole "
        "numbers in base units: milli-CPU, bytes, counts. Within a version fields are added, never renamed or removed; "
        "an explanation has a version of its own."
    ),
    docs_url=None,
    openapi_url="/openapi.json",
    parser=StrictParser(),
    auth=[Token(), Session()],
    urls_namespace="api-v1",
)
handles_errors(api)
