"""What can keep a decision from becoming a lesson."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class DecisionNotKept(Problem):
    """The journal does not know what ran at the moment of a decision."""


@dataclass(frozen=True, slots=True)
class PodNotKept(Problem):
    """Nothing is known of a pod any more but its name."""

    pod: str


@dataclass(frozen=True, slots=True)
class TooMuchForALesson(Problem):
    """The pod in question, and what it needs, is more than a lesson holds."""

    most_bytes: int
