"""What a run's request may be at all: JSON of some size that a database takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from clusters.problems.simulations import NotJson, TooManyBytes
from clusters.problems.texts import NulInText
from clusters.services.runs.errors import SpecError

MOST_BYTES: Final = 32 * 1024 * 1024


def check_json(data: Any) -> None:
    """Raise SpecError for what is no JSON, or is more than is taken, or holds what no database takes."""
    try:
        text = orjson.dumps(data)
    except (TypeError, orjson.JSONEncodeError) as error:
        raise SpecError("", NotJson(str(error))) from None
    if len(text) > MOST_BYTES:
        raise SpecError("", TooManyBytes(len(text), MOST_BYTES))
    if b"\\u0000" in text:
        refuse_nul(data)


def refuse_nul(value: Any) -> None:
    """Raise SpecError if any text has a NUL, which no database takes; what is nested too deeply was refused before."""
    if _has_nul(value):
        raise SpecError("", NulInText())


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, Mapping):
        return any(_has_nul(key) or _has_nul(part) for key, part in value.items())
    return any(map(_has_nul, value)) if isinstance(value, list | tuple) else False
