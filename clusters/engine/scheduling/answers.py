"""What a cycle says: nodes that are answered alike, what each filter leaves, refusals, and the recorded form."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from clusters.engine.scheduling.cycle import Candidate, Cycle, Verb
from clusters.engine.status import (
    NO_NODES,
    Code,
    FilterAnswer,
    Index,
    Mask,
    Reason,
    Rejection,
    Status,
    no_node_available,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.scheduling.preemption import Preemption


# How many nodes each filter leaves, as the scheduler's own verdicts say: pods nominated for a node count there.


class FunnelStep(Struct, frozen=True):
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


# What an explanation says of nodes: those that are answered alike, those that each filter leaves, scores of one.


class NodeGroup(Struct, frozen=True):
    """Nodes about which all filters and the verdict say the same.

    ``rows`` index the snapshot's nodes in order of name; ``filters`` holds the rejections by plugin, in plugin order;
    ``verdict`` is what the scheduler would record (None: feasible).
    """

    rows: Index
    filters: Mapping[str, Status]
    verdict: Rejection | None

    def __len__(self) -> int:
        return len(self.rows)


class ScoreCell(Struct, frozen=True):
    """One plugin's score of one node: raw, brought to 0..100, and times the plugin's weight."""

    plugin: str
    raw: int
    normalised: int
    weighted: int


# What a cycle says of nodes that do not take a pod.
#
# Upstream: ``FitError`` in ``pkg/scheduler/framework/types.go`` v1.34.1.


def reasons_of(cycle: Cycle) -> Counter[Reason]:
    """How many nodes gave each reason; none where no node was asked, or an error ended the cycle."""
    counts: Counter[Reason] = Counter()
    if cycle.error is not None or cycle.stopped_by is not None:
        return counts
    rejected = cycle.rejected_by if cycle.placement is None else cycle.rejected_by[cycle.placement]
    times = np.bincount(rejected[rejected >= 0], minlength=len(cycle.rejections))
    for rejection, number in zip(cycle.rejections, times.tolist(), strict=True):
        for reason in rejection.status.reasons:
            counts[reason] += number
    return counts


def fit_error_of(cycle: Cycle) -> str | None:
    """The FailedScheduling text about nodes, without its preemption part.

    None where a node is taken, or an error ends the cycle.
    """
    nodes = len(cycle.snapshot.nodes) if cycle.placement is None else int(cycle.placement.sum())
    if len(cycle.choices) or cycle.error is not None:
        return None
    if not nodes:
        return NO_NODES
    if cycle.stopped_by is not None:
        return no_node_available(nodes, {}, pre_filter=cycle.stopped_by.status.said)
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


# An explanation in the shape in which kube-scheduler's own answers are recorded, to be compared with them.
#
# Keys as in ``tests/data/oracle/README.md``.


def recorded(explanation: Explanation) -> dict[str, Any]:
    """Everything: filters, verdict and scores of every node, and what follows."""
    cycle = explanation.cycle
    result: dict[str, Any] = {
        "pod": explanation.pod.key,
        "preFilter": {
            name: _status(result.status) for name, result in sorted(cycle.pre_filters.items()) if not result.status.ok
        },
        "feasible": explanation.feasible,
        "best": explanation.best,
        "nodes": {name: _node(explanation, row) for row, name in enumerate(explanation.snapshot.nodes.names)},
    }
    if cycle.stopped_by is not None:
        result["preFilterVerdict"] = _rejection(cycle.stopped_by)
    if explanation.feasible:
        result["preScore"] = {name: str(Code.SKIP) for name in sorted(cycle.unscored)}
    error = explanation.error
    if error is not None:
        result["scoreError" if error.phase.is_scoring else "cycleError"] = error.message
    elif explanation.fits:
        result["chosen"] = explanation.choices[0]
    else:
        result["fitError"] = explanation.fit_error
        makes_room = explanation.preemption is not None and explanation.preemption.selected is not None
        # What 1.37 adds where preemption makes room is not among what was recorded.
        result["message"] = explanation.fit_error if makes_room else explanation.message
    if explanation.preemption is not None:
        result["preemption"] = _preemption(explanation.preemption)
    return result


def _node(explanation: Explanation, row: int) -> dict[str, Any]:
    node: dict[str, Any] = {}
    rejections = explanation.rejections_of(row)
    if rejections:
        node["filters"] = {name: _status(status) for name, status in sorted(rejections.items())}
    verdict = explanation.verdict_of(row)
    if verdict is not None:
        node["verdict"] = _rejection(verdict)
    total = explanation.total_of(row)
    if total is not None and explanation.cycle.score_error is None:
        cells = explanation.cells_of(row)
        node["scores"] = {cell.plugin: [cell.raw, cell.normalised, cell.weighted] for cell in cells}
        node["total"] = total
    return node


def _status(status: Status) -> dict[str, Any]:
    if status.code is Code.SKIP:
        return {"code": str(status.code)}
    return {"code": str(status.code), "reasons": list(status.texts)}


def _rejection(rejection: Rejection) -> dict[str, Any]:
    return {**_status(rejection.status), "plugin": rejection.plugin}


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "node": candidate.node,
        "victims": list(candidate.victims),
        "pdbViolations": candidate.pdb_violations,
    }


def _preemption(preemption: Preemption) -> dict[str, Any]:
    found: dict[str, Any] = {
        "eligible": preemption.eligible,
        "candidates": [_candidate(candidate) for candidate in preemption.candidates],
    }
    if preemption.is_refused:
        found["message"] = preemption.message.removeprefix("preemption: ")
    if preemption.selected is not None:
        found["selected"] = _candidate(preemption.selected)
    return found
