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
    from clusters.engine.preemption import Candidate
    from clusters.engine.simulation.search_order import SearchOrder
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index

_NO_ROWS: Index = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True)
class Finding:
    """What an attempt came to, before one of the ``best`` rows is taken.

    ``total``: the highest one; None where nothing was scored. ``feasible`` nodes among ``looked_at`` ones. Without a
    best row ``plugins`` rejected the pod, ``message`` is the scheduler's, and ``victim`` is the node that preemption
    would take, with the pods that would have to go. ``gives_up`` its nomination: preemption was tried and found none.
    """

    best: Index
    total: int | None = None
    feasible: int = 0
    looked_at: int = 0
    plugins: tuple[str, ...] = ()
    message: str = ""
    victim: Candidate | None = None
    gives_up: bool = False


def explain_attempt(
    snapshot: Snapshot, pod: Document, profile: Profile, order: SearchOrder | None = None
) -> tuple[Explanation, int]:
    """Explain a pod as the simulation tries it, and say how many nodes were looked at.

    A node that is nominated for the pod is taken alone where it is feasible; ``order`` ends the search early.
    """
    asked = Pod(pod)
    cycle = run_cycle(snapshot, asked, profile)
    nominated = snapshot.nodes.index.get(asked.nominated_node_name)
    looked_at = 0 if cycle.stopped_by is not None else int(cycle.considered.sum())
    if nominated is not None and nominated in cycle.feasible:
        return Explanation(run_cycle(snapshot, asked, profile, among=np.array([nominated]))), 1
    if order is not None and len(cycle.feasible):
        found, looked_at = order.search(cycle)
        if len(found) < len(cycle.feasible):
            cycle = run_cycle(snapshot, asked, profile, among=found)
    return Explanation(cycle), looked_at


def find(snapshot: Snapshot, pod: Document, profile: Profile, order: SearchOrder | None = None) -> Finding:
    """Try a pod on a snapshot."""
    explanation, looked_at = explain_attempt(snapshot, pod, profile, order)
    cycle = explanation.cycle
    if explanation.fits:
        best, total = cycle.best, int(cycle.totals.max())
        if order is not None and len(cycle.feasible) == 1:
            # The scheduler does not score a single node, so no score can fail either.
            best, total = cycle.feasible, None
        if not len(best):
            failed = cycle.score_error
            name, reasons = ("", ()) if failed is None else (failed.plugin, failed.status.reasons)
            return Finding(
                _NO_ROWS,
                None,
                len(cycle.feasible),
                looked_at,
                (),
                f"running Score plugins: {name}: {', '.join(reasons)}",
            )
        return Finding(best, total, len(cycle.feasible), looked_at)
    preemption = explanation.preemption
    return Finding(
        _NO_ROWS,
        looked_at=looked_at,
        plugins=rejecting(cycle),
        message=explanation.message or "",
        victim=None if preemption is None else preemption.selected,
        gives_up=preemption is not None and preemption.eligible and preemption.selected is None,
    )


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
