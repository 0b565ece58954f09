"""The JSON schema of an explanation, made from the types that write it.

``python -m clusters.documents.schema`` writes it into the file beside this one; a test compares.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import orjson

from clusters.documents.explanation import VERSION, ExplanationDocument
from clusters.documents.value_schema import kinds_of, value_schemas
from clusters.engine.analysis.remedies import Remedy
from clusters.engine.conclusion import Uncertainty
from clusters.engine.evidence import Comparison, Normalisation, ScorePart
from clusters.engine.subjects import Subject

PATH: Final = Path(__file__).parent / f"explanation-v{VERSION}.schema.json"
# Where other schemas refer to; the types of documents name them in `explanation`.
_DEFINITIONS: Final = "#/$defs/"


def explanation_schema() -> dict[str, Any]:
    """Return the schema by itself, as JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"explanation-v{VERSION}",
        "$ref": f"{_DEFINITIONS}{ExplanationDocument.__name__}",
        "$defs": definitions(_DEFINITIONS),
    }


def definitions(prefix: str) -> dict[str, Any]:
    """Return the schema of each part by name; ``prefix`` is what references to them begin with."""
    _, parts = msgspec.json.schema_components([ExplanationDocument], ref_template=f"{_DEFINITIONS}{{name}}")
    families = _families()
    parts |= value_schemas((each for family in families.values() for each in family), _DEFINITIONS)
    for name, family in families.items():
        parts[name] = {"anyOf": [{"$ref": f"{_DEFINITIONS}{each.__name__}"} for each in family]}
    written = orjson.dumps(dict(sorted(parts.items()))).decode()
    replaced: dict[str, Any] = orjson.loads(written.replace(f'"{_DEFINITIONS}', f'"{prefix}'))
    return replaced


def _families() -> dict[str, tuple[type, ...]]:
    """Return what is written by its fields, by the names by which the documents' types refer to it."""
    bases: dict[str, type] = {
        "Comparison": Comparison,
        "Normalisation": Normalisation,
        "Remedy": Remedy,
        "ScorePart": ScorePart,
        "Subject": Subject,
    }
    families = {name: tuple(kinds_of(base).values()) for name, base in bases.items()}
    return {**families, "Uncertainty": get_args(Uncertainty)}


def written_schema() -> bytes:
    """Return the schema as the file holds it."""
    return orjson.dumps(explanation_schema(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    PATH.write_bytes(written_schema())
