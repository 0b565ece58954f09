"""How a Deployment that is scaled in the middle of a rollout shares its replicas among its ReplicaSets.

Upstream: ``scale`` in ``pkg/controller/deployment/sync.go`` and ``GetReplicaSetProportion`` in
``pkg/controller/deployment/util``, v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_REPLICAS: Final = "deployment.kubernetes.io/max-replicas"


@dataclass(frozen=True, slots=True)
class SizedReplicaSet:
    """A ReplicaSet with replicas. ``created`` sorts like its creation; ``most``: what its Deployment allowed then.

    That is replicas and maxSurge together, as the controller notes it on the ReplicaSet.
    """

    name: str
    replicas: int
    created: str
    most: int


def proportional_sizes(sets: Sequence[SizedReplicaSet], *, desired: int, surge: int) -> dict[str, int]:
    """The replicas of each active ReplicaSet of a rolling update after scaling to ``desired``; ``surge``: then.

    The largest is served first, and takes what rounding leaves. Among equals the newer one grows first and the older
    one shrinks first; of one age the name decides.
    """
    active = [each for each in sets if each.replicas > 0]
    most = desired + surge if desired > 0 else 0
    to_add = most - sum(each.replicas for each in active)
    by_age = sorted(active, key=lambda each: (each.created, each.name), reverse=to_add > 0)
    ordered = sorted(by_age, key=lambda each: -each.replicas)
    sizes: dict[str, int] = {}
    added = 0
    for each in ordered:
        share = 0
        if to_add not in (0, added):
            fraction = -each.replicas if desired == 0 else _fraction(each, desired + surge)
            left = to_add - added
            share = min(fraction, left) if to_add > 0 else max(fraction, left)
        sizes[each.name] = each.replicas + share
        added += share
    if ordered:
        largest = ordered[0].name
        sizes[largest] = max(0, sizes[largest] + to_add - added)
    return sizes


def _fraction(of: SizedReplicaSet, most: int) -> int:
    """By how many replicas a set grows, or shrinks, to keep its part; halves are rounded away from zero."""
    if not of.most:
        return 0
    size = float(of.replicas * most) / float(of.most)
    return int(size + 0.5) - of.replicas
