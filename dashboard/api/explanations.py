"""The explanation of one pod as data: everything that its page says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse

from clusters.documents.values import constraint_document
from clusters.engine.analysis.remedies import volume_remedies
from clusters.services.computing import deadlines
from clusters.services.decisions.exports import nominated_for, reduction_documents
from clusters.services.observed.comparison import State, compare
from clusters.services.observed.observations import observations_of
from clusters.wording import attempts
from clusters.wording.conclusions import doubts, fits_or_unknown, uncertainty_document
from dashboard.api.clusters import cluster_dict
from dashboard.presenters.decisions import page as presenter
from dashboard.presenters.decisions.preemption import ranked
from dashboard.presenters.wording import rank

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation
    from clusters.engine.cycle import Rejection
    from clusters.engine.preemption import Candidate
    from clusters.engine.relaxing.relaxations import Lift
    from clusters.engine.status import Status
    from dashboard.cases import Case

# Names given as examples of a set whose size is told beside them.
EXAMPLES = 5


# -- the answer --------------------------------------------------------------------------------------------------------


def explanation_dict(case: Case, top: int, *, is_mirrored: bool = True) -> dict[str, Any]:
    """Return the compact answer; docs/api.md explains every field."""
    explanation = case.explanation
    return {
        "cluster": cluster_dict(case.cluster),
        "pod": explanation.pod.key,
        "page": reverse("decision", kwargs=case.address) if is_mirrored else None,
        "profile": case.profile or explanation.profile.scheduler_name,
        "verdict": _verdict(case),
        "reported": {"condition": case.pod.unschedulable_message or None} if is_mirrored else None,
        "funnel": [
            {
                "plugin": step.plugin,
                "left": step.left,
                "rejectedHere": step.rejected_here,
                "rejectedAlone": step.rejected_alone,
                "skipped": step.skipped,
            }
            for step in explanation.funnel
        ],
        "groups": [
            {
                "count": len(group),
                "examples": _names(explanation, group.rows.tolist()),
                "verdict": None if group.verdict is None else _rejection(group.verdict),
                "filters": {plugin: _status(status) for plugin, status in group.filters.items()},
                "nominated": nominated_for(explanation, group),
            }
            for group in explanation.groups
        ],
        "weights": {score.plugin: score.weight for score in explanation.scores},
        "scores": [_score(explanation, row) for row in explanation.ranking()[:top].tolist()]
        if explanation.scores
        else [],
        "unscored": list(explanation.cycle.unscored),
        "relaxations": _relaxations(explanation),
        "preemption": _preemption(explanation, top),
        "sampling": {
            "nodes": explanation.sampling.nodes,
            "wanted": explanation.sampling.wanted,
            "complete": explanation.sampling.complete,
        },
        "unknownPlugins": list(explanation.unknown_plugins),
        "extenders": [extender.url_prefix for extender in case.configuration.extenders],
        "observed": _observed(case, top) if is_mirrored else None,
    }


def _verdict(case: Case) -> dict[str, Any]:
    explanation, best = case.explanation, case.explanation.best
    view = presenter.verdict(case.pod, explanation)
    stopped = explanation.cycle.stopped_by
    scored = bool(explanation.scores)
    return {
        "kind": view.kind,
        "sentence": view.sentence,
        "fits": fits_or_unknown(explanation.conclusion),
        "conclusion": explanation.conclusion.value,
        "uncertainties": [uncertainty_document(each) for each in explanation.uncertainties],
        "doubts": doubts(explanation),
        "nodes": explanation.node_count,
        "feasible": len(explanation.cycle.feasible),
        "best": {"count": len(best), "examples": best[:EXAMPLES], "total": int(explanation.cycle.totals.max())}
        if scored and best
        else None,
        "chosen": attempts.choice_document(explanation, EXAMPLES),
        "error": attempts.error_document(explanation.error),
        "placedOn": case.pod.node_name or None,
        "nominatedNode": case.pod.nominated_node_name or None,
        "gates": list(explanation.pod.scheduling_gates),
        "preFilter": None if stopped is None else _rejection(stopped),
        "fitError": explanation.fit_error,
        "message": explanation.message,
    }


def _names(explanation: Explanation, rows: Iterable[int]) -> list[str]:
    names = explanation.snapshot.nodes.names
    return [names[row] for row, _ in zip(rows, range(EXAMPLES), strict=False)]


def _status(status: Status) -> dict[str, Any]:
    return {"code": str(status.code), "reasons": list(status.reasons)}


def _rejection(rejection: Rejection) -> dict[str, Any]:
    return {"plugin": rejection.plugin, **_status(rejection.status)}


def _score(explanation: Explanation, row: int) -> dict[str, Any]:
    total = explanation.total_of(row) or 0
    return {
        "node": explanation.snapshot.nodes.names[row],
        "rank": rank(explanation, total),
        "total": total,
        "plugins": {cell.plugin: [cell.raw, cell.normalised, cell.weighted] for cell in explanation.cells_of(row)},
    }


def _relaxations(explanation: Explanation) -> dict[str, Any]:
    deadlines.check()
    found = explanation.relaxations
    return {
        "singles": [_lift(explanation, lift) for lift in found.singles],
        "pairs": [_lift(explanation, lift) for lift in found.pairs],
        "filters": [_lift(explanation, lift) for lift in found.filters],
        "reductions": reduction_documents(explanation, found.reductions),
        "together": reduction_documents(explanation, found.together),
        "volumes": volume_remedies(explanation),
    }


def _lift(explanation: Explanation, lift: Lift) -> dict[str, Any]:
    return {
        "lifted": [constraint_document(each) for each in lift.lifted],
        "gained": lift.gained,
        "lost": lift.lost,
        "examples": _names(explanation, lift.rows),
    }


def _preemption(explanation: Explanation, top: int) -> dict[str, Any] | None:
    deadlines.check()
    found = explanation.preemption
    if found is None:
        return None
    return {
        "eligible": found.eligible,
        "message": found.message or None,
        "count": len(found.candidates),
        "candidates": [_candidate(candidate) for candidate in ranked(found)[:top]],
        "selected": None if found.selected is None else found.selected.node,
        "potentialNodes": found.potential_nodes,
        "sample": found.sample,
    }


def _observed(case: Case, top: int) -> dict[str, Any] | None:
    """Return how the latest attempt that somebody recorded compares; None where nobody did."""
    attempts = observations_of(case.pod)
    latest = attempts.first()
    if latest is None:
        return None
    comparison = compare(latest.document, case.explanation)
    counts = comparison.counts()
    differing = (cell for cell in comparison.cells() if cell[2].state is State.DIFFERS)
    return {
        "attempts": attempts.count(),
        "source": latest.source,
        "origin": latest.origin,
        "attempt": latest.attempt,
        "observedAt": latest.observed_at,
        "cells": {state: counts[state] for state in State},
        "differences": [
            {"node": node or None, "about": name, "observed": pair.observed, "computed": pair.computed}
            for (node, name, pair), _ in zip(differing, range(top), strict=False)
        ],
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "node": candidate.node,
        "victims": list(candidate.victims),
        "priorities": list(candidate.priorities),
        "pdbViolations": candidate.pdb_violations,
    }
