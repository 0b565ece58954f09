"""What becomes of the pod in question."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.lessons.situation import Situation


class PodOutcome(enum.StrEnum):
    """What becomes of the pod in question; the values are the answers, and keys in the texts of a lesson."""

    SCHEDULED = "scheduled"
    """It is scheduled to a node."""
    PREEMPTS = "preempts"
    """Other pods are removed for it, and it is nominated for their node."""
    UNSCHEDULABLE = "unschedulable"
    """It stays pending."""
    GATED = "gated"
    """The scheduler does not try it: scheduling gates, or its group, hold it back."""
    REFUSED = "refused"
    """The API server does not create it."""


def outcome_of(situation: Situation) -> PodOutcome:
    """What becomes of the pod in question. Raises UnsolvableError."""
    if not situation.is_tried:
        return PodOutcome.GATED if situation.refusal is None else PodOutcome.REFUSED
    if situation.attempt().fits:
        return PodOutcome.SCHEDULED
    return PodOutcome.UNSCHEDULABLE if situation.preemption() is None else PodOutcome.PREEMPTS
