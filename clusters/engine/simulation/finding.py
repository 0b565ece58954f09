"""One attempt to place a pod: where it could go, or who rejects it and what would make room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.cycle import Cycle, run_cycle
from clusters.engine.explanation import Explanation
from clusters.engine.objects import Pod

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document
    from clusters.engine.simulation.search_order import SearchOrder
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index

_NO_ROWS: Index = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True)
class Finding:
    """What an attempt came to, before one of the ``best`` rows is taken.

    ``total``: the highest one; None where nothing was scored. ``feasible`` nodes among ``looked_at`` ones. Without a
    best row ``plugins`` rejected the pod, ``message`` is the scheduler's, ``nominated`` is the node that preemption
    takes or that the pod keeps from before, and ``victims`` are the pods that have to go.
    """

    best: Index
    total: int | None = None
    feasible: int = 0
    looked_at: int = 0
    plugins: tuple[str, ...] = ()
    message: str = ""
    nominated: str = ""
    victims: tuple[str, ...] = ()


def explain_attempt(
    snapshot: Snapshot, pod: Document, profile: Profile, order: SearchOrder | None = None, *, is_created: bool = False
) -> tuple[Explanation, int]:
    """Explain a pod as the simulation tries it, and say how many nodes were looked at.

    A node that is nominated for the pod is taken alone where it is feasible; ``order`` ends the search early.
    """
    asked = Pod(pod)
    cycle = run_cycle(snapshot, asked, profile)
    nominated = snapshot.nodes.index.get(asked.nominated_node_name)
    looked_at = 0 if cycle.stopped_by is not None else int(cycle.considered.sum())
    if nominated is not None and nominated in cycle.feasible:
        taken = run_cycle(snapshot, asked, profile, among=np.array([nominated]))
        return Explanation(taken, is_created=is_created), 1
    if order is not None and len(cycle.feasible):
        found, looked_at = order.search(cycle.considered, cycle.rejected_by < 0, profile)
        if len(found) < len(cycle.feasible):
            cycle = run_cycle(snapshot, asked, profile, among=found)
    return Explanation(cycle, is_created=is_created), looked_at


def find(snapshot: Snapshot, pod: Document, profile: Profile, order: SearchOrder | None = None) -> Finding:
    """Try a pod on a snapshot."""
    explanation, looked_at = explain_attempt(snapshot, pod, profile, order)
    cycle = explanation.cycle
    if not explanation.fits:
        nominated, victims = _preempted(explanation)
        return Finding(
            _NO_ROWS,
            looked_at=looked_at,
            plugins=rejecting(cycle),
            message=explanation.message or "",
            nominated=nominated,
            victims=victims,
        )
    feasible = len(cycle.feasible)
    if order is not None and feasible == 1:
        # The scheduler does not score a single node, so no score can fail either.
        return Finding(cycle.feasible, None, feasible, looked_at)
    if not len(cycle.best):
        failed = cycle.score_error
        message = (
            "" if failed is None else f"running Score plugins: {failed.plugin}: {', '.join(failed.status.reasons)}"
        )
        return Finding(_NO_ROWS, None, feasible, looked_at, message=message)
    return Finding(cycle.best, int(cycle.totals.max()), feasible, looked_at)


def _preempted(explanation: Explanation) -> tuple[str, tuple[str, ...]]:
    """The node that is nominated for a pod that fits nowhere, and the pods that go for it.

    Preemption that finds nothing takes a nomination from before; where it is not tried the nomination stays.
    """
    preemption = explanation.preemption
    if preemption is not None and preemption.selected is not None:
        return preemption.selected.node, preemption.selected.victims
    if preemption is not None and preemption.eligible:
        return "", ()
    return explanation.pod.nominated_node_name, ()


def rejecting(cycle: Cycle) -> tuple[str, ...]:
    """The plugins whose events would have the pod tried again, by name.

    Upstream: ``UnschedulablePlugins`` of the diagnosis: those that rejected a node which was looked at, and those whose
    PreFilter rejected the pod or restricted the search.
    """
    names = set(cycle.restricting)
    if cycle.stopped_by is not None:
        names.add(cycle.stopped_by.plugin)
    else:
        for number in np.unique(cycle.rejected_by[cycle.considered]).tolist():
            if number >= 0:
                names.add(cycle.rejections[number].plugin)
    return tuple(sorted(names - {""}))
