"""A review as JSON: the document itself, of which schema-v2.json tells the form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA_FILE = Path(__file__).parent / "schema-v2.json"


def json_of(document: Mapping[str, Any]) -> bytes:
    """Return the document, indented."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def schema() -> bytes:
    """Return the JSON schema of the documents that are written now."""
    return SCHEMA_FILE.read_bytes()
