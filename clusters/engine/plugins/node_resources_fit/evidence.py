"""What NodeResourcesFit compared on a node, and what it made its score from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clusters.engine.evidence import Comparison, Rounding, ScorePart


@dataclass(frozen=True, slots=True)
class NominatedRequest:
    """What a pod that is nominated for the node requests of a resource."""

    pod: str
    amount: int


@dataclass(frozen=True, slots=True)
class ResourceComparison(Comparison):
    """What the pod requests of a resource, and what of it the node has, in base units.

    ``used`` is what the node's pods request; ``nominated`` is what is left free for pods nominated for the node.
    """

    kind = "resource"

    resource: str
    requested: int
    allocatable: int
    used: int
    nominated: tuple[NominatedRequest, ...] = ()

    @property
    def free(self) -> int:
        """What the pod may request; negative where more is used than there is."""
        return self.allocatable - self.used - self.reserved

    @property
    def reserved(self) -> int:
        """What nominated pods request."""
        return sum(each.amount for each in self.nominated)

    @property
    def missing(self) -> int:
        """How much more would have to be free; 0 where the request fits."""
        return max(0, self.requested - self.free)

    @property
    def holds(self) -> bool:
        return self.requested <= self.free


@dataclass(frozen=True, slots=True)
class LeastAllocated:
    """Scores a resource by the share of it that is free."""

    kind: ClassVar[str] = "least-allocated"

    rounding: Rounding = Rounding.DOWN


@dataclass(frozen=True, slots=True)
class MostAllocated:
    """Scores a resource by the share of it that is requested."""

    kind: ClassVar[str] = "most-allocated"

    rounding: Rounding = Rounding.DOWN


@dataclass(frozen=True, slots=True)
class ScoredUtilisation:
    """A point of a shape: percent of a resource that is requested, and the score from 0 to 100."""

    utilisation: int
    score: int


@dataclass(frozen=True, slots=True)
class RequestedToCapacityRatio:
    """Scores a resource by a broken line over its utilisation; resources that score 0 do not count in the mean."""

    kind: ClassVar[str] = "requested-to-capacity-ratio"

    shape: tuple[ScoredUtilisation, ...]
    rounding: Rounding = Rounding.NEAREST


Strategy = LeastAllocated | MostAllocated | RequestedToCapacityRatio


@dataclass(frozen=True, slots=True)
class ResourceScore(ScorePart):
    """What of a resource would be requested with the pod, in base units, and how it scores.

    The raw score is the mean of all resources' scores by ``weight``, rounded as the strategy says.
    """

    kind = "resource-score"

    resource: str
    strategy: Strategy
    requested: int
    allocatable: int
    score: int
    weight: int
