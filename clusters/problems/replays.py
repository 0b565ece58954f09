"""Why a stretch of the journal cannot be scheduled again."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class BackwardStretch(Problem):
    """A stretch of time that ends before it begins."""


@dataclass(frozen=True, slots=True)
class NoDecisionsThen(Problem):
    """A stretch of time in which the journal has no attempt to schedule a pod."""


@dataclass(frozen=True, slots=True)
class ManyDecisions(Problem):
    """A stretch of time with more decisions than are replayed."""

    decisions: int
    most: int


@dataclass(frozen=True, slots=True)
class ManyNodeChanges(Problem):
    """A stretch of time in which nodes change at more moments than are replayed."""

    moments: int
    most: int
