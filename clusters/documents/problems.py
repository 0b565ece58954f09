"""Stored problems, gaps and skipped objects in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from clusters.documents.stored_problems import decoded, encoded as encoded
from clusters.wording.clusters import affects, label
from clusters.wording.problems import problem_sentence, remedy_sentence, skipped_thing

if TYPE_CHECKING:
    from collections.abc import Mapping


def in_words(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failure that a row stores with its ``problem`` and its ``remedy`` as sentences."""
    problem = decoded(stored["problem"])
    placed = {name: value for name, value in stored.items() if name != "line"}
    said = problem_sentence(problem, line=stored.get("line", 0))
    return {**placed, "problem": said, "remedy": remedy_sentence(problem)}


class WordedGap(Struct, frozen=True):
    """What is missing, for programs and in words, why, the answers that suffer, and whether any pod is concerned."""

    kind: str
    label: str
    why: str
    affects: str
    felt: bool


def worded_gap(stored: Mapping[str, Any]) -> WordedGap:
    """Return a gap of a row in words."""
    kind, unused = stored["kind"], stored["unused"]
    why = problem_sentence(decoded(stored["why"]))
    return WordedGap(kind, label(kind), why, affects(kind, unused=unused), not unused)


class WordedSkip(Struct, frozen=True):
    """What was skipped, why, and how often; ``reason`` is for programs, and never translated."""

    what: str
    why: str
    count: int
    reason: str


def worded_skip(stored: Mapping[str, Any]) -> WordedSkip:
    """Return an entry of a row in words."""
    reason = decoded(stored["why"])
    return WordedSkip(skipped_thing(reason), problem_sentence(reason), int(stored["count"]), reason.kind)
