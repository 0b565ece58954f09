"""What can be wrong with asking what an upgrade changes."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class UnknownMinor(Problem):
    """A Kubernetes minor that Berth does not know; ``known`` are those that it does."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoLaterMinor(Problem):
    """A minor that is not later than the one that the cluster is answered as; ``later`` are those that are."""

    found: str
    runs: str
    later: tuple[str, ...]
