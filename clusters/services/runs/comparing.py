"""Two runs that are done, side by side: which pods ended elsewhere and why, and what either needs and leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.documents.problems import encoded
from clusters.documents.values import plain_json
from clusters.engine.simulation import (
    Difference,
    MovedPods,
    PlacementChange,
    RunComparison,
    Step,
    Totals,
    Why,
    compare_runs as compared,
    differences,
    moved_pods,
    parting_of,
)
from clusters.models import SimulationRun
from clusters.problems.orders import SimulationUnfinished
from clusters.services.computing import Cache
from clusters.services.runs.results import finished
from clusters.services.runs.spec import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterable


COMPARISON_VERSION: Final = 2


class ComparedRuns(NamedTuple):
    """A comparison as plain values, and which pods ended elsewhere, among which nodes."""

    document: dict[str, Any]
    moved: MovedPods


# A page asks for the same comparison again for its next page and its files.
_comparisons: Final[Cache[tuple[object, ...], ComparedRuns]] = Cache("comparisons of runs", 4)


def compare_runs(left: SimulationRun, right: SimulationRun) -> dict[str, Any]:
    """Return how two runs differ, as plain values; shared with others who ask: leave it as it is. Raises SpecError.

    ``placements``: every pod that ended elsewhere, those first that were decided first, with ``left`` and ``right``
    (node names, empty for none), the steps that decided, and the ``reason``. Of so many as ``not_computed`` says it is
    open: `with_reasons` computes it. ``pods``: how many there are in all.
    ``docs/simulations.md`` has the rest.
    """
    return _compared(left, right).document


def pods_moved(left: SimulationRun, right: SimulationRun) -> MovedPods:
    """Return which pods ended elsewhere and among which nodes, of the same comparison. Raises SpecError."""
    return _compared(left, right).moved


def _compared(left: SimulationRun, right: SimulationRun) -> ComparedRuns:
    _check_done(left, right)
    key = left.pk, left.created_at, right.pk, right.created_at

    def make() -> ComparedRuns:
        runs = finished(left), finished(right)
        found = compared(*runs)
        return ComparedRuns(_document(found), moved_pods(*runs, found.changes))

    return _comparisons.get(key, make)


def with_reasons(
    left: SimulationRun, right: SimulationRun, placements: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return some of the placements of a comparison, all with their reasons. Raises SpecError.

    What is missing costs three passages through each run: ask for a page, not for all.
    """
    wanted = list(placements)
    missing = {
        each["pod"]: PlacementChange(*(each[field] for field in PlacementChange._fields))
        for each in wanted
        if each["reason"]["kind"] == Why.NOT_COMPUTED
    }
    if not missing:
        return wanted
    _check_done(left, right)
    runs = finished(left), finished(right)
    found = differences(*runs, list(missing.values()), parting_of(*runs), len(missing))
    told = {each.change.pod: plain_json(_placement(each)) for each in found}
    return [told.get(each["pod"], each) for each in wanted]


def _check_done(*runs: SimulationRun) -> None:
    for run in runs:
        if run.state != SimulationRun.State.DONE:
            raise SpecError("", SimulationUnfinished(run.title))


def _document(found: RunComparison) -> dict[str, Any]:
    document: dict[str, Any] = plain_json(
        {
            "version": COMPARISON_VERSION,
            "pods": found.same + len(found.changes),
            "placements": [_placement(difference) for difference in found.differences],
            "not_computed": sum(each.why is Why.NOT_COMPUTED for each in found.differences),
            "same_configuration": found.same_configuration,
            "parting": None
            if found.parting is None
            else {
                "step": found.parting.number,
                "same_beginning": found.parting.same_beginning,
                "left": None if found.parting.left is None else _step(found.parting.left),
                "right": None if found.parting.right is None else _step(found.parting.right),
            },
            "pending": {
                "only_left": found.only_left_pending,
                "only_right": found.only_right_pending,
                "both": found.both_pending,
            },
            "left": _totals(found.left),
            "right": _totals(found.right),
            "cost": _cost(found.left, found.right),
        }
    )
    return document


def _placement(difference: Difference) -> dict[str, Any]:
    change = difference.change
    return {
        "pod": change.pod,
        "left": change.left,
        "right": change.right,
        "left_pod": change.left_pod,
        "right_pod": change.right_pod,
        "left_step": difference.left_step,
        "right_step": difference.right_step,
        "reason": {
            "kind": difference.why.value,
            "side": None if difference.side is None else difference.side.value,
            "plugin": difference.plugin,
            "reasons": difference.reasons,
            "points": difference.points,
            "state_differed": difference.state_differed,
            "problem": None if difference.problem is None else encoded(difference.problem),
        },
    }


def _step(step: Step) -> dict[str, Any]:
    return {"number": step.number, "outcome": step.outcome.value, "pod": step.pod, "node": step.node}


def _totals(totals: Totals) -> dict[str, Any]:
    return {
        "placed": totals.placed,
        "uncertain": totals.uncertain,
        "pending": len(totals.pending),
        "disruptions": totals.disruptions,
        "cluster": {**plain_json(totals.measures), "fragmentation": totals.fragmentation},
        "spread": totals.spread,
        "budgets": totals.budgets,
        "cost": totals.cost,
    }


def _cost(left: Totals, right: Totals) -> dict[str, int]:
    """Return what the right run costs more than the left one: nodes in use, and pods that have to go."""
    old, new = left.disruptions, right.disruptions
    return {
        "nodes": right.cost.nodes - left.cost.nodes,
        "preempted": new.preempted - old.preempted,
        "evicted": new.evicted - old.evicted,
        "refused": new.refused - old.refused,
    }
