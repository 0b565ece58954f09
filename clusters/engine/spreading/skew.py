"""How far apart the domains of a pod's topology spread constraints are.

Upstream: ``pkg/scheduler/framework/plugins/podtopologyspread/{common,filtering}.go`` v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.configuration.arguments import PodTopologySpreadArgs
from clusters.engine.objects import Pod
from clusters.engine.plugin import Context
from clusters.engine.spreading.constraints import (
    DO_NOT_SCHEDULE,
    PLUGIN,
    SCHEDULE_ANYWAY,
    Domains,
    all_labelled,
    constraints_of,
    needs_every_key,
)

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Skew:
    """One constraint and its skew: what the fullest domain that counts holds above the global minimum."""

    topology_key: str
    max_skew: int
    action: str
    skew: int

    @property
    def is_violated(self) -> bool:
        return self.skew > self.max_skew

    @property
    def blocks(self) -> bool:
        """Whether a pod waits rather than exceed ``max_skew``."""
        return self.action == DO_NOT_SCHEDULE


def skews_of(snapshot: Snapshot, pod: Document, profile: Profile) -> tuple[Skew, ...]:
    """The skew of each of a pod's constraints, defaults among them, as the snapshot is. Raises SelectorError."""
    typed = Pod(pod)
    context = Context(snapshot, typed, profile.args)
    arguments = context.arguments_of(PLUGIN, PodTopologySpreadArgs)
    found = []
    for action in (DO_NOT_SCHEDULE, SCHEDULE_ANYWAY):
        constraints = constraints_of(snapshot, typed, arguments, action)
        for constraint in constraints:
            required = constraints if needs_every_key(typed, arguments) else [constraint]
            domains = Domains.of(context, constraint, all_labelled(snapshot, required))
            most = int(domains.counts[domains.exists].max(initial=0))
            skew = max(0, most - domains.minimum)
            found.append(Skew(constraint.topology_key, constraint.max_skew, action, skew))
    return tuple(found)


def widest(first: tuple[Skew, ...], second: tuple[Skew, ...]) -> tuple[Skew, ...]:
    """The larger skew of each constraint at two moments; a moment without constraints counts for nothing."""
    if not first or not second:
        return first or second
    return tuple(max(pair, key=lambda each: each.skew) for pair in zip(first, second, strict=True))
