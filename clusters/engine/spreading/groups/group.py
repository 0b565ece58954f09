"""One group of pods under one constraint: what its domains hold, and where the next pod of the group may go."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.spreading.constraints import DO_NOT_SCHEDULE, SpreadConstraint

if TYPE_CHECKING:
    from clusters.engine.spreading.groups.census import Count
    from clusters.engine.spreading.groups.eligibility import Eligibility, Exclusion
    from clusters.engine.spreading.groups.loss import ZoneLoss
    from clusters.engine.spreading.groups.mixed import UnlikePods
    from clusters.engine.spreading.groups.nodeless import NodelessDomain
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.workloads.pod_template import PodTemplate, Workload


class Source(enum.StrEnum):
    """Where the constraint of a group comes from."""

    POD = "pod"
    SYSTEM = "System"
    LIST = "List"


@dataclass(frozen=True, slots=True)
class DomainCount:
    """One domain of a group. ``skew`` is ``pods`` less the global minimum; both are 0 where the domain does not count.

    ``excluded``: its nodes that do not count, by reason. ``admits``: whether the next pod of the group may enter.
    """

    value: str
    pods: int
    skew: int
    excess: int
    nodes: int
    eligible_nodes: int
    excluded: dict[Exclusion, int]
    admits: bool

    @property
    def is_eligible(self) -> bool:
        return self.eligible_nodes > 0


@dataclass(frozen=True, slots=True, eq=False)
class SpreadGroup:
    """The pods of a namespace that share a constraint, and all that decides which nodes it counts; V domains.

    ``itself`` is 1 when the group's pods match their own selector. ``template``: one of the group's; the others agree
    with it in what the constraint honours. ``members``: pods that have the constraint. ``identity`` is the same text
    for the same group in every snapshot and process, and another one for every other group. The pods that it counts
    are those that ``constraint.selector`` matches, unless they are being deleted: ``held`` (K,) of them lie in the
    domains numbered ``occupied`` (K,), and ``uncounted`` on nodes that do not count. ``zone_loss`` is of all of them.
    ``nodeless``: domains that do not count, as they have no node. ``unlike``: counted pods that do not have
    the constraint, empty for default constraints.
    """

    identity: str
    namespace: str
    constraint: SpreadConstraint
    action: str
    source: Source
    itself: int
    template: PodTemplate
    workloads: tuple[Workload, ...]
    members: Count
    eligibility: Eligibility
    nodeless: tuple[NodelessDomain, ...]
    unlike: tuple[UnlikePods, ...]
    occupied: Index
    held: Ints
    uncounted: int
    minimum: int
    zone_loss: ZoneLoss

    @property
    def blocks(self) -> bool:
        """Whether the constraint keeps pods pending; otherwise it only prefers."""
        return self.action == DO_NOT_SCHEDULE

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the topology key, shape (V,)."""
        return self.eligibility.column.values

    @property
    def counts(self) -> Ints:
        """Shape (V,): matching pods that count in each domain."""
        counts = np.zeros(len(self.values), np.int64)
        counts[self.occupied] = self.held
        return counts

    @property
    def skew(self) -> Ints:
        """Shape (V,): what each domain holds above the global minimum; 0 where the domain does not count."""
        return np.where(self.eligibility.exists, self.counts - self.minimum, 0)

    @property
    def largest_skew(self) -> int:
        """The skew of the fullest domain; 0 when none holds more than the global minimum."""
        return max(0, int(self.held.max(initial=self.minimum)) - self.minimum)

    @property
    def domain_count(self) -> int:
        """How many domains count."""
        return int(self.eligibility.exists.sum())

    @property
    def missing_domains(self) -> int:
        """How many domains fewer than minDomains there are; while any is missing, the global minimum is 0."""
        return max(0, self.constraint.min_domains - self.domain_count)

    @property
    def violation(self) -> int:
        """By how much the fullest domain exceeds maxSkew; 0 when none does."""
        return max(0, self.largest_skew - self.constraint.max_skew)

    @property
    def unevenness(self) -> tuple[int, int]:
        """What orders groups by their skew: how far it is over maxSkew, then the skew itself."""
        return self.violation, self.largest_skew

    @property
    def within(self) -> Mask:
        """Shape (V,): domains that count and would stay within maxSkew with one more pod of the group."""
        wanted = self.counts + self.itself - self.minimum
        return self.eligibility.exists & (wanted <= self.constraint.max_skew)

    @property
    def admits(self) -> Mask:
        """Shape (V,): domains that count and that the constraint lets the next pod enter."""
        return self.within if self.blocks else self.eligibility.exists

    def domains(self, most: int | None = None) -> list[DomainCount]:
        """Every domain, or the first of them: the fullest first, then those that do not count."""
        counts, skew, admits, eligibility = self.counts, self.skew, self.admits, self.eligibility
        numbers = range(len(self.values))
        ranks = zip((~eligibility.exists).tolist(), (-counts).tolist(), self.values, numbers, strict=True)
        ranked = sorted(ranks) if most is None else nsmallest(most, ranks)
        order = [number for *_, number in ranked]
        return [
            DomainCount(
                value=self.values[number],
                pods=int(counts[number]),
                skew=int(skew[number]),
                excess=max(0, int(skew[number]) - self.constraint.max_skew),
                nodes=int(eligibility.nodes[number]),
                eligible_nodes=int(eligibility.eligible[number]),
                excluded=eligibility.why_not(number),
                admits=bool(admits[number]),
            )
            for number in order
        ]
