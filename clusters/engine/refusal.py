"""What a cycle says of nodes that do not take a pod.

Upstream: ``FitError`` in ``pkg/scheduler/framework/types.go`` v1.34.1.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.messages import NO_NODES, no_node_available
from clusters.engine.status import Code

if TYPE_CHECKING:
    from clusters.engine.cycle import Cycle


def reasons_of(cycle: Cycle) -> Counter[str]:
    """How many nodes gave each reason; none where no node was asked, or an error ended the cycle."""
    counts: Counter[str] = Counter()
    if cycle.error is not None or cycle.stopped_by is not None:
        return counts
    rejected = cycle.rejected_by
    times = np.bincount(rejected[rejected >= 0], minlength=len(cycle.rejections))
    for rejection, number in zip(cycle.rejections, times.tolist(), strict=True):
        for reason in rejection.status.reasons:
            counts[reason] += number
    return counts


def fit_error_of(cycle: Cycle) -> str | None:
    """The FailedScheduling text about nodes, without its preemption part.

    None where a node is taken, or an error ends the cycle.
    """
    nodes = len(cycle.snapshot.nodes)
    if len(cycle.choices) or cycle.error is not None:
        return None
    if not nodes:
        return NO_NODES
    if cycle.stopped_by is not None:
        return no_node_available(nodes, {}, pre_filter=", ".join(cycle.stopped_by.status.reasons))
    return no_node_available(nodes, reasons_of(cycle))


def rejecting(cycle: Cycle) -> tuple[str, ...]:
    """The plugins whose events would have the pod tried again, by name.

    Upstream: ``UnschedulablePlugins`` of the diagnosis: those that rejected a node which was looked at, and those whose
    PreFilter rejected the pod or restricted the search.
    """
    names = set(cycle.restricting)
    if cycle.stopped_by is not None:
        # Only one that preemption could resolve lets the others be heard.
        if cycle.stopped_by.plugin and cycle.stopped_by.status.code is not Code.UNSCHEDULABLE:
            names.clear()
        names.add(cycle.stopped_by.plugin)
    else:
        looked_at = cycle.considered.copy()
        if cycle.nominated_row is not None:
            looked_at[cycle.nominated_row] = True
        for number in np.unique(cycle.rejected_by[looked_at]).tolist():
            if number >= 0:
                names.update(cycle.rejections[number].plugins)
    return tuple(sorted(names - {""}))
