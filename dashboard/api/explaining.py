"""The explanation of a pod of the mirror, and of one that somebody sends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from ninja import Query

from clusters.adapters.bad_input import shown
from clusters.documents.words import words as words_document
from clusters.documents.writing import compact, explanation_document
from clusters.engine import ConfigurationError, Explanation, UnknownScheduler
from clusters.engine.analysis import Advice, advice
from clusters.engine.kubelet import container_ends
from clusters.models import Cluster, Pod
from clusters.services.computing import check
from clusters.services.decisions.explain import BadText, state_of, what_if
from clusters.services.mirror.snapshots import ChangingTooFastError, configuration_of
from clusters.services.observed import PairState, compare, events_of, observations_of
from clusters.services.pending.pods import Needs, tried_ways
from clusters.services.runs.spec import pruned
from clusters.wording import api_answers as words
from clusters.wording.absent import HAS_NO, THERE_IS_NO
from clusters.wording.decisions.verdict import recorded
from clusters.wording.lists import listed
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.clusters import cluster_dict, cluster_of, no_cluster
from dashboard.api.documents.mirror import Error, Explained
from dashboard.api.site import ERRORS, StrictSchema, api
from dashboard.explained import ExplainedPod, explained, pod_of
from dashboard.http import ApiError, PageRequest, answer
from dashboard.limits import windows
from dashboard.limits.computing import refusal
from dashboard.presenters.decisions import page as presenter
from dashboard.presenters.decisions.observed import about_text, autoscaler_sentences, side_text

if TYPE_CHECKING:
    from collections.abc import Iterable


def explanation_dict(
    case: ExplainedPod, top: int, nodes: Iterable[int] = (), *, evidence: bool = False, is_mirrored: bool = True
) -> dict[str, Any]:
    """Return the explanation and what stands beside it; docs/api.md explains every field.

    ``nodes`` are rows of nodes whose every answer is wanted, with ``evidence`` also what was compared there.
    """
    explanation = case.explanation
    view = presenter.verdict(case.pod, explanation)
    # What is left costs most.
    check()
    return {
        "cluster": cluster_dict(case.cluster),
        "page": reverse("decision", kwargs=case.address) if is_mirrored else None,
        "profile": case.profile or explanation.profile.scheduler_name,
        "state": view.kind,
        "nodeName": case.pod.node_name or None,
        "terminations": [
            {
                "container": end.container,
                "reason": end.reason or None,
                "exitCode": end.exit_code,
                "finishedAt": end.finished or None,
                "restarts": end.restarts,
            }
            for end in container_ends(case.pod.object)
        ],
        "reported": {"condition": case.pod.unschedulable_message or None} if is_mirrored else None,
        "explanation": msgspec.to_builtins(
            explanation_document(explanation, compact(top), nodes=nodes, evidence=evidence)
        ),
        "words": {
            **words_document(explanation, view.sentence, _advice(case, is_mirrored=is_mirrored)),
            "context": list(view.context),
            "autoscaler": _autoscaler(case) if is_mirrored else [],
        },
        "observed": _observed(case, top) if is_mirrored else None,
    }


def _advice(case: ExplainedPod, *, is_mirrored: bool) -> list[Advice]:
    """Return what would make a pod schedulable as its page has it; nothing of one that fits."""
    explanation = case.explanation
    if explanation.fits:
        return []
    tried = tried_ways(cluster=case.cluster, explanation=explanation) if is_mirrored else ()
    return advice(explanation, tried, Needs(case.cluster).of(case.pod.object) if is_mirrored else {})


def _autoscaler(case: ExplainedPod) -> list[str]:
    """Quote what those who add nodes reported about a pending pod, as its page does."""
    if case.explanation.fits or case.pod.node_name:
        return []
    return autoscaler_sentences(events_of(case.pod))


def _observed(case: ExplainedPod, top: int) -> dict[str, Any] | None:
    """Return how the latest attempt that somebody recorded compares; None where nobody did."""
    attempts = observations_of(case.pod)
    latest = attempts.first()
    if latest is None:
        return None
    comparison = compare(latest.document, case.explanation)
    counts = comparison.counts()
    differing = (cell for cell in comparison.cells() if cell[2].state is PairState.DIFFERS)
    return {
        "attempts": attempts.count(),
        "source": latest.source,
        "origin": latest.origin,
        "attempt": latest.attempt,
        "observedAt": latest.observed_at,
        "cells": {state: counts[state] for state in PairState},
        "differences": [
            {
                "node": node or None,
                "about": about_text(about),
                "observed": side_text(pair.observed),
                "computed": side_text(pair.computed),
            }
            for (node, about, pair), _ in zip(differing, range(top), strict=False)
        ],
    }


TOP, MOST = 10, 100


@api.get(
    "/clusters/{slug:cluster}/pods/{name:namespace}/{name:name}/explanation",
    response={200: Explained, **ERRORS, 409: Error},
    tags=["explanations"],
    operation_id="explain_pod",
)
def explanation(
    request: PageRequest,
    cluster: str,
    namespace: str,
    name: str,
    top: Annotated[int, Query(ge=1, le=MOST, description="How many nodes are listed at most.")] = TOP,
    profile: Annotated[str, Query(max_length=253, description="Explain as this profile would decide.")] = "",
    nodes: Annotated[str | None, Query(description="all: the answers of every node.")] = None,
    node: Annotated[list[str], Query(description="The answers of this node; may be repeated.")] = [],  # noqa: B006
) -> HttpResponse:
    """Explain a pod: compact, or with the answers of all or of some nodes."""
    case = _case(profile, cluster, namespace, name)
    rows = _rows(nodes, node, case.explanation)
    return answer(explanation_dict(case, top, rows, evidence=nodes is None))


def _pod(cluster: str, namespace: str, name: str) -> Pod:
    try:
        return pod_of(get_object_or_404(Cluster, name=cluster), namespace, name)
    except Http404:
        if not Cluster.objects.filter(name=cluster).exists():
            raise no_cluster(cluster) from None
        what = HAS_NO(cluster=cluster, object_kind="pod", name=f"{namespace}/{name}")
        raise ApiError(404, what=what, where="pod", remedy=str(words.FIND_POD)) from None


def _case(profile: str, cluster: str, namespace: str, name: str) -> ExplainedPod:
    pod = _pod(cluster, namespace, name)
    try:
        return explained(pod, profile)
    except UnknownScheduler as error:
        raise _of_other_scheduler(error, pod.unschedulable_message) from None
    except (ConfigurationError, ChangingTooFastError) as error:
        raise _conflict(error, cluster) from None


def _of_other_scheduler(error: UnknownScheduler, message: str) -> ApiError:
    """Return that how a scheduler decides is not known, and what it recorded."""
    said = recorded(component=error.scheduler_name, reason="", message=message) if message else ""
    what, remedy = (
        words.OTHER_SCHEDULER(scheduler=error.scheduler_name),
        words.ASK_WITH_PROFILE(known=listed(error.known)),
    )
    return ApiError(409, what=" ".join(filter(None, (what, said))), where="spec.schedulerName", remedy=remedy)


def _conflict(error: ConfigurationError | ChangingTooFastError, cluster: str) -> ApiError:
    """Return why there is no answer now."""
    if isinstance(error, ConfigurationError):
        what, remedy = (
            words.BAD_CONFIGURATION(reason=problem_sentence(error.problem)),
            words.UPLOAD_AGAIN(remedy=remedy_sentence(error.problem)),
        )
        return ApiError(409, what=what, where=error.path or "KubeSchedulerConfiguration", remedy=remedy)
    what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
    return ApiError(409, what=what, where=cluster, remedy=remedy)


def _rows(asked: str | None, names: list[str], explanation: Explanation) -> list[int]:
    if asked not in (None, "all"):
        what = words.NODES_NOT_UNDERSTOOD(asked=asked)
        raise ApiError(400, what=what, where="nodes", remedy=str(words.ASK_FOR_NODES))
    index = explanation.snapshot.nodes.index
    if asked == "all":
        return list(index.values())
    for name in names:
        if name not in index:
            raise ApiError(
                404, what=THERE_IS_NO(object_kind="node", name=name), where="node", remedy=str(words.FIND_NODES)
            )
    return [index[name] for name in names]


class PostedPod(StrictSchema):
    """A pod to explain, as its author would write it; a workload's is its template with a name."""

    pod: dict[str, Any]
    top: int = TOP


@api.post(
    "/clusters/{slug:cluster}/explanation",
    response={200: Explained, **ERRORS, 409: Error, 413: Error},
    tags=["explanations"],
    operation_id="explain_posted_pod",
)
def posted_explanation(request: PageRequest, cluster: str, asked: PostedPod) -> HttpResponse:
    """Explain a pod that the cluster does not have, as admission would let it in; nothing is stored."""
    found = cluster_of(cluster)
    if not 1 <= asked.top <= MOST:
        what = str(words.TOP_OUT_OF_RANGE)
        raise ApiError(400, what=what, where="top", remedy=words.WRITE_UP_TO(most=MOST))
    written = windows.add(windows.JUDGED, request.user.pk, 1)
    if written.number > windows.RUNS_PER_MINUTE:
        return refusal(request, words.PODS_A_MINUTE(most=windows.RUNS_PER_MINUTE), written.seconds_left)
    kind = asked.pod.get("kind")
    document = pruned(asked.pod) if kind in (None, "Pod") else None
    if document is None:
        raise ApiError(400, what=words.NOT_A_POD(found=shown(kind)), where="pod.kind", remedy=str(words.WRITE_POD))
    try:
        configuration = configuration_of(found)
        snapshot = state_of(found)
        judged = what_if(cluster=found, document=document, configuration=configuration, snapshot=snapshot)
    except (ConfigurationError, ChangingTooFastError) as error:
        raise _conflict(error, cluster) from None
    except BadText as error:
        first = error.problems[0]
        what, remedy = problem_sentence(first.problem), remedy_sentence(first.problem)
        raise ApiError(400, what=what, where=f"pod.{first.field}", remedy=remedy) from None
    pod = Pod(
        cluster=found,
        namespace=judged.explanation.pod.namespace,
        name=judged.explanation.pod.name,
        object=document,
        scheduler_name=judged.explanation.pod.scheduler_name,
        is_pending=True,
        is_gated=not judged.explanation.gates.ok,
    )
    case = ExplainedPod(found, pod, configuration, judged.explanation, "")
    refusals = [
        {"field": each.field, "what": problem_sentence(each.problem), "remedy": remedy_sentence(each.problem)}
        for each in judged.admission.refusals
    ]
    return answer({**explanation_dict(case, asked.top, is_mirrored=False), "admission": refusals})
