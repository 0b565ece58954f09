"""How many nodes each filter leaves, as the scheduler's own verdicts say: pods nominated for a node count there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.extending import Verb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.cycle import Cycle
    from clusters.engine.status import FilterAnswer, Mask


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """How many nodes are left after one more filter, in plugin order; ``skipped`` filters had nothing to check."""

    plugin: str
    left: int
    rejected_here: int
    rejected_alone: int
    skipped: bool


def funnel_of(cycle: Cycle, with_nominated: Mapping[str, FilterAnswer]) -> list[FunnelStep]:
    """Every filter of the profile, then extenders; ``with_nominated``: answers where nominated pods count."""
    left = 0
    here: Counter[str] = Counter()
    if cycle.stopped_by is None:
        left = int(cycle.considered.sum())
        recorded = cycle.rejected_by[cycle.considered]
        times = np.bincount(recorded[recorded >= 0], minlength=len(cycle.rejections)).tolist()
        for rejection, number in zip(cycle.rejections, times, strict=True):
            here[rejection.plugin] += number
    steps = []
    for name in cycle.profile.filter:
        left -= here[name]
        alone = int(rejected_alone(cycle, name, with_nominated).sum())
        steps.append(FunnelStep(name, left, here[name], alone, skipped=name not in cycle.filters))
    for call in cycle.calls:
        if call.verb is Verb.FILTER and call.is_answered and not call.error:
            rejected = call.asked - call.kept
            steps.append(FunnelStep(call.extender.address, call.kept, rejected, rejected, skipped=False))
    return steps


def rejected_alone(cycle: Cycle, plugin: str, with_nominated: Mapping[str, FilterAnswer]) -> Mask:
    """Shape (N,): the nodes that a filter rejects, whatever others do, with or without the pods nominated for them."""
    failed = np.zeros(len(cycle.snapshot.nodes), np.bool_)
    outcome, nominated, world = cycle.filters.get(plugin), with_nominated.get(plugin), cycle.nominated_world
    if outcome is not None and outcome.failed is not None:
        failed |= outcome.failed
    if world is not None and nominated is not None and nominated.failed is not None:
        failed[world.rows] |= nominated.failed[world.rows]
    return failed
