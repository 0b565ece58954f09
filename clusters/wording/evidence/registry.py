"""Which function words which kind of evidence; the module of each plugin enters its own."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any, TypeVar

from clusters.engine.evidence import Comparison, Normalisation, ScorePart
from clusters.wording.evidence.views import EvidenceView, ScoreView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Part = TypeVar("Part", bound=ScorePart)
_Wording = "Callable[[Sequence[Part], int], ScoreView]"
_scores: dict[type[ScorePart], Callable[[Sequence[Any], int], ScoreView]] = {}


@singledispatch
def comparison_view(compared: Comparison) -> EvidenceView:
    """Word what a filter compared. Raises TypeError for a type that no module words."""
    raise TypeError(f"{type(compared).__name__} has no wording")


@singledispatch
def normalisation_view(how: Normalisation) -> EvidenceView:
    """Word how a raw score came to 0..100. Raises TypeError for a type that no module words."""
    raise TypeError(f"{type(how).__name__} has no wording")


def words_score(kind: type[Part]) -> Callable[[Callable[[Sequence[Part], int], ScoreView]], None]:
    """Enter the function that words the parts of a raw score that are of one type, and the raw score."""

    def enter(word: Callable[[Sequence[Part], int], ScoreView]) -> None:
        _scores[kind] = word

    return enter


def score_view(parts: Sequence[ScorePart], raw: int) -> ScoreView:
    """Word what a raw score was made from. Raises KeyError for a type that no module words."""
    return _scores[type(parts[0])](parts, raw) if parts else ScoreView()


def worded_types() -> frozenset[type]:
    """All types of evidence that have a wording."""
    return frozenset({*comparison_view.registry, *normalisation_view.registry, *_scores} - {object})


def missing(comparisons: Iterable[Comparison]) -> str:
    """Say in one line what does not hold."""
    return "; ".join(comparison_view(each).missing for each in comparisons if not each.holds)
