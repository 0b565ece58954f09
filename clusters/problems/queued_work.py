"""Why work is not put into the queue."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class TooMuchQueued(Problem):
    """A user has ``unfinished`` simulations, parts of studies and reviews, and may add to fewer than ``most``."""

    unfinished: int
    most: int
