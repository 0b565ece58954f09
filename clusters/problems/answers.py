"""Why there is no answer to a question about a cluster now."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class ChangingTooFast(Problem):
    """A cluster that changed each of so many times that it was read."""

    cluster: str
    times: int


@dataclass(frozen=True, slots=True)
class OverTime(Problem):
    """An answer that takes more than so many seconds of computing."""

    seconds: float


@dataclass(frozen=True, slots=True)
class ManyEvictions(Problem):
    """A drain of more evictions than are planned."""

    evictions: int
    most: int


@dataclass(frozen=True, slots=True)
class WorkersAway(Problem):
    """Redis is away, by which workers are asked and which keeps what they find out."""
