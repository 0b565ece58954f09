"""What a source lacks, as rows store it and as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.stored_problems import decoded
from clusters.wording.clusters import affects, label
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class WordedGap:
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
