"""What a source lacks, as rows store it and as people read it; rows of earlier releases are read too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.problems import decoded
from clusters.wording.clusters.gaps import affects
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class WordedGap:
    """What is missing, why it is thought to be, the answers that suffer, and whether any pod is concerned."""

    kind: str
    why: str
    affects: str
    felt: bool


def worded_gap(stored: Mapping[str, Any]) -> WordedGap:
    """Return a gap of a row in words; an earlier release stored sentences, which are kept where ours say nothing."""
    kind, unused = str(stored["kind"]), str(stored.get("unused", ""))
    said = str(stored.get("affects", "")) or affects(kind, unused=unused)
    return WordedGap(kind, problem_sentence(decoded(stored.get("why", ""))), said, bool(stored.get("felt", not unused)))
