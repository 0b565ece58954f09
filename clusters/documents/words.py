"""What stands beside a document in words: sentences for people, which may change, and are no part of the form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.documents.values import read_uncertainty, value_document
from clusters.engine.analysis import Advice, ClaimRemedy, remedies_of
from clusters.wording.advice import way_sentence
from clusters.wording.circumstances import circumstance_sentences
from clusters.wording.conclusions import doubts, uncertainty_sentence
from clusters.wording.remedies import remedy_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.conclusion import Uncertainty


def words(explanation: Explanation, verdict: str, found: Sequence[Advice] = ()) -> dict[str, Any]:
    """Return the verdict, a sentence for each of the ``uncertainties``, all doubts, and what to do about volumes.

    ``found``: what would make the pod schedulable, the ``ways`` in their order.
    """
    return {
        "verdict": verdict,
        "uncertainties": [uncertainty_sentence(each) for each in explanation.uncertainties],
        "doubts": doubts(explanation),
        "volumes": [remedy_sentence(each) for each in remedies_of(explanation) if isinstance(each, ClaimRemedy)],
        "ways": [way_sentence(explanation, way) for each in found for way in each.ways],
        "circumstances": circumstance_sentences(explanation),
    }


def uncertainty_with_words(each: Uncertainty) -> dict[str, Any]:
    """Return an uncertainty with its sentence, where it stands outside of an explanation."""
    return {**value_document(each), "sentence": uncertainty_sentence(each)}


def sentence_of_uncertainty(stored: Mapping[str, Any]) -> str:
    """Say an uncertainty as runs and studies store it."""
    return uncertainty_sentence(read_uncertainty(stored))


def with_sentence(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return an uncertainty as runs and studies store it with its sentence, which is how programs read it."""
    return {**stored, "sentence": sentence_of_uncertainty(stored)}
