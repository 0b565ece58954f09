"""What can be wrong with a recorded case, one line of a file."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class CaseNotJson(Problem):
    """A line that is no JSON; ``reason`` is the word of the library that reads it."""

    reason: str


@dataclass(frozen=True, slots=True)
class NotACase(Problem):
    """A line that is no map."""

    found: str


@dataclass(frozen=True, slots=True)
class UnreadableObjects(Problem):
    """Objects that no API server returns; ``reason`` is what Kubernetes says is wrong with one."""

    reason: str
