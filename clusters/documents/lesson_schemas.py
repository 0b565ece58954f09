"""The JSON schemas of a lesson's files, made from the types that read them."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import orjson

from clusters.documents.lessons import LessonManifest, LessonTextsManifest
from clusters.engine.lessons.question import Question
from clusters.engine.lessons.questions import QUESTIONS

_DEFINITIONS: Final = "#/$defs/"
_TYPES: Final[dict[str, type]] = {"lesson": LessonManifest, "texts": LessonTextsManifest}


def schema_names() -> tuple[str, ...]:
    """Return the names of the schemas of a lesson's files."""
    return tuple(_TYPES)


def lesson_schema(name: str) -> dict[str, Any]:
    """Return the schema of `lesson.yaml` or of a file of `texts/`, as JSON Schema 2020-12."""
    described = _TYPES[name]
    _, parts = msgspec.json.schema_components([described], ref_template=f"{_DEFINITIONS}{{name}}")
    if described is LessonManifest:
        parts[Question.__name__] = _question()
    described_by = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "$ref": f"{_DEFINITIONS}{described.__name__}",
        "$defs": dict(sorted(parts.items())),
    }
    # As JSON has it: defaults are tuples in the types.
    schema: dict[str, Any] = orjson.loads(orjson.dumps(described_by))
    return schema


def _question() -> dict[str, Any]:
    """Return the schema of a question: one of the kinds that there are, with its arguments in a map, or without any."""
    kinds = {
        kind: {"description": _first_paragraph(question), "type": ["object", "null"]}
        for kind, question in QUESTIONS.items()
    }
    return {
        "title": Question.__name__,
        "description": _first_paragraph(Question),
        "type": "object",
        "properties": kinds,
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }


def _first_paragraph(described: type) -> str:
    return " ".join((described.__doc__ or "").partition("\n\n")[0].split())
