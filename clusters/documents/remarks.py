"""Remarks about a simulation as its summary stores them, and the summary with each of them as a sentence."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec

from clusters.documents.value_schema import kinds_of
from clusters.documents.values import camel, value_document
from clusters.engine.simulation.remarks import Remark
from clusters.wording.runs.remarks import remark_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


def remark_document(remark: Remark) -> dict[str, Any]:
    """Return a remark as plain JSON: its ``kind``, and its fields in camel case."""
    return value_document(remark)


def summary_in_words(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a simulation with its ``notes`` as sentences, which is how programs read them."""
    return {**summary, "notes": [_sentence(each) for each in summary["notes"]]}


def _sentence(stored: str | Mapping[str, Any]) -> str:
    """Say a remark of a summary; a text, as earlier releases stored each of them, is one already."""
    if isinstance(stored, str):
        return stored
    found: Any = kinds_of(Remark).get(stored.get("kind", ""))
    if found is None:
        # Of an earlier release, or of a later one.
        return str(stored.get("text", dict(stored)))
    given = {each.name: stored[camel(each.name)] for each in dataclasses.fields(found)}
    remark: Remark = msgspec.convert(given, found)
    return remark_sentence(remark)
