"""The explanation of one pod: everything that its page says, as data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.http import Http404, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache

from clusters.engine import ConfigurationError, UnknownScheduler
from clusters.models import Cluster
from clusters.services.comparison import State, compare
from clusters.services.exports import evidence_document, nominated_for, reduction_documents
from clusters.services.observations import observations_of
from clusters.services.remedies import volume_remedies
from clusters.services.snapshots import ChangingTooFastError
from dashboard.api.clusters import cluster_dict
from dashboard.api.errors import ApiError, answers_json
from dashboard.cases import explained, pod_of
from dashboard.presenters import decision as presenter
from dashboard.presenters.preemption import ranked
from dashboard.presenters.wording import rank

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpResponse

    from clusters.engine import Explanation
    from clusters.engine.cycle import Rejection
    from clusters.engine.preemption import Candidate
    from clusters.engine.relaxation import Lift
    from clusters.engine.status import Status
    from clusters.models import Pod
    from dashboard.cases import Case
    from dashboard.http import PageRequest

TOP, MOST = 10, 100
_WHOLE = re.compile(r"[0-9]{1,9}")
# Names given as examples of a set whose size is told beside them.
EXAMPLES = 5


@never_cache
@answers_json
def explanation(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Explain a pod: compact, or with the answers of all or of some nodes."""
    top = _top(request)
    case = _case(request, cluster, namespace, name)
    answer = explanation_dict(case, top)
    nodes = _nodes(request, case.explanation)
    if nodes is not None:
        answer["nodes"] = nodes
    return JsonResponse(answer)


def _top(request: PageRequest) -> int:
    asked = request.GET.get("top", str(TOP))
    if not _WHOLE.fullmatch(asked) or not 1 <= int(asked) <= MOST:
        raise ApiError(
            400,
            what=f"top={asked} is not a number of nodes.",
            where="top",
            remedy=f"Write a whole number from 1 to {MOST}.",
        )
    return int(asked)


def _pod(cluster: str, namespace: str, name: str) -> Pod:
    try:
        return pod_of(cluster, namespace, name)
    except Http404:
        if not Cluster.objects.filter(name=cluster).exists():
            raise ApiError(
                404,
                what=f"There is no cluster {cluster}.",
                where="cluster",
                remedy="/api/v1/clusters/ lists the clusters.",
            ) from None
        raise ApiError(
            404,
            what=f"The cluster {cluster} has no pod {namespace}/{name}.",
            where="pod",
            remedy="It may be gone since the last dump: look it up among the cluster's pods, or upload a newer dump.",
        ) from None


def _case(request: PageRequest, cluster: str, namespace: str, name: str) -> Case:
    try:
        return explained(_pod(cluster, namespace, name), request.GET.get("profile", ""))
    except UnknownScheduler as error:
        known = ", ".join(error.known)
        raise ApiError(
            409,
            what=f"The scheduler {error.scheduler_name} places this pod, and how it decides is not known.",
            where="spec.schedulerName",
            remedy=f"Ask with profile=NAME for what a profile of the configuration would decide; there is {known}.",
        ) from None
    except ConfigurationError as error:
        raise ApiError(
            409,
            what=f"The cluster's scheduler configuration cannot be read: {error.problem}.",
            where=error.path or "KubeSchedulerConfiguration",
            remedy=f"{error.remedy[0].upper()}{error.remedy[1:]}, and upload the dump again.",
        ) from None
    except ChangingTooFastError as error:
        raise ApiError(409, what=str(error), where=cluster, remedy="Ask again in a moment.") from None


def _nodes(request: PageRequest, explanation: Explanation) -> dict[str, Any] | None:
    asked = request.GET.get("nodes")
    if asked not in (None, "all"):
        raise ApiError(
            400, what=f"nodes={asked} is not understood.", where="nodes", remedy="Write nodes=all, or node=NAME."
        )
    index = explanation.snapshot.nodes.index
    if asked == "all":
        return {name: explanation.node_dict(row) for name, row in index.items()}
    names = request.GET.getlist("node")
    for name in names:
        if name not in index:
            raise ApiError(
                404, what=f"There is no node {name}.", where="node", remedy="Ask with nodes=all for every node's name."
            )
    return {
        name: {**explanation.node_dict(index[name]), "evidence": evidence_document(explanation, index[name])}
        for name in names
    } or None


# -- the answer --------------------------------------------------------------------------------------------------------


def explanation_dict(case: Case, top: int) -> dict[str, Any]:
    """Return the compact answer; docs/api.md explains every field."""
    explanation = case.explanation
    return {
        "cluster": cluster_dict(case.cluster),
        "pod": explanation.pod.key,
        "page": reverse("decision", kwargs=case.address),
        "profile": case.profile or explanation.profile.scheduler_name,
        "verdict": _verdict(case),
        "reported": {"condition": case.pod.unschedulable_message or None},
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
        "observed": _observed(case, top),
    }


def _verdict(case: Case) -> dict[str, Any]:
    explanation, best = case.explanation, case.explanation.best
    view = presenter.verdict(case.pod, explanation, case.configuration)
    stopped = explanation.cycle.stopped_by
    scored = bool(explanation.scores)
    return {
        "kind": view.kind,
        "sentence": view.sentence,
        "fits": explanation.fits,
        "nodes": explanation.node_count,
        "feasible": len(explanation.cycle.feasible),
        "best": {"count": len(best), "examples": best[:EXAMPLES], "total": int(explanation.cycle.totals.max())}
        if scored
        else None,
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
        "lifted": [{"plugin": constraint.plugin, "about": constraint.about} for constraint in lift.lifted],
        "gained": lift.gained,
        "examples": _names(explanation, lift.rows),
    }


def _preemption(explanation: Explanation, top: int) -> dict[str, Any] | None:
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
