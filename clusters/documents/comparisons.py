"""A comparison of two simulations in words, the problems that its reasons hold as documents too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.documents.stored_problems import decoded
from clusters.wording.problems import problem_sentence
from clusters.wording.runs.differences import cost_sentence, why_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


def why_of(placement: Mapping[str, Any]) -> str:
    """Say why a pod ended elsewhere; ``placement`` is one of a comparison of two simulations."""
    reason = placement["reason"]
    if reason["problem"] is None:
        return why_sentence(placement)
    said = problem_sentence(decoded(reason["problem"]))
    return why_sentence({**placement, "reason": {**reason, "reasons": [*reason["reasons"], said]}})


def comparison_in_words(comparison: Mapping[str, Any]) -> dict[str, Any]:
    """Return a comparison of two simulations with ``why`` of each placement and its ``cost`` as sentences."""
    placements = [{**each, "why": why_of(each)} for each in comparison["placements"]]
    return {**comparison, "placements": placements, "cost": cost_sentence(comparison["cost"])}
