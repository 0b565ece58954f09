"""How bodies are read: strictly, because what a database cannot keep should be told of where it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from ninja import Schema
from ninja.parser import Parser
from pydantic import ConfigDict

if TYPE_CHECKING:
    from django.http import HttpRequest


class StrictParser(Parser):
    """Reads JSON as its standard has it: no halves of surrogate pairs, no infinity, nothing nested without end."""

    def parse_body(self, request: HttpRequest) -> Any:
        read = orjson.loads(request.body)
        # It reads four times as deep as it writes; the interpreter would not come back from there.
        orjson.dumps(read)
        return read


class StrictSchema(Schema):
    """A body in which a misspelt wish is an error, and not passed over."""

    model_config = ConfigDict(extra="forbid")
