"""The explanation of a pod of the mirror, and of one that somebody sends."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404, HttpResponse
from ninja import Query

from clusters.adapters.bad_input import shown
from clusters.engine import ConfigurationError, Explanation, UnknownScheduler
from clusters.models import Cluster, Pod
from clusters.services.decisions.explain import BadText, state_of, what_if
from clusters.services.mirror.snapshots import ChangingTooFastError, configuration_of
from clusters.services.runs.spec import pruned
from clusters.wording import api_answers as words
from clusters.wording.decisions.verdict import recorded
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.clusters import cluster_of, no_cluster
from dashboard.api.documents.mirror import Error, Explained
from dashboard.api.explanations import explanation_dict
from dashboard.api.site import ERRORS, StrictSchema, api
from dashboard.explained import ExplainedPod, explained, pod_of
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)
from dashboard.limits import windows
from dashboard.limits.computing import refusal

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
        return pod_of(cluster, namespace, name)
    except Http404:
        if not Cluster.objects.filter(name=cluster).exists():
            raise no_cluster(cluster) from None
        what = words.NO_POD(cluster=cluster, pod=f"{namespace}/{name}")
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
    what, remedy = words.OTHER_SCHEDULER(scheduler=error.scheduler_name), words.ask_with_profile(error.known)
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
            raise ApiError(404, what=words.NO_NODE(node=name), where="node", remedy=str(words.FIND_NODES))
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
