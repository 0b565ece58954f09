"""Why the API server would refuse an object that is no pod."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NotAPodCount(Problem):
    """Neither a whole number of pods nor a percentage; of a share, neither that up to 100 %."""

    found: str


@dataclass(frozen=True, slots=True)
class NotTogether(Problem):
    """Fields of which only one may stand there."""

    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NeedsOneOf(Problem):
    """Fields of which exactly one has to stand there, and none or several do."""

    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OnlyBeside(Problem):
    """A field or value that is allowed only where another ``field`` has a ``value``."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Repeated(Problem):
    """A name, type or key that an earlier item of the list has, too."""

    found: str


@dataclass(frozen=True, slots=True)
class AboveOther(Problem):
    """An amount above that of another field, which it may not exceed."""

    found: str
    field: str
    other: str


@dataclass(frozen=True, slots=True)
class BothZero(Problem):
    """Two fields of which one has to be above 0."""

    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReservedClass(Problem):
    """A PriorityClass whose name begins as those of the system do; ``known`` are these, with their values."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DefaultClassTwice(Problem):
    """A PriorityClass marked as default where another one is."""

    other: str


@dataclass(frozen=True, slots=True)
class NotASchedule(Problem):
    """A schedule of a CronJob that cannot be read."""

    found: str


@dataclass(frozen=True, slots=True)
class NoSuchRequest(Problem):
    """A name that no request of the claim has."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TemplateNotSelected(Problem):
    """A workload whose selector does not match the labels of its own template."""
