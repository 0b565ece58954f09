"""The mirrored clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q
from django.urls import reverse
from msgspec.structs import asdict

from clusters.documents.problems import worded_gap
from clusters.documents.stored_problems import encoded
from clusters.models import Cluster, Node, Pod
from clusters.services.mirror.snapshots import ChangingTooFastError, release_of
from clusters.services.workloads.failing import failures_of
from clusters.wording import api_answers as error_words, refusals, workload_failures as words
from clusters.wording.absent import THERE_IS_NO
from clusters.wording.problems import problem_sentence, remedy_sentence
from clusters.wording.releases import release_notice
from dashboard.access.rights import visible
from dashboard.api.documents.mirror import Clusters, Error, FailingWorkloads
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)
from dashboard.presenters.shared.page import page_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from clusters.engine.workloads import WorkloadFailure


def cluster_of(name: str) -> Cluster:
    """Return a cluster by name. Raises ApiError."""
    found = Cluster.objects.filter(name=name).first()
    if found is None:
        raise no_cluster(name)
    return found


def no_cluster(name: str) -> ApiError:
    """Return the error of a cluster that there is not."""
    return ApiError(
        404, what=THERE_IS_NO(object_kind="cluster", name=name), where="cluster", remedy=str(error_words.FIND_CLUSTER)
    )


def cluster_dict(cluster: Cluster) -> dict[str, Any]:
    """Return what every answer says about the state that it is computed from."""
    release = release_of(cluster)
    return {
        "name": cluster.name,
        "kubeVersion": cluster.kube_version or None,
        "answeredAs": release.compared,
        "featureGates": release.changed_gates,
        "releaseNotice": release_notice(cluster.kube_version) or None,
        "source": cluster.source,
        "revision": cluster.revision,
        "lastSync": cluster.last_sync.isoformat() if cluster.last_sync else None,
        "gaps": [asdict(worded_gap(gap)) for gap in cluster.gaps],
    }


@api.get("/clusters/", response={200: Clusters, **ERRORS}, tags=["clusters"], operation_id="list_clusters")
def clusters(request: PageRequest) -> HttpResponse:
    """List the clusters by name, with how much of each is mirrored."""
    nodes = dict(Node.objects.order_by().values_list("cluster").annotate(number=Count("pk")))
    pods = {
        cluster: (number, waiting)
        for cluster, number, waiting in Pod.objects.order_by()
        .values_list("cluster")
        .annotate(number=Count("pk"), waiting=Count("pk", filter=Q(is_pending=True)))
    }
    listed = []
    for cluster in visible(Cluster.objects.order_by("name"), request.user):
        number, waiting = pods.get(cluster.pk, (0, 0))
        listed.append(
            {
                **cluster_dict(cluster),
                "nodes": nodes.get(cluster.pk, 0),
                "pods": number,
                "pendingPods": waiting,
                "page": reverse("cluster", kwargs={"cluster": cluster.name}),
            }
        )
    return answer({"clusters": listed})


@api.get(
    "/clusters/{slug:cluster}/workloads/failing",
    response={200: FailingWorkloads, **ERRORS, 409: Error},
    tags=["clusters"],
    operation_id="list_failing_workloads",
)
def failing_workloads(request: PageRequest, cluster: str) -> HttpResponse:
    """List the workloads whose controllers fail, those whose pods cannot be created first."""
    found = cluster_of(cluster)
    try:
        failures = failures_of(cluster=found)
    except ChangingTooFastError as error:
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        raise ApiError(409, what=what, where=cluster, remedy=remedy) from None
    listed = [_failure_dict(found, each, reported) for reported in failures.values() for each in reported]
    return answer({"cluster": cluster_dict(found), "failures": listed})


def _failure_dict(cluster: Cluster, failure: WorkloadFailure, among: Sequence[WorkloadFailure]) -> dict[str, Any]:
    workload = failure.workload
    place = {"kind": workload.kind, "namespace": workload.namespace, "name": workload.name}
    return {
        "workload": place,
        "fails": str(failure.kind),
        "missing": failure.missing,
        "sentence": words.sentence(failure),
        "reason": failure.reason,
        "message": failure.message,
        "since": failure.since or None,
        "because": refusals.because(failure) or None,
        "refusal": None
        if failure.refusal is None
        else {
            "resource": failure.refusal.resource or None,
            "name": failure.refusal.name or None,
            "problems": [encoded(each) for each in failure.refusal.problems],
        },
        "nextTry": None
        if failure.next_try is None
        else {
            "wanted": failure.next_try.wanted,
            "admitted": failure.next_try.admitted,
            "isDecisive": failure.next_try.is_decisive,
            "problems": [encoded(each) for each in failure.next_try.problems],
            "sentence": refusals.outlook(failure) or None,
        },
        "remedy": words.remedy(failure, among),
        "page": page_url("workload", cluster, **place) or None,
    }
