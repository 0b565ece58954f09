"""What can be wrong with an amount of a resource."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NotAQuantity(Problem):
    """A text that Kubernetes' grammar of quantities refuses."""

    found: str


@dataclass(frozen=True, slots=True)
class NeitherNumberNorText(Problem):
    """Something else than a number or a text where a quantity belongs."""

    found: str


@dataclass(frozen=True, slots=True)
class LongQuantity(Problem):
    """A quantity of more than ``most`` digits or characters."""

    found: str
    most: int


@dataclass(frozen=True, slots=True)
class SpacedQuantity(Problem):
    """A quantity with white space around it; ``right`` is it without."""

    found: str
    right: str


@dataclass(frozen=True, slots=True)
class UpperCaseK(Problem):
    """A quantity in K: ``thousands`` and ``binary`` are what can be meant."""

    found: str
    thousands: str
    binary: str
