"""Failures that rows store, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.documents.stored_problems import decoded, encoded as encoded
from clusters.wording.problems import problem_sentence, remedy_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


def in_words(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failure that a row stores with its ``problem`` and its ``remedy`` as sentences."""
    problem = decoded(stored["problem"])
    placed = {name: value for name, value in stored.items() if name != "line"}
    said = problem_sentence(problem, line=stored.get("line", 0))
    return {**placed, "problem": said, "remedy": remedy_sentence(problem)}
