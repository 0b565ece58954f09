"""Remarks about a simulation as its summary stores them, and the summary with whatever it stores by kind in words."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec

from clusters.documents.run_groups import group_in_words
from clusters.documents.stored_messages import message_in_words
from clusters.documents.value_schema import kinds_of
from clusters.documents.values import camel, value_document
from clusters.documents.words import with_sentence
from clusters.engine.simulation.remarks import Remark
from clusters.wording.runs.remarks import remark_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


def remark_document(remark: Remark) -> dict[str, Any]:
    """Return a remark as plain JSON: its ``kind``, and its fields in camel case."""
    return value_document(remark)


def read_remark(stored: Any) -> Remark | None:
    """Return the remark that `remark_document` wrote; None for anything else."""
    if not isinstance(stored, dict) or type(stored.get("kind")) is not str:
        return None
    found: Any = kinds_of(Remark).get(stored["kind"])
    if found is None:
        return None
    given = {each.name: stored[camel(each.name)] for each in dataclasses.fields(found) if camel(each.name) in stored}
    try:
        remark: Remark = msgspec.convert(given, found)
    except msgspec.ValidationError:
        return None
    return remark


def note_in_words(stored: str | Mapping[str, Any]) -> str:
    """Say a stored remark; a text, as earlier releases stored each of them, is one already."""
    remark = read_remark(stored)
    if remark is not None:
        return remark_sentence(remark)
    # Of an earlier release, or of a later one.
    return stored if isinstance(stored, str) else str(stored.get("text", dict(stored)))


def summary_in_words(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a simulation with what it stores by kind in sentences, which is how programs read it."""
    notes, relaxed = (list(map(note_in_words, summary[name])) for name in ("notes", "relaxed"))
    origins = {name: _origin(counts) for name, counts in summary["origins"].items()}
    causes = list(map(_said, summary["pending_causes"]))
    said = {"notes": notes, "relaxed": relaxed, "origins": origins, "pending_causes": causes}
    # A summary that was stored earlier lacks them.
    return {**summary, **said, "pod_groups": list(map(group_in_words, summary.get("pod_groups") or ()))}


def _origin(counts: Mapping[str, Any]) -> dict[str, Any]:
    groups = [{**group, "why": list(map(with_sentence, group["why"]))} for group in counts["uncertainties"]]
    return {**_said(counts), "uncertainties": groups}


def answer_in_words(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a part of a study with uncertainties as sentences, too, which is how programs read it."""
    if "uncertainties" not in answer:
        return dict(answer)
    return {**answer, "uncertainties": list(map(with_sentence, answer["uncertainties"]))}


def _said(part: Mapping[str, Any]) -> dict[str, Any]:
    return {**part, "message": message_in_words(part["message"])}
