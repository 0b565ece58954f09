"""An explanation in the shape in which kube-scheduler's own answers are recorded, to be compared with them.

Keys as in ``tests/data/oracle/README.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.status import Code, Status

if TYPE_CHECKING:
    from clusters.engine.candidates import Candidate
    from clusters.engine.explanation import Explanation
    from clusters.engine.preemption import Preemption
    from clusters.engine.status import Rejection


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
    return {"code": str(status.code), "reasons": list(status.reasons)}


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
