"""What can be wrong with usage that somebody sends, and what is left out of it."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class UsageBeforeState(Problem):
    """Usage of a cluster of which nothing was read."""


@dataclass(frozen=True, slots=True)
class NoUsageFound(Problem):
    """A source without any PodMetrics or NodeMetrics."""


@dataclass(frozen=True, slots=True)
class UsageOfTheFuture(Problem):
    """Usage with a time that is more than a day ahead."""

    found: str


@dataclass(frozen=True, slots=True)
class TopWithoutNamespaces(Problem):
    """Output of kubectl top pods that does not name namespaces."""

    line: int


@dataclass(frozen=True, slots=True)
class TopColumnUnknown(Problem):
    """A column of kubectl top that is not known."""

    line: int
    found: str


@dataclass(frozen=True, slots=True)
class TopRowLength(Problem):
    """A line of another number of columns than its heading."""

    line: int
    found: str
    cells: int
    columns: int


@dataclass(frozen=True, slots=True)
class TopAmount(Problem):
    """A cell that is no amount; ``why`` says what is wrong with it."""

    line: int
    column: str
    why: Problem


@dataclass(frozen=True, slots=True)
class TopLineTooLong(Problem):
    """A line of more characters than any of kubectl top has."""

    line: int
    most: int
