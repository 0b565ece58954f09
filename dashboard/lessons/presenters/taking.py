"""What will be taken of a cluster for a lesson."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording.lessons import taken as words

if TYPE_CHECKING:
    from clusters.services.taken_lessons import TakenLesson


@dataclass(frozen=True, slots=True)
class TakenView:
    """How much is taken, whether it is a part (empty where it is all), what is asked, and what becomes of names."""

    amount: str
    part: str
    questions: tuple[str, ...]
    names: str


def taken_view(made: TakenLesson) -> TakenView:
    """Present a lesson that can be made."""
    part = made.part
    counts = {"nodes": len(part.nodes), "nodes_in_all": part.nodes_in_all}
    # The pod in question is one of them.
    pods = {"pods": made.pods, "pods_in_all": part.pods_in_all + 1}
    return TakenView(
        amount=words.NODES_AND_PODS(nodes=len(part.nodes), pods=made.pods),
        part="" if part.is_whole else words.part_taken(**counts, **pods),
        questions=tuple(words.step_title(step.kind, step.plugin) for step in made.steps),
        names=str(words.NAMES_REPLACED),
    )
