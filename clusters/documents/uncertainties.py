"""Why a conclusion stays open, as the message of a pod of a simulation holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from clusters.documents.values import read_uncertainty, value_document
from clusters.wording.conclusions import uncertainty_clauses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.conclusion import Uncertainty

# No message of kube-scheduler begins so, nor does a sentence of an earlier release.
_BEGIN = '[{"kind":'


def text_of_uncertainties(uncertainties: Iterable[Uncertainty]) -> str:
    """Return uncertainties as a column of messages holds them."""
    return msgspec.json.encode([value_document(each) for each in uncertainties]).decode()


def message_in_words(stored: str) -> str:
    """Return a stored message as people read it; one of kube-scheduler's, or of an earlier release, is as it was."""
    if not stored.startswith(_BEGIN):
        return stored
    return uncertainty_clauses(map(read_uncertainty, msgspec.json.decode(stored)))
