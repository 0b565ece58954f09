"""The placements in which two simulations differ, as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.run_words import why_of
from clusters.wording.runs import compare as words
from clusters.wording.runs.differences import cost_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Difference = Mapping[str, Any]

COLUMNS = ("pod", "left", "right", "why")


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """One pod that ended elsewhere, or did not; steps lead to the decisions, None where there is none."""

    pod: str
    left: str
    right: str
    left_step: int | None
    right_step: int | None
    why: str


def difference_views(found: Iterable[Difference]) -> list[DifferenceView]:
    """Present placements that differ."""
    return [
        DifferenceView(
            pod=each["pod"],
            left=_ended(each["left"], each["left_pod"]),
            right=_ended(each["right"], each["right_pod"]),
            left_step=each.get("left_step"),
            right_step=each.get("right_step"),
            why=why_of(each),
        )
        for each in found
    ]


def _ended(node: str, replacement: str) -> str:
    """Say where a pod ended, and as which one where another replaced it."""
    name = replacement.partition("/")[2]
    ended = node or str(words.NOT_PLACED)
    return words.PLACED_AS(node=ended, replacement=name) if name else ended


def summary_sentence(found: Mapping[str, Any]) -> str:
    """Say how many placements differ."""
    return words.placed_elsewhere(differing=len(found["placements"]), pods=found["pods"])


def disruption(found: Mapping[str, Any]) -> str:
    """Say what going from one to the other would cost."""
    return cost_sentence(found["cost"])


def cells(each: Difference) -> tuple[str, ...]:
    """Return a row of the file."""
    return each["pod"], each["left"], each["right"], why_of(each)
