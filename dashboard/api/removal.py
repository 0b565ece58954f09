"""Which running pods would be removed, and by what."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from clusters.engine import ConfigurationError
from clusters.engine.analysis import Threat
from clusters.models import Cluster, Node, Pod
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.pending.queue import ClusterPreemptors, PendingPreemptor, WorkloadRisk, preemptors_of
from clusters.wording import api_answers as words
from clusters.wording.absent import HAS_NO
from clusters.wording.pods import DOES_NOT_RUN, step as step_words
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.clusters import cluster_dict, cluster_of, no_cluster
from dashboard.api.documents.clusters import Preemption, Removal
from dashboard.api.documents.mirror import Error
from dashboard.api.site import ERRORS, api
from dashboard.explained import pod_of
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)
from dashboard.presenters.pods import node_removal, pod_preemption, row_notes, threats

# So many names of victims are listed of a workload.
_MOST_NAMES = 100


@api.get(
    "/clusters/{slug:cluster}/preemption",
    response={200: Preemption, **ERRORS, 409: Error},
    tags=["clusters"],
    operation_id="list_preemption",
)
def preemption(request: PageRequest, cluster: str) -> HttpResponse:
    """List what preemption would do for the pending pods, and the workloads that would lose pods."""
    found_cluster = cluster_of(cluster)
    found = _preemptors(found_cluster)
    return answer(
        {
            "cluster": cluster_dict(found_cluster),
            "preemptors": [_preemptor(each) for each in found.preemptors],
            "workloads": [
                {
                    "workload": _workload(risk),
                    "removed": len(risk.selected),
                    "removedPods": list(risk.selected[:_MOST_NAMES]),
                    "possible": risk.possible,
                    "preemptors": [f"{each.names[0][0]}/{each.names[0][1]}" for each in risk.preemptors],
                }
                for risk in found.risks
            ],
            "evaluating": found.evaluating,
            "page": reverse("preemption", kwargs={"cluster": found_cluster.name}),
        }
    )


@api.get(
    "/clusters/{slug:cluster}/pods/{name:namespace}/{name:name}/removal",
    response={200: Removal, **ERRORS, 409: Error},
    tags=["clusters"],
    operation_id="read_pod_removal",
)
def removal(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Tell what would take a running pod from its node."""
    pod = _pod(cluster, namespace, name)
    found = _preemptors(pod.cluster)
    try:
        judged = threats(found, f"{namespace}/{name}")
        sentence = pod_preemption(found, pod.object)["sentence"]
    except KeyError:
        raise _does_not_run(pod) from None
    listed = [
        {
            **_preemptor(each),
            "threat": threat.value,
            "notes": list(row_notes(threat, each.found, pod.node_name)) if threat in _WITH_NOTES else [],
        }
        for threat, each in judged
    ]
    place = {"cluster": pod.cluster.name, "namespace": namespace, "name": name}
    node = get_object_or_404(Node, cluster=pod.cluster, name=pod.node_name)
    fate = node_removal(found.snapshot, pod.object, node.object, pod.cluster.kube_version)
    return answer(
        {
            "cluster": cluster_dict(pod.cluster),
            "pod": {"namespace": namespace, "name": name},
            "node": pod.node_name,
            "preemption": {"sentence": sentence, "preemptors": listed, "evaluating": found.evaluating},
            "taints": {
                "sentences": list(fate["sentences"]),
                "plannedAt": fate["planned"].isoformat() if fate["planned"] else None,
            },
            "faults": {
                fault.fault.value: [
                    {"step": event.step.value, "after": event.at, "what": step_words(event.step)}
                    for event in fault.events
                ]
                for fault in fate["faults"]
            },
            "exclusiveVolumes": [
                {"claim": each.claim, "driver": each.driver, "accessModes": list(each.modes)}
                for each in fate["volumes"]
            ],
            "page": reverse("pod-removal", kwargs=place),
        }
    )


_WITH_NOTES = frozenset({Threat.SELECTED, Threat.CANDIDATE, Threat.SPARED})


def _pod(cluster: str, namespace: str, name: str) -> Pod:
    try:
        pod = pod_of(get_object_or_404(Cluster, name=cluster), namespace, name)
    except Http404:
        if not Cluster.objects.filter(name=cluster).exists():
            raise no_cluster(cluster) from None
        what = HAS_NO(cluster=cluster, object_kind="pod", name=f"{namespace}/{name}")
        raise ApiError(404, what=what, where="pod", remedy=str(words.FIND_POD)) from None
    if not pod.holds_node:
        raise _does_not_run(pod)
    return pod


def _does_not_run(pod: Pod) -> ApiError:
    what = DOES_NOT_RUN(pod=f"{pod.namespace}/{pod.name}")
    return ApiError(404, what=what, where="pod", remedy=str(words.ASK_FOR_RUNNING))


def _preemptors(cluster: Cluster) -> ClusterPreemptors:
    try:
        return preemptors_of(cluster=cluster)
    except (ConfigurationError, ChangingTooFastError) as error:
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        raise ApiError(409, what=what, where=cluster.name, remedy=remedy) from None


def _preemptor(each: PendingPreemptor) -> dict[str, Any]:
    selected = each.found.candidates.get(each.found.selected)
    return {
        "workload": _workload(each),
        "pods": [{"namespace": namespace, "name": name} for namespace, name in each.names],
        "number": each.number,
        "priority": each.found.priority,
        "priorityClass": each.priority_class or None,
        "outcome": each.found.outcome.value,
        "reference": each.reference or None,
        "candidates": len(each.found.candidates),
        "selected": selected
        and {
            "node": selected.node,
            "victims": list(selected.victims),
            "violatedBudgets": selected.pdb_violations,
        },
        "sample": each.found.sample,
        "potentialNodes": each.found.potential_nodes,
        "uncertain": each.found.is_uncertain,
    }


def _workload(of: PendingPreemptor | WorkloadRisk) -> dict[str, str]:
    return {"kind": of.workload.kind, "namespace": of.workload.namespace, "name": of.workload.name}
