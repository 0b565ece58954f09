"""How groups of pods end in a simulation, as its summary stores them, and in words."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec

from clusters.documents.values import camel, value_document
from clusters.engine.simulation.group_ends import GroupResult
from clusters.wording.runs.groups import end_word, group_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


def group_document(result: GroupResult) -> dict[str, Any]:
    """Return how a group ends as plain JSON, its fields in camel case."""
    return value_document(result)


def read_group(stored: Mapping[str, Any]) -> GroupResult:
    """Return the result that `group_document` wrote."""
    named = {each.name: camel(each.name) for each in dataclasses.fields(GroupResult)}
    fields = {name: stored[key] for name, key in named.items() if key in stored}
    return msgspec.convert(fields, GroupResult)


def both_ways(stored: Mapping[str, Any]) -> tuple[GroupResult | None, GroupResult | None]:
    """Return how a group ends pod by pod and by the batch scheduler, whichever the run is; None for no answer."""
    own = read_group(stored)
    beside = None if stored["beside"] is None else read_group(stored["beside"])
    return (beside, own) if stored["way"] == "batch" else (own, beside)


def group_in_words(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored group with a word and a sentence for how it ends, as programs read it, and so ``beside``."""
    beside = stored.get("beside")
    return {**_said(stored), "beside": None if beside is None else _said(beside)}


def _said(stored: Mapping[str, Any]) -> dict[str, Any]:
    result = read_group(stored)
    return {**stored, "state": end_word(result.end), "sentence": group_sentence(result)}
