"""Whether a decision of the real scheduler is one that an explanation allows.

Upstream: ``schedulePod``, ``evaluateNominatedNode`` and ``findNodesThatPassFilters`` in
``pkg/scheduler/schedule_one.go`` v1.34.1. Any of equally good nodes is allowed, also from 1.35 on: the order of the
search that decides among them is not known from outside. From 100 nodes on the scheduler stops its search at a number
of feasible nodes; which ones it finds depends on where it starts, which nobody outside knows.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.cycle import run_cycle
from clusters.engine.messages import read_refusal
from clusters.engine.post_filter import fails, room_made_by
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from clusters.engine.explanation import Explanation
    from clusters.engine.status import Index

_MOST_SAMPLES = 12


class Agreement(StrEnum):
    """How a decision compares with what was computed."""

    AGREES = "agrees"
    SAMPLED = "sampled"
    INFEASIBLE = "infeasible"
    LOWER_SCORE = "lower-score"
    FITS = "fits"
    OTHER_MESSAGE = "other-message"

    @property
    def holds(self) -> bool:
        """Whether the scheduler may have decided so."""
        return self in (Agreement.AGREES, Agreement.SAMPLED)


def judge_placement(explanation: Explanation, node: str) -> Agreement:
    """Compare the node that a pod was placed on with the tie set, or with what a sampled search could have chosen."""
    row = explanation.snapshot.nodes.index.get(node)
    if row is None or explanation.total_of(row) is None or explanation.error is not None:
        return Agreement.INFEASIBLE
    if row in explanation.cycle.choices:
        return Agreement.AGREES
    if explanation.takes_nominated:
        return Agreement.LOWER_SCORE
    return Agreement.SAMPLED if _is_best_of_a_sample(explanation, row) else Agreement.LOWER_SCORE


def judge_refusal(explanation: Explanation, message: str) -> Agreement:
    """Compare the text with which the scheduler refused a pod."""
    if explanation.fits:
        return Agreement.FITS
    return Agreement.AGREES if explanation.message == message else _judge_room(explanation, message)


def _judge_room(explanation: Explanation, message: str) -> Agreement:
    """Compare a text that names another candidate for preemption, where only some candidates are looked for."""
    preemption = explanation.preemption
    if preemption is None or preemption.selected is None or not explanation.message:
        return Agreement.OTHER_MESSAGE
    ours = room_made_by(preemption.selected)
    if not explanation.message.endswith(ours):
        return Agreement.OTHER_MESSAGE
    said = explanation.message.removesuffix(ours)
    named = (each.node for each in preemption.candidates if said + room_made_by(each) == message)
    nomination = judge_nomination(explanation, next(named, ""))
    return nomination if nomination.holds else Agreement.OTHER_MESSAGE


def distance_of_refusal(explanation: Explanation, message: str) -> int:
    """Count the nodes about which a refusal's text says something else than the explanation; 0 where they agree."""
    match judge_refusal(explanation, message):
        case Agreement.AGREES | Agreement.SAMPLED:
            return 0
        case Agreement.FITS:
            return 2 * explanation.node_count + 1
    theirs, ours = _said(message), explanation.reasons.copy()
    if explanation.preemption is not None and not fails(explanation.cycle):
        ours.update(explanation.preemption.reasons)
    return 1 + sum(abs(theirs[reason] - ours[reason]) for reason in {*theirs, *ours})


def _said(message: str) -> Counter[str]:
    """How many nodes the scheduler counts for each reason, of filters or of preemption."""
    refusal = read_refusal(message)
    return Counter() if refusal is None else refusal.reasons + refusal.preemption


def judge_nomination(explanation: Explanation, node: str) -> Agreement:
    """Compare the node for which a pod was nominated; from 100 nodes on only some candidates are looked for.

    Upstream: ``bindingCycle`` in ``schedule_one.go`` v1.37.2 nominates pods that fit while they wait to be bound.
    """
    if explanation.fits:
        is_expected = explanation.snapshot.release.enables(Gate.NOMINATES_BEFORE_BINDING)
        return judge_placement(explanation, node) if is_expected else Agreement.FITS
    preemption = explanation.preemption
    if preemption is None or preemption.selected is None:
        return Agreement.INFEASIBLE
    if preemption.selected.node == node:
        return Agreement.AGREES
    if all(candidate.node != node for candidate in preemption.candidates):
        return Agreement.INFEASIBLE
    return Agreement.LOWER_SCORE if explanation.sampling.complete else Agreement.SAMPLED


def _is_best_of_a_sample(explanation: Explanation, row: int) -> bool:
    """Whether a search that ends at the wanted number of feasible nodes can have found a node to be the best.

    Scores are normalised over the nodes that were found, so a sample is scored by itself; one in which the node wins
    is proof. Samples of low-scoring nodes are tried, and nodes that win over the node in one are left out of the next.
    """
    cycle, wanted = explanation.cycle, explanation.sampling.wanted
    if len(cycle.feasible) <= wanted:
        return False
    # Lowest totals first: over these the node wins most easily.
    others = cycle.feasible[np.argsort(cycle.totals, kind="stable")]
    others = others[others != row]
    for _ in range(_MOST_SAMPLES):
        if len(others) < wanted - 1:
            return False
        winners = _winners(explanation, np.sort(np.append(others[: wanted - 1], row)))
        if row in winners:
            return True
        others = others[~np.isin(others, winners)]
    return False


def _winners(explanation: Explanation, sample: Index) -> Index:
    """The best nodes of a search that found exactly these."""
    return run_cycle(explanation.snapshot, explanation.pod, explanation.profile, among=sample).best
