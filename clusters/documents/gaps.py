"""What a source lacks, as rows store it and as people read it; rows of earlier releases are read too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.documents.stored_problems import decoded
from clusters.problems.inputs import OtherGap, Use
from clusters.wording.clusters.gaps import affects, label
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


# By what earlier releases stored in their place.
_FORMER_KINDS: Final[Mapping[str, str]] = {
    "Missing node": OtherGap.MISSING_NODE,
    "Pod defaults": OtherGap.POD_DEFAULTS,
}
_FORMER_USES: Final[Mapping[str, str]] = {
    "priority classes": Use.PRIORITY_CLASSES,
    "namespace selectors": Use.NAMESPACE_SELECTORS,
    "runtime classes": Use.RUNTIME_CLASSES,
    "resource claims": Use.RESOURCE_CLAIMS,
}


@dataclass(frozen=True, slots=True)
class WordedGap:
    """What is missing, for programs and in words, why, the answers that suffer, and whether any pod is concerned."""

    kind: str
    label: str
    why: str
    affects: str
    felt: bool


def worded_gap(stored: Mapping[str, Any]) -> WordedGap:
    """Return a gap of a row in words; an earlier release stored sentences, which are kept where ours say nothing."""
    kind, unused = str(stored["kind"]), str(stored.get("unused", ""))
    kind, unused = str(_FORMER_KINDS.get(kind, kind)), str(_FORMER_USES.get(unused, unused))
    said = str(stored.get("affects", "")) or affects(kind, unused=unused)
    why = problem_sentence(decoded(stored.get("why", "")))
    return WordedGap(kind, label(kind), why, said, bool(stored.get("felt", not unused)))
