"""One attempt to place a pod: the nodes that fit, or the plugins that reject it and the preemption that would help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.cycle import error_on, errors, run_cycle
from clusters.engine.explanation import Explanation
from clusters.engine.objects import Pod
from clusters.engine.refusal import rejecting
from clusters.engine.ties import first_found

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document
    from clusters.engine.search_order import SearchOrder
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index

_NO_ROWS: Index = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What an attempt came to, before one of the ``best`` rows is taken.

    ``taken``: the best row that the release's scheduler takes; None where any of them may be. ``total``: the highest
    one; None where nothing was scored. ``feasible`` nodes among ``looked_at`` ones. Without a
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
    taken: int | None = None


def explain_attempt(
    snapshot: Snapshot, pod: Document, profile: Profile, order: SearchOrder, *, is_created: bool = False
) -> tuple[Explanation, int]:
    """Explain a pod as the simulation tries it, and say how many nodes were looked at.

    A node that is nominated for the pod is taken alone where it is feasible; ``order`` may end the search early.
    """
    cycle = run_cycle(snapshot, Pod(pod), profile)
    cycle.search_start = order.start
    if cycle.takes_nominated:
        return Explanation(cycle, is_created=is_created), 1
    if cycle.stopped_by is not None:
        return Explanation(cycle, is_created=is_created), 0
    looked_at = int(cycle.considered.sum())
    tried = cycle.nominated_row
    if order.ends_early:
        search = order.search(cycle.considered, cycle.rejected_by < 0, profile, errors(cycle))
        looked_at = search.looked_at
        if search.failed is not None:
            cycle.fail(error_on(cycle, search.failed))
        elif len(search.found) < len(cycle.feasible):
            cycle = run_cycle(snapshot, Pod(pod), profile, among=search.found)
            cycle.search_start = order.start
    elif cycle.possible_error is not None:
        cycle.fail(cycle.possible_error)
    if tried is not None and not cycle.considered[tried]:
        looked_at += 1
    return Explanation(cycle, is_created=is_created), looked_at


def find(snapshot: Snapshot, pod: Document, profile: Profile, order: SearchOrder) -> AttemptResult:
    """Try a pod on a snapshot."""
    explanation, looked_at = explain_attempt(snapshot, pod, profile, order)
    cycle = explanation.cycle
    if explanation.error is not None:
        # It takes a nomination from before with it.
        feasible = len(cycle.feasible) if explanation.error.phase.is_scoring else 0
        return AttemptResult(_NO_ROWS, feasible=feasible, looked_at=looked_at, message=explanation.error.message)
    if not explanation.fits:
        nominated, victims = _preempted(explanation)
        return AttemptResult(
            _NO_ROWS,
            looked_at=looked_at,
            plugins=rejecting(cycle),
            message=explanation.message or "",
            nominated=nominated,
            victims=victims,
        )
    if explanation.takes_nominated:
        return AttemptResult(cycle.choices, None, 1, looked_at)
    if order.ends_early and len(cycle.feasible) == 1:
        # The scheduler does not score a single node, so no score can fail either.
        return AttemptResult(cycle.feasible, None, 1, looked_at)
    taken = first_found(cycle, order)
    return AttemptResult(cycle.choices, int(cycle.totals.max()), len(cycle.feasible), looked_at, taken=taken)


def _preempted(explanation: Explanation) -> tuple[str, tuple[str, ...]]:
    """The node that is nominated for a pod that fits nowhere, and the pods that go for it.

    Preemption that finds nothing takes a nomination from before, and so does a cluster without nodes; where it is not
    tried, or meets an error, the nomination stays.
    """
    if not explanation.node_count:
        return "", ()
    preemption = explanation.preemption
    if preemption is not None and preemption.selected is not None:
        return preemption.selected.node, preemption.selected.victims
    if preemption is not None and preemption.eligible and not preemption.failed:
        return "", ()
    return explanation.pod.nominated_node_name, ()
